"""Compiled kernels without numba at run time: the only module that knows numba and llvmlite.

Kernels are plain Python functions on scalars, tuples and 1-D arrays.  The same source runs in three modes:

* ``object`` (default): an *entry point* (kernel + the structs it takes) is compiled once per machine by a child
  process; its object code is cached, and later processes load it through ``llvmlite`` alone.  numba is not imported.
* ``build``: the child process; here ``kernel`` is ``numba.njit`` and ``dispatch`` is ``numba.extending.overload``.
* ``python`` (``DALEMBERT_JIT=0``): every kernel is called as ordinary Python, for debugging and coverage.

Every compiled entry has the C signature ``int64 entry(int64 *table)``.  The table holds (address, length) pairs of the
arrays of its structs, in order.  So any bound entry can be handed to another one as a callback: ``call(handle)``.

Kernels neither raise nor allocate (compiled with the run-time allocator switched off); they return a status
(see errors.py).  The cache is keyed on the package's place, the CPU, the versions, and a hash of every source file
that the entry's modules import, so an edited callee is never served stale.
"""

from __future__ import annotations

import collections
import contextlib
import ctypes
import hashlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

MODE = "build" if os.environ.get("DALEMBERT_BUILD") else "python" if os.environ.get("DALEMBERT_JIT") == "0" else "object"
PACKAGE = Path(__file__).resolve().parent
_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "fastmath": {"contract"}, "no_cpython_wrapper": True,
                            "no_cfunc_wrapper": True}

# ---------------------------------------------------------------------------------------------- kernels and structs


def kernel(function):
    """Mark a function as a kernel; compiled in build mode, untouched otherwise."""
    if MODE != "build":
        return function
    import numba

    return numba.njit(**_OPTIONS)(function)


def inline(function):
    """A kernel small enough that it should always vanish into its caller."""
    if MODE != "build":
        return function
    import numba

    return numba.njit(forceinline=True, **_OPTIONS)(function)


def struct(name: str, fields: dict[str, Any], dim: int = 0):
    """A named tuple of 1-D arrays with fixed dtypes; ``dim`` (2 or 3) selects the kernels of ``dispatch``."""
    cls = collections.namedtuple(name, list(fields))  # type: ignore[misc]
    cls.dtypes = [np.dtype(d) for d in fields.values()]  # type: ignore[attr-defined]
    cls.dim = dim  # type: ignore[attr-defined]
    return cls


def _dimension(value) -> int:
    """2 for the plane (structs with dim 2, tuples of length 1 or 2), 3 for space."""
    dim = getattr(type(value), "dim", None)
    return dim if dim is not None else (2 if len(value) < 3 else 3)


def dispatch(planar, spatial):
    """One name for two kernels with the same arguments, chosen by the first argument's dimension at compile time."""
    if MODE != "build":

        def choose(*args):
            return (planar if _dimension(args[0]) == 2 else spatial)(*args)

        return choose
    from numba.extending import overload

    params = ", ".join(inspect.signature(planar.py_func).parameters)
    space: dict[str, Any] = {}
    exec(f"def stub({params}): pass", space)
    stub = space["stub"]
    name = planar.py_func.__name__
    stub.__name__ = stub.__qualname__ = name

    def pick(*args):
        first = args[0]
        if hasattr(first, "instance_class"):
            dim = first.instance_class.dim
        else:
            dim = 2 if first.count < 3 else 3
        return (planar if dim == 2 else spatial).py_func

    exec(f"def picker({params}): return pick({params})", space | {"pick": pick}, space)
    overload(stub, jit_options=_OPTIONS, strict=False)(space["picker"])
    return stub


# ------------------------------------------------------------------------------------------ calls through addresses

_CALLS: dict[int, Any] = {}  # python mode: handle -> callable


def _call(handle):
    return _CALLS[int(handle)]()


def _call_law(handle, t, x, v):
    return _CALLS[int(handle)](t, x, v)


def _call_vector(handle, t, x, v, out):
    return _CALLS[int(handle)](t, x, v, out)


