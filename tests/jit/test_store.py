"""Compiled code on disk: thirty ways of damaging it, none of which may reach LLVM, and everything it depends on in its key."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

import pytest

from dalembert._jit import MODE, loader, objects, store
from dalembert.results.files import seals

ANSWER = """
define i64 @group(ptr %table) {
  ret i64 42
}
"""


def good(folder, **change):
    """What the building process would put there."""
    meta = {"symbol": "group", "names": {"entry": 7}, "stubs": [], "files": ["errors.py"],
            "digest": store.source_digest(["errors.py"])}
    store.write(folder, "toy", loader.emit(ANSWER), meta | change)


def edit(change):
    """Alter the description and leave its seal as it was."""
    def damage(folder, item, code):
        meta = json.loads(item.read_text())
        change(meta)
        item.write_text(json.dumps(meta))
    return damage


def resealed(**change):
    """An item that is whole but not of this machine or not loadable."""
    def damage(folder, item, code):
        meta = json.loads(item.read_text())
        item.write_text(json.dumps(store.seal(meta | change)))
    return damage


def flip(place, what):
    def damage(folder, item, code):
        path = item if what == "json" else code
        data = bytearray(path.read_bytes())
        data[int(place * (len(data) - 1))] ^= 0x10
        path.write_bytes(data)
    return damage


def replaced(path, make):
    path.unlink()
    make(path)


def other_object(folder, item, code):
    data = b"\x7fELF\x02\x01\x01" + bytes(57)
    code.write_bytes(data)
    meta = json.loads(item.read_text())
    item.write_text(json.dumps(store.seal(meta | {"object_digest": store.digest(data)})))


def other_user(folder, item, code):
    if os.getuid() == 0:
        os.chown(code, 12345, 12345)
    else:
        code.chmod(0o666)


DAMAGES = {
    "object empty": lambda f, j, o: o.write_bytes(b""),
    "object cut in half": lambda f, j, o: o.write_bytes(o.read_bytes()[: o.stat().st_size // 2]),
    "object one byte short": lambda f, j, o: o.write_bytes(o.read_bytes()[:-1]),
    "object one byte long": lambda f, j, o: o.write_bytes(o.read_bytes() + b"\0"),
    "object zeros": lambda f, j, o: o.write_bytes(bytes(o.stat().st_size)),
    "object junk": lambda f, j, o: o.write_bytes(b"junk" * 300),
    "object bit at 0": flip(0.0, "o"), "object bit in the head": flip(0.02, "o"), "object bit in the code": flip(0.1, "o"),
    "object bit in the middle": flip(0.5, "o"), "object bit at the end": flip(1.0, "o"),
    "object gone": lambda f, j, o: o.unlink(),
    "object a folder": lambda f, j, o: replaced(o, lambda p: (p.mkdir(), (p / "x").write_text("x"))),
    "object a dangling link": lambda f, j, o: replaced(o, lambda p: p.symlink_to("nowhere")),
    "object a link to itself": lambda f, j, o: replaced(o, lambda p: p.symlink_to(p.name)),
    "object a pipe": lambda f, j, o: replaced(o, os.mkfifo),
    "object unreadable": lambda f, j, o: o.chmod(0),
    "object of another user": other_user,
    "object open to all": lambda f, j, o: o.chmod(0o666),
    "object open to the group": lambda f, j, o: o.chmod(0o620),
    "object for nothing": other_object,
    "json empty": lambda f, j, o: j.write_text(""),
    "json cut": lambda f, j, o: j.write_text(j.read_text()[:40]),
    "json a list": lambda f, j, o: j.write_text("[1, 2]"),
    "json null": lambda f, j, o: j.write_text("null"),
    "json deep": lambda f, j, o: j.write_text("[" * 100_000),
    "json not text": lambda f, j, o: j.write_bytes(b"\xff\xfe\0" * 50),
    "json bit": flip(0.3, "json"), "json bit in the seal": flip(0.97, "json"),
    "json a folder": lambda f, j, o: replaced(j, lambda p: p.mkdir()),
    "json a dangling link": lambda f, j, o: replaced(j, lambda p: p.symlink_to("nowhere")),
    "json open to all": lambda f, j, o: j.chmod(0o666),
    "number of an entry": edit(lambda m: m["names"].update(entry=8)),
    "symbol": edit(lambda m: m.update(symbol="nobody")),
    "object elsewhere": edit(lambda m: m.update(object="../../x.o")),
    "wrong types": edit(lambda m: m.update(names=3, files="x", stubs=None, object=5)),
    "no fields": lambda f, j, o: j.write_text("{}"),
    "of another machine": resealed(key="0" * 16),
    "symbol that is not in it": resealed(symbol="nobody"),
    "types resealed": resealed(files=7),
    "folder open to all": lambda f, j, o: f.chmod(0o777),
    "folder open to the group": lambda f, j, o: f.chmod(0o720),
    "folder a file": lambda f, j, o: (shutil.rmtree(f), f.write_text("x")),
    "lock a folder": lambda f, j, o: ((f / "toy.lock").mkdir(), j.write_text("")),
    "lock a dangling link": lambda f, j, o: ((f / "toy.lock").symlink_to("/nowhere/x"), j.write_text("")),
}


def loads(monkeypatch, module="dalembert.errors"):
    """Load the group as the package does, with a stand-in for the half minute of compiling; how often it was compiled."""
    built = []

    def build(group, module, folder, why):
        built.append(why)
        good(folder)
        return objects.fresh(folder, group)

    monkeypatch.setattr(objects, "_build", build)
    address, names = objects._load("toy", module)
    table = (objects.ctypes.c_int64 * 1)(names["entry"])
    assert objects._PROTOTYPE(address)(objects.ctypes.addressof(table)) == 42 and names == {"entry": 7}
    return len(built)


@pytest.mark.skipif(MODE != "object" or os.name != "posix", reason="compiled code of a POSIX system")
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_or_foreign_code_is_made_again(damage, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("DALEMBERT_CACHE", str(tmp_path))
    folder = store.cache_folder()
    good(folder)
    item = folder / "toy.json"
    code = folder / json.loads(item.read_text())["object"]
    assert loads(monkeypatch) == 0
    if damage == "object unreadable" and os.getuid() == 0:
        pytest.skip("root reads everything")
    DAMAGES[damage](folder, item, code)
    assert loads(monkeypatch) == 1
    assert loads(monkeypatch) == 0
    assert len(capfd.readouterr().err.splitlines()) <= 1
    assert stat.S_IMODE(store.cache_folder().stat().st_mode) == 0o700


def test_there_are_thirty_ways_and_more():
    assert len(DAMAGES) >= 30


# ---------------------------------------------------------------------------------------------------------------- places


@pytest.mark.skipif(os.name != "posix", reason="owners and modes")
def test_a_temporary_folder_that_others_can_write_is_not_used(tmp_path, monkeypatch, capfd):
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    monkeypatch.setenv("DALEMBERT_CACHE", str(nowhere / "cache"))
    monkeypatch.setattr(store.tempfile, "gettempdir", lambda: str(tmp_path))
    planted = tmp_path / f"dalembert-cache-{os.getuid()}"
    planted.mkdir()
    assert store.cache_folder().parent == planted
    planted.chmod(0o777)
    store._private.cache_clear()
    used = store.cache_folder()
    assert planted not in used.parents and stat.S_IMODE(used.stat().st_mode) == 0o700
    assert "can be written by others" in capfd.readouterr().err
    if os.getuid() == 0:
        planted.chmod(0o755)
        os.chown(planted, 12345, 12345)
        assert planted not in store.cache_folder().parents
    store._private.cache_clear()


def test_without_home_and_with_nothing_writable_there_is_a_place(tmp_path):
    (tmp_path / "file").write_text("")
    env = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME", "DALEMBERT_CACHE")}
    code = "from dalembert._jit import store; print(store.cache_folder())"
    for change in ({}, {"HOME": str(tmp_path / "file")}, {"HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}):
        done = subprocess.run([sys.executable, "-c", code], env=env | change, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_a_user_without_a_home_gets_no_folder_called_tilde(tmp_path, monkeypatch):
    """No HOME and no entry in the list of users, as in containers: expanduser gives back what it was given."""
    for name in ("HOME", "XDG_CACHE_HOME", "DALEMBERT_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert store.base_folder() == store.temporary_folder()
    assert store.cache_folder().parent == store.temporary_folder() and os.listdir(tmp_path / "here") == []
    assert len(seals.key(make=True) or b"") == seals.BYTES and os.listdir(tmp_path / "here") == []
    store.temporary_folder().rename(tmp_path / "elsewhere")
    store.temporary_folder().symlink_to(tmp_path / "elsewhere")  # by somebody who was there before
    assert seals.key() is None and store.cache_folder().parent != store.temporary_folder()
    store._private.cache_clear()


def test_places_of_caches_are_absolute(tmp_path, monkeypatch):
    """Building processes run in a folder of their own; a relative XDG_CACHE_HOME counts for nothing, as its definition says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DALEMBERT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert store.base_folder() == tmp_path / "home" / ".cache" / "dalembert"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert store.base_folder() == tmp_path / "caches" / "dalembert"
    monkeypatch.setenv("DALEMBERT_CACHE", "mine")
    assert store.base_folder() == tmp_path / "mine"


