"""The equations, transposed: what a covector on ẏ leaves on y and on parameters, and on y before a projection.

For a covector g on v̇, because the saddle-point matrix is symmetric,

    S b = D M⁻¹ g,   a = M⁻¹ (g − Dᵀ b)          gᵀ δv̇ = aᵀ δu − bᵀ δρ
                                = −(Kᵀ a + G_qᵀ b) · displacement − (Cᵀ a + G_vᵀ b) · δv + (aᵀ u_p − bᵀ ρ_p) δp

K, C, G are those of implicit methods (sensitivity.py: jacobians), u_p and ρ_p one dual pass for eight parameters (``press``).  A
covector on q̇ = N(q) v goes through N and its derivative.  The projection, transposed:

    S b = T m_v,   m_v −= Dᵀ b,   m_q −= (∂(D v − ν)/∂q)ᵀ b,   S e = T Nᵀ m_q,   m_q −= D_hᵀ e       (T = D M⁻¹)
    dp −= b · (D v − ν)_p + e · Φ_p                                                                   (``push``)

D_h: the rows of positions.  Running angles are functions of poses after every projection: their covectors are given to the poses
before (analyses/derived/adjoint.py).  Sums that ride along have none.  The steps are integrators/backward.py.

    evaluate      f at (t, y), kept as stage ``place`` with its factors
    transposed    out ← f_yᵀ g at stage ``place``, and the parameters' part into their gradients
    unprojected   g ← Pᵀ g at (t, y), and the parameters' part
"""

from dalembert._jit import LANES, bundle, call, entry, get, inline, kernel, put, struct
from dalembert._jit.duals import WIDTH
from dalembert.algebra import block_ldl
from dalembert.algebra.block_rows import width
from dalembert.formulations.augmented.newton.layout import COUPLE, PLACE, RANGE
from dalembert.system.tables import BLOCK

Adjoint = struct("Adjoint", {
    # shared with the workspace of the equations, Newton's matrices and a workspace of duals
    "t": "f8", "y": "f8", "ydot": "f8", "lam": "f8", "D": "f8", "T": "f8", "S": "f8", "delta": "f8",
    "wide": "f8",  # room for all unknowns where bodies are eliminated late (δ is theirs too)
    "K": "f8", "C": "f8", "Gq": "f8", "Gv": "f8", "seed": "f8", "speed": "f8",
    # pattern
    "shape": "i8", "handle": "i8", "press": "i8", "push": "i8", "at_q": "i8", "at_v": "i8", "columns": block_ldl.COLUMN,
    "below": block_ldl.BELOW, "blocks": BLOCK, "ranges": RANGE, "couples": COUPLE, "of": RANGE, "places": PLACE,
    "colours": RANGE, "members": "u4", "levels": "u4", "inverse": "f8",  # lanes of displacements (newton/classes.py)
    # stages of one step
    "place": "i8", "stage_t": "f8", "stage_y": "f8", "stage_f": "f8", "stage_lam": "f8", "stage_T": "f8", "stage_S": "f8",
    "stage_delta": "f8",
    # covectors: given, found; of u and ρ; of Φ; of displacements and velocities
    "g": "f8", "out": "f8", "a": "f8", "b": "f8", "e": "f8", "turn": "f8", "rate": "f8"})
SIZE, DIM, NQ, NV, NC = range(5)  # shape
ACCELERATIONS, JACOBIANS, SPEEDS = range(3)  # handle

Lanes = struct("Lanes", {"handle": "i8", "a": "f8", "b": "f8", "e": "f8", "u": "f8", "rho": "f8", "phi": "f8", "speed": "f8",
                         "of_u": "i8", "of_row": "i8",  # whose derivative the tangent of a row is, lane by lane; none: its lane's
                         "gradient": "f8"})
BALANCED, SPEEDS_OF = range(2)  # handle of Lanes


@kernel
def alone(gradient, x, tangents, sign):
    """gradient += sign · Σ_k x_k tangents_k, where every parameter has a lane of its own."""
    one, parts = bundle(), WIDTH // LANES
    for part in range(parts):
        total = get(one, gradient, part)
        for k in range(x.size):
            total = total + (sign * x[k]) * get(one, tangents, parts * k + part)
        put(one, gradient, part, total)


