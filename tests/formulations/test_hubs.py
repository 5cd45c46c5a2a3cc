"""Bodies with many branches are eliminated late (model/hubs.py): the same motion, forces and dependent rows as bodies first.

Here every body that carries a branch is taken for a hub, in mechanisms of all kinds, so that the mixed order meets loops,
dependent rows, drives and the ground wherever they can be.
"""

import copy

import numpy as np
import pytest
from overconstrained import overconstrained
from random_mechanisms import mechanism, state
from test_agreement import unique_part

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace
from dalembert.model import compile as compiling
from dalembert.model import hubs, pattern

TOLERANCE = 1e-9


@pytest.fixture
def forced(monkeypatch):
    monkeypatch.setattr(hubs, "BRANCHES", 1)
    monkeypatch.setattr(pattern, "GAIN", np.inf)
    pattern._pattern_of.cache_clear()
    yield
    pattern._pattern_of.cache_clear()


def bodies_first(model, monkeypatch):
    with monkeypatch.context() as m:
        m.setattr(compiling, "hubs_of", lambda b, spinless: ())
        return model.compile()


def agree(plain, mixed, t, q, v):
    """v̇, unique multipliers and the number of dependent rows at one state."""
    a, b = workspace(plain), workspace(mixed)
    for w in (a, b):
        w.set(t, q, v)
        w.options.residual = 1e-13
        assert w.run("observe") == 0
    assert a.report.dropped == b.report.dropped
    np.testing.assert_allclose(b.before, a.before, rtol=1e-13)
    D, M = a.jacobian(), a.metric_mass()
    values, vectors = np.linalg.eigh(M)
    weight = (vectors / np.sqrt(values)) @ vectors.T
    size = np.linalg.norm(weight @ (M @ a.vdot)) + np.linalg.norm(weight @ a.Q) + 1e-300
    assert np.linalg.norm(weight @ (M @ (b.vdot - a.vdot))) <= TOLERANCE * size
    assert np.linalg.norm(weight @ (D.T @ (b.lam - a.lam))) <= TOLERANCE * size
    assert unique_part(D, weight, b.lam - a.lam) <= TOLERANCE * size
    return a, b


@pytest.mark.parametrize("seed", range(60))
def test_random_mechanisms(seed, forced, monkeypatch):
    model = mechanism(seed)
    w = state(model, seed)
    if w is None:
        pytest.skip("the rows are nearly dependent in every state tried")
    agree(bodies_first(model, monkeypatch), model.compile(), w.t[0], w.q.copy(), w.v.copy())


@pytest.mark.parametrize("mass", [3.0, 3e-5, 3e5])
@pytest.mark.parametrize("seed", range(20))
def test_dependent_rows_on_a_free_carrier(seed, mass, forced, monkeypatch):
    """What stood on the ground stands on a body that flies: all of it is one branch, with its loops and dependent rows.

    However light or heavy it is, pivots are measured against rows as they are without it, or with it, by what comes first."""
    model = overconstrained(seed)
    carried = da.Model("carried", dim=3, gravity=model.gravity)
    s = model.compile()
    far = np.abs(s.each_q(s.q_drawn)[:, :3]).max()
    inertia = tuple(x * mass / 3.0 * far**2 for x in (0.4, 0.5, 0.6))
    carried.add(da.Body("carrier", mass=mass, inertia=inertia, omega=(0.3, -0.2, 0.5)))
    for body in model.bodies.values():
        carried.add(body)
    for e in model.elements.values():
        e = copy.copy(e)
        vars(e).update({side: "carrier" for side in "ij" if getattr(e, side) == "ground"})
        carried.add(e)
    s = da.assemble(carried)
    plain, mixed = bodies_first(carried, monkeypatch), carried.compile()
    assert mixed.tables.hubs.size > 0 and plain.tables.hubs.size == 0
    a, _ = agree(plain, mixed, 0.0, s.q, s.v)
    assert a.report.dropped > 0


@pytest.mark.parametrize("name", sorted(catalog.CATALOG))
def test_catalogue(name, forced, monkeypatch):
    model = catalog.make(name)
    mixed = model.compile()
    if not mixed.tables.hubs.size:
        pytest.skip("no body carries a branch")
    s = da.assemble(model)
    agree(bodies_first(model, monkeypatch), mixed, s.t, s.q, s.v)


# ------------------------------------------------------------------------------------------------------------- what uses them


