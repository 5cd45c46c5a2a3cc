"""Event mode and friction: branches and numbers that few scenes reach, each by a law that it alone keeps."""

import math

import numpy as np
import pytest
from scenes import G

import dalembert as da
from dalembert.contacts.events import blows, law, sharing
from dalembert.contacts.events.words import contradicted
from dalembert.contacts.rubbing.search import lengths

LYING = (math.cos(math.pi / 4), math.sin(math.pi / 4), 0, 0)


def on_floor(body, friction=0.0, restitution=0.0, dim=3, gravity=G):
    up = (0, 0, 1) if dim == 3 else (0, 1)
    m = da.Model("floor", dim=dim, gravity=tuple(-gravity * x for x in up))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace(up)]))
    m.add(body)
    m.add(da.Contact("c", "floor", body, friction=friction, restitution=restitution))
    return m


def test_rims_bounce_by_restitution_as_everything_does():
    """A lying cylinder falls 0.2 m and comes up e² of it, after e of the speed."""
    fall, e = math.sqrt(0.4 / G), 0.6
    log = da.Body("log", mass=2.0, inertia=(0.03, 0.01, 0.03), position=(0, 0, 0.3),
                  shapes=[da.Cylinder(0.1, 0.4, rotation=LYING)])
    run = da.simulate(on_floor(log, restitution=e), times=[fall * (1 + e)], contact="events", rtol=1e-10)
    assert run["log"].position[-1] == pytest.approx((0, 0, 0.1 + 0.2 * e * e), abs=1e-8)
    assert run.stats["contact"]["impact"] == pytest.approx(2.0 * G * 0.2 * (1 - e * e), rel=1e-8)


def test_forces_at_rims_are_those_on_the_second_side():
    """Named the other way round the sign changes, and nothing else."""
    for a, b, sign in (("floor", "log", 1.0), ("log", "floor", -1.0)):
        log = da.Body("log", mass=2.0, inertia=(0.03, 0.01, 0.03), position=(0, 0, 0.1),
                      shapes=[da.Cylinder(0.1, 0.4, rotation=LYING)])
        m = on_floor(log)
        m.add(da.Contact("c2", a, b, friction=0.3))
        run = da.simulate(m, 0.1, step=0.1, contact="events")
        assert run["c2"].force[-1] == pytest.approx((0, 0, sign * 2.0 * G), abs=1e-9)
        assert run["c2"].impulse[-1] == pytest.approx((0, 0, sign * 0.2 * G), abs=1e-9)


def test_sliding_shares_are_never_below_zero():
    """Three feet in a row that slide under a load near one end: the least shares of all pull at the other end."""
    x, mu = np.array([-1.0, 0.0, 1.0]), np.full(3, 0.3)
    J = np.array([[*e, p * e[1] + 0.1 * e[0]] for p in x for e in ((0, 1), (-1, 0))], float)
    W, load = J @ np.diag([0.5, 0.5, 3.0]) @ J.T, np.array([0.0, -20.0, -20.0 * 0.9])
    rows, K = sharing.columns([sharing.SLIP] * 3, mu, np.full((3, 1), -1.0), 2)
    G_, b = (W @ K)[rows], (J @ np.diag([0.5, 0.5, 3.0]) @ load)[rows]
    least = np.linalg.lstsq(G_, -b, rcond=sharing.SINGULAR)[0]
    found = sharing.shared([sharing.SLIP] * 3, mu, 2, rows, G_, b, least)
    assert least.min() < -0.1 and found.min() > -1e-9
    assert G_ @ found == pytest.approx(-b, abs=1e-9)


@pytest.mark.parametrize("e", [0.3, 0.9])
def test_a_series_of_bounces_is_followed_down_to_a_trillionth_of_the_size(e):
    """After n blows a bounce is e^{2 n} of the drop: the first that is not followed is twelve orders below the size."""
    ball = da.Body("ball", mass=1.0, inertia=0.1, shapes=[da.Sphere(0.1)], position=(0, 0.2))
    run = da.simulate(on_floor(ball, restitution=e, dim=2), 0.1 + 0.3 / (1 - e), step=0.05, contact="events")
    n = run.stats["contact"]["impacts"]
    assert 0.1 * e ** (2 * n) < 1e-12 and 0.1 * e ** (2 * (n - 1)) > 1e-14


def test_a_ball_that_bounces_fully_is_never_summed():
    """e = 1: however low its bounces are, they go on."""
    ball = da.Body("ball", mass=1.0, inertia=0.1, shapes=[da.Sphere(0.1)], position=(0, 0.1), velocity=(0, 1.5e-6))
    run = da.simulate(on_floor(ball, restitution=1.0, dim=2), 5e-6, step=1e-6, contact="events")
    assert run.stats["contact"]["series"] == 0 and run.stats["contact"]["impacts"] >= 10


def test_the_second_phase_of_poissons_law_has_e_times_the_impulses_of_the_first():
    """One place without friction: Newton's law and Poisson's are the same, u⁺ = −e u⁻."""
    W, u = np.array([[2.0, 0.3], [0.3, 1.0]]), np.array([-3.0, 0.7])
    for e in (0.0, 0.4, 1.0):
        p = blows.poisson(W, u, np.array([0.0]), np.array([e]))
        assert (u + W @ p)[0] == pytest.approx(3.0 * e, abs=1e-12)
    p = blows.poisson(W, u, np.array([0.5]), np.array([0.4]))  # friction counts both phases
    assert abs(p[1]) <= 0.5 * p[0] + 1e-12
    assert law.coulomb(W, u, np.array([0.5])).r[0, 0] * 1.4 == pytest.approx(p[0], rel=0.3)


