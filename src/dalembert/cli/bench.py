"""dalembert bench: published benchmarks, error against the reference and time, in one table.

References are published numbers or closed forms (docs/benchmarks, tests/reference/data), at the end of the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from dalembert.cli import shell


@dataclass(frozen=True)
class Case:
    """A mechanism of the catalogue, what to read at ``until``, what it should be, and how near is near enough."""

    title: str
    name: str
    until: float
    read: Callable[[Any], Any]
    expected: tuple[float, ...]
    what: str
    limit: float
    options: dict = field(default_factory=dict)


def _tip(run):
    return run.point("crank 0", (0.5, 0))[-1]


def _squeezer(run):
    k1, k2, k3, k4, k5, k6, k7 = (run[f"K{k}"].angle[-1] for k in range(1, 8))
    return k1, k2 - k1, k3, k4 - k5, k5, k6 - k7, k7


CASES = (
    Case("A01 pendulum", "pendulum", 10.0, lambda r: r["bob"].position[-1], (-0.27508746257612, -0.96141920509913), "bob (m)",
         1e-8),
    Case("A02 N-four-bar, N = 2", "n-four-bar", 10.0, _tip, (0.3284581115408, 0.9445185381786), "B0 (m)", 1e-6, {"n": 2}),
    Case("A02 N-four-bar, N = 10", "n-four-bar", 10.0, _tip, (0.2043535609898, 0.9788971458283), "B0 (m)", 1e-6, {"n": 10}),
    Case("A02 N-four-bar, N = 40", "n-four-bar", 10.0, _tip, (0.1805122266867, 0.9835727405823), "B0 (m)", 1e-6, {"n": 40}),
    Case("Andrews' squeezer", "andrews", 0.03, _squeezer,
         (15.81077119515331, -15.75637105841134, 0.04082224011964201, -0.5347301163420864, 0.5244099658799538, 0.5347301163420864,
          1.048080741041938), "seven angles (rad)", 1e-8),
    Case("A04 Bricard", "bricard", 10.0, lambda r: r.point("rod 2", (0, -0.5, 0))[-1],
         (0.9997309873038, -0.9999999638258, -0.0002689765122497), "P3 (m)", 1e-6),
    Case("Car axis", "car-axis", 3.0, lambda r: (*r["left"].position[-1], *r["right"].position[-1]),
         (0.04934557842752414, 0.4969894602300086, 1.041742524885426, 0.3739110272653621), "wheels (m)", 1e-7),
    Case("SUNDIALS slider-crank", "slider-crank-spring", 10.0, lambda r: (r["crank"].angle[-1], r["rod"].angle[-1]),
         (1.275675848650275, -0.4988130491825047), "crank, rod (rad)", 1e-8),
    Case("ME751 double pendulum", "double-pendulum", 10.0, lambda r: [r[b].rotation[-1, 1, 0] for b in ("first", "second")],
         (0.3078150844207, 0.7802389143444), "sines of both angles", 1e-6),
    Case("Lagrange's top", "lagrange-top", 0.2882290820812023, lambda r: r["top"].rotation[-1, 2, 2], (0.8775825618903728,),
         "cos θ after one nutation", 1e-8),
    Case("Dzhanibekov effect", "dzhanibekov", 10.05185827631494, lambda r: r["body"].omega[-1], (0.01, 5.0, 0.01),
         "ω after one period (rad/s)", 1e-5),
    Case("Chaplygin's sleigh", "chaplygin-sleigh", 10.0, lambda r: r["sleigh"].position[-1], (4.079917059684, 10.21030731706),
         "contact (m)", 1e-8),
    Case("Pendulum on a free block", "pendulum-on-block", 0.5948037619171,
         lambda r: (r["bob"].position - r["block"].position)[-1], (0.0, -1.5), "bob below the block (m)", 1e-8),
)


def measure(case: Case, rtol: float) -> dict[str, Any]:
    """Simulate; the largest error and the CPU seconds of the call."""
    import numpy as np

    from dalembert.analyses.dynamics import simulate
    from dalembert.catalog import make

    model = make(case.name, **case.options)
    begin = time.process_time()
    run = simulate(model, case.until, times=[case.until], rtol=rtol, atol=1e-3 * rtol)
    seconds = time.process_time() - begin
    error = float(np.abs(np.atleast_1d(case.read(run)) - case.expected).max())
    return {"title": case.title, "compared": case.what, "error": error, "limit": case.limit, "good": error <= case.limit,
            "seconds": seconds, "steps": run.stats["steps"]}


def bench(
    rtol: Annotated[float, shell.Option(help="Relative tolerance of the integration.")] = 1e-10,
    as_json: Annotated[bool, shell.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors (and JSON, if asked for).")] = False,
) -> None:
    """Run published benchmarks; print the error against the reference and the CPU time of each.

    The exit code is 1 when an error is larger than its limit.  (Side by side with other engines: make bench.)
    """
    from dalembert.cli.printing import echo_json, progress, show
    from dalembert.cli.tables import Table

    results = []
    measure(CASES[0], rtol), measure(CASES[5], rtol)  # load, or on first use compile, the kernels before the clock runs
    with progress(quiet or as_json) as bar:
        bar.start("bench", len(CASES))
        for case in CASES:
            results.append(measure(case, rtol))
            bar.update(len(results))
    if as_json:
        echo_json(results)
    elif not quiet:
        table = Table("benchmark", "compared", ">error", ">limit", ">CPU", ">steps")
        for r in results:
            style = {} if r["good"] else {"fg": "red", "bold": True}
            table.add(r["title"], r["compared"], (f"{r['error']:.1e}", style), f"{r['limit']:.0e}",
                      f"{1e3 * r['seconds']:.1f} ms", r["steps"])
        show(table)
    if not all(r["good"] for r in results):
        raise shell.Exit(1)
