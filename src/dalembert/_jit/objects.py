"""Entry points, their compiled objects on disk, and loading them without numba."""

from __future__ import annotations

import ctypes
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import forks, shipped
from .kernels import CALLS, MODE

if TYPE_CHECKING:
    from pathlib import Path


class Entry:
    """A kernel with the structs it takes; ``bind`` fixes the arrays, the bound entry is then called without arguments."""

    def __init__(self, group: str, name: str, function, structs, module: str):
        self.group, self.name, self.function, self.structs, self.module = group, name, function, structs, module
        ENTRIES[group, name] = self

    def bind(self, *values, words: np.ndarray | None = None) -> Bound:
        """``words``: where the arrays are (``words`` below) between one free place and two, from who knows it."""
        return Bound(self, values, words)


class Bound:
    """An entry bound to arrays, which it keeps alive.  ``handle`` is what ``call`` takes inside another kernel."""

    def __init__(self, entry: Entry, values, table: np.ndarray | None = None):
        self.values, self.structs = values, entry.structs
        if MODE == "python":
            function = entry.function
            values = tuple(type(x)(*(_record(type(x), f, a) for f, a in zip(x._fields, x, strict=True))) for x in values)
            self._run = partial(function, *values)
            self.handle = id(self)
            CALLS[self.handle] = self._run
            return
        if table is None:
            found = [words(cls, value) for cls, value in zip(entry.structs, values, strict=True)]
            table = np.concatenate([FREE[:1], *found, FREE])
        self._enter(entry, table)

    def _enter(self, entry: Entry, table: np.ndarray) -> None:
        """``table``: its first place and its last two are free; those are for the pair that a handle points to."""
        code, number = _code(entry)
        self._table, place = table, address(table)
        table[0], table[-2], table[-1] = number, code, place
        self.handle = place + table.itemsize * (table.size - 2)
        function = _FUNCTIONS.get(code)
        if function is None:
            function = _FUNCTIONS.setdefault(code, _PROTOTYPE(code))
        self._run = partial(function, place)

    @property
    def pair(self) -> tuple[int, int]:
        """Addresses of the code and of its table, for who calls it in a way of its own; there are none in Python mode."""
        return int(self._table[-2]), int(self._table[-1])

    def sibling(self, entry: Entry) -> Bound:
        """Another entry of the same structs on the same arrays."""
        if MODE == "python" or entry.structs != self.structs:
            return Bound(entry, self.values)
        other = Bound.__new__(Bound)
        other.values, other.structs = self.values, self.structs
        other._enter(entry, self._table.copy())
        return other

    def turned_to(self, first: np.ndarray, values) -> None:
        """Other arrays of the first struct: where they are (``words``), and all values to be kept alive."""
        self._table[1:1 + first.size] = first
        self.values = values

    def __call__(self) -> int:
        return self._run()


def words(cls, value) -> np.ndarray:
    """Address and length of every array of a struct, checked."""
    dtypes = cls.dtypes
    found = [0] * (2 * len(dtypes))
    if len(value) != len(dtypes):
        raise TypeError(f"{cls.__name__}: {len(dtypes)} arrays, got {len(value)}")
    for k, array in enumerate(value):
        size = array.size
        if size:  # nobody reads an empty one
            if (array.dtype is not dtypes[k] and array.dtype != dtypes[k]) or array.ndim != 1:
                _unfit(cls, value)
            try:
                found[2 * k] = _where(_BYTE.from_buffer(array))  # a quarter of the time of the other way; refuses gaps
            except (TypeError, ValueError):
                if not array.flags.c_contiguous:
                    _unfit(cls, value)
                found[2 * k] = array.ctypes.data
            found[2 * k + 1] = size
    return np.array(found, dtype=np.int64)


def _unfit(cls, value) -> None:
    """Say which array a kernel cannot take."""
    for dtype, field, array in zip(cls.dtypes, cls._fields, value, strict=True):
        if array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous:
            raise TypeError(f"{cls.__name__}.{field}: need a contiguous 1-D array of {dtype}, got {array.dtype}")


def _record(cls, field: str, array: np.ndarray):
    """What a kernel sees of an array when it runs as Python: records by the names of their fields."""
    if not array.dtype.names:
        return array
    rows = array.view(np.recarray)
    return rows[0] if field in cls.single else rows


