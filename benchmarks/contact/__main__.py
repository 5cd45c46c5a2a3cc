"""make bench-contact: the pouring scene and small cases on every engine that is there; table and figures to docs/benchmarks.

python -m benchmarks.contact [--whole] [--cubes 1000] [--out FOLDER]

Every engine runs in a process of its own, one thread, CPU time of stepping.  dalembert and Rapier run the whole scene (25 s).
MuJoCo and Bullet would take minutes: they are put into dalembert's poses at the beginning of five windows and run half a second
unmeasured, then one second measured (``--whole``: the whole scene as well).  Ratios are of the same windows.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import multiprocessing
import time
from pathlib import Path

import numpy as np

from benchmarks.contact import scene as scenes
from benchmarks.contact.cases import CASES
from benchmarks.contact.depth import depths
from benchmarks.contact.engines import ENGINES

WINDOWS, WARM, MEASURED, UNTIL = (0, 5, 10, 15, 20), 0.5, 1.0, 25
PARTS = ("dalembert", "dalembert, islands frozen", "Rapier", "Rapier, with sleep", "MuJoCo", "Bullet", "Bullet, with sleep")


def _engine(part: str):
    name, _, rest = part.partition(", ")
    return ENGINES[name], bool(rest)


def whole(part: str, cubes: int, to) -> None:
    """The scene from 0 to 25 s: CPU s of every second, depths and creep at the end; dalembert keeps poses for the windows."""
    kind, sleep = _engine(part)
    scene = scenes.pouring(cubes)
    w = kind(scene, sleep=sleep)
    per, poses = [], {}
    for second in range(UNTIL):
        if hasattr(w, "spins") and second in WINDOWS:
            poses[second] = [*w.poses(), w.spins()]
        begin = time.process_time()
        w.step(round(1.0 / w.h))
        per.append(time.process_time() - begin)
        if second == UNTIL - 6:
            before = w.poses()[0]
    x, q, _ = w.poses()
    out = {"per second": per, "total": sum(per), "h": w.h, **_rest(scene, x, q, before, 5.0)}
    if hasattr(w, "residual"):
        out["residual m/s"] = w.residual
    to.send((out, poses))


def windows(part: str, cubes: int, poses, to) -> None:
    """CPU s of one simulated second in each window; depths after each, creep in the last."""
    kind, sleep = _engine(part)
    scene = scenes.pouring(cubes)
    per, deep, rest = [], [], {}
    for second in WINDOWS:
        w = kind(scene, sleep=sleep)
        w.put(*poses[second])
        w.step(round(WARM / w.h))
        before = w.poses()[0]
        begin = time.process_time()
        w.step(round(MEASURED / w.h))
        per.append(time.process_time() - begin)
        x, q, _ = w.poses()
        rest = _rest(scene, x, q, before, MEASURED)
        deep.append(rest["depth p99 mm"])
    to.send(({"windows": per, "window depth p99 mm": deep, "h": w.h, **rest}, {}))


def _rest(scene, x, q, before, span) -> dict:
    d = depths(scene, x, q)
    creep = np.linalg.norm(x - before, axis=1) / span
    inside = (x[:, 0] > 0) & (x[:, 0] < 40) & (np.abs(x[:, 2]) < 40) & (x[:, 1] > 0)
    return {"depth max mm": 1e3 * float(d.max(initial=0.0)), "depth p99 mm": 1e3 * float(np.quantile(d, 0.99)) if d.size else 0.0,
            "creep median m/s": float(np.median(creep)), "creep max m/s": float(creep.max()), "in tray": int(inside.sum())}


def small(name: str, to) -> None:
    to.send(({case: measure(ENGINES[name]) for case, measure in CASES.items()}, {}))


def apart(work, *given):
    """Run in a process of its own; what went wrong in words."""
    here, there = multiprocessing.Pipe(False)
    process = multiprocessing.get_context("spawn").Process(target=_guarded, args=(work, given, there))
    process.start()
    there.close()
    try:
        answer = here.recv()
    except EOFError:
        answer = ({"error": f"ended with code {process.exitcode}"}, {})
    process.join()
    return answer


def _guarded(work, given, to) -> None:
    try:
        work(*given, to)
    except Exception as error:
        to.send(({"error": f"{type(error).__name__}: {error}"}, {}))


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
    chosen = ask.parse_args()
    there = {name: version(e.package) for name, e in ENGINES.items()}
    result = {"versions": there, "cubes": chosen.cubes, "windows": WINDOWS, "scene": {}, "cases": {}}
    poses = {}
    for part in PARTS:
        name = part.partition(",")[0]
        if there[name] is None:
            print(f"{part}: {ENGINES[name].package} is missing", flush=True)
            continue
        long = chosen.whole or name in ("dalembert", "Rapier")
        answer, more = apart(whole, part, chosen.cubes) if long else apart(windows, part, chosen.cubes, poses)
        poses = more or poses
        if "per second" in answer:  # the same spans as the others' windows
            answer["windows"] = [answer["per second"][k] * 0.5 + answer["per second"][k + 1] * 0.5 for k in WINDOWS]
        result["scene"][part] = answer
        print(part, json.dumps(answer), flush=True)
    for name, found in there.items():
        if found is not None:
            result["cases"][name] = apart(small, name)[0]
            print(name, json.dumps(result["cases"][name]), flush=True)
    out = Path(chosen.out)
    (out / "contact.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (out / "contact.md").write_text(table(result), encoding="utf-8")
    print(f"wrote {out / 'contact.md'}")


def table(result: dict) -> str:
    """The page's tables."""
    ours = {k: np.mean(result["scene"][k]["windows"]) for k in result["scene"] if k.startswith("dalembert") and "windows" in
            result["scene"][k]}
    versions = ", ".join(f"{k} {v or 'missing'}" for k, v in result["versions"].items())
    lines = ["# Contact beside others", "",
             f"Made by `make bench-contact`; one thread, CPU seconds per simulated second; {versions}.", "",
             f"## The scene: {result['cubes']} cubes pour into a tray", "",
             "| engine | " + " | ".join(f"{k + 0.5:g} to {k + 1.5:g} s" for k in result["windows"])
             + " | mean | over dalembert | deepest, mm | p99, mm | creep median, max, m/s |",
             "|---|" + "---|" * (len(result["windows"]) + 5)]
    for part, a in result["scene"].items():
        if "error" in a:
            lines.append(f"| {part} | {a['error']} |")
            continue
        mean = float(np.mean(a["windows"]))
        base = ours.get("dalembert, islands frozen" if ", " in part else "dalembert")
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
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
