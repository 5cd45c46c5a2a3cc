"""The shared library that wheels carry, made here of the two smallest groups: what it needs, what it gives, and what is said when
it is not what it was.  The whole wheel is built and tried by ``make release`` (release.py)."""

import ctypes
import itertools
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from dalembert._jit import MODE, builtin, functions, linking, loader, objects, shipped, store, straight, taped, wheel

ROOT = Path(__file__).resolve().parents[2]
GROUPS = {"tape", "tangent_scales"}  # conftest.py
pytestmark = pytest.mark.skipif(MODE != "object" or not shipped.variants() or linking.linker() is None,
                                reason="no library is made in this mode, on this machine, or without a linker")


def test_it_needs_the_c_library_at_its_oldest_version_and_nothing_else(package):
    names, versions = linking.needed((package / "_kernels" / "kernels.so").read_bytes())
    assert names and names <= loader.MATHS | linking.LIBC
    assert versions == {"GLIBC_2.2.5"}


def test_it_shows_its_entries_alone_and_nothing_in_it_is_both_written_and_run(package):
    data = (package / "_kernels" / "kernels.so").read_bytes()
    entries = {f"dalembert_{max(shipped.variants())}_{g}" for g in GROUPS}
    marks = {f"dalembert_mark_{k}" for k in range(len(entries) + 1)}
    assert set(linking.symbols(data)) == entries | marks | {"dalembert_level", builtin.CODE, builtin.TABLE}
    table, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    rows = [struct.unpack_from("<II", data, table + k * size) for k in range(count)]  # kind; flags: 1 run, 2 written, 4 read
    assert all(flags & 3 != 3 for _, flags in rows)
    assert [flags for kind, flags in rows if kind == 0x6474E551] == [6]  # PT_GNU_STACK: without one, old systems run the stack
    assert all(stat.S_IMODE(f.stat().st_mode) & 0o444 == 0o444 for f in (package / "_kernels").iterdir() if f.is_file())


