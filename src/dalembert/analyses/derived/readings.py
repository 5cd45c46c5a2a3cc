"""Reading a derivative by the names of the result: run.derivative("l")["joint"].coordinate, and every other channel.

A channel is a formula over the states, what was observed in them, and the tables.  The tangents of all of these are exact; the
formula itself (a rotation, a product, at most a root) is differentiated by differences of order eight along them: the result is
read from eight motions, each with all its arrays moved a little along the tangent and with the tables of the parameter moved as
much.  Good to some 1e-12 of the channel.
"""

from __future__ import annotations

import copy
from functools import cached_property

import numpy as np

from dalembert.analyses.derived.parameters import PLACES, SLOPE
from dalembert.errors import AnalysisError

SMALL = 2e-3  # how far the motion is moved at most: of the mechanism's size, radians
CACHED = ("observed", "energy", "certificate", "error_estimate")


class Derivative:
    """The derivative of a motion in one parameter, read as the motion itself: ``d["A"].force``, ``d.energy.total``, ``d.t``."""

    def __init__(self, motion, name, move, tangents, label="run"):
        """``tangents``: q, v, ledger, t and the observed arrays (samples × numbers), by name."""
        self._motion, self.parameter, self.move, self._tangents, self._label = motion, name, move, tangents, label
        self.notes: list[str] = []  # laws that were differentiated by differences

    @cached_property
    def _copies(self) -> list[tuple[float, object, object]]:
        s, T = self._motion.system, self._tangents
        d = s.dim
        moved = s.each_q(T["q"])
        far = max(float(np.abs(moved[..., :d]).max(initial=0.0)) / (s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))),
                  float(np.abs(moved[..., d:]).max(initial=0.0)), 1e-300)
        h = min(self.move.step, SMALL / far)
        out = []
        for k, weight in enumerate(SLOPE, start=1):
            out.append((weight / h, self._moved(k * h), self._moved(-k * h)))
        return out

    def _moved(self, e):
        m, T = self._motion, self._tangents
        other = copy.copy(m)
        other.__dict__ = {k: v for k, v in m.__dict__.items() if k not in CACHED}
        known = round(e / self.move.step)
        if known in PLACES and e == known * self.move.step:  # built already
            state = self.move.beside[PLACES.index(known)]
            other.model, other.system = state.model, state.system
        else:
            other.model = self.move.build(self.move.value + e)
            other.system = other.model.compile()
        if other.system.nq != m.system.nq or other.system.nc != m.system.nc:
            other.system = m.system
        other._q, other._v, other._t = m._q + e * T["q"], m._v + e * T["v"], m._t + e * T["t"]
        other._form = None
        if "ledger" in T:
            other._ledger = m._ledger + e * T["ledger"]
        observed = copy.copy(m.observed)
        for name, array in T["observed"].items():
            base = getattr(observed, name)
            if name == "report":
                base = base.copy()
                for c, word in enumerate(base.dtype.names):
                    base[word] = base[word] + e * array[:, c]
                setattr(observed, name, base.view(np.recarray))
            else:
                setattr(observed, name, base + e * array)
        other.__dict__["observed"] = observed
        return other

    def _read(self, reader):
        return combined([(w, reader(a), reader(b)) for w, a, b in self._copies], reader(self._motion))

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
        return self._read(function)

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
