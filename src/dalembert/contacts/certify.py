"""What a step leaves of the law, and what the contacts exert, by name.

    residual     what the worst point misses the law by, in m/s: zero where it holds exactly (sweep.py: ``rest_of_law``)
    jammed       points that are closed where nothing can give way (bodies moved by laws of time): no impulse holds them
    sums         of every contact: force and torque about the origin on its second bodies (this substep's impulse over h),
                 power of the contact on both, the impulse since the start and its moment about the origin
"""


from dalembert._jit import kernel
from dalembert.contacts.sums import SUM, facing
from dalembert.contacts.sweep import rest_of_law, slip
from dalembert.contacts.tables import GAP, GRIP, HOLD, LINK, MN, MT, RA, RN, ROW, RT, SLOP, SOFT, TRACE


@kernel
def residual(w):
    """Largest and mean square of the residual, depth of the deepest point, number of closed ones, into the report."""
    row, r = w.row, w.report
    normal, tangential, square, depth, closed, count = 0.0, 0.0, 0.0, 0.0, 0, 0
    for m in range(r.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            if row[k + MN] <= 0.0 or row[k + MT] <= 0.0:
                if row[k + GAP] < -w.grip[GRIP * m + SLOP]:
                    depth = max(depth, -row[k + GAP])
                    if r.jammed == 0:
                        r.jam_a, r.jam_b, r.jam_time = w.link[LINK * m + 5], w.link[LINK * m + 6], w.rules.time
                    r.jammed += 1
                continue
            e, t = rest_of_law(w, m, k, HOLD)
            normal, tangential = max(normal, e), max(tangential, t)
            if row[k + SOFT] == 0.0:  # what gives way does so by its law
                depth = max(depth, -row[k + GAP])
            square += e * e + t * t
            count += 1
            if row[k + RN] > TRACE:
                closed += 1
    r.normal, r.tangential, r.depth, r.closed = normal, tangential, max(depth, r.depth), closed
    r.square = square / max(count, 1)
    return 0


@kernel
def deepest(w):
    """The depth of the deepest point as bodies are at the start: what overlaps there is pushed out before ``residual`` looks."""
    for m in range(w.report.manifolds):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.link[LINK * m + 7] == 0:
                w.report.depth = max(w.report.depth, -w.row[ROW * c + GAP])


@kernel
def forces(w, h):
    """Force, torque and power of every contact in this substep; impulses on every body."""
    row = w.row
    for k in range(w.sum.size // SUM):
        for c in range(7):
            w.sum[SUM * k + c] = 0.0
    for k in range(w.by_body.size):
        w.by_body[k] = 0.0
    for m in range(w.report.manifolds):
        a, b, o = w.link[LINK * m], w.link[LINK * m + 1], SUM * w.link[LINK * m + 4]
        side = facing(w, m)
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            n = row[k + RN]
            if n <= TRACE:
                continue
            fx, fy, fz = ((n * nx + row[k + RT]) / h, (n * ny + row[k + RT + 1]) / h, (n * nz + row[k + RT + 2]) / h)
            x, y, z = row[k + RA] + w.x[3 * a], row[k + RA + 1] + w.x[3 * a + 1], row[k + RA + 2] + w.x[3 * a + 2]
            ux, uy, uz = slip(w, a, b, k)
            w.sum[o] += side * fx
            w.sum[o + 1] += side * fy
            w.sum[o + 2] += side * fz
            w.sum[o + 3] += side * (y * fz - z * fy)
            w.sum[o + 4] += side * (z * fx - x * fz)
            w.sum[o + 5] += side * (x * fy - y * fx)
            w.sum[o + 6] += fx * ux + fy * uy + fz * uz
            for end in range(2):
                body, s, at = (a, -1.0, k) if end == 0 else (b, 1.0, k + 3)
                x, y, z = row[at], row[at + 1], row[at + 2]
                i = 6 * body
                w.by_body[i] += s * fx
                w.by_body[i + 1] += s * fy
                w.by_body[i + 2] += s * fz
                w.by_body[i + 3] += s * (y * fz - z * fy)
                w.by_body[i + 4] += s * (z * fx - x * fz)
                w.by_body[i + 5] += s * (x * fy - y * fx)
    return 0
