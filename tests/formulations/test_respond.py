"""respond (rule 8 of the contract): the difference of two solves, linear, symmetric, without work, in all forms alike.

The independent route: the same solve with the wrench added to Q by hand, v̇ = M⁻¹(Q + w − Dᵀλ) from a dense least-squares
solution, on random mechanisms (trees, loops, gears, drives, velocity-level rows, redundant rows) and over the catalogue.
"""

import os

import numpy as np
import pytest
from forms_of import forms_at
from overconstrained import overconstrained
from random_mechanisms import mechanism, state

import dalembert as da
from dalembert import catalog
from dalembert.analyses.toolbox.forms import make_form
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.formulations.contract import FORMS

COUNT = int(os.environ.get("DALEMBERT_MECHANISMS", "40"))
TOLERANCE = 1e-11


def weights(M):
    values, vectors = np.linalg.eigh(M)
    return (vectors / np.sqrt(values)) @ vectors.T, (vectors * np.sqrt(values)) @ vectors.T


def dense(D, M):
    """(M⁻¹ − M⁻¹Dᵀ (D M⁻¹ Dᵀ)⁺ D M⁻¹), by the orthogonal projection onto the null space of D M^(−1/2)."""
    half, _ = weights(M)
    if not len(D):
        return half @ half
    rows = D @ half
    length = np.linalg.norm(rows, axis=1)
    _, sigma, vt = np.linalg.svd(rows / np.where(length > 0, length, 1.0)[:, None])
    vt = vt[: int((sigma > 1e-5).sum())]
    return half @ (np.eye(len(M)) - vt.T @ vt) @ half


def laws(model, w, columns=4, seed=0):
    system = w.system
    w.run("observe")
    D, M = w.jacobian(), w.mass()
    half, root = weights(M)
    W = root @ np.random.default_rng(seed).standard_normal((system.nv, columns))
    size = np.linalg.norm(half @ W)
    expected = dense(D, M) @ W
    rows = np.sqrt(np.einsum("ij,jk,ik->i", D, half @ half, D))
    for form in forms_at(model, w):
        before = form.ydot.copy()
        R = form.respond(W)
        assert np.linalg.norm(root @ (R - expected)) <= TOLERANCE * size, form.name
        np.testing.assert_array_equal(form.respond(W[:, 1]), R[:, 1])  # columns do not know of each other
        np.testing.assert_array_equal(form.ydot, before)
        K = W.T @ R
        assert np.abs(K - K.T).max() <= TOLERANCE * size**2, form.name
        assert np.linalg.eigvalsh((K + K.T) / 2).min() >= -TOLERANCE * size**2, form.name
        assert np.abs(D @ R / np.where(rows > 0, rows, 1.0)[:, None]).max(initial=0.0) <= TOLERANCE * size, form.name
        assert form.rhs() == 0
        np.testing.assert_array_equal(form.ydot, before)  # asking changes nothing


@pytest.mark.parametrize("seed", range(COUNT))
def test_random_mechanisms(seed):
    model = mechanism(seed)
    w = state(model, seed)
    if w is None:
        pytest.skip("the rows are nearly dependent in every state tried")
    laws(model, w, seed=seed)


@pytest.mark.parametrize("seed", range(10))  # one of each kind
def test_redundant_rows(seed):
    model = overconstrained(seed)
    w = workspace(model.compile())
    start = da.assemble(model)
    w.set(start.t, start.q, start.v)
    laws(model, w)


@pytest.mark.parametrize("name", sorted(catalog.CATALOG))
def test_catalogue(name):
    model = catalog.make(name)
    if len(model.bodies) > 60:
        model = catalog.make(name, n=12)
    w = workspace(model.compile())
    start = da.assemble(model)
    w.set(start.t, start.q, start.v)
    laws(model, w, columns=3)


