"""Bodies on n feet under loads that grow: when they let go, and how they move then.

Limit analysis: it sticks as long as any forces within the cones balance the loads, a linear problem in the plane and one over
cones of second order in space (here by many sides, with SciPy).  What slides without turning has the friction μ m g, so that its
velocity is known; where it turns, time stepping comes to the same motion.
"""

import numpy as np
import pytest
from scipy.optimize import brentq, linprog

import dalembert as da
from dalembert.analyses.simulation import eventful
from dalembert.contacts.events import law, sharing
from dalembert.contacts.events.admissible import Shares
from dalembert.contacts.events.words import stalled

G, MU, MASS, HIGH, BALL = 9.81, 0.3, 3.0, 0.1, 0.02


def line(n):
    return [(x,) for x in np.linspace(-1, 1, n)]


def ring(n):
    return [(np.cos(2 * np.pi * k / n + 0.3), np.sin(2 * np.pi * k / n + 0.3)) for k in range(n)]


def standing(feet, push, on, mu=MU):
    """A body at rest on balls, pushed; ``mu``: a number, or one for every foot, which is a body of its own then."""
    dim = 1 + len(feet[0])
    m = da.Model("stool", dim=dim, gravity=(*[0.0] * (dim - 1), -G))
    m.ground.shapes = [da.HalfSpace((*[0] * (dim - 1), 1))]
    centre, moment = (*[0.0] * (dim - 1), HIGH), 0.5 if dim == 2 else (0.5, 0.6, 0.8)
    places = [(*x, BALL - HIGH) for x in feet]
    if np.ndim(mu) == 0:
        m.add(da.Body("box", mass=MASS, inertia=moment, position=centre, shapes=[da.Sphere(BALL, position=p) for p in places]))
        m.add(da.Contact("floor", "ground", "box", friction=mu))
    else:
        m.add(da.Body("box", mass=MASS - 0.01 * len(feet), inertia=moment, position=centre))
        for k, (p, friction) in enumerate(zip(places, mu, strict=True)):
            at = tuple(np.add(centre, p))
            small = 1e-4 if dim == 2 else (1e-4,) * 3
            m.add(da.Body(f"foot{k}", mass=0.01, inertia=small, shapes=[da.Sphere(BALL)], position=at))
            m.add(da.Weld(f"weld{k}", "box", f"foot{k}", at=at))
            m.add(da.Contact(f"floor{k}", "ground", f"foot{k}", friction=friction))
    m.add(da.Force("push", "box", push, on=on))
    return m


def room(feet, force, on, mu, sides=360):
    """The largest s with d · r_t + s ≤ μ r_n at all feet and forces in balance: below zero nothing holds it."""
    dim, n = 1 + len(feet[0]), len(feet)
    mu = np.broadcast_to(mu, n)
    ways = [(1.0,), (-1.0,)] if dim == 2 else [(np.cos(a), np.sin(a)) for a in np.arange(sides) * 2 * np.pi / sides]
    inequal, wrench = [], np.zeros((3 if dim == 2 else 6, n * dim + 1))

    def torque(p, f):
        return [p[0] * f[1] - p[1] * f[0]] if dim == 2 else list(np.cross(p, f))

    for k, x in enumerate(feet):
        for c in range(dim):
            e = np.roll(np.eye(dim), 1, axis=0)[c]  # the normal first
            wrench[:, k * dim + c] = [*e, *torque((*x, -HIGH), e)]
        for d in ways:
            row = np.zeros(n * dim + 1)
            row[k * dim], row[k * dim + 1:k * dim + dim], row[-1] = -mu[k], d, 1.0
            inequal.append(row)
    loads = np.array([*np.add(force, (*[0.0] * (dim - 1), -MASS * G)), *torque(on, force)])
    bounds = [*((0, None) if c % dim == 0 else (None, None) for c in range(n * dim)), (None, MASS * G)]
    found = linprog([*np.zeros(n * dim), -1.0], A_ub=inequal, b_ub=np.zeros(len(inequal)), A_eq=wrench, b_eq=-loads,
                    bounds=bounds)
    return found.x[-1] if found.status == 0 else -1.0


def let_go(run):
    """From √v, which is straight at first where a load grows through the limit."""
    v = np.linalg.norm(np.asarray(run["box"].velocity), axis=1)
    k = int(np.argmax(v > 1e-8))
    a, b = np.sqrt(v[k + 1:k + 3])
    return run.t[k + 1] - a * (run.t[k + 2] - run.t[k + 1]) / (b - a), v[:k - 1].max(initial=0.0)


