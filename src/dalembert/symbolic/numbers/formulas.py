"""Any formulas of a derivation in numbers at a state of the engine: coordinates, speeds, accelerations and multipliers are known.

    M u̇ + Cᵀλ = Q,  C u̇ = γ   is solved first; then each formula is one entry of straight-line code
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import Straight
from dalembert.symbolic.numbers.machine_code import BodyMotion, expand, saddle, start, write
from dalembert.symbolic.numbers.states import coordinates_of


class Formulas:
    """Formulas of the symbols of ``terms``; ``multipliers`` are their symbols and the sign they have against the engine's."""

    def __init__(self, terms, formulas, multipliers=(), sign: int = 1):
        kin = self.kin = terms.kin
        self.parameters = list(kin.b.symbols.values())
        tape = start(kin, self.parameters)
        acc, lam = saddle(tape, *write(tape, terms))
        for c, x in zip(kin.coordinates, expand(tape, terms, acc), strict=True):
            tape.known[c.a] = x
        for s, x in zip(multipliers, lam, strict=True):
            tape.known[s] = x if sign > 0 else tape.sub(tape.zero, x)
        out = [tape.formula(e) for e in formulas]
        self.code = Straight(tape.ops, out, (len(kin.positions) + len(self.parameters), kin.n, len(out)))
        self.motion = BodyMotion(kin, self.parameters)

    def __call__(self, state, model=None) -> np.ndarray:
        values = (model or state.model).parameter_values()
        x, u = coordinates_of(self.kin, state, [values[n] for n in self.kin.b.symbols], self.motion)
        return np.array(self.code(state.t, x, u))
