"""What a tree is given and where its answers go: rows of numbers, of one state or of many, and arrays of the caller."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import ModelError

_DOUBLE, _UNREAL = np.dtype(float), (str, bytes, complex, np.complexfloating)


def rows(given: dict[str, Any], nq: int, nv: int) -> tuple[int | None, list[np.ndarray]]:
    """How many states there are, None for one that is no matrix; and their numbers: a vector, or a matrix, a row per state."""
    count, found = None, []
    for key, value in given.items():
        width = nq if key == "q" else nv
        x = _numbers(key, value)
        if x.shape != (width,):
            if x.ndim != 2 or x.shape[1] != width or count not in (None, len(x)):
                raise ModelError(f"{key} must be a vector of {width} numbers, or a matrix with one such row per state (the same "
                                 f"number of rows as q); got an array of shape {x.shape}")
            count = len(x)
        found.append(x)
    return count, found


def _numbers(key: str, value) -> np.ndarray:
    """As doubles, row after row; what is no real number is refused."""
    try:
        x = np.asarray(value)
        if x.dtype is _DOUBLE and x.flags.carray:
            return x
        if x.dtype.kind == "O" and not any(y is None or isinstance(y, _UNREAL) for y in x.flat):
            x = x.astype(float)
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelError(f"{key} must be numbers: {error}") from None
    if x.dtype.kind not in "fiub":
        raise ModelError(f"{key} must be real numbers, got {repr(value)[:80]}")
    return np.require(x, float, ["C", "A"])


def room(out, shape: tuple[int, ...]) -> np.ndarray:
    """Where an answer of this shape goes: the caller's array, or a new one."""
    if out is None:
        return np.empty(shape)
    if not (isinstance(out, np.ndarray) and out.shape == shape and out.dtype == float and out.flags.carray):
        found = f"a {out.dtype} array of shape {out.shape}" if isinstance(out, np.ndarray) else repr(out)[:80]
        raise ModelError(f"out must be a contiguous float array of shape {shape} that can be written to, got {found}")
    return out


def filled(out, found: np.ndarray) -> np.ndarray:
    """An answer, in the caller's array if there is one."""
    if out is None:
        return found
    out = room(out, found.shape)
    out[...] = found
    return out


class Spare:
    """Things that one call at a time may use: one that is at hand or, while other threads use all of them, a new one."""

    def __init__(self, make):
        self.make, self.free = make, [make()]

    def take(self):
        try:
            return self.free.pop()  # the list is what threads agree on
        except IndexError:
            return self.make()

    def give(self, thing) -> None:
        self.free.append(thing)