@kernel
def press(p):
    """gradient += aᵀ u_p − bᵀ ρ_p, at the state, λ and v̇ of the workspace; those that share a lane have rows of their own."""
    call(p.handle[BALANCED])
    if p.of_u.size == 0:
        alone(p.gradient, p.a, p.u, 1.0)
        alone(p.gradient, p.b, p.rho, -1.0)
        return 0
    for k in range(p.a.size):
        for at in range(WIDTH * k, WIDTH * (k + 1)):
            p.gradient[p.of_u[at]] += p.a[k] * p.u[at]
    for k in range(p.b.size):
        for at in range(WIDTH * k, WIDTH * (k + 1)):
            p.gradient[p.of_row[at]] -= p.b[k] * p.rho[at]
    return 0


@kernel
def push(p):
    """gradient −= b · (D v − ν)_p + e · Φ_p."""
    call(p.handle[SPEEDS_OF])
    if p.of_row.size == 0:
        alone(p.gradient, p.b, p.speed, -1.0)
        alone(p.gradient, p.e, p.phi, -1.0)
        return 0
    for k in range(p.b.size):
        for at in range(WIDTH * k, WIDTH * (k + 1)):
            p.gradient[p.of_row[at]] -= p.b[k] * p.speed[at] + p.e[k] * p.phi[at]
    return 0


# ---------------------------------------------------------------------------------------------------- poses and their twists


@kernel
def from_displacement(r, y, x, out):
    """out += the covector on q that belongs to the covector x on displacements, at the pose in y."""
    n = r.shape[SIZE]
    for b in range(r.at_q.size):
        k, m = r.at_q[b], r.at_v[b]
        if r.shape[DIM] == 2:
            for c in range(n):
                out[k + c] += x[m + c]
            continue
        e0, e1, e2, e3 = y[k + 3], y[k + 4], y[k + 5], y[k + 6]
        size = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3  # stages are not of length one, and poses do not depend on the length
        x1, x2, x3 = x[m + 3] / size, x[m + 4] / size, x[m + 5] / size
        for c in range(3):
            out[k + c] += x[m + c]
        out[k + 3] -= 2.0 * (e1 * x1 + e2 * x2 + e3 * x3)
        out[k + 4] += 2.0 * (e0 * x1 + e2 * x3 - e3 * x2)
        out[k + 5] += 2.0 * (e0 * x2 + e3 * x1 - e1 * x3)
        out[k + 6] += 2.0 * (e0 * x3 + e1 * x2 - e2 * x1)


@kernel
def of_displacement(r, y, g, out):
    """out += Nᵀ g: the covector on twists that belongs to g on q."""
    n = r.shape[SIZE]
    for b in range(r.at_q.size):
        k, m = r.at_q[b], r.at_v[b]
        if r.shape[DIM] == 2:
            for c in range(n):
                out[m + c] += g[k + c]
            continue
        e0, e1, e2, e3 = y[k + 3], y[k + 4], y[k + 5], y[k + 6]
        c0, c1, c2, c3 = g[k + 3], g[k + 4], g[k + 5], g[k + 6]
        for c in range(3):
            out[m + c] += g[k + c]
        out[m + 3] += 0.5 * (-c0 * e1 + e0 * c1 + c2 * e3 - c3 * e2)
        out[m + 4] += 0.5 * (-c0 * e2 + e0 * c2 + c3 * e1 - c1 * e3)
        out[m + 5] += 0.5 * (-c0 * e3 + e0 * c3 + c1 * e2 - c2 * e1)


@kernel
def of_turning(r, y, g, out):
    """out += what g on q̇ = N(q) v leaves on q itself: rotations of space only."""
    if r.shape[DIM] == 2:
        return
    nq = r.shape[NQ]
    for b in range(r.at_q.size):
        k, m = r.at_q[b], nq + r.at_v[b]
        c0, c1, c2, c3 = g[k + 3], g[k + 4], g[k + 5], g[k + 6]
        w1, w2, w3 = y[m + 3], y[m + 4], y[m + 5]
        out[k + 3] += 0.5 * (c1 * w1 + c2 * w2 + c3 * w3)
        out[k + 4] += 0.5 * (-c0 * w1 + w2 * c3 - w3 * c2)
        out[k + 5] += 0.5 * (-c0 * w2 + w3 * c1 - w1 * c3)
        out[k + 6] += 0.5 * (-c0 * w3 + w1 * c2 - w2 * c1)


# -------------------------------------------------------------------------------------------------------------- one stage


@kernel
def weighed(r, T, x, out):
    """out = T x."""
    if r.shape[SIZE] == 3:  # numbers that the compiler knows: loops it writes out
        _weighed(r, 3, T, x, out)
    else:
        _weighed(r, 6, T, x, out)


