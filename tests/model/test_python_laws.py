"""Python functions as laws: compiled they give Python's numbers, are kept, and leak nothing; what cannot be trusted is said."""

import math
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import dalembert as da
from dalembert._jit import MODE, laws, probes, store

compiled_only = pytest.mark.skipif(MODE != "object", reason="laws run as plain Python")
GAIN, TABLE = 2.0, (1.0, 2.0, 4.0)


def wheel(law, name="T"):
    """A unit wheel under a torque: its speed is the integral of the law."""
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("disc", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "disc", at=(0, 0)))
    m.add(da.Motor(name, "O", law))
    return m


def turned(law, until=1.0, **options):
    run = da.simulate(wheel(law), until, **options)
    return run["disc"].omega[-1], run


def power_of_minus_one(t):
    n = -1 if t < 100 else 1
    return 2**n * 1.0


def great_integers(t):
    k = 1
    for _ in range(25):
        k *= 10
    return k * 1e-25 if t >= 0 else 0.0


def great_later(t):
    k = int(t * 1e6)
    return (k * k * k * k) * 1e-24 if t >= 0 else 0.0


def index_out_of_bounds(t):
    return [1.0, 2.0, 3.0][int(8 * t)] if t < 0.4 else 1.0


def tuple_out_of_bounds(t):
    return TABLE[int(10 * t)] if t < 0.5 else 1.0


@compiled_only
@pytest.mark.parametrize("law, speed", [(power_of_minus_one, 0.5), (great_integers, 1.0), (great_later, 0.2)])
def test_where_compiled_and_python_numbers_differ_python_is_right(law, speed):
    found, run = turned(law)
    assert found == pytest.approx(speed, rel=1e-5)
    assert any("callback" in note and "Motor 'T'" in note for note in run.stats["notes"])
    assert "callback" in str(run.certificate)


@compiled_only
def test_the_notice_tells_the_reason_as_it_is(capsys, monkeypatch, tmp_path):
    """Python's numbers differ; it cannot be compiled; it depends on something outside: in the note and on stderr."""
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    opened = {"x": 1.0}

    class Own:
        k = 1.0

    cases = {great_integers: "compiled, it gives other values than Python: at t = 0 Python gives 1, compiled",
             lambda t: opened.get(str(t), 1.0) if t >= 0 else 0.0: "it cannot be compiled: ",
             lambda t: Own.k if t >= 0 else 0.0: "it depends on something outside that may change: the class"}
    for again in range(3):  # made; known in the process; read from the disk
        for law, reason in cases.items():
            store._SAID.clear()
            (note,) = [n for n in turned(law)[1].stats["notes"] if "callback" in n]
            said = capsys.readouterr().err
            assert note.startswith(f"the function of Motor 'T' runs as a Python callback: {reason}")
            assert note in said and ("cannot be compiled" in said) == ("cannot" in reason)
        if again:
            laws._known.clear()


@compiled_only
def test_a_difference_found_at_the_start_is_told_as_one(capsys):
    store._SAID.clear()
    _, run = turned(great_later)
    notes = " ".join(run.stats["notes"])
    assert "compiled, it gives other values than Python: at t =" in notes and "cannot be compiled" not in notes


@pytest.mark.parametrize("law", [lambda t: "1", lambda t: b"1", lambda t: np.array("1"), lambda t: np.str_("1.0"),
                                 lambda t: "1" if t > 50 else 1.0])
def test_a_text_is_not_a_number(law):
    with pytest.raises(da.ModelError, match=r"Motor 'T': its function gives a text where a number is wanted \(.*1.*float"):
        turned(law)


@pytest.mark.parametrize("value", ["1", b"1", ["1", "2", "3"]])
def test_a_text_is_not_a_force(value):
    def force(t, x, v, out):
        out[:] = value

    m = da.Model("m", dim=2)
    m.add(da.Body("b", mass=1, inertia=1))
    m.add(da.UserForce("F", "b", force))
    with pytest.raises(da.ModelError, match="'F': its function gives a text where a number is wanted"):
        m.compile()


