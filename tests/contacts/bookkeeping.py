"""One substep of a scene worked out once more, from poses, velocities and impulses alone: nothing of it is asked of the kernels.

    points      arm = R₀ l (+ what is round, along n), gap = gap₀ + n·(x_b + arm_b − x_a − arm_a); impulses act ½ h later
    K           Σ 1/m − r̃ J⁻¹ r̃ where points were found; K n, K_nn, the largest eigenvalue across
    bounds      of sweep.py's table, blows by gap + u₀ τ + ½ a τ² = 0
    momentum    m (v₁ − v̂) = Σ p and J (ω₁ − ω̂) = Σ r × p, J half a step ahead
    cone        r_n ≥ 0, r_t·n = 0, |r_t| ≤ μ r_n; what the law is missed by is what the certificate says
    way         x₁ = x₀ + h way, R₁ = exp(h way) R₀; half old, half new velocity, or nearer to the new one
    energy      what was lost to friction and impacts is T₀ + V₀ − T₁ − V₁
    joined      v̂ and what impulses change of all bodies at once by M v̇ + Dᵀ λ = loads, D v̇ = γ (joined.py); what drives put in
"""

from types import SimpleNamespace

import numpy as np

from dalembert.contacts.tables import (
    BEND,
    DRIFT,
    GAP,
    GAP0,
    GRIP,
    HOLD,
    KN,
    LA,
    LB,
    LINK,
    MN,
    MT,
    MU,
    PUSH,
    RA,
    RB,
    RN,
    ROW,
    RT,
    SLOP,
    SOFT,
    TRACE,
    E,
)

DEAD = 1e-13


def arrays(scene):
    """The arrays of a scene for kernels called as ordinary Python."""
    return SimpleNamespace(**{**scene.arrays, "rules": scene.rules, "report": scene.report})


def turn(a):
    """The rotation by the vector a."""
    angle = np.linalg.norm(a)
    if angle == 0.0:
        return np.eye(3)
    n = np.asarray(a) / angle
    N = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * N + (1 - np.cos(angle)) * N @ N


class Bodies:
    """Poses, velocities and inertias, of what stands still the last ones."""

    def __init__(self, w):
        n = w.rules.bodies + 1
        self.x, self.R, self.v = (np.array(a).reshape(shape) for a, shape in ((w.x, (n, 3)), (w.R, (n, 3, 3)), (w.v, (n, 6))))
        self.mass, self.J = np.array(w.mass[:n]), np.array(w.inertia).reshape(-1, 3, 3)
        self.trend, self.free = np.array(w.trend).reshape(n, 6), np.array(w.free).reshape(n, 6)
        self.time, self.ledger = float(w.rules.time), np.array(w.ledger)
        self.lost = float(w.report.friction + w.report.impact)
        self.impulse = np.array(w.sum).reshape(-1, 13)[:, 7:10].sum(axis=0)

    def energy(self, w):
        total = 0.0
        for b in range(w.rules.bodies):
            own = self.R[b].T @ self.v[b, 3:]
            total += 0.5 * self.mass[b] * self.v[b, :3] @ self.v[b, :3] + 0.5 * own @ self.J[b] @ own
            total -= self.mass[b] * np.array(w.rules.gravity) @ self.x[b]
        return total


def inverse(w, R, b):
    """m⁻¹ and J⁻¹ in ground axes."""
    if b == w.rules.bodies:
        return 0.0, np.zeros((3, 3))
    return w.inverse_mass[b], R @ np.array(w.inverse_inertia[9 * b:9 * b + 9]).reshape(3, 3) @ R.T


