"""The software renderer's kernels: triangles to pixels with shadows and antialiasing, no graphics driver.

A triangle with corners V_k = (X_k, Y_k, w_k) (camera.py) covers the sample p = (x, y, 1) when all e_k ≥ 0,

    p = Σ e_k V_k      e_0 = p·(V_1 × V_2) / det, …      det = V_0·(V_1 × V_2)      Σ e_k = 1/w      λ_k = e_k / Σ e_k

with λ_k the weights of the corners in space.  No clipping: a triangle that reaches behind the camera just has rows and a range of
1/w.  The nearest triangle's number is kept per sample (2 × 2 samples per pixel); colours are worked out afterwards, once per
pixel unless its samples show different triangles.  A transparent part fills only a share of each pixel's samples.

    light = diffuse/π (hemisphere + Σ I (n·l) lit) + specular (s/2 + 1)/(4π) (n·h)^s I (n·l) lit + emissive     (as three.js)
"""

import math

import numpy as np

from dalembert._jit import entry, inline, kernel, struct

PART = np.dtype([("vertex", "i4"), ("count", "i4"), ("source", "i4"), ("paint", "i4"), ("matrix", "f8", 12), ("normal", "f8", 9)])
PAINT = np.dtype([("diffuse", "f8", 3), ("ambient", "f8", 3), ("specular", "f8", 3), ("emissive", "f8", 3), ("shininess", "f8"),
                  ("cover", "i8"), ("two_sided", "i8")])

Model = struct("RenderModel", {"vertices": "f4", "normals": "f4", "triangles": "i4", "of_part": "i4", "paints": PAINT})
Shot = struct("RenderShot", {"parts": PART, "camera": "f8", "sun": "f8", "floor": "f8", "tones": "f8", "lines": "f8", "inks": "f8",
                             "size": "i8"})
Work = struct("RenderWork", {"world": "f8", "turned": "f8", "picture": "f8", "edges": "f8", "near": "f4", "shown": "i4", "map": "f4",
                             "image": "u1", "gamma": "u1"})

LINE = -2  # numbers of lines in ``shown`` count down from here; −1 is nothing


@inline
def _cross(a0, a1, a2, b0, b1, b2):
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def transform(m, s, w):
    """Corners to ground axes and to the picture (X, Y, w, depth attribute)."""
    c = s.camera
    F, cx, cy, parallel = 2.0 * c[12], 2.0 * c[13], 2.0 * c[14], c[15] > 0.5
    for p in range(s.parts.size):
        A, N = s.parts[p].matrix, s.parts[p].normal
        source, first = 3 * np.int64(s.parts[p].source), np.int64(s.parts[p].vertex)
        for k in range(np.int64(s.parts[p].count)):
            i, o = source + 3 * k, 3 * (first + k)
            x, y, z = m.vertices[i], m.vertices[i + 1], m.vertices[i + 2]
            X = A[0] * x + A[1] * y + A[2] * z + A[3]
            Y = A[4] * x + A[5] * y + A[6] * z + A[7]
            Z = A[8] * x + A[9] * y + A[10] * z + A[11]
            w.world[o], w.world[o + 1], w.world[o + 2] = X, Y, Z
            x, y, z = m.normals[i], m.normals[i + 1], m.normals[i + 2]
            w.turned[o] = N[0] * x + N[1] * y + N[2] * z
            w.turned[o + 1] = N[3] * x + N[4] * y + N[5] * z
            w.turned[o + 2] = N[6] * x + N[7] * y + N[8] * z
            X -= c[0]
            Y -= c[1]
            Z -= c[2]
            right = X * c[3] + Y * c[4] + Z * c[5]
            above = X * c[6] + Y * c[7] + Z * c[8]
            far = -(X * c[9] + Y * c[10] + Z * c[11])
            o = 4 * (first + k)
            depth = 1.0 if parallel else far
            w.picture[o] = cx * depth + F * right
            w.picture[o + 1] = cy * depth - F * above
            w.picture[o + 2] = depth
            w.picture[o + 3] = -far if parallel else 1.0
    return 0


