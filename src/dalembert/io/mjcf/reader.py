"""MJCF → model: the tree of bodies and their joints (what is read as what: __init__.py).

    body with joints 1 … n          parent —joint 1→ carrier 1 —joint 2→ … —joint n→ body

Each joint is given by a point and an axis in the body's frame at the reference position; all carriers are drawn at the body.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.elements.forces.motor import Motor
from dalembert.elements.forces.torsion_spring import TorsionSpring
from dalembert.elements.joints.prismatic import Prismatic
from dalembert.elements.joints.revolute import Revolute
from dalembert.elements.joints.spherical import Spherical
from dalembert.errors import DalembertError, FileError
from dalembert.io.lumps import Lump, free_name
from dalembert.io.mjcf.extras import Extras
from dalembert.io.mjcf.geoms import Geoms
from dalembert.io.mjcf.laws import affine
from dalembert.io.mjcf.values import Values
from dalembert.io.reading import below, read_bytes
from dalembert.io.xml import LIMIT, MOST, Node, parse
from dalembert.model.model import Model
from dalembert.model.rotors import SHARE, add_rotor

KINDS = ("hinge", "slide", "ball", "free")
MADE = ("composite", "flexcomp", "replicate", "attach")
SILENT = ("body", "frame", "joint", "freejoint", "geom", "inertial", "site", "camera", "light")
INCLUDED = 50  # files


def load_mjcf(path: str | os.PathLike[str], *, meshes: Sequence[str | os.PathLike[str]] = (), carrier: float = SHARE) -> Model:
    """A model from an MJCF file.  Meshes and included files lie in its folder or below.

    Parameters
    ----------
    path : path
        The file.
    meshes : paths, default ()
        Further folders for meshes.
    carrier : number [–], default 0.001
        The share of a body's mass that each carrier takes where the body has several joints.

    Returns
    -------
    Model
        Bodies and joints keep their names.
    """
    path = Path(path)
    return read_mjcf(read_bytes(path, LIMIT), title=path.name, folder=path.parent, meshes=meshes, carrier=carrier)


def read_mjcf(text, *, title="MJCF", folder=".", meshes=(), carrier=SHARE) -> Model:
    """A model from the text of an MJCF description."""
    if not 0.0 < carrier <= 0.1:
        raise FileError(f"{title}: carrier is a share of mass, above 0 and at most 0.1, not {carrier!r}")
    try:
        root = parse(text.encode() if isinstance(text, str) else text, title)
    except UnicodeEncodeError as error:
        raise FileError(f"{title}: the text holds half a character ({error.reason}, at {error.start})") from None
    folders = [Path(folder), *map(Path, [meshes] if isinstance(meshes, (str, Path)) else meshes)]
    if root.tag == "robot":
        from dalembert.io.urdf import read_urdf

        return read_urdf(text, title=title, folder=folder, meshes=meshes)
    if root.tag != "mujoco":
        raise FileError(f"{title}, line {root.line}: the root element is <{root.tag}>; MJCF has <mujoco> and URDF <robot>")
    _include(root, Path(folder), title, [0, 0])
    try:
        return Tree(root, title, folders, carrier).model()
    except FileError:
        raise
    except DalembertError as error:
        raise FileError(f"{title}: {error}") from None


def _include(node: Node, folder: Path, title: str, counted: list[int]) -> None:
    """Put the children of included files in their places; paths are taken from the main file's folder and stay in it."""
    children: list[Node] = []
    for child in node.children:
        if child.tag != "include":
            _include(child, folder, title, counted)
            children.append(child)
            continue
        name = child.attributes.get("file", "")
        where = folder / name
        if not name or "\0" in name or not below(where, [folder]):
            raise FileError(f"{title}, line {child.line}: the included file '{name:.200}' must lie in the main file's folder or "
                            "below")
        counted[0] += 1
        if counted[0] > INCLUDED:
            raise FileError(f"{title}, line {child.line}: more than {INCLUDED} files are included, or one includes itself")
        inside = parse(read_bytes(where, LIMIT, f"{title}, line {child.line}"), name)
        counted[1] += _count(inside)
        if counted[1] > MOST:
            raise FileError(f"{title}, line {child.line}: the included files have more than {MOST:,} elements")
        _include(inside, folder, title, counted)
        children += inside.children
    node.children = children


def _count(node: Node) -> int:
    return 1 + sum(map(_count, node.children))


@dataclass
class Part:
    """A body to be: where it is drawn, its mass, and the joints it hangs on."""

    name: str
    parent: str
    r: np.ndarray
    A: np.ndarray
    node: Node
    lump: Lump
    joints: list[tuple[Node, dict[str, str], np.ndarray, np.ndarray]] = field(default_factory=list)


