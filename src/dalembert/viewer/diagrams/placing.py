"""Arrows of one free body on paper: where each begins and ends, at which scale, and what it is made of.

A force is an arrow from the point it acts at; it ends there instead where it would run along the body or over another arrow.
Lengths are |F| · scale.  A moment is an arc in the plane, its angle |M| · scale, and a vector with two heads in space.  A vector
of space that points (nearly) at the reader or away is a circle with a dot or a cross.  What would be shorter than its head is
drawn at that length and marked (``short``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.viewer.diagrams.acting import KINDS, FreeBody, Load
from dalembert.viewer.diagrams.outlines import Drawn
from dalembert.viewer.diagrams.sheet import Path

INKS = {"joint": "#1f5fa8", "drive": "#c2571a", "applied": "#c62f2f", "spring": "#1b7f4d", "weight": "#6b4a2b",
        "inertia": "#7a3fa0"}
HEAD, HALF = 9.5, 3.6  # of an arrow's head
SHORTEST = 19.0
LONGEST, SWEEP = 105.0, np.radians(290.0)
LEAST = 70.0  # degrees of an arc
APART = 20.0  # between arcs about one point
CLOSE = 5.0  # scales are one for all forces where the largest of each kind differ by less than this


@dataclass
class Scales:
    """Lengths per newton by kind, and of moments (radians per N m in the plane, lengths in space)."""

    force: dict[str, float]
    moment: dict[str, float]

    @property
    def one(self) -> bool:
        return len(set(self.force.values())) <= 1


def scales(bodies: list[FreeBody], dim: int) -> Scales:
    """So that the largest of all (or of each kind, where they differ much) has the full length."""
    most: dict[str, dict[str, float]] = {"force": {}, "moment": {}}
    for load in (x for b in bodies for x in b.loads):
        for what, size in (("force", np.linalg.norm(load.force)), ("moment", np.linalg.norm(load.moment))):
            if size > 0:
                most[what][load.kind] = max(most[what].get(load.kind, 0.0), float(size))
    found = {}
    for what, full in (("force", LONGEST), ("moment", SWEEP if dim == 2 else 0.8 * LONGEST)):
        sizes = most[what]
        if sizes and max(sizes.values()) <= CLOSE * min(sizes.values()):
            sizes = dict.fromkeys(sizes, max(sizes.values()))
        found[what] = {k: full / s for k, s in sizes.items()}
    return Scales(found["force"], found["moment"])


@dataclass
class Arrow:
    """A force or a moment as it is drawn; ``spots`` are points of it, ``far`` its end away from the body."""

    load: Load
    what: str  # force, moment
    symbol: str
    size: float
    unit: str
    items: list[Path]
    spots: np.ndarray
    far: np.ndarray
    out: np.ndarray
    short: bool = False
    round: bool = False


@dataclass
class Cut:
    """One free body on paper, lengths of the sheet, y downwards."""

    body: FreeBody
    rings: list[np.ndarray]
    edges: list[np.ndarray]
    points: dict[tuple[float, float], str]  # where forces act, and what is there
    arms: list[np.ndarray]  # lines to points that lie off the outline
    centres: dict[str, np.ndarray]
    arrows: list[Arrow] = field(default_factory=list)


def cut(body: FreeBody, shown: Drawn, per_metre: float, scale: Scales, origin: np.ndarray) -> Cut:
    """Outline and arrows of a free body; ``origin`` is the place of the paper that becomes zero."""
    def on(p):
        return (np.asarray(p) @ shown.paper - origin) * per_metre * [1, -1]

    flip = np.array([1.0, -1.0]) * per_metre
    rings = [(r - origin) * flip for n in body.names for r in shown.outlines[n].rings]
    edges = [(e - origin) * flip for n in body.names for e in shown.outlines[n].edges]
    dim = len(shown.back)
    out = Cut(body, rings, edges, {}, [], {m.name: on(m.centre) for m in body.members})
    corners = np.concatenate([*rings, *[c[None] for c in out.centres.values()]])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    turns: dict[tuple[int, int], int] = {}
    for load in sorted(body.loads, key=lambda x: KINDS.index(x.kind)):
        p = on(load.point)
        if load.kind not in ("weight", "inertia"):
            out.points.setdefault((round(float(p[0]), 1), round(float(p[1]), 1)), load.element if load.kind == "joint" else "")
        if np.any(load.force):
            v = load.force @ shown.paper * [1, -1] * scale.force[load.kind]
            depth = float(load.force @ shown.back) * scale.force[load.kind] if dim == 3 else 0.0
            out.arrows.append(_force(out, load, p, v, depth))
        if np.any(load.moment):
            if dim == 3:
                v = load.moment @ shown.paper * [1, -1] * scale.moment[load.kind]
                depth = float(load.moment @ shown.back) * scale.moment[load.kind]
                out.arrows.append(_force(out, load, p, v, depth, moment=True))
            else:
                key = (round(p[0] / 4), round(p[1] / 4))
                turns[key] = turns.get(key, 0) + 1
                out.arrows.append(_arc(load, p, float(load.moment) * scale.moment[load.kind], turns[key], middle))
    edge = corners if rings else np.zeros((0, 2))
    for p in map(np.array, out.points):
        away = np.linalg.norm(edge - p, axis=1)
        if len(edge) and away.min() > 6.0 and not inside(rings, p[None])[0]:
            out.arms.append(np.array([p, _nearest(rings, p)]))
    return out


def _nearest(rings: list[np.ndarray], p: np.ndarray) -> np.ndarray:
    """The point of the outline nearest to p."""
    best, found = np.inf, p
    for ring in rings:
        for a, b in zip(ring, np.roll(ring, -1, axis=0)):
            s = float(np.clip((p - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0.0, 1.0))
            q = a + s * (b - a)
            if np.linalg.norm(p - q) < best:
                best, found = float(np.linalg.norm(p - q)), q
    return found


def _force(at: Cut, load: Load, p, v, depth: float, moment: bool = False) -> Arrow:
    ink, dashed = INKS[load.kind], load.kind == "inertia"
    what, unit = ("moment", "N m") if moment else ("force", "N")
    size = float(np.linalg.norm(load.moment if moment else load.force))
    symbol = load.symbols[1 if moment else 0]
    length = float(np.linalg.norm(v))
    if length < 0.12 * abs(depth) or length == 0.0:
        place = _aside(at, p)
        items = towards(place, depth > 0, ink)
        return Arrow(load, what, symbol, size, unit, items, place[None], place, np.array([0.7, -0.7]), round=True)
    u = v / length
    short = length < SHORTEST
    length = max(length, SHORTEST + (5.0 if moment else 0.0))
    central = load.kind in ("weight", "inertia")
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    side = np.array([-u[1], u[0]])
    for shift in (0.0, 9.0, -9.0):
        for outward in (True, False):
            a = p + shift * side if outward else p - length * u + shift * side
            b = a + length * u
            spots = a + np.linspace(0.0, 1.0, 15)[:, None] * (b - a)
            cost = (0.25 if central else 1.0) * float(inside(at.rings, spots).mean()) + 3.0 * _crowded(at, spots, p)
            cost += 0.06 * (not outward) + 1.5 * (shift != 0)
            if best is None or cost < best[0] - 1e-9:
                best = (cost, a, b)
    assert best is not None
    _, a, b = best
    spots = a + np.linspace(0.0, 1.0, max(3, int(length / 4)))[:, None] * (b - a)
    far = b if np.linalg.norm(b - p) > np.linalg.norm(a - p) else a
    return Arrow(load, what, symbol, size, unit, straight(a, b, ink, dashed, moment), spots, far, (u if far is b else -u), short)


def _aside(at: Cut, p) -> np.ndarray:
    """A place for a circle at a point: beside those already there."""
    taken = [a.far for a in at.arrows if a.round]
    for k in range(12):
        place = p + np.array([0.0, -16.0 * k])
        if all(np.linalg.norm(place - q) > 14.0 for q in taken):
            return place
    return p


def straight(a, b, ink: str, dashed: bool = False, double: bool = False) -> list[Path]:
    """An arrow from a to b; with two heads for a moment."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    u = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    items = [Path([np.array([a, b - 0.8 * HEAD * u])], ink, width=1.9, dashed=dashed)]
    for back in (0.0, 0.75 * HEAD) if double else (0.0,):
        tip = b - back * u
        items.append(_head(tip, u, ink))
    return items


