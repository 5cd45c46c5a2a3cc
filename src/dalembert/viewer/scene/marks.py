"""The marks of pictures by name: what an element's ``drawn_as`` stands for.

A name that is not here is drawn as "joint", the mark of an element that says nothing: something is always seen.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """What is drawn at the two markers of an element."""

    flat: str = ""  # in the plane: pin, block, ends
    solid: str = ""  # in space: hinge, ball, cross, block, ends, plate
    support: bool = False  # in the plane, on the ground: the textbook's fixed point
    foot: str = ""  # in space, on the ground: "along" the axis, or "flat"
    tie: str = ""  # what stretches between the points: spring, link
    rail: bool = False  # the axis on the first body
    slider: bool = False  # a body that has no other joint is a slider
    outline: bool = True  # its points are corners of the bodies
    road: bool = False  # the ground under it


MARKS = {
    "joint": Mark("pin", "ball", True, "flat"),
    "tie": Mark("ends", "ends", True, tie="link"),
    "hinge": Mark("pin", "hinge", True, "along"),
    "slide": Mark(rail=True, slider=True),
    "slot": Mark("pin", rail=True, slider=True),
    "plane": Mark(solid="plate", slider=True),
    "ball": Mark("pin", "ball", foot="flat"),
    "cross": Mark("pin", "cross", foot="along"),
    "block": Mark("block", "block", True, "flat"),
    "link": Mark("ends", "ends", True, tie="link"),
    "hinged link": Mark("ends", "hinge", foot="along", tie="link"),
    "spring": Mark("ends", "ends", True, tie="spring"),
    "bushing": Mark("pin", "ball", True, "flat"),
    "wheel": Mark(outline=False, road=True),
}
NOTHING = Mark(outline=False)


def mark_of(element) -> Mark:
    """The mark of an element; nothing for one that wants none, or for none at all."""
    if element is None or not element.drawn_as:
        return NOTHING
    return MARKS.get(element.drawn_as, MARKS["joint"])
