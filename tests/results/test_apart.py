"""Result files that HDF5 may die of are opened by a process of their own first; those this user sealed are opened at once."""

import contextlib
import hashlib
import os
import subprocess
import sys

import pytest

import dalembert as da
from dalembert.catalog import make
from dalembert.results.files import apart, seals, store


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache")
    os.chmod(folder, 0o700)
    monkeypatch.setattr(seals, "base_folder", lambda: folder)
    return folder


@pytest.fixture(scope="module")
def run():
    return da.simulate(make("pendulum"), 0.1, step=0.05)


@pytest.fixture
def saved(run, tmp_path):
    run.save(tmp_path / "r.h5")
    return tmp_path / "r.h5"


@pytest.fixture
def started(monkeypatch):
    """Commands of the processes that were started."""
    found, real = [], subprocess.run
    monkeypatch.setattr(apart.subprocess, "run", lambda command, **how: found.append(command) or real(command, **how))
    return found


def resealed(path, seal=""):
    """The checksum made anew, as anybody can; and what else an attacker may write there."""
    content = path.read_bytes()[store.HEAD:]
    mark = hashlib.blake2b(content, digest_size=16).hexdigest()
    path.write_bytes(f"{store.FORMAT} 1 {len(content)} {mark}{seal}\n".encode().ljust(store.HEAD, b"\0") + content)


def test_a_sealed_file_needs_no_process(saved, started):
    assert da.load(saved).status == "complete"
    assert not started


def test_files_from_before_are_looked_through_and_load(saved, started):
    resealed(saved)
    assert da.load(saved).status == "complete"
    assert len(started) == 1


@pytest.mark.parametrize("seal", [" " + "0" * 32, " \u00e4", " x"])
def test_a_seal_that_is_not_ours_is_none(saved, started, seal):
    resealed(saved, seal)
    assert da.load(saved).status == "complete"
    assert len(started) == 1


def test_an_altered_file_does_not_keep_its_seal(saved, started):
    seal = saved.read_bytes()[:store.HEAD].split()[5].decode()
    data = bytearray(saved.read_bytes())
    data[-1] ^= 1
    saved.write_bytes(data)
    resealed(saved, f" {seal}")
    with contextlib.suppress(da.FileError):
        da.load(saved)
    assert len(started) == 1


def test_verify_false_goes_through_the_process(saved, started):
    da.load(saved, verify=False)
    assert len(started) == 1


# ---------------------------------------------------------------------------------------------------------- the key


def test_the_key_is_private(saved, cache):
    assert (cache / seals.NAME).stat().st_mode & 0o777 == 0o600
    assert len((cache / seals.NAME).read_bytes()) == seals.BYTES


@pytest.mark.parametrize("harm", [
    lambda key: key.chmod(0o640),
    lambda key: key.chmod(0o604),
    lambda key: key.write_bytes(b"short"),
    lambda key: key.unlink(),
])
def test_a_key_that_others_know_or_that_is_not_whole_is_made_anew(run, saved, cache, started, harm):
    old = (cache / seals.NAME).read_bytes()
    harm(cache / seals.NAME)
    da.load(saved)
    assert len(started) == 1
    run.save(saved)
    da.load(saved)
    assert len(started) == 1 and (cache / seals.NAME).read_bytes() != old
    assert (cache / seals.NAME).stat().st_mode & 0o777 == 0o600


def test_a_key_of_somebody_else_or_a_link_is_not_used(run, saved, cache, started, monkeypatch, tmp_path):
    me = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    assert seals.key() is None and seals.key(make=True) is None
    monkeypatch.undo()
    monkeypatch.setattr(seals, "base_folder", lambda: cache)
    (cache / seals.NAME).rename(tmp_path / "elsewhere")
    (cache / seals.NAME).symlink_to(tmp_path / "elsewhere")
    assert seals.key() is None and seals.key(make=True) is None


def test_a_folder_that_others_can_write_keeps_no_key(run, saved, cache, started):
    cache.chmod(0o777)
    run.save(saved)
    assert len(saved.read_bytes()[:store.HEAD].rstrip(b"\0\n").split()) == 5
    da.load(saved)
    assert len(started) == 1


# ---------------------------------------------------------------------------------------------------- children that die


CRASH = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"


@pytest.mark.parametrize("body, says", [
    (CRASH, "ended with SIGSEGV"),
    ("import os; os._exit(3)", "ended with code 3"),
    ("print('{')", "ended with code 0"),
    ("from dalembert.results.files.apart import _limit; _limit(0, 2**30)\nwhile True: pass", "took more than"),
])
def test_a_child_that_dies_is_an_error_in_words(saved, monkeypatch, body, says):
    resealed(saved)
    monkeypatch.setattr(apart, "START", f"import sys, json; sys.path[:] = json.loads(sys.argv[1])\n{body}")
    with pytest.raises(da.FileError, match=f"r.h5: the HDF5 library does not get through this file .it {says}"):
        da.load(saved)


def test_a_child_that_waits_is_ended(saved, monkeypatch):
    resealed(saved)
    monkeypatch.setattr(apart, "START", "import time; time.sleep(60)")
    monkeypatch.setattr(apart, "WALL", 0.1)
    with pytest.raises(da.FileError, match="did not end within"):
        da.load(saved)


def test_the_child_has_a_limit_of_memory(saved):
    body = ("import sys, json; sys.path[:] = json.loads(sys.argv[1]); from dalembert.results.files.apart import _limit; "
            "_limit(5, 50_000_000)\ntry: bytearray(200_000_000)\nexcept MemoryError: print('limited')")
    import json

    done = subprocess.run([sys.executable, "-c", body, json.dumps(sys.path)], capture_output=True, text=True)
    assert done.stdout.strip() == "limited", done.stderr


@pytest.mark.parametrize("python", ["", "/nowhere/python"])
def test_where_no_process_can_be_started_the_file_is_opened_and_that_is_said(saved, monkeypatch, capsys, python):
    from dalembert._jit import store as said

    resealed(saved)
    monkeypatch.setattr(said, "_SAID", set())
    monkeypatch.setattr(sys, "executable", python)
    assert da.load(saved).status == "complete"
    assert "load only those you trust" in capsys.readouterr().err
