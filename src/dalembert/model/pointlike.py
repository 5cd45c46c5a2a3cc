"""Particles have a place and no orientation: what an element may do to one, asked after it has written its rows and forces.

    markers     at the particle's point (arm 0)
    measures    distances, and places along axes of the other body: they read no axis of the particle
    rows        coincide (a pin or ball at the point), and rows of such measures
    forces      along such measures, forces along ground axes, fields

Everything else leans on its axes or turns it, and is refused.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.measures.table import NAMES
from dalembert.errors import ModelError

AXES = {"dot_axes": ("i", "j"), "dot_offset": ("i",), "angle": ("i", "j"), "distance": (), "square_distance": (),
        "component": ("guide",)}  # the markers whose axes a measure reads
NEAR = 1e-9  # of the size of the coordinates: a marker this near to the particle is at it
CURES = {2: "Revolute at its point, PinInSlot with the slot on the other body, Distance, Spring and Force act on particles",
         3: "Spherical at its point, Distance, Spring and Force act on particles"}


def of(b, body: int) -> bool:
    """Whether a body (its number) is a particle."""
    return body < b.ground and b.model.bodies[b.body_names[body]].is_particle


def leans_on(b, measure: int) -> int | None:
    """The particle whose axes a measure would read, if any."""
    m = b.measures[measure]
    for side in AXES.get(NAMES[m["kind"]], ("i", "j")):
        body = b.markers[m[side]].body
        if of(b, body):
            return body
    return None


def settle(b, element, markers: int, forces: dict[str, int]) -> None:
    """Refuse an element that needs a particle's orientation; put its markers exactly on their particles.

    ``markers``, ``forces``: how many there were before it was built.
    """
    for k in range(markers, len(b.markers)):
        _at_the_point(b, element, k)
    for family, _, columns in b.current.pieces:
        _family(b, element, family, columns)
    for family, rows in b.forces.items():
        for columns in rows[forces.get(family, 0):]:
            _family(b, element, family, columns)


def _at_the_point(b, element, k) -> None:
    marker = b.markers[k]
    if not of(b, marker.body):
        return
    off = float(np.sqrt(sum(float(x) ** 2 for x in marker.local)))
    size = max(1.0, *(abs(float(x)) for x in b.placed[marker.body].r))
    if off > NEAR * size:
        place = ", ".join(f"{float(x):g}" for x in b.placed[marker.body].r)
        raise ModelError(f"{element.title}: acts {off:.4g} beside {_title(b, marker.body)}, which is a point: put it at "
                         f"({place}), or make it a Body with mass and inertia")
    marker.local = marker.local * 0


def _family(b, element, family: str, columns: dict) -> None:
    if family in ("coincide", "field"):
        return
    if "measure" in columns:
        measures = [columns["measure"]]
    elif "start" in columns:
        measures = [term["measure"] for term in b.terms[columns["start"]:columns["stop"]]]
    elif family == "force" and not columns["follows"]:
        return
    else:
        for side in ("i", "j", "marker"):
            body = b.markers[columns[side]].body if side in columns else b.ground
            if of(b, body):
                _refuse(b, element, body)
        return
    for measure in measures:
        body = leans_on(b, measure)
        if body is not None:
            _refuse(b, element, body)


def _refuse(b, element, body) -> None:
    raise ModelError(f"{element.title}: needs the orientation of {_title(b, body)}, which is a point and has none "
                     f"({CURES[b.dim]}); for a body that turns take Body with mass= and inertia=")


def no_coordinate(b, measure: int, joint, title: str) -> None:
    """Refuse a joint's coordinate that would be an angle of a particle."""
    body = leans_on(b, measure)
    if body is not None:
        raise ModelError(f"{title}: {joint.title} has no coordinate of this kind: {_title(b, body)} is a point and does not "
                         f"turn; name a coordinate of a body, as '{b.body_names[body]}.x'")


def _title(b, body) -> str:
    return b.model.bodies[b.body_names[body]].title