@inline
def _weighed(r, n, T, x, out):
    for k in range(out.size):
        out[k] = 0.0
    for k in range(r.blocks.size):
        p = r.blocks[k]
        to = r.at_v[p.body]
        step = width(p.count)
        for i in range(p.count):
            s = 0.0
            for c in range(n):
                s += T[p.weighed + step * c + i] * x[to + c]
            out[p.row + i] += s


@inline
def less_weighed(r, n, T, x, out):
    """out −= Tᵀ x."""
    for k in range(r.blocks.size):
        p = r.blocks[k]
        to = r.at_v[p.body]
        step = width(p.count)
        for c in range(n):
            s = 0.0
            for i in range(p.count):
                s += T[p.weighed + step * c + i] * x[p.row + i]
            out[to + c] -= s


@kernel
def by_factors(r, S, delta, x):
    """x ← S⁺ x."""
    if r.wide.size == 0:
        block_ldl.solve(r.columns, r.below, S, delta, x)
    else:
        block_ldl.solve_late(r.columns, r.below, S, delta, x, r.wide)


@inline
def less_all(r, n, A, x, out):
    """out −= Aᵀ x for A laid out as D."""
    for k in range(r.blocks.size):
        p = r.blocks[k]
        to = r.at_v[p.body]
        for c in range(n):
            s = 0.0
            for i in range(p.count):
                s += A[p.at + n * i + c] * x[p.row + i]
            out[to + c] -= s


@kernel
def less(r, A, x, out, positions):
    """The same; ``positions``: rows of positions alone."""
    n = r.shape[SIZE]
    for k in range(r.blocks.size):
        p = r.blocks[k]
        to = r.at_v[p.body]
        for i in range(p.count):
            if positions and r.levels[p.row + i] % 2 == 1:
                continue
            s = x[p.row + i]
            for c in range(n):
                out[to + c] -= A[p.at + n * i + c] * s


@kernel
def evaluate(r):
    """f at (t, y), kept as stage ``place``."""
    place, ny, nc, nt, ns, nd = r.place[0], r.y.size, r.lam.size, r.T.size, r.S.size, r.delta.size
    for k in range(ny):
        r.stage_y[place * ny + k] = r.y[k]
    r.stage_t[place] = r.t[0]
    status = call(r.handle[ACCELERATIONS])
    if status != 0:
        return status
    for k in range(ny):
        r.stage_f[place * ny + k] = r.ydot[k]
    for k in range(nc):
        r.stage_lam[place * nc + k] = r.lam[k]
    for k in range(nd):
        r.stage_delta[place * nd + k] = r.delta[k]
    for k in range(nt):
        r.stage_T[place * nt + k] = r.T[k]
    for k in range(ns):
        r.stage_S[place * ns + k] = r.S[k]
    return 0


@kernel
def restore(r, place):
    """State, λ and v̇ of a stage into the workspace."""
    ny, nc = r.y.size, r.lam.size
    r.t[0] = r.stage_t[place]
    for k in range(ny):
        r.y[k] = r.stage_y[place * ny + k]
        r.ydot[k] = r.stage_f[place * ny + k]
    for k in range(nc):
        r.lam[k] = r.stage_lam[place * nc + k]


@kernel
def transposed(r):
    """out ← f_yᵀ g at a stage, and the parameters' part into their gradients."""
    place, g, out = r.place[0], r.g, r.out
    nq, nv = r.shape[NQ], r.shape[NV]
    nt, ns, nd = r.T.size, r.S.size, r.delta.size
    for k in range(out.size):
        out[k] = 0.0
    restore(r, place)
    T = r.stage_T[place * nt:(place + 1) * nt]
    weighed(r, T, g[nq:nq + nv], r.b)
    if r.lam.size > 0:
        S, delta = r.stage_S[place * ns:(place + 1) * ns], r.stage_delta[place * nd:(place + 1) * nd]
        by_factors(r, S, delta, r.b)
    if r.shape[SIZE] == 3:
        covectors(r, 3, T, g[nq:nq + nv])
    else:
        covectors(r, 6, T, g[nq:nq + nv])
    of_displacement(r, r.y, g, r.rate)
    from_displacement(r, r.y, r.turn, out)
    of_turning(r, r.y, g, out)
    for k in range(nv):
        out[nq + k] = r.rate[k]
    for k in range(r.press.size):
        call(r.press[k])
    return 0


