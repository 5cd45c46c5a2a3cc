"""Calls with one state: the same bits on the quick way as on the plain one, whatever the arguments are made of."""

import array
import copy
import inspect
import os
import pickle
import sys
import threading
import types
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert._jit import builtin
from dalembert.model.rotors import add_rotor
from dalembert.robotics import single

sys.path.insert(0, str(Path(__file__).parents[1] / "formulations"))
from test_tree import random_tree, states

QUICK = bool(builtin._code())  # Python mode and other interpreters have no function objects: views of memory then
SEEDS = range(12)  # even ones in the plane


def geared(seed):
    """A random tree in space, whose joints of one freedom have armature."""
    m = random_tree(2 * seed + 1)
    rng = np.random.default_rng(seed)
    for name in da.robotics.Tree(m).names:
        if name in m.elements:
            add_rotor(m, name, float(rng.uniform(0.1, 2.0)), (0.0, 0.0, 0.0))
    return m


def both(monkeypatch, m):
    """A tree, and one that takes arrays by views of memory."""
    with monkeypatch.context() as patch:
        patch.setattr(single, "made", lambda *given: None)
        plain = da.robotics.Tree(m)
    return da.robotics.Tree(m), plain


def calls(tree):
    """Every function of one state that goes the quick way, with what it takes: one, two or three of q, v, a."""
    return ((tree.inverse_dynamics, 3), (tree.forward_dynamics, 3), (tree.mass_matrix, 1),
            (lambda q: tree.jacobian(q, tree.bodies[-1], np.full(tree.dim, 0.3)), 1))


def outcome(call, given):
    """The answer bit by bit, or what is said."""
    try:
        found = call(*given)
    except Exception as error:
        return type(error), str(error)
    return found.shape, found.tobytes()


def test_the_quick_way_is_taken():
    tree = da.robotics.Tree(random_tree(3))
    ways = tree._inverse, tree._forward, tree._matrix, tree._jacobian
    assert all(isinstance(w, types.BuiltinFunctionType) == QUICK for w in ways)


@pytest.mark.parametrize("make", [random_tree, geared])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_bits(monkeypatch, seed, make):
    """As by views of memory, as lists, and as rows of many states (by the code for one) to rounding."""
    tree, plain = both(monkeypatch, make(seed))
    assert tree._geared == (make is geared)
    rows = states(tree, 20, seed)
    for x in zip(*rows, strict=True):
        for (f, n), (g, _) in zip(calls(tree), calls(plain), strict=True):
            found = f(*x[:n])
            assert found.tobytes() == g(*x[:n]).tobytes() == f(*(y.tolist() for y in x[:n])).tobytes()
            assert type(found) is np.ndarray and found.flags.writeable and (found.base is None or make is geared)
    for f, n in calls(tree)[:3]:
        many, one = f(*rows[:n]), np.array([f(*x) for x in zip(*rows[:n], strict=True)])
        np.testing.assert_allclose(many, one, rtol=0, atol=1e-10 * np.abs(one).max())


def test_the_laws_hold_on_the_quick_way():
    """forward ∘ inverse = 1, and H is what forces per acceleration are, with armature and without."""
    for seed in SEEDS:
        for make in (random_tree, geared):
            tree = da.robotics.Tree(make(seed))
            q, v, a = (x[0] for x in states(tree, 1, seed))
            tau = tree.inverse_dynamics(q, v, a)
            np.testing.assert_allclose(tree.forward_dynamics(q, v, tau), a, rtol=1e-8, atol=1e-8)
            rest = tree.inverse_dynamics(q, v, np.zeros(tree.nv))
            columns = np.column_stack([tree.inverse_dynamics(q, v, e) - rest for e in np.eye(tree.nv)])
            limit = 1e-9 * max(np.abs(columns).max(), np.abs(rest).max())
            np.testing.assert_allclose(tree.mass_matrix(q), columns, rtol=0, atol=limit)


