"""Files of others: time, depth, encodings, paths; each with the error it leads to."""

import json
import os
import time

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.simulation import checkpoint
from dalembert.io import npz, xml
from dalembert.io.files import loads
from dalembert.io.reading import read_bytes
from dalembert.viewer.meshes.files import read_mesh

LINK = '<link name="l{k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>{more}</link>'
JOINT = '<joint name="j{k}" type="revolute"><parent link="l{k}"/><child link="l{n}"/><axis xyz="0 0 1"/></joint>'


def robot(count, more="", declared=""):
    links = "".join(LINK.format(k=k, more=more if k == 1 else "") for k in range(count))
    return f'{declared}<robot name="r">{links}{"".join(JOINT.format(k=k, n=k + 1) for k in range(count - 1))}</robot>'


@pytest.mark.parametrize(
    "text",
    [
        " " * 400_000,
        "a" * 400_000,
        "[" * 400_000,
        "[\n" * 100_000,
        "a" + " " * 400_000 + "b",
        "a." * 200_000,
        "#" * 400_000,
        "a = " + "[" * 400_000,
        "\t" * 400_000 + "=",
        '"' * 400_000,
        "a\n" * 100_000,
    ],
)
def test_toml_takes_linear_time(text):
    """400,000 characters that no model begins with: a fraction of a second (16,000 spaces took 6.7 s)."""
    begin = time.process_time()
    with pytest.raises(da.FileError):
        loads(text)
    assert time.process_time() - begin < 2.0


def test_long_chains(tmp_path):
    (tmp_path / "r.urdf").write_text(robot(1500))
    m = da.load_urdf(tmp_path / "r.urdf")
    assert len(m.bodies) == 1499 and list(m.bodies)[:2] == ["l1", "l2"]


@pytest.mark.parametrize("encoding", ["rot13", "utf-7", "no-such-code"])
def test_odd_encodings(tmp_path, encoding):
    (tmp_path / "r.urdf").write_text(robot(3, declared=f'<?xml version="1.0" encoding="{encoding}"?>'), encoding="utf-8")
    with pytest.raises(da.FileError, match=r"r\.urdf"):
        da.load_urdf(tmp_path / "r.urdf")


def test_meshes_of_a_robot_stay_in_its_folder(tmp_path):
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir(), other.mkdir()
    (home / "a.obj").write_text("v 0 0 0\n")
    (other / "b.obj").write_text("v 0 0 0\n")
    (home / "link.obj").symlink_to(other / "b.obj")

    def shapes(name, **kw):
        more = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
        (home / "r.urdf").write_text(robot(2, more))
        m = da.load_urdf(home / "r.urdf", **kw)
        return [s.file for s in m.bodies["l1"].shapes], m.notes

    assert shapes("a.obj")[0] == [str(home / "a.obj")] == shapes("package://pkg/a.obj")[0]
    for name in ("../other/b.obj", str(other / "b.obj"), "link.obj", "package://x/../../other/b.obj", "file:///etc/passwd"):
        found, notes = shapes(name)
        assert found == [] and "allow its folder" in notes[0], name
    assert shapes("../other/b.obj", meshes=[other])[0] == [str(home / "../other/b.obj")]


def test_a_ring_beside_the_root(tmp_path):
    text = robot(2).replace(
        "</robot>",
        LINK.format(k=7, more="")
        + LINK.format(k=8, more="")
        + JOINT.format(k=7, n=8)
        + JOINT.format(k=8, n=7).replace("j8", "j9")
        + "</robot>",
    )
    (tmp_path / "r.urdf").write_text(text)
    with pytest.raises(da.FileError, match="ring"):
        da.load_urdf(tmp_path / "r.urdf")


@pytest.mark.parametrize("kind", ["[]", "{}", "1", "true", "[[1]]"])
def test_the_type_of_a_shape(kind):
    with pytest.raises(da.FileError, match="a shape has the type"):
        loads(f'dalembert = 1\n[[body]]\nname = "a"\nmass = 1\ninertia = [1, 1, 1]\nshapes = [{{type = {kind}}}]\n')


@pytest.mark.parametrize("name", ["\0", "a\0b", "\x1b[31m", "\ud800"])
def test_names_that_no_file_holds_are_refused_when_given(name):
    with pytest.raises(da.ModelError, match="no file could hold it"):
        da.Model("m", dim=2).add(da.Body(name, mass=1, inertia=1))
    with pytest.raises(da.ModelError, match="no file could hold it"):
        da.Model(name)


