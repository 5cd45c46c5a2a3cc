"""Sweeps: which variants, what is kept, what is reported, what survives a kill; the best of them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.studies.outputs import Output
from dalembert.analyses.studies.variants import variants

SRC = str(Path(da.__file__).parents[1])


def pendulum():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81), parameters={"l": 1.0, "m": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass="m"))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    return m


def test_grids_lists_and_samples():
    assert variants({"a": [1, 2], "b": range(3)})[4] == {"a": 2, "b": 1}
    assert variants({"a": [1, 2], "b": [3, 4]}, "list") == [{"a": 1, "b": 3}, {"a": 2, "b": 4}]
    latin = variants({"a": (0, 1), "b": (10, 20)}, "latin", 50, seed=3)
    for name, low, width in (("a", 0, 1), ("b", 10, 10)):
        assert sorted(int((row[name] - low) / width * 50) for row in latin) == list(range(50))
    assert latin == variants({"a": (0, 1), "b": (10, 20)}, "latin", 50, seed=3)
    assert latin != variants({"a": (0, 1), "b": (10, 20)}, "latin", 50)
    random = variants({"a": (5, 6)}, "random", 100)
    assert all(5 <= row["a"] <= 6 for row in random)


@pytest.mark.parametrize(("call", "message"), [
    (lambda m: da.sweep(m, {"k": [1]}, da.simulate, 1.0), r"has no parameter 'k' \(parameters: l, m\)"),
    (lambda m: da.sweep(m, {"ll": [1]}, da.simulate, 1.0), r"has no parameter 'll': did you mean 'l'\?"),
    (lambda m: da.sweep(m, {"l": []}, da.simulate, 1.0), "parameter 'l' has no values"),
    (lambda m: da.sweep(m, {}, da.simulate, 1.0), "name at least one parameter"),
    (lambda m: da.sweep(m, {"l": [1, 2], "m": [1]}, da.simulate, 1.0, sampling="list"), r"equally many values \(l: 2, m: 1\)"),
    (lambda m: da.sweep(m, {"l": (1, 2)}, da.simulate, 1.0, sampling="latin"), "needs count="),
    (lambda m: da.sweep(m, {"l": 3}, da.simulate, 1.0, sampling="random", count=3), r"needs \(lowest, highest\) for 'l'"),
    (lambda m: da.sweep(m, {"l": [1]}, da.simulate, 1.0, sampling="gird"), "sampling is one of grid, list, random, latin"),
    (lambda m: da.sweep(m, {"l": [1]}, 2.0), "the third argument is the analysis"),
    (lambda m: da.sweep(m, {"l": [1]}, da.simulate, 1.0, outputs={"x": 3}), "give a function of the result or a channel"),
    (lambda m: da.sweep(m, {"l": [1]}, da.simulate, 1.0, save="x.jsonl"), "say what to keep with outputs="),
    (lambda m: da.sweep(lambda a: m, {"l": [1]}, da.simulate, 1.0), "cannot be called with l"),
])
def test_slips_are_told(call, message):
    with pytest.raises(da.AnalysisError, match=message):
        call(pendulum())


def test_rows_are_what_single_calls_give():
    table = da.sweep(pendulum(), {"l": [0.5, 1.0], "m": [1.0, 3.0]}, da.simulate, 0.7, workers=2, outputs={
        "force": "max O.force", "x": "last rod.position.x", "tip": lambda run: run.point("rod", (0.5, 0))[-1], "t": "t"})
    for row in table:
        m = pendulum()
        m.parameters.update(l=row["l"], m=row["m"])
        run = da.simulate(m, 0.7)
        assert row["force"] == np.linalg.norm(run["O"].force, axis=1).max()
        assert row["x"] == run["rod"].position[-1, 0] and row["tip"] == run.point("rod", (0.5, 0))[-1].tolist()
    assert table["force"].shape == (4,) and table["tip"].shape == (4, 2) and table["t"].shape == (4, 201)
    assert table["force"][1] == pytest.approx(3 * table["force"][0], rel=1e-6)  # three times the mass


def test_without_outputs_the_results_are_kept():
    many = da.sweep(pendulum(), {"m": range(1, 4)}, da.simulate, 0.2)
    assert [r.model.parameters["m"] for r in many.results] == [1, 2, 3]
    assert "3 computed, 0 failed" in repr(many)


def test_failures_are_rows_with_a_message(tmp_path):
    table = da.sweep(pendulum(), {"m": [1.0, -1.0, 2.0]}, da.simulate, 0.2, outputs=["last rod.angle"], workers=2)
    assert [f["m"] for f in table.failed] == [-1.0]
    assert "mass of Body 'rod' must be positive, got -1" in table.failed[0]["message"]
    assert np.isnan(table["last rod.angle"][1]) and np.isfinite(table["last rod.angle"][[0, 2]]).all()
    table.to_csv(tmp_path / "s.csv")
    lines = (tmp_path / "s.csv").read_text().splitlines()
    assert lines[0] == "m,last rod.angle [rad],message" and "must be positive" in lines[2]
    with pytest.raises(da.AnalysisError, match=r"no column 'angel'"):
        _ = table["angel"]


def deadly(model, until):
    """An analysis that takes its process with it for one variant."""
    if model.parameters["m"] == 7.0:
        os.kill(os.getpid(), signal.SIGKILL)
    return da.simulate(model, until, times=[until])


def test_a_variant_that_kills_its_process_is_reported_and_the_others_are_there():
    table = da.sweep(pendulum(), {"m": np.arange(1.0, 21.0)}, deadly, 0.1, outputs=["last rod.angle"], workers=2)
    assert [f["m"] for f in table.failed] == [7.0]
    assert "the process that computed it died" in table.failed[0]["message"]
    assert len(table.known) == 20


def test_a_model_may_be_a_function():
    from dalembert.catalog.four_bar import make

    table = da.sweep(make, {"speed": [5.0, 10.0]}, da.simulate, 0.1, outputs={"rate": "first A.rate"})
    assert table["rate"] == pytest.approx([5.0, 10.0])


def test_channels():
    run = da.simulate(pendulum(), 0.3)
    assert Output("max O.force")(run) == np.linalg.norm(run["O"].force, axis=1).max()
    assert Output("rms rod.angle")(run) == pytest.approx(np.sqrt(np.mean(run["rod"].angle**2)))
    assert Output("energy.total")(run).shape == run.t.shape
    assert Output("certificate.position_error")(run) == run.certificate.position_error
    for text, says in (("rod.weight", "'rod' has no 'weight'"), ("max O.frce", "'O' has no 'frce': did you mean 'force'"),
                       ("max rodd.x", "there is no 'rodd' in the result: did you mean 'rod'")):
        with pytest.raises(da.AnalysisError, match=says):
            Output(text)(run)


# ------------------------------------------------------------------------------------------------- the journal


def swept(path, count=40, **kw):
    return da.sweep(pendulum(), {"l": np.linspace(0.5, 2, count)}, da.simulate, 0.2, times=[0.2], save=path,
                    outputs={"angle": "last rod.angle"}, **kw)


def test_a_journal_is_taken_up_again(tmp_path):
    whole = swept(tmp_path / "a.jsonl", workers=2)
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_bytes(b"".join(lines[:20]) + lines[20][:7])  # cut in the middle of a line
    seen = []
    again = swept(tmp_path / "b.jsonl", workers=1, progress=lambda done, all: seen.append(done))
    assert np.array_equal(whole["angle"], again["angle"]) and min(seen) > 19
    rows = [json.loads(x) for x in (tmp_path / "b.jsonl").read_bytes().splitlines()[1:]]
    assert sorted(r["k"] for r in rows) == list(range(40))


def test_another_sweep_does_not_touch_the_journal(tmp_path):
    swept(tmp_path / "a.jsonl", 5)
    before = (tmp_path / "a.jsonl").read_bytes()
    with pytest.raises(da.FileError, match=r"belongs to another sweep \(different: variants\)"):
        swept(tmp_path / "a.jsonl", 6)
    (tmp_path / "c.txt").write_text("my notes\n")
    with pytest.raises(da.FileError, match="is not the journal of a sweep"):
        swept(tmp_path / "c.txt")
    assert (tmp_path / "a.jsonl").read_bytes() == before and (tmp_path / "c.txt").read_text() == "my notes\n"


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from test_sweep import swept
swept({path!r}, {count}, workers=2, progress=lambda done, all: print(done, flush=True))
"""