# ------------------------------------------------------------------------------------------------------------------- key


FACTS = {"package", "system", "cpu", "features", "python", "llvm", "llvmlite", "numba", "numpy", "NUMBA_CPU_NAME",
         "NUMBA_CPU_FEATURES"}


def test_the_key_changes_with_every_fact(monkeypatch):
    facts = store.facts()
    assert set(facts) == FACTS
    assert all(facts[name] for name in FACTS if not name.startswith("NUMBA"))
    key = store.key()
    for name in facts:
        monkeypatch.setattr(store, "facts", lambda name=name: facts | {name: facts[name] + "x"})
        assert store.key() != key, name


def test_the_facts_are_asked_of_the_machine(monkeypatch):
    """Each fact, where it comes from: none may become a constant."""
    import llvmlite
    import llvmlite.binding as llvm
    import numpy

    features = llvm.get_host_cpu_features()

    class Fewer(dict):
        def flatten(self):
            return features.flatten().replace("+avx2", "-avx2") + ",+none"

    changes = {"cpu": (llvm, "get_host_cpu_name", lambda: "z80"), "features": (llvm, "get_host_cpu_features", Fewer),
               "llvmlite": (llvmlite, "__version__", "0"), "numpy": (numpy, "__version__", "0"),
               "numba": (store, "numba_version", lambda: "0"), "llvm": (llvm, "llvm_version_info", (1, 2, 3)),
               "system": (store.platform, "machine", lambda: "z80"), "package": (store, "PACKAGE", "elsewhere")}
    before = store.facts()
    for name, (owner, attribute, value) in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(owner, attribute, value)
            after = store.facts()
        assert {k for k in before if before[k] != after[k]} == {name}
    for name in store.KEPT:
        with monkeypatch.context() as patch:
            patch.setenv(name, "generic")
            assert store.facts()[name] == "generic"
    assert store.facts() == before


