"""Model → URDF: the tree of bodies with hinges, slides and fixed joints, damping, limits, mimics, shapes.

    da.save_urdf(model, "arm.urdf")

A link's frame sits at its joint and has the body's axes.  The root link is "world", or the one free body that all hangs on.
Carriers between the joints of one body are links without mass.  What URDF cannot say (loops, balls, springs, motors, armature) is
refused by name; skip=True leaves it out and lists it in a comment.
"""

from __future__ import annotations

import itertools
import math
import os
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from dalembert.elements import shapes as kinds
from dalembert.elements.materials import colour, material
from dalembert.io import atomic, endings
from dalembert.io.limbs import Limb, Limbs, text_of
from dalembert.io.reading import relative
from dalembert.model.model import Model
from dalembert.model.standing import placed, standing

JOINTS = ("hinge", "slide", "weld", "plane")


def save_urdf(model: Model, path: str | os.PathLike[str], *, skip: bool = False) -> list[str]:
    """Write a model as URDF.

    Parameters
    ----------
    model : Model
        What is written.
    path : path
        The file.
    skip : bool, default False
        Leave out what the format cannot hold; else it is refused by name.

    Returns
    -------
    list of str
        Names of what was left out.
    """
    path = Path(path)
    text, left = write_urdf(model, folder=path.parent, skip=skip)
    endings.fits(path, (".urdf", ".xml"), "URDF")
    atomic.write_text(path, text)
    return left


def write_urdf(model, *, folder=".", skip=False) -> tuple[str, list[str]]:
    """The text, and the names of what was left out."""
    return _Writer(model, Path(folder)).text(skip)


def angles(A: np.ndarray) -> tuple[float, float, float]:
    """roll, pitch, yaw with A = R_z(yaw) R_y(pitch) R_x(roll)."""
    pitch = math.atan2(-A[2, 0], math.hypot(A[0, 0], A[1, 0]))
    if math.hypot(A[0, 0], A[1, 0]) > 1e-8:
        return math.atan2(A[2, 1], A[2, 2]), pitch, math.atan2(A[1, 0], A[0, 0])
    return math.atan2(-A[1, 2], A[1, 1]), pitch, 0.0


