"""What a law is: the same bytes for the same law, in any process; others for any change that its value depends on."""

import functools
import importlib.util
import math
import os
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

from dalembert._jit import laws
from dalembert._jit.shipment import Undescribable, pack, unpack

GAIN, TABLE = 2.0, np.arange(3.0)
config = types.ModuleType("config")
config.gain, config.other = 3.0, 4.0


def helper(t):
    return GAIN * t


def make(a=1.0, k=2):
    def law(t, b=3.0, *, c=4.0):
        inner = lambda x: x + a  # noqa: E731
        return inner(helper(t)) * k + b + c + math.sin(t) + config.gain + TABLE[0]
    return law


def altered(change):
    """A law of the same kind with one thing changed."""
    law = make()
    if change == "closure":
        law = make(a=1.5)
    elif change == "type in the closure":
        law = make(k=2.0)
    elif change == "default":
        law.__defaults__ = (3.5,)
    elif change == "keyword default":
        law.__kwdefaults__ = {"c": 5.0}
    return law


@pytest.mark.parametrize("change", ["closure", "type in the closure", "default", "keyword default"])
def test_a_changed_law_is_another(change):
    assert pack(make()) == pack(make()) == pack(altered("nothing"))
    assert pack(altered(change)) != pack(make())


@pytest.mark.parametrize("name, value", [("GAIN", 2.5), ("TABLE", np.arange(3)), ("TABLE", np.arange(4.0)), ("config", None),
                                         ("helper", lambda t: t)])
def test_changed_globals_make_another_law(name, value, monkeypatch):
    before = pack(make())
    if name == "config":
        monkeypatch.setattr(config, "other", 40.0)
        assert pack(make()) == before
        monkeypatch.setattr(config, "gain", 30.0)
    else:
        monkeypatch.setitem(globals(), name, value)
    assert pack(make()) != before


def test_where_and_by_what_name_it_is_written_does_not_matter():
    spaces = [{}, {}]
    exec(compile("def f(t):\n return 1.0 if t < 2 else t", "a.py", "exec"), spaces[0])
    exec(compile("\n\n\ndef g(t):\n    return 1.0 if t < 2 else t", "b.py", "exec"), spaces[1])
    assert pack(spaces[0]["f"]) == pack(spaces[1]["g"])


@pytest.mark.parametrize("one, other", [("lambda t: 1 if t > 0 else t", "lambda t: 1.0 if t > 0 else t"),
                                        ("lambda t: 0.0 * t", "lambda t: -0.0 * t"), ("lambda t: t + 1", "lambda t: t - 1"),
                                        ("lambda t: (lambda x: x + 1)(t)", "lambda t: (lambda x: x + 2)(t)"),
                                        ("lambda t: math.sin(t)", "lambda t: math.cos(t)"),
                                        ("lambda t, a=1: t", "lambda t, a=2: t")])
def test_constants_types_and_names_count(one, other):
    assert pack(eval(one)) != pack(eval(other))


def test_it_works_the_same_after_unpacking():
    law = make(a=7.0)
    assert unpack(pack(law))(0.3) == law(0.3)


def test_the_same_in_another_process():
    code = ("import math\nfrom dalembert._jit.shipment import pack\nfrom dalembert._jit.store import digest\n"
            "a, names = 3.0, ('x', 'y')\n"
            "def f(t):\n    g = lambda s: s + a + len(names)\n    return g(t) if t > 0.5 else math.sin(t)\n"
            "print(digest(pack(f)))")
    said = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                           env=os.environ | {"PYTHONHASHSEED": seed}).stdout for seed in ("1", "2", "3")}
    assert len(said) == 1


LONG, OBJECTS = np.zeros(200_000), np.array([None])


class Counter:
    n = 0

    def __call__(self, t):
        return t


@pytest.mark.parametrize("thing", [Counter(), Counter().__call__, lambda t: Counter.n + t, lambda t: sys.stdout.write(str(t)),
                                   lambda t: LONG[0], lambda t: OBJECTS[0]])
def test_what_has_a_state_of_its_own_is_not_described(thing):
    if isinstance(thing, types.LambdaType) and "stdout" in thing.__code__.co_names:
        assert pack(thing)  # a module of the library, by name: it is compiled code that says no
        return
    with pytest.raises(Undescribable):
        pack(thing)


# ------------------------------------------------------------------------------- modules that are called like the library's

LAWS = {"from the module": ("import {m}", "lambda t: {m}.gain(t) if t < 9 else 0.0"),
        "a number in it": ("import {m}", "lambda t: {m}.K * t if t < 9 else 0.0"),
        "by name": ("from {m} import gain", "lambda t: gain(t) if t < 9 else 0.0"),
        "by way of another": ("from {m} import outer", "lambda t: outer(t) if t < 9 else 0.0"),
        "the function itself": ("from {m} import gain as law", "law")}


