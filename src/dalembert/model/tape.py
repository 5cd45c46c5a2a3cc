"""Numbers that write down what is done with them: the way from parameters to tables as a program.

A ``Traced`` stands for a float or an array.  Operations on it are carried out, and written on its ``Tape`` as lines of Python
that do the very same with other numbers, by the same functions of NumPy, so to the same bits:

    v7 = v3 − v5          v8 = v7.dot(v7)          v9 = sqrt(v8)

Wherever a decision is made by one, the tape asks for the same outcome; wherever one leaves for plain numbers (``float``, a text,
a key, an array of NumPy), for the very value.  So a program that runs through gives what the recipes would have given; one that
does not answers None, and the recipes are run.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class Untraceable(Exception):
    """Something that a tape cannot follow."""


class Tape:
    """Lines (name or "", text, names it needs)."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, tuple[str, ...]]] = []
        self.space: dict[str, Any] = {"same": _same}
        self.inputs: list[str] = []
        self._known: dict[str, Traced] = {}
        self._constants: dict[Any, str] = {}

    def input(self, value: float) -> Traced:
        name = f"p{len(self.inputs)}"
        self.inputs.append(name)
        return Traced(self, name, value)

    def word(self, x: Any) -> str:
        """How a line calls it."""
        if isinstance(x, Traced):
            if x.tape is not self:
                raise Untraceable("two tapes")
            return x.name
        key = (type(x), x, str(x)) if type(x) in (float, int, bool, str) else ("thing", id(x))
        if key not in self._constants:
            self._constants[key] = name = f"c{len(self._constants)}"
            self.space[name] = x.copy(order="K") if type(x) is np.ndarray else x
            self.space[f"of {name}"] = x  # kept alive: it is known by its place
        return self._constants[key]

    def put(self, text: str, value: Any, *needs: Any) -> Traced:
        """A line; the same text is the same number."""
        found = self._known.get(text)
        if found is None:
            kind = TracedArray if isinstance(value, np.ndarray) else Traced
            found = self._known[text] = kind(self, f"v{len(self._known)}", value)
            self.lines.append((found.name, text, tuple(x.name for x in needs if isinstance(x, Traced))))
        return found

    def do(self, function: Callable, *given: Any) -> Any:
        """A function of the same numbers for the same numbers, as it is."""
        if not any(isinstance(x, Traced) for x in given):
            return function(*given)
        value = function(*(x.x if isinstance(x, Traced) else x for x in given))
        return self.put(f"{self.word(function)}({', '.join(map(self.word, given))})", value, *given)

    def array(self, numbers: Sequence[Any]) -> Any:
        """np.array of numbers."""
        if not any(isinstance(x, Traced) for x in numbers):
            return np.array(numbers)
        value = np.array([x.x if isinstance(x, Traced) else x for x in numbers])
        return self.put(f"{self.word(np.array)}([{', '.join(map(self.word, numbers))}])", value, *numbers)

    def ask(self, text: str, *needs: Any) -> None:
        """Go on only where this holds."""
        line = "", text, tuple(x.name for x in needs if isinstance(x, Traced))
        if line not in self.lines:
            self.lines.append(line)

    def exact(self, x: Traced) -> Any:
        """The plain value, which the program then asks for."""
        self.ask(f"same({x.name}, {self.word(x.x)})", x)
        return x.x

    def program(self, results: list[Traced]) -> Callable[..., list[float] | None]:
        """The function from inputs to the numbers of these, one behind the other; None where a decision would be another."""
        needed = {x.name for x in results}
        kept = []
        for name, text, needs in reversed(self.lines):
            if not name or name in needed:
                needed.update(needs)
                kept.append(f"    {name} = {text}" if name else f"    if not ({text}): return None")
        parts = [f"*{x.name}.ravel().tolist()" if isinstance(x.x, np.ndarray) and x.x.ndim else x.name for x in results]
        text = "\n".join([f"def cast({', '.join(self.inputs)}):", *reversed(kept), f"    return [{', '.join(parts)}]"])
        space = {name: x for name, x in self.space.items() if not name.startswith("of ")}
        exec(compile(text, "<tape>", "exec"), space)
        return space["cast"]


