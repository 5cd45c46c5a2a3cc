"""What a number read from a run depends on: its derivatives in every number of the run's arrays, for the adjoint.

A goal is a function of the result.  It reads states and what is observed in them (equations/paths.py: FIELDS); which of these
numbers it reads is found by moving them: whole fields, then halves of columns and of samples, until single numbers are left.
In those it is differentiated by differences of order eight, as everywhere a formula of a view is (readings.py); a kink within
reach makes the differences smaller, and one just there is refused.

A goal in words ("mean A.force") and a pair (word, function that gives an array over the samples) is a reduction R of a channel
c_k, each c_k of one sample: all samples are moved at once, and ∂R/∂c_k is known in closed form.
"""

from __future__ import annotations

import copy

import numpy as np

from dalembert.analyses.derived.parameters import CLOSER, PLACES, SLOPE
from dalembert.analyses.derived.readings import CLOSEST, silent, smooth
from dalembert.analyses.derived.veiled import bare, copied
from dalembert.analyses.studies.outputs import Reduced
from dalembert.equations.paths import FIELDS
from dalembert.errors import AnalysisError

STEP = 1e-3  # of a number's size
NAMES = ("q", "v", "ledger", "t", *(f for f in FIELDS if f not in ("residual", "speed", "report")), "kinetic", "potential")
MANY = 4000  # readings of a goal that are worth it


class Costly(AnalysisError):
    """A goal that reads too many numbers one by one, or is not smooth in them."""


class Arrays:
    """A run whose arrays can be moved."""

    def __init__(self, run):
        self.run, self.count, self._bare = run, 0, bare(run)
        o = run.observed
        self.base = {"q": run._q, "v": run._v, "ledger": run._ledger, "t": run._t[:, None]}
        self.base |= {n: np.reshape(getattr(o, n), (len(run._t), -1)) for n in NAMES[4:-2]}
        self.base |= {n: np.asarray(o.report[n], float)[:, None] for n in NAMES[-2:]}
        self.size = {n: np.abs(a).max(axis=0, initial=0.0) for n, a in self.base.items()}
        for a in self.size.values():
            a[:] = np.maximum(a, 0.1 * a.max(initial=0.0))
            a[a == 0.0] = 1.0

    def moved(self, changes, model=None, system=None):
        """The run with changed arrays (field → array of changes), and perhaps another model."""
        run, self.count = self.run, self.count + 1
        other = copied(run, self._bare)
        if model is not None:
            other.model, other.system, other._form = model, system, None
        observed = copy.copy(run.observed)
        other.__dict__["observed"] = observed
        report = None
        for name, change in changes.items():
            new = self.base[name] + change
            if name in ("q", "v", "ledger"):
                setattr(other, f"_{name}", new)
            elif name == "t":
                other._t = new[:, 0]
            elif name in ("kinetic", "potential"):
                report = observed.report.copy() if report is None else report
                report[name] = new[:, 0]
                observed.report = report.view(np.recarray)
            else:
                setattr(observed, name, new.reshape(getattr(run.observed, name).shape))
        return other


