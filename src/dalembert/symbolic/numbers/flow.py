"""What integrating derived equations needs, each a piece of straight-line code on y = (q, u, parameters, W):

    rates      ẏ, and Ẇ = Σ Q_k u_k, the power of all active forces                       (variables.py says what q and u are)
    project    q ← q + δ(Φ),  u ← u + δ(C u + a₀)        δ(x) = −M⁻¹ Cᵀ (C M⁻¹ Cᵀ)⁻¹ x:  the nearest in the metric M
    observed   all positions, all speeds, T = ½ uᵀM u, and |δ(Φ)|, |δ(C u + a₀)| in the metric M: how far constraints are missed
    meaning    κ = 1/√(1 + Σ M_kk B_ki² / M_ii),  k dependent, i independent

κ is near the cosine of the angle, in the metric of M's diagonal, between the motion and the independent coordinates: it goes to
zero where the mechanism moves while they stand still, at a dead point.  There B is infinite and the equations mean nothing.

Where nothing depends on time but through the motion, T − W stays what it was; other models (drives, laws in constraints) have
a T that is not quadratic in u, and no energy is told.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import Straight
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.numbers.machine_code import saddle, write
from dalembert.symbolic.numbers.tape import Tape
from dalembert.symbolic.numbers.variables import Variables


class Flow(Variables):
    """The pieces for one form of the equations."""

    def __init__(self, eqs):
        super().__init__(eqs, closed=False)
        kin = eqs.kin
        self.natural = not _rheonomic(eqs)
        self.rates = self._rates()
        rows = eqs.full.rows
        self.rows = bool(rows)
        self.project = self._project() if rows or kin.matrices else None
        self._observed = self._observe()
        self.meaning: tuple[Tape, int] | None = self._meaning() if eqs.partition is not None and eqs.partition.dependent else None

    def _code(self, tape, out) -> Straight:
        return Straight(tape.ops, out, (self.size + 1, 0, len(out)), f"equations of '{self.eqs.model.name}'")

    def _rates(self):
        terms, tape = self.eqs.terms, self.tape()
        acc, _ = saddle(tape, *write(tape, terms))
        power = [tape.mul(tape.formula(x), tape.known[c.u]) for x, c in zip(terms.applied, self.chosen, strict=True)]
        rates = [tape.formula(r) for _, r, _ in self.moving]
        return self._code(tape, [*rates, *acc, *([tape.zero] * len(self.parameters)), tape.total(power)])

    # ---------------------------------------------------------------------------------------------------- constraints

    def _corrections(self, tape):
        """δ(Φ) and δ(C u + a₀), one number per speed of the full form."""
        full = self.eqs.full
        M = [[tape.formula(x) for x in row] for row in full.M]
        none = [tape.zero] * self.eqs.kin.n
        out = []
        for rows, misses in (([r for r in full.rows if r.phi is not None], "phi"), (full.rows, "rate")):
            C = [[tape.formula(r.grad[k]) if k in r.grad else tape.zero for k in range(self.eqs.kin.n)] for r in rows]
            right = [tape.sub(tape.zero, tape.formula(getattr(r, misses))) for r in rows]
            out.append(saddle(tape, M, none, C, right)[0] if rows else none)
        return M, out[0], out[1]

    def _project(self):
        """Two steps of Newton: the second finds the velocities on the constraints of the new positions."""
        tape = self.tape()
        y = [tape.op("x", k) for k in range(self.n + self.m)]
        for _ in range(2):
            y = self._nearer(tape)
            tape = self.tape(tape, y)
        return self._code(tape, [*y, *(tape.op("x", k) for k in range(self.n + self.m, self.size + 1))])

    def _nearer(self, tape):
        """q and u after one step."""
        kin = self.eqs.kin
        _, dq, du = self._corrections(tape)
        turned = Tape(tape)
        turned.known = {s: tape.known[s] for s, *_ in kin.positions} | {c.u: x for c, x in zip(kin.coordinates, dq, strict=True)}
        q = [tape.add(tape.known[s], turned.formula(rate)) for s, rate, _ in self.moving]
        for body in kin.matrices:  # Euler parameters have length 1
            at = [k for k, (s, *_) in enumerate(self.moving) if s in kin.quaternion(body)]
            length = tape.op("sqrt", tape.total(tape.mul(q[k], q[k]) for k in at))
            for k in at:
                q[k] = tape.div(q[k], length)
        u = [tape.known[c.u] for c in self.chosen]
        return q + ([tape.add(a, b) for a, b in zip(u, du, strict=True)] if self.eqs.partition is None else u)

    # ------------------------------------------------------------------------------------------------------- observed

    def _observe(self):
        kin, tape = self.eqs.kin, self.tape()
        M, dq, du = self._corrections(tape)
        u = [tape.known[c.u] for c in kin.coordinates]
        half = tape.mul(tape.const(0.5), _square(tape, M, u))
        misses = [tape.op("sqrt", _square(tape, M, d)) for d in (dq, du)]
        return self._code(tape, [*(tape.known[s] for s, *_ in kin.positions), *u, half, *misses])

    def observed(self, t, y) -> np.ndarray:
        """Rows (all positions, all speeds, T, |δΦ|, |δΦ̇|), one per sample."""
        none = np.zeros(0)
        return np.array([self._observed(t[k], y[k], none) for k in range(len(t))])

    def taken(self, row: np.ndarray) -> np.ndarray:
        """q and u of this form from a row of ``observed`` of any form."""
        kin = self.eqs.kin
        at = {s: row[k] for k, (s, *_) in enumerate(kin.positions)}
        speed = {c.u: row[len(kin.positions) + k] for k, c in enumerate(kin.coordinates)}
        return np.array([*(at[s] for s, *_ in self.moving), *(speed[c.u] for c in self.chosen)])

    # -------------------------------------------------------------------------------------------------------- meaning

    def _meaning(self):
        p, tape = self.eqs.partition, self.tape()
        M = [tape.formula(row[k]) for k, row in enumerate(self.eqs.full.M)]
        total = tape.one
        for k in p.dependent:
            for i, b in zip(p.independent, p.B[k], strict=True):
                x = tape.formula(b)
                total = tape.add(total, tape.div(tape.mul(M[k], tape.mul(x, x)), M[i]))
        return tape, tape.div(tape.one, tape.op("sqrt", total))

    @property
    def _kappa(self) -> tuple[Tape, int]:
        assert self.meaning is not None
        return self.meaning

    def meaning_at(self, t, y) -> float:
        tape, kappa = self._kappa
        return float(self._code(tape, [kappa])(t, y, np.zeros(0))[0])

    def falls_below(self, limit: float) -> Straight:
        """κ − limit, as an event."""
        tape, kappa = self._kappa
        return self._code(tape, [tape.sub(kappa, tape.const(limit))])


def _square(tape, M, x):
    """xᵀ M x."""
    return tape.total(tape.mul(a, tape.total(tape.mul(m, b) for m, b in zip(row, x, strict=True)))
                      for a, row in zip(x, M, strict=True))


def _rheonomic(eqs) -> bool:
    """Does time enter the kinematics by itself: given motions, constraints with a law, velocities left when nothing moves?"""
    still = {c.u: 0 for c in eqs.kin.coordinates}
    return bool(eqs.kin.given) or any(
        (r.phi is not None and r.phi.has(TIME)) or r.rate.has(TIME) or r.rate.xreplace(still) != 0 for r in eqs.full.rows
    )
