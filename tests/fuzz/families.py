"""Hostile files by family and seed: ``case(family, seed, folder)`` writes one and gives the call that reads it.

    model  URDF  MJCF  result  checkpoint  journal  frames  mesh

Half of the results, checkpoints and journals have their checksums made anew, so that the readers themselves must find out.
"""

import base64
import hashlib
import io
import json
import random
import struct
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import h5py
import numpy as np
from guard import WORDS, mutated, mutated_bytes

import dalembert as da
from dalembert.analyses.studies import journal
from dalembert.catalog import CATALOG
from dalembert.io import npz
from dalembert.io.files import dumps
from dalembert.results.files import store
from dalembert.viewer.meshes.files import read_mesh

FAMILIES = ("model", "urdf", "mjcf", "result", "checkpoint", "journal", "frames", "mesh")
ODD = [None, True, -1, 0, 1, 2**70, 1e308, -0.0, float("nan"), float("inf"), "", "x", "\0", "../x", [], [[]], {}, {"a": 1},
       "9" * 5000, [1] * 100, "ground", [0, "x"], -(2**63), 1e-320]
ROBOTS = Path(__file__).parents[1] / "robotics" / "robots"


@cache
def models() -> list[tuple[str, str]]:
    names = ["slider-crank", "bricard", "planetary-gear", "rolling-disc", "car-axis", "chaplygin-sleigh"]
    return [(kind, dumps(CATALOG[n].make(), kind)) for n in names for kind in ("toml", "json")]


def case(family: str, seed: int, folder: Path):
    r = random.Random(f"{family} {seed}")
    return {"model": model, "urdf": urdf, "mjcf": mjcf, "result": result, "checkpoint": checkpoint, "journal": journals,
            "frames": frames, "mesh": mesh}[family](r, folder)


def changed(value, r):
    """Plain data with one thing in it replaced, taken out or doubled."""
    if isinstance(value, dict) and value and r.random() < 0.85:
        key = r.choice(sorted(value))
        out = dict(value)
        if r.random() < 0.15:
            del out[key]
        else:
            out[key] = changed(value[key], r)
        return out
    if isinstance(value, list) and value and r.random() < 0.7:
        k = r.randrange(len(value))
        return value[:k] + r.choice([[], [changed(value[k], r)], [value[k]] * 2]) + value[k + 1:]
    return r.choice(ODD)


def model(r, folder):
    kind, text = r.choice(models())
    file = folder / f"m.{kind}"
    if kind == "json" and r.random() < 0.5:
        text = json.dumps(changed(changed(json.loads(text), r), r))
    else:
        text = mutated(text, r.getrandbits(60))
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return lambda: da.load_model(file).compile()


@cache
def robots() -> list[str]:
    chain = "".join(f'<link name="l{k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
                    for k in range(9)) + "".join(
        f'<joint name="j{k}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/><axis xyz="0 0 1"/></joint>'
        for k in range(8))
    return [*(f.read_text() for f in sorted(ROBOTS.rglob("*.urdf"))), f'<?xml version="1.0"?><robot name="c">{chain}</robot>']


XML = ['encoding="rot13"', 'encoding="utf-7"', 'encoding="utf-16"', "<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;",
       "<mesh filename='../../x'/>", 'filename="/etc/passwd"', "<link name='a'/>", 'rpy="nan 0 0"', 'xyz="1e400 0 0"', "<joint>",
       "</robot>", "<![CDATA[", "]]>"]


def urdf(r, folder):
    text = mutated(r.choice(robots()), r.getrandbits(60))
    for _ in range(r.choice([0, 0, 1, 2])):
        at = r.randrange(len(text) + 1)
        text = text[:at] + r.choice(XML) + text[at:]
    file = folder / "r.urdf"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return lambda: da.load_urdf(file, base=r.choice(["fixed", "floating"])).compile()


@cache
def mujoco_models() -> list[str]:
    chain = "".join(f'<body name="b{k}" pos="0 0 1"><joint armature="0.1"/><geom size="0.1"/>' for k in range(9)) + "</body>" * 9
    loop = '<equality><connect body1="b8" anchor="0 0 1"/><joint joint1="b1 hinge" joint2="b2 hinge" polycoef="0 1"/></equality>'
    mesh = '<asset><mesh name="m" file="a.obj"/></asset>'
    inside = '<include file="part.xml"/><body><joint/><geom type="mesh" mesh="m"/></body>'
    return [(ROBOTS / "everything.xml").read_text(), f"<mujoco><worldbody>{chain}</worldbody>{loop}</mujoco>",
            f"<mujoco>{mesh}<worldbody>{inside}</worldbody></mujoco>"]


