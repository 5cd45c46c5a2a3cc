"""Matrices: the numbers of the equations in one state, as named matrices in a layout (what they mean: analyses/matrices.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from dalembert.analyses.blocks import partition
from dalembert.analyses.blocks.loads import split
from dalembert.analyses.blocks.theorem import MultiplierTheorem, theorem
from dalembert.analyses.free_bodies.points import numbers
from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.analyses.toolbox.named import Axis, Named, axis
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError

QUICK = 300  # unknowns up to which printing also computes the partition
NUMBERS = 10  # unknowns up to which K is printed in numbers


@dataclass(frozen=True)
class Identity:
    """What should be equal: in words, the largest difference, and the size of the terms it is a difference of.

    Attributes
    ----------
    text, difference, size : text, number, number
        The identity, its largest difference, and the size of its terms.
    """

    text: str
    difference: float
    size: float

    @property
    def residual(self) -> float:
        """The difference, of the size of its terms."""
        return self.difference / self.size if self.size else self.difference

    def __str__(self):
        return f"{self.text}: {self.residual:.1e}"


class Matrices:
    """The equations of one state in numbers.  Every attribute is a named matrix (toolbox/named.py): print it, index it by names,
    take ``.numpy``, ``.to_pandas()``, ``.latex()``.

    K rhs solution      the whole system, in the layout's order
    M J Phi_r Pi Cq     mass and inertia; rows.  Layout "course": M holds the masses alone; "body", "plane": M is the whole mass
                        matrix (J̄ inside).  J, Phi_r, Pi are the course's blocks in every layout, Cq all columns in its order
    nu gamma            right sides of velocity and acceleration equations
    F Fa Fm tau na nm gyro      forces and torques (gyro = −ω̃J̄ω̄);  ``loads`` has every element in a column of its own
    Qe Qc acceleration multipliers      M q̈ = Q_e + Q_c
    B gamma_i Cqi Cqd independent dependent      q̈ = B_i q̈_i + γ_i
    states rates unknowns       of models with da.Differential, da.Algebraic: z, ż and the numbers the equations fix
    identities theorem()        what must be equal, with residuals; Lagrange's multiplier theorem

    Particles have r and no turn: all numbers are over the speeds that count, in the engine's order (``System.moving``).
    """

    def __init__(self, solved, layout, wish):
        self.state, self.layout = solved, layout.name
        self._l, self._wish, self.model = layout, wish, solved.model
        s, o = solved.system, solved.observed
        self._system, self._t = s, solved.t
        w = workspace(s)
        w.set(solved.t, solved.q, solved.v)
        w.run("rows")
        on = s.moving
        self._nu, self._gamma = w.nu.copy(), w.gamma.copy()
        self._D, self._mass, self._weight = w.jacobian()[:, on], w.mass()[np.ix_(on, on)], metric(w)[on]
        self._v, self._a, self._lam = solved.v[on], o.vdot[0][on], o.lam[0].copy()
        self._loads = {name: (kind, Q[on]) for name, (kind, Q) in split(solved, w, w.jacobian(), self._lam).items()}
        self.redundant = int(o.report.dropped[0])
        self._work = w

    # ------------------------------------------------------------------------------------------------- the system

    def _over(self, symbol, values, text="", tex="") -> Named:
        """A column over all speeds, from the engine's order."""
        return Named(symbol, values[self._l.order], self._l.speeds, None, text, tex)

    @cached_property
    def K(self) -> Named:
        order, n = self._l.order, len(self._l.order)
        whole = np.zeros((n + self._system.nc,) * 2)
        whole[:n, :n] = self._mass[np.ix_(order, order)]
        whole[n:, :n] = self._D[:, order]
        whole[:n, n:] = whole[n:, :n].T
        return Named("K", whole, self._l.speeds + self._l.rows, self._l.speeds + self._l.multipliers, "K x = rhs", r"\mathbf{K}")

    @cached_property
    def rhs(self) -> Named:
        both = np.concatenate([np.asarray(self.Qe), self._gamma])
        return Named("rhs", both, self._l.speeds + self._l.rows, None, "(Q_e, γ)", r"\mathbf{b}")

    @cached_property
    def solution(self) -> Named:
        both = np.concatenate([self._a[self._l.order], self._lam])
        return Named("x", both, self._l.speeds + self._l.multipliers, None, "accelerations and multipliers", r"\mathbf{x}")

    @property
    def acceleration(self) -> Named:
        return self._over("q̈", self._a, "accelerations (ω̄˙ in body axes)", r"\ddot{\mathbf{q}}")

    @property
    def multipliers(self) -> Named:
        return Named("λ", self._lam, self._l.rows, None, "", r"\lambda")

    # ------------------------------------------------------------------------------------------------- its blocks

    @property
    def M(self) -> Named:
        if self.layout == "course":
            return Named("M", self._mass[np.ix_(self._l.moves, self._l.moves)], self._l.r, self._l.r, "masses", r"\mathbf{M}")
        order = self._l.order
        return Named("M", self._mass[np.ix_(order, order)], self._l.speeds, self._l.speeds, "masses and moments of inertia",
                     r"\mathbf{M}")

    @property
    def J(self) -> Named:
        turns, omega = self._l.turns, self._l.omega
        return Named("J̄", self._mass[np.ix_(turns, turns)], omega, omega, "about the centres of mass, body axes",
                     r"\bar{\mathbf{J}}")

    @property
    def Phi_r(self) -> Named:
        return Named("Φ_r", self._D[:, self._l.moves], self._l.rows, self._l.r, "", r"\mathbf{\Phi}_{\mathbf{r}}")

    @property
    def Pi(self) -> Named:
        return Named("Π̄", self._D[:, self._l.turns], self._l.rows, self._l.omega, "", r"\bar{\mathbf{\Pi}}")

    @property
    def Cq(self) -> Named:
        return Named("C_q", self._D[:, self._l.order], self._l.rows, self._l.speeds, "Jacobian of the constraints",
                     r"\mathbf{C}_{\mathbf{q}}")

    @property
    def nu(self) -> Named:
        return Named("ν", self._nu, self._l.rows, None, "Φ_r ṙ + Π̄ ω̄ = ν", r"\nu")

    @property
    def gamma(self) -> Named:
        return Named("γ", self._gamma, self._l.rows, None, "Φ_r r̈ + Π̄ ω̄˙ = γ", r"\gamma")

    # ----------------------------------------------------------------------------------------------------- forces

    def _sum(self, *kinds) -> np.ndarray:
        return sum((Q for kind, Q in self._loads.values() if not kinds or kind in kinds), np.zeros(self._system.freedoms))

    def _force(self, symbol, text, tex, *kinds) -> Named:
        return Named(symbol, self._sum(*kinds)[self._l.moves], self._l.r, None, text, tex)

    def _torque(self, symbol, text, tex, *kinds) -> Named:
        return Named(symbol, self._sum(*kinds)[self._l.turns], self._l.omega, None, text, tex)

    @property
    def F(self) -> Named:
        return self._force("F", "F^a + F^m, ground axes", r"\mathbf{F}")

    @property
    def Fa(self) -> Named:
        return self._force("F^a", "applied forces, ground axes", r"\mathbf{F}^a", "a")

    @property
    def Fm(self) -> Named:
        return self._force("F^m", "forces per unit mass, ground axes", r"\mathbf{F}^m", "m")

    @property
    def tau(self) -> Named:
        return self._torque("τ", "n̄^a + n̄^m − ω̃J̄ω̄, about the centres of mass, body axes", r"\tau")

    @property
    def na(self) -> Named:
        return self._torque("n̄^a", "of applied forces, body axes", r"\bar{\mathbf{n}}^a", "a")

    @property
    def nm(self) -> Named:
        return self._torque("n̄^m", "of forces per unit mass, body axes", r"\bar{\mathbf{n}}^m", "m")

    @property
    def gyro(self) -> Named:
        return self._torque("−ω̃J̄ω̄", "body axes", r"-\tilde\omega\bar{\mathbf{J}}\bar\omega", "gyro")

    @property
    def loads(self) -> Named:
        """Generalised force of every load in a column: their sum is Q_e."""
        columns = [Q[self._l.order] for _, Q in self._loads.values()]
        return Named("Q_e", np.array(columns).T.reshape(len(self._l.order), len(columns)), self._l.speeds,
                     axis(self._loads, "loads"), "load by load", r"\mathbf{Q}_e")

    @property
    def Qe(self) -> Named:
        return self._over("Q_e", self._sum(), "external forces (F, τ)", r"\mathbf{Q}_e")

    @property
    def Qc(self) -> Named:
        return self._over("Q_c", -self._D.T @ self._lam, "constraint forces −C_qᵀλ", r"\mathbf{Q}_c")

    # ----------------------------------------------------------------------------------------------------- states

    def _signals(self, argument, channel, symbol, text, tex) -> Named:
        """A column over the signals that have this argument: differentials a rate, algebraic ones an equation."""
        names = [n for n, e in self.model.elements.items() if e.kind == "signal" and argument in e.arguments]
        values = np.array([float(np.asarray(getattr(self.state[n], channel))) for n in names])
        return Named(symbol, values, axis(names, symbol), None, text, tex)

    @property
    def states(self) -> Named:
        return self._signals("rate", "value", "z", "states", r"\mathbf{z}")

    @property
    def rates(self) -> Named:
        return self._signals("rate", "rate", "ż", "ż = f(t, q, q̇, z)", r"\dot{\mathbf{z}}")

    @property
    def unknowns(self) -> Named:
        return self._signals("equation", "value", "a", "g(t, q, q̇, z, a) = 0", r"\mathbf{a}")

    # -------------------------------------------------------------------------------------------------- partition

    @cached_property
    def _motions(self) -> np.ndarray:
        return null_space(self._work)[self._system.moving]

    @cached_property
    def _partition(self) -> partition.Partition:
        names = [self._system.speed_names[k] for k in self._system.moving]
        return partition.partition(self.model, self._system, self._D, self._gamma, self._motions, self._weight, names, self._wish)

    def _places(self, engine) -> list[int]:
        """Places in the layout of places in the engine's order, increasing for dependent ones."""
        where = {int(k): n for n, k in enumerate(self._l.order)}
        return [where[k] for k in engine]

    @property
    def _i(self) -> Axis:
        return self._l.speeds.take(self._places(self._partition.independent), "q_i")

    @property
    def _d(self) -> tuple[list[int], Axis]:
        places = sorted(self._places(self._partition.dependent))
        return [int(self._l.order[k]) for k in places], self._l.speeds.take(places, "q_d")

    @property
    def independent(self) -> list[str]:
        return list(self._i.names)

    @property
    def dependent(self) -> list[str]:
        return list(self._d[1].names)

    @property
    def B(self) -> Named:
        return Named("B_i", self._partition.B[self._l.order], self._l.speeds, self._i, "q̈ = B_i q̈_i + γ_i", r"\mathbf{B}_i")

    @property
    def gamma_i(self) -> Named:
        return self._over("γ_i", self._partition.gamma_i, "q̈ = B_i q̈_i + γ_i", r"\gamma_i")

    @property
    def Cqi(self) -> Named:
        p = self._partition
        return Named("C_qi", self._D[np.ix_(p.kept, p.independent)], self._l.rows.take(p.kept), self._i, "independent columns",
                     r"\mathbf{C}_{\mathbf{q}_i}")

    @property
    def Cqd(self) -> Named:
        kept, (places, names) = self._partition.kept, self._d
        return Named("C_qd", self._D[np.ix_(kept, places)], self._l.rows.take(kept), names, "dependent columns, invertible",
                     r"\mathbf{C}_{\mathbf{q}_d}")

    # ------------------------------------------------------------------------------------------------- identities

    @cached_property
    def identities(self) -> list[Identity]:
        """What must hold, each with its residual."""
        D, M, a, lam, p = self._D, self._mass, self._a, self._lam, self._partition
        Qe, Qc, B = self._sum(), -self._D.T @ self._lam, p.B
        K, x, rhs = (np.asarray(m) for m in (self.K, self.solution, self.rhs))
        ai = a[p.independent]
        forces = np.abs(M) @ np.abs(a) + np.abs(Qe) + np.abs(D).T @ np.abs(lam)
        return [
            _identity("K x = rhs", K @ x - rhs, np.abs(K) @ np.abs(x) + np.abs(rhs)),
            _identity("M q̈ = Q_e + Q_c", M @ a - Qe - Qc, forces),
            _identity("Φ_r ṙ + Π̄ ω̄ = ν", D @ self._v - self._nu, np.abs(D) @ np.abs(self._v) + np.abs(self._nu)),
            _identity("Φ_r δr + Π̄ δπ̄ = 0 for (δr, δπ̄) = B_i δq_i", D @ B, np.abs(D) @ np.abs(B)),
            _identity("B_iᵀ Q_c = 0", B.T @ Qc, np.abs(B).T @ (np.abs(D).T @ np.abs(lam))),
            _identity("q̈ = B_i q̈_i + γ_i", B @ ai + p.gamma_i - a, np.abs(B) @ np.abs(ai) + np.abs(p.gamma_i) + np.abs(a)),
            _identity("B_iᵀM B_i q̈_i = B_iᵀ(Q_e − M γ_i)", B.T @ (M @ (B @ ai + p.gamma_i) - Qe), np.abs(B).T @ forces),
        ]

    def theorem(self, b: np.ndarray | Sequence[float] | None = None) -> MultiplierTheorem:
        """The multiplier theorem with A = C_q and b = M q̈ − Q_e, or a b of one's own (forces over all speeds, layout's order)."""
        order, A = self._l.order, self.Cq
        own = self._mass @ self._a - self._sum()
        terms = (np.abs(self._mass) @ np.abs(self._a) + sum(np.abs(Q) for _, Q in self._loads.values()) if b is None else None)
        if b is not None:
            given = numbers(b)
            if given.shape != (len(order),) or not np.all(np.isfinite(given)):
                raise AnalysisError(f"theorem of '{self.model.name}': b has {len(order)} numbers, as C_q has columns; "
                                    f"got {b!r}")
        vector = Named("b", own[order] if b is None else given, self._l.speeds, None, "M q̈ − Q_e" if b is None else "as given",
                       r"\mathbf{b}")
        X = Named("X", self._motions[order], self._l.speeds, axis([f"x{k + 1}" for k in range(self._motions.shape[1])], "x"),
                  "A X = 0", r"\mathbf{X}")
        unique = self._motions.shape[1] + self._system.nc == self._system.freedoms
        return theorem(self.model.name, A, vector, X, self._lam if b is None else None, self._weight[np.ix_(order, order)],
                       unique, np.abs(np.asarray(vector)) if terms is None else terms[order])

    # ---------------------------------------------------------------------------------------------------- reading

    ALL = ("K", "rhs", "solution", "M", "J", "Phi_r", "Pi", "Cq", "nu", "gamma", "F", "Fa", "Fm", "tau", "na", "nm", "gyro",
           "loads", "Qe", "Qc", "acceleration", "multipliers", "B", "gamma_i", "Cqi", "Cqd")

    def _head(self) -> list[str]:
        s = self._system
        parts = " | ".join(f"{name} ({count})" for name, count in (self._l.speeds + self._l.multipliers).blocks[:8])
        more = len((self._l.speeds + self._l.multipliers).blocks) - 8
        lines = [f"equations of '{self.model.name}' at t = {self._t:g}, layout \"{self.layout}\": K x = rhs with {s.freedoms} + "
                 f"{s.nc} = {s.freedoms + s.nc} unknowns", f"  x = {parts}" + (f" | … {more} more" if more > 0 else "")]
        for z, text in ((self.states, "states"), (self.rates, "their rates"), (self.unknowns, "algebraic unknowns")):
            if len(z):
                few = zip(z.rows.names[:8], z.numpy, strict=False)
                lines.append(f"  {text}, .{text.split()[-1]}: {', '.join(f'{n} = {x:.6g}' for n, x in few)}"
                             + (f" … {len(z) - 8} more" if len(z) > 8 else ""))
        if self.redundant:
            lines.append(f"  {self.redundant} row(s) depend on others: K is singular; accelerations are unique, of the "
                         "multipliers those of dependent rows are set to zero")
        return lines

    def _tail(self) -> list[str]:
        if len(self.K) > QUICK:
            return ["  partition and identities: .independent, .B, .identities (computed when asked for)"]
        lines = [f"  independent: {', '.join(self.independent) or 'none (the constraints fix the motion)'}", "  identities:"]
        return lines + [f"    {i}" for i in self.identities]

    def __str__(self):
        K = self.K
        if len(K) <= NUMBERS:
            both = Named("K | x | rhs", np.column_stack([K.numpy, self.solution.numpy, self.rhs.numpy]), K.rows,
                         self.solution.rows + axis(["x"], "x") + axis(["rhs"], "rhs"))
            body = str(both).splitlines()[1:]
        else:
            body = str(K).splitlines()[1:]
        return "\n".join([*self._head(), *body, *self._tail(), f"  parts: {', '.join('.' + n for n in self.ALL)}"])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, tail = ("<br>".join(escape(line.strip()) for line in part) for part in (self._head(), self._tail()))
        return f"<p>{head}</p>{self.K._repr_html_()}{self.solution._repr_html_()}{self.rhs._repr_html_()}<p>{tail}</p>"


def _identity(text, difference, size) -> Identity:
    return Identity(text, float(np.abs(difference).max(initial=0.0)), float(np.abs(size).max(initial=0.0)))
