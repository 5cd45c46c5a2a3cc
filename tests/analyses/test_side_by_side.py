"""Several threads at once: runs and linearizations of one model, and a stepper in each, have the bits they have alone."""

import sys
import threading

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert._jit import MODE

ROUNDS = 12 if MODE != "python" else 1


@pytest.fixture(autouse=True)
def busy():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def stepped(m, load):
    sim = da.stepper(m)
    sim.parameters["load"] = load
    found = []
    for k in range(40):
        sim.inputs["motor"] = 5.0 * np.sin(0.3 * k)
        sim.step(0.01)
        found.append(sim["lower"].position)
    return np.array(found).tobytes()


def arm():
    m = da.Model("arm", dim=2, gravity=(0, -9.81), parameters={"load": 1.0})
    m.add(da.Body.rod("upper", (0, 0), (1, 0), mass=2.0))
    m.add(da.Body.rod("lower", (1, 0), (1.8, 0), mass="load"))
    m.add(da.Revolute("shoulder", m.ground, "upper", at=(0, 0)))
    m.add(da.Revolute("elbow", "upper", "lower", at=(1, 0)))
    m.add(da.Motor("motor", "shoulder", 0.0))
    return m


def questions():
    one = catalog.make("four-bar")
    same = arm()
    return {
        "the same model": lambda: da.simulate(one, 0.5).q.tobytes(),
        "made anew": lambda: da.simulate(catalog.make("slider-crank"), 0.3).q.tobytes(),
        "chain": lambda: da.simulate(catalog.make("chain-in-space", n=4), 0.3).q.tobytes(),
        "linearize": lambda: da.linearize(catalog.make("double-pendulum")).A.tobytes(),
        "accelerations": lambda: da.accelerations(one).q.tobytes(),
        "read": lambda: da.simulate(one, 0.5).energy.total.tobytes(),
        "stepper": lambda: stepped(arm(), 1.5),
        "steppers of one model": lambda: stepped(same, 0.5),
    }


def test_bits_do_not_depend_on_who_else_asks():
    alone, wrong = {}, []
    for _ in range(4):  # known, and cast, from the third time on: the same
        for name, f in questions().items():
            assert alone.setdefault(name, f()) == f()
    asked = questions()

    def work(seed):
        for _ in range(ROUNDS):
            for name in np.random.default_rng(seed).permutation(sorted(asked)).tolist():
                try:
                    found = asked[name]()
                except Exception as error:
                    found = error
                if found != alone[name]:
                    wrong.append((name, found if isinstance(found, Exception) else ""))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