PLANE = [(line(n), on, True) for n in (2, 3, 4, 5, 6) for on in ((0, -0.1), (0.1, 0.3))]
SPACE = [(ring(n), on, False) for n in (3, 4, 5, 6) for on in ((0, 0, -0.1), (0, 0, 0.2))]


@pytest.mark.parametrize(("feet", "on", "plane"), [*PLANE, *SPACE])
def test_what_does_not_turn_lets_go_at_mu_m_g_and_moves_as_a_point(feet, on, plane):
    """Twice, with one change of modes each, and not ten or forty shares that come to their limits one after the other."""
    m = standing(feet, ("t", *[0] * (1 if plane else 2)), on)
    first, end = MU * MASS * G, 1.3 * MU * MASS * G
    run = da.simulate(m, end, step=end / 10, contact="events", rtol=1e-10)
    assert run["box"].velocity[-1][0] == pytest.approx((end - first)**2 / 2 / MASS, rel=1e-8)
    assert np.abs(np.delete(run["box"].velocity[-1], 0)).max() < 1e-9
    assert run.stats["contact"]["solved"] == 2 and run.stats["contact"]["stretches"] <= 4
    assert "unsure" not in run.stats["contact"]


@pytest.mark.parametrize(("feet", "push", "on", "mu", "end"), [
    (line(2), ("t", "-0.3*t"), (0.4, 0.05), [0.2, 0.5], 14.0),
    (line(3), ("12*sin(0.3*t)", "0.5*sin(t)"), (0.1, 0), MU, 3.0),
    (line(3), ("t", "0"), (0, -0.05), [0.2, 0.5, 0.3], 16.0),
    (ring(3), ("t", "0.2*t", "0"), (0.2, 0.5, -0.1), MU, 8.0),
    (ring(3), ("t*cos(0.2*t)", "t*sin(0.2*t)", "0"), (0.1, 0.1, -0.05), MU, 9.5),
    (ring(3), ("t", "0.3*t", "0"), (0, 0.1, -0.1), [0.2, 0.3, 0.4], 9.0),
    (ring(5), ("t", "0.2*t", "0"), (0.2, 0.5, -0.1), MU, 8.5),
    (ring(6), ("t*cos(0.2*t)", "t*sin(0.2*t)", "0"), (0.1, 0.1, -0.05), MU, 9.5)])
def test_it_sticks_until_no_forces_hold_it(feet, push, on, mu, end):
    run = da.simulate(standing(feet, push, on, mu), end, step=0.002 * end, contact="events", rtol=1e-9)
    found, before = let_go(run)
    for part, holds in ((0.9997, True), (1.0003, False)):
        force = [eval(p, {"sin": np.sin, "cos": np.cos, "t": part * found}) for p in push]
        assert (room(feet, force, on, mu) >= 0) == holds
    assert before < 1e-12
    assert run.stats["contact"]["stretches"] <= 12


@pytest.mark.parametrize(("push", "on"), [(("t", "0.2*t", "0"), (0.2, 0.5, -0.1)),
                                          (("t*cos(0.2*t)", "t*sin(0.2*t)", "0"), (0.1, 0.1, -0.05))])
def test_a_stool_that_turns_as_it_lets_go_moves_as_time_stepping_comes_to(push, on):
    """Of first order in h; and by rtol nothing changes.  Explicit steps alone took some hundred thousand here."""
    m = standing(ring(3), push, on)
    fine, coarse = (da.simulate(m, 10.0, step=1.0, contact="events", rtol=rtol) for rtol in (1e-11, 1e-7))
    x = fine["box"].position[-1]
    assert coarse["box"].position[-1] == pytest.approx(x, abs=1e-8)
    far = [np.abs(da.simulate(m, 10.0, step=1.0, contact="stepping", fixed_step=h)["box"].position[-1] - x).max()
           for h in (8e-3, 4e-3)]
    assert far[1] < 2e-3 and far[0] / far[1] == pytest.approx(2.0, abs=0.3)
    assert fine.stats["steps"] < 300 and fine.energy.residual.max() < 1e-8


