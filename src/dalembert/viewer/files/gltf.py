"""Animated glTF 2.0: one node per body with its translation and rotation over time; opens in Blender and three.js.

    root (turns our up into glTF's y)
      ├── body: animated T, R ──▶ part: T, R, S, mesh
      ├── ground parts
      └── springs and links: animated T, R, S

glTF: right-handed, y up, metres, quaternions (x, y, z, w).  Materials become metallic-roughness ones; roughness
√(2/(shininess + 2)).
"""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import numpy as np

from dalembert.algebra.rotations import quaternion_of_matrix
from dalembert.errors import FileError
from dalembert.io import atomic
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene import stretching
from dalembert.viewer.scene.daylight import linear
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import GROUND, Scene, continuous

FLOAT, UINT = 5126, 5125


class _Writer:
    """Accessors into one buffer."""

    def __init__(self):
        self.views, self.accessors, self._data, self._at = [], [], [], 0

    def add(self, array, kind: str, target: int | None = None, bounds: bool = False) -> int:
        integer = target == 34963
        data = np.ascontiguousarray(array, dtype="<u4" if integer else "<f4")
        view = {"buffer": 0, "byteOffset": self._at, "byteLength": data.nbytes}
        if target:
            view["target"] = target
        self.views.append(view)
        self._data.append(data.tobytes())
        self._at += data.nbytes
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        accessor = {"bufferView": len(self.views) - 1, "componentType": UINT if integer else FLOAT,
                    "count": data.size // width, "type": kind}
        if bounds:
            rows = data.reshape(-1, width)
            accessor |= {"min": [x.item() for x in rows.min(axis=0)], "max": [x.item() for x in rows.max(axis=0)]}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    @property
    def data(self) -> bytes:
        return b"".join(self._data)


def write_gltf(what, path, *, fps=None) -> Path:
    """Write a result as .glb (binary) or .gltf (one file, the numbers inside); ``fps`` resamples."""
    path = Path(path)
    if path.suffix.lower() not in (".glb", ".gltf"):
        raise FileError(f"glTF files end in .glb or .gltf, not '{path.name}'")
    scene = scene_of(what, traces=[], forces=False, channels=False)
    scene = (scene if fps is None else scene.at_rate(float(fps))).thinned()
    document, data = _document(scene)
    atomic.write_bytes(path, _binary(document, data) if path.suffix.lower() == ".glb" else _text(document, data))
    return path


def _binary(document: dict, data: bytes) -> bytes:
    document["buffers"] = [{"byteLength": len(data)}]
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    head = struct.pack("<III", 0x46546C67, 2, 12 + 8 + len(text) + 8 + len(data))
    return head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data


def _text(document: dict, data: bytes) -> bytes:
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
    document["buffers"] = [{"byteLength": len(data), "uri": uri}]
    return json.dumps(document, separators=(",", ":")).encode()


def _document(scene: Scene) -> tuple[dict, bytes]:
    from dalembert import __version__

    w = _Writer()
    nodes: list[dict] = [{"name": scene.title, "rotation": _upright(scene.up), "children": []}]
    found: dict[tuple[int, int], int] = {}
    shapes: list[dict] = []
    library = [*scene.meshes, solids.spring(), solids.cylinder().moved((0, 0, 0.5))]
    packed: dict[int, tuple[int, int, int]] = {}

    def mesh(number: int, material: int) -> int:
        if (number, material) not in found:
            m = library[number]
            if number not in packed:
                packed[number] = (w.add(m.vertices, "VEC3", 34962, True), w.add(_units(m.normals), "VEC3", 34962),
                                  w.add(m.triangles, "SCALAR", 34963, True))
            v, n, f = packed[number]
            found[number, material] = len(shapes)
            shapes.append({"primitives": [{"attributes": {"POSITION": v, "NORMAL": n}, "indices": f, "material": material}]})
        return found[number, material]

    def node(parent: int, **about) -> int:
        nodes.append(about)
        nodes[parent].setdefault("children", []).append(len(nodes) - 1)
        return len(nodes) - 1

    frames = [node(0, name=name) for name in scene.names]
    for p in scene.parts:
        place = {"translation": _floats(p.position), "rotation": _xyzw(p.quaternion), "scale": _floats(p.scale)}
        node(0 if p.body == GROUND else frames[p.body], mesh=mesh(p.mesh, p.material), **place)
    channels: list[dict] = []
    samplers: list[dict] = []
    clock = w.add(scene.t - scene.t[0], "SCALAR", None, True)

    def animate(target: int, path: str, values, kind: str) -> None:
        samplers.append({"input": clock, "output": w.add(values, kind), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": target, "path": path}})

    for k, target in enumerate(frames):
        nodes[target] |= {"translation": _floats(scene.position[0, k]), "rotation": _xyzw(scene.quaternion[0, k])}
        if scene.frames > 1:
            animate(target, "translation", scene.position[:, k], "VEC3")
            animate(target, "rotation", _units(scene.quaternion[:, k][:, [1, 2, 3, 0]]), "VEC4")
    for tie, matrix in zip(scene.ties, stretching.tie_matrices(scene), strict=True):
        size = np.maximum(np.linalg.norm(matrix[:, :, :3], axis=1), 1e-12)
        turn = continuous(np.array([quaternion_of_matrix(m) for m in matrix[:, :, :3] / size[:, None, :]]))
        number = len(scene.meshes) + (0 if tie.kind == "spring" else 1)
        target = node(0, name=tie.name, mesh=mesh(number, tie.material), translation=_floats(matrix[0, :, 3]),
                      rotation=_xyzw(turn[0]),
                      scale=_floats(size[0]))
        if scene.frames > 1:
            animate(target, "translation", matrix[:, :, 3], "VEC3")
            animate(target, "rotation", _units(turn[:, [1, 2, 3, 0]]), "VEC4")
            animate(target, "scale", size, "VEC3")
    document = {"asset": {"version": "2.0", "generator": f"dalembert {__version__}"}, "scene": 0,
                "scenes": [{"name": scene.title, "nodes": [0]}], "nodes": nodes,
                "materials": [_material(m, k) for k, m in enumerate(scene.materials)],
                "accessors": w.accessors, "bufferViews": w.views}
    if shapes:
        document["meshes"] = shapes
    if not document["materials"]:
        del document["materials"]
    if channels:
        document["animations"] = [{"name": scene.title, "channels": channels, "samplers": samplers}]
    return document, w.data


def _material(m, number: int) -> dict:
    rough = float(np.clip(np.sqrt(2.0 / (m.shininess + 2.0)), 0.05, 1.0))
    about: dict = {"name": f"material {number + 1}", "pbrMetallicRoughness": {
        "baseColorFactor": [*_floats(linear(m.diffuse)), float(m.opacity)], "metallicFactor": 0.0, "roughnessFactor": rough}}
    if any(m.emissive):
        about["emissiveFactor"] = _floats(linear(m.emissive))
    if m.opacity < 1:
        about["alphaMode"] = "BLEND"
    return about


def _upright(up) -> list[float]:
    """Rotation (x, y, z, w) that turns ``up`` into y."""
    u, y = np.asarray(up, float), np.array([0, 1.0, 0])
    if u @ y < -0.999999:
        return [1.0, 0.0, 0.0, 0.0]
    q = np.append(np.cross(u, y), 1.0 + u @ y)
    return _floats(q / np.linalg.norm(q))


def _floats(values) -> list[float]:
    return [float(np.float32(x)) for x in values]


def _xyzw(q) -> list[float]:
    q = np.asarray(q, float) / np.linalg.norm(q)
    return _floats([q[1], q[2], q[3], q[0]])


def _units(rows) -> np.ndarray:
    rows = np.asarray(rows, float)
    size = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.where(size > 0, rows / np.where(size > 0, size, 1.0), np.eye(rows.shape[-1])[-1])
