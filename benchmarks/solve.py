"""Time of one full acceleration solve (kinematics, D, γ, Q, LDLᵀ, residual check), one thread, minimum of repeats.

    python benchmarks/solve.py [--json FILE]

The compiled entry is called in a loop from Python, which adds about 0.3 µs a call.
"""

from __future__ import annotations

import argparse
import json
import platform
import time

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace


def sheet(n: int) -> da.Model:
    """n × n bodies in space, each linked to its right and upper neighbour by a ball: redundant in no row, many loops."""
    m = da.Model(f"sheet {n}x{n}", dim=3, gravity=(0, 0, -9.81))
    for a in range(n):
        for b in range(n):
            m.add(da.Body(f"b{a},{b}", mass=1, inertia=(0.1, 0.1, 0.15), position=(a, b, 0)))
    for a in range(n):
        for b in range(n):
            if a + 1 < n:
                m.add(da.Spherical(f"x{a},{b}", f"b{a},{b}", f"b{a + 1},{b}", at=(a + 0.5, b, 0)))
            if b + 1 < n:
                m.add(da.Spherical(f"y{a},{b}", f"b{a},{b}", f"b{a},{b + 1}", at=(a, b + 0.5, 0)))
    m.add(da.Spherical("nail", "ground", "b0,0", at=(0, 0, 0)))
    return m


def star(n: int) -> da.Model:
    """n rods hinged on one hub: the worst case of eliminating bodies first."""
    from math import cos, pi, sin

    m = da.Model(f"star {n}", dim=2, gravity=(0, -9.81))
    m.add(da.Body("hub", mass=1, inertia=1))
    for k in range(n):
        c, s = cos(2 * pi * k / n), sin(2 * pi * k / n)
        m.add(da.Body.rod(f"r{k}", (c, s), (2 * c, 2 * s), mass=1))
        m.add(da.Revolute(f"J{k}", "hub", f"r{k}", at=(c, s)))
    return m


CASES = {
    "four-bar": lambda: catalog.make("four-bar"),
    "slider-crank": lambda: catalog.make("slider-crank"),
    "Bricard": lambda: catalog.make("bricard"),
    "Andrews": lambda: catalog.make("andrews"),
    **{f"{n}-four-bar": (lambda n=n: catalog.make("n-four-bar", n=n)) for n in (2, 10, 40)},
    **{f"chain {n}": (lambda n=n: catalog.make("chain", n=n)) for n in (10, 100, 1000, 10000)},
    **{f"chain {n} in space": (lambda n=n: catalog.make("chain-in-space", n=n)) for n in (10, 100, 1000)},
    **{f"sheet {n}x{n}": (lambda n=n: sheet(n)) for n in (4, 8, 16, 32)},
    **{f"star {n}": (lambda n=n: star(n)) for n in (10, 100, 600)},
}


def measure(make) -> dict:
    begin = time.perf_counter()
    system = make().compile()
    compiled = time.perf_counter() - begin
    w = workspace(system)
    solve = w.bound("accelerations")
    solve()
    begin = time.process_time()
    solve()
    once = max(time.process_time() - begin, 1e-6)
    number = max(1, min(20000, int(0.05 / once)))
    best = 1e9
    for _ in range(7):
        begin = time.process_time()
        for _ in range(number):
            solve()
        best = min(best, (time.process_time() - begin) / number)
    return {"bodies": system.nb, "rows": system.nc, "microseconds": 1e6 * best, "compile_seconds": compiled,
            "dropped": int(w.report.dropped), "residual": w.report.residual}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the figures to this file too")
    options = parser.parse_args()
    print(f"{'mechanism':<22}{'bodies':>8}{'rows':>8}{'µs/solve':>12}{'tables s':>10}{'dependent':>10}{'residual':>10}")
    figures = {}
    for name, make in CASES.items():
        figures[name] = f = measure(make)
        print(f"{name:<22}{f['bodies']:>8}{f['rows']:>8}{f['microseconds']:>12.2f}{f['compile_seconds']:>10.3f}"
              f"{f['dropped']:>10}{f['residual']:>10.1e}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": platform.processor() or platform.machine(), "version": da.__version__, "figures": figures},
                      file, indent=1)


if __name__ == "__main__":
    main()
