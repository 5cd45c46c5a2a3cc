"""What the paper of the studio shows of a model in the plane: outlines of bodies in their own frames, marks of elements, poses.

Places are metres in body axes; poses (x, y, angle) put bodies on the paper, for the drawing as for every sample of a motion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.elements.element import name_of
from dalembert.io.document import type_name
from dalembert.viewer.scene.default_shapes import Drawing, rod_ends, survey
from dalembert.viewer.scene.gearing import wheels
from dalembert.viewer.scene.scene import PALETTE
from dalembert.workshop.outlines import outlines

DIGITS = 13


def plane_drawing(state) -> dict[str, Any]:
    """Bodies with their corners (and outlines, where shapes were given), elements with their two places."""
    system, model = state.system, state.model
    found = survey(state)
    toothed = wheels(state)
    shaped = [n for n in system.bodies if model.bodies[n].solids or model.bodies[n].shapes or n in toothed]
    drawn = outlines(state) if shaped else {}
    pose = poses(state)[0]
    bodies = []
    for k, name in enumerate(system.bodies):
        x, y, a = pose[k]
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        rings = [_plain((ring - (x, y)) @ turn.T) for ring in drawn[name]] if name in shaped else []
        body = model.bodies[name]
        ends = rod_ends(state, name) or []
        corners = [p[:2] for p in ends] + [s.local[:2] for s in found.sites[k]]
        slides = [s.axis[:2] for s in found.sites[k] if s.mark.slider]
        bodies.append({"name": name, "rings": rings, "corners": _plain(corners) if corners else [],
                       "slide": _plain(slides[0]) if slides else None, "com": _plain(system.tables.bodies["com"][k]),
                       "colour": _colour(body.material, k), "particle": bool(body.is_particle),
                       "mass": float(system.tables.bodies["mass"][k])})
    return {"bodies": bodies, "elements": elements(found), "poses": _plain(pose), "width": float(found.width),
            "size": float(found.span)}


def elements(found: Drawing) -> list[dict[str, Any]]:
    """Every element with the two places it acts at, and what it refers to."""
    model, dim = found.motion.model, found.motion.system.dim
    out = []
    for name, element in model.elements.items():
        if element.kind == "event":
            continue
        entry: dict[str, Any] = {"name": name, "section": element.kind, "type": type_name(type(element)),
                                 "mark": element.drawn_as if name in found.pairs else ""}
        if name in found.pairs:
            entry["ends"] = [{"body": int(b), "local": _plain(s.local[:dim]), "axis": _plain(s.axis[:dim])}
                             for b, s in found.pairs[name]]
        of = getattr(element, "of", None)
        if of is not None and not isinstance(of, (tuple, list)):
            entry["of"] = name_of(of, name)
        out.append(entry)
    return out


def poses(motion) -> np.ndarray:
    """(frames, bodies, 3): reference point and angle; in space (frames, bodies, 7): point and quaternion, scalar first."""
    system = motion.system
    n = len(np.atleast_1d(motion.t))
    if system.dim == 3:
        return np.stack([np.hstack([np.reshape(motion[b].position, (n, 3)), np.reshape(motion[b].quaternion, (n, 4))])
                         for b in system.bodies], axis=1)
    out = np.zeros((n, system.nb, 3))
    for k, name in enumerate(system.bodies):
        view = motion[name]
        out[:, k, :2] = np.reshape(view.position, (n, 2))
        if not view.is_particle:
            out[:, k, 2] = np.reshape(view.angle, n)
    return out


def _colour(material, k: int) -> str:
    value = getattr(material, "diffuse", material)
    if isinstance(value, str) and value.startswith("#"):
        return value
    if isinstance(value, (tuple, list)) and len(value) == 3:
        return "#" + "".join(f"{round(255 * min(max(float(c), 0.0), 1.0)):02x}" for c in value)
    return PALETTE[k % len(PALETTE)]


def _plain(values) -> list:
    return np.round(np.asarray(values, float), DIGITS).tolist()