def _same(x: Any, given: Any) -> bool:
    """To the bit."""
    if isinstance(given, np.ndarray):
        return x.tobytes() == given.tobytes()
    return x == given and (given != 0.0 or math.copysign(1.0, x) == math.copysign(1.0, given))


class Traced:
    """A float or an array, and its name on the tape."""

    __slots__ = ("name", "tape", "x")
    __array_ufunc__ = None  # arrays of NumPy leave operations to it

    def __init__(self, tape: Tape, name: str, x: Any):
        self.tape, self.name, self.x = tape, name, x

    def _with(self, sign: str, function: Callable, left: Any, right: Any) -> Traced:
        word, plain = self.tape.word, (y.x if isinstance(y, Traced) else y for y in (left, right))
        return self.tape.put(f"{word(left)} {sign} {word(right)}", function(*plain), left, right)

    def _decided(self, sign: str, function: Callable, other: Any) -> bool:
        plain = other.x if isinstance(other, Traced) else other
        if isinstance(self.x, np.ndarray) or isinstance(plain, np.ndarray):
            raise Untraceable("arrays are compared")
        outcome, word = bool(function(self.x, plain)), self.tape.word
        text = f"{word(self)} {sign} {word(other)}"
        self.tape.ask(text if outcome else f"not {text}", self, other)
        return outcome

    def __neg__(self):
        return self.tape.put(f"-{self.name}", -self.x, self)

    def __pos__(self):
        return self

    def __abs__(self):
        return self.tape.do(abs, self)

    def __float__(self):
        return float(self.tape.exact(self))

    def __bool__(self):
        return self._decided("!=", operator.ne, 0.0)

    def __hash__(self):
        return hash(self.tape.exact(self))

    def __array__(self, dtype=None, copy=None):
        return np.array(self.tape.exact(self), dtype)

    def __format__(self, spec):
        return format(self.tape.exact(self), spec)

    def __repr__(self):
        return repr(self.tape.exact(self))


class TracedArray(Traced):
    """An array; places are plain."""

    __slots__ = ()

    def __getitem__(self, key):
        if any(isinstance(k, Traced) for k in (key if type(key) is tuple else (key,))):
            raise Untraceable("a place that is a number")
        return self.tape.put(f"{self.name}[{_spelled(key)}]", self.x[key], self)

    def __len__(self):
        return len(self.x)

    def __iter__(self):
        return (self[k] for k in range(len(self.x)))

    @property
    def T(self):
        return self.tape.put(f"{self.name}.T", self.x.T, self)

    def dot(self, other):
        plain = other.x if isinstance(other, Traced) else other
        return self.tape.put(f"{self.name}.dot({self.tape.word(other)})", self.x.dot(plain), self, other)

    def ravel(self):
        return self.tape.put(f"{self.name}.ravel()", self.x.ravel(), self)

    def tolist(self):
        return [y.tolist() if isinstance(y, TracedArray) else y for y in self]

    @property
    def shape(self):
        return self.x.shape

    @property
    def ndim(self):
        return self.x.ndim

    @property
    def size(self):
        return self.x.size


def _spelled(key: Any) -> str:
    if type(key) is tuple:
        return ", ".join(map(_spelled, key))
    if type(key) is slice:
        return ":".join("" if x is None else repr(int(x)) for x in (key.start, key.stop, key.step))
    return repr(int(key))


def _operators() -> None:
    """+ and the others, from both sides; comparisons."""
    for sign, name in (("+", "add"), ("-", "sub"), ("*", "mul"), ("/", "truediv"), ("@", "matmul"), ("**", "pow")):
        function = getattr(operator, name)
        setattr(Traced, f"__{name}__", lambda a, b, s=sign, f=function: a._with(s, f, a, b))
        setattr(Traced, f"__r{name}__", lambda a, b, s=sign, f=function: a._with(s, f, b, a))
    for sign, name in (("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"), ("==", "eq"), ("!=", "ne")):
        function = getattr(operator, name)
        setattr(Traced, f"__{name}__", lambda a, b, s=sign, f=function: a._decided(s, f, b))


_operators()
