"""What is measured, each in a process of its own: the whole scene, windows of it, the small cases."""

from __future__ import annotations

import multiprocessing
import time

import numpy as np

from benchmarks.contact import scene as scenes
from benchmarks.contact.cases import CASES
from benchmarks.contact.depth import depths
from benchmarks.contact.engines import ENGINES, FINE

WINDOWS, WARM, MEASURED, UNTIL = (0, 5, 10, 15, 20), 0.25, 0.5, 25


def _engine(part: str):
    name, _, rest = part.partition(", ")
    return FINE[name] if rest == "fine" else ENGINES[name], rest not in ("", "fine")


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
        per.append((time.process_time() - begin) / MEASURED)
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
