"""Models, elements and systems: what stays, what changes, what can be passed on."""

import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.workspace import workspace
from dalembert.model.builder import Builder
from dalembert.model.compile import SECTIONS


def arm(**parameters):
    m = da.Model("arm", dim=2, gravity=(0, -9.81), parameters=parameters or {"l": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass="2*l"))
    m.add(da.Revolute("O", "ground", "rod", at=(0, 0)))
    return m


def test_parameters_change_the_next_compilation():
    m = arm(l=1.0)
    slow = da.accelerations(m)["rod"].angular_acceleration
    m.parameters["l"] = 4.0
    assert da.accelerations(m)["rod"].angular_acceleration == pytest.approx(slow / 4)


def test_elements_do_not_change_once_made():
    m = arm()
    with pytest.raises(da.ModelError, match="does not change once it is made"):
        m["rod"].mass = 5.0
    assert m["rod"].given["mass"] == "2*l"


def test_copies_are_independent():
    m = arm()
    other = m.copy()
    other.parameters["l"] = 2.0
    other.remove("O")
    assert m.parameters["l"] == 1.0 and "O" in m and "O" not in other


def test_results_keep_the_model_they_were_made_from():
    m = arm()
    run = da.simulate(m, 0.1)
    m.remove("O")
    assert np.all(np.isfinite(run["O"].force))


def test_removing_a_joint_takes_its_initial_conditions_along():
    m = arm()
    m.initial("O", rate=1.0)
    m.remove("O")
    assert not m.initials
    assert da.assemble(m)["rod"].omega == 0.0


@pytest.mark.parametrize("dim", [2, 3])
def test_systems_can_be_pickled(dim):
    m = da.Model("p", dim=dim, gravity=(0, -9.81, 0)[:dim])
    m.add(da.Body.rod("rod", (0, 0, 0)[:dim], (1, 0, 0)[:dim], mass=1))
    m.add(da.Revolute("O", "ground", "rod", at=(0, 0, 0)[:dim], axis=None if dim == 2 else (0, 0, 1)))
    system = m.compile()
    again = workspace(pickle.loads(pickle.dumps(system)))
    here = workspace(system)
    assert here.run("accelerations") == again.run("accelerations") == 0
    assert np.array_equal(here.vdot, again.vdot)


def test_order_of_adding_does_not_matter_to_the_motion():
    bodies = [da.Body.rod(f"b{k}", (k, 0), (k + 1, 0), mass=1 + k) for k in range(4)]
    joints = [da.Revolute(f"J{k}", "ground" if k == 0 else f"b{k - 1}", f"b{k}", at=(k, 0)) for k in range(4)]
    found = []
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        m = da.Model("chain", dim=2, gravity=(0, -9.81))
        m.add([bodies[k] for k in order])
        m.add([joints[k] for k in reversed(order)])
        a = da.accelerations(m)
        found.append([a[f"b{k}"].angular_acceleration for k in range(4)])
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_values_as_drawn_are_those_of_the_kernels():
    """Geometry.drawn_value (Python) against measures/table.evaluate (compiled), for every kind of measure."""
    m = da.Model("all", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 1.2, 1.3), position=(0.1, -0.4, 0.3), rotation=("xyz", (0.3, -0.2, 0.7)),
                  com=(0.1, 0, 0.2)))
    m.add(da.Body("b", mass=1, inertia=(1, 1.2, 1.3), position=(0.9, 0.5, -0.3), rotation=("zyx", (1.3, 0.4, -0.6))))
    m.add(da.DP1("dp1", "a", "b", axis=(0.1, 0.4, 1), axis2=(1, -0.3, 0.2)))
    m.add(da.DP2("dp2", "a", "b", axis=(0.1, 0.4, 1), at_i=(0, 0, 0), at_j=(1, 2, 3)))
    m.add(da.CD("cd", "a", "b", axis=(0.1, 0.4, 1), at_i=(0, 0, 0), at_j=(1, 2, 3)))
    m.add(da.D("d", "a", "b", at_i=(0, 0, 0), at_j=(1, 2, 3)))
    m.add(da.Distance("distance", "a", "b", at_i=(0, 0, 0), at_j=(1, 2, 3)))
    m.add(da.Cylindrical("c", "a", "b", on_i=(0.1, 0.2, 0.3), on_j=(0.3, 0, 0), axis_i=(1, 2, 3), axis_j=(0.2, 1, 0)))
    m.add(da.Motor("angle", "c.angle", 1.0))
    m.add(da.Motor("slide", "c.slide", 1.0))
    builder = Builder(m)
    for element in sorted(m.elements.values(), key=lambda e: SECTIONS.index(e.kind)):
        builder.add(element)
    w = workspace(m.compile())
    w.run("rows")
    kinds = {x["kind"] for x in builder.measures}
    assert kinds == set(range(6))
    for k in range(len(builder.measures)):
        assert w.measured[3 * k] == pytest.approx(builder.drawn_value(k), abs=1e-14)


@pytest.mark.parametrize("first", [False, True])  # the repeated joint: its dependent rows come before the others, or after
def test_the_pivoted_fallback_gives_the_same_answer(first):
    m = da.Model("loop", dim=2, gravity=(0, -9.81))
    P = [(0, 0), (0.1, 0.3), (0.9, 0.5), (1, 0)]
    for k in range(3):
        m.add(da.Body.rod(f"b{k}", P[k], P[k + 1], mass=1))
    names = ["ground", "b0", "b1", "b2", "ground"]
    for k in range(4):
        m.add(da.Revolute(f"J{k}", names[k], names[k + 1], at=P[k]))
    m.add(da.Revolute("again", "ground", "b0", at=P[0]))
    w = workspace(m.compile())
    assert w.run("accelerations") == 0
    direct = w.vdot.copy()
    w.options.poor = -1.0  # no residual is good enough: refine, then fall back
    w.options.residual = -1.0
    assert w.run("accelerations") == 0
    assert w.report.fallback == 1 and w.report.rank == 8
    assert w.vdot == pytest.approx(direct, rel=1e-11)


def test_a_notebook_shows_names_as_text():
    """Names and formulas of a model from somewhere else are no HTML of ours."""
    m = da.Model("<script>m", dim=2, parameters={"l": "1 + 1"})
    m.add(da.Body("<img src=x>", mass=1.0, inertia=1.0))
    shown = m._repr_html_()
    assert "<script" not in shown and "<img" not in shown and "&lt;img src=x&gt;" in shown