def killed_and_resumed(path, seed, count=300):
    """Kill a sweep at a random moment after it has begun to report; returns how many it had reported saved."""
    code = SCRIPT.format(tests=str(Path(__file__).parent), path=str(path), count=count)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                             env=os.environ | {"PYTHONPATH": SRC})
    reported = int(child.stdout.readline())
    time.sleep(np.random.default_rng(seed).uniform(0, 0.15))
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate()
    return max([reported, *map(int, [x for x in rest.split("\n")[:-1] if x.strip()])])


@pytest.mark.parametrize("seed", range(int(os.environ.get("DALEMBERT_KILLS", "5"))))
def test_killed_sweeps_lose_nothing_and_resume_to_the_same_table(tmp_path, seed):
    path = tmp_path / "killed.jsonl"
    reported = killed_and_resumed(path, seed)
    saved = [json.loads(x)["k"] for x in path.read_bytes().split(b"\n")[1:-1]]
    assert len(saved) >= reported and len(set(saved)) == len(saved)
    again = swept(path, 300, workers=2)
    assert not again.failed and len(again.known) == 300
    rows = [json.loads(x)["k"] for x in path.read_bytes().split(b"\n")[1:-1]]
    assert sorted(rows) == list(range(300))
    if seed == 0:
        assert np.array_equal(again["angle"], swept(None, 300, workers=1)["angle"])