@pytest.mark.parametrize("module", ["statistics", "numbers", "config_of_mine", "scipy", "operator"])
@pytest.mark.parametrize("how", LAWS)
def test_an_edit_in_a_module_of_the_users_own_is_another_law(tmp_path, monkeypatch, module, how):
    """Whatever the file is called."""
    found = []
    monkeypatch.syspath_prepend(tmp_path)
    for k in (2.0, 2.0, 3.0):
        monkeypatch.delitem(sys.modules, module, raising=False)
        file = tmp_path / f"{module}.py"
        file.write_text(f"K = {k}\ndef gain(t): return {k} * t\ndef outer(t): return gain(t)\n")
        made = importlib.util.module_from_spec(importlib.util.spec_from_file_location(module, file))
        monkeypatch.setitem(sys.modules, module, made)
        exec(file.read_text(), made.__dict__)
        space = {}
        exec(LAWS[how][0].format(m=module), space)
        exec(f"f = {LAWS[how][1].format(m=module)}", space)
        found.append(pack(space["f"]))
        assert unpack(found[-1])(1.0) == k
    assert found[0] == found[1] != found[2]


def test_a_module_made_by_hand_is_not_the_library(monkeypatch):
    mine, space = types.ModuleType("math"), {}
    space["math"] = mine
    found = set()
    for k in (1.0, 2.0):
        mine.tau = k
        found.add(pack(eval("lambda t: math.tau * t", space)))
    found.add(pack(lambda t: math.tau * t))
    assert len(found) == 3


def test_changed_numbers_in_a_librarys_module_are_another_law(monkeypatch):
    import string

    law = eval("lambda t: t * string.K", {"string": string})
    monkeypatch.setattr(string, "K", 1.0, raising=False)
    one = pack(law)
    monkeypatch.setattr(string, "K", 2.0)
    assert pack(law) != one


def test_libraries_are_known_by_name():
    import statistics

    for law in (lambda t: math.sin(t), lambda t: np.sin(t), lambda t: statistics.fmean([t, t]), lambda t: np.linalg.norm([t])):
        assert unpack(pack(law))(0.5) == law(0.5)
        assert len(pack(law)) < 2000  # by name, not by their code


@pytest.mark.parametrize("wrap", [functools.lru_cache, functools.cache])
def test_what_pickles_by_its_name_only_is_not_described(wrap, monkeypatch):
    def gain(t):
        return t

    gain.__qualname__ = "gain"
    monkeypatch.setitem(globals(), "gain", wrap(gain))
    gain.__module__ = __name__
    with pytest.raises(Undescribable, match="only the name"):
        pack(eval("lambda t: gain(t)", globals()))


def test_functions_that_call_themselves_are_not_described():
    def down(n):
        return n if n < 1 else down(n - 1)

    with pytest.raises(Undescribable):
        pack(down)


def test_threads_may_push_each_others_laws_out(monkeypatch):
    """More laws than are kept in the process, asked for from several threads: each gets its own."""
    monkeypatch.setattr(laws, "_known", type(laws._known)())
    monkeypatch.setattr(laws, "IN_PROCESS", 2)
    monkeypatch.setattr(laws, "from_disk", lambda key: ({key: 7}, key, ""))
    functions = [eval(f"lambda t: {k}.0") for k in range(20)]
    wrong, interval = [], sys.getswitchinterval()

    def ask():
        for k in range(1500):
            try:
                assert laws.find(functions[k % 20], "scalar", 1, None).address == 7
            except Exception as error:
                wrong.append(repr(error))
                return

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    assert len(laws._known) <= 2


def test_code_of_another_lawmaker_is_not_taken(monkeypatch):
    monkeypatch.setattr(laws, "from_disk", lambda key: (None, "", "none"))
    before = laws.find(helper, "scalar", 1, None).key
    assert laws.find(helper, "scalar", 1, None).key == before
    monkeypatch.setattr(laws, "_maker", lambda: "of another version")
    assert laws.find(helper, "scalar", 1, None).key != before


def test_what_is_asked_of_a_law_is_in_its_key(monkeypatch):
    """The same function of one argument or two, as a number or as a force: different code."""
    monkeypatch.setattr(laws, "from_disk", lambda key: (None, "", "none"))
    asked = [("scalar", 1), ("scalar", 2), ("vector", (3, 3, 3)), ("vector", (7, 6, 6)), ("scalar", 3)]
    assert len({laws.find(helper, kind, sizes, None).key for kind, sizes in asked}) == len(asked)


def test_the_oldest_laws_leave_the_disk_first(tmp_path, monkeypatch):
    monkeypatch.setattr(laws.store, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(laws, "ON_DISK", 3)
    for k in range(6):
        laws.save(f"law-{k}", {"symbol": "f", "refused": ""}, b"code %d" % k)
        os.utime(tmp_path / f"law-{k}.json", (1000 + k, 1000 + k))
    assert sorted(p.stem for p in tmp_path.glob("law-*.json")) == ["law-3", "law-4", "law-5"]
    assert sorted(p.name[:5] for p in tmp_path.glob("law-*.o")) == ["law-3", "law-4", "law-5"]
