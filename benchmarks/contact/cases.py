"""Small cases with closed forms: what each engine misses them by (exact: 0)."""

from __future__ import annotations

import numpy as np

from benchmarks.contact import scene as scenes


def _after(engine, scene, seconds, **options):
    w = engine(scene, **options)
    w.step(round(seconds / w.h))
    return w


def hold(engine) -> dict[str, float]:
    """Cube on 20°, μ = 0.5: creep in µm/s, from 1 s to 3 s."""
    s = scenes.on_slope(20.0, 0.5)
    w = _after(engine, s, 1.0)
    a = w.poses()[0][0]
    w.step(round(2.0 / w.h))
    return {"creep µm/s": 1e6 * float(np.dot(w.poses()[0][0] - a, s.facts["down"])) / 2.0}


def slide(engine) -> dict[str, float]:
    """Cube on 30°, μ = 0.3, after 1 s: error of the way in %, lift in mm."""
    s = scenes.on_slope(30.0, 0.3)
    x = _after(engine, s, 1.0).poses()[0][0]
    along, up = float(np.dot(x, s.facts["down"])), float(np.dot(x, s.facts["up"]))
    return {"way %": 100.0 * (along / 1.1781436183311982 - 1.0), "lift mm": 1e3 * (up - 0.25)}


def shove(engine) -> dict[str, float]:
    """Flat box at 3 m/s in the direction 0.5 rad, μ = 0.3: run-out in %, direction in degrees."""
    x = _after(engine, scenes.shove(), 1.5).poses()[0][0]
    return {"run-out %": 100.0 * (np.hypot(x[0], x[1]) / 1.529051987767584 - 1.0),
            "direction °": float(np.degrees(np.arctan2(x[1], x[0]) - 0.5))}


def bounce(engine) -> dict[str, float]:
    """Ball from 1 m, e = 0.8: the first height, in % (0.64 m)."""
    w = engine(scenes.bounce())
    w.step(round(0.6 / w.h))  # after the first impact, before the second
    top = 0.0
    for _ in range(round(0.5 / w.h)):
        top = max(top, float(w.poses()[0][0][2]) - 0.1)
        w.step(1)
    return {"height %": 100.0 * (top / 0.64 - 1.0)}


def tower(engine, ratio: float) -> dict[str, float]:
    """Twenty cubes for 5 s, the top one so many times heavier: mm sideways, mm that the top sank."""
    x = _after(engine, scenes.tower(ratio), 5.0).poses()[0]
    return {"sideways mm": 1e3 * float(np.abs(x[:, :2]).max()), "sunk mm": 1e3 * float(9.75 - x[-1, 2])}


CASES = {"hold on a slope": hold, "slide down a slope": slide, "shove across a floor": shove, "bouncing ball": bounce,
         "tower of 20": lambda e: tower(e, 1.0), "tower, top 100 times": lambda e: tower(e, 100.0)}
