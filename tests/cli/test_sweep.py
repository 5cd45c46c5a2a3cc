"""dalembert sweep."""

import json

import pytest

import dalembert as da

MODEL = """dalembert = 1
name = "pendulum"
dim = 2
gravity = [0, -9.81]
parameters = {l = 1.0, m = 1.0}
[[body]]
name = "rod"
mass = "m"
start = [0, 0]
end = ["l", 0]
[[joint]]
type = "revolute"
name = "O"
between = ["ground", "rod"]
at = [0, 0]
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "p.toml").write_text(MODEL)
    return tmp_path / "p.toml"


def test_a_grid(call, file, tmp_path):
    done = call("sweep", file, "-p", "l=0.5:1.5:3", "-p", "m=1,2", "-k", "peak=max O.force", "--until", 0.3,
                "--csv", tmp_path / "s.csv")
    assert done.exit_code == 0, done.stderr
    assert "6 variants" in done.stdout and "peak" in done.stdout
    lines = (tmp_path / "s.csv").read_text().splitlines()
    assert lines[0] == "l,m,peak [N],message" and len(lines) == 7
    model = da.load_model(file)
    model.parameters["l"] = 0.5
    run = da.simulate(model, 0.3)
    assert float(lines[1].split(",")[2]) == (run["O"].force**2).sum(axis=1).max() ** 0.5


def test_samples_and_failures(call, file, tmp_path):
    answer = json.loads(call("sweep", file, "-p", "l=0.5:2", "--sampling", "latin", "--count", 7, "-k", "last rod.angle",
                             "--until", 0.1, "--json", "--save", tmp_path / "s.jsonl").stdout)
    assert answer["variants"] == 7 and answer["failed"] == 0
    done = call("sweep", file, "-p", "m=1,-1", "-k", "last rod.angle", "--until", 0.1)
    assert done.exit_code == 1 and "1 of 2 variants failed" in done.stderr and "must be positive" in done.stderr


@pytest.mark.parametrize("text", ["l", "l=", "l=a,b", "l=1:2:x", "=3", "l=1:2"])
def test_slips(call, file, text):
    done = call("sweep", file, "-p", text, "-k", "last rod.angle")
    assert done.exit_code == 2 and "write NAME=1,2,5 or NAME=from:to:count" in done.stderr


def test_a_name_given_twice_is_not_dropped(call, file):
    done = call("sweep", file, "-p", "l=1,2", "-p", "l=3", "-k", "last rod.angle")
    assert done.exit_code == 2 and "--parameter: 'l' is given 2 times" in done.stderr
    done = call("sweep", file, "-p", "l=1,2", "-k", "a=last rod.angle", "-k", "a=max O.force")
    assert done.exit_code == 2 and "--keep: 'a' is given 2 times" in done.stderr
