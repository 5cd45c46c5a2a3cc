"""Frame files and meshes that somebody mangled: see guard.py for what must hold."""

import numpy as np
from guard import cases, harmless, mutated, mutated_bytes
from hypothesis import given
from hypothesis import strategies as st

import dalembert as da
from dalembert.viewer.meshes.files import read_mesh

FRAME = """1, 20, -0.25, 0, 0, 0, 0, 0, 0,
2, 0, 2.5, 0, 1, 0, 0, 0,
3, -33.775, 25, 0, 0.965926, 0, 0, -0.258819,
"""
CONF = "pos .dat\n2 1\n3 2\n2 Cube.mesh 40 .5 80 Material1\n1 Sphere.mesh .5 .5 .5 Material1\n"
MATERIAL = """material Material1
{
    technique
    {
        pass
        {
            ambient 0.1 0.1 0.1 1.0
            diffuse 1.0 0.5 0.25 1.0
            specular 0.5 0.5 0.5 1.0 12.5
        }
    }
}
"""
FILES = {"conf.txt": CONF, "pos000.dat": FRAME, "pos001.dat": FRAME, "materials.material": MATERIAL}
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1//1 2//1 4//1\nf 1 3 4\nf 2 3 4\n"
TEXT_STL = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
BINARY_STL = bytes(80) + (2).to_bytes(4, "little") + np.arange(24, dtype="<f4").tobytes()[:48] + b"\0\0" + bytes(50)

OGRE = b"""<?xml version="1.0"?>
<mesh><sharedgeometry vertexcount="3"><vertexbuffer positions="true"><vertex><position x="0" y="0" z="0"/></vertex>
<vertex><position x="1" y="0" z="0"/></vertex><vertex><position x="0" y="1" z="0"/></vertex></vertexbuffer></sharedgeometry>
<submeshes><submesh usesharedvertices="true" operationtype="triangle_list"><faces count="1"><face v1="0" v2="2" v3="1"/></faces>
</submesh><submesh usesharedvertices="false" operationtype="triangle_strip"><faces count="2"><face v1="0" v2="1" v3="2"/>
<face v1="3"/></faces>
<geometry vertexcount="4"><vertexbuffer positions="true"><vertex><position x="0" y="0" z="1"/></vertex>
<vertex><position x="1" y="0" z="1"/></vertex><vertex><position x="0" y="1" z="1"/></vertex>
<vertex><position x="1" y="1" z="1"/></vertex></vertexbuffer></geometry></submesh></submeshes></mesh>
"""


def folder(path, changed=None, text=None):
    for name, content in FILES.items():
        (path / name).write_text(text if name == changed else content, encoding="utf-8", errors="surrogateescape")
    return path / "conf.txt"


def test_the_unharmed_files_are_read(tmp_path):
    assert len(da.read_frames(folder(tmp_path)).scene().parts) == 3


@cases(120)
@given(st.integers(0, 2**63), st.sampled_from(list(FILES)))
def test_mangled_frames(tmp_path_factory, seed, name):
    conf = folder(tmp_path_factory.mktemp("f"), name, mutated(FILES[name], seed))
    with harmless():
        da.read_frames(conf).scene()


@cases(60)
@given(st.integers(0, 2**63), st.sampled_from([("a.obj", OBJ), ("a.stl", TEXT_STL), ("b.stl", BINARY_STL), ("a.mesh.xml", OGRE)]))
def test_mangled_meshes(tmp_path_factory, seed, which):
    name, data = which
    path = tmp_path_factory.mktemp("m") / name
    path.write_bytes(mutated_bytes(data, seed))
    with harmless():
        read_mesh(path)
