"""Kernels written out from a list of kernels: a registry is a tuple of functions, the compiler sees plain calls.

    in_turn((f, g))       def all(s, w): f(s, w); g(s, w)
    carried((f, g))       def all(s, w, x): x = f(s, w, x); x = g(s, w, x); return x
    chosen((f, g))        def one(n, s, w, …): if n == 0: return f(s, w, …); return g(s, w, …)

Texts become functions when the kernels are built, or run in Python.  A process that calls compiled kernels needs none of them:
there a ``Waiting`` stands for each, which is made if it is called after all (22 of 180 ms up to a first result).
"""

from __future__ import annotations

from typing import Any

from .kernels import MODE, inline, kernel


class Waiting:
    """A function that is made when it is first called."""

    def __init__(self, make):
        self._make, self._function = make, None

    def __call__(self, *args):
        if self._function is None:
            self._function = self._make()
        return self._function(*args)


def text(make, mark):
    """The kernel that ``make`` gives, marked; where kernels are compiled elsewhere, as soon as it is needed."""
    return Waiting(make) if MODE == "object" else mark(make())


def in_turn(functions, parameters="s, w"):
    """A kernel that calls all of them, one after the other."""
    return text(lambda: _made(functions, parameters, [f"f{n}({parameters})" for n in range(len(functions))]), kernel)


def carried(functions, parameters="s, w, x"):
    """A kernel that hands the last argument through all of them, and returns it."""
    last = parameters.rpartition(" ")[2]
    lines = [f"{last} = f{n}({parameters})" for n in range(len(functions))]
    return text(lambda: _made(functions, parameters, [*lines, f"return {last}"]), kernel)


def chosen(functions, parameters):
    """A kernel that calls the n-th of them, n its first argument; the last one for all other n."""
    lines = [f"if n == {n}: return f{n}({parameters})" for n in range(len(functions) - 1)]
    return text(lambda: _made(functions, f"n, {parameters}", [*lines, f"return f{len(functions) - 1}({parameters})"]), inline)


def _made(functions, parameters, lines):
    space: dict[str, Any] = {f"f{n}": f for n, f in enumerate(functions)}
    exec("\n    ".join([f"def unrolled({parameters}):", *(lines or ["pass"])]), space)
    return space["unrolled"]
