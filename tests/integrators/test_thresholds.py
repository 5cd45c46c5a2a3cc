"""Thresholds are code: what lies on either side of them is told apart as their headers say."""

from types import SimpleNamespace

import numpy as np
import pytest

import dalembert as da
from dalembert.algebra.null_space import DROP
from dalembert.equations.workspace import workspace
from dalembert.integrators import events
from dalembert.integrators.events import CUT, INSIDE, LEAST, STOP, graze, scan
from dalembert.symbolic.numbers import tape

# ------------------------------------------------------------------------------------------- DROP: rows that are nearly dependent


def nearly_dependent(slope):
    """Rows x = 0 and x + slope y = 0 of a unit point: the squared sine of their angle is slope²/(1 + slope²)."""
    m = da.Model("two rows", dim=2, gravity=(0, -1))
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Equation("one", "b.x"))
    m.add(da.Equation("two", f"b.x + {slope!r}*b.y"))
    return m


@pytest.mark.parametrize("ratio, dropped", [(0.5, 1), (0.9, 1), (1.1, 0), (2.0, 0)])
def test_a_row_is_dropped_below_the_squared_sine_and_kept_above(ratio, dropped):
    m = nearly_dependent(float(np.sqrt(ratio * DROP)))
    w = workspace(m.compile())
    w.run("accelerations")
    assert int(w.report.dropped) == dropped
    assert w.vdot[1] == pytest.approx(-1.0 if dropped else 0.0, abs=1e-4)


@pytest.mark.parametrize("ratio, rank", [(0.2, 1), (10.0, 2)])
def test_check_counts_by_the_same_threshold(ratio, rank):
    """Within its own measure: singular values, here slope/2 of the largest."""
    assert da.check(nearly_dependent(float(np.sqrt(ratio * DROP)))).rank == rank


def test_the_threshold_is_one_number_everywhere():
    assert DROP == 1e-10 == tape.DROP
    assert workspace(nearly_dependent(1.0).compile()).options.drop == DROP


# --------------------------------------------------------------------------------------------- LEAST: crossings that are rounding


def looked_at(values, kind, first=-1.0):
    """What scan sees of an event with these values at the ends of the parts of a step."""
    n = INSIDE
    task = SimpleNamespace(terminal=[kind], direction=[0])
    work = SimpleNamespace(g_left=[first], inside=list(values), left=[-1.0], right=[0.0], g_right=[0.0])
    assert len(values) == n + 1
    return scan(task, work, 0, 1), work.left[0] >= 0.0


