"""A motion as moving lines on paper: plain arrays, ready to draw.

In the plane the paper is the x, y plane.  In space it is seen from the side and a little from above, with
gravity (or −z) pointing down the paper.  A rod is the line between its ends, any other body the line or
polygon through its joints, or else its shapes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.expressions import number
from dalembert.results.views.elements import Frames
from dalembert.system import poses
from dalembert.viewer.scene.marks import mark_of

AZIMUTH, ELEVATION = np.radians(-55.0), np.radians(18.0)


@dataclass
class Sketch:
    """Everything in paper coordinates, y up; first axis is time."""

    trails: dict[str, np.ndarray]  # body → (samples, 2)
    outlines: dict[str, np.ndarray]  # body → (samples, points, 2)
    strings: list[np.ndarray]  # (samples, 2, 2): springs and massless links
    fixed: np.ndarray  # (points, 2): joints on the ground


def sketch(motion) -> Sketch:
    """Lines of a motion with a time axis."""
    s, model = motion.system, motion.model
    paper = _paper(model)
    frames = [Frames(motion, k) for k in range(s.nb + 1)]
    points: dict[int, list[np.ndarray]] = {k: [] for k in range(s.nb + 1)}
    strings = []
    for name, pair in s.markers.items():
        mark = mark_of(model.elements.get(name))
        if not mark.sketched:
            continue
        ends = []
        for m in pair:
            ends.append(poses.marker(s, motion.observed.pose, m)[0])
            points[poses.carrier(s, m)].append(ends[-1])
        if mark.tie:
            strings.append(np.stack([e @ paper for e in ends], 1))
    outlines = {}
    for k, name in enumerate(s.bodies):
        corners = _rod(model, name, frames[k]) or _corners(points[k], frames[k])
        if max(np.linalg.norm(c[0] - corners[0][0]) for c in corners) < 1e-9:
            corners = [frames[k].r + frames[k].arm(c) for c in _shapes(model, name, s.dim)]
        outlines[name] = np.stack([c @ paper for c in corners], 1)
    fixed = [p[0] @ paper for p in points[s.nb]]
    return Sketch(
        {b: motion[b].position @ paper for b in s.bodies}, outlines, strings, np.array(fixed).reshape(-1, 2)
    )


def _paper(model) -> np.ndarray:
    """Matrix (dim × 2) from ground axes to paper axes."""
    if model.dim == 2:
        return np.eye(2)
    try:
        g = np.array([number(x, model.parameter_values(), "gravity") for x in model.gravity])
    except (TypeError, ValueError):  # a law over time, say
        g = np.zeros(3)
    up = -g / np.linalg.norm(g) if np.any(g) else np.array([0.0, 0.0, 1.0])
    aside = np.eye(3)[int(np.argmin(np.abs(up)))]
    aside = aside - (aside @ up) * up
    aside /= np.linalg.norm(aside)
    other = np.cross(up, aside)
    right = -np.sin(AZIMUTH) * aside + np.cos(AZIMUTH) * other
    away = -(np.cos(AZIMUTH) * aside + np.sin(AZIMUTH) * other)
    return np.stack([right, np.cos(ELEVATION) * up + np.sin(ELEVATION) * away], 1)


def _rod(model, name, frame) -> list[np.ndarray] | None:
    """Both ends of a rod, or None for another body."""
    body = model.bodies[name]
    if body.start is None or body.end is None:
        return None
    values = model.parameter_values()
    p, q = (np.array([number(x, values, name) for x in end]) for end in (body.start, body.end))
    half = np.zeros(len(p))
    half[0] = np.linalg.norm(q - p) / 2
    return [frame.r + frame.arm(-half), frame.r + frame.arm(half)]


def _shapes(model, name, dim) -> np.ndarray:
    """Corners, in the body, of one whose joints draw no line: discs with a spoke, boxes; else a stroke."""
    values = model.parameter_values()
    body = model.bodies[name]
    corners: list[np.ndarray] = []
    for shape in (*body.solids, *body.shapes):
        kind = getattr(shape, "seen_as", "")
        place = np.zeros(3)
        given = getattr(shape, "position", None)
        if given is not None:
            place[: len(given)] = [number(x, values, name) for x in given]
        if kind == "disc":
            turn = np.linspace(0, 2 * np.pi, 33)
            rim = number(shape.radius, values, name) * np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1)
            corners += [place, *(place + rim)]
        elif kind == "box":
            half = np.zeros(3)
            half[: len(shape.size)] = [number(x, values, name) / 2 for x in shape.size]
            a, b = (half * (np.arange(3) == k) for k in np.argsort(-half[:dim], kind="stable")[:2])
            corners += [place + a + b, place + b - a, place - a - b, place + a - b, place + a + b]
    corners += corners[:1]  # back to the start: several shapes are then joined by one line only
    stroke = np.array([[-0.1, 0, 0], [0.1, 0, 0]])
    return (np.array(corners) if corners else stroke)[:, :dim]


def _corners(points, frame) -> list[np.ndarray]:
    """The joints of a body once each, in turn around their middle; a single one with the centre of mass."""
    kept: list[np.ndarray] = []
    for p in points:
        if all(np.linalg.norm(p[0] - k[0]) > 1e-9 for k in kept):
            kept.append(p)
    if len(kept) < 2:
        return [*kept, frame.r]
    start = np.array([p[0] for p in kept])
    _, _, axes = np.linalg.svd(start - start.mean(axis=0))
    flat = (start - start.mean(axis=0)) @ axes[:2].T
    order = np.argsort(np.arctan2(flat[:, 1], flat[:, 0]), kind="stable")
    return [kept[i] for i in order]
