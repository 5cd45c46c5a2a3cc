"""What is given belongs to the model: who changes a list, a dict or an array afterwards changes neither model nor results.

Every element of every contract case is made again from lists and arrays, which are spoilt after it was made.
"""

import numpy as np
import pytest

import dalembert as da
from dalembert.elements.element import Element


def loose(value):
    """The same in lists and dicts that can be changed."""
    if isinstance(value, (list, tuple)):
        return [loose(x) for x in value]
    if isinstance(value, dict):
        return {key: loose(x) for key, x in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def spoil(value):
    """Change all that can be changed; whether there was anything."""
    if isinstance(value, list):
        inner = [spoil(x) for x in value]
        value[:] = ["spoilt"]
        return bool(inner)
    if isinstance(value, dict):
        inner = [spoil(x) for x in value.values()]
        value.clear()
        return bool(inner)
    if isinstance(value, np.ndarray) and value.size:
        value[...] = 7.25
        return True
    return False


def told(value, seen=()):
    """All that a thing holds, as something that compares; references by name."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(told(x, seen) for x in value)
    if isinstance(value, dict):
        return tuple((key, told(x, seen)) for key, x in value.items())
    if isinstance(value, Element) and seen:
        return value.name
    if hasattr(value, "__dict__") and not callable(value) and not any(value is x for x in seen):
        return type(value).__name__, told(vars(value), (*seen, value))
    return repr(value)


def test_elements_keep_what_they_were_given(case):
    model = case.scene()
    for e in (*model.bodies.values(), *model.elements.values(), *model.contacts.values()):
        given = {key: loose(x) if key != "name" else x for key, x in e.given.items()}
        try:
            made = type(e)(**given)
        except da.DalembertError:  # two bodies in a tuple mean a coordinate; a list of them does not everywhere
            given = {key: np.array(x, float) if _numbers(x) else x for key, x in e.given.items()}
            made = type(e)(**given)
        before = told(made)
        for key, x in given.items():
            if key != "name":
                spoil(x)
        assert told(made) == before, made


def _numbers(x):
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(y, (int, float)) for y in x)


KINDS = {"array": np.array, "list": list}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_run_goes_on_as_it_began(kind):
    def given():
        return {"gravity": kind([0.0, -9.81]), "position": kind([1.0, 0.5]), "velocity": kind([0.2, 0.0]), "at": kind([0.0, 0.5]),
                "times": kind([0.0, 0.1, 0.2, 0.3])}

    def run(g):
        m = da.Model("one", dim=2, gravity=g["gravity"])
        m.add(da.Body("b", mass=2.0, inertia=0.3, position=g["position"], shapes=[da.Box(kind([1.0, 0.2]))]))
        m.add(da.Revolute("O", "ground", "b", at=g["at"]))
        m.add(da.Force("f", "b", (3.0, "t")))
        return m, da.simulate(m, times=g["times"])

    _, whole = run(given())
    expected = da.resume(whole, until=0.6)
    mine = given()
    model, first = run(mine)
    for x in mine.values():
        x[-1] = x[-1] + 0.04
    again = da.simulate(model, times=[0.0, 0.1, 0.2, 0.3])
    assert np.array_equal(again.q, whole.q)
    assert np.array_equal(da.resume(first, until=0.6).q, expected.q)


def test_gravity_that_was_assigned_reaches_no_result():
    m = da.Model("one", dim=2)
    m.gravity = g = np.array([0.0, -9.81])
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(0.0, 0.0)))
    run = da.simulate(m, 0.2, step=0.1)
    height = run["b"].y[-1]
    g[1] = 50.0
    assert da.resume(run, until=0.4)["b"].y[-1] < height
    assert np.allclose(run.energy.residual, 0.0, atol=1e-9)


def test_lists_of_a_users_own_class_stay_the_users():
    class Marked(da.Revolute):
        def __init__(self, name, i, j, at, log):
            super().__init__(name, i, j, at=at)
            object.__setattr__(self, "log", log)

    log: list = []
    joint = Marked("O", "ground", "b", at=(0, 0), log=log)
    assert joint.log is log
