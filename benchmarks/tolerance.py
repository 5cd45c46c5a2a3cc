"""What rtol gives: errors of whole runs over the catalogue, and how well verify=True estimates them.

    python benchmarks/tolerance.py [--rtol 1e-4 1e-6 1e-8] [--only NAME ...] [--json FILE]

For every mechanism, integrator and tolerance: the true error (against rk8 at rtol 1e-13; largest over bodies and samples of
position / size and rotation) over rtol, the estimate over the true error for positions, rotations, velocities, angular
velocities and total energy, and the cost of verify=True in processor time and in evaluations.  Prints the tables of
docs/certificate.md.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

import dalembert as da
from dalembert import catalog
from dalembert.results.trust.estimate import LEAST, QUANTITIES, compare
from dalembert.results.trust.scales import scales

INTEGRATORS = ("rk8", "rk5", "radau", "alpha")
COARSE = {"alpha": 1e-6}  # the finest tolerance a method is meant for
BOUNDS = (3.0, 10.0)


def reference(model, until, times):
    return da.simulate(model, until, times=times, integrator="rk8", rtol=1e-13, atol=1e-15, formulation="augmented")


def differences(run, best):
    """True errors per body and quantity, and of the total energy, as the estimate defines them."""
    best.stats |= {"estimate": 1.0, "aim": 0.0}
    return largest(compare(run, best), run)


def estimates(run):
    return largest(run.certificate.error_estimate, run)


def largest(found, run):
    """The largest values of an estimate where errors are known (a finer run that stopped early is a doubt of its own)."""
    known = np.isfinite(run.certificate.error_estimate.energy["total"])
    out = {(b, q): float(getattr(e, q)[known].max()) for b, e in found.bodies.items() for q in QUANTITIES}
    return out | {("", "energy"): float(found.energy["total"][known].max())}


def floor(run, key):
    """Errors below this are not claimed: rounding (in the reference too), a small part of the tolerance of steps."""
    size, aim = scales(run), 2 * LEAST * run._finer.stats["aim"]
    x, v, _, e = (200 * r for r in size.rounding)
    x, v, e = x + aim * size.length, v + aim * size.speed, e + aim * run.energy.exchanged
    return {"position": x, "rotation": x / size.length, "velocity": v, "omega": v / size.length, "energy": e}[key[1]]


def case(entry, integrator, rtol, best):
    row = {"name": entry.name, "integrator": integrator, "rtol": rtol}
    model = entry.make()
    options = {"integrator": integrator, "rtol": rtol, "atol": 1e-3 * rtol}
    clock = time.process_time()
    plain = da.simulate(model, entry.until, **options)
    once = time.process_time() - clock
    clock = time.process_time()
    run = da.simulate(model, entry.until, verify=True, **options)
    twice = time.process_time() - clock
    true, guess = differences(run, best), estimates(run)
    length = scales(run).length
    whole = max(v / (length if q == "position" else 1.0) for (b, q), v in true.items() if q in ("position", "rotation"))
    calls = [sum(r.stats[k] for k in ("rhs_calls", "newton", "factorisations")) for r in (run, run._finer)]
    ratios = [guess[k] / true[k] for k in true if true[k] > floor(run, k)]
    found = run.certificate.error_estimate
    return row | {"factor": whole / rtol, "low": min(ratios, default=1.0), "ratios": ratios, "cost": 1 + calls[1] / calls[0],
                  "seconds": [once, twice], "growth": found.growth, "trusted": found.trusted, "doubts": run.certificate.doubts(),
                  "bits": bool(np.array_equal(plain.q, run.q))}




def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rtol", type=float, nargs="*", default=[1e-4, 1e-6, 1e-8])
    p.add_argument("--only", nargs="*", default=list(catalog.CATALOG))
    p.add_argument("--integrators", nargs="*", default=list(INTEGRATORS))
    p.add_argument("--json")
    a = p.parse_args()
    rows = []
    for name in a.only:
        entry = catalog.CATALOG[name]
        best = None
        for integrator in a.integrators:
            for rtol in a.rtol:
                if rtol < COARSE.get(integrator, 0.0):
                    continue
                try:
                    if best is None:
                        best = reference(entry.make(), entry.until, np.linspace(0.0, entry.until, 201))
                    rows.append(case(entry, integrator, rtol, best))
                except da.SimulationError as error:
                    rows.append({"name": name, "integrator": integrator, "rtol": rtol, "failed": str(error)})
                print(line(rows[-1]), flush=True)
                if a.json:
                    with open(a.json, "w") as file:
                        json.dump(rows, file)
    summary(rows)


def line(r):
    head = f"{r['name']:24}{r['integrator']:7}{r['rtol']:.0e}"
    if "failed" in r:
        return f"{head} {r['failed']}"
    grows = "" if r["growth"] is None else f"  e^({r['growth']:.2g} t)"
    until = "" if r["trusted"] is None else f"  until {r['trusted']:.3g}"
    return (f"{head} error/rtol {r['factor']:9.3g}  estimate/true {r['low']:6.2g} … {max(r['ratios'], default=1.0):6.2g}  cost "
            f"{r['cost']:.2f} ({r['seconds'][1] / r['seconds'][0]:.2f}){grows}{until}  {'; '.join(r['doubts'])[:90]}")


def summary(rows):
    good = [r for r in rows if "failed" not in r]
    print("\n| integrator | rtol | error / rtol: median | 90 % | largest | of |\n|---|---|---|---|---|---|")
    for i in INTEGRATORS:
        for rtol in sorted({r["rtol"] for r in good}, reverse=True):
            f = [(r["factor"], r["name"]) for r in good if r["integrator"] == i and r["rtol"] == rtol]
            if f:
                x = [v for v, _ in f]
                print(f"| {i} | {rtol:.0e} | {np.median(x):.2g} | {np.quantile(x, 0.9):.2g} | {max(x):.2g} | {max(f)[1]} |")
    ratios = np.concatenate([r["ratios"] for r in good])
    print(f"\n{len(good)} runs, {len(ratios)} estimates: true ≤ 3 × estimate in {np.mean(ratios >= 1 / 3):.1%}, ≤ 10 × in "
          f"{np.mean(ratios >= 0.1):.2%}; estimate ≤ 10 × true in {np.mean(ratios <= 10):.1%}")
    worst = np.array([r["low"] for r in good])
    print(f"by runs (worst quantity): true ≤ 3 × in {np.mean(worst >= 1 / 3):.1%}, ≤ 10 × in {np.mean(worst >= 0.1):.1%}")
    for i in INTEGRATORS:
        c = [r["cost"] for r in good if r["integrator"] == i]
        if c:
            once, twice = (sum(r["seconds"][k] for r in good if r["integrator"] == i) for k in (0, 1))
            print(f"cost {i}: median {np.median(c):.2f}, largest {max(c):.2f} (evaluations); {twice / once:.2f} (processor time)")


if __name__ == "__main__":
    main()