GONE = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Gone())
import importlib.util
importlib.util.find_spec = (lambda f: lambda n, p=None: None if n in ("numba", "llvmlite") else f(n, p))(importlib.util.find_spec)
import numpy as np
"""
READ = GONE + """
from dalembert._jit import Straight, shipped
exec(sys.stdin.read())
f = Straight(ops, outputs, sizes, "the test")
assert f.taped is not None
print(*(float(x).hex() for row in points for x in f(row[0], row[1:3], row[3:])), shipped.opened().variant)
"""
NAMES = [n for n in taped.NAMES if n not in ("const", "t", "x", "v", "select", "and", "or")]


def everything():
    """Every operation once or more, of inputs and constants, and points with some outside of domains."""
    ops = [("t",), ("x", 0), ("x", 1), ("v", 0), ("const", 0.7), ("const", -1.5)]
    for name in NAMES:
        two = name in ("add", "sub", "mul", "div", "atan2", "pow", "fmod", *straight.COMPARE)
        ops += [(name, k, j) for k, j in ((0, 1), (1, 2), (2, 4), (3, 5))] if two else [(name, k) for k in (0, 1, 2, 3, 4, 5)]
    logic = [k for k, row in enumerate(ops) if row[0] in straight.COMPARE]
    shown = [k for k in range(len(ops)) if k not in logic]
    for a, b in itertools.pairwise(logic):
        ops += [("and", a, b), ("or", a, b)]
        ops += [("select", len(ops) - 2, 1, 2), ("select", len(ops) - 1, 3, 4)]
        shown += [len(ops) - 2, len(ops) - 1]
    points = np.random.default_rng(7).uniform(-2.0, 2.0, (12, 4))
    points[0] = 0.0
    return ops, shown, (2, 1, len(shown)), points.tolist()


def read_by(package, env=()):
    ops, outputs, sizes, points = everything()
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True,
                          input=f"ops, outputs, sizes, points = {ops!r}, {outputs!r}, {sizes!r}, {points!r}",
                          env=os.environ | {"PYTHONPATH": str(package.parent), "DALEMBERT_JIT": ""} | dict(env))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    *values, variant = done.stdout.split()
    return np.array([float.fromhex(x) for x in values]).reshape(len(points), -1), variant


def test_a_tape_gives_what_machine_code_gives_in_every_variant(package):
    """Without numba and llvmlite; the other routes are LLVM's code of the same list, and Python's functions."""
    ops, outputs, sizes, points = everything()
    compiled = straight.Straight(ops, outputs, sizes)
    expected = np.array([compiled(row[0], row[1:3], row[3:]) for row in points])
    plain = np.zeros_like(expected)
    with np.errstate(all="ignore"):
        for k, row in enumerate(points):
            try:
                straight._as_python(ops, outputs)(row[0], np.array(row[1:3]), np.array(row[3:]), plain[k])
            except ZeroDivisionError:
                plain[k] = expected[k]
    level = shipped.Shipped(package / "_kernels").level
    for name in (v for v, (needed, _) in shipped.variants().items() if needed <= level):
        values, used = read_by(package, {"DALEMBERT_VARIANT": name}.items())
        assert used == name
        for other in (expected, plain):
            assert np.array_equal(np.isfinite(values), np.isfinite(other))
            good = np.isfinite(other)
            assert np.abs(values[good] - other[good]).max() <= 4e-15 * np.abs(other[good]).max()
    assert read_by(package)[1] == max((n, v) for v, (n, _) in shipped.variants().items() if n <= level)[1]


def test_an_object_of_the_same_variant_gives_the_same_bits(package):
    """What the linker made of the code, against the code loaded by LLVM as a checkout does it."""
    library = shipped.Shipped(package / "_kernels")
    data, meta = store.read(wheel.kept_folder(), f"tape@{library.variant}")
    code = loader.load(data, [meta["symbol"]], meta["stubs"])
    address, names = library.find("tape")
    assert names == meta["names"]
    ops, outputs, sizes, points = everything()
    rows = taped.Taped(ops, outputs, sizes)
    results = []
    for place in (address, code[meta["symbol"]]):
        out = []
        for row in points:
            held = [rows.rows, rows.constants, rows.outputs, np.zeros(len(ops)), np.array([row[0]]), np.array(row[1:3]),
                    np.array(row[3:]), np.zeros(sizes[2])]
            table = np.array([names["read"], *(x for a in held for x in (a.ctypes.data, a.size))], dtype=np.int64)
            assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(place)(table.ctypes.data) == 0
            out.append(held[-1])
        results.append(np.array(out))
    assert np.array_equal(*results, equal_nan=True)  # the sign of "not a number" is the C library's
    assert np.array_equal(*(np.signbit(np.nan_to_num(r)) for r in results))


CALLED = GONE + """
from types import SimpleNamespace
from dalembert._jit import builtin, shipped
library, x = shipped.opened(), np.zeros(3)
nothing = SimpleNamespace(pair=(library.place("dalembert_mark_0"), 0))
f = builtin.made("toy", nothing, (x[:1], x[1:]), x)
print(type(f).__name__, f(np.ones(1), np.full(2, 2.0)).tolist(), f(np.ones(1), np.ones(3)), library.variant)
"""


def test_functions_of_python_come_out_of_the_library(package):
    """Of each variant, without numba and llvmlite (tests/jit/test_builtin.py says what they do)."""
    level = shipped.Shipped(package / "_kernels").level
    for name in (v for v, (needed, _) in shipped.variants().items() if needed <= level):
        env = os.environ | {"PYTHONPATH": str(package.parent), "DALEMBERT_JIT": "", "DALEMBERT_VARIANT": name}
        done = subprocess.run([sys.executable, "-c", CALLED], capture_output=True, text=True, env=env)
        assert (done.stdout, done.stderr) == (f"builtin_function_or_method [1.0, 2.0, 2.0] None {name}\n", "")


# ------------------------------------------------------------------------------------------------------------- damage


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


@pytest.mark.parametrize("variant", shipped.variants())
def test_every_flipped_byte_is_noticed_before_it_runs(folder, variant, monkeypatch):
    """Of a library as it lies there before its code is used, of a packed one when it is opened."""
    index = shipped._index(folder / "index.py")
    facts, code, name = index["FILES"][variant], index["CODE"][variant], index["FILES"][variant]["file"]
    if index["LEVELS"][variant] > shipped.Shipped(folder).level:
        pytest.skip("this CPU does not run it")
    monkeypatch.setenv("DALEMBERT_VARIANT", variant)
    good = (folder / name).read_bytes()
    places = [*range(0, 64, 7), *np.random.default_rng(3).integers(0, len(good), 60).tolist(), len(good) - 1]
    seen = set()
    for k, at in enumerate(places):
        path = folder.parent / f"damaged{k}"
        shutil.copytree(folder, path)
        flip(path / name, at)
        parts = {g for g in GROUPS if code[g][0] <= at - facts["first"] < code[g][1]} if not facts["packed"] else set()
        try:
            opened = shipped.Shipped(path)
        except shipped.Unusable as error:
            assert "damaged" in str(error) and str(path / name) in str(error)
            seen.add("outside of the code")
            continue
        for group in GROUPS:
            if group in parts:
                with pytest.raises(shipped.Unusable, match="damaged"):
                    opened.find(group)
                seen.add("in the code")
            else:
                assert opened.find(group)
        assert parts
    assert seen == ({"outside of the code"} if facts["packed"] else {"outside of the code", "in the code"})


def test_a_packed_library_where_code_is_not_run_from_memory(folder, monkeypatch):
    """By a temporary file that does not stay; and where there is none either, it is said."""
    index = shipped._index(folder / "index.py")
    monkeypatch.setenv("DALEMBERT_VARIANT", "v1")
    monkeypatch.setenv("TMPDIR", str(folder.parent))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert index["FILES"]["v1"]["packed"] and shipped.Shipped(folder).find("tape")
    before = sorted(folder.parent.iterdir())
    monkeypatch.delattr(os, "memfd_create")
    assert shipped.Shipped(folder).find("tape")
    assert sorted(folder.parent.iterdir()) == before
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", lambda **options: (_ for _ in ()).throw(PermissionError("no place")))
    with pytest.raises(shipped.Unusable, match=r"kernels-v1\.xz cannot be opened \(no place\)"):
        shipped.Shipped(folder)


def test_a_python_that_cannot_unpack_says_so(folder, monkeypatch):
    monkeypatch.setenv("DALEMBERT_VARIANT", "v1")
    monkeypatch.setitem(sys.modules, "lzma", None)
    with pytest.raises(shipped.Unusable, match="built without lzma"):
        shipped.Shipped(folder)


def test_two_packed_libraries_are_two(folder, monkeypatch):
    """The system knows an open library by the name of its file: those from memory must not take each other's."""
    monkeypatch.setenv("DALEMBERT_VARIANT", "v1")
    one, two = shipped.Shipped(folder), shipped.Shipped(folder)
    assert one.find("tape")[0] != two.find("tape")[0]


