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


def test_help_loads_nothing_heavy():
    statement = """
import sys
sys.argv = ["dalembert", "--help"]
from dalembert.cli import main
try:
    main()
except SystemExit as done:
    assert not done.code
"""
    loaded = modules_after(statement)
    heavy = loaded & (HEAVY | {"numpy", "h5py"})
    assert "dalembert.cli.run" in loaded
    assert not heavy, f"'dalembert --help' also imports {sorted(heavy)}"


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "dalembert", "--version"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8",
                          env=os.environ | {"PYTHONPATH": str(SRC)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("dalembert ")
