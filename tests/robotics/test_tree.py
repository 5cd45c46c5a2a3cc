"""Joint-space dynamics: identities on random trees, one state against many, Jacobians, Pinocchio where installed."""

import sys
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert._jit import LANES
from dalembert.equations.workspace import workspace

sys.path.insert(0, str(Path(__file__).parents[1] / "formulations"))
from random_mechanisms import TREE_2, TREE_3, body, joint

ROBOTS = Path(__file__).parent / "robots"


def random_tree(seed):
    rng = np.random.default_rng(seed)
    dim = 2 + seed % 2
    m = da.Model(f"tree {seed}", dim=dim, gravity=tuple(rng.uniform(-10, 10, dim).tolist()))
    names = [f"b{k}" for k in range(7)]
    m.add([body(rng, n, dim) for n in names])
    for k, name in enumerate(names):
        if k or seed % 3:  # every third one floats
            kind = str(rng.choice(TREE_2 if dim == 2 else TREE_3))
            m.add(joint(rng, kind, f"J{k}", "ground" if k == 0 else names[int(rng.integers(k))], name, dim))
    return m


def states(tree, count, seed=0):
    rng = np.random.default_rng(seed)
    system = tree.system
    start, _ = tree.recursion.coordinates.of(system.q_drawn, system.v_drawn)
    q = start + 0.4 * rng.standard_normal((count, tree.nq))
    return q, rng.standard_normal((count, tree.nv)), rng.standard_normal((count, tree.nv))


