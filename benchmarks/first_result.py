"""A fresh process from an installed wheel to its first result, beside the peers, and where its CPU time goes.

Everything runs in one environment without numba and llvmlite, turn by turn, so that all meet the same machine; the least of the
rounds counts.  Processes are measured whole (user and system time of the child), from the start of Python to its end.

    python        an empty process                       numpy        import numpy
    import        import dalembert                        four-bar     import, a four-bar, 1 s of motion
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.startup import OURS, PEER, SETTINGS

STAGES = """
import resource, time
def now():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
marks = [("python", 0.0)]
def mark(name):
    marks.append((name, now()))
mark("python")
import numpy
mark("NumPy")
import dalembert as da
mark("import dalembert")
m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
m.add(da.Body.rod("crank", (0, 0), (0.3, 0.4), mass=1.0))
m.add(da.Body.rod("coupler", (0.3, 0.4), (1.3, 0.8), mass=1.0))
m.add(da.Body.rod("rocker", (1.3, 0.8), (1.2, 0.0), mass=1.0))
for name, i, j, at in (("A", m.ground, "crank", (0, 0)), ("B", "crank", "coupler", (0.3, 0.4)),
                       ("C", "coupler", "rocker", (1.3, 0.8)), ("D", m.ground, "rocker", (1.2, 0))):
    m.add(da.Revolute(name, i, j, at=at))
mark("model: modules and elements")
da.simulate
import dalembert.analyses.dynamics
mark("modules of simulate")
from dalembert._jit import shipped
library = shipped.opened()
for group in ("planar", "integrators", "paths"):
    shipped.find(group)
mark("opening the library, three groups checked")
m.compile()
mark("tables of the model")
run = da.simulate(m, 1.0)
mark("simulate")
run["coupler"].position[-1], run.energy.residual[-1]
mark("reading results")
print(*(f"{b[0]}={(b[1] - a[1]) * 1e3:.2f}" for a, b in zip(marks[:-1], marks[1:])), sep=";")
"""


def cpu(command: list[str], env: dict[str, str], folder: Path) -> tuple[float, str]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=env, capture_output=True, text=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command[-1][:80]!r} failed: {done.stderr[-1500:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--wheel", type=Path, help="installed into a fresh environment")
    parser.add_argument("--installed", help="or an interpreter that has it")
    parser.add_argument("--peers", type=Path, default=Path(sys.executable), help="an interpreter that has the peers")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    root = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory(prefix="dalembert-first-") as temporary:
        folder = Path(temporary)
        python = given.installed or str(folder / "env/bin/python")
        if not given.installed:
            subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
            subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", root / "constraints.txt",
                            given.wheel.resolve()], check=True, cwd=folder)
        bare = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "DALEMBERT"))} | {"OMP_NUM_THREADS": "1"}
        ours = {"python": "pass", "numpy": "import numpy", "import dalembert": "import dalembert", "dalembert, four-bar": OURS}
        jobs = {name: ([python, "-c", code], bare) for name, code in ours.items()}
        for name, settings in SETTINGS.items():
            found = subprocess.run([given.peers, "-c", f"import {name}"], capture_output=True, env=bare)
            if found.returncode == 0:
                jobs[f"{name}, four-bar"] = ([str(given.peers), "-c", PEER % (name, settings)], bare | {"PYTHONPATH": str(root)})
        least: dict[str, float] = {}
        stages: dict[str, float] = {}
        for _ in range(given.rounds):
            for name, (command, env) in jobs.items():
                least[name] = min(least.get(name, 9e9), cpu(command, env, folder)[0])
            for item in cpu([python, "-c", STAGES], bare, folder)[1].strip().split(";"):
                name, _, value = item.partition("=")
                stages[name] = min(stages.get(name, 9e9), float(value))
    for name, seconds in least.items():
        print(f"{seconds:8.3f} s CPU  {name}")
    print("\nwhere it goes (ms of CPU, least of the rounds each)")
    for name, value in stages.items():
        print(f"{value:8.1f}  {name}")


if __name__ == "__main__":
    main()
