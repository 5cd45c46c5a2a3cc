"""Stability of a pose at rest, in motion: μ² + C μ + K = 0 along displacements of unit length in the metric of the masses.

    K symmetric, C symmetric and nowhere negative        signs of K's eigenvalues κ = −μ²          (Kelvin, Tait, Chetayev)
    C = 0, K not symmetric (follower loads)               κ complex: flutter; κ negative: it falls away
    otherwise                                             Re μ > 0: it grows, with Im μ ≠ 0 as flutter

Symmetric, negative, zero: within the error of what was computed (thresholds.py).  K and C are taken along the eigenvectors of K's
symmetric part first, where the noise of stiff springs stays with the stiff modes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.analyses.toolbox.thresholds import Noise, Spectrum, balanced, of_motion, spectrum


@dataclass
class Verdict:
    """``word``: stable, neutral, unstable or fixed; ``manner``: flutter or divergence; ``doubts``: where it is near a border."""

    word: str
    eigenvalues: np.ndarray
    bounds: np.ndarray
    growth: np.ndarray | None = None  # eigenvalues μ of the motion, when they decided
    manner: str = ""
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    down: np.ndarray | None = None  # a direction in which it falls away


def judge(K, C, of_K: Noise, of_C: Noise) -> Verdict:
    """The verdict on reduced stiffness and damping with their noise."""
    if not len(K):
        return Verdict("fixed", np.zeros(0), np.zeros(0))
    found = spectrum(K, of_K, symmetric=True)
    V = found.vectors
    if _even(K, V, of_K) and _even(C, V, of_C) and _resists(C, of_C):
        return _by_stiffness(found)
    plain = _sorted(spectrum(K, of_K))
    if not np.any(C):
        return _by_squares(plain)
    return _by_motion(K, C, of_K, of_C, plain)


def _even(A, V, noise) -> bool:
    """Whether A is symmetric within its noise."""
    if not A.any():  # no damping
        return True
    B, n = V.T @ A @ V, len(A)
    floor = 4 * n * np.finfo(float).eps * float(np.linalg.norm(A, 2))
    gaps = np.abs(B - B.T)
    return not any(gaps[i, j] > floor + noise.along(V[:, i], V[:, j]) + noise.along(V[:, j], V[:, i])
                   for i, j in np.argwhere(gaps > floor) if j < i)


def _resists(C, noise) -> bool:
    least = spectrum(C, noise, symmetric=True) if np.any(C) else None
    return least is None or bool(np.all(least.values >= -least.bounds))


def _sorted(s: Spectrum) -> Spectrum:
    order = np.lexsort((s.values.imag, s.values.real))
    return Spectrum(s.values[order], s.bounds[order], s.vectors[:, order])


def _told(x, e) -> str:
    value = f"{x.real:.4g}" if not np.iscomplexobj(x) or abs(x.imag) <= e else f"{x.real:.4g}{x.imag:+.4g}j"
    return f"{value} ± {e:.1g}"


def _by_stiffness(s: Spectrum) -> Verdict:
    least = s.values[0]
    word = "unstable" if least < -s.bounds[0] else "neutral" if np.any(s.zero) else "stable"
    near = s.near(s.values)
    doubts = [f"an eigenvalue of the reduced stiffness is {_told(s.values[k], s.bounds[k])}: it may have either sign"
              for k in np.flatnonzero(near) if word != "unstable" or k == 0]
    down = s.vectors[:, 0] if word == "unstable" else None
    return Verdict(word, s.values, s.bounds, None, "divergence" if word == "unstable" else "", doubts, down=down)


def _by_squares(s: Spectrum) -> Verdict:
    """C = 0: μ = ±√−κ, so everything but κ > 0 grows."""
    falls, waves = s.values.real < -s.bounds, (np.abs(s.values.imag) > s.bounds) & ~s.zero
    bad = falls | waves
    word = "unstable" if np.any(bad) else "neutral" if np.any(s.zero) else "stable"
    near = (s.near(s.values.real) & ~waves) | (s.near(s.values.imag) & ~falls)
    clear = bool(np.any(bad & ~near))
    doubts = [] if clear else [f"an eigenvalue of the reduced stiffness is {_told(s.values[k], s.bounds[k])}: growth or none, it "
                               "cannot be told" for k in np.flatnonzero(near)]
    manner = "" if word != "unstable" else "flutter" if np.any(waves) and not np.any(falls & ~waves) else "divergence"
    down = np.real(s.vectors[:, int(np.flatnonzero(falls)[0])]) if manner == "divergence" else None
    real = np.where(np.abs(s.values.imag) > s.bounds, s.values, s.values.real)
    return Verdict(word, real if np.any(waves) else real.real, s.bounds, None, manner, doubts, down=down)


def _by_motion(K, C, of_K, of_C, plain) -> Verdict:
    n = len(K)
    A, scale = balanced(np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]]), n)
    s = spectrum(A, of_motion(of_K, of_C).scaled(scale))
    grows = s.values.real > s.bounds
    word = "unstable" if np.any(grows) else "neutral" if np.any(s.zero) else "stable"
    near = s.near(s.values.real) & (s.values.real > 0) & ~s.zero
    doubts = [] if np.any(grows & ~near) else [
        f"an eigenvalue of the motion is {_told(s.values[k], s.bounds[k])}: whether it grows cannot be told"
        for k in np.flatnonzero(near & (s.values.imag >= 0))]
    waving = grows & (np.abs(s.values.imag) > s.bounds)
    manner = "" if word != "unstable" else "flutter" if np.any(waving) and not np.any(grows & ~waving) else "divergence"
    falls = plain.values.real < -plain.bounds
    down = np.real(plain.vectors[:, int(np.flatnonzero(falls)[0])]) if manner == "divergence" and np.any(falls) else None
    real = np.where(np.abs(plain.values.imag) > plain.bounds, plain.values, plain.values.real)
    values = real if np.any(np.iscomplex(real)) else real.real
    return Verdict(word, values, plain.bounds, s.values[np.lexsort((-s.values.imag, -s.values.real))], manner, doubts, down=down)
