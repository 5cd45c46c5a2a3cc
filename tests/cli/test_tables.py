"""kin, invdyn, static and modes write tables, results and pages like run; columns are chosen by patterns."""

import csv
import json

import pytest
from click.testing import CliRunner

import dalembert as da
from dalembert.cli.app import app


def ask(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def header(path):
    return next(csv.reader(path.open(encoding="utf-8")))


@pytest.mark.parametrize("verb, name, more, rows", [
    ("run", "four-bar", ("--until", 0.02, "--step", 0.01), 3), ("kin", "four-bar-driven", ("--until", 0.02, "--step", 0.01), 3),
    ("invdyn", "four-bar-driven", ("--until", 0.02, "--step", 0.01), 3), ("static", "four-bar-springs", (), 1)])
def test_files_of_motions_and_poses(verb, name, more, rows, tmp_path):
    files = {kind: tmp_path / f"x.{ending}" for kind, ending in (("csv", "csv"), ("output", "h5"), ("html", "html"))}
    words = [w for kind, path in files.items() for w in (f"--{kind}", path)]
    done = ask(verb, name, *more, *words, "-c", "A.force", "-c", "*.coordinate", "--json")
    assert done.exit_code == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {kind: answer[kind] for kind in files} == {kind: str(path) for kind, path in files.items()}
    found = header(files["csv"])
    assert {"A.force.x [N]", "A.force.y [N]", "B.coordinate [rad]"} <= set(found) and not any("position" in c for c in found)
    again = da.load(files["output"])
    assert len(again.t) == rows == len(files["csv"].read_text(encoding="utf-8").splitlines()) - 1
    assert files["html"].stat().st_size > 100_000


def test_files_of_modes(tmp_path):
    done = ask("modes", "chain", "--csv", tmp_path / "m.csv", "--output", tmp_path / "m.h5", "--html", tmp_path / "m.html",
               "--mode", 2)
    assert done.exit_code == 0 and done.stdout.count("10 mode(s) written to") == 3
    assert header(tmp_path / "m.csv")[:4] == ["eigenvalue.re [1/s]", "eigenvalue.im [rad/s]", "frequency [Hz]",
                                              "natural_frequency [Hz]"]
    kept = da.load(tmp_path / "m.h5").extra
    assert kept["A"].shape == (20, 20) and len(kept["eigenvalues"]) == 10 and kept["shown"] == 1
    done = ask("modes", "chain", "--html", tmp_path / "m.html", "--mode", 11)
    assert done.exit_code == 2 and "has 10 mode(s)" in done.stderr


def test_names_are_checked_before_computing(tmp_path):
    done = ask("run", "four-bar", "--until", 1e9, "--csv", tmp_path / "x.csv", "-c", "crank.angel")
    assert done.exit_code == 2 and "did you mean 'angle'" in done.stderr


def test_convert_chooses_too(tmp_path):
    assert ask("run", "four-bar", "--until", 0.02, "-o", tmp_path / "x.h5", "-q").exit_code == 0
    assert ask("convert", tmp_path / "x.h5", tmp_path / "x.csv", "-c", "energy.*", "-q").exit_code == 0
    assert header(tmp_path / "x.csv")[1] == "energy.kinetic [J]"
    pytest.importorskip("pyarrow")
    assert ask("convert", tmp_path / "x.h5", tmp_path / "x.parquet", "-c", "crank.x", "-q").exit_code == 0
    import pyarrow.parquet

    assert pyarrow.parquet.read_schema(tmp_path / "x.parquet").names == ["t", "crank.x"]
