"""Geoms of MJCF as shapes for the eye and as mass.

    sphere r · capsule, cylinder (r, half length along z) · box (half edges) · ellipsoid (half axes) · mesh (a file) · plane
    fromto: from end to end, the z axis along it       mass= of the geom, or density= (1000 kg/m³) times its volume

    ellipsoid       V = 4/3 π a b c,   J = m/5 diag(b² + c², a² + c², a² + b²)          the rest: elements/shapes.py

A plane has no mass; it is drawn as a thin plate (6 m wide where it is infinite), an ellipsoid as the sphere of its volume.
A mesh has the mass of the solid inside (MuJoCo's inertia="exact"; its other ways differ for meshes that are not convex).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.elements.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere
from dalembert.errors import DalembertError
from dalembert.io.lumps import Lump
from dalembert.io.mjcf.values import Values, shortest
from dalembert.io.reading import below
from dalembert.io.xml import Node
from dalembert.model.numbers import Numbers

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
READ = (".stl", ".obj")


class Geoms:
    """Reads the geoms of a file; ``folders`` are those that meshes may lie in."""

    def __init__(self, values: Values, root: Node, folders: list[Path], notes: list[str]):
        self.values, self.folders, self.notes = values, folders, notes
        self.materials: dict[str, dict[str, str]] = {}
        self.meshes: dict[str, tuple[Node, dict[str, str]]] = {}
        for asset in root.all("asset"):
            for node in asset.children:
                given = values.of(node, None)
                if node.tag == "material":
                    self.materials[given.get("name", "")] = given
                elif node.tag == "mesh":
                    name = given.get("name") or Path(given.get("file", "").replace("\\", "/")).stem
                    self.meshes[name] = (node, given)

    def read(self, node: Node, childclass: str | None, p: np.ndarray, R: np.ndarray, weigh: bool) -> tuple[Lump, list[Shape]]:
        """Mass in the frame of the body (where it counts), and shapes, of a geom whose frame is at (p, R) in the body."""
        v, given = self.values, self.values.of(node, childclass)
        low, high = v.groups
        weigh = weigh and low <= v.number(node, given, "group", 0.0) <= high
        kind = v.choice(node, given, "type", TYPES, "sphere")
        place, turn, size = self._sizes(node, given, kind)
        place, turn = p + R @ place, R @ turn
        where: dict[str, Any] = {"position": place.tolist(), "rotation": turn.tolist(), "material": self._colour(node, given)}
        if kind in ("hfield", "sdf"):
            self.notes.append(f"line {node.line}: the geom is a{'n' * (kind == 'sdf')} {kind} and is left out")
            return Lump(), []
        if kind == "plane":
            wide = [2 * x if x > 0 else 6.0 for x in size[:2]]
            return Lump(), [Box((min(wide[0], 40.0), min(wide[1], 40.0), 0.01), **where)]
        if kind == "mesh":
            return self._mesh(node, given, place, turn, where, weigh)
        if "mesh" in given:
            self.notes.append(f"line {node.line}: a {kind} fitted to a mesh is left out")
            return Lump(), []
        if min(size) <= 0.0:
            raise v.error(node, f"the {kind} has the size {' '.join(f'{x:g}' for x in size)}: give {len(size)} positive number"
                                f"{'s' * (len(size) > 1)}")
        shape = self._shape(node, kind, size, where)
        if not weigh:
            return Lump(), [shape]
        volume, unit = shape.mass_properties(Numbers(3, {}))
        if kind == "ellipsoid":
            a, b, c = (x * x for x in size)
            volume, unit = 4 / 3 * math.pi * math.prod(size), np.diag([b + c, a + c, a + b]) / 5
        return self._weighed(node, given, volume, place, turn, unit), [shape]

    def _sizes(self, node: Node, given: dict[str, str], kind: str):
        v = self.values
        size = v.numbers(node, given, "size", 3, (0.0, 0.0, 0.0), 1)
        if kind == "plane":
            return *v.place(node, given), size
        if "fromto" not in given or kind not in ("capsule", "cylinder", "box", "ellipsoid"):
            return *v.place(node, given), size[: SIZES.get(kind, 3)]
        ends = np.array(v.numbers(node, given, "fromto", 6, ()))
        along = ends[:3] - ends[3:]
        length = float(np.linalg.norm(along))
        if not 1e-14 < length < math.inf:
            raise v.error(node, f"fromto=\"{given['fromto']}\": both ends are the same point")
        half = [size[0], length / 2] if kind in ("capsule", "cylinder") else [size[0], size[0], length / 2]
        return (ends[:3] + ends[3:]) / 2, shortest(along / length), half

    def _shape(self, node: Node, kind: str, size: list[float], where: dict[str, Any]) -> Shape:
        if kind == "sphere":
            return Sphere(size[0], **where)
        if kind == "capsule":
            return Capsule(size[0], 2 * size[1], **where)
        if kind == "cylinder":
            return Cylinder(size[0], 2 * size[1], **where)
        if kind == "box":
            return Box(tuple(2 * x for x in size), **where)
        self.notes.append(f"line {node.line}: the ellipsoid is drawn as a sphere of its volume (its mass is the ellipsoid's)")
        return Sphere(math.prod(size) ** (1 / 3), **where)

    def _weighed(self, node: Node, given: dict[str, str], volume, place, turn, unit) -> Lump:
        v = self.values
        if given.get("shellinertia", "false") == "true":
            raise v.error(node, "shellinertia=\"true\" is not read: give the body an <inertial>")
        mass = v.number(node, given, "mass", -1.0) if "mass" in given else v.number(node, given, "density", 1000.0) * volume
        if mass < 0.0:
            raise v.error(node, f"the mass of the geom is {mass:g}: give mass= or density= zero or more")
        return Lump.of(mass, place, mass * unit, turn)

    def _mesh(self, node: Node, given: dict[str, str], place, turn, where, weigh) -> tuple[Lump, list[Shape]]:
        v, name = self.values, given.get("mesh", "")
        if name not in self.meshes:
            raise v.error(node, f"there is no mesh '{name:.80}' in <asset>")
        weigh = weigh and given.get("mass", "").strip() not in ("0", "0.0")
        asset, about = self.meshes[name]
        file, why = self._file(asset, about)
        if file is None:
            self.notes.append(f"line {node.line}: the mesh '{name:.80}' is left out: {why}")
            if weigh:
                raise v.error(node, f"the mesh '{name:.80}' gives its body mass, but {why}")
            return Lump(), []
        scale = v.numbers(asset, about, "scale", 3, (1.0, 1.0, 1.0))
        shape = Mesh(str(file), scale[0] if len(set(scale)) == 1 else scale, **where)
        if not weigh:
            return Lump(), [shape]
        try:
            volume, centre, unit = shape.moments(Numbers(3, {}), f"mesh '{name}'")
        except DalembertError as error:
            raise v.error(node, f"{error}; give the body an <inertial>") from None
        return self._weighed(node, given, volume, place + turn @ centre, turn, unit), [shape]

    def _file(self, asset: Node, about: dict[str, str]) -> tuple[Path | None, str]:
        given = about.get("file", "").replace("\\", "/")
        if not given or "\0" in given:
            return None, "it is made of points in the file, or built in, which is not read"
        odd = [k for k in ("refpos", "refquat") if k in about]
        if odd:
            return None, f"its {odd[0]}= is not read"
        if not given.lower().endswith(READ):
            return None, f"'{given:.80}' is no STL or OBJ file: convert it"
        compiler = self.values.compiler
        where = Path(compiler.get("meshdir", compiler.get("assetdir", "")).replace("\0", ""))
        names = [where / (Path(given).name if compiler.get("strippath") == "true" else given)]
        allowed = [base / n for base in self.folders for n in names if below(base / n, self.folders)]
        if not allowed:
            return None, (f"'{given:.200}' lies outside the folders that are read: allow its folder with load_mjcf(..., "
                          "meshes=[folder])")
        try:
            there = next((p for p in allowed if p.is_file()), None)
        except (OSError, ValueError):
            there = None
        return there, "" if there else f"there is no file '{names[0]}'"

    def _colour(self, node: Node, given: dict[str, str]) -> str | None:
        paint = self.materials.get(given.get("material", ""), {})
        source = given if "rgba" in given else paint if "rgba" in paint else None
        if source is None:
            return None
        rgba = self.values.numbers(node, source, "rgba", 4, (0.5, 0.5, 0.5, 1.0))
        return "#" + "".join(f"{round(255 * min(max(x, 0.0), 1.0)):02x}" for x in rgba[:3])
