"""Everything a motion can say by name: values, unit and words, for files and tables.

    bodies(run)["crank"]["position"]  →  (array, "m", "reference point, ground axes")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import AnalysisError

Channel = tuple[np.ndarray, str, str]

BODY = {
    "position": ("m", "reference point, ground axes"),
    "angle": ("rad", "counted over full turns"),
    "quaternion": ("1", "scalar first"),
    "velocity": ("m/s", "of the reference point, ground axes"),
    "omega": ("rad/s", "angular velocity (space: body axes)"),
    "acceleration": ("m/s^2", "of the reference point, ground axes"),
}
CONTACT = (("force", "N", "on the bodies of side b, ground axes"), ("torque", "N m", "of these forces about the origin"),
           ("power", "W", "on both sides together"), ("impulse", "N s", "since the start"))
TURNING = {"angle", "quaternion", "omega"}  # what a particle has not
TURNS = ("angle", "drive", "torque", "torsion")


def bodies(motion) -> dict[str, dict[str, Channel]]:
    """Channels of every body."""
    skip = {"quaternion" if motion.system.dim == 2 else "angle"}
    return {name: {k: (np.asarray(getattr(motion[name], k)), unit, words) for k, (unit, words) in BODY.items()
                   if k not in (skip | TURNING if motion[name].is_particle else skip)}
            for name in motion.system.bodies}


def elements(motion) -> dict[str, dict[str, Channel]]:
    """Channels of every joint, constraint, drive and force that has any."""
    found: dict[str, dict[str, Channel]] = {}
    for name, element in motion.model.elements.items():
        if element.kind == "event":
            continue
        view = motion[name]
        channels = {}
        for channel, unit, words in _asked(element):
            value = _value(view, channel)
            if value is not None:
                channels[channel] = (value, unit, words)
        if channels:
            found[name] = channels
    if getattr(motion, "touching", None) is not None:
        for name in motion.touching.names:
            found[name] = {k: (np.asarray(getattr(motion[name], k)), unit, words) for k, unit, words in CONTACT}
    return found


def _asked(element) -> list[tuple[str, str, str]]:
    where = ("what it supplies along its coordinate" if element.kind == "drive"
             else "on the second body, at its marker, ground axes (springs: tension)")
    return [("coordinate", "m or rad", "joint coordinate, from the drawn pose; length of a spring"),
            ("rate", "m/s or rad/s", "its rate"), ("force", "N (N m along an angle)", where), ("torque", "N m", where),
            ("multipliers", "N or N m", "Lagrange multipliers of the element's equations")]


def _value(view, channel: str) -> np.ndarray | None:
    try:
        value: Any = getattr(view, channel, None)
    except AnalysisError:
        return None
    return None if value is None else np.asarray(value)
