"""What cannot work is refused in words, and what does not converge says so."""

import numpy as np
import pytest
from contract_scene import Scene

import dalembert as da
from dalembert.equations.workspace import workspace

P = (0.3, 0.2, 0.1)


def push(t, x, v, out):
    out[0] = 1.0


REFUSED = {
    "a user force on the ground": (lambda: da.UserForce("u", "ground", push), "ground"),
    "a bushing without a place": (lambda: da.Bushing("u", "a", "b", stiffness=1.0), "say where"),
    "a link of no length": (lambda: da.Distance("u", "a", "b", at_i=P, at_j=P), "no direction"),
    "a hinged link of no length": (
        lambda: da.RevoluteSpherical("u", "a", "b", axis=(0, 0, 1), at_i=P, at_j=P), "no direction"),
    "a square distance of zero": (lambda: da.D("u", "a", "b", at_i=P, at_j=P), "no direction"),
    "a product of a vector with itself": (lambda: da.DP1("u", "a", "b", axis=(0, 0, 1)), "axis2"),
    "a spring of no length": (lambda: da.Spring("u", "a", "b", at_i=P, at_j=P, stiffness=1), "no direction"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what):
    make, words = REFUSED[what]
    S = Scene(3)
    S.bodies("ab")
    S.add(make())
    with pytest.raises(da.ModelError, match=words):
        S.m.compile()


def test_impossible_constraints_do_not_converge():
    m = da.Model("two links that cannot both close", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=1.0, position=(1.0, 0.0)))
    for name, x in (("left", 0.0), ("right", 5.0)):
        m.add(da.Distance(name, "ground", "a", at_i=(x, 0.0), at_j=(1.0, 0.0), length=1.0))
    assert workspace(m.compile()).run("project") == 2


def test_far_joints_still_close():
    """Gauss–Newton may have to climb before it descends."""
    S = Scene(3)
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", on_i=(0.1, 0.2, 0.1), on_j=(-0.3, 0.1, 0.0),
                      axis_i=(0.3, -0.2, 0.8), axis_j=(0.1, -0.5, 0.7)))
    S.add(da.Revolute("A", "b", "a", on_i=(-0.4, 0.1, 0.2), on_j=(0.3, 0.2, -0.1), axis_i=(0.1, 0.2, 0.8),
                      axis_j=(0.6, 0.5, 0.7)))
    w = workspace(S.m.compile())
    assert w.run("project") == 0
    w.run("rows")
    assert np.abs(w.phi).max() < 1e-12


def test_redundant_rows_do_not_spoil_the_motion():
    """A plane four-bar in space: three rows too many, the equations still hold."""
    m = da.Model("four-bar", dim=3, gravity=(0.3, -9.81, 0.0))
    places, names = [(0, 0, 0), (0.1, 0.5, 0), (1.2, 0.7, 0), (1.5, 0, 0)], "abc"
    for k, name in enumerate(names):
        m.add(da.Body.rod(name, places[k], places[k + 1], mass=1.0 + k))
    sides = ["ground", *names, "ground"]
    for k, place in enumerate(places):
        m.add(da.Revolute(f"R{k}", sides[k], sides[k + 1], at=place, axis=(0, 0, 1)))
    w = workspace(m.compile())
    w.set(0.0, w.q, np.random.default_rng(0).standard_normal(w.system.nv))
    assert w.run("project") == 0
    assert w.run("accelerations") == 0
    D = w.jacobian()
    assert w.report.dropped == 3 == len(D) - np.linalg.matrix_rank(D)
    np.testing.assert_allclose(D @ w.vdot, w.gamma, atol=1e-9)
    np.testing.assert_allclose(w.mass() @ w.vdot + D.T @ w.lam, w.Q, atol=1e-11)


def test_angles_count_turns_in_space():
    """A gear of two hinges, driven through three turns."""
    S = Scene(3)
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", at=P, axis=(0.4, -0.3, 0.8)))
    S.add(da.Revolute("Q", "ground", "b", at=(1.0, 0.1, 0.1), axis=(0.1, 0.3, 0.8)))
    S.add(da.Gear("g", "O", "Q", ratio=-0.5))
    S.add(da.Drive("d", "O", "t"))
    w = workspace(S.m.compile())
    for t in np.arange(0.0, 20.1, 0.25):
        w.set(t, w.q, w.v)
        assert w.run("project") == 0
    np.testing.assert_allclose(sorted(w.q[14:]), sorted([20.0, -10.0]), atol=1e-10)
