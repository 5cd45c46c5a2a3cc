"""The how-to of the text, whole: resources.cfg, archives, Ogre's meshes, start, stop and step, fewer objects than announced."""

import shutil
import struct
import subprocess
import zipfile

import numpy as np
import pytest

import dalembert as da
from dalembert.viewer.meshes.files import read_mesh

PRINTED = """# Resources required
[General]
Zip=resources/SdkTrays.zip
Zip=resources/models.zip
FileSystem=./resources

[Data]
Zip=resources/data.zip
"""
CONF = "pos .dat\n{frames}\n2 2\n1 Cube.mesh 4 .5 8 Material1\n1 Ship.mesh .5 .5 .5 Material1\n"
SHIP = """<?xml version="1.0"?>
<mesh><sharedgeometry vertexcount="4"><vertexbuffer positions="true">
<vertex><position x="0" y="0" z="0"/></vertex><vertex><position x="1" y="0" z="0"/></vertex>
<vertex><position x="0" y="1" z="0"/></vertex><vertex><position x="0" y="0" z="1"/></vertex>
</vertexbuffer></sharedgeometry><submeshes>
<submesh usesharedvertices="true" operationtype="triangle_list"><faces count="2">
<face v1="0" v2="2" v3="1"/><face v1="0" v2="1" v3="3"/></faces></submesh>
<submesh usesharedvertices="true" operationtype="triangle_strip"><faces count="2">
<face v1="1" v2="2" v3="3"/><face v1="0"/></faces></submesh>
<submesh usesharedvertices="true" operationtype="line_list"><faces count="1"><face v1="0" v2="1"/></faces></submesh>
</submeshes></mesh>
"""


def row(k, x):
    return f"{k}, {x}, 0, 0, 1, 0, 0, 0,\n"


def packed(path, files, kind=zipfile.ZIP_DEFLATED):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def folder(path, frames="6 1", count=6):
    """As the text prints it: frames and models in archives, materials in a folder."""
    packed(path / "resources" / "data.zip", {f"data/pos{k:03d}.dat": row(1, k) + row(2, -k) for k in range(count)})
    red = "material Red { technique { pass { diffuse 1 0 0 } } }"
    packed(path / "resources" / "models.zip", {"Ship.mesh.xml": SHIP, "extra.material": red})
    (path / "resources" / "materials.material").write_text("material Material1 { technique { pass { diffuse 0 1 0 1 } } }")
    (path / "resources.cfg").write_text(PRINTED)
    (path / "conf.txt").write_text(CONF.format(frames=frames))
    return path


def test_frames_and_meshes_in_archives(tmp_path):
    clip = da.read_frames(folder(tmp_path))
    assert np.array_equal(clip.position[:, :, 0], [[k, -k] for k in range(6)])
    assert set(clip.materials) == {"Material1", "Red"}
    assert clip.notes == ["resources.cfg: 'resources/SdkTrays.zip' is not there"]
    scene = clip.scene()
    a, b, c = np.moveaxis(scene.meshes[1].vertices[scene.meshes[1].triangles], 1, 0)
    assert len(a) == 4 and np.einsum("ti,ti->", a, np.cross(b, c)) / 6 == pytest.approx(1 / 6)  # the strip turns its second face


@pytest.mark.parametrize("line, options, numbers", [
    ("6 1", {}, [0, 1, 2, 3, 4, 5]), ("6 2", {}, [0, 2, 4]), ("6", {}, [0, 1, 2, 3, 4, 5]), ("6 0", {}, [0, 1, 2, 3, 4, 5]),
    ("6 1 2 4", {}, [2, 3, 4]), ("4 1", {}, [0, 1, 2, 3]), ("6 2 1 5", {"start": 2}, [2, 4]),
    ("6 1", {"start": 1, "stop": 4, "step": 3}, [1, 4]),
])
def test_start_stop_and_step(tmp_path, line, options, numbers):
    clip = da.read_frames(folder(tmp_path, line), fps=10, **options)
    assert clip.position[:, 0, 0].tolist() == numbers and np.allclose(clip.t, np.array(numbers) / 10)


