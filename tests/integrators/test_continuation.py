"""Chunks, interruptions, resuming, and the two ways to run a kernel all give the same numbers."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rk_problems import Case

from dalembert._jit import MODE
from dalembert.integrators.registry import records
from dalembert.integrators.status import OK, STOPPED, TOO_MANY_STEPS

TIMES = np.linspace(0, 20, 57)

EXPLICIT = [name for name, m in records().items() if not m.needs]


def case():
    return Case("pendulum_xy", [1.0, 0.0, 0.0, 0.0], p=(9.81, 0.0), project="circle_project",
                events="circle_event", n_events=1)


def same(a, b):
    np.testing.assert_array_equal(a.y, b.y)
    np.testing.assert_array_equal(a.events.t, b.events.t)
    assert a.stats == b.stats


@pytest.mark.parametrize("method", EXPLICIT)
def test_chunks_do_not_change_a_bit(method):
    whole = case().solve(TIMES, method=method, budget=10**9)
    assert whole.status == OK
    for budget in (1, 7, None):
        same(whole, case().solve(TIMES, method=method, budget=budget))


@pytest.mark.parametrize("method", EXPLICIT)
def test_stopped_saved_and_resumed(method, tmp_path):
    whole = case().solve(TIMES, method=method)
    for steps in (0, 1, 13, 100):
        part = case().solve(TIMES, method=method, max_steps=steps)
        assert part.status == TOO_MANY_STEPS
        np.savez(tmp_path / "state.npz", **part.state)
        saved = dict(np.load(tmp_path / "state.npz"))
        rest = case().solve(TIMES, method=method, resume=saved)
        assert rest.status == OK
        np.testing.assert_array_equal(np.hstack([part.y, rest.y]), whole.y)
        np.testing.assert_array_equal(np.concatenate([part.events.t, rest.events.t]), whole.events.t)
        assert rest.stats == whole.stats


def test_progress_and_keyboard_interrupt():
    seen = []

    def progress(t):
        seen.append(t)
        if len(seen) == 3:
            raise KeyboardInterrupt

    whole = case().solve(TIMES)
    part = case().solve(TIMES, on_progress=progress, budget=5)
    assert part.status == STOPPED and len(seen) == 3 and seen == sorted(seen)
    np.testing.assert_array_equal(part.y, whole.y[:, :part.t.size])
    rest = case().solve(TIMES, resume=part.state)
    np.testing.assert_array_equal(np.hstack([part.y, rest.y]), whole.y)


@pytest.mark.parametrize("heard", [signal.SIG_IGN, signal.SIG_DFL, signal.default_int_handler, lambda number, frame: None],
                         ids=["ignored", "system", "python", "own"])
def test_ctrl_c_where_it_is_ignored_and_where_it_is_heard(heard):
    """What was there is there again; only a process that ignores Ctrl-C is not stopped by it."""
    before = signal.signal(signal.SIGINT, heard)
    try:
        part = case().solve(TIMES, budget=5, on_progress=lambda t: os.kill(os.getpid(), signal.SIGINT))
        assert signal.getsignal(signal.SIGINT) is heard or signal.getsignal(signal.SIGINT) == heard
    finally:
        signal.signal(signal.SIGINT, before)
    assert (part.status == STOPPED) == (heard != signal.SIG_IGN)


def test_ctrl_c_and_flag():
    before = signal.getsignal(signal.SIGINT)
    part = case().solve(TIMES, budget=5, on_progress=lambda t: os.kill(os.getpid(), signal.SIGINT))
    assert part.status == STOPPED
    assert signal.getsignal(signal.SIGINT) is before
    flag = np.ones(1, np.int64)
    stopped = case().solve(TIMES, interrupt=flag)
    assert stopped.status == STOPPED and stopped.stats["steps"] == 0 and stopped.t.tolist() == [0.0]


SCRIPT = """
from rk_problems import Case
import numpy as np
for method in ("dp54", "dop853"):
    case = Case("pendulum_xy", [1.0, 0.0, 0.0, 0.0], p=(9.81, 0.0), project="circle_project",
                events="circle_event", n_events=1)
    s = case.solve(np.linspace(0, 0.6, 7), method=method, rtol=1e-9, atol=1e-9)
    print(s.stats["steps"], s.stats["rejected"], s.stats["rhs_calls"], *s.y.ravel(), *s.events.t)
"""


@pytest.mark.skipif(MODE != "object", reason="compares the compiled kernels with plain Python")
def test_plain_python_gives_the_same():
    source = str(Path(sys.modules["dalembert"].__file__).parents[1])
    runs = []
    for jit in ("1", "0"):
        environment = dict(os.environ, DALEMBERT_JIT=jit,
                           PYTHONPATH=os.pathsep.join([source, str(Path(__file__).parent)]))
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True,
                              check=True)
        runs.append([[float(word) for word in line.split()] for line in done.stdout.splitlines()])
    for compiled, plain in zip(*runs, strict=True):
        assert compiled[:3] == plain[:3]
        np.testing.assert_allclose(compiled[3:], plain[3:], rtol=1e-14, atol=1e-14)
