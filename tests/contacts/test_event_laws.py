"""Runs from event to event keep the laws of mechanics and of Coulomb, whatever the shapes, the frame, the units and the order.

Random scenes (event_scenes.py) are looked at from outside: what touches lies on both surfaces, nothing is in another, forces are
in their cones and against what slides, impulses are what momentum changed by, in blows as in between; power is never positive.
And they are the same turned, in a mirror, in other units, and whichever body or side is named first.
"""

import numpy as np
import pytest
from event_scenes import clearance, distance, on_the_floor, plain, pulled_together, shown, states, views

import dalembert as da
from dalembert.contacts.events import law

END, SAMPLES = 0.6, 61


def followed(d, view, end=END, rtol=1e-10):
    times = np.linspace(0.0, end * view.time, SAMPLES)
    return da.simulate(shown(d, view), times=times, contact="events", rtol=rtol, atol=1e-13 * min(1.0, view.length))


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0] if a.shape[-1] == 2 else np.cross(a, b)


def momenta(d, now):
    """Momentum and its moment about the origin (samples × …) of all bodies."""
    p, h = 0.0, 0.0
    for b in d.bodies:
        if b.mass:
            x, R, v, w = now[b.name]
            spin = b.inertia * w if d.dim == 2 else np.einsum("tij,tj->ti", R, b.inertia * w)
            p, h = p + b.mass * v, h + b.mass * cross(x, v) + spin
    return p, h


def kinetic(d, now):
    out = 0.0
    for b in d.bodies:
        if b.mass:
            x, _, v, w = now[b.name]
            out = out + 0.5 * b.mass * (v**2).sum(axis=1) + 0.5 * (b.inertia * w**2).reshape(len(x), -1).sum(axis=1)
    return out


def potential(d, now):
    out = 0.0
    for b in d.bodies:
        if b.mass and d.gravity is not None:
            out = out - b.mass * now[b.name][0] @ d.gravity
    for i, j, pi, pj, stiffness, length in d.springs:
        far = now[j][0] + now[j][1] @ pj - (pi if i is None else now[i][0] + now[i][1] @ pi)
        out = out + 0.5 * stiffness * (np.linalg.norm(far, axis=1) - length)**2
    return out


def speed_at(d, now, name, k, x):
    b = next(b for b in d.bodies if b.name == name)
    if not b.mass:
        return np.zeros(d.dim)
    X, R, v, w = (a[k] for a in now[name])
    return v + (w * np.array([-(x - X)[1], (x - X)[0]]) if d.dim == 2 else np.cross(R @ w, x - X))


def look_at_samples(d, run, now):
    """Places, cones, directions, at every sample; how many places stuck and slid."""
    names = [b.name for b in d.bodies if b.mass]
    fixed = next((b.name for b in d.bodies if not b.mass), None)
    seen = {"stick": 0, "slip": 0}
    mass = max(b.mass for b in d.bodies)
    for k in range(len(run.t)):
        p = run.touching.of(k)
        poses = {b.name: (now[b.name][0][k], now[b.name][1][k]) if b.mass else (b.x, b.R) for b in d.bodies}
        for i in range(len(p["gap"])):
            one, other = (names[q] if q < len(names) else fixed for q in (p["first"][i], p["second"][i]))
            x, n, f = (p[key][i][:d.dim] for key in ("x", "normal", "force"))
            where = {}
            for name in (one, other):
                b, (X, R) = next(b for b in d.bodies if b.name == name), poses[name]
                near = min(b.parts, key=lambda q: abs(distance(q, (x - X) @ R)[0]))
                assert abs(distance(near, (x - X) @ R)[0]) < 1e-8, (k, name)
                ends = [[distance(near, (x + s * e - X) @ R)[0] for s in (1e-7, -1e-7)] for e in np.eye(d.dim)]
                where[name] = -np.diff(ends, axis=1)[:, 0] / 2e-7
            off = [np.linalg.norm(where[one] - n), np.linalg.norm(where[other] + n)]
            assert min(off) < 1e-5, (k, off)  # from the first to the second
            u = speed_at(d, now, other, k, x) - speed_at(d, now, one, k, x)
            press = f @ n
            rub, slide = f - press * n, u - u @ n * n
            assert abs(u @ n) < 1e-8
            assert press > -1e-9 * mass
            if p["state"][i] == 1:
                seen["stick"] += 1
                assert np.linalg.norm(slide) < 1e-8
                assert np.linalg.norm(rub) <= d.friction * press + 1e-7 * mass
            else:
                seen["slip"] += 1
                assert rub @ slide <= 1e-12
                if np.linalg.norm(slide) > 1e-6:
                    assert rub == pytest.approx(-d.friction * press * slide / np.linalg.norm(slide), abs=1e-6 * max(press, mass))
        if k % 5 == 0:
            assert clearance(d, poses) > -1e-7, k
    return seen


