"""Columns of S in panels (algebra/panels.py): the same motion, forces and dependent rows as block by block, in any mechanism."""

import numpy as np
import pytest
from overconstrained import overconstrained
from random_mechanisms import mechanism, state
from test_hubs import agree

import dalembert as da
from dalembert import catalog
from dalembert.model import pattern


def both(model, monkeypatch):
    """The system block by block, and by panels."""
    found = []
    for much in (np.inf, -1):
        with monkeypatch.context() as m:
            m.setattr(pattern, "MUCH", much)
            pattern._pattern_of.cache_clear()
            found.append(model.compile())
    pattern._pattern_of.cache_clear()
    assert found[0].tables.panels.size == 0
    assert found[1].tables.panels.size > 0 or found[1].tables.hubs.size or not found[1].nc
    return found


@pytest.mark.parametrize("seed", range(30))
def test_random_mechanisms(seed, monkeypatch):
    model = mechanism(seed)
    w = state(model, seed)
    if w is None:
        pytest.skip("the rows are nearly dependent in every state tried")
    agree(*both(model, monkeypatch), w.t[0], w.q.copy(), w.v.copy())


@pytest.mark.parametrize("seed", range(10))
def test_dependent_rows(seed, monkeypatch):
    model = overconstrained(seed)
    s = da.assemble(model)
    agree(*both(model, monkeypatch), s.t, s.q, s.v)


@pytest.mark.parametrize("name", sorted(catalog.CATALOG))
def test_catalogue(name, monkeypatch):
    model = catalog.make(name)
    s = da.assemble(model)
    agree(*both(model, monkeypatch), s.t, s.q, s.v)


def lattice(n):
    """n × n bodies in space, each held by balls to its right and upper neighbour; sheets of n > 2 have dependent rows."""
    m = da.Model(f"lattice {n}", dim=3, gravity=(0, 0, "-g"), parameters={"g": 9.81})
    for a in range(n):
        for b in range(n):
            m.add(da.Body(f"b{a},{b}", mass=1 + 0.1 * a, inertia=(0.1, 0.1, 0.15), position=(a, b, 0)))
            for c, d in ((a - 1, b), (a, b - 1)):
                if min(c, d) >= 0:
                    m.add(da.Spherical(f"J{a},{b},{c}", f"b{c},{d}", f"b{a},{b}", at=((a + c) / 2, (b + d) / 2, 0)))
    m.add(da.Spherical("nail", "ground", "b0,0", at=(0.1, 0.2, 0)))
    return m


def test_a_lattice_takes_panels_by_itself(monkeypatch):
    model = lattice(7)
    system = model.compile()
    assert system.tables.panels.size > 0
    plain, panelled = both(model, monkeypatch)
    assert np.array_equal(panelled.tables.panels, system.tables.panels)
    a, b = agree(plain, panelled, 0.0, system.q_drawn, np.zeros(system.nv))
    assert a.report.dropped > 0
    for w in (a, b):
        w.run("begin")  # from here on dependent rows are left out beforehand, and columns are not even computed
        assert w.choice[0] == w.report.dropped > 0
        w.run("accelerations")
    scale = np.abs(a.vdot).max()
    np.testing.assert_allclose(b.vdot, a.vdot, rtol=0, atol=1e-9 * scale)


def test_gradients_of_a_lattice(monkeypatch):
    """Duals solve with the factors too."""
    found = []
    for much in (np.inf, -1):
        monkeypatch.setattr(pattern, "MUCH", much)
        pattern._pattern_of.cache_clear()
        model = lattice(3)
        assert (model.compile().tables.panels.size > 0) == (much < 0)
        found.append(da.sensitivities(model, ["g"], da.simulate, 0.1, times=[0.1], rtol=1e-9, method="forward",
                                      outputs={"z": lambda run: run["b2,2"].position[-1][2]}).gradient("z"))
    pattern._pattern_of.cache_clear()
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
