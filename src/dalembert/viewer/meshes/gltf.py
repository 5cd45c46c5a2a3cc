"""Triangles of a glTF 2.0 file (.glb, .gltf): positions and indices of all meshes in the scene, placed by their nodes.

A small reader of our own, since the file is somebody else's: every number in it is checked against what is there before it is
used; buffers come from the file itself or from files in its folder.  Not read: compressed or sparse accessors, points, lines.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import os
import struct
from typing import Any
from urllib.parse import unquote

import numpy as np

from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.errors import FileError
from dalembert.io.reading import below, read_bytes

KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC3": 3}
CORNERS = 20_000_000  # of the whole scene
LARGEST = 500_000_000  # bytes of a buffer beside the file


class Odd(Exception):
    """Something in the file is not as it must be."""


def read(data: bytes, path: str, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) and triangles (m, 3)."""
    try:
        return _File(data, path).triangles()
    except Odd as error:
        raise FileError(f"{what}: '{path}' cannot be read as glTF: {error}") from None


class _File:
    def __init__(self, data: bytes, path: str):
        self.path, self.chunk = path, b""
        text = data
        if data[:4] == b"glTF":
            text, self.chunk = _chunks(data)
        try:
            self.document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Odd(f"no JSON: {error}") from None
        if not isinstance(self.document, dict):
            raise Odd("its JSON is not an object")
        self.buffers: dict[int, bytes] = {}
        self.corners = 0

    def item(self, section: str, index: Any) -> dict[str, Any]:
        entries = self.document.get(section)
        if not isinstance(entries, list) or not _whole(index, 0, len(entries) - 1) or not isinstance(entries[index], dict):
            raise Odd(f"there is no {section}[{index!s:.20}]")
        return entries[index]

    # ---------------------------------------------------------------------------------------------------- numbers

    def buffer(self, index: Any) -> bytes:
        if not _whole(index, 0, CORNERS):
            raise Odd(f"there is no buffer {index!s:.20}")
        if index not in self.buffers:
            self.buffers[index] = self._load(self.item("buffers", index), index)
        return self.buffers[index]

    def _load(self, entry: dict[str, Any], index: int) -> bytes:
        uri = entry.get("uri")
        if uri is None:
            if index or not self.chunk:
                raise Odd(f"buffer {index} has no data")
            return self.chunk
        if not isinstance(uri, str):
            raise Odd(f"the uri of buffer {index} is no text")
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=True)
            except (binascii.Error, ValueError) as error:
                raise Odd(f"buffer {index}: {error}") from None
        folder = os.path.dirname(self.path) or "."
        file = os.path.join(folder, unquote(uri))
        if "\0" in file or "://" in uri or os.path.isabs(unquote(uri)) or not below(file, [folder]):
            raise Odd(f"buffer {index} lies outside its folder ('{uri:.60}'); only files in it or below are read")
        return read_bytes(file, LARGEST)

    def accessor(self, index: Any, kind: str, whole: bool) -> np.ndarray:
        """Numbers of an accessor, (count, width)."""
        a = self.item("accessors", index)
        component, count, width = KINDS.get(_hashable(a.get("componentType"))), a.get("count"), WIDTH[kind]
        if a.get("type") != kind or component is None or ("f" in component) == whole or not _whole(count, 0, CORNERS):
            raise Odd(f"accessor {index} is not what it is used for")
        if "sparse" in a or "bufferView" not in a:
            raise Odd(f"accessor {index} is sparse or has no data; export the mesh without compression")
        view = self.item("bufferViews", a["bufferView"])
        data = self.buffer(view.get("buffer"))
        size = np.dtype(component).itemsize * width
        step, first, start, length = view.get("byteStride", size), view.get("byteOffset", 0), a.get("byteOffset", 0), view.get(
            "byteLength")
        if not (_whole(step, size, 252) and all(_whole(x, 0, len(data)) for x in (first, start, length))):
            raise Odd(f"accessor {index} has a place or a stride that cannot be")
        end = start + (step * (count - 1) + size if count else 0)
        if end > length or first + length > len(data):
            raise Odd(f"accessor {index} reaches beyond its data")
        if not count:
            return np.zeros((0, width))
        raw = np.frombuffer(data, np.uint8, end - start, first + start)
        rows = np.lib.stride_tricks.as_strided(raw, (count, size), (step, 1), writeable=False)
        return np.ascontiguousarray(rows).view(component).reshape(count, width)

    # ---------------------------------------------------------------------------------------------------- the scene

    def triangles(self) -> tuple[np.ndarray, np.ndarray]:
        nodes = self.document.get("nodes") or []
        scenes = self.document.get("scenes")
        if scenes:
            roots = self.item("scenes", self.document.get("scene", 0)).get("nodes", [])
        else:
            roots = list(range(len(nodes))) if isinstance(nodes, list) else []
        vertices, faces, base = [np.zeros((0, 3))], [np.zeros((0, 3), int)], 0
        queue, seen = [(n, np.eye(4)) for n in _list(roots)], set()
        while queue:
            index, above = queue.pop(0)
            node = self.item("nodes", index)
            if index in seen:
                raise Odd(f"node {index} is in the scene twice")
            seen.add(index)
            place = above @ _matrix(node)
            queue += [(n, place) for n in _list(node.get("children", []))]
            if "mesh" in node:
                for v, f in self._mesh(node["mesh"]):
                    vertices.append(v @ place[:3, :3].T + place[:3, 3])
                    faces.append(f + base)
                    base += len(v)
        return np.concatenate(vertices), np.concatenate(faces)

    def _mesh(self, index: Any):
        for p in _list(self.item("meshes", index).get("primitives", [])):
            attributes = p.get("attributes") if isinstance(p, dict) else None
            if not isinstance(attributes, dict) or p.get("mode", 4) not in (4, 5, 6):
                continue  # points and lines
            v = self.accessor(attributes.get("POSITION"), "VEC3", False).astype(float)
            k = self.accessor(p["indices"], "SCALAR", True)[:, 0].astype(np.int64) if "indices" in p else np.arange(len(v))
            self.corners += len(v) + len(k)
            if self.corners > CORNERS:
                raise Odd(f"more than {CORNERS:,} corners")
            if k.size and not 0 <= k.min() <= k.max() < len(v):
                raise Odd(f"a triangle names corner {int(k.max())}, there are {len(v)}")
            yield v, _faces(k, p.get("mode", 4))


