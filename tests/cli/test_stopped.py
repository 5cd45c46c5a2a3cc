"""Ctrl-C: a run keeps its part and ends with exit code 2, other work with 130, a script that handles it with its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert as da

ENV = os.environ | {"PYTHONPATH": str(Path(da.__file__).parents[1])}
RUN = """
import os, signal, threading, sys
import dalembert.cli.app as cli
sys.argv = ["dalembert", *{args!r}]
threading.Timer({after}, os.kill, (os.getpid(), signal.SIGINT)).start()
cli.app(prog_name="dalembert")
"""
HANDLED = """
import os, signal, threading
import dalembert as da
from dalembert import catalog
m = catalog.make("chain")
da.simulate(m, 0.01)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    da.simulate(m, 1e5, rtol=1e-9)
except da.SimulationInterrupted as stopped:
    print("kept", len(stopped.run.t))
"""


def test_a_run_is_kept(tmp_path):
    args = ["run", "chain", "--until", "1e5", "-q", "-o", str(tmp_path / "r.h5")]
    done = subprocess.run([sys.executable, "-c", RUN.format(args=args, after=4.0)], env=ENV, capture_output=True, text=True)
    if not (tmp_path / "r.partial.h5").exists():
        pytest.skip("the machine was too busy to begin in four seconds")
    assert done.returncode == 2 and "The part computed so far was written to" in done.stderr
    assert da.load(tmp_path / "r.partial.h5").status == "stopped"


def test_other_work_ends_with_130(monkeypatch):
    from click.testing import CliRunner

    from dalembert.analyses import check
    from dalembert.cli.app import app

    def stopped(*args, **kw):
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "check", stopped)
    assert CliRunner().invoke(app, ["check", "pendulum"]).exit_code == 130


def test_a_script_that_handles_it_ends_well():
    child = subprocess.Popen([sys.executable, "-c", HANDLED], env=ENV, stdout=subprocess.PIPE, text=True)
    said, _ = child.communicate(timeout=300)
    assert child.returncode == 0 and said.startswith("kept")
