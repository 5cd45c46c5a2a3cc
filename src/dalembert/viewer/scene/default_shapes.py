"""Shapes for a whole mechanism: those the user gave, and sensible ones for bodies without any.

    rod                         a bar between its ends
    two joints or more          bars from joint to joint (a closed frame from three on)
    one joint away from the centre of mass      a bar to a bob at the centre of mass
    joints at the centre of mass only           a slider (on a slide), a gear or disc (on a hinge)
    no joint                    the box that has this mass and inertia

Bars are a seventh of the typical link wide, but no more than a twentieth of the whole.  In the plane bodies that share a
joint lie in different layers, so that they pass over each other without touching.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.algebra.rotations import quaternion_of_matrix
from dalembert.elements.element import name_of
from dalembert.expressions import number
from dalembert.system import poses
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.gearing import wheels
from dalembert.viewer.scene.given_shapes import GivenShapes, along
from dalembert.viewer.scene.marks import Mark, mark_of
from dalembert.viewer.scene.scene import GROUND, lifted

PITCH = 1.3  # of the layers, in thicknesses of a body


@dataclass
class Site:
    """A joint's or spring's marker on a body: where, its main axis, what it belongs to."""

    element: str
    mark: Mark
    local: np.ndarray  # in the body's own frame, three components
    axis: np.ndarray


@dataclass
class Drawing:
    """What is known of a mechanism before anything is drawn."""

    motion: Any
    sites: dict[int, list[Site]]  # body (or GROUND) → its markers
    pairs: dict[str, tuple[tuple[int, Site], tuple[int, Site]]]
    width: float = 0.1  # of a bar
    depth: float = 0.1  # of a layer (plane) or bar
    span: float = 1.0
    layer: dict[int, int] = field(default_factory=dict)

    def height(self, body: int) -> float:
        """z of a body's layer in the plane; the ground lies behind all."""
        return 0.0 if self.motion.system.dim == 3 else PITCH * self.depth * self.layer.get(body, -1)

    @property
    def front(self) -> float:
        """z before all layers of the plane."""
        return 0.0 if self.motion.system.dim == 3 else PITCH * self.depth * (max(self.layer.values(), default=0) + 1)


def survey(motion) -> Drawing:
    """Markers of all joints and springs by body, typical sizes, layers."""
    s, model = motion.system, motion.model
    sites: dict[int, list[Site]] = {k: [] for k in (*range(s.nb), GROUND)}
    pairs = {}
    for name, pair in s.markers.items():
        kind = mark_of(model.elements.get(name))
        found = []
        for m in pair:
            body = poses.carrier(s, m)
            point, axes = poses.local(s, m)
            local, axis = np.zeros(3), np.zeros(3)
            local[: s.dim] = point + (s.tables.bodies["com"][body] if body < s.nb else 0.0)
            axis[: s.dim] = axes[:, 0 if s.dim == 2 else 2]
            site = Site(name, kind, local, axis)
            found.append((GROUND if body == s.nb else body, site))
        pairs[name] = (found[0], found[1])
        if kind.outline:
            for body, site in found:
                sites[body].append(site)
    drawing = Drawing(motion, sites, pairs)
    _measure(drawing)
    _layers(drawing)
    return drawing


def _measure(d: Drawing) -> None:
    """Typical sizes from joint points and rods in the first frame."""
    motion = d.motion
    s = motion.system
    lengths, points = [], []
    for k, name in enumerate(s.bodies):
        ends = rod_ends(motion, name)
        local = list(ends or ()) + [x.local for x in d.sites[k]]
        if local:
            spread = np.ptp(np.array(local), axis=0)
            if np.linalg.norm(spread) > 1e-9:
                lengths.append(float(np.linalg.norm(spread)))
        origin = np.zeros(3)
        view = motion[name]
        origin[: s.dim] = np.reshape(view.position, (-1, s.dim))[0]
        points.append(origin)
    points += [x.local for x in d.sites[GROUND]]
    span = float(np.linalg.norm(np.ptp(np.array(points), axis=0)))
    span = max(span, max(lengths, default=0.0))
    d.span = span if span > 1e-9 else 1.0
    typical = float(np.median(lengths)) if lengths else 0.3 * d.span
    d.width = min(0.14 * typical, 0.05 * max(d.span, typical))
    d.depth = 0.75 * d.width