@pytest.mark.parametrize("how", ["cut", "empty", "gone", "a folder", "longer", "another index", "index cut", "index gone",
                                 "no program"])
def test_a_library_that_is_not_what_it_was_is_said(folder, how):
    library, index = folder / "kernels.so", folder / "index.py"
    if how == "cut":
        library.write_bytes(library.read_bytes()[:5000])
    elif how == "empty":
        library.write_bytes(b"")
    elif how == "gone":
        library.unlink()
    elif how == "a folder":
        library.unlink()
        library.mkdir()
    elif how == "longer":
        library.write_bytes(library.read_bytes() + b"\0")
    elif how == "another index":
        index.write_text(index.read_text().replace("'rest': ", "'rest': 1"))
    elif how == "index cut":
        index.write_text(index.read_text()[:200])
    elif how == "index gone":
        index.unlink()
    else:  # whole by its checksums, and yet nothing the system can open
        import zlib

        data = b"no library at all" * 1000
        library.write_bytes(data)
        facts = {"file": library.name, "packed": 0, "size": len(data), "first": 100, "last": 200,
                 "rest": zlib.crc32(data[200:], zlib.crc32(data[:100]))}
        index.write_text(f"WIDEST = 'v3'\nLEVELS = {{'v3': 3}}\nFILES = {{'v3': {facts}}}\nENTRIES = {{}}\nCODE = {{}}\n")
    with pytest.raises(shipped.Unusable) as caught:
        shipped.Shipped(folder)
    assert str(folder) in str(caught.value)


def test_without_a_compiler_the_cure_is_named(folder, monkeypatch, capsys):
    def asked(there):
        monkeypatch.setattr(shipped, "opened", lambda: there)
        return shipped.find("tape")

    broken = shipped.Unusable("kernels.so is damaged")
    monkeypatch.setattr(shipped, "compiler", lambda: True)
    store._SAID.clear()
    assert asked(None) is None and asked(broken) is None  # compiled here, as from a checkout
    assert capsys.readouterr().err.count("kernels.so is damaged") == 1
    monkeypatch.setattr(shipped, "compiler", lambda: False)
    with pytest.raises(shipped.Unusable, match=r"pip install 'dalembert\[compile\]'"):
        asked(None)
    with pytest.raises(shipped.Unusable, match="damaged; put them in order by pip install --force-reinstall dalembert"):
        asked(broken)
    assert asked(shipped.Shipped(folder))[1] == {"read": 0}


