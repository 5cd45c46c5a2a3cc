"""The symbolic builder: the elements' recipes write the same markers, measures, rows and forces, with formulas for numbers.

What the engine's builder stores as a float is a ``Dual`` here; laws become SymPy expressions of t (or of a measure's value
and rate) instead of programs.  Groups, rows and measures come out in the engine's order, so row k here is row k there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from dalembert import expressions
from dalembert.elements.measures.table import MEASURES
from dalembert.errors import AnalysisError
from dalembert.model.builder import Builder
from dalembert.model.compile import SECTIONS
from dalembert.model.geometry import Marker, Placed
from dalembert.model.law import Law as WithBreaks
from dalembert.model.law import Table, arity
from dalembert.symbolic.kinematics.valued import Dual, arctan2, exactly, formula, turned
from dalembert.symbolic.simplify import fourier

TIME = sp.Symbol("t", real=True)


@dataclass
class LawFormula:
    """A law as a formula of its variables; ``expr`` is None when it has none, ``reason`` says why."""

    expr: Any
    variables: tuple[sp.Symbol, ...] = ()
    reason: str = ""

    def at(self, title: str, *values):
        """The formula with values for its variables."""
        if self.expr is None:
            raise AnalysisError(f"{title}: {self.reason}")
        return self.expr.xreplace(dict(zip(self.variables, values, strict=False)))


class _Formula(expressions.Expression):
    """A user's formula whose parameters stay in it but are not asked for: they are symbols."""

    _parameters: frozenset[str]

    def __init__(self, expression, parameters):
        super().__init__(expression._term, expression._text)
        object.__setattr__(self, "_parameters", parameters)

    @property
    def names(self):  # type: ignore[override]
        return frozenset(x for kind, x in self._term if kind == "name") - self._parameters