if MODE == "build":
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    @intrinsic
    def call(typingctx, handle):
        """Run a bound entry: handle is the address of the pair (code, table)."""

        def codegen(context, builder, signature, args):
            word = ir.IntType(64)
            pair = builder.inttoptr(args[0], word.as_pointer())
            code = builder.load(pair)
            table = builder.load(builder.gep(pair, [ir.Constant(word, 1)]))
            function = ir.FunctionType(word, [word.as_pointer()])
            return builder.call(builder.inttoptr(code, function.as_pointer()),
                                [builder.inttoptr(table, word.as_pointer())])

        return types.int64(types.int64), codegen

    @intrinsic
    def call_law(typingctx, handle, t, x, v):
        """Scalar user law double f(double t, double x, double v) at an address."""

        def codegen(context, builder, signature, args):
            real = ir.DoubleType()
            function = ir.FunctionType(real, [real, real, real])
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), list(args[1:]))

        return types.float64(types.int64, types.float64, types.float64, types.float64), codegen

    @intrinsic
    def call_vector(typingctx, handle, t, x, v, out):
        """User law void f(double t, double *x, double *v, double *out) at an address; arrays are 1-D."""

        def codegen(context, builder, signature, args):
            real = ir.DoubleType()
            pointer = real.as_pointer()
            function = ir.FunctionType(ir.VoidType(), [real, pointer, pointer, pointer])
            data = [make_array(ty)(context, builder, value).data
                    for ty, value in zip(signature.args[2:], args[2:], strict=True)]
            builder.call(builder.inttoptr(args[0], function.as_pointer()), [args[1], *data])
            return context.get_constant(types.int64, 0)

        return types.int64(types.int64, types.float64, x, v, out), codegen

    @intrinsic
    def _as_array(typingctx, address, length, dtype):
        array = types.Array(dtype.dtype, 1, "C")

        def codegen(context, builder, signature, args):
            item = context.get_data_type(array.dtype)
            size = context.get_constant(types.intp, context.get_abi_sizeof(item))
            value = make_array(array)(context, builder)
            populate_array(value, data=builder.inttoptr(args[0], item.as_pointer()), shape=[args[1]],
                           strides=[size], itemsize=size, meminfo=None)
            return value._getvalue()

        return array(address, length, dtype), codegen

else:
    call, call_law, call_vector = _call, _call_law, _call_vector

# ------------------------------------------------------------------------------------------------------ entry points


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
        self.values = values
        if MODE == "python":
            function = entry.function
            self._run = lambda: function(*values)
            self.handle = id(self)
            _CALLS[self.handle] = self._run
            return
        words: list[int] = []
        for cls, value in zip(entry.structs, values, strict=True):
            for dtype, field, array in zip(cls.dtypes, cls._fields, value, strict=True):
                if array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous:
                    raise TypeError(f"{cls.__name__}.{field}: need a contiguous 1-D array of {dtype}, got {array.dtype}")
                words += (array.ctypes.data, array.size)
        self._table = np.array(words, dtype=np.int64)
        code = _code(entry)
        self._pair = np.array([code, self._table.ctypes.data], dtype=np.int64)
        self.handle = int(self._pair.ctypes.data)
        self._address = int(self._table.ctypes.data)
        self._function = _PROTOTYPE(code)
        self._run = lambda: self._function(self._address)

    def __call__(self) -> int:
        return self._run()


_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_ENTRIES: dict[tuple[str, str], Entry] = {}
_LOADED: dict[str, dict[str, int]] = {}
_KEEP: list[Any] = []


def entry(group: str, name: str, function, *structs, module: str) -> Entry:
    """Register an entry point; ``module`` (the caller's ``__name__``) is what the building process imports."""
    return Entry(group, name, function, structs, module)


def _code(item: Entry) -> int:
    if item.group not in _LOADED:
        _LOADED[item.group] = _load(_object_file(item.group, item.module))
    return _LOADED[item.group][item.name]


# ------------------------------------------------------------------------------------------------------ object cache


def _digest(files) -> str:
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
    for root in (Path(base), Path(tempfile.gettempdir()) / "dalembert-cache"):
        with contextlib.suppress(OSError):
            folder = root / name
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    raise RuntimeError("no writable folder for compiled kernels: set DALEMBERT_CACHE")


