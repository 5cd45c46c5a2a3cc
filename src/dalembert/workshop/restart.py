"""A pose becomes the drawing: numbers of bodies, and of everything that was given in ground axes, move with their bodies.

A place ``at`` of a joint belongs to both bodies, which meet there in the new pose as in the old one; it is carried with the
second body (with the first where the second is the ground).  Directions turn.  Formulas are not guessed at: they are named, and
become numbers only when that is wanted.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.expressions import number
from dalembert.model.model import Model
from dalembert.workshop.edits import entries

PLACES = {"at": "j", "at_i": "i", "at_j": "j", "ground_point": ""}
DIRECTIONS = {"axis": "i", "normal": "i"}
DIGITS = 10


def from_pose(model: Model, plain: dict, old: Any, new: Any) -> tuple[list[dict], list[str]]:
    """Operations that make ``new`` the drawing, and the names of elements whose formulas they would replace by numbers."""
    if model.dim != 2:
        return [], ["poses in space"]
    values = model.parameter_values()
    moves = {name: _move(old[name], new[name]) for name in new.system.bodies if not _same(old[name], new[name])}
    operations, formulas = [], []

    def put(name: str, key: str, value: Any, was: Any) -> None:
        if _formula(was):
            formulas.append(name)
        operations.append({"op": "set", "name": name, "key": key, "value": value})

    for entry in plain.get("body", []):
        name = entry["name"]
        if name not in moves:
            continue
        turn, shift, angle = moves[name]
        if "start" in entry:
            for key in ("start", "end"):
                put(name, key, _plain(turn @ _vector(entry[key], values) + shift), entry[key])
            continue
        view = new[name]
        put(name, "position", _plain(view.position), entry.get("position"))
        if entry.get("type") != "particle":
            put(name, "angle", round(float(view.angle), DIGITS), entry.get("angle"))
    for section, _, entry in entries(plain):
        if section not in ("body", "initial", "fixture"):
            _carry(entry, moves, values, put)
    return operations, list(dict.fromkeys(formulas))


def _carry(entry: dict, moves: dict, values: dict, put) -> None:
    pair = entry.get("between", [entry.get("body"), entry.get("body")])
    i, j = (x if isinstance(x, str) else "ground" for x in pair)
    both = {"i": i, "j": j, "": "ground"}
    for key, side in {**PLACES, **DIRECTIONS}.items():
        if key not in entry or not isinstance(entry[key], list):
            continue
        owner = both[side]
        if key == "at" and owner not in moves:
            owner = i
        if owner not in moves:
            continue
        turn, shift, _ = moves[owner]
        moved = turn @ _vector(entry[key], values) + (shift if key in PLACES else 0.0)
        put(entry["name"], key, _plain(moved), entry[key])


def _move(old, new) -> tuple[np.ndarray, np.ndarray, float]:
    """p ↦ R p + c takes points of the body from the old pose to the new one."""
    angle = 0.0 if old.is_particle else float(new.angle) - float(old.angle)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return turn, np.asarray(new.position) - turn @ np.asarray(old.position), angle


def _same(old, new) -> bool:
    turned = 0.0 if old.is_particle else abs(float(new.angle) - float(old.angle))
    return bool(np.abs(np.asarray(old.position) - np.asarray(new.position)).max() < 1e-12 and turned < 1e-12)


def _vector(values: list, parameters: dict) -> np.ndarray:
    return np.array([number(x, parameters, "a place") for x in values], float)


def _formula(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and any(isinstance(x, str) for x in value))


def _plain(values) -> list[float]:
    return [round(float(x), DIGITS) + 0.0 for x in np.asarray(values)]
