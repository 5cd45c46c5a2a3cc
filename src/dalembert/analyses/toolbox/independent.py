"""Coordinates with names, and a choice of independent ones: the language in which free motions are told.

A coordinate is a joint's own ("O"), or one of a body's: "piston.x" (its reference point, ground axes), "piston.angle" in the
plane, "frame.turn_x" in space (rotation about a ground axis).  Each has a row g: its rate is g·v, v = (ṙ, ω̄) of all bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.analyses.toolbox.mobility import coordinates
from dalembert.errors import AnalysisError, hint
from dalembert.system import poses

FIRST = 0.2  # the first coordinate that is this good, compared with the best, is taken
BODY = 0.1  # a body's coordinate is taken before a joint's only when it is this much better


@dataclass(frozen=True)
class Coordinate:
    """One scalar coordinate: a measure (its number), or component ``part`` of a body (translation first, then turns)."""

    name: str
    measure: int | None = None
    body: int | None = None
    part: int = 0


def all_coordinates(model, system) -> list[Coordinate]:
    """Joint coordinates, then body coordinates."""
    found = [Coordinate(n, measure=k) for n, k in coordinates(model, system).items()]
    turns = ("angle",) if system.dim == 2 else ("turn_x", "turn_y", "turn_z")
    for b, name in enumerate(system.bodies):
        found += [Coordinate(f"{name}.{p}", body=b, part=k) for k, p in enumerate([*"xyz"[: system.dim], *turns])]
    return found


def rotation(work, body) -> np.ndarray:
    """Body axes to ground axes."""
    return poses.body(work.system, work.pose, body)[1]


def skew(a) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def body_rows(work, body) -> np.ndarray:
    """Rates of a body's coordinates per unit of v (n × nv): its reference point, then its turn, ground axes."""
    s = work.system
    d, n = s.dim, s.kind.SIZE_V
    A, com = rotation(work, body), np.asarray(s.tables.bodies["com"][body])
    arm = -A @ com
    out = np.zeros((n, s.nv))
    block = out[:, s.at_v(body)]
    block[:d, :d] = np.eye(d)
    if d == 2:
        block[:2, 2] = -arm[1], arm[0]
        block[2, 2] = 1.0
    else:
        block[:3, 3:] = -skew(arm) @ A
        block[3:, 3:] = A
    return out


def rows(work, found) -> np.ndarray:
    """g of each coordinate at the workspace's state (coordinates × nv)."""
    G = work.gradients() if any(c.measure is not None for c in found) else None
    bodies = {body: body_rows(work, body) for body in {c.body for c in found} - {None}}
    out = [G[c.measure] if G is not None and c.measure is not None else bodies[c.body][c.part] for c in found]
    return np.array(out).reshape(len(found), work.system.nv)


def choose(found, G, N, weight, prefer=(), count=None) -> list[int]:
    """Numbers of independent coordinates, as many as N has columns: joints before bodies, in order unless badly conditioned.

    prefer: numbers that are taken first, whatever their conditioning (an error says when they depend on each other).
    """
    length = np.linalg.norm(G @ weight, axis=1)
    left = (G @ N) / np.where(length > 0, length, 1.0)[:, None]
    bonus = np.array([1.0 if c.measure is not None else BODY for c in found])
    taken: list[int] = []
    for k in range(N.shape[1] if count is None else count):
        size = np.linalg.norm(left, axis=1)
        good = size * bonus
        pick = prefer[k] if k < len(prefer) else int(np.flatnonzero(good >= FIRST * good.max())[0])
        if size[pick] < 1e-7:
            raise AnalysisError(f"the coordinate {found[pick].name} does not move by itself"
                                + (f" beside {', '.join(found[i].name for i in taken)}" if taken else "")
                                + ": choose independent coordinates")
        taken.append(pick)
        u = left[pick] / size[pick]
        left = left - np.outer(left @ u, u)
    return taken


def named(model, system, names, question) -> list[Coordinate]:
    """Coordinates by their names."""
    known = {c.name: c for c in all_coordinates(model, system)}
    out = []
    for name in [names] if isinstance(names, str) else names:
        name = getattr(name, "name", name)
        if name not in known:
            raise AnalysisError(f"{question} of '{model.name}': there is no coordinate '{name}'{hint(str(name), known)} "
                                f"(joints: {', '.join(coordinates(model, system)) or 'none'}; bodies: as '{system.bodies[0]}.x')")
        out.append(known[name])
    return out