@pytest.mark.parametrize("feet", [line(3), line(5), ring(3), ring(4)])
def test_a_stool_on_a_floor_that_tilts(feet):
    """ẍ = g (sin θ − μ cos θ) from tan θ = μ on, but for a thousandth of it that turning so slowly adds."""
    plane, turn = len(feet[0]) == 1, 0.002
    begin = np.sqrt(np.arctan(MU) / turn)
    end = 1.2 * begin
    m = da.Model("tilted", dim=2 if plane else 3, gravity=(0, -G) if plane else (0, 0, -G))
    big = da.Box((8, 0.2) if plane else (8, 8, 0.2))
    centre = (0, -0.1) if plane else (0, 0, -0.1)
    m.add(da.Body("floor", mass=10.0, inertia=10.0 if plane else (10.0,) * 3, shapes=[big], position=centre))
    m.add(da.Revolute("hinge", "ground", "floor", at=centre, **({} if plane else {"axis": (0, 1, 0)})))
    m.add(da.Drive("tilt", "hinge", f"{turn}*t**2"))
    m.add(da.Body("box", mass=MASS, inertia=0.5 if plane else (0.5, 0.6, 0.8), position=(0, HIGH) if plane else (0, 0, HIGH),
                  shapes=[da.Sphere(BALL, position=(*x, BALL - HIGH)) for x in feet]))
    m.add(da.Contact("stand", "floor", "box", friction=MU))
    run = da.simulate(m, end, step=end / 240, contact="events", rtol=1e-9)
    slid = np.abs(np.einsum("ti,ti->t", run["box"].position - run["floor"].position, run["floor"].rotation[:, :, 0]))
    assert slid[run.t < 0.99 * begin].max() < 1e-9
    t = np.linspace(begin, end, 4001)
    rate = G * (np.sin(turn * t**2) - MU * np.cos(turn * t**2))
    speed = np.cumsum(rate) * (t[1] - t[0])
    assert slid[-1] == pytest.approx(speed.sum() * (t[1] - t[0]), rel=0.02)
    assert run.stats["contact"]["stretches"] <= 14


def test_it_is_caught_and_let_go_again():
    """Both ways, twelve times in a minute; on four feet as on two."""
    push = "12*sin(0.3*t)", "0.5*sin(t)"
    runs = [da.simulate(standing(line(n), push, (0.1, 0)), 60.0, step=1.0, contact="events", rtol=1e-10) for n in (2, 4)]
    assert runs[1]["box"].position[-1] == pytest.approx(runs[0]["box"].position[-1], abs=1e-6)
    assert all(run.stats["contact"]["solved"] == 12 and run.stats["contact"]["stretches"] < 30 for run in runs)


def test_loads_that_bend_let_go_at_their_own_moment():
    """12 sin 0.3 t = μ (m g − 0.5 sin t), to ten digits, by one change of modes; the velocity is the integral from there on."""
    run = da.simulate(standing(line(3), ("12*sin(0.3*t)", "0.5*sin(t)"), (0.1, 0)), 3.0, step=1.0, contact="events", rtol=1e-11)
    begin = brentq(lambda t: 12 * np.sin(0.3 * t) - MU * (MASS * G - 0.5 * np.sin(t)), 2.0, 3.0, xtol=1e-14)

    def impulse(t):
        return -40 * np.cos(0.3 * t) - MU * (MASS * G * t + 0.5 * np.cos(t))

    assert run["box"].velocity[-1][0] == pytest.approx((impulse(3.0) - impulse(begin)) / MASS, rel=1e-9)
    assert run.stats["contact"]["solved"] == 2 and run.stats["contact"]["stretches"] <= 5


def test_an_event_of_the_user_in_the_first_moments_is_found():
    m = standing(ring(3), ("t", "0.2*t", "0"), (0.2, 0.5, -0.1))
    run = da.simulate(m, 8.0, step=0.5, contact="events", events=["box.x - 1e-5"])
    assert len(run.events) == 1 and 7.3 < run.events[0][1] < 7.6
    there = da.simulate(m, times=[run.events[0][1]], contact="events")["box"].position[-1][0]
    assert there == pytest.approx(1e-5, rel=1e-4)


def test_a_run_that_is_stopped_as_it_lets_go_goes_on_bit_for_bit(tmp_path):
    """Just after the moment and before the launch, which is kept."""
    m = standing(ring(3), ("t", "0.2*t", "0"), (0.2, 0.5, -0.1))
    whole = da.simulate(m, 8.0, step=0.01, contact="events")
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(m, 8.0, step=0.01, contact="events", progress=lambda t: not 7.2818 < t < 7.2819,
                    checkpoint=tmp_path / "kept.npz")
    assert caught.value.run.t[-1] == pytest.approx(7.28)
    for run in (da.resume(caught.value.run), da.resume(m, tmp_path / "kept.npz")):
        assert np.array_equal(run["box"].position, whole["box"].position)
        assert np.array_equal(run["box"].velocity, whole["box"].velocity)


