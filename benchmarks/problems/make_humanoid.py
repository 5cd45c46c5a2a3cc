"""Writes humanoid.json: where hands and feet of the falling figure are, by Pinocchio's recursion and SciPy's DOP853.

python -m benchmarks.problems.make_humanoid
"""

from __future__ import annotations

import json

from benchmarks.engines import adaptor
from benchmarks.problems import humanoid


def main() -> None:
    problem = humanoid.make()
    engine = adaptor("pinocchio")(problem.mechanism)
    samples = engine.sample({"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}, problem.times)
    text = {"source": "Pinocchio aba, SciPy DOP853, rtol 1e-13", "ends": problem.track(samples).tolist()}
    humanoid.STORED.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