@pytest.mark.parametrize("options, says", [
    ({"start": 9}, "no frame from number 9"), ({"step": 0}, "step is a whole number from 1 on"),
    ({"stop": 2.5}, "stop is the number of a frame"), ({"start": -1}, "start is the number of a frame"),
])
def test_frames_that_are_not_there(tmp_path, options, says):
    with pytest.raises(da.FileError, match=says):
        da.read_frames(folder(tmp_path), **options)


def test_fewer_objects_than_announced_are_a_note(tmp_path):
    """The text's printed samples together: 20 lines, 1011 objects."""
    conf = "pos .dat\n1500 1\n1011 2\n11 Cube.mesh 40 .5 80 tomato\n1000 Cube.mesh .5 .5 .5 steel\n"
    (tmp_path / "conf.txt").write_text(conf)
    (tmp_path / "pos000.dat").write_text("".join(row(k, k) for k in range(1, 21)))
    (tmp_path / "pos001.dat").write_text("".join(row(k, 2 * k) for k in range(3, 23)))  # two others
    clip = da.read_frames(tmp_path)
    assert clip.names == [str(k) for k in range(3, 21)] and clip.position.shape == (2, 18, 3)
    assert clip.position[1, 0, 0] == 6.0 and "18 of the 1,011 objects announced in conf.txt" in clip.notes[1]
    scene = clip.scene()
    assert [p.body for p in scene.parts] == list(range(18)) and sum(np.allclose(p.scale, 0.5) for p in scene.parts) == 9
    (tmp_path / "pos001.dat").write_text(row(50, 0))
    with pytest.raises(da.FileError, match="no object is in every frame"):
        da.read_frames(tmp_path)


def test_places_that_are_not_read(tmp_path):
    folder(tmp_path / "in")
    (tmp_path / "secret.material").write_text("material Secret { }")
    cfg = tmp_path / "in" / "resources.cfg"
    cfg.write_text(PRINTED + f"FileSystem=..\nFileSystem={tmp_path}\nEmbedded=x\n")
    clip = da.read_frames(tmp_path / "in")
    assert "Secret" not in clip.materials and sum("outside the folder" in n for n in clip.notes) == 2
    assert any("'Embedded' are not read" in n for n in clip.notes)
    cfg.write_text("Zip resources/data.zip")
    with pytest.raises(da.FileError, match=r"resources.cfg, line 1: expected a place as 'Zip="):
        da.read_frames(tmp_path / "in")


def test_archives_that_are_none_or_bombs(tmp_path):
    folder(tmp_path)
    data = tmp_path / "resources" / "data.zip"
    packed(data, {f"pos{k:03d}.dat": b" " * 900_000 for k in range(20)})  # unpacks to eighteen megabytes
    with pytest.raises(da.FileError, match=r"0 objects|more than 100 times its size"):
        da.read_frames(tmp_path)
    packed(data, {f"pos{k:03d}.dat": row(1, k) + row(2, 0) + "\n" * 990_000 for k in range(20)})
    (tmp_path / "conf.txt").write_text(CONF.format(frames="20 1"))
    with pytest.raises(da.FileError, match="more than 100 times its size"):
        da.read_frames(tmp_path)
    packed(data, {"pos000.dat": b" " * 2_000_000})
    with pytest.raises(da.FileError, match="more than 1,000,000 bytes"):
        da.read_frames(tmp_path)
    packed(data, {"pos000.dat": row(1, 0)}, zipfile.ZIP_BZIP2)
    with pytest.raises(da.FileError, match="packed in a way that is not read"):
        da.read_frames(tmp_path)
    data.write_bytes(b"PK\3\4 nonsense")
    with pytest.raises(da.FileError, match="cannot be read as a zip archive"):
        da.read_frames(tmp_path)


@pytest.mark.parametrize("name", ["\0", "//", "/", "a/"])
def test_members_of_archives_without_a_name_are_passed_over(tmp_path, name):
    """A name cut by a null is empty for zipfile; folders end with a slash."""
    folder(tmp_path)
    with zipfile.ZipFile(tmp_path / "resources" / "data.zip", "a") as archive:
        archive.writestr("Q", b"")
    data = (tmp_path / "resources" / "data.zip").read_bytes()
    if name == "\0":
        data = data[::-1].replace(b"Q", b"\0", 1)[::-1]
        at = data.rindex(b"PK\3\4")
        data = data[:at] + data[at:].replace(b"Q", b"\0", 1)
        (tmp_path / "resources" / "data.zip").write_bytes(data)
    else:
        with zipfile.ZipFile(tmp_path / "resources" / "data.zip", "a") as archive:
            archive.writestr(name, b"")
    assert da.read_frames(tmp_path).scene()


