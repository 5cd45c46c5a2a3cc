"""The scoreboard says what is short of its aim, with the reason, and forgets no figure that it has."""

import json

import pytest

from benchmarks import aims, more
from benchmarks.problems import PROBLEMS
from benchmarks.runner import ROOT
from benchmarks.solve import CASES

STORED = json.loads((ROOT / "docs" / "benchmarks" / "scoreboard.json").read_text(encoding="utf-8"))


def figures(times):
    """A run whose figures are so many times the aims."""
    solve = {name: {"microseconds": 1.0} for name in CASES}
    found = {"solve": solve, "growth": {"sheet": [{"size": 16, "seconds": 1 / 6}, {"size": 32, "seconds": times}],
                                        "chain": [{"size": 1000, "seconds": 1.0}, {"size": 10000, "seconds": 11 * times}]},
             "more": {"Joint coordinates beside Pinocchio and MuJoCo": [
                 "7     pinocchio   single        0.95      1.79         0.67",
                 "7     batch: 8.7×, 9.7×, 5.9× faster than Pinocchio; single call: "
                 f"{0.8 * times:.4f}×, 0.60×, {0.8 * times:.4f}× its time",
                 "30    batch: 8.7×, 9.7×, 5.9× faster than Pinocchio; single call: 9.00×, 9.00×, 9.00× its time"],
                 "Sweep": [f"1 workers: 1300 variants/s by the clock, {1500 / times:.0f} per second of CPU, 0 failed",
                           "2 workers: 9999 variants/s by the clock, 9999 per second of CPU, 0 failed"]}}
    for aim in aims.AIMS:
        for name in solve:
            if aim.find({"solve": {name: {"microseconds": 1.0}}}) is not None:
                solve[name]["microseconds"] = times * aim.most
    return found


def test_every_aim_is_found_and_judged():
    assert aims.lines(figures(1.0)) == [f"All {len(aims.AIMS)} aims of speed are met in this run."]
    told = aims.lines(figures(1.5))
    assert len(told) == 2 + len(aims.AIMS)
    for aim, line in zip(aims.AIMS, told[2:], strict=True):
        assert line.startswith(f"- {aim.what}: {1.5 * aim.most:.3g}") and aim.why in line


@pytest.mark.parametrize("part", ["solve", "growth", "more"])
def test_parts_that_were_not_run_are_not_judged(part):
    data = figures(1.5)
    left = {name: found for name, found in data.items() if name != part}
    lost = [aim for aim in aims.AIMS if aim.find(data) is not None and aim.find(left) is None]
    assert lost and len(aims.lines(left)) == len(aims.lines(data)) - len(lost)
    assert aims.lines({}) == []


def test_it_reads_what_the_scripts_print():
    """A run that was: what it has is found."""
    older = {"one evaluation, sheet of 32²", "a variant of a sweep, CPU"}  # not yet in every stored run
    for aim in aims.AIMS:
        assert aim.what in older or aim.find(STORED) is not None, aim.what
    assert {"Sweep", "Joint coordinates beside Pinocchio and MuJoCo"} <= set(more.SCRIPTS)
    assert set(aims.BEHIND) <= set(PROBLEMS)


def test_a_problem_whose_lowest_ratio_is_short_is_told():
    ours = {"points": [{"seconds": 1.0, "errors": {"energy": 1e-6}, "settings": {}}]}
    peer = {"points": [{"seconds": 2.5, "errors": {"energy": 1e-5}, "settings": {}}]}
    p = {"title": "humanoid", "kind": "energy", "unit": "m", "levels": [1e-4], "target": 1.0,
         "results": {"dalembert": ours, "mujoco": peer}}
    told = aims.lines({"problems": {"humanoid": p}})
    assert len(told) == 3 and "2.5× at 1e-05 J" in told[2] and aims.BEHIND["humanoid"] in told[2]
    peer["points"][0]["seconds"] = 3.5
    assert aims.lines({"problems": {"humanoid": p}}) == ["All 1 aims of speed are met in this run."]
