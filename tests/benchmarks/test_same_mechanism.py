"""Equal work: every engine's model is the same mechanism.  Total mass, energy and accelerations at the start agree with the
yardstick.

The yardstick is dense and knows none of the engines.  Peers that are not installed are skipped (``make bench`` has them all).
"""

import importlib.util

import numpy as np
import pytest

from benchmarks import yardstick
from benchmarks.engines import PLACES, adaptor
from benchmarks.engines.engine import Unable, accelerations
from benchmarks.problems import PROBLEMS

SMALL = [name for name in PROBLEMS if name not in ("chain-1000", "n-four-bar-64", "sheet")]  # too large for a dense yardstick
TOLERANCE = {"dalembert": 1e-6, "pinocchio": 1e-6, "numpy": 1e-6, "mujoco": 1e-6, "drake": 1e-6, "opensim": 1e-6, "exudyn": 1e-3}
SOFT = {"mujoco": 3e-3, "drake": 2e-2}  # loops: MuJoCo's are springs, Drake's discrete plants are of first order


@pytest.fixture(scope="module", params=SMALL)
def problem(request):
    return PROBLEMS[request.param]()


@pytest.mark.parametrize("name", list(PLACES))
def test_mass_energy_and_accelerations(problem, name):
    cls = adaptor(name)
    if importlib.util.find_spec(cls.module) is None:
        pytest.skip(f"{cls.name} is not installed")
    m = problem.mechanism
    try:
        engine = cls(m)
    except Unable as reason:
        pytest.skip(f"{cls.name}: {reason}")
    assert engine.mass() == pytest.approx(yardstick.mass(m), rel=1e-12)
    start = m.start()
    gravity = -sum(b.mass * float(np.asarray(m.gravity) @ r) for b, r in zip(m.bodies, start.r[0], strict=True))
    without_springs = yardstick.energy(type(m)(m.name, m.dim, m.gravity, m.bodies, m.joints), start)[0]
    own = engine.energy()
    if own is not None:
        assert own == pytest.approx(without_springs, abs=1e-9 * (1 + abs(gravity)))
    expected = yardstick.accelerations(m)
    found = accelerations(engine, problem.instant)
    limit = SOFT.get(name, TOLERANCE[name]) if m.tree()[1] else TOLERANCE[name]
    np.testing.assert_allclose(found, expected, rtol=0, atol=limit * np.abs(expected).max())


def test_the_yardstick_notices_another_mechanism():
    """Half a per cent more mass in one body is seen in the accelerations."""
    from dataclasses import replace

    m = PROBLEMS["chain-10"]().mechanism
    other = replace(m, bodies=[replace(m.bodies[0], mass=1.005), *m.bodies[1:]])
    a, b = yardstick.accelerations(m), yardstick.accelerations(other)
    assert np.abs(a - b).max() > 1e-4 * np.abs(a).max()


@pytest.mark.parametrize(
    "name", ["n-four-bar-2", "chain-10", "andrews", "bricard", "pendulum", "double-pendulum", "lagrange-top", "dzhanibekov",
             "humanoid", "double-wishbone", "stewart", "slider-crank"]
)
def test_dalembert_meets_the_references(name):
    """Errors by the scoreboard's own measure at a tight tolerance: a wrong reference or adaptor shows here."""
    problem = PROBLEMS[name]()
    engine = adaptor("dalembert")(problem.mechanism)
    errors = problem.errors(engine.sample({"integrator": "rk8", "rtol": 1e-10, "atol": 1e-14}, problem.times))
    assert errors["position"] < 1e-7
    assert errors["energy"] < 5e-6  # J; the double pendulum moves some 700 J for ten seconds


def test_the_chain_reference_can_be_recomputed():
    from benchmarks.problems.make_chain_tips import tips

    problem = PROBLEMS["chain-10"]()
    np.testing.assert_allclose(tips(10, 1e-11), problem.reference(), rtol=0, atol=1e-10)


def test_closed_forms_agree_with_published_values():
    """N-four-bar and pendulum: the scoreboard's formulas against the project's reference numbers."""
    from benchmarks.problems.n_four_bar import angle
    from benchmarks.problems.problem import data

    for n, t, theta, _ in data("n_four_bar")["states"]:
        assert angle(n, np.array(t)) == pytest.approx(theta, abs=1e-9)
    problem = PROBLEMS["pendulum"]()
    published = {row[0]: row[1:3] for row in data("pendulum")["states"]}
    for t, row in zip(problem.times, problem.reference(), strict=True):
        if t in published:  # the closed form here has J = 1e-6, the published one a point mass
            np.testing.assert_allclose(row, published[t], rtol=0, atol=3e-5)


def test_the_stiff_problem_is_met_by_the_implicit_method():
    problem = PROBLEMS["stiff-rods"]()
    engine = adaptor("dalembert")(problem.mechanism)
    assert {"radau"} == {s["integrator"] for s in engine.settings(problem)}
    samples = engine.sample({"integrator": "radau", "rtol": 1e-9, "atol": 1e-12}, problem.times)
    assert problem.errors(samples)["position"] < 1e-7
