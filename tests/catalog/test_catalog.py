"""Every ready mechanism compiles, checks, assembles, and obeys Newton's and Euler's equations where it
starts."""

import os
import subprocess
import sys

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.errors import ModelError

DOF = {"rod-on-block": 1, "rod-and-disc": 2, "two-link-arm": 2, "two-link-arm-driven": 0, "four-bar": 1,
       "four-bar-driven": 0, "slider-crank": 1, "slider-crank-driven": 0, "driven-bar": 0, "gear-pair": 1,
       "belt-drive": 1,
       "planetary-gear": 1, "pendulum": 1, "n-four-bar": 1, "andrews": 1, "bricard": 1,
       "slider-crank-spring": 1,
       "car-axis": 2, "double-pendulum": 2, "lagrange-top": 3, "rolling-disc": 3, "chaplygin-sleigh": 2,
       "dzhanibekov": 6,
       "pendulum-on-block": 2, "spatial-four-bar": 1, "chain": 10, "chain-in-space": 10,
       "quick-return": 0, "inverted-slider-crank": 0, "six-bar": 0,
       "hanging-chain": 18, "four-bar-springs": 1, "whipple": 3, "slider-crank-loaded": 1,
       "jansen-leg": 0, "peaucellier": 0, "watt-linkage": 0, "scissor-lift": 0, "windshield-wiper": 0, "engine": 0,
       "excavator": 0, "stewart-platform": 0, "delta-robot": 0, "double-wishbone": 3,
       "differential": 1, "cardan-shaft": 0, "gyroscope": 3,
       "six-axis-arm": 0, "balanced-arm": 1}


def test_every_entry_has_its_mobility_stated():
    assert set(DOF) == set(catalog.CATALOG)


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_entry(name):
    """|Φ| < 1e-10 m after assembly; ΣF − m a and ΣM − dH/dt
    below 1e-9 of the largest force (torque) in the model."""
    entry = catalog.CATALOG[name]
    assert entry.title and entry.source and entry.until > 0 and entry.tags
    model = entry.make()
    assert model is not entry.make()
    assert ("plane" in entry.tags) == (model.dim == 2)
    found = da.check(model)
    assert found.dof == DOF[name], str(found)
    assert not found.singular
    state = da.assemble(model)
    solved = da.accelerations(model, state)
    assert np.abs(solved.observed.phi).max(initial=0.0) < 1e-10
    assert np.all(np.isfinite(solved.observed.vdot))
    assert np.all(np.isfinite(solved.observed.lam))
    d = model.dim
    forces, torques, missing_force, missing_torque = [1e-300], [1e-300], [0.0], [0.0]
    for body, missing in solved.ledger_residual.items():
        mass = state.system.tables.bodies[state.system.bodies.index(body)]["mass"]
        forces += [mass * 9.81, mass * np.abs(solved[body].acceleration).max()]
        missing_force.append(np.abs(missing[:d]).max())
        missing_torque.append(np.abs(missing[d:]).max())
    for block in np.split(solved.observed.reaction[0], len(state.system.tables.blocks) or 1):
        forces.append(np.abs(block[:d]).max(initial=0.0))
        torques.append(np.abs(block[d:]).max(initial=0.0))
    for block in np.split(solved.observed.Q[0], state.system.nb):
        forces.append(np.abs(block[:d]).max())
        torques.append(np.abs(block[d:]).max())
    assert max(missing_force) < 1e-9 * max(forces)
    assert max(missing_torque) < 1e-9 * max(torques)


def test_unknown_name_says_what_exists():
    with pytest.raises(ModelError, match="slider-crank"):
        catalog.make("slider-cranc")


def test_reading_the_catalogue_loads_no_mechanism():
    """The list of names costs next to nothing: neither NumPy nor the mechanisms are imported."""
    code = "import sys, dalembert.catalog as c; print(len(c.CATALOG), *sys.modules)"
    count, *loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                                    env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}).stdout.split()
    assert int(count) == len(catalog.CATALOG)
    assert not {"numpy", "numba", "dalembert.model.model", "dalembert.catalog.andrews"} & set(loaded)


@pytest.mark.parametrize("name", list(catalog.CATALOG))
def test_every_entry_runs_to_its_end_without_doubts(name):
    """What ``dalembert demo`` does: the default tolerances, the whole time, nothing left to doubt, and the ledger misses
    no more than a millionth of the energy exchanged, drives and dampers included."""
    run = da.simulate(catalog.make(name), catalog.CATALOG[name].until)
    assert run.certificate.doubts() == []
    assert run.certificate.energy_relative <= 1e-6


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_every_entry_is_written_with_parameters(name):
    """Convert, change, sweep: all numbers a little larger, and the drawing still closes; masses enter as they should."""
    model = catalog.make(name)
    given = {k: v for k, v in model.parameters.items() if not isinstance(v, str)}
    assert any(k.startswith(("m", "rho")) for k in given), "no mass or density among the parameters"
    assert all(isinstance(b.mass, str) for b in model.bodies.values())
    assert name == "dzhanibekov" or any(k[0] in "lrLRadsvw" for k in given), "no length or speed among the parameters"
    for key, value in given.items():
        if key not in ("spin", "precession", *(f"omega{k}" for k in range(4))):
            model.parameters[key] = value * 1.001
    state = da.assemble(model)
    assert np.abs(da.accelerations(model, state).observed.phi).max(initial=0.0) < 1e-9


@pytest.mark.parametrize(("name", "change"), [("slider-crank", {"l2": 0.6, "theta2": 1.5}), ("four-bar", {"l4": 0.05}),
                                              ("quick-return", {"h": 0.6}), ("hanging-chain", {"span": 1.2}),
                                              ("slider-crank-spring", {"r": 5.0})])
def test_lengths_that_cannot_close_are_told(name, change):
    model = catalog.make(name)
    model.parameters.update(change)
    with pytest.raises(ModelError, match="links that do not reach each other") as told:
        da.assemble(model)
    assert next(iter(change)) in str(told.value)
