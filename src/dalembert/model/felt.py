"""Names of what laws feel, while a model is being compiled: reactions and accelerations → rows of ``felt`` (elements/signals).

    "A.force.x"  "A.torque" (space: "A.torque.x")    reaction of a joint or constraint on its second body, at its marker there
    "A.multipliers.0"                                a multiplier
    "drive.force"  "drive.torque"                    what a drive supplies
    "rod.acceleration.x"  "rod.ax"  "rod.angular_acceleration"  "rod.angular_acceleration_ground.z"

as results name them (results/channels/offered.py).
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.bodies.markers import NONE
from dalembert.elements.element import name_of
from dalembert.elements.signals.felt import FORCE, GROUND, MULTIPLIER, POINT, TORQUE, TURN
from dalembert.errors import ModelError

Row = tuple[dict[str, Any], tuple[int, ...]]  # of the table, and the bodies on whose motion it depends with λ and v̇ kept


def of_body(b: Any, base: str, whole: str, letter: str, turns: bool) -> Row | None:
    """The acceleration of a body by name; None: no such name."""
    body, letters = b.index[base], "xyz"[: b.dim]
    if whole == "acceleration" and letter and letter in letters:
        return {"kind": POINT, "part": letters.index(letter), "body": body}, (body,)
    kinds = {"angular_acceleration": TURN, "angular_acceleration_ground": GROUND}
    if turns and whole in kinds and (letter == "" if b.dim == 2 else bool(letter) and letter in letters):
        return {"kind": kinds[whole], "part": letters.index(letter) if letter else 0, "body": body}, (body,)
    return None


def of_element(b: Any, element: Any, part: str, title: str) -> Row | None:
    """A reaction by name; None: no such name."""
    k = next((k for k, g in enumerate(b.groups) if g.name == element.name and g.rows), None)
    if k is None:
        return None
    group = b.groups[k]
    bodies, start = sorted(group.bodies), sum(len(g.rows) for g in b.groups[:k])
    whole, _, letter = part.partition(".")
    row: dict[str, Any] | None = None
    if whole == "multipliers" and letter.isdigit() and int(letter) < len(group.rows):
        row = {"kind": MULTIPLIER, "first": start + int(letter), "factor": 1.0}
    elif element.kind == "drive" and part in ("force", "torque"):
        row = {"kind": MULTIPLIER, "first": start, "factor": -1.0}
    elif element.kind != "drive" and whole in ("force", "torque"):
        letters = "" if whole == "torque" and b.dim == 2 else "xyz"[: b.dim]
        if (letter in letters) if letter else not letters:
            row = _wrench(b, group, element, {"kind": FORCE if whole == "force" else TORQUE,
                                              "part": letters.index(letter) if letter else 0},
                          sum(len(g.bodies) for g in b.groups[:k]))
    if row is None:
        return None
    acting = [name for name, e in b.teeth.items() if e.slope != 0.0 or e.constant != 0.0]
    if acting:
        raise ModelError(f"{title}: its law reads '{element.name}.{part}'; the forces of '{acting[0]}' along the line of centres "
                         "are found after the solve, so that laws cannot feel reactions here. Give it pressure_angle=0 and no "
                         "preload, or read positions and velocities")
    return row, tuple(bodies)


def _wrench(b: Any, group: Any, element: Any, row: dict[str, Any], first: int) -> dict[str, Any]:
    """Blocks and marker of the wrench on the second body, as results choose them (results/views/elements.py)."""
    bodies = sorted(group.bodies)
    target = _second(b, group, element, bodies)
    markers = b.joints.get(group.name, b.centres.get(group.name)) or ()
    marker = next((m for m in reversed(markers) if b.markers[m].body == target), NONE)
    if target == b.ground:  # the ground takes what the bodies do not keep
        return row | {"first": first, "second": first + len(bodies), "body": target, "marker": marker, "factor": -1.0}
    at = first + bodies.index(target)
    return row | {"first": at, "second": at + 1, "body": target, "marker": marker, "factor": 1.0}


def _second(b: Any, group: Any, element: Any, bodies: list[int]) -> int:
    if group.name in b.teeth:
        return int(b.teeth[group.name].j)
    second = getattr(element, "j", None)
    name = name_of(second, group.name) if second is not None else ""
    if name == "ground":
        return int(b.ground)
    return int(b.index[name]) if name in b.index else bodies[-1]