def _layers(d: Drawing) -> None:
    """Bodies that share a joint get different layers: the lowest that is free among their neighbours."""
    near: dict[int, set[int]] = {}
    for (a, _), (b, _) in d.pairs.values():
        if GROUND not in (a, b) and a != b:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    for k in range(d.motion.system.nb):
        taken = {d.layer[n] for n in near.get(k, ()) if n in d.layer}
        d.layer[k] = next(x for x in range(len(taken) + 1) if x not in taken)


def rod_ends(motion, name) -> list[np.ndarray] | None:
    """Both ends of a rod in its own frame, or None for another body."""
    body = motion.model.bodies[name]
    if body.start is None or body.end is None:
        return None
    values = motion.model.parameter_values()
    p, q = (np.array([number(x, values, name) for x in end]) for end in (body.start, body.end))
    half = np.array([np.linalg.norm(q - p) / 2, 0.0, 0.0])
    return [-half, half]


def add_shapes(d: Drawing, shapes: GivenShapes) -> None:
    """Parts for every body."""
    motion = d.motion
    toothed = wheels(motion) if motion.system.dim == 2 else {}
    for k, name in enumerate(motion.system.bodies):
        body = motion.model.bodies[name]
        paint = shapes.colour(body.material, k)
        given = [*body.solids, *body.shapes]
        wheel = toothed.get(name)
        for shape in given:
            if wheel is not None and wheel.is_drawn_by(shape, shapes.numbers):
                wheel.put(shapes, k, paint, d.depth, d.height(k))
                continue
            shapes.add(k, shape, paint, d.height(k), d.depth, d.width, name)
        if not given and wheel is not None and _hub(d, k):
            wheel.put(shapes, k, paint, d.depth, d.height(k))
        elif not given:
            _default(d, shapes, k, name, paint)
    if motion.system.dim == 2:
        _small_before_large(d, shapes.scene)


def _hub(d: Drawing, k: int) -> bool:
    """All joints of the body are at its centre of mass."""
    com = np.zeros(3)
    com[: d.motion.system.dim] = d.motion.system.tables.bodies["com"][k]
    return all(np.linalg.norm(x.local - com) <= 0.25 * d.width for x in d.sites[k])


def _small_before_large(d: Drawing, scene) -> None:
    """Bodies of one layer that no joint connects may overlap: the smaller one lies a little higher."""
    reach = np.zeros(len(scene.names))
    for p in scene.parts:
        size = np.abs(scene.meshes[p.mesh].vertices * p.scale).max() + np.linalg.norm(p.position[:2])
        reach[p.body] = max(reach[p.body], size)
    rank = np.argsort(np.argsort(-reach, kind="stable"))
    for p in scene.parts:
        p.position = lifted(p.position, 0.2 * d.depth * float(rank[p.body]) / len(reach))


def _default(d: Drawing, w: GivenShapes, k: int, name: str, paint: int) -> None:
    motion = d.motion
    s = motion.system
    com = np.zeros(3)
    com[: s.dim] = s.tables.bodies["com"][k]
    body = motion.model.bodies[name]
    if body.is_particle:  # a dot
        if s.dim == 2:
            w.disc(k, paint, 0.7 * d.width, d.depth, (0.0, 0.0, d.height(k)))
        else:
            w.sphere(k, paint, 0.7 * d.width, com)
        return
    ends = rod_ends(motion, name)
    points = _distinct([x.local for x in d.sites[k]], d.width)
    if ends is not None:
        radius = None if body.radius is None else w.numbers.number(body.radius, f"radius of body '{name}'")
        extra = [p for p in points if _off(p, ends) > d.width]
        _bars(d, w, k, paint, ends, radius)
        for p in extra:
            _bars(d, w, k, paint, [com, p], radius)
    elif len(points) > 1:
        _bars(d, w, k, paint, points if len(points) == 2 else _ring(points, s.dim), None)
    elif len(points) == 1 and np.linalg.norm(points[0] - com) > 0.25 * d.width:
        _bars(d, w, k, paint, [points[0], com], None)
        if s.dim == 2:
            w.disc(k, paint, 1.1 * d.width, d.depth, (com[0], com[1], d.height(k)))
        else:
            w.sphere(k, paint, 1.1 * d.width, com)
    else:
        _compact(d, w, k, name, paint, com, bool(points))