def _head(tip: np.ndarray, u: np.ndarray, ink: str) -> Path:
    n = np.array([-u[1], u[0]])
    corners = np.array([tip, tip - HEAD * u + HALF * n, tip - 0.75 * HEAD * u, tip - HEAD * u - HALF * n])
    return Path([corners], ink, ink, 0.6, True)


def towards(p, reader: bool, ink: str) -> list[Path]:
    """A vector at right angles to the paper."""
    ring = Path([circle(p, 6.0)], ink, "#ffffff", 1.7, True)
    if reader:
        return [ring, Path([circle(p, 1.9)], "", ink, 1.0, True)]
    cross = np.array([[[-4.0, -4.0], [4.0, 4.0]], [[-4.0, 4.0], [4.0, -4.0]]]) + p
    return [ring, Path(list(cross), ink, width=1.7)]


def circle(p, radius: float, count: int = 24) -> np.ndarray:
    a = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.asarray(p) + radius * np.stack([np.cos(a), np.sin(a)], 1)


def arc(p, radius: float, middle: float, sweep: float, ink: str, dashed: bool = False) -> tuple[list[Path], np.ndarray]:
    """An arc about p, its middle at an angle (paper, y upwards), anticlockwise where ``sweep`` is positive."""
    span = max(abs(sweep), np.radians(LEAST))
    sign = 1.0 if sweep > 0 else -1.0
    a = middle + sign * np.linspace(-span / 2, span / 2, max(8, int(span / 0.12)))
    line = np.asarray(p) + radius * np.stack([np.cos(a), -np.sin(a)], 1)
    bend = 0.55 * HEAD / radius
    tip, u = line[-1], sign * np.array([-np.sin(a[-1] - sign * bend), -np.cos(a[-1] - sign * bend)])
    shaft = line[: max(3, len(line) - int(0.8 * HEAD / radius / 0.12) - 1)]
    return [Path([shaft], ink, width=1.9, dashed=dashed), _head(tip, u, ink)], line


