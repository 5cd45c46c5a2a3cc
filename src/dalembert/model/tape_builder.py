"""The builder on numbers that write down what is done with them (tape.py), and where in the tables they end.

The elements' recipes are run once on it.  Methods differ from the plain builder's in this only, that functions of Python's own
(atan2, sqrt), which would take a plain number, are put on the tape as a whole, and that equal numbers are found by comparing, not
by a key.  Everything that no line here is about meets ``Traced.__float__`` and the like, and is asked for to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from dalembert import expressions
from dalembert.algebra import rotations
from dalembert.algebra.rotations import quaternion_of_matrix
from dalembert.elements.laws import CONSTANT
from dalembert.elements.measures.table import ANGLE, MEASURES, number
from dalembert.model.builder import Builder
from dalembert.model.compile import complete, spinless_bodies
from dalembert.model.content import with_numbers
from dalembert.model.geometry import Marker, Placed
from dalembert.model.numbers import Numbers
from dalembert.model.tape import Tape, Traced, Untraceable

_PLAIN = {dim: Numbers(dim, {}) for dim in (2, 3)}
_ROTATION = partial(_PLAIN[3].rotation, None, what="")
_DIRECTION = {dim: partial(plain.direction, what="axis") for dim, plain in _PLAIN.items()}


class Given(Mapping):
    """The parameters' values, for who reads them by name: asked for to the bit."""

    def __init__(self, numbers: dict[str, Any]):
        self.numbers = numbers

    def __getitem__(self, name: str) -> float:
        found = self.numbers[name]
        return float(found)

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


