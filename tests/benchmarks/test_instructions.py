"""The count of machine instructions: a rise is told, a fall is not, another compiler is not judged; counting itself on request.

DALEMBERT_INSTRUCTIONS=1 runs callgrind here too (make instructions does it alone).
"""

import copy
import json
import os

import pytest

from benchmarks import instructions


@pytest.fixture
def stored():
    return json.loads(instructions.STORED.read_text(encoding="utf-8"))


def test_stored_figures_cover_every_case(stored):
    assert set(stored["instructions"]) == set(instructions.CASES)
    assert all(set(entries) == set(instructions.ENTRIES) for entries in stored["instructions"].values())
    assert all(n > 1000 for entries in stored["instructions"].values() for n in entries.values())


def test_a_rise_is_told_by_case_and_entry(stored):
    found = copy.deepcopy(stored)
    found["instructions"]["Bricard"]["accelerations"] = round(1.04 * stored["instructions"]["Bricard"]["accelerations"])
    found["instructions"]["Andrews"]["project"] //= 2
    assert [text.split(":")[0] for text in instructions.risen(found, stored)] == ["Bricard, accelerations"]
    assert not instructions.risen({**found, "versions": {"numba": "0"}}, stored)


@pytest.mark.skipif(not os.environ.get("DALEMBERT_INSTRUCTIONS"), reason="two minutes of callgrind: DALEMBERT_INSTRUCTIONS=1")
def test_nothing_takes_more_instructions(stored):
    found = {"versions": instructions.versions(), "instructions": instructions.count()}
    assert not instructions.risen(found, stored)
