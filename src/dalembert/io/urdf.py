"""URDF: descriptions of robots, read into a model.

    da.load_urdf("arm.urdf")                      base link fixed to the ground
    da.load_urdf("walker.urdf", base="floating")  base link free

A link becomes a body whose frame is the link's (the origin of its joint); links on fixed joints become part of the body they are
fixed to (mass, inertia and shapes).  The drawing is the zero position of all joints, and joint coordinates are the robot's.

    revolute, continuous → Revolute     prismatic → Prismatic     planar → Planar     floating → no joint     fixed → merged
    damping → a Motor with the law −d·rate      mimic → a Gear (offset 0)      limits → model.limits[joint]

Not carried over, and listed in model.notes: friction, collision shapes, transmissions, sensors and other extensions; and meshes
outside the file's folder (load_urdf(..., meshes=[folder, …]) allows more folders; package://name/… is looked for in all of them).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.algebra import rotations
from dalembert.elements.bodies.body import Body
from dalembert.elements.constraints.gears import Gear
from dalembert.elements.forces.motor import Motor
from dalembert.elements.joints.planar import Planar
from dalembert.elements.joints.prismatic import Prismatic
from dalembert.elements.joints.revolute import Revolute
from dalembert.elements.shapes import Box, Cylinder, Mesh, Sphere
from dalembert.errors import DalembertError, FileError, hint
from dalembert.io.reading import below, read_bytes
from dalembert.io.xml import LIMIT, Node, parse
from dalembert.model.model import Model
from dalembert.model.numbers import Numbers

JOINTS = ("revolute", "continuous", "prismatic", "planar", "floating", "fixed")
QUIET = {"link", "joint", "material"}


def load_urdf(path: str | os.PathLike[str], *, base: str = "fixed", gravity: Sequence[float] = (0.0, 0.0, -9.81),
              meshes: Sequence[str | os.PathLike[str]] = ()) -> Model:
    """A model from a URDF file.  Meshes are taken from its folder and below, and from the further folders in ``meshes``."""
    path = Path(path)
    return read_urdf(read_bytes(path, LIMIT), base=base, gravity=gravity, title=path.name, folder=path.parent, meshes=meshes)


def read_urdf(text, *, base="fixed", gravity=(0.0, 0.0, -9.81), title="URDF", folder=".", meshes=()) -> Model:
    """A model from the text of a URDF description."""
    if base not in ("fixed", "floating"):
        raise FileError(f"{title}: base is 'fixed' or 'floating', not {base!r}")
    try:
        root = parse(text.encode() if isinstance(text, str) else text, title)
    except UnicodeEncodeError as error:
        raise FileError(f"{title}: the text holds half a character ({error.reason}, at {error.start})") from None
    folders = [Path(folder), *map(Path, [meshes] if isinstance(meshes, (str, Path)) else meshes)]
    robot = Robot(root, title, folders)
    try:
        return robot.model(base, gravity)
    except FileError:
        raise
    except DalembertError as error:
        raise FileError(f"{title}: {error}") from None


class Robot:
    """A robot as described: links, joints, and the tree they form."""

    def __init__(self, root: Node, title: str, folders: list[Path]):
        self.title, self.folders = title, folders
        if root.tag != "robot":
            raise self.error(root, f"the root element is <{root.tag}>, a URDF description has <robot>")
        self.name = root.attributes.get("name", "robot")
        self.notes: list[str] = []
        self.links = self._named(root, "link")
        self.joints = self._named(root, "joint")
        self.colours = {m.attributes.get("name", ""): self._colour(m) for m in root.all("material")}
        for node in root.children:
            if node.tag not in QUIET:
                self.notes.append(f"line {node.line}: <{node.tag}> is left out")
        if not self.links:
            raise self.error(root, "there is no <link>")
        self._connect(root)

    def error(self, node: Node, text: str) -> FileError:
        return FileError(f"{self.title}, line {node.line}: {text}")

    def _named(self, root, tag) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for node in root.all(tag):
            name = node.attributes.get("name")
            if not name:
                raise self.error(node, f"<{tag}> has no name")
            if name in found:
                raise self.error(node, f"{tag} '{name}' is there twice (first on line {found[name].line})")
            found[name] = node
        return found

    def _connect(self, root):
        self.parent_joint: dict[str, str] = {}
        self.children: dict[str, list[str]] = {n: [] for n in self.links}
        for name, node in self.joints.items():
            kind = node.attributes.get("type")
            if kind not in JOINTS:
                raise self.error(node, f"joint '{name}' has type {kind!r}; known are {', '.join(JOINTS)}")
            parent, child = (self._end(node, name, side) for side in ("parent", "child"))
            if child in self.parent_joint:
                raise self.error(node,
                        f"link '{child}' has two parents, by joints '{self.parent_joint[child]}' and '{name}': URDF describes "
                                 "trees; close the loop in Python with a joint of its own")
            self.parent_joint[child] = name
            self.children[parent].append(name)
        roots = [n for n in self.links if n not in self.parent_joint]
        if len(roots) != 1:
            what = f"the links {', '.join(roots)} have no parent: there must be one root" if roots else "the joints form a ring"
            raise self.error(root, what)
        self.root = roots[0]

    def _end(self, node, joint, side) -> str:
        end = node.first(side)
        name = end.attributes.get("link") if end is not None else None
        if name is None:
            raise self.error(node, f"joint '{joint}' has no <{side} link=\"…\"/>")
        if name not in self.links:
            raise self.error(node, f"joint '{joint}': there is no link '{name}'{hint(name, self.links)}")
        return name

    # ----------------------------------------------------------------------------------------------- numbers

    def _numbers(self, node: Node, key: str, count: int, default) -> list[float]:
        text = node.attributes.get(key)
        if text is None:
            return list(default)
        try:
            found = [float(x) for x in text.split()]
        except ValueError:
            found = []
        if len(found) != count or not all(map(math.isfinite, found)):
            raise self.error(node, f"{key}=\"{text}\" of <{node.tag}> must be {count} number{'s' * (count > 1)}")
        return found

    def _number(self, node: Node, key: str, default=None) -> float:
        if default is None and key not in node.attributes:
            raise self.error(node, f"<{node.tag}> has no {key}=")
        return self._numbers(node, key, 1, [default])[0]

    def _origin(self, node: Node) -> tuple[np.ndarray, np.ndarray]:
        """Point and axes of <origin>: rotation R_z(yaw) R_y(pitch) R_x(roll)."""
        origin = node.first("origin")
        if origin is None:
            return np.zeros(3), np.eye(3)
        roll, pitch, yaw = self._numbers(origin, "rpy", 3, (0, 0, 0))
        A = rotations.elementary("z", yaw) @ rotations.elementary("y", pitch) @ rotations.elementary("x", roll)
        return np.array(self._numbers(origin, "xyz", 3, (0, 0, 0))), A

    def _axis(self, node: Node, name: str) -> np.ndarray:
        axis = node.first("axis")
        a = np.array(self._numbers(axis, "xyz", 3, (1, 0, 0)) if axis is not None else (1.0, 0.0, 0.0))
        if np.linalg.norm(a) == 0.0:
            raise self.error(axis or node, f"the axis of joint '{name}' is zero")
        return a / np.linalg.norm(a)

    def _inertial(self, link: Node) -> tuple[float, np.ndarray, np.ndarray]:
        """Mass, centre, and inertia about the link's origin along its axes."""
        node = link.first("inertial")
        if node is None:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        mass, tensor = node.first("mass"), node.first("inertia")
        if mass is None or tensor is None:
            raise self.error(node, f"the inertia of link '{link.attributes['name']}' needs <mass> and <inertia>")
        m = self._number(mass, "value")
        if m < 0:
            raise self.error(mass, f"the mass of link '{link.attributes['name']}' is negative")
        c, A = self._origin(node)
        xx, xy, xz, yy, yz, zz = (self._number(tensor, k, 0.0) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        J = A @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ A.T
        return m, m * c, J + m * (c @ c * np.eye(3) - np.outer(c, c))

    # ------------------------------------------------------------------------------------------------ shapes

    def _colour(self, node: Node | None):
        colour = node.first("color") if node is not None else None
        if colour is None:
            return None
        rgba = self._numbers(colour, "rgba", 4, (0.7, 0.7, 0.7, 1))
        return "#" + "".join(f"{round(255 * min(max(x, 0.0), 1.0)):02x}" for x in rgba[:3])

    def _shapes(self, link: Node, r, A) -> list:
        found: list[Any] = []
        for visual in link.all("visual"):
            geometry = visual.first("geometry")
            if geometry is None or not geometry.children:
                raise self.error(visual, f"a visual of link '{link.attributes['name']}' has no <geometry>")
            p, R = self._origin(visual)
            node, material = geometry.children[0], visual.first("material")
            colour = self._colour(material) or self.colours.get(material.attributes.get("name",
                    "") if material is not None else "")
            place: dict[str, Any] = {"position": (r + A @ p).tolist(), "rotation": (A @ R).tolist(), "material": colour}
            if node.tag == "box":
                found.append(Box(self._numbers(node, "size", 3, (1, 1, 1)), **place))
            elif node.tag == "cylinder":
                found.append(Cylinder(self._number(node, "radius"), self._number(node, "length"), **place))
            elif node.tag == "sphere":
                found.append(Sphere(self._number(node, "radius"), **place))
            elif node.tag == "mesh":
                scale = self._numbers(node, "scale", 3, (1, 1, 1))
                file = self._file(node)
                if file is not None:
                    found.append(Mesh(file, scale[0] if len(set(scale)) == 1 else scale, **place))
            else:
                raise self.error(node,
                        f"a visual of link '{link.attributes['name']}' is a <{node.tag}>; known are box, cylinder, sphere, mesh")
        return found

    def _file(self, node: Node) -> str | None:
        """The path of a mesh, in one of the folders that are allowed; others are left out, with a note."""
        given = node.attributes.get("filename", "")
        plain = given.removeprefix("package://").removeprefix("file://")
        names = [plain, plain.partition("/")[2]] if given.startswith("package://") else [plain]
        allowed = [base / n for base in self.folders for n in names if n and "\0" not in n and below(base / n, self.folders)]
        if not allowed:
            self.notes.append(f"line {node.line}: the mesh '{given:.200}' lies outside the folders that are read, and is left "
                              "out: allow its folder with load_urdf(..., meshes=[folder])")
            return None
        there = next((p for p in allowed if p.is_file()), None)
        return str(there) if there is not None else given if given.startswith("package://") else str(allowed[0])

    # ------------------------------------------------------------------------------------------------- model

    def model(self, base, gravity) -> Model:
        m: Any = Model(self.name.replace(".", " "), dim=3, gravity=gravity)
        m.limits, m.notes, m.links = {}, self.notes, {}
        waiting = [(self.root, np.zeros(3), np.eye(3), "ground" if base == "fixed" else None, None)]
        while waiting:  # chains may be longer than Python's stack is deep
            waiting += reversed(self._body(m, *waiting.pop()))
        if len(m.links) < len(self.links):
            raise self.error(self.links[next(n for n in self.links if n not in m.links)], "the joints form a ring")
        for name, node in self.joints.items():
            self._mimic(m, name, node)
        if not m.bodies:
            raise FileError(f"{self.title}: nothing in it can move (all joints are fixed)")
        return m

    def _body(self, m, link, r, A, held, attach):
        """The body that ``link`` begins, drawn at (r, A), with all links fixed to it; its joint; returns what hangs on it."""
        name = _safe(link)
        parts, queue, outside = [], [(link, np.zeros(3), np.eye(3))], []
        while queue:
            current, p, R = queue.pop()
            parts.append((current, p, R))
            m.links[current] = (held or name, p, R)
            for joint in self.children[current]:
                node = self.joints[joint]
                d, Q = self._origin(node)
                if node.attributes["type"] == "fixed":
                    queue.append((self._end(node, joint, "child"), p + R @ d, R @ Q))
                else:
                    outside.append((joint, p + R @ d, R @ Q))
        if held is None:
            self._add(m, name, parts, r, A, self.links[link])
        if attach is not None:
            self._joint(m, *attach)
        places = [(joint, held or name, r + A @ p, A @ R) for joint, p, R in outside]
        return [(self._end(self.joints[place[0]], place[0], "child"), *place[2:], None, place) for place in places]

    def _add(self, m, name, parts, r, A, node):
        mass, h, J, shapes = 0.0, np.zeros(3), np.zeros((3, 3)), []
        for link, p, R in parts:
            k, hk, Jk = self._inertial(self.links[link])
            hk, Jk = R @ hk, R @ Jk @ R.T
            mass, h = mass + k, h + hk + k * p
            J = J + Jk + (2 * (hk @ p) + k * (p @ p)) * np.eye(3) - np.outer(hk, p) - np.outer(p, hk) - k * np.outer(p, p)
            shapes += self._shapes(self.links[link], p, R)
        if mass <= 0.0:
            raise self.error(node,
                    f"link '{node.attributes['name']}' moves but has no mass (nor have the links fixed to it): give it an "
                             "<inertial>, or make its joint fixed")
        c = h / mass
        J = J - mass * (c @ c * np.eye(3) - np.outer(c, c))
        body = Body(name, mass=mass, inertia=((J + J.T) / 2).tolist(), position=tuple(r.tolist()), rotation=A.tolist(),
                    com=tuple(c.tolist()), shapes=shapes)
        try:
            Numbers(m.dim, {}).inertia(body.inertia, body.title)
        except DalembertError as error:
            raise self.error(node, str(error)) from None
        m.add(body)

    def _joint(self, m, name, parent, p, R):
        node = self.joints[name]
        kind, child = node.attributes["type"], self._end(node, name, "child")
        label, at = _safe(name), tuple(p.tolist())
        axis = tuple((R @ self._axis(node, name)).tolist())
        if kind == "floating":
            return
        cls: Any = {"prismatic": Prismatic, "planar": Planar}.get(kind, Revolute)
        m.add(cls(label, parent, _safe(child), at=at, axis=axis))
        limit, dynamics = node.first("limit"), node.first("dynamics")
        if limit is not None:
            m.limits[label] = {k: self._number(limit, k, 0.0) for k in ("lower", "upper", "effort",
                    "velocity") if k in limit.attributes}
        if dynamics is not None:
            damping = self._number(dynamics, "damping", 0.0)
            if damping and kind != "planar":
                m.add(Motor(f"{label} damping", label, f"-{damping!r}*rate"))
            if self._number(dynamics, "friction", 0.0):
                self.notes.append(f"line {dynamics.line}: friction of joint '{name}' is left out")

    def _mimic(self, m, name, node):
        mimic = node.first("mimic")
        if mimic is None:
            return
        other = mimic.attributes.get("joint", "")
        if _safe(other) not in m.elements or _safe(name) not in m.elements:
            raise self.error(mimic, f"joint '{name}' mimics '{other}', which is no moving joint{hint(other, self.joints)}")
        if self._number(mimic, "offset", 0.0) != 0.0:
            raise self.error(mimic, f"joint '{name}' mimics '{other}' with an offset: only offset 0 is supported")
        m.add(Gear(f"{_safe(name)} mimics {_safe(other)}", _safe(other), _safe(name), ratio=self._number(mimic, "multiplier",
                1.0)))


def _safe(name: str) -> str:
    """Names in models have no dots, and no control characters."""
    return "".join("_" if c in ".`" or ord(c) < 32 else c for c in name)
