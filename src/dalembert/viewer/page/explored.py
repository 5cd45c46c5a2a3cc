"""Sliders of a page: the same analysis for other values of some parameters, computed before the page is written.

Each slider is an axis of its own through the run's own values: one parameter changes, the others keep the run's values, so that
p sliders of n values cost p·n variants.  All combinations, n^p of them, are computed on request (combined=True) while they are
at most MOST; 20⁵ are not.  A variant that cannot be computed stands on its slider with its message.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.analyses.assemble import assemble
from dalembert.analyses.dynamics import simulate
from dalembert.analyses.kinematics import Kinematics, kinematics
from dalembert.errors import AnalysisError, DalembertError, SimulationError, hint
from dalembert.results.run import Run

MOST = 500  # variants
SAME = 1e-6  # of the largest coordinate: the run began where its model begins


@dataclass(frozen=True)
class Axis:
    """One slider: a parameter, its values in order, which of them is the run's own."""

    name: str
    unit: str
    values: tuple[float, ...]
    base: int


@dataclass
class Explored:
    """Axes, and per variant the numbers of its values on them and its result (or why there is none)."""

    axes: list[Axis]
    rows: list[tuple[int, ...]]
    results: list[Any]
    failures: list[str]


def explored(run, sliders, *, combined: bool = False, units: Mapping[str, str] | None = None) -> Explored:
    """All variants besides the run itself."""
    if not isinstance(run, Run):
        raise AnalysisError("view: sliders= needs one result of simulate or kinematics; its variants are computed as it was")
    if not isinstance(sliders, Mapping) or not sliders:
        raise AnalysisError(f"view: sliders is a dict, parameter → values, as {{'l': [0.1, 0.2]}}; got {sliders!r}")
    if other := [str(name) for name in units or () if name not in sliders]:
        raise AnalysisError(f"view: units: there is no slider '{other[0]}'{hint(other[0], [str(s) for s in sliders])} (sliders: "
                            f"{', '.join(str(s) for s in sliders)})")
    axes = [_axis(run.model, name, values, dict(units or {})) for name, values in sliders.items()]
    _began_as_drawn(run)
    base = tuple(a.base for a in axes)
    if combined:
        count = math.prod(len(a.values) for a in axes)
        rows = [] if count > MOST else list(itertools.product(*(range(len(a.values)) for a in axes)))
    else:
        count = 1 + sum(len(a.values) - 1 for a in axes)
        rows = [base, *((*base[:k], i, *base[k + 1:]) for k, a in enumerate(axes) for i in range(len(a.values)) if i != a.base)]
    if count > MOST:
        raise AnalysisError(f"view: sliders ask for {count:,} variants, at most {MOST} go into a page: give fewer values"
                            + (", or leave combined=True away: each slider then moves alone" if combined else ""))
    rows = [r for r in rows if r != base]
    found = Explored(axes, rows, [], [])
    for row in rows:
        model = run.model.copy()
        for axis, i in zip(axes, row, strict=True):
            if i != axis.base:
                model.parameters[axis.name] = axis.values[i]
        result, message = _computed(run, model)
        found.results.append(result)
        found.failures.append(message)
    return found


def _axis(model, name, values, units) -> Axis:
    if name not in model.parameters:
        raise AnalysisError(f"view: sliders: there is no parameter '{name}'{hint(str(name), model.parameters)} (parameters: "
                            f"{', '.join(model.parameters) or 'none'})")
    try:
        if isinstance(values, str):  # "12" is not 1 and 2
            raise TypeError
        given = [float(x) for x in values]
    except (TypeError, ValueError):
        raise AnalysisError(f"view: sliders: values of '{name}' are numbers, got {values!r}") from None
    if not given or not np.isfinite(given).all():
        raise AnalysisError(f"view: sliders: values of '{name}' are finite numbers, got {values!r}")
    own = float(model.parameter_values()[name])
    near = [x for x in given if abs(x - own) <= 1e-12 * abs(own)]
    ordered = sorted({own, *(x for x in given if x not in near)})
    return Axis(str(name), units.get(str(name), ""), tuple(ordered), ordered.index(own))


def _began_as_drawn(run) -> None:
    """Refuse a run that began from a state handed in: the variants would begin elsewhere."""
    begin = run.begin or (run._t[0], run._q[0], run._v[0])
    drawn = assemble(run.model, float(begin[0]))
    n = run.system.running.start if not isinstance(run, Kinematics) else len(drawn.q)
    for found, given in ((drawn.q[:n], np.asarray(begin[1])[:n]), (drawn.v, begin[2])):
        if np.abs(found - given).max(initial=0.0) > SAME * max(1.0, np.abs(given).max(initial=0.0)):
            raise AnalysisError("view: sliders= computes its variants from the drawing, but this run began from a state of its "
                                "own (state=): give the start by model.initial and simulate again")


def _computed(run, model) -> tuple[Any, str]:
    try:
        if isinstance(run, Kinematics):
            return kinematics(model, times=run._t, start=float(run._t[0])), ""
        options = dict((run._state or {}).get("options") or {})
        kept = {k: options[k] for k in ("rtol", "atol", "max_steps", "fixed_step", "max_step", "start", "cut", "independent")
                if k in options}
        watched, ending = options.get("watched", []), options.get("ending", 0)
        times = np.asarray(options.get("times", run._t), float)
        method = options.get("integrator", "auto")
        return simulate(model, float(times[-1]), times=times, integrator=method, progress=False,
                        events=watched[: len(watched) - ending], stop=watched[len(watched) - ending:], **kept), ""
    except SimulationError as error:
        partial: Any = getattr(error, "run", None)
        return (partial, "") if partial is not None and len(partial.t) > 1 else (None, str(error))
    except DalembertError as error:
        return None, str(error)
