"""Importing the package is cheap: what is heavy is loaded when it is first used."""

import os
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src"
HEAVY = {"numba", "llvmlite", "scipy", "sympy", "matplotlib", "numpy.testing"}


def modules_after(statement: str) -> set[str]:
    """Names of all modules loaded in a fresh process that ran the statement."""
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"],
        env=os.environ | {"PYTHONPATH": str(SRC)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    loaded = modules_after("import dalembert")
    assert "dalembert" in loaded
    assert not loaded & HEAVY, f"'import dalembert' also imports {sorted(loaded & HEAVY)}"
