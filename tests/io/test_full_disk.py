"""A disk that is really full (a small tmpfs, where mounting is permitted): every writer leaves the old file or a new one."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from test_writers import FILES, FOLDERS

import dalembert as da
from dalembert import catalog
from dalembert._jit import MODE, laws, store
from dalembert.io import folders

MEGABYTES = 16
PAGE = 4096


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    place = tmp_path_factory.mktemp("disk")
    if not sys.platform.startswith("linux") or not shutil.which("mount"):
        pytest.skip("no small disk here")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", place], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", place], check=False)


@pytest.fixture
def place(disk):
    """An empty folder on it, the disk empty again in the end."""
    (disk / "x").mkdir()
    yield disk / "x"
    for entry in disk.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def fill(disk, room):
    """Leave so many bytes (in whole pages)."""
    with open(disk / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass
        try:
            while True:
                file.write(bytes(PAGE))
        except OSError:
            pass
        file.truncate(max(0, os.path.getsize(disk / "filler") - room // PAGE * PAGE))


def everything(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("room", ["none", "a page", "half"])
@pytest.mark.parametrize("name", [*FILES, *FOLDERS])
def test_the_old_one_stays_and_nothing_else(place, disk, name, room):
    write = {**FILES, **FOLDERS}[name]
    write(place / name)
    before = everything(place)
    size = sum(-(-len(x) // PAGE) * PAGE for x in before.values())
    fill(disk, {"none": 0, "a page": PAGE, "half": size // 2}[room])
    if room == "a page" and size <= PAGE:
        pytest.skip("it fits into a page")
    with pytest.raises(da.FileError, match=r"No space left|cannot (be )?writ"):
        write(place / name)
    assert everything(place) == before
    assert not [p for p in place.rglob("*") if p.name.endswith(".part")]
    (disk / "filler").unlink()
    write(place / name)
    assert everything(place).keys() == before.keys()
    if name in FOLDERS:
        assert not folders.unfinished(place / name)


@pytest.mark.parametrize("name", [*FILES, *FOLDERS])
def test_a_new_one_leaves_nothing(place, disk, name):
    fill(disk, 0)
    with pytest.raises(da.FileError):
        {**FILES, **FOLDERS}[name](place / name)
    assert everything(place) == {}


def told(model, length):
    return type("Answer", (), {"text": f"{model.parameters['l']:g} " + "x" * length})


@pytest.mark.parametrize("room", [0, PAGE, 40 * PAGE])
def test_a_journal_keeps_every_row_it_reported(place, disk, room):
    """The sweep ends with an error; with room again the same call computes what is missing, every variant once."""
    m = da.Model("m", dim=2, parameters={"l": 1.0})
    m.add(da.Body("b", mass=1, inertia=1))
    reported = []

    def swept(**more):
        return da.sweep(m, {"l": [float(k) for k in range(300)]}, told, 3000, outputs={"text": "text"}, save=place / "j",
                        workers=1, **more)

    fill(disk, room)
    with pytest.raises(da.FileError, match="No space left"):
        swept(progress=lambda done, total: reported.append(done))
    saved = [json.loads(x) for x in (place / "j").read_bytes().split(b"\n")[1:-1]]
    assert len(saved) >= max(reported, default=0)
    (disk / "filler").unlink()
    table = swept()
    rows = [json.loads(x) for x in (place / "j").read_bytes().splitlines()[1:]]
    assert sorted(r["k"] for r in rows) == list(range(300)) and not table.failed
    assert [r for r in rows if r["k"] < len(saved)] == saved


def test_a_run_goes_on_and_its_last_checkpoint_stays_whole(place, disk, monkeypatch, capsys):
    from dalembert.analyses.simulation import checkpoint

    monkeypatch.setattr(checkpoint, "EVERY_SECONDS", 0.0)
    model, counted = catalog.make("chain"), []

    def progress(t):
        counted.append(t)
        if len(counted) == 3:
            fill(disk, 0)

    whole = da.simulate(model, 5.0, checkpoint=place / "c.npz", progress=progress)
    assert whole.status == "complete" and "No space left on device; the run goes on" in capsys.readouterr().err
    (disk / "filler").unlink()
    again = da.resume(model, place / "c.npz")
    assert again.status == "complete" and np.array_equal(again.q, whole.q)
    assert os.listdir(place) == ["c.npz"]


@pytest.mark.skipif(MODE != "object", reason="laws run as plain Python")
def test_a_full_cache_does_not_matter(place, disk, monkeypatch):
    monkeypatch.setattr(store, "cache_folder", lambda: place)
    laws._known.clear()
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("b", mass=1, inertia=1))
    m.add(da.Torque("T", "b", lambda t: 1.0 if t < 0.25 else 0.125))
    fill(disk, 0)
    assert da.simulate(m, 0.5)["b"].omega[-1] == pytest.approx(0.25 + 0.03125, rel=1e-5)
    assert not [p for p in place.iterdir() if p.name.endswith(".part")]
