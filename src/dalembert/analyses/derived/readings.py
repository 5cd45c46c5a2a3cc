"""Reading a derivative by the names of the result: run.derivative("l")["joint"].coordinate, and every other channel.

A channel is a formula over the states, what was observed in them, and the tables.  The tangents of all of these are exact; the
formula itself (a rotation, a product, at most a root) is differentiated by differences of order eight along them: the result is
read from eight motions, each with all its arrays moved a little along the tangent and with the tables of the parameter moved as
much, along their own derivatives.  Good to some 1e-12 of the channel.

A function of the user's may have a kink nearby (the largest of the samples becomes another one): where differences of orders
eight and six disagree the motions are moved less, and where that does not help it is refused.  A reduction in words is
differentiated in closed form (studies/outputs.py: Reduced.slope).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.analyses.derived.parameters import CLOSER, KINK, SIXTH, SLOPE
from dalembert.analyses.derived.veiled import bare, copied
from dalembert.analyses.studies.outputs import Reduced
from dalembert.errors import AnalysisError

SMALL = 2e-3  # how far the motion is moved at most: of the mechanism's size, radians
SMOOTH, ROUNDING = 1e-6, 1e-12  # how well differences of orders eight and six agree; of the values themselves
FOURTH = (2 / 3, -1 / 12)
STRAIGHT = 1e-15  # of the values
NOTHING = 1e-15  # of the mechanism's size: what a number that is read may scatter by, however small it is
CLOSEST = 4  # steps, each CLOSER than the one before


class Beside:
    """What was observed, moved by ``e`` along its tangents: array by array, as they are read (most channels read one or two)."""

    def __init__(self, observed, tangents, e):
        self._observed, self._tangents, self._e = observed, tangents, e

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        found, tangent = getattr(self._observed, name), self._tangents.get(name)
        if tangent is not None and name == "report":
            moved = found.view(np.ndarray).view(np.float64).reshape(tangent.shape) + self._e * tangent  # every word is a real
            found = moved.view(found.dtype).reshape(found.shape).view(np.recarray)
        elif tangent is not None:
            found = found + self._e * tangent
        self.__dict__[name] = found
        return found


class Derivative:
    """The derivative of a motion in one parameter, read as the motion itself: ``d["A"].force``, ``d.energy.total``, ``d.t``."""

    def __init__(self, motion, name, move, tangents, label="run", derived=None):
        """``tangents``: q, v, ledger, t and the observed arrays (samples × numbers), by name; ``derived``: veiled.py."""
        self._motion, self.parameter, self.move, self._tangents, self._label = motion, name, move, tangents, label
        self._derived = derived
        self.notes: list[str] = []  # laws that were differentiated by differences

    @cached_property
    def _step(self) -> float:
        s, T = self._motion.system, self._tangents
        d = s.dim
        moved = s.each_q(T["q"])
        far = max(float(np.abs(moved[..., :d]).max(initial=0.0)) / (s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))),
                  float(np.abs(moved[..., d:]).max(initial=0.0)), 1e-300)
        return min(self.move.step, SMALL / far)

    def _copies(self, closer=0, count=4) -> list[tuple[Any, Any]]:
        """Motions on both sides, moved by 1 … 4 steps."""
        kept = self.__dict__.setdefault("_kept", {})
        if closer not in kept:
            kept[closer] = []
        h = self._step * CLOSER**closer
        for k in range(len(kept[closer]) + 1, count + 1):
            kept[closer].append((self._moved(k * h), self._moved(-k * h)))
        return kept[closer][:count]

    @cached_property
    def _bare(self) -> dict[str, Any]:
        moved = {"model", "system", *(f"_{name}" for name in self._tangents)}
        return {name: x for name, x in bare(self._motion).items() if name not in moved}

    def _system(self, e):
        own = self._motion.system
        system = self.move.along(e)
        return system if system.nq == own.nq and system.nc == own.nc else own

    def _moved(self, e):
        m, T, of = self._motion, self._tangents, self._derived or {}
        moved = {f"_{name}": lambda _, name=name: getattr(m, f"_{name}") + e * T[name]
                 for name in ("q", "v", "t", "ledger") if name in T}
        other = copied(m, self._bare, {**of, **moved, "system": lambda _: self._system(e),  # each when somebody reads it
                                       "model": lambda _: self.move.build(self.move.value + e)})
        other._form = None
        other.__dict__["observed"] = Beside(m.observed, T["observed"], e)
        return other

    def _read(self, reader):
        """A channel; nan in samples that stand on a kink or a jump of it (a law that is read anew from t and the tables)."""
        base, read = reader(self._motion), [(reader(a), reader(b)) for a, b in self._copies()]
        found = combined([(w / self._step, *p) for w, p in zip(SLOPE, read, strict=True)], base)
        return told(found, base, [x for pair in read for x in pair], silent(self._motion.system))

    def __getitem__(self, name) -> Reading:
        self._motion[name]  # says what there is
        return Reading(self, lambda m: m[name], f"['{getattr(name, 'name', name)}']")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "t":
            return self._tangents["t"]
        getattr(self._motion, name)
        return Reading(self, lambda m: getattr(m, name), f".{name}")._result()

    def point(self, body, local):
        """Derivative of the trajectory of a point of a body."""
        return self._read(lambda m: m.point(body, local))

    def of(self, function):
        """Derivative of any smooth function of the motion: ``d.of(lambda run: run["A"].force[:, 0] ** 2)``."""
        base = function(self._motion)
        if isinstance(function, Reduced) and function.reduction is not None and not getattr(self._motion, "single", False):
            values = np.asarray(function.channel(self._motion), float)
            if values.ndim:
                return self._reduced(function, values, base)
        read = [(function(a), function(b)) for a, b in self._copies(0, 2)]
        if all(straight(*part) for part in zip(leaves(base), *(leaves(x) for pair in read for x in pair), strict=True)):
            return combined([(w / self._step, *p) for w, p in zip(FOURTH, read, strict=True)], base)
        for closer in range(CLOSEST):
            read = [(function(a), function(b)) for a, b in self._copies(closer)]
            parts = zip(leaves(base), *(leaves(x) for pair in read for x in pair), strict=True)
            if all(smooth(part[0], part[1:], silent(self._motion.system)) for part in parts):
                return combined([(w / (self._step * CLOSER**closer), *p) for w, p in zip(SLOPE, read, strict=True)], base)
        raise AnalysisError(f"derivative of '{self._motion.model.name}': an output does not change smoothly with "
                            f"'{self.parameter}': it has a kink or a jump just here (the largest of equal samples, abs of zero "
                            "…). Read smooth channels, or another number of the run")

    def _reduced(self, function, values, base):
        slope = function.slope(values, self._motion._t)
        counts = np.any(slope, axis=(0, 2))  # samples that the reduction looks at
        moved = np.asarray(self.of(lambda motion: np.asarray(function.channel(motion), float)[counts]), float)
        total = np.einsum("rkc,kc->r", slope[:, counts], moved.reshape(len(moved), -1))
        total = total + function.moment(values) * self._tangents["t"][-1]
        return total.reshape(np.shape(base)) if np.ndim(base) else float(total[0])

    def __repr__(self):
        return "; ".join([f"derivative of {self._label} of '{self._motion.model.name}' in '{self.parameter}' = "
                          f"{self.move.value:.6g}", *self.notes])


class Reading:
    """A part of a derivative; attributes and calls are those of the part of the motion."""

    def __init__(self, derivative, reader, label):
        self._derivative, self._reader, self._label = derivative, reader, label

    def _result(self):
        value = self._reader(self._derivative._motion)
        return self._derivative._read(self._reader) if _numeric(value) else self

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._reader(self._derivative._motion), name)
        if callable(value):
            return lambda *a, **k: Reading(self._derivative, lambda m: getattr(self._reader(m), name)(*a, **k),
                                           f"{self._label}.{name}()")._result()
        return Reading(self._derivative, lambda m: getattr(self._reader(m), name), f"{self._label}.{name}")._result()

    def __repr__(self):
        return f"{self._derivative!r}, {self._label}: read its channels"


def _numeric(value) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(_numeric(v) for v in value.values())
    if isinstance(value, (tuple, list)):
        return bool(value) and all(_numeric(v) for v in value)
    return isinstance(value, (float, int, np.ndarray, np.floating)) and not isinstance(value, bool)


def leaves(value) -> list[np.ndarray]:
    """The arrays in a number, array, dict or list of them."""
    if isinstance(value, dict):
        value = list(value.values())
    return [x for v in value for x in leaves(v)] if isinstance(value, (tuple, list)) else [np.asarray(value)]


def straight(base, above, below, beyond, behind) -> bool:
    """Whether a function is straight over its values at steps 1, −1, 2, −2, but for rounding: more of them tell no more."""
    if np.asarray(base).dtype.kind not in "fiuc":
        return False
    with np.errstate(invalid="ignore"):
        bent = [above + below - 2 * base, beyond + behind - 2 * base, beyond - behind - 2 * (above - below)]
    return all(_size(x) <= STRAIGHT * _size(np.asarray(base)) for x in bent)


def silent(system) -> float:
    """What is nothing in a number that is read: rounding of the mechanism's size."""
    return NOTHING * float(system.size) / float(np.sqrt(system.tables.bodies["mass"].sum()))


