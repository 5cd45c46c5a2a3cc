"""Checkpoints and interruptions: what is resumed is what would have come out, bit for bit."""

import io
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.simulation import checkpoint
from dalembert.analyses.toolbox.progress import ProgressLine
from dalembert.integrators import solve as driver


def stop_after(when):
    def progress(t):
        if t > when:
            raise KeyboardInterrupt
    return progress


def same(a, b):
    for name in ("_t", "_q", "_v", "_ledger"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.events == b.events
    for key in ("steps", "rejected", "rhs_calls", "newton", "switched"):
        assert a.stats[key] == b.stats[key]


@pytest.fixture
def often(monkeypatch):
    """Look up from the compiled loop after every few steps, and save each time."""
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 1e-5)
    monkeypatch.setattr(checkpoint, "EVERY_SECONDS", 0.0)


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau", "alpha"])
@pytest.mark.parametrize("name", ["four-bar", "double-pendulum"])
def test_interrupted_and_resumed(name, integrator, often, tmp_path):
    m = catalog.make(name)
    options = {"integrator": integrator, "rtol": 1e-5, "events": ["t - 0.31", "t - 1.2"]}
    whole = da.simulate(m, 1.5, **options)
    same(whole, da.simulate(m, 1.5, **options))
    file = tmp_path / "run.npz"
    with pytest.raises(da.SimulationInterrupted, match=r"da\.resume") as caught:
        da.simulate(m, 1.5, **options, checkpoint=file, progress=stop_after(0.6))
    part = caught.value.run
    assert part.status == "stopped"
    assert 0.6 <= part.t[-1] < 1.5
    same(whole, da.resume(part))
    same(whole, da.resume(catalog.make(name), file))


def test_resumed_across_the_switch_to_an_implicit_method(stiff_arm, often):
    whole = da.simulate(stiff_arm, 3.0)
    switched = whole.stats["switched"]
    for when in (0.5 * switched, 0.5 * (switched + 3.0)):
        with pytest.raises(KeyboardInterrupt) as caught:
            da.simulate(stiff_arm, 3.0, progress=stop_after(when))
        same(whole, da.resume(caught.value.run))


def test_a_checkpoint_of_a_killed_process_goes_on(tmp_path):
    """kill -9 while the run is under way."""
    file = tmp_path / "run.npz"
    code = ("import dalembert as da; from dalembert import catalog; from dalembert.analyses.simulation import checkpoint;"
            "checkpoint.EVERY_SECONDS = 0.0;"
            f"da.simulate(catalog.make('chain'), 50.0, rtol=1e-9, checkpoint={str(file)!r}, formulation='augmented',"
            "progress=lambda t: print(t, flush=True))")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    for _ in range(6):
        assert process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    options, arrays = checkpoint.read(file)
    reached = float(arrays["state_real"][0])
    assert reached > 0
    times = np.array(options["times"])
    small = times[times <= reached]
    whole = da.simulate(catalog.make("chain"), 50.0, rtol=1e-9, stop=f"t - {reached + 0.01}", formulation="augmented")
    np.testing.assert_array_equal(arrays["y"], np.hstack([whole._q, whole._v, whole._ledger])[:arrays["t"].size])
    assert arrays["t"].size == small.size


def test_further_than_asked_for_at_first():
    m = catalog.make("four-bar")
    run = da.resume(da.simulate(m, 1.0, rtol=1e-8), until=1.5)
    longer = da.simulate(m, 1.5, step=1.0 / 200, rtol=1e-8)
    np.testing.assert_allclose(run.t, longer.t, atol=1e-12)
    np.testing.assert_allclose(run._q, longer._q, atol=1e-6)
    with pytest.raises(da.SimulationError, match=r"until must be a time after 1\.5"):
        da.resume(run, until=1.2)


