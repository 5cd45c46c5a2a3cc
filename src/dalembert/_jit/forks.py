"""What a forked child must find at rest.

A fork copies locks as they are: a child made while another thread is inside LLVM would wait for that thread for ever.  So a fork
waits until nobody is in the middle of an import (``wait_for_imports`` of the package), loads (LOCK) or calls LLVM (llvmlite's own
lock, which numba's threads hold too); the child then finds all at rest and can load on its own.  Locks that other threads may
hold at any time (functools.cached_property has one before Python 3.12) are made anew in the child.
"""

from __future__ import annotations

import functools
import os
import sys
import threading

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
            break
        _after()
    find_folder = getattr(sys.modules.get("tempfile"), "gettempdir", None)
    if find_folder is not None:
        find_folder()  # finds out once, under a lock of its own: after this no thread takes it any more


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
