"""glTF: valid in structure and bounds, and the nodes are where the bodies are."""

import base64
import json
import struct

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog

WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
KIND = {5126: "<f4", 5125: "<u4"}


def load(path):
    """(document, bytes of the buffer), with every rule of the container checked."""
    raw = path.read_bytes()
    if path.suffix == ".gltf":
        document = json.loads(raw)
        head, _, text = document["buffers"][0]["uri"].partition(",")
        assert head == "data:application/octet-stream;base64"
        return document, base64.b64decode(text)
    magic, version, total = struct.unpack_from("<III", raw)
    assert (magic, version, total) == (0x46546C67, 2, len(raw)) and total % 4 == 0
    size, kind = struct.unpack_from("<II", raw, 12)
    assert kind == 0x4E4F534A and size % 4 == 0
    document = json.loads(raw[20:20 + size])
    length, kind = struct.unpack_from("<II", raw, 20 + size)
    assert kind == 0x004E4942 and length % 4 == 0 and 28 + size + length == total
    return document, raw[28 + size:]


class Checked:
    """A document whose structure, references, ranges and bounds were checked against the specification."""

    def __init__(self, path):
        self.d, self.data = load(path)
        d = self.d
        assert d["asset"]["version"] == "2.0" and d["scenes"][d["scene"]]["nodes"] == [0]
        assert len(self.data) >= d["buffers"][0]["byteLength"]
        for view in d["bufferViews"]:
            assert view["buffer"] == 0 and view["byteOffset"] % 4 == 0
            assert view["byteOffset"] + view["byteLength"] <= d["buffers"][0]["byteLength"]
        self.arrays = [self._array(a) for a in d["accessors"]]
        parents = [child for node in d["nodes"] for child in node.get("children", ())]
        assert sorted(parents) == list(range(1, len(d["nodes"])))  # a tree: every node but the root has one parent
        for node in d["nodes"]:
            assert node.get("children") != []
            if "mesh" in node:
                assert 0 <= node["mesh"] < len(d["meshes"])
            if "rotation" in node:
                assert np.linalg.norm(node["rotation"]) == pytest.approx(1, abs=1e-5)
        self._meshes()
        self._animation()

    def _array(self, a):
        view = self.d["bufferViews"][a["bufferView"]]
        width, dtype = WIDTH[a["type"]], np.dtype(KIND[a["componentType"]])
        assert a["count"] >= 1 and a["count"] * width * dtype.itemsize == view["byteLength"]
        found = np.frombuffer(self.data, dtype, a["count"] * width, view["byteOffset"]).reshape(-1, width)
        assert np.isfinite(found).all()
        if "min" in a:
            assert np.array_equal(np.float32(a["min"]), found.min(axis=0).astype("f4"))
            assert np.array_equal(np.float32(a["max"]), found.max(axis=0).astype("f4"))
        return found

    def _meshes(self):
        for mesh in self.d["meshes"]:
            for p in mesh["primitives"]:
                place, normal = (p["attributes"][k] for k in ("POSITION", "NORMAL"))
                assert {"min", "max"} <= set(self.d["accessors"][place])
                assert self.d["bufferViews"][self.d["accessors"][place]["bufferView"]]["target"] == 34962
                assert self.d["bufferViews"][self.d["accessors"][p["indices"]]["bufferView"]]["target"] == 34963
                assert len(self.arrays[place]) == len(self.arrays[normal])
                assert np.allclose(np.linalg.norm(self.arrays[normal], axis=1), 1, atol=1e-5)
                assert self.arrays[p["indices"]].max() < len(self.arrays[place]) and len(self.arrays[p["indices"]]) % 3 == 0
                assert 0 <= p["material"] < len(self.d["materials"])
        for m in self.d["materials"]:
            assert all(0 <= x <= 1 for x in m["pbrMetallicRoughness"]["baseColorFactor"])

    def _animation(self):
        (animation,) = self.d["animations"]
        targets = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
        assert len(set(targets)) == len(targets)
        self.curves = {}
        for c, key in zip(animation["channels"], targets, strict=True):
            s = animation["samplers"][c["sampler"]]
            t, values = self.arrays[s["input"]][:, 0], self.arrays[s["output"]]
            assert s["interpolation"] == "LINEAR" and {"min", "max"} <= set(self.d["accessors"][s["input"]])
            assert len(t) == len(values) and t[0] >= 0 and (np.diff(t) > 0).all()
            assert values.shape[1] == (4 if key[1] == "rotation" else 3)
            if key[1] == "rotation":
                assert np.allclose(np.linalg.norm(values, axis=1), 1, atol=1e-5)
            self.curves[key] = (t, values)

    def place(self, name, t):
        """Translation and rotation (scalar first) of a node at a time, by the rules of the format."""
        k = next(i for i, n in enumerate(self.d["nodes"]) if n.get("name") == name and i > 0)
        found = []
        for path in ("translation", "rotation"):
            times, values = self.curves[k, path]
            i = min(np.searchsorted(times, t, side="right") - 1, len(times) - 2)
            s = (t - times[i]) / (times[i + 1] - times[i])
            found.append(values[i] * (1 - s) + values[i + 1] * s)
        q = found[1] / np.linalg.norm(found[1])
        return found[0], q[[3, 0, 1, 2]]


