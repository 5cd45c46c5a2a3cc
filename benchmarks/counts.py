"""Operations instead of seconds: counts that show a slow-down without noise.

    python -m benchmarks.counts [--write]

    multiply-adds   of the block factorisation and solve, from the tables of the symbolic analysis: order, fill
    lines           of kernel source executed by one evaluation and one projection, kernels run as plain Python: what the
    equations do
    evaluations     of the accelerations, steps and projections of fixed runs: what the integrators and their control do

The tests compare them with tests/benchmarks/counts.json.  A rise beyond the margin is a slow-down; an intended one, or a fall, is
recorded with --write.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from benchmarks.runner import ROOT, environment
from dalembert.equations.workspace import workspace

STORED = ROOT / "tests" / "benchmarks" / "counts.json"
SYMBOLIC = {
    "chain 100": ("chain", {"n": 100}),
    "N-four-bar 40": ("n-four-bar", {"n": 40}),
    "Andrews": ("andrews", {}),
    "chain in space 50": ("chain-in-space", {"n": 50}),
}
LINES = {"four-bar": ("four-bar", {}), "Andrews": ("andrews", {}), "Bricard": ("bricard", {}), "chain 20": ("chain", {"n": 20})}
RUNS = {
    "N-four-bar 2": ("n-four-bar", {"n": 2}, 10.0, 1e-8),
    "Andrews": ("andrews", {}, 0.03, 1e-8),
    "Bricard": ("bricard", {}, 10.0, 1e-8),
    "chain 10": ("chain", {"n": 10, "length": 10.0, "mass": 10.0}, 1.0, 1e-8),
    "Lagrange top": ("lagrange-top", {}, 2.0, 1e-8),
}


def symbolic() -> dict[str, int]:
    """Multiply-adds of one factorisation and one solve."""
    from dalembert import catalog

    found = {}
    for name, (key, kw) in SYMBOLIC.items():
        tables = catalog.make(key, **kw).compile().tables
        total = 0
        for column in tables.columns:
            n = int(column["count"])
            below = [int(c) for c in tables.below["count"][column["below"] : column["end"]]]
            total += n**3 // 6 + n * n * sum(below)  # the diagonal block, the column
            total += n * sum(a * b for k, a in enumerate(below) for b in below[k:])  # updates
            total += n * n + 2 * n * sum(below)  # forward and backward
        total += sum(int(p["count"]) * int(p["width"]) for p in tables.pairs)  # products of rows of D
        found[name] = total
    return found


def lines() -> dict[str, dict[str, int]]:
    """In this process, kernels as plain Python: executed lines of one entry."""
    import dalembert as da
    from dalembert import catalog

    found: dict[str, dict[str, int]] = {}
    for name, (key, kw) in LINES.items():
        state = da.assemble(catalog.make(key, **kw))
        w = workspace(state.system)
        w.set(state.t, state.q, state.v)
        found[name] = {}
        for entry in ("accelerations", "project"):
            bound = w.bound(entry)
            bound()
            count = [0]

            def local(frame, event, arg, count=count):
                if event == "line":
                    count[0] += 1
                return local

            sys.settrace(lambda frame, event, arg, local=local: local)
            try:
                bound()
            finally:
                sys.settrace(None)
            found[name][entry] = count[0]
    return found


def runs() -> dict[str, dict[str, int]]:
    """Work of fixed runs with both explicit methods."""
    import dalembert as da
    from dalembert import catalog

    found = {}
    for name, (key, kw, until, rtol) in RUNS.items():
        for method in ("rk5", "rk8"):
            stats = da.simulate(
                catalog.make(key, **kw), until, times=[until], integrator=method, rtol=rtol, atol=1e-3 * rtol
            ).stats
            found[f"{name}, {method}"] = {k: int(stats[k]) for k in ("rhs_calls", "projections")}
    return found


def all_counts() -> dict:
    """Everything; the lines are counted in a process without compiled kernels."""
    code = "import json\nfrom benchmarks.counts import lines\nprint(json.dumps(lines()))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**environment(), "DALEMBERT_JIT": "0"}, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return {"multiply-adds": symbolic(), "lines": json.loads(done.stdout), "evaluations": runs()}


def main() -> None:
    found = all_counts()
    print(json.dumps(found, indent=1))
    if "--write" in sys.argv:
        STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"written to {os.path.relpath(STORED)}")


if __name__ == "__main__":
    main()
