"""Object code → addresses, by llvmlite alone: kernels, users' laws and derived functions come in by this one door.

Every object is a library in an LLJIT of its own: it sees the symbols named here for it, then those of the process, and nobody
else sees its own.  LLVM's process-wide table of symbols, which numba and others in the process share, is not touched.  A symbol
that is nowhere is an error of Python, not the end of the process.  A library that nobody needs any more goes without a trace
(measured: libraries of one common LLJIT leave 10 kB each behind; an LLJIT takes 0.3 ms).

    MATHS     functions of the C library that compiled formulas call; found once, by name
    stubs     error branches of numba's wrappers, which code that never raises never takes

Loading and emitting happen under the LOCK that a fork waits for (forks.py).
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections import deque

from .forks import LOCK

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
