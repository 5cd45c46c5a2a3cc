"""What a parameter of the model moves: every number of the compiled tables, and the state a motion begins with; by differences.

This is the way for what cannot be had exactly (moves.py), and the tests' second opinion.  A parameter reaches the mechanism
through formulas only.  The model is compiled and assembled with the parameter moved to eight
places, and the tables (smooth functions of it: sums, products, roots) are differentiated by differences of order eight:

    f'(p) = Σ w_k (f(p + k h) − f(p − k h)) / h          h = 4e-3 |p|: 1e-12 of the numbers themselves

h is taken smaller where differences of orders eight and six disagree (a fast formula, a kink nearby, the end of a range), larger
where rounding rules (a small parameter beside a large number); where no h will do, the parameter is refused.

Nothing that is integrated or solved for is ever differenced, but for the assembled start, whose tangent is then put exactly onto
the constraints (formulations/augmented/sensitivity.py: constrained).

Integers in the tables (which body, which law) must not move: a parameter that changes what the mechanism is made of is refused.
A formula may be simpler at one value of the parameter than beside it (c·x with c = 0); the tables are then those of the
neighbours, brought to p by the interpolation  f(p) = Σ e_k (f(p + k h) + f(p − k h)).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.assembly.adopted import length_of
from dalembert.errors import AnalysisError, DalembertError, hint
from dalembert.system.layout import System

SLOPE = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
MIDDLE = (4 / 5, -2 / 5, 4 / 35, -1 / 70)
STEP = 4e-3
PLACES = (1, -1, 2, -2, 3, -3, 4, -4)
SIXTH = (3 / 4, -3 / 20, 1 / 60)
SMOOTH = 1e-7  # how well differences of orders eight and six must agree
EPS = 1e-15
KINK = 1e-5
SEEN = 3e-12  # of the numbers: more than closing the loops leaves
OPENS = 1e-8  # of the mechanism's size, for a change of the parameter by its own size
CLOSER, WIDER, TRIES = 1 / 30, 1e3, 6
FIELDS = tuple(f.name for f in fields(System))


@dataclass
class Move:
    """What one parameter moves: tables (field → array as the field, reals only) and the start."""

    name: str
    value: float
    step: float
    system: Any  # the tables at the parameter's value, with the structure of those beside it
    tables: dict[str, np.ndarray]
    q: np.ndarray
    v: np.ndarray
    same: bool  # the structure is the model's own
    find: Callable[[], list]  # what ``beside`` is
    build: Any  # value → the model with it
    idle: bool  # nothing of the model moves with it

    @cached_property
    def beside(self) -> list:
        """States with the parameter at PLACES."""
        return self.find()

    @cached_property
    def changed(self) -> dict[str, list[str]]:
        """Tables in which something moves: the columns, none where the table is one array."""
        found: dict[str, list[str]] = {}
        for field, change in self.tables.items():
            if change.size and change.dtype.names is None and change.dtype == np.float64 and change.any():
                found[field] = []
            columns = [c for c in change.dtype.names or () if change[c].dtype == np.float64 and change[c].any()]
            if columns:
                found[field] = columns
        return found

    @property
    def scale(self) -> float:
        """What counts as the parameter's size: its value, but where it is small beside what it is added to."""
        return self.step / STEP

    def along(self, e: float) -> Any:
        """The system with the numbers of its tables moved along their derivatives, by e of the parameter."""
        plain, moving = self._plan
        moved = {}
        for field, base, change, columns in moving:
            array = moved[field] = base.copy()
            if not columns:
                array += e * change
            for c, own in columns:
                array[c] += e * own
        other, s = System.__new__(System), self.system  # as dataclasses.replace, in a fifth of the time: views are read from many
        other.__dict__.update(plain)
        other.tables = s.tables._replace(**moved)
        return other

    @cached_property
    def _plan(self) -> tuple[dict[str, Any], list[tuple]]:
        """What ``along`` takes over, and what it moves: field, table, its change, columns with theirs."""
        s = self.system
        return {name: s.__dict__[name] for name in FIELDS}, [
            (field, getattr(s.tables, field), self.tables[field], [(c, self.tables[field][c].copy()) for c in columns])
            for field, columns in self.changed.items()]


