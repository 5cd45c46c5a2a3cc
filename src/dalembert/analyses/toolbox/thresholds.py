"""What counts as nothing: the one rule behind "zero", "neutral", "stable", "determinate" and "redundant".

A computed number x has a bound e of its own error.  |x| ≤ e: it cannot be told from zero; |x| > e: it is there.  Within a factor
BORDER of e the verdict is near its border, and that is said.  Nothing is compared with the largest entry of a matrix in mixed
units: everything is first written along displacements of unit length in the metric of the masses (Nᵀ M N = 1; stiffness in
rad²/s², damping in rad/s, whatever the units of the model) or, for ranks, as sines of angles.

Where e comes from.  Derivatives by duals (exact.py) have no step: what rounding does to the matrix is sampled, E_s, and

    |δμ| ≤ (SAFETY · max_s |wᴴ E_s x|  +  POSE FACTOR n ε ‖A‖) / |wᴴ x|

with left and right eigenvectors w, x of the matrix A.  Differences of order eight (tangents.py) have in column j the error

    e_j = SPREAD · ρ/h_j          h_j: step along column j;  ρ: noise of the forces, projected (columns: samples)

ρ is measured, not guessed: the forces are evaluated at points a few roundings of the coordinates apart, one step away from the
pose, so large coordinates, stiff springs and cancelling forces all count as they are.  Truncation is measured too: the matrix
is computed with whole and with half steps; the halves are used, F = (whole − half)/COARSE bounds what they miss (1/2⁸ of it, in
theory).  To first order then

    |δμ| ≤ (SAFETY · max_s |wᴴ ρ_s| Σ_j |x_j| SPREAD/h_j  +  |wᴴ F x|  +  FACTOR n ε ‖A‖) / |wᴴ x|

The noise keeps its structure: what a stiff spring adds lies along its own force, and a soft mode does not see it.  The last
part is the eigenvalue solver's.  |wᴴ x| → 0 near a defective eigenvalue: a double zero that rounding has split to ±1e-7 has a
bound of that size, and counts as zero.

Stability means stability in motion.  μ² + C μ + K = 0 at a pose at rest; where K is symmetric, and C symmetric and not
negative, the signs of K's eigenvalues decide (Kelvin, Tait, Chetayev), otherwise the eigenvalues μ do: flutter under follower
loads, negative damping.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

EPS = float(np.finfo(float).eps)
SAFETY = 8.0  # over the largest of a few samples of the noise
SPREAD = 1.2  # of eight values with the weights of the difference: √(2 Σ w²)
FACTOR = 2.0  # backward error of an eigenvalue solver, in n ε ‖A‖
POSE = 4.0  # times that, for exact derivatives: they see the stiffness of a pose that is itself known to rounding only
COARSE = 64.0  # the whole steps miss 256 times what the halves do
BORDER = 3.0  # a verdict within this factor of its bound says so
REGULAR = 1e-6  # share of an unknown load that does work: below it the answer would exceed the loads a million times


@dataclass
class Noise:
    """Errors of a derivative: samples (rows × samples) of the noise of values, 1/step of each column, what the steps miss."""

    samples: np.ndarray
    steps: np.ndarray
    missed: np.ndarray | None = None

    def along(self, left, right) -> float:
        """Bound of leftᴴ E right."""
        if not len(self.steps):
            return 0.0
        rounding = float(np.abs(left.conj() @ self.samples).max(initial=0.0)) * SPREAD * float(np.abs(right) @ self.steps)
        return SAFETY * rounding + (0.0 if self.missed is None else float(abs(left.conj() @ self.missed @ right)))

    def each(self, left, right) -> np.ndarray:
        """The same for many: columns of left with those of right."""
        return np.array([self.along(x, y) for x, y in zip(left.T, right.T, strict=True)])

    def scaled(self, scale) -> Noise:
        """The same for states counted in other units: A → A · scale / scale[:, None]."""
        missed = None if self.missed is None else self.missed * scale / scale[:, None]
        return Noise(self.samples / scale[:, None], self.steps * scale, missed)


class Sampled(Noise):
    """Errors of exact derivatives: samples of what rounding does to the matrix itself."""

    def __init__(self, matrices):
        self.matrices = matrices
        super().__init__(np.zeros((0, 0)), np.zeros(0))

    def along(self, left, right) -> float:
        return SAFETY * max((float(abs(left.conj() @ E @ right)) for E in self.matrices), default=0.0)

    def each(self, left, right) -> np.ndarray:
        found = [np.abs((left.conj() * (E @ right)).sum(axis=0)) for E in self.matrices]
        return SAFETY * np.max(found, axis=0) if found else np.zeros(left.shape[1])

    def scaled(self, scale) -> Sampled:
        return Sampled([E * scale / scale[:, None] for E in self.matrices])


def of_motion(of_K: Noise, of_C: Noise) -> Noise:
    """Noise of [0 1; −K −C] from that of K and C."""
    if isinstance(of_K, Sampled) and isinstance(of_C, Sampled):
        n = len(of_K.matrices[0])
        return Sampled([np.block([[np.zeros((n, 2 * n))], [-E, -F]])
                        for E, F in zip(of_K.matrices, of_C.matrices, strict=True)])
    n = len(of_K.steps)
    missed = np.zeros((2 * n, 2 * n))
    missed[n:, :n] = of_K.missed if of_K.missed is not None else 0.0
    samples = np.vstack([np.zeros((n, of_K.samples.shape[1])), of_K.samples])
    return Noise(samples, np.concatenate([of_K.steps, of_C.steps]), missed)


@dataclass
class Spectrum:
    """Eigenvalues with a bound of the error of each; vectors are columns."""

    values: np.ndarray
    bounds: np.ndarray
    vectors: np.ndarray = field(repr=False)

    @property
    def zero(self) -> np.ndarray:
        return np.abs(self.values) <= self.bounds

    def near(self, part) -> np.ndarray:
        """Which of these (real) parts of the eigenvalues are so near their bound that it may be either."""
        return (np.abs(part) > self.bounds / BORDER) & (np.abs(part) <= self.bounds * BORDER)


def spectrum(A, noise: Noise | None = None, symmetric=False, basis=None) -> Spectrum:
    """Eigenvalues of A, each with the bound derived above (basis: columns along which A, but not its noise, is given)."""
    n = len(A)
    if not n:
        return Spectrum(np.zeros(0), np.zeros(0), np.zeros((0, 0)))
    if symmetric:
        values, right = np.linalg.eigh(0.5 * (A + A.T))
        left = right
    else:
        from scipy.linalg import eig

        values, left, right = eig(A, left=True, right=True)
    floor = (POSE if isinstance(noise, Sampled) else 1.0) * FACTOR * n * EPS * float(np.linalg.norm(A, 2))
    bounds = np.full(n, floor)
    if noise is not None:
        bounds += noise.each(left, right) if basis is None else noise.each(basis @ left, basis @ right)
    return Spectrum(values, bounds / np.maximum(np.abs((left.conj() * right).sum(axis=0)), EPS), right)


def silent(A, noise: Noise, count) -> tuple[np.ndarray, float]:
    """Orthonormal basis (columns) of what is left of A's states when directions among the first ``count`` that nothing depends
    on are split off: A [z; 0] = 0 within its noise.  In a basis with them apart A is block triangular with a zero block, so
    they give zeros and the rest keeps its eigenvalues; repeated until nothing is left to split.  (Their zeros are defective:
    left in, rounding would spread them over small true eigenvalues.)  Also the largest bound within which a direction was taken
    for silent.
    """
    n, slack = len(A), 0.0
    Y = np.eye(n)
    floor = FACTOR * n * EPS * (float(np.linalg.norm(A, 2)) if n else 0.0)
    while count:
        left, sigma, vt = np.linalg.svd((Y.T @ A @ Y)[:, :count], full_matrices=False)
        bounds = floor + noise.each(Y @ left, Y[:, :count] @ vt.T)
        there = [k for k, bound in enumerate(bounds) if sigma[k] > bound]
        if len(there) == count:
            break
        slack = max([slack, *(bound for k, bound in enumerate(bounds) if k not in there)])
        Y = np.column_stack([Y[:, :count] @ vt[there].T, Y[:, count:]])
        count = len(there)
    return Y, slack


def drowned(soft, bound) -> list[str]:
    """Parts of the model (name → stiffness they add) that are of the size of a bound: zeros within it may be rounding."""
    return [name for name, k in soft.items() if 1e-3 * bound < k < 10 * bound]


def balanced(A, count) -> tuple[np.ndarray, np.ndarray]:
    """A with the rates (rows from ``count`` on) counted in a time of the mechanism's own, and the scale of each state."""
    K, C = A[count:, :count], A[count:, count:]
    time = max(float(np.linalg.norm(K, 2)) ** 0.5 if K.size else 0.0, float(np.linalg.norm(C, 2)) if C.size else 0.0)
    scale = np.ones(len(A))
    scale[count:] = time if time > 0 and np.isfinite(time) else 1.0
    return A * scale / scale[:, None], scale


def working(free, load) -> tuple[float, np.ndarray]:
    """How well unknown loads are determined: the least share of a combination of them that does work, 0 … 1, and each one's own.

    ``free``: displacements (columns) of unit length, ``load``: forces (columns), both in one geometry (lengths over the
    mechanism's size): pure numbers, free of mass.  Refuse at REGULAR and below.
    """
    length = np.linalg.norm(load, axis=0)
    reduced = (free.T @ load) / np.where(length > 0, length, 1.0)
    own = np.linalg.norm(reduced, axis=0)
    if not reduced.shape[1]:
        return 1.0, own
    if reduced.shape[1] > reduced.shape[0]:
        return 0.0, own
    return float(np.linalg.svd(reduced, compute_uv=False)[-1]), own
