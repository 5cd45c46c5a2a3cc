"""M, Q, C, γ in the chosen coordinates, by partial velocities.

M_kl = Σ m v_k·v_l + ω_k·J̄ ω_l
Q_k  = Σ F·∂r + T·∂θ − Σ (m a₀·v_k + (J̄ α₀ + ω̄ × J̄ ω̄)·ω_k)           a₀, α₀: accelerations where no speed changes
M u̇ + Cᵀ λ = Q,   C u̇ = γ                                            (reactions are −Cᵀ λ, as in the engine)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dalembert.symbolic.equations.loads import Load, loads
from dalembert.symbolic.equations.rows import Row, rows
from dalembert.symbolic.kinematics.coordinates import Kinematics
from dalembert.symbolic.kinematics.frames import zeros
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import tidy


@dataclass
class Terms:
    """The pieces every method needs, as lists of formulas."""

    kin: Kinematics
    rows: list[Row]
    loads: list[Load]
    M: list[list[Any]]
    applied: list[Any]  # Σ of the loads
    inertia: list[Any]  # velocity-dependent inertia forces (on the left side)
    B: list[list[Any]] | None = None  # embedded: u̇ = B u̇_i + g; M, applied, inertia then belong to u̇_i
    g: list[Any] | None = None
    independent: list[int] | None = None

    @property
    def unknowns(self) -> list[int]:
        """Numbers of the speeds whose accelerations are the unknowns."""
        return list(range(self.kin.n)) if self.independent is None else self.independent

    def tidied(self) -> Terms:
        """The same, each formula in a short form."""
        M = [[tidy(x) for x in row] for row in self.M]
        rows = [
            replace(
                r,
                grad={k: y for k, x in r.grad.items() if (y := tidy(x)) != 0},
                gamma=tidy(r.gamma),
                rate=tidy(r.rate),
                phi=None if r.phi is None else tidy(r.phi),
            )
            for r in self.rows
        ]
        return replace(self, M=M, applied=[tidy(x) for x in self.applied], inertia=[tidy(x) for x in self.inertia], rows=rows)

    @property
    def Q(self) -> list[Any]:
        return [a - b for a, b in zip(self.applied, self.inertia, strict=True)]

    @property
    def C(self) -> list[list[Any]]:
        return [[r.grad.get(k, ZERO) for k in range(self.kin.n)] for r in self.rows]

    @property
    def gamma(self) -> list[Any]:
        return [r.gamma for r in self.rows]


def terms(kin: Kinematics) -> Terms:
    """Everything, without simplification."""
    n = kin.n
    M = [[ZERO] * n for _ in range(n)]
    bias = [ZERO] * n
    for k in range(len(kin.b.body_names)):
        _body(kin.frames[k], M, bias)
    for i in range(n):
        for j in range(i):
            M[i][j] = M[j][i]
    found = loads(kin)
    applied = [ZERO] * n
    for load in found:
        for k, x in load.Q.items():
            applied[k] += x
    return Terms(kin, rows(kin), found, M, applied, bias)


def embedded(t: Terms, p) -> Terms:
    """Bᵀ M B u̇_i = Bᵀ (Q − M γ_i): no constraint forces are left, because C B = 0."""
    n, cols = t.kin.n, range(len(p.independent))
    MB = [[sum((t.M[i][k] * p.B[k][c] for k in range(n)), ZERO) for c in cols] for i in range(n)]
    Mg = [sum((t.M[i][k] * p.gamma[k] for k in range(n)), ZERO) + t.inertia[i] for i in range(n)]

    def across(c, x):
        return tidy(sum((p.B[i][c] * tidy(x[i]) for i in range(n)), ZERO))

    M = [[across(a, [row[b] for row in MB]) for b in cols] for a in cols]
    return replace(
        t,
        rows=[],
        M=M,
        applied=[across(c, t.applied) for c in cols],
        inertia=[across(c, Mg) for c in cols],
        B=p.B,
        g=p.gamma,
        independent=p.independent,
    )


def _body(f, M, bias):
    trans, turn = f.trans, f.turn
    size = len(turn.rate)
    momentum = {k: f.weigh(g) for k, g in turn.grad.items()}
    numbers = sorted({*trans.grad, *turn.grad})
    d = len(trans.rate)
    a0 = trans.bias * f.mass
    n0 = f.weigh(turn.bias) + f.momentum_bias()
    if size == 3:
        n0 = [tidy(x) for x in n0]
    for k in numbers:
        vk, wk = trans.grad.get(k, zeros(d)), turn.grad.get(k, zeros(size))
        bias[k] += sum(vk * a0) + sum(wk * n0)
        for l in numbers:
            if l >= k:
                vl = trans.grad.get(l, zeros(d))
                M[k][l] += f.mass * sum(vk * vl) + (sum(wk * momentum[l]) if l in momentum else ZERO)