def smooth(base, found, nothing=0.0) -> bool:
    """Whether a function is smooth over its values at steps 1, −1, 2, −2 … 4, −4, but for rounding.

    Differences of orders eight and six agree, and in the middle f(h) + f(−h) − 2 f grows as h².
    """
    if np.asarray(base).dtype.kind not in "fiuc":
        return True  # refused by its kind
    return not np.any(_rough(base, found, nothing))


def _rough(base, found, nothing) -> np.ndarray:
    """Which numbers of an array are not smooth, as above."""
    base, found = np.asarray(base), [np.asarray(x) for x in found]
    with np.errstate(invalid="ignore"):
        eighth, sixth = (sum(w * (found[2 * k] - found[2 * k + 1]) for k, w in enumerate(weights)) for weights in (SLOPE, SIXTH))
        kink = (16 * (found[0] + found[1] - 2 * base) - (found[6] + found[7] - 2 * base)) / 12
        far = max(_size(x - base) for x in found[:2])
        rounding = ROUNDING * _size(base) + nothing
        return (_finite(eighth - sixth) > SMOOTH * _size(eighth) + rounding) | (_finite(kink) > KINK * far + rounding)


def told(slope, base, found, nothing):
    """A slope, with nan where the function is not smooth; through dictionaries and tuples, as ``combined``."""
    if isinstance(slope, dict):
        return {k: told(x, base[k], [f[k] for f in found], nothing) for k, x in slope.items()}
    if isinstance(slope, (tuple, list)):
        return type(slope)(told(x, base[k], [f[k] for f in found], nothing) for k, x in enumerate(slope))
    rough = _rough(base, found, nothing)
    if not np.any(rough):
        return slope
    return np.where(rough, np.nan, slope) if isinstance(slope, np.ndarray) else type(slope)(math.nan)


def _finite(array) -> np.ndarray:
    return np.abs(np.where(np.isfinite(array), array, 0.0))


def _size(array) -> float:
    return float(_finite(array).max(initial=0.0))


def combined(pairs, like):
    """Σ weight (a − b), through dictionaries and tuples."""
    if isinstance(like, dict):
        return {k: combined([(w, a[k], b[k]) for w, a, b in pairs], like[k]) for k in like}
    if isinstance(like, (tuple, list)):
        return type(like)(combined([(w, a[k], b[k]) for w, a, b in pairs], like[k]) for k in range(len(like)))
    kind = np.asarray(like).dtype.kind
    if kind not in "fiuc":
        raise AnalysisError(f"a derivative is read from channels and outputs that are numbers, not {type(like).__name__}")
    number = complex if kind == "c" else float
    total = sum(w * (np.asarray(a, number) - np.asarray(b, number)) for w, a, b in pairs)
    return total if isinstance(like, np.ndarray) else number(total)
