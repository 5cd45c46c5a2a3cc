"""What parameters move, of a model that was differentiated before: what it is known by, and that it is what would be found."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.derived import again, moves
from dalembert.model.content import shape, with_numbers
from dalembert.model.moving import Unmoved
from dalembert.results.motion import State

NAMES = {"four-bar": ["l1", "l2", "m3", "omega2"], "bricard": ["l", "m", "g"], "four-bar-springs": None, "whipple": None}


@pytest.fixture(autouse=True)
def nothing_known():
    again._KNOWN.clear()
    again._SEEN.clear()
    yield
    again._KNOWN.clear()
    again._SEEN.clear()


def chosen(name, model):
    return NAMES[name] or [n for n, x in model.parameters.items() if not isinstance(x, str)][:5]


def asked(model, names, t=0.0, given=False):
    state = da.assemble(model, t)
    start = State(model, state.system, t, state.q, state.v) if given else None
    return moves.exactly(model, state.system, list(names), t, start, None, (state.q, state.v))


def bits(found):
    return [(m.name, m.value, m.step, m.idle, m.changed, m.q.tobytes(), m.v.tobytes(),
             {field: array.tobytes() for field, array in m.tables.items()}) for m in found]


def anew(*given, **options):
    """The same, where nothing is known."""
    kept = dict(again._KNOWN)
    again._KNOWN.clear()
    try:
        return bits(asked(*given, **options))
    finally:
        again._KNOWN.update(kept)


@pytest.fixture
def counted(monkeypatch):
    """How often slopes were computed."""
    times, old = [], moves.slopes_of

    def slopes_of(*given):
        times.append(1)
        return old(*given)

    monkeypatch.setattr(moves, "slopes_of", slopes_of)
    return times


@pytest.mark.parametrize("name", NAMES)
def test_the_same_bits_as_found_anew(name, counted):
    first = bits(asked(catalog.make(name), chosen(name, catalog.make(name))))
    for _ in range(3):
        model = catalog.make(name)  # another object that says the same
        found = asked(model, chosen(name, model))
        assert bits(found) == first
    assert len(counted) == 2  # known from the second time on
    assert found[0].build(0.5).parameters[found[0].name] == 0.5
    assert model.parameters[found[0].name] == found[0].value  # variants are those of the model at hand
    other = found[0].build(found[0].value * 1.1)
    assert all(other.elements[n] is e for n, e in model.elements.items())


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_gradients_have_the_same_bits(method, counted):
    found = [da.sensitivities(catalog.make("four-bar"), ["l1", "m3"], da.simulate, 0.5, method=method, rtol=1e-8,
                              formulation="augmented", outputs={"x": "last A.coordinate"}).gradient("x") for _ in range(4)]
    assert all(np.array_equal(found[0], x) for x in found) and len(counted) == 2


@pytest.mark.parametrize("name", ["four-bar", "bricard"])
def test_every_number_of_a_model_counts(name):
    """Each of them changed by itself: what is found is what would be found with nothing known."""
    model = catalog.make(name)
    names = chosen(name, model)
    for _ in range(2):
        asked(model, names)
    assert len(again._KNOWN) == 1
    count, told = len(shape(model)[1]), 0
    for k in range(count):
        place = iter(range(count))
        other = with_numbers(model, lambda x, k=k, place=place: x * (1.0 + 1e-12) + 1e-200 if next(place) == k else x)
        try:
            wanted = anew(other, names)
        except (Unmoved, da.DalembertError):
            continue
        assert bits(asked(other, names)) == wanted
        told += 1
    assert told > count // 2


def test_the_question_counts():
    """Names and their order, the time, whether the start is given, values that are not the model's own."""
    model = catalog.make("four-bar")
    names, values = ["l1", "l2", "omega2"], model.parameter_values()
    for _ in range(2):
        asked(model, names)
    questions = {"names": names[::-1]}, {"names": names[:2]}, {"names": names, "t": 0.1}, {"names": names, "given": True}
    for question in questions:
        assert bits(asked(model, **question)) == anew(model, **question)
    state = da.assemble(model)
    near = {**values, "l1": np.nextafter(values["l1"], 9.0)}
    keys = {again.key_of(model, names, own, t, fresh, (q, state.v)) for own in (None, values, near) for t in (0.0, -0.0)
            for fresh in (True, False) for q in (state.q, state.q + 1e-16)}
    assert len(keys) == 3 * 2 * 3  # a start that is given does not move, wherever it is
    assert len(again._KNOWN) == 1 + len(questions)


def test_tables_that_were_changed_behind_are_seen():
    """Slopes belong to tables: where those at hand are others, nothing is known, and the second opinion says so."""
    model = catalog.make("four-bar")
    for _ in range(3):
        found = asked(model, ["l1"])
    state = da.assemble(model)
    other = catalog.make("four-bar").compile()  # its own memory
    other.tables.markers["s"][-1] *= 1.5
    key = again.key_of(model, ["l1"], None, 0.0, True, (state.q, state.v))
    assert again.known(key, state.system) and not again.known(key, other)
    with pytest.raises(Unmoved):
        moves.exactly(model, other, ["l1"], 0.0, None, None, (state.q, state.v))
    for array in (found[0].q, found[0].v, found[0].tables["bodies"]):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = np.zeros((), array.dtype)


def test_what_nobody_can_know_again_is_not_kept(monkeypatch):
    law = catalog.make("four-bar")
    law.add(da.Torque("T", next(iter(law.bodies)), lambda t: 0.1 * t))
    bent = da.Model("bent", dim=2, parameters={"p": 0.0})
    bent.add(da.Body.rod("rod", (0.0, 0.0), (1.0, 0.0), mass=1.0))
    bent.add(da.Revolute("A", bent.ground, "rod", at=(0.0, 0.0)))
    bent.add(da.TorsionSpring("S", "A", stiffness="1 + abs(p)"))
    for _ in range(3):
        asked(law, ["l1"])
        with pytest.raises(Unmoved):
            asked(bent, ["p"])
    assert not again._KNOWN
    monkeypatch.setattr(again, "LARGEST", 100)
    for _ in range(3):
        asked(catalog.make("four-bar"), ["l1"])
    assert not again._KNOWN


def test_only_so_many_are_kept():
    for k in range(again.KEPT + 4):
        m = catalog.make("four-bar")
        m.parameters["l1"] *= 1.0 + 1e-6 * k
        for _ in range(2):
            asked(m, ["l1"])
    assert len(again._KNOWN) == again.KEPT