@inline
def _range(a, r, low, high):
    """Where a x + r ≥ 0, within low … high."""
    if a > 0.0:
        low = max(low, -r / a)
    elif a < 0.0:
        high = min(high, -r / a)
    elif r < 0.0:
        high = low - 1.0
    return low, high


@kernel
def triangles(m, s, w):
    """Fill ``shown`` (number of the nearest triangle) and ``near`` (its depth, larger is nearer)."""
    width, height = 2 * s.size[0], 2 * s.size[1]
    parallel, nearest = s.camera[15] > 0.5, s.camera[16]
    v = w.picture
    for t in range(m.of_part.size):
        a, b, c = 4 * m.triangles[3 * t], 4 * m.triangles[3 * t + 1], 4 * m.triangles[3 * t + 2]
        wa, wb, wc = v[a + 2], v[b + 2], v[c + 2]
        if wa < nearest and wb < nearest and wc < nearest:
            continue
        x0, x1, y0, y1 = 0.0, float(width), 0.0, float(height)
        behind = wa < nearest or wb < nearest or wc < nearest
        if not behind:
            xa, xb, xc, ya, yb, yc = v[a] / wa, v[b] / wb, v[c] / wc, v[a + 1] / wa, v[b + 1] / wb, v[c + 1] / wc
            x0, x1 = max(x0, min(xa, xb, xc)), min(x1, max(xa, xb, xc))
            y0, y1 = max(y0, min(ya, yb, yc)), min(y1, max(ya, yb, yc))
            if x0 > x1 or y0 > y1:
                continue
        e00, e01, e02 = _cross(v[b], v[b + 1], wb, v[c], v[c + 1], wc)
        e10, e11, e12 = _cross(v[c], v[c + 1], wc, v[a], v[a + 1], wa)
        e20, e21, e22 = _cross(v[a], v[a + 1], wa, v[b], v[b + 1], wb)
        det = v[a] * e00 + v[a + 1] * e01 + wa * e02
        part = m.of_part[t]
        paint = s.parts[part].paint
        if det == 0.0 or (det > 0.0 and not m.paints[paint].two_sided):
            continue
        k = 1.0 / det
        e00, e01, e02, e10, e11, e12, e20, e21, e22 = (e00 * k, e01 * k, e02 * k, e10 * k, e11 * k, e12 * k, e20 * k, e21 * k,
                                                      e22 * k)
        at = 9 * t
        w.edges[at], w.edges[at + 1], w.edges[at + 2] = e00, e01, e02
        w.edges[at + 3], w.edges[at + 4], w.edges[at + 5] = e10, e11, e12
        w.edges[at + 6], w.edges[at + 7], w.edges[at + 8] = e20, e21, e22
        da, db, dc = v[a + 3], v[b + 3], v[c + 3]
        d0, d1, d2 = e00 * da + e10 * db + e20 * dc, e01 * da + e11 * db + e21 * dc, e02 * da + e12 * db + e22 * dc
        cover = m.paints[paint].cover
        for row in range(max(0, int(math.ceil(y0 - 0.5))), min(height - 1, int(math.floor(y1 - 0.5))) + 1):
            y = row + 0.5
            low, high = x0, x1
            low, high = _range(e00, e01 * y + e02, low, high)
            low, high = _range(e10, e11 * y + e12, low, high)
            low, high = _range(e20, e21 * y + e22, low, high)
            d = d1 * y + d2
            if behind and not parallel:
                low, high = _range(d0, d - 1e-9, low, high)
                low, high = _range(-d0, 1.0 / nearest - d, low, high)
            if low > high:
                continue
            base = row * width
            for x in range(max(0, int(math.ceil(low - 0.5))), min(width - 1, int(math.floor(high - 0.5))) + 1):
                depth = np.float32(d0 * (x + 0.5) + d)
                if depth > w.near[base + x]:
                    if cover < 4 and ((x & 1) * 2 + ((x ^ row) & 1)) >= cover:
                        continue
                    w.near[base + x] = depth
                    w.shown[base + x] = t
    return 0


