"""Functions that handle exceptions are no formulas; parameters whose names mean something are refused whichever way they come."""

import math

import pytest

import dalembert as da
from dalembert.errors import ModelError


def slider():
    m = da.Model("c", dim=2, parameters={"k": 2.0})
    m.add(da.Body("cart", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("rail", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    return m


def guarded(t, x):
    try:
        return math.sqrt(x - 1.0)
    except ValueError:
        return -1.0


def test_a_law_that_handles_an_exception_gives_what_python_gives():
    for law in (guarded, da.Law(guarded, reads=["rail.slide"])):
        m = slider()
        m.add(da.Motor("q", "rail", law))
        assert da.accelerations(m)["q"].force == -1.0


@pytest.mark.parametrize("way", [lambda p: p.update({"t": 7.0}), lambda p: p.update(sin=7.0), lambda p: p.__ior__({"t": 7.0}),
                                 lambda p: p.setdefault("t", 7.0)])
def test_names_of_parameters_are_looked_at_whichever_way_they_come(way):
    m = slider()
    with pytest.raises(ModelError, match=r"taken by time|choose a name that formulas can spell"):
        way(m.parameters)
    m.parameters.update(k=3.0, j=1.0)
    assert m.parameters == {"k": 3.0, "j": 1.0} and m.parameters.setdefault("k", 9.0) == 3.0


def test_a_state_with_the_name_of_a_constant_says_so():
    m = slider()
    m.add(da.Differential("e", "1"))
    with pytest.raises(ModelError, match=r"'e' means something else already \(a constant\)"):
        m.compile()
