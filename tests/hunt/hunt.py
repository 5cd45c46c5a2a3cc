"""The hunt for answers that are wrong in silence: random mechanisms, each asked twice by different routes.

    make hunt [COUNT=1000] [FROM=0]         python tests/hunt/hunt.py --seed 123      one case, with its figures

    motion   two of (integrator, form of the equations, tolerance), both verified: bodies further apart than 10 × the sum of
             their error estimates
    redundant  the same for over-constrained linkages, with axes along those of the ground or turned
    driven   kinematics beside a verified simulation; efforts and reactions by both methods of inverse dynamics and from the
             simulation
    rest     equilibrium beside a verified simulation from it; its stiffness beside linearize; linearize of the same model with
             its elements in another order; hold beside the drives of inverse dynamics

A case ends as agrees, FAILED, refused (an answer was declined: not wrong in silence, but worth a look), doubted (a certificate
warned), or skipped (no consistent state).  Cases done are kept in a journal (out/hunt.jsonl), and not done again.
"""

from __future__ import annotations

import argparse
import collections
import json
import signal
import sys
import traceback
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "formulations")]

import hunted  # noqa: E402

KINDS = ("motion", "motion", "redundant", "driven", "rest")
SECONDS = 30  # of the processor: a case that takes more did not end


class Endless(Exception):
    """A case that takes too long."""


def case(seed: int) -> dict:
    """One case: kind, outcome, what was found."""
    kind = KINDS[seed % len(KINDS)]
    rng = np.random.default_rng(seed)
    told: list[str] = []
    from dalembert.errors import DalembertError

    def late(number, frame):
        raise Endless

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        outcome = getattr(hunted, kind)(seed // len(KINDS), rng, told)
    except Endless:
        outcome, told = "FAILED", [*told, f"did not end within {SECONDS} s"]
    except DalembertError as error:
        stalled = "max_steps" in str(error)  # a run that does not end is no refusal
        outcome, told = "FAILED" if stalled else "refused", [*told, f"{type(error).__name__}: {error}"]
    except Exception:  # what users must never see
        outcome, told = "FAILED", [*told, traceback.format_exc(limit=-3)]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return {"seed": seed, "kind": kind, "outcome": outcome, "told": told}


def hunt(seeds, journal: Path | None = None, jobs: int = 1, show=print) -> list[dict]:
    done = {}
    if journal is not None and journal.exists():
        done = {row["seed"]: row for row in map(json.loads, journal.read_text().splitlines())}
    todo = [s for s in seeds if s not in done]
    if len(todo) < len(list(seeds)):
        show(f"{len(list(seeds)) - len(todo)} cases are in {journal} already")
    if journal is not None:
        journal.parent.mkdir(parents=True, exist_ok=True)
    for row in _results(todo, jobs):
        done[row["seed"]] = row
        if journal is not None:
            with open(journal, "a") as file:
                file.write(json.dumps(row) + "\n")
        if row["outcome"] == "FAILED":
            show(f"seed {row['seed']} ({row['kind']}) FAILED: python tests/hunt/hunt.py --seed {row['seed']}\n  "
                 + "\n  ".join(row["told"]))
    return [done[s] for s in seeds]


def _results(seeds, jobs):
    if jobs == 1:
        yield from map(case, seeds)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(case, seeds)


def summary(rows) -> str:
    count = collections.Counter((r["kind"], r["outcome"]) for r in rows)
    lines = [f"  {kind:10}" + "  ".join(f"{n} {outcome}" for (k, outcome), n in sorted(count.items()) if k == kind)
             for kind in dict.fromkeys(KINDS)]
    refused = collections.Counter(_shape(r["told"][-1]) for r in rows if r["outcome"] == "refused")
    lines += [f"  refused {n}×: {text}" for text, n in refused.most_common(12)]
    failed = sum(r["outcome"] == "FAILED" for r in rows)
    return "\n".join([*lines, f"{len(rows)} cases, {failed} failures"])


def _shape(text: str) -> str:
    """A message without its numbers and names."""
    import re

    return re.sub(r"'[^']*'", "'…'", re.sub(r"-?\d[\d.e+-]*", "#", text))[:150]


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--first", type=int, default=0, help="the first seed")
    p.add_argument("--seed", type=int, help="one case, with all it found")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--journal", type=Path, default=HERE.parents[1] / "out" / "hunt.jsonl")
    p.add_argument("--fresh", action="store_true", help="forget the journal")
    a = p.parse_args()
    if a.seed is not None:
        row = case(a.seed)
        print(f"{row['kind']}: {row['outcome']}", *row["told"], sep="\n  ")
        sys.exit(row["outcome"] == "FAILED")
    if a.fresh:
        a.journal.unlink(missing_ok=True)
    rows = hunt(range(a.first, a.first + a.count), a.journal, a.jobs, lambda text: print(text, flush=True))
    print(summary(rows))
    sys.exit(any(r["outcome"] == "FAILED" for r in rows))


if __name__ == "__main__":
    main()
