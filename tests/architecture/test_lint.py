"""The tree passes its own tools: style, types, and the direction of imports."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str) -> tuple[int, str]:
    """Exit code and whole output of a command run at the root, with this tree's package first on the path."""
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    return done.returncode, f"{' '.join(command[1:])}\n{done.stdout}"


def test_style():
    code, output = run(sys.executable, "-m", "ruff", "check", ".")
    assert code == 0, output


def test_types():
    code, output = run(sys.executable, "-m", "mypy")
    assert code == 0, output


def test_layers():
    code, output = run(str(Path(sysconfig.get_path("scripts")) / "lint-imports"))
    assert code == 0, output
