"""The software renderer's light: colours of samples whose triangles are known (raster.py), and the arrays both work on.

    light = diffuse/π (hemisphere + Σ I (n·l) lit) + specular (s/2 + 1)/(4π) (n·h)^s I (n·l) lit + emissive     (as three.js)

``lit`` is the share of the sun that reaches a point, from a map of depths seen from the sun.  The floor is no triangle: where a
ray through a sample meets it, its grid and the shadows on it are worked out directly.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel, struct

PART = np.dtype([("vertex", "i4"), ("count", "i4"), ("source", "i4"), ("paint", "i4"), ("matrix", "f8", 12), ("normal", "f8", 9)])
PAINT = np.dtype([("diffuse", "f8", 3), ("ambient", "f8", 3), ("specular", "f8", 3), ("emissive", "f8", 3), ("shininess", "f8"),
                  ("cover", "i8"), ("two_sided", "i8")])

Model = struct("RenderModel", {"vertices": "f4", "normals": "f4", "triangles": "i4", "of_part": "i4", "paints": PAINT})
Shot = struct("RenderShot", {"parts": PART, "camera": "f8", "sun": "f8", "floor": "f8", "tones": "f8", "lines": "f8",
                             "inks": "f8",
                             "size": "i8"})
Buffers = struct("Buffers", {"world": "f8", "turned": "f8", "picture": "f8", "edges": "f8", "near": "f4", "shown": "i4",
                             "map": "f4",
                             "image": "u1", "gamma": "u1", "backdrop": "f4", "seen": "f8", "extent": "f8"})

LINE = -2  # numbers of lines in ``shown`` count down from here; −1 is nothing


@inline
def spot(q, X, Y, Z, size):
    x, y, z = X - q[0], Y - q[1], Z - q[2]
    k = 0.5 * size / q[12]
    return ((x * q[3] + y * q[4] + z * q[5]) * k + 0.5 * size, (x * q[6] + y * q[7] + z * q[8]) * k + 0.5 * size,
            x * q[9] + y * q[10] + z * q[11])


@kernel
def lit(s, w, X, Y, Z):
    """Share of the light that reaches a point: 3 × 3 comparisons, weighted by where the point lies in its texel."""
    size = s.size[2]
    x, y, z = spot(s.sun, X, Y, Z, size)
    z += s.sun[13]
    if x < w.extent[0] or x > w.extent[1] or y < w.extent[2] or y > w.extent[3]:
        return 1.0
    i, j = math.floor(x - 0.5), math.floor(y - 0.5)
    if i < 1 or j < 1 or i > size - 4 or j > size - 4:
        return 1.0
    low = np.int64(j - 1) * size + i
    high = low + 3 * size
    seen = (np.int64(w.map[low - 1] <= z) + np.int64(w.map[low + 2] <= z) + np.int64(w.map[high - 1] <= z)
            + np.int64(w.map[high + 2] <= z) + np.int64(w.map[low + size] <= z))
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


@inline
def _floor_point(q, f, x, y):
    """Where the ray through a sample meets the floor: distance along it (0: nowhere), place, ray, how steeply it comes down."""
    F, cx, cy = 2.0 * q[12], 2.0 * q[13], 2.0 * q[14]
    a, b = (x - cx) / F, (cy - y) / F
    if q[15] > 0.5:
        ox, oy, oz = q[0] + a * q[3] + b * q[6], q[1] + a * q[4] + b * q[7], q[2] + a * q[5] + b * q[8]
        dx, dy, dz = -q[9], -q[10], -q[11]
    else:
        ox, oy, oz = q[0], q[1], q[2]
        dx, dy, dz = a * q[3] + b * q[6] - q[9], a * q[4] + b * q[7] - q[10], a * q[5] + b * q[8] - q[11]
    down = dx * f[9] + dy * f[10] + dz * f[11]
    k = 0.0
    if down < -1e-6:
        k = max(0.0, ((f[0] - ox) * f[9] + (f[1] - oy) * f[10] + (f[2] - oz) * f[11]) / down)
    steep = -down / math.sqrt(dx * dx + dy * dy + dz * dz)
    return k, ox + k * dx, oy + k * dy, oz + k * dz, steep


@kernel
def scenery(s, x, y):
    """Sky and floor with its grid at a sample, and how dark a shadow is there; floor: point, u, v, normal, up, spacing, fade, on,
    origin, 1/spacing."""
    q, f, r = s.camera, s.floor, s.tones
    share = y / (2.0 * s.size[1])
    red, green, blue = r[7] + share * (r[10] - r[7]), r[8] + share * (r[11] - r[8]), r[9] + share * (r[12] - r[9])
    if f[17] < 0.5:
        return red, green, blue, 0.0
    k, X, Y, Z, steep = _floor_point(q, f, x, y)
    px, py, pz = X - f[0], Y - f[1], Z - f[2]
    u, v = px * f[3] + py * f[4] + pz * f[5], px * f[6] + py * f[7] + pz * f[8]
    fade = 1.0 - math.sqrt(u * u + v * v) / f[16]
    if k <= 0.0 or fade <= 0.0:
        return red, green, blue, 0.0
    fade = fade * fade * (3.0 - 2.0 * fade)
    pixel = (k if q[15] < 0.5 else 1.0) / (q[12] * math.sqrt(steep))  # its size in space, here
    U, V = (u + f[18]) * f[20], (v + f[19]) * f[20]
    sharp = 1.0 / (pixel * f[20])
    fine = max(_stroke(U, sharp), _stroke(V, sharp)) * min(1.0, 0.25 * sharp)
    bold = max(_stroke(0.2 * U, 3.8 * sharp), _stroke(0.2 * V, 3.8 * sharp)) * min(1.0, sharp)
    ink = fade * max(r[16] * fine, r[17] * bold)
    return red + ink * (r[13] - red), green + ink * (r[14] - green), blue + ink * (r[15] - blue), fade * r[18]


@kernel
def backdrop(s, w):
    """Scenery of every pixel; made again only when the camera has moved."""
    same = True
    for k in range(s.camera.size):
        same = same and w.seen[k] == s.camera[k]
    if same:
        return 0
    for k in range(s.camera.size):
        w.seen[k] = s.camera[k]
    for row in range(s.size[1]):
        for x in range(s.size[0]):
            o = 4 * (row * s.size[0] + x)
            red, green, blue, dark = scenery(s, 2.0 * x + 1.0, 2.0 * row + 1.0)
            w.backdrop[o], w.backdrop[o + 1], w.backdrop[o + 2], w.backdrop[o + 3] = red, green, blue, dark
    return 1


@kernel
def background(s, w, pixel, x, y):
    """Scenery with the shadows on it, at a sample of a pixel."""
    o = 4 * pixel
    red, green, blue, dark = w.backdrop[o], w.backdrop[o + 1], w.backdrop[o + 2], w.backdrop[o + 3]
    if dark > 0.0:
        k, X, Y, Z, steep = _floor_point(s.camera, s.floor, x, y)
        left = 1.0 - dark * (1.0 - lit(s, w, X, Y, Z))
        return red * left, green * left, blue * left
    return red * 1.0, green * 1.0, blue * 1.0


@kernel
def sample(m, s, w, t, pixel, x, y):
    if t >= 0:
        return surface(m, s, w, t, x, y)
    if t <= LINE:
        k = 3 * (LINE - t)
        return s.inks[k], s.inks[k + 1], s.inks[k + 2]
    return background(s, w, pixel, x, y)


@inline
def _tone(w, x):
    return np.int64(w.gamma[int(min(4095.0, max(0.0, x * 4095.0)))])


@kernel
def shade(m, s, w):
    """Samples to pixels."""
    width, height = s.size[0], s.size[1]
    for row in range(height):
        for x in range(width):
            at = 4 * row * width + 2 * x
            a, b, c, d = w.shown[at], w.shown[at + 1], w.shown[at + 2 * width], w.shown[at + 2 * width + 1]
            px, py = 2.0 * x, 2.0 * row
            pixel = row * width + x
            o = 3 * pixel
            if a == b and b == c and c == d:
                red, green, blue = sample(m, s, w, a, pixel, px + 1.0, py + 1.0)
                w.image[o], w.image[o + 1], w.image[o + 2] = _tone(w, red), _tone(w, green), _tone(w, blue)
            else:
                r0, g0, b0 = sample(m, s, w, a, pixel, px + 0.5, py + 0.5)
                r1, g1, b1 = sample(m, s, w, b, pixel, px + 1.5, py + 0.5)
                r2, g2, b2 = sample(m, s, w, c, pixel, px + 0.5, py + 1.5)
                r3, g3, b3 = sample(m, s, w, d, pixel, px + 1.5, py + 1.5)
                w.image[o] = (_tone(w, r0) + _tone(w, r1) + _tone(w, r2) + _tone(w, r3) + 2) >> 2
                w.image[o + 1] = (_tone(w, g0) + _tone(w, g1) + _tone(w, g2) + _tone(w, g3) + 2) >> 2
                w.image[o + 2] = (_tone(w, b0) + _tone(w, b1) + _tone(w, b2) + _tone(w, b3) + 2) >> 2
    return 0