class SymbolicBuilder(Builder):
    """What elements see while their equations are derived."""

    def __init__(self, model):
        self.values = model.parameter_values()
        self.symbols = {n: sp.Symbol(n, real=True) for n in self.values}
        self.formulas: list[LawFormula] = []
        super().__init__(model)
        self.gravity = formula(self.vector(model.gravity, f"gravity of model '{model.name}'"))
        for section in SECTIONS:
            for element in model.elements.values():
                if element.kind == section and section != "event":
                    self.add(element)

    # ------------------------------------------------------------------------------------------------- numbers

    def clean(self, x: Any) -> Dual:
        """|x| → ±x by its value, and zero where a formula is only rounding."""
        if x.expr.has(sp.Abs):
            table = {self.symbols[n]: v for n, v in self.values.items()}
            x = Dual(x.expr.replace(sp.Abs, lambda a: a if float(a.xreplace(table)) >= 0 else -a), x.value)
        if x.expr.free_symbols:
            return x
        return Dual(0, 0.0) if abs(x.value) < 1e-15 else Dual(x.value)

    def number(self, value, what: str) -> Any:
        if isinstance(value, Dual):
            return value
        number = expressions.number(value, self.values, what)
        if isinstance(value, str):
            return Dual(exactly(expressions.parse(value).sympy(self.symbols)), number)
        return Dual(number)

    def length(self, vector):
        return self.clean(np.linalg.norm(vector))

    def tangent(self, angle):
        return turned(sp.tan, angle)

    def direction(self, value, what: str) -> np.ndarray:
        a = self.vector(value, what)
        length = self.clean(np.linalg.norm(a))
        return np.array([self.clean(x / length) for x in a])

    def rotation(self, angle, rotation, what: str):
        if self.dim == 2:
            return Dual(0) if angle is None else self.number(angle, f"angle of {what}")
        if rotation is None:
            return self._identity(3)
        label = f"rotation of {what}"
        if isinstance(rotation, (tuple, list)) and len(rotation) == 2 and isinstance(rotation[0], str):
            axes, angles = rotation
            found = self._identity(3)
            for letter, value in zip(
                axes, angles if hasattr(angles, "__len__") and not isinstance(angles, str) else [angles], strict=True
            ):
                found = found @ self._elementary("xyz".index(letter), self.number(value, label))
            return found
        if len(rotation) == 4 and any(isinstance(x, str) for x in rotation):
            e0, e1, e2, e3 = self.vector(rotation, label, 4)
            n = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
            rows = [
                [n - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                [2 * (e1 * e2 + e0 * e3), n - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
                [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), n - 2 * (e1 * e1 + e2 * e2)],
            ]
            return np.array([[x / n for x in row] for row in rows])
        if len(rotation) == 3 and any(isinstance(x, str) for row in rotation for x in row):
            return np.array([list(self.vector(row, label, 3)) for row in rotation])
        from dalembert.model.numbers import Numbers

        return self._duals(Numbers(3, {}).rotation(None, rotation, what))

    def _duals(self, A) -> np.ndarray:
        return np.array([[self.clean(Dual(float(x))) for x in row] for row in A])

    def _identity(self, n) -> np.ndarray:
        return self._duals(np.eye(n))

    def _elementary(self, k, angle) -> np.ndarray:
        c, s = turned(sp.cos, angle), turned(sp.sin, angle)
        A = self._identity(3)
        i, j = (k + 1) % 3, (k + 2) % 3
        A[i, i] = A[j, j] = c
        A[i, j], A[j, i] = -s, s
        return A

    def inertia(self, value, what: str, trusted=False, zeros=False):
        label = f"inertia of {what}"
        if self.dim == 2:
            return self.number(value, label)
        if hasattr(value[0], "__len__") and not isinstance(value[0], str):
            J = np.array([list(self.vector(row, label, 3)) for row in value])
            return (J + J.T) * Dual(sp.Rational(1, 2), 0.5)
        J = self._duals(np.zeros((3, 3)))
        for k, x in enumerate(self.vector(value, label, 3)):
            J[k, k] = x
        return J

    # --------------------------------------------------------------------------------------------------- bodies

    def resolve(self, body) -> dict:
        if body.start is None:
            found = body.resolve(self)
        else:
            r, A, inertia = self._rod(body)
            mass, inertia = body._mass(self, inertia)
            zero = [0.0] * self.dim
            found = {"mass": mass, "inertia": inertia, "r": r, "A": A, "com": self.vector(body.com or zero, "com")}
        if self.dim == 3:
            found["inertia"] = np.array([[Dual.of(x) for x in row] for row in found["inertia"]])
        return found

    def _rod(self, body):
        """As Body._rod, with formulas: local x from start to end, origin at the middle."""
        p, q = self.vector(body.start, "start"), self.vector(body.end, "end")
        d = q - p
        length = self.clean(np.linalg.norm(d))
        mass = self.number(body.mass, f"mass of {body.title}")
        across, half = mass * length**2 / 12, Dual(sp.Rational(1, 2), 0.5)
        if self.dim == 2:
            return (p + q) * half, self._heading(d[1], d[0]), across
        J = self._duals(np.zeros((3, 3)))
        square = self.number(body.radius, "radius") ** 2 if body.radius is not None else (length / 50) ** 2
        J[0, 0] = half * mass * square
        J[1, 1] = J[2, 2] = across if body.radius is None else across + mass * square / 4
        frame = self.frame_along(np.array([self.clean(x / length) for x in d]), 0)
        return (p + q) * half, np.array([[self.clean(Dual.of(x)) for x in row] for row in frame]), J

    def _place(self, x) -> Placed:
        if self.dim == 2:
            c, s = turned(sp.cos, x["A"]), turned(sp.sin, x["A"])
            return Placed(x["r"], np.array([[c, -s], [s, c]]), x["com"], x["A"])
        return Placed(x["r"], x["A"], x["com"])

    def marker(self, body: int, local, axes) -> int:
        local = _chopped([self.clean(self._simple(Dual.of(x))) for x in local])
        axes = np.array([_chopped([self.clean(self._simple(Dual.of(x))) for x in row]) for row in axes])
        self.markers.append(Marker(body, local, axes))
        return len(self.markers) - 1

    def _simple(self, x: Dual) -> Dual:
        if not x.expr.free_symbols:
            return x
        plain = not x.expr.has(sp.atan2, sp.acos, sp.asin) and all(p.exp.is_Integer and p.exp > 0 for p in x.expr.atoms(sp.Pow))
        return Dual(fourier(x.expr) if plain else sp.simplify(x.expr), x.value)

    def _heading(self, y, x) -> Dual:
        """atan2(k sin α, k cos α) is α (up to half turns, told by the values), where it is seen; else as it stands."""
        found = arctan2(y, x)
        if found.expr.has(sp.atan2):
            over, beside = Dual.of(y).expr, Dual.of(x).expr
            table = {self.symbols[n]: v for n, v in self.values.items()}
            for a in sorted({f.args[0] for f in beside.atoms(sp.sin, sp.cos)}, key=sp.default_sort_key):
                if fourier(over * sp.cos(a) - beside * sp.sin(a)) == 0:
                    halves = round((found.value - float(a.xreplace(table))) / math.pi)
                    return Dual(a + halves * sp.pi, found.value)
        return found

    # ------------------------------------------------------------------------------------------------- measures

    def angle(self, i, j, from_drawing=False):
        if self.dim == 3:
            return self.measure("angle", i, j, offset=self.raw_angle(i, j) if from_drawing else 0.0)
        F, G = self.axes_of(i), self.axes_of(j)
        between = Dual(0) if from_drawing else self.clean(self._heading(self._simple(G[:, 0] @ F[:, 1]), G[:, 0] @ F[:, 0]))
        return self.measure("angle", i, j, offset=self.raw_angle(i, j) - between)

    def raw_angle(self, i, j) -> Any:
        if self.dim == 2:
            return Dual.of(self.placed[self.markers[j].body].angle) - Dual.of(self.placed[self.markers[i].body].angle)
        F, G = self.axes_of(i), self.axes_of(j)
        return self.clean(self._heading(self._simple(G[:, 0] @ F[:, 1]), G[:, 0] @ F[:, 0]))

    def drawn_value(self, measure: int) -> Any:
        m = self.measures[measure]
        return self.clean(self._simple(Dual.of(MEASURES[m["kind"]].drawn(self, m))) - m["offset"])

    def drawn_distance(self, i, j) -> Any:
        number = Builder.drawn_distance(self, i, j)
        return self.clean(np.linalg.norm(self.point_of(j) - self.point_of(i))) if number else 0.0

    # ----------------------------------------------------------------------------------------------------- laws

    def _open(self, element, before) -> None:
        """Formulas have no inputs."""

    def law(self, value, element, names=("t",)) -> int:
        title = element if isinstance(element, str) else element.title
        own = {n: TIME if n == "t" else sp.Symbol(n, real=True) for n in names}
        if isinstance(value, WithBreaks) and value.reads:
            self.formulas.append(LawFormula(None, reason="its law is a function of what it reads by name; formulas hold laws of "
                                                         "t, parameters and the element's own coordinate"))
            return len(self.formulas) - 1
        if isinstance(value, WithBreaks):
            value = value.f
        if isinstance(value, Table):
            return self._keep(_spline(value, value.kind_for(element), own[value.of]), own)
        if callable(value):
            found = expressions.trace(value, list(names)[: arity(value, names, title)])
            if found is None:
                self.formulas.append(
                    LawFormula(
                        None,
                        reason="its law is a Python function with branches or calls that cannot be read as "
                        "a formula; give it as a formula string or a da.Table to derive with it",
                    )
                )
                return len(self.formulas) - 1
            return self._keep(found.sympy(own), own)
        if isinstance(value, str):
            parsed = expressions.parse(value)
            read = sorted(n for n in parsed.names if n not in own and n not in self.symbols)
            if read:
                self.formulas.append(LawFormula(None, reason=f"its law reads '{read[0]}' of the mechanism by name; formulas hold "
                                                             "laws of t, parameters and the element's own coordinate"))
                return len(self.formulas) - 1
            return self._keep(parsed.sympy({**self.symbols, **own}), own)
        return self._keep(self.number(value, f"value of {title}").expr, own)

    def signal(self, element, formula) -> None:
        """Nothing moves by it; a law that reads it says so."""

    def differential(self, element, rate, start) -> None:
        raise AnalysisError(f"{element.title}: derived equations are those of the bodies; a state with a rate of its own is not "
                            "among them: take it out of the model")

    def algebraic(self, element, equation, start) -> None:
        raise AnalysisError(f"{element.title}: derived equations are those of the bodies; an algebraic unknown is not among "
                            "them: take it out of the model")

    def switch(self, row) -> None:
        """Formulas have no events."""

    def _keep(self, expr, own) -> int:
        self.formulas.append(LawFormula(exactly(sp.sympify(expr)), tuple(own.values())))
        return len(self.formulas) - 1

    def expression(self, value, what) -> expressions.Expression:
        parsed = expressions.parse(value if isinstance(value, str) else repr(self.number(value, what)))
        return _Formula(parsed, frozenset(self.symbols))

    def program(self, expression, names, title="", reads=()) -> int:
        own = {n: TIME if n == "t" else sp.Symbol(n, real=True) for n in names}
        return self._keep(expression.sympy({**self.symbols, **own}), own)

    def changes(self, law: int) -> bool:
        formula = self.formulas[law].expr
        return formula is None or TIME in formula.free_symbols

    def vanishes(self, expression) -> bool:
        return expression.sympy({**self.symbols, **{n: sp.Symbol(n) for n in expression.names}}) == 0

    def vector_function(self, function, title, sizes) -> int:
        return 0


def _spline(table: Table, kind: str, x):
    """The table's cubics, straight outside, as a piecewise formula."""
    knots, rows = table.pieces(kind)
    data = [c for row in rows for c in row]
    pieces = []
    for k in range(len(knots) - 1):
        a, b, c, d = (sp.Float(v) for v in data[4 * k : 4 * k + 4])
        u = x - sp.Float(knots[k])
        pieces.append((a + u * (b + u * (c + u * d)), x < sp.Float(knots[k + 1])))
    a, b, c, d = data[-4:]
    h = knots[-1] - knots[-2]
    end, slope = a + h * (b + h * (c + h * d)), b + h * (2 * c + 3 * h * d)
    first = (sp.Float(data[0]) + sp.Float(data[1]) * (x - sp.Float(knots[0])), x < sp.Float(knots[0]))
    return sp.Piecewise(first, *pieces, (sp.Float(end) + sp.Float(slope) * (x - sp.Float(knots[-1])), True))


def _chopped(components: list[Dual]) -> np.ndarray:
    """A vector without components that are only rounding of the others: 2e-16·a beside 0.3·a."""
    top = max(abs(x.value) for x in components)
    noise = [abs(x.value) < 1e-14 * top and (c := x.expr.as_coeff_Mul()[0]).is_Rational and c.q > 10**12 for x in components]
    return np.array([Dual(0, 0.0) if drop else x for x, drop in zip(components, noise, strict=True)])
