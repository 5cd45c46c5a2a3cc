"""Every writer: the old file or a whole new one on a full disk and after kill -9, forced to the disk, nobody else's file touched.

The full disk is a limit on the size of files (RLIMIT_FSIZE; writes beyond it fail as on a full disk).
``DALEMBERT_KILLS`` is the number of kills per writer.
"""

import os
import resource
import shutil
import signal

import numpy as np
import pytest
from killing import killed, killed_at

import dalembert as da
from dalembert import catalog
from dalembert.analyses.simulation.checkpoint import Checkpoint
from dalembert.io import atomic, folders, parts
from dalembert.results.table import SweepTable
from dalembert.viewer.gallery import gallery

KILLS = int(os.environ.get("DALEMBERT_KILLS", "1"))


def table(path):
    found = SweepTable(["l"], ["a"], [{"l": float(k)} for k in range(3000)])
    for k in range(3000):
        found.put(k, {"a": k / 7})
    found.to_csv(path)


def equations(path):
    derived().html(path)


def derived():
    if "derived" not in _KEPT:
        _KEPT["derived"] = da.derive(catalog.make("pendulum"))
    return _KEPT["derived"]


def run():
    if "run" not in _KEPT:
        _KEPT["run"] = da.simulate(catalog.make("four-bar"), 0.5)
    return _KEPT["run"]


def checkpoint(path):
    kept = run()._state
    Checkpoint(path).write(kept["options"], kept["arrays"])


def rendered(path):
    pytest.importorskip("av")
    run().render(path, size=(240, 180), fps=10)


def plotted(path):
    pytest.importorskip("matplotlib")
    run().plot("crank.angle", path=path)


_KEPT: dict = {}
FILES = {
    "page.html": lambda p: run().view(p), "picture.png": lambda p: run().render(p, size=(320, 200), at=0.2),
    "motion.glb": lambda p: run().export(p), "motion.gltf": lambda p: run().export(p), "plot.svg": plotted, "plot.png": plotted,
    "motion.csv": lambda p: run().to_csv(p), "sweep.csv": table, "film.mp4": rendered, "run.npz": checkpoint,
    "run.h5": lambda p: run().save(p), "model.toml": lambda p: catalog.make("chain", n=40).save(p),
    "model.json": lambda p: catalog.make("chain", n=40).save(p), "equations.html": equations,
    "gallery.html": lambda p: gallery.write(p, [gallery.Card("a", "b", run=run(), check=da.check(run().model))]),
}
FOLDERS = {"frames": lambda p: run().frames(p), "pictures": lambda p: run().render(p, size=(64, 48), fps=10)}
WRITERS = {**FILES, **FOLDERS}
ENOUGH = 2500  # bytes: every file is larger


@pytest.fixture
def full_disk():
    old, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def fill(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))

    yield fill
    resource.setrlimit(resource.RLIMIT_FSIZE, old)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("name", FILES)