@kernel
def shadows(m, s, w):
    """Depth seen from the light: larger is nearer to it."""
    size = s.size[2]
    q = s.sun
    for t in range(m.of_part.size):
        if m.paints[s.parts[m.of_part[t]].paint].cover < 4:
            continue
        a, b, c = 3 * m.triangles[3 * t], 3 * m.triangles[3 * t + 1], 3 * m.triangles[3 * t + 2]
        xa, ya, za = _lit(w, q, a, size)
        xb, yb, zb = _lit(w, q, b, size)
        xc, yc, zc = _lit(w, q, c, size)
        det = (xb - xa) * (yc - ya) - (xc - xa) * (yb - ya)
        if det == 0.0:
            continue
        k = 1.0 / det
        zx = ((zb - za) * (yc - ya) - (zc - za) * (yb - ya)) * k
        zy = ((zc - za) * (xb - xa) - (zb - za) * (xc - xa)) * k
        sign = 1.0 if det > 0 else -1.0
        x0, x1, y0, y1 = min(xa, xb, xc), max(xa, xb, xc), min(ya, yb, yc), max(ya, yb, yc)
        for row in range(max(0, int(math.ceil(y0 - 0.5))), min(size - 1, int(math.floor(y1 - 0.5))) + 1):
            y = row + 0.5
            low, high = x0, x1
            low, high = _range(-sign * (yb - ya), sign * ((y - ya) * (xb - xa) + xa * (yb - ya)), low, high)
            low, high = _range(-sign * (yc - yb), sign * ((y - yb) * (xc - xb) + xb * (yc - yb)), low, high)
            low, high = _range(-sign * (ya - yc), sign * ((y - yc) * (xa - xc) + xc * (ya - yc)), low, high)
            for x in range(max(0, int(math.ceil(low - 0.5))), min(size - 1, int(math.floor(high - 0.5))) + 1):
                z = np.float32(za + zx * (x + 0.5 - xa) + zy * (y - ya))
                if z > w.map[row * size + x]:
                    w.map[row * size + x] = z
    return 0


@inline
def _lit(w, q, o, size):
    """Place on the shadow map and height towards the light.  q: centre, two axes, direction, half width."""
    return _spot(q, w.world[o], w.world[o + 1], w.world[o + 2], size)


@inline
def _spot(q, X, Y, Z, size):
    x, y, z = X - q[0], Y - q[1], Z - q[2]
    k = 0.5 * size / q[12]
    return ((x * q[3] + y * q[4] + z * q[5]) * k + 0.5 * size, (x * q[6] + y * q[7] + z * q[8]) * k + 0.5 * size,
            x * q[9] + y * q[10] + z * q[11])


@kernel
def lit(s, w, X, Y, Z):
    """Share of the light that reaches a point: 3 × 3 comparisons, weighted by where the point lies in its texel."""
    size = s.size[2]
    x, y, z = _spot(s.sun, X, Y, Z, size)
    z += s.sun[13]
    i, j = int(math.floor(x - 0.5)), int(math.floor(y - 0.5))
    if i < 1 or j < 1 or i > size - 4 or j > size - 4:
        return 1.0
    low = np.int64(j - 1) * size + i
    high = low + 3 * size
    seen = (np.int64(w.map[low - 1] <= z) + np.int64(w.map[low + 2] <= z) + np.int64(w.map[high - 1] <= z) + np.int64(w.map[high + 2] <= z)
            + np.int64(w.map[low + size] <= z))
    if seen == 5:
        return 1.0
    if seen == 0:
        return 0.0
    fx, fy = x - 0.5 - i, y - 0.5 - j
    total = 0.0
    for b in range(-1, 3):
        wy = 1.0 - fy if b == -1 else fy if b == 2 else 1.0
        at = (j + b) * size + i
        line = (1.0 - fx) * (w.map[at - 1] <= z) + (w.map[at] <= z) + (w.map[at + 1] <= z) + fx * (w.map[at + 2] <= z)
        total += wy * line
    return total / 9.0