class Goals:
    """Functions of a run, flattened to one vector, and the jacobian of it in the numbers they read."""

    def __init__(self, run, functions: dict, moves):
        self.arrays, self.functions, self.moves = Arrays(run), functions, moves
        self.values = {label: f(run) for label, f in functions.items()}
        sizes = [np.size(v) for v in self.values.values()]
        ends = np.cumsum([0, *sizes])
        self.parts = {label: slice(int(a), int(b)) for label, a, b in zip(functions, ends, ends[1:], strict=False)}
        self.size = int(ends[-1])
        self.entries: dict[str, dict[int, np.ndarray]] = {}  # field → sample → goals × columns
        for label, f in functions.items():
            local = isinstance(f, Reduced) and f.reduction is not None and np.ndim(f.channel(run)) > 0
            (self._local if local else self._single)(f, self.parts[label])

    # ------------------------------------------------------------------------------------------------------- differences

    def _reading(self, f, changes, **other) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.ravel(np.asarray(f(self.arrays.moved(changes, **other)), float))

    def _slope(self, f, name, mask) -> np.ndarray:
        """∂f along the numbers of a field under the mask (moved together), each by its size."""
        if self.arrays.count > MANY:
            raise Costly("an output reads too many numbers one by one")
        base = self._reading(f, {})
        for closer in range(CLOSEST):
            part = STEP * CLOSER**closer
            step = part * self.arrays.size[name] * mask
            found = [self._reading(f, {name: k * step}) for n in range(1, len(SLOPE) + 1) for k in (n, -n)]
            if smooth(base, found, silent(self.arrays.run.system)):
                return sum(w * (found[2 * k] - found[2 * k + 1]) for k, w in enumerate(SLOPE)) / part  # type: ignore[return-value]
        raise Costly("an output has a kink or a jump just here (the largest of equal samples, abs of zero …)")

    def _reads(self, f, name, mask, base) -> bool:
        random = np.random.default_rng(3).uniform(0.3, 1.0, self.arrays.base[name].shape)
        moved = self._reading(f, {name: STEP * self.arrays.size[name] * mask * random})
        return not np.array_equal(moved, base)

    def _used(self, f, name, base, axis) -> list[int]:
        """Columns (or samples) of a field that a function reads, by halves."""
        shape = self.arrays.base[name].shape

        def among(first, last) -> list[int]:
            mask = np.zeros(shape)
            mask[(slice(None), slice(first, last)) if axis else slice(first, last)] = 1.0
            if not self._reads(f, name, mask, base):
                return []
            if self.arrays.count > MANY:
                raise Costly("an output reads too many numbers one by one")
            if last - first == 1:
                return [first]
            middle = (first + last) // 2
            return among(first, middle) + among(middle, last)

        return among(0, shape[axis]) if shape[axis] else []

    # -------------------------------------------------------------------------------------------------------------- goals

    def _keep(self, name, sample, column, part, slope) -> None:
        rows = self.entries.setdefault(name, {})
        if sample not in rows:
            rows[sample] = np.zeros((self.size, self.arrays.base[name].shape[1]))
        rows[sample][part, column] += slope / self.arrays.size[name][column]

    def _single(self, f, part) -> None:
        base = np.ravel(np.asarray(self.values[self._label(part)], float))
        for name in NAMES:
            columns = self._used(f, name, base, 1)
            if not columns:
                continue
            samples = self._used(f, name, base, 0)
            for k in samples:
                for c in columns:
                    mask = np.zeros(self.arrays.base[name].shape)
                    mask[k, c] = 1.0
                    slope = self._slope(f, name, mask)
                    if np.any(slope):
                        self._keep(name, k, c, part, slope)

    def _local(self, f, part) -> None:
        run = self.arrays.run
        base = np.asarray(f.channel(run), float)
        weights, n = f.slope(base, run._t), len(base)

        counts = np.flatnonzero(np.any(weights, axis=(0, 2)))  # samples that the reduction looks at

        def channel(result):
            return np.asarray(f.channel(result), float)[counts]

        for name in NAMES:
            for c in self._used(channel, name, np.ravel(base[counts]), 1):
                mask = np.zeros(self.arrays.base[name].shape)
                mask[:, c] = 1.0
                found = self._slope(channel, name, mask).reshape(len(counts), -1)
                for k, row in zip(counts, found, strict=True):
                    slope = weights[:, k] @ row
                    if np.any(slope):
                        self._keep(name, k, c, part, slope)
        moment = f.moment(base)
        if moment:
            self._keep("t", n - 1, 0, part, moment * self.arrays.size["t"][0])

    def _label(self, part) -> str:
        return next(label for label, p in self.parts.items() if p == part)

    # ----------------------------------------------------------------------------------------------------------- parameters

    def explicit(self) -> np.ndarray:
        """∂ goals/∂ parameters with all arrays of the run kept: a function may read tables or the parameters themselves."""
        out = np.zeros((self.size, len(self.moves)))
        for label, f in self.functions.items():
            part = self.parts[label]
            base = np.ravel(np.asarray(self.values[label], float))
            for n, m in enumerate(self.moves):
                def reading(i, f=f, m=m):
                    e = PLACES[i] * m.step
                    return self._reading(f, {}, model=m.build(m.value + e), system=self._system(m, e))

                first = reading(0)
                if not np.array_equal(first, base):
                    pairs = [(first if k == 0 else reading(2 * k), reading(2 * k + 1)) for k in range(4)]
                    out[part, n] = sum(w * (a - b) for w, (a, b) in zip(SLOPE, pairs, strict=True)) / m.step
        return out

    def _system(self, m, e):
        system, own = m.along(e), self.arrays.run.system
        return system if system.nq == own.nq and system.nc == own.nc else own
