"""What docs/guide/simulation.md promises of resume: the bits of the whole run, wherever it stopped.

A stop after attempt k is max_steps=k: steps and refused attempts both count.  Forms × integrators over mechanisms of the
catalogue and random ones; among them such as leave out redundant rows, choose them anew on the way, pass next to singular poses.
"""

import numpy as np
import pytest
from random_mechanisms import mechanism

import dalembert as da
from dalembert import catalog
from dalembert.integrators import solve as driver

WAYS = ("embedded auto", "embedded rk5", "recursive rk5", "augmented rk8", "auto rk4", "auto alpha", "auto radau")
SEEDS = (3, 6, 9, 12, 19, 24, 25, 27, 30, 41, 43, 57, 69)
NAMES = ("bricard", "chain-in-space", "double-pendulum", "four-bar", "slider-crank-spring")
MANY = 10_000
STOPS = 6


def same(whole, again):
    for name in ("_t", "_q", "_v", "_ledger"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(again, name))
    for name in ("steps", "rejected", "rhs_calls", "projections", "newton", "tangents", "factorisations"):
        assert whole.stats[name] == again.stats[name], name


def stopped(make, k, options):
    """The part of a run that k attempts give, allowed to go on."""
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(make(), 1.0, max_steps=k, **options)
    part = caught.value.run
    part._state["options"]["max_steps"] = MANY
    return part


def options_of(way):
    form, integrator = way.split()
    return {"formulation": form, "integrator": integrator, "rtol": 1e-3, "step": 0.05}


def held_to_it(make, options, stops=STOPS):
    try:
        whole = da.simulate(make(), 1.0, max_steps=MANY, **options)
    except da.SimulationError:
        return 0  # a mechanism that goes no further
    n = whole.stats["steps"] + whole.stats["rejected"]
    found = range(1, n, max(1, n // stops))
    for k in found:
        same(whole, da.resume(stopped(make, k, options)))
    return len(found)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_mechanisms(seed, way):
    held_to_it(lambda: mechanism(seed), options_of(way))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_catalogue(name, way):
    assert held_to_it(lambda: catalog.make(name), options_of(way))


@pytest.mark.parametrize("integrator", ["alpha", "radau"])
def test_after_every_refused_attempt(integrator):
    def make():
        return catalog.make("chain-in-space")

    options, before, refused = options_of(f"auto {integrator}"), 0, 0
    whole = da.simulate(make(), 1.0, **options)
    for k in range(1, whole.stats["steps"] + whole.stats["rejected"]):
        part = stopped(make, k, options)
        if part.stats["rejected"] > before:
            before, refused = part.stats["rejected"], refused + 1
            same(whole, da.resume(part))
    assert refused > 2


@pytest.mark.parametrize("integrator", ["alpha", "radau", "rk8"])
def test_stopped_from_outside_where_a_law_breaks(integrator, monkeypatch):
    """Also right behind the break, before the next attempt, which no count of attempts comes to."""
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)

    def make():
        m = catalog.make("four-bar")
        m.add(da.Force("push", next(iter(m.bodies)), ("30*step(t - 0.2)", 0)))
        return m

    options = options_of(f"auto {integrator}")
    whole, stops = da.simulate(make(), 0.5, **options), 0
    for k in range(1, 200):
        seen = []

        def enough(t, seen=seen, k=k):
            seen.append(t)
            return len(seen) < k

        try:
            da.simulate(make(), 0.5, progress=enough, **options)
            break
        except da.SimulationInterrupted as stop:
            stops += 1
            same(whole, da.resume(stop.run))
    assert stops > 5