@kernel
def surface(m, s, w, t, x, y):
    """Light from triangle t at the sample (x, y)."""
    at = 9 * t
    a = w.edges[at] * x + w.edges[at + 1] * y + w.edges[at + 2]
    b = w.edges[at + 3] * x + w.edges[at + 4] * y + w.edges[at + 5]
    c = w.edges[at + 6] * x + w.edges[at + 7] * y + w.edges[at + 8]
    k = 1.0 / (a + b + c)
    a, b, c = a * k, b * k, c * k
    i, j, l = 3 * m.triangles[3 * t], 3 * m.triangles[3 * t + 1], 3 * m.triangles[3 * t + 2]
    X = a * w.world[i] + b * w.world[j] + c * w.world[l]
    Y = a * w.world[i + 1] + b * w.world[j + 1] + c * w.world[l + 1]
    Z = a * w.world[i + 2] + b * w.world[j + 2] + c * w.world[l + 2]
    nx = a * w.turned[i] + b * w.turned[j] + c * w.turned[l]
    ny = a * w.turned[i + 1] + b * w.turned[j + 1] + c * w.turned[l + 1]
    nz = a * w.turned[i + 2] + b * w.turned[j + 2] + c * w.turned[l + 2]
    k = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-300)
    nx, ny, nz = nx * k, ny * k, nz * k
    q, r = s.camera, s.tones
    if q[15] > 0.5:
        ex, ey, ez = q[9], q[10], q[11]
    else:
        ex, ey, ez = q[0] - X, q[1] - Y, q[2] - Z
        k = 1.0 / math.sqrt(ex * ex + ey * ey + ez * ez)
        ex, ey, ez = ex * k, ey * k, ez * k
    p = m.paints[s.parts[m.of_part[t]].paint]
    if p.two_sided and nx * ex + ny * ey + nz * ez < 0.0:
        nx, ny, nz = -nx, -ny, -nz
    lx, ly, lz = s.sun[9], s.sun[10], s.sun[11]
    side = nx * lx + ny * ly + nz * lz
    direct, gloss = 0.0, 0.0
    if side > 0.0:
        off = s.sun[14]
        direct = r[0] * side * lit(s, w, X + off * nx, Y + off * ny, Z + off * nz)
        hx, hy, hz = lx + ex, ly + ey, lz + ez
        half = (nx * hx + ny * hy + nz * hz) / math.sqrt(hx * hx + hy * hy + hz * hz + 1e-300)
        if half > 0.0:
            gloss = direct * 0.25 * (0.5 * p.shininess + 1.0) * half ** p.shininess
    fill = max(0.0, nx * r[4] + ny * r[5] + nz * r[6]) * r[3]
    sky = 0.5 + 0.5 * (nx * s.floor[12] + ny * s.floor[13] + nz * s.floor[14])
    around = r[1] * sky + r[2] * (1.0 - sky)
    pi = 1.0 / math.pi
    return (((direct + fill) * p.diffuse[0] + around * p.ambient[0] + gloss * p.specular[0]) * pi + p.emissive[0],
            ((direct + fill) * p.diffuse[1] + around * p.ambient[1] + gloss * p.specular[1]) * pi + p.emissive[1],
            ((direct + fill) * p.diffuse[2] + around * p.ambient[2] + gloss * p.specular[2]) * pi + p.emissive[2])