@pytest.mark.parametrize("g, seen", [(2e-13, 0), (5e-12, 1), (1e-9, 1)])
def test_a_stop_is_crossed_by_picometres(g, seen):
    """In metres, not in parts of LEAST: a larger LEAST would lose true crossings, a smaller one see rounding."""
    values = [-g] * (INSIDE // 2) + [g] * (INSIDE // 2 + 1)
    assert looked_at(values, CUT, -g) == (seen, bool(seen))


@pytest.mark.parametrize("factor, seen", [(0.5, 0), (0.99, 0), (1.01, 1), (1e3, 1)])
def test_a_stop_is_crossed_by_more_than_rounding(factor, seen):
    g = factor * LEAST
    values = [-g] * (INSIDE // 2) + [g] * (INSIDE // 2 + 1)
    assert looked_at(values, CUT, -g) == (seen, bool(seen))
    assert looked_at(values, STOP, -g) == (1, True)  # a user's event is seen however small
    assert looked_at(values, 0, -g) == (1, True)


@pytest.mark.parametrize("depth, seen", [(0.5, False), (0.9, False), (1.1, True), (1e4, True)])
def test_a_stop_that_is_only_grazed_counts_beyond_rounding(depth, seen, monkeypatch):
    """g dips below zero between two places looked at, to −depth × LEAST."""
    low = depth * LEAST
    centre, bend = 0.5 + 0.25 / INSIDE, 40.0 * depth * LEAST * INSIDE**2

    def g(u):
        return bend * (u - centre) ** 2 - low

    p = SimpleNamespace(g=[0.0])
    monkeypatch.setattr(events, "glimpse", lambda p, s, work, u: p.g.__setitem__(0, g(u)) or 0)
    inside = [g(j / INSIDE if j else events.AFTER_START) for j in range(INSIDE + 1)]
    assert min(inside) > 0.0
    work = SimpleNamespace(inside=inside, cut=[0.0], left=[-1.0], g_left=[0.0], right=[0.0], g_right=[0.0])
    s = SimpleNamespace(g=[g(0.0)])
    for kind, expected in ((CUT, seen), (STOP, True)):
        work.cut[0], work.left[0] = 0.0, -1.0  # as scan leaves them where it saw no crossing
        assert graze(p, s, SimpleNamespace(terminal=[kind], direction=[0]), work, 0, 1) == 0
        assert bool(work.cut[0]) == expected


def test_a_body_at_rest_on_its_stop_does_not_stop_the_clock():
    """Its gap is rounding: with LEAST at 0 every step would be cut at a crossing."""
    assert 0.0 < LEAST == 1e-12
    m = da.Model("at rest", dim=2, gravity=(0, -9.81))
    m.add(da.Body("block", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("P", m.ground, "block", axis=(0, 1)))
    m.add(da.Limit("floor", "P", lower=0.0, stiffness=1e4, damping=1e3))
    run = da.simulate(m, 5.0)
    assert run.stats["steps"] < 3000
    assert run["P"].coordinate[-1] == pytest.approx(-9.81e-4, abs=3e-4)


# ------------------------------------------------------------------------------------------------ drivers in ``tangent``


def driven(law, dim):
    at = (0, 0) if dim == 2 else (0, 0, 0)
    m = da.Model("driven", dim=dim)
    end = (1, 0) if dim == 2 else (1, 0, 0)
    m.add(da.Body.rod("a", at, end, mass=1))
    m.add(da.Body.rod("b", end, (1, 1) if dim == 2 else (1, 1, 0), mass=1))
    axis = {} if dim == 2 else {"axis": (0, 0, 1)}
    m.add(da.Revolute("A", m.ground, "a", at=at, **axis))
    m.add(da.Revolute("B", "a", "b", at=end, **axis))
    m.add(da.Drive("drive", "A", law))
    return m


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("law, t", [("2*t", 0.0), ("0", 0.0), ("sin(t)", np.pi / 2), (0.0, 0.0)])
def test_tangent_keeps_motion_along_drivers_and_nothing_else_out_of_the_constraints(law, t, dim):
    """D x of the error x: zero in the rows of joints, as it was in those of drivers, whether these move or rest."""
    s = driven(law, dim).compile()
    w = workspace(s)
    state = da.assemble(driven(law, dim), t=t) if t == 0.0 else None
    w.set(t, state.q if state else s.q_drawn, state.v if state else s.v_drawn)
    w.run("accelerations")
    D, drivers = w.jacobian(), np.array([r.driver for r in s.rows], dtype=bool)
    assert drivers.sum() == 1
    random = np.random.default_rng(5)
    error = random.standard_normal(s.nv)
    w.vdot[:] = error
    w.qdot[:] = 0.0
    w.run("tangent")
    np.testing.assert_allclose(D[~drivers] @ w.vdot, 0.0, atol=1e-9)
    np.testing.assert_allclose(D[drivers] @ w.vdot, D[drivers] @ error, rtol=1e-9, atol=1e-9)
    assert np.linalg.norm(D[drivers] @ error) > 0.1


@pytest.mark.parametrize("law", ["2*t", "0*t"])
def test_the_recursive_tangent_agrees(law):
    """The same error in joint speeds: what the tangent leaves, seen by the loop rows and by the driver."""
    from dalembert.analyses.toolbox.forms import form_at

    m = driven(law, 2)
    m.add(da.Body.rod("c", (1, 1), (0, 1), mass=1))
    m.add(da.Revolute("C", "b", "c", at=(1, 1)))
    m.add(da.Revolute("D", m.ground, "c", at=(0, 1)))
    form = form_at(m, da.assemble(m), "recursive", (), None, False)
    form.rhs()
    n = form.y.size - 3
    s = form.work.system
    drivers = np.array([r.driver for r in s.rows], dtype=bool)

    def rows(change):
        """Speeds of the rows under a small change of the joint speeds."""
        base = form.y.copy()
        out = []
        for sign in (1.0, -1.0):
            moved = base.copy()
            moved[n - change.size:n] += sign * change
            q, v = form.bodies(np.array([0.0]), moved[None, :])[:2]
            out.append(v[0])
        return D @ (out[0] - out[1]) / 2

    w = workspace(s)
    state = da.assemble(m)
    w.set(0.0, state.q, state.v)
    w.run("accelerations")
    D = w.jacobian()
    nu = n // 2
    error = np.random.default_rng(6).standard_normal(nu)
    form.ydot[:] = 0.0
    form.ydot[n - nu:n] = error
    form.tangent()
    after = form.ydot[n - nu:n].copy()
    np.testing.assert_allclose(rows(after)[~drivers], 0.0, atol=1e-7)
    np.testing.assert_allclose(rows(after)[drivers], rows(error)[drivers], rtol=1e-6, atol=1e-7)
    assert np.abs(rows(error)[~drivers]).max() > 0.1 and np.abs(rows(error)[drivers]).max() > 0.05
