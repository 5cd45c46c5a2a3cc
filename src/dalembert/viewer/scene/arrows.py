"""Forces and torques over time as arrows: reactions of joints, drives, springs, applied loads.

A joint's arrow is what it exerts on its second body, at its marker there (on the first body when the second is the ground).
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.element import name_of
from dalembert.results.views.elements import JointView
from dalembert.viewer.scene.default_shapes import Drawing
from dalembert.viewer.scene.scene import GROUND, Arrow, lifted

MOST = 400


def arrows(d: Drawing) -> list[Arrow]:
    """Arrows of all elements (the first few hundred)."""
    motion = d.motion
    found: list[Arrow] = []
    for name, element in motion.model.elements.items():
        if len(found) >= MOST:
            break
        if element.kind == "event":
            continue
        if name in motion.system.groups:
            found += _reaction(d, name, element)
        elif element.kind == "force":
            found += _load(d, name, element)
    return [a for a in found if np.isfinite(a.vectors).all() and np.abs(a.vectors).max(initial=0.0) > 0.0]


def _spatial(d: Drawing, values, torque: bool) -> np.ndarray:
    dim = d.motion.system.dim
    values = np.asarray(values, float)
    values = values.reshape(len(values) if values.ndim else 1, -1)
    out = np.zeros((len(values), 3))
    if dim == 2 and torque:
        out[:, 2] = values[:, 0]
    else:
        out[:, : values.shape[1]] = values
    return out


def _reaction(d: Drawing, name: str, element) -> list[Arrow]:
    motion = d.motion
    system = motion.system
    view = JointView(motion, name)
    second = getattr(element, "j", None)
    if second is not None and element.joins_bodies and name_of(second, name) == "ground":
        view = view.on(element.i)
    target = view._target()
    if target == "ground" or target not in system.bodies:
        return []
    body = system.bodies.index(target)
    local = next((s.local for b, s in reversed(d.pairs.get(name, ())) if b == body), None)
    if local is None:
        local = np.zeros(3)
        local[: system.dim] = system.tables.bodies["com"][body]
    force, torque = view._wrench()
    kinds = ("force", "torque") if element.kind == "drive" else ("reaction", "reaction torque")
    return _pair(d, name, kinds, body, local, force, torque)


def _pair(d, name, kinds, body, local, force, torque) -> list[Arrow]:
    place = lifted(local, d.front)
    found = [Arrow(name, kinds[0], body, place, _spatial(d, force, False)),
             Arrow(name, kinds[1], body, place, _spatial(d, torque, True))]
    scale = [np.abs(a.vectors).max(initial=0.0) for a in found]
    keep = 1e-9 * max(scale[0], scale[1] / max(d.width, 1e-12))
    return [a for a, s, unit in zip(found, scale, (1.0, max(d.width, 1e-12)), strict=True) if s > keep * unit]


def _load(d: Drawing, name: str, element) -> list[Arrow]:
    motion = d.motion
    system = motion.system
    view = motion[name]
    if element.pulls:
        (i, a), (j, b) = d.pairs[name]
        p, q = _points(d, i, a.local), _points(d, j, b.local)
        along = (p - q) / np.maximum(np.linalg.norm(p - q, axis=1, keepdims=True), 1e-300)
        pull = np.reshape(view.force, (-1, 1)) * along  # tension pulls j towards i
        return [Arrow(name, "force", body, lifted(site.local, d.front), sign * pull)
                for body, site, sign in ((i, a, -1.0), (j, b, 1.0)) if body != GROUND]
    if name in system.primary:  # it acts along a coordinate
        Q = view._generalized()
        dim = system.dim
        size = np.abs(system.each_v(Q)).max(axis=(0, 2))
        body = len(size) - 1 - int(np.argmax(size[::-1] > 1e-12 * size.max(initial=0.0)))  # the last one it acts on
        part = Q[:, system.at_v(body)]
        torque = part[:, 2] if dim == 2 else np.einsum(
            "tij,tj->ti", np.reshape(motion[system.bodies[body]].rotation, (-1, 3, 3)), part[:, 3:])
        local = np.zeros(3)
        local[:dim] = system.tables.bodies["com"][body]
        return _pair(d, name, ("force", "torque"), body, local, part[:, :dim], torque)
    if name not in system.markers:
        return []  # fields act on all bodies
    body, site = d.pairs[name][1]
    if body == GROUND:
        return []
    return _pair(d, name, ("force", "torque"), body, site.local, view.force, view.torque)


def _points(d: Drawing, body: int, local) -> np.ndarray:
    motion = d.motion
    n, dim = len(np.atleast_1d(motion.t)), motion.system.dim
    if body == GROUND:
        return np.tile(local, (n, 1))
    out = np.zeros((n, 3))
    out[:, :dim] = np.reshape(motion[motion.system.bodies[body]].point(np.asarray(local)[:dim]), (n, dim))
    return out