@pytest.mark.parametrize("up", [[0, 0, 0], ["a"], {}, {"a": 1}, [[1, 2, 3]], [1, 2], None, 7, "w", [1e999, 0, 0], [None, 1, 2]])
def test_odd_directions_in_frames(tmp_path, up):
    da.simulate(catalog.make("pendulum"), 0.1, step=0.05).frames(tmp_path)
    about = json.loads((tmp_path / "dalembert.json").read_text())
    (tmp_path / "dalembert.json").write_text(json.dumps({**about, "up": up}))
    with pytest.raises(da.FileError, match="up is"):
        da.read_frames(tmp_path)


@pytest.mark.parametrize("prefix", ["../pos", "/else/pos", "a/../../pos"])
def test_frames_stay_in_their_folder(tmp_path, prefix):
    home = tmp_path / "home"
    da.simulate(catalog.make("pendulum"), 0.1, step=0.05).frames(home)
    (home / "conf.txt").write_text((home / "conf.txt").read_text().replace("pos .dat", f"{prefix} .dat"))
    with pytest.raises(da.FileError, match="leads out of its folder"):
        da.read_frames(home)


GLTF = {
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"},
    ],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 3}],
    "buffers": [{"byteLength": 39, "uri": "a.bin"}],
}


@pytest.mark.parametrize(
    "at, value, says",
    [
        ((), None, ""),
        (("accessors", 0, "count"), 2, "names corner 2, there are 2"),
        (("accessors", 0, "count"), 10**9, "not what it"),
        (("buffers", 0, "uri"), "../a.bin", "outside its folder"),
        (("buffers", 0, "uri"), "/etc/passwd", "outside its folder"),
        (("accessors", 1, "bufferView"), 5, r"no bufferViews\[5\]"),
        (("nodes", 0, "mesh"), [], r"no meshes"),
        (("bufferViews", 0, "byteOffset"), 30, "beyond its data"),
        (("nodes", 0, "children"), [0], "twice"),
        (("bufferViews", 0, "buffer"), {}, "no buffer"),
        (("accessors", 1, "sparse"), {}, "sparse"),
    ],
)
def test_gltf_numbers_are_checked(tmp_path, at, value, says):
    document = json.loads(json.dumps(GLTF))
    where = document
    for key in at[:-1]:
        where = where[key]
    if at:
        where[at[-1]] = value
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
    (tmp_path / "a.bin").write_bytes(corners + bytes([0, 1, 2]))
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    if not at:
        assert len(read_mesh(tmp_path / "a.gltf").triangles) == 1
        return
    with pytest.raises(da.FileError, match=says):
        read_mesh(tmp_path / "a.gltf")


@pytest.mark.parametrize(
    "name, options",
    [
        ("slider-crank", {"lengths": (1.0, 0.2)}),
        ("four-bar", {"lengths": (5.0, 0.1, 0.1, 0.1)}),
        ("slider-crank", {"lengths": (1.0, 0.0)}),
        ("spatial-four-bar", {"lengths": (5.0, 0.1, 0.1, 0.1)}),
        ("quick-return", {"link": 0.001}),
        ("slider-crank-spring", {"crank": 5.0}),
        ("hanging-chain", {"span": 1e3}),
    ],
)
def test_lengths_that_cannot_close(name, options):
    with pytest.raises(da.ModelError, match=r"cannot be assembled|a length is zero"):
        catalog.make(name, **options)


@pytest.mark.parametrize(("deep", "read"), [(xml.DEEPEST, True), (xml.DEEPEST + 1, False)])
def test_elements_are_nested_no_deeper_than_said(deep, read):
    assert xml.DEEPEST <= 200  # the reader behind goes down one call per level or more
    text = b"<a>" * deep + b"</a>" * deep
    if read:
        assert xml.parse(text, "x").tag == "a"
    else:
        with pytest.raises(da.FileError, match="nested deeper than"):
            xml.parse(text, "x")


# -------------------------------------------------------------------------------------------------------- checkpoints


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    file = tmp_path_factory.mktemp("c") / "c.npz"
    m = catalog.make("four-bar")
    da.simulate(m, 0.1, step=0.01, stop="t - 0.055", checkpoint=file)
    return m, file.read_bytes()


def test_every_altered_byte_of_a_checkpoint_is_noticed(tmp_path, kept):
    """Of 400 altered files none is taken for whole (475 of 1,200 were); those that differ in nothing that is read are."""
    m, data = kept
    good = npz.digest(_arrays(tmp_path, data))
    random = np.random.default_rng(1)
    taken = 0
    for _ in range(400):
        at = int(random.integers(len(data)))
        (tmp_path / "x").write_bytes(data[:at] + bytes([data[at] ^ int(random.integers(1, 256))]) + data[at + 1 :])
        try:
            options, arrays = checkpoint.read(tmp_path / "x")
        except da.FileError:
            continue
        text = np.frombuffer(json.dumps(options).encode(), np.uint8)
        assert npz.digest({"options": text, **arrays}) == good
        taken += 1
    assert taken < 200


