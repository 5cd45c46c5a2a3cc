"""Surfaces that rub, while a model is compiled: numbers of their laws, markers, and where their reaction is read.

The reaction is that on the second body at its marker, as results give it and as laws feel it (model/felt.py); of a disc that
rolls and of a rope it is a multiplier; clutches and bands have none.  Refused by name: joints of particles (they have no surface
that turns), gears whose central forces are found after the solve.
"""

from __future__ import annotations

from typing import Any

from dalembert.errors import ModelError
from dalembert.model import pointlike
from dalembert.model.felt import of_element

MULTIPLIED, GIVEN = ("roll", "rope"), ("clutch", "band")  # kinds that are pressed by a multiplier, by a force that is given


def surfaces(b: Any) -> list[dict[str, Any]]:
    """What of the builder's joints rubs; plain numbers, one dict per pair of surfaces."""
    found = []
    for rub in b.rubs:
        element, kind = rub["element"], rub["kind"]
        acting = kind not in GIVEN and [name for name, e in b.teeth.items() if e.slope != 0.0 or e.constant != 0.0]
        if acting:
            raise ModelError(f"{element.title}: its friction goes by its reaction, and the forces of '{acting[0]}' along the "
                             "line of centres are found after the solve. Give that pressure_angle=0 and no preload, or take "
                             "friction= away")
        if kind == "roll" and rub["static"] >= 1.0:
            raise ModelError(f"{element.title}: its resistance is {rub['static'] * rub['radius']:g} m and its radius "
                             f"{rub['radius']:g} m; it is the lever arm [m] of rolling friction, a small part of the radius")
        i, j = b.joints[element.name]
        if kind != "rope" and any(pointlike.of(b, b.markers[m].body) for m in (i, j) if b.markers[m].body != b.ground):
            raise ModelError(f"{element.title}: a particle has no surface that rubs: make it a body, or take friction= away")
        part = "multipliers.0" if kind in MULTIPLIED else "force.x"
        row = None if kind in GIVEN else of_element(b, element, part, element.title)
        found.append({**rub, **_own(rub), "element": element.name, "i": i, "j": j, "reaction": row[0] if row else {}})
    return found


def _own(rub: dict[str, Any]) -> dict[str, Any]:
    """Numbers of clutches, bands and ropes (OWN and MORE of contacts/rubbing/tables.py)."""
    wrap, ways = float(rub.get("wrap", 0.0)), rub.get("ways", (0.0, 0.0))
    side = rub.get("side", -1.0 if wrap < 0.0 else 1.0)
    begun = rub["preload"] if rub["kind"] == "clutch" else rub.get("begun", 0.0)
    return {"own": (0.0, rub.get("faces", 1.0), rub["coulomb"], rub["static"], side, *ways, begun, abs(wrap)),
            "more": (rub.get("law", -1), rub.get("drum", 0))}


def rubs(model) -> list[str]:
    """What has friction, by name."""
    return [e.name for e in model.elements.values() if getattr(e, "rubs", False)]


def without_friction(model):
    """A copy in which nothing rubs."""
    other = model.copy()
    for name in rubs(model):
        smooth = other.elements[name].smooth()
        if smooth is None:
            del other.elements[name]
        else:
            other.elements[name] = smooth
    return other
