"""Recompute chain_tips.json: the tip of the chain at half a second and one, by the O(n) recursion at two tolerances.

python -m benchmarks.problems.make_chain_tips
"""

from __future__ import annotations

import json

import numpy as np

from benchmarks.engines.numpy_chain import NumpyChain
from benchmarks.problems import chain

FINE = {10: 1e-13, 100: 1e-13, 1000: 1e-11}


def tips(n: int, rtol: float) -> np.ndarray:
    m = chain.mechanism(n)
    s = NumpyChain(m).sample({"method": "DOP853", "rtol": rtol, "atol": rtol / 10}, chain.TIMES)
    return s.point(m, f"link {n - 1}", (float(n), 0.0))


def main() -> None:
    found, spread = {}, {}
    for n in FINE:
        fine, coarse = tips(n, FINE[n]), tips(n, 10 * FINE[n])
        found[str(n)], spread[str(n)] = fine.tolist(), float(np.abs(fine - coarse).max())
    text = {
        "source": "planar chain of links of 1 m and 1 kg, released level: angles only, banded solve, DOP853 near rounding",
        "change_at_ten_times_the_tolerance": spread,
        "times": chain.TIMES.tolist(),
        "tips": found,
    }
    chain.STORED.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    print(spread)


if __name__ == "__main__":
    main()
