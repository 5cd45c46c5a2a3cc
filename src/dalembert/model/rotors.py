"""Rotors: armature of joints, and massless carriers between joints of one body; what trees and exporters make of them.

A motor's rotor geared up by n has the kinetic energy ½ a q̇² with a = n² J, whatever else moves (the armature of other programs).
Here it is a flywheel on the ground that turns with the joint's coordinate,

    ½ a ṙ²,  r − q = 0          body "J rotor", Revolute "J axle", Equation "J armature": "`J` - `J axle`"

which is exact: its centre of mass lies on its axle, so it has no weight in the motion, and its torque goes to the ground.  In
joint coordinates (robotics.Tree) it is a on the diagonal of H.

Several joints on one body (hinge after hinge) are a chain through carriers.  They have no mass in the file; a body needs some, so
each takes a share of the body it belongs to (its total is kept).  robotics.Tree and the exporters give it back.  The share is a
compromise: rows of joints on a light carrier differ by its square root in the metric of masses (a chain of three: 8e-4 at 1e-3),
and what depends on others but for 1e-5 is called dependent (analyses/check.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert.elements.bodies.body import Body
from dalembert.elements.constraints.equation import Equation
from dalembert.elements.element import name_of
from dalembert.elements.joints.revolute import Revolute

HINGE = ("Rz",)  # the free motion of one
SHARE = 1e-3  # of the mass of a body, for each carrier


@dataclass(frozen=True)
class Rotor:
    """The armature of a joint, and the three elements it is made of."""

    joint: str
    armature: Any  # kg m² (hinge) or kg (slide), as given
    body: str
    axle: str
    equation: str


def add_rotor(m, joint: str, armature: float, at) -> None:
    """A flywheel with the inertia ``armature`` that turns with a joint's coordinate."""
    body, axle = f"{joint} rotor", f"{joint} axle"
    m.add(Body(body, mass=armature, inertia=(armature, armature, armature), position=tuple(at)))
    m.add(Revolute(axle, "ground", body, at=tuple(at), axis=(0.0, 0.0, 1.0)))
    m.add(Equation(f"{joint} armature", f"`{joint}` - `{axle}`"))


def rotors(model) -> dict[str, Rotor]:
    """Joint → its rotor: found by how they are built, so that files keep them."""
    found: dict[str, Rotor] = {}
    for name, e in model.elements.items():
        if not name.endswith(" armature"):
            continue
        joint = name.removesuffix(" armature")
        body, axle = f"{joint} rotor", f"{joint} axle"
        hinge, flywheel = model.elements.get(axle), model.bodies.get(body)
        if (getattr(e, "expression", "") != f"`{joint}` - `{axle}`" or joint not in model.elements or flywheel is None
                or hinge is None or hinge.free.get(3) != HINGE or flywheel.com is not None
                or (_end(hinge, "i"), _end(hinge, "j")) != ("ground", body)):
            continue
        if any(body in (_end(x, "i"), _end(x, "j"), _end(x, "body")) for k, x in model.elements.items() if k != axle):
            continue
        found[joint] = Rotor(joint, flywheel.inertia[2], body, axle, name)
    return found


def _end(element, side) -> str | None:
    ref = getattr(element, side, None)
    return name_of(ref, element.title) if ref is not None and element.joins_bodies else None


def without_rotors(model):
    """The model without its rotors, and their joints with the armature."""
    found = rotors(model)
    if not found:
        return model, found
    other = model.copy()
    for rotor in found.values():
        for name in (rotor.equation, rotor.axle, rotor.body):
            other.remove(name)
    return other, found


def carriers(model) -> dict[str, tuple[str, float]]:
    """Carrier → the body whose mass it has a share of, and the share (known to models that were imported)."""
    known = getattr(model, "carriers", {})
    return {k: (b, x) for k, (b, x) in known.items() if k in model.bodies and b in model.bodies}


def returned(model) -> dict[str, float]:
    """Factor for the mass and inertia of each body that gives the carriers' shares back: 0 for a carrier."""
    known = carriers(model)
    given: dict[str, float] = {}
    for body, share in known.values():
        given[body] = given.get(body, 0.0) + share
    return {**{b: 1.0 / (1.0 - x) for b, x in given.items()}, **dict.fromkeys(known, 0.0)}
