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
    """n × n windows of pinned links in the plane, hung from n + 1 points and drawn aslant; every other coupler is there twice.

    Each of the n levels shears by its own angle; each doubled coupler adds one redundant equation.
    """
    from math import cos, sin

    import dalembert as da

    m = da.Model(f"sheet {n}x{n}", dim=2, gravity=(0, -9.81))

    def node(i, level):
        return (i + level * sin(0.5), -level * cos(0.5))

    for level in range(n):
        for i in range(n + 1):
            m.add(da.Body.rod(f"V{i},{level}", node(i, level), node(i, level + 1), mass=1))
            above = "ground" if level == 0 else f"V{i},{level - 1}"
            m.add(da.Revolute(f"A{i},{level}", above, f"V{i},{level}", at=node(i, level)))
        for i in range(n):
            for twin in ("", " again")[: 1 + (i + level) % 2]:
                m.add(da.Body.rod(f"H{i},{level}{twin}", node(i, level + 1), node(i + 1, level + 1), mass=1))
                m.add(da.Revolute(f"B{i},{level}{twin}", f"V{i},{level}", f"H{i},{level}{twin}", at=node(i, level + 1)))
                m.add(da.Revolute(f"C{i},{level}{twin}", f"H{i},{level}{twin}", f"V{i + 1},{level}", at=node(i + 1, level + 1)))
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
        run = da.simulate(m, SPAN[curve], times=[0.0, SPAN[curve]], state=state)
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