class Tree:
    """The bodies of a file, and the model that is made of them."""

    def __init__(self, root: Node, title: str, folders: list[Path], share: float):
        self.share = share
        self.values = v = Values(root, title)
        self.root, self.notes = root, []  # type: Node, list[str]
        self.geoms = Geoms(v, root, folders, self.notes)
        gravity = self._gravity()
        self.m: Any = Model(_title(root.attributes.get("model", "")), dim=3, gravity=gravity)
        self.m.notes = self.notes
        self.parts: dict[str, Part] = {}
        self.places: dict[str, tuple[str, np.ndarray, np.ndarray]] = {"world": ("ground", np.zeros(3), np.eye(3))}
        self.sites: dict[str, tuple[str, np.ndarray, np.ndarray]] = {}
        self.joints: dict[str, tuple[str, str, float]] = {}  # MJCF's name → ours, kind, ref
        self.ground = Lump()

    def _gravity(self) -> tuple[float, ...]:
        v, gravity = self.values, [0.0, 0.0, -9.81]
        for node in self.root.all("option"):
            gravity = v.numbers(node, node.attributes, "gravity", 3, gravity)
            for key in ("density", "viscosity", "wind"):
                if any(x not in "0. " for x in node.attributes.get(key, "")):
                    self.notes.append(f"line {node.line}: {key}=\"{node.attributes[key]:.40}\" is left out (no fluid)")
            for flag in node.all("flag"):
                for key, value in flag.attributes.items():
                    if value == "disable" and key == "gravity":
                        gravity = [0.0, 0.0, 0.0]
                    elif value == "disable" and key in ("equality", "spring", "damper", "passive", "actuation"):
                        self.notes.append(f"line {flag.line}: the flag {key}=\"disable\" is left out")
        return tuple(gravity)

    def model(self) -> Model:
        m, v = self.m, self.values
        for world in self.root.all("worldbody"):
            self._inside(world, "ground", np.zeros(3), np.eye(3), np.zeros(3), np.eye(3), None, self.ground)
        if not self.parts:
            raise FileError(f"{v.title}: nothing in it can move (no body has a joint)")
        total = sum(p.lump.mass for p in self.parts.values())
        if v.total > 0.0 and total > 0.0:
            for p in self.parts.values():
                shapes, p.lump = p.lump.shapes, p.lump.scaled(v.total / total)
                p.lump.shapes = shapes
        m.ground.shapes = tuple(self.ground.shapes)
        chains = [self._add(part) for part in self.parts.values()]  # bodies first: their names are taken before those of joints
        for part, chain in zip(self.parts.values(), chains, strict=True):
            self._hang(part, chain)
        Extras(self).read()
        m.joints = {given: label for given, (label, _, _) in self.joints.items()}  # names of the file → names here
        return m

    # ------------------------------------------------------------------------------------------------------ bodies

    def _inside(self, node: Node, name, r, A, p, R, childclass, lump) -> None:
        """Everything in a body or frame; it sits at (p, R) in the part ``name`` with its mass ``lump``, drawn at (r, A)."""
        v = self.values
        weigh = v.from_geoms == "true" or (v.from_geoms == "auto" and node.first("inertial") is None)
        own = Lump()
        for child in node.children:
            if child.tag == "geom" and node.tag != "frame":
                found, shapes = self.geoms.read(child, childclass, np.zeros(3), np.eye(3), weigh)
                own.add(found, np.zeros(3), np.eye(3))
                lump.shapes += [_moved(s, p, R) for s in shapes]
            elif child.tag == "inertial" and not weigh:
                own.add(self._inertial(child), np.zeros(3), np.eye(3))
            elif child.tag == "site":
                q, S = v.place(child, v.of(child, childclass))
                self.sites[child.attributes.get("name", "")] = (name, p + R @ q, R @ S)
            elif child.tag == "body":
                self._body(child, name, r, A, p, R, childclass, lump)
            elif child.tag == "frame":
                self._frame(child, name, r, A, p, R, childclass, lump, own, weigh, (np.zeros(3), np.eye(3)))
            elif child.tag in MADE:
                raise v.error(child, f"<{child.tag}> makes bodies by rule and is not read: open the file in MuJoCo and save it "
                                     "(mj_saveLastXML, or \"Save xml\" in its viewer), which writes them out")
            elif child.tag not in SILENT:
                self.notes.append(f"line {child.line}: <{child.tag:.60}> is left out")
        if node.tag == "body":
            self._bounded(own)
        lump.add(own, p, R)

    def _frame(self, node: Node, name, r, A, p, R, childclass, lump, own, weigh, inner) -> None:
        """<frame>: its children belong to the body around it, moved by ``inner`` within that body (at (p, R) in the part)."""
        v = self.values
        childclass = node.attributes.get("childclass", childclass)
        q, S = v.place(node, node.attributes)
        q, S = inner[0] + inner[1] @ q, inner[1] @ S
        for child in node.children:
            if child.tag == "geom":
                found, shapes = self.geoms.read(child, childclass, q, S, weigh)
                own.add(found, np.zeros(3), np.eye(3))
                lump.shapes += [_moved(s, p, R) for s in shapes]
            elif child.tag == "body":
                self._body(child, name, r, A, p + R @ q, R @ S, childclass, lump)
            elif child.tag == "frame":
                self._frame(child, name, r, A, p, R, childclass, lump, own, weigh, (q, S))
            elif child.tag in ("joint", "freejoint", "inertial", *MADE):
                raise v.error(child, f"<{child.tag}> inside a <frame> is not read: put it into the body itself")

    def _body(self, node: Node, name, r, A, p, R, childclass, lump) -> None:
        """A body in the part ``name``: merged into it, or a part of its own where it has joints."""
        v = self.values
        given = {**node.attributes}
        childclass = given.get("childclass", childclass)
        q, S = v.place(node, given)
        q, S = p + R @ q, R @ S
        label = given.get("name") or f"body {len(self.places)}"
        if label in self.places:
            raise v.error(node, f"body '{label:.80}' is there twice")
        for key in ("mocap", "gravcomp"):
            if given.get(key, "0").strip() not in ("0", "false"):
                self.notes.append(f"line {node.line}: {key} of body '{label:.80}' is left out")
        joints = [c for c in node.children if c.tag in ("joint", "freejoint")]
        if not joints:
            self.places[label] = (name, q, S)
            self.m.links[label] = (name, q, S)
            self._inside(node, name, r, A, q, S, childclass, lump)
            return
        own = free_name(self.parts, label, "body")
        part = self.parts[own] = Part(own, name, r + A @ q, A @ S, node, Lump())
        self.places[label] = self.m.links[label] = (own, np.zeros(3), np.eye(3))
        for joint in joints:
            said = dict(joint.attributes) if joint.tag == "freejoint" else v.of(joint, childclass)
            kind = "free" if joint.tag == "freejoint" else v.choice(joint, said, "type", KINDS, "hinge")
            if kind == "free" and (len(joints) > 1 or name != "ground"):
                raise v.error(joint, "a free joint stands alone, on a body directly in the world")
            at = np.array(v.numbers(joint, said, "pos", 3, (0, 0, 0)))
            axis = np.array(v.numbers(joint, said, "axis", 3, (0, 0, 1)))
            if not 1e-14 < np.linalg.norm(axis) < math.inf:
                raise v.error(joint, f"the axis of joint '{said.get('name', '')}' is zero")
            part.joints.append((joint, {**said, "type": kind}, part.r + part.A @ at, part.A @ axis / np.linalg.norm(axis)))
        self._inside(node, own, part.r, part.A, np.zeros(3), np.eye(3), childclass, part.lump)

    def _inertial(self, node: Node) -> Lump:
        v, given = self.values, node.attributes
        mass = v.number(node, given, "mass", -1.0)
        if mass < 0.0:
            raise v.error(node, "<inertial> has no mass=, or a negative one")
        c, R = v.place(node, given)
        if "fullinertia" in given:
            xx, yy, zz, xy, xz, yz = v.numbers(node, given, "fullinertia", 6, ())
            return Lump.of(mass, c, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], R)
        return Lump.of(mass, c, np.diag(v.numbers(node, given, "diaginertia", 3, (0.0, 0.0, 0.0))), R)

    def _bounded(self, lump: Lump) -> None:
        """boundmass, boundinertia and balanceinertia, of the principal moments of one body."""
        mass, inertia = self.values.least
        if not (mass > 0.0 or inertia > 0.0 or self.values.balanced):
            return
        moments, axes = np.linalg.eigh(lump.central)
        moments = np.maximum(moments, inertia)
        if self.values.balanced and moments[2] > moments[0] + moments[1]:
            moments[:] = moments.mean()
        other = Lump.of(max(lump.mass, mass), lump.centre, axes @ np.diag(moments) @ axes.T)
        lump.mass, lump.h, lump.J = other.mass, other.h, other.J

    # ------------------------------------------------------------------------------------------------------ joints

    def _add(self, part: Part) -> list[str]:
        """The body and its carriers; the names of these."""
        m, v = self.m, self.values
        if part.lump.mass <= 0.0:
            raise v.error(part.node, f"body '{part.name}' moves but has no mass (nor have the bodies fixed to it): give it an "
                                     "<inertial>, or geoms with a density")
        count = len(part.joints) - 1
        chain = [free_name(m, f"{part.name} carrier {k + 1}", "body") for k in range(count)]
        if count * self.share >= 0.5:
            raise v.error(part.node, f"body '{part.name}' has {count + 1} joints: too many for one body")
        shapes, whole = part.lump.shapes, part.lump
        for name in chain:
            m.add(whole.scaled(self.share).body(name, part.r, part.A, lambda text: v.error(part.node, text)))
            m.carriers[name] = (part.name, self.share)
        own = whole.scaled(1.0 - count * self.share) if count else whole
        own.shapes = shapes
        m.add(own.body(part.name, part.r, part.A, lambda text: v.error(part.node, text)))
        if chain:
            self.notes.append(f"line {part.node.line}: body '{part.name}' has {count + 1} joints; the {count} carrier"
                              f"{'s' * (count > 1)} between them take {self.share:g} of its mass each (carrier= of load_mjcf; "
                              "robotics.Tree gives it back)")
        return chain

    def _hang(self, part: Part, chain: list[str]) -> None:
        before, count = part.parent, len(chain)
        for k, (node, said, at, axis) in enumerate(part.joints):
            after = chain[k] if k < count else part.name
            self._joint(node, said, before, after, at, axis)
            before = after

    def _joint(self, node: Node, said: dict[str, str], i: str, j: str, at, axis) -> None:
        m, v, kind = self.m, self.values, said["type"]
        given = said.get("name") or f"{j} {kind}"
        if given in self.joints:
            raise v.error(node, f"joint '{given:.80}' is there twice")
        label = free_name(m, given, "joint")
        turned = v.angle if kind == "hinge" else float
        ref = turned(v.number(node, said, "ref", 0.0)) if kind in ("hinge", "slide") else 0.0
        self.joints[given] = (label, kind, ref)
        numbers = {k: v.numbers(node, said, k, 8, [0.0], 1)[0] for k in ("armature", "damping", "stiffness", "frictionloss")}
        if kind in ("free", "ball"):
            left = [k for k, x in numbers.items() if x]
            if kind == "ball":
                m.add(Spherical(label, i, j, at=tuple(at.tolist())))
                left += ["range"] if v.limited(node, said, "limited", "range") else []
            if left:
                self.notes.append(f"line {node.line}: {', '.join(left)} of the {kind} joint '{given:.80}' left out")
            return
        cls: Any = Revolute if kind == "hinge" else Prismatic
        m.add(cls(label, i, j, at=tuple(at.tolist()), axis=tuple(axis.tolist())))
        if ref:
            self.notes.append(f"line {node.line}: joint '{label}' counts from the drawing; MuJoCo's is larger by {ref:.9g}")
        if v.limited(node, said, "limited", "range"):
            low, high = (turned(x) - ref for x in v.numbers(node, said, "range", 2, (0.0, 0.0)))
            if low < high:
                m.limits[label] = {"lower": low, "upper": high}
        if min(numbers["armature"], numbers["damping"], numbers["stiffness"]) < 0.0:
            raise v.error(node, f"armature, damping and stiffness of joint '{given:.80}' must not be negative")
        if numbers["armature"]:
            add_rotor(m, label, numbers["armature"], at.tolist())
        if numbers["damping"]:
            m.add(Motor(free_name(m, f"{label} damping", "force"), label, affine(rate=-numbers["damping"])))
        if numbers["stiffness"]:
            rest = turned(v.number(node, said, "springref", 0.0)) - ref
            name, k = free_name(m, f"{label} spring", "force"), numbers["stiffness"]
            m.add(TorsionSpring(name, label, stiffness=k, angle=rest) if kind == "hinge"
                  else Motor(name, label, affine(constant=k * rest, coordinate=-k)))
        for key in ("frictionloss", "springdamper", "actuatorfrcrange", "actuatorgravcomp"):
            if any(c not in "0. -" for c in said.get(key, "")) and said.get(key) != "false":
                self.notes.append(f"line {node.line}: {key} of joint '{given:.80}' is left out")


def _title(name: str) -> str:
    return "".join(" " if c in ".`" or ord(c) < 32 else c for c in name).strip() or "MuJoCo Model"


def _moved(shape, p, R):
    """A shape of a merged body, in the frame of the part."""
    shape.position = (p + R @ np.asarray(shape.position)).tolist()
    shape.rotation = (R @ np.asarray(shape.rotation)).tolist()
    return shape
