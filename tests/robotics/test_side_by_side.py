"""One tree asked by several threads at once: every answer has the bits that it has alone."""

import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert._jit import MODE
from dalembert.robotics import single

sys.path.insert(0, str(Path(__file__).parents[1] / "formulations"))
from test_single import geared
from test_tree import random_tree, states

QUICK = MODE != "python"
ROUNDS, MANY = (150, 4000) if QUICK else (2, 20)


@pytest.fixture(autouse=True)
def busy():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def questions(tree, rows):
    """Everything a tree is asked, of states in rows: name, and a function of which states."""
    last, first = tree.bodies[-1], tree.bodies[0]
    asked = {
        "inverse": lambda q, v, x: tree.inverse_dynamics(q, v, x), "forward": lambda q, v, x: tree.forward_dynamics(q, v, x),
        "matrix": lambda q, v, x: tree.mass_matrix(q), "tip": lambda q, v, x: tree.jacobian(q, last, np.full(tree.dim, 0.3)),
        "base": lambda q, v, x: tree.jacobian(q, first),
        "slopes of forces": lambda q, v, x: np.stack(tree.inverse_derivatives(q, v, x)),
        "slopes of motions": lambda q, v, x: np.stack(tree.forward_derivatives(q, v, x)),
        "out": lambda q, v, x: tree.forward_dynamics(q, v, x, out=np.empty(np.shape(x))),
    }
    return {name: lambda k, f=f: f(*(x[k] for x in rows)) for name, f in asked.items()}


def at_once(tasks):
    threads = [threading.Thread(target=t) for t in tasks]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize("make", [random_tree, geared])
def test_single_calls(monkeypatch, make, views):
    """Of rows of doubles, and of lists, which go another way; in two threads, each about other states."""
    with monkeypatch.context() as patch:
        if views:
            patch.setattr(single, "made", lambda *given: None)
        tree = da.robotics.Tree(make(3))
    rows = states(tree, 8)
    asked = [questions(tree, rows), questions(tree, [x.tolist() for x in rows])]
    alone = {(name, k): f(k).tobytes() for name, f in asked[0].items() for k in range(8)}
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for k in rng.integers(8, size=ROUNDS).tolist():
            for way in asked:
                wrong.extend((name, k) for name, f in way.items() if f(k).tobytes() != alone[name, k])

    at_once([lambda seed=seed: work(seed) for seed in range(3)])
    assert not wrong


@pytest.mark.parametrize("make", [random_tree, geared])
def test_batches_beside_each_other_and_beside_single_calls(make):
    tree = da.robotics.Tree(make(5))
    rows = states(tree, MANY)
    asked = questions(tree, rows)
    some = slice(0, MANY), slice(MANY // 3, MANY), 0, MANY - 1
    alone = {(name, str(k)): f(k).tobytes() for name, f in asked.items() for k in some}
    wrong = []

    def work(seed):
        names = np.random.default_rng(seed).permutation(sorted(asked))
        for name in names.tolist():
            wrong.extend((name, k) for k in some if asked[name](k).tobytes() != alone[name, str(k)])

    at_once([lambda seed=seed: work(seed) for seed in range(3)] * 2)
    assert not wrong


def test_arrays_are_made_for_threads_and_not_for_calls():
    """As many as calls were ever under way at once."""
    tree = da.robotics.Tree(random_tree(3))
    rows = states(tree, 50)
    for _ in range(5):
        tree.inverse_dynamics(*rows)
        tree.inverse_derivatives(*rows)
        tree.jacobian(rows[0], tree.bodies[-1])
    assert len(tree._many.free) == len(tree._slopes.free) == 1
