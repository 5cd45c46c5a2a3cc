"""Model → MJCF: the tree of bodies with joints, armature, damping, springs, shapes, loops as equality, motors as actuators.

    da.save_mjcf(model, "arm.xml")

Masses are written as <inertial> (inertiafromgeom="false"); geoms are for the eye.  Coordinates count from the drawing (ref 0).
A hinge that closes a loop is two connects on its axis.  What MJCF cannot say is refused by name; skip=True leaves it out and
lists it in a comment.
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from dalembert.algebra.rotations import frame_along, quaternion_of_matrix
from dalembert.elements import shapes as kinds
from dalembert.elements.element import name_of
from dalembert.elements.materials import colour, material
from dalembert.io import atomic, endings
from dalembert.io.limbs import Limb, Limbs, kind_of, text_of
from dalembert.io.reading import relative
from dalembert.model.model import Model
from dalembert.model.standing import placed, standing

JOINTS = ("hinge", "slide", "ball", "weld")
_TERM = re.compile(r"(?:([-+0-9.e]+)\*)?`([^`]+)`(?:\*\*([2-4]))?")


def save_mjcf(model: Model, path: str | os.PathLike[str], *, skip: bool = False) -> list[str]:
    """Write a model as MJCF.

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
    text, left = write_mjcf(model, folder=path.parent, skip=skip)
    endings.fits(path, (".xml", ".mjcf"), "MJCF")
    atomic.write_text(path, text)
    return left


def write_mjcf(model, *, folder=".", skip=False) -> tuple[str, list[str]]:
    """The text, and the names of what was left out."""
    return _Writer(model, Path(folder)).text(skip)


