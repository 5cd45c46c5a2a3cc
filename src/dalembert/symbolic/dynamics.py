"""M, Q, C, γ in the chosen coordinates, by partial velocities.

    M_kl = Σ m v_k·v_l + ω_k·J̄ ω_l
    Q_k  = Σ F·∂r + T·∂θ − Σ (m a₀·v_k + (J̄ α₀ + ω̄ × J̄ ω̄)·ω_k)           a₀, α₀: accelerations where no speed changes
    M u̇ + Cᵀ λ = Q,   C u̇ = γ                                            (reactions are −Cᵀ λ, as in the engine)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert.symbolic.frames import zeros
from dalembert.symbolic.jet import ZERO
from dalembert.symbolic.kinematics import Kinematics
from dalembert.symbolic.loads import Load, loads
from dalembert.symbolic.rows import Row, rows


@dataclass
class Terms:
    """The pieces every method needs, as lists of formulas."""

    kin: Kinematics
    rows: list[Row]
    loads: list[Load]
    M: list[list[Any]]
    applied: list[Any]  # Σ of the loads
    inertia: list[Any]  # velocity-dependent inertia forces (on the left side)

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


def _body(f, M, bias):
    trans, turn = f.trans, f.turn
    size = len(turn.rate)
    momentum = {k: f.weigh(g) for k, g in turn.grad.items()}
    numbers = sorted({*trans.grad, *turn.grad})
    d = len(trans.rate)
    a0 = trans.bias * f.mass
    n0 = f.weigh(turn.bias) + f.momentum_bias()
    for k in numbers:
        vk, wk = trans.grad.get(k, zeros(d)), turn.grad.get(k, zeros(size))
        bias[k] += sum(vk * a0) + sum(wk * n0)
        for l in numbers:
            if l >= k:
                vl = trans.grad.get(l, zeros(d))
                M[k][l] += f.mass * sum(vk * vl) + (sum(wk * momentum[l]) if l in momentum else ZERO)
