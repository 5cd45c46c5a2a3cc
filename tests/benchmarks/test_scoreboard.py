"""The scoreboard itself: ratios, a peer that is missing, crashes or hangs, and the page it writes."""

import pytest

from benchmarks import compare, front, more, plots, runner, table
from benchmarks.shares import LEAST, START, Shares
from dalembert.integrators.layout import STEPS


def point(seconds, energy):
    return {"settings": {"rtol": 1e-6}, "seconds": seconds, "errors": {"energy": energy}}


def result(*points, status="ok", why=""):
    return {"status": status, "why": why, "setup": 0.1, "points": list(points), "failures": []}


RESULTS = {
    "dalembert": result(point(1.0, 1e-4), point(2.0, 1e-7)),
    "mujoco": result(point(5.0, 1e-4), point(90.0, 1e-6)),
    "exudyn": result(point(0.5, 1e-2), point(8.0, 1e-5)),
    "pinocchio": result(status="missing", why="No module"),
}


def test_every_engine_has_a_name_a_colour_and_a_mark():
    from benchmarks.engines import PLACES

    assert set(PLACES) <= set(table.NAMES) == set(plots.COLOURS) == set(plots.MARKS)
    assert len(set(plots.MARKS.values())) == len(plots.MARKS) == len(set(plots.COLOURS.values()))


def test_ratio_is_taken_at_equal_or_better_accuracy():
    found = compare.ratio(RESULTS, "energy", 1e-4)
    assert (found["name"], found["ratio"]) == ("mujoco", 5.0)
    found = compare.ratio(RESULTS, "energy", 1e-5)
    assert (found["name"], found["ratio"]) == ("exudyn", 4.0)
    assert compare.ratio(RESULTS, "energy", 1e-9)["ratio"] is None
    assert compare.lowest(RESULTS, "energy")["ratio"] == 4.0


def test_an_accuracy_that_only_a_peer_reaches_counts_as_lost():
    results = RESULTS | {"mujoco": result(point(5.0, 1e-12))}
    assert compare.lowest(results, "energy")["ratio"] == 0.0


def test_what_is_slower_is_shown_first(monkeypatch):
    monkeypatch.setitem(table.REASONS, "x", "Because of this.")
    slow = {"dalembert": result(point(1.0, 1e-5)), "mujoco": result(point(0.5, 1e-5))}
    problem = {"title": "X", "kind": "energy", "unit": "m", "levels": [1e-4], "target": 2.0, "results": slow}
    lines = table.slower({"problems": {"x": problem}})
    assert "Slower" in lines[0] and "MuJoCo is faster" in lines[2] and lines[2].endswith("Because of this.")
    good = table.slower({"problems": {"y": problem | {"results": RESULTS}}})
    assert good[0].startswith("Nothing is slower")


def test_a_missing_peer_is_marked_in_the_table():
    problem = {"title": "X", "kind": "energy", "unit": "m", "levels": [1e-4], "target": 2.0, "results": RESULTS}
    text = "\n".join(table.full({"problems": {"x": problem}}))
    assert "| Pinocchio | not installed |" in text
    assert "| x, 1.0e-04 | dalembert | rtol 1e-06 | 1 s |" in text


def worker(tmp_path, text):
    """A module that takes the worker's place."""
    (tmp_path / "fake_worker.py").write_text(text)
    env = runner.environment() | {"PYTHONPATH": str(tmp_path)}
    return runner.lines(["fake_worker"], 5.0, env)


def test_a_crashing_worker_keeps_its_lines(tmp_path):
    text = "import os, signal\nprint('#{\"seconds\": 1}', flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    found, ended = worker(tmp_path, text)
    assert found == [{"seconds": 1}]
    assert ended == "SIGSEGV"


def test_a_hanging_worker_is_ended(tmp_path):
    text = "import time\nprint('#{\"seconds\": 1}', flush=True)\ntime.sleep(100)\n"
    (tmp_path / "fake_worker.py").write_text(text)
    found, ended = runner.lines(["fake_worker"], 1.0, runner.environment() | {"PYTHONPATH": str(tmp_path)})
    assert (found, ended) == ([{"seconds": 1}], "timeout")


def test_a_failing_worker_says_why(tmp_path):
    found, ended = worker(tmp_path, "raise MemoryError('too large')\n")
    assert found == [] and ended == "exit code 1: MemoryError: too large"


@pytest.mark.parametrize("engine", ["dalembert", "numpy"])
def test_a_real_race(engine):
    found = runner.measure("chain-10", engine, 4.0)
    assert found["status"] == "ok" and len(found["points"]) >= 2
    assert min(p["errors"]["energy"] for p in found["points"]) < 1e-3