def test_refusals(tmp_path):
    m = catalog.make("four-bar")
    file = tmp_path / "run.npz"
    da.simulate(m, 0.1, checkpoint=file)
    with pytest.raises(da.SimulationError, match="belongs to another model"):
        da.resume(catalog.make("chain"), file)
    with pytest.raises(da.SimulationError, match=r"resume\(model, file\)"):
        da.resume(m)
    with pytest.raises(da.FileError, match="there is no checkpoint"):
        da.resume(m, tmp_path / "none")
    for content in (b"", b"PK\x03\x04 broken", file.read_bytes()[:200], b"hello"):
        (tmp_path / "bad").write_bytes(content)
        with pytest.raises(da.FileError, match="is not a checkpoint"):
            da.resume(m, tmp_path / "bad")
    with pytest.raises(da.FileError, match="cannot be written"):
        da.simulate(m, 0.1, checkpoint=tmp_path / "no such folder" / "run.npz")


def test_ctrl_c_keeps_the_part_computed():
    m = catalog.make("chain")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    da.simulate(m, 0.01)  # everything compiled
    timer.start()
    with pytest.raises(da.SimulationInterrupted, match="Stopped on request") as caught:
        da.simulate(m, 1e4, rtol=1e-10)
    timer.join()
    assert caught.value.run.status == "stopped"
    assert caught.value.run.certificate.position_error < 1e-9


def test_progress_line_shows_and_wipes(monkeypatch):
    stream = io.StringIO()
    line = ProgressLine(0.0, 10.0, stream)
    assert line.text(2.5, 30.0) == "t = 2.5 of 10 s (25 %), 30 s so far, 90 s left"
    assert "20 min left" in line.text(1.0, 130.0)
    line(1.0)
    assert stream.getvalue() == ""  # shorter than a second: nothing
    line.begin -= 5.0
    line(1.0)
    assert "10 %" in stream.getvalue()
    line.close()
    assert stream.getvalue().endswith("\r")

    single = ProgressLine(5.0, 5.0, stream)  # one output time only
    assert single.text(5.0, 30.0) == "t = 5 of 5 s (0 %), 30 s so far"


@pytest.mark.parametrize("integrator", ["rk8", "radau", "alpha"])
def test_after_a_stop_no_output_is_left_out(integrator):
    m = catalog.make("double-pendulum")
    whole = da.simulate(m, 1.0, step=0.01, integrator=integrator)
    part = da.simulate(m, 1.0, step=0.01, integrator=integrator, stop="t - 0.505")
    assert part.t[-1] == pytest.approx(0.505)
    on = da.resume(part)
    np.testing.assert_array_equal(np.delete(on.t, part.t.size - 1), whole.t)
    assert on.t[part.t.size - 1] == part.t[-1]


def test_stiff_just_at_the_end(stiff_arm):
    """The switch falls on the last step: no sample twice, and the run can be carried further."""
    switched = da.simulate(stiff_arm, times=[0.0, 3.0]).stats["switched"]  # no output on the way: the same steps in both
    run = da.simulate(stiff_arm, times=[0.0, switched])
    assert np.all(np.diff(run.t) > 0)
    on = da.resume(run, until=1.5 * switched)
    assert on.stats["switched"] >= switched
    assert np.all(np.diff(on.t) > 0)


def test_a_checkpoint_that_cannot_be_written_is_told_first(tmp_path, monkeypatch, capsys):
    m = catalog.make("four-bar")
    calls = []
    for place in (tmp_path, tmp_path / "none" / "x.npz", 5):
        with pytest.raises(da.FileError, match="checkpoint"):
            da.simulate(m, 1e6, checkpoint=place, progress=calls.append)
    assert not calls
    assert not list(tmp_path.iterdir())

    def full(*args, **kw):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint.np, "savez", full)
    run = da.simulate(m, 0.1, checkpoint=tmp_path / "run.npz")
    assert run.status == "complete"
    assert "No space left" in capsys.readouterr().err


def test_a_checkpoint_is_never_older_than_some_seconds(tmp_path, monkeypatch):
    """What a kill costs at most: the threshold itself, by a clock of our own."""
    clock = [100.0]
    monkeypatch.setattr(checkpoint.time, "monotonic", lambda: clock[0])
    kept = checkpoint.Checkpoint(tmp_path / "c.npz")
    kept.write({}, {"a": np.zeros(2)})
    for seconds, due in ((0.5, False), (4.9, False), (5.0, True), (10.0, True)):
        clock[0] = 100.0 + seconds
        assert kept.due() is due
    kept.write_on_the_way({}, {"a": np.zeros(2)})
    assert not kept.due()