@inline
def _stroke(x, sharp):
    """How much of a grid line covers a point: lines at whole numbers, 1/sharp to each side."""
    return max(0.0, 1.0 - abs(x - np.float64(np.int64(x + 0.5 + 1048576.0) - 1048576)) * sharp)


@kernel
def background(s, w, x, y):
    """Sky, floor with its grid, and the shadows on it, at a sample; floor: point, u, v, normal, up, spacing, fade, on, origin, 1/spacing."""
    q, f, r = s.camera, s.floor, s.tones
    share = y / (2.0 * s.size[1])
    red, green, blue = r[7] + share * (r[10] - r[7]), r[8] + share * (r[11] - r[8]), r[9] + share * (r[12] - r[9])
    if f[17] < 0.5:
        return red, green, blue
    F, cx, cy = 2.0 * q[12], 2.0 * q[13], 2.0 * q[14]
    a, b = (x - cx) / F, (cy - y) / F
    if q[15] > 0.5:
        ox, oy, oz = q[0] + a * q[3] + b * q[6], q[1] + a * q[4] + b * q[7], q[2] + a * q[5] + b * q[8]
        dx, dy, dz = -q[9], -q[10], -q[11]
    else:
        ox, oy, oz = q[0], q[1], q[2]
        dx, dy, dz = a * q[3] + b * q[6] - q[9], a * q[4] + b * q[7] - q[10], a * q[5] + b * q[8] - q[11]
    down = dx * f[9] + dy * f[10] + dz * f[11]
    if down > -1e-6:
        return red, green, blue
    k = ((f[0] - ox) * f[9] + (f[1] - oy) * f[10] + (f[2] - oz) * f[11]) / down
    if k <= 0.0:
        return red, green, blue
    X, Y, Z = ox + k * dx, oy + k * dy, oz + k * dz
    px, py, pz = X - f[0], Y - f[1], Z - f[2]
    u, v = px * f[3] + py * f[4] + pz * f[5], px * f[6] + py * f[7] + pz * f[8]
    fade = 1.0 - math.sqrt(u * u + v * v) / f[16]
    if fade <= 0.0:
        return red, green, blue
    fade = fade * fade * (3.0 - 2.0 * fade)
    pixel = 2.0 * (k if q[15] < 0.5 else 1.0) / F / math.sqrt(-down / math.sqrt(dx * dx + dy * dy + dz * dz))  # in space, here
    U, V, cells = (u + f[18]) * f[20], (v + f[19]) * f[20], pixel * f[20]
    sharp = 1.0 / cells
    fine = max(_stroke(U, sharp), _stroke(V, sharp)) * min(1.0, 0.25 * sharp)
    bold = max(_stroke(0.2 * U, 3.8 * sharp), _stroke(0.2 * V, 3.8 * sharp)) * min(1.0, sharp)
    ink = fade * max(r[16] * fine, r[17] * bold)
    red, green, blue = red + ink * (r[13] - red), green + ink * (r[14] - green), blue + ink * (r[15] - blue)
    dark = 1.0 - fade * r[18] * (1.0 - lit(s, w, X, Y, Z)) if r[18] > 0.0 else 1.0
    return red * dark, green * dark, blue * dark


