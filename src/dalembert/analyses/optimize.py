"""optimize and fit: the best values of parameters, by SciPy, with the manner of ``sweep``.

    best = da.optimize(m, {"l": (0.2, 0.6)}, da.simulate, 2.0, goal="max A.force")            smallest goal
    best = da.fit(m, {"k": (10, 1000)}, da.simulate, 2.0, output="mass.position.x", data=measured)   smallest Σ (output − data)²

Parameters run between their two ends; ``start`` defaults to the model's own values (or the middle of the range).  Inside, all
parameters are scaled to 0 … 1, so that millimetres and newtons count alike.  A variant that fails, also by an error in a
function of the user's, counts as worse than all others, and its message is kept in ``trials``; if the start itself fails, that
is said.

Gradients: where the analysis has exact derivatives (sensitivities.py) and the parameters are those of a Model, ``fit`` uses them
unasked, and ``optimize`` with method="gradient".  With J = ∂ output/∂ parameters at the best values, m data and n parameters,

    s² = Σ (output − data)² / (m − n)          covariance = s² (JᵀJ)⁻¹

``deviations`` are the roots of its diagonal; parameters that the data cannot tell apart are named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.analyses.sensitivities import sensitivities
from dalembert.analyses.studies.outputs import extractors
from dalembert.analyses.sweep import Job, check_variants
from dalembert.errors import AnalysisError, DalembertError
from dalembert.expressions import number
from dalembert.model.model import Model

APART = 1e-7  # smallest singular value of the scaled jacobian beside the largest: below, a combination of parameters is open


@dataclass
class Best:
    """What was found: ``values`` of the parameters, the goal there, the model with these values, and every trial."""

    values: dict[str, float]
    goal: float
    success: bool
    message: str
    model: Any
    trials: list[dict[str, Any]] = field(default_factory=list)
    covariance: np.ndarray | None = None  # of the parameters, in their order (fit)
    deviations: dict[str, float] = field(default_factory=dict)  # standard deviation of each
    notes: list[str] = field(default_factory=list)

    def __repr__(self):
        found = ", ".join(f"{k}={v:.6g}" + (f" ± {self.deviations[k]:.1g}" if k in self.deviations else "")
                          for k, v in self.values.items())
        return "\n".join([f"best of {len(self.trials)} trials: {found}, goal {self.goal:.6g} ({self.message})",
                          *(f"  {note}" for note in self.notes)])


def optimize(model: Model, ranges: Mapping[str, tuple[float, float]], analysis: Callable, *args: Any, goal: Any,
             start: Mapping[str, float] | None = None, method: str = "local", maximize: bool = False, tolerance: float = 1e-8,
             trials: int = 2000, seed: int = 0, **options: Any) -> Best:
    """Values of the parameters that make ``goal`` (a channel or function of the result, a number) smallest.

    method: "local" (from ``start``, bounded Nelder–Mead, needs no derivatives), "gradient" (from ``start``, L-BFGS-B with exact
    derivatives: for goals that are smooth) or "global" (differential evolution).
    """
    from scipy import optimize as scipy_optimize

    _limits("optimize", tolerance, trials)
    trial = _Trials(model, ranges, analysis, args, options, {"goal": goal}, -1.0 if maximize else 1.0)
    x0 = trial.start(start)
    trial.first(x0)
    box = [(0.0, 1.0)] * len(x0)
    if method == "local":
        found = scipy_optimize.minimize(trial.scalar, x0, method="Nelder-Mead", bounds=box, options={
            "xatol": tolerance, "fatol": tolerance * max(1e-300, abs(trial.scale)), "maxfev": trials})
    elif method == "gradient":
        trial.differentiate(x0, "optimize")
        found = scipy_optimize.minimize(trial.scalar, x0, jac=lambda x: trial.sign * trial.jacobian(x)[0], method="L-BFGS-B",
                                        bounds=box, options={"ftol": tolerance * 1e-3, "maxfun": trials,
                                                             "gtol": 1e-12 + tolerance * abs(trial.scale)})
    elif method == "global":
        found = scipy_optimize.differential_evolution(trial.scalar, box, x0=x0, rng=seed, tol=max(tolerance, 1e-10),
                                                      maxiter=max(1, trials // (15 * len(x0))), polish=True)
    else:
        raise AnalysisError(f"optimize: method is 'local', 'gradient' or 'global', not {method!r}")
    return trial.best(found.x, bool(found.success), str(found.message))


def fit(model: Model, ranges: Mapping[str, tuple[float, float]], analysis: Callable, *args: Any, output: Any, data: Any,
        start: Mapping[str, float] | None = None, tolerance: float = 1e-10, trials: int = 1000, **options: Any) -> Best:
    """Values of the parameters for which ``output`` (a channel or function of the result) comes nearest to ``data``."""
    from scipy import optimize as scipy_optimize

    _limits("fit", tolerance, trials)
    target = _numbers(data)
    trial = _Trials(model, ranges, analysis, args, options, {"output": output}, 1.0, target)
    x0 = trial.start(start)
    trial.first(x0)
    exact = trial.smooth(x0)
    found = scipy_optimize.least_squares(trial.residual, np.clip(x0, 1e-9, 1 - 1e-9), bounds=(0.0, 1.0), xtol=tolerance,
                                         ftol=tolerance, gtol=tolerance, max_nfev=trials,
                                         **({"jac": trial.jacobian} if exact else {"diff_step": 1e-5}))
    best = trial.best(found.x, bool(found.success), str(found.message))
    _judged(best, trial, found.jac / (trial.high - trial.low), 2.0 * float(found.cost))
    return best


def _judged(best, trial, J, squares) -> None:
    """Covariance of the parameters found, and those that the data do not tell apart."""
    m, n = J.shape
    size = np.linalg.norm(J, axis=0)
    idle = [name for name, s in zip(trial.names, size, strict=True) if s == 0.0]
    if idle:
        best.notes.append(f"the output does not depend on {', '.join(idle)} at the best values")
        return
    _, sigma, vt = np.linalg.svd(J / size, full_matrices=False)
    if sigma[-1] < APART * sigma[0]:
        mixed = [name for name, x in zip(trial.names, vt[-1], strict=True) if abs(x) > 0.3]
        best.notes.append(f"the data do not tell {' and '.join(mixed)} apart: moved together they leave the output as it is")
        return
    if m > n:
        inverse = (vt.T / sigma**2) @ vt / size / size[:, None]
        best.covariance = squares / (m - n) * inverse
        best.deviations = dict(zip(trial.names, np.sqrt(np.diag(best.covariance)).tolist(), strict=True))


def _numbers(data) -> np.ndarray:
    """The data to fit, finite numbers."""
    try:
        target = np.asarray(data, dtype=float)
    except (TypeError, ValueError) as error:
        raise AnalysisError(f"fit: the data must be an array of numbers: {error}") from None
    bad = np.argwhere(~np.isfinite(target))
    if len(bad):
        where = ", ".join(map(str, bad[0])) if target.ndim else "the only value"
        raise AnalysisError(f"fit: {len(bad)} of {target.size} data are not finite (the first at index {where}): "
                            "leave these samples "
                            "out, of the times as well")
    return target


def _limits(question, tolerance, trials) -> None:
    if not (isinstance(tolerance, (int, float)) and tolerance > 1e-15):
        raise AnalysisError(f"{question}: tolerance is a number above 1e-15, not {tolerance!r}")
    if not (isinstance(trials, (int, np.integer)) and trials >= 1):
        raise AnalysisError(f"{question}: trials is a whole number of at least 1, not {trials!r}")


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, DalembertError) else f"{type(error).__name__}: {error}"


def _range(pair) -> bool:
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError):
        return False
    return math.isfinite(low) and math.isfinite(high) and low < high


class _Trials:
    """The function that SciPy sees, and a record of all its calls."""

    def __init__(self, model, ranges, analysis, args, options, wanted, sign, data=None):
        question = "optimize" if data is None else "fit"
        if not isinstance(ranges, Mapping) or not ranges:
            raise AnalysisError(f"{question}: give the parameters as {{name: (lowest, highest)}}")
        for name, pair in ranges.items():
            if not _range(pair):
                raise AnalysisError(f"{question}: parameter '{name}': give (lowest, highest), got {pair!r}")
        self.model, self.names, self.sign, self.data = model, list(ranges), sign, data
        self.low, self.high = np.array([ranges[n] for n in self.names], dtype=float).T
        check_variants(model, [dict(zip(self.names, self.low, strict=True))], analysis, question)
        self.take = next(iter(extractors(wanted).values()))
        self.analysis, self.args, self.options = analysis, args, options
        self.trials: list[dict[str, Any]] = []
        self.scale = 1.0

    def start(self, given) -> np.ndarray:
        if given is not None and not isinstance(given, Mapping):
            raise AnalysisError(f"start= takes values by name, as {{{self.names[0]!r}: 1.0}}, not {given!r}")
        values = dict(given or {})
        if isinstance(self.model, Model):
            known = self.model.parameter_values()
            values = {n: known[n] for n in self.names} | values
        x = np.array([number(values[n], what=n) if n in values else 0.5 * (a + b)
                      for n, a, b in zip(self.names, self.low, self.high, strict=True)])
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def values(self, x) -> dict[str, float]:
        return dict(zip(self.names, (self.low + np.asarray(x) * (self.high - self.low)).tolist(), strict=True))

    def _result(self, x) -> Any:
        job = Job(self.model, [self.values(x)], self.analysis, self.args, self.options, {})
        return self.take(job.result(0))

    def first(self, x) -> None:
        """The start must work: otherwise the search has nothing to go by."""
        try:
            value = np.asarray(self._result(x), dtype=float)
        except DalembertError:
            raise
        except Exception as error:
            raise AnalysisError(f"the start {self.values(x)} fails: {_told(error)}. Give another start=, "
                                "or mend the model function, "
                                "the analysis or the output") from error
        if self.data is None and value.shape != ():
            raise AnalysisError(f"the goal must be one number, it has shape {value.shape}; reduce it, as \"max A.force\"")
        if self.data is not None and value.shape != self.data.shape:
            raise AnalysisError(f"the output has shape {value.shape}, the data {self.data.shape}: ask for the same times")
        if not np.all(np.isfinite(value)):
            raise AnalysisError(f"the goal at the start {self.values(x)} is not finite")
        self.scale = float(abs(value)) if self.data is None else 1.0

    def scalar(self, x) -> float:
        try:
            value = float(self._result(x))
        except Exception as error:
            self.trials.append({**self.values(x), "message": _told(error)})
            return math.inf
        self.trials.append({**self.values(x), "goal": value})
        return self.sign * value if math.isfinite(value) else math.inf

    def differentiate(self, x, question) -> np.ndarray:
        """The jacobian, or an error that says why there is none."""
        if not isinstance(self.model, Model):
            raise AnalysisError(f"{question}: gradients need a Model with parameters, not a function that makes models; take "
                                "method='local'")
        return self.jacobian(x)

    def smooth(self, x) -> bool:
        """Whether there are exact derivatives."""
        try:
            return bool(np.all(np.isfinite(self.differentiate(x, "fit"))))
        except Exception:
            return False

    def jacobian(self, x) -> np.ndarray:
        """∂ result/∂x, results × parameters (scaled to 0 … 1), exact."""
        model = Job(self.model, [self.values(x)], self.analysis, self.args, self.options, {}).variant(0)
        found = sensitivities(model, self.names, self.analysis, *self.args, outputs={"output": self.take}, **self.options)
        columns = [np.ravel(np.asarray(found["output"][n], float)) for n in self.names]
        return np.column_stack(columns) * (self.high - self.low)

    def residual(self, x) -> np.ndarray:
        try:
            difference = np.ravel(np.asarray(self._result(x), dtype=float) - self.data)
            if not np.all(np.isfinite(difference)):
                raise AnalysisError("the output is not finite")
        except Exception as error:
            self.trials.append({**self.values(x), "message": _told(error)})
            return np.full(self.data.size, 1e6 * (1.0 + np.abs(self.data).max()))
        self.trials.append({**self.values(x), "goal": float(difference @ difference)})
        return difference

    def best(self, x, success: bool, message: str) -> Best:
        good = [t for t in self.trials if "goal" in t]
        if not good:
            raise AnalysisError("no variant could be computed: look at one of them with the analysis itself")
        top = min(good, key=lambda t: self.sign * t["goal"])
        values = {n: top[n] for n in self.names}
        job = Job(self.model, [values], self.analysis, self.args, self.options, {})
        return Best(values, top["goal"], success, message, job.variant(0), self.trials)
