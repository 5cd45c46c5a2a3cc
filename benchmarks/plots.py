"""Work–precision diagrams (error against CPU time) and growth curves, as PNG."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from benchmarks.table import NAMES

COLOURS = {"dalembert": "#c1272d", "pinocchio": "#1f6fb2", "mujoco": "#2e8b57", "exudyn": "#8a5cb8", "drake": "#d98c1f",
           "opensim": "#17a2a2", "numpy": "#777777"}
MARKS = {"dalembert": "o", "pinocchio": "s", "mujoco": "^", "exudyn": "D", "drake": "P", "opensim": "X", "numpy": "v"}


def _figure():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def work_precision(name: str, p: dict, folder: Path) -> None:
    plt = _figure()
    fig, ax = plt.subplots(figsize=(6.4, 4.4), dpi=110)
    for engine, r in p["results"].items():
        points = sorted(
            (q["seconds"], q["errors"][p["kind"]]) for q in r["points"] if isfinite(q["errors"].get(p["kind"], float("inf")))
        )
        points = [(t, max(e, 1e-15)) for t, e in points if e < 1.0]
        if points:
            ax.loglog(*zip(*points, strict=True), MARKS[engine], color=COLOURS[engine], ms=5, alpha=0.35)
            front, best = [], float("inf")
            for t, e in points:
                if e < best:
                    best = e
                    front.append((t, e))
            ax.loglog(*zip(*front, strict=True), "-" + MARKS[engine], color=COLOURS[engine], ms=5, lw=1.6, label=NAMES[engine])
    for level in p["levels"]:
        ax.axhline(level, color="#bbbbbb", lw=0.8, ls=":")
    unit = "J" if p["kind"] == "energy" else p["unit"]
    ax.set(xlabel="CPU time, one thread (s)", ylabel=f"largest {p['kind']} error ({unit})", title=p["title"])
    ax.grid(True, which="major", color="#e6e6e6", lw=0.6)
    ax.legend(frameon=False)
    fig.tight_layout()
    fig.savefig(folder / f"{name}.png")
    plt.close(fig)


def growth(curves: dict, folder: Path) -> None:
    plt = _figure()
    fig, axes = plt.subplots(1, 2, figsize=(10, 4.2), dpi=110)
    for name, points in curves.items():
        done = [q for q in points if "seconds" in q]
        if done:
            axes[0].loglog([q["bodies"] for q in done], [q["seconds"] for q in done], "-o", ms=5, label=name)
            axes[1].loglog([q["bodies"] for q in done], [q["megabytes"] for q in done], "-o", ms=5, label=name)
    axes[0].set(xlabel="bodies", ylabel="CPU seconds per simulated second")
    axes[1].set(xlabel="bodies", ylabel="memory of the process (MB)")
    for ax in axes:
        ax.grid(True, which="major", color="#e6e6e6", lw=0.6)
        ax.legend(frameon=False)
    fig.tight_layout()
    fig.savefig(folder / "growth.png")
    plt.close(fig)
