"""Entry points, their compiled objects on disk, and loading them without numba."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from .kernels import CALLS, MODE

PACKAGE = Path(__file__).resolve().parent.parent


class Entry:
    """A kernel with the structs it takes; ``bind`` fixes the arrays, the bound entry is then called without arguments."""

    def __init__(self, group: str, name: str, function, structs, module: str):
        self.group, self.name, self.function, self.structs, self.module = group, name, function, structs, module
        _ENTRIES[group, name] = self

    def bind(self, *values) -> Bound:
        return Bound(self, values)


class Bound:
    """An entry bound to arrays, which it keeps alive.  ``handle`` is what ``call`` takes inside another kernel."""

    def __init__(self, entry: Entry, values):
        self.values, self.structs = values, entry.structs
        if MODE == "python":
            function = entry.function
            values = tuple(type(x)(*(a.view(np.recarray) if a.dtype.names else a for a in x)) for x in values)
            self._run = lambda: function(*values)
            self.handle = id(self)
            CALLS[self.handle] = self._run
            return
        words: list[int] = [0]
        for cls, value in zip(entry.structs, values, strict=True):
            for dtype, field, array in zip(cls.dtypes, cls._fields, value, strict=True):
                if (array.dtype is not dtype and array.dtype != dtype) or array.ndim != 1 or not array.flags.c_contiguous:
                    raise TypeError(f"{cls.__name__}.{field}: need a contiguous 1-D array of {dtype}, got {array.dtype}")
                words += (_address(array), array.size)
        self._enter(entry, np.array(words, dtype=np.int64))

    def _enter(self, entry: Entry, table: np.ndarray) -> None:
        code, table[0] = _code(entry)
        self._table = table
        self._address = _address(table)
        self._pair = np.array([code, self._address], dtype=np.int64)
        self.handle = _address(self._pair)
        self._function = _PROTOTYPE(code)
        self._run = lambda: self._function(self._address)

    def sibling(self, entry: Entry) -> Bound:
        """Another entry of the same structs on the same arrays."""
        if MODE == "python" or entry.structs != self.structs:
            return Bound(entry, self.values)
        other = Bound.__new__(Bound)
        other.values, other.structs = self.values, self.structs
        other._enter(entry, self._table.copy())
        return other

    def __call__(self) -> int:
        return self._run()


def _address(array: np.ndarray) -> int:
    """Where an array's data are (nobody reads an empty one); the way through the buffer takes a quarter of the other's time."""
    if not array.size:
        return 0
    if not array.flags.writeable:
        return array.ctypes.data
    return ctypes.addressof(_BYTE.from_buffer(array))  # type: ignore[arg-type]


_BYTE = ctypes.c_char


_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_ENTRIES: dict[tuple[str, str], Entry] = {}
_LOADED: dict[str, tuple[int, dict[str, int]]] = {}
_KEEP: list[Any] = []


def entry(group: str, name: str, function, *structs, module: str) -> Entry:
    """Register an entry point; ``module`` (the caller's ``__name__``) is what the building process imports."""
    return Entry(group, name, function, structs, module)


def _code(item: Entry) -> tuple[int, int]:
    """Address of the group's code, and the number of the entry in it."""
    if item.group not in _LOADED:
        _LOADED[item.group] = _load(_object_file(item.group, item.module))
    address, names = _LOADED[item.group]
    return address, names[item.name]




def prepare(*entries: Entry) -> None:
    """Load the groups of these entries; groups that were never compiled on this machine are compiled side by side."""
    groups = {e.group: e.module for e in entries if e.group not in _LOADED}
    if MODE == "python" or len(groups) < 2:
        return
    from .shipped import find

    folder = cache_folder()
    if all((folder / f"{g}.json").exists() or find(g) is not None for g in groups):
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(groups)) as pool:
        list(pool.map(_object_file, groups, groups.values()))


def digest(files) -> str:
    h = hashlib.blake2b(digest_size=16)
    for file in files:
        h.update(file.encode())
        path = PACKAGE / file
        h.update(path.read_bytes() if path.exists() else b"missing")
    return h.hexdigest()


def cache_folder() -> Path:
    """Where compiled objects live: $DALEMBERT_CACHE, else the user's cache, else a temporary folder."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    key = "\n".join([str(PACKAGE), llvm.get_host_cpu_name(), features, llvmlite.__version__, np.__version__,
                     os.environ.get("NUMBA_CPU_NAME", "")])
    name = hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
    base = os.environ.get("DALEMBERT_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "dalembert")
    user = os.getuid() if hasattr(os, "getuid") else 0
    for root in (Path(base), Path(tempfile.gettempdir()) / f"dalembert-cache-{user}"):
        with contextlib.suppress(OSError):
            folder = root / name
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(folder, os.W_OK) and (not hasattr(os, "getuid") or folder.stat().st_uid == user):
                return folder  # code is loaded from here: it must be the user's own folder
    raise RuntimeError("no writable folder for compiled kernels: set DALEMBERT_CACHE")


def _fresh(meta_file: Path) -> dict | None:
    with contextlib.suppress(OSError, ValueError, KeyError):
        meta = json.loads(meta_file.read_text())
        if meta["digest"] == digest(meta["files"]) and (meta_file.parent / meta["object"]).exists():
            return meta
    return None


@contextlib.contextmanager
def _lock(path: Path):
    with open(path, "w") as handle:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _object_file(group: str, module: str) -> tuple[bytes, dict]:
    from .shipped import find

    carried = find(group)
    if carried is not None:
        return carried
    folder = cache_folder()
    meta_file = folder / f"{group}.json"
    meta = _fresh(meta_file)
    if meta is None:
        with _lock(folder / f"{group}.lock"):
            meta = _fresh(meta_file)
            if meta is None:
                start = time.perf_counter()
                print(f"dalembert: compiling the {group} kernels for this machine (once, well under a minute) ...",
                      file=sys.stderr, flush=True)
                command = f"from dalembert._jit.build import build; build({group!r}, {module!r}, {str(folder)!r})"
                environment = dict(os.environ, DALEMBERT_BUILD="1", PYTHONPATH=os.pathsep.join(
                    [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]))
                done = subprocess.run([sys.executable, "-c", command], env=environment, capture_output=True, text=True)
                meta = _fresh(meta_file)
                if done.returncode or meta is None:
                    raise RuntimeError(f"compiling the {group} kernels failed:\n{done.stderr[-6000:]}")
                print(f"dalembert: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
    return (folder / meta["object"]).read_bytes(), meta


_STUB = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: None)


def _load(item: tuple[bytes, dict]) -> tuple[int, dict[str, int]]:
    """Object code to addresses.  The stubs are error branches of the wrapper that kernels never take."""
    import ctypes.util

    import llvmlite.binding as llvm

    data, meta = item
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if sys.platform.startswith("linux"):
        llvm.load_library_permanently("libm.so.6")
    nothing = ctypes.cast(_STUB, ctypes.c_void_p).value
    for name in meta["stubs"]:
        llvm.add_symbol(name, nothing)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(data))
    engine.finalize_object()
    _KEEP.append(engine)
    return engine.get_function_address(meta["symbol"]), meta["names"]