class _Writer:
    def __init__(self, model, folder: Path):
        self.model, self.folder = model, folder
        self.limbs = t = Limbs(model, "URDF", JOINTS)
        self.lines: list[str] = []
        roots = [x for x in t.limbs.values() if x.parent == "ground"]
        self.floating = roots[0].name if len(roots) == 1 and roots[0].kind == "free" else None
        self.root = self.floating or "world"

    def put(self, depth: int, tag: str, closed=True, **attributes) -> None:
        words = "".join(f" {k}={quoteattr(v if isinstance(v, str) else text_of(v))}" for k, v in attributes.items())
        self.lines.append(f"{'  ' * depth}<{tag}{words}{'/' * closed}>")

    def text(self, skip: bool) -> tuple[str, list[str]]:
        t, left = self.limbs, self.left()
        t.refuse(left, skip, "save_urdf")
        self.put(0, "robot", False, name=self.model.name)
        if left:
            self.lines.append("  <!-- left out: " + ", ".join(left).replace("--", "- -") + " -->")
        if not self.floating:
            self.put(1, "link", False, name="world")
            for fixture in standing(self.model):
                r, A = placed(fixture, t.numbers)
                for shape in fixture.shapes:
                    self.visual(shape, r, A)
            self.lines.append("  </link>")
        for name in t.order:
            self.link(t.limbs[name])
        for name in t.order:
            self.joint(t.limbs[name])
        self.lines.append("</robot>\n")
        return "\n".join(self.lines), left

    def left(self) -> list[str]:
        t = self.limbs
        found = [e.title for e in (*t.cut, *t.left) if t.ratio(e) is None]
        found += [f"armature of '{n}'" for n in t.armature]
        found += t.untold((kinds.Box, kinds.Sphere, kinds.Cylinder, kinds.Capsule, kinds.Mesh, kinds.Link))
        found += [f.title for f in standing(self.model)] if self.floating else []
        for joint in t.forces:
            _, stiffness, _, motors = t.passive(joint)
            found += [f"the spring of '{joint}'"] if stiffness else []
            found += [f"Motor '{name}'" for name, _ in motors]
        return found

    def frame(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Where a link's frame is drawn."""
        if name == "ground":
            return np.zeros(3), np.eye(3)
        limb = self.limbs.limbs[name]
        return limb.at, limb.A

    def origin(self, depth: int, p, A) -> None:
        self.put(depth, "origin", xyz=p, rpy=angles(A))

    def link(self, limb: Limb) -> None:
        r, A = self.frame(limb.name)
        shift = A.T @ (limb.r - r)  # of the body's origin in the link
        self.put(1, "link", False, name=limb.name)
        if limb.mass:
            J = limb.inertia
            self.put(2, "inertial", False)
            self.origin(3, shift + limb.com, np.eye(3))
            self.put(3, "mass", value=limb.mass)
            self.put(3, "inertia", ixx=J[0, 0], ixy=J[0, 1], ixz=J[0, 2], iyy=J[1, 1], iyz=J[1, 2], izz=J[2, 2])
            self.lines.append("    </inertial>")
        for shape in limb.shapes:
            self.visual(shape, shift, np.eye(3))
        self.lines.append("  </link>")

    def visual(self, shape, p, A) -> None:
        n = self.limbs.numbers
        q = n.vector(shape.position, "position of a shape") if shape.position is not None else np.zeros(3)
        B = n.rotation(None, shape.rotation, "a shape")
        place, turn = p + A @ q, A @ B
        for tag, size, move, spin in self.solids(shape):
            self.put(2, "visual", False)
            self.origin(3, place + turn @ move, turn @ spin)
            self.lines.append("      <geometry>")
            self.put(4, tag, **size)
            self.lines.append("      </geometry>")
            if shape.material is not None:
                paint = text_of((*colour(material(shape.material).diffuse), 1.0))
                self.put(3, "material", False, name=f"colour {paint}")
                self.put(4, "color", rgba=paint)
                self.lines.append("      </material>")
            self.lines.append("    </visual>")

    def solids(self, shape) -> list[tuple[str, dict[str, Any], np.ndarray, np.ndarray]]:
        n, here, one = self.limbs.numbers, np.zeros(3), np.eye(3)
        if isinstance(shape, kinds.Box):
            return [("box", {"size": ([n.number(x, "edge of a Box") for x in shape.size] + [1.0])[:3]}, here, one)]
        if isinstance(shape, kinds.Sphere):
            return [("sphere", {"radius": n.number(shape.radius, "radius")}, here, one)]
        if isinstance(shape, (kinds.Cylinder, kinds.Capsule)):
            r, h = n.number(shape.radius, "radius"), n.number(shape.length, "length")
            ends = [("sphere", {"radius": r}, np.array([0.0, 0.0, z]), one) for z in (-h / 2, h / 2)]
            return [("cylinder", {"radius": r, "length": h}, here, one), *(ends if isinstance(shape, kinds.Capsule) else [])]
        if isinstance(shape, kinds.Mesh):
            scale = shape.scale if hasattr(shape.scale, "__len__") and not isinstance(shape.scale, str) else (shape.scale,) * 3
            factors = [n.number(x, "scale") for x in scale]
            return [("mesh", {"filename": relative(shape.file, self.folder), "scale": factors}, here, one)]
        if not isinstance(shape, kinds.Link):
            return []  # told by ``left``
        points = [n.vector(x, "point of a Link") for x in shape.points]
        radius = n.number(shape.width, "width") / 2 if shape.width is not None else 0.02 * self.limbs.system.size
        return [("cylinder", {"radius": radius, "length": float(np.linalg.norm(b - a))}, (a + b) / 2,
                 n.frame_along((b - a) / np.linalg.norm(b - a), 2))
                for a, b in itertools.pairwise(points) if np.linalg.norm(b - a) > 1e-12]

    def joint(self, limb: Limb) -> None:
        if limb.name == self.floating:
            return
        t = self.limbs
        limit = getattr(self.model, "limits", {}).get(limb.joint.name, {}) if limb.joint is not None else {}
        ended = "lower" in limit and "upper" in limit
        kind = {"hinge": "revolute" if ended else "continuous", "slide": "prismatic", "weld": "fixed", "plane": "planar",
                "free": "floating"}[limb.kind]
        name = limb.joint.name if limb.joint is not None else f"{limb.name} free"
        r, A = self.frame(limb.parent)
        p, B = self.frame(limb.name)
        self.put(1, "joint", False, name=name, type=kind)
        self.put(2, "parent", link="world" if limb.parent == "ground" else limb.parent)
        self.put(2, "child", link=limb.name)
        self.origin(2, A.T @ (p - r), A.T @ B)
        if kind not in ("fixed", "floating"):
            self.put(2, "axis", xyz=B.T @ limb.axis)
            damping = t.passive(name)[0]
            if damping:
                self.put(2, "dynamics", damping=damping)
            if ended or kind == "prismatic":
                ends = {"lower": -1e9, "upper": 1e9, **limit} if not ended else limit
                self.put(2, "limit", **{"effort": 1e9, "velocity": 1e9, **{k: float(v) for k, v in ends.items()}})
        for e in t.left:
            ratio = t.ratio(e)
            if ratio is not None and ratio[1] == name:
                self.put(2, "mimic", joint=ratio[0], multiplier=ratio[2])
        self.lines.append("  </joint>")
