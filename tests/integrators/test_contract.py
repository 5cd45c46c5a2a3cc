"""Every registered method against the rules of integrators/contract.py: a new one is told here what it lacks."""

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.integrators import solve as driver
from dalembert.integrators.contract import NEEDS
from dalembert.integrators.registry import AUTO, FILES, known, record, records, shown

METHODS = list(records().values())
each = pytest.mark.parametrize("m", METHODS, ids=lambda m: m.name)
STEPS = (6, 8, 12, 16, 32, 64, 128, 256, 512, 1024)
SPAN = 2.0


def pendulum(torque="0.4*sin(2*t)"):
    """A rod that falls, damped and driven: nonlinear, with all three sums of the ledger at work."""
    m = da.Model("contract", dim=2, gravity=(0.0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0, omega=0.5))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.TorsionSpring("T", "O", stiffness=1.0, damping=0.3))
    m.add(da.Motor("push", "O", torque))
    return m


def run(m, **options):
    options = {"integrator": m.names[0], "formulation": "augmented", "rtol": 1e-9, "atol": 1e-11, **options}
    if not m.error_control:
        options.setdefault("fixed_step", SPAN / 512)
    return da.simulate(pendulum(options.pop("torque", "0.4*sin(2*t)")), SPAN, **options)


def kept(r):
    """Samples (q, v) and the sums that ride along."""
    y = r._state["arrays"]["y"]
    return y[:, :-3], y[:, -3:]


@cache
def reference(step):
    return kept(da.simulate(pendulum(), SPAN, step=step, integrator="rk8", formulation="augmented", rtol=1e-13, atol=1e-14))


def slopes(m, part, step, row):
    """Orders of convergence with fixed steps, of neighbouring pairs of errors well above rounding."""
    wanted = reference(step)[part][row]
    found = []
    for n in STEPS:
        try:
            e = np.abs(kept(run(m, fixed_step=SPAN / n, step=step))[part][row] - wanted).max()
        except da.SimulationError:  # a step too long for Newton's method
            continue
        if e < 2e-11:
            break
        found.append((n, e))
    return [math.log(a / b) / math.log(k / n) for (n, a), (k, b) in pairwise(found) if a < 3e-2]


def measured(m, part, step, row):
    """The steepest of them: a method that never reaches its order is caught."""
    return max(slopes(m, part, step, row), default=0.0)


def test_the_list_is_the_folder():
    folder = Path(driver.__file__).parent / "methods"
    assert sorted(FILES) == sorted(p.stem for p in folder.glob("*.py") if p.stem != "__init__")
    assert set(AUTO) <= set(records()) and record(AUTO[1]).implicit and not record(AUTO[0]).implicit


@each
def test_records_make_sense(m):
    words = [w for other in METHODS if other is not m for w in (*other.names, other.name)]
    assert m.names and not {*m.names, m.name} & {*words, "auto"}
    assert m.needs in NEEDS and 1 <= m.kept <= m.rows and m.terms >= 3 and m.dense >= 1 and len(m.text) > 10
    assert 0 < m.aim <= 1 and m.finer > 1 and 0 < m.exponent <= 1 and (m.error_control or m.fixed_step)
    assert all(known()[w] == m.name for w in (*m.names, m.name))


@each
def test_it_is_told_of(m):
    page = (Path(__file__).parents[2] / "docs" / "theory" / "integrators.md").read_text(encoding="utf-8")
    assert f"`{m.names[0]}`" in page, f"docs/theory/integrators.md says nothing of `{m.names[0]}`"


@each
def test_order(m):
    if m.fixed_step:
        found = slopes(m, 0, SPAN, -1)
        assert abs(found[-1] - m.order) < 0.6, found  # of the shortest steps: neither less nor more than the record says


@each
def test_sums_that_ride_along_have_their_order(m):
    if m.fixed_step:
        assert measured(m, 1, SPAN, -1) > (m.sums or m.order) - 0.5


@each
def test_dense_output(m):
    """At a time that no step of the ladder meets."""
    if m.fixed_step:
        assert measured(m, 0, SPAN / 3, 1) > min(m.order, m.dense) - 0.5


@each
def test_tolerance(m):
    wanted = reference(SPAN)[0][-1]
    if m.error_control:
        errors = [np.abs(kept(run(m, rtol=r, atol=0.1 * r, step=SPAN))[0][-1] - wanted).max() for r in (1e-4, 1e-7)]
        assert errors[0] < 1e-2 and errors[1] < 100 * 1e-7 ** m.exponent and errors[1] < 0.5 * errors[0]


@each
def test_events(m):
    told = run(m, stop=["O.angle + 0.5"])
    sharp = da.simulate(pendulum(), SPAN, stop=["O.angle + 0.5"], rtol=1e-12, atol=1e-13, formulation="augmented")
    assert len(told.events) == 1 and abs(told.events[0][1] - sharp.events[0][1]) < 10 ** (-2 if m.order < 2 else -4)
    assert told.t[-1] == told.events[0][1] < SPAN


@each
def test_stations(m):
    """A torque that jumps: no step goes across, and the run is as good as without it."""
    jump = "5*step(t - 0.37)"
    sharp = kept(run(record("dop853"), rtol=1e-12, atol=1e-13, torque=jump, step=SPAN))[0][-1]
    assert np.abs(kept(run(m, torque=jump, step=SPAN))[0][-1] - sharp).max() < (1e-2 if m.order < 2 else 1e-4)


@each
def test_it_goes_on_with_the_same_bits(m, monkeypatch):
    whole = run(m, step=0.02)
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)  # one step at a time

    def enough(t):
        if t > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(da.SimulationInterrupted) as caught:
        run(m, step=0.02, progress=enough)
    part = caught.value.run
    assert 0.3 < part._state["arrays"]["state_real"][0] < SPAN
    again = da.resume(part)
    for a, b in zip(kept(whole), kept(again), strict=True):
        assert np.array_equal(a, b)


@each
def test_it_asks_for_what_it_needs(m):
    if m.needs:
        with pytest.raises(ValueError, match="needs linear="):
            m.accepts(None)
    else:
        m.accepts(None)


def test_unknown_names_are_refused():
    with pytest.raises(da.SimulationError, match="'rk7' is not known; choose from auto, rk8"):
        da.simulate(pendulum(), 1.0, integrator="rk7")
    with pytest.raises(ValueError, match="unknown method 'rk7'"):
        record("rk7")
    assert {"rk8", "rk5"} <= set(shown(needs="")) and "radau" not in shown(needs="")
