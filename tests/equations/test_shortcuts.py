"""What an evaluation finds by short cuts is what the long way says: residual, rates of running angles, powers, pairs of rows."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.elements.measures import dot_axes, table
from dalembert.equations.workspace import workspace

MECHANISMS = ("four-bar", "slider-crank-spring", "bricard", "andrews", "stewart-platform", "six-axis-arm", "four-bar-driven")


def moved(name, speed=1.0):
    """Off rest, on the constraints, solved once as a stage is."""
    state = da.assemble(catalog.make(name))
    w = workspace(state.system)
    rng = np.random.default_rng(3)
    w.set(0.1, state.q, speed * (state.v + rng.standard_normal(state.v.size)))
    w.run("begin")
    w.run("project")
    assert w.run("accelerations") == 0
    return w


@pytest.mark.parametrize("speed", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_size_of_the_residual(name, speed):
    w = moved(name, speed)
    short = w.report.residual
    w.run("remainder")
    assert short == pytest.approx(w.report.residual, rel=1e-6) and short < 1e-9
    w.vdot[0] += 1e-3  # one that is off
    w.run("remainder")
    D, gamma, M = w.jacobian(), w.gamma, w.metric_mass()
    size = max(np.sqrt(w.vdot @ M @ w.vdot) + np.sqrt(w.Q @ np.linalg.solve(M, w.Q)), np.abs(gamma / np.sqrt(w.before)).max())
    assert w.report.residual == pytest.approx(np.abs((D @ w.vdot - gamma) / np.sqrt(w.before)).max() / size, rel=1e-9)


@pytest.mark.parametrize("name", MECHANISMS)
def test_rates_of_running_angles_and_powers(name):
    w = moved(name)
    s, qdot, power = w.system, w.qdot.copy(), w.power.copy()
    w.run("observe")
    rates = w.measured.reshape(-1, 3)[s.tables.tracked, 1]
    slots = s.tables.measures["slot"][s.tables.tracked]
    assert np.abs(qdot[slots] - rates).max(initial=0.0) < 1e-13 * (1 + np.abs(rates).max(initial=0.0))
    weight = sum(m * (s.tables.gravity[:s.dim] @ w.v[s.at_v(b)][:s.dim]) for b, m in enumerate(s.tables.bodies["mass"]))
    w.run("generalized_forces")
    assert power[0] == pytest.approx(w.power[0] + w.power[1] + w.Q @ w.v - weight, abs=1e-11 * (1 + np.abs(w.Q * w.v).sum()))


@pytest.mark.parametrize("name", ["bricard", "stewart-platform", "six-axis-arm", "double-wishbone"])
def test_two_products_with_one_axis_are_those_of_each(name):
    w = moved(name)
    w.run("rows")
    s = w.system.tables
    twins = [k for k in range(len(s.hold) - 1) if s.measures["kind"][s.hold["measure"][k]] == table.AXES
             and dot_axes.twins(s._replace(measures=s.measures.view(np.recarray)), *s.hold["measure"][k:k + 2])]
    assert twins or name == "stewart-platform"
    G = w.gradients()
    for k in range(len(s.hold)):
        row, m = int(s.hold["row"][k]), int(s.hold["measure"][k])
        value, rate, bias = w.measured.reshape(-1, 3)[m]
        if s.levels[row] < 2:  # drivers have a law of time besides
            assert abs(w.gamma[row] + bias) < 1e-12 * (1 + np.abs(bias))
        assert np.abs(w.jacobian()[row] - G[m]).max() < 1e-13
        assert abs(w.jacobian()[row] @ w.v - rate) < 1e-12 * (1 + np.abs(w.v).sum())


def test_twins_share_the_vector_on_j():
    rows = np.zeros(4, table.MEASURE).view(np.recarray)
    rows.i, rows.j, rows.axis_i, rows.axis_j = 3, 4, [0, 1, 1, 1], [2, 2, 1, 2]
    rows.j[3] = 5
    s = da.Model("none", dim=3)
    s.measures = rows
    assert dot_axes.twins(s, 0, 1) and not dot_axes.twins(s, 0, 2) and not dot_axes.twins(s, 0, 3)


def test_thin_rods_are_refined():
    m = da.Model("thin", dim=3, gravity=(0, 0, -9.81))
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    J = turn @ np.diag([1.0, 1.0, 1e-9]) @ turn.T
    for k in range(3):
        m.add(da.Body(f"b{k}", mass=1.0, inertia=((J + J.T) / 2).tolist(), position=(k + 0.5, 0, 0), omega=(1, 2, 3)))
        m.add(da.Revolute(f"J{k}", f"b{k - 1}" if k else "ground", f"b{k}", at=(k, 0, 0), axis=(0.3, 0.2, 1)))
    w = workspace(m.compile())
    w.options.residual = 1.0
    w.run("accelerations")
    rough = w.report.residual
    w.options.residual = 0.1 * rough
    w.run("accelerations")
    assert rough > 1e-13 and w.report.residual < 0.1 * rough
