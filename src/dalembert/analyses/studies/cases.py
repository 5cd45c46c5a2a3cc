"""The function that SciPy sees, and a record of all its calls.

Parameters are scaled to 0 … 1 between their two ends, so that millimetres and newtons count alike.  A trial is one or several
runs (cases); each gives the wanted outputs and, where the analysis has exact derivatives (sensitivities.py) and the parameters
are those of a Model, their derivatives.  A variant that fails, also by an error in a function of the user's, is kept with its
message.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.analyses.derived.idle import Idle, unchanged
from dalembert.analyses.sensitivities import sensitivities
from dalembert.analyses.studies.outputs import extractors
from dalembert.analyses.sweep import Job, check_variants
from dalembert.errors import AnalysisError, DalembertError, hint
from dalembert.expressions import number
from dalembert.model.model import Model


class NoSlope(AnalysisError):
    """There is no derivative at one of the trials; ``flat``: because nothing depends on a parameter there, in any of the runs."""

    flat = False


@dataclass
class Case:
    """One run of a trial: fixed values of other parameters, options of the analysis, what is read, data and its weight."""

    options: dict[str, Any]
    outputs: dict[str, Any]
    fixed: dict[str, float] = field(default_factory=dict)
    data: np.ndarray = field(default_factory=lambda: np.zeros(0))
    weight: np.ndarray | float = 1.0
    title: str = ""


def told(error: Exception) -> str:
    return str(error) if isinstance(error, DalembertError) else f"{type(error).__name__}: {error}"


def limits(question, tolerance, trials) -> None:
    if not (isinstance(tolerance, (int, float)) and tolerance > 1e-15):
        raise AnalysisError(f"{question}: tolerance is a number above 1e-15, not {tolerance!r}")
    if not (isinstance(trials, (int, np.integer)) and trials >= 1):
        raise AnalysisError(f"{question}: trials is a whole number of at least 1, not {trials!r}")


def _range(pair) -> bool:
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError):
        return False
    return math.isfinite(low) and math.isfinite(high) and low < high


class Trials:
    """Variants of a model between the ends of its parameters."""

    def __init__(self, question, model, ranges, analysis, args, cases: list[Case]):
        if not isinstance(ranges, Mapping) or not ranges:
            raise AnalysisError(f"{question}: give the parameters as {{name: (lowest, highest)}}")
        for name, pair in ranges.items():
            if not _range(pair):
                raise AnalysisError(f"{question}: parameter '{name}': give (lowest, highest), got {pair!r}")
        self.question, self.model, self.names, self.analysis, self.args = question, model, list(ranges), analysis, args
        self.low, self.high = np.array([ranges[n] for n in self.names], dtype=float).T
        self.cases = cases
        for case in cases:
            both = sorted(set(case.fixed) & set(self.names))
            if both:
                raise AnalysisError(f"{question}: {case.title} sets '{both[0]}', which is searched for")
            check_variants(model, [dict(zip(self.names, self.low, strict=True)) | case.fixed], analysis, question)
            case.outputs = extractors(case.outputs)
        self.trials: list[dict[str, Any]] = []
        self._read: dict[bytes, list] = {}
        self._slopes: dict[bytes, list] = {}

    # ------------------------------------------------------------------------------------------------------------- values

    def start(self, given) -> np.ndarray:
        if given is not None and not isinstance(given, Mapping):
            raise AnalysisError(f"start= takes values by name, as {{{self.names[0]!r}: 1.0}}, not {given!r}")
        values = dict(given or {})
        for name, value in values.items():
            if name not in self.names:
                raise AnalysisError(f"start= names '{name}', which is not searched for{hint(str(name), self.names)} "
                                    f"(these are: {', '.join(self.names)})")
            k = list(self.names).index(name)
            if not self.low[k] <= number(value, what=name) <= self.high[k]:
                raise AnalysisError(f"start= has {name} = {value!r}, outside its range ({self.low[k]:g}, {self.high[k]:g})")
        if isinstance(self.model, Model):
            known = self.model.parameter_values()
            values = {n: known[n] for n in self.names} | values
        x = np.array([number(values[n], what=n) if n in values else 0.5 * (a + b)
                      for n, a, b in zip(self.names, self.low, self.high, strict=True)])
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def values(self, x) -> dict[str, float]:
        """At a place of the search: ranges are bounds, whatever a method tries beyond them."""
        inside = self.low + np.clip(np.asarray(x, float), 0.0, 1.0) * (self.high - self.low)
        return dict(zip(self.names, np.clip(inside, self.low, self.high).tolist(), strict=True))

    def _job(self, case, x) -> Job:
        return Job(self.model, [self.values(x) | case.fixed], self.analysis, self.args, case.options, {})

    def read(self, x) -> list[dict[str, np.ndarray]]:
        """The outputs of all cases at x."""
        key = np.asarray(x, float).tobytes()
        if key not in self._read:
            found = []
            for case in self.cases:
                result = self._job(case, x).result(0)
                found.append({label: np.asarray(take(result), dtype=float) for label, take in case.outputs.items()})
            self._read = {key: found}
        return self._read[key]

    def first(self, x) -> list[dict[str, np.ndarray]]:
        """The start must work: otherwise the search has nothing to go by."""
        try:
            return self.read(x)
        except DalembertError:
            raise
        except Exception as error:
            raise AnalysisError(f"the start {self.values(x)} fails: {told(error)}. Give another start=, "
                                "or mend the model function, "
                                "the analysis or the output") from error

    def keep(self, x, goal) -> None:
        self.trials.append({**self.values(x), "goal": goal})

    def failed(self, x, error) -> None:
        self.trials.append({**self.values(x), "message": told(error)})

    # --------------------------------------------------------------------------------------------------------- derivatives

    def slopes(self, x) -> list[dict[str, np.ndarray]]:
        """∂ outputs/∂x of all cases (last axis: parameters, scaled to 0 … 1), exact."""
        key = np.asarray(x, float).tobytes()
        if key not in self._slopes:
            if not isinstance(self.model, Model):
                raise NoSlope("the model is made by a function; exact derivatives need a Model with parameters")
            known = [self._slope(case, x) for case in self.cases]
            for name in self.names:
                if all(name in idle for _, idle in known):
                    error = NoSlope(str(known[0][1][name]))
                    error.flat = True
                    raise error
            self._slopes = {key: [parts for parts, _ in known]}
        return self._slopes[key]

    def _slope(self, case, x) -> tuple[dict[str, np.ndarray], dict[str, Idle]]:
        """∂ outputs/∂x of one case, and the parameters that nothing depends on in it (their part is zero)."""
        idle: dict[str, Idle] = {}
        while len(idle) < len(self.names):
            names = [n for n in self.names if n not in idle]
            try:
                s = sensitivities(self._job(case, x).variant(0), names, self.analysis, *self.args, outputs=case.outputs,
                                  **case.options)
            except Idle as error:
                idle[error.name] = error
                continue
            except Exception as error:
                raise NoSlope(told(error)) from error
            parts = {}
            for label in case.outputs:
                found = s.gradient(label)
                parts[label] = np.zeros((*found.shape[:-1], len(self.names)))
                parts[label][..., [self.names.index(n) for n in names]] = found
            return {label: a * (self.high - self.low) for label, a in parts.items()}, idle
        return {}, idle

    def smooth(self, x) -> NoSlope | None:
        """None where there are exact derivatives, else why not."""
        try:
            self.slopes(x)
            return None
        except NoSlope as error:
            return error

    def refuse_idle(self, x) -> None:
        """An error for parameters with which nothing changes, between the ends of their ranges and at the start x."""
        for k, name in enumerate(self.names):
            ends = [np.where(np.arange(len(x)) == k, e, x) for e in (0.0, 1.0)]
            if all(self._unchanged(case, [x, *ends]) for case in self.cases) and self._deaf(x, ends):
                low, high = self.low[k], self.high[k]
                raise AnalysisError(f"{self.question}: nothing depends on the parameter '{name}': between {low:g} and {high:g} "
                                    "the model and what is read of it are the same, number for number. No formula names it, or "
                                    "what names it does not count: leave it out, or mend the formula")

    def _unchanged(self, case, places) -> bool:
        try:
            return unchanged(self._job(case, x).variant(0) for x in places)
        except Exception:
            return False  # of a function that makes the model: the search will say so

    def _deaf(self, x, others) -> bool:
        """Whether the outputs are the same at all places."""
        first, known = self.read(x), self._read
        try:
            return all(np.array_equal(a[label], b[label]) for other in others
                       for a, b in zip(first, self.read(other), strict=True) for label in a)
        except Exception:
            return False
        finally:
            self._read = known

    # --------------------------------------------------------------------------------------------------------------- best

    def best(self, sign=1.0) -> tuple[dict[str, float], float, Any]:
        """Values, goal and model of the best trial."""
        good = [t for t in self.trials if "goal" in t]
        if any(t.get("allowed", True) for t in good):
            good = [t for t in good if t.get("allowed", True)]
        elif good:  # none holds its constraints: what misses them least
            least = min(t["missed"] for t in good)
            good = [t for t in good if t["missed"] == least]
        if not good:
            raise AnalysisError("no variant could be computed: look at one of them with the analysis itself")
        top = min(good, key=lambda t: sign * t["goal"])
        values = {n: top[n] for n in self.names}
        return values, top["goal"], Job(self.model, [values], self.analysis, self.args, {}, {}).variant(0)

    def place(self, values) -> np.ndarray:
        return (np.array([values[n] for n in self.names]) - self.low) / (self.high - self.low)