class TapeBuilder(Builder):
    """What elements see while a tape is written: every float that the model is given is an input."""

    def __init__(self, model):
        self.tape = Tape()
        self.numbers: dict[str, Any] = {}
        self._offsets: dict[tuple, list[tuple[Any, int]]] = {}
        self._rows_of: list[tuple[Any, int]] = []
        values = model.parameter_values()
        traced = with_numbers(model, self.tape.input)
        for name, given in traced.parameters.items():
            self.numbers[name] = (given if isinstance(given, Traced) else self._evaluated(given) if isinstance(given, str)
                                  else values[name])
        traced.parameters = type(model.parameters)(model.parameters)
        super().__init__(traced)
        self.gravity = self.vector(traced.gravity, "gravity")
        complete(self)
        if self.states or self.unknowns or self.signals or self.rubs or self.teeth or self.kept or spinless_bodies(self):
            raise Untraceable("signals, states, surfaces that rub, teeth, functions, bodies with a zero moment")

    @property
    def parameters(self) -> Any:  # type: ignore[override]
        return Given(self.numbers)

    @parameters.setter
    def parameters(self, given) -> None:
        """Those of the tape stay."""

    # -------------------------------------------------------------------------------------------------------- numbers

    def _evaluated(self, text: str) -> Any:
        expression = expressions.parse(text)
        used = {n: self.numbers[n] for n in expression.names if n in self.numbers}
        if text in used:
            return used[text]
        names = list(used)
        return self.tape.do(lambda *x: expression.evaluate(dict(zip(names, x, strict=True))), *used.values())

    def number(self, value, what: str) -> Any:
        if isinstance(value, Traced):
            return value
        if type(value) is not str:
            return super().number(value, what)
        if value not in self._numbers:
            self._numbers[value] = self._evaluated(value)
        return self._numbers[value]

    def vector(self, value, what: str, size: int | None = None) -> Any:
        if isinstance(value, Traced):
            return value
        if isinstance(value, (tuple, list)) and len(value) == (self.dim if size is None else size):
            return self.tape.array([self.number(x, what) for x in value])
        return super().vector(value, what, size)

    def turn(self, value, what: str) -> Any:
        return self.tape.array([self.number(value, what)]) if self.dim == 2 and value is not None else super().turn(value, what)

    def tangent(self, angle):
        return self.tape.do(math.tan, angle)

    def heading(self, y, x):
        return self.tape.do(math.atan2, y, x)

    def length(self, vector):
        return self.tape.do(_PLAIN[self.dim].length, vector)

    def direction(self, value, what: str) -> Any:
        a = self.vector(value, what)
        return self.tape.do(_DIRECTION[self.dim], a) if isinstance(a, Traced) else super().direction(a, what)

    def frame_along(self, direction, column: int) -> Any:
        return self.tape.do(rotations.frame_along, direction, column)

    def diagonal(self, numbers) -> Any:
        return self.tape.do(_PLAIN[3].diagonal, self.tape.array(numbers))

    def _rows(self, rows, what: str) -> Any:
        """A matrix of three rows, as one array."""
        found = [self.vector(row, what, 3) for row in rows]
        return self.tape.do(_stacked, *found) if any(isinstance(x, Traced) for x in found) else None

    def rotation(self, angle, rotation, what: str):
        given = rotation if isinstance(rotation, (tuple, list)) and self.dim == 3 else ()
        found = None
        if len(given) == 2 and isinstance(given[0], str):
            angles = given[1] if isinstance(given[1], (tuple, list)) else [given[1]]
            numbers = self.tape.array([self.number(x, what) for x in angles])
            if isinstance(numbers, Traced):
                return self.tape.do(_turned, given[0], numbers)
        elif len(given) == 4:
            found = self.vector(given, what, 4)
        elif len(given) == 3:
            found = self._rows(given, what)
        return self.tape.do(_ROTATION, found) if isinstance(found, Traced) else super().rotation(angle, rotation, what)

    def inertia(self, value, what: str, trusted=False, zeros=False):
        if self.dim == 2 or not isinstance(value, (tuple, list)) or len(value) != 3:
            return super().inertia(value, what, trusted, zeros)
        found = self._rows(value, what) if isinstance(value[0], (tuple, list)) else self.vector(value, what, 3)
        if not isinstance(found, Traced):
            return super().inertia(value, what, trusted, zeros)
        return self.tape.do(_moments, found, zeros)

    def say(self, vector) -> str:
        if not isinstance(vector, Traced):
            return super().say(vector)
        text, word = _said(vector.x), self.tape.word
        self.tape.ask(f"{word(_said)}({vector.name}) == {word(text)}", vector)
        return text

    def _cross(self, a, c):
        return self.tape.do(_across, a, c) if self.dim == 3 else super()._cross(a, c)

    # ------------------------------------------------------------------------------------------------------- geometry

    def _place(self, x) -> Placed:
        if self.dim == 2:
            return Placed(x["r"], self.tape.do(rotations.matrix_of_angle, x["A"]), x["com"], x["A"])
        return super()._place(x)

    def marker(self, body: int, local, axes) -> int:
        if not (isinstance(local, Traced) or isinstance(axes, Traced)):
            return super().marker(body, local, axes)
        given: Any = [x if isinstance(x, Traced) else np.asarray(x, dtype=float) for x in (local, axes)]
        self.markers.append(Marker(body, *given))
        return len(self.markers) - 1

    def measure(self, name, i, j, axis_i=0, axis_j=0, guide=0, offset=0.0) -> int:
        key = (number(name), i, j, axis_i, axis_j, guide)
        found = self._offsets.setdefault(key, [])
        for known, place in found:
            if known is offset or bool(known == offset):
                return place
        found.append((offset, len(self.measures)))
        names = ("kind", "i", "j", "axis_i", "axis_j", "guide")
        self.measures.append({**dict(zip(names, key, strict=True)), "offset": offset})
        return len(self.measures) - 1

    def angle(self, i, j, from_drawing=False):
        raw = self.raw_angle(i, j)
        if self.dim == 3:
            return self.measure("angle", i, j, offset=raw if from_drawing else 0.0)
        F, G = self.axes_of(i), self.axes_of(j)
        between = 0.0 if from_drawing else self.heading(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])
        return self.measure("angle", i, j, offset=raw - between)

    def raw_angle(self, i, j) -> Any:
        if self.dim == 2:
            return super().raw_angle(i, j)
        F, G = self.axes_of(i), self.axes_of(j)
        return self.heading(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])

    def drawn_value(self, measure: int) -> Any:
        m = self.measures[measure]
        return MEASURES[m["kind"]].drawn(self, m) - m["offset"]

    def drawn_distance(self, i, j) -> Any:
        found = self.tape.do(_norm, self.point_of(j) - self.point_of(i))
        size = sum(self.tape.do(_most, self.placed[m.body].r) + self.tape.do(_most, m.local)
                   for m in (self.markers[i], self.markers[j]))
        return found if found > 1e-14 * size else 0.0

    # ----------------------------------------------------------------------------------------------------------- laws

    def law(self, value, element, names=("t",)) -> int:
        if not isinstance(value, (int, float, Traced)) or isinstance(value, bool):
            return super().law(value, element, names)
        given = value if isinstance(value, Traced) else expressions.number(value)
        for known, row in self._rows_of:
            if known is given or bool(known == given):
                return row
        self._rows_of.append((given, self._add(kind=CONSTANT, value=given)))
        return self._rows_of[-1][1]