def _compact(d: Drawing, w: GivenShapes, k: int, name: str, paint: int, com, jointed: bool) -> None:
    s = d.motion.system
    slide = next((x for x in d.sites[k] if x.mark.slider), None)
    radius = pitch_radius(d.motion, name)
    place = (com[0], com[1], com[2] + d.height(k))
    mass, inertia = float(s.tables.bodies["mass"][k]), s.tables.bodies["inertia"][k]
    if slide is not None and radius is None:
        size = np.array([1.7, 1.7, 2.6]) * d.width
        if s.dim == 2:
            half = math.atan2(slide.axis[1], slide.axis[0]) / 2
            w.box(k, paint, (size[2], size[0], d.depth), place, (math.cos(half), 0, 0, math.sin(half)))
        else:
            w.box(k, paint, size, place, along(slide.axis))
    elif radius is not None:
        teeth = max(12, min(60, 4 * round(radius / (0.5 * d.width))))
        mesh = w.mesh(("gear", round(radius, 12), d.depth, teeth), lambda: solids.gear(radius, d.depth, teeth))
        hinge = next((x for x in d.sites[k] if x.mark.solid == "hinge"), None)
        w.put(k, mesh, paint, place, along(hinge.axis) if hinge is not None and s.dim == 3 else (1, 0, 0, 0))
    elif s.dim == 2:
        side = math.sqrt(6 * float(inertia) / mass)  # square of this inertia
        limit = max(2 * d.width, 0.5 * d.span)
        if jointed:
            w.disc(k, paint, min(max(side / math.sqrt(3.0), d.width), limit), d.depth, place)
        else:
            w.box(k, paint, (min(side, limit), min(side, limit), d.depth), place)
    else:
        moments, axes = np.linalg.eigh(np.reshape(inertia, (3, 3)))
        edges = np.sqrt(np.maximum(6 / mass * (moments.sum() - 2 * moments), 1e-6 * moments.sum() / mass))
        edges *= min(1.0, max(2 * d.width, 0.5 * d.span) / edges.max()) if jointed else 1.0
        if np.linalg.det(axes) < 0:
            axes[:, 2] *= -1
        w.box(k, paint, edges, place, quaternion_of_matrix(axes))


def pitch_radius(motion, name) -> float | None:
    """Radius of a body that meshes with another, or rolls on the ground."""
    model = motion.model
    values = model.parameter_values()
    hinges = {name} | {e.name for e in model.elements.values() if e.drawn_as == "hinge"
                       and name in (name_of(e.j, e.title), name_of(e.i, e.title))}
    for e in model.elements.values():
        radius = e.pitch_radius(hinges)
        if radius is not None:
            return abs(float(number(radius, values, e.title)))
    return None


def _bars(d: Drawing, w: GivenShapes, k: int, paint: int, points, radius) -> None:
    for start, end in itertools.pairwise(points):
        if d.motion.system.dim == 2:
            w.bar(k, paint, start, end, d.width if radius is None else 2 * radius, d.depth, d.height(k))
        else:
            w.round_bar(k, paint, start, end, 0.42 * d.width if radius is None else radius)


def _distinct(points, width) -> list[np.ndarray]:
    found: list[np.ndarray] = []
    for p in points:
        if all(np.linalg.norm(p - q) > 0.25 * width for q in found):
            found.append(p)
    return found


def _ring(points, dim) -> list[np.ndarray]:
    """Points in order around their middle, closed."""
    p = np.array(points)
    middle = p.mean(axis=0)
    if dim == 2:
        order = np.argsort(np.arctan2(*(p - middle)[:, 1::-1].T))
    else:
        _, _, axes = np.linalg.svd(p - middle)
        order = np.argsort(np.arctan2((p - middle) @ axes[1], (p - middle) @ axes[0]))
    return [*p[order], p[order[0]]]


def _off(p, ends) -> float:
    """Distance of a point from the line between two ends."""
    a, b = (np.asarray(e, float) for e in ends)
    s = np.clip((p - a) @ (b - a) / max((b - a) @ (b - a), 1e-300), 0.0, 1.0)
    return float(np.linalg.norm(p - a - s * (b - a)))