@inline
def covectors(r, n, T, g):
    """a = M⁻¹ (g − Dᵀ b); turn and rate ← −(Kᵀ a + G_qᵀ b) and −(Cᵀ a + G_vᵀ b)."""
    for b in range(r.at_v.size):
        m = r.at_v[b]
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += r.inverse[(b * n + i) * n + j] * g[m + j]
            r.a[m + i] = s
    less_weighed(r, n, T, r.b, r.a)
    call(r.handle[JACOBIANS])
    for k in range(r.turn.size):
        r.turn[k] = 0.0
        r.rate[k] = 0.0
    for column in range(r.ranges.size):
        to = r.at_v[column]
        for m in range(r.ranges[column].first, r.ranges[column].last):
            at, row = r.couples[m].at, r.at_v[r.couples[m].row]
            for c in range(n):
                s, z = 0.0, 0.0
                for i in range(n):
                    s += r.a[row + i] * r.K[at + n * i + c]
                    z += r.a[row + i] * r.C[at + n * i + c]
                r.turn[to + c] -= s
                r.rate[to + c] -= z
    less_all(r, n, r.Gq, r.b, r.turn)
    less_all(r, n, r.Gv, r.b, r.rate)


@kernel
def unprojected(r):
    """g ← Pᵀ g at (t, y); the parameters' part into their gradients."""
    g = r.g
    nq, nv, n, nc = r.shape[NQ], r.shape[NV], r.shape[SIZE], r.lam.size
    status = call(r.handle[ACCELERATIONS])
    if status != 0:
        return status
    m = g[nq:nq + nv]
    weighed(r, r.T, m, r.b)
    by_factors(r, r.S, r.delta, r.b)
    less(r, r.D, r.b, m, False)
    for k in range(nv):
        r.turn[k] = 0.0
    for first in range(0, r.colours.size, WIDTH):
        last = min(first + WIDTH, r.colours.size)
        for k in range(r.seed.size):
            r.seed[k] = 0.0
        for place in range(first, last):
            for j in range(r.colours[place].first, r.colours[place].last):
                aim(r, r.members[j] // n, r.members[j] % n, place - first)
        call(r.handle[SPEEDS])
        for place in range(first, last):
            for j in range(r.colours[place].first, r.colours[place].last):
                body = r.members[j] // n
                x = 0.0
                for o in range(r.of[body].first, r.of[body].last):
                    p = r.places[o]
                    for i in range(p.count):
                        x += r.b[p.row + i] * r.speed[WIDTH * (p.row + i) + place - first]
                r.turn[r.at_v[body] + r.members[j] % n] -= x
    for k in range(r.seed.size):
        r.seed[k] = 0.0
    from_displacement(r, r.y, r.turn, g)
    for k in range(nv):
        r.turn[k] = 0.0
    of_displacement(r, r.y, g, r.turn)
    weighed(r, r.T, r.turn, r.e)
    by_factors(r, r.S, r.delta, r.e)
    for k in range(nv):
        r.turn[k] = 0.0
    less(r, r.D, r.e, r.turn, True)
    from_displacement(r, r.y, r.turn, g)
    for k in range(nc):
        if r.levels[k] % 2 == 1:
            r.e[k] = 0.0
    for k in range(r.push.size):
        call(r.push[k])
    return 0


@kernel
def aim(r, body, c, lane):
    """δq of a lane ← component c of a displacement of the body, at the pose of the workspace."""
    k = r.at_q[body]
    if r.shape[DIM] == 2 or c < 3:
        r.seed[WIDTH * (k + c) + lane] = 1.0
        return
    e0, e1, e2, e3 = r.y[k + 3], r.y[k + 4], r.y[k + 5], r.y[k + 6]
    w1, w2, w3 = 1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0
    r.seed[WIDTH * (k + 3) + lane] = -0.5 * (e1 * w1 + e2 * w2 + e3 * w3)
    r.seed[WIDTH * (k + 4) + lane] = 0.5 * (e0 * w1 + e2 * w3 - e3 * w2)
    r.seed[WIDTH * (k + 5) + lane] = 0.5 * (e0 * w2 + e3 * w1 - e1 * w3)
    r.seed[WIDTH * (k + 6) + lane] = 0.5 * (e0 * w3 + e1 * w2 - e2 * w1)


ENTRIES = {"press": entry("adjoint", "press", press, Lanes, module=__name__),
           "push": entry("adjoint", "push", push, Lanes, module=__name__)} | {
    name: entry("adjoint", name, function, Adjoint, module=__name__)
    for name, function in (("evaluate", evaluate), ("transposed", transposed), ("unprojected", unprojected))}
