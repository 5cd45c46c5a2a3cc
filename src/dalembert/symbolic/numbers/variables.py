"""Which positions and speeds a compiled form of derived equations has: y = (q, u, parameters), and tapes on which all is known.

    independent coordinates, closed forms asked for     y = (q_i, u_i):  q_d by its formulas, u = B u_i + β
    independent coordinates otherwise                   y = (q, u_i):    q̇_d = (B u_i + β)_d is integrated along
    all coordinates, with or without multipliers        y = (q, u)

A closed form knows an angle within one turn only, and belongs to the branch of the drawing; what is integrated along keeps
both.  Parameters ride behind y with zero rates, so that one compiled function serves all their values.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.numbers.tape import Tape


class Variables:
    """``positions`` and ``speeds`` name q and u of y."""

    def __init__(self, eqs, closed: bool):
        self.eqs = eqs
        kin, p = eqs.kin, eqs.partition
        self.parameters = list(kin.b.symbols)
        forms = eqs.closed_form if closed and p is not None else {}
        needed = {kin.coordinates[k].name for k in p.dependent} if p is not None else set()
        self.closed = bool(needed) and needed <= set(forms)
        q_of = {c.name: c.q for c in kin.coordinates}
        self.formulas = {q_of[n]: e for n, e in forms.items() if n in needed} if self.closed else {}
        self.moving = [x for x in kin.positions if x[0] not in self.formulas]
        self.chosen = [kin.coordinates[k] for k in eqs.terms.unknowns]
        names = {c.q: c.name for c in kin.coordinates}
        self.positions = [names.get(s, str(s)) for s, *_ in self.moving]
        self.speeds = [c.name for c in self.chosen]
        self.n, self.m = len(self.moving), len(self.chosen)

    @property
    def size(self) -> int:
        return self.n + self.m + len(self.parameters)

    def tape(self, on: Tape | None = None, y: list[int] | None = None) -> Tape:
        """A tape on which t, all positions, all speeds, the parameters and given motions are known from y.

        ``on``: a tape to go on with, whose entries ``y`` are the positions and speeds now.
        """
        kin, p = self.eqs.kin, self.eqs.partition
        tape = Tape(on)
        y = y if y is not None else [tape.op("x", k) for k in range(self.n + self.m)]
        tape.known[TIME] = tape.op("t")
        tape.known |= dict(zip([*(s for s, *_ in self.moving), *(c.u for c in self.chosen)], y, strict=True))
        for k, n in enumerate(self.parameters):
            tape.known[kin.b.symbols[n]] = tape.op("x", self.n + self.m + k)
        for s, e in [*kin.definitions.items(), *self.formulas.items()]:
            tape.known[s] = tape.formula(e)
        for k in p.dependent if p is not None else ():
            parts = [tape.mul(tape.formula(b), tape.known[c.u]) for b, c in zip(p.B[k], self.chosen, strict=True)]
            tape.known[kin.coordinates[k].u] = tape.add(tape.total(parts), tape.formula(p.beta[k]))
        for s, e in kin.abbreviations.items():
            tape.known[s] = tape.formula(e)
        return tape

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
        names = {c.q: c.name for c in kin.coordinates}
        at = {names.get(s, str(s)): x[k] for k, (s, *_) in enumerate(kin.positions)}
        speed = {c.name: u[k] for k, c in enumerate(kin.coordinates)}
        return np.array([at[n] for n in self.positions]), np.array([speed[n] for n in self.speeds])
