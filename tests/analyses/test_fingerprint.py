"""A model's fingerprint: the same in every process for the same description, another one for another description."""

import subprocess
import sys

import numpy as np

import dalembert as da
from dalembert.analyses.dynamics import model_hash

GAIN = 3.0
SCRIPT = """
import dalembert as da
from dalembert.analyses.dynamics import model_hash
gain = 2.0
def helper(x): return gain * x
def law(t, angle, rate): return -helper(rate)
m = da.Model("m", dim=2)
m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1))
m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
m.add(da.Motor("motor", "O", law))
print(model_hash(m))
"""


def one_arm(law=None, x=0.1):
    m = da.Model("m", dim=2)
    m.add(da.Body("a", mass=1, inertia=1, position=np.array([x, 0.0])))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    if law is not None:
        m.add(da.Motor("motor", "O", law))
    return m


def braking(gain):
    def law(t, angle, rate):
        return -gain * rate
    return law


def by_global(t, angle, rate):
    return -GAIN * rate


def test_a_model_with_a_python_law_keeps_it_from_process_to_process():
    found = {subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout for _ in range(2)}
    assert len(found) == 1
    assert len(found.pop().strip()) == 16


def test_what_a_law_computes_counts(monkeypatch):
    assert model_hash(one_arm(braking(1.0))) == model_hash(one_arm(braking(1.0)))
    assert model_hash(one_arm(braking(1.0))) != model_hash(one_arm(braking(2.0)))
    assert model_hash(one_arm(lambda t: t)) != model_hash(one_arm(lambda t: 2 * t))
    before = model_hash(one_arm(by_global))
    monkeypatch.setitem(globals(), "GAIN", 4.0)
    assert model_hash(one_arm(by_global)) != before


def test_all_digits_of_arrays_count():
    assert model_hash(one_arm(x=0.1)) == model_hash(one_arm(x=0.1))
    assert model_hash(one_arm(x=0.1)) != model_hash(one_arm(x=0.1 + 1e-12))


def test_objects_count_by_what_is_in_them():
    class Gain:
        def __init__(self, k, friend=None):
            self.k, self.friend = k, friend or self

        def law(self, t, angle, rate):
            return -self.k * rate

    assert model_hash(one_arm(Gain(1.0).law)) == model_hash(one_arm(Gain(1.0).law))
    assert model_hash(one_arm(Gain(1.0).law)) != model_hash(one_arm(Gain(2.0).law))
