"""Branches of event mode and of friction in joints that few scenes reach, each by a law of its own."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.contacts.events import blows, law

G = 9.81
TIGHT = {"contact": "events", "rtol": 1e-10, "atol": 1e-12}


def blow(seed, k, n):
    """W, u, μ, e of a free body that strikes with k places."""
    random = np.random.default_rng(seed)
    mass = np.diag([*[1.0] * n, *random.uniform(0.03, 0.3, 1 if n == 2 else 3)])
    rows = []
    for _ in range(k):
        r = np.append(random.uniform(-1, 1, n), [0.0] * (3 - n))
        for d in np.eye(3)[[n - 1, *range(n - 1)]]:  # the last axis is the normal
            rows.append([*d[:n], *np.cross(r, d)[2 if n == 2 else 0:]])
    J = np.array(rows)
    u = J @ random.uniform(-1, 1, len(mass))
    u[::n] = -np.abs(u[::n])
    return J @ np.linalg.solve(mass, J.T), u, random.uniform(0.1, 1.2, k), random.uniform(0.1, 1.0, k)


@pytest.mark.parametrize("n", [2, 3])
def test_the_second_phase_of_poissons_law_rubs_by_the_impulses_it_gives_back(n):
    """A place that gives way as easily across as along its normal, and slides: friction is μ of both phases together."""
    u = np.array([-1.0, 4.0, 3.0])[:n]
    across = np.linalg.norm(u[1:])
    p = blows.poisson(np.eye(n), u, np.array([0.3]), np.array([0.5]))
    assert p == pytest.approx([1.5, *(-0.45 * u[1:] / across)], abs=1e-12)
    p = blows.poisson(np.eye(n), 0.1 * u * [1, *[0.2] * (n - 1)], np.array([1.2]), np.array([0.5]))  # it sticks in the first
    assert p == pytest.approx([0.15, *(-0.02 * u[1:])], abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(1, 2), (2, 2), (3, 2), (1, 3), (2, 3)])
def test_the_second_phase_of_poissons_law_is_coulombs(k, n):
    """What parts is pressed by what is given back, the rest by more; friction is against what moves at the end."""
    found = 0
    for seed in range(40):
        W, u, mu, e = blow(seed, k, n)
        first = law.coulomb(W, u, mu)
        more = e * first.r[:, 0]
        push = np.zeros_like(u)
        push[::n] = more
        b = u + W @ (first.r.ravel() + push)
        r = blows.expanded(W, b, mu, more)
        if r is None:
            continue
        found += 1
        z, r, size = (W @ r + b).reshape(k, n), r.reshape(k, n), np.abs(b).max()
        assert z[:, 0].min() > -1e-9 * size and r[:, 0].min() > -1e-9 and np.abs(z[:, 0] * r[:, 0]).max() < 1e-8
        limits, across = mu * (r[:, 0] + more), np.linalg.norm(z[:, 1:], axis=1)
        assert np.all(np.linalg.norm(r[:, 1:], axis=1) <= limits + 1e-8)
        assert np.abs(limits * across + np.einsum("ki,ki->k", r[:, 1:], z[:, 1:])).max() < 1e-7
    assert found > 30


def test_a_blow_that_newtons_law_would_let_gain_energy_keeps_its_restitution_and_its_friction():
    """The end of a rod that turns round as it slides: p = p₁ (1 + e) along the normal, and the blow takes energy."""
    mu, e, J, r, v = 1.259, 0.566, 0.0557, np.array([-0.862, -0.820]), (0.15, -0.2157)
    m = da.Model("rod", dim=2)
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body("rod", mass=1.0, inertia=J, position=tuple(-r), velocity=v,
                  shapes=[da.Sphere(1e-9, position=(r[0], r[1] + 1e-9))]))
    m.add(da.Contact("c", "ground", "rod", friction=mu, restitution=e))
    run = da.simulate(m, times=[0.0, 1e-3], **TIGHT)
    assert run.stats["contact"]["poisson"] == 1 and 0.0 < run.stats["contact"]["impact"] < 0.5 * (v[0]**2 + v[1]**2)
    W = np.array([[1 + r[0]**2 / J, -r[0] * r[1] / J], [-r[0] * r[1] / J, 1 + r[1]**2 / J]])  # along y and x
    first = law.coulomb(W, np.array([v[1], v[0]]), np.array([mu])).r[0]
    assert run["c"].impulse[-1][1] == pytest.approx((1 + e) * first[0], rel=1e-6)
    assert np.abs(run["c"].impulse[-1][0]) <= mu * run["c"].impulse[-1][1] * (1 + 1e-9)


def test_what_parts_while_others_strike_has_no_restitution():
    """a leaves b with 1, c strikes b with 5, e = ½: b comes after a and stays with it, u = (−17, −17, −2)/6."""
    m = da.Model("row", dim=2)
    for name, x, v in (("a", 0.0, -1.0), ("b", 0.2, 0.0), ("c", 0.4, -5.0)):
        m.add(da.Body(name, mass=1.0, inertia=0.01, position=(x, 0), velocity=(v, 0), shapes=[da.Sphere(0.1)]))
    m.add(da.Contact("touch", "all", "all", friction=0.0, restitution=0.5))
    run = da.simulate(m, times=[0.0, 0.1], **TIGHT)
    assert [run[n].velocity[-1, 0] for n in "abc"] == pytest.approx([-17 / 6, -17 / 6, -2 / 6], abs=1e-12)


def test_a_tip_that_lands_on_the_very_corner_of_a_table_is_stopped_by_its_top():
    """Most of the wide body is beyond the side, but none of it below the top; without friction the blow is upwards."""
    m = da.Model("tip", dim=2, gravity=(0, -G))
    m.add(da.Fixture("table", shapes=[da.Box((2.0, 1.0), position=(-1.0, -0.5))]))
    m.add(da.Body("wing", mass=1.0, inertia=0.1, position=(0.0, 0.2), shapes=[da.Polygon([(0, 0), (1.0, 0.1), (-0.3, 0.05)])]))
    m.add(da.Contact("c", "ground", "wing", friction=0.0, restitution=0.5))
    t = math.sqrt(0.4 / G)
    run = da.simulate(m, times=[t - 0.01, t + 0.01], **TIGHT)
    assert run["wing"].velocity[:, 0] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert run["wing"].velocity[1, 1] == pytest.approx(0.5 * G * t - 0.01 * G, abs=1e-9)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_friction_in_space_is_the_same_on_walls_and_floors(axis):
    """On three feet, pressed by 20 and pulled by t along one of two ways: it lets go at μ 20 and moves as a point."""
    for way in ({0, 1, 2} - {axis}):
        n, d = np.eye(3)[axis], np.eye(3)[way]
        side = np.cross(n, d)
        legs = [-0.08 * n + 0.3 * (math.cos(a) * d + math.sin(a) * side) for a in (0.3, 2.4, 4.5)]
        m = da.Model("pressed")
        m.add(da.Fixture("wall", shapes=[da.HalfSpace(tuple(n))]))
        m.add(da.Body("block", mass=2.0, inertia=(0.1, 0.1, 0.1), position=tuple(0.1 * n),
                      shapes=[da.Sphere(0.02, position=tuple(leg)) for leg in legs]))
        m.add(da.Force("press", "block", tuple(-20.0 * n), on=tuple(-0.1 * n)))
        m.add(da.Force("pull", "block", tuple("t" if x else 0 for x in d), on=tuple(-0.1 * n)))
        m.add(da.Contact("c", "wall", "block", friction=0.1))
        run = da.simulate(m, times=[1.9, 3.0], **TIGHT)
        assert np.abs(run["block"].velocity[0]).max() < 1e-12
        assert run["block"].velocity[1] == pytest.approx(0.25 * d, abs=1e-7)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_blow_in_space_gives_the_impulse_that_changes_the_momentum(axis):
    n, d = np.eye(3)[axis], np.eye(3)[axis - 1]
    v = -2.0 * n + 0.7 * d + 0.4 * np.cross(n, d)
    m = da.Model("oblique")
    m.add(da.Fixture("wall", shapes=[da.HalfSpace(tuple(n))]))
    m.add(da.Body("ball", mass=1.5, inertia=(0.01, 0.01, 0.01), position=tuple(0.3 * n), velocity=tuple(v),
                  shapes=[da.Sphere(0.1)]))
    m.add(da.Contact("c", "wall", "ball", friction=0.1, restitution=0.6))
    run = da.simulate(m, times=[0.0, 0.2], **TIGHT)
    assert run["c"].impulse[-1] == pytest.approx(1.5 * (run["ball"].velocity[-1] - v), abs=1e-10)
    assert np.linalg.norm(run["c"].impulse[-1] - 4.8 * n) == pytest.approx(0.48, rel=1e-9)


@pytest.mark.parametrize("moving", [0.0, 0.5])
def test_friction_is_against_sliding_however_far_its_direction_turns(moving):
    """A stool that spins on three feet: ω = ω₀ − μ m g R t/J over many turns, then it stands; one that moves on as well comes to
    rest where time stepping brings it."""
    m = da.Model("spin", gravity=(0, 0, -G))
    m.ground.shapes = [da.HalfSpace((0, 0, 1))]
    feet = [da.Sphere(0.02, position=(0.3 * math.cos(a), 0.3 * math.sin(a), -0.08)) for a in np.arange(3) * 2 * math.pi / 3]
    m.add(da.Body("stool", mass=2.0, inertia=(0.1, 0.1, 0.15), position=(0, 0, 0.1), velocity=(moving, 0, 0), omega=(0, 0, 15.0),
                  shapes=feet))
    m.add(da.Contact("c", "ground", "stool", friction=0.2))
    slower = 0.2 * 2.0 * G * 0.3 / 0.15
    times = [0.0, 0.5, 1.0, 1.5, 1.9, 2.0]
    run = da.simulate(m, times=times, **TIGHT)
    assert np.abs(run["stool"].velocity[-1]).max() < 1e-12
    if not moving:
        assert run["stool"].omega[:, 2] == pytest.approx(np.maximum(15.0 - slower * np.array(times), 0.0), abs=1e-8)
    else:
        steps = da.simulate(m, times=times, contact="stepping", fixed_step=5e-4)
        assert run["stool"].velocity[1:4] == pytest.approx(steps["stool"].velocity[1:4], abs=2e-4)
        assert run["stool"].omega[1:4] == pytest.approx(steps["stool"].omega[1:4], abs=2e-3)


def test_a_ball_on_a_long_arm_does_not_pass_through_another():
    """The arm turns evenly, so that only the speed of what sits at its end keeps steps short; e = 1 hands all of it over."""
    for angle in np.arange(0.7, 2.0, 0.11):
        m = da.Model("mace", dim=2)
        m.add(da.Body("mace", mass=1.0, inertia=1.0, omega=50.0, shapes=[da.Sphere(0.005, position=(1.0, 0))]))
        m.add(da.Revolute("pin", m.ground, "mace", at=(0, 0)))
        m.add(da.Body("b", mass=1.0, inertia=0.01, position=(math.cos(angle), math.sin(angle)), shapes=[da.Sphere(0.005)]))
        m.add(da.Contact("c", "mace", "b", friction=0.0, restitution=1.0))
        run = da.simulate(m, times=[0.0, (angle + 0.2) / 50.0], contact="events")
        assert np.linalg.norm(run["b"].velocity[-1]) > 49.9 and run["mace"].omega[-1] < 0.1


@pytest.mark.parametrize("dim", [2, 3])
def test_what_sticks_on_an_arm_that_turns_is_held_to_its_circle(dim):
    """m ω² s towards the pin, away from where it was drawn as well."""
    m = da.Model("arm", dim=dim)
    more = {} if dim == 2 else {"axis": (0, 0, 1)}
    x, one = (lambda s: (s, 0.0, 0.0)[:dim]), 1.0 if dim == 2 else (1.0, 1.0, 1.0)
    m.add(da.Body("arm", mass=1.0, inertia=one))
    m.add(da.Body("bead", mass=2.0, inertia=one, position=x(0.3)))
    m.add(da.Revolute("pin", m.ground, "arm", at=x(0.0), **more))
    m.add(da.Prismatic("guide", "arm", "bead", at=x(0.3), axis=x(1.0), length=0.1, friction={"coulomb": 0.5, "preload_N": 100.0},
                       **({} if dim == 2 else {"radius": 0.05})))
    m.initial("pin", rate=4.0)
    m.initial("guide", coordinate=0.2)
    run = da.simulate(m, times=[0.0, 0.3], rtol=1e-10, atol=1e-12)
    assert run["guide"].friction == pytest.approx([-16.0, -16.0], abs=1e-8) and run["guide"].sticking.min() == 1.0


def test_friction_that_has_only_a_coefficient_of_sticking_slides_with_it():
    m = da.Model("block", dim=2, gravity=(0, -G))
    m.add(da.Body("block", mass=2.0, inertia=0.1, velocity=(1.0, 0)))
    m.add(da.Prismatic("floor", m.ground, "block", axis=(1, 0), friction={"static": 0.3}, length=1.0))
    assert da.accelerations(m)["block"].acceleration[0] == pytest.approx(-0.3 * G, rel=1e-12)


def test_what_presses_by_a_law_of_time_holds_what_it_does_at_the_time_asked_about():
    """A brake pressed by 10 t: hold at t, and equilibrium of the state a run came to, have μ r 10 t."""
    m = da.Model("brake", dim=2)
    m.add(da.Body("drum", mass=1.0, inertia=0.2))
    m.add(da.Revolute("pin", m.ground, "drum", at=(0, 0)))
    m.add(da.Torque("T", "drum", 0.1))
    m.add(da.Clutch("brake", m.ground, "drum", force="10*t", friction=0.3, radius=0.1))
    assert da.hold(m, "T", t=2.0).value == pytest.approx((-0.6, 0.6), rel=1e-8)
    rest = da.equilibrium(m, state=da.simulate(m, times=[0.0, 3.0]).state())
    assert rest.ranges["T"] == pytest.approx((-0.9, 0.9), rel=1e-8) and rest.reserve == pytest.approx(9.0, rel=1e-8)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_narrow_range_far_from_the_present_load_is_found(sign):
    """Friction of a thousandth: what holds is beside the load that balances without friction, which no scan would hit."""
    m = da.Model("narrow", dim=2)
    m.add(da.Body("b", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("guide", m.ground, "b", axis=(1, 0), length=1.0, friction={"coulomb": 1e-3, "preload_N": 1.0}))
    m.add(da.Force("load", "b", (-37.3 * sign, 0)))
    m.add(da.Force("back", "b", (0, 0)))
    assert da.hold(m, "back.x").value == pytest.approx((37.3 * sign - 1e-3, 37.3 * sign + 1e-3), abs=1e-8)


@pytest.mark.parametrize("order", [("left", "right"), ("right", "left")])
@pytest.mark.parametrize("turned", [False, True])
def test_reactions_that_are_not_unique_are_named_whichever_joint_comes_first(order, turned):
    """A null vector of the rows has no sign of its own."""
    m = da.Model("two hinges", gravity=(0, 0, -G))
    m.add(da.Body("b", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    for name in order:
        ends = ("b", m.ground) if turned else (m.ground, "b")
        m.add(da.Revolute(name, *ends, at=(-1 if name == "left" else 1, 0, 0), axis=(1, 0, 0),
                          **({"friction": 0.1, "radius": 0.01, "length": 0.1} if name == "left" else {})))
    with pytest.raises(da.SimulationError, match=r"joint 'left'.*not unique"):
        da.simulate(m, 0.1)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_breaks_away_beside_what_slides_feels_its_friction(sign):
    """A slider on a cart that slides with oil and preload: it lets go where its limit is less than what the slowing cart asks."""
    for mu, holds in ((0.62, True), (0.58, False)):
        m = da.Model("cart", dim=2)
        m.add(da.Body("cart", mass=2.0, inertia=1.0, velocity=(sign, 0)))
        m.add(da.Body("box", mass=1.0, inertia=1.0, velocity=(sign, 0)))
        m.add(da.Prismatic("rail", m.ground, "cart", axis=(1, 0), length=1.0,
                           friction={"coulomb": 0.4, "preload_N": 2.0, "viscous_N_s_per_m": 1.0}))
        m.add(da.Prismatic("top", "cart", "box", axis=(1, 0), length=1.0, friction={"coulomb": mu, "preload_N": 1.0}))
        now = da.accelerations(m)  # (0.4·2 + 1·1)/3 = 0.6 is the slowing of both
        slowing = -sign * now["cart"].acceleration[0]
        assert slowing == pytest.approx(0.6 if holds else (1.8 - mu) / 2.0, rel=1e-9)
        assert -sign * now["box"].acceleration[0] == pytest.approx(0.6 if holds else mu, rel=1e-9)
