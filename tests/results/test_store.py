"""Saved runs: everything comes back to the last bit; damage is found; a failed write leaves the previous file."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import dalembert as da
from dalembert.catalog import CATALOG
from dalembert.io.files import loads
from dalembert.results.files import store

CHANNELS = ("position", "angle", "quaternion", "velocity", "omega", "acceleration", "coordinate", "rate", "force", "torque",
            "multipliers", "length", "power", "generalized")


def said(run, name, channel):
    try:
        return np.asarray(getattr(run[name], channel))
    except (da.AnalysisError, AttributeError):
        return None


@pytest.mark.parametrize("name", ["slider-crank", "slider-crank-spring", "car-axis", "bricard", "rolling-disc", "planetary-gear"])
def test_all_channels_come_back(name, tmp_path):
    entry = CATALOG[name]
    run = da.simulate(entry.make(), entry.until, step=entry.until / 30)
    run.save(tmp_path / "r.h5")
    again = da.load(tmp_path / "r.h5")
    for part in (*run.system.bodies, *run.model.elements):
        for channel in CHANNELS:
            a, b = said(run, part, channel), said(again, part, channel)
            assert (a is None) == (b is None) and (a is None or np.array_equal(a, b)), (part, channel)
    assert np.array_equal(run.energy.residual, again.energy.residual)
    assert str(run.certificate) == str(again.certificate) and run.certificate.model_hash == again.certificate.model_hash
    assert (run.status, run.message, run.stats) == (again.status, again.message, again.stats)
    onward = [da.simulate(r.model, entry.until + 0.1, start=r.t[-1], state=r.state(), step=0.05) for r in (run, again)]
    assert np.array_equal(onward[0].q, onward[1].q)


def test_other_readers_find_names_units_and_conventions(tmp_path):
    run = da.simulate(CATALOG["slider-crank"].make(), 0.2)
    run.save(tmp_path / "r.h5")
    with h5py.File(tmp_path / "r.h5") as file:
        assert "SI units" in file.attrs["conventions"] and file.attrs["status"] == "complete"
        assert file["bodies/piston/position"].attrs["unit"] == "m"
        assert np.array_equal(file["bodies/piston/position"][()], run["piston"].position)
        assert np.array_equal(file["elements/A/force"][()], run["A"].force)
        assert loads(file["model"][()].decode()).name == run.model.name


def test_events_turns_and_odd_names(tmp_path):
    m = da.Model("odd / name", dim=3)
    m.add(da.Body("a/b", mass=1, inertia=(1, 1, 1), position=(1, 0, 0)))
    m.add(da.Revolute("..x".replace(".", "·"), m.ground, "a/b", at=(0, 0, 0), axis=(0, 0, 1)))
    m.initial("··x", rate=3.0)
    run = da.simulate(m, 3.0, events=["`··x` - 7"])
    extra = {"note": "kept", "numbers": np.arange(3.0), "deep": {"one": 1, "none": None, "list": [1, 2]}}
    run.save(tmp_path / "r.h5", extra=extra)
    again = da.load(tmp_path / "r.h5")
    assert again.events == run.events and len(run.events) == 1
    assert np.array_equal(again["··x"].coordinate, run["··x"].coordinate) and run["··x"].coordinate[-1] > 8
    assert again.extra["note"] == "kept" and np.array_equal(again.extra["numbers"], np.arange(3.0))
    assert again.extra["deep"] == {"one": 1, "none": None, "list": [1, 2]}


def bang(t, x, v):
    return 1.0 if x > 0 else -1.0


def drag(t, x, v, out):
    out[0] = -0.5 * v[0] * abs(v[0])


def test_laws_in_python_are_not_in_the_file_but_what_they_did_is(tmp_path):
    m = da.Model("coded", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("bang", "O", bang))
    m.add(da.UserForce("drag", "rod", drag))
    run = da.simulate(m, 1.0)
    run.save(tmp_path / "r.h5")
    again = da.load(tmp_path / "r.h5")
    assert again.lost == ("bang", "drag")
    assert np.array_equal(again["O"].force, run["O"].force) and np.array_equal(again["bang"].force, run["bang"].force)
    assert np.array_equal(again["rod"].acceleration, run["rod"].acceleration)
    assert str(again.certificate) == str(run.certificate)
    with pytest.raises(da.AnalysisError, match=r"UserForce 'drag': its law was a Python function, which the file does not hold"):
        _ = again["drag"].force
    with pytest.raises(da.ModelError, match=r"Motor 'bang': its law was the Python function 'bang'.*add it again"):
        da.simulate(again.model, 1.0)
    again.model.remove("bang")
    again.model.remove("drag")
    again.model.add(da.Motor("bang", "O", bang))
    again.model.add(da.UserForce("drag", "rod", drag))
    assert np.array_equal(da.simulate(again.model, 1.0).q, run.q)


def test_partial_runs_can_be_saved(tmp_path):
    m = da.Model("blown up", dim=2)
    m.add(da.Body("ball", mass=1.0, inertia=1.0, velocity=(1, 0)))
    m.add(da.Force("push", "ball", ("1/(0.5 - t)**2", 0)))
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(m, 1.0)
    caught.value.run.save(tmp_path / "r.h5")
    again = da.load(tmp_path / "r.h5")
    assert again.status == "partial" and 0.2 < again.t[-1] <= 0.5


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    file = tmp_path_factory.mktemp("saved") / "r.h5"
    da.simulate(CATALOG["pendulum"].make(), 0.1, step=0.02).save(file)
    return file


def test_damage_is_found(saved, tmp_path):
    good = saved.read_bytes()
    file = tmp_path / "bad.h5"
    for data, words in [(good[:-1], "damaged"), (good + b"x", "damaged"), (b"", "not a dalembert result"),
                        (good[:600], "damaged"), (b"x" * 5000, "not a dalembert result"),
                        (good[:5000] + bytes([good[5000] ^ 1]) + good[5001:], "damaged"),
                        (good.replace(b"result 1", b"result 9", 1), "reads format 1")]:
        file.write_bytes(data)
        with pytest.raises(da.FileError, match=words):
            da.load(file)
    with pytest.raises(da.FileError, match="No such file"):
        da.load(tmp_path / "none.h5")
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["x"] = 1
    with pytest.raises(da.FileError, match="not a dalembert result"):
        da.load(tmp_path / "other.h5")
    with pytest.raises(da.FileError, match="not a dalembert result"):
        da.load(tmp_path / "other.h5", verify=False)


def test_files_changed_on_purpose_can_be_read(saved, tmp_path):
    file = tmp_path / "r.h5"
    file.write_bytes(saved.read_bytes())
    with h5py.File(file, "r+") as inside:
        inside.attrs["note"] = "mine"
    with pytest.raises(da.FileError, match="changed after it was saved"):
        da.load(file)
    assert da.load(file, verify=False).status == "complete"


def test_extra_that_cannot_be_kept(saved, tmp_path):
    run = da.load(saved)
    for extra, words in [({"a/b": 1}, "cannot be used"), ({"x": np.array(["a"])}, "only arrays of numbers"),
                         ({"x": object()}, "keep arrays, numbers")]:
        with pytest.raises(da.FileError, match=words):
            store.write(tmp_path / "r.h5", run, extra)
        assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_the_previous_result(saved, tmp_path):
    file = tmp_path / "r.h5"
    file.write_bytes(saved.read_bytes())
    code = f"""
import signal, dalembert as da
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
run = da.load({str(file)!r})
try:
    run.save({str(file)!r})
except da.FileError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(Path(da.__file__).parents[1])},
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)))
    assert "cannot write" in done.stdout, done.stdout + done.stderr
    assert file.read_bytes() == saved.read_bytes() and os.listdir(tmp_path) == ["r.h5"]


def test_pandas_and_xarray(saved):
    run = da.load(saved)
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert np.array_equal(frame[f"{run.system.bodies[0]}.position.x"], run[run.system.bodies[0]].position[:, 0])
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert data[f"{run.system.bodies[0]}.position"].attrs["unit"] == "m"
    assert data.sizes["t"] == len(run.t)


def test_a_result_that_could_not_be_loaded_is_not_saved(tmp_path):
    class Mine(da.Force):
        pass

    m = da.Model("own", dim=2)
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(Mine("x", "a", (1, 0)))
    run = da.simulate(m, 0.1, step=0.05)
    with pytest.raises(da.FileError, match=r"Mine 'x': .*element of your own.*run\.to_csv"):
        run.save(tmp_path / "own.h5")
    assert not (tmp_path / "own.h5").exists()
    run.to_csv(tmp_path / "own.csv")