def look_at_sums(d, run, now):
    """Momentum by the impulses of contacts, gravity and springs; energy by what blows and friction take."""
    p, h = momenta(d, now)
    E = kinetic(d, now) + potential(d, now)
    lost = run.touching.history[:, 4] + run.touching.history[:, 5]
    size = max(np.abs(E).max(), kinetic(d, now).max())
    assert np.abs(E + lost - E[0]).max() < 1e-8 * size
    assert np.diff(lost).min() > -1e-10 * size
    if d.gravity is None:
        scale = sum(b.mass for b in d.bodies)
        assert np.abs(p - p[0]).max() < 1e-9 * scale
        assert np.abs(h - h[0]).max() < 1e-9 * scale
        return
    way = run["c"].impulse[:, :d.dim]
    weight = sum(b.mass for b in d.bodies) * np.outer(run.t - run.t[0], d.gravity)
    assert np.abs(p - p[0] - weight - way).max() < 1e-8 * np.abs(p).max()
    moment = run.touching.sums[:, 0, 10:13]
    turn = sum(b.mass * cross(now[b.name][0], np.broadcast_to(d.gravity, now[b.name][0].shape)) for b in d.bodies if b.mass)
    step = run.t[1] - run.t[0]
    moment = moment[:, 2] if d.dim == 2 else moment
    # the moment of gravity, by parabolas of each free flight's own accuracy: positions are smooth between blows only
    miss = np.diff(h, axis=0) - np.diff(moment, axis=0) - 0.5 * step * (turn[1:] + turn[:-1])
    assert np.median(np.abs(miss)) < 1e-3 * step * np.abs(turn).max()


PAIRS = {2: [("ball", "ball"), ("ball", "box"), ("box", "box"), ("ball", "rounded"), ("rounded", "box"), ("polygon", "polygon"),
             ("polygon", "rounded")],
         3: [("ball", "ball"), ("capsule", "ball"), ("hull", "ball"), ("box", "ball"), ("ball", "box")]}
FLOORS = {2: [("box",), ("ball",), ("polygon",), ("rounded",), ("ball", "box")],
          3: [("box",), ("ball",), ("capsule",), ("cylinder",), ("hull",)]}
# scenes in space in which a single place begins to slide, under a load that grows or at once
MORE = {("box",): (2, 3), ("cylinder",): (2, 3), ("hull",): (2,)}
CASES = [(make, dim, kinds, seed) for make, table in ((pulled_together, PAIRS), (on_the_floor, FLOORS)) for dim in (2, 3)
         for kinds in table[dim] for seed in (0, 1, *(MORE.get(kinds, ()) if dim == 3 else ()))]


