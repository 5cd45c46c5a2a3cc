"""The derived equations as a compiled function: y = (positions, speeds) → ẏ, straight-line machine code without calls to Python.

    independent coordinates with closed forms      y = (q_i, u_i):  q_d by its formulas, u = B u_i + β
    independent coordinates, loops without         y = (q, u_i):    q̇_d = (B u_i + β)_d is integrated along
    all coordinates, with or without multipliers   y = (q, u):      u̇ and λ from [M Cᵀ; C 0]

The factorisation of M (and of C M⁻¹ Cᵀ) is written into the code.  Parameters ride behind y with zero rates, so that one
compiled function serves all their values.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import Straight
from dalembert.errors import AnalysisError
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.machine import saddle, write
from dalembert.symbolic.tape import Tape


class Function:
    """f(t, q, u) → accelerations; ``positions`` and ``speeds`` name q and u."""

    def __init__(self, eqs):
        self.eqs = eqs
        kin, terms, p = eqs.kin, eqs.terms, eqs.partition
        self.parameters = list(kin.b.symbols)
        closed = eqs.closed_form if p is not None else {}
        needed = {kin.coordinates[k].name for k in p.dependent} if p is not None else set()
        self.closed = bool(needed) and needed <= set(closed)
        byname = {c.name: c for c in kin.coordinates}
        positions = [x for x in kin.positions if not (self.closed and x[0] in {byname[n].q for n in needed})]
        speeds = [kin.coordinates[k] for k in terms.unknowns]
        names = {c.q: c.name for c in kin.coordinates}
        self.positions = [names.get(s, str(s)) for s, *_ in positions]
        self.speeds = [c.name for c in speeds]
        self.n, self.m = len(positions), len(speeds)
        tape = Tape()
        tape.known[TIME] = tape.op("t")
        for k, (s, *_) in enumerate(positions):
            tape.known[s] = tape.op("x", k)
        for k, c in enumerate(speeds):
            tape.known[c.u] = tape.op("x", self.n + k)
        for k, n in enumerate(self.parameters):
            tape.known[kin.b.symbols[n]] = tape.op("x", self.n + self.m + k)
        for s, e in kin.definitions.items():
            tape.known[s] = tape.formula(e)
        if self.closed:
            for name, e in closed.items():
                if name in needed:
                    tape.known[byname[name].q] = tape.formula(e)
        if p is not None:
            for k in p.dependent:
                parts = [tape.mul(tape.formula(b), tape.known[c.u]) for b, c in zip(p.B[k], speeds, strict=True)]
                tape.known[kin.coordinates[k].u] = tape.add(tape.total(parts), tape.formula(p.beta[k]))
        acc, _ = saddle(tape, *write(tape, terms))
        rates = [tape.formula(r) for _, r, _ in positions]
        out = [*rates, *acc, *([tape.zero] * len(self.parameters))]
        size = len(out)
        self.code = Straight(tape.ops, out, (size, 0, size), f"equations of '{eqs.model.name}'")

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

    def start(self, q, u, **parameters) -> np.ndarray:
        """y = (q, u, parameters)."""
        q, u = np.atleast_1d(np.asarray(q, float)), np.atleast_1d(np.asarray(u, float))
        if q.shape != (self.n,) or u.shape != (self.m,):
            raise AnalysisError(
                f"the function takes {self.n} positions ({', '.join(self.positions)}) and {self.m} speeds "
                f"({', '.join(self.speeds)}), got {q.size} and {u.size}"
            )
        values = self.eqs.model.parameter_values() | parameters
        unknown = [n for n in parameters if n not in self.parameters]
        if unknown:
            raise AnalysisError(f"there is no parameter '{unknown[0]}' (parameters: {', '.join(self.parameters) or 'none'})")
        return np.array([*q, *u, *(values[n] for n in self.parameters)], dtype=float)

    def read(self, state):
        """Positions and speeds of a state of the engine."""
        kin = self.eqs.kin
        x, u = self.eqs._read(state, state.model)
        every = [s for s, *_ in kin.positions]
        names = {c.q: c.name for c in kin.coordinates}
        at = {names.get(s, str(s)): x[k] for k, s in enumerate(every)}
        speed = {c.name: u[k] for k, c in enumerate(kin.coordinates)}
        return np.array([at[n] for n in self.positions]), np.array([speed[n] for n in self.speeds])