# --------------------------------------------------------------------------------------------------- optimisation


def test_optimize_finds_the_length_with_the_shortest_period():
    """A rod hung at a distance d from its middle swings fastest for d = l/√12."""
    def hung(d):
        m = da.Model("rod", dim=2, gravity=(0, -9.81))
        m.add(da.Body("rod", mass=1.0, inertia=1 / 12, position=(1e-3 * d, -d)))
        m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
        return m

    def quarter(run):
        return run.events[0][1]

    best = da.optimize(hung, {"d": (0.05, 0.5)}, da.simulate, 3.0, goal=quarter, events=["rod.x"], times=[3.0], rtol=1e-10)
    assert best.success and best.values["d"] == pytest.approx(1 / np.sqrt(12), abs=2e-4)
    most = da.optimize(pendulum(), {"m": (1.0, 5.0)}, da.simulate, 0.2, goal="max O.force", maximize=True, trials=60)
    assert most.values["m"] == pytest.approx(5.0, rel=1e-3) and most.model.parameters["m"] == most.values["m"]


def test_fit_finds_stiffness_and_damping():
    m = da.Model("oscillator", dim=2, parameters={"k": 50.0, "c": 1.0})
    m.add(da.Body("mass", mass=2.0, inertia=1.0, position=(1, 0)))
    m.add(da.Prismatic("slide", m.ground, "mass", axis=(1, 0)))
    m.add(da.Spring("s", m.ground, "mass", at_i=(-1, 0), at_j=(1, 0), stiffness="k", damping="c", length=1.5))
    truth = m.copy()
    truth.parameters.update(k=83.0, c=2.5)
    times = np.linspace(0, 2, 60)
    data = da.simulate(truth, 2.0, times=times)["mass"].position[:, 0]
    best = da.fit(m, {"k": (10, 200), "c": (0, 10)}, da.simulate, 2.0, times=times, output="mass.position.x", data=data)
    assert best.values["k"] == pytest.approx(83.0, rel=1e-4) and best.values["c"] == pytest.approx(2.5, rel=1e-3)
    with pytest.raises(da.AnalysisError, match=r"the output has shape \(60,\), the data \(3,\)"):
        da.fit(m, {"k": (10, 200)}, da.simulate, 2.0, times=times, output="mass.position.x", data=[1, 2, 3])


def test_goals_that_are_none():
    with pytest.raises(da.AnalysisError, match=r"the goal must be one number, it has shape \(201,\)"):
        da.optimize(pendulum(), {"m": (1, 2)}, da.simulate, 0.2, goal="rod.angle")
    with pytest.raises(da.AnalysisError, match=r"give \(lowest, highest\)"):
        da.optimize(pendulum(), {"m": (2, 1)}, da.simulate, 0.2, goal="max O.force")


def children() -> set[str]:
    """Processes that this one started (Linux tells)."""
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        found |= set((thread / "children").read_text().split())
    return found


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_an_interrupted_sweep_leaves_no_processes_behind(tmp_path):
    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    before = children()  # laws have a process of their own, which stays
    with pytest.raises(Enough):
        swept(tmp_path / "s.jsonl", 200, workers=2, progress=stop)
    assert children() <= before
    assert len(swept(tmp_path / "s.jsonl", 200, workers=2).known) == 200


def test_outputs_of_a_single_state():
    table = da.sweep(pendulum(), {"m": [1.0, 2.0]}, da.accelerations, outputs={"force": "max O.force"})
    assert table["force"] == pytest.approx(np.array([1.0, 2.0]) * 9.81 / 4)
