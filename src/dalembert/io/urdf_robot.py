"""A robot as URDF describes it: links, joints, the tree they form, and the model made of them (urdf.py says how)."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.algebra import rotations
from dalembert.elements.constraints.equation import Equation
from dalembert.elements.constraints.gears import Gear
from dalembert.elements.forces.motor import Motor
from dalembert.elements.joints.planar import Planar
from dalembert.elements.joints.prismatic import Prismatic
from dalembert.elements.joints.revolute import Revolute
from dalembert.elements.shapes import Box, Cylinder, Mesh, Sphere
from dalembert.errors import FileError, hint
from dalembert.io.lumps import Lump, free_name
from dalembert.io.reading import below
from dalembert.io.xml import Node
from dalembert.model.model import Model
from dalembert.model.rotors import SHARE

JOINTS = ("revolute", "continuous", "prismatic", "planar", "floating", "fixed")
QUIET = {"link", "joint", "material"}


def xacro(title: str, line: int) -> FileError:
    return FileError(f"{title}, line {line}: this is xacro, a language that makes URDF: run 'xacro {title} > robot.urdf' (it "
                     "comes with ROS, or with pip install xacro), and load robot.urdf")


class Robot:
    """A robot as described: links, joints, and the tree they form."""

    def __init__(self, root: Node, title: str, folders: list[Path]):
        self.title, self.folders = title, folders
        if root.tag != "robot":
            raise self.error(root, f"the root element is <{root.tag}>, a URDF description has <robot>")
        macro = next((n for n in root.children if n.tag.startswith("xacro:") or "${" in n.attributes.get("name", "")), None)
        if macro is not None:  # files that xacro has written often keep its xmlns
            raise xacro(title, macro.line)
        self.name = root.attributes.get("name", "robot")
        self.notes: list[str] = []
        self.labels: dict[str, str] = {}  # joints of the file → names here
        self.trusted = False  # moments as they are printed
        self.lent: dict[str, list[str]] = {}  # link → links without mass that take a share of its
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

    def _inertial(self, link: Node) -> Lump:
        """Mass of a link in its own frame."""
        node = link.first("inertial")
        if node is None:
            return Lump()
        mass, tensor = node.first("mass"), node.first("inertia")
        if mass is None or tensor is None:
            raise self.error(node, f"the inertia of link '{link.attributes['name']}' needs <mass> and <inertia>")
        m = self._number(mass, "value")
        if m < 0:
            raise self.error(mass, f"the mass of link '{link.attributes['name']}' is negative")
        c, A = self._origin(node)
        xx, xy, xz, yy, yz, zz = (self._number(tensor, k, 0.0) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        return Lump.of(m, c, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], A)

    # ------------------------------------------------------------------------------------------------ shapes

    def _colour(self, node: Node | None):
        colour = node.first("color") if node is not None else None
        if colour is None:
            return None
        rgba = self._numbers(colour, "rgba", 4, (0.7, 0.7, 0.7, 1))
        return "#" + "".join(f"{round(255 * min(max(x, 0.0), 1.0)):02x}" for x in rgba[:3])

    def _shapes(self, link: Node, r, A) -> list:
        visuals, notes = link.all("visual"), len(self.notes)
        found = [s for visual in visuals for s in self._shape(link, visual, r, A)]
        if visuals and not found:
            instead = [s for c in link.all("collision") for s in self._shape(link, c, r, A)]
            del self.notes[notes + 1:]
            if instead:
                self.notes.append(f"line {link.line}: link '{link.attributes['name']}' is drawn by its collision shapes")
            return instead
        return found

    def _shape(self, link: Node, visual: Node, r, A) -> list:
        geometry = visual.first("geometry")
        if geometry is None or not geometry.children:
            raise self.error(visual, f"a {visual.tag} of link '{link.attributes['name']}' has no <geometry>")
        p, R = self._origin(visual)
        node, material = geometry.children[0], visual.first("material")
        colour = self._colour(material) or self.colours.get(material.attributes.get("name", "") if material is not None else "")
        place: dict[str, Any] = {"position": (r + A @ p).tolist(), "rotation": (A @ R).tolist(), "material": colour}
        if node.tag == "box":
            return [Box(self._numbers(node, "size", 3, (1, 1, 1)), **place)]
        if node.tag == "cylinder":
            return [Cylinder(self._number(node, "radius"), self._number(node, "length"), **place)]
        if node.tag == "sphere":
            return [Sphere(self._number(node, "radius"), **place)]
        if node.tag == "mesh":
            scale, file = self._numbers(node, "scale", 3, (1, 1, 1)), self._file(node)
            return [Mesh(file, scale[0] if len(set(scale)) == 1 else scale, **place)] if file is not None else []
        raise self.error(node, f"a {visual.tag} of link '{link.attributes['name']}' is a <{node.tag}>; known are box, cylinder, "
                               "sphere, mesh")

    def _file(self, node: Node) -> str | None:
        """The path of a mesh, in one of the folders that are allowed; others are left out, with a note."""
        given = node.attributes.get("filename", "")
        plain = given.removeprefix("package://").removeprefix("file://")
        names = [plain, plain.partition("/")[2]] if given.startswith("package://") else [plain]
        allowed = [base / n for base in self.folders for n in names if n and "\0" not in n and below(base / n, self.folders)]
        kind = Path(given.replace("\0", "")).suffix.lower()
        if not allowed:
            why = "lies outside the folders that are read: allow its folder with load_urdf(..., meshes=[folder])"
        elif kind == ".dae" and importlib.util.find_spec("collada") is None:
            why = "is Collada, which needs pip install trimesh pycollada; or convert it to STL, OBJ or glTF"
        elif kind not in (".stl", ".obj", ".glb", ".gltf", ".dae"):
            why = "is no mesh that can be read: convert it to STL, OBJ or glTF"
        else:
            there = next((p for p in allowed if _is_file(p)), None)
            if there is not None:
                return str(there)
            why = f"is not there (looked for in {', '.join(sorted({str(p.parent) for p in allowed}))[:200]})"
        self.notes.append(f"line {node.line}: the mesh '{given:.200}' is left out: it {why}")
        return None

    # ------------------------------------------------------------------------------------------------- model

    def model(self, base, gravity) -> Model:
        m: Any = Model(self.name.replace(".", " "), dim=3, gravity=gravity)
        m.notes, m.joints = self.notes, self.labels
        waiting = [(self.root, np.zeros(3), np.eye(3), "ground" if base == "fixed" else None, None)]
        while waiting:  # chains may be longer than Python's stack is deep
            waiting += reversed(self._body(m, *waiting.pop()))
        if len(m.links) < len(self.links):
            raise self.error(self.links[next(n for n in self.links if n not in m.links)], "the joints form a ring")
        for name, node in self.joints.items():
            self._mimic(m, name, node)
        if not m.bodies:
            raise FileError(f"{self.title}: nothing in it can move (all joints are fixed)"
                            + (": base=\"floating\" lets it go as a whole" if base == "fixed" else ""))
        return m

    def _body(self, m, link, r, A, held, attach):
        """The body that ``link`` begins, drawn at (r, A), with all links fixed to it; its joint; returns what hangs on it."""
        name = held or free_name(m, link, "body")
        parts, outside = self._fixed(link)
        for current, p, R in parts:
            m.links[current] = (name, p, R)
        if held is None:
            self._add(m, name, link, r, A)
        else:
            m.ground.shapes += tuple(s for current, p, R in parts for s in self._shapes(self.links[current], p, R))
        if attach is not None:
            joint, parent, p, R = attach
            self._joint(m, joint, parent, p, R, name)
        places = [(joint, name, r + A @ p, A @ R) for joint, p, R in outside]
        return [(self._end(self.joints[place[0]], place[0], "child"), *place[2:], None, place) for place in places]

    def _fixed(self, link):
        """Links fixed to ``link`` with their places in it, itself first; and the joints that go on from them, with theirs."""
        parts, queue, outside = [], [(link, np.zeros(3), np.eye(3))], []
        while queue:
            current, p, R = queue.pop()
            parts.append((current, p, R))
            for joint in self.children[current]:
                node = self.joints[joint]
                d, Q = self._origin(node)
                if node.attributes["type"] == "fixed":
                    queue.append((self._end(node, joint, "child"), p + R @ d, R @ Q))
                else:
                    outside.append((joint, p + R @ d, R @ Q))
            if len(parts) > len(self.links):
                raise self.error(self.links[link], "the joints form a ring")
        return parts, outside

    def _lump(self, link) -> Lump:
        found = Lump()
        for current, p, R in self._fixed(link)[0]:
            found.add(self._inertial(self.links[current]), p, R)
        return found

    def _borrowed(self, link):
        """Links without mass from ``link`` on, each with one joint, and the first link behind them that has some."""
        chain, p, R = [link], np.zeros(3), np.eye(3)
        while len(chain) <= 8:
            outside = self._fixed(chain[-1])[1]
            if len(outside) != 1:
                return None
            joint, d, Q = outside[0]
            p, R = p + R @ d, R @ Q
            chain.append(self._end(self.joints[joint], joint, "child"))
            lump = self._lump(chain[-1])
            if lump.mass > 0.0:
                found = Lump()
                found.add(lump.scaled(SHARE), p, R)
                return chain, found
        return None

    def _add(self, m, name, link, r, A):
        node, lump = self.links[link], self._lump(link)
        if lump.mass <= 0.0:
            borrowed = self._borrowed(link)
            if borrowed is None:
                raise self.error(node, f"link '{link}' moves but has no mass (nor have the links fixed to it): give it an "
                                       "<inertial>, or make its joint fixed")
            chain, lump = borrowed
            self.lent.setdefault(chain[-1], []).append(name)
            self.notes.append(f"line {node.line}: link '{link}' has no mass; it takes {SHARE:g} of that of '{chain[-1]}' "
                              "(robotics.Tree takes none)")
        else:
            lenders = self.lent.get(link, [])
            lump = lump.scaled(1.0 - len(lenders) * SHARE) if lenders else lump
            m.carriers |= dict.fromkeys(lenders, (name, SHARE))
        lump.shapes = [s for current, p, R in self._fixed(link)[0] for s in self._shapes(self.links[current], p, R)]
        m.add(lump.body(name, r, A, lambda text: self.error(node, text), self.trusted))

    def _joint(self, m, name, parent, p, R, child):
        node = self.joints[name]
        kind = node.attributes["type"]
        label, at = free_name(m, name, "joint"), tuple(p.tolist())
        self.labels[name] = label
        axis = tuple((R @ self._axis(node, name)).tolist())
        if kind == "floating":
            return
        cls: Any = {"prismatic": Prismatic, "planar": Planar}.get(kind, Revolute)
        m.add(cls(label, parent, child, at=at, axis=axis))
        limit, dynamics = node.first("limit"), node.first("dynamics")
        if limit is not None:
            m.limits[label] = {k: self._number(limit, k, 0.0) for k in ("lower", "upper", "effort", "velocity")
                               if k in limit.attributes}
        if dynamics is not None:
            damping = self._number(dynamics, "damping", 0.0)
            if damping and kind != "planar":
                m.add(Motor(f"{label} damping", label, f"-{damping!r}*rate"))
            if self._number(dynamics, "friction", 0.0):
                self.notes.append(f"line {dynamics.line}: friction of joint '{name}' is left out")

    def _mimic(self, m, name, node):
        mimic = node.first("mimic")
        if mimic is None or node.attributes["type"] == "fixed":
            return
        other = mimic.attributes.get("joint", "")
        if other in self.joints and self.joints[other].attributes["type"] == "fixed" and self.labels.get(name) in m.elements:
            m.add(Equation(free_name(m, f"{self.labels[name]} held", "constraint"), f"`{self.labels[name]}`"))
            self.notes.append(f"line {mimic.line}: joint '{name}' mimics '{other}', which is fixed, and is held")
            return
        if other not in self.labels or name not in self.labels or self.labels[other] not in m.elements:
            raise self.error(mimic, f"joint '{name}' mimics '{other}', which is no moving joint{hint(other, self.joints)}")
        if self._number(mimic, "offset", 0.0) != 0.0:
            raise self.error(mimic, f"joint '{name}' mimics '{other}' with an offset: only offset 0 is supported")
        one, two = self.labels[other], self.labels[name]
        m.add(Gear(free_name(m, f"{two} mimics {one}", "gear"), one, two, ratio=self._number(mimic, "multiplier", 1.0)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
