"""optimize: the best values of parameters, by SciPy, with the manner of ``sweep``.

    best = da.optimize(m, {"l": (0.2, 0.6)}, da.simulate, 2.0, goal="max A.force")            smallest goal

Parameters run between their two ends; ``start`` defaults to the model's own values (or the middle of the range).  Where the
analysis has exact derivatives (sensitivities.py) and the parameters are those of a Model, optimize and fit (fit.py) use them
unasked; otherwise they go without, and ``notes`` of what they return say why.  A variant that fails counts as worse than all
others, and its message is kept in ``trials``; if the start itself fails, that is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.analyses.studies.cases import Case, NoSlope, Trials, limits
from dalembert.errors import AnalysisError, hint

METHODS = ("auto", "gradient", "local", "global")
KINK = 1e-2  # of the slope at the start: what is left of it where a smooth goal is smallest
FLAT = 1e-14  # of the goal, over the whole range of a parameter: no slope
HELD = 1e-6  # of its own size: how well a constraint must hold
FAR = 1e12  # stands for infinity where a method takes none
STARTS = 3  # further places from which a search that found nothing allowed begins


@dataclass
class Best:
    """What was found: ``values`` of the parameters, the goal there, the model with these values, and every trial.

    Attributes
    ----------
    values : dict
        Name of the parameter → value found.
    goal, success, message : number, bool, text
        The goal there, whether the method ended as it should, and its words.
    model : Model
        With these values in it.
    trials : list of dicts
        Every value tried, with its goal.
    covariance, deviations, intervals, correlations : array, dicts
        Of the parameters, after ``fit``: how well the data tell them.
    constraints : dict
        Label → what is held between bounds, at the best values.
    notes : list of texts
        Parameters that the data do not tell apart or that stand on a bound; why a search went without derivatives.
    """

    values: dict[str, float]
    goal: float
    success: bool
    message: str
    model: Any
    trials: list[dict[str, Any]] = field(default_factory=list)
    covariance: np.ndarray | None = None  # of the parameters, in their order (fit)
    deviations: dict[str, float] = field(default_factory=dict)  # standard deviation of each
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)  # in which each lies, with the confidence asked for
    correlations: dict[tuple[str, str], float] = field(default_factory=dict)
    constraints: dict[str, float] = field(default_factory=dict)  # what is held between bounds, at the best values
    notes: list[str] = field(default_factory=list)

    def __repr__(self):
        found = ", ".join(f"{k}={v:.6g}" + (f" ± {self.deviations[k]:.1g}" if k in self.deviations else "")
                          for k, v in self.values.items())
        return "\n".join([f"best of {len(self.trials)} trials: {found}, goal {self.goal:.6g} ({self.message})",
                          *(f"  {label} = {x:.6g}" for label, x in self.constraints.items()),
                          *(f"  {note}" for note in self.notes)])


# --------------------------------------------------------------------------------------------------------------- optimize


def optimize(model: Any, ranges: Mapping[str, tuple[float, float]], analysis: Callable, *args: Any, goal: Any,
             start: Mapping[str, float] | None = None, method: str = "auto", maximize: bool = False,
             constraints: Mapping[str, Any] | None = None, tolerance: float = 1e-8,
             trials: int = 2000, seed: int = 0, **options: Any) -> Best:
    """Values of the parameters that make ``goal`` smallest.

    Parameters
    ----------
    model : Model or function
        Its parameters are changed; or a function of them that makes the model.
    ranges : dict
        {parameter: (smallest, largest)}.
    analysis : function
        As ``da.simulate``; of the variant and what follows.
    *args : Any
        Further arguments of the analysis.
    goal : str or function
        A channel or function of the result, a number.
    start : dict, optional
        Values to begin with; left out: the model's own, or the middle of the range.
    method : str, default "auto"
        "gradient" (from ``start``, L-BFGS-B, or SLSQP with constraints, with exact derivatives), "local" (from ``start``,
        bounded Nelder–Mead, or COBYLA with constraints: no derivatives), "global" (differential evolution), or "auto":
        gradients where there are any, and on from there without them where the goal turns out to have a kink.
    maximize : bool, default False
        Largest instead of smallest.
    constraints : dict, optional
        Numbers of the result that stay between bounds, as {"max A.force": (None, 100.0)} or {"stroke": (function, 0.2,
        0.2)}; equal bounds are an equation.
    tolerance : number [–], default 1e-08
        When the search ends, relative to the ranges and to the goal.
    trials : int, default 2000
        Results computed at most.
    seed : int, default 0
        Of the global search.
    **options : Any
        Named arguments of the analysis.

    Returns
    -------
    Best
        The values, the goal, the result, and how the search went.
    """
    limits("optimize", tolerance, trials)
    if method not in METHODS:
        raise AnalysisError(f"optimize: method is {', '.join(map(repr, METHODS))}, not {method!r}{hint(str(method), METHODS)}")
    bounds = _bounds(constraints)
    outputs = {"goal": goal} | {label: what for label, (what, _, _) in bounds.items()}
    t = Trials("optimize", model, ranges, analysis, args, [Case(dict(options), outputs)])
    search = _Search(t, bounds, -1.0 if maximize else 1.0, tolerance, trials, seed)
    x0 = t.start(start)
    search.first(x0)
    t.refuse_idle(x0)
    notes: list[str] = []
    if method in ("auto", "gradient"):
        reason = t.smooth(x0)
        if reason and method == "gradient":
            raise AnalysisError(f"optimize: there is no gradient: {reason}. Take method='local'")
        found = search.without(x0, notes, f"without derivatives: {reason}") if reason else search.smooth(x0, notes,
                                                                                                        method == "auto")
    elif method == "local":
        found = search.without(x0, notes)
    else:
        found = search.everywhere(x0)
    values, reached, best = t.best(search.sign)
    out = Best(values, reached, bool(found.success), str(found.message), best, t.trials, notes=notes)
    if bounds:
        final = t.read(t.place(values))[0]
        out.constraints = {label: float(final[label]) for label in bounds}
        off = search.violation(final)
        if off > HELD:
            out.success = False
            out.notes.append("no variant was found that holds all constraints; this one misses them least")
    return out


def _bounds(constraints) -> dict[str, tuple[Any, float, float]]:
    """Label → what is read, lower and upper bound."""
    if constraints is None:
        return {}
    if not isinstance(constraints, Mapping):
        raise AnalysisError("optimize: give constraints= as {\"max A.force\": (lowest, highest)} or "
                            "{label: (function, lowest, highest)}")
    out = {}
    for label, given in constraints.items():
        parts: list[Any] = list(given) if isinstance(given, (tuple, list)) else []
        parts = [label, *parts] if len(parts) == 2 else parts if len(parts) == 3 else [None, 1.0, 0.0]
        what = parts[0]
        try:
            low, high = (-math.inf if parts[1] is None else float(parts[1])), (math.inf if parts[2] is None else float(parts[2]))
        except (TypeError, ValueError):
            low, high = 1.0, 0.0
        if what is None or not low <= high or not (math.isfinite(low) or math.isfinite(high)) or label == "goal":
            raise AnalysisError(f"optimize: constraint {label!r} takes (lowest, highest) or (function, lowest, highest), one of "
                                f"them may be None; got {given!r}")
        out[str(label)] = (what, low, high)
    return out


class _Search:
    """One goal, its constraints, and SciPy's methods on them; the goal is scaled by its size at the start."""

    def __init__(self, trials, bounds, sign, tolerance, most, seed):
        self.t, self.bounds, self.sign, self.tolerance, self.most, self.seed = trials, bounds, sign, tolerance, most, seed
        self.scale, self.box = 1.0, [(0.0, 1.0)] * len(trials.names)

    def first(self, x) -> None:
        found = self.t.first(x)[0]
        if found["goal"].shape != ():
            raise AnalysisError(f"the goal must be one number, it has shape {found['goal'].shape}; reduce it, as \"max A.force\"")
        for label in self.bounds:
            if found[label].shape != ():
                raise AnalysisError(f"the constraint '{label}' must be one number, it has shape {found[label].shape}")
        if not all(np.isfinite(v) for v in found.values()):
            raise AnalysisError(f"the goal at the start {self.t.values(x)} is not finite" if not np.isfinite(found["goal"]) else
                                f"a constraint at the start {self.t.values(x)} is not finite")
        self.scale = abs(float(found["goal"])) or 1.0
        self.sizes = {label: max(abs(float(found[label])), *(abs(b) for b in (low, high) if math.isfinite(b)), 1e-300)
                      for label, (_, low, high) in self.bounds.items()}

    # -------------------------------------------------------------------------------------------------- what SciPy is given

    def goal(self, x) -> float:
        try:
            found = self.t.read(x)[0]
            value = float(found["goal"])
        except Exception as error:
            self.t.failed(x, error)
            return math.inf
        if not math.isfinite(value):
            self.t.failed(x, AnalysisError("the goal is not finite"))
            return math.inf
        self.t.keep(x, value)
        if self.bounds:
            missed = self.violation(found)
            self.t.trials[-1] |= {"allowed": missed <= HELD, "missed": missed}
        return self.sign * value / self.scale

    def finite(self, x) -> float:
        return min(self.goal(x), FAR)

    def slope(self, x) -> np.ndarray:
        return self.sign * self.t.slopes(x)[0]["goal"] / self.scale

    def violation(self, found) -> float:
        """By how much a constraint is missed at most, in its own size."""
        return max((max(low - float(found[label]), float(found[label]) - high, 0.0) / self.sizes[label]
                    for label, (_, low, high) in self.bounds.items()), default=0.0)

    def held(self, exact) -> list[dict]:
        """The constraints as SLSQP and COBYLA take them: functions that are zero, or not negative."""
        out = []
        for label, (_, low, high) in self.bounds.items():
            size = self.sizes[label]
            both = [("ineq", b, s) for b, s in ((low, 1.0), (high, -1.0)) if math.isfinite(b)]
            sides = [("eq", low, 1.0)] if low == high else both
            for kind, bound, side in sides:
                part = {"type": kind, "fun": lambda x, label=label, bound=bound, side=side, size=size:
                        side * (self.number(x, label) - bound) / size}
                if exact:
                    part["jac"] = lambda x, label=label, side=side, size=size: side * self.t.slopes(x)[0][label] / size
                out.append(part)
        return out

    def number(self, x, label) -> float:
        try:
            value = float(self.t.read(x)[0][label])
        except Exception:
            return -FAR
        return value if math.isfinite(value) else -FAR

    # --------------------------------------------------------------------------------------------------------------- methods

    def smooth(self, x0, notes, on):
        """With gradients; ``on``: go on without them where there are none, or where the goal has a kink."""
        from scipy.optimize import minimize

        try:
            first, flat = self.slope(x0), self._flat(x0)
            if self.bounds:
                found = minimize(self.finite, x0, jac=self.slope, method="SLSQP", bounds=self.box, constraints=self.held(True),
                                 options={"ftol": self.tolerance * 1e-2, "maxiter": self.most})
                if not found.success:
                    found = self.trusted(found, x0)
                for again in np.random.default_rng(self.seed or 0).uniform(0.1, 0.9, (STARTS, len(x0))):
                    if any(trial.get("allowed") for trial in self.t.trials):
                        break
                    found = minimize(self.finite, again, jac=self.slope, method="SLSQP", bounds=self.box,
                                     constraints=self.held(True), options={"ftol": self.tolerance * 1e-2, "maxiter": self.most})
            else:
                found = minimize(self.finite, x0, jac=self.slope, method="L-BFGS-B", bounds=self.box, options={
                    "ftol": self.tolerance * 1e-4, "gtol": 1e-3 * self.tolerance, "maxfun": self.most, "maxiter": self.most})
            end = np.clip(self.t.place(self.t.best(self.sign)[0]), 0.0, 1.0)
            stuck = found.success or "ABNORMAL" in str(found.message)  # the latter: no step along the slope leads down
            kink = on and stuck and not self.bounds and self._left(end) > KINK * self._left(x0, first)
            flat &= self._flat(end) if flat else set()
            if flat and not kink:
                notes.append(f"the slope in {', '.join(n for n in self.t.names if n in flat)} is zero at the start and at the "
                             "best values: what is searched for does not depend on it, or both stand where it is flat")
        except NoSlope as error:
            if not on and not self.t.trials:
                raise
            end = np.clip(self.t.place(self.t.best(self.sign)[0]) if self.t.trials else x0, 0.0, 1.0)
            return self.without(end, notes, "there is no derivative at one of the trials, and the search went on without: "
                                            f"{error}")
        if kink:
            return self.without(end, notes, "the slope of the goal does not vanish where it is smallest (it has a kink there): "
                                            "the search went on without derivatives")
        return found

    def trusted(self, found, x0):
        """SLSQP gave up: the trust-region method, from the best place so far."""
        from scipy.optimize import Bounds, NonlinearConstraint, minimize

        labels = list(self.bounds)
        held = NonlinearConstraint(lambda x: [self.number(x, n) / self.sizes[n] for n in labels],
                                   [self.bounds[n][1] / self.sizes[n] for n in labels],
                                   [self.bounds[n][2] / self.sizes[n] for n in labels],
                                   jac=lambda x: np.array([self.t.slopes(x)[0][n] / self.sizes[n] for n in labels]))
        x = np.clip(found.x, 1e-6, 1 - 1e-6) if np.all(np.isfinite(found.x)) else x0
        return minimize(self.finite, x, jac=self.slope, method="trust-constr", constraints=[held],
                        bounds=Bounds(np.zeros(len(x)), np.ones(len(x)), keep_feasible=True),
                        options={"gtol": self.tolerance, "xtol": self.tolerance, "maxiter": min(self.most, 300)})

    def _flat(self, x) -> set[str]:
        """Parameters that goal and constraints do not change with at x."""
        sizes = {"goal": self.scale} | (self.sizes if self.bounds else {})
        slopes = [np.abs(a) / sizes[label] for label, a in self.t.slopes(x)[0].items()]
        return {n for k, n in enumerate(self.t.names) if all(a[k] <= FLAT for a in slopes)}

    def _left(self, x, slope=None) -> float:
        """The slope that the ends of the ranges leave."""
        g = self.slope(x) if slope is None else slope
        return float(np.linalg.norm(np.where(((x <= 1e-9) & (g > 0)) | ((x >= 1 - 1e-9) & (g < 0)), 0.0, g)))

    def without(self, x0, notes, note=""):
        """Without derivatives, from x0."""
        from scipy.optimize import minimize

        notes += [note] if note else []
        if self.bounds:
            return minimize(self.finite, x0, method="COBYLA", bounds=self.box, constraints=self.held(False),
                            options={"rhobeg": 0.1, "tol": self.tolerance, "maxiter": self.most})
        return minimize(self.goal, x0, method="Nelder-Mead", bounds=self.box, options={
            "xatol": self.tolerance, "fatol": self.tolerance, "maxfev": self.most})

    def everywhere(self, x0):
        from scipy.optimize import NonlinearConstraint, differential_evolution

        labels = list(self.bounds)
        held = (NonlinearConstraint(lambda x: [self.number(x, n) / self.sizes[n] for n in labels],
                                    [self.bounds[n][1] / self.sizes[n] for n in labels],
                                    [self.bounds[n][2] / self.sizes[n] for n in labels]),) if labels else ()
        return differential_evolution(self.goal if not labels else self.finite, self.box, x0=x0, rng=self.seed, constraints=held,
                                      tol=max(self.tolerance, 1e-10), maxiter=max(1, self.most // (15 * len(x0))), polish=True)