def test_binary_meshes_name_the_converter(tmp_path):
    folder(tmp_path)
    (tmp_path / "resources" / "models.zip").unlink()
    (tmp_path / "Ship.mesh").write_bytes(struct.pack("<H", 0x1000) + b"[MeshSerializer_v1.8]\n")
    with pytest.raises(da.FileError, match=r"mesh 'Ship.mesh'.*OgreXMLConverter Ship.mesh.*Ship.mesh.xml.*OBJ"):
        da.read_frames(tmp_path).scene()
    (tmp_path / "Ship.mesh.xml").write_text(SHIP)
    (tmp_path / "Cube.mesh").write_bytes(b"\0\x10")  # known without a file, but somebody has one
    scene = da.read_frames(tmp_path).scene()
    assert any("Cube.mesh" in n and "OgreXMLConverter" in n for n in scene.notes)


@pytest.mark.parametrize("text, says", [
    ("<model/>", "expected <mesh>"),
    ("<mesh><submeshes><submesh usesharedvertices='false'/></submeshes></mesh>", "no <geometry>"),
    (SHIP.replace('v1="0"', 'v1="7"'), "a face has corner 7, but there are 4"), (SHIP.replace(' y="1"', ""), "needs a number y="),
    ("<mesh/>", "no triangles"), ('<!DOCTYPE x><mesh/>', "DOCTYPE"), (SHIP[:200], "not well-formed"),
])
def test_wrong_xml(tmp_path, text, says):
    (tmp_path / "a.mesh.xml").write_text(text)
    with pytest.raises(da.FileError, match=says):
        read_mesh(tmp_path / "a.mesh.xml")


def test_written_folders_name_what_they_need(four_bar, tmp_path):
    m = da.Model("boxes", dim=3)
    m.add(da.Body("box", mass=1, inertia=(1, 1, 1), shapes=da.Box((1, 2, 3))))
    da.simulate(m, 0.1, step=0.1).frames(tmp_path / "box")
    four_bar.frames(tmp_path / "bars", fps=2)
    for name in ("box", "bars"):
        place = tmp_path / name
        needed = {line.split()[1] for line in (place / "conf.txt").read_text().splitlines()[3:]}
        assert needed and all(n.endswith(".mesh") and (place / "meshes" / f"{n}.xml").is_file() for n in needed)
        places = [x.split("=")[1] for x in (place / "resources.cfg").read_text().splitlines() if x.startswith("FileSystem")]
        assert all((place / p).is_dir() for p in places)
    assert "Cube.mesh 1 2 3" in (tmp_path / "box" / "conf.txt").read_text()
    clip = da.read_frames(tmp_path / "bars")
    copy = da.read_frames(clip.frames(tmp_path / "copy"))
    a, b = clip.scene().meshes[0], copy.scene().meshes[0]
    assert np.allclose(a.vertices[a.triangles], b.vertices[b.triangles], atol=1e-6)


def test_ogres_own_converter_takes_them_and_gives_them_back(four_bar, tmp_path):
    tool = shutil.which("OgreXMLConverter")
    if tool is None:
        pytest.skip("OgreXMLConverter is not installed (Debian: ogre-1.12-tools)")
    four_bar.frames(tmp_path, fps=1)
    before = da.read_frames(tmp_path).scene().meshes
    for suffix in ("*.mesh.xml", "*.mesh"):  # to binary, and back
        for file in (tmp_path / "meshes").glob(suffix):
            subprocess.run([tool, "-log", str(tmp_path / "log"), str(file)], check=True, capture_output=True)
            file.unlink()
    after = da.read_frames(tmp_path).scene().meshes
    for a, b in zip(before, after, strict=True):
        assert np.allclose(a.vertices[a.triangles], b.vertices[b.triangles], atol=2e-6)
