"""Arrays that bodies, elements, contacts and shapes hold cannot be written to: models and results share them."""

import contextlib
import copy
import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.elements.element import Element
from dalembert.elements.shapes import Shape


def arrays(value, path, seen):
    """All that can be reached from a thing of ours: where, and the array."""
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        yield path, value
    elif isinstance(value, (list, tuple, set, frozenset)):
        for k, x in enumerate(value):
            yield from arrays(x, f"{path}[{k}]", seen)
    elif isinstance(value, dict):
        for key, x in value.items():
            yield from arrays(x, f"{path}[{key!r}]", seen)
    elif type(value).__module__.startswith("dalembert") and hasattr(value, "__dict__"):
        yield from arrays(vars(value), f"{path}.", seen)


def held(model):
    seen = {}
    for e in (*model.bodies.values(), *model.elements.values(), *model.contacts.values(), *model.ground.shapes):
        yield from arrays(e, str(e), seen)


def in_arrays(e):
    """The same element, made from arrays wherever it may be."""
    given = {key: loosened(x) for key, x in e.given.items()}
    try:
        return type(e)(**given)
    except da.DalembertError:
        return type(e)(**{key: np.array(x, float) if numbers(x) else x for key, x in e.given.items()})


def numbers(x):
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(y, (int, float)) for y in x)


def loosened(x):
    if numbers(x):
        return np.array(x, float)
    return [loosened(y) for y in x] if isinstance(x, list) else x


def test_no_array_of_an_element_can_be_written_to(case):
    model = case.scene()
    for e in (*model.bodies.values(), *model.elements.values(), *model.contacts.values()):
        made = in_arrays(e)
        for again in (e, made, pickle.loads(pickle.dumps(made)) if portable(made) else made, copy.copy(made)):
            assert isinstance(again, (Element, Shape))
            for where, array in arrays(again, str(e), {}):
                assert not array.flags.writeable, where


def portable(e):
    try:
        pickle.dumps(e)
    except Exception:  # a law that is a function of a test
        return False
    return True


def test_nothing_in_the_package_writes_to_them(case):
    """Compiled, simulated and asked: the model holds what it held, and what it holds is still fixed."""
    model = case.scene()
    before = {where: array.tobytes() for where, array in held(model)}
    with contextlib.suppress(da.DalembertError):  # a scene or two are no mechanism
        da.simulate(model, 0.01)
    with contextlib.suppress(da.DalembertError):
        da.linearize(model)
    for where, array in held(model):
        assert not array.flags.writeable and before[where] == array.tobytes()


def spinning():
    b = da.Body("b", mass=1.0, inertia=np.diag([1.0, 2.0, 3.0]), omega=np.array([0.1, 2.0, 0.1]), position=np.zeros(3),
                shapes=[da.Box(np.array([1.0, 2.0, 3.0]))])
    m = da.Model("one", dim=3)
    m.add(b)
    return m, b


@pytest.mark.parametrize("way", [lambda b: b, copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))],
                         ids=["itself", "copy", "deep copy", "pickled"])
def test_writing_is_refused(way):
    _, b = spinning()
    b = way(b)
    for array in (b.inertia, b.given["inertia"], b.omega, b.position, b.shapes[0].size):
        with pytest.raises(ValueError, match="read-only"):
            array[..., 0] = 2.9
    with pytest.raises(da.ModelError, match="does not change once it is made"):
        b.inertia = np.eye(3)


def test_another_place_is_refused_in_words():
    """Where somebody reaches past the refusals, a run does not go on with what it was not."""
    m = da.Model("p", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "a", at=[0.0, 0.0]))
    run = da.simulate(m, 0.5)
    run.model["O"].at[0] = 0.3
    with pytest.raises(da.SimulationError, match=r"'p' cannot go on from what was kept of its run: .* Bring the model") as told:
        da.resume(run, until=0.7)
    assert told.type is da.SimulationError


def test_the_callers_arrays_stay_the_callers():
    mine = np.diag([1.0, 2.0, 3.0])
    b = da.Body("b", mass=1.0, inertia=mine)
    mine[0, 0] = 5.0
    assert b.inertia[0, 0] == 1.0


def test_gravity_is_changed_in_its_place():
    m = da.Model("one", dim=2, gravity=np.array([0.0, -9.81]))
    m.gravity[1] = -1.6
    assert m.gravity[1] == -1.6
