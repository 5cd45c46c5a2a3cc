"""Settings of SciPy's integrators, for the engines that have none of their own: coarse first.

DOP853 at the usual absolute tolerance, and as wide as the relative one where that is coarse (coordinates that begin at zero need
not be exact there); RK45 beside it, which needs less for a few digits.
"""

from __future__ import annotations

from collections.abc import Iterator


def tolerances() -> Iterator[dict]:
    for exponent in range(3, 13):
        for method in ("RK45", "DOP853") if exponent <= 6 else ("DOP853",):
            for finer in (0, 2) if exponent <= 5 else (2,):
                yield {"method": method, "rtol": float(f"1e-{exponent}"), "atol": float(f"1e-{exponent + finer}")}