def wheel(arms=9, *, driven=False, friction=None, more=()):
    """Arms on a hub that turns on a cart on rails: the hub is eliminated late by itself; one arm carries a four-bar."""
    m = da.Model("wheel", dim=2, gravity=(0, "-g"), parameters={"g": 9.81, "m": 1.2, "k": 30.0, "l": 0.5})
    m.add(da.Body("cart", mass=4.0, inertia=1.0, velocity=(0.3, 0)))
    m.add(da.Body("hub", mass=2.0, inertia=0.5))
    m.add(da.Prismatic("rail", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    m.add(da.Revolute("axle", "cart", "hub", at=(0, 0)))
    m.add(da.Spring("pull", m.ground, "cart", at_i=(-1, 0), at_j=(0, 0), stiffness="k", length=0.8))
    for n in range(arms):
        c, s = np.cos(0.1 + 2 * np.pi * n / arms), np.sin(0.1 + 2 * np.pi * n / arms)
        m.add(da.Body.rod(f"r{n}", (c, s), (1.5 * c + 0.3 * s, 1.5 * s - 0.3 * c), mass="m" if n % 2 else 0.7))
        m.add(da.Revolute(f"J{n}", "hub", f"r{n}", at=(c, s), **(friction or {})))
        if driven:
            m.add(da.Drive(f"D{n}", f"J{n}", f"0.2*sin({n + 1}*t)"))
    m.add(da.Body.rod("p", (3, 0), (3, 1), mass=1.0))
    m.add(da.Body.rod("c", (3, 1), (4, 1), mass=1.0))
    m.add(da.Body.rod("q", (4, 1), (4, 0), mass=1.0))
    loop = {"A": ("hub", "p", (3, 0)), "B": ("p", "c", (3, 1)), "C": ("c", "q", (4, 1)), "E": ("q", "hub", (4, 0))}
    for name, (i, j, at) in loop.items():
        m.add(da.Revolute(name, i, j, at=at))
    for e in more:
        m.add(e)
    return m


def carousel(arms, mass):
    """Arms of two rods on a hub that flies: their pins are eliminated with the hub held fast."""
    m = da.Model("carousel", dim=2, gravity=(0, 0))
    m.add(da.Body("hub", mass=mass, inertia=0.01 * mass))
    for k in range(arms):
        c, s = np.cos(2 * np.pi * k / arms), np.sin(2 * np.pi * k / arms)
        m.add(da.Body.rod(f"p{k}", (0.1 * c, 0.1 * s), (1.1 * c, 1.1 * s), mass=1.0))
        m.add(da.Body.rod(f"q{k}", (1.1 * c, 1.1 * s), (2.1 * c, 2.1 * s), mass=1.0))
        m.add(da.Revolute(f"a{k}", "hub", f"p{k}", at=(0.1 * c, 0.1 * s)))
        m.add(da.Revolute(f"b{k}", f"p{k}", f"q{k}", at=(1.1 * c, 1.1 * s)))
    return m


def test_pivots_of_arms_do_not_know_how_light_the_hub_is():
    """What comes before the hub is measured without it: else pivots go with its mass, and rows are taken for dependent."""
    found = []
    for mass in (1e-2, 1e-4, 1e-6, 1e-8):
        system = carousel(12, mass).compile()
        assert system.tables.hubs.size == 1
        w = workspace(system)
        assert w.run("accelerations") == 0 and w.report.dropped == 0
        found.append(float(w.report.pivot))
    np.testing.assert_allclose(found, found[0], rtol=1e-2)


def runs_alike(make, ask, monkeypatch, tolerance=1e-9):
    assert make().compile().tables.hubs.size == 1
    mixed = np.asarray(ask(make()), float)
    with monkeypatch.context() as m:
        m.setattr(compiling, "hubs_of", lambda b, spinless: ())
        assert make().compile().tables.hubs.size == 0
        plain = np.asarray(ask(make()), float)
    assert np.abs(mixed - plain).max() <= tolerance * np.abs(plain).max(), np.abs(mixed - plain).max()
    return mixed


def motion(run):
    return [*run["hub"].position[-1], run["r3"].angle[-1], run["J5"].coordinate[-1], *run["J5"].force[-1], *run["B"].force[-1],
            run.energy.kinetic[-1]]


@pytest.mark.parametrize("integrator", ["rk8", "radau"])
def test_runs(integrator, monkeypatch):
    def ask(m):
        return motion(da.simulate(m, 0.5, rtol=1e-9, formulation="augmented", integrator=integrator))

    runs_alike(wheel, ask, monkeypatch, 1e-7)


def test_runs_where_laws_feel_reactions(monkeypatch):
    def make():
        return wheel(more=[da.Motor("rub", "J2", "-0.02*sqrt(J2.force.x**2 + J2.force.y**2 + 1)*tanh(J2.rate) - 0.1*r1.ax")])

    runs_alike(make, lambda m: motion(da.simulate(m, 0.3, rtol=1e-9)), monkeypatch, 1e-7)


def test_runs_with_friction_in_joints(monkeypatch):
    runs_alike(lambda: wheel(friction={"friction": 0.2, "radius": 0.03}), lambda m: motion(da.simulate(m, 0.1, rtol=1e-7)),
               monkeypatch, 1e-5)


def test_driven_arms(monkeypatch):
    """All joints of all arms are driven: every arm is fixed to the hub, row by row."""
    def ask(m):
        run = da.simulate(m, 0.3, rtol=1e-9)
        return [*motion(run), *run["D4"].torque[-1:]]

    runs_alike(lambda: wheel(driven=True), ask, monkeypatch, 1e-7)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_derivatives(method, monkeypatch):
    def ask(m):
        found = da.sensitivities(m, ["g", "m", "k"], da.simulate, 0.2, times=[0.1, 0.2], rtol=1e-9, method=method,
                                 outputs={"x": lambda run: run["hub"].position[-1][0], "force": "mean J5.force"})
        assert found.method == method
        return [*found.gradient("x"), *found.gradient("force")]

    runs_alike(wheel, ask, monkeypatch, 1e-6)


def test_resting_and_linear(monkeypatch):
    def ask(m):
        found = da.equilibrium(m)
        return [*found["r3"].position, *np.sort(da.linearize(m, found).eigenvalues.imag)]

    runs_alike(wheel, ask, monkeypatch, 1e-6)
