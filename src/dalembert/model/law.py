"""Laws while a model is being compiled: number, expression, table or Python function → a row of the law table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert import _jit, expressions
from dalembert.algebra import jets
from dalembert.elements.given import Number
from dalembert.elements.laws import CONSTANT, FUNCTION, PROGRAM, TABLE
from dalembert.elements.signals.readings import CALL
from dalembert.errors import ModelError, hint
from dalembert.model import purity
from dalembert.model.reading import READERS, SLOT, Readings
from dalembert.model.table import OVERSHOOT, Table
from dalembert.system.laws import LawInfo


class Lost:
    """Stands for a Python function that a file could not hold; a model with one in it cannot be used before it is replaced."""

    def __init__(self, name: str):
        self.name = name

    def refuse(self, title: str) -> ModelError:
        return ModelError(f"{title}: its law was the Python function '{self.name}', which the file does not hold; remove the "
                          "element and add it again with its function")

    def __repr__(self):
        return f"Lost({self.name!r})"


class Law:
    """A law with what cannot be seen from outside: the times at which it jumps or has a kink.

    Parameters
    ----------
    f : function, formula or Table [–]
        A Python function f(t), f(t, x) or f(t, x, v), or any other law.
    reads : list of names [–], default ()
        What a Python function is given after t: f(t, *reads), names as in formulas ("arm.angle", "pin.rate", a signal).
    breaks : list of times [s], default ()
        Where steps shall end.
    """

    def __init__(self, f: Any, reads: Sequence[str] | None = (), breaks: Sequence[Number] = ()) -> None:
        if isinstance(f, Law) or not (callable(f) or isinstance(f, (str, expressions.Expression, Table))):
            raise ModelError(f"Law: f is a function such as lambda t: 2*t, a formula or a table, not {f!r:.60}")
        if reads is not None and (isinstance(reads, str) or not all(isinstance(n, str) and n.strip() for n in reads)):
            raise ModelError(f"Law: reads= is a list of names such as [\"arm.angle\", \"pin.rate\"], got {reads!r:.60}")
        if reads and not callable(f):
            other = "a table has of=" if isinstance(f, Table) else "a formula names what it reads itself"
            raise ModelError(f"Law: reads= belongs to a Python function; {other}")
        if isinstance(breaks, str) or not hasattr(breaks, "__iter__"):
            raise ModelError(f"Law: breaks= is a list of times, got {breaks!r:.60}")
        self.reads: tuple[str, ...] = tuple(reads or ())
        self.f, self.breaks = f, sorted(expressions.number(x, what="breaks of a Law") for x in breaks)

    def __repr__(self):
        return f"Law({self.f!r}, {f'reads={list(self.reads)!r}, ' if self.reads else ''}breaks={self.breaks!r})"

    def __eq__(self, other):
        return isinstance(other, Law) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class Laws(Readings):
    """Collects laws, their programs and constants."""

    parameters: dict[str, float]

    def __init__(self):
        Readings.__init__(self)
        self.laws: list[dict] = []
        self.code: list[int] = []
        self.constants: list[float] = []
        self.depth = 1
        self.kept: list = []  # compiled user functions, kept alive with the system
        self.over_time: list[int] = []  # programs in which t occurs
        self.law_infos: dict[int, LawInfo] = {}  # row → what analyses over time must know of it
        self.scales: dict[str, float] = {}  # state that is followed by steps → its size
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
        if isinstance(value, Law):
            row = self._reading_law(value, element, names, title) if value.reads else self.law(value.f, element, names)
            self.law_infos.setdefault(row, LawInfo(row, title, "", names)).breaks = tuple(value.breaks)
            return row
        if isinstance(value, Table):
            return self._table(value, element, title, names)
        if callable(value):
            purity.check_scalar(value, arity(value, names, title), title)
            traced = expressions.trace(value, list(names)[: arity(value, names, title)])
            if traced is None:
                row = self._add(kind=FUNCTION, handle=self.scalar_function(value, len(names), title))
                self._know(row, title, names, function=self.kept[-1])
                return row
            return self.program(traced, names, title)
        if isinstance(value, (str, expressions.Expression)):
            expression = written = expressions.parse(value) if isinstance(value, str) else value
            hidden = sorted(n for n in expression.names if n in names and n in self.parameters)
            if hidden:
                raise ModelError(f"{title}: '{hidden[0]}' in '{expression}' is a name of the law itself here, and of a parameter "
                                 "of the model: which one is meant cannot be told. Give the parameter another name")
            expression = expression.substitute({n: self.parameters[n] for n in expression.names if n in self.parameters
                                                and n not in names})
            expression, reads = self.named(expression, names, element, title, written)
            return self.program(expression, names, title, reads)
        number = expressions.number(value, self.parameters, f"value of {title}")
        if number not in self._constants:
            self._constants[number] = self._add(kind=CONSTANT, value=number)
        return self._constants[number]

    def _spelled(self, expression, allowed: set[str], names, title: str) -> None:
        """Refuse a formula with unknown names; of a user's formula before parameters are put in: as it was written."""
        unknown = sorted(expression.names - allowed)
        if unknown:
            known = [*names, *self.parameters]
            raise ModelError(f"{title}: '{unknown[0]}' in '{expression}' is not known{hint(unknown[0], known)} "
                             f"(it may use {', '.join(known)})")

    def _reading_law(self, law, element, names, title) -> int:
        """A Python function of t and of what it reads: a formula where it is one, else a row of its own that calls it."""
        known = arity(law.f, ("t", *law.reads, *"abcdefgh"), title)
        if known != 1 + len(law.reads):
            raise ModelError(f"{title}: its function takes {known} argument{'s' * (known > 1)}; with reads={list(law.reads)} it "
                             f"is called with t and {len(law.reads)} more")
        for name in law.reads:
            expressions.parse(expressions.name_text(name))
            if name == "t" or (name in self.parameters and name not in self.model):
                what = "the time, which is given first" if name == "t" else "a parameter: read a da.Signal that has its value"
                raise ModelError(f"{title}: reads= names parts of the mechanism and signals; '{name}' is {what}")
            self.promised.setdefault(name, title)
        traced = expressions.trace(law.f, ["t", *law.reads])
        if traced is not None:
            expression, reads = self.named(traced, names, element, title)
            return self.program(expression, names, title, reads)
        own = f"`function {len(self.calls)} of {title}`"
        wrapped = called_with(law.f, len(law.reads))
        handle = self.vector_function(wrapped, title, (len(law.reads), 1, 1))
        self.calls[own] = {"kind": CALL, "first": len(self.arguments), "second": len(law.reads), "handle": handle,
                           "reads": law.reads}
        _, reads = self.named(expressions.Expression((("name", own),)), names, element, title)
        self.arguments += [self.slot(n, title) for n in law.reads]
        row = self.program(expressions.Expression((("name", own),)), names, title, reads)
        self.law_infos[row].expression = None
        return row

    def program(self, expression, names, title="", reads=()) -> int:
        self._spelled(expression, {*names, *reads}, names, title)
        program = expression.program([*names, *reads])
        start, constants = len(self.code), len(self.constants)
        if reads:
            code = np.array(program.code, np.int64).reshape(-1, 2)
            numbers = np.array([self.slots[n] for n in reads])
            mine = (code[:, 0] == jets.VARIABLE) & (code[:, 1] >= len(names))
            code[mine, 1] = SLOT + numbers[code[mine, 1] - len(names)]
            self.code += [int(x) for x in code.ravel()]
        else:
            self.code += [int(x) for x in program.code]
        self.constants += [float(x) for x in program.constants]
        self.depth = max(self.depth, program.depth)
        row = self._add(kind=PROGRAM, start=start, stop=len(self.code), constants=constants)
        if "t" in expression.names:
            self.over_time.append(row)
        if reads:
            self.reads_of_law[row] = tuple(reads)
        self._know(row, title, names, expression=expression, reads=tuple(reads))
        return row

    def changes(self, law: int) -> bool:
        """Whether a law of time (a row number) changes with it: a row that holds it does work, it is a driver."""
        return self.laws[law]["kind"] in (TABLE, FUNCTION) or law in self.over_time

    def vanishes(self, expression) -> bool:
        """Whether a formula is zero, whatever its variables are."""
        return not expression.names and expression.evaluate({}) == 0.0

    def _know(self, row, title, names, **what) -> None:
        element = getattr(getattr(self, "current", None), "element", None)
        kind = getattr(element, "kind", "")
        if kind != "event":
            self.law_infos[row] = LawInfo(row, title or getattr(element, "title", ""), kind, tuple(names), **what)

    def _table(self, table, element, title, names) -> int:
        kind = table.kind_for(element)
        if table.of not in names:
            if getattr(element, "kind", "") not in READERS:
                raise ModelError(f"{title}: a table over '{table.of}' does not fit here; it may be over {', '.join(names)}")
            expression, reads = self.named(table.formula(kind), names, element, title, f"a table over {table.of}")
            return self.program(expression, names, title, reads)
        if kind in ("linear", "step") and getattr(element, "kind", "") not in ("force", "signal"):
            raise ModelError(f"{title}: a table of kind '{kind}' jumps{'' if kind == 'step' else ' in its rate'} at its points, "
                             "which would be an impact in a prescribed motion; use kind=\"cubic\" (the default for drives) or "
                             "\"pchip\"")
        knots, rows = table.pieces(kind)
        start = len(self.constants)
        self.constants += [*knots, *(c for r in rows for c in r)]
        row = self._add(kind=TABLE, start=start, stop=start + len(knots), argument=names.index(table.of))
        part, where = table.overshoot(kind) if kind == "cubic" else (0.0, 0.0)
        note = "" if part <= OVERSHOOT else (
            f"{title}: the cubic spline through its table leaves the range of the values by {100 * part:.0f} % of it near "
            f"{table.of} = {where:.4g}; kind=\"pchip\" does not")
        self._know(row, title, names, knots=() if kind == "cubic" else tuple(table.x), over=table.of, note=note)
        return row

    def scalar_function(self, function, count, title) -> int:
        handle, keep = _jit.scalar_law(function, arity(function, ("t", "x", "v")[:count], title), title)
        self.kept.append(keep)
        return handle

    def vector_function(self, function, title, sizes) -> int:
        """A user's force law; it is tried once in Python, so that slips show as what they are."""
        if isinstance(function, Lost):
            raise function.refuse(title)
        if isinstance(function, Law):
            if function.reads:
                raise ModelError(f"{title}: its function is called as f(t, x, v, out) with the motion of its own points, and "
                                 f"reads= ({', '.join(function.reads)}) does not reach it; a Force, Torque or Motor with "
                                 "da.Law(f, reads=[…]) or a formula reads other parts and signals")
            self.law_infos[-1 - len(self.law_infos)] = LawInfo(-1, title, "force", (), breaks=tuple(function.breaks))
            function = function.f
        x, v, out = (np.zeros(n) for n in sizes)
        if len(x) in (7, 14) and len(out) == 6:
            x[3::7] = 1.0
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


def called_with(f, count: int):
    """A function of arrays that calls f(t, x[0], … x[count − 1]): one text for each count, so it can be compiled and kept."""
    space: dict[str, Any] = {}
    exec(f"def make(f):\n    def law(t, x, v, out):\n        out[0] = f(t, {', '.join(f'x[{k}]' for k in range(count))})\n"
         "    return law\n", space)
    return space["make"](f)


def arity(function, names, title) -> int:
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
