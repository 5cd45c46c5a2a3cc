"""Room for one integration: the arrays that are its own, parts of one piece of memory, with the table of where all arrays are.

Where the parts begin follows from the sizes alone and is known from the integration before; what is left to look up are the
arrays that come from outside (those of the equations, weights, output times).

A room with the loop bound to it (``Seat``) is as long in the making as fifty steps of a pendulum.  An integration that is done
leaves its seat, and the next of the same method and sizes gets it, cleared: what solutions keep is copied out before.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .._jit import Bound
from .._jit.objects import address, words
from . import layout as at
from .layout import Log, Shared, State, Tableau, Task, Work

LOG_CAPACITY = 256
LINE = 8  # numbers in a line of the cache
STRUCTS = (Shared, Tableau, State, Task, Log, Work)
_FIRST = dict(zip(STRUCTS, np.cumsum([1, *(2 * len(cls._fields) for cls in STRUCTS)]).tolist(), strict=False))  # in the table
_LENGTH = 3 + sum(2 * len(cls._fields) for cls in STRUCTS)
_REAL = np.dtype(np.float64)
_NONE = np.zeros(0), np.zeros(0, np.int64)  # nobody reads an empty array
_TABLEAUS: dict[int, tuple[Tableau, np.ndarray]] = {}  # by id: those of explicit methods are shared, and stay where they are


def _word(cls, name: str) -> int:
    """Where the table says where an array is; its length is the next."""
    return _FIRST[cls] + 2 * cls._fields.index(name)


_OUTSIDE = np.array([_word(cls, name) + k for cls, names in (
    (Shared, ("t", "y", "ydot", "g", "quality")), (Task, ("weight", "cap", "times", "out", "stations")))
    for name in names for k in (0, 1)])
_GIVEN = {name: _word(Task, name) for name in ("option", "stop")}  # own ones, or another's


@lru_cache(maxsize=64)
def _plan(n: int, e: int, rows: int, terms: int) -> tuple[int, list, np.ndarray, np.ndarray]:
    """Numbers in all; the parts (a slice, or None where there is nothing, and whether integers); the table, and where the base is
    added in it."""
    c = max(LOG_CAPACITY, 4 * e) if e else 0
    wanted = {(Shared, "handle"): 6, (Task, "real"): 6, (Task, "option"): at.CHANGED + 1, (Task, "direction"): e,
              (Task, "terminal"): e, (Task, "stop"): 1}
    for cls, sizes in ((State, (9, 19, n, rows * n, e)), (Log, (c, c, c * n)),
                       (Work, (8, n, n, n, terms * n, *[e] * 6, 9 * e, e))):
        wanted |= {(cls, name): size for name, size in zip(cls._fields, sizes, strict=True)}
    parts: list[tuple[slice | None, int]] = []
    table, filled = np.zeros(_LENGTH, np.int64), np.zeros(_LENGTH, np.int64)
    place = 0
    for (cls, name), size in wanted.items():
        integers = int(cls.dtypes[cls._fields.index(name)].kind == "i")
        parts.append((slice(place, place + size) if size else None, integers))
        if size:
            word = _word(cls, name)
            table[word:word + 2], filled[word] = (8 * place, size), 1
        place += size
    return place, parts, table, filled


class Room:
    """State, log and scratch of an integration of n components with e events, and what its task has besides."""

    def __init__(self, n: int, e: int, rows: int, terms: int):
        size, parts, table, filled = _plan(n, e, rows, terms)
        if n % LINE:
            real = np.zeros(size)
        else:  # rows of whole lines of the cache: let them begin one (parts.py)
            real = np.zeros(size + LINE)
            first = -(address(real) // real.itemsize) % LINE
            real = real[first:first + size]
        self.all = real
        both = real, real.view(np.int64)
        self._table = filled * address(real)
        self._table += table
        made = [_NONE[k] if part is None else both[k][part] for part, k in parts]
        self.handle, self.real, self.option, self.direction, self.terminal, self.stop = made[:6]
        self.state, self.log, self.work = State(*made[6:11]), Log(*made[11:14]), Work(*made[14:])

    def places(self, shared: Shared, tableau: Tableau, task: Task) -> np.ndarray:
        """The table for ``bind`` (_jit/objects.py)."""
        table = self._table
        known = _TABLEAUS.get(id(tableau))
        if known is None or known[0] is not tableau:
            if len(_TABLEAUS) > 16:
                _TABLEAUS.clear()
            known = _TABLEAUS[id(tableau)] = tableau, words(Tableau, tableau)
        first = _FIRST[Tableau]
        table[first:first + known[1].size] = known[1]
        table[_OUTSIDE] = _outside(shared, task)
        for name, own in (("option", self.option), ("stop", self.stop)):
            array = getattr(task, name)
            if array is not own:
                word = _GIVEN[name]
                table[word:word + 2] = words(_One, (array,))
        return table


def _outside(shared: Shared, task: Task) -> list[int]:
    """Where the arrays from outside are, and their lengths."""
    found: list[int] = []
    for array in (shared.t, shared.y, shared.ydot, shared.g, shared.quality,
                  task.weight, task.cap, task.times, task.out, task.stations):
        if (array.dtype is not _REAL and array.dtype != _REAL) or array.ndim != 1:
            raise TypeError(f"need a 1-D array of {_REAL}, got {array.dtype}, {array.ndim}-D")
        size = array.size
        found.append(address(array) if size else 0)
        found.append(size)
    return found


class Seat:
    """A room with entries of the loop bound to it; ``key``: the method and the sizes it is for."""

    def __init__(self, key: tuple, room: Room, tableau: Tableau, entries: tuple[Bound, ...]):
        self.key, self.room, self.tableau, self.entries = key, room, tableau, entries

    def turn_to(self, shared: Shared, task: Task) -> None:
        """To other arrays from outside; who sits here keeps them alive."""
        found = np.array(_outside(shared, task), np.int64)
        for bound in self.entries:
            bound._table[_OUTSIDE] = found


KINDS, EACH = 16, 4  # methods and sizes whose seats are kept for the next, and how many of each
LARGEST = 4096  # numbers of a room that is kept
_SPARE: dict[tuple, list[Seat]] = {}


def seat(key: tuple) -> Seat | None:
    """One that was left, cleared."""
    try:
        found = _SPARE[key].pop()  # threads cannot get the same
    except (KeyError, IndexError):
        return None
    found.room.all[:] = 0.0
    return found


def leave(left: Seat) -> None:
    """For the next; nothing of the integration that was is kept alive."""
    if left.room.all.size <= LARGEST:
        for bound in left.entries:
            bound.values = ()
        if len(_SPARE) > KINDS:
            _SPARE.clear()
        others = _SPARE.setdefault(left.key, [])
        if len(others) < EACH:
            others.append(left)


class _One:
    """A struct of one array of integers, to be looked at as others are."""

    dtypes = [np.dtype(np.int64)]
    _fields = ("integers",)
