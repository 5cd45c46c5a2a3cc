"""How dalembert's cost grows with the mechanism: chain, N-four-bar, linked sheet (redundant), each size in a process of its own.

    python -m benchmarks.growth CURVE SIZE

CPU seconds per simulated second of the integration alone (defaults: rtol 1e-6), the time to make tables of the model, and the
largest memory of the process.
"""

from __future__ import annotations

import sys
import time

from benchmarks import runner

CURVES = {"chain": (10, 30, 100, 300, 1000, 3000, 10000), "N-four-bar": (2, 5, 10, 20, 50, 100, 200), "sheet": (4, 8, 16, 32)}
SPAN = {"chain": 1.0, "N-four-bar": 2.0, "sheet": 0.2}
LIMIT = 100.0  # s of wall time for one size


def model(curve: str, n: int):
    if curve == "chain":
        from dalembert import catalog

        return catalog.make("chain", n=n, length=float(n), mass=float(n))
    if curve == "N-four-bar":
        from dalembert import catalog

        return catalog.make("n-four-bar", n=n)
    return sheet(n)


def sheet(n: int):
    """n × n bodies in space on hinges in a grid, nailed at one corner: every window of four parallel-hinged bodies is
    redundant."""
    import dalembert as da

    m = da.Model(f"sheet {n}x{n}", dim=3, gravity=(0, 0, -9.81))
    for a in range(n):
        for b in range(n):
            m.add(da.Body(f"b{a},{b}", mass=1, inertia=(0.1, 0.1, 0.15), position=(a, b, 0)))
    for a in range(n):
        for b in range(n):
            if a + 1 < n:
                m.add(da.Revolute(f"x{a},{b}", f"b{a},{b}", f"b{a + 1},{b}", at=(a + 0.5, b, 0), axis=(0, 1, 0)))
            if b + 1 < n:
                m.add(da.Spherical(f"y{a},{b}", f"b{a},{b}", f"b{a},{b + 1}", at=(a, b + 0.5, 0)))
    for b in range(n):
        m.add(da.Revolute(f"edge {b}", "ground", f"b0,{b}", at=(-0.5, b, 0), axis=(0, 1, 0)))
    return m


def main(curve: str, n: int) -> None:
    from benchmarks.worker import say

    time.perf_counter = time.process_time
    import resource

    import dalembert as da

    at = time.process_time()
    m = model(curve, n)
    m.compile()
    tables = time.process_time() - at
    at = time.process_time()
    state = da.assemble(m)
    assembling = time.process_time() - at
    seconds = []
    while not seconds or (len(seconds) < 3 and sum(seconds) < 2.0):
        run = da.simulate(m, SPAN[curve], times=[SPAN[curve]], state=state)
        seconds.append(run.stats["seconds"])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    say(
        size=n,
        bodies=run.system.nb,
        rows=run.system.nc,
        seconds=min(seconds) / SPAN[curve],
        tables=tables,
        assembling=assembling,
        megabytes=memory,
        evaluations=run.stats["rhs_calls"],
        energy=float(abs(run.energy.residual).max() / run.energy.exchanged),
    )


def curves(announce) -> dict[str, list[dict]]:
    found: dict[str, list[dict]] = {}
    for curve, sizes in CURVES.items():
        found[curve] = []
        for n in sizes:
            announce(f"growth: {curve} {n}")
            lines, ended = runner.lines(["benchmarks.growth", curve, str(n)], LIMIT)
            found[curve].append(lines[0] if lines else {"size": n, "failed": ended})
            if not lines:
                break
    return found


def text(found: dict[str, list[dict]]) -> list[str]:
    out = [
        "| curve | size | bodies | rows | CPU s per simulated s | model to tables | memory | energy residual |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for curve, points in found.items():
        for q in points:
            if "failed" in q:
                out.append(f"| {curve} | {q['size']} | | | not finished ({q['failed']}, limit {LIMIT:g} s) | | | |")
            else:
                out.append(
                    f"| {curve} | {q['size']} | {q['bodies']} | {q['rows']} | {q['seconds']:.3g} | {q['tables']:.2g} s | "
                    f"{q['megabytes']:.0f} MB | {q['energy']:.0e} |"
                )
    return out


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
