"""dalembert resume: from a result, further than asked for, and from a checkpoint."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import dalembert as da
from dalembert import catalog
from dalembert.cli.app import app


def ask(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def test_a_run_is_carried_further(tmp_path):
    file = tmp_path / "x.h5"
    assert ask("run", "pendulum", "--until", 0.5, "--step", 0.1, "-o", file, "-q").exit_code == 0
    done = ask("resume", file, "--until", 1.0, "--csv", tmp_path / "x.csv", "-c", "*.coordinate", "--json")
    assert done.exit_code == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["until"] == pytest.approx(1.0) and answer["output"] == str(file) and answer["stats"]["method"] == "rk8"
    whole = da.simulate(catalog.make("pendulum"), 1.0, step=0.1)
    again = da.load(file)
    assert np.allclose(again.t, whole.t) and np.abs(again._q - whole._q).max() < 1e-4
    assert len((tmp_path / "x.csv").read_text(encoding="utf-8").splitlines()) == 12


def test_a_partial_result_becomes_whole(tmp_path):
    model = catalog.make("pendulum")
    stopped = None
    try:
        da.simulate(model, 1.0, step=0.1, max_steps=45, max_step=0.01)
    except da.SimulationError as error:
        stopped = error.run
    assert stopped is not None and 1 < len(stopped.t) < 11
    stopped._state["options"]["max_steps"] = 10_000  # it was stopped by a limit, not by hand
    stopped.save(tmp_path / "x.partial.h5")
    assert ask("resume", tmp_path / "x.partial.h5", "-q").exit_code == 0
    whole = da.simulate(model, 1.0, step=0.1, max_step=0.01)
    assert np.array_equal(da.load(tmp_path / "x.h5")._q, whole._q)


def test_from_a_checkpoint(tmp_path):
    file = tmp_path / "c.npz"
    assert ask("run", "pendulum", "--until", 0.5, "--step", 0.1, "--checkpoint", file, "-q").exit_code == 0
    done = ask("resume", "pendulum", "--checkpoint", file, "--until", 0.8, "-o", tmp_path / "r.h5", "-q")
    assert done.exit_code == 0, done.stderr
    assert da.load(tmp_path / "r.h5").t[-1] == pytest.approx(0.8)


def test_what_is_no_result_is_said():
    done = ask("resume", "pendulum")
    assert done.exit_code == 2 and "--checkpoint FILE" in done.stderr
