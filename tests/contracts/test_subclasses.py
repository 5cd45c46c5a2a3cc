"""No number depends on a name: every element as a user's subclass of another name gives the same numbers everywhere.

Elements are made again as ``class My…(Revolute)`` with a constructor of their own.  Names that analyses use inside are free.
"""

import numpy as np
import pytest
from contract_cases import CASES
from contract_scene import assert_near

import dalembert as da
from dalembert.analyses.driven.actuators import components
from dalembert.formulations.augmented.newton.layout import coupled_bodies

READ = ("force", "torque", "multipliers", "coordinate", "rate", "length", "generalized", "power")


def renamed(model):
    """The model with every element (and body) of a class of the user's own."""
    other = model.copy()
    for part in (other.bodies, other.elements):
        for name, e in part.items():
            part[name] = derived(type(e))(**e.given)
    return other


def derived(base):
    def init(self, name, **kw):
        base.__init__(self, name, **kw)

    return type(f"My{base.__name__}", (base,), {"__init__": init})


def numbers(now, name):
    view, found = now[name], {}
    for what in READ:
        try:
            found[what] = np.array(getattr(view, what), dtype=float)
        except (da.DalembertError, AttributeError) as error:
            found[what] = type(error).__name__
    return found


def test_tables_and_views(case):
    """Same tables, so the same equations; same readings of every element; same parts of the virtual work."""
    model = case.scene()
    own = renamed(model)
    one, two = model.compile(), own.compile()
    for key in one.tables._fields:
        a, b = getattr(one.tables, key), getattr(two.tables, key)
        if key not in ("laws", "user_force"):  # addresses of functions
            assert a.tobytes() == b.tobytes(), key
    assert coupled_bodies(one) == coupled_bodies(two)
    assert one.groups == two.groups and one.teeth == two.teeth
    assert [c.label for c in components(model)] == [c.label for c in components(own)]
    w = next(iter(case.consistent(1)))[0]
    states = [da.accelerations(m, _state(m, s, w), w.t[0]) for m, s in ((model, one), (own, two))]
    for name in model.elements:
        first, second = (numbers(s, name) for s in states)
        for what, value in first.items():
            if isinstance(value, str):
                assert second[what] == value, (name, what)
            else:
                assert_near(value, second[what], 1e-12)


def _state(model, system, w):
    from dalembert.results.motion import State
    return State(model, system, float(w.t[0]), w.q.copy(), w.v.copy())


def machine(own):
    """A bit of everything, with and without classes of one's own."""
    m = da.Model("m", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1))
    m.add(da.Body.rod("b", (1, 0), (1.5, 0.4), mass=0.7))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("A", "a", "b", at=(1, 0)))
    m.add(da.Spring("s", m.ground, "b", at_i=(0.4, 1.0), at_j=(1.5, 0.4), stiffness=40, damping=0.3, length=0.5))
    m.add(da.TorsionSpring("k", "A", stiffness=3.0, damping=0.1))
    m.add(da.Motor("p", "O", "0.3 - 0.2*rate"))
    return renamed(m) if own else m


def test_linearize_derive_and_run():
    one, two = machine(False), machine(True)
    rest = [da.equilibrium(m) for m in (one, two)]
    np.testing.assert_allclose(rest[0]["s"].force, rest[1]["s"].force, rtol=1e-12)
    lin = [da.linearize(m, at=r) for m, r in zip((one, two), rest, strict=True)]
    np.testing.assert_allclose(lin[0].A, lin[1].A, rtol=0, atol=1e-9 * np.abs(lin[0].A).max())
    runs = [da.simulate(m, 0.2, integrator="radau") for m in (one, two)]
    assert np.array_equal(runs[0].q, runs[1].q)
    assert np.array_equal(runs[0]["s"].force, runs[1]["s"].force)
    works = [da.virtual_work(m).external for m in (one, two)]
    assert works[0] == pytest.approx(works[1])
    assert da.derive(two, "lagrange").verify().ok


def test_a_spring_by_any_name_pulls():
    """5 N of tension read as +5 N, whatever the class is called; a class of the user called Spring is not that of the files."""
    class Strut(da.Spring):
        pass

    class Spring(da.Spring):
        pass

    for cls in (da.Spring, Strut, Spring):
        m = da.Model("m", dim=2)
        m.add(da.Body("a", mass=1, inertia=1, position=(1, 0)))
        m.add(cls("s", m.ground, "a", at_i=(0, 0), at_j=(1, 0), stiffness=10, length=0.5))
        assert da.accelerations(m)["s"].force == pytest.approx(5.0)
    m = da.Model("m", dim=2)
    m.add(da.Body("a", mass=1, inertia=1, position=(1, 0)))
    m.add(da.Spring("s", m.ground, "a", at_i=(0, 0), at_j=(1, 0), stiffness=10))
    from dalembert.io.files import dumps, loads
    assert type(loads(dumps(m), "toml")["s"]) is da.Spring


def test_names_used_inside_are_free():
    """Elements called like events, edges, initial conditions, gravity and inertia act as any other."""
    def falling(*names):
        m = da.Model("m", dim=2, gravity=(0, -1.0))
        m.add(da.Body("a", mass=1, inertia=1))
        m.add(da.Prismatic("slide", m.ground, "a", axis=(0, 1)))
        for name in names:
            m.add(da.Force(name, "a", (0, 2.0 / len(names))))
        m.add(da.Limit("stop", "slide", upper=5.0, stiffness=1e3))
        m.initial("a.y", rate=0.5)
        return m

    odd = ("event 0", "edge 0", "initial rate of a y", "gravity", "inertia")
    runs = [da.simulate(falling(*names), 1.0, events="a.y - 0.3") for names in (("F",), odd)]
    np.testing.assert_allclose(runs[0]["a"].position, runs[1]["a"].position, rtol=0, atol=1e-12)
    assert len(runs[1].events) == 1
    now = da.accelerations(falling(*odd))
    assert da.resultant(now, "a").force[1] == pytest.approx(1.0)
    assert da.resultant(now, "a", "inertia").force[1] == pytest.approx(0.4)
    assert da.resultant(now, "a", "model.inertia").force[1] == pytest.approx(-1.0)
    work = da.virtual_work(falling(*odd), {"a.y": 1.0})
    assert work.external_total == pytest.approx(1.0) and work.external["gravity"] == pytest.approx(0.4)
    with pytest.raises(da.ModelError):
        da.Force("`event 0`", "a", (0, 1))


def test_results_with_events_come_back(tmp_path):
    m = da.Model("m", dim=2, gravity=(0, -1.0))
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(da.Force("event 0", "a", (0, 3.0)))
    run = da.simulate(m, 1.0, events="a.y - 0.3")
    run.save(tmp_path / "r.h5")
    back = da.load(tmp_path / "r.h5")
    np.testing.assert_allclose(back["event 0"].force, run["event 0"].force)
    assert CASES