def test_a_full_disk_leaves_the_old_file(tmp_path, name, full_disk):
    path = tmp_path / name
    FILES[name](path)
    before = path.read_bytes()
    assert len(before) > ENOUGH
    full_disk(ENOUGH)
    with pytest.raises(da.FileError, match=r"cannot (be )?writ"):
        FILES[name](path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_full_disk_leaves_the_old_folder(tmp_path, name, full_disk):
    path = tmp_path / name
    FOLDERS[name](path)
    before = {f: f.read_bytes() for f in path.rglob("*") if f.is_file()}
    full_disk(min(len(x) for f, x in before.items() if f.suffix in (".dat", ".png")) - 1)
    with pytest.raises(da.FileError, match="cannot write"):
        FOLDERS[name](path)
    assert {f: f.read_bytes() for f in path.rglob("*") if f.is_file()} == before


SOME = list(WRITERS) if KILLS > 1 else ["page.html", "run.h5", "frames"]


@pytest.mark.parametrize("name", SOME)
def test_a_killed_writer_leaves_a_whole_file(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    whole = _bytes(path)
    for seed in range(KILLS):
        assert killed(lambda: WRITERS[name](path), np.random.default_rng(seed).uniform(0.0, 0.2))
        _check(name, path, whole)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("before", ["nothing", "an old one"])
def test_killed_at_each_of_its_steps(tmp_path, name, before):
    """Nothing or the old one before, or a whole new one; the next writer mends what may be mixed and removes what was left."""
    path = tmp_path / name
    WRITERS[name](path)
    whole = _bytes(path)
    for step in range(1000) if name in FILES else [*range(7), *range(7, 1000, 17 if KILLS > 1 else 97)]:
        if before == "nothing":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not killed_at(lambda: WRITERS[name](path), step):
            break
        if before == "nothing" and (not path.exists() or (name in FOLDERS and not _bytes(path))):
            WRITERS[name](path)
        _check(name, path, whole)
    assert 3 <= step < 990


def _check(name, path, whole):
    now = _bytes(path)
    if name in FOLDERS:
        if not folders.unfinished(path):
            assert now.keys() == whole.keys() and {k for k in now if len(now[k]) != len(whole[k])} == set()
        parts._tidied.clear()
        WRITERS[name](path)  # and it can be written again
        assert not folders.unfinished(path) and _bytes(path).keys() == whole.keys()
        assert not [p for p in path.iterdir() if p.name.endswith(".part")]
    else:
        assert abs(len(now[name]) - len(whole[name])) < 200  # times and dates inside may differ
    assert [f for f in os.listdir(path.parent) if not f.endswith(".part")] == [name]
    parts.tidy(path.parent, again=True)
    assert os.listdir(path.parent) == [name]


def _bytes(path):
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {f.relative_to(path).as_posix(): f.read_bytes() for f in path.rglob("*") if f.is_file() and ".part" not in str(f)
            and f.name != folders.LIST}


@pytest.mark.parametrize("name", FILES)
def test_forced_to_the_disk_before_the_rename(tmp_path, name, monkeypatch):
    """fsync of the file, then rename, then fsync of the folder."""
    FILES[name](tmp_path / name)
    told = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle):
        told.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file")
        real_sync(handle)

    def replace(a, b):
        told.append("rename")
        real_replace(a, b)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    FILES[name](tmp_path / name)
    assert told == ["file", "rename", "folder"]


def test_folders_are_forced_to_the_disk_too(tmp_path, monkeypatch):
    told = []
    real_sync, real_replace = os.fsync, os.replace
    kind = {True: "folder", False: "file"}
    monkeypatch.setattr(os, "fsync", lambda h: (told.append(kind[os.path.isdir(f"/proc/self/fd/{h}")]), real_sync(h)))
    monkeypatch.setattr(os, "replace", lambda a, b: (told.append("rename"), real_replace(a, b)))
    with folders.filling(tmp_path / "x") as place:
        place.write("a", "1")
        place.write("b/c", "2")
    #        content        list, announced               moved                 their folders       list, done
    assert told == ["file"] * 2 + ["file", "rename", "folder"] + ["rename"] * 2 + ["folder"] * 2 + ["file", "rename", "folder"]


def test_what_somebody_put_in_the_way_is_not_followed(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(atomic.parts, "named", lambda name: f".{name}.guessed.part")
    (tmp_path / ".run.npz.guessed.part").symlink_to(victim)
    (tmp_path / f"run.npz.{os.getpid()}.part").symlink_to(victim)
    with pytest.raises(da.FileError, match="File exists"):
        checkpoint(tmp_path / "run.npz")
    assert victim.read_text() == "precious"


# ------------------------------------------------------------------------------------------- what is somebody else's


@pytest.mark.parametrize("name, foreign", [("frames", "pos007.dat"), ("frames", "conf.txt"), ("pictures", "frame0001.png"),
                                           ("frames", "resources/materials.material")])
def test_files_of_others_in_a_folder_are_refused_and_kept(tmp_path, name, foreign):
    path = tmp_path / name
    (path / foreign).parent.mkdir(parents=True)
    (path / foreign).write_text("my measurements")
    (path / "pos999.dat").write_text("mine")
    with pytest.raises(da.FileError, match=r"dalembert did not write it.*nothing was touched"):
        FOLDERS[name](path)
    assert {f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file()} == {foreign, "pos999.dat"}
    assert (path / foreign).read_text() == "my measurements"


def test_a_folder_of_ours_is_replaced_and_the_rest_stays(tmp_path):
    da.simulate(catalog.make("pendulum"), 1.0, step=0.1).frames(tmp_path / "f")
    (tmp_path / "f" / "pos500.dat").write_text("mine")
    (tmp_path / "f" / "notes.txt").write_text("mine")
    da.simulate(catalog.make("pendulum"), 0.5, step=0.1).frames(tmp_path / "f")
    assert sorted(p.name for p in (tmp_path / "f").glob("pos*")) == [*(f"pos{k:03d}.dat" for k in range(6)), "pos500.dat"]
    assert (tmp_path / "f" / "notes.txt").read_text() == "mine"
    (tmp_path / "f" / "conf.txt").write_text("edited")
    with pytest.raises(da.FileError, match="was changed since"):
        da.simulate(catalog.make("pendulum"), 0.5, step=0.1).frames(tmp_path / "f")


def test_folders_written_before_there_was_a_list_are_ours(tmp_path):
    old = da.simulate(catalog.make("pendulum"), 0.5, step=0.1)
    old.frames(tmp_path)
    for new in (tmp_path / folders.LIST, tmp_path / "resources.cfg", *tmp_path.glob("meshes/*.xml")):
        new.unlink()  # there were none of these then
    (tmp_path / "meshes" / "object1.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    old.frames(tmp_path)
    assert len(da.read_frames(tmp_path).t) == 6


def test_a_list_cannot_make_us_delete_elsewhere(tmp_path):
    import json

    (tmp_path / "victim").write_text("x")
    place = tmp_path / "f"
    place.mkdir()
    mark = folders._digest(b"x")
    (place / folders.LIST).write_text(json.dumps({"format": folders.FORMAT, "state": "whole", "files": {
        "../victim": [mark], str(tmp_path / "victim"): [mark], "a/../../victim": [mark]}}))
    (place / "link").symlink_to(tmp_path / "victim")
    with folders.filling(place) as filling:
        filling.write("a.txt", "new")
    assert (tmp_path / "victim").read_text() == "x" and (place / "a.txt").read_text() == "new"
    (place / "out").symlink_to(tmp_path)
    with pytest.raises(da.FileError, match="leads out of"), folders.filling(place) as filling:
        filling.write("out/victim", "new")


def test_an_interrupted_move_is_told_and_mended(tmp_path, monkeypatch):
    run().frames(tmp_path)
    real, count = os.replace, []

    def failing(a, b):
        count.append(1)
        if len(count) == 20:
            raise OSError(5, "Input/output error")
        real(a, b)

    with monkeypatch.context() as m:
        m.setattr(os, "replace", failing)
        with pytest.raises(da.FileError, match="Input/output"):
            da.simulate(catalog.make("four-bar"), 0.6).frames(tmp_path)
    with pytest.raises(da.FileError, match=r"interrupted.*write them again"):
        da.read_frames(tmp_path)
    run().frames(tmp_path)
    assert len(da.read_frames(tmp_path).t) == len(run().t)


@pytest.mark.parametrize("content", ["my thesis", "my thesis\n", "PK\x03\x04 my archive"])
def test_checkpoints_do_not_replace_other_files(tmp_path, content):
    (tmp_path / "thesis").write_text(content)
    with pytest.raises(da.FileError, match="not a checkpoint"):
        da.simulate(catalog.make("pendulum"), 0.1, checkpoint=tmp_path / "thesis")
    assert (tmp_path / "thesis").read_text() == content


def test_names_in_tables_are_not_run(tmp_path):
    m = da.Model("m", dim=2)
    m.add(da.Body("=1+1", mass=1, inertia=1))
    da.simulate(m, 0.1).to_csv(tmp_path / "a.csv")
    assert "'=1+1.position.x [m]" in (tmp_path / "a.csv").read_text().splitlines()[0]
    found = SweepTable(["l"], ["@a"], [{"l": -1.0}, {"l": 2.0}])
    found.put(0, {"@a": "+cmd"})
    found.put(1, "=HYPERLINK(1)")
    found.to_csv(tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == "l,'@a,message\n-1.0,'+cmd,\n2.0,,'=HYPERLINK(1)\n"
