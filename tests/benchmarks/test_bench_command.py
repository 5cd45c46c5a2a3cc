"""dalembert bench: errors against the references, and the exit code when one is too large."""

import json

import pytest
from click.testing import CliRunner

from dalembert._jit import MODE
from dalembert.cli.app import app
from dalembert.cli.bench import CASES

pytestmark = pytest.mark.skipif(MODE == "python", reason="a minute of plain Python")


def test_all_published_benchmarks_are_met():
    done = CliRunner().invoke(app, ["bench", "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert [r["title"] for r in rows] == [c.title for c in CASES]
    assert all(0.0 < r["error"] <= r["limit"] and r["seconds"] > 0 for r in rows)


def test_a_sloppy_tolerance_is_told():
    done = CliRunner().invoke(app, ["bench", "--rtol", "1e-4"])
    assert done.exit_code == 1
    assert "A04 Bricard" in done.stdout
