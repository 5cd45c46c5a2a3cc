"""Ogre's mesh as XML (.mesh.xml): what OgreXMLConverter makes of a binary .mesh, and turns into one.

    <mesh> [<sharedgeometry vertexcount=> …] <submeshes>
      <submesh usesharedvertices= operationtype="triangle_list | triangle_strip | triangle_fan">
        <faces> <face v1= v2= v3=/> … </faces>
        <geometry> <vertexbuffer> <vertex> <position x= y= z=/> … </vertex> …

Read are positions and faces; normals are made anew, materials come from conf.txt.  Strips and fans give their first face whole
and one corner for each further face.  Submeshes of points and lines are left out.
"""

from __future__ import annotations

import itertools

import numpy as np

from dalembert.errors import FileError
from dalembert.io.xml import Node, parse
from dalembert.viewer.meshes.solids import Triangles


def read(data: bytes, path: str, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) and triangles (m, 3) of all submeshes."""
    title = f"{what}: {path}"
    root = parse(data, title)
    if root.tag != "mesh":
        raise FileError(f"{title}, line {root.line}: expected <mesh>, found <{root.tag:.40}>")
    common = root.first("sharedgeometry")
    vertices = [np.zeros((0, 3)) if common is None else _positions(common, title)]
    faces, base = [np.zeros((0, 3), np.int64)], len(vertices[0])
    for group in root.all("submeshes"):
        for sub in group.all("submesh"):
            kind = sub.attributes.get("operationtype", "triangle_list")
            if not kind.startswith("triangle"):
                continue
            own = sub.first("geometry")
            shared = sub.attributes.get("usesharedvertices", "true" if own is None else "false").lower() == "true"
            if shared:
                count, first = len(vertices[0]), 0
            elif own is None:
                raise FileError(f"{title}, line {sub.line}: a submesh has no <geometry>")
            else:
                vertices.append(_positions(own, title))
                count, first = len(vertices[-1]), base
                base += count
            faces.append(_faces(sub, kind, count, title) + first)
    return np.concatenate(vertices), np.concatenate(faces)


def _positions(geometry: Node, title: str) -> np.ndarray:
    for buffer in geometry.all("vertexbuffer"):
        places = [p for v in buffer.all("vertex") for p in v.all("position")[:1]]
        if places:
            return np.array([[_number(p, k, float, title) for k in "xyz"] for p in places])
    return np.zeros((0, 3))


def _faces(sub: Node, kind: str, count: int, title: str) -> np.ndarray:
    corners: list[list[int]] = []
    for face in (f for group in sub.all("faces") for f in group.all("face")):
        whole = kind == "triangle_list" or not corners
        row = [_number(face, k, int, title) for k in (("v1", "v2", "v3") if whole else ("v1",))]
        bad = next((c for c in row if not 0 <= c < count), None)
        if bad is not None:
            raise FileError(f"{title}, line {face.line}: a face has corner {bad}, but there are {count}")
        corners.append(row)
    if kind == "triangle_list" or not corners:
        return np.array(corners, np.int64).reshape(-1, 3)
    line = list(itertools.chain(*corners))
    if kind == "triangle_fan":
        rows = [(line[0], a, b) for a, b in itertools.pairwise(line[1:])]
    else:
        rows = [(a, b, c) if k % 2 == 0 else (b, a, c) for k, (a, b, c) in enumerate(zip(line, line[1:], line[2:]))]
    return np.array(rows, np.int64).reshape(-1, 3)


def _number(node: Node, key: str, kind, title: str):
    text = node.attributes.get(key)
    try:
        return kind(text)
    except (TypeError, ValueError, OverflowError):
        raise FileError(f"{title}, line {node.line}: <{node.tag}> needs a number {key}=, found {text!r:.40}") from None


def write(mesh: Triangles, material: str) -> str:
    """The XML of a mesh, one submesh."""
    rows = "".join(f'<vertex><position x="{x:.7g}" y="{y:.7g}" z="{z:.7g}"/><normal x="{a:.5g}" y="{b:.5g}" z="{c:.5g}"/>'
                   "</vertex>\n" for (x, y, z), (a, b, c) in zip(mesh.vertices.tolist(), mesh.normals.tolist()))
    faces = "".join(f'<face v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in mesh.triangles.tolist())
    wide = "true" if len(mesh.vertices) > 65535 else "false"
    return (f'<mesh>\n<submeshes>\n<submesh material="{material}" usesharedvertices="false" use32bitindexes="{wide}" '
            f'operationtype="triangle_list">\n<faces count="{len(mesh.triangles)}">\n{faces}</faces>\n'
            f'<geometry vertexcount="{len(mesh.vertices)}">\n<vertexbuffer positions="true" normals="true">\n{rows}'
            "</vertexbuffer>\n</geometry>\n</submesh>\n</submeshes>\n</mesh>\n")
