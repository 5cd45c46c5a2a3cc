"""list, check, run: what they print, what they write, and their exit codes."""

import csv
import json

import numpy as np
import pytest

import dalembert as da


def test_version_and_help(call):
    assert call("--version").stdout.strip() == f"dalembert {da.__version__}"
    text = call("--help").stdout
    assert all(word in text for word in ("list", "check", "run", "demo"))
    assert "crank.csv" in call("run", "--help").stdout


def test_list(call, catalogue):
    done = call("list")
    assert done.exit_code == 0
    assert all(name in done.stdout for name in catalogue)
    assert "textbook [1]" in done.stdout  # brackets are no markup
    assert [e["name"] for e in json.loads(call("list", "--json").stdout)] == list(catalogue)


def test_check(call):
    done = call("check", "pendulum")
    assert done.exit_code == 0
    assert "degrees of freedom       1" in done.stdout
    answer = json.loads(call("check", "pendulum", "--json").stdout)
    assert (answer["nq"], answer["nc"], answer["dof"], answer["assembled"]) == (3, 2, 1, True)


def test_check_of_a_torn_mechanism_is_not_good(call):
    done = call("check", "torn", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["assembled"] is False


@pytest.mark.parametrize("command", ["check", "run"])
def test_unknown_name(call, command):
    done = call(command, "pendulm")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "'pendulm'" in done.stderr and "nearest are pendulum" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_prints_certificate_and_places(call):
    done = call("run", "pendulum")
    assert done.exit_code == 0
    assert "energy residual" in done.stdout and "at t = 0.5 s" in done.stdout and "rod" in done.stdout
    quiet = call("run", "pendulum", "--quiet")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")


def test_run_json(call):
    answer = json.loads(call("run", "top", "--until", 0.1, "--step", 0.02, "--rtol", 1e-8, "--json").stdout)
    assert answer["good"] and answer["doubts"] == []
    assert answer["samples"] == 6 and answer["until"] == pytest.approx(0.1)
    assert np.linalg.norm(answer["final"]["top"]["position"]) == pytest.approx(0.5, abs=1e-9)
    assert np.linalg.norm(answer["final"]["top"]["quaternion"]) == pytest.approx(1)


def test_run_verify(call):
    assert "error estimate     position" in call("run", "top", "--until", 0.1, "--verify").stdout
    answer = json.loads(call("run", "top", "--until", 0.1, "--verify", "--json").stdout)["certificate"]
    assert 0 < answer["error_estimate"]["bodies"]["top"]["rotation"] < 1e-4 and len(answer["relative"]) == 3


@pytest.mark.parametrize("name, columns", [("pendulum", 23), ("top", 35)])
def test_run_csv(call, catalogue, tmp_path, name, columns):
    file = tmp_path / "out.csv"
    assert call("run", name, "--step", 0.1, "--csv", file, "-q").exit_code == 0
    header, *rows = csv.reader(file.open(encoding="utf-8"))
    values = np.array(rows, dtype=float)
    run = da.simulate(catalogue[name].make(), catalogue[name].until, step=0.1)
    body = run.system.bodies[0]
    assert header[:3] == ["t [s]", f"{body}.position.x [m]", f"{body}.position.y [m]"] and len(header) == columns
    assert np.array_equal(values[:, 0], run.t)
    assert np.array_equal(values[:, 1:1 + run.system.dim], run[body].position)
    at = header.index(f"{body}.velocity.x [m/s]")
    assert np.array_equal(values[:, at:at + run.system.dim], run[body].velocity)


def test_csv_that_cannot_be_written(call, tmp_path):
    done = call("run", "pendulum", "--csv", tmp_path / "nowhere" / "x.csv")
    assert done.exit_code == 2
    assert "cannot write" in done.stderr and done.stderr.startswith("dalembert: ")


def test_doubtful_run_is_not_good(call):
    done = call("run", "pendulum", "--until", 20, "--rtol", 9)
    assert done.exit_code == 1
    assert "energy does not add up" in done.stderr


def test_wrong_numbers(call):
    assert "until must be" in call("run", "pendulum", "--until", -1).stderr
    assert call("run", "pendulum", "--until", -1).exit_code == 2
    assert call("run", "pendulum", "--until", "soon").exit_code == 2


def test_torn_mechanism_names_the_conflict(call):
    done = call("run", "torn")
    assert done.exit_code == 2
    assert "cannot be assembled" in done.stderr and "Traceback" not in done.stderr


def test_partial_result_is_kept_and_marked(call, tmp_path):
    done = call("run", "blown-up", "--csv", tmp_path / "x.csv")
    assert done.exit_code == 2
    assert not (tmp_path / "x.csv").exists()
    rows = (tmp_path / "x.partial.csv").read_text(encoding="utf-8").splitlines()
    assert 10 < len(rows) < 202
    assert "x.partial.csv" in done.stderr
