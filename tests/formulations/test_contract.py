"""The contract of forms (formulations/contract.py), rule by rule, over every registered form: a new one is told what it lacks."""

import inspect

import numpy as np
import pytest
from forms_of import forms_at
from random_mechanisms import mechanism, quaternions_apart, state

import dalembert as da
from dalembert import catalog
from dalembert.analyses.toolbox.forms import FORMULATIONS, make_form
from dalembert.equations.workspace import workspace
from dalembert.formulations.contract import FORMS, Form, form_class
from dalembert.system.tables import RIDING

SEEDS = (2, 3, 18, 20, 23, 24, 37)  # plane and space, trees and loops, gears, drives, velocity-level rows


def prepared(seed):
    model = mechanism(seed)
    w = state(model, seed)
    assert w is not None
    return model, w


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_registered_and_complete(name):
    cls = form_class(name)
    assert issubclass(cls, Form) and cls.name == name and not inspect.isabstract(cls)
    assert name in FORMULATIONS


@pytest.mark.parametrize("seed", SEEDS)
def test_arrays_of_the_state_stay_where_they_are(seed):
    """Rules 1, 10."""
    model, w = prepared(seed)
    for form in forms_at(model, w):
        kept = {n: getattr(form, n) for n in ("t", "y", "ydot", "g", "quality", "caps")}
        form.enter(w.t[0], w.q, w.v)
        form.rhs()
        if form.project is not None:
            form.project()
        form.respond(np.zeros(w.system.nv))
        assert all(getattr(form, n) is a for n, a in kept.items()), form.name
        assert form.t.size == 1 and form.y.shape == form.ydot.shape == form.caps.shape and form.quality.size == 2
        assert np.all(form.caps > 0) and np.all(np.isinf(form.caps[-RIDING:]))
        assert form.whole.system is w.system and form.work is not None
        form.expect(1)
        assert 0.0 <= form.quality[0] <= 1.0 + 1e-9 or form.quality[0] == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_hand_side_depends_on_state_and_memory_alone(seed):
    """Rules 2, 3, 9: elsewhere in between, also by a jump of y, and back: bit for bit; y is not touched."""
    model, w = prepared(seed)
    fresh = {f.name: f for f in forms_at(model, w)}
    for form in forms_at(model, w):
        y, first, memory = form.y.copy(), form.ydot.copy(), {n: a.copy() for n, a in form.memory.items()}
        np.testing.assert_array_equal(fresh[form.name].ydot, first)
        form.y[:] = y + 1e-3 * np.cos(np.arange(y.size))
        form.rhs()
        if form.project is not None:
            assert form.project() == 0
        form.respond(np.ones(w.system.nv))
        form.t[0], form.y[:] = w.t[0], y
        for n, a in memory.items():
            form.memory[n][:] = a
        assert form.rhs() == 0
        np.testing.assert_array_equal(form.y, y)
        np.testing.assert_array_equal(form.ydot, first)
        q, v = form.leave()
        form.enter(w.t[0], q, v)
        form.rhs()
        scale = np.abs(first).max() + 1.0
        np.testing.assert_allclose(form.ydot[:-3], first[:-3], rtol=0, atol=1e-8 * scale)


@pytest.mark.parametrize("seed", SEEDS)
def test_bodies_come_back(seed):
    """Rule 4."""
    model, w = prepared(seed)
    q, v = w.q.copy(), w.v.copy()
    for form in forms_at(model, w):
        form.check(w.t[0], q, v)
        back, speed = form.leave()
        assert np.abs(quaternions_apart(w.system, back, q)).max() <= 1e-9, form.name
        np.testing.assert_allclose(speed, v, rtol=0, atol=1e-9 * (np.abs(v).max() + 1e-3))
        y = np.vstack([form.y, form.y])
        many = form.bodies(np.array([w.t[0]] * 2), y)
        assert np.abs(quaternions_apart(w.system, many[0][1], q)).max() <= 1e-9
        np.testing.assert_array_equal(many[2], y[:, -3:])


