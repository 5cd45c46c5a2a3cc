"""Twenty cases of the hunt (tests/hunt/hunt.py); ``make hunt`` has a thousand."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import hunt

FIRST, COUNT = 0, 20


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_two_routes_agree(seed):
    row = hunt.case(seed)
    assert row["outcome"] != "FAILED", "\n".join(row["told"])


def test_it_resumes_and_sums_up(tmp_path):
    journal = tmp_path / "hunt.jsonl"
    rows = hunt.hunt(range(3, 5), journal)
    assert [json.loads(line) for line in journal.read_text().splitlines()] == rows
    bent = {"seed": 5, "kind": "motion", "outcome": "FAILED", "told": ["planted"]}
    with open(journal, "a") as file:
        file.write(json.dumps(bent) + "\n")
    said = []
    rows = hunt.hunt(range(3, 6), journal, show=said.append)
    assert rows[-1] == bent and "3 cases are in" in said[0]
    assert hunt.summary(rows).endswith("3 cases, 1 failures")


def test_a_wrong_answer_is_found(monkeypatch):
    """An answer bent by more than its estimate says is a failure."""
    import hunted
    import numpy as np

    original = hunted.da.simulate

    def bent(*args, **kw):
        run = original(*args, **kw)
        run._q[:, 0] += 1e-2 * np.sin(np.linspace(0, 3, len(run.t))) * (kw["rtol"] < 1e-4)
        run._finer._q[:, 0] += 1e-2 * np.sin(np.linspace(0, 3, len(run.t))) * (kw["rtol"] < 1e-4)
        return run

    monkeypatch.setattr(hunted.da, "simulate", bent)
    outcomes = [hunt.case(seed)["outcome"] for seed in (3, 8, 13)]
    assert set(outcomes) <= {"FAILED", "doubted", "agrees"} and outcomes.count("agrees") < 3
