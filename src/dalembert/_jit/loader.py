"""Object code → addresses, by llvmlite alone: kernels, users' laws and derived functions come in by this one door.

Every object is a library in an LLJIT of its own: it sees the symbols named here for it, then those of the process, and nobody
else sees its own.  LLVM's process-wide table of symbols, which numba and others in the process share, is not touched.  A symbol
that is nowhere is an error of Python, not the end of the process.  A library that nobody needs any more goes without a trace
(measured: libraries of one common LLJIT leave 10 kB each behind; an LLJIT takes 0.3 ms).

    MATHS     functions of the C library that compiled formulas call; found once, by name
    stubs     error branches of numba's wrappers, which code that never raises never takes

A fork copies locks as they are: a child made while another thread is inside LLVM would wait for that thread for ever.  So a fork
waits until nobody is in the middle of an import (``wait_for_imports`` of the package), loads here (LOCK) or calls LLVM
(llvmlite's own lock, which numba's threads hold too); the child then finds all at rest and can load on its own.  Locks that
other threads may hold at any time (functools.cached_property has one before Python 3.12) are made anew in the child.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import tempfile
import threading
import weakref
from collections import deque

import dalembert

LOCK = threading.RLock()
_held: list = []


def hold() -> None:
    """Before a fork (called by the package's hook): take the locks, and once more if imports went on meanwhile."""
    for _ in range(10):
        inner = getattr(getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None), "_lock", None)
        for lock in (LOCK, inner):
            if lock is not None and lock.acquire(timeout=10.0):
                _held.append(lock)
        if not dalembert.wait_for_imports():
            return
        _after()


def _after() -> None:
    while _held:
        _held.pop().release()


def _in_child() -> None:
    _after()
    if sys.version_info >= (3, 12):
        return
    classes = [c for name, module in list(sys.modules.items()) if name.partition(".")[0] == "dalembert"
               for c in list(vars(module).values()) if isinstance(c, type)]
    for item in (x for c in classes for x in vars(c).values() if isinstance(x, functools.cached_property)):
        item.lock = threading.RLock()  # type: ignore[attr-defined]  # one for all instances before Python 3.12


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_parent=_after, after_in_child=_in_child)
    tempfile.gettempdir()  # finds out once, under a lock of its own: here, where no fork comes between

MATHS = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc",
    "exp", "exp2", "expm1", "fabs", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ldexp", "lgamma", "log",
    "log10", "log1p", "log2", "modf", "nextafter", "pow", "remainder", "rint", "round", "sin", "sincos", "sinh", "sqrt",
    "tan", "tanh", "tgamma", "trunc"
}

_maths: dict[str, int] = {}
_dropped: deque[tuple] = deque()
_STUB = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: None)
STUB = int(ctypes.cast(_STUB, ctypes.c_void_p).value or 0)


class Library:
    """Loaded code; its addresses hold as long as this object lives."""

    def __init__(self, jit, tracker, exports):
        self.addresses = {name: tracker[name] for name in exports}
        weakref.finalize(self, _dropped.append, (tracker, jit)).atexit = False  # at exit the system takes it all

    def __getitem__(self, symbol: str) -> int:
        return self.addresses[symbol]


def _sweep() -> None:
    """Free what was dropped.  Not when it is dropped: the garbage collector may do that inside somebody's call into LLVM."""
    while _dropped:
        for item in _dropped.popleft():
            item.close()


def load(data: bytes, exports, stubs=()) -> Library:
    """The library made of one object file; RuntimeError if that is no object file for this machine or lacks a symbol."""
    import llvmlite.binding as llvm

    with LOCK:
        _start(llvm)
        _sweep()
        builder = llvm.JITLibraryBuilder().add_object_img(data).add_current_process()
        for name in exports:
            builder.export_symbol(name)
        for name, address in _maths.items():
            builder.import_symbol(name, address)
        for name in stubs:
            builder.import_symbol(name, STUB)
        jit = llvm.create_lljit_compiler(llvm.Target.from_default_triple().create_target_machine(jit=True),
                                        suppress_errors=True)
        return Library(jit, builder.link(jit, "dalembert"), exports)


def emit(text: str, optimise: int = 2) -> bytes:
    """Object code for this CPU from the text of an LLVM module, as it stands: no passes are run on it."""
    import llvmlite.binding as llvm

    with LOCK:
        _start(llvm)
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=optimise, jit=True)
        return machine.emit_object(llvm.parse_assembly(text))


def _start(llvm) -> None:
    if _maths:
        return
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        library = ctypes.CDLL("libm.so.6" if sys.platform.startswith("linux") else "libm.dylib")
    except OSError:
        library = ctypes.CDLL(None)  # type: ignore[arg-type]
    for name in MATHS:
        if hasattr(library, name):
            _maths[name] = int(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0)
