"""Scripts with tables of their own: run one after the other within the time that is left, their output kept as it is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from benchmarks import runner
from benchmarks.shares import Shares

SCRIPTS = {
    "Kinematics, inverse dynamics, equilibrium, linearisation": "driven",
    "Joint coordinates beside Pinocchio and MuJoCo": "robotics",
    "The cost of a gradient": "gradients",
    "Stepping": "stepping",
    "Sweep": "sweep",
    "Derivations": "symbolic",
}
LEAST = 45.0  # s by the clock for each, however late it is


def tables(announce: Callable[[str], None], shares: Shares) -> dict[str, list[str]]:
    """Title → lines."""
    found = {}
    for k, (title, name) in enumerate(SCRIPTS.items()):
        announce(title.lower())
        found[title] = output(["-m", f"benchmarks.{name}"], max(LEAST, shares.left() / (len(SCRIPTS) - k)))
    return found


def output(arguments: list[str], seconds: float) -> list[str]:
    """What a script printed; one that fails or takes too long says so in its last line."""
    command = [sys.executable, "-u", *arguments]
    process = subprocess.Popen(command, cwd=runner.ROOT, env=runner.environment(), text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(timeout=seconds)
        last = (err.strip().splitlines() or [""])[-1]
        ended = "" if process.returncode == 0 else f"ended with code {process.returncode}: {last}"
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        ended = f"not finished after {seconds:.0f} s"
    return [*(line.rstrip() for line in out.splitlines()), *([ended] if ended else [])]
