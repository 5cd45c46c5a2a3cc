"""The change trial: a joint and a force between two bodies are one file and one line each, and every room knows them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    out = subprocess.run([sys.executable, str(HERE / "toy_trial.py"), str(tmp_path_factory.mktemp("trial"))], capture_output=True,
                         text=True, check=False, env={**os.environ, "DALEMBERT_JIT": "0"})
    assert out.returncode == 0, out.stderr[-3000:]
    return json.loads(out.stdout.splitlines()[-1])


def test_it_is_in_the_tangent(found):
    """Its bodies are coupled in K and C, and the implicit method agrees with the explicit one."""
    for dim in (2, 3):
        assert found[f"couples{dim}"] == [0, 1]
        assert found[f"apart{dim}"] < 1e-6


def test_its_energy_is_in_the_ledger(found):
    assert all(found[f"residual{dim}"] < 1e-5 for dim in (2, 3))


def test_it_is_drawn(found):
    assert all("pull" in found[f"ties{dim}"] for dim in (2, 3))
    assert found["marks"] >= 3  # two ends, and a pin with a support


def test_it_is_reported(found):
    for dim in (2, 3):
        assert len(found[f"force{dim}"]) == 1 and found[f"pull{dim}"] < 1e-4  # it pulls: one number, positive together
        assert any(c.startswith("pull.force") for c in found[f"channels{dim}"])


def test_it_is_saved_and_in_the_schema(found):
    assert found["saved2"] == found["saved3"] == 40.0
    assert found["schema"] == [True, True]


def test_derive_says_what_it_lacks(found):
    for dim in (2, 3):
        assert "Coupling 'pull' has no symbolic form (its force 'toy_coupling' has no formula yet)" in found[f"derived{dim}"]