def test_an_engine_that_cannot_express_a_problem_is_marked():
    found = runner.measure("bricard", "numpy", 1.0)
    assert (found["status"], found["points"]) == ("unable", [])


def test_time_that_is_left_is_shared_and_never_used_up_by_the_first():
    now = [0.0]
    shares = Shares(100.0, clock=lambda: now[0])
    assert shares.budget(6.0, 2, kept=0.5) == 6.0  # plenty
    assert shares.budget(60.0, 10, kept=0.5) == pytest.approx(50.0 / 10 - START)
    efforts = [1.0, 5.0, 1.0, 2.0]
    given = [shares.budget(1e9, 4, 0.5, e / sum(efforts)) for e in efforts]  # by effort; all of them together are what is left
    assert given[1] == pytest.approx(5.0 * given[0]) and sum(given) == pytest.approx(50.0 - 4 * START)
    now[0] = 99.0
    assert shares.budget(6.0, 10, kept=0.5) == LEAST  # late: little, but something
    assert shares.left() == 1.0
    shares.measured("x", 90.0)
    assert shares.took == {"x": 9.0}


def test_the_first_page_gets_the_table_between_its_marks(tmp_path):
    versions = {"dalembert": "0.1.0", "mujoco": "4.0", "drake": "not installed"}
    machine = {"date": "2026-11-18", "cpu": "CPU", "cores": 2, "versions": versions}
    problem = {"title": "X", "kind": "energy", "unit": "m", "levels": [1e-4], "target": 2.0, "results": RESULTS}
    page = tmp_path / "README.md"
    page.write_text(f"before\n{front.BEGIN}\nold\n{front.END}\nafter\n", encoding="utf-8")
    front.write({"machine": machine, "problems": {"x": problem}}, page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{front.BEGIN}\n") and text.endswith(f"{front.END}\nafter\n") and "old" not in text
    assert "| X | 1.0e-04 J | 1 s | MuJoCo 5 s | 5× |" in text and "MuJoCo 4.0" in text and "Drake" not in text
    again = page.read_text(encoding="utf-8")
    front.write({"machine": machine, "problems": {"x": problem}}, page)
    assert page.read_text(encoding="utf-8") == again
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(SystemExit, match="no marks"):
        front.write({"machine": machine, "problems": {"x": problem}}, page)


def test_the_readme_has_the_marks():
    text = (runner.ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count(front.BEGIN) == text.count(front.END) == 1


def test_a_script_that_fails_or_hangs_says_so_in_its_table():
    assert more.output(["-c", "print('a'); print('b')"], 20.0) == ["a", "b"]
    assert more.output(["-c", "print('a'); raise ValueError('why')"], 20.0) == ["a", "ended with code 1: ValueError: why"]
    assert more.output(["-c", "import time; print('a', flush=True); time.sleep(60)"], 1.0)[-1] == "not finished after 1 s"


def test_what_is_kept_for_later_is_a_part_of_the_whole():
    now = [0.0]
    shares = Shares(600.0, clock=lambda: now[0])
    now[0] = 500.0
    assert shares.left(0.1) == pytest.approx(40.0) and shares.left() == pytest.approx(100.0)


def test_a_whole_simulate_that_is_slower_than_a_peer_is_told():
    problem = {"title": "P", "kind": "energy", "unit": "m", "levels": [1e-4], "target": 1.0}
    quick, slow = (result({**point(1.0, 1e-4), "call": call}) for call in (4.9, 5.1))
    for ours, told in ((quick, False), (slow, True), (RESULTS["dalembert"], False)):
        lines = table.slower({"problems": {"p": problem | {"results": {**RESULTS, "dalembert": ours}}}})
        assert any("P at 1.0e-04 J (5.1 s against MuJoCo's 5 s)" in line for line in lines) == told


def test_what_is_timed_is_what_was_asked():
    """The prepared stepper of a setting makes the steps of a run with that setting, in any order of the ladder."""
    from benchmarks.engines.dalembert_engine import Dalembert
    from benchmarks.problems import PROBLEMS

    problem = PROBLEMS["pendulum"]()
    engine = Dalembert(problem.mechanism)
    ladder = [s for s in engine.settings(problem) if 1e-4 <= s["rtol"] <= 1e-2]
    assert len({(s["integrator"], s["rtol"], s.get("formulation")) for s in ladder}) < len(ladder)  # some differ in atol alone
    steps = {repr(s): engine._simulate(s, [problem.until]).stats["steps"] for s in ladder}
    assert len(set(steps.values())) > 3
    for s in (*ladder, *reversed(ladder)):
        for _ in range(2):
            assert engine.run(s, problem.until) > 0.0
            assert int(engine._prepared[1]._engine.state.count[STEPS]) == steps[repr(s)], s