def test_a_text_on_the_way_ends_the_run():
    with pytest.raises(da.SimulationError, match=r"Motor 'T' raised Text: the text '2' is not a number"):
        turned(lambda t: "2" if 0.45 < t < 0.9 else 1.0)


@pytest.mark.parametrize("value", [1, True, np.float32(1), np.int64(1), np.array(1.0), __import__("fractions").Fraction(1),
                                   __import__("decimal").Decimal(1)])
def test_other_numbers_are_welcome(value):
    assert turned(lambda t: value if t >= 0 else 0.0)[0] == pytest.approx(1.0, rel=1e-5)


@pytest.mark.parametrize("law", [index_out_of_bounds, tuple_out_of_bounds])
def test_an_index_out_of_bounds_ends_the_run_with_its_name(law):
    with pytest.raises(da.SimulationError, match="'T' gives no value, its function raised IndexError"):
        da.simulate(wheel(law), 1.0)


@compiled_only
def test_indices_are_checked_in_compiled_code():
    table = np.array([1.0, 2.0])

    def law(t):
        return table[int(1e7 * t)] if t > 1e-3 else 1.0

    for bad in (law, index_out_of_bounds, tuple_out_of_bounds):
        kept = laws.find(bad, "scalar", 1, lambda address: "")
        assert kept.library is not None
        call = __import__("ctypes").CFUNCTYPE(*(__import__("ctypes").c_double,) * 4)(kept.address)
        assert math.isnan(call(0.39, 0.0, 0.0))


def visited(t, x):
    k = int(1e6 * x) if 0.1 < x < 0.2 else 1
    return (k * k * k * k * k) * 1e-26 + 1.0


@compiled_only
def test_a_difference_on_the_way_puts_the_run_in_doubt_and_the_next_one_right(tmp_path, monkeypatch):
    monkeypatch.setenv("DALEMBERT_CACHE", str(tmp_path))
    laws._known.clear()
    with open(os.devnull, "w") as nowhere:
        monkeypatch.setattr(sys, "stderr", nowhere)
        from dalembert._jit import functions

        law = functions.Law(visited, "Motor 'T'", "scalar", 2)  # x is 0 at the start: fixed points and start see nothing
        assert law.compiled
    monkeypatch.undo()
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    _, run = turned(visited)
    assert any("Motor 'T'" in line and "Python gives" in line for line in run.certificate.doubts())
    speed, run = turned(visited)
    assert not run.certificate.doubts() and run.stats["notes"]
    laws._known.clear()
    assert turned(visited)[1].stats["notes"]  # a later process knows too


# ---------------------------------------------------------------------------------------------------------------- memory


class Remembers:
    """A controller that differentiates on its own: its answer depends on when it was asked before."""

    def __init__(self):
        self.last = 0.0

    def __call__(self, t):
        rate, self.last = t - self.last, t
        return rate


def counting():
    calls = []

    def law(t):
        calls.append(t)
        return 1e-3 * len(calls)

    return law


def list_memory():
    state = [0.0]

    def law(t):
        if t > state[0]:
            state[0] = t
        return state[0]

    return law


@pytest.mark.parametrize("law", [Remembers(), counting(), list_memory(), lambda t: random.random(),
                                 lambda t: np.random.normal() if t > 0 else 0.0])
def test_a_law_with_a_memory_is_refused_with_a_cure(law):
    with pytest.raises(da.ModelError, match=r"Motor 'T': its function has a memory \(at t = .* and then .*da.Table"):
        da.simulate(wheel(law), 1.0)


def test_a_force_with_a_memory_is_refused():
    calls = []

    def force(t, x, v, out):
        calls.append(1)
        out[0] = len(calls)

    m = da.Model("m", dim=2)
    m.add(da.Body("b", mass=1, inertia=1))
    m.add(da.UserForce("F", "b", force))
    with pytest.raises(da.ModelError, match="'F': its function has a memory"):
        m.compile()


