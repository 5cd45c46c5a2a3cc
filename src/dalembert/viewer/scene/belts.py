"""Chains and belts of the plane: a band round both wheels, drawn on the body that carries their axles.

Wheels of radii r₁, r₂ whose centres are D apart, x from the first to the second.  The band leaves both along the same normal n,
n·x = (r₁ − r₂)/D, so that with ψ = acos((r₁ − r₂)/D) it lies on the second wheel from −ψ to ψ and on the first from ψ to 2π − ψ;
a band of thickness s has r + s outside and the same ψ.

A band is drawn where a gear says kind="chain" or "belt", or internal=True of wheels that stand apart: no gear lies inside
another there.  Where no body carries both axles the wheels stay without one.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.expressions import number
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.gearing import body_of
from dalembert.viewer.scene.given_shapes import DARK
from dalembert.viewer.scene.scene import GROUND, lifted

ROUND = 64  # points of both arcs together


def put_belts(d, w) -> None:
    """A part for each of them."""
    motion = d.motion
    values, bodies = motion.model.parameter_values(), list(motion.system.bodies)
    for e in motion.model.elements.values():
        form, radii = getattr(e, "form", None), getattr(e, "radii", None)
        if radii is None or not (form in ("chain", "belt") or (form is None and getattr(e, "internal", False))):
            continue
        names = [body_of(motion, side, e) for side in (e.i, e.j)]
        if None in names:
            continue
        wheels = [bodies.index(n) for n in names]
        found = _axles(d, wheels)
        if found is None:
            continue
        carrier, first, second = found
        r1, r2 = (abs(float(number(r, values, e.title))) for r in radii)
        gap = second - first
        apart = float(np.hypot(gap[0], gap[1]))
        if apart <= (r1 + r2 if form is None else abs(r1 - r2)) * (1 + 1e-9):
            continue
        thick, depth = min(0.25 * d.width, 0.2 * min(r1, r2)), 0.7 * d.depth
        half = math.atan2(gap[1], gap[0]) / 2
        w.owner = e.name
        mesh = w.mesh(("belt", r1, r2, apart, thick, depth), lambda r1=r1, r2=r2, apart=apart, s=thick, h=depth: solids.band(
            loop(r1, r2, apart), loop(r1 + s, r2 + s, apart), h))
        w.put(carrier, mesh, w.colour(DARK), lifted(first, max(d.height(k) for k in wheels)),
              (math.cos(half), 0.0, 0.0, math.sin(half)), role="joint")
    w.owner = ""


def loop(r1: float, r2: float, apart: float) -> np.ndarray:
    """Points of the band's line, anticlockwise; the first wheel at the origin, the second on x."""
    psi = math.acos(max(-1.0, min(1.0, (r1 - r2) / apart)))
    near, far = np.linspace(-psi, psi, ROUND // 2), np.linspace(psi, 2 * math.pi - psi, ROUND // 2)
    return np.concatenate([np.stack([apart + r2 * np.cos(near), r2 * np.sin(near)], 1),
                           np.stack([r1 * np.cos(far), r1 * np.sin(far)], 1)])


def _axles(d, wheels):
    """The body that both wheels turn on, and their centres on it; None where there is none."""
    com = d.motion.system.tables.bodies["com"]
    held: list[dict[int, np.ndarray]] = [{}, {}]
    for (i, a), (j, b) in d.pairs.values():
        for mine, other in (((i, a), (j, b)), ((j, b), (i, a))):
            for k, wheel in enumerate(wheels):
                centred = mine[0] == wheel and np.linalg.norm(mine[1].local[:2] - com[wheel][:2]) <= 1e-6 * d.span
                if centred and mine[1].mark.flat == "pin":
                    held[k].setdefault(other[0], other[1].local)
    both = [x for x in held[0] if x in held[1]]
    carrier = GROUND if GROUND in both else next(iter(both), None)
    return None if carrier is None else (carrier, held[0][carrier], held[1][carrier])