def test_sliding_shares_that_matter_are_named_and_others_are_not():
    """Three feet in a row that slide share their load as they like; with one coefficient nobody notices."""
    named = da.simulate(standing(line(3), ("t", "0"), (0, -0.05), [0.2, 0.5, 0.3]), 16.0, step=1.0, contact="events")
    assert named.stats["contact"]["unsure"] == pytest.approx(14.5693, abs=1e-3)
    assert sum("do not say how these places share" in note for note in named.stats["notes"]) == 1
    alike = da.simulate(standing(line(3), ("t", "0"), (0, -0.05)), 10.0, step=1.0, contact="events")
    assert "unsure" not in alike.stats["contact"] and not alike.stats.get("notes")


def test_a_place_that_neither_presses_nor_parts_stays_closed():
    """Four feet in a row: two can carry it all, and the other two would hang at a gap of zero."""
    J = np.array([[*e, x * e[1] + 0.1 * e[0]] for (x,) in line(4) for e in ((0, 1), (-1, 0))], float)
    give = np.diag([1 / MASS, 1 / MASS, 2.0])
    answer = law.coulomb(J @ give @ J.T, J @ give @ np.array([10.0, -MASS * G, 1.0]), np.full(4, MU))
    assert answer.modes == [law.SLIP] * 4
    assert answer.r[:, 0].min() > 0.1


def test_the_margin_is_that_of_limit_analysis():
    rng = np.random.default_rng(3)
    for _ in range(6):
        feet = [tuple(x) for x in rng.normal(size=(int(rng.integers(3, 6)), 2))]
        feet += [tuple(-1.5 * np.mean(feet, axis=0))]
        force, on, mu = np.array([*rng.uniform(0, 9, 2), -5.0]), (0.1, 0.2, 0.0), rng.uniform(0.2, 0.6, len(feet))
        J = np.array([[*e, *np.cross((*p, -HIGH), e)] for p in feet for e in ((0, 0, 1), (1, 0, 0), (0, 1, 0))], float)
        load = np.array([*force - [0, 0, MASS * G], *np.cross(on, force)])
        shares = Shares(J @ J.T, J @ load, list(range(0, 3 * len(feet), 3)), mu, [True] * len(feet), 3, sharing.SINGULAR)
        x, margin = shares.farthest()
        expected = room(feet, force, on, mu)
        assert margin * shares.size == pytest.approx(expected, abs=2e-4 * MASS * G) or expected == -1.0
        assert J.T @ x == pytest.approx(-load, abs=1e-8)
        inside = mu * x[::3] - np.hypot(x[1::3], x[2::3])
        assert inside.min() == pytest.approx(margin * shares.size, abs=1e-8 * MASS * G)


def test_the_way_ahead_ends_where_the_margin_does():
    J = np.array([[*e, *np.cross((*p, -HIGH), e)] for p in ring(4) for e in ((0, 0, 1), (1, 0, 0), (0, 1, 0))], float)

    def shares(t):
        load = np.array([0, 0, -MASS * G, 0, 0, 0]) + t * np.array([1, 0.2, 0, *np.cross((0.2, 0.5, -0.1), (1, 0.2, 0))])
        return Shares(J @ J.T, J @ load, [0, 3, 6, 9], [MU] * 4, [True] * 4, 3, sharing.SINGULAR)

    now = shares(2.0)
    way, end = now.ahead(now.farthest()[0], shares(3.0).x - now.x, 1e3)
    assert shares(2.0 + way - 1e-6).farthest()[1] > 0 > shares(2.0 + way + 1e-6).farthest()[1]
    for part in (0.3, 0.9, 1.0):  # a straight line within convex cones
        x = (1 - part) * now.farthest()[0] + part * end
        assert np.min(MU * x[::3] - np.hypot(x[1::3], x[2::3])) > -1e-8


def test_words_of_a_run_that_cannot_go_on_name_the_place_and_not_the_tolerances(monkeypatch):
    """Without the launch directions of slip turn far faster than it moves; rtol has no part in that."""
    said = []

    def instead(m, *rest):
        said.append(stalled(m))
        raise KeyboardInterrupt

    monkeypatch.setattr(eventful, "launch", instead)
    with pytest.raises(da.SimulationError):
        da.simulate(standing(ring(3), ("t", "0.2*t", "0"), (0.2, 0.5, -0.1)), 10.0, step=1.0, contact="events")
    assert "contact 'floor' between 'ground' and 'box'" in said[0] and "sliding is about to end, or has just begun" in said[0]
    assert "not in rtol" in said[0]
