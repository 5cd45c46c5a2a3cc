"""Surfaces of joints that rub, while a model is compiled: numbers of their laws, markers, and where their reaction is read.

The reaction is that on the second body at its marker, as results give it and as laws feel it (model/felt.py).  Refused by name:
joints of particles (they have no surface that turns), gears whose central forces are found after the solve.
"""

from __future__ import annotations

from typing import Any

from dalembert.errors import ModelError
from dalembert.model import pointlike
from dalembert.model.felt import of_element


def surfaces(b: Any) -> list[dict[str, Any]]:
    """What of the builder's joints rubs; plain numbers, one dict per pair of surfaces."""
    found = []
    for rub in b.rubs:
        element = rub["element"]
        acting = [name for name, e in b.teeth.items() if e.slope != 0.0 or e.constant != 0.0]
        if acting:
            raise ModelError(f"{element.title}: its friction goes by its reaction, and the forces of '{acting[0]}' along the "
                             "line of centres are found after the solve. Give that pressure_angle=0 and no preload, or take "
                             "friction= away")
        i, j = b.joints[element.name]
        if any(pointlike.of(b, b.markers[m].body) for m in (i, j) if b.markers[m].body != b.ground):
            raise ModelError(f"{element.title}: a particle has no surface that rubs: make it a body, or take friction= away")
        row = of_element(b, element, "force.x", element.title)
        assert row is not None
        found.append({**rub, "element": element.name, "i": i, "j": j, "reaction": row[0]})
    return found


def rubs(model) -> list[str]:
    """Joints with friction, by name."""
    return [e.name for e in model.elements.values() if getattr(e, "friction", None) not in (None, 0, 0.0) and e.kind == "joint"]


def without_friction(model):
    """A copy whose joints do not rub."""
    other = model.copy()
    for name in rubs(model):
        e = other.elements[name]
        other.elements[name] = type(e)(**{k: v for k, v in e.given.items() if k not in ("friction", "radius", "length")})
    return other
