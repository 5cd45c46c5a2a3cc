"""Branches that few scenes reach, each against its own law: a wrong one would change answers in silence."""

from types import SimpleNamespace

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.simulation.touching import Stepping, chosen
from dalembert.contacts import balance, begin, blocks, calm, manifolds, motion, sweep
from dalembert.contacts.tables import GAP, HOLD, LINK, PUSH, RA, RB, RN, ROW, SLOP, E

H = 1e-3


def plain(m, detections=1, h=H):
    """The arrays of a model's contacts after so many detections, for kernels called as ordinary Python."""
    state = da.assemble(m)
    s = Stepping(m, state.system, np.array([0.0, 1.0]), {"contact": chosen("stepping"), "fixed_step": h, "max_step": None,
                                                        "start": 0.0, "told": ()})
    s.start(state)
    assert s.scene.advance(detections, h) == 0
    return SimpleNamespace(**{**s.scene.arrays, "rules": s.scene.rules, "report": s.scene.report})


def on_the_floor(*shapes, gravity=(0, 0, -9.81), restitution=0.0, **kw):
    """Bodies of these shapes (shape, place) over a half-space."""
    m = da.Model("floor", gravity=gravity)
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    for k, (shape, at) in enumerate(shapes):
        m.add(da.Body.from_shape(f"b{k}", shape, density=1000.0, position=at, **kw))
    m.add(da.Contact("c", "all", "all", friction=0.4, restitution=restitution))
    return m


CUBE = da.Box((0.5, 0.5, 0.5))


def turned(random):
    R = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return R * np.sign(np.linalg.det(R))


def test_an_islands_inertia_is_the_inverse_of_what_impulses_act_through():
    """J of the equations (blocks.py) times J⁻¹ of the sweeps is 1, products of inertia and all."""
    w, random = plain(on_the_floor((CUBE, (0, 0, 0.25)))), np.random.default_rng(1)
    for _ in range(5):
        R = turned(random)
        I = R @ np.diag(random.uniform(0.5, 3.0, 3)) @ R.T
        w.moment[:6] = I[np.triu_indices(3)]
        xx, yx, yy, zx, zy, zz = blocks._inertia(w, 0)
        assert np.array([[xx, yx, zx], [yx, yy, zy], [zx, zy, zz]]) @ I == pytest.approx(np.eye(3), abs=1e-13)


def test_what_torques_and_points_do_to_a_turning_body_is_told_in_any_pose():
    """−½ (ω₀ + ω₁)·J (ω₁ − ω̂) with J in ground axes: what a body under loads lost (balance.py)."""
    w, random = plain(on_the_floor((CUBE, (0, 0, 0.25)))), np.random.default_rng(2)
    for _ in range(5):
        R, J = turned(random), np.diag(random.uniform(0.5, 3.0, 3))
        w.turn[:9], w.inertia[:9] = R.ravel(), J.ravel()
        for name in ("before", "free", "v"):
            getattr(w, name)[3:6] = random.normal(size=3)
        lost, _ = balance._driven(w, 0, 0.0, 0.0)
        mean = 0.5 * (w.before[3:6] + w.v[3:6])
        assert lost == pytest.approx(-mean @ R @ J @ R.T @ (w.v[3:6] - w.free[3:6]), rel=1e-12)


def test_a_trace_holds_a_point_in_parts_of_a_substep_and_not_in_a_whole_one():
    """In a part it is closed at the gap that it has; in a whole substep, and with no trace, open until it is there."""
    w = plain(on_the_floor((CUBE, (0, 0, 0.25))))
    slop = w.grip[SLOP]
    for gap in (0.05 * slop, 0.9 * slop):
        for trace, h, held in ((begin.FORGOTTEN, 0.5 * H, True), (begin.FORGOTTEN, H, False), (0.0, 0.5 * H, False),
                               (1.0, H, True)):
            w.row[GAP], w.row[RN] = gap, trace
            begin._bounds(w, 0, slop, h, True)
            assert w.row[PUSH] == w.row[HOLD] == pytest.approx(0.0 if held else gap / h, rel=1e-15)


