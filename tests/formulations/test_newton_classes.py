"""K, C, G_q, G_v exact and by differences: bodies whose columns are found together do not disturb each other."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.newton.classes import class_tables
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


@pytest.mark.parametrize(("make", "classes"), [(mixed, None), *((lambda n=n: catalog.make(n), c) for n, c in (
    ("four-bar", (3, 2)), ("andrews", (5, 2)), ("bricard", (3, 2)), ("chain-in-space", (3, 2)), ("car-axis", (3, 3)),
    ("whipple", (3, 2))))])
def test_columns_found_together(make, classes):
    state = da.assemble(make())
    w = workspace(state.system)
    w.set(state.t, state.q, state.v + 0.3 * np.random.default_rng(3).standard_normal(state.v.size))
    w.run("accelerations")
    w.held[:] = w.vdot
    exact, other = NewtonWork(w), NewtonWork(w, exact=False)
    found = []
    for work in (exact, other):
        assert work.bound("differentiate")() == 0
        found.append([getattr(work.arrays, name).copy() for name in ("K", "C", "Gq", "Gv")])
    for got, wanted in zip(*found, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=2e-9 * np.abs(wanted).max(initial=0.0) + 1e-12)
    tables, displaced = class_tables(state.system)
    assert classes is None or (displaced, len(tables["colours"]) - displaced) == classes
