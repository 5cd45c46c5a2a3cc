"""Contact runs on one thread: whatever number of threads libraries are allowed, the bits are the same."""

import os
import subprocess
import sys

SCRIPT = """
import hashlib
import dalembert as da
from dalembert import catalog
run = da.simulate(catalog.make("pouring", cubes=520), 1.1, step=0.55)
assert len(run["touch"].points(-1)["gap"]) > 100
print(hashlib.sha256(run.q.tobytes() + run.v.tobytes() + run["touch"].force.tobytes()).hexdigest())
"""


def test_any_number_of_threads_gives_the_same_bits():
    found = set()
    for number in ("1", "4"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
        done = subprocess.run([sys.executable, "-c", SCRIPT], env={**os.environ, **dict.fromkeys(names, number)},
                              capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1
    assert len(found.pop().strip()) == 64