@pytest.mark.parametrize(("make", "dim", "kinds", "seed"), CASES)
def test_runs_keep_the_laws(make, dim, kinds, seed):
    d = make(dim, kinds, seed)
    run = followed(d, plain(dim))
    now = states(run, d, plain(dim))
    look_at_sums(d, run, now)
    look_at_samples(d, run, now)
    w = run.touching
    for k in range(0, len(run.t), 7):  # what all places together exert on every body
        p, expected = w.of(k), np.zeros_like(w.wrench[k])
        for i in range(len(p["gap"])):
            for body, sign in ((p["second"][i], 1.0), (p["first"][i], -1.0)):
                if body < len(expected):
                    name = [b.name for b in d.bodies if b.mass][body]
                    arm = p["x"][i] - np.append(now[name][0][k], [0.0] * (3 - dim))
                    expected[body] += sign * np.concatenate([p["force"][i], np.cross(arm, p["force"][i])])
        assert w.wrench[k] == pytest.approx(expected, abs=1e-9 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize(("make", "dim", "kinds", "seed"), CASES)
def test_runs_are_the_same_turned_mirrored_in_other_units_and_orders(make, dim, kinds, seed):
    """As long as few blows have come, each of which multiplies rounding, and no two at once: their order is open, by a note."""
    d = make(dim, kinds, seed)
    first = followed(d, plain(dim))
    here = states(first, d, plain(dim))
    for view in views(np.random.default_rng(seed), dim):
        run = followed(d, view)
        there = states(run, d, view)
        until = len(run.t) if first.stats["contact"]["impacts"] < 25 else len(run.t) // 2
        for note in [*(first.stats.get("notes") or ()), *(run.stats.get("notes") or ())]:
            if "strike at the same moment" in note:
                until = min(until, int(np.searchsorted(run.t, float(note.split("t = ")[1].split(";")[0]))))
        for name, (x, R, v, _) in here.items():
            assert np.abs(there[name][0] - x)[:until].max() < 1e-6, view
            assert np.abs(there[name][1] - R)[:until].max() < 1e-5, view
            assert np.median(np.abs(there[name][2] - v)[:until]) < 1e-6, view
        unit = view.mass * view.length**2 / view.time**2
        assert run.touching.friction[until - 1] / unit == pytest.approx(first.touching.friction[until - 1], abs=1e-6)
        assert run.touching.impact[until - 1] / unit == pytest.approx(first.touching.impact[until - 1], abs=1e-6)


def test_what_a_summed_series_leaves_is_in_the_impulse():
    """The last bounces have a speed of some 1e-6 m/s that is taken out: momentum is that of contact and weight to rounding."""
    d = on_the_floor(2, ("ball",), 0)
    run = followed(d, plain(2))
    p, _ = momenta(d, states(run, d, plain(2)))
    assert run.stats["contact"]["series"] == 1
    miss = p - p[0] - sum(b.mass for b in d.bodies) * np.outer(run.t, d.gravity) - run["c"].impulse[:, :2]
    assert np.abs(miss).max() < 1e-10


def random_points(random, k, n):
    """W, b, μ of one body on k places, pushed at random; directions of some that slide already."""
    mass = np.diag([1.0] * n + [random.uniform(0.05, 0.5)] * (1 if n == 2 else 3))
    rows = []
    for _ in range(k):
        r = np.append(random.uniform(-1, 1, n), [0.0] * (3 - n))
        r[n - 1] = -0.2
        rows += [[*e[:n], *np.cross(r, e)[2 if n == 2 else 0:]] for e in np.eye(3)[[n - 1, *range(n - 1)]]]
    J = np.array(rows)
    load = np.append(random.uniform(-1, 1, n) - 2.0 * np.eye(n)[n - 1], random.uniform(-0.3, 0.3, 1 if n == 2 else 3))
    ways = [None if random.uniform() < 0.6 else (lambda a: a / np.linalg.norm(a))(random.normal(size=n - 1)) for _ in range(k)]
    return J @ np.linalg.solve(mass, J.T), J @ np.linalg.solve(mass, load), random.uniform(0.05, 0.4, k), ways


@pytest.mark.parametrize(("k", "n"), [(1, 2), (2, 2), (5, 2), (8, 2), (1, 3), (3, 3)])
def test_the_law_has_an_answer_and_it_is_coulombs(k, n):
    """More places than all combinations could be tried for: sweeps find which slide."""
    for seed in range(30):
        W, b, mu, ways = random_points(np.random.default_rng([k, n, seed]), k, n)
        answer = law.coulomb(W, b, mu, ways)
        assert answer.good
        r, z, size = answer.r, answer.z, np.abs(b).max()
        force = max(np.abs(r).max(), 1e-3)
        assert (W @ r.ravel() + b).reshape(k, n) == pytest.approx(z, abs=1e-9 * size * k)
        assert z[:, 0].min() > -1e-8 * size
        assert r[:, 0].min() > -1e-8 * force
        assert np.abs(r[:, 0] * z[:, 0]).max() < 1e-8 * size * force
        across = np.linalg.norm(z[:, 1:], axis=1)
        for i, way in enumerate(ways):
            limit = mu[i] * r[i, 0]
            if way is not None:
                assert r[i, 1:] == pytest.approx(-limit * way, abs=1e-8 * force)
            else:
                assert np.linalg.norm(r[i, 1:]) <= limit + 1e-8 * force
                assert limit * across[i] + r[i, 1:] @ z[i, 1:] == pytest.approx(0.0, abs=1e-7 * size * force)