def test_a_point_of_what_turns_comes_on_a_circle():
    """Speed and its rate along the normal where the point is: n·(ω × r) and n·(ω × (ω × r)), of the order h² beside them."""
    omega = np.array([3.0, -5.0, 4.0])
    w = plain(on_the_floor((CUBE, (0, 0, 0.265)), gravity=(0, 0, 0), omega=tuple(omega)))
    motion.ride_all(w, H)
    v = w.v[3:6]
    assert w.report.points > 0 and np.linalg.norm(w.v[:3]) == 0.0  # nothing has struck yet
    for c in range(int(w.report.points)):
        i = int(np.flatnonzero(w.link[:2] == 0)[0])  # which of the two the body is
        sign, n = (-1.0, 1.0)[i], w.normal[:3]
        r = np.array(w.row[ROW * c + (RA, RB)[i]:][:3])
        r = r - 0.5 * H * np.cross(v, r)  # the arm of now: those of the row are half a substep ahead
        u, rate = begin._approach(w, 0, ROW * c, H)
        assert u == pytest.approx(sign * n @ np.cross(v, r), abs=1e-4 * np.linalg.norm(v) * np.linalg.norm(r))
        assert rate == pytest.approx(sign * n @ np.cross(v, np.cross(v, r)), abs=0.02 * v @ v * np.linalg.norm(r))


def test_an_impulse_is_scaled_or_forgotten_whole():
    """For a substep of another length all four numbers go with it; of a bounce nothing is left, of a blow a trace."""
    w, random = plain(on_the_floor((CUBE, (0, 0, 0.25)), restitution=0.5)), np.random.default_rng(3)
    n, rows = int(w.report.points), w.row.reshape(-1, ROW)
    assert w.grip[E] == 0.5 and n == 4
    for last, hold, left in ((H, 0.0, 0.5), (H, -1.0, 0.0), (1e-6 * H, 0.0, None)):
        p = random.uniform(0.1, 1.0, (n, 4))
        rows[:n, RN:RN + 4], rows[:n, HOLD], w.rules.last = p, hold, last
        begin.rescale(w, 0.5)
        want = left * p if left is not None else np.outer(np.ones(n), [begin.FORGOTTEN, 0, 0, 0])
        assert np.array_equal(rows[:n, RN:RN + 4], want)


@pytest.mark.parametrize("order", [1, -1])
def test_points_of_what_is_round_stay_on_it_while_nothing_moves(order):
    """A ball at rest on a box: its points are copied from detection to detection, and are where they were found."""
    shapes = [(CUBE, (0, 0, 0.25)), (da.Sphere(0.1), (0.05, 0.02, 0.6))][::order]
    found, copied = (plain(on_the_floor(*shapes), k) for k in (1, 4))
    ball = 0 if order < 0 else 1
    assert copied.unmoved[0] and copied.unmoved[1]
    for w in (found, copied):
        m = next(m for m in range(int(w.report.manifolds)) if ball in w.link[LINK * m:LINK * m + 2] and w.link[LINK * m + 1] < 2)
        k, side = ROW * w.link[LINK * m + 2], int(w.link[LINK * m + 1] == ball)
        assert np.linalg.norm(w.row[k + (RA, RB)[side]:][:3]) == pytest.approx(0.1, rel=1e-6)
    assert copied.row[:ROW][[RA, RA + 1, RA + 2]] == pytest.approx(found.row[:ROW][[RA, RA + 1, RA + 2]], abs=1e-6)


def test_an_old_manifold_is_that_of_both_shapes():
    """Whatever order they are asked for in, also where the one before has gone: never another pair's."""
    w, random = plain(on_the_floor((CUBE, (0, 0, 0.25)))), np.random.default_rng(4)
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 6)]
    old = [pairs[k] for k in sorted(random.permutation(len(pairs))[:9])]
    w.report.old = len(old)
    w.old_link[:LINK * len(old)] = 0
    for m, pair in enumerate(old):
        w.old_link[LINK * m + 5:LINK * m + 7] = pair
    asked = [pairs, [p for p in pairs if p not in old[::2]], [pairs[k] for k in random.permutation(len(pairs))]]
    for some in asked:
        manifolds._index(w)
        assert [manifolds._before(w, *p) for p in some] == [old.index(p) if p in old else -1 for p in some]


