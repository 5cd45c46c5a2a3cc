"""Records say and do what dataclasses of the same fields do."""

import copy
import dataclasses
import gc
import inspect
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, asdict, dataclass, fields, replace
from pathlib import Path
from typing import ClassVar

import pytest

import dalembert
from dalembert.records import field, record


def body():
    class Some:
        """A class of values."""

        kind: ClassVar[str] = "some"
        a: int
        b: tuple = (1, 2)
        c: list = field(default_factory=list)
        d: float = field(default=0.5, repr=False)
        e: str = field(default="e", compare=False)

        def __post_init__(self):
            if self.a < 0:
                raise ValueError("below zero")

        @property
        def twice(self):
            return 2 * self.a

    return Some


PAIRS = [(record(frozen=frozen, eq=eq)(body()), dataclass(frozen=frozen, eq=eq)(body())) for frozen in (True, False)
         for eq in (True, False)]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize(("given", "named"), [((1,), {}), ((1, 2, [3], 4, 5), {}), ((), {"a": 7, "e": "x"}), ((2,), {"c": [1]})])
def test_values_repr_equality_and_hash(ours, theirs, given, named):
    x, y = ours(*given, **named), theirs(*given, **named)
    assert vars(x) == vars(y)
    assert asdict(x) == asdict(y)
    assert repr(x) == repr(y)
    assert [f.name for f in fields(x)] == [f.name for f in fields(y)]
    assert ours.__match_args__ == theirs.__match_args__
    assert x.twice == y.twice
    for change in ({"e": "other"}, {"d": 9.0}, {"a": 11}):
        assert (replace(x, **change) == x) is (replace(y, **change) == y)
    assert (x == copy.copy(x)) is (y == copy.copy(y))
    assert x != y
    assert (ours.__hash__ is None) is (theirs.__hash__ is None)
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_refusals_are_the_same(ours, theirs):
    for kind in (ours, theirs):
        with pytest.raises(ValueError, match="below zero"):
            kind(-1)
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind(1, other=2)
        assert kind(1).c is not kind(1).c
    for act in (lambda x: setattr(x, "a", 2), lambda x: delattr(x, "a"), lambda x: setattr(x, "new", 2)):
        told = []
        for x in (ours(1), theirs(1)):
            try:
                told.append(act(x))
            except FrozenInstanceError as error:
                told.append(str(error))
        assert told[0] == told[1]


def test_a_frozen_record_is_a_key():
    @record
    class Key:
        a: int
        b: float = field(default=0.0, compare=False)

    assert {Key(1, 2.0): "one"}[Key(1, 3.0)] == "one"
    assert Key(1) != Key(2)
    assert hash(Key(1)) != hash(Key(2))


def test_a_record_that_holds_itself_can_be_shown():
    @record(frozen=False)
    class Ring:
        inner: object = None

    ring = Ring()
    ring.inner = ring
    assert repr(ring).endswith("Ring(inner=...)")


def test_what_the_class_says_itself_stays():
    @record
    class Own:
        a: int

        def __repr__(self):
            return "mine"

        def __eq__(self, other):
            return True

        __hash__ = object.__hash__

    assert (repr(Own(1)), Own(1) == Own(2), Own.__hash__ is object.__hash__) == ("mine", True, True)


def test_without_a_text_of_its_own_a_record_names_its_fields(monkeypatch):
    monkeypatch.setattr(inspect, "signature", lambda *a, **k: pytest.fail("reading signatures takes half a millisecond a class"))

    @record
    class Bare:
        a: int
        b: float = 0.5

    @record
    class Told:
        """Its own."""

        a: int

    assert Bare.__doc__ == "Bare(a: int, b: float)"
    assert Told.__doc__ == "Its own."


def test_special_fields_are_refused():
    class Late:
        a: int = dataclasses.field(init=False)

    with pytest.raises(TypeError, match="plain fields only"):
        record(Late)


def test_records_travel():
    red = dalembert.Material("tomato", shininess=3.0)
    assert pickle.loads(pickle.dumps(red)) == red == copy.deepcopy(red)


def test_the_collector_waits_while_modules_load_and_is_left_as_it_was():
    code = ("import gc, sys; import dalembert as da\n"
            "seen = []; gc.callbacks.append(lambda phase, info: seen.append(phase))\n"
            "gc.{}()\n"
            "da.Model\n"
            "print(gc.isenabled(), len(seen))\n"
            "try: da.nothing\nexcept AttributeError: pass\n"
            "sys.modules['dalembert.catalog'] = None\n"
            "try: da.catalog\nexcept ImportError: print(gc.isenabled())")
    env = os.environ | {"PYTHONPATH": str(Path(dalembert.__file__).parents[1])}
    for state, enabled in (("enable", True), ("disable", False)):
        done = subprocess.run([sys.executable, "-c", code.format(state)], capture_output=True, text=True, env=env)
        assert done.stdout.split() == [str(enabled), "0", str(enabled)], done.stderr
    assert gc.isenabled()
