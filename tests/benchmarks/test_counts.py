"""Regression guard without clocks: operation counts of kernels and fixed runs stay what they were (benchmarks/counts.py).

A rise beyond the margin fails.  So does a large fall, which should be kept: python -m benchmarks.counts --write.
"""

import json

import pytest

from benchmarks import counts

MARGIN = {"multiply-adds": 0.0, "lines": 0.02, "evaluations": 0.10}  # runs: rounding differs from CPU to CPU
FALL = 0.25


def flat(tree, at=()):
    if isinstance(tree, dict):
        return {k: v for key, branch in tree.items() for k, v in flat(branch, (*at, key)).items()}
    return {at: tree}


@pytest.fixture(scope="module")
def found():
    return flat(counts.all_counts())


@pytest.fixture(scope="module")
def stored():
    return flat(json.loads(counts.STORED.read_text(encoding="utf-8")))


def risen(found, stored):
    return {k: (stored[k], n) for k, n in found.items() if n > stored[k] * (1 + MARGIN[k[0]])}


def test_nothing_got_slower(found, stored):
    assert set(found) == set(stored), "counted things changed: python -m benchmarks.counts --write"
    assert not risen(found, stored), f"more operations than before (was, is): {risen(found, stored)}"


def test_the_stored_counts_are_sharp(found, stored):
    fallen = {k: (stored[k], found[k]) for k in stored if k in found and found[k] < stored[k] * (1 - FALL)}
    assert not fallen, f"faster than stored (was, is): {fallen}; keep it: python -m benchmarks.counts --write"


def test_slow_downs_are_seen(stored):
    """One more multiply-add, 3 % more lines, or a fifth more evaluations than stored are caught, each on its own."""
    for key, more in (
        (("multiply-adds", "chain 100"), 1),
        (("lines", "four-bar", "accelerations"), 400),
        (("evaluations", "Bricard, rk8", "rhs_calls"), 240),
    ):
        assert set(risen(stored | {key: stored[key] + more}, stored)) == {key}
