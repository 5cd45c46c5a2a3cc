"""make bench: every problem on every engine, growth, start-up, single solves; table, JSON and plots to docs/benchmarks.

python -m benchmarks [--problems a,b] [--engines a,b] [--budget SECONDS] [--out FOLDER] [--parts race,growth,startup,solve,force]
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import time
from pathlib import Path

from benchmarks import growth, plots, runner, startup, table
from benchmarks.engines import PLACES
from benchmarks.problems import PROBLEMS

PARTS = ("race", "growth", "startup", "solve", "force")
DISTRIBUTIONS = {
    "dalembert": "dalembert",
    "exudyn": "exudyn",
    "mujoco": "mujoco",
    "pinocchio": "pin",
    "drake": "drake",
    "opensim": "opensim",
    "numpy": "numpy",
    "scipy": "scipy",
    "numba": "numba",
}


def announce(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def machine() -> dict:
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(x.split(":", 1)[1].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        pass
    versions = {}
    for name, package in DISTRIBUTIONS.items():
        try:
            versions[name] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": versions,
        "date": datetime.date.today().isoformat(),
    }


def race(problems: list[str], engines: list[str], budget: float):
    """Problem after problem: its name and results."""
    for name in problems:
        p = PROBLEMS[name]()
        results = {}
        for engine in engines:
            results[engine] = r = runner.measure(name, engine, budget * p.effort)
            shown = r["status"] if r["status"] != "ok" else f"{len(r['points'])} settings"
            announce(f"{name}: {engine} {shown} {r['why']}")
        yield (
            name,
            {
                "title": p.title,
                "kind": p.kind,
                "unit": p.unit,
                "levels": list(p.levels),
                "target": p.target,
                "floor": p.floor,
                "reference": p.reference_kind,
                "results": results,
            },
        )


def page(data: dict) -> str:
    m = data["machine"]
    v = ", ".join(f"{name} {version}" for name, version in m["versions"].items())
    out = [
        "# Scoreboard",
        "",
        f"{m['date']}, {m['cpu']}, {m['cores']} cores shared with other work, one thread; Python {m['python']}; {v}.",
        "Made by `make bench`; how it is measured: [guide](../guide/benchmarks.md). CPU seconds of the simulation alone,",
        "least of repeats. Do not rank differences below 2×." + (" " + data["note"] if data.get("note") else ""),
        "",
    ]
    if data.get("problems"):
        out += [
            *table.slower(data),
            *(startup.slower(data["startup"]) if data.get("startup") else []),
            "",
            "## Against the best peer at equal or better accuracy",
            "",
            *table.summary(data),
            "",
            "## Every engine",
            "",
            "Ratio: time over dalembert's at the same accuracy.",
            "",
            *table.full(data),
            "",
        ]
        out += [f"![{p['title']}]({name}.png)" for name, p in data["problems"].items()] + [""]
    if data.get("growth"):
        out += ["## Growth with the mechanism", "", *growth.text(data["growth"]), "", "![growth](growth.png)", ""]
    if data.get("startup"):
        out += ["## Start-up", "", *startup.text(data["startup"]), ""]
    if data.get("solve"):
        out += ["## One solve of the equations", "", "| mechanism | bodies | rows | µs |", "|---|---|---|---|"]
        out += [f"| {name} | {f['bodies']} | {f['rows']} | {f['microseconds']:.2f} |" for name, f in data["solve"].items()] + [""]
    if data.get("force"):
        out += ["## A user's own force, compiled from Python", "", "| mechanism | without | with | cost |", "|---|---|---|---|"]
        out += [
            f"| {name} | {1e6 * f['without']:.2f} µs | {1e6 * f['with']:.2f} µs | {100 * f['share']:.1f} % |"
            for name, f in data["force"].items()
        ] + [""]
    return "\n".join(out)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description="speed and accuracy beside the peers")
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--engines", default=",".join(PLACES))
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--budget", type=float, default=6.0, help="seconds for one engine on one problem")
    parser.add_argument("--out", default=str(runner.ROOT / "docs" / "benchmarks"))
    options = parser.parse_args()
    begin = time.monotonic()
    folder, parts = Path(options.out), options.parts.split(",")
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "scoreboard.json"
    data = json.loads(store.read_text(encoding="utf-8")) if store.exists() and set(parts) != set(PARTS) else {}
    data["machine"] = machine()

    def keep() -> None:
        store.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")

    if "race" in parts:
        data.setdefault("problems", {})
        for name, found in race(options.problems.split(","), options.engines.split(","), options.budget):
            before = data["problems"].get(name, {}).get("results", {})
            data["problems"][name] = {**found, "results": {**before, **found["results"]}}
            keep()  # a run that is interrupted keeps what it has
    if "growth" in parts:
        data["growth"] = growth.curves(announce)
    if "startup" in parts:
        data["startup"] = startup.measure(announce)
    if "solve" in parts:
        from benchmarks.solve import CASES, measure

        announce("single solves")
        data["solve"] = {name: measure(make) for name, make in CASES.items()}
    if "force" in parts:
        from benchmarks import user_force

        announce("user force")
        data["force"] = user_force.measure()
    minutes = (time.monotonic() - begin) / 60
    if set(parts) == set(PARTS):
        data["minutes"] = minutes
        data.pop("note", None)
    keep()
    for name, p in (data.get("problems") or {}).items():
        plots.work_precision(name, p, folder)
    if data.get("growth"):
        plots.growth(data["growth"], folder)
    text = page(data)
    (folder / "README.md").write_text(text, encoding="utf-8")
    print(text)
    announce(f"{minutes:.1f} minutes; written to {os.path.relpath(folder)}")


if __name__ == "__main__":
    main()
