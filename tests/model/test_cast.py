"""Variants that are cast by a program from numbers to tables: the very bytes that compiling gives, or no answer."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.elements.element import Element
from dalembert.errors import DalembertError
from dalembert.model import cast
from dalembert.model.compile import compile_model
from dalembert.model.content import shape
from dalembert.model.tape import Untraceable
from dalembert.model.tape_builder import TapeBuilder

GIVEN = [name for name in catalog.EVERY if "large" not in catalog.EVERY[name].tags]
SURELY = ("four-bar", "slider-crank", "n-four-bar", "two-link-arm", "pendulum", "four-bar-springs", "bricard", "spatial-four-bar",
          "chain-in-space", "gyroscope", "delta-robot")  # nothing varies in their laws


@pytest.fixture(autouse=True)
def forgotten():
    for store in (cast._SEEN, cast._MOULDS):
        store.clear()
    yield
    for store in (cast._SEEN, cast._MOULDS):
        store.clear()


def assert_same(found, wanted):
    for name in (*found.tables._fields, "q_drawn", "v_drawn"):
        a, b = (getattr(s.tables, name) if name in s.tables._fields else getattr(s, name) for s in (found, wanted))
        assert a.dtype == b.dtype and a.tobytes() == b.tobytes(), name
    for name in cast.STRUCTURE:
        assert getattr(found, name) == getattr(wanted, name), name
    assert found.words[1::2].tolist() == wanted.words[1::2].tolist()


def varied(model, names, random):
    other = model.copy()
    for name in names:
        other.parameters[name] = float(model.parameters[name]) * (1.0 + 0.02 * random.standard_normal())
    return other


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_cast_is_what_compiling_gives(name):
    model = catalog.make(name)
    said, numbers = shape(model)
    names, random = [n for n, x in model.parameters.items() if type(x) is float], np.random.default_rng(3)
    if said is None or not names:
        return
    try:
        mould = cast.Mould(model, numbers, compile_model(model))
    except (Untraceable, TypeError):
        assert name not in SURELY
        return
    answered = 0
    for part in (0.2, 0.5, 1.0):
        other = varied(model, [n for n in names if random.random() < part], random)
        try:
            wanted = compile_model(other)
        except DalembertError:  # the whole moments of a body, for instance
            continue
        again, numbers = shape(other)
        assert again == said
        found = mould.cast(numbers)
        if found is not None:
            answered += 1
            assert_same(found, wanted)
    assert answered == 3 or name not in SURELY


def rods(**parameters):
    m = da.Model("rods", dim=2, gravity=(0, "-g"), parameters={"l": 1.0, "m": 1.0, "g": 9.81, "k": 3.0, **parameters})
    m.add(da.Body.rod("a", (0, 0), ("l", 0), mass="m"))
    m.add(da.Body("b", mass="2*m", inertia="m*l**2", position=("l", "l/2"), angle="k/10", com=(0, "l/9"), omega="k"))
    m.add(da.Revolute("A", "ground", "a", at=(0, 0)))
    m.add(da.Revolute("B", "a", "b", at=("l", 0)))
    m.add(da.Spring("s", "ground", "b", at_i=(0, "l"), on_j=(0, 0), stiffness="k", damping="k/9", length="l/2"))
    return m


def taken(m):
    return cast.compiled(m, *shape(m))


def numbers_of(**parameters):
    return shape(rods(**parameters))[1]


def test_a_shape_that_keeps_coming_is_cast(monkeypatch):
    random, times = np.random.default_rng(1), []
    monkeypatch.setattr(cast, "compile_model", lambda m: times.append(1) or compile_model(m))
    for _ in range(12):
        m = varied(rods(), ("l", "m", "g", "k"), random)
        assert_same(taken(m), compile_model(m))
    assert len(times) == cast.OFTEN + 1  # the last was compiled to try the program


def test_a_parameter_that_was_never_tried_is_compiled():
    random = np.random.default_rng(1)
    for _ in range(8):
        taken(varied(rods(), ("l",), random))
    (mould,) = cast._MOULDS.values()
    assert len(mould.proven) == 1 and mould.knows(numbers_of(l=1.3)) and not mould.knows(numbers_of(m=2.0))
    assert_same(taken(rods(m=2.0)), compile_model(rods(m=2.0)))
    assert len(mould.proven) == 2 and mould.knows(numbers_of(m=2.5))


def test_another_decision_is_not_cast():
    random = np.random.default_rng(1)
    for _ in range(8):
        taken(varied(rods(), ("l", "m", "g", "k"), random))
    (mould,) = cast._MOULDS.values()
    for wrong in ({"l": 0.0}, {"m": -1.0}, {"m": 0.0}):
        assert mould.knows(numbers_of(**wrong)) and mould.cast(numbers_of(**wrong)) is None
    assert not mould.knows(numbers_of(m=float("inf")))
    for wrong in ({"l": 0.0}, {"m": -1.0}, {"m": float("inf")}):
        with pytest.raises(DalembertError) as told:
            taken(rods(**wrong))
        with pytest.raises(DalembertError) as plain:
            compile_model(rods(**wrong))
        assert str(told.value) == str(plain.value)


def hanging(length, mass=2.0, at=0.5):
    """Numbers written into the model itself."""
    m = da.Model("hanging", dim=3, gravity=(0.0, 0.0, -9.81), parameters={"l": length})
    m.add(da.Body("a", mass=mass, inertia=(0.3, 0.3, 0.1 * mass), position=(at, 0.0, -1.0), rotation=("xz", [at, 0.2])))
    m.add(da.Body.rod("b", (at, 0.0, -1.0), (at, 0.3, -1.0 - length), mass=mass, radius=0.02 * length))
    m.add(da.Spherical("A", "ground", "a", at=(at, 0.1, 0.0)))
    m.add(da.Revolute("B", "a", "b", at=(at, 0.0, -1.0), axis=(1.0, 0.0, 0.0)))
    m.add(da.Spring("s", "ground", "b", at_i=(2.0 * at, 0.0, 0.0), on_j=(0.0, 0.0, 0.0), stiffness=7.0 * mass))
    return m


def test_numbers_in_the_model_itself_may_be_others_too(monkeypatch):
    random, times = np.random.default_rng(1), []
    monkeypatch.setattr(cast, "compile_model", lambda m: times.append(1) or compile_model(m))
    for _ in range(9):
        m = hanging(*(1.0 + 0.1 * random.standard_normal(3)))
        assert_same(taken(m), compile_model(m))
    assert len(times) == cast.OFTEN + 1


class Peeping(Element):
    """Reads a parameter past the builder."""

    kind = "force"

    def __init__(self, name, body):
        self.name, self.body, self.stiffness, self.damping = name, body, 0.0, 0.0

    def build(self, b):
        b.effort(self, b.coordinate(f"{self.body}.x", self), 7.0 * b.model.parameter_values()["k"], None, 1.0, ("t",))


def test_who_reads_past_the_tape_is_found_out():
    random = np.random.default_rng(1)
    for _ in range(10):
        m = varied(rods(), ("k",), random)
        m.add(Peeping("p", "b"))
        assert_same(cast.compiled(m, b"peeping", numbers_of(k=m.parameters["k"])), compile_model(m))
    assert cast._MOULDS == {b"peeping": None}


def test_a_number_that_leaves_the_tape_is_asked_for():
    b = TapeBuilder(hanging(1.0))
    tape, x = b.tape, b.numbers["l"]
    assert float(x * 2.0) == 2.0 and f"{x + 1.0:g}" == "2" and np.asarray(b.vector(("l", 3, 0), "v")).tolist() == [1, 3, 0]
    assert x < 1.5 and (x == 2.0) is False and {x - 1.0: 3}[0.0] == 3
    run, given = tape.program([x]), shape(hanging(1.0))[1]
    place = given.index(1.0)
    nearly = [1.0 + 1e-15 if k == place else y for k, y in enumerate(given)]
    assert run(*given) == [1.0] and run(*nearly) is None
    loose = TapeBuilder(hanging(1.0))
    assert loose.numbers["l"] < 1.5
    for y, answer in ((1.25, [1.25]), (1.75, None)):
        given[place] = y
        assert loose.tape.program([loose.numbers["l"]])(*given) == answer


def test_a_row_of_a_sweep_is_what_simulate_gives(monkeypatch):
    rows = [{"l": 0.8 + 0.05 * k, "m": 1.0 + 0.1 * k, "k": 2.0 + 0.3 * k} for k in range(9)]
    outputs = {str(k): lambda run, k=k: float(run.q[-1, k]) for k in range(6)}
    table = da.sweep(rods(), rows, da.simulate, 0.5, times=[0.25, 0.5], outputs=outputs, workers=1)
    assert any(mould is not None and mould.proven for mould in cast._MOULDS.values())
    monkeypatch.setattr(cast, "OFTEN", 1000)
    cast._MOULDS.clear()
    for k, row in enumerate(rows):
        run = da.simulate(rods(**row), 0.5, times=[0.25, 0.5])
        assert run.q[-1].tolist() == [table[name][k] for name in outputs]


@pytest.mark.parametrize("other", [-0.0, 5e-324, float("nan")])
def test_a_zero_of_the_other_sign_is_another_number(other):
    mould = object.__new__(cast.Mould)
    mould.numbers, mould.proven = [0.0, 1.0], set()
    assert mould.knows([0.0, 1.0]) and not mould.knows([other, 1.0])
    mould.proven = {0}
    assert mould.knows([other, 1.0]) == math.isfinite(other)


def test_a_decision_on_a_zero_asks_for_its_sign():
    from dalembert.model.tape import _same

    for a, b in ((0.0, -0.0), (1.0, math.nextafter(1.0, 2.0))):
        assert _same(a, a) and _same(b, b) and not _same(a, b) and not _same(b, a)
        assert _same(np.array([a]), np.array([a])) and not _same(np.array([a]), np.array([b]))


def test_shapes_that_pass_by_cost_no_mould():
    """Moulds go when another takes their place, not when a model comes by that has none."""
    cast._MOULDS.update({f"other {k}".encode(): None for k in range(cast.KEPT)})
    before = dict(cast._MOULDS)
    for _ in range(cast.OFTEN - 1):
        taken(rods())
    assert before == cast._MOULDS
    taken(rods())
    assert len(cast._MOULDS) == cast.KEPT and len(cast._MOULDS.keys() - before.keys()) == 1
