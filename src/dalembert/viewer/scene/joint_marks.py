"""Joints, rails, supports, springs and massless links as parts of a scene.

    plane   a pin through the layers it joins; on the ground a support below it; a slide shows its rail
    space   hinge: a cylinder along its axis; ball joint: a sphere; cross: two cylinders; slide: its rail; on the ground in grey
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.algebra.rotations import frame_along, quaternion_of_matrix
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.belts import put_belts
from dalembert.viewer.scene.default_shapes import Drawing
from dalembert.viewer.scene.given_shapes import DARK, GREY, WIRE, GivenShapes, along
from dalembert.viewer.scene.scene import GROUND, Scene, Tie, lifted, rotate

STILL = 0.22  # of the mechanism's size, to each side: the rail of a drawing, where nothing is known of how far it slides


def mark(d: Drawing, w: GivenShapes, scene: Scene) -> None:
    """Marks of all joints, ties, and belts."""
    dark, grey, wire = w.colour(DARK), w.colour(GREY), w.colour(WIRE)
    draw = _flat if scene.dim == 2 else _solid
    for name, ((i, a), (j, b)) in d.pairs.items():
        kind, w.owner = a.mark, name
        if kind.tie:
            behind = d.height(GROUND) - 0.3 * d.width if scene.dim == 2 else 0.0  # a coil needs room of its own
            ends = [(i, lifted(a.local, behind)), (j, lifted(b.local, behind))]
            radius = d.width * (0.55 if kind.tie == "spring" else 0.22)
            scene.ties.append(Tie(name, kind.tie, (ends[0], ends[1]), radius, wire))
        if kind.rail:
            _rail(d, w, scene, i, a, j, b, grey if i == GROUND else dark)
        draw(d, w, kind, i, a, j, b, dark, grey)
    if scene.dim == 2:
        put_belts(d, w)
    w.owner = ""


def _flat(d, w, kind, i, a, j, b, dark, grey) -> None:
    width, depth = d.width, d.depth
    low, high = sorted((d.height(i), d.height(j)))
    if kind.flat == "pin":
        z, length = (low + high) / 2, high - low + 1.25 * depth
        body, site = (j, b) if j != GROUND else (i, a)
        w.cylinder(body, dark, 0.27 * width, length, lifted(site.local, z), role="joint")
    elif kind.flat == "block":
        for body, site in ((i, a), (j, b)):
            if body != GROUND:
                w.box(body, dark, (0.6 * width, 0.6 * width, 1.2 * depth), lifted(site.local, d.height(body)), role="joint")
    elif kind.flat == "ends":
        for body, site in ((i, a), (j, b)):
            w.cylinder(body, dark, 0.22 * width, 1.25 * depth, lifted(site.local, d.height(body)), role="joint")
    if GROUND in (i, j) and kind.support:
        _support(d, w, (a if i == GROUND else b).local, grey)
    if kind.road:
        _road(d, w, a, j, grey)


def _support(d, w, at, grey) -> None:
    """The textbook's fixed point: a foot with a round head, on a base."""
    width, depth = d.width, d.depth
    angle = np.linspace(np.radians(12), np.radians(168), 15)
    head = 0.62 * width * np.stack([np.cos(angle), np.sin(angle)], 1)
    outline = np.concatenate([[(1.05 * width, -1.7 * width)], head, [(-1.05 * width, -1.7 * width)]])
    z = d.height(GROUND)
    mesh = w.mesh(("support", width), lambda: solids.plate(outline, depth))
    w.put(GROUND, mesh, grey, lifted(at, z), role="ground")
    w.box(GROUND, grey, (3.4 * width, 0.4 * width, depth), lifted(at - [0, 1.9 * width, 0], z), role="ground")


def _road(d, w, site, j, grey) -> None:
    """The line a disc rolls on, as far as it goes."""
    motion = d.motion
    x = np.reshape(motion[motion.system.bodies[j]].position, (-1, 2)) - site.local[:2]
    s = x @ site.axis[:2]
    length = float(np.ptp(s)) + 8 * d.width + 0.5 * d.span
    middle = site.local + site.axis * float(s.min() + s.max()) / 2
    half = math.atan2(site.axis[1], site.axis[0]) / 2
    under = np.array([site.axis[1], -site.axis[0], 0.0])
    under = under if under[1] < 0 else -under
    w.box(GROUND, grey, (length, 0.4 * d.width, 2 * d.depth), middle + 0.2 * d.width * under,
          (math.cos(half), 0, 0, math.sin(half)), role="ground")


def _solid(d, w, kind, i, a, j, b, dark, grey) -> None:
    width = d.width
    body, site = (j, b) if j != GROUND else (i, a)
    fixed = GROUND in (i, j)
    if kind.solid == "hinge":
        w.cylinder(body, dark, 0.52 * width, 1.7 * width, site.local, along(site.axis), role="joint")
    elif kind.solid == "ball":
        w.sphere(body, dark, 0.62 * width, site.local, role="joint")
    elif kind.solid == "cross":
        frame = frame_along(site.axis, 2)
        for k in (0, 2):
            w.cylinder(body, dark, 0.34 * width, 1.9 * width, site.local, along(frame[:, k]), role="joint")
    elif kind.solid == "block":
        w.box(body, dark, (0.9 * width,) * 3, site.local, role="joint")
    elif kind.solid == "plate":
        w.cylinder(i, grey if i == GROUND else dark, 1.6 * width, 0.12 * width, a.local, along(a.axis),
                   role="ground" if i == GROUND else "joint")
    elif kind.solid == "ends":
        for end, s in ((i, a), (j, b)):
            w.sphere(end, dark if end != GROUND else grey, 0.34 * width, s.local, role="joint" if end != GROUND else "ground")
    if fixed and kind.foot == "along":
        ground = a if i == GROUND else b
        w.cylinder(GROUND, grey, 0.8 * width, 1.1 * width, ground.local, along(ground.axis), role="ground")
    elif fixed and kind.foot == "flat":
        ground = a if i == GROUND else b
        w.cylinder(GROUND, grey, 0.9 * width, 0.5 * width, ground.local, role="ground")


def _rail(d, w, scene, i, a, j, b, paint) -> None:
    """The axis of a slide on its first body, as far as the second one goes; where nothing moves, far enough to be seen."""
    first, second = scene.points(i, a.local), scene.points(j, b.local)
    turn = np.tile([1.0, 0, 0, 0], (scene.frames, 1)) if i == GROUND else scene.quaternion[:, i]
    axis = rotate(turn, a.axis)
    s = np.einsum("ti,ti->t", second - first, axis)
    s = s[np.isfinite(s)]
    if not s.size:
        return
    margin = 2.2 * d.width if scene.frames > 1 else max(4.5 * d.width, STILL * d.span)
    length, middle = float(np.ptp(s)) + 2 * margin, float(s.min() + s.max()) / 2
    role = "ground" if i == GROUND else "joint"
    place = a.local + middle * a.axis
    if scene.dim == 2:
        half = math.atan2(a.axis[1], a.axis[0]) / 2
        w.box(i, paint, (length, 0.5 * d.width, 0.5 * d.depth), lifted(place, d.height(i) - 0.2 * d.depth),
              (math.cos(half), 0, 0, math.sin(half)), role)
    else:
        w.put(i, w.mesh("cylinder", solids.cylinder), paint, place, quaternion_of_matrix(frame_along(a.axis, 2)),
              (0.24 * d.width, 0.24 * d.width, length), role)
