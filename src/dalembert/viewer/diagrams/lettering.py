"""Labels of a free body: each at the free place nearest to its arrow; then bodies apart, so that nothing lies over anything.

A label tries places around the end of its arrow and beside it.  A place costs most where it covers another label, less where it
covers an arrow, little where it covers the outline; the cheapest is taken, longest labels first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.viewer.diagrams.numbers import value
from dalembert.viewer.diagrams.placing import INKS, Arrow, Cut, inside
from dalembert.viewer.diagrams.sheet import Text

SIZE, POINT = 15.0, 12.5
ROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)


@dataclass
class Label:
    """A text and the box it fills: left, top, right, bottom."""

    text: Text
    box: np.ndarray
    arrow: Arrow | None = None


def labels(cut: Cut, values: bool) -> list[Label]:
    """Labels of all arrows and points of a free body."""
    found: list[Label] = []
    taken = np.concatenate([np.zeros((0, 2)), *[a.spots for a in cut.arrows]])
    edge = _along(cut.rings)
    for arrow in sorted(cut.arrows, key=lambda a: -len(a.symbol)):
        text = Text((0.0, 0.0), arrow.symbol, SIZE, INKS[arrow.load.kind], True, value(arrow.size, arrow.unit) if values else "")
        found.append(_placed(text, _around(arrow, text), found, taken, edge, cut, arrow))
    dots = np.array([*cut.points, *[tuple(c) for c in cut.centres.values()]]).reshape(-1, 2)
    taken = np.concatenate([taken, dots])
    for place, name in cut.points.items():
        if name and len(name) <= 9:
            text = Text((0.0, 0.0), name, POINT, "#1f2730", len(name) == 1)
            p = np.array(place)
            where = [(p, np.array([np.cos(a), np.sin(a)]), m, 0.0) for m in (5.0, 9.0, 15.0, 22.0, 32.0, 44.0) for a in ROUND]
            found.append(_placed(text, where, found, taken, edge, cut, None))
    return found


def _along(rings) -> np.ndarray:
    """Points of the outlines, every few."""
    out = [np.zeros((0, 2))]
    for ring in rings:
        if len(ring) > 40:
            out.append(ring)
            continue
        for a, b in zip(ring, np.roll(ring, -1, axis=0)):
            out.append(a + np.linspace(0, 1, max(2, int(np.linalg.norm(b - a) / 5)), endpoint=False)[:, None] * (b - a))
    return np.concatenate(out)


def _around(arrow: Arrow, text: Text):
    """(point, direction of the box from it, distance, cost) of places to try."""
    tries = []
    for margin in (3.0, 7.0, 13.0, 22.0, 34.0):
        for a in ROUND:
            d = np.array([np.cos(a), np.sin(a)])
            tries.append((arrow.far, d, margin, 1.5 * (1.0 - float(d @ arrow.out))))
    if not arrow.round and arrow.what == "force":
        n = np.array([-arrow.out[1], arrow.out[0]])
        for share in (0.35, 0.55, 0.75):
            p = arrow.spots[int(share * (len(arrow.spots) - 1))]
            for side in (n, -n):
                for margin in (5.0, 10.0):
                    tries.append((p, side, margin, 2.0))
    return tries


def _placed(text: Text, tries, others: list[Label], taken, edge, cut: Cut, arrow) -> Label:
    half = np.array([text.width / 2, 0.62 * text.size])
    p, d = (np.array([x[k] for x in tries]) for k in (0, 1))
    margin, cost = (np.array([x[k] for x in tries]) for k in (2, 3))
    reach = (half / np.maximum(np.abs(d), 1e-9)).min(axis=1)
    centre = p + d * (margin + reach)[:, None]
    low, high = centre - half, centre + half
    cost = cost + 0.15 * margin + 40.0 * _count(taken, low - 2.0, high + 2.0) + (2.0 if arrow else 5.0) * _count(edge, low, high)
    if others:
        boxes = np.array([o.box for o in others])
        over = np.minimum(high[:, None], boxes[:, 2:]) - np.maximum(low[:, None], boxes[:, :2]) + 3.0
        cost += np.where((over > 0).all(axis=2), 1000.0 + over.prod(axis=2), 0.0).sum(axis=1)
    cost += 6.0 * inside(cut.rings, centre)
    k = int(np.argmin(cost))
    found, side = np.array([*low[k], *high[k]]), d[k, 0]
    text.anchor = "end" if side < -0.3 else "start" if side > 0.3 else "middle"  # a font that is wider grows away from the arrow
    left = {"end": found[2], "start": found[0], "middle": (found[0] + found[2]) / 2}[text.anchor]
    text.at = (float(left), float(found[3] - 0.32 * text.size))
    return Label(text, found, arrow)


def _count(points, low, high) -> np.ndarray:
    """How many points each box covers."""
    return ((points >= low[:, None]) & (points <= high[:, None])).all(axis=2).sum(axis=1)


def bounds(cut: Cut, written: list[Label]) -> np.ndarray:
    """Box around a free body with its arrows and labels."""
    points = [*cut.rings, *[a.spots for a in cut.arrows], *[x.box.reshape(2, 2) for x in written],
              *[c[None] for c in cut.centres.values()]]
    every = np.concatenate(points)
    return np.array([*(every.min(axis=0) - 8.0), *(every.max(axis=0) + 8.0)])


def apart(boxes: list[np.ndarray], places: list[np.ndarray], gap: float = 20.0) -> list[np.ndarray]:
    """Where to put boxes (around zero) that belong at some places: moved away from each other until none overlap."""
    at = [1.2 * np.asarray(p, float) for p in places]
    count = len(boxes)
    for _ in range(600):
        moved = False
        for i in range(count):
            for j in range(i + 1, count):
                a, b = boxes[i] + np.tile(at[i], 2), boxes[j] + np.tile(at[j], 2)
                over = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]) + gap
                if (over <= 1e-6).any():
                    continue
                k = int(np.argmin(over))
                sign = np.sign((b[k] + b[k + 2]) - (a[k] + a[k + 2])) or 1.0
                at[i][k] -= sign * over[k] / 2
                at[j][k] += sign * over[k] / 2
                moved = True
        if not moved:
            return at
    return _rows(boxes, gap)


def _rows(boxes: list[np.ndarray], gap: float) -> list[np.ndarray]:
    """In rows about as wide as they are high together."""
    sizes = [b[2:] - b[:2] for b in boxes]
    limit = 1.3 * float(np.sqrt(sum(float(np.prod(s + gap)) for s in sizes)))
    out, x, y, tall = [], 0.0, 0.0, 0.0
    for box, size in zip(boxes, sizes):
        if x > 0 and x + size[0] > limit:
            x, y, tall = 0.0, y + tall + gap, 0.0
        out.append(np.array([x, y]) - box[:2])
        x, tall = x + size[0] + gap, max(tall, size[1])
    return out
