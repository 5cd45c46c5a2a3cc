"""How well fitted parameters are known.

With J = ∂ output/∂ parameters at the best values, m data (of a weight that is not zero) and n parameters,

    s² = Σ (output − data)² / (m − n)          covariance = s² (JᵀJ)⁻¹

``deviations`` are the roots of its diagonal, ``intervals`` the best values ± Student's t of m − n degrees times these.  They hold
for independent errors of one size (weights= makes them so) and where the output is straight over an interval.

Singular values of J, its columns scaled to one, that vanish beside the largest belong to combinations of parameters that leave
the output as it is: those are named, and there are no deviations.  A parameter on its bound is left out, and named.
"""

from __future__ import annotations

import numpy as np

APART = 1e-7  # smallest singular value of the scaled jacobian beside the largest: below, a combination of parameters is open
COARSE = 1e-4  # the same where the jacobian comes from differences
EDGE = 1e-6  # of a range: this near to its end a parameter stands on it
PART = 0.1  # of the largest: a parameter that takes part in a combination


def judge(best, names, low, high, J, squares, exact, confidence, m) -> None:
    """Fill ``covariance``, ``deviations``, ``intervals`` and ``notes`` of ``best``.

    J is in the parameters' own units; m: data that count.
    """
    from scipy.stats import t as student

    x = np.array([best.values[n] for n in names])
    edge = [n for n, a, l, h in zip(names, x, low, high, strict=True) if min(a - l, h - a) <= EDGE * (h - l)]
    for n in edge:
        best.notes.append(f"{n} stands on the end of its range: how well it is known cannot be said, and the others are told as "
                          "if it were fixed there")
    free = [k for k, n in enumerate(names) if n not in edge]
    if not free:
        return
    kept, J = [names[k] for k in free], J[:, free]
    size = np.linalg.norm(J, axis=0)
    idle = [n for n, s in zip(kept, size, strict=True) if s == 0.0]
    if idle:
        best.notes.append(f"the output does not depend on {', '.join(idle)} at the best values")
        return
    _, sigma, vt = np.linalg.svd(J / size, full_matrices=len(kept) > len(J))
    sigma = np.append(sigma, np.zeros(len(kept) - len(sigma)))
    open_ = [v for s, v in zip(sigma, vt, strict=True) if s < (APART if exact else COARSE) * sigma[0]]
    for v in open_:
        part = np.abs(v) / size / [abs(x[k]) or high[k] - low[k] for k in free]  # as parts of the parameters themselves
        mixed = [n for n, a in zip(kept, part, strict=True) if a > PART * part.max()]
        best.notes.append(f"the data do not tell {' and '.join(mixed)} apart: moved together they leave the output as it is")
    if open_ or m <= len(kept):
        return
    inverse = (vt.T / sigma**2) @ vt / size / size[:, None]
    freedom = m - len(kept)
    covariance = squares / freedom * inverse
    factor = float(student.ppf(0.5 + 0.5 * confidence, freedom))
    best.covariance = np.full((len(names), len(names)), np.nan)
    best.covariance[np.ix_(free, free)] = covariance
    for k, n in zip(free, kept, strict=True):
        deviation = float(np.sqrt(best.covariance[k, k]))
        best.deviations[n] = deviation
        best.intervals[n] = (float(x[k] - factor * deviation), float(x[k] + factor * deviation))
        if deviation > high[k] - low[k]:
            best.notes.append(f"the data say nothing of {n}: its deviation is larger than its range")
    best.correlations = {(a, b): float(covariance[i, j] / np.sqrt(covariance[i, i] * covariance[j, j]))
                         for i, a in enumerate(kept) for j, b in enumerate(kept) if i < j}
