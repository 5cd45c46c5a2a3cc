"""The software renderer's kernels: triangles to pixels with shadows and antialiasing, no graphics driver.

A triangle with corners V_k = (X_k, Y_k, w_k) (camera.py) covers the sample p = (x, y, 1) when all e_k ≥ 0,

    p = Σ e_k V_k      e_0 = p·(V_1 × V_2) / det, …      det = V_0·(V_1 × V_2)      Σ e_k = 1/w      λ_k = e_k / Σ e_k

with λ_k the weights of the corners in space.  No clipping: a triangle that reaches behind the camera just has rows and a range of
1/w.  The nearest triangle's number is kept per sample (2 × 2 samples per pixel); colours are worked out afterwards, once per
pixel unless its samples show different triangles.  A transparent part fills only a share of each pixel's samples.
"""

import math

import numpy as np

from dalembert._jit import entry, inline, kernel
from dalembert.viewer.renderer.shading import LINE, Buffers, Model, Shot, backdrop, shade, spot


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
        for row in range(max(0, math.ceil(y0 - 0.5)), min(height - 1, math.floor(y1 - 0.5)) + 1):
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
            for x in range(max(0, math.ceil(low - 0.5)), min(width - 1, math.floor(high - 0.5)) + 1):
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
        w.extent[0], w.extent[1] = min(w.extent[0], x0 - 3.0), max(w.extent[1], x1 + 3.0)
        w.extent[2], w.extent[3] = min(w.extent[2], y0 - 3.0), max(w.extent[3], y1 + 3.0)
        for row in range(max(0, math.ceil(y0 - 0.5)), min(size - 1, math.floor(y1 - 0.5)) + 1):
            y = row + 0.5
            low, high = x0, x1
            low, high = _range(-sign * (yb - ya), sign * ((y - ya) * (xb - xa) + xa * (yb - ya)), low, high)
            low, high = _range(-sign * (yc - yb), sign * ((y - yb) * (xc - xb) + xb * (yc - yb)), low, high)
            low, high = _range(-sign * (ya - yc), sign * ((y - yc) * (xa - xc) + xc * (ya - yc)), low, high)
            for x in range(max(0, math.ceil(low - 0.5)), min(size - 1, math.floor(high - 0.5)) + 1):
                z = np.float32(za + zx * (x + 0.5 - xa) + zy * (y - ya))
                if z > w.map[row * size + x]:
                    w.map[row * size + x] = z
    return 0


@inline
def _lit(w, q, o, size):
    """Place on the shadow map and height towards the light.  q: centre, two axes, direction, half width."""
    return spot(q, w.world[o], w.world[o + 1], w.world[o + 2], size)


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
def picture(m, s, w):
    """One frame, from parts to pixels."""
    for k in range(w.near.size):
        w.near[k] = -1.0e30
        w.shown[k] = -1
    for k in range(w.map.size):
        w.map[k] = -1.0e30
    w.extent[0] = w.extent[2] = 1.0e30
    w.extent[1] = w.extent[3] = -1.0e30
    backdrop(s, w)
    transform(m, s, w)
    if s.size[2] > 8:
        shadows(m, s, w)
    triangles(m, s, w)
    lines(s, w)
    return shade(m, s, w)


PICTURE = entry("render", "picture", picture, Model, Shot, Buffers, module=__name__)