def test_groups_side_by_side_without_a_compiler(monkeypatch):
    """What is compiled ahead elsewhere must not be asked for here."""
    monkeypatch.setattr(shipped, "opened", lambda: shipped.Unusable("kernels.so is damaged"))
    monkeypatch.setattr(shipped, "compiler", lambda: False)
    monkeypatch.setattr(objects, "cache_folder", lambda: pytest.fail("a cache is for compiled code"))
    ahead = [objects.Entry(f"toy{k}", "go", None, (), "nowhere") for k in range(2)]
    for item in ahead:
        objects.ENTRIES.pop((item.group, item.name))
    objects.prepare(*ahead)
    with pytest.raises(shipped.Unusable, match=r"kernels\.so is damaged; put them in order"):
        ahead[0].bind()


def test_a_law_without_a_compiler_is_called_back_and_says_so(monkeypatch, capsys):
    monkeypatch.setattr(shipped, "compiler", lambda: False)
    store._SAID.clear()
    law = functions.Law(lambda t: 2.0 * t, "motor 'M'", "scalar", 1)
    assert not law.compiled and law.native(law.address, (3.0,)) == 6.0
    assert "motor 'M'" in law.note and "pip install 'dalembert[compile]'" in law.note and law.note in capsys.readouterr().err


def test_machine_code_without_a_compiler_names_the_extra(monkeypatch):
    monkeypatch.setattr(shipped, "compiler", lambda: False)
    monkeypatch.setattr(taped.Taped, "__init__", lambda *args: None)
    made = straight.Straight([("t",)], [0], (0, 0, 1), "equations of 'four-bar'")
    with pytest.raises(RuntimeError, match=r"four-bar.*dalembert\[compile\]"):
        made.address  # noqa: B018


def test_objects_are_kept_by_all_they_depend_on(package, monkeypatch, tmp_path):
    """And not by this CPU or the place of the sources: the next wheel is made from what was kept."""
    facts = store.facts()
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path / "here")
    plain = wheel.kept_folder()
    for name in facts:
        with monkeypatch.context() as patch:
            patch.setattr(store, "facts", lambda name=name: facts | {name: "another"})
            assert (wheel.kept_folder() == plain) == (name in ("package", "cpu", "features", *store.KEPT)), name
    assert {"system", "python", "llvm", "llvmlite", "numba", "numpy"} <= set(facts)


def test_objects_of_edited_sources_are_made_again(package, monkeypatch):
    folder = wheel.kept_folder()
    assert wheel._fresh(folder, "tape", "v1") and not wheel._fresh(folder, "tape", "v2")
    monkeypatch.setattr(store, "source_digest", lambda files: "another")
    assert not wheel._fresh(folder, "tape", "v1")


@pytest.mark.parametrize("called, stubs, links", [("numba_gil_ensure", ["numba_gil_ensure"], True), ("sin", [], True),
                                                  ("numba_gil_ensure", [], False), ("system", [], False)])
def test_code_may_name_stubs_and_functions_of_the_list_and_nothing_else(called, stubs, links, tmp_path):
    text = f"declare i64 @{called}(ptr)\ndefine i64 @toy(ptr %t) {{\n  %x = call i64 @{called}(ptr %t)\n  ret i64 %x\n}}\n"
    data = Path(linking._object(text, tmp_path / "toy.o")).read_bytes()
    item = {("v1", "toy"): (data, {"symbol": "toy", "stubs": stubs, "names": {"go": 0}, "functions": []})}
    if links:
        linking.link(item, tmp_path / "k", {"v1": 1}, "x86_64", {})
        assert shipped.Shipped(tmp_path / "k").find("toy")[1] == {"go": 0}
        shown = set(linking.symbols((tmp_path / "k" / "kernels.so").read_bytes()))
        places = {"dalembert_level", "dalembert_mark_0", "dalembert_mark_1", builtin.CODE, builtin.TABLE}
        assert shown == places | {"toy"}  # no stub: it is nobody else's
    else:
        with pytest.raises(RuntimeError, match=f"linking the kernels failed(.|\n)*{called}"):
            linking.link(item, tmp_path / "k", {"v1": 1}, "x86_64", {})


def test_a_linker_that_fails_and_none_at_all(monkeypatch, package, tmp_path):
    item = store.read(wheel.kept_folder(), "tangent_scales@v1")
    objects = {("v1", "tangent_scales"): item}
    monkeypatch.setenv("DALEMBERT_LINKER", f"{sys.executable} -c 1/0")
    with pytest.raises(RuntimeError, match="linking the kernels failed"):
        linking.link(objects, tmp_path / "k", {"v1": 1}, "x86_64", {})
    monkeypatch.delenv("DALEMBERT_LINKER")
    monkeypatch.setattr(linking, "LINKERS", ("no-such-linker",))
    with pytest.raises(RuntimeError, match="there is no linker"):
        linking.link(objects, tmp_path / "k", {"v1": 1}, "x86_64", {})
