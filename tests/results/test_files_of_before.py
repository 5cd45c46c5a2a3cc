"""Files that earlier versions wrote: names in them stay, and what they did not keep yet is not asked for."""

import json

import h5py
import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.simulation.checkpoint import Checkpoint, read
from dalembert.integrators import solve as driver

OBSERVED = {"Q", "gamma", "lam", "measured", "nu", "phi", "pose", "power", "reaction", "report", "residual", "second", "speed",
            "status", "strength", "twist", "vdot", "work"}
GROUPS = {"bodies", "certificate", "elements", "energy", "extra", "integrator", "ledger", "model", "observed", "q", "t", "v"}


def test_names_in_results(tmp_path):
    """Every array of a result with a law in Python is called as in the first version, and read by that name."""
    m = da.Model("coded", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("push", "O", lambda t, angle, rate: float(np.interp(t, [0.0, 1.0], [0.3, 0.1]))))
    run = da.simulate(m, 0.1, step=0.05)
    run.save(tmp_path / "r.h5", extra={"one": 1.0})
    with h5py.File(tmp_path / "r.h5", "r") as file:
        assert set(file) == GROUPS and set(file["observed"]) == OBSERVED
    assert np.array_equal(da.load(tmp_path / "r.h5").observed.missing, run.observed.missing)


@pytest.fixture
def stopped(tmp_path, monkeypatch):
    """A checkpoint of a run that was stopped under way, and the whole run."""
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)
    options = {"step": 0.05, "formulation": "augmented", "integrator": "rk8"}

    def enough(t):
        if t > 0.2:
            raise KeyboardInterrupt

    file = tmp_path / "run.npz"
    with pytest.raises(da.SimulationInterrupted):
        da.simulate(catalog.make("four-bar"), 0.5, checkpoint=file, progress=enough, **options)
    return file, da.simulate(catalog.make("four-bar"), 0.5, **options)


def first_version(options, arrays):
    """As the first version kept it: seven reals and eighteen counts of the integrator, no form, no memory of the equations."""
    arrays = {k: a for k, a in arrays.items() if not k.startswith("memory_")}
    arrays["state_real"], arrays["state_count"] = arrays["state_real"][:7], arrays["state_count"][:18]
    new = ("formulation", "cut", "independent", "notes", "start", "max_step", "switched", "seconds", "method")
    return {k: v for k, v in options.items() if k not in new}, arrays


def second_version(options, arrays):
    """Without what was added to the memory last."""
    return options, {k: a for k, a in arrays.items() if k != "memory_quality"}


def third_version(options, arrays):
    """Without what goes with the state of implicit methods."""
    return options, {k: a for k, a in arrays.items() if k not in ("state_then", "state_multipliers")}


@pytest.mark.parametrize("integrator", ["radau", "alpha"])
def test_checkpoints_of_implicit_methods_go_on(integrator, tmp_path):
    make, file = lambda: catalog.make("four-bar"), tmp_path / "run.npz"
    whole = da.simulate(make(), 0.3, integrator=integrator, rtol=1e-3)
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(make(), 0.3, integrator=integrator, rtol=1e-3, max_steps=4, checkpoint=file)
    assert caught.value.run.status == "partial"
    options, arrays = read(file)
    options["max_steps"] = 10_000
    names = {"radau": {"state_then"}, "alpha": {"state_then", "state_multipliers"}}[integrator]
    assert names == {k for k in arrays if k in ("state_then", "state_multipliers")}
    Checkpoint(file).write(*third_version(options, arrays))
    assert np.array_equal(da.resume(make(), file).q, whole.q)
    for name in names:
        for wrong, told in ((arrays[name][:-1], "rows of this model"), (np.nan * arrays[name], "cannot be"),
                            (arrays[name].reshape(1, -1), "of its kind")):
            Checkpoint(file).write(options, {**arrays, name: wrong})
            with pytest.raises(da.DalembertError, match=told):
                da.resume(make(), file)


@pytest.mark.parametrize("version", [first_version, second_version])
def test_checkpoints_go_on(version, stopped):
    file, whole = stopped
    options, arrays = version(*read(file))
    Checkpoint(file).write(json.loads(json.dumps(options)), arrays)
    again = da.resume(catalog.make("four-bar"), file)
    assert np.array_equal(again.q, whole.q) and np.array_equal(again.v, whole.v)
    with pytest.raises(da.FileError, match="another size"):
        Checkpoint(file).write(options, {**arrays, "state_count": arrays["state_count"][:17]})
        da.resume(catalog.make("four-bar"), file)
