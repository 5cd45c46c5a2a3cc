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


def test_a_first_simulation_loads_what_it_needs():
    """What few processes need comes late (decision 0067); in Python mode, so that no compiler is loaded for the kernels."""
    statement = """
import dalembert as da
m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=2.0))
m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
da.simulate(m, 0.01)["rod"].position
"""
    before = os.environ.get("DALEMBERT_JIT")
    os.environ["DALEMBERT_JIT"] = "0"
    try:
        loaded = modules_after(statement)
    finally:
        os.environ.pop("DALEMBERT_JIT") if before is None else os.environ.update(DALEMBERT_JIT=before)
    late = {"numpy.random", "numpy.ma", "json", "hashlib", "zipfile", "tempfile", "pathlib", "subprocess", "dalembert._jit.store",
            "dalembert._jit.laws", "dalembert._jit.straight", "dalembert.contacts.world", "dalembert.model.touching",
            "dalembert.integrators.methods.radau", "dalembert.analyses.simulation.checkpoint", "dalembert.results.trust.estimate",
            "dalembert.elements.constraints.mesh"}
    assert "dalembert.analyses.dynamics" in loaded
    assert not loaded & (HEAVY | late), f"a simulation also imports {sorted(loaded & (HEAVY | late))}"


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "dalembert", "--version"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8",
                          env=os.environ | {"PYTHONPATH": str(SRC)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("dalembert ")