MJCF = [*XML[:5], '<include file="../../x.xml"/>', '<include file="r.xml"/>', '<include file="/etc/passwd"/>', "</worldbody>",
        "<body>", '<mesh name="n" file="../x.stl"/>', "<freejoint/>", '<joint axis="nan 0 0"/>', '<geom size="1e400"/>',
        '<default class="a"/>', 'class="light"', 'childclass="lighter"', '<compiler settotalmass="1e308"/>',
        '<inertial mass="1e-320" pos="0 0 0"/>',
        '<replicate count="1000000000"/>', 'quat="0 0 0 0"', 'type="ball"', 'polycoef="1e308 1e308 1e308"', '<frame pos="1 2 3">']


def mjcf(r, folder):
    text = mutated(r.choice(mujoco_models()), r.getrandbits(60))
    for _ in range(r.choice([0, 0, 1, 2])):
        at = r.randrange(len(text) + 1)
        text = text[:at] + r.choice(MJCF) + text[at:]
    (folder / "part.xml").write_text('<mujoco><body name="p"><freejoint/><geom size="0.1"/></body></mujoco>')
    (folder / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    file = folder / "r.xml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return lambda: da.load_model(file).compile()


# ------------------------------------------------------------------------------------------------------------ results


@cache
def results() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        out = []
        for name in ("pendulum", "lagrange-top"):
            da.simulate(CATALOG[name].make(), 0.1, step=0.05).save(Path(folder) / "r.h5", extra={"a": np.arange(3)})
            out.append((Path(folder) / "r.h5").read_bytes())
        return out


def sealed(content: bytes) -> bytes:
    mark = hashlib.blake2b(content, digest_size=16).hexdigest()
    return f"{store.FORMAT} 1 {len(content)} {mark}\n".encode().ljust(store.HEAD, b"\0") + content


def result(r, folder):
    data, file = r.choice(results()), folder / "r.h5"
    kind = r.randrange(4)
    if kind == 0:
        data = mutated_bytes(data, r.getrandbits(60))
    elif kind == 1:
        data = sealed(mutated_bytes(data[store.HEAD:], r.getrandbits(60)))
    else:
        try:
            data = sealed(_other_contents(data, r, folder)[store.HEAD:])
        except (KeyError, OSError):  # what was to be changed is already gone or unreadable: some bytes instead
            data = sealed(mutated_bytes(data[store.HEAD:], r.getrandbits(60)))
    file.write_bytes(data)
    return lambda: repr(da.load(file))


def _other_contents(data, r, folder):
    image = io.BytesIO(data)
    with h5py.File(image, "r+") as file:
        places: list = []
        file.visit(places.append)
        for _ in range(r.choice([1, 1, 2, 4])):
            place = r.choice(places)
            if place not in file:
                continue
            kind = r.randrange(9)
            if kind == 0:
                _attribute(file, r)
                continue
            old = file[place]
            if isinstance(old, h5py.Dataset) and old.size > 10**6:  # made so a moment ago: it is left to the reader
                continue
            del file[place]
            if kind == 1:
                file[place] = h5py.SoftLink(r.choice(["/t", "/", "/none"]))
            elif kind == 2:
                file[place] = h5py.ExternalLink(r.choice(["../../secret.h5", "other.h5"]), "/t")
            elif kind == 3:
                file[place] = file[r.choice(["t", "extra", "/"])]
            elif kind == 4:
                file.create_dataset(place, shape=(r.choice([10, 10**7, 10**9]),), dtype="f8", chunks=(10,))
            elif kind == 5:
                file.create_dataset(place, shape=(10,), dtype="f8", external=[(str(folder / "../outside"), 0, 80)])
            elif kind == 6:
                layout = h5py.VirtualLayout(shape=(10,), dtype="f8")
                layout[:] = h5py.VirtualSource("../other.h5", "t", shape=(10,))
                file.create_virtual_dataset(place, layout)
            elif kind == 7 and isinstance(old, h5py.Dataset) and old.dtype.kind == "f" and old.size:
                values = old[()]
                values.ravel()[r.randrange(values.size)] = r.choice([np.nan, np.inf, 1e300, -1.0, 0.0])
                file[place] = values if r.random() < 0.5 else values[..., :-1] if values.ndim else values
            else:
                _put(file, place, r)
    return image.getvalue()


def _put(file, place, r):
    value = r.choice([1.0, "text", np.zeros((2, 2)), np.array([b"x"]), np.arange(4), b"dalembert = 1", np.zeros(0),
                      np.array([1 + 2j]), np.full(3, np.nan)])
    file[place] = value


def _attribute(file, r):
    name = r.choice(sorted(file.attrs))
    old = file.attrs[name]
    new = old
    if isinstance(old, str):
        try:
            new = json.dumps(changed(json.loads(old), r))
        except ValueError:
            new = r.choice(["", "x", "[]", "{}", old * 2, "1e999"])
        new = new.replace("\0", "")
    file.attrs[name] = new if r.random() < 0.7 else r.choice([1, 1.5, np.arange(3), "null"])


# -------------------------------------------------------------------------------------------------------- checkpoints


@cache
def checkpoints() -> list[tuple]:
    out = []
    with tempfile.TemporaryDirectory() as folder:
        for name, options in (("four-bar", {}), ("lagrange-top", {}), ("chain", {}),
                              ("slider-crank-spring", {"integrator": "radau"}), ("pendulum", {"events": ["t - 0.05"]})):
            made, file = CATALOG[name].make(), Path(folder) / "c.npz"
            da.simulate(made, 0.1, step=0.01, stop="t - 0.055", checkpoint=file, **options)
            out.append((made, file.read_bytes()))
    return out


def checkpoint(r, folder):
    made, data = r.choice(checkpoints())
    file = folder / "c.npz"
    file.write_bytes(data)
    kind = r.randrange(4)
    if kind == 0:
        file.write_bytes(mutated_bytes(data, r.getrandbits(60)))
    elif kind == 1:
        arrays = npz.read(file)[0]
        name = r.choice(sorted(set(arrays) - {"options"}))
        a = arrays[name].copy()
        if a.size and r.random() < 0.7:
            odd = [0, -1, 7, 2**40] if a.dtype.kind == "i" else [np.nan, 1e300, 0.5, -3.0]
            a.ravel()[r.randrange(a.size)] = r.choice(odd)
        else:
            a = r.choice([a[:-1], np.concatenate([a, a]), a.astype("f8"), a.reshape(-1, 1), np.zeros(0)])
        arrays[name] = np.ascontiguousarray(a)
        if r.random() < 0.1:
            del arrays[name]
        npz.write(file, arrays)
    elif kind == 2:
        arrays = npz.read(file)[0]
        options = changed(json.loads(arrays["options"].tobytes()), r)
        arrays["options"] = np.frombuffer(json.dumps(options).encode(), np.uint8)
        npz.write(file, arrays)
    else:
        _zipped(file, data, r)
    return lambda: da.resume(made, file, progress=_soon())


def _zipped(file, data, r):
    """Packed, with announced sizes that are not there, members twice, an object inside."""
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if r.random() < 0.2:
                larger = content.replace(b"'shape': (", b"'shape': (9999999999, ").replace(b" \n", b"\n", 1)
                content = larger if r.random() < 0.5 else bytes(10**6)
            new.writestr(name, content, zipfile.ZIP_DEFLATED if r.random() < 0.3 else zipfile.ZIP_STORED)


def _soon():
    calls = []

    def stop(t):
        calls.append(t)
        if len(calls) > 3:
            raise KeyboardInterrupt

    return stop


# ----------------------------------------------------------------------------------------------------------- journals


def number(made):
    return made.parameters["l"] ** 2


def pendulum():
    m = da.Model("p", dim=2, parameters={"l": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=1.0))
    return m


def swept(file):
    table = da.sweep(pendulum(), {"l": [1.0, 2.0, 3.0, 4.0]}, number, outputs={"a": float, "b": str}, save=file, workers=1)
    return table["a"], list(table), table.failed


@cache
def written() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        swept(Path(folder) / "s")
        return (Path(folder) / "s").read_bytes()


def journals(r, folder):
    file, data = folder / "s.jsonl", written()
    if r.random() < 0.5:
        data = mutated_bytes(data, r.getrandbits(60)) if r.random() < 0.5 else mutated(data.decode(), r.getrandbits(60)).encode(
            "utf-8", "surrogatepass")
    else:
        lines = [json.loads(x) for x in data.splitlines()]
        k = r.randrange(len(lines))
        lines[k] = changed(lines[k], r)
        for row in lines[1:]:
            if isinstance(row, dict):
                row.pop("sum", None)
                row["sum"] = journal._sum(row)
        data = b"".join(json.dumps(x).encode() + b"\n" for x in lines)
    file.write_bytes(data)
    return lambda: swept(file)


# --------------------------------------------------------------------------------------------------- frames and meshes

SIDE = {"t": [0.0, 0.1], "names": ["a", "b", "c"], "up": [0, 1, 0], "title": "x"}


def packed_frames(r, folder):
    """Frames, meshes and materials in an archive; the archive, its members, resources.cfg or the mesh is bad."""
    import test_fuzz_frames as good

    conf = good.folder(folder)
    where = r.randrange(5)
    members = {f"data/{n}": good.FILES[n].encode() for n in ("pos000.dat", "pos001.dat", "materials.material")}
    members["Sphere.mesh.xml"] = mutated_bytes(good.OGRE, r.getrandbits(60)) if where == 0 else good.OGRE
    if where == 1:
        name = r.choice(list(members))
        members[name] = r.choice([b" " * 3_000_000, b"1" * 3_000_000, mutated_bytes(members[name], r.getrandbits(60))])
    if where == 2:
        odd = r.choice(["../pos000.dat", "/etc/passwd", "pos000.dat/", "\\..\\pos001.dat", "pos000.dat"])
        members |= {odd: b"x", "b" * 300: b""}
    image = io.BytesIO()
    with zipfile.ZipFile(image, "w", r.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    data = image.getvalue()
    (folder / "data.zip").write_bytes(mutated_bytes(data, r.getrandbits(60)) if where == 3 else data)
    text = "[General]\nFileSystem=./\nZip=none.zip\n[Data]\nZip=data.zip\n"
    if where == 4:
        text = mutated(text, r.getrandbits(60)).replace("./", r.choice(["..", "/etc", "./", "~", "a" * 5000, "conf.txt"]))
    (folder / "resources.cfg").write_text(text, encoding="utf-8", errors="surrogateescape")
    for name in ("pos000.dat", "pos001.dat", "materials.material"):
        (folder / name).unlink()
    return lambda: da.read_frames(conf, start=r.choice([None, 0, 1]), step=r.choice([None, 1, 2])).scene()


def frames(r, folder):
    import test_fuzz_frames as good

    if r.random() < 0.5:
        return packed_frames(r, folder)
    conf = good.folder(folder)
    (folder / "dalembert.json").write_text(json.dumps(SIDE))
    name = r.choice([*good.FILES, "dalembert.json", ".dalembert-files"])
    if name.endswith(("json", "files")):
        value = SIDE if name.endswith("json") else {"format": "dalembert files 1", "state": "whole", "files": {"conf.txt": ["x"]}}
        (folder / name).write_text(json.dumps(changed(value, r)))
    else:
        text = mutated(good.FILES[name], r.getrandbits(60))
        if name == "conf.txt" and r.random() < 0.3:
            old, new = r.choice(["pos", "Cube.mesh", "Sphere.mesh"]), r.choice(["../pos", "../../x.obj", "/etc/passwd", "a/b"])
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    return lambda: da.read_frames(conf).scene()


@cache
def gltf() -> dict:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4").tobytes()
    faces = np.array([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], "<u2").tobytes()
    inside = base64.b64encode(points + faces).decode()
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "meshes": [
        {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0, "children": [1], "rotation": [0, 0, 0, 1], "scale": [1, 2, 3]}, {"mesh": 0, "matrix": [
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": 72, "uri": f"data:application/octet-stream;base64,{inside}"}]}


def mesh(r, folder):
    import test_fuzz_frames as good

    kind = r.choice([0, 1, 2, 3, 4, 5, 6, 6])
    if kind < 3 or kind == 6:
        name, data = {0: ("a.obj", good.OBJ), 1: ("a.stl", good.TEXT_STL), 2: ("b.stl", good.BINARY_STL),
                      6: ("a.mesh.xml", good.OGRE)}[kind]
        data = mutated_bytes(data, r.getrandbits(60))
    else:
        document = changed(gltf(), r) if kind < 5 else gltf()
        if kind == 4 and isinstance(document, dict):
            place = r.choice(["../../etc/passwd", "/etc/passwd", "a.bin", WORDS[3]])
            document = {**document, "buffers": [{"byteLength": 72, "uri": place}]}
        text = json.dumps(document).encode()
        name, data = "a.gltf", mutated_bytes(text, r.getrandbits(60)) if kind == 5 else text
        if r.random() < 0.3:
            text += b" " * (-len(text) % 4)
            head = struct.pack("<IIIII", 0x46546C67, 2, 20 + len(text), len(text), 0x4E4F534A)
            name, data = "a.glb", head + text
    file = folder / name
    file.write_bytes(data)
    return lambda: read_mesh(file)