class Cells:
    """Numbers of the tape and their places in a room where all tables stand one behind the other (cast.py)."""

    def __init__(self, starts: dict[str, int], dtypes: dict[str, np.dtype]):
        self.starts, self.dtypes = starts, dtypes
        self.results: list[Traced] = []
        self.places: list[int] = []

    def put(self, table: str, row: int, column: str, value: Any, besides: int = 0) -> None:
        """``besides``: places behind the first of the column."""
        if isinstance(value, (list, tuple)):
            for k, x in enumerate(value):
                self.put(table, row, column, x, k)
            return
        if not isinstance(value, Traced):
            return
        dtype, at = self.dtypes[table], 0
        if dtype.names:
            kind, at = dtype.fields[column][:2]  # type: ignore[index]
            dtype, at = kind.base, at + row * dtype.itemsize
        if dtype != np.float64 or at % 8:
            raise Untraceable(f"{table}.{column} is no place for a number")
        first = self.starts[table] + at // 8 + besides
        self.results.append(value)
        self.places += range(first, first + np.size(value.x))


def cells_of(b: TapeBuilder, starts: dict[str, int], dtypes: dict[str, np.dtype]) -> Cells:
    """Where the numbers of the tape end: as compile.py puts them."""
    out = Cells(starts, dtypes)
    plane, do = b.dim == 2, b.tape.do
    for k, x in enumerate(b.resolved):
        mass, J = x["mass"], x["inertia"]
        if b.model.bodies[b.body_names[k]].is_particle:
            J = mass if plane else do(_ball, mass)
        inverse = (1.0 / J) if plane else do(_inverse, J)
        for column, value in (("mass", mass), ("inverse_mass", 1.0 / mass), ("com", x["com"]), ("inertia", J),
                              ("inverse_inertia", inverse)):
            out.put("bodies", k, column, value)
        _drawn(b, out, k, x, b.placed[k])
    slots = b.kind.SIZE_Q * len(b.resolved)
    for k, m in enumerate(b.measures):
        if not plane and m["kind"] == ANGLE:
            out.put("q", 0, "", b.drawn_value(k) + m["offset"], slots)
            slots += 1
    for k, marker in enumerate(b.markers):
        out.put("markers", k, "s", marker.local - b.placed[marker.body].com)
        out.put("markers", k, "axes", marker.axes[:, 0] if plane else marker.axes.ravel())
    found: dict[str, list] = {"measures": b.measures, "laws": b.laws, "terms": b.terms, "particles": b.particles,
                              "event": [*b.events, *(row for row, _ in b.switches)], **b.reading_tables(0)}
    for g in b.groups:
        for family, _, columns in g.pieces:
            found.setdefault(family, []).append(columns)
    for family, rows in {**found, **b.forces}.items():
        for k, row in enumerate(rows):
            for column, value in row.items():
                out.put(family, k, column, value)
    out.put("gravity", 0, "", b.gravity)
    return out


def _drawn(b, out, k, x, p) -> None:
    r, speed, omega, at, to = p.r, x["velocity"], x["omega"], int(b.kind.at_q(None, k)), int(b.kind.at_v(None, k))
    if p.com.tolist() != [0.0] * b.dim:
        arm = p.A @ p.com
        r = r + arm
        speed = speed + (omega[0] * b.tape.array([-arm[1], arm[0]]) if b.dim == 2 else b.tape.do(np.cross, p.A @ omega, arm))
    out.put("q", 0, "", r, at)
    out.put("q", 0, "", p.angle if b.dim == 2 else b.tape.do(quaternion_of_matrix, p.A), at + b.dim)
    out.put("v", 0, "", speed, to)
    out.put("v", 0, "", omega, to + b.dim)


def _stacked(*rows) -> np.ndarray:
    return np.array([list(map(float, row)) for row in rows])


def _turned(axes: str, angles: np.ndarray) -> np.ndarray:
    return _PLAIN[3]._angles((axes, angles.tolist()), "rotation")


def _moments(given: np.ndarray, zeros: bool) -> np.ndarray:
    """Trusted or not: a model with moments that no body has is compiled, which says so in its notes (a program does not)."""
    return _PLAIN[3].inertia(given, "", False, zeros)


def _said(vector: np.ndarray) -> str:
    return Builder.say(None, vector)  # type: ignore[arg-type]


def _across(a: np.ndarray, c: np.ndarray) -> np.ndarray:
    return Builder._cross(_PLAIN[3], a, c)  # type: ignore[arg-type]


def _norm(vector: np.ndarray) -> float:
    return float(np.linalg.norm(vector))


def _most(vector: np.ndarray) -> float:
    return np.abs(vector).max()


def _ball(mass: float) -> np.ndarray:
    return mass * np.eye(3)


def _inverse(J: np.ndarray) -> np.ndarray:
    return np.linalg.inv(J).ravel()