@pytest.mark.parametrize("seed", range(12))
def test_identities(seed):
    """forward ∘ inverse = 1;  τ = H a + c;  H symmetric and positive;  uᵀHu/2 = kinetic energy of the bodies."""
    tree = da.robotics.Tree(random_tree(seed))
    q, v, a = (x[0] for x in states(tree, 1, seed))
    tau = tree.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(tree.forward_dynamics(q, v, tau), a, rtol=1e-8, atol=1e-8)
    H = tree.mass_matrix(q)
    bias = tree.inverse_dynamics(q, v, 0 * a)
    np.testing.assert_allclose(H @ a + bias, tau, rtol=1e-10, atol=1e-10 * np.abs(tau).max())
    np.testing.assert_allclose(H, H.T)
    assert np.linalg.eigvalsh(H).min() > 0
    r = tree.recursion
    r.motion.q[:], r.motion.u[:] = q, v
    place, speed = r.leave()
    w = workspace(tree.system)
    w.set(0.0, place, speed)
    w.run("observe")
    assert 0.5 * v @ H @ v == pytest.approx(w.report.kinetic, rel=1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_batches_are_the_single_calls(seed):
    """More states than lanes, not a multiple of them; all four functions."""
    tree = da.robotics.Tree(random_tree(seed))
    q, v, a = states(tree, 2 * LANES + 3, seed)
    last = tree.bodies[-1]
    many = (tree.inverse_dynamics(q, v, a), tree.forward_dynamics(q, v, a), tree.mass_matrix(q), tree.jacobian(q, last))
    for k in range(len(q)):
        one = (tree.inverse_dynamics(q[k], v[k], a[k]), tree.forward_dynamics(q[k], v[k], a[k]), tree.mass_matrix(q[k]),
               tree.jacobian(q[k], last))
        for x, y in zip(many, one, strict=True):
            np.testing.assert_allclose(x[k], y, rtol=1e-12, atol=1e-12 * (1 + np.abs(y).max()))


def test_angles_far_away_are_as_good():
    """cos and sin of a bundle of states: many turns, all quadrants."""
    tree = da.robotics.Tree(catalog.make("chain-in-space", n=4))
    q = np.linspace(-1000.0, 1000.0, 4 * 97).reshape(97, 4)
    many = tree.mass_matrix(q)
    np.testing.assert_allclose(many, [tree.mass_matrix(x) for x in q], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_jacobian_against_differences(seed):
    """J v = velocity of the point and angular velocity of the body, from the bodies' own states."""
    m = random_tree(seed)
    tree = da.robotics.Tree(m)
    q, v, _ = (x[0] for x in states(tree, 1, seed))
    local = np.array((0.3, -0.2, 0.5)[: m.dim])
    J = tree.jacobian(q, "b5", local)
    r = tree.recursion
    r.motion.q[:], r.motion.u[:] = q, v
    place, speed = r.leave()
    s = da.assemble(m)
    s._q[0], s._v[0] = place, speed
    b = s["b5"]
    expected = np.concatenate([b.point_velocity(local), np.atleast_1d(b.omega_ground)])
    np.testing.assert_allclose(J @ v, expected, rtol=1e-9, atol=1e-9)


def test_agrees_with_simulation_of_the_same_model():
    m = random_tree(1)
    s = da.accelerations(m)
    tree = da.robotics.Tree(m)
    q, u = tree.recursion.coordinates.of(s.q, s.v)
    udot = tree.forward_dynamics(q, u, np.zeros(tree.nv))
    form = da.accelerations(m, formulation="recursive").form
    form.enter(0.0, s.q, s.v)
    form.run("accelerations")
    np.testing.assert_allclose(udot, form.motion.udot, rtol=1e-10, atol=1e-10)


def test_messages():
    tree = da.robotics.Tree(catalog.make("chain-in-space", n=3))
    with pytest.raises(da.ModelError, match="q must be a vector of 3 numbers"):
        tree.inverse_dynamics(np.zeros(4), np.zeros(3), np.zeros(3))
    with pytest.raises(da.ModelError, match=r"v must be a vector of 3 numbers, or a matrix.*same number of"):
        tree.inverse_dynamics(np.zeros((5, 3)), np.zeros((4, 3)), np.zeros((5, 3)))
    for short in ([0.3], np.zeros(1)):  # one number is not three equal ones
        with pytest.raises(da.ModelError, match="q must be a vector of 3 numbers"):
            tree.inverse_dynamics(short, np.zeros(3), np.zeros(3))
        with pytest.raises(da.ModelError, match="v must be a vector of 3 numbers"):
            tree.forward_dynamics(np.zeros(3), short, np.zeros(3))
        with pytest.raises(da.ModelError, match="q must be a vector of 3 numbers"):
            tree.mass_matrix(short)
    with pytest.raises(da.ModelError, match="no body 'link 9'"):
        tree.jacobian(np.zeros(3), "link 9")
    with pytest.raises(da.ModelError, match="'four-bar' is no tree: C close loops"):
        da.robotics.Tree(catalog.make("four-bar"))


def test_a_batch_of_one_is_a_batch():
    tree = da.robotics.Tree(catalog.make("chain-in-space", n=3))
    q = np.full((1, 3), 0.3)
    assert tree.inverse_dynamics(q, q, q).shape == (1, 3)
    assert tree.mass_matrix(q).shape == (1, 3, 3) and tree.jacobian(q, "link 2").shape == (1, 6, 3)


def test_a_batch_of_none_is_empty():
    tree = da.robotics.Tree(catalog.make("chain-in-space", n=3))
    none = np.zeros((0, 3))
    assert tree.inverse_dynamics(none, none, none).shape == tree.forward_dynamics(none, none, none).shape == (0, 3)
    assert tree.mass_matrix(none).shape == (0, 3, 3) and tree.jacobian(none, "link 2").shape == (0, 6, 3)


def test_out_takes_the_result():
    tree = da.robotics.Tree(catalog.make("chain-in-space", n=3))
    q = np.random.default_rng(0).standard_normal((5, 3))
    H = np.empty((5, 3, 3))
    assert tree.mass_matrix(q, out=H) is H
    np.testing.assert_allclose(H[2], tree.mass_matrix(q[2]), rtol=1e-12, atol=1e-15)
    with pytest.raises(da.ModelError, match="out must be a contiguous float array of shape"):
        tree.mass_matrix(q, out=np.empty((5, 9)))


@pytest.mark.parametrize("file", ["arm7.urdf", "walker.urdf"])
def test_agrees_with_pinocchio(file):
    """RNEA, ABA and CRBA against Pinocchio reading the same file; 1e-11."""
    pin = pytest.importorskip("pinocchio")
    tree = da.robotics.load(ROBOTS / file)
    model = pin.buildModelFromUrdf(str(ROBOTS / file))
    data = model.createData()
    rng = np.random.default_rng(3)
    q, v, a = (rng.standard_normal(tree.nv) for _ in range(3))
    ids = [model.getJointId(n) for n in tree.names]
    order = [model.idx_vs[j] for j in ids]
    other = {k: np.zeros(model.nv) for k in "va"}
    place = np.zeros(model.nq)
    for k, j in enumerate(ids):
        at = model.idx_qs[j]
        if model.nqs[j] == 2:
            place[at:at + 2] = np.cos(q[k]), np.sin(q[k])
        else:
            place[at] = q[k]
    other["v"][order], other["a"][order] = v, a
    tau = pin.rnea(model, data, place, other["v"], other["a"])[order]
    np.testing.assert_allclose(tree.inverse_dynamics(q, v, a), tau, rtol=1e-11, atol=1e-11 * np.abs(tau).max())
    H = pin.crba(model, data, place)
    H = (np.triu(H) + np.triu(H, 1).T)[np.ix_(order, order)]
    np.testing.assert_allclose(tree.mass_matrix(q), H, rtol=1e-11, atol=1e-11 * np.abs(H).max())
    np.testing.assert_allclose(tree.forward_dynamics(q, v, tau), a, rtol=1e-9, atol=1e-9)
