"""Kernels written as texts: the same functions, whether they are made at once or when they are called."""

import subprocess
import sys

from dalembert._jit import unrolled
from dalembert._jit.unrolled import Waiting, carried, chosen, in_turn, text


def test_what_waits_is_made_once_and_gives_the_same():
    made = []

    def make():
        made.append(1)
        return lambda a, b: a - b

    late = Waiting(make)
    assert not made
    assert (late(5, 3), late(1, 4), len(made)) == (2, -3, 1)


def test_lists_of_kernels_do_what_they_say(monkeypatch):
    for mode in ("object", "python"):
        monkeypatch.setattr(unrolled, "MODE", mode)
        seen: list[int] = []
        in_turn((seen.append, seen.remove, seen.append), "x")(7)
        assert seen == [7]
        assert carried((lambda s, w, x: x + s, lambda s, w, x: x * w))(3, 4, 5) == 32
        pick = chosen((lambda a: "first", lambda a: "second", lambda a: f"any {a}"), "a")
        assert [pick(n, 9) for n in (0, 1, 2, 7)] == ["first", "second", "any 9", "any 9"]
        assert isinstance(text(lambda: print, lambda f: f), Waiting) == (mode == "object")


def test_a_process_with_compiled_kernels_compiles_no_text():
    """Of sixty texts none is made by importing and simulating."""
    code = ("import builtins, sys; real = builtins.compile; names = []\n"
            "builtins.compile = lambda source, name, *a, **k: (names.append(str(name)), real(source, name, *a, **k))[1]\n"
            "import dalembert as da; da.simulate(da.catalog.make('four-bar'), 0.1)\n"
            "print([n for n in names if n.startswith('<') and any(w in n for w in ('corner', 'update', 'reduce', 'weigh'))])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