@pytest.mark.parametrize("dim", [2, 3])
def test_the_difference_of_two_solves(dim):
    """A force added as an element: v̇ with it less v̇ without it."""
    seed = {2: 10, 3: 21}[dim]  # mechanisms with loops
    model, other = mechanism(seed), mechanism(seed)
    name = next(iter(model.bodies))
    F, T = (3.0, -2.0, 1.5)[:dim], 0.7 if dim == 2 else (0.3, 0.7, -0.4)
    other.add(da.Force("added", name, F, on=tuple(other.bodies[name].com)))
    other.add(da.Torque("turned", name, T))
    w = state(model, seed)
    b = w.system.bodies.index(name)
    wrench = np.zeros(w.system.nv)
    n = w.system.kind.SIZE_V
    v = workspace(other.compile())
    v.set(w.t[0], w.q, w.v)
    v.run("observe")
    w.run("observe")
    wrench[n * b:n * b + n] = (v.Q - w.Q)[n * b:n * b + n]
    assert np.abs(wrench[n * b:n * b + dim] - F).max() < 1e-12
    for form, second in zip(forms_at(model, w), forms_at(other, v), strict=True):
        form.observe(w)
        second.observe(v)
        form.enter(w.t[0], w.q, w.v)
        form.begin()
        form.rhs()
        difference = v.vdot - w.vdot
        np.testing.assert_allclose(form.respond(wrench), difference, rtol=0, atol=1e-10 * np.abs(v.vdot).max())
        assert np.abs(difference).max() > 1e-3


def test_wrenches_of_another_size_are_refused():
    model = catalog.make("four-bar")
    w = workspace(model.compile())
    for form in forms_at(model, w):
        with pytest.raises(AnalysisError, match="respond takes forces on the 9 speeds"):
            form.respond(np.zeros(3))
        assert form.respond(np.zeros((9, 0))).shape == (9, 0)
    for name in FORMS:
        with pytest.raises(AnalysisError, match="enter a state and call rhs"):
            make_form(model, w.system, name).respond(np.zeros(9))


@pytest.mark.parametrize("name", FORMS)
def test_answers_belong_to_the_state_of_the_last_solve(name):
    """Another state entered, or samples looked at: no answer before the next solve; then the right one."""
    model = catalog.make("four-bar")
    run = da.simulate(model, 0.5, rtol=1e-9)
    system, form = run.system, make_form(model, run.system, name)
    w = np.random.default_rng(3).standard_normal(system.nv)
    for k in (0, 100, 200):
        form.enter(run.t[k], run.q[k], run.v[k])
        with pytest.raises(AnalysisError, match="there is none"):
            form.respond(w)
        assert form.rhs() == 0
        answer = form.respond(w)
        form.leave()  # the same state: nothing is lost
        np.testing.assert_allclose(form.respond(w), answer, rtol=0, atol=1e-12 * np.abs(answer).max())
        other = workspace(system)
        other.set(run.t[k], run.q[k], run.v[k])
        other.run("rows")
        D, M = other.jacobian(), other.mass()
        np.testing.assert_allclose(answer, dense(D, M) @ w, rtol=0, atol=1e-9 * np.abs(answer).max())
    form.bodies(np.array([run.t[5]]), form.y[None, :].copy())
    if name == "recursive":  # the samples of the others are their own coordinates: nothing moves
        with pytest.raises(AnalysisError, match="there is none"):
            form.respond(w)


@pytest.mark.parametrize("angle", [3e-2, 1e-3, 3e-4])
def test_nearly_dependent_rows(angle):
    """Two links nearly along each other: a second pass through the factors keeps the rows' own rounding out of the answer."""
    m = da.Model("two links", dim=2)
    m.add(da.Body("a", mass=2.0, inertia=0.3, position=(1.0, 0.0), com=(0.1, 0.2)))
    m.add(da.Body("b", mass=1.0, inertia=0.2, position=(1.6, 0.3)))
    m.add(da.Revolute("O", "a", "b", at=(1.3, 0.4)))
    m.add(da.Distance("A", "ground", "b", at_i=(0.0, 0.0), at_j=(1.0, 0.0)))
    m.add(da.Distance("B", "ground", "b", at_i=(1.0 - np.cos(angle), np.sin(angle)), at_j=(1.0, 0.0)))
    laws(m, workspace(m.compile()))
