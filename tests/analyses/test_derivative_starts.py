"""What is given at the start is met for every value of the parameters: it moves as its formula does, however joints are drawn.

δ of a joint's coordinate and rate in the first sample is the derivative of what ``m.initial`` says of it; through axes, arms and
lengths that move as well, and through what other joints are given.
"""

import numpy as np
import pytest

import dalembert as da


def plane(random):
    """An arm, a slide across it and a hinge on the slide: lengths, the direction of the slide and the rates are parameters."""
    numbers = {n: float(random.uniform(0.3, 1.2)) for n in ("l", "turned", "r", "u", "aside", "c", "s")}
    m = da.Model("plane", dim=2, gravity=(0, -9.81), parameters=numbers)
    m.add(da.Body("arm", mass=1.0, inertia=0.2, position=("l*cos(c)", "l*sin(c)"), angle="c"))
    m.add(da.Revolute("O", m.ground, "arm", on_i=(0, 0), on_j=("-l", 0)))
    m.add(da.Body("slide", mass=0.5, inertia=0.1, position=("l*cos(c)", "l*sin(c)"), angle="c + turned"))
    m.add(da.Prismatic("P", "arm", "slide", on_i=(0, "aside"), on_j=(0, 0), axis_i=("cos(turned)", "sin(turned)"), axis_j=(1, 0)))
    m.add(da.Body("tip", mass=0.3, inertia=0.05, com=("aside", 0.1), position=("l*cos(c)", "l*sin(c)"), angle=0.4))
    m.add(da.Revolute("E", "slide", "tip", on_i=("l/3", 0), on_j=(0, "l")))
    given = {"O": ("c", "r"), "P": ("s - aside", "u*r"), "E": ("c*s", "2*u - l")}
    return m, given


def space(random):
    """A hinge whose axis turns with parameters, a slide on it that crosses the arm, and a screw."""
    numbers = {n: float(random.uniform(0.3, 1.0)) for n in ("l", "turned", "r", "u", "aside", "c", "s")}
    m = da.Model("space", dim=3, gravity=(0.5, 0, -9.81), parameters=numbers)
    m.add(da.Body("arm", mass=1.0, inertia=(0.2, 0.3, 0.25), com=("l/2", 0, 0.1)))
    m.add(da.Revolute("O", m.ground, "arm", at=("aside", 0, 0), axis=("sin(turned)", "0.3*aside", "cos(turned)")))
    m.add(da.Body("slide", mass=0.5, inertia=(0.1, 0.2, 0.15), position=("l", 0.2, "s")))
    m.add(da.Prismatic("P", "arm", "slide", at=("l", 0, 0), axis=("cos(turned)", "sin(turned)", "l")))
    m.add(da.Body("tip", mass=0.2, inertia=(0.03, 0.02, 0.04), position=("l", "l", "s")))
    m.add(da.Screw("E", "slide", "tip", at=("l", "l", 0), axis=("aside", 1, 0), pitch="0.2*l"))
    given = {"O": ("c", "r"), "P": ("s - aside", "u*r"), "E": ("0.3*s*l", "2*u - l")}
    return m, given


def slope(formula, numbers, name):
    """The derivative of a formula, by its own differences of order eight."""
    def at(x):
        return eval(formula, {"__builtins__": {}}, {**numbers, name: x})

    h = 1e-2 * numbers[name]
    weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    return sum(w * (at(numbers[name] + k * h) - at(numbers[name] - k * h)) for k, w in enumerate(weights, 1)) / h


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [plane, space])
def test_what_is_given_at_the_start_moves_as_its_formula_does(make, seed):
    m, given = make(np.random.default_rng(seed))
    for name, (coordinate, rate) in given.items():
        m.initial(name, coordinate=coordinate, rate=rate)
    numbers = m.parameter_values()

    run = da.simulate(m, 0.1, times=[0.0, 0.1])
    for parameter in numbers:
        d = run.derivative(parameter)
        for name, (coordinate, rate) in given.items():
            assert d[name].coordinate[0] == pytest.approx(slope(coordinate, numbers, parameter), rel=1e-9, abs=1e-9)
            assert d[name].rate[0] == pytest.approx(slope(rate, numbers, parameter), rel=1e-9, abs=1e-9)
