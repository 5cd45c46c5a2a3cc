"""Values of an MJCF file: the compiler's options, classes of defaults, numbers, orientations.

    class        <default class="a"> inherits from the class around it; childclass= of bodies and frames; class= of an element
    angles       degrees unless <compiler angle="radian">; only of joints (range, ref, springref) and orientations
    euler        letters of eulerseq: small ones turn about the axes turned already, capital ones about the fixed axes
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.algebra import rotations
from dalembert.errors import FileError, hint
from dalembert.io.xml import Node

ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor",
             "plugin")
LARGEST = 1e30  # of a number: its powers stay numbers
SHARED = ("gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited", "group")  # of all kinds of actuators


class Values:
    """What numbers of a file mean."""

    def __init__(self, root: Node, title: str):
        self.title = title
        compiler: dict[str, str] = {}
        for node in root.all("compiler"):
            compiler |= node.attributes
        self.compiler = compiler
        node = root.first("compiler") or root
        self.degrees = self.choice(node, compiler, "angle", ("degree", "radian"), "degree") == "degree"
        if compiler.get("coordinate", "local") != "local":
            raise self.error(node, "coordinate=\"global\" is not read (MuJoCo itself dropped it): save the model with MuJoCo 2.3 "
                                   "or older in local coordinates")
        self.sequence = compiler.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or any(c not in "xyzXYZ" for c in self.sequence):
            raise self.error(node, f"eulerseq=\"{self.sequence}\" must be three letters of x, y, z, X, Y, Z")
        self.from_geoms = self.choice(node, compiler, "inertiafromgeom", ("auto", "true", "false"), "auto")
        self.groups = self.numbers(node, compiler, "inertiagrouprange", 2, (-1e9, 1e9))
        self.least = [self.number(node, compiler, k, 0.0) for k in ("boundmass", "boundinertia")]
        self.total = self.number(node, compiler, "settotalmass", -1.0)
        self.balanced = self.flag(node, compiler, "balanceinertia", False)
        self.autolimits = self.flag(node, compiler, "autolimits", True)
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for node in root.all("default"):
            self._class(node, "main", {})  # a second <default> goes on where the first one ended

    def error(self, node: Node, text: str) -> FileError:
        return FileError(f"{self.title}, line {node.line}: {text}")

    # ----------------------------------------------------------------------------------------------------- classes

    def _class(self, node: Node, name: str, above: dict[str, dict[str, str]]) -> None:
        mine = {tag: dict(values) for tag, values in {**above, **self.classes.get(name, {})}.items()}
        for child in node.children:
            if child.tag != "default":
                mine[child.tag] = {**mine.get(child.tag, {}), **child.attributes}
        self.classes[name] = mine
        for child in node.all("default"):
            inner = child.attributes.get("class")
            if not inner:
                raise self.error(child, "an inner <default> has no class=")
            self._class(child, inner, mine)

    def of(self, node: Node, childclass: str | None, tag: str | None = None) -> dict[str, str]:
        """Attributes of an element with the defaults of its class."""
        tag = tag or node.tag
        name = node.attributes.get("class") or childclass or "main"
        if name not in self.classes:
            raise self.error(node, f"<{node.tag}>: there is no default class '{name}'{hint(name, self.classes)}")
        known = self.classes[name]
        below = dict(known.get(tag, {}))
        if tag in ACTUATORS:
            others = {k: v for t in ACTUATORS for k, v in known.get(t, {}).items() if k in SHARED or t == "general"}
            below = {**others, **below}
        return {**below, **node.attributes}

    # ----------------------------------------------------------------------------------------------------- numbers

    def numbers(self, node: Node, given: dict[str, str], key: str, count: int, default: Any,
                least: int | None = None) -> list[float]:
        """``count`` numbers, or from ``least`` on; the rest is taken from the default."""
        text = given.get(key)
        if text is None:
            return list(default)
        try:
            found = [float(x) for x in text.split()] if len(text) < 10_000 else []
        except ValueError:
            found = []
        if not (count if least is None else least) <= len(found) <= count or not all(abs(x) < LARGEST for x in found):
            many = f"{count}" if least is None else f"{least} to {count}"
            raise self.error(node, f"{key}=\"{text:.60}\" of <{node.tag}> must be {many} number{'s' * (count > 1)} below 1e30")
        return found + list(default)[len(found):]

    def number(self, node: Node, given: dict[str, str], key: str, default: float) -> float:
        return self.numbers(node, given, key, 1, [default])[0]

    def choice(self, node: Node, given: dict[str, str], key: str, choices: tuple[str, ...], default: str) -> str:
        found = given.get(key, default)
        if found not in choices:
            raise self.error(node, f"{key}=\"{found:.60}\" of <{node.tag}>: known are {', '.join(choices)}{hint(found, choices)}")
        return found

    def flag(self, node: Node, given: dict[str, str], key: str, default: bool) -> bool:
        return self.choice(node, given, key, ("true", "false"), "true" if default else "false") == "true"

    def limited(self, node: Node, given: dict[str, str], key: str, span: str) -> bool:
        """Whether a range counts: said, or by autolimits where a range is given."""
        found = self.choice(node, given, key, ("true", "false", "auto"), "auto")
        return found == "true" or (found == "auto" and self.autolimits and span in given)

    def angle(self, x: float) -> float:
        return math.radians(x) if self.degrees else x

    # ------------------------------------------------------------------------------------------------------ places

    def place(self, node: Node, given: dict[str, str]) -> tuple[np.ndarray, np.ndarray]:
        """Point and axes of an element in the frame around it."""
        return np.array(self.numbers(node, given, "pos", 3, (0, 0, 0))), self.turn(node, given)

    def turn(self, node: Node, given: dict[str, str]) -> np.ndarray:
        said = [k for k in ("quat", "axisangle", "xyaxes", "zaxis", "euler") if k in node.attributes] or [
            k for k in ("quat", "axisangle", "xyaxes", "zaxis", "euler") if k in given]
        if len(said) > 1:
            raise self.error(node, f"<{node.tag}> gives its orientation twice, by {' and '.join(said)}")
        if not said:
            return np.eye(3)
        key = said[0]
        x = np.array(self.numbers(node, given, key, {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(key, 3), ()))
        if key == "euler":
            A = np.eye(3)
            for letter, angle in zip(self.sequence, x, strict=True):
                B = rotations.elementary(letter.lower(), self.angle(float(angle)))
                A = A @ B if letter.islower() else B @ A
            return A
        if key == "quat":
            return rotations.matrix_of_quaternion(self._unit(node, key, x))
        if key == "axisangle":
            half = self.angle(float(x[3])) / 2
            return rotations.matrix_of_quaternion(np.array([math.cos(half), *(math.sin(half) * self._unit(node, key, x[:3]))]))
        if key == "zaxis":
            return shortest(self._unit(node, key, x))
        first = self._unit(node, key, x[:3])
        second = self._unit(node, key, x[3:] - (x[3:] @ first) * first)
        return np.column_stack([first, second, np.cross(first, second)])

    def _unit(self, node: Node, key: str, x: np.ndarray) -> np.ndarray:
        size = float(np.linalg.norm(x))
        if not 1e-14 < size < math.inf:
            raise self.error(node, f"{key}=\"{node.attributes.get(key, '')}\" of <{node.tag}> has no direction")
        return x / size


def shortest(z: np.ndarray) -> np.ndarray:
    """The shortest turn that takes (0, 0, 1) to the unit vector z."""
    axis = np.array([-z[1], z[0], 0.0])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-10:
        return np.eye(3) if z[2] > 0 else np.diag([1.0, -1.0, -1.0])
    half = math.atan2(sine, float(z[2])) / 2
    return rotations.matrix_of_quaternion(np.array([math.cos(half), *(math.sin(half) * axis / sine)]))
