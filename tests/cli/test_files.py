"""Model files and results on the command line."""

import json

import numpy as np
import pytest

import dalembert as da


@pytest.fixture
def model_file(call, tmp_path):
    file = tmp_path / "pendulum.toml"
    assert call("convert", "pendulum", file, "-q").exit_code == 0
    return file


def test_run_of_a_file_leaves_a_result_beside_it(call, model_file, tmp_path):
    done = call("run", model_file, "--until", 0.3, "--csv", tmp_path / "x.csv", "--html", tmp_path / "x.html", "--frames",
                tmp_path / "frames")
    assert done.exit_code == 0, done.stderr
    assert f"written to {model_file.with_suffix('.h5')}" in done.stdout.replace("\n", "")
    run = da.load(model_file.with_suffix(".h5"))
    assert run.t[-1] == pytest.approx(0.3) and run.model.name == "pendulum"
    assert "</html>" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert len(list((tmp_path / "frames").glob("pos*.dat"))) == len(run.t)
    assert len((tmp_path / "x.csv").read_text().splitlines()) == len(run.t) + 1


def test_check_takes_files_and_results(call, model_file):
    assert json.loads(call("check", model_file, "--json").stdout)["dof"] == 1
    call("run", model_file, "--until", 0.1, "-q")
    assert json.loads(call("check", model_file.with_suffix(".h5"), "--json").stdout)["dof"] == 1


def test_errors_in_a_file_are_told_with_their_line(call, model_file):
    text = model_file.read_text().replace("mass =", "mas =")
    model_file.write_text(text)
    done = call("check", model_file)
    assert done.exit_code == 2 and done.stdout == ""
    assert f"{model_file}, line " in done.stderr and "did you mean 'mass'?" in done.stderr


def test_missing_files(call, tmp_path):
    done = call("run", tmp_path / "none.toml")
    assert done.exit_code == 2 and "No such file" in done.stderr


def test_partial_results_are_kept_and_marked(call, tmp_path):
    done = call("run", "blown-up", "--output", tmp_path / "x.h5", "--csv", tmp_path / "x.csv")
    assert done.exit_code == 2 and "x.partial.h5" in done.stderr
    assert da.load(tmp_path / "x.partial.h5").status == "partial"
    assert not (tmp_path / "x.h5").exists() and (tmp_path / "x.partial.csv").exists()


def test_convert(call, model_file, tmp_path):
    assert call("convert", model_file, tmp_path / "p.json").exit_code == 0
    call("run", tmp_path / "p.json", "--until", 0.2, "-q")
    assert call("convert", tmp_path / "p.h5", tmp_path / "again.toml").exit_code == 0
    assert (tmp_path / "again.toml").read_text() == model_file.read_text()
    assert call("convert", tmp_path / "p.h5", tmp_path / "p.csv").exit_code == 0
    values = np.loadtxt(tmp_path / "p.csv", delimiter=",", skiprows=1)
    assert np.array_equal(values[:, 1:3], da.load(tmp_path / "p.h5")["rod"].position)
    assert "compute it first with dalembert run" in call("convert", model_file, tmp_path / "p.csv").stderr
    assert "the ending says what to write" in call("convert", model_file, tmp_path / "p.txt").stderr


def test_schema(call, tmp_path):
    assert "joint.revolute" in json.loads(call("schema").stdout)["$defs"]
    assert call("schema", "--output", tmp_path / "s.json").exit_code == 0
    assert json.loads((tmp_path / "s.json").read_text())["title"] == "dalembert model"


def test_completion_knows_names_and_files(catalogue, tmp_path, monkeypatch):
    from dalembert.cli.names import complete

    monkeypatch.chdir(tmp_path)
    (tmp_path / "pen.toml").write_text("")
    assert complete("pen") == ["pendulum", "pen.toml"]


def test_wrong_endings_are_told_before_computing(call, tmp_path):
    for option, name, says in (("--output", "x.txt", "should end in .h5"), ("--mp4", "x.avi", "should end in .mp4")):
        done = call("run", "pendulum", option, tmp_path / name, "--csv", tmp_path / "x.csv")
        assert done.exit_code == 2 and says in done.stderr and not list(tmp_path.iterdir())


def test_a_drawing_that_assembly_moves_is_told(call, tmp_path):
    m = da.Model("lift", dim=3)
    m.add(da.Body("platform", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0, 0, 1.2)))
    m.add(da.Drive("up", "platform.z", "0.1*sin(t)"))
    file = tmp_path / "lift.toml"
    m.save(file)
    told = "warning: assembly moved 'platform' most, by 1.2 m"
    assert told in call("check", str(file)).stdout
    assert json.loads(call("check", str(file), "--json").stdout)["moved"].startswith(told)
    done = call("run", str(file), "--until", "0.1")
    assert done.exit_code == 0 and told in " ".join(done.stdout.split())
