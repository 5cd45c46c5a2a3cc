"""The multiplier theorem on a mechanism: bᵀx = 0 for all x with A x = 0  ⇒  b = −Aᵀλ for some λ.

Proof in one line: bᵀx = 0 on the null space of A says that b has no part in it; what is orthogonal to the null space of A is the
row space, the span of the columns of Aᵀ.  Here A = C_q = [Φ_r Π̄] and b = M q̈ − Q_e: the principle of virtual work,
(M q̈ − Q_e)ᵀ δ = 0 for every displacement δ that the constraints allow, gives M q̈ + C_qᵀ λ = Q_e.

The null space is spanned by columns X; λ is found from b alone by least squares (the solver's λ is not used), and compared
with the solver's.  Rows that depend on others leave λ open: the smallest is shown, and −Aᵀλ compared instead.  A b of one's
own that does work in some x has no λ: what is left of it, and that x, are told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.analyses.toolbox.named import Named


@dataclass
class MultiplierTheorem:
    """A, b, X with A X = 0, bᵀX, and λ with b = −Aᵀλ; print it.

    Attributes
    ----------
    A, b, X, lam : named matrices
        The matrix, the vector that does no work, the null space, and the multipliers found.
    unique : bool
        Whether there is one λ only.
    model : text
        Name of the model.
    """

    model: str
    A: Named
    b: Named
    X: Named
    work: np.ndarray  # bᵀX, one number per column of X
    lam: Named
    rest: np.ndarray  # b + Aᵀλ
    scale: float  # of the work: |terms of b| |x|, in the metric of the masses
    size: float  # of b: the largest of the terms it is the sum of
    solver: np.ndarray | None  # λ of the solver, when b is M q̈ − Q_e
    unique: bool

    @property
    def holds(self) -> bool:
        """Whether bᵀx = 0 for every x that A allows (to 1e-9 of ``scale``): then b = −Aᵀλ."""
        return bool(np.abs(self.work).max(initial=0.0) <= 1e-9 * self.scale)

    @property
    def residual(self) -> float:
        """|b + Aᵀλ|, of the terms that make b."""
        return float(np.abs(self.rest).max(initial=0.0) / self.size)

    @property
    def difference(self) -> float | None:
        """How far λ (or, where λ is not unique, −Aᵀλ) is from the solver's, of its size."""
        if self.solver is None:
            return None
        mine, other = np.asarray(self.lam), self.solver
        if not self.unique:
            mine, other = np.asarray(self.A).T @ mine, np.asarray(self.A).T @ other
        return float(np.abs(mine - other).max(initial=0.0) / (np.abs(other).max(initial=0.0) or 1.0))

    def __str__(self):
        rows, columns = self.A.shape
        count = self.X.shape[1]
        lines = [f"the multiplier theorem on '{self.model}': bᵀx = 0 for all x with A x = 0  ⇒  b = −Aᵀλ",
                 f"  A = C_q, {rows} × {columns}; the x with A x = 0 have {count} dimension(s): {count} columns of X, |A X| = "
                 f"{np.abs(np.asarray(self.A) @ np.asarray(self.X)).max(initial=0.0):.1e}",
                 f"  b = {self.b.text}",
                 f"  bᵀX: largest {np.abs(self.work).max(initial=0.0):.2e} of {self.scale:.4g}: "
                 + ("no x does work" if self.holds else "some x does work")]
        if self.holds:
            lines.append(f"  so there is λ with b = −Aᵀλ; |b + Aᵀλ| is {self.residual:.1e} of the terms of b")
            if not self.unique:
                lines.append("  rows of A depend on each other: λ is not unique, the smallest is shown; −Aᵀλ is unique")
            if self.difference is not None:
                lines.append(f"  the solver's {'λ' if self.unique else '−Aᵀλ'} differs by {self.difference:.1e}")
            lines += [f"    {name}: {x:.6g}" for name, x in zip(self.lam.rows.names[:24], self.lam, strict=False)]
        else:
            k = int(np.argmax(np.abs(self.work)))
            lines.append(f"  so there is no λ: b + Aᵀλ keeps {self.residual:.3g} of the terms of b; column {k + 1} of X shows "
                         "where")
        return "\n".join(lines)

    __repr__ = __str__


def theorem(model, A: Named, b: Named, X: Named, solver, weight, unique, terms) -> MultiplierTheorem:
    """``weight``: M^(−1/2) in the layout's order, in which all entries of b and x compare; ``terms``: sizes that b is made of."""
    a, f, x = np.asarray(A), np.asarray(b), np.asarray(X)
    work = f @ x
    length = np.linalg.norm(a @ weight, axis=1)
    length = np.where(length > 0.0, length, 1.0)
    rows = (a @ weight) / length[:, None]
    lam = -np.linalg.lstsq(rows.T, weight @ f, rcond=1e-10)[0] / length if len(a) else np.zeros(0)
    scale = float(np.linalg.norm(np.abs(weight) @ terms))  # columns of X have length one in the metric
    found = Named("λ", lam, A.rows, None, "b = −Aᵀλ", r"\lambda")
    return MultiplierTheorem(model, A, b, X, work, found, f + a.T @ lam, scale or 1.0,
                             float(terms.max(initial=0.0)) or 1.0, solver, unique)
