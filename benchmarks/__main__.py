"""make bench: every problem on every engine, growth, start-up, single solves, and the tables of further scripts.

Table, JSON and plots go to docs/benchmarks; a whole run also writes the table of the README (front.py).  It ends within --minutes
(shares.py); what every part and problem took is kept and shown.

python -m benchmarks [--problems a,b] [--engines a,b] [--budget SECONDS] [--minutes M] [--out FOLDER]
                     [--parts race,growth,startup,solve,force,more]
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

from benchmarks import aims, front, growth, more, plots, runner, startup, table
from benchmarks.engines import PLACES
from benchmarks.problems import PROBLEMS
from benchmarks.reasons import ABSENT
from benchmarks.shares import Shares
from dalembert._jit import beforehand

PARTS = ("race", "growth", "startup", "solve", "force", "more")
ELSEWHERE = ("contact", "rubbing", "render")  # groups of kernels that nothing here runs
AFTER = 0.38  # of the time, for what comes after the race
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


OURS = "dalembert"  # its runs are short: all tolerances are tried, so that a blank is never one of time


def race(problems: list[str], engines: list[str], budget: float, shares: Shares, kept: float):
    """Problem after problem: its name and results."""
    left, effort = len(problems) * len(engines), sum(PROBLEMS[n]().effort for n in problems) * len(engines)
    for name in problems:
        p, begin = PROBLEMS[name](), shares.passed
        results = {}
        for engine in engines:
            part = 1.0 if engine == OURS else p.effort / effort
            results[engine] = r = runner.measure(name, engine, shares.budget(budget * p.effort, left, kept, part))
            left, effort = left - 1, effort - p.effort
            shown = r["status"] if r["status"] != "ok" else f"{len(r['points'])} settings"
            announce(f"{name}: {engine} {shown} {r['why']}")
        shares.measured(name, begin)
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
        "Made by `make bench`; how it is measured: [guide](../guide/benchmarks.md). CPU seconds of one call from start to end,",
        "least of repeats. Do not rank differences below 2×." + (" " + data["note"] if data.get("note") else ""),
        "",
    ]
    if data.get("problems"):
        out += [
            *table.slower(data),
            "",
            *aims.lines(data),
            "",
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
    for name, told in (data.get("more") or {}).items():
        out += [f"## {name}", "", "```text", *told, "```", ""]
    out += ["## Not on the board", "", *(f"- {what}: {why}" for what, why in ABSENT.items()), ""]
    if data.get("took"):
        parts = ", ".join(f"{name} {seconds:.0f}" for name, seconds in data["took"].items())
        out += [f"Seconds by the clock of this run, {sum(data['took'].values()) / 60:.1f} minutes in all: {parts}.", ""]
    return "\n".join(out)


def solves() -> dict:
    from benchmarks.solve import CASES, measure

    announce("single solves")
    return {name: measure(make) for name, make in CASES.items()}


def forces() -> dict:
    from benchmarks import user_force

    announce("user force")
    return user_force.measure()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description="speed and accuracy beside the peers")
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--engines", default=",".join(PLACES))
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--budget", type=float, default=6.0, help="seconds for one engine on one problem")
    parser.add_argument("--minutes", type=float, default=24.0, help="the whole run ends within them")
    parser.add_argument("--out", default=str(runner.ROOT / "docs" / "benchmarks"))
    options = parser.parse_args()
    beforehand.make(without=ELSEWHERE, say=announce)
    shares = Shares(60 * options.minutes)
    folder, parts = Path(options.out), options.parts.split(",")
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "scoreboard.json"
    data = json.loads(store.read_text(encoding="utf-8")) if store.exists() and set(parts) != set(PARTS) else {}
    data["machine"] = machine()
    default = folder == runner.ROOT / "docs" / "benchmarks"
    whole = set(parts) == set(PARTS) and options.problems == ",".join(PROBLEMS) and options.engines == ",".join(PLACES)

    def keep() -> None:
        store.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")

    if "race" in parts:
        data.setdefault("problems", {})
        kept = AFTER if len(parts) > 1 else 0.0
        for name, found in race(options.problems.split(","), options.engines.split(","), options.budget, shares, kept):
            before = data["problems"].get(name, {}).get("results", {})
            data["problems"][name] = {**found, "results": {**before, **found["results"]}}
            keep()  # a run that is interrupted keeps what it has
    for part, measure in (("growth", lambda: growth.curves(announce)), ("startup", lambda: startup.measure(announce)),
                          ("solve", solves), ("force", forces), ("more", lambda: more.tables(announce, shares))):
        if part in parts:
            begin = shares.passed
            data[part] = measure()
            shares.measured(part, begin)
            keep()
    minutes = shares.passed / 60
    if whole:
        data["minutes"], data["took"] = minutes, shares.took
        data.pop("note", None)
    keep()
    for name, p in (data.get("problems") or {}).items():
        plots.work_precision(name, p, folder)
    if data.get("growth"):
        plots.growth(data["growth"], folder)
    text = page(data)
    (folder / "README.md").write_text(text, encoding="utf-8")
    print(text)
    if whole and default:
        front.write(data, runner.ROOT / "README.md")
    announce(f"{minutes:.1f} minutes; written to {os.path.relpath(folder)}")


if __name__ == "__main__":
    main()
