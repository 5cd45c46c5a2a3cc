"""Writes the references that dalembert itself gives at its finest (rk8, rtol 1e-13); says how far two tolerances differ.

python -m benchmarks.problems.make_own PROBLEM ...
"""

from __future__ import annotations

import json
import sys

import numpy as np

from benchmarks.engines import adaptor
from benchmarks.problems import OWN, PROBLEMS


def main(names: list[str]) -> None:
    for name in names:
        stored, key = OWN[name]
        problem = PROBLEMS[name]()
        engine = adaptor("dalembert")(problem.mechanism)
        ladder = ({"integrator": "rk8", "rtol": rtol, "atol": 1e-3 * rtol} for rtol in (1e-13, 1e-11))
        fine, coarse = (problem.track(engine.sample(settings, problem.times)) for settings in ladder)
        print(f"{name}: 1e-13 and 1e-11 differ by {np.abs(fine - coarse).max():.1e} m")
        text = {"source": "dalembert, rk8, rtol 1e-13", key: fine.tolist()}
        stored.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
