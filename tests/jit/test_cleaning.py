"""Folders of compiled code that nobody uses go after a month, and only those."""

import os
import time

from dalembert._jit import cleaning, store


def made(root, name, days):
    folder = root / name
    folder.mkdir()
    (folder / "planar.json").write_text("{}")
    at = time.time() - days * cleaning.DAY
    os.utime(folder, (at, at))
    return folder


def test_old_ones_go_and_others_stay(tmp_path):
    present = made(tmp_path, "a" * 16, 0)
    old, young = made(tmp_path, "b" * 16, 31), made(tmp_path, "c" * 16, 29)
    foreign, left = made(tmp_path, "my-results", 400), made(tmp_path, "d" * 16 + ".old-" + "e" * 16, 40)
    (tmp_path / "results.key").write_text("x")
    (tmp_path / ("f" * 16)).symlink_to(foreign)
    assert cleaning.clean(tmp_path, present) == [old.name, left.name]
    assert present.exists() and young.exists() and foreign.exists() and not old.exists() and not left.exists()
    assert (tmp_path / ("f" * 16)).is_symlink() and (tmp_path / "results.key").exists()


def test_use_is_noted_once_a_day(tmp_path):
    folder = made(tmp_path, "a" * 16, 31)
    cleaning.used(folder)
    noted = folder.stat().st_mtime
    assert time.time() - noted < 60
    cleaning.used(folder)
    assert folder.stat().st_mtime == noted


def test_what_killed_processes_left_half_written_goes(tmp_path):
    folder = made(tmp_path, "a" * 16, 0)
    for name, days in (("old.json.xyz.part", 2), ("new.json.xyz.part", 0), ("law-1.json", 400)):
        (folder / name).write_text("x")
        os.utime(folder / name, (time.time() - days * cleaning.DAY,) * 2)
    cleaning.used(folder)
    assert len(os.listdir(folder)) == 4  # in use today: not looked at
    os.utime(folder, (time.time() - 2 * cleaning.DAY,) * 2)
    cleaning.used(folder)
    assert sorted(os.listdir(folder)) == ["law-1.json", "new.json.xyz.part", "planar.json"]


def test_one_that_is_asked_for_meanwhile_keeps_its_name(tmp_path, monkeypatch):
    folder = made(tmp_path, "b" * 16, 31)
    real, looks = cleaning._old, []

    def old(path):
        looks.append(path)
        if len(looks) == 2:  # between the renaming and the removal
            os.utime(path)
        return real(path)

    monkeypatch.setattr(cleaning, "_old", old)
    assert cleaning.clean(tmp_path, tmp_path / ("a" * 16)) == [] and folder.exists() and (folder / "planar.json").exists()


def test_a_new_folder_is_the_occasion(tmp_path, monkeypatch):
    monkeypatch.setenv("DALEMBERT_CACHE", str(tmp_path))
    old = made(tmp_path, "b" * 16, 31)
    folder = store.cache_folder()
    assert folder.parent == tmp_path and not old.exists()
    again = made(tmp_path, "c" * 16, 31)
    assert store.cache_folder() == folder and again.exists()
