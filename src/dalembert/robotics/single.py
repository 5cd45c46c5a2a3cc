"""One state: numbers in, an answer out, with as little as possible around the recursion (0.3 µs for an arm of seven joints).

``single`` gives a call that takes rows of doubles of the right lengths: a function of Python whose code is machine code
(_jit/builtin.py), or, where there is none, views of memory, which take the same in half the time of an array's own assignment.
What it refuses (lists, whole numbers, many states, wrong lengths) it answers with None.

Both may be called from several threads at once: the first holds Python's lock from the first number copied to the last one of the
answer, and the second has arrays of its own for each call under way.
"""

from __future__ import annotations

import ctypes
import functools

from dalembert._jit import MODE
from dalembert._jit.builtin import made

from .given import Spare

_ALL = slice(None)


def single(name, make, shared, fresh):
    """``make(arrays)``: an entry bound to arrays of one state, those that are filled before it runs, and the one that it
    fills.  ``shared``: arrays that all calls of a tree may have together; ``fresh()`` makes others."""
    return made(name, *make(shared)) or _by_views(make, fresh)


def _by_views(make, fresh):
    def kit():
        bound, takes, gives = make(fresh())
        return tuple(memoryview(x) for x in takes), bound if MODE == "python" else direct(bound), gives.copy

    spare = Spare(kit)

    def call(*given):
        views, run, answer = own = spare.take()
        try:
            try:
                for to, x in zip(views, given, strict=True):
                    to[_ALL] = x
            except (ValueError, TypeError, NotImplementedError):
                return None
            run()
            return answer()
        finally:
            spare.give(own)

    return call


def direct(bound):
    """The bound entry with as little Python as possible around it (it takes a microsecond: other threads wait that long)."""
    code, table = bound.pair
    call = functools.partial(ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(code), ctypes.c_void_p(table))
    call.keep = bound  # type: ignore[attr-defined]
    return call
