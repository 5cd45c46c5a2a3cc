"""What killed writers leave is removed by the next one, and nothing else; folders have one writer at a time."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import dalembert as da
from dalembert.io import atomic, folders, parts

SRC = str(Path(da.__file__).parents[1])
pytestmark = pytest.mark.skipif(not parts.LOCKS, reason="this system has no flock")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(parts, "_tidied", set())


def listed(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*"))


WRITERS = {
    "file": "with atomic.replacing({place!r} + '/a.txt') as file:\n    file.write(b'half')\n    file.flush()\n    ",
    "folder": "with folders.filling({place!r}) as folder:\n    folder.write('a.txt', 'half')\n    ",
}


def started(kind, place):
    """A process in the middle of writing."""
    code = "from dalembert.io import atomic, folders\n" + WRITERS[kind].format(place=str(place)) + (
        "print('here', flush=True)\n    input()")
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                             env=os.environ | {"PYTHONPATH": SRC})
    assert child.stdout.readline() == "here\n"
    return child


def written(kind, place):
    if kind == "file":
        atomic.write_text(place / "b.txt", "whole")
    else:
        with folders.filling(place) as folder:
            folder.write("b.txt", "whole")


def left(place):
    return [p for p in place.iterdir() if p.name.endswith(".part")]


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("next_one", WRITERS)
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path, kind, next_one):
    child = started(kind, tmp_path)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert len(left(tmp_path)) == 1
    written(next_one, tmp_path)
    assert not left(tmp_path) and (tmp_path / "b.txt").read_text() == "whole" and not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize("kind", WRITERS)
def test_what_a_living_writer_has_stays(tmp_path, kind):
    child = started(kind, tmp_path)
    written("file", tmp_path)
    assert len(left(tmp_path)) == 1
    child.communicate("\n")
    assert child.returncode == 0 and (tmp_path / "a.txt").read_text() == "half" and not left(tmp_path)


def test_what_is_somebody_elses_stays(tmp_path, monkeypatch):
    """Another form of name, another machine's, another user's, a link: none is ours to remove."""
    ours = parts.named("a")
    for name in (".a.part", ".a.0123456789abcdef.part", "a.0123456789abcdef-" + parts._machine() + ".part",
                 ".a.0123456789abcdef-00000000.part", ours + "x", ".dalembert.abcdefgh.part"):
        (tmp_path / name).write_text("mine")
    (tmp_path / parts.named("link")).symlink_to(tmp_path / ".a.part")
    os.mkfifo(tmp_path / parts.named("pipe"))
    before = listed(tmp_path)
    parts.tidy(tmp_path)
    assert listed(tmp_path) == before
    (tmp_path / ours).write_text("half")
    me = os.getuid()
    with monkeypatch.context() as m:
        m.setattr(os, "getuid", lambda: me + 1)
        parts.tidy(tmp_path, again=True)
        assert (tmp_path / ours).exists()
    parts.tidy(tmp_path, again=True)
    assert listed(tmp_path) == before


def test_folders_that_were_left_are_removed_without_following_links(tmp_path):
    stage, victim = tmp_path / "f" / parts.named("dalembert"), tmp_path / "victim"
    stage.mkdir(parents=True)
    victim.mkdir()
    (victim / "thesis").write_text("mine")
    (stage / "link").symlink_to(victim)
    written("folder", tmp_path / "f")
    assert not stage.exists() and (victim / "thesis").read_text() == "mine"


def test_a_folder_is_looked_through_once_in_a_process(tmp_path):
    """A thousand results in one folder do not list it a thousand times."""
    atomic.write_text(tmp_path / "a", "x")
    (tmp_path / parts.named("late")).write_text("half")
    atomic.write_text(tmp_path / "a", "x")
    assert len(left(tmp_path)) == 1


@pytest.mark.parametrize("kind", ["lock", "part"])
def test_who_loses_a_part_to_tidying_makes_another(tmp_path, monkeypatch, kind):
    """Between making a part and locking it, somebody else may take it for one that was left."""
    real, lost = parts.take, []

    def take(handle):
        if not lost:
            (part,) = left(tmp_path)
            part.rmdir() if part.is_dir() else part.unlink()
            lost.append(part)
            if kind == "lock":
                return False
        return real(handle)

    monkeypatch.setattr(parts, "take", take)
    atomic.write_text(tmp_path / "a.txt", "whole")
    assert lost and (tmp_path / "a.txt").read_text() == "whole" and not left(tmp_path)
    lost.clear()
    with parts.stage(tmp_path) as place:
        assert lost and place.is_dir() and place != lost[0]
    assert not left(tmp_path)


def test_the_lock_is_held_until_the_part_has_its_name(tmp_path, monkeypatch):
    real = os.replace

    def replace(a, b):
        parts.tidy(tmp_path, again=True)  # as another process might at this moment
        real(a, b)

    monkeypatch.setattr(os, "replace", replace)
    atomic.write_text(tmp_path / "a.txt", "whole")
    assert (tmp_path / "a.txt").read_text() == "whole"


def test_a_folder_has_one_writer_at_a_time(tmp_path):
    child = started("folder", tmp_path)
    with pytest.raises(da.FileError, match=r"is writing to the folder .*wait until it has ended, or choose another"):
        written("folder", tmp_path)
    child.communicate("\n")
    written("folder", tmp_path)
    assert listed(tmp_path) == [folders.LIST, "b.txt"]
    with folders.filling(tmp_path), pytest.raises(da.FileError, match="another call in this one"):
        written("folder", tmp_path)


def test_a_killed_writer_does_not_keep_the_folder(tmp_path):
    child = started("folder", tmp_path)
    child.kill()
    child.communicate()
    written("folder", tmp_path)


def test_forked_processes_do_not_keep_the_folder(tmp_path):
    waiting, go = os.pipe()
    with folders.filling(tmp_path) as folder:
        folder.write("a", "1")
        pid = os.fork()
        if pid == 0:
            os.close(go)
            os.read(waiting, 1)
            os._exit(0)
    try:
        written("folder", tmp_path)  # the child lives, with no lock
        assert not left(tmp_path)
    finally:
        os.close(go)
        os.close(waiting)
        os.waitpid(pid, 0)


def test_where_there_are_no_locks_files_are_written_and_nothing_is_tidied(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "LOCKS", False)
    (tmp_path / parts.named("x")).write_text("half")
    written("file", tmp_path)
    written("folder", tmp_path / "f")
    assert (tmp_path / "f" / "b.txt").exists() and not left(tmp_path / "f")
    assert (tmp_path / "b.txt").read_text() == "whole" and len(left(tmp_path)) == 1


def test_many_writers_of_one_file_at_once(tmp_path):
    """They tidy beside each other; every one succeeds."""
    wrong = []

    def write(k):
        for n in range(40):
            try:
                parts._tidied.clear()
                atomic.write_text(tmp_path / f"f{k % 2}", f"{k} {n}" * 100)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=write, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and listed(tmp_path) == ["f0", "f1"]