def test_sweeps_ask_ahead_for_what_is_there_and_nothing_else(monkeypatch):
    """Forth and back, over all manifolds and over some: every place that is asked for is one of a manifold in the list."""
    m = on_the_floor(*((CUBE, (0.7 * k, 0, 0.25)) for k in range(9)))
    w, asked = plain(m), []
    w.calm[:4] = (7, 2, 5, 0)
    monkeypatch.setattr(sweep, "MANY", 2)
    monkeypatch.setattr(sweep, "AHEAD", 3)
    monkeypatch.setattr(sweep, "fetch", lambda array, k: asked.append((array is w.row, int(k))))
    for some in (-1, 4):
        for back in (0, 1):
            asked.clear()
            sweep.sweep(w, HOLD, back, some)
            allowed = range(int(w.report.active)) if some < 0 else w.calm[:4]
            rows = {ROW * c for m in allowed for c in range(w.link[LINK * m + 2], w.link[LINK * m + 2] + w.link[LINK * m + 3])}
            touched = {k // ROW * ROW for row, k in asked if row}
            assert touched and touched <= rows
            assert max(k for row, k in asked if not row) < 6 * (w.rules.bodies + 1)


def test_all_that_hardly_moves_is_brought_to_rest():
    """Three cubes, each sinking by a little less than what counts as moving: none is left out (calm.py)."""
    w = plain(on_the_floor(*((CUBE, (0.7 * k, 0, 0.25)) for k in range(3))), 2)
    w.report.pushed = 0
    w.v.reshape(-1, 6)[:3, 2] = -0.3 * w.rules.still
    assert calm.calm(w, 10_000, False)
    assert np.abs(w.v).max() < 1e-6 * w.rules.still


@pytest.mark.parametrize("shapes", [("box", "box"), ("box", "ball"), ("ball", "ball")])
def test_two_large_bodies_among_small_ones_are_a_pair_once(shapes):
    """Shapes far larger than the others are compared one by one, also with each other."""
    large = {"box": da.Box((4.0, 4.0, 4.0)), "ball": da.Sphere(2.0)}
    small = [(da.Sphere(0.05), (0.2 * k - 2.0, 8.0, 20.0)) for k in range(20)]
    w = plain(on_the_floor(*small[:10], (large[shapes[0]], (0, 0, 20.0)), *small[10:], (large[shapes[1]], (4.02, 0, 20.0))))
    found = w.pair[:2 * w.report.pairs].reshape(-1, 2).tolist()
    assert [sorted(p) for p in found].count([10, 21]) == 1


def test_a_blow_of_what_lies_on_rubber_is_a_blow():
    """A block on a floor that gives way slides into a rigid wall: ½ m v² are lost there, in an impact; it stands at the wall."""
    m = da.Model("rubber", dim=2, gravity=(0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Fixture("wall", shapes=[da.HalfSpace((-1, 0), position=(0.5, 0))]))
    sunk = 2.0 * 9.81 / 2e5
    m.add(da.Body.from_shape("block", da.Box((0.2, 0.2)), mass=2.0, position=(0, 0.1 - sunk), velocity=(3.0, 0)))
    m.add(da.Contact("rubber", "floor", "block", friction=0.0, stiffness_N_per_m=1e5))
    m.add(da.Contact("stop", "wall", "block", friction=0.0))
    run = da.simulate(m, 0.3, step=0.1, contact="stepping")
    assert run.touching.impact[-1] == pytest.approx(9.0, rel=1e-9)
    assert abs(run.touching.friction[-1]) < 1e-9
    assert run["block"].position[-1] == pytest.approx([0.4, 0.1 - sunk], abs=1e-6)
