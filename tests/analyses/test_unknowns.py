"""inverse_dynamics(unknown=) answers what puts the motion back, or refuses; optimize and fit speak in our errors."""

import re

import numpy as np
import pytest
from static_models import some

import dalembert as da
from dalembert import catalog
from dalembert.analyses.driven.actuators import components

NAMES = ("four-bar-driven", "slider-crank", "six-bar", "two-link-arm-driven", "quick-return", "spatial-four-bar")


def loaded(seed):
    """A driven mechanism with a force and a torque of nothing on every body."""
    rng = np.random.default_rng(seed)
    m = catalog.make(NAMES[seed % len(NAMES)])
    m.initials = {}
    if not any(isinstance(e, da.Drive) for e in m.elements.values()):
        joint = next(n for n, e in m.elements.items() if getattr(e, "coordinate_name", None))
        m.add(da.Drive("turning", joint, f"{rng.uniform(0.5, 3)}*t"))
    for k, body in enumerate(list(m.bodies)):
        zeros = (0.0,) * m.dim
        m.add(da.Force(f"F{k}", body, zeros, on=tuple(rng.choice([0.0, 0.3], m.dim))))
        m.add(da.Torque(f"T{k}", body, 0.0 if m.dim == 2 else zeros))
    return m, rng


@pytest.mark.parametrize("seed", some(200))
def test_answers_are_put_back_or_refused(seed):
    m, rng = loaded(seed)
    labels = [c.label for c in components(m)]
    free = sum(isinstance(e, da.Drive) for e in m.elements.values())
    pick = [str(x) for x in rng.choice(labels, free, replace=False)]
    times = np.sort(rng.uniform(0, 2, 5)) * (np.arange(5) > 0 if seed % 3 == 0 else 1)
    base = da.inverse_dynamics(m, times=times)
    load = max(np.abs(base.observed.Q).max(), np.abs(base.observed.reaction).max())
    try:
        inv = da.inverse_dynamics(m, times=times, unknown=pick)
    except da.AnalysisError as error:
        advice = re.search(r"only one of ([^;]*?) can be unknown", str(error))
        for name in advice.group(1).split(", ")[:2] if advice else ():
            da.inverse_dynamics(m, times=times, unknown=[name])  # what is recommended works
        return
    size = max(np.abs(x).max() for x in inv.unknown.values())
    assert size <= 1e6 * load
    drives = [inv.system.groups[n].start for n, e in inv.model.elements.items() if isinstance(e, da.Drive)]
    assert np.abs(inv.observed.lam[:, drives]).max() <= 1e-6 * max(size, load)


def test_a_load_that_does_no_work_is_refused():
    m = catalog.make("slider-crank-loaded")
    m.initials = {}
    m.add(da.Drive("turning", "O", "3*t"))
    m.add(da.Force("side", "piston", (0.0, 0.0)))
    with pytest.raises(da.AnalysisError, match=r"side\.y does no work in any motion of that pose; only one of (?!.*side\.y)"):
        da.inverse_dynamics(m, until=1.0, step=0.1, unknown=["side.y"])
    with pytest.raises(da.AnalysisError, match=r"side\.y does no work"):
        da.hold(_still(m), "side.y")


def _still(m):
    other = m.copy()
    other.remove("turning")
    return other


def test_a_dead_point_among_the_samples_is_refused_or_doubted():
    m = catalog.make("slider-crank-loaded")
    m.initials = {}
    m.add(da.Drive("turning", "O", "t"))
    dead = float(np.remainder(np.pi - da.assemble(m)["crank"].angle, 2 * np.pi))
    with pytest.raises(da.AnalysisError, match=r"does no work|independently"):
        da.inverse_dynamics(m, times=[0.0, dead], unknown=["load.x"])
    near = da.inverse_dynamics(m, times=[0.0, dead + 3e-5], unknown=["load.x"])
    assert any("dead point" in d for d in near.stats["doubts"])


def pendulum(l):
    if l > 0.9:
        raise ValueError("too long")
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (l, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    return m


def test_errors_of_optimize_and_fit_are_ours():
    with pytest.raises(da.AnalysisError, match=r"the start .* fails: ValueError: too long"):
        da.optimize(pendulum, {"l": (0.5, 2.0)}, da.simulate, 0.1, goal="max O.force")
    best = da.optimize(pendulum, {"l": (0.2, 1.2)}, da.simulate, 0.1, goal=lambda r: abs(r["rod"].x[0] - 0.4), trials=40)
    assert best.values["l"] == pytest.approx(0.8, abs=1e-3)
    bad = da.optimize(pendulum, {"l": (0.8, 0.95)}, da.simulate, 0.1, goal=lambda r: -r["rod"].x[0], trials=40)
    assert bad.values["l"] <= 0.9 and any("too long" in t.get("message", "") for t in bad.trials)
    times = [0.0, 0.1]
    with pytest.raises(da.AnalysisError, match="1 of 2 data are not finite"):
        da.fit(pendulum, {"l": (0.5, 0.8)}, da.simulate, 0.1, times=times, output="rod.x", data=[0.1, np.nan])
    with pytest.raises(da.AnalysisError, match="array of numbers"):
        da.fit(pendulum, {"l": (0.5, 0.8)}, da.simulate, 0.1, times=times, output="rod.x", data=["a", "b"])
    with pytest.raises(da.AnalysisError, match="lowest, highest"):
        da.optimize(pendulum, {"l": ("a", "b")}, da.simulate, 0.1, goal="max O.force")
    found = da.fit(pendulum, {"l": (0.3, 1.2)}, da.simulate, 0.1, times=times, output="rod.x", data=[0.4, 0.39], start={"l": 0.5})
    assert found.values["l"] == pytest.approx(0.8, abs=0.05)


def test_starts_tolerances_and_trials_of_the_wrong_kind():
    m = da.Model("rod", dim=2, gravity=(0, -9.81), parameters={"l": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=1))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    data = da.simulate(m, 0.1)["rod"].angle
    for wrong, match in (({"start": 3}, "start= takes"), ({"tolerance": 0}, "tolerance is"), ({"trials": 0}, "trials is")):
        with pytest.raises(da.AnalysisError, match=match):
            da.fit(m, {"l": (0.1, 2)}, da.simulate, 0.1, output="rod.angle", data=data, **wrong)
        with pytest.raises(da.AnalysisError, match=match):
            da.optimize(m, {"l": (0.1, 2)}, da.simulate, 0.1, goal=lambda run: 1.0, **wrong)
