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
from dalembert._jit.duals import WIDTH
from dalembert.elements.laws import FUNCTION
from dalembert.formulations.augmented.derivatives import Derivatives
from dalembert.formulations.augmented.newton.classes import placeless
from dalembert.formulations.augmented.newton.engine import NewtonWork

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


def test_lanes_shared_and_left_out_say_what_single_directions_say(case):
    """K, C, G by few lanes (newton/classes.py) against one lane for every column; where a body's place does not count, zeros."""
    for w, rng in case.states(1):
        s, n = w.system, w.system.kind.SIZE_V
        w.run("accelerations")
        w.lam[:] = rng.standard_normal(s.nc)  # of the size of nothing in particular: no term is small by chance
        w.vdot[:] = w.held[:] = rng.standard_normal(s.nv)
        lam, vdot = w.lam.copy(), w.vdot.copy()
        newton, d = NewtonWork(w), Derivatives(w)
        if newton._exact() is None:  # functions of users that are asked by differences
            return
        newton.bound("differentiate")()
        G = {name: np.zeros((s.nc, s.nv)) for name in ("Gq", "Gv")}
        for b in s.tables.blocks:
            rows, to = slice(int(b["row"]), int(b["row"] + b["count"])), s.at_v(int(b["body"]))
            for name, matrix in G.items():
                values = getattr(newton.arrays, name)[int(b["at"]):int(b["at"]) + n * int(b["count"])]
                matrix[rows, to] = values.reshape(int(b["count"]), n)
        nowhere = np.repeat(placeless(s), n) & (np.arange(s.nv) % n < s.dim)
        for X, of_u, of_rho in ((True, "K", "Gq"), (False, "C", "Gv")):
            found = {"u": np.zeros((s.nv, s.nv)), "rho": np.zeros((s.nc, s.nv))}
            for first in range(0, s.nv, WIDTH):
                E = np.eye(s.nv)[:, first:first + WIDTH]
                w.lam[:], w.vdot[:], w.held[:] = lam, vdot, vdot
                d.seeds(E if X else None, None if X else E)
                d.run("balanced")
                for name, matrix in found.items():
                    matrix[:, first:first + WIDTH] = d.found[name][:, :E.shape[1]]
            size = max(np.abs(x).max(initial=0.0) for x in found.values())
            assert np.abs(newton.matrix(of_u) + found["u"]).max(initial=0.0) <= 1e-13 * size
            assert np.abs(G[of_rho] - found["rho"]).max(initial=0.0) <= 1e-13 * size
            assert not found["u"][:, nowhere].any() and not found["rho"][:, nowhere].any()