def test_a_symbol_kept_from_recording_is_spoken_of_in_words():
    from dalembert.expressions.tracing import _NotAFormula

    assert "must depend on its arguments only" in str(_NotAFormula())


def test_a_callable_object_without_memory_is_welcome():
    class Gain:
        def __init__(self, k):
            self.k = k

        def __call__(self, t):
            return self.k if t < 0.5 else 0.0

    assert turned(Gain(3.0))[0] == pytest.approx(1.5, rel=1e-4)


# ----------------------------------------------------------------------------------------------------------------- kept


@compiled_only
def test_the_same_law_is_compiled_once_and_a_changed_one_again(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    laws._known.clear()
    orders = []
    asked = laws.order
    monkeypatch.setattr(laws, "order", lambda request: orders.append(request) or asked(request))

    def law(a):
        return lambda t: a if t < 0.5 else 0.0

    for a, count in ((2.0, 1), (2.0, 1), (3.0, 2), (2.0, 2)):
        assert turned(law(a))[0] == pytest.approx(a / 2, rel=1e-4)
        assert len(orders) == count
    laws._known.clear()
    assert turned(law(3.0))[0] == pytest.approx(1.5, rel=1e-4)  # from disk
    assert len(orders) == 2
    for file in tmp_path.glob("law-*.o"):
        file.write_bytes(b"")
    laws._known.clear()
    assert turned(law(3.0))[0] == pytest.approx(1.5, rel=1e-4)  # damaged: made again
    assert len(orders) == 3


@compiled_only
def test_laws_that_make_lists_and_arrays_are_compiled_and_free_them():
    x, y = np.linspace(0, 2, 11), np.linspace(0, 2, 11) ** 2
    for law, speed in ((lambda t: np.interp(t, x, y), 0.34), (lambda t: [1.0, 2.0, 3.0][int(t)], 1.0),
                       (lambda t: np.sum(np.array([t, 2 * t])) if t >= 0 else 0.0, 1.5),
                       (lambda t: sum([t * i for i in range(4)]), 3.0)):
        found, run = turned(law)
        assert found == pytest.approx(speed, rel=1e-4)
        assert not [n for n in run.stats.get("notes", ()) if "looked at" not in n], run.stats.get("notes")


@compiled_only
def test_numba_is_not_imported_for_a_law():
    code = ("import dalembert as da, sys\nm = da.Model('w', dim=2)\nm.add(da.Body('b', mass=1, inertia=1))\n"
            "m.add(da.Torque('T', 'b', lambda t: 1.0 if t < 0.5 else 0.0))\nda.simulate(m, 0.1)\n"
            "assert 'numba' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("off", "same"), [(1e-12, True), (1e-7, False), (-1e-7, False)])
def test_values_that_differ_are_noticed(off, same):
    for size in (1e-6, 1.0, 1e6):
        assert (probes.difference(size, size * (1 + off), (0.5,)) == "") is same
        pair = np.array([size, 0.0]), np.array([size * (1 + off), 0.0])
        assert (probes.difference(*pair, (0.5,)) == "") is same


MANY = """
import dalembert as da
def pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])
def once():
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("disc", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "disc", at=(0, 0)))
    m.add(da.Motor("T", "O", lambda t: 1.0 if t < 0.5 else 0.0))
    da.simulate(m, 0.05)
for _ in range(150):
    once()
before = pages()
for _ in range({count}):
    once()
print(pages() - before)
"""


@compiled_only
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="counts pages the Linux way")
def test_many_models_with_the_same_law_need_no_more_memory():
    count = int(os.environ.get("DALEMBERT_LAW_MODELS", "150"))
    done = subprocess.run([sys.executable, "-c", MANY.format(count=count)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 500  # 2 MB