MADE_OF = {
    "array": lambda x: x,
    "every other": lambda x: np.repeat(x, 2)[::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
    "read-only": lambda x: np.frombuffer(x.tobytes()),
    "array of Python": lambda x: array.array("d", x),
    "memoryview": memoryview,
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(x.tolist()),
    "objects": lambda x: x.astype(object),
    "singles": lambda x: x.astype(np.float32),
    "other order": lambda x: x.astype(x.dtype.newbyteorder()),
    "whole numbers": lambda x: np.rint(3 * x).astype(np.int64),
    "small whole numbers": lambda x: np.rint(3 * x).astype(np.int8),
    "truths": lambda x: x > 0,
    "not aligned": lambda x: np.frombuffer(b"x" + x.tobytes(), offset=1),
    "one row": lambda x: x[None],
    "two rows": lambda x: np.array([x, 2 * x]),
    "a column": lambda x: x[:, None],
    "short": lambda x: x[:-1],
    "long": lambda x: np.append(x, 1.0),
    "one": lambda x: x[:1],
    "nothing": lambda x: x[:0],
    "None": lambda x: None,
    "a number": lambda x: 0.5,
    "text": lambda x: ["a"] * len(x),
    "a word": lambda x: "word",
    "digits": lambda x: [f"{y:.3f}" for y in x],
    "dates": lambda x: np.ones(len(x), "M8[s]"),
    "records": lambda x: np.ones(len(x), [("x", "f8")]),
    "bytes": lambda x: x.tobytes(),
    "dictionary": lambda x: dict(enumerate(x)),
    "ragged": lambda x: [[1.0], [2.0, 3.0]],
}


@pytest.mark.parametrize("how", MADE_OF)
@pytest.mark.parametrize("make, seed", [(random_tree, 2), (random_tree, 3), (geared, 7)])
def test_whatever_arguments_are_made_of(monkeypatch, make, seed, how):
    """At each place and everywhere: what one tree answers or says, the other does."""
    tree, plain = both(monkeypatch, make(seed))
    x = [y[0] for y in states(tree, 1, seed)]
    odd = [MADE_OF[how](y) for y in x]
    for (f, n), (g, _) in zip(calls(tree), calls(plain), strict=True):
        for chosen in ([0], [1], [2], [0, 1, 2], [1, 2]):
            if chosen[-1] < n:
                given = [odd[k] if k in chosen else x[k] for k in range(n)]
                assert outcome(f, given) == outcome(g, given)
                assert outcome(f, x[:n]) == outcome(g, x[:n])  # and nothing is left of it


def test_one_array_thrice():
    tree = da.robotics.Tree(random_tree(4))
    assert tree.nq == tree.nv
    q = np.linspace(-1.0, 1.0, tree.nq)
    before = q.copy()
    assert np.array_equal(tree.inverse_dynamics(q, q, q), tree.inverse_dynamics(q, q.copy(), q.copy()))
    assert np.array_equal(q, before)


def test_an_answer_goes_into_the_next_call():
    """Answers are arrays like others, and not those that the next call fills."""
    tree = da.robotics.Tree(random_tree(3))
    q, v, a = (x[0] for x in states(tree, 1))
    tau = tree.inverse_dynamics(q, v, a)
    kept = tau.copy()
    for _ in range(5):
        a = tree.forward_dynamics(q, v, tau)
        tau = tree.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(tau, kept, rtol=1e-9, atol=1e-9)
    H = tree.mass_matrix(q)
    tree.mass_matrix(q + 1)
    assert np.array_equal(H, tree.mass_matrix(q))


def test_names_and_helps_are_those_of_methods():
    tree = da.robotics.Tree(random_tree(3))
    q, v, a = (x[0] for x in states(tree, 1))
    assert np.array_equal(tree.inverse_dynamics(a=a, q=q, v=v), tree.inverse_dynamics(q, v, a))
    assert np.array_equal(tree.forward_dynamics(q, tau=a, v=v), tree.forward_dynamics(q, v, a))
    assert np.array_equal(tree.mass_matrix(q=q), tree.mass_matrix(q))
    for name, text in (("inverse_dynamics", "(q, v, a, out=None)"), ("forward_dynamics", "(q, v, tau, out=None)"),
                       ("mass_matrix", "(q, out=None)")):
        assert str(inspect.signature(getattr(tree, name))) == text and inspect.isfunction(getattr(da.robotics.Tree, name))
    with pytest.raises(TypeError, match=r"inverse_dynamics\(\) missing 1 required positional argument: 'a'"):
        tree.inverse_dynamics(q, v)


def test_copies_of_a_tree():
    """A shallow one is the same tree; it cannot be stored or copied deeply, and says so at once."""
    tree = da.robotics.Tree(random_tree(3))
    q, v, a = (x[0] for x in states(tree, 1))
    assert np.array_equal(copy.copy(tree).inverse_dynamics(q, v, a), tree.inverse_dynamics(q, v, a))
    if QUICK:
        for way in (pickle.dumps, copy.deepcopy):
            with pytest.raises((ValueError, TypeError)):
                way(tree)


def test_memory_stays():
    """Of answers, and of what was refused and taken by another way; references to what was given."""
    tree = da.robotics.Tree(random_tree(3))
    q, v, a = (x[0] for x in states(tree, 1))
    short, row = a.astype(np.float32), a.tolist()
    kept = [q, v, a, short, row]
    for n in (200, 3000 if QUICK else 200):  # once to fill what is kept; a block lost in each call would be 3,000
        before, blocks = [sys.getrefcount(x) for x in kept], sys.getallocatedblocks()
        for _ in range(n):
            tree.inverse_dynamics(q, v, a)
            tree.forward_dynamics(q, v, a)
            tree.mass_matrix(q)
            tree.inverse_dynamics(q, v, short)
            tree.inverse_dynamics(q, v, row)
        assert [sys.getrefcount(x) for x in kept] == before
    assert not QUICK or abs(sys.getallocatedblocks() - blocks) < 1000


def test_a_tree_in_each_thread(monkeypatch):
    rows = states(da.robotics.Tree(random_tree(3)), 4)
    wrong = []

    def work(k):
        tree = da.robotics.Tree(random_tree(3))
        x = [y[k] for y in rows]
        expected = [f(*x[:n]) for f, n in calls(tree)]
        for _ in range(300 if QUICK else 3):
            wrong.extend(k for (f, n), y in zip(calls(tree), expected, strict=True) if not np.array_equal(f(*x[:n]), y))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_goes_on_with_the_tree():
    tree = da.robotics.Tree(random_tree(3))
    q, v, a = (x[0] for x in states(tree, 1))
    expected = tree.inverse_dynamics(q, v, a)
    child = os.fork()
    if not child:
        os._exit(0 if np.array_equal(tree.inverse_dynamics(q, v, a), expected) else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("arms", [1, 2, 7])
def test_batches_of_any_length_have_a_row_per_state(arms):
    """One row too, of one freedom too: a list of rows is a batch, whatever its length."""
    m = da.Model("arm", dim=2, gravity=(0, -9.81))
    before = "ground"
    for k in range(arms):
        m.add(da.Body.rod(f"r{k}", (k, 0), (k + 1, 0), mass=1.0 + k))
        m.add(da.Revolute(f"j{k}", before, f"r{k}", at=(k, 0)))
        before = f"r{k}"
    tree, rng = da.robotics.Tree(m), np.random.default_rng(arms)
    last = f"r{arms - 1}"
    for count in (0, 1, 2, arms):
        q, v, x = (rng.standard_normal((count, arms)) for _ in range(3))
        asked = {"inverse": (tree.inverse_dynamics, (q, v, x), (arms,)), "forward": (tree.forward_dynamics, (q, v, x), (arms,)),
                 "matrix": (tree.mass_matrix, (q,), (arms, arms)),
                 "jacobian": (lambda q, out=None: tree.jacobian(q, last, out=out), (q,), (3, arms))}
        for name, (ask, given, shape) in asked.items():
            for form in (lambda a: a, np.ndarray.tolist) if count else (lambda a: a,):
                found = ask(*map(form, given))
                assert found.shape == (count, *shape), name
            room = np.full((count, *shape), np.nan)
            assert ask(*given, out=room) is room and np.array_equal(room, found)
            for k in range(count):
                np.testing.assert_allclose(found[k], ask(*(a[k] for a in given)), rtol=1e-12, atol=1e-12)
