"""Compiled kernels: the only package that knows numba and llvmlite, and users of a wheel need neither.

Kernels are plain Python functions on scalars, tuples and 1-D arrays.  The same source runs in three modes:

* ``object`` (default): an *entry point* (kernel + the structs it takes) is machine code.  A wheel carries it in a shared library
  (shipped.py).  From a checkout a group of entries is compiled once per machine by a child process; its object code is cached
  (store.py), and later processes load it through ``llvmlite`` alone (loader.py).  numba is not imported, not even for users'
  functions: those are compiled by a child process as well (laws.py).
* ``build``: the child process; here ``kernel`` is ``numba.njit`` and ``dispatch`` is ``numba.extending.overload``.
* ``python`` (``DALEMBERT_JIT=0``): every kernel is called as ordinary Python, for debugging and coverage.

The entries of a group share one C function ``int64 group(int64 *table)``.  The table holds the entry's number, then
(address, length) pairs of the arrays of its structs, in order.  So any bound entry can be handed to another one as a
callback: ``call(handle)``.

Kernels neither raise nor allocate (compiled with the run-time allocator switched off); they return a status
(see errors.py).  The cache of a checkout is keyed on everything the code depends on (store.facts) and on a hash of every source
file that the entry's modules import, so an edited callee is never served stale.
"""

from typing import TYPE_CHECKING, Any

from .kernels import MODE, One, call, call_law, call_vector, dispatch, inline, kernel, struct
from .lanes import LANES, bundle
from .numbers import cos_sin, get, put
from .objects import Bound, Entry, cache_folder, entry, prepare
from .unrolled import carried, chosen, in_turn

if TYPE_CHECKING:
    from . import probes
    from .functions import scalar_law, vector_law
    from .straight import Straight

_LATE = {"scalar_law": "functions", "vector_law": "functions", "Straight": "straight"}  # what few processes need


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_LATE[name]}"), name)
    return value


__all__ = ["LANES", "MODE", "Bound", "Entry", "One", "Straight", "bundle", "cache_folder", "call", "call_law", "call_vector",
           "carried", "chosen", "cos_sin", "dispatch", "entry", "get", "in_turn", "inline", "kernel", "prepare", "probes", "put",
           "scalar_law", "struct", "vector_law"]