def _faces(k: np.ndarray, mode: int) -> np.ndarray:
    if mode == 4:
        return k[:len(k) // 3 * 3].reshape(-1, 3)
    if len(k) < 3:
        return np.zeros((0, 3), np.int64)
    if mode == 6:
        return np.column_stack([np.full(len(k) - 2, k[0]), k[1:-1], k[2:]])
    out = np.column_stack([k[:-2], k[1:-1], k[2:]])
    out[1::2, :2] = out[1::2, 1::-1]
    return out


def _chunks(data: bytes) -> tuple[bytes, bytes]:
    """JSON and binary chunk of a .glb."""
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            raise Odd("it ends in the middle of a chunk")
        found.setdefault(kind, data[at + 8:at + 8 + size])
        at += 8 + size
    if 0x4E4F534A not in found:
        raise Odd("it has no JSON")
    return found[0x4E4F534A], found.get(0x004E4942, b"")


def _matrix(node: dict[str, Any]) -> np.ndarray:
    if "matrix" in node:
        return _numbers(node["matrix"], 16).reshape(4, 4).T
    out = np.eye(4)
    x, y, z, w = _numbers(node.get("rotation", [0, 0, 0, 1]), 4)
    size = math.sqrt(x * x + y * y + z * z + w * w)
    turn = matrix_of_quaternion(np.array([w, x, y, z]) / size) if 1e-6 < size < 1e6 else np.eye(3)
    out[:3, :3] = turn * _numbers(node.get("scale", [1, 1, 1]), 3)
    out[:3, 3] = _numbers(node.get("translation", [0, 0, 0]), 3)
    return out


def _numbers(value: Any, count: int) -> np.ndarray:
    if not isinstance(value, list) or len(value) != count or not all(
            isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < 1e30 for x in value):
        raise Odd(f"expected {count} numbers, found {value!r:.60}")
    return np.array(value, float)


def _list(value: Any) -> list:
    if not isinstance(value, list):
        raise Odd(f"expected a list, found {value!r:.60}")
    return value


def _whole(x: Any, least: int, most: int) -> bool:
    return isinstance(x, int) and not isinstance(x, bool) and least <= x <= most


def _hashable(x: Any) -> Any:
    return x if isinstance(x, int) else None
