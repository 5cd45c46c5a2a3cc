"""What a gradient costs: exact derivatives beside differences, in one run, one thread, CPU time, best of a few.

    python benchmarks/gradients.py [--json FILE]

Evaluation: one ``accelerations``.  In evaluations: eight directions of δv̇ and δλ at once; K, C, G of Newton's method, exact and
by differences.  Runs: the gradient of the last coordinate in n parameters as a user asks for it (moved tables, assembly and
channels included; the plain run too), by tangents and by the adjoint; what moving tables and start takes of it; beside the 2 n
runs of central differences, which have half the digits, and how far apart the two are.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

import dalembert as da
from dalembert import catalog
from dalembert.analyses.derived.moves import moved
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.derivatives import derivatives_of
from dalembert.formulations.augmented.newton.engine import NewtonWork

MECHANISMS = (("four-bar", {}), ("andrews", {}), ("bricard", {}), ("chain-in-space", {"n": 20}))
EIGHT = ("l1", "l2", "l3", "l4", "m2", "m3", "m4", "omega2")
RUNS = (("four-bar", 20.0, "A", EIGHT), ("four-bar-springs", 20.0, None, None), ("andrews", 0.1, None, None),
        ("bricard", 5.0, None, ("l", "m", "g")))


def best(call, number=1, repeats=5) -> float:
    """CPU seconds of one call."""
    call()
    found = np.inf
    for _ in range(repeats):
        begin = time.process_time()
        for _ in range(number):
            call()
        found = min(found, (time.process_time() - begin) / number)
    return found


def directions(figures) -> None:
    print(f"{'mechanism':<18}{'evaluation µs':>14}{'8 directions':>14}{'K, C, G':>10}{'by differences':>16}   in evaluations")
    for name, options in MECHANISMS:
        state = da.assemble(catalog.make(name, **options))
        w = workspace(state.system)
        w.set(state.t, state.q, state.v)
        w.run("accelerations")
        d = derivatives_of(w)
        d.seeds(None, np.random.default_rng(1).standard_normal((state.system.nv, 8)))
        calls = (d.bound("directions"), NewtonWork(w).bound("differentiate"), NewtonWork(w, exact=False).bound("differentiate"))
        number = max(10, int(1e-2 / best(w.bound("accelerations"), 100, 2)))
        one = best(w.bound("accelerations"), number)
        found = [best(call, max(3, number // 5)) / one for call in calls]
        figures[f"directions {name}"] = [1e6 * one, *found]
        print(f"{name:<18}{1e6 * one:>14.2f}{found[0]:>14.2f}{found[1]:>10.1f}{found[2]:>16.1f}")


def runs(figures) -> None:
    print(f"\n{'run':<18}{'parameters':>11}{'plain ms':>10}{'gradient':>10}{'moving':>8}{'adjoint':>9}{'differences':>13}"
          f"{'apart':>10}   in plain runs")
    for name, until, joint, names in RUNS:
        model = catalog.make(name)
        joint = joint or next(n for n, e in model.elements.items() if e.kind == "joint")
        names = names or [n for n, value in model.parameters.items() if not isinstance(value, str) and value][:16]
        state = da.assemble(model)

        def last(run, joint=joint):
            return float(run[joint].coordinate[-1])

        def plain(model=model, until=until):
            return da.simulate(model, until, times=[0.0, until], rtol=1e-9, formulation="augmented")

        def exact(method="forward", model=model, until=until, names=names, last=last):
            return da.sensitivities(model, list(names), da.simulate, until, times=[0.0, until], rtol=1e-9, method=method,
                                    formulation="augmented", outputs={"x": last})["x"]

        def moving(model=model, names=names, state=state):
            return moved(model, state.system, names, "benchmark", begin=(state.q, state.v))

        def differences(model=model, names=names, last=last):
            found = {}
            for n in names:
                h = 1e-4 * abs(model.parameter_values()[n])
                moved = []
                for sign in (1.0, -1.0):
                    other = model.copy()
                    other.parameters[n] = model.parameter_values()[n] + sign * h
                    moved.append(last(plain(other)))
                found[n] = (moved[0] - moved[1]) / (2 * h)
            return found

        one = best(plain, repeats=3)
        gradient, tables, other = best(exact, repeats=3) / one, best(moving, repeats=3) / one, best(differences, repeats=1) / one
        back = best(lambda exact=exact: exact("adjoint"), repeats=2) / one
        a, b = exact(), differences()
        apart = max(abs(float(a[n]) - b[n]) for n in names) / max(abs(b[n]) for n in names)
        figures[f"gradient {name}"] = [1e3 * one, gradient, other, apart, tables, back]
        print(f"{name:<18}{len(names):>11}{1e3 * one:>10.1f}{gradient:>10.1f}{tables:>8.2f}{back:>9.1f}{other:>13.1f}"
              f"{apart:>10.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the figures to this file too")
    options = parser.parse_args()
    figures: dict = {}
    directions(figures)
    runs(figures)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
