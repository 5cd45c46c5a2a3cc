"""kin, invdyn, static, hold, modes on the real catalogue: answers, JSON, files, exit codes."""

import json

import pytest
from click.testing import CliRunner

from dalembert.cli.app import app


def ask(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def test_kin(tmp_path):
    done = ask("kin", "four-bar-driven", "--until", 0.3, "--step", 0.01, "--csv", tmp_path / "k.csv")
    assert done.exit_code == 0 and "kinematics of 'four-bar'" in done.stdout and "A.rate" in done.stdout
    assert len((tmp_path / "k.csv").read_text().splitlines()) == 32
    answer = json.loads(ask("kin", "six-bar", "--until", 0.2, "--json").stdout)
    assert answer["good"] and answer["channels"]["J1.rate"]["max"] == pytest.approx(6.283185307179586)
    assert answer["singular"] == []


def test_kin_of_a_free_mechanism_says_what_is_missing():
    done = ask("kin", "slider-crank")
    assert done.exit_code == 2 and "leave 1 degree(s) of freedom" in done.stderr and "Traceback" not in done.stderr


def test_invdyn():
    done = ask("invdyn", "driven-bar", "--until", 0.5)
    assert done.exit_code == 0 and "motor.torque" in done.stdout
    answer = json.loads(ask("invdyn", "driven-bar", "--until", 0.5, "--json").stdout)
    assert answer["channels"]["motor.torque"]["min"] < -200
    assert ask("invdyn", "driven-bar", "--unknown", "nothing").exit_code == 2


def test_static():
    done = ask("static", "chain")
    assert done.exit_code == 0 and "stable" in done.stdout and "hinge 1: force" in done.stdout
    answer = json.loads(ask("static", "four-bar-springs", "--all", "--tries", 8, "--json").stdout)
    assert all(e["stability"] == "stable" for e in answer["equilibria"])
    assert ask("static", "dzhanibekov").exit_code == 0  # nothing pushes it: neutral
    assert ask("static", "four-bar", "--unstable", "--all", "--tries", 6).exit_code == 0


def test_hold():
    done = ask("hold", "slider-crank-loaded", "--unknown", "M2")
    assert done.exit_code == 0 and "M2 = -138.49" in done.stdout
    answer = json.loads(ask("hold", "slider-crank-loaded", "--unknown", "M2", "--json").stdout)
    weights = 9.81 * (0.5 + 0.75) * 0.15 * 0.7071067811865476
    assert answer["values"]["M2"] == pytest.approx(-139.79494318279586 + weights, rel=1e-9)
    assert ask("hold", "slider-crank-loaded", "--unknown", "M3").exit_code == 2


def test_modes():
    done = ask("modes", "chain")
    assert done.exit_code == 0 and "frequency Hz" in done.stdout
    answer = json.loads(ask("modes", "whipple", "--moving", "--json").stdout)
    assert len(answer["states"]) == 10 and answer["modes"]


def test_help():
    text = ask("--help").stdout
    assert all(word in text for word in ("kin", "invdyn", "static", "hold", "modes"))


def test_matrices():
    done = ask("matrices", "rod-and-disc")
    assert done.exit_code == 0 and "layout \"course\"" in done.stdout and "K x = rhs" in done.stdout
    done = ask("matrices", "slider-crank-driven", "--layout", "plane", "--show", "K,nu")
    assert done.exit_code == 0 and "K (18 × 18)" in done.stdout and "ν (9)" in done.stdout
    answer = json.loads(ask("matrices", "driven-bar", "--time", 0.3, "--json").stdout)
    assert answer["t"] == 0.3 and answer["independent"] == [] and max(answer["identities"].values()) < 1e-12
    K = answer["matrices"]["K"]
    assert len(K["rows"]) == len(K["columns"]) == len(K["values"]) == 12 and answer["matrices"]["B"]["columns"] == []
    assert ask("matrices", "four-bar", "--show", "Cq", "--latex").stdout.startswith(r"\mathbf{C}")
    wrong = ask("matrices", "four-bar", "--independent", "crank.angel")
    assert wrong.exit_code == 2 and "did you mean 'crank.angle'" in wrong.stderr
    assert ask("matrices", "four-bar", "--show", "L").exit_code == 2