@pytest.mark.parametrize("seed", SEEDS)
def test_projection_and_tangent(seed):
    """Rule 5: states on the constraints stay, others come back; a tangent displacement stays on the rows, and stays itself."""
    model, w = prepared(seed)
    system = w.system
    still = np.array([not r.driver for r in system.rows], dtype=bool)
    for form in forms_at(model, w):
        if form.project is None:
            assert form.tangent is None
            continue
        y = form.y.copy()
        assert form.project() == 0
        np.testing.assert_allclose(form.y, y, rtol=0, atol=1e-9 * (np.abs(y).max() + 1.0))
        form.y[:-3] += 1e-4 * np.sin(1.0 + np.arange(y.size - 3))
        assert form.project() == 0
        w.set(w.t[0], *form.leave())
        w.run("speeds")
        assert np.abs(w.phi).max(initial=0.0) < 1e-8 and np.abs(w.speed).max(initial=0.0) < 1e-8, form.name
        form.rhs()
        form.ydot[:] = np.cos(np.arange(form.ydot.size))
        form.tangent()
        once = form.ydot.copy()
        form.tangent()
        np.testing.assert_allclose(form.ydot, once, rtol=0, atol=1e-9)
        assert still.any() or not system.nc


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tangent_depends_on_the_last_solve_alone(seed):
    """Rule 5: projected elsewhere in between, and back: bit for bit; forms in the coordinates of the bodies agree."""
    model, w = prepared(seed)
    found = []
    for form in forms_at(model, w):
        if form.tangent is None:
            continue
        y, memory, out = form.y.copy(), {n: a.copy() for n, a in form.memory.items()}, []
        for _ in range(2):
            form.y[:] = y
            for n, a in memory.items():
                form.memory[n][:] = a
            assert form.rhs() == 0
            form.ydot[:] = np.cos(np.arange(y.size))
            form.tangent()
            out.append(form.ydot.copy())
            form.y[:] = y + 1e-2 * np.sin(np.arange(y.size))
            form.project()
        np.testing.assert_array_equal(out[0], out[1], err_msg=form.name)
        if form.name != "recursive":
            found.append(out[0])
    np.testing.assert_allclose(found, np.tile(found[0], (len(found), 1)) if found else [], rtol=0, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_events(seed):
    """Rule 6: None without events, else the same g in all forms."""
    model, w = prepared(seed)
    body = next(iter(model.bodies))
    for form in forms_at(model, w):
        assert form.events is None and form.g.size == 0
    from dalembert.analyses.dynamics import watching

    watched = watching(model, [f"{body}.x - 0.1", "t - 0.3"])
    u = workspace(watched.compile())
    u.set(w.t[0], w.q, w.v)
    found = []
    for form in forms_at(watched, u):
        assert form.events() == 0
        found.append(form.g.copy())
    np.testing.assert_allclose(found, np.tile(found[0], (len(found), 1)), rtol=0, atol=1e-9)
    assert found[0][1] == pytest.approx(w.t[0] - 0.3)


@pytest.mark.parametrize("seed", SEEDS)
def test_observation_agrees(seed):
    """Rule 7, and rule 11: a result that travels leaves its form."""
    model, w = prepared(seed)
    w.run("observe")
    M, vdot, pull = w.mass(), w.vdot.copy(), w.jacobian().T @ w.lam
    size = np.sqrt(vdot @ M @ vdot) + np.sqrt(w.Q @ np.linalg.solve(M, w.Q)) + 1e-300
    for form in forms_at(model, w):
        found = form.observe_all(w.t.copy(), w.q[None, :], w.v[None, :])
        for d in (M @ (found["vdot"][0] - vdot), w.jacobian().T @ found["lam"][0] - pull):
            assert np.sqrt(d @ np.linalg.solve(M, d)) <= 1e-9 * size, form.name
        assert not found["status"].any()


@pytest.mark.parametrize("name", FORMS)
def test_results_know_their_form(name):
    import pickle

    model = catalog.make("four-bar")
    run = da.simulate(model, 0.05, formulation=name)
    assert run.form.name == name and isinstance(run.form, Form)
    again = pickle.loads(pickle.dumps(run))
    assert again.form.name == "augmented"
    np.testing.assert_allclose(again.observed.vdot, run.observed.vdot, rtol=1e-9, atol=1e-9 * np.abs(run.observed.vdot).max())
    assert da.assemble(model).form.name == "augmented"


def test_an_impulse_is_a_jump_of_the_speeds():
    """Rules 8, 9: Δv = respond(w), entered; the constraints hold without projection, and the work is wᵀ(v⁻ + v⁺)/2."""
    model = catalog.make("four-bar")
    w = workspace(model.compile())
    start = da.assemble(model)
    w.set(start.t, start.q, start.v)
    M = w.mass()
    impulse = np.zeros(w.system.nv)
    impulse[:3] = 0.3, -0.2, 0.05
    for name in FORMS:
        form = make_form(model, w.system, name)
        form.check(start.t, start.q, start.v)
        assert form.rhs() == 0
        q, v = form.leave()
        after = v + form.respond(impulse)
        form.enter(start.t, q, after)
        assert form.rhs() == 0
        _, back = form.leave()
        np.testing.assert_allclose(back, after, rtol=0, atol=1e-12 * np.abs(after).max())
        gained = (after @ M @ after - v @ M @ v) / 2
        assert gained == pytest.approx(impulse @ (v + after) / 2, rel=1e-12)


def test_caps_are_on_angles():
    """One radian a step on every angle, no bound on lengths: plane four-bar, whose joints have running angles."""
    from dalembert import catalog
    from dalembert.analyses.toolbox.forms import make_form

    model = catalog.make("four-bar")
    system = model.compile()
    bodies = [np.inf, np.inf, 1.0] * system.nb + [1.0] * (system.nq - 3 * system.nb)
    rest = [np.inf] * (system.nv + RIDING)
    for name in ("augmented", "embedded"):
        assert make_form(model, system, name).caps.tolist() == bodies + rest
    tree = make_form(model, system, "recursive")
    assert tree.caps.tolist() == [1.0] * (tree.nq + tree.slots) + [np.inf] * (tree.nv + RIDING)
