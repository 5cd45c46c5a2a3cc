"""Mesh files: STL in both forms, OBJ, glTF, Collada; what is wrong is said."""

import importlib.util
import struct

import numpy as np
import pytest

import dalembert as da
from dalembert.viewer.meshes.files import read_mesh, surface
from dalembert.viewer.scene.from_results import scene_of

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def volume(mesh):
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    return np.einsum("ti,ti->", a, np.cross(b, c)) / 6


def write(path):
    corners = TETRAHEDRON[np.array(FACES)]
    if path.name == "text.stl":
        loops = ["".join(f"vertex {x} {y} {z}\n" for x, y, z in f) for f in corners]
        facets = "".join(f"facet normal 0 0 0\nouter loop\n{loop}endloop\nendfacet\n" for loop in loops)
        path.write_text(f"solid t\n{facets}endsolid t\n")
    elif path.suffix == ".stl":
        rows = b"".join(struct.pack("<12fH", 0, 0, 0, *f.ravel(), 0) for f in corners)
        path.write_bytes(b"solid but binary".ljust(80) + struct.pack("<I", len(corners)) + rows)
    elif path.suffix == ".obj":
        path.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON)
                        + "f 1//1 3//1 2//1\nf 1/1 2/2 4/3\nf -3 -2 -1\nf 1 4 3\n# quad and comment are fine\n")
    else:
        trimesh = pytest.importorskip("trimesh")
        trimesh.Trimesh(TETRAHEDRON, FACES, process=False).export(path)
    return path


@pytest.mark.parametrize("name", ["text.stl", "binary.stl", "x.obj", "x.glb"])
def test_formats_agree(tmp_path, name):
    mesh = read_mesh(write(tmp_path / name))
    assert len(mesh.triangles) == 4 and volume(mesh) == pytest.approx(1 / 6)
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)


def test_quads_become_two_triangles(tmp_path):
    (tmp_path / "q.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    mesh = read_mesh(tmp_path / "q.obj")
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(1)


def test_mesh_on_a_body_scaled(tmp_path):
    m = da.Model("mesh", dim=3)
    mesh = da.Mesh(str(write(tmp_path / "x.obj")), scale=(1, 2, 3), material="steel")
    m.add(da.Body("b", mass=1, inertia=(1, 1, 1), shapes=mesh))
    scene = scene_of(da.simulate(m, 0.1))
    assert np.allclose(scene.parts[0].scale, [1, 2, 3]) and not scene.meshes[0].closed


@pytest.mark.parametrize("name, content, says", [
    ("none.stl", None, "No such file.*Paths are taken from"), ("x.mesh", "", "export it as STL, OBJ or glTF"),
    ("bad.obj", "v 0 0\n", "line 1: expected three numbers after v"), ("far.obj", "v 0 0 0\nf 1 2 3\n", "corner 3, but only 1"),
    ("bad.stl", "nonsense", "no STL file"), ("empty.obj", "# nothing\n", "no triangles"),
    ("cut.stl", "solid\nvertex 0 0 0\n", "middle of a facet"),
    ("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"), ("bad.glb", "glTF", "cannot be read as glTF"),
])
def test_what_is_wrong_is_said(tmp_path, name, content, says):
    if name.endswith(".glb"):
        pytest.importorskip("trimesh")
    if content is not None:
        (tmp_path / name).write_text(content)
    m = da.Model("mesh", dim=2)
    m.add(da.Body("plate", mass=1, inertia=1, shapes=da.Mesh(tmp_path / name)))
    with pytest.raises(da.FileError, match=f"(?s)body 'plate'.*{says}"):
        da.simulate(m, 0.1).view(tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


COLLADA = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2026-01-01</created>
<modified>2026-01-01</modified><unit name="unit" meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles></mesh>
</geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_collada_by_trimesh_in_its_own_unit(tmp_path, unit):
    file = tmp_path / "a.dae"
    file.write_text(COLLADA.format(unit=unit))
    if importlib.util.find_spec("collada") is None:
        with pytest.raises(da.FileError, match="pip install trimesh pycollada"):
            surface(file)
        return
    corners, faces = surface(file)
    assert len(faces) == 4
    np.testing.assert_allclose(corners.max(axis=0), np.array([1, 2, 3]) * unit)
    file.write_text('<!DOCTYPE a [<!ENTITY b "c">]>' + COLLADA.format(unit=unit).partition("?>")[2])
    with pytest.raises(da.FileError, match="DOCTYPE"):
        surface(file)
