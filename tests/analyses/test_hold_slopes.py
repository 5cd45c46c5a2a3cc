"""Exact derivatives inside ``hold`` against differences of whole trials: stiffness, length, mass, place, load; plane, space."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses import hold as module
from dalembert.analyses.statics.slopes import slopes
from dalembert.analyses.statics.trials import Trials


def arm():
    m = da.Model("arm", dim=2, gravity=(0, "-g"), parameters={"k": 100.0, "l": 0.8, "m": 4.0, "a": 0.4, "free": 0.1, "g": 9.81,
                                                              "turn": 0.3})
    m.add(da.Body("rod", mass="m", inertia="m*l**2/12", position=("l/2*cos(turn)", "l/2*sin(turn)"), angle="turn"))
    m.add(da.Revolute("O", m.ground, "rod", on_i=(0, 0), on_j=("-l/2", 0)))
    m.add(da.Spring("s", m.ground, "rod", on_i=(0, "a"), on_j=("0.1*l", 0), stiffness="k", length="free"))
    m.add(da.Torque("load", "rod", 0.0))
    return m


def in_space():
    m = da.Model("two in space", dim=3, gravity=(0.2, 0, -9.81), parameters={"k": 50.0, "m": 2.0, "b": 0.4})
    m.add(da.Body("rod", mass="m", inertia=("0.1*m", "0.2*m", "0.2*m + 0.1*b"), position=("b", 0, 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0, 0), axis=(0, 1, 0.2)))
    m.add(da.Spring("s", m.ground, "rod", on_i=(0.1, 0.3, 1.0), on_j=("b/2", 0, 0.1), stiffness="k", length=0.3))
    return m


def differences(trials, here):
    out = []
    for i, unit in enumerate(trials.unit):
        found = []
        for h in (1e-3 * unit, 5e-4 * unit):
            e = np.zeros(len(here.p))
            e[i] = h
            found.append((trials(here.p + e).g - trials(here.p - e).g) / (2 * h))
        out.append(found[1] + (found[1] - found[0]) / 3)
    return np.column_stack(out)


@pytest.mark.parametrize(("make", "names"), [(arm, ["k", "l", "m", "a", "free", "g", "turn", "load"]),
                                             (in_space, ["k", "m", "b"]),
                                             (lambda: catalog.make("four-bar-springs"), ["k", "l2"]),
                                             (lambda: catalog.make("slider-crank-spring"), ["k"])])
def test_slopes_are_those_of_trials(make, names):
    m = make()
    names = [n for n in names if n in m.parameters or n == "load"]
    assert names
    trials = Trials(m, names, 0.0, None)
    here = trials.at(trials.start)
    found = slopes(trials, here)
    wanted = differences(trials, here)
    size = np.abs(wanted).max(axis=0)
    assert found is not None and np.all(size > 0.0)
    assert np.all(np.abs(found - wanted) <= 1e-8 * size), (found, wanted)


def plate():
    """On three springs, whose stiffnesses shall hold it as it is drawn: three unknowns, which enter linearly through the pose."""
    m = da.Model("plate", dim=2, gravity=(1.5, -9.81), parameters={"k1": 30.0, "k2": 50.0, "k3": 20.0})
    m.add(da.Body("plate", mass=2.0, inertia=0.3, position=(0.5, 0.0), angle=0.1))
    for k, (x, y, on) in enumerate([(-0.2, 1.0, -0.5), (1.3, 1.2, 0.5), (-1.0, -0.1, -0.4)], 1):
        m.add(da.Spring(f"s{k}", m.ground, "plate", on_i=(x, y), on_j=(on, 0.05 * k), stiffness=f"k{k}", length=0.2))
    return m


def test_hold_of_several_goes_by_them(monkeypatch):
    """One trial per step of Newton's instead of seven; the same answer."""
    counts, answers, old = [], [], Trials.at
    for way in (slopes, lambda *_: None):
        count = 0

        def counted(self, p):
            nonlocal count
            count += 1
            return old(self, p)

        with monkeypatch.context() as patch:
            patch.setattr(module, "slopes", way)
            patch.setattr(Trials, "at", counted)
            answers.append(da.hold(plate(), ["k1", "k2", "k3"]).values)
        counts.append(count)
    for n in answers[0]:
        assert answers[0][n] == pytest.approx(answers[1][n], rel=1e-10)
    assert counts[0] < 0.6 * counts[1]


def test_what_has_no_exact_slopes_is_left_to_differences():
    m, names = plate(), ["k1", "k2", "k3"]
    state = da.assemble(m)
    trials = Trials(m, names, 0.0, state)
    assert slopes(trials, trials.at(trials.start)) is None
    a, b = da.hold(m, names, state=state), da.hold(m, names)
    assert all(a.values[n] == pytest.approx(b.values[n], rel=1e-10) for n in names)
