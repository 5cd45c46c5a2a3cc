"""kill -9 while results are written: the file is the previous one or the new one, whole, and nothing reported saved is lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dalembert as da

SRC = str(Path(da.__file__).parents[1])
WRITER = """
import dalembert as da
from dalembert.catalog import make
run = da.simulate(make("slider-crank"), 0.5)
n = 0
while True:
    n += 1
    run.save({path!r}, extra={{"n": n}})
    print(n, flush=True)
"""


@pytest.mark.parametrize("seed", range(int(os.environ.get("DALEMBERT_KILLS", "5"))))
def test_a_killed_writer_leaves_a_whole_file(tmp_path, seed):
    path = tmp_path / "r.h5"
    child = subprocess.Popen([sys.executable, "-c", WRITER.format(path=str(path))], stdout=subprocess.PIPE, text=True,
                             env=os.environ | {"PYTHONPATH": SRC})
    assert child.stdout.readline().strip() == "1"
    time.sleep(np.random.default_rng(seed).uniform(0.0, 0.2))
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate()
    reported = max([1, *(int(x) for x in rest.split("\n")[:-1] if x)])
    run = da.load(path)
    assert run.extra["n"] in (reported, reported + 1)
    assert run.status == "complete" and len(run.t) == 201
    run.save(path)  # and it can be written again
    assert [f for f in os.listdir(tmp_path) if not f.endswith(".part")] == ["r.h5"]


RUNNER = """
import dalembert as da
from dalembert.analyses.simulation import checkpoint
from dalembert.catalog import make
checkpoint.EVERY_SECONDS = 0.0
written = checkpoint.Checkpoint.write
def told(self, *args):
    written(self, *args)
    print("saved", flush=True)
checkpoint.Checkpoint.write = told
da.simulate(make("chain"), 40.0, rtol=1e-8, checkpoint={path!r}).save({result!r})
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def uninterrupted():
    from dalembert.catalog import make

    return da.simulate(make("chain"), 40.0, rtol=1e-8)


@pytest.mark.parametrize("seed", range(int(os.environ.get("DALEMBERT_KILLS", "5"))))
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, seed, uninterrupted):
    from dalembert.catalog import make

    path, result = tmp_path / "run.npz", tmp_path / "run.h5"
    child = subprocess.Popen([sys.executable, "-c", RUNNER.format(path=str(path), result=str(result))], stdout=subprocess.PIPE,
                             text=True, env=os.environ | {"PYTHONPATH": SRC})
    assert child.stdout.readline().strip() == "saved"
    time.sleep(np.random.default_rng(seed).uniform(0.0, 0.3))
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate()
    run = da.load(result) if "done" in rest else da.resume(make("chain"), path)
    assert np.array_equal(run.t, uninterrupted.t) and np.array_equal(run.q, uninterrupted.q)


def test_a_saved_part_of_a_run_goes_on(tmp_path, uninterrupted):
    """Stopped by hand, saved, loaded, resumed: the same bits as without the stop."""
    from dalembert.catalog import make

    def stop(t):
        if t > 5.0:
            raise KeyboardInterrupt

    with pytest.raises(da.SimulationInterrupted) as caught:
        da.simulate(make("chain"), 40.0, rtol=1e-8, progress=stop)
    caught.value.run.save(tmp_path / "part.h5")
    part = da.load(tmp_path / "part.h5")
    assert part.status == "stopped" and part.t[-1] < 40.0
    assert np.array_equal(da.resume(part).q, uninterrupted.q)
