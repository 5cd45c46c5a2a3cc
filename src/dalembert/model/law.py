"""Laws while a model is being compiled: number, expression, table or Python function → a row of the law table."""

from __future__ import annotations

import numpy as np

from dalembert import _jit, expressions
from dalembert.elements.laws import CONSTANT, FUNCTION, PROGRAM, TABLE
from dalembert.errors import ModelError, hint

from . import purity


class Table:
    """A law given by points: a cubic spline (natural ends) through (x, y), straight outside; x is ``of`` (t by default)."""

    def __init__(self, x, y, of="t"):
        self.x, self.y, self.of = list(map(float, x)), list(map(float, y)), of
        if len(self.x) != len(self.y) or len(self.x) < 2:
            raise ModelError("Table: needs two lists of the same length, at least two points")
        if not all(a < b for a, b in zip(self.x, self.x[1:], strict=False)):
            raise ModelError("Table: the x values must increase")
        if not np.all(np.isfinite(self.x)) or not np.all(np.isfinite(self.y)):
            raise ModelError("Table: all values must be finite")

    def coefficients(self) -> list[float]:
        """Knots, then four coefficients per interval (see elements/laws.spline)."""
        x, y = np.array(self.x), np.array(self.y)
        h, slope = np.diff(x), np.diff(y) / np.diff(x)
        n = len(x)
        second = np.zeros(n)
        if n > 2:
            second[1:-1] = _tridiagonal(2 * (h[:-1] + h[1:]), h[1:-1], 6 * np.diff(slope))
        out = list(x)
        for k in range(n - 1):
            out += [y[k], slope[k] - h[k] * (2 * second[k] + second[k + 1]) / 6, second[k] / 2,
                    (second[k + 1] - second[k]) / (6 * h[k])]
        return out

    def __repr__(self):
        return f"Table({self.x!r}, {self.y!r}, of={self.of!r})"

    def __eq__(self, other):
        return isinstance(other, Table) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class Lost:
    """Stands for a Python function that a file could not hold; a model with one in it cannot be used before it is replaced."""

    def __init__(self, name: str):
        self.name = name

    def refuse(self, title: str) -> ModelError:
        return ModelError(f"{title}: its law was the Python function '{self.name}', which the file does not hold; remove the "
                          "element and add it again with its function")

    def __repr__(self):
        return f"Lost({self.name!r})"


def _tridiagonal(main, side, right):
    """Solve a symmetric, diagonally dominant tridiagonal system by elimination: time and room grow with its size only."""
    d, b = list(main), list(right)
    for k in range(len(side)):
        f = side[k] / d[k]
        d[k + 1] -= f * side[k]
        b[k + 1] -= f * b[k]
    b[-1] /= d[-1]
    for k in range(len(side) - 1, -1, -1):
        b[k] = (b[k] - side[k] * b[k + 1]) / d[k]
    return b


class Laws:
    """Collects laws, their programs and constants."""

    parameters: dict[str, float]

    def __init__(self):
        self.laws: list[dict] = []
        self.code: list[int] = []
        self.constants: list[float] = []
        self.depth = 1
        self.kept: list = []  # compiled user functions, kept alive with the system
        self.over_time: list[int] = []  # programs in which t occurs
        self._constants: dict[float, int] = {}
        self.law(0.0, "zero")

    def _add(self, **columns) -> int:
        self.laws.append(columns)
        return len(self.laws) - 1

    def law(self, value, element, names=("t",)) -> int:
        """Row number of the law; ``names`` are the variables it may use (up to three)."""
        title = element if isinstance(element, str) else element.title
        if isinstance(value, Lost):
            raise value.refuse(title)
        if isinstance(value, Table):
            if value.of not in names:
                raise ModelError(f"{title}: a table over '{value.of}' does not fit here; it may be over {', '.join(names)}")
            data = value.coefficients()
            start = len(self.constants)
            self.constants += data
            return self._add(kind=TABLE, start=start, stop=start + len(value.x), argument=names.index(value.of))
        if callable(value):
            purity.check_scalar(value, _arity(value, names, title), title)
            traced = expressions.trace(value, list(names)[: _arity(value, names, title)])
            if traced is None:
                return self._add(kind=FUNCTION, handle=self.scalar_function(value, len(names), title))
            return self.program(traced, names, title)
        if isinstance(value, (str, expressions.Expression)):
            expression = expressions.parse(value) if isinstance(value, str) else value
            expression = expression.substitute({n: self.parameters[n] for n in expression.names if n in self.parameters
                                                and n not in names})
            return self.program(expression, names, title)
        number = expressions.number(value, self.parameters, f"value of {title}")
        if number not in self._constants:
            self._constants[number] = self._add(kind=CONSTANT, value=number)
        return self._constants[number]

    def program(self, expression, names, title="") -> int:
        unknown = sorted(expression.names - set(names))
        if unknown:
            known = [*names, *self.parameters]
            raise ModelError(f"{title}: '{unknown[0]}' in '{expression}' is not known{hint(unknown[0], known)} "
                             f"(it may use {', '.join(known)})")
        program = expression.program(list(names))
        start, constants = len(self.code), len(self.constants)
        self.code += [int(x) for x in program.code]
        self.constants += [float(x) for x in program.constants]
        self.depth = max(self.depth, program.depth)
        row = self._add(kind=PROGRAM, start=start, stop=len(self.code), constants=constants)
        if "t" in expression.names:
            self.over_time.append(row)
        return row

    def changes(self, law: int) -> bool:
        """Whether a law of time (a row number) changes with it: a row that holds it does work, it is a driver."""
        return self.laws[law]["kind"] in (TABLE, FUNCTION) or law in self.over_time

    def vanishes(self, expression) -> bool:
        """Whether a formula is zero, whatever its variables are."""
        return not expression.names and expression.evaluate({}) == 0.0

    def scalar_function(self, function, count, title) -> int:
        handle, keep = _jit.scalar_law(function, _arity(function, ("t", "x", "v")[:count], title), title)
        self.kept.append(keep)
        return handle

    def vector_function(self, function, title, sizes) -> int:
        """A user's force law; it is tried once in Python, so that slips show as what they are."""
        if isinstance(function, Lost):
            raise function.refuse(title)
        x, v, out = (np.zeros(n) for n in sizes)
        if len(x) == 7:
            x[3] = 1.0
        try:
            function(0.0, x, v, out)
        except ZeroDivisionError:
            pass  # a law may be singular at the origin, where it is tried
        except Exception as error:
            raise ModelError(f"{title}: its function f(t, x, v, out) was tried with x, v, out of length {len(x)}, {len(v)}, "
                             f"{len(out)} and raised {type(error).__name__}: {error}") from None
        purity.check_vector(function, sizes, title)
        handle, keep = _jit.vector_law(function, title, sizes)
        self.kept.append(keep)
        return handle


def _arity(function, names, title) -> int:
    """How many arguments a user's law takes, checked against what it can be given."""
    import inspect

    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 1
    needed = sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    if needed > len(names):
        raise ModelError(f"{title}: its function takes {needed} arguments; it is called with {', '.join(names)}")
    return max(1, needed)
