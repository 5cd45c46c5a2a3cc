"""Time per configuration of kinematics and inverse dynamics, of an equilibrium and of a linearisation; CPU time, best of five.

    python benchmarks/driven.py [--json FILE]

Kinematics: q, v, v̇ at every sample, all of ``da.kinematics`` included (tables, assembly, checks).  Inverse dynamics: the same,
then all multipliers, reactions and the drive's torque read from the result.
"""

from __future__ import annotations

import argparse
import json
import platform
import time

import numpy as np

import dalembert as da
from dalembert import catalog

COUNT = 10_000
LIMITS = {"kinematics": 10.0, "inverse dynamics": 20.0}  # µs per configuration, six-bar


def best(call, repeats=5) -> float:
    call()
    found = 1e9
    for _ in range(repeats):
        begin = time.process_time()
        call()
        found = min(found, time.process_time() - begin)
    return found


def measure(name: str) -> dict:
    model, entry = catalog.make(name), catalog.CATALOG[name]
    times = np.linspace(0.0, entry.until, COUNT + 1)
    drive = next(n for n, e in model.elements.items() if e.kind == "drive")
    kin = best(lambda: da.kinematics(model, times=times))
    inv = best(lambda: da.inverse_dynamics(model, times=times)[drive].torque)
    run = da.kinematics(model, times=times)
    return {"kinematics": 1e6 * kin / COUNT, "inverse dynamics": 1e6 * inv / COUNT, "steps": run.stats["steps"],
            "position error": run.certificate.position_error}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the figures to this file too")
    options = parser.parse_args()
    figures: dict = {}
    print(f"\n{'driven mechanism':<24}{'µs kinematics':>15}{'µs inv. dynamics':>18}{'steps':>8}{'max |Φ|':>10}")
    for name in ("slider-crank-driven", "four-bar-driven", "quick-return", "driven-bar", "six-bar"):
        figures[name] = f = measure(name)
        print(f"{name:<24}{f['kinematics']:>15.2f}{f['inverse dynamics']:>18.2f}{f['steps']:>8}{f['position error']:>10.1e}")
    chain = catalog.make("hanging-chain", n=50)
    bicycle = catalog.make("whipple", lean_rate=0.0)
    figures["equilibrium of a chain of 50"] = best(lambda: da.equilibrium(chain), 3)
    figures["linearisation of the Whipple bicycle"] = best(lambda: da.linearize(bicycle).eigenvalues, 3)
    for name in list(figures)[-2:]:
        print(f"{name}: {1e3 * figures[name]:.1f} ms")
    six = figures["six-bar"]
    missed = [f"{k} {six[k]:.1f} µs > {limit:g} µs" for k, limit in LIMITS.items() if six[k] > limit]
    print("six-bar within its limits" if not missed else "six-bar misses its limits: " + "; ".join(missed))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": platform.processor() or platform.machine(), "version": da.__version__, "figures": figures},
                      file, indent=1)


if __name__ == "__main__":
    main()
