"""Mesh files: STL (text and binary), OBJ, glTF and Ogre's XML, by small readers of our own; Collada by trimesh and pycollada.

For the eye (``read_mesh``) and for mass (``surface``); colours and textures are left alone: the part's material counts.
"""

from __future__ import annotations

import io
import itertools
import os
import re
from typing import Any

import numpy as np

from dalembert.errors import FileError
from dalembert.io.reading import read_bytes
from dalembert.io.xml import parse
from dalembert.viewer.meshes import gltf, ogre
from dalembert.viewer.meshes.solids import Triangles, smooth

LARGEST = 500_000_000  # bytes
READABLE = (".stl", ".obj", ".glb", ".gltf", ".mesh.xml", ".dae")


def read_mesh(path, what: str = "mesh") -> Triangles:
    """Triangles of a file, for the eye; ``what`` names its user in messages."""
    return smooth(*surface(path, what))


def surface(path, what: str = "mesh") -> tuple[np.ndarray, np.ndarray]:
    """Corners (n × 3) and triangles (m × 3) of a file, as they are in it."""
    path = os.fspath(path)
    ending(path, what)
    try:
        data = read_bytes(path, LARGEST)
    except FileError as error:
        raise FileError(f"{what}: {error}. Paths are taken from the folder the program runs in ({os.getcwd()})") from error
    return _corners(data, path, what)


def ending(path: str, what: str) -> str:
    """The kind of a mesh by its name; refuses what is not read."""
    found = next((e for e in READABLE if path.lower().endswith(e)), None)
    if found is None:
        cure = (f"it is Ogre's binary mesh: run 'OgreXMLConverter {os.path.basename(path)}', which makes "
                f"{os.path.basename(path)}.xml, or" if path.lower().endswith(".mesh") else "please")
        raise FileError(f"{what}: '{path}' is not a mesh that can be read; {cure} export it as STL, OBJ or glTF "
                        f"({', '.join(READABLE)})")
    return found


def mesh_of(data: bytes, path: str, what: str) -> Triangles:
    """Triangles of the content of a file, for the eye."""
    return smooth(*_corners(data, path, what))


def _corners(data: bytes, path: str, what: str) -> tuple[np.ndarray, np.ndarray]:
    kind = ending(path, what)
    readers: dict[str, Any] = {".stl": _stl, ".obj": _obj, ".mesh.xml": ogre.read, ".dae": _collada}
    vertices, triangles = readers.get(kind, gltf.read)(data, path, what)
    if not len(triangles):
        raise FileError(f"{what}: the mesh '{path}' has no triangles")
    if not np.all(np.abs(vertices) < 1e100):  # nor nan
        raise FileError(f"{what}: the mesh '{path}' has corners that are not finite numbers")
    return vertices, triangles


def _stl(data: bytes, path: str, what: str):
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("_", "<u2")]), offset=84)
        vertices = rows["v"].reshape(-1, 3).astype(float)
    else:
        if not data.lstrip()[:5].lower() == b"solid":
            raise FileError(f"{what}: '{path}' is no STL file: neither text that begins with 'solid' nor "
                            f"{84 + 50 * max(count, 0)} bytes of binary (it has {len(data)})")
        found = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", data)
        try:
            vertices = np.array(found, dtype="S").astype(float).reshape(-1, 3)
        except ValueError as error:
            raise FileError(f"{what}: '{path}' has a corner that is no number: {error}") from None
        if len(vertices) % 3:
            raise FileError(f"{what}: '{path}' ends in the middle of a facet ({len(vertices)} corners)")
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


def _collada(data: bytes, path: str, what: str):
    """Read by trimesh, where it and pycollada are installed; first by our own XML reader, which refuses entities and depth.

    Lengths become metres by the file's unit; its up axis is left alone, as robots' files expect.
    """
    asset = parse(data, f"{what}: {path}").first("asset")
    unit = asset.first("unit") if asset is not None else None
    try:
        import collada  # noqa: F401
        import trimesh
    except ImportError:
        raise FileError(f"{what}: '{path}' is Collada, which needs trimesh and pycollada (pip install trimesh pycollada); or "
                        "export it as STL, OBJ or glTF") from None
    try:
        found: Any = trimesh.load(io.BytesIO(data), file_type="dae", force="mesh")
        metre = float(unit.attributes.get("meter", "1")) if unit is not None else 1.0
        return metre * np.asarray(found.vertices, float).reshape(-1, 3), np.asarray(found.faces).astype(int).reshape(-1, 3)
    except Exception as error:  # whatever a reader of others raises on a bad file
        raise FileError(f"{what}: trimesh cannot read '{path}' as Collada ({type(error).__name__}: {error!s:.100})") from None


def _obj(data: bytes, path: str, what: str):
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
        words = line.split()
        if not words or words[0] not in ("v", "f"):
            continue
        try:
            if words[0] == "v":
                vertices.append([float(x) for x in words[1:4]])
                if len(vertices[-1]) != 3:
                    raise ValueError
            else:
                corners = [int(x.split("/")[0]) for x in words[1:]]
                corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
                if len(corners) < 3 or min(corners) < 0:
                    raise ValueError
                triangles += [(corners[0], a, b) for a, b in itertools.pairwise(corners[1:])]
        except ValueError:
            expected = "three numbers after v" if words[0] == "v" else "three or more corner numbers after f"
            raise FileError(f"{what}: {path}, line {number}: expected {expected}, found '{line.strip()}'") from None
    if triangles and max(map(max, triangles)) >= len(vertices):
        raise FileError(f"{what}: '{path}' has a face with corner {max(map(max, triangles)) + 1}, but only "
                        f"{len(vertices)} corners")
    return np.array(vertices, float).reshape(-1, 3), np.array(triangles, int).reshape(-1, 3)
