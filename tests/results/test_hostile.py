"""Result files that lead elsewhere or announce what is not there; resealed, so that the reader itself must find out."""

import hashlib
import io
import json
import time

import h5py
import numpy as np
import pytest

import dalembert as da
from dalembert.catalog import make
from dalembert.results.files import store


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    file = tmp_path_factory.mktemp("good") / "r.h5"
    da.simulate(make("pendulum"), 0.1, step=0.05).save(file)
    return file.read_bytes()


def altered(path, good, change):
    image = io.BytesIO(good)
    with h5py.File(image, "r+") as file:
        change(file)
    content = image.getvalue()[store.HEAD :]
    mark = hashlib.blake2b(content, digest_size=16).hexdigest()
    path.write_bytes(f"{store.FORMAT} 1 {len(content)} {mark}\n".encode().ljust(store.HEAD, b"\0") + content)
    return path


def replaced(name, **how):
    def change(file):
        shape = how.pop("shape", file[name].shape)
        del file[name]
        file.create_dataset(name, shape=shape, dtype="f8", **how)

    return change


def linked(link):
    def change(file):
        del file["extra"]
        file["extra"] = link(file)

    return change


def many(file):
    for k in range(3000):
        file[f"extra/{k}"] = file["t"]


def virtual(file):
    layout = h5py.VirtualLayout(shape=file["t"].shape, dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "t", shape=file["t"].shape)
    del file["t"]
    file.create_virtual_dataset("t", layout)


def deep(file):
    group = file["extra"]
    for _ in range(50):
        group = group.create_group("g")


def bomb(file):
    del file["t"]
    file.create_dataset("t", data=np.zeros(50_000_000), chunks=(1_000_000,), compression="gzip", compression_opts=9)


@pytest.mark.parametrize(
    "change, says",
    [
        (linked(lambda f: h5py.SoftLink("/bodies")), "is a link to something else"),
        (linked(lambda f: h5py.ExternalLink("other.h5", "/")), "is a link to something else"),
        (linked(lambda f: f["bodies"]), "under another name too"),
        (many, "under another name too"),
        (virtual, "put together from other"),
        (lambda f: replaced("t", external=[("secret", 0, 24)])(f), "put together from other"),
        (lambda f: replaced("t", shape=(10**9,), chunks=(1000,))(f), "that are not in the file"),
        (deep, "nested deeper"),
        (lambda f: f.create_dataset("extra/a", data=np.zeros(5000), chunks=(5000,), compression="lzf"), "packed by a filter"),
        (lambda f: f.create_dataset("extra/a", data=np.zeros(5000), chunks=(5000,), scaleoffset=3), "packed by a filter"),
        (lambda f: replaced("q", shape=(3, 10**8), chunks=(1, 1000), compression="gzip")(f), "that are not in the file"),
        (bomb, "would unpack to more than"),
        (lambda f: f.attrs.__setitem__("stats", np.zeros((10, 10), [("a", "f8")])), "neither a number nor a text"),
        (lambda f: f["q"].__setitem__((0, 0), np.nan), "finite"),
        (lambda f: f["t"].__setitem__(0, 9.0), "in order"),
    ],
)
def test_results_hold_what_they_say_and_nothing_else(tmp_path, good, change, says):
    file = altered(tmp_path / "r.h5", good, change)
    begin = time.process_time()
    with pytest.raises(da.FileError, match=says):
        da.load(file)
    assert time.process_time() - begin < 2.0


def test_a_pipe_is_not_waited_for(tmp_path):
    import os

    os.mkfifo(tmp_path / "r.h5")
    with pytest.raises(da.FileError, match="not an ordinary file"):
        da.load(tmp_path / "r.h5")


@pytest.mark.parametrize(("name", "value"), [
    ("rtol", [1e-6]), ("atol", None), ("seconds", "1"), ("switched", "late"), ("notes", 3), ("doubts", [[1]]), ("method", {}),
    ("rtol", 10**400), ("newton", 5),
])
def test_statistics_that_no_run_keeps_are_refused_when_read(tmp_path, good, name, value):
    def change(file):
        found = json.loads(file.attrs["stats"])
        file.attrs["stats"] = json.dumps({k: v for k, v in found.items() if k != "tangents"} | {name: value})

    path = altered(tmp_path / "r.h5", good, change)
    if name == "newton":  # a count without those that belong to it: nothing that would not print
        assert "5 Newton iterations, None tangents" in repr(da.load(path))
        return
    with pytest.raises(da.FileError, match="statistics"):
        da.load(path)


@pytest.mark.parametrize("change", [lambda q: q * 0.0, lambda q: q * [1, 1, 1, 1.1, 1.1, 1.1, 1.1], lambda q: q + 1e200])
def test_poses_that_no_body_has_are_refused(tmp_path, change):
    da.simulate(make("lagrange-top"), 0.1, step=0.05).save(tmp_path / "good.h5")

    def put(file):
        file["q"][...] = change(file["q"][()])

    with pytest.raises(da.FileError, match="not those of bodies"):
        da.load(altered(tmp_path / "r.h5", (tmp_path / "good.h5").read_bytes(), put))
