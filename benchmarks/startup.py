"""Start-up: a fresh process from nothing to the first result, wall time, minimum of repeats.

import      import of the package alone
first       import + a four-bar + 1 s of simulation (peers: the same four-bar, as they can express it)
cold        the same with no compiled kernels on disk (dalembert only; once)
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.runner import environment

IMPORTS = {"dalembert": "import dalembert", "pinocchio": "import pinocchio", "mujoco": "import mujoco", "exudyn": "import exudyn"}
OURS = """
import dalembert as da
m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
m.add(da.Body.rod("crank", (0, 0), (0.3, 0.4), mass=1.0))
m.add(da.Body.rod("coupler", (0.3, 0.4), (1.3, 0.8), mass=1.0))
m.add(da.Body.rod("rocker", (1.3, 0.8), (1.2, 0.0), mass=1.0))
m.add(da.Revolute("A", m.ground, "crank", at=(0, 0)))
m.add(da.Revolute("B", "crank", "coupler", at=(0.3, 0.4)))
m.add(da.Revolute("C", "coupler", "rocker", at=(1.3, 0.8)))
m.add(da.Revolute("D", m.ground, "rocker", at=(1.2, 0)))
run = da.simulate(m, 1.0)
print(run["coupler"].position[-1], run.energy.residual[-1])
import sys
assert "numba" not in sys.modules
"""
PEER = """
import numpy as np
from benchmarks.engines import adaptor
from benchmarks.mechanism import GROUND, Joint, Mechanism, rod
P = [np.array(p) for p in ((0, 0), (0.3, 0.4), (1.3, 0.8), (1.2, 0.0))]
bodies = [rod(n, a, b, 1.0) for n, a, b in zip(("crank", "coupler", "rocker"), P, P[1:])]
names = (GROUND, "crank", "coupler", "rocker")
joints = [Joint(f"J{k}", *pair, p) for k, (pair, p) in enumerate(zip(((GROUND, "crank"), ("crank", "coupler"), ("coupler",
                                                                      "rocker"), (GROUND, "rocker")), P))]
e = adaptor(%r)(Mechanism("four-bar", 2, np.array([0, -9.81]), bodies, joints))
print(e.sample(%r, np.array([1.0])).r[-1, 1])
"""
SETTINGS = {
    "pinocchio": {"step": 0.01, "mu": 1e-6, "iterations": 20, "baumgarte": 0.1},
    "mujoco": {"step": 0.002, "solref/h": 2.0},
    "exudyn": {"step": 0.002, "radius": 0.9},
}


def wall(code: str, repeats: int = 7, **extra) -> dict:
    """Least wall and CPU seconds of a fresh process; {"failed": why} if it fails."""
    best, cpu = float("inf"), float("inf")
    for _ in range(repeats):
        before = os.times()
        begin = time.perf_counter()
        try:
            done = subprocess.run(
                [sys.executable, "-c", code], env={**environment(), **extra}, capture_output=True, text=True, timeout=150
            )
        except subprocess.TimeoutExpired:
            return {"failed": "timeout"}
        if done.returncode:
            tail = [x for x in done.stderr.splitlines() if x.strip()]
            return {"failed": tail[-1][:160] if tail else f"exit code {done.returncode}"}
        best = min(best, time.perf_counter() - begin)
        after = os.times()
        cpu = min(cpu, after.children_user + after.children_system - before.children_user - before.children_system)
    return {"wall": best, "cpu": cpu, "progress": [x for x in done.stderr.splitlines() if x.startswith("dalembert:")]}


def measure(announce) -> dict:
    found: dict[str, dict] = {"python": {"import": wall("pass")}, "numpy": {"import": wall("import numpy")}}
    for name, code in IMPORTS.items():
        announce(f"start-up: {name}")
        first = OURS if name == "dalembert" else PEER % (name, SETTINGS[name])
        found[name] = {"import": wall(code), "first": wall(first)}
    announce("start-up: dalembert with no compiled kernels")
    with tempfile.TemporaryDirectory() as empty:
        found["dalembert"]["cold"] = wall(OURS, repeats=1, DALEMBERT_CACHE=empty)
    return found


def slower(found: dict) -> list[str]:
    """A line if a peer's fresh process has its first result earlier (by CPU time)."""
    times = {name: q["first"]["cpu"] for name, q in found.items() if "cpu" in q.get("first", {})}
    ahead = [f"{name} {t:.2f} s" for name, t in times.items() if t < times.get("dalembert", 0.0)]
    if not ahead:
        return []
    return [
        "",
        f"- **Start-up**: a fresh process with a four-bar and 1 s of motion takes {times['dalembert']:.2f} s of CPU; "
        f"{', '.join(ahead)}. "
        "This is a checkout: object code is loaded through llvmlite, and its sources are hashed to be sure that it is theirs; "
        "an installed wheel does neither (`make startup`, decision 0067).",
    ]


def text(found: dict) -> list[str]:
    def figure(q):
        return "–" if q is None else q["failed"] if "failed" in q else f"{q['wall']:.2f} s ({q['cpu']:.2f} s CPU)"

    out = ["| fresh process | import | import + four-bar + 1 s | the same, nothing compiled yet |", "|---|---|---|---|"]
    return out + [
        f"| {name} | {figure(q['import'])} | {figure(q.get('first'))} | {figure(q.get('cold'))} |" for name, q in found.items()
    ]
