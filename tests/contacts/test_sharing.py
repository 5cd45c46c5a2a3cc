"""Bodies on several feet: which share each carries, and what lets go together where a load reaches the limit."""

import numpy as np
import pytest

import dalembert as da
from dalembert.contacts.events import law, sharing

G, MU, MASS, INERTIA = 9.81, 0.3, 3.0, 0.1
FEET = ((-1, -1, -0.1), (1, -1, -0.1), (0, 1, -0.1))


def on_feet(feet, force, at):
    """W and b of a body at rest on feet in space, normals up, under a force."""
    J = np.array([[*e, *np.cross(p, e)] for p in feet for e in ((0, 0, 1), (1, 0, 0), (0, 1, 0))], float)
    give = np.diag([1 / MASS] * 3 + [1 / INERTIA] * 3)
    return J @ give @ J.T, J @ give @ np.array([*force, *np.cross(at, force)], float)


def coulomb_holds(answer, mu, size):
    """Every inequality and the direction of friction, from r and z alone."""
    for r, z, m, mode in zip(answer.r, answer.z, mu, answer.modes, strict=True):
        across = np.linalg.norm(z[1:])
        assert z[0] > -1e-8 * size
        assert r[0] >= -1e-8 * np.abs(answer.r).max()
        assert abs(r[0] * z[0]) <= 1e-8 * size * np.abs(answer.r).max()
        assert np.linalg.norm(r[1:]) <= m * r[0] + 1e-8 * np.abs(answer.r).max()
        if mode == law.SLIP and across > 1e-6 * size:
            assert r[1:] == pytest.approx(-m * r[0] * z[1:] / across, abs=1e-6 * np.abs(answer.r).max())


@pytest.mark.parametrize("share", [0.5, 0.99, 1 - 1e-9, 1 + 1e-9, 1.001, 1.1, 3.0])
def test_three_feet_let_go_together(share):
    W, b = on_feet(FEET, (MU * MASS * G * share, 0, -MASS * G), (0, 0, -0.1))
    answer = law.coulomb(W, b, np.full(3, MU))
    assert answer.good
    coulomb_holds(answer, [MU] * 3, np.abs(b).max())
    assert answer.modes == [law.STICK if share < 1 else law.SLIP] * 3
    assert answer.z[:, 1] == pytest.approx(max(share - 1, 0) * MU * G, abs=1e-10)


def test_friction_is_against_the_motion_whatever_pushes():
    rng, seen = np.random.default_rng(7), {law.STICK: 0, law.SLIP: 0}
    for _ in range(25):
        feet = [[*rng.normal(size=2), -0.1] for _ in range(int(rng.integers(1, 4)))]
        push = rng.uniform(0, 2) * MU * MASS * G
        angle = rng.uniform(0, 7)
        W, b = on_feet(feet, (push * np.cos(angle), push * np.sin(angle), -MASS * G), (0.05, 0.02, -0.1))
        answer = law.coulomb(W, b, np.full(len(feet), MU))
        if answer.good:
            coulomb_holds(answer, [MU] * len(feet), np.abs(b).max())
            for mode in answer.modes:
                seen[mode] = seen.get(mode, 0) + 1
    assert min(seen.values()) >= 3


def test_shares_are_well_inside_their_cones_up_to_the_limit():
    for rest in (0.3, 1e-3, 1e-6, 1e-9):
        W, b = on_feet(FEET, (MU * MASS * G * (1 - rest), 0, -MASS * G), (0, 0, -0.1))
        answer = law.coulomb(W, b, np.full(3, MU))
        inside = (MU * answer.r[:, 0] - np.linalg.norm(answer.r[:, 1:], axis=1)) / (MU * MASS * G)
        assert answer.modes == [law.STICK] * 3
        assert inside.min() > 0.2 * rest / 3


def test_the_nearest_point_of_a_cone():
    assert sharing.into(np.array([1.0, 0.2, 0.1]), 0.5) == pytest.approx([1.0, 0.2, 0.1])
    assert sharing.into(np.array([-1.0, 0.1, 0.0]), 0.5) == pytest.approx([0, 0, 0])
    found = sharing.into(np.array([1.0, 2.0, 0.0]), 0.5)
    assert found[1] == pytest.approx(0.5 * found[0])
    assert (found - [1.0, 2.0, 0.0]) @ found == pytest.approx(0.0, abs=1e-12)


BALLS = [da.Sphere(0.1, position=(x, 0)) for x in (-1, 1)]


@pytest.mark.parametrize("shapes", [[da.Box((2.0, 0.2))], [da.Box((0.2, 0.2))], BALLS], ids=["wide", "square", "balls"])
@pytest.mark.parametrize("slope", [1.0, 100.0])
def test_a_load_that_grows_slides_what_stands_on_two_feet(shapes, slope):
    """It sticks until slope t = μ m g and slides from there; re-deciding a thousand times on the way ended the run before."""
    m = da.Model("pushed", dim=2, gravity=(0, -G))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body("box", mass=MASS, inertia=0.1, shapes=shapes, position=(0, 0.1)))
    m.add(da.Contact("floor", "ground", "box", friction=MU))
    m.add(da.Force("push", "box", (f"{slope}*t", 0), on=(0, -0.1)))
    limit = MU * MASS * G
    begin, end = limit / slope, 2 * limit / slope
    run = da.simulate(m, end, step=end / 20, contact="events", rtol=1e-10)
    assert run["box"].velocity[-1][0] == pytest.approx((slope * (end**2 - begin**2) / 2 - limit * (end - begin)) / MASS, rel=1e-8)
    assert abs(run["box"].velocity[run.t < 0.99 * begin]).max() < 1e-12
