"""Derivatives of joint-space dynamics by the recursion: every joint kind, plane and space, against two independent routes."""

import sys
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.formulations.recursive.tables import SPHERICAL
from dalembert.io.mjcf import read_mjcf

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "formulations"))
from random_mechanisms import TREE_2, TREE_3, body, joint
from test_tree import random_tree, states

WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)  # central differences of order eight


def differences(f, n, h):
    steps = [(w / h, (k + 1) * h) for k, w in enumerate(WEIGHTS)]
    return np.column_stack([sum(w * (f(x * e) - f(-x * e)) for w, x in steps) for e in np.eye(n)])


def moved(tree, q, d):
    """q displaced along the speeds."""
    q = q.copy()
    for link in tree.recursion.tables.links[1:]:
        at, v = int(link["q"]), int(link["v"])
        if link["kind"] == SPHERICAL:
            e, turn = q[at:at + 4], d[v:v + 3]
            angle = np.linalg.norm(turn)
            c, s = np.cos(angle / 2), (np.sin(angle / 2) / angle if angle else 0.5) * turn
            q[at:at + 4] = [e[0] * c - e[1:] @ s, *(e[0] * s + c * e[1:] + np.cross(e[1:], s))]
        elif link["speeds"] == 1:
            q[at] += d[v]
    return q


def compare(tree, q, v, x):
    n = tree.nv
    for found, call in ((tree.inverse_derivatives(q, v, x), tree.inverse_dynamics),
                        (tree.forward_derivatives(q, v, x), tree.forward_dynamics)):
        expected = (differences(lambda d, f=call: f(moved(tree, q, d), v, x), n, 1e-3),
                    differences(lambda d, f=call: f(q, v + d, x), n, 0.1), differences(lambda d, f=call: f(q, v, x + d), n, 0.1))
        for got, wanted, limit in zip(found, expected, (2e-11, 1e-12, 1e-12), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=0, atol=limit * np.abs(wanted).max() + 1e-13)


@pytest.mark.parametrize("seed", range(12))
def test_random_trees(seed):
    tree = da.robotics.Tree(random_tree(seed))
    compare(tree, *(x[0] for x in states(tree, 1, seed)))


KINDS = [(dim, kind) for dim, kinds in ((2, TREE_2), (3, TREE_3)) for kind in sorted(set(kinds) - {"Weld"})]


@pytest.mark.parametrize(("dim", "kind"), KINDS)
def test_every_joint_kind(dim, kind):
    """Two in a row and one beside them; passed in both directions."""
    rng = np.random.default_rng(5)
    m = da.Model(kind, dim=dim, gravity=(1.0, -9.0, 2.0)[:dim])
    m.add([body(rng, n, dim) for n in "abc"])
    m.add([joint(rng, kind, "first", "ground", "a", dim), joint(rng, kind, "second", "b", "a", dim),
           joint(rng, kind, "beside", "a", "c", dim)])
    tree = da.robotics.Tree(m)
    compare(tree, *(x[0] for x in states(tree, 1, 3)))


@pytest.mark.parametrize("name", ["chain", "chain-in-space"])
def test_the_bodies_own_derivatives(name):
    """linearize goes another way: duals of the equations of all bodies with their constraints."""
    m = catalog.make(name, n=4)
    tree = da.robotics.Tree(m)
    state = da.simulate(m, 0.3).state()
    q, u = tree.recursion.coordinates.of(state.q, state.v)
    joints = [n for n in m.elements if m.elements[n].kind == "joint"]
    A = da.linearize(m, state, coordinates=joints).A
    found = tree.forward_derivatives(q, u, np.zeros(tree.nv))
    order = [tree.names.index(n) for n in joints]
    n = tree.nv
    for got, wanted in ((found.q, A[n:, :n]), (found.v, A[n:, n:])):
        np.testing.assert_allclose(got[np.ix_(order, order)], wanted, rtol=0, atol=1e-10 * np.abs(A).max())


def test_far_from_the_origin():
    """A free machine 1e6 m away has the derivatives it has here, but for the rounding of its place."""
    tree = da.robotics.Tree(random_tree(3))
    q, v, x = (y[0] for y in states(tree, 1, 1))
    here = tree.forward_derivatives(q, v, x)
    q[:3] += 1e6
    for near, far in zip(here, tree.forward_derivatives(q, v, x), strict=True):
        np.testing.assert_allclose(far, near, rtol=0, atol=1e-8 * np.abs(near).max())


def test_batches_and_identities():
    tree = da.robotics.Tree(random_tree(7))
    q, v, x = states(tree, 11, 2)
    out = np.empty((11, 3, tree.nv, tree.nv))
    many, back = tree.forward_derivatives(q, v, x, out=out), tree.inverse_derivatives(q, v, tree.forward_dynamics(q, v, x))
    assert np.shares_memory(many.tau, out) and many.q.shape == (11, tree.nv, tree.nv)
    for k in range(11):
        for a, b in zip(many, tree.forward_derivatives(q[k], v[k], x[k]), strict=True):
            np.testing.assert_array_equal(a[k], b)
    np.testing.assert_allclose(back.a, tree.mass_matrix(q), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(many.tau @ back.a, np.broadcast_to(np.eye(tree.nv), back.a.shape), atol=1e-9)
    np.testing.assert_allclose(many.q, -many.tau @ back.q, rtol=0, atol=1e-9 * np.abs(many.q).max())
    assert tree.forward_derivatives(q[:0], v[:0], x[:0]).q.shape == (0, tree.nv, tree.nv)
    with pytest.raises(da.ModelError, match="tau must be a vector of"):
        tree.forward_derivatives(q[0], v[0], x[0][:-1])


def test_armature_counts():
    """Rotors are on the diagonal of H; derivatives of one state and of many are those of the same dynamics."""
    arm = "".join(f'<body name="b{k}" pos="0 0 -0.4"><joint axis="{"0 1 0" if k % 2 else "1 0 0"}" armature="{0.1 * k}"/>'
                  '<geom size="0.1" mass="2" pos="0.05 0 -0.2"/>' for k in range(4)) + "</body>" * 4
    tree = da.robotics.Tree(read_mjcf(f"<mujoco><worldbody>{arm}</worldbody></mujoco>"))
    random = np.random.default_rng(3)
    q, v, tau = random.standard_normal((3, 5, tree.nv))
    D, T = tree.forward_derivatives(q, v, tau), tree.inverse_derivatives(q, v, tree.forward_dynamics(q, v, tau))
    for k in range(5):
        wanted = [differences(f, tree.nv, 1e-3) for f in (
            lambda d, k=k: tree.forward_dynamics(q[k] + d, v[k], tau[k]),
            lambda d, k=k: tree.forward_dynamics(q[k], v[k] + d, tau[k]),
            lambda d, k=k: tree.forward_dynamics(q[k], v[k], tau[k] + d))]
        for found, one, x in zip(D, tree.forward_derivatives(q[k], v[k], tau[k]), wanted, strict=True):
            np.testing.assert_allclose(found[k], x, rtol=0, atol=1e-9 * (1 + np.abs(x).max()))
            np.testing.assert_allclose(one, x, rtol=0, atol=1e-9 * (1 + np.abs(x).max()))
    np.testing.assert_allclose(T.a, tree.mass_matrix(q), rtol=1e-12, atol=1e-12)
