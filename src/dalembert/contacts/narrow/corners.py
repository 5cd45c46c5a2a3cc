"""Boxes and plates on a half-space: the corners near it, the lowest four of a box in space.

    gap_k = n·(corner_k − p)           a box lying flat has four of them, one on its edge two, one on its corner one
"""

from dalembert._jit import kernel
from dalembert.contacts.tables import PLATE, POSE


@kernel
def box_plane(w, a, b, margin):
    """Box or plate a, half-space b."""
    p, q, s = POSE * a, POSE * b, w.place
    nx, ny, nz = s[q + 5], s[q + 8], s[q + 11]
    flat = w.kind[a] == PLATE
    corners = 4 if flat else 8
    gaps = w.spare
    count = 0
    for k in range(corners):
        hx = w.size[3 * a] if k & 1 else -w.size[3 * a]
        hy = w.size[3 * a + 1] if k & 2 else -w.size[3 * a + 1]
        hz = 0.0 if flat else (w.size[3 * a + 2] if k & 4 else -w.size[3 * a + 2])
        x = s[p] + s[p + 3] * hx + s[p + 4] * hy + s[p + 5] * hz
        y = s[p + 1] + s[p + 6] * hx + s[p + 7] * hy + s[p + 8] * hz
        z = s[p + 2] + s[p + 9] * hx + s[p + 10] * hy + s[p + 11] * hz
        gap = nx * (x - s[q]) + ny * (y - s[q + 1]) + nz * (z - s[q + 2])
        if gap > margin:
            continue
        at = count
        if count == 4:  # all eight may be near or below: the lowest four count
            at = 0
            for i in range(1, 4):
                if gaps[i] > gaps[at]:
                    at = i
            if gap >= gaps[at]:
                continue
        else:
            count += 1
        gaps[at] = gap
        f = 5 * at
        w.found[f], w.found[f + 1], w.found[f + 2] = x - 0.5 * gap * nx, y - 0.5 * gap * ny, z - 0.5 * gap * nz
        w.found[f + 3], w.found[f + 4] = gap, float(k)
    w.toward[0], w.toward[1], w.toward[2] = -nx, -ny, -nz
    return count
