"""Rows with explicit time, whatever element they belong to: they are drivers, their power is what they do to the bodies.

    driver  ⇔  ν is not zero by itself (or the element is a Drive)          power = −λ·ν = Σ reaction · velocity over the bodies
    in virtual_work their efforts are external and what is left is workless; the energy ledger closes with their work
"""

import inspect

import numpy as np
import pytest
from contract_cases import CASES
from contract_scene import assert_near

import dalembert as da
from dalembert.elements.element import REGISTRY
from dalembert.results.motion import State

TIMED = [c for c in CASES if any(r.driver for r in c.system().rows)]


def states(case, count=2):
    """States on the constraints, as results."""
    model = case.scene()
    for w, _ in case.consistent(count):
        yield State(model, w.system, float(w.t[0]), w.q.copy(), w.v.copy())


def test_every_element_that_takes_time_in_its_rows_is_here():
    """Constraints with a law, and the two kinds of equations; forces take laws too but have no rows."""
    takes = {n for n, cls in REGISTRY.items() if cls.__module__.startswith("dalembert.") and cls.kind in ("constraint", "joint")
             and "law" in inspect.signature(cls).parameters} | {"Equation", "VelocityEquation", "Drive"}
    there = {type(c.scene().elements[r.group]).__name__ for c in TIMED for r in c.system().rows if r.driver}
    assert takes <= there, f"no case with explicit time for {', '.join(sorted(takes - there))}"


def test_rows_that_move_by_themselves_are_drivers_and_no_others(case):
    moving = np.zeros(case.system().nc, dtype=bool)
    for w, _ in case.states(4):
        w.run("rows")
        moving |= w.nu != 0.0
    drives = [case.scene().elements[r.group].kind == "drive" for r in case.system().rows]
    assert [r.driver for r in case.system().rows] == [bool(a or b) for a, b in zip(moving, drives, strict=True)]
    told = da.check(case.scene())
    assert (told.nd, told.nk) == (sum(r.driver for r in case.system().rows), sum(not r.driver for r in case.system().rows))


@pytest.mark.parametrize("timed", TIMED, ids=[c.name for c in TIMED])
def test_power_is_what_the_reactions_do_to_the_bodies(timed):
    for state in states(timed):
        system, o = state.system, state.observed
        n = system.kind.SIZE_V
        for name, group in system.groups.items():
            done = sum(o.reaction[0, n * block:n * block + n] @ state.v[n * body:n * body + n]
                       for body, block in group.blocks.items())
            assert_near(state[name].power, done, 1e-10)
        assert_near(sum(state[g].power for g in system.groups), o.power[0, 2], 1e-12)


@pytest.mark.parametrize("timed", TIMED, ids=[c.name for c in TIMED])
def test_virtual_work_counts_them_as_external(timed):
    model = timed.scene()
    for state in states(timed, 1):
        found = da.virtual_work(model, state=state)
        drivers = {r.group for r in state.system.rows if r.driver}
        assert drivers <= set(found.external)
        assert max((abs(x) for x in found.constraint.values()), default=0.0) <= 1e-9 * found.scale
        assert abs(found.residual) <= 1e-9 * found.scale
        held = da.virtual_work(model, state=state, drives="held")
        assert max((abs(held.external[n]) for n in drivers), default=0.0) <= 1e-9 * held.scale


@pytest.mark.parametrize("timed", TIMED, ids=[c.name for c in TIMED])
def test_the_ledger_closes_with_their_work(timed):
    model = timed.scene()
    state = next(states(timed, 1))
    run = da.simulate(model, state.t + 0.1, start=state.t, state=state, rtol=1e-9, atol=1e-12, formulation="augmented")
    assert run.certificate.energy_residual <= 1e-7 * run.energy.exchanged
    put_in = sum(run[g].power for g in run.system.groups)
    work = run._ledger[:, 2]
    assert np.abs(np.gradient(work, run.t)[2:-2] - put_in[2:-2]).max() <= 1e-2 * np.abs(put_in).max()
    assert np.abs(put_in).max() > 0.0
