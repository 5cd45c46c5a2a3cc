"""The derived equations as a compiled function: (q, u) → u̇, straight-line machine code without calls to Python.

Which positions and speeds it takes is in variables.py; dependent coordinates come by their closed forms where there are some.
The factorisation of M (and of C M⁻¹ Cᵀ) is written into the code.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import Straight
from dalembert.symbolic.numbers.machine_code import saddle, write
from dalembert.symbolic.numbers.variables import Variables


class Function(Variables):
    """f(t, q, u) → accelerations; ``positions`` and ``speeds`` name q and u."""

    def __init__(self, eqs):
        super().__init__(eqs, closed=True)
        tape = self.tape()
        acc, _ = saddle(tape, *write(tape, eqs.terms))
        out = [*(tape.formula(r) for _, r, _ in self.moving), *acc, *([tape.zero] * len(self.parameters))]
        self.code = Straight(tape.ops, out, (self.size, 0, self.size), f"equations of '{eqs.model.name}'")

    @property
    def operations(self) -> int:
        """Length of the straight-line code."""
        return self.code.count

    @property
    def address(self) -> int:
        """void f(double t, double *y, double *unused, double *ydot), for compiled callers."""
        return self.code.address

    def __call__(self, t, q, u, **parameters) -> np.ndarray:
        """Accelerations of ``speeds``; parameters are the model's unless given by name."""
        return self.rates(t, q, u, **parameters)[self.n : self.n + self.m]

    def rates(self, t, q, u, **parameters) -> np.ndarray:
        """ẏ without the parameters: rates of the positions, then accelerations."""
        y = self.start(q, u, **parameters)
        return self.code(t, y, np.zeros(0))[: self.n + self.m]