def _fresh(meta_file: Path) -> dict | None:
    with contextlib.suppress(OSError, ValueError, KeyError):
        meta = json.loads(meta_file.read_text())
        if meta["digest"] == _digest(meta["files"]) and (meta_file.parent / meta["object"]).exists():
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
    folder = cache_folder()
    meta_file = folder / f"{group}.json"
    meta = _fresh(meta_file)
    if meta is None:
        with _lock(folder / f"{group}.lock"):
            meta = _fresh(meta_file)
            if meta is None:
                start = time.perf_counter()
                print(f"dalembert: compiling the {group} equations for this machine (once, well under a minute) ...",
                      file=sys.stderr, flush=True)
                command = f"import dalembert._jit as j; j._build({group!r}, {module!r}, {str(folder)!r})"
                environment = dict(os.environ, DALEMBERT_BUILD="1", PYTHONPATH=os.pathsep.join(
                    [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]))
                done = subprocess.run([sys.executable, "-c", command], env=environment, capture_output=True, text=True)
                meta = _fresh(meta_file)
                if done.returncode or meta is None:
                    raise RuntimeError(f"compiling the {group} kernels failed:\n{done.stderr[-6000:]}")
                print(f"dalembert: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
    return (folder / meta["object"]).read_bytes(), meta


def _optimise_once():
    """numba optimises and emits every kernel on its own, callees again in each caller; here only the entries are.

    Returns the function that optimises an entry with all it calls.
    """
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary

    def no_address(self, name):
        self._ensure_finalized()
        return 0

    optimise = CPUCodeLibrary._optimize_final_module
    CPUCodeLibrary._optimize_final_module = lambda self: None
    JITCodeLibrary._finalize_specific = lambda self: None
    JITCodeLibrary.get_pointer_to_function = no_address
    return optimise


def _build(group: str, module: str, folder: str) -> None:
    """In the child process: compile all entries of a group into one object file, and describe it in <group>.json."""
    import importlib

    import llvmlite.binding as llvm
    import numba

    optimise = _optimise_once()
    importlib.import_module(module)
    entries = [e for (g, _), e in _ENTRIES.items() if g == group]
    modules, names, target = [], {}, None
    for item in entries:
        space: dict[str, Any] = {"_as_array": _as_array, "kernel_": item.function}
        lines, calls, at = [], [], 0
        for k, cls in enumerate(item.structs):
            space[f"S{k}"] = cls
            fields = []
            for field, dtype in zip(cls._fields, cls.dtypes, strict=True):
                space[f"D{k}_{field}"] = dtype
                fields.append(f"_as_array(table[{at}], table[{at + 1}], D{k}_{field})")
                at += 2
            lines.append(f"    s{k} = S{k}({', '.join(fields)})")
            calls.append(f"s{k}")
        exec(f"def {item.name}(table):\n" + "\n".join(lines) + f"\n    return kernel_({', '.join(calls)})\n", space)
        options = {k: v for k, v in _OPTIONS.items() if not k.startswith("no_c")}
        compiled = numba.cfunc(numba.int64(numba.types.CPointer(numba.int64)), **options)(space[item.name])
        library = compiled._library
        optimise(library)
        target = library.codegen._tm
        modules.append(llvm.parse_bitcode(library._final_module.as_bitcode()))
        names[item.name] = compiled._wrapper_name
    whole = modules[0]
    for other in modules[1:]:
        whole.link_in(other)
    assert target is not None
    text = target.emit_object(whole)
    declared = [f.name for f in whole.functions if f.is_declaration] + [g.name for g in whole.global_variables
                                                                        if g.is_declaration]
    stubs = [n for n in declared if n.startswith(("numba_", "Py", "_Py", "NRT_"))]
    loaded = {Path(m.__file__).resolve() for n, m in sys.modules.items()
              if n.split(".")[0] == "dalembert" and getattr(m, "__file__", None)}
    files = sorted(str(p.relative_to(PACKAGE)) for p in loaded)
    name = f"{group}-{hashlib.blake2b(text, digest_size=8).hexdigest()}.o"
    _write(Path(folder) / name, text)
    meta = {"object": name, "names": names, "stubs": stubs, "files": files, "digest": _digest(files)}
    _write(Path(folder) / f"{group}.json", json.dumps(meta).encode())


def _write(path: Path, data: bytes) -> None:
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(data)
    os.replace(part, path)


_STUB = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: None)


def _load(item: tuple[bytes, dict]) -> dict[str, int]:
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
    return {name: engine.get_function_address(symbol) for name, symbol in meta["names"].items()}