@pytest.mark.parametrize("name, suffix", [("andrews", ".glb"), ("bricard", ".gltf"), ("lagrange-top", ".glb")])
def test_valid_and_where_the_bodies_are(tmp_path, name, suffix):
    entry = catalog.CATALOG[name]
    run = da.simulate(entry.make(), entry.until)
    model = Checked(run.export(tmp_path / f"x{suffix}"))
    dim = run.system.dim
    for k in (0, 57, 133, 200):
        for body in run.system.bodies:
            place, turn = model.place(body, run.t[k])
            assert np.allclose(place[:dim], run[body].position[k], atol=1e-5)
            if dim == 3:
                assert abs(turn @ run[body].quaternion[k]) == pytest.approx(1, abs=1e-5)
            else:
                assert np.allclose(turn, [np.cos(run[body].angle[k] / 2), 0, 0, np.sin(run[body].angle[k] / 2)],
                                   atol=1e-5) or np.allclose(
                    turn, [-np.cos(run[body].angle[k] / 2), 0, 0, -np.sin(run[body].angle[k] / 2)], atol=1e-5)
    root = np.array(model.d["nodes"][0]["rotation"])
    from dalembert.viewer.scene.scene import rotate

    up = np.array([0, 0, 1.0]) if name == "lagrange-top" else np.array([0, 1.0, 0])
    assert np.allclose(rotate(root[[3, 0, 1, 2]], up), [0, 1, 0], atol=1e-6)  # y is up in glTF


def test_another_program_reads_it(tmp_path, bricard):
    trimesh = pytest.importorskip("trimesh")
    loaded = trimesh.load(bricard.export(tmp_path / "x.glb"))
    assert len(loaded.geometry) >= 3 and set(bricard.system.bodies) <= set(loaded.graph.nodes)
    matrix, _ = loaded.graph.get("rod 1", "Bricard mechanism")  # in the root's axes
    assert np.allclose(matrix[:3, 3], bricard["rod 1"].position[0], atol=1e-5)
    assert np.allclose(matrix[:3, :3], bricard["rod 1"].rotation[0], atol=1e-5)


def test_rate_csv_and_refusals(tmp_path, four_bar):
    model = Checked(four_bar.export(tmp_path / "x.glb", fps=24))
    assert len(next(iter(model.curves.values()))[0]) == 48
    four_bar.export(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text().startswith("t [s],crank.position.x [m],")
    with pytest.raises(da.FileError, match=r"choose \.glb"):
        four_bar.export(tmp_path / "x.step")
    with pytest.raises(da.FileError, match="cannot write"):
        four_bar.export(tmp_path / "none" / "x.glb")
