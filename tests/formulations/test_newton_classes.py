"""K, C, G_q, G_v exact and by differences: bodies whose columns are found together do not disturb each other."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.newton.classes import lane_tables, placeless
from dalembert.formulations.augmented.newton.engine import NewtonWork


def mixed():
    """Joints and dampers in turn along a row, and a damper from its one end to the other."""
    m = da.Model("mixed", dim=2, gravity=(0, -9.81))
    m.add([da.Body(f"b{k}", mass=1.0 + k, inertia=0.5, position=(k, 0.1 * k)) for k in range(6)])
    m.add(da.Revolute("r0", m.ground, "b0", at=(0, 0)))
    for k in range(5):
        if k % 2:
            m.add(da.Revolute(f"r{k + 1}", f"b{k}", f"b{k + 1}", at=(k + 0.5, 0.3)))
        else:
            m.add(da.Spring(f"s{k}", f"b{k}", f"b{k + 1}", on_i=(0.1, 0.2), on_j=(-0.1, 0.3), stiffness=100.0, damping=3.0,
                            length=0.7))
    m.add(da.Spring("far", "b0", "b5", on_i=(0, 0.2), on_j=(0, 0.3), stiffness=50.0, damping=2.0, length=4.0))
    return m


def reading(dim):
    """Closed blocks beside what has none: laws that read names, a state, a bushing, an equation."""
    at = [(k, 0.1 * k, 0.2 * k)[:dim] for k in range(5)]
    m = da.Model("reading", dim=dim, gravity=(0, -9.81, 0)[:dim])
    more = {"inertia": 0.5} if dim == 2 else {"inertia": (0.5, 0.6, 0.7)}
    m.add([da.Body(f"b{k}", mass=1.0 + k, position=at[k], **more) for k in range(5)])
    hinge = {} if dim == 2 else {"axis": (0.2, 0.1, 0.9)}
    for k in range(3):
        m.add(da.Revolute(f"r{k}", "ground" if k == 0 else f"b{k - 1}", f"b{k}", at=at[k], **hinge))
    m.add(da.Signal("far", "2 + b3.x - 0.3*b3.vy"))
    m.add(da.Differential("z", "far - z"))
    m.add(da.Motor("reads", "r1", "3*far + z + rate"))
    m.add(da.Motor("own", "r2", "-2*rate - 0.3*sin(coordinate)"))
    m.add(da.Spring("s", "b2", "b3", on_i=(0.1, 0.2, 0.1)[:dim], on_j=(-0.1, 0.3, 0.2)[:dim], stiffness=100.0, damping=3.0,
                    length=0.7))
    m.add(da.Bushing("block", "b3", "b4", at=at[3], stiffness=20.0, damping=2.0))
    m.add(da.Equation("e", "b4.x**2 + b4.y*b4.x - 16.0"))
    return m


MODELS = (("governor", None), ("four-bar", (3, 2)), ("andrews", (7, 4)), ("bricard", (9, 6)), ("chain-in-space", (9, 6)),
          ("car-axis", (9, 9)), ("whipple", (18, 12)))


@pytest.mark.parametrize(("make", "lanes"), [(mixed, None), (lambda: reading(2), None), (lambda: reading(3), None),
                                             *((lambda n=n: catalog.make(n), c) for n, c in MODELS)])
def test_columns_found_together(make, lanes):
    state = da.assemble(make())
    w = workspace(state.system)
    w.set(state.t, state.q, state.v + 0.3 * np.random.default_rng(3).standard_normal(state.v.size))
    w.run("accelerations")
    w.held[:] = w.vdot
    exact, other = NewtonWork(w), NewtonWork(w, exact=False)
    found = []
    for work in (exact, other):
        assert work.bound("differentiate")() == 0
        found.append([getattr(work.arrays, name).copy() for name in ("K", "C", "Gq", "Gv", "Eq", "Ev", "B", "F")])
    for got, wanted in zip(*found, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=2e-9 * np.abs(wanted).max(initial=0.0) + 1e-12)
    tables, displaced = lane_tables(state.system)
    assert lanes is None or (displaced, len(tables["colours"]) - displaced) == lanes


@pytest.mark.parametrize(("more", "seen"), [
    ([], ()),
    ([da.TorsionSpring("k", "j1", stiffness=3.0, damping=1.0)], ()),  # along an angle
    ([da.Spring("k", "ground", "b1", at_i=(2, 2), at_j=(2, 0), stiffness=3.0)], ("b1",)),
    ([da.Spring("k", "b0", "b2", at_i=(0.5, 0.1), at_j=(2.5, 0.1), stiffness=3.0)], ("b0", "b2")),
    ([da.Force("f", "b2", ("t", 0), at=(3, 0))], ()),
    ([da.Field("f", ("x", "0"), second_moments={f"b{k}": (0.05, 0.05, 0.0) for k in range(3)})], ("b0", "b1", "b2")),
    ([da.Prismatic("s", "ground", "b2", at=(3, 0), axis=(1, 0))], ("b2",)),
    ([da.Drive("d", "j1", "t")], ()),
    ([da.Motor("f", "j0", "3 - b2.x")], ("b0", "b1", "b2")),  # a law that reads a name: everything counts
    ([da.Drive("d", "j1", "t"), da.Gear("g", "j0", "j1", ratio=2.0)], ()),
], ids=lambda x: None)
def test_where_a_body_is_counts_only_for_what_sees_it(more, seen):
    m = da.Model("row", dim=2, gravity=(0, -9.81))
    for k in range(3):
        m.add(da.Body(f"b{k}", mass=1.0, inertia=0.1, position=(k + 0.4, 0.1)))
        m.add(da.Revolute(f"j{k}", "ground" if k == 0 else f"b{k - 1}", f"b{k}", at=(k, 0)))
    m.add(more)
    system = m.compile()
    assert tuple(n for n, nowhere in zip(system.bodies, placeless(system), strict=True) if not nowhere) == seen


def test_values_written_into_laws_are_seen():
    """Stepping writes inputs into the table of laws: closed blocks and those of duals read them, bound before or known again."""
    m = da.Model("input", dim=2)
    m.add(da.Body("b", mass=1.0, inertia=0.1, position=(0.4, 0.1)))
    m.add(da.Revolute("j", "ground", "b", at=(0, 0)))
    m.add(da.Force("f", "b", (2.0, 3.0), at=(1.0, 0.3)))
    system = m.compile()
    w = workspace(system)
    w.run("accelerations")
    w.lam[:] = 0.0
    works = [NewtonWork(w)]
    for value in (2.0, 7.0):
        system.tables.laws["value"][int(system.tables.force["law"][0, 0])] = value
        works.append(NewtonWork(w))
        for work in works:
            work.bound("differentiate")()
            assert work.matrix("K")[2, 2] == pytest.approx(value * 0.6 + 3.0 * 0.2, abs=1e-14)  # s·F
