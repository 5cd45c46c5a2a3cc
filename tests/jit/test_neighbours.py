"""Other users of numba and LLVM in the process notice nothing; children forked beside running threads do not hang."""

import os
import subprocess
import sys
import textwrap

import pytest

from dalembert._jit import MODE

pytestmark = pytest.mark.skipif(MODE != "object", reason="kernels run as plain Python")

SCENE = """
import dalembert as da

def run(law, until=0.2):
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Torque("T", "rod", law))
    return da.simulate(m, until)["rod"].angle[-1]
"""

OTHERS = """
import math
import numba
import numpy as np
from numba.typed import List

def njit(k):
    f = numba.njit(lambda x: math.sin(x) + k)
    assert abs(f(0.5) - math.sin(0.5) - k) < 1e-15

def cfunc(k):
    f = numba.cfunc("float64(float64)")(lambda x: x * k)
    assert f.ctypes(2.0) == 2.0 * k

def vectorize(k):
    f = numba.vectorize(["float64(float64)"])(lambda x: x + k)
    assert np.all(f(np.arange(3.0)) == np.arange(3.0) + k)

def raising(k):
    @numba.njit
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return str(x) + "!"
    assert f(k) == f"{k}!"
    try:
        f(-1)
    except ValueError as error:
        assert str(error) == "negative"
    else:
        raise AssertionError

def lists(k):
    @numba.njit
    def f(n):
        a = List()
        for i in range(n):
            a.append(float(i))
        return a
    assert list(f(3 + k)) == [float(i) for i in range(3 + k)]

def objects(k):
    @numba.njit
    def f(x):
        with numba.objmode(y="float64"):
            y = float(len(str(x)))
        return y + k
    assert f(12) == 2 + k

def interpreter(k):
    f = numba.jit(forceobj=True)(lambda x: [x, {"k": k}])
    assert f("a") == ["a", {"k": k}]
"""

PATTERNS = ["njit", "cfunc", "vectorize", "raising", "lists", "objects", "interpreter"]


def python(text, **variables):
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=600,
                          env=os.environ | {k: str(v) for k, v in variables.items()})
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_numba_before_between_and_after_ours():
    first = textwrap.dedent(f"""
        others = [{", ".join(PATTERNS)}]
        for f in others: f(0)                                          # before
        quiet = run("sin(t)")
        for f in others: f(1)                                          # between
        a = run(lambda t: 1.0 if t < 0.1 else [0.5, 0.25][int(t)])
        for f in others: f(2)                                          # after
        assert a == run(lambda t: 1.0 if t < 0.1 else [0.5, 0.25][int(t)]) and quiet == run("sin(t)")
        print("done")
    """)
    assert python(SCENE + OTHERS + first).strip() == "done"


FORKS = """
import os, signal, threading, time
LAWS = [lambda t: 1.0 if t < 0.1 else 0.1 * t, lambda t: 2.0 if t < 0.1 else 0.1 * t, "sin(t)"]
for law in LAWS[:int(os.environ["LOADED"])]:
    run(law)
going = True
def work():
    k = 0
    while going:
        run(LAWS[k % 3])
        k += 1
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
bad = 0
for k in range(int(os.environ["FORKS"])):
    child = os.fork()
    if child == 0:
        try:
            run(LAWS[k % 3])
            os._exit(0)
        except BaseException:
            os._exit(1)
    end = time.monotonic() + 120
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            bad += status != 0
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            bad += 1
            break
        time.sleep(0.005)
going = False
for thread in threads: thread.join()
print(bad)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.parametrize("loaded", [0, 3])  # nothing loaded yet, so that threads load while children are made; all loaded
def test_forks_beside_threads_do_not_hang(loaded):
    count = int(os.environ.get("DALEMBERT_FORKS", "6"))
    assert python(SCENE + FORKS, LOADED=loaded, FORKS=count).strip() == "0"


BEGUN = """
import os, signal, sys, threading, time
import dalembert
open("slowly.py", "w").write("import time\\ntime.sleep(MOMENT)\\nhere = 1\\n".replace("MOMENT", os.environ["MOMENT"]))
sys.path.insert(0, os.getcwd())
def load(): import slowly
dalembert.wait_for_imports = lambda: False  # as if the import had begun a moment later
thread = threading.Thread(target=load)
thread.start()
while not getattr(getattr(sys.modules.get("slowly"), "__spec__", None), "_initializing", False): time.sleep(0.001)
child = os.fork()
if child == 0:
    signal.alarm(60)
    os.environ["MOMENT"] = "0"
    import slowly
    os._exit(0 if slowly.here == 1 else 1)
print(os.waitpid(child, 0)[1])
thread.join()
import slowly
assert slowly.here == 1
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_an_import_that_begins_just_before_a_fork_is_begun_anew_in_the_child(tmp_path, monkeypatch):
    """Of six forks beside threads one in a hundred hung so: its thread began to load a module after the fork had looked."""
    monkeypatch.chdir(tmp_path)
    assert python(BEGUN, MOMENT=1).strip() == "0"
