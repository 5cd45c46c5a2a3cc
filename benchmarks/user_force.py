"""What a user's own force costs: the time of one evaluation with a Python function as force, compiled, over the time without.

python -m benchmarks.user_force
"""

from __future__ import annotations

import time

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace

CASES: dict[str, tuple[str, dict, str]] = {
    "four-bar": ("four-bar", {}, "coupler"),
    "Andrews": ("andrews", {}, "K3"),
    "N-four-bar 10": ("n-four-bar", {"n": 10}, "coupler 5"),
}


def drag(t, x, v, out):
    """Quadratic drag on a body of the plane."""
    speed = (v[0] * v[0] + v[1] * v[1]) ** 0.5
    out[0] = -0.1 * speed * v[0]
    out[1] = -0.1 * speed * v[1]


def evaluation(model) -> float:
    """CPU seconds of one evaluation of the accelerations, least of repeats."""
    state = da.assemble(model)
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    solve = w.bound("accelerations")
    solve()
    best = float("inf")
    for _ in range(15):
        begin = time.process_time()
        for _ in range(5000):
            solve()
        best = min(best, (time.process_time() - begin) / 5000)
    return best


def cost(key: str, options: dict, body: str) -> dict[str, float]:
    without = catalog.make(key, **options)
    with_force = catalog.make(key, **options)
    with_force.add(da.UserForce("drag", body, drag))
    a, b = evaluation(without), evaluation(with_force)
    return {"without": a, "with": b, "share": (b - a) / a}


def measure() -> dict[str, dict[str, float]]:
    return {name: cost(*case) for name, case in CASES.items()}


if __name__ == "__main__":
    for name, f in measure().items():
        print(f"{name}: {1e6 * f['without']:.3f} µs, with a user force {1e6 * f['with']:.3f} µs ({100 * f['share']:+.1f} %)")