def _arc(load: Load, p, sweep: float, number: int, middle) -> Arrow:
    away = p - middle
    at = float(np.arctan2(-away[1], away[0])) if np.linalg.norm(away) > 12 else np.pi / 2
    radius = 17.0 + APART * 0.55 * (number - 1)
    items, line = arc(p, radius, at, sweep, INKS[load.kind], load.kind == "inertia")
    out = np.array([np.cos(at), -np.sin(at)])
    return Arrow(load, "moment", load.symbols[1], abs(float(load.moment)), "N m", items, line, p + radius * out, out,
                 abs(sweep) < np.radians(LEAST))


def inside(rings: list[np.ndarray], points: np.ndarray) -> np.ndarray:
    """Which points lie in one of the polygons."""
    found = np.zeros(len(points), bool)
    for ring in rings:
        if len(ring) < 3:
            continue
        low, high = ring.min(axis=0), ring.max(axis=0)
        near = ((points >= low) & (points <= high)).all(axis=1) & ~found
        if not near.any():
            continue
        x, y = points[near, 0][:, None], points[near, 1][:, None]
        (ax, ay), (bx, by) = ring.T, np.roll(ring, -1, axis=0).T
        with np.errstate(divide="ignore", invalid="ignore"):
            across = ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
        found[near] = across.sum(axis=1) % 2 == 1
    return found


def _crowded(at: Cut, spots: np.ndarray, p) -> float:
    """Share of an arrow that runs over others, away from their common point."""
    others = [a.spots for a in at.arrows]
    if not others:
        return 0.0
    free = spots[np.linalg.norm(spots - p, axis=1) > 12.0]
    if not len(free):
        return 0.0
    taken = np.concatenate(others)
    return float((np.linalg.norm(free[:, None] - taken[None], axis=2).min(axis=1) < 6.0).mean())