class _Writer:
    def __init__(self, model, folder: Path):
        self.model, self.folder = model, folder
        self.limbs = Limbs(model, "MJCF", JOINTS)
        self.lines: list[str] = []
        self.meshes: dict[tuple, str] = {}
        self.motors: list[tuple[str, str, Any]] = []

    def put(self, depth: int, tag: str, closed=True, **attributes) -> None:
        words = "".join(f" {k.rstrip('_')}={quoteattr(v if isinstance(v, str) else text_of(v))}" for k, v in attributes.items())
        self.lines.append(f"{'  ' * depth}<{tag}{words}{'/' * closed}>")

    def text(self, skip: bool) -> tuple[str, list[str]]:
        t = self.limbs
        body, self.lines = self.lines, []
        for fixture in standing(self.model):
            r, A = placed(fixture, t.numbers)
            for shape in fixture.shapes:
                self.geom(2, shape, r, A)
        for name in t.order:
            if t.limbs[name].parent == "ground" and name not in t.carriers:
                self.body(2, t.limbs[name], [])
            elif t.limbs[name].parent == "ground":
                self.chain(2, t.limbs[name], [])
        world, self.lines = self.lines, body
        equality, left = self.equality()
        left += t.untold((kinds.Box, kinds.Sphere, kinds.Cylinder, kinds.Capsule, kinds.Mesh, kinds.HalfSpace, kinds.Link))
        t.refuse(left, skip, "save_mjcf")
        self.put(0, "mujoco", False, model=self.model.name)
        if left:
            self.lines.append("  <!-- left out: " + ", ".join(left).replace("--", "- -") + " -->")
        self.put(1, "compiler", angle="radian", inertiafromgeom="false", autolimits="true")
        self.put(1, "option", gravity=t.gravity)
        if self.meshes:
            self.put(1, "asset", False)
            for (file, scale), name in self.meshes.items():
                self.put(2, "mesh", name=name, file=file, scale=scale)
            self.lines.append("  </asset>")
        self.lines += ["  <worldbody>", *world, "  </worldbody>"]
        if equality:
            self.lines += ["  <equality>", *equality, "  </equality>"]
        if self.motors:
            self.lines.append("  <actuator>")
            for name, joint, law in self.motors:
                self.actuator(name, joint, law)
            self.lines.append("  </actuator>")
        self.lines.append("</mujoco>\n")
        return "\n".join(self.lines), left

    # ------------------------------------------------------------------------------------------------------ bodies

    def chain(self, depth: int, limb: Limb, before: list[Limb]) -> None:
        """A carrier: its joint goes to the body it belongs to."""
        for child in limb.children:
            down = self.limbs.limbs[child]
            (self.chain if child in self.limbs.carriers else self.body)(depth, down, [*before, limb])

    def body(self, depth: int, limb: Limb, before: list[Limb]) -> None:
        parent = (before[0] if before else limb).parent
        r, A = (np.zeros(3), np.eye(3)) if parent == "ground" else (self.limbs.limbs[parent].r, self.limbs.limbs[parent].A)
        self.put(depth, "body", False, name=limb.name, pos=A.T @ (limb.r - r), quat=quaternion_of_matrix(A.T @ limb.A))
        J = limb.inertia
        self.put(depth + 1, "inertial", pos=limb.com, mass=limb.mass,
                 fullinertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
        for x in [*before, limb]:
            self.joint(depth + 1, x, limb)
        for shape in limb.shapes:
            self.geom(depth + 1, shape)
        for child in limb.children:
            down = self.limbs.limbs[child]
            self.chain(depth + 1, down, []) if child in self.limbs.carriers else self.body(depth + 1, down, [])
        self.lines.append("  " * depth + "</body>")

    def joint(self, depth: int, limb: Limb, owner: Limb) -> None:
        if limb.kind == "weld":
            return
        if limb.kind == "free":
            self.put(depth, "freejoint", name=f"{limb.name} free")
            return
        name, place = limb.joint.name, owner.A.T @ (limb.at - owner.r)
        if limb.kind == "ball":
            self.put(depth, "joint", name=name, type="ball", pos=place)
            return
        damping, stiffness, rest, motors = self.limbs.passive(name)
        more: dict[str, Any] = {"armature": self.limbs.armature.get(name, 0.0), "damping": damping, "stiffness": stiffness,
                                "springref": rest}
        more = {k: v for k, v in more.items() if v}
        limit = getattr(self.model, "limits", {}).get(name, {})
        if "lower" in limit and "upper" in limit:
            more["range"] = (limit["lower"], limit["upper"])
        self.put(depth, "joint", name=name, type=limb.kind, pos=place, axis=owner.A.T @ limb.axis, **more)
        self.motors += [(motor, name, law) for motor, law in motors]

    def geom(self, depth: int, shape, r=None, R=None) -> None:
        """A shape; ``r`` and ``R``: where a fixture stands and how it is turned."""
        n = self.limbs.numbers
        p = n.vector(shape.position, "position of a shape") if shape.position is not None else np.zeros(3)
        A = n.rotation(None, shape.rotation, "a shape")
        if R is not None:
            p, A = r + R @ p, R @ A
        paint: dict[str, Any] = {}
        if shape.material is not None:
            paint = {"rgba": (*colour(material(shape.material).diffuse), 1.0)}
        place = {"pos": p, "quat": quaternion_of_matrix(A), "mass": 0.0, "contype": "0", "conaffinity": "0", **paint}
        if isinstance(shape, kinds.Box):
            edges = [n.number(x, "edge of a Box") for x in shape.size]
            self.put(depth, "geom", type="box", size=[x / 2 for x in [*edges, 1.0][:3]], **place)
        elif isinstance(shape, kinds.Sphere):
            self.put(depth, "geom", type="sphere", size=n.number(shape.radius, "radius"), **place)
        elif isinstance(shape, (kinds.Cylinder, kinds.Capsule)):
            size = n.number(shape.radius, "radius"), n.number(shape.length, "length") / 2
            self.put(depth, "geom", type=type(shape).__name__.lower(), size=size, **place)
        elif isinstance(shape, kinds.Mesh):
            scale = shape.scale if hasattr(shape.scale, "__len__") and not isinstance(shape.scale, str) else (shape.scale,) * 3
            key = relative(shape.file, self.folder), text_of([n.number(x, "scale") for x in scale])
            name = self.meshes.setdefault(key, f"mesh {len(self.meshes) + 1}")
            self.put(depth, "geom", type="mesh", mesh=name, **place)
        elif isinstance(shape, kinds.HalfSpace):
            A = A @ frame_along(n.direction(shape.normal, "normal of a HalfSpace"), 2)
            self.put(depth, "geom", type="plane", size=(0.0, 0.0, 1.0), **{**place, "quat": quaternion_of_matrix(A)})
        elif isinstance(shape, kinds.Link):
            points = [p + A @ n.vector(x, "point of a Link") for x in shape.points]
            radius = n.number(shape.width, "width") / 2 if shape.width is not None else 0.02 * self.limbs.system.size
            for a, b in itertools.pairwise(points):
                if np.linalg.norm(b - a) > 1e-12:
                    self.put(depth, "geom", type="capsule", fromto=(*a, *b), size=radius, mass=0.0, contype="0", conaffinity="0",
                             **paint)

    # ------------------------------------------------------------------------------------- loops, couplings, motors

    def equality(self) -> tuple[list[str], list[str]]:
        t, left = self.limbs, []  # type: Limbs, list[str]
        world, self.lines = self.lines, []
        for e in t.cut:
            kind = kind_of(e)
            if kind not in ("ball", "weld", "hinge"):
                left.append(e.title)
                continue
            i, j = (name_of(x, e.title) for x in (e.i, e.j))
            first, second = (j, i) if i == "ground" else (i, j)
            at, axis = t.end_points(e)
            limb = t.limbs[first]
            ends: dict[str, str] = {"body1": first} if second == "ground" else {"body1": first, "body2": second}
            self.put(2, "weld" if kind == "weld" else "connect", name=e.name, **ends, anchor=limb.A.T @ (at - limb.r))
            if kind == "hinge":
                other = at + 0.2 * t.system.size * axis
                self.put(2, "connect", name=f"{e.name} axis", **ends, anchor=limb.A.T @ (other - limb.r))
        for e in t.left:
            ratio, poly = t.ratio(e), coefficients(e)
            if ratio is not None:
                self.put(2, "joint", name=e.name, joint1=ratio[1], joint2=ratio[0], polycoef=(0.0, ratio[2], 0.0, 0.0, 0.0))
            elif poly is not None and {poly[0], poly[1] or poly[0]} <= set(self.model.elements):
                both = {"joint1": poly[0], "joint2": poly[1]} if poly[1] else {"joint1": poly[0]}
                self.put(2, "joint", name=e.name, **both, polycoef=poly[2])
            else:
                left.append(e.title)
        found, self.lines = self.lines, world
        return found, left

    def actuator(self, name: str, joint: str, law) -> None:
        limit = getattr(self.model, "limits", {}).get(name, {})
        more = {"ctrlrange": (limit["lower"], limit["upper"])} if "lower" in limit and "upper" in limit else {}
        if not (law.constant or law.coordinate or law.rate):
            self.put(2, "motor", name=name, joint=joint, gear=law.gain, **more)
            return
        self.put(2, "general", name=name, joint=joint, gainprm=law.gain, biastype="affine",
                 biasprm=(law.constant, law.coordinate, law.rate), **more)


def coefficients(e) -> tuple[str, str, list[float]] | None:
    """(y, x, a₀ … a₄) of an equation that couples two joints, as extras.polynomial writes it."""
    expression = getattr(e, "expression", None)
    if not isinstance(expression, str):
        return None
    first, *rest = expression.replace(" - ", " + -1.0*").split(" + ")
    if not (whole := re.fullmatch(r"`([^`]+)`", first)):
        return None
    y, x, a = whole.group(1), "", [0.0] * 5
    for term in rest:
        found = _TERM.fullmatch(term)
        try:
            if found is None:
                a[0] -= float(term.replace("-1.0*", "-")) if "`" not in term else float("nan")
                continue
            if x not in ("", found.group(2)):
                return None
            x = found.group(2)
            a[int(found.group(3) or 1)] -= float(found.group(1) or 1.0)
        except ValueError:
            return None
    return (y, x, a) if all(np.isfinite(a)) else None
