"""Derivatives of a linearisation: A, B, C, D are exact themselves, and are differenced in the parameter (order eight).

    δμ = wᴴ δA x / wᴴ x          an eigenvalue μ of A with its left and right eigenvectors

The state follows the parameter: an equilibrium is found again from the one given, the assembled drawing is assembled again.  A
state that is given as such stays; where the parameter opens its joints it is refused (assembly/adopted.py).
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.derived.parameters import SIXTH, SLOPE, step_of, with_value
from dalembert.analyses.derived.readings import combined, leaves
from dalembert.errors import AnalysisError

SMOOTH, ROUNDING = 1e-5, 1e-11  # how well differences of orders eight and six agree; of the output, over the step
APART = 1e-7  # of the largest eigenvalue: nearer ones are one


class Algebraic:
    """Derivative of a linearisation: ``d.A``, ``d.B``, ``d.C``, ``d.D``, ``d.eigenvalues``, or of any function of it."""

    def __init__(self, name, step, results, base):
        self.parameter, self._step, self._results, self._base = name, step, results, base

    def of(self, function):
        pairs = [(w / self._step, function(self._results[k]), function(self._results[-k])) for k, w in enumerate(SLOPE, start=1)]
        base = function(self._base)
        out, few = combined(pairs, base), combined([(w / self._step, *p[1:]) for w, p in zip(SIXTH, pairs, strict=False)], base)
        for a, b, size in zip(leaves(out), leaves(few), leaves(base), strict=True):
            rounding = ROUNDING * np.abs(size).max(initial=0.0) / self._step  # a slope of zero is an answer
            if np.abs(a - b).max(initial=0.0) > SMOOTH * np.abs(a).max(initial=0.0) + rounding:
                raise AnalysisError(f"sensitivities: an output of the linearisation does not change smoothly with "
                                    f"'{self.parameter}': eigenvalues that cross or change their order, perhaps; "
                                    "derivative(name).eigenvalues follows each of them")
        return out

    @property
    def eigenvalues(self) -> np.ndarray:
        """In the order of the result's eigenvalues; one that is multiple has no derivative: nan."""
        from scipy.linalg import eig

        values, left, right = eig(self._base.A, left=True, right=True)
        dA, out = self.A, []
        for mu in self._base.eigenvalues:
            k = int(np.argmin(np.abs(values - mu)))
            overlap = np.vdot(left[:, k], right[:, k])
            single = np.sum(np.abs(values - values[k]) <= APART * max(np.abs(values).max(), 1e-300)) == 1
            out.append(complex(left[:, k].conj() @ dA @ right[:, k] / overlap) if single and mu != 0 else complex("nan"))
        return np.array(out)

    def __getattr__(self, name):
        if name not in ("A", "B", "C", "D"):
            raise AttributeError(f"a derivative of a linearisation has A, B, C, D, eigenvalues and of(function), not '{name}'")
        return self.of(lambda linear: getattr(linear, name))

    def __repr__(self):
        return f"derivative of the linearisation of '{self._base.model.name}' in '{self.parameter}': A, B, C, D, eigenvalues"


def following(at, other):
    """The state at which another model is linearised."""
    from dalembert.analyses.equilibrium import Equilibrium, equilibrium

    return equilibrium(other, at, t=at.t, kind="any") if isinstance(at, Equilibrium) else at


def of_linear(model, name, analysis, args, options, result) -> Algebraic:
    value = model.parameter_values()[name]
    step, found = step_of(value), {}
    at = args[0] if args else options.get("at")
    options = {**options, "coordinates": [n for n in result.states if not n.endswith(" rate")]} if "coordinates" not in options \
        else options
    for k in (1, -1, 2, -2, 3, -3, 4, -4):
        other = with_value(model, name, value + k * step)
        own = {**options} if at is None else {**options, "at": following(at, other)}
        found[k] = analysis(other, **own)
        if found[k].states != result.states:
            raise AnalysisError(f"sensitivities of '{model.name}': the states of the linearisation change with '{name}'")
    return Algebraic(name, step, found, result)
