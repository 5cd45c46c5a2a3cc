"""make bench-contact: the pouring scene and small cases on every engine that is there; table and figures to docs/benchmarks.

python -m benchmarks.contact [--whole] [--cubes 1000] [--out FOLDER] [--only Bullet MuJoCo]

Every engine runs in a process of its own, one thread, CPU time of stepping.  dalembert and Rapier run the whole scene (25 s).
MuJoCo and Bullet would take minutes: they are put into dalembert's poses at the beginning of five windows and run a quarter of a
second unmeasured, then half a second measured (``--whole``: the whole scene as well).  Ratios are of the same windows.
``--only``: dalembert and these, the tables printed and no file written.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
from pathlib import Path

import numpy as np

from benchmarks.contact.cases import CASES
from benchmarks.contact.engines import ENGINES
from benchmarks.contact.measure import WINDOWS, apart, small, whole, windows

PARTS = ("dalembert", "dalembert, islands frozen", "Rapier", "Rapier, with sleep", "Rapier, fine", "MuJoCo", "Bullet",
         "Bullet, with sleep")


def version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--whole", action="store_true")
    ask.add_argument("--cubes", type=int, default=1000)
    ask.add_argument("--out", default="docs/benchmarks")
    ask.add_argument("--only", nargs="+", choices=list(ENGINES), default=None)
    chosen = ask.parse_args()
    there = {name: version(e.package) for name, e in ENGINES.items() if not chosen.only or name in ("dalembert", *chosen.only)}
    result = {"versions": there, "cubes": chosen.cubes, "windows": WINDOWS, "scene": {}, "cases": {}}
    poses = {}
    for part in PARTS:
        name = part.partition(",")[0]
        if name not in there:
            continue
        if there[name] is None:
            print(f"{part}: {ENGINES[name].package} is missing", flush=True)
            continue
        long = chosen.whole or name in ("dalembert", "Rapier")
        answer, more = apart(whole, part, chosen.cubes) if long else apart(windows, part, chosen.cubes, poses)
        poses = more or poses
        if "per second" in answer:  # the same spans as the others' windows
            answer["windows"] = [answer["per second"][k] for k in WINDOWS]
        result["scene"][part] = answer
        print(part, json.dumps(answer), flush=True)
    for name, found in there.items():
        if found is not None:
            result["cases"][name] = apart(small, name)[0]
            print(name, json.dumps(result["cases"][name]), flush=True)
    if chosen.only:
        print(table(result))
        return
    out = Path(chosen.out)
    (out / "contact.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (out / "contact.md").write_text(table(result), encoding="utf-8")
    print(f"wrote {out / 'contact.md'}")


def table(result: dict) -> str:
    """The page's tables: means of the whole scene where every engine ran it, of the windows otherwise."""
    good = [a for a in result["scene"].values() if "error" not in a]
    entire = all("per second" in a for a in good)
    means = {k: float(np.mean(a["per second" if entire else "windows"])) for k, a in result["scene"].items() if a in good}
    how = (["All engines ran the whole scene of 25 s; the mean and the ratio are of all of it, the columns seconds of it.",
            "Engines with sleep are compared with frozen islands.",
            "Rapier, fine: the settings that were found to bring it nearest to the others' depths."] if entire else
           ["MuJoCo and Bullet start from dalembert's poses at the beginning of each window, run a quarter of a",
            "second unmeasured and half a second measured; dalembert and Rapier run all 25 s. Engines with sleep are compared",
            "with frozen islands; windows are too short for Bullet to fall asleep (`--whole` runs it all), so its ratio with",
            "sleep says nothing."])
    versions = ", ".join(f"{k} {v or 'missing'}" for k, v in result["versions"].items())
    lines = ["# Contact beside others", "",
             f"Made by `make bench-contact`; one thread, CPU seconds per simulated second; {versions}.", "",
             "Depths are measured by one judge for all engines (separating axes of the boxes as they stand).",
             *how, "MuJoCo has no restitution: stiffness and damping were chosen to bounce alike.", "",
             f"## The scene: {result['cubes']} cubes pour into a tray", "",
             "| engine | " + " | ".join(f"from {k} s" for k in result["windows"])
             + " | mean | over dalembert | deepest, mm | p99, mm | creep median, max, m/s |",
             "|---|" + "---|" * (len(result["windows"]) + 5)]
    for part, a in result["scene"].items():
        if "error" in a:
            lines.append(f"| {part} | {a['error']} |")
            continue
        mean, base = means[part], means.get("dalembert, islands frozen" if part.endswith(("sleep", "frozen")) else "dalembert")
        ratio = f"{mean / base:.1f}" if base else ""
        lines.append(f"| {part} | " + " | ".join(f"{x:.2f}" for x in a["windows"]) + f" | {mean:.2f} | {ratio} | "
                     f"{a['depth max mm']:.3g} | {a['depth p99 mm']:.3g} | "
                     f"{a['creep median m/s']:.2g}, {a['creep max m/s']:.2g} |")
    lines += ["", "## Small cases: what is missed (exact: 0)", ""]
    names = list(result["cases"])
    lines += ["| case | | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for case in CASES:
        keys = next((list(result["cases"][n][case]) for n in names if case in result["cases"][n]), [])
        for key in keys:
            row = [result["cases"][n].get(case, {}).get(key) for n in names]
            lines.append(f"| {case} | {key} | " + " | ".join("–" if x is None else f"{x:.3g}" for x in row) + " |")
    lines += ["", "What is seen here: bodies that should hold creep (contact as a soft constraint has no state of rest: MuJoCo;",
              "rest only by sleeping: Bullet); sliding bodies lift or lag (cones made convex, one friction row for four",
              "points); stacks sink or fall where a heavy body lies on light ones (sweeps that are cut off)."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
