"""One state: numbers in, an answer out, with as little as possible around the recursion (0.3 µs for an arm of seven joints).

``Single.call`` takes rows of doubles of the right lengths: a function of Python whose code is machine code (_jit/builtin.py), or,
where there is none, views of memory, which take the same in half the time of an array's own assignment.  What it refuses (lists,
whole numbers, many states, wrong lengths) it answers with None; ``Single.slow`` then takes whatever is one state in the end.
"""

from __future__ import annotations

import ctypes
import functools

import numpy as np

from dalembert._jit import MODE
from dalembert._jit.builtin import made

_ALL = slice(None)


class Single:
    """An entry on arrays of one state: ``takes`` are filled, the entry runs, the answer is a copy of ``gives``."""

    def __init__(self, name, bound, takes, gives):
        self.takes, self.gives = takes, gives
        self.run = bound if MODE == "python" else direct(bound)
        self.call = made(name, bound, takes, gives) or _by_views(self.run, takes, gives)

    def slow(self, *given) -> np.ndarray | None:
        """The answer, if these are the numbers of one state in any form."""
        try:
            if any(getattr(x, "ndim", 1) > 1 or len(x) != to.size for x, to in zip(given, self.takes, strict=True)):
                return None
            for x, to in zip(given, self.takes, strict=True):
                to[:] = x
        except (ValueError, TypeError):
            return None
        self.run()
        return self.gives.copy()


def _by_views(run, takes, gives):
    views, answer = tuple(memoryview(x) for x in takes), gives.copy

    def call(*given):
        try:
            for to, x in zip(views, given, strict=True):
                to[_ALL] = x
        except (ValueError, TypeError, NotImplementedError):
            return None
        run()
        return answer()

    return call


def direct(bound):
    """The bound entry with as little Python as possible around it (it takes a microsecond: other threads wait that long)."""
    code, table = bound.pair
    call = functools.partial(ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(code), ctypes.c_void_p(table))
    call.keep = bound  # type: ignore[attr-defined]
    return call
