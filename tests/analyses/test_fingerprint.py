"""A model's fingerprint: the same in every process for the same description, another one for another description."""

import subprocess
import sys
import types

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.dynamics import model_hash
from dalembert.io.functions import described, identified

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


@pytest.mark.parametrize("way", ["module", "inside", "deep", "class", "instance", "spline", "guarded"])
def test_what_lies_behind_names_counts(way, monkeypatch):
    """Values in modules and classes of the user's own, in objects that show nothing of themselves, and where a try ends."""

    def made(k):
        import scipy.interpolate

        module, inner = types.ModuleType("mine_e"), types.ModuleType("mine_e.part")
        module.__spec__ = inner.__spec__ = None
        module.part, module.gain, inner.gain = inner, k, k
        monkeypatch.setitem(sys.modules, "mine_e", module)
        spline = scipy.interpolate.CubicSpline([0.0, 1.0, 2.0], [k, k, k])

        class Own:
            gain = k

            def __call__(self, t):
                return self.gain if t > 0 else 0.0

        def inside(t):
            import mine_e

            return mine_e.gain if t > 0 else 0.0

        def guarded_all(t):
            try:
                abs(t)
                int(t)
            except ValueError:
                return 0.0
            return 1.0

        def guarded_first(t):
            try:
                abs(t)
            except ValueError:
                return 0.0
            else:
                int(t)
            return 1.0

        return {"module": lambda t: module.gain if t > 0 else 0.0, "inside": inside,
                "class": lambda t: Own.gain if t > 0 else 0.0,
                "deep": eval("lambda t: mine_e.part.gain if t > 0 else 0.0", {"mine_e": module}), "instance": Own(),
                "spline": lambda t: float(spline(t)), "guarded": guarded_all if k == 1.0 else guarded_first}[way]

    assert described(made(1.0)) == described(made(1.0))
    assert identified(made(1.0)) == identified(made(1.0))
    assert described(made(1.0)) != described(made(2.0))
    assert identified(made(1.0)) != identified(made(2.0))