def cross(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def halfway(w, old, b, h):
    """The turn of a body where impulses act: Cayley's, which is e^{½hω} to third order."""
    if w.rules.plane or b == w.rules.bodies:
        return old.R[b]
    half = 0.25 * h * old.v[b, 3:]
    size = np.linalg.norm(half)
    return turn(half / size * 2 * np.arctan(size)) @ old.R[b] if size > 0 else old.R[b]


def manifolds(w):
    for m in range(int(w.report.manifolds)):
        a, b, first, n = w.link[LINK * m:LINK * m + 4]
        yield m, a, b, np.array(w.normal[3 * m:3 * m + 3]), [w.row[ROW * c:ROW * c + ROW] for c in range(first, first + n)]


def point(old, row, a, b, n):
    """Arms of a point where it was found riding, its gap, and the arms of the cores that ride."""
    one, other = old.R[a] @ row[LA:LA + 3], old.R[b] @ row[LB:LB + 3]
    gap = row[GAP0] + n @ (old.x[b] + other - old.x[a] - one)
    away = old.x[b] - old.x[a]
    if row[BEND] > 0.0:
        first = one + row[BEND] * n
        return first, first + gap * n - away, gap, one, None
    if row[BEND + 1] > 0.0:
        second = other - row[BEND + 1] * n
        return second - gap * n + away, second, gap, None, other
    return one, other, gap, one, other


def rides(old, row, a, b, n, h):
    """Arms half a substep ahead, the gap of now, and what the velocity of the point changes from there to the end."""
    _, _, gap, one, other = point(old, row, a, b, n)
    away, drift = old.x[b] - old.x[a], np.zeros(3)
    ahead = []
    for arm, body, sign in ((one, a, -1.0), (other, b, 1.0)):
        if arm is None:
            ahead.append(None)
            continue
        omega = old.v[body, 3:]
        ahead.append(arm + 0.5 * h * np.cross(omega, arm))
        drift = drift + sign * 0.5 * h * np.cross(omega, np.cross(omega, arm))
    if other is None:
        first = ahead[0] + row[BEND] * n
        return first, first + gap * n - away, gap, drift
    if one is None:
        second = ahead[1] - row[BEND + 1] * n
        return second - gap * n + away, second, gap, drift
    return (*ahead, gap, drift)


def near(found, wanted, scale, what):
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert np.all(np.abs(found - wanted) <= 1e-9 * scale + DEAD), (what, found, wanted)


def check(w, old, h, converged, few=False, joined=None):
    """All of it, after a substep of length h that began at ``old`` with a detection; how many points it was about.

    joined: what is known of joints and loads; such a substep is one whose end was not projected (test_joined_substeps.py).
    """
    new, size = Bodies(w), max(1e-3, float(np.abs(old.v).max()))
    free, before, way = (np.array(a).reshape(-1, 6) for a in (w.free, w.before, w.way))
    near(before[:-1], old.v[:-1], size, "before")
    dv, count, worst, total = np.zeros_like(free), 0, np.zeros(2), np.zeros(3)
    A = None if joined is None else joined.response(old.mass, old.J, ahead(w, old, h))
    for m, a, b, n, rows in manifolds(w):
        assert abs(n @ n - 1.0) < 1e-12
        mu, e, slop = w.grip[GRIP * m + MU], w.grip[GRIP * m + E], w.grip[GRIP * m + SLOP]
        for row in rows:
            count += 1
            one, other, gap, drift = rides(old, row, a, b, n, h)
            _stiffness(w, old, row, a, b, n, mu, A, (one, other))
            near(row[GAP], gap, 1.0, "gap")
            near(row[RA:RA + 3], one, 1.0, "first arm")
            near(row[RB:RB + 3], other, 1.0, "second arm")
            near(row[DRIFT:DRIFT + 3], drift, size, "drift")
            u = [v[b, :3] + np.cross(v[b, 3:], other) - v[a, :3] - np.cross(v[a, 3:], one) for v in (old.v, free, new.v)]
            if row[SOFT] == 0.0:
                bounds = _bounds(w, row, n @ u[0], n @ u[1], gap, slop, e, h, few)
                if bounds is not None:
                    near((row[PUSH], row[HOLD]), bounds, size + abs(bounds[0]), "bounds")
            rn, rt = row[RN], row[RT:RT + 3]
            cone = rn, rt @ n, np.linalg.norm(rt), mu * rn
            assert rn >= 0.0 and abs(cone[1]) <= 1e-8 * rn + DEAD and cone[2] <= cone[3] * (1 + 1e-12) + DEAD, cone
            p = rn * n + rt
            for body, r, s in ((a, one, -1.0), (b, other, 1.0)):
                if w.jointed[body] == 1:
                    dv += s * (A[:, 6 * body:6 * body + 6] @ np.concatenate([p, np.cross(r, p)])).reshape(-1, 6)
                    continue
                wm, wJ = inverse(w, halfway(w, old, body, h), body)
                dv[body] += s * np.concatenate([wm * p, wJ @ np.cross(r, p)])
            total += p
            worst = np.maximum(worst, _missed(row, u[2] + drift, n, mu))
    near(new.v[:-1], (free + dv)[:-1], size, "momentum")
    r = w.report
    if not np.any(w.restitution > 0.0) and not w.rules.softness and not few:  # bounces may be asked for twice
        assert (r.pushed, r.deep) == _deeper(w), "points that are pushed out"
    if not few and w.rules.softness == 0:
        near((r.normal, r.tangential), worst, size, "residual")
    trend = np.where((np.array(w.hit) == -1.0)[:, None], new.v - old.v, 0.0)
    near(new.trend[:-1], trend[:-1], size, "what is expected of the next substep")
    if joined is not None:
        _joined(w, old, new, free, h, size, joined)
    _ways(w, old, new, way, h, size, converged and r.normal + r.tangential < 1e-10 * size)
    if w.rules.alone and not w.rules.softness:
        _free(w, old, new, free, h, size)
        scale = max(old.energy(w), np.sum(old.mass[:-1]) * size**2)
        near(new.lost - old.lost, old.energy(w) - new.energy(w), scale, "energy")
    return count


def _stiffness(w, old, row, a, b, n, mu, A, arms):
    """K where the point was found; of jointed bodies half a step ahead."""
    held = 1 in (w.jointed[a], w.jointed[b])
    one, other = arms if held else point(old, row, a, b, n)[:2]
    K, C = np.zeros((3, 3)), np.zeros((3, old.v.size))
    for body, r, sign in ((a, one, -1.0), (b, other, 1.0)):
        if w.jointed[body] == 1:
            C[:, 6 * body:6 * body + 6] = sign * np.hstack([np.eye(3), -cross(r)])
            continue
        wm, wJ = inverse(w, old.R[body], body)
        K += wm * np.eye(3) - cross(r) @ wJ @ cross(r)
    if held:
        K += C @ A @ C.T
    P = np.eye(3) - np.outer(n, n)
    near(row[KN:KN + 3], K @ n, np.abs(K).max(), "K n")
    if row[SOFT] == 0.0:
        across = mu * np.linalg.norm(P @ K @ n)  # counts where sliding acts back strongly on what presses
        near(row[MN] * (n @ K @ n + (across if across > 0.5 * (n @ K @ n) else 0.0)), 1.0, 1.0, "1/K_nn")
    top = np.linalg.eigvalsh(P @ K @ P)[-1]
    assert abs(row[MT] * top - 1.0) < 1e-6, "the largest eigenvalue across"


def _bounds(w, row, u0, u1, gap, slop, e, h, few):
    """Of the sweep that moves bodies and of the one that relaxes; None where it cannot be told from here."""
    g = np.linalg.norm(w.rules.gravity)
    if e > 0.0 and u0 < -0.25 * h * g:
        near_by, acc = max(gap, 0.0), (u1 - u0) / h
        if near_by + 0.5 * h * (u0 + u1) > 0.0:
            return (1e30, 1e30) if row[HOLD] >= 1e29 else None  # or what carries keeps its own
        roots = np.roots([0.5 * acc, u0, near_by]) if abs(acc) > 1e-12 * abs(u0) / h else np.array([-near_by / u0])
        tau = min([t.real for t in roots if abs(t.imag) < 1e-6 * h and t.real >= -1e-12 * h], default=h)
        tau = min(max(tau, 0.0), h)
        leaving = e * (u0 + acc * tau) - acc * (h - tau)
        if leaving < 0.0:
            return (leaving, leaving) if row[HOLD] < 0.0 else None  # or the substep was done again without bounces
    if gap > slop:
        open_ = (gap + slop if few else gap - 0.5 * slop) / h
        return open_, open_
    if gap < -(1 + 1e-7) * slop:
        return max(w.rules.share * (gap + slop) / h, -w.rules.haste), 0.0
    return None if few and gap > 0.0 else (0.0, 0.0)


def _deeper(w):
    """How many points are deeper than the slop, and than what is pushed out whatever it costs."""
    depths = [(-row[GAP], w.grip[GRIP * m + SLOP]) for m, *_, rows in manifolds(w) for row in rows]
    return (sum(depth > (1 + 1e-7) * slop for depth, slop in depths),
            sum(depth > w.rules.deep / w.rules.lie * slop for depth, slop in depths))


def _missed(row, u, n, mu):
    """What the law is missed by, in m/s, normal and across."""
    if row[SOFT] != 0.0:
        return np.zeros(2)
    un = u @ n
    normal = abs(row[RN] - max(0.0, row[RN] - row[MN] * (un + row[HOLD]))) / row[MN]
    s = row[RT:RT + 3] - row[MT] * (u - un * n)
    f = min(1.0, mu * row[RN] / max(np.linalg.norm(s), 1e-300))
    return np.array([normal, np.linalg.norm(row[RT:RT + 3] - f * s) / row[MT]])


def _ways(w, old, new, way, h, size, converged):
    for b in range(w.rules.bodies):
        near(new.x[b], old.x[b] + h * way[b, :3], 1.0, "way")
        near(new.R[b], turn(h * way[b, 3:]) @ old.R[b], 1.0, "turn")
        near(new.R[b] @ new.R[b].T, np.eye(3), 1.0, "a rotation")
        if converged and w.report.pushed == 0 and w.hit[b] in (-1.0, -2.0):  # else the way was that of an earlier sweep
            mean, last = 0.5 * (old.v[b] + new.v[b]), new.v[b]
            d = last[:3] - mean[:3]
            part = 0.0 if d @ d == 0.0 else (way[b, :3] - mean[:3]) @ d / (d @ d)
            part = round(part, 6) if abs(part - round(part)) < 1e-6 else part
            assert -1e-6 <= part <= 1 + 1e-6 or d @ d < (1e-7 * size) ** 2, "a way between"
            near(way[b, :3], mean[:3] + part * d, size, "a way between")


def ahead(w, old, h):
    """Turns of all bodies half a step ahead, where the equations are asked."""
    return np.array([turn(0.5 * h * v[3:]) @ R for v, R in zip(old.v, old.R, strict=True)])


def held(old, b, fine=0.0):
    """Whether points changed how b turns in the last substep, other than by a blow."""
    changed = np.abs(old.v[b, 3:] - old.free[b, 3:]).max() > fine * np.abs(old.v[b, 3:]).sum()
    return changed and np.any(old.trend[b, 3:] != 0.0)


def _alone(old, b, hat, h, size):
    """The turning of what nothing holds: its energy and momentum stay."""
    omega, R, J = old.v[b, 3:], old.R[b], old.J[b]
    R1 = turn(0.5 * h * (omega + hat)) @ R
    own, then = R.T @ omega, R1.T @ hat
    near(then @ J @ then, own @ J @ own, np.abs(J).max() * size**2, "energy of turning")
    near(np.linalg.norm(J @ then), np.linalg.norm(J @ own), np.abs(J).max() * size, "momentum of turning")
    middle = 0.5 * (own + then)
    near(J @ (then - own), -h * np.cross(middle, J @ middle), np.abs(J).max() * size, "Euler's equations")


def _free(w, old, new, free, h, size):
    """Gravity, and the turning: of what nothing holds the momentum stays, of others −h J⁻¹ (ω × J ω) half a step ahead."""
    for b in range(w.rules.bodies):
        near(free[b, :3], old.v[b, :3] + h * np.array(w.rules.gravity), size, "falling")
        omega, hat, J = old.v[b, 3:], free[b, 3:], old.J[b]
        if w.rules.plane or w.jointed[b] == 2:
            near(hat, omega, size, "turning")
            continue
        guided = held(old, b)
        assert w.guided[b] == guided, "which bodies points hold"
        if guided and np.any(new.v[b] != free[b]):
            R, middle = halfway(w, old, b, h), omega + 0.5 * old.trend[b, 3:]
            own = R @ J @ R.T
            near(own @ (hat - omega), -h * np.cross(middle, own @ middle), np.abs(J).max() * size, "Euler's equations, held")
        else:
            _alone(old, b, hat, h, size)


def _joined(w, old, new, free, h, size, joined):
    """v̂ under joints and loads, half a step ahead; what drives put in, by themselves and through contacts."""
    R, middle = ahead(w, old, h), old.v + 0.5 * old.trend
    x = old.x + 0.5 * h * old.v[:, :3]
    rates, driven, taken = joined.accelerations(old.time + 0.5 * h, x, R, middle, old.mass, old.J)
    for b in range(w.rules.bodies):
        hat, own = old.v[b] + h * rates[b], R[b] @ old.J[b] @ R[b].T
        if w.rules.plane or w.jointed[b] == 1 or held(old, b, 1e-13):
            near(free[b], hat, size, "what equations say of a body")
            continue
        near(free[b, :3], hat[:3], size, "what loads do to a free body")
        omega = middle[b, 3:]
        twist = rates[b, 3:] + np.linalg.solve(own, np.cross(omega, own @ omega))  # of the loads
        _alone(old, b, free[b, 3:] - h * twist, h, size)
    through, jointed = 0.0, np.array(w.jointed[:-1]) == 1
    for b in np.flatnonzero(jointed):
        T, mean, change = halfway(w, old, b, h), 0.5 * (old.v[b] + new.v[b]), new.v[b] - free[b]
        through += mean[:3] @ change[:3] * old.mass[b] + mean[3:] @ T @ old.J[b] @ T.T @ change[3:]
    for _, a, b, n, rows in manifolds(w):
        for row in rows:
            p = row[RN] * n + row[RT:RT + 3]
            for body, r, sign in ((a, row[RA:RA + 3], -0.5), (b, row[RB:RB + 3], 0.5)):
                if w.jointed[body] == 1:
                    v = old.v[body] + new.v[body]
                    through -= sign * p @ (v[:3] + np.cross(v[3:], r))
    worth = np.sum(old.mass[:-1]) * size**2
    near(np.array(w.ledger) - old.ledger, (0.0, h * taken, h * driven + through), worth, "what drives put in, and dampers take")
    new_lost = sum(w.lost[b] for b in range(w.rules.bodies)) + through
    near(new.lost - old.lost, new_lost, worth, "what was lost")


def impulses(w):
    """Sums over the rows: impulse on second bodies, and force, torque about the origin, power by contact, forces on bodies."""
    total, h = np.zeros(3), float(w.rules.last)
    by_contact, by_body = np.zeros((w.sum.size // 13, 7)), np.zeros((w.rules.bodies + 1, 6))
    new = Bodies(w)
    for m, a, b, n, rows in manifolds(w):
        g = w.groups[0] * w.group[w.link[LINK * m + 5]] + w.group[w.link[LINK * m + 6]]
        side = w.facing[g]
        for row in rows:
            if row[RN] <= TRACE:
                continue
            one, other, p = row[RA:RA + 3], row[RB:RB + 3], row[RN] * n + row[RT:RT + 3]
            total += side * p
            v = new.v
            u = v[b, :3] + np.cross(v[b, 3:], other) - v[a, :3] - np.cross(v[a, 3:], one) + row[DRIFT:DRIFT + 3]
            by_contact[w.link[LINK * m + 4]] += np.concatenate([side * p, side * np.cross(new.x[a] + one, p), [p @ u]]) / h
            by_body[a] -= np.concatenate([p, np.cross(one, p)]) / h
            by_body[b] += np.concatenate([p, np.cross(other, p)]) / h
    return total, by_contact, by_body