def test_the_moment_of_a_blow_is_that_of_its_impulse():
    """A ball that falls at x = 2: about the origin of the ground the impulse has the moment 2 p."""
    ball = da.Body("ball", mass=1.5, inertia=0.1, shapes=[da.Sphere(0.1)], position=(2.0, 0.3), velocity=(0, -1.0))
    run = da.simulate(on_floor(ball, restitution=0.5, dim=2, gravity=0.0), 0.3, step=0.1, contact="events")
    sums = run.touching.sums[-1, 0]
    assert sums[7:10] == pytest.approx((0, 1.5 * 1.5, 0), abs=1e-10)
    assert sums[10:13] == pytest.approx((0, 0, 2.0 * 1.5 * 1.5), abs=1e-10)


def test_what_a_summed_series_loses_is_in_the_ledger():
    """Where bounces are no longer followed, some 1e-13 of the size high, the last of their energy is accounted for as well."""
    ball = da.Body("ball", mass=1e3, inertia=0.1, shapes=[da.Sphere(0.1)], position=(0, 0.1 + 1e-8))
    run = da.simulate(on_floor(ball, restitution=0.5, dim=2), 1e-3, step=1e-3, contact="events", rtol=1e-11)
    assert run.stats["contact"]["series"] == 1
    assert run.stats["contact"]["impact"] == pytest.approx(1e3 * G * 1e-8, rel=1e-6)
    assert abs(run.energy.residual).max() < 1e-10  # m g 2e-13 is 2e-9 J


def test_forces_on_both_bodies_of_a_contact_are_opposite():
    m = da.Model("pile", dim=2, gravity=(0, -G))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    for name, mass, y in (("below", 2.0, 0.1), ("above", 3.0, 0.3)):
        m.add(da.Body(name, mass=mass, inertia=0.1, shapes=[da.Box((0.4, 0.2))], position=(0, y)))
    m.add(da.Contact("c", "all", friction=0.5))
    run = da.simulate(m, 0.1, step=0.1, contact="events")
    assert run.touching.wrench[-1, 1, :2] == pytest.approx((0, 3.0 * G), abs=1e-9)
    assert run.touching.wrench[-1, 0, :2] == pytest.approx((0, 2.0 * G), abs=1e-9)  # 5 g from below, 3 g from above


def test_places_that_give_way_a_little_are_not_called_contradicted():
    N = np.array([[1.0, -0.9999], [-0.9999, 1.0]])
    assert contradicted(N, np.array([-1.0, -1.0]), 1.0) == []
    assert contradicted(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, -1.0]), 1.0) == [0, 1]


def test_the_holder_of_a_band_bears_its_pull_as_well():
    """A band from an arm that has a bearing of its own, round a drum on the ground whose bearing does not rub."""
    def braked(**arm):
        m = da.Model("arm", dim=2)
        m.add(da.Body("drum", mass=5.0, inertia=0.4, omega=20.0))
        m.add(da.Body("arm", mass=1.0, inertia=0.1, position=(0.5, 0)))
        m.add(da.Revolute("pin", m.ground, "drum", at=(0, 0)))
        m.add(da.Revolute("pivot", m.ground, "arm", at=(1.0, 0), **arm))
        m.add(da.BandBrake("band", "arm", "drum", force=10.0, friction=0.3, radius=0.2, wrap=3.0))
        return m

    with pytest.raises(da.DalembertError, match="joint 'pivot' rubs and bears the pull of band brake 'band'"):
        da.simulate(braked(friction=0.2, radius=0.05), 0.1)
    assert da.simulate(braked(), 0.01)["band"].torque[-1] < 0.0


def test_what_presses_one_way_only_presses_by_its_sign():
    parts = np.array([[[-2.0, 0, 0], [0, 0, 0]], [[3.0, 0, 0], [0, 0, 0]], [[0, 3.0, 4.0], [1.0, 0, 0]]])
    assert lengths(parts, np.array([True, True, False])) == pytest.approx([0.0, 3.0, 6.0])


def test_joints_whose_reactions_are_not_unique_are_refused_only_where_they_rub():
    """A door on two hinges, one of which would do."""
    def door(mu):
        m = da.Model("door", gravity=(0, 0, -G), parameters={"mu": mu})
        m.add(da.Body("door", mass=5.0, inertia=(0.3, 0.3, 0.5), position=(0.5, 0, 0), omega=(0, 0, 2.0),
                      velocity=(0, 1.0, 0)))
        for name, z in (("upper", 0.5), ("lower", -0.5)):
            m.add(da.Revolute(name, m.ground, "door", at=(0, 0, z), axis=(0, 0, 1), friction="mu", radius=0.02, length=0.1))
        return m

    with pytest.raises(da.DalembertError, match=r"'upper'.*'lower'"):
        da.simulate(door(0.2), 0.1)
    assert da.simulate(door(0.0), 0.1)["door"].omega[-1] == pytest.approx((0, 0, 2.0), abs=1e-8)