def test_numba_is_known_by_its_version_without_being_imported(monkeypatch, tmp_path):
    import importlib.util

    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise SystemExit('imported')")
    (tmp_path / "numba" / "_version.py").write_text("1")
    found = []
    for version in ("1", "2"):
        (tmp_path / "numba" / "_version.py").write_text(version)
        spec = importlib.util.spec_from_file_location("numba", tmp_path / "numba" / "__init__.py")
        monkeypatch.setattr(importlib.util, "find_spec", lambda name, spec=spec: spec)
        store.numba_version.cache_clear()
        found.append(store.numba_version())
    monkeypatch.undo()
    store.numba_version.cache_clear()
    assert len({*found, store.numba_version()}) == 3


def test_building_processes_see_only_settings_of_numba_that_are_in_the_key(monkeypatch):
    for name in ("NUMBA_OPT", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_ENABLE_AVX", "NUMBA_LOOP_VECTORIZE", *store.KEPT):
        monkeypatch.setenv(name, "1")
    seen = {k for k in store.environment() if k.startswith("NUMBA_")}
    assert seen == {*store.KEPT, "NUMBA_DISABLE_INTEL_SVML", "NUMBA_OPT"} and store.environment()["NUMBA_OPT"] == "0"


def test_a_kill_between_object_and_description_leaves_the_old_item(tmp_path, monkeypatch):
    store.write(tmp_path, "x", b"old", {})
    real, told = store._put, []

    def put(path, data):
        told.append(path.suffix)
        if len(told) == 2:
            raise KeyboardInterrupt
        real(path, data)

    monkeypatch.setattr(store, "_put", put)
    with pytest.raises(KeyboardInterrupt):
        store.write(tmp_path, "x", b"new", {})
    assert told == [".o", ".json"] and store.read(tmp_path, "x")[0] == b"old"
