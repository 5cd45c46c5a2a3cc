"""fit: the values of parameters for which a result comes nearest to data, by SciPy's least squares; the manner is that of
``optimize`` (optimize.py).

    best = da.fit(m, {"k": (10, 1000)}, da.simulate, 2.0, output="mass.position.x", data=measured)   smallest Σ (output − data)²

How well fitted parameters are known: studies/judged.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.analyses.optimize import Best
from dalembert.analyses.studies.cases import Case, NoSlope, Trials, limits
from dalembert.analyses.studies.judged import judge
from dalembert.errors import AnalysisError


def fit(model: Any, ranges: Mapping[str, tuple[float, float]], analysis: Callable, *args: Any, output: Any, data: Any,
        start: Mapping[str, float] | None = None, runs: Any = None, weights: Any = None, confidence: float = 0.95,
        tolerance: float = 1e-10, trials: int = 1000, **options: Any) -> Best:
    """Values of the parameters for which ``output`` comes nearest to ``data``.

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
    output : str or function
        A channel or function of the result, of the shape of the data.
    data : numbers
        What was measured.
    start : dict, optional
        Values to begin with; left out: the model's own, or the middle of the range.
    runs : list, optional
        Several runs at once, as dicts: parameters of the model that are known in a run, and options of the analysis of its
        own ("output" among them); ``data`` and ``weights`` are then lists too.
    weights : numbers, optional
        One over the size of the data's errors.
    confidence : number [–], default 0.95
        Of the intervals.
    tolerance : number [–], default 1e-10
        When the search ends.
    trials : int, default 1000
        Results computed at most.
    **options : Any
        Named arguments of the analysis.

    Returns
    -------
    Best
        The values with their intervals, the result, and how the search went.
    """
    from scipy.optimize import least_squares

    limits("fit", tolerance, trials)
    if not (isinstance(confidence, (int, float)) and 0.0 < confidence < 1.0):
        raise AnalysisError(f"fit: confidence is a number between 0 and 1, not {confidence!r}")
    cases = _cases(model, runs, output, data, weights, options)
    t = Trials("fit", model, ranges, analysis, args, cases)
    x0 = t.start(start)
    for case, read in zip(cases, t.first(x0), strict=True):
        shape = read["output"].shape
        if shape != case.data.shape:
            raise AnalysisError(f"{case.title}the output has shape {shape}, the data {case.data.shape}: ask for the same times")
        if not np.all(np.isfinite(read["output"])):
            raise AnalysisError(f"{case.title}the output at the start {t.values(x0)} is not finite")
    t.refuse_idle(x0)
    worst = 1e6 * (1.0 + max(float(np.abs(c.weight * c.data).max(initial=0.0)) for c in cases))  # type: ignore[operator]
    total = sum(c.data.size for c in cases)  # type: ignore[union-attr]

    def residual(x) -> np.ndarray:
        try:
            parts = [np.ravel(c.weight * (f["output"] - c.data)) for c, f in zip(cases, t.read(x), strict=True)]
            difference = np.concatenate(parts)
            if not np.all(np.isfinite(difference)):
                raise AnalysisError("the output is not finite")
        except Exception as error:
            t.failed(x, error)
            return np.full(total, worst)
        t.keep(x, float(difference @ difference))
        return difference

    def jacobian(x) -> np.ndarray:
        return np.concatenate([(np.broadcast_to(c.weight, c.data.shape)[..., None] * f["output"]).reshape(-1, len(t.names))
                               for c, f in zip(cases, t.slopes(x), strict=True)])

    common = {"bounds": (0.0, 1.0), "xtol": tolerance, "ftol": tolerance, "gtol": min(tolerance, 1e-12), "max_nfev": trials}
    rough = t.smooth(x0)
    if rough and rough.flat:
        raise AnalysisError(f"fit: {rough}. Begin elsewhere with start=, or leave it out")
    notes, reason = [], "" if rough is None else str(rough)
    inside = np.clip(x0, 1e-9, 1 - 1e-9)
    if not reason:
        try:
            found = least_squares(residual, inside, jac=jacobian, **common)
        except NoSlope as error:
            reason = f"at one of the trials: {error}"
            inside = np.clip(t.place(t.best()[0]), 1e-9, 1 - 1e-9)
    if reason:
        notes.append(f"derivatives are differences of results, because there are no exact ones: {reason}")
        found = least_squares(residual, inside, diff_step=1e-5, **common)
    values, goal, best = t.best()
    out = Best(values, goal, bool(found.success), str(found.message), best, t.trials, notes=notes)
    judge(out, t.names, t.low, t.high, found.jac / (t.high - t.low), 2.0 * float(found.cost), not reason, confidence,
          sum(int(np.count_nonzero(np.broadcast_to(c.weight, c.data.shape))) for c in cases))
    return out


def _cases(model, runs, output, data, weights, options) -> list[Case]:
    if runs is None:
        return [Case(dict(options), {"output": output}, data=_numbers(data), weight=_weight(weights, data, ""))]
    if not isinstance(runs, (list, tuple)) or not runs or not all(isinstance(r, Mapping) for r in runs):
        raise AnalysisError("fit: runs= is a list of dicts, one for each run: known parameters and options of its own")
    for word, given in (("data", data), ("weights", weights)):
        if given is not None and (not isinstance(given, (list, tuple)) or len(given) != len(runs)):
            raise AnalysisError(f"fit: {word}= must be a list with one entry for each of the {len(runs)} runs")
    known = set(getattr(model, "parameters", ()))
    out = []
    for k, run in enumerate(runs):
        title = f"run {k + 1} of {len(runs)}: "
        fixed = {n: float(x) for n, x in run.items() if n in known}
        own = {n: x for n, x in run.items() if n not in known and n != "output"}
        out.append(Case({**options, **own}, {"output": run.get("output", output)}, fixed, _numbers(data[k]),
                        _weight(None if weights is None else weights[k], data[k], title), title))
    return out


def _weight(given, data, title) -> np.ndarray | float:
    if given is None:
        return 1.0
    try:
        weight = np.asarray(given, dtype=float)
        np.broadcast_to(weight, np.shape(data))
    except (TypeError, ValueError) as error:
        raise AnalysisError(f"fit: {title}weights are numbers that fit the data: {error}") from None
    if not np.all(np.isfinite(weight)) or not np.all(weight >= 0.0):
        raise AnalysisError(f"fit: {title}weights are finite and not negative")
    return weight


def _numbers(data) -> np.ndarray:
    """The data to fit, finite numbers."""
    if data is None:
        raise AnalysisError("fit: data= is missing: what was measured, as many numbers as the output has")
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
