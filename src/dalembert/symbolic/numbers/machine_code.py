"""Formulas to machine code: what evaluate, verify, function and simulate run.

Inputs    t;  x = position variables, then parameters;  v = speeds
Outputs   M, Q, C, γ and the left sides Φ and Cu + a₀ (``Numbers``);  or u̇ and λ;  or the whole right-hand side of an ODE
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert._jit import Straight
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.numbers.tape import Tape


@dataclass
class Numbers:
    """The equations at one state."""

    mass_matrix: np.ndarray
    forcing: np.ndarray
    constraint_jacobian: np.ndarray
    gamma: np.ndarray
    position_error: np.ndarray
    velocity_error: np.ndarray
    accelerations: np.ndarray
    multipliers: np.ndarray


def start(kin, parameters: list, from_y: bool = False):
    """A tape with its inputs known; ``from_y``: x and v are both y = (positions, speeds, parameters)."""
    tape = Tape()
    positions = kin.positions
    n, m = len(positions), len(kin.coordinates)
    tape.known[TIME] = tape.op("t")
    for k, (s, *_) in enumerate(positions):
        tape.known[s] = tape.op("x", k)
    for k, s in enumerate(parameters):
        tape.known[s] = tape.op("x", n + m + k if from_y else n + k)
    for k, c in enumerate(kin.coordinates):
        tape.known[c.u] = tape.op("x", n + k) if from_y else tape.op("v", k)
    for s, e in [*kin.definitions.items(), *kin.abbreviations.items()]:
        tape.known[s] = tape.formula(e)
    return tape


def write(tape: Tape, terms):
    """Entries of M, Q, C, γ."""
    M = [[tape.formula(x) for x in row] for row in terms.M]
    Q = [tape.formula(x) for x in terms.Q]
    C = [[tape.formula(x) for x in row] for row in terms.C]
    return M, Q, C, [tape.formula(x) for x in terms.gamma]


def saddle(tape: Tape, M, Q, C, gamma):
    """u̇ and λ of M u̇ + Cᵀλ = Q, C u̇ = γ: M first, then S = C M⁻¹ Cᵀ; dependent rows are dropped as in the engine."""
    factors = tape.ldl(M)
    acc = tape.solve(factors, Q)
    if not C:
        return acc, []
    columns = [tape.solve(factors, row) for row in C]
    S = tape.ldl([[_dot(tape, row, col) for col in columns] for row in C], drop=True)
    lam = tape.solve(S, [tape.sub(_dot(tape, row, acc), g) for row, g in zip(C, gamma, strict=True)])
    for x, col in zip(lam, columns, strict=True):
        acc = [tape.sub(a, tape.mul(c, x)) for a, c in zip(acc, col, strict=True)]
    return acc, lam


def _dot(tape: Tape, a, b) -> int:
    return tape.total(tape.mul(x, y) for x, y in zip(a, b, strict=True))


def expand(tape: Tape, terms, acc):
    """All u̇ = B u̇_i + g of an embedded form; otherwise what was solved for."""
    if terms.B is None:
        return acc
    return [
        tape.add(tape.total(tape.mul(tape.formula(b), a) for b, a in zip(row, acc, strict=True)), tape.formula(g))
        for row, g in zip(terms.B, terms.g, strict=True)
    ]


class Evaluator:
    """All numbers of the equations at a state, in one compiled call."""

    def __init__(self, terms, parameters):
        kin = terms.kin
        tape = start(kin, parameters)
        M, Q, C, gamma = write(tape, terms)
        acc, lam = saddle(tape, M, Q, C, gamma)
        phi = [tape.formula(r.phi if r.phi is not None else ZERO) for r in terms.rows]
        rate = [tape.formula(r.rate) for r in terms.rows]
        self.n, self.m, self.full = len(terms.unknowns), len(terms.rows), kin.n
        acc = expand(tape, terms, acc)
        out = [*(x for row in M for x in row), *Q, *(x for row in C for x in row), *gamma, *phi, *rate, *acc, *lam]
        self.code = Straight(tape.ops, out, (len(kin.positions) + len(parameters), kin.n, len(out)))

    def __call__(self, t, x, v) -> Numbers:
        out = self.code(t, x, v)
        n, m = self.n, self.m
        parts = np.split(out, np.cumsum([n * n, n, m * n, m, m, m, self.full]))
        return Numbers(parts[0].reshape(n, n), parts[1], parts[2].reshape(m, n), *parts[3:])


class BodyMotion:
    """Velocities of all bodies as the engine keeps them: v = J u + v₀, v̇ = J u̇ + b; and where their centres of mass are."""

    def __init__(self, kin, parameters):
        tape = start(kin, parameters)
        out = []
        self.n, self.nv = kin.n, (3 if kin.dim == 2 else 6) * len(kin.b.body_names)
        for k in range(len(kin.b.body_names)):
            f = kin.frames[k]
            com, turn = f.com, f.turn
            for p in com:
                out += [[p.grad.get(i, ZERO) for i in range(kin.n)] + [p.rate, p.bias]]
            for c in range(len(turn.rate)):
                out += [[turn.grad[i][c] if i in turn.grad else ZERO for i in range(kin.n)] + [turn.rate[c], turn.bias[c]]]
        flat = [tape.formula(x) for row in out for x in row]
        flat += [tape.formula(p.value) for k in range(len(kin.b.body_names)) for p in kin.frames[k].com]
        self.code = Straight(tape.ops, flat, (len(kin.positions) + len(parameters), kin.n, len(flat)))

    def __call__(self, t, x, v):
        """J, velocity, bias."""
        rows = self.code(t, x, v)[: self.nv * (self.n + 2)].reshape(self.nv, self.n + 2)
        return rows[:, : self.n], rows[:, self.n], rows[:, self.n + 1]

    def centres(self, t, x) -> np.ndarray:
        """Centres of mass, one after the other."""
        return self.code(t, x, np.zeros(self.n))[self.nv * (self.n + 2) :]


class Embedder:
    """B and g of u̇ = B u̇_i + g in numbers."""

    def __init__(self, terms, parameters):
        tape = start(terms.kin, parameters)
        self.shape = (len(terms.B), len(terms.B[0]))
        flat = [tape.formula(x) for row in terms.B for x in row] + [tape.formula(x) for x in terms.g]
        self.code = Straight(tape.ops, flat, (len(terms.kin.positions) + len(parameters), terms.kin.n, len(flat)))

    def __call__(self, t, x, v):
        out = self.code(t, x, v)
        at = self.shape[0] * self.shape[1]
        return out[:at].reshape(self.shape), out[at:]