def numbers_of(model, names, question) -> list[str]:
    """The parameters by these names, checked."""
    names = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]
    known = model.parameter_values()
    for name in names:
        if not isinstance(name, str) or name not in known:
            others = ", ".join(known) or "none: m.parameters['l'] = 1.0 makes one, and formulas name it"
            raise AnalysisError(f"{question} of '{model.name}': there is no parameter '{name}'{hint(str(name), list(known))} "
                                f"(the parameters are {others})")
    double = sorted({n for n in names if names.count(n) > 1})
    if double or not names:
        told = f"'{double[0]}' is named twice" if double else "name a parameter"
        raise AnalysisError(f"{question} of '{model.name}': {told}")
    return names


def with_value(model, name, value):
    """The model with another value of a parameter, to be looked at: everything else is shared with it."""
    other = copy.copy(model)
    other.parameters = type(model.parameters)(model.parameters)
    dict.__setitem__(other.parameters, name, float(value))  # a name that is there
    return other


def step_of(value: float) -> float:
    return STEP * abs(value) if value else STEP


def parts_of(tables) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Field → its reals and everything else in it (as bytes)."""
    out = {}
    for name, array in zip(tables._fields, tables, strict=True):
        if not len(array):
            real = rest = np.zeros(0)
        elif array.dtype.names is None:
            real = array if array.dtype == np.float64 else np.zeros(0)
            rest = np.zeros(0) if array.dtype == np.float64 else array
        else:
            columns = [c for c in array.dtype.names if array.dtype.fields[c][0].base == np.float64]
            others = [c for c in array.dtype.names if c not in columns and c not in ("handle", "_")]
            real = np.concatenate([array[c].reshape(len(array), -1) for c in columns], axis=1).ravel() if columns else np.zeros(0)
            rest = np.concatenate([array[c].astype(np.int64).reshape(len(array), -1) for c in others], axis=1) if others else (
                np.zeros(0))
        out[name] = (real, rest)
    return out


def alike(a, b) -> str:
    """"" or the field in which two sets of tables are made otherwise."""
    for name in a:
        (x, i), (y, j) = a[name], b[name]
        if x.shape != y.shape or i.shape != j.shape or not np.array_equal(i, j):
            return name
    return ""


def otherwise(a, b) -> str:
    """The same of the tables themselves."""
    for name, x, y in zip(a._fields, a, b, strict=True):
        if x.shape != y.shape:
            return name
        if x.dtype == np.float64 or not x.size or x.tobytes() == y.tobytes():
            continue
        words = x.dtype.names
        if words is None or any(not np.array_equal(x[c], y[c]) for c in words
                                if c not in ("handle", "_") and x.dtype.fields[c][0].base != np.float64):
            return name
    return ""


def _filled(array, reals) -> np.ndarray:
    """An array of the same kind with these numbers as its reals, zero elsewhere."""
    out = np.zeros(array.shape, array.dtype)
    if array.dtype.names is None:
        out[:] = reals
        return out
    at, columns = 0, [c for c in array.dtype.names if array.dtype.fields[c][0].base == np.float64]
    rows = reals.reshape(len(array), -1) if len(array) else np.zeros((0, 0))
    for c in columns:
        shape = array.dtype.fields[c][0].shape
        count = int(np.prod(shape, dtype=int))
        if len(array):
            out[c] = rows[:, at:at + count].reshape(len(array), *shape)
        at += count
    return out


def _combined(found, weights, sign) -> np.ndarray:
    """Σ weight_k (found[k] + sign · found[−k])."""
    with np.errstate(invalid="ignore"):
        total = sum(w * (found[2 * k] + sign * found[2 * k + 1]) for k, w in enumerate(weights))
    total = np.asarray(total, dtype=float)
    same = np.all([x == found[0] for x in found], axis=0)  # infinite ends of free ranges, and what does not move at all
    return np.where(same, np.asarray(found[0]) if sign > 0 else 0.0, total)


def move(model, system, name, question, t=0.0, start=None, prepare=None) -> Move:
    """What the parameter moves; ``start``: a state that is given, and stays; ``prepare(model)``: what is asked of each model."""

    def build(value):
        other = with_value(model, name, value)
        return other if prepare is None else prepare(other)

    value = model.parameter_values()[name]
    first, step, tried, doubt = None, step_of(value), [], ""
    for _ in range(TRIES):
        tried.append(step)
        try:
            found, doubt, factor = _moved(model, system, name, question, t, start, build, value, step)
            if not doubt:
                return found
        except AnalysisError as error:  # it may be too far to the sides
            first, factor = first or error, CLOSER
        step *= factor
        if any(abs(step - x) < 0.5 * x for x in tried):
            break
    if first is not None and not doubt:
        raise first
    raise AnalysisError(f"{question} of '{model.name}': {doubt} do not change smoothly with '{name}' around {value:.6g}: a "
                        "kink or a jump (max, abs, step …) lies just there, or the formula cannot resolve so small a parameter")


def _moved(model, system, name, question, t, start, build, value, step) -> tuple[Move, str, float]:
    """What the parameter moves, from neighbours ``step`` apart; which table is in doubt, and by what to change the step then."""
    states = []
    for k in PLACES:
        try:
            other = build(value + k * step)
            if start is None:
                states.append(assemble(other, t))
            else:
                states.append(adopt(other, start))
        except DalembertError as error:
            raise AnalysisError(f"{question} of '{model.name}': with {name} = {value + k * step:.6g} (it is {value:.6g}) the "
                                f"model cannot be built or assembled, so that nothing is known beside it: {error}") from None
    parts = [parts_of(s.system.tables) for s in states]
    first = parts[0]
    for other in parts[1:]:
        field = alike(first, other)
        if field:
            raise AnalysisError(f"{question} of '{model.name}': the parameter '{name}' changes what the mechanism is made of "
                                f"(table '{field}'), not only its numbers: there is no derivative in it")
    bases = parts_of(system.tables)
    own = not alike(first, bases)
    tables, at, judged = {}, {}, []
    for field in first:
        reals = [p[field][0] for p in parts]
        judged.append((f"the numbers of '{field}'", reals, bases[field][0] if own else None))
        array = getattr(states[0].system.tables, field)
        tables[field] = np.zeros(array.shape, array.dtype)
        if reals[0].size:
            tables[field] = _filled(array, _combined(reals, SLOPE, -1.0) / step)
        if not own:
            at[field] = _filled(array, _combined(reals, MIDDLE, 1.0)) if reals[0].size else array
            for c in array.dtype.names or ():
                if array.dtype.fields[c][0].base != np.float64:
                    at[field][c] = array[c]
    q, v = (_combined([getattr(s, w) for s in states], SLOPE, -1.0) / step for w in ("q", "v"))
    if not own:
        neighbour = states[0].system
        system = replace(neighbour, tables=neighbour.tables._replace(**at), q_drawn=system.q_drawn, v_drawn=system.v_drawn)
    judged += [(what, [getattr(s, w) for s in states], None) for what, w in (("the places at the start", "q"),
                                                                        ("the velocities at the start", "v"))]
    what, factor = _doubt(judged, step < STEP * max(abs(value), 1.0))
    found = Move(name, value, step, system, tables, q, v, own, lambda: states, build, False)
    found.idle = not found.changed and not np.any(q) and not np.any(v)
    return found, what, factor


def _doubt(judged, may_widen) -> tuple[str, float]:
    """"" where the differences can be trusted; else what is in doubt, and by what to change the step.

    A sixth-order difference from the same numbers must agree; and for f to be smooth in the middle, f(h) + f(−h) − 2 f grows as
    h².  Numbers of which only rounding is seen are passed over, unless there are no others: then neighbours are taken wider.
    Where both sides are alike (|p| at 0) there is no slope to compare with: ``_bent``.
    """
    rough = rounded = ""
    resolved = False
    for what, found, base in judged:
        if not len(found[0]):
            continue
        with np.errstate(invalid="ignore", over="ignore"):
            eighth, sixth = _combined(found, SLOPE, -1.0), _combined(found[:6], SIXTH, -1.0)
            size = np.abs(eighth).max(initial=0.0)
            values = np.where(np.isfinite(found[0]) & (eighth != 0.0), np.abs(found[0]), 0.0)
            if size <= EPS * values.max(initial=0.0) / SMOOTH:
                rounded = rounded or (what if size else "")
                rough = rough or (what if _bent(found) else "")
                continue
            resolved, apart = True, np.abs(eighth - sixth).max(initial=0.0)
            if base is not None and np.shape(base) == np.shape(found[0]):
                near, far = found[0] + found[1] - 2 * base, found[6] + found[7] - 2 * base
                kink = np.where(np.isfinite(far), np.abs(16 * near - far) / 12, 0.0).max(initial=0.0)
                apart = max(apart, kink if kink > KINK * size else 0.0)
        if apart > SMOOTH * size:
            rough = rough or what
    if rough:
        return rough, CLOSER
    return (rounded, WIDER) if rounded and not resolved and may_widen else ("", 1.0)


def _bent(found) -> bool:
    """Whether numbers with no slope have a kink:  s_k = f(k h) + f(−k h);  s₄ − s₁ is 5 (s₂ − s₁) for h², 3 for |h|."""
    first, second, fourth = (found[k] + found[k + 1] for k in (0, 2, 6))
    size = np.abs(np.where(np.isfinite(first), first, 0.0)).max(initial=0.0)
    seen = np.abs(second - first) > SEEN * size  # never of infinite ends of free ranges
    return bool(np.any(seen & (np.abs(fourth - first) < 4 * np.abs(second - first))))


def shifted(found: list[np.ndarray], step: float) -> np.ndarray | None:
    """The derivative of arrays known at PLACES; None if they are not of one size."""
    return None if len({a.shape for a in found}) > 1 else _combined(found, SLOPE, -1.0) / step


def constrained(derivatives, model, moves, question, given=False) -> None:
    """Put the tangents of the state onto the constraints.

    Rows that depend on the others are left out of that; a parameter that changes them alone makes the loops contradict each
    other, and is refused.  ``given``: the state is the user's, and stays; a parameter that opens its joints is refused.
    """
    d = derivatives
    system = d.work.system
    before = (d.found["q"].copy(), d.found["v"].copy())
    d.run("constrained")
    length = length_of(system) or 1.0
    for lane, m in enumerate(moves):
        if np.abs(d.found["phi"][:, lane]).max(initial=0.0) * m.scale > OPENS * length:
            raise AnalysisError(f"{question} of '{model.name}': another value of '{m.name}' makes the closed loops contradict "
                                "each other: the mechanism moves at this value only, and there is no derivative")
        if given and any(np.abs(d.found[w][:, lane] - x[:, lane]).max(initial=0.0) * m.scale > OPENS * max(length, 1.0)
                         for w, x in zip("qv", before, strict=True)):
            raise AnalysisError(f"{question} of '{model.name}': the run began with state=, which fits the joints and drives of "
                                f"this value of '{m.name}' only. Begin with the drawing (m.initial gives coordinates and rates)")


def seed(derivatives, moves) -> None:
    """The tables' tangents: one lane per parameter."""
    derivatives.still()
    every = slice(len(moves))
    for field in {f: None for m in moves for f in m.changed}:
        columns = {c: None for m in moves for c in m.changed.get(field, ())}
        if not columns:
            derivatives.table(field)[:, every] = np.array([m.tables[field] for m in moves]).T
        for c in columns:
            found = np.array([m.tables[field][c] for m in moves])
            derivatives.column(field, c)[:, :, every] = np.moveaxis(found.reshape(*found.shape[:2], -1), 0, 2)
