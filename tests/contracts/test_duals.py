"""Duals are exact: every element and every kind of law, against 50 digits (Python mode), and compiled as in Python mode."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from contract_cases import CASES
from contract_duals import by_duals
from contract_scene import assert_near

import dalembert
from dalembert.elements.laws import FUNCTION

SCRIPT = Path(__file__).parent / "contract_duals.py"


def python_mode(*words):
    source = str(Path(dalembert.__file__).parents[1])
    path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, str(SCRIPT), *words], env={**os.environ, "DALEMBERT_JIT": "0", "PYTHONPATH": path},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_every_element_against_fifty_digits():
    pytest.importorskip("mpmath")
    found = python_mode("compare")
    assert len(found) >= len(CASES) - 8  # those with Python functions are asked in doubles
    assert {name: error for name, error in found.items() if not 0.0 <= error <= 1e-13} == {}


def test_compiled_tangents_are_those_of_python_mode():
    plain = python_mode("duals")
    for case in CASES:
        compiled = by_duals(case)[3]
        tables = case.system().tables
        functions = bool((tables.laws["kind"] == FUNCTION).any() or tables.user_force.size)  # f̈ by differences
        for name, values in compiled.items():
            if name != "power":  # follows δλ, where rows may depend on others
                assert_near(values, np.array(plain[case.name][name]), 1e-8 if functions else 1e-11)
