"""The certificate of derivatives: compared with differences of whole results along a random direction.

The direction gives parameters parts of about the same weight in an output, r_n / |∂output/∂p_n| (their own size where they count
little), so that none hides behind another.  Two differences tell the error of the better one:

    d(h) = (f(p + h way) − f(p − h way)) / 2h          d ≈ d(h) + (d(h) − d(2h))/3,   its error about |d(h) − d(2h)|

What counts is the output's own change along the way; a change below the accuracy of the result itself cannot be compared, and
that is said.  Two differences may be off by the same chance (runs with stops at a coarse tolerance): where they contradict, those
of ten times the way are asked too, which feel a tenth of it.  A wrong derivative contradicts both.
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.derived.algebraic import following
from dalembert.errors import AnalysisError, DalembertError

STEPS = (2e-4, 1e-4)
WIDER = 10.0
LEVEL = 1e-2  # of what the parameter that counts most would change: to this the greater ones are brought down
NOISE = 1e-2  # of a result's tolerance: how far results of neighbours are apart by chance, about
UNKNOWN = 0.3  # of the derivative: differences with a larger error of their own say nothing


def compared(model, names, analysis, args, options, out) -> str:
    """In words."""
    if not out.values:
        return "nothing to compare: name outputs="
    values = model.parameter_values()
    free = [n for n in names if isinstance(model.parameters[n], (int, float))]  # the others are formulas of these
    if len(free) < len(names):
        return "not compared: " + ", ".join(n for n in names if n not in free) + " is a formula of other parameters"
    word = analysis.__name__
    accuracy = max(float(options.get("rtol", 1e-6)), 1e-13) if word == "simulate" else 1e-12
    floor = 1e-4 if word == "simulate" and accuracy > 1e-9 else 1e-6  # what coarse runs leave open
    lines = []
    ways: dict[tuple, list[dict]] = {}
    for label, parts in out.derivatives.items():
        way = _way(names, parts, values)
        along = sum(np.asarray(parts[n]) * way[n] for n in names)
        value, said = np.abs(np.asarray(out.values[label])).max(initial=0.0), ""
        for wider in (1.0, WIDER):
            key = (*way.values(), wider)
            if key not in ways:
                try:
                    ways[key] = _differences(model, way, analysis, args, options, out.functions, wider)
                except DalembertError:
                    if said:  # so far away there is no such mechanism
                        raise AnalysisError(said) from None
                    raise
            coarse, fine = (d[label] for d in ways[key])
            better = fine + (fine - coarse) / 3
            size = max(float(np.abs(along).max(initial=0.0)), float(np.abs(better).max(initial=0.0)))
            rounding = NOISE * accuracy * value / (wider * STEPS[1])  # what differences of results of this accuracy leave open
            apart, own = float(np.abs(along - better).max(initial=0.0)), float(np.abs(fine - coarse).max(initial=0.0))
            if (size <= rounding or own > UNKNOWN * size) and not said:
                lines.append(f"{label}: could not be compared (differences of results are no better than "
                             f"{max(own, rounding):.1e}, the derivative is {size:.1e})")
                break
            if apart <= max(10 * own, floor * size) and own <= UNKNOWN * size:
                lines.append(f"{label}: {apart / size:.1e} apart (the difference's own error: {own / size:.1e})")
                break
            said = said or (f"sensitivities of '{model.name}': the derivative of '{label}' and a difference of whole results "
                            f"along a random direction are {apart / size:.1e} of it apart, the difference's own error is "
                            f"about {own / size:.1e}: something is not differentiable, or a tolerance is too coarse (rtol=)")
        else:
            raise AnalysisError(said)
    return "compared with a difference along one random direction: " + "; ".join(lines)


def _way(names, parts, values) -> dict[str, float]:
    """A direction in which every parameter counts for this output, and none moves by more than its own size."""
    random = np.random.default_rng(11).uniform(0.5, 1.0, len(names)) * np.random.default_rng(12).choice([-1, 1], len(names))
    counts = {n: float(np.abs(np.asarray(parts[n])).max(initial=0.0)) * (abs(values[n]) or 1.0) for n in names}
    level = LEVEL * max(counts.values())
    return {n: float(r * (abs(values[n]) or 1.0) * (level / counts[n] if counts[n] > level else 1.0))
            for n, r in zip(names, random, strict=True)}


def _differences(model, way, analysis, args, options, functions, wider=1.0) -> list[dict]:
    values, out = model.parameter_values(), []
    at = (args[0] if args else options.get("at")) if analysis.__name__ == "linearize" else None
    size = max(abs(x) / (abs(values[n]) or 1.0) for n, x in way.items()) or 1.0
    for h in (wider * x for x in STEPS):
        ends = []
        for sign in (1, -1):
            other = model.copy()
            for n, x in way.items():
                other.parameters[n] = float(values[n] + sign * h / size * x)
            ends.append(analysis(other, *args, **options) if at is None else
                        analysis(other, **{**options, "at": following(at, other)}))
        out.append({label: (np.asarray(f(ends[0])) - np.asarray(f(ends[1]))) / (2 * h / size) for label, f in functions.items()})
    return out
