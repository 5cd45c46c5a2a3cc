"""Variants of a model: tables cast by a program from parameters to numbers, instead of compiled anew.

What a model says but for the values of floats (parameters, places, masses …) is its shape (content.py).  Of a shape that keeps
coming a tape is written while the recipes run (tape.py); the program on it, run on other values, gives all numbers of the tables
that depend on them, to the bit as compiling would have, or says that a decision would be another one.  The rest is the same.

It is believed after it has been tried: a number may change once a model with another value of it was compiled and cast to the
same bytes.  Whatever a tape could not see (somebody read a value past the builder) shows there, and the shape is compiled from
then on.
"""

from __future__ import annotations

import math
import threading
from dataclasses import fields

import numpy as np

from dalembert._jit.objects import address
from dalembert.errors import DalembertError
from dalembert.model.compile import compile_model
from dalembert.model.lately import asked, room
from dalembert.system.layout import SHARED, System
from dalembert.system.workspace import planned

OFTEN = 5  # times a shape has come before its tape is written, which takes as long as compiling four to eight models
KEPT = 16  # shapes
MARKS = 64  # of shapes that came less often
ARRAYS = ("tables", "q_drawn", "v_drawn")
STRUCTURE = tuple(f.name for f in fields(System) if f.name not in ARRAYS)
_SEEN: dict[int, int] = {}  # hash of a shape → how often it came
_MOULDS: dict[bytes, Mould | None] = {}  # None: cannot be cast
_LOCK = threading.Lock()


class Mould:
    """The tables of a shape, and the program that puts numbers into them."""

    def __init__(self, model, numbers: list[float], system: System):
        from dalembert.model.tape import Untraceable
        from dalembert.model.tape_builder import TapeBuilder, cells_of

        self.numbers, self.proven = numbers, set[int]()  # and the places of those that may be others
        self.missed = 0
        struct = type(system.tables)
        arrays = dict(zip((*struct._fields, "q", "v"), (*system.tables, system.q_drawn, system.v_drawn), strict=True))
        starts, place = {}, 0
        for name, array in arrays.items():
            starts[name] = place
            place += -(-array.nbytes // 8)
        self.room = np.zeros(place)
        for name, array in arrays.items():
            at = 8 * starts[name]
            self.room.view(np.uint8)[at:at + array.nbytes] = np.ascontiguousarray(array).view(np.uint8)
        self.struct = struct
        self.parts = [(starts[n], starts[n] + -(-a.nbytes // 8), a.nbytes, a.dtype, a) for n, a in arrays.items()]
        self.offsets = np.zeros(2 * len(struct._fields), np.int64)
        self.filled = np.zeros(2 * len(struct._fields), np.int64)
        for k, name in enumerate(struct._fields):
            if arrays[name].size:
                self.offsets[2 * k:2 * k + 2], self.filled[2 * k] = (8 * starts[name], arrays[name].size), 1
        self.structure = {name: getattr(system, name) for name in STRUCTURE}
        self.structure["plan"], self.structure["dense_rows"] = planned(system), system.dense_rows
        b = TapeBuilder(model)
        if len(b.tape.inputs) != len(numbers):
            raise Untraceable("other numbers than the shape has")
        cells = cells_of(b, starts, {n: a.dtype for n, a in arrays.items()})
        self.program, self.places = b.tape.program(cells.results), np.array(cells.places, np.intp)

    def cast(self, numbers: list[float]) -> System | None:
        """The tables for these numbers; None where they have to be compiled."""
        try:
            found = self.program(*numbers)
        except (DalembertError, ArithmeticError, ValueError):  # who compiles is told why
            found = None
        if found is None:
            return None
        room = self.room.copy()
        room[self.places] = found
        made = []
        for start, stop, size, dtype, given in self.parts:
            if not size:
                made.append(given)
            elif 8 * (stop - start) == size:
                made.append(room[start:stop].view(dtype))
            else:
                made.append(room[start:stop].view(np.uint8)[:size].view(dtype))
        system: System = object.__new__(System)
        own = system.__dict__
        own.update(self.structure)
        own["tables"], own["q_drawn"], own["v_drawn"] = self.struct(*made[:-2]), made[-2], made[-1]
        own["words"] = self.filled * address(room) + self.offsets
        return system

    def tried(self, system: System, numbers: list[float]) -> bool:
        """Believe it of the numbers that are others here, if it casts what was compiled; whether it may go on being used."""
        other = self.cast(numbers)
        if other is None:
            self.missed += 1
            return self.missed < 2 * OFTEN or bool(self.proven)
        same = all(a.tobytes() == b.tobytes() and a.dtype == b.dtype for a, b in zip(
            (*system.tables, system.q_drawn, system.v_drawn), (*other.tables, other.q_drawn, other.v_drawn), strict=True))
        if same and all(getattr(system, name) == getattr(other, name) for name in STRUCTURE):
            self.proven |= self._changed(numbers)
            return True
        return False

    def _changed(self, numbers: list[float]) -> set[int]:
        return {k for k, (a, b) in enumerate(zip(numbers, self.numbers, strict=True))
                if a != b or (a == 0.0 and math.copysign(1.0, a) != math.copysign(1.0, b))}

    def knows(self, numbers: list[float]) -> bool:
        return self._changed(numbers) <= self.proven and all(map(math.isfinite, numbers))


def compiled(model, shape: bytes | None, numbers: list[float]) -> System:
    """Tables of the model as it stands, which is its shape with these numbers."""
    if shape is None or not numbers:
        return compile_model(model)
    mould = asked(_MOULDS, shape)
    if mould is not None and mould.knows(numbers):
        system = mould.cast(numbers)
        if system is not None:
            return system
        return compile_model(model)
    system = compile_model(model)
    if mould is not None:
        if not mould.tried(system, numbers):
            _MOULDS[shape] = None
    elif shape not in _MOULDS:
        _often(model, shape, numbers, system)
    return system


def _often(model, shape: bytes, numbers: list[float], system: System) -> None:
    """Write the tape of a shape that has come often enough."""
    mark = hash(shape)
    with _LOCK:
        count = _SEEN.pop(mark, 0) + 1
        _SEEN[mark] = count
        room(_SEEN, MARKS)
    if count < OFTEN or system.kept or system.tables.blocks.size > SHARED:
        return
    from dalembert.model.tape import Untraceable

    try:
        mould: Mould | None = Mould(model, numbers, system)
    except (Untraceable, DalembertError, TypeError, ValueError, ArithmeticError, AttributeError, KeyError, IndexError):
        mould = None  # code that is not known to go with a tape
    if mould is not None and not mould.tried(system, numbers):
        mould = None
    with _LOCK:
        _MOULDS[shape] = mould
        room(_MOULDS, KEPT)