def _arrays(folder, data):
    (folder / "good").write_bytes(data)
    return npz.read(folder / "good")[0]


@pytest.mark.parametrize(
    "name, change",
    [
        ("t", lambda a: a[::-1]),
        ("t", lambda a: a * np.nan),
        ("y", lambda a: a[:, :-1]),
        ("y", lambda a: a + 0.01),
        ("y", lambda a: a + 1e-4 * np.sin(np.arange(a.shape[1]))),
        ("y", lambda a: np.vstack([a[:2], a[2:3] + 1e-4 * np.sin(np.arange(a.shape[1])), a[3:]])),
        ("y", lambda a: a[:-1]),
        ("state_x", lambda a: a + 0.01),
        ("state_x", lambda a: a[:-1]),
        ("state_k", lambda a: a[:-1]),
        ("state_real", lambda a: a + 1e9),
        ("state_count", lambda a: a - 5),
        ("before", lambda a: a - 1),
        ("event_index", lambda a: a + 9),
        ("state_g", lambda a: a[:0]),
        ("state_real", lambda a: a[:3]),
        ("y", lambda a: a.astype("i8")),
        ("state_real", lambda a: -a),
    ],
)
def test_checkpoints_that_make_no_sense_are_refused_although_sealed(tmp_path, kept, name, change):
    m, data = kept
    arrays = _arrays(tmp_path, data)
    arrays[name] = np.ascontiguousarray(change(arrays[name]))
    npz.write(tmp_path / "x", arrays)
    with pytest.raises(da.DalembertError, match=r"not a checkpoint|does not|samples have|that cannot be"):
        da.resume(m, tmp_path / "x")


def test_checkpoints_of_before_go_on(tmp_path, kept):
    """Version 1: no digest."""
    m, data = kept
    arrays = _arrays(tmp_path, data)
    options = json.loads(arrays["options"].tobytes()) | {"version": 1}
    arrays["options"] = np.frombuffer(json.dumps(options).encode(), np.uint8)
    with open(tmp_path / "one.npz", "wb") as file:
        np.savez(file, **arrays)
    (tmp_path / "two.npz").write_bytes(data)
    assert np.array_equal(da.resume(m, tmp_path / "one.npz").q, da.resume(m, tmp_path / "two.npz").q)
    arrays["options"] = np.frombuffer(json.dumps(options | {"version": 2}).encode(), np.uint8)
    with open(tmp_path / "three.npz", "wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(da.FileError, match="no digest"):
        da.resume(m, tmp_path / "three.npz")


def test_packed_checkpoints_are_not_unpacked(tmp_path, kept):
    m, data = kept
    np.savez_compressed(tmp_path / "x.npz", **_arrays(tmp_path, data), big=np.zeros(10_000_000))
    assert os.path.getsize(tmp_path / "x.npz") < 200_000
    with pytest.raises(da.FileError, match="compressed"):
        da.resume(m, tmp_path / "x.npz")


def test_the_digest_of_a_checkpoint_sees_names_kinds_and_shapes():
    a = np.arange(6.0)
    sums = [npz.digest(x) for x in ({"a": a}, {"b": a}, {"a": a.reshape(2, 3)}, {"a": a.view(np.int64)}, {"a": a + 1e-12})]
    assert len(set(sums)) == len(sums)


def test_a_size_told_too_large_is_refused_unread(tmp_path):
    """A sparse file of 40 GB: reading it first would take all memory."""
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.truncate(40_000_000_000)
    with pytest.raises(da.FileError, match="has 40,000,000,000 bytes; at most 1,000,000,000 are read"):
        read_bytes(path)


@pytest.mark.parametrize(("largest", "read"), [(3, True), (2, False)])
def test_the_largest_size_is_inclusive(tmp_path, largest, read):
    path = tmp_path / "three"
    path.write_bytes(b"abc")
    if read:
        assert read_bytes(path, largest) == b"abc"
    else:
        with pytest.raises(da.FileError, match="three' has 3 bytes; at most 2 are"):
            read_bytes(path, largest)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no files here that do not tell their size")
def test_a_file_that_does_not_tell_its_size(tmp_path):
    assert os.stat("/proc/self/status").st_size == 0
    assert read_bytes("/proc/self/status").startswith(b"Name")
    with pytest.raises(da.FileError, match="more than 100 bytes"):
        read_bytes("/proc/self/status", 100)
