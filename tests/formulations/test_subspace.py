"""The two views of a joint: what its rows forbid, what it leaves free.  D·S = 0 and D·(S u̇ + Ṡu) = γ for every joint."""

import numpy as np
import pytest
from random_mechanisms import body, joint

import dalembert as da
from dalembert.elements.element import REGISTRY
from dalembert.equations.workspace import workspace
from dalembert.formulations.recursive.tree import Recursive
from dalembert.model.topology import topology

for _module in da.ELEMENT_MODULES:
    __import__(f"dalembert.{_module}")
CASES = [(name, dim) for name, cls in sorted(REGISTRY.items()) if cls.kind == "joint" for dim in cls.dims
         if cls.free.get(dim) is not None]
FREEDOMS = {("Revolute", 2): 1, ("Revolute", 3): 1, ("Prismatic", 2): 1, ("Prismatic", 3): 1, ("Weld", 2): 0, ("Weld", 3): 0,
            ("Cylindrical", 3): 2, ("Spherical", 3): 3, ("Universal", 3): 2, ("Planar", 3): 3, ("Screw", 3): 1, ("PinInSlot",
                    2): 2}


def two_bodies(name, dim, seed):
    rng = np.random.default_rng(seed)
    m = da.Model("pair", dim=dim)
    m.add([body(rng, "a", dim), body(rng, "b", dim)])
    m.add(joint(rng, name, "J", "a", "b", dim))
    return m, rng


def test_every_joint_with_a_free_motion_is_covered():
    assert set(CASES) == set(FREEDOMS)


@pytest.mark.parametrize(("name", "dim"), CASES)
@pytest.mark.parametrize("root", ["a", "b"])
@pytest.mark.parametrize("seed", range(3))
def test_free_motion_satisfies_the_rows(name, dim, root, seed):
    """Both ways through the joint: ``root`` floats, the other body hangs on it by J."""
    m, rng = two_bodies(name, dim, seed)
    if root == "b":
        m.bodies = {k: m.bodies[k] for k in ("b", "a")}  # the first body floats
    system = m.compile()
    tree = Recursive(system, topology(m, system).steps)
    assert [s.child for s in tree.steps] == [0, 1] and not tree.closed
    assert tree.nv == (3 if dim == 2 else 6) + FREEDOMS[name, dim]
    tree.enter(0.0, system.q_drawn, system.v_drawn)
    tree.motion.q[:] += 0.4 * rng.standard_normal(tree.nq)
    tree.motion.u[:] = rng.standard_normal(tree.nv)
    q, v = tree.leave()
    tree.motion.udot[:] = rng.standard_normal(tree.nv)
    tree.run("motion_of")
    vdot = tree.work.vdot.copy()
    w = workspace(system)
    w.set(0.0, q, v)
    w.run("rows")
    D = w.jacobian()
    assert np.abs(w.phi).max(initial=0.0) < 1e-13
    assert np.abs(D @ v).max(initial=0.0) < 1e-12
    assert np.abs(D @ vdot - w.gamma).max(initial=0.0) < 1e-11
    assert np.linalg.matrix_rank(D) == system.nv - tree.nv  # S spans all that D leaves
    tree.enter(0.0, q, v)  # and back: the same coordinates and speeds
    np.testing.assert_allclose(tree.motion.u, tree.coordinates.of(q, v)[1])
    back, speed = tree.leave()
    np.testing.assert_allclose(speed, v, atol=1e-12)


@pytest.mark.parametrize("name", ["Revolute", "Prismatic", "Screw", "Cylindrical"])
@pytest.mark.parametrize("reverse", [False, True])
def test_coordinates_are_the_users_own_in_both_directions(name, reverse):
    """Sign: the coordinate is that of the second body against the first, also where the tree passes the joint backwards."""
    m = da.Model("one", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 2, 2.5)))
    ends = ("a", "ground") if reverse else ("ground", "a")
    more = {"pitch": 0.7} if name == "Screw" else {}
    m.add(getattr(da, name)("J", *ends, at=(0.1, 0.2, 0.3), axis=(1, 2, -1), **more))
    m.initial("J", coordinate=0.3, rate=-1.2)
    s = da.assemble(m)
    tree = Recursive(s.system, topology(m, s.system).steps)
    tree.enter(0.0, s.q, s.v)
    place = next(k for k, (_, n, _, _) in enumerate(tree.links.where["J"]) if n == ("slide" if name == "Prismatic" else "angle"))
    _, _, q, u = tree.links.where["J"][place]
    assert tree.motion.q[q] == pytest.approx(0.3, abs=1e-12)
    assert tree.motion.u[u] == pytest.approx(-1.2, abs=1e-12)
    assert s["J"].rate == pytest.approx(-1.2, abs=1e-12)
