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