@kernel
def lines(s, w):
    """Thick lines into ``shown``; a line is x, y, z of both ends, ink, half its width in samples."""
    c = s.camera
    width, height = 2 * s.size[0], 2 * s.size[1]
    F, cx, cy, parallel = 2.0 * c[12], 2.0 * c[13], 2.0 * c[14], c[15] > 0.5
    for n in range(s.lines.size // 8):
        o = 8 * n
        xa, ya, da, ahead = _seen(c, s.lines[o], s.lines[o + 1], s.lines[o + 2], F, cx, cy, parallel)
        xb, yb, db, also = _seen(c, s.lines[o + 3], s.lines[o + 4], s.lines[o + 5], F, cx, cy, parallel)
        if not (ahead and also):
            continue
        half = s.lines[o + 7]
        dx, dy = xb - xa, yb - ya
        square = dx * dx + dy * dy + 1e-12
        for row in range(max(0, int(min(ya, yb) - half)), min(height - 1, int(max(ya, yb) + half)) + 1):
            for x in range(max(0, int(min(xa, xb) - half)), min(width - 1, int(max(xa, xb) + half)) + 1):
                px, py = x + 0.5 - xa, row + 0.5 - ya
                k = min(1.0, max(0.0, (px * dx + py * dy) / square))
                if (px - k * dx) ** 2 + (py - k * dy) ** 2 <= half * half:
                    depth = np.float32(da + k * (db - da))
                    if depth > w.near[row * width + x]:
                        w.near[row * width + x] = depth
                        w.shown[row * width + x] = LINE - int(s.lines[o + 6])
    return 0


@inline
def _seen(c, X, Y, Z, F, cx, cy, parallel):
    X, Y, Z = X - c[0], Y - c[1], Z - c[2]
    right, above = X * c[3] + Y * c[4] + Z * c[5], X * c[6] + Y * c[7] + Z * c[8]
    far = -(X * c[9] + Y * c[10] + Z * c[11])
    if parallel:
        return cx + F * right, cy - F * above, -far, True
    ahead = far > c[16]
    far = max(far, c[16])
    return cx + F * right / far, cy - F * above / far, 1.0 / far, ahead


@kernel
def sample(m, s, w, t, x, y):
    if t >= 0:
        return surface(m, s, w, t, x, y)
    if t <= LINE:
        k = 3 * (LINE - t)
        return s.inks[k], s.inks[k + 1], s.inks[k + 2]
    return background(s, w, x, y)


@inline
def _tone(w, x):
    return w.gamma[int(min(4095.0, max(0.0, x * 4095.0)))]


@kernel
def shade(m, s, w):
    """Samples to pixels."""
    width, height = s.size[0], s.size[1]
    for row in range(height):
        for x in range(width):
            at = 4 * row * width + 2 * x
            a, b, c, d = w.shown[at], w.shown[at + 1], w.shown[at + 2 * width], w.shown[at + 2 * width + 1]
            px, py = 2.0 * x, 2.0 * row
            o = 3 * (row * width + x)
            if a == b and b == c and c == d:
                red, green, blue = sample(m, s, w, a, px + 1.0, py + 1.0)
                w.image[o], w.image[o + 1], w.image[o + 2] = _tone(w, red), _tone(w, green), _tone(w, blue)
            else:
                r0, g0, b0 = sample(m, s, w, a, px + 0.5, py + 0.5)
                r1, g1, b1 = sample(m, s, w, b, px + 1.5, py + 0.5)
                r2, g2, b2 = sample(m, s, w, c, px + 0.5, py + 1.5)
                r3, g3, b3 = sample(m, s, w, d, px + 1.5, py + 1.5)
                w.image[o] = (int(_tone(w, r0)) + _tone(w, r1) + _tone(w, r2) + _tone(w, r3) + 2) >> 2
                w.image[o + 1] = (int(_tone(w, g0)) + _tone(w, g1) + _tone(w, g2) + _tone(w, g3) + 2) >> 2
                w.image[o + 2] = (int(_tone(w, b0)) + _tone(w, b1) + _tone(w, b2) + _tone(w, b3) + 2) >> 2
    return 0


@kernel
def picture(m, s, w):
    """One frame, from parts to pixels."""
    for k in range(w.near.size):
        w.near[k] = -1.0e30
        w.shown[k] = -1
    for k in range(w.map.size):
        w.map[k] = -1.0e30
    transform(m, s, w)
    if s.size[2] > 8:
        shadows(m, s, w)
    triangles(m, s, w)
    lines(s, w)
    return shade(m, s, w)


PICTURE = entry("render", "picture", picture, Model, Shot, Work, module=__name__)
