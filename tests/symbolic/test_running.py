"""Derived equations run: as a compiled function, in simulate, with other parameters, and in Python mode."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import text_models

import dalembert as da
from dalembert import catalog
from dalembert.symbolic.numbers.states import random_states


@pytest.mark.parametrize(
    ("name", "method", "coordinates", "joint", "until"),
    [
        ("two-link-arm", "lagrange", None, "elbow", 1.0),
        ("slider-crank", "virtual-work", ["O"], "O", 1.0),
        ("four-bar", "virtual-work", ["A"], "A", 1.0),
        ("four-bar", "lagrange", None, "A", 1.0),
        ("rod-on-block", "dalembert", None, "O", 1.0),
        ("andrews", "virtual-work", ["O"], "O", 0.03),
        ("double-pendulum", "newton-euler", ["O", "A"], "A", 1.0),
    ],
)
def test_minimal_motion_is_the_engines(name, method, coordinates, joint, until):
    model = catalog.make(name)
    eqs = da.derive(model, method, coordinates)
    mine = da.simulate(eqs, until, rtol=1e-10, atol=1e-12)
    run = da.simulate(model, until, rtol=1e-10, atol=1e-12)
    assert mine.t == pytest.approx(run.t)
    assert np.abs(mine[joint].coordinate - run[joint].coordinate).max() < 1e-7
    assert mine.drift < 1e-7


def test_closed_loops_need_no_dependent_coordinates():
    f = da.derive(catalog.make("andrews"), "virtual-work", ["O"]).function()
    assert f.positions == ["O"] and f.speeds == ["O"]


def test_function_is_evaluate():
    model = text_models.two_link()
    eqs = da.derive(model, "dalembert")
    f = eqs.function()
    for state in random_states(model, 5):
        q, u = f.read(state)
        assert f(state.t, q, u) == pytest.approx(eqs.evaluate(state).accelerations, rel=1e-12)
        assert f(state.t, q, u, g=0.0) != pytest.approx(eqs.evaluate(state).accelerations, rel=1e-3)
    with pytest.raises(da.AnalysisError, match="takes 2 positions"):
        f(0.0, [1.0], [0.0])


def test_evaluate_by_names():
    eqs = da.derive(text_models.two_link(), "lagrange")
    at = eqs.evaluate({"O": 0.3, "A": -0.4}, {"O": 1.0})
    M = eqs.mass_matrix.subs({eqs.symbol("O"): 0.3, eqs.symbol("A"): -0.4}).subs(
        {s: eqs.model.parameter_values()[n] for n, s in eqs.parameters.items()}
    )
    assert at.mass_matrix == pytest.approx(np.array(M, dtype=float))
    with pytest.raises(da.AnalysisError, match="no value for coordinate 'A'"):
        eqs.evaluate({"O": 0.3})


def test_python_mode_gives_the_same_numbers():
    script = (
        "import dalembert as da\nfrom dalembert import catalog\n"
        "e = da.derive(catalog.make('slider-crank'), 'lagrange')\n"
        "print(repr(list(e.evaluate().accelerations)), e.verify(count=2).ok)"
    )
    src = str(Path(da.__file__).resolve().parents[1])
    done = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": src, "DALEMBERT_JIT": mode},
        )
        for mode in ("0", "1")
    ]
    assert all(d.returncode == 0 for d in done), done[0].stderr + done[1].stderr
    numbers = [[float(x.strip("np.float64()")) for x in d.stdout.split("]")[0].strip("[").split(", ")] for d in done]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-12)
    assert all("True" in d.stdout for d in done)


def arm(joints):
    axes, m = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)), da.Model("arm", dim=3, gravity=(0, 0, -9.81))
    for k in range(joints):
        before = f"link {k}" if k else "ground"
        m.add(
            da.Body(f"link {k + 1}", mass=3 - 0.4 * k, inertia=(0.03, 0.05, 0.06), position=(0.3 * k, 0, 0), com=(0.15, 0.02, 0))
        )
        m.add(da.Revolute(f"J{k + 1}", before, f"link {k + 1}", at=(0.3 * k, 0, 0), axis=axes[k]))
    return m


@pytest.mark.parametrize(
    ("make", "method", "limit"),
    [
        (lambda: catalog.make("four-bar"), "virtual-work", 5.0),
        (lambda: catalog.make("slider-crank"), "lagrange", 5.0),
        (lambda: arm(2), "lagrange", 10.0),
        (lambda: arm(6), "dalembert", 60.0),
        (lambda: arm(6), "lagrange", 60.0),
    ],
)
def test_time_to_derive_and_compile(make, method, limit):
    model = make()
    begin = time.process_time()
    eqs = da.derive(model, method)
    eqs.function()
    assert time.process_time() - begin < limit
    assert eqs.verify(count=5).ok, eqs.verify(count=5)