def address(array: np.ndarray) -> int:
    """Where an array's data are (nobody reads an empty one); the way through the buffer takes a quarter of the other's time."""
    if not array.size:
        return 0
    try:
        return _where(_BYTE.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # not to be written to, or with gaps
        if not array.flags.c_contiguous:
            raise
        return array.ctypes.data


_BYTE, _where = ctypes.c_char, ctypes.addressof


FREE = np.zeros(2, np.int64)
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_FUNCTIONS: dict[int, Any] = {}  # address of code → what calls it
ENTRIES: dict[tuple[str, str], Entry] = {}
_LOADED: dict[str, tuple[int, dict[str, int]]] = {}
_KEEP: list[Any] = []


def entry(group: str, name: str, function, *structs, module: str) -> Entry:
    """Register an entry point; ``module`` (the caller's ``__name__``) is what the building process imports."""
    return Entry(group, name, function, structs, module)


def _code(item: Entry) -> tuple[int, int]:
    """Address of the group's code, and the number of the entry in it."""
    if item.group not in _LOADED:
        loaded = _load(item.group, item.module)
        with forks.LOCK:
            _LOADED.setdefault(item.group, loaded)
    address, names = _LOADED[item.group]
    return address, names[item.name]


def prepare(*entries: Entry) -> None:
    """Load the groups of these entries; groups that were never compiled on this machine are compiled side by side."""
    groups = {e.group: e.module for e in entries if e.group not in _LOADED}
    if MODE == "python" or len(groups) < 2 or isinstance(shipped.opened(), shipped.Shipped) or not shipped.compiler():
        return  # nothing to compile, or nothing to compile with: who asks for a group is told
    folder = cache_folder()
    if all((folder / f"{g}.json").exists() for g in groups):
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(groups)) as pool:
        list(pool.map(object_file, groups, groups.values()))


def cache_folder() -> Path:
    """Where compiled code lives (store.py, which a process that compiles nothing never needs)."""
    from .store import cache_folder

    return cache_folder()


def source_digest(files) -> str:
    """Of the sources that a group was made from (store.py)."""
    from .store import source_digest

    return source_digest(files)


def fresh(folder: Path, group: str) -> tuple[bytes, dict] | str | None:
    """The group's item if it is whole and made from these sources; None if there is none; a text if it is not what it was."""
    from . import store

    found = store.read(folder, group)
    if isinstance(found, tuple):
        try:
            return found if found[1]["digest"] == source_digest(found[1]["files"]) else None
        except (OSError, KeyError, TypeError, AttributeError, ValueError):
            return "its description is damaged"
    return found


def object_file(group: str, module: str, again: str = "") -> tuple[bytes, dict]:
    """Object code and description of a group; compiled first where there is none, or (``again``: why) none that can be used."""
    from . import store

    folder = store.cache_folder()
    found = again or fresh(folder, group)
    if not isinstance(found, tuple):
        with store.lock(folder / f"{group}.lock"):
            found = again or fresh(folder, group)
            if not isinstance(found, tuple):
                found = _build(group, module, folder, f" again, {found}" if found else "")
    return found


def _build(group: str, module: str, folder: Path, why: str) -> tuple[bytes, dict]:
    import subprocess
    import time

    from . import store

    start = time.perf_counter()
    print(f"dalembert: compiling the {group} kernels for this machine{why} (once: half a minute on a quiet machine, minutes on a "
          "busy one) ...", file=sys.stderr, flush=True)
    for _ in range(5):  # edited while it was compiled: once more, from what is there now
        order = f"build({group!r}, {module!r}, {str(folder)!r}, {time.time()!r})"
        command = f"import gc; gc.disable(); from dalembert._jit.build import build; {order}"
        done = subprocess.run([sys.executable, "-c", command], env=store.environment(), cwd=folder, text=True,
                              capture_output=True)
        if done.returncode != store.EDITED:
            break
    found = fresh(folder, group)
    if done.returncode or not isinstance(found, tuple):
        raise RuntimeError(f"compiling the {group} kernels failed:\n{done.stderr[-6000:] or found}")
    print(f"dalembert: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
    return found


def _load(group: str, module: str) -> tuple[int, dict[str, int]]:
    """Address of a group's code and the numbers of its entries.  Its stubs are error branches that kernels never take."""
    carried = shipped.find(group)
    if carried is not None:
        return carried
    from . import loader

    data, meta = object_file(group, module)
    try:
        library = loader.load(data, [meta["symbol"]], meta["stubs"])
    except RuntimeError as error:  # whole, and yet nothing that LLVM here can load
        data, meta = object_file(group, module, f"they cannot be loaded: {str(error).splitlines()[0][:80]}")
        library = loader.load(data, [meta["symbol"]], meta["stubs"])
    _KEEP.append(library)
    return library[meta["symbol"]], meta["names"]
