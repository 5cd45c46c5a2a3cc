"""Writing at once: links, devices, folders, rights, and failures in the middle."""

import os

import pytest

import dalembert as da
from dalembert.io import atomic


def test_links_are_followed_and_rights_kept(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    atomic.write_text(link, "new")
    assert link.is_symlink() and real.read_text() == "new" and real.stat().st_mode & 0o777 == 0o640


def test_devices_and_pipes_take_the_content(tmp_path):
    atomic.write_text(os.devnull, "gone")
    assert not os.path.isfile(os.devnull)
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    atomic.write_text(tmp_path / "pipe", "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)


def test_a_failure_in_the_middle_leaves_nothing_behind(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(KeyError), atomic.replacing(tmp_path / "a.txt") as part:
        part.write(b"half")
        raise KeyError
    assert (tmp_path / "a.txt").read_text() == "old" and os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize(("name", "words"), [("", "it is a folder"), ("no/where.txt", "No such file"), ("a\0b", "cannot write")])
def test_places_that_cannot_be_written(tmp_path, name, words):
    with pytest.raises(da.FileError, match=words):
        atomic.write_text(tmp_path / name, "x")


def test_long_names_of_wide_letters(tmp_path):
    """A name that the file system takes (at most 255 bytes) is taken here too."""
    for name in ("ü" * 120 + ".txt", "€" * 80 + "ab.txt", "x" * 255):
        atomic.write_text(tmp_path / name, "whole")
        assert (tmp_path / name).read_text() == "whole"
    assert len(list(tmp_path.iterdir())) == 3


def test_links_in_a_ring_are_refused(tmp_path):
    (tmp_path / "ring").symlink_to(tmp_path / "ring")
    with pytest.raises(da.FileError, match="cannot write"):
        atomic.write_text(tmp_path / "ring", "text")


def test_a_new_file_gets_the_usual_mode_and_the_umask_is_not_touched(tmp_path, monkeypatch):
    (tmp_path / "plain").touch()
    monkeypatch.setattr("os.umask", lambda mask: pytest.fail("the umask belongs to all threads"))
    with atomic.replacing(tmp_path / "new") as file:
        file.write(b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new", "plain"]
