"""Spatial six-bar: one loop of five moving bars, five hinges and a cylindrical joint, the crank driven.

Source: defined for this project (a single-loop RRCRRR linkage: 30 equations for 30 coordinates).
Shows a spatial loop without redundant equations; the short
crank turns fully, every other joint swings.
"""

import dalembert as da

POINTS = ((0.0, 0.0, 0.0), (0.15, 0.0, 0.05), (0.45, 0.4, 0.3), (0.9, 0.3, 0.45), (1.0, -0.2, 0.35),
          (0.7, -0.3, 0.0))
AXES = ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (-0.2, -0.3, 0.9), (-0.7, 0.4, -0.6), (-0.2, -0.5, 0.8),
        (0.2, 0.9, 0.2))
SLIDING = 2  # this joint slides along its axis as well


def make(*, speed=6.283185307179586, masses=(0.4, 1.2, 1.0, 0.9, 0.8), gravity=9.81, driven=True):
    """The crank starts as drawn and turns with ``speed`` rad/s."""
    m = da.Model("six-bar", dim=3, gravity=(0, 0, "-g"), parameters={"a": 1.0, "radius": 0.02, "omega": speed, "g": gravity})
    points = [tuple(f"{x!r}*a" if x else 0 for x in p) for p in POINTS]  # a: all lengths alike
    names = ["ground", *("crank", "bar 2", "bar 3", "bar 4", "bar 5"), "ground"]
    for k in range(5):
        m.parameters[f"m{k + 1}"] = masses[k]
        m.add(da.Body.rod(names[k + 1], points[k], points[k + 1], mass=f"m{k + 1}", radius="radius"))
    for k in range(6):
        joint = da.Cylindrical if k == SLIDING else da.Revolute
        m.add(joint(f"J{k + 1}", names[k], names[k + 1], at=points[k], axis=AXES[k]))
    if driven:
        m.add(da.Drive("motor", "J1", "omega*t"))
    else:
        m.initial("J1", rate="omega")
    return m


def free(**kw):
    """The same loop without its drive, the crank given a push."""
    return make(driven=False, **kw)
