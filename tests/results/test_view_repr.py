"""What a view prints: who it is, when, and quantities that it has."""

import re

import pytest

import dalembert as da
from dalembert import catalog


def shown(view):
    head, _, listed = repr(view).partition(": ")
    return head, [re.fullmatch(r"(\w+) \[(.+)\]", item) for item in re.split(r", (?=\w+ \[)", listed)]


@pytest.mark.parametrize("name", ["four-bar", "slider-crank-spring", "spatial-four-bar", "planetary-gear", "rolling-disc"])
def test_quantities_that_are_listed_can_be_read(name):
    model = catalog.make(name)
    state = da.assemble(model)
    for owner in (*model.bodies, *model.elements):
        head, items = shown(state[owner])
        assert re.fullmatch(rf"\w+ '{re.escape(owner)}' of '{re.escape(model.name)}' at t = 0 s", head), head
        assert items and all(items)
        for item in items:
            assert hasattr(type(state[owner]), item[1]), (owner, item[1])


def test_motions_say_how_many_times():
    model = da.catalog.make("four-bar-driven")
    run = da.kinematics(model, 0.1, step=0.05)
    assert shown(run["A"])[0] == f"Revolute 'A' of '{model.name}' at 3 times"
    assert "\n" not in repr(run["crank"])
