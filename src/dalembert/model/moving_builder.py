"""The builder on numbers that move: the slopes of every real number of the tables, and of the drawing, in parameters.

The elements' recipes are run once, on ``Moving`` numbers; all parameters are lanes of them.  What comes out must have the shape
of the plain tables; where something cannot carry slopes, or beside these values the tables would be others, ``Unmoved`` is
raised, and who asked takes differences (analyses/derived/parameters.py).

    1/m, J⁻¹      d(J⁻¹) = −J⁻¹ dJ J⁻¹
    quaternions   ω̃ = Aᵀ dA,   de = ½ e ∘ (0, ω)
    A = R P       the nearest rotation R of a matrix:  dR = R ω̃,   (tr P 1 − P) ω = axial(Rᵀ dA − dAᵀ R)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert import expressions
from dalembert.elements.laws import CONSTANT
from dalembert.elements.measures.table import MEASURES
from dalembert.errors import DalembertError
from dalembert.model.builder import Builder
from dalembert.model.compile import complete
from dalembert.model.geometry import Marker, Placed
from dalembert.model.moving import Moving, Unmoved, heading, moves, slopes, stacked
from dalembert.model.moving_formulas import Formula, value


@dataclass
class Slopes:
    """What parameters move: field → lanes × rows (as the table), and the drawn state (numbers × lanes)."""

    tables: dict[str, np.ndarray]
    q: np.ndarray
    v: np.ndarray
    numbers: MovingBuilder  # for other formulas of the model

    @property
    def lanes(self) -> int:
        return self.q.shape[1]


def slopes_of(model, system, names) -> Slopes:
    """The slopes of ``system``, the model's tables, in the parameters of these names."""
    try:
        b = MovingBuilder(model, names)
        tables = {field: np.zeros((len(names), *array.shape), array.dtype)
                  for field, array in zip(system.tables._fields, system.tables, strict=True)}
        _bodies(b, system, tables["bodies"])
        _rows(b, tables)
        q, v = _drawn(b, system)
        if not all(np.all(np.isfinite(x)) for x in (q, v, *_reals(tables))):
            raise Unmoved("a length that vanishes, or another place without a slope")
        return Slopes(tables, q, v, b)
    except (DalembertError, TypeError, ValueError, ArithmeticError, AttributeError, KeyError, IndexError) as error:
        raise Unmoved(str(error)) from error  # code that is not known to carry slopes: an element of the user's, perhaps


class MovingBuilder(Builder):
    """What elements see while slopes are found."""

    def __init__(self, model, names):
        self.values, self.lanes = model.parameter_values(), len(names)
        self.moving: dict[str, Moving] = {}
        for key, given in model.parameters.items():
            number = value(expressions.parse(given), self.moving, self.values) if isinstance(given, str) else self.values[key]
            if key in names:
                own = np.zeros(self.lanes)
                own[list(names).index(key)] = 1.0
                number = Moving(self.values[key], slopes(number) + own)
            if isinstance(number, Moving):
                self.moving[key] = number
        self.constant_slopes: dict[int, Any] = {}
        super().__init__(model)
        self.gravity = self.vector(model.gravity, "gravity")
        complete(self)

    # -------------------------------------------------------------------------------------------------------- numbers

    def number(self, given, what: str) -> Any:
        if isinstance(given, Moving):
            return self._named(given)
        if not isinstance(given, str):
            return super().number(given, what)
        if given not in self._numbers:
            self._numbers[given] = self._named(value(expressions.parse(given), self.moving, self.values))
        return self._numbers[given]

    def _named(self, number):
        """A moving number by a name of its own, which formulas may hold."""
        if isinstance(number, Moving) and not number.name:
            number = Moving(number.x, number.d, f"moving number {len(self.moving)}")
            self.moving[number.name], self.values[number.name] = number, number.x
        return number

    def tangent(self, angle):
        return angle.tan() if isinstance(angle, Moving) else super().tangent(angle)

    def length(self, vector):
        return np.linalg.norm(vector) if moves(vector) else super().length(vector)

    def heading(self, y, x):
        return heading(y, x) if moves(y) or moves(x) else super().heading(y, x)

    def direction(self, given, what: str) -> np.ndarray:
        a = self.vector(given, what)
        return a / np.linalg.norm(a) if moves(a) else super().direction(given, what)

    def rotation(self, angle, rotation, what: str):
        if self.dim == 2 or rotation is None:
            return super().rotation(angle, rotation, what)
        named = isinstance(rotation, (tuple, list)) and len(rotation) == 2 and isinstance(rotation[0], str)
        if named:
            axes, angles = rotation
            angles = angles if hasattr(angles, "__len__") and not isinstance(angles, str) else [angles]
            found = [self.number(x, what) for x in angles]
            if not any(isinstance(x, Moving) for x in found):
                return super().rotation(angle, rotation, what)
            A = np.eye(3)
            for letter, x in zip(axes, found, strict=True):
                A = A @ _elementary("xyz".index(letter), x)
            return A
        if len(rotation) == 4:
            e = self.vector(rotation, what, 4)
            return _of_quaternion(e / np.linalg.norm(e)) if moves(e) else super().rotation(angle, rotation, what)
        A = np.array([self.vector(row, what, 3) for row in rotation])
        return _nearest(A, self.lanes) if moves(A) else super().rotation(angle, rotation, what)

    def inertia(self, given, what: str, trusted=False, zeros=False):
        if self.dim == 2:
            return self.number(given, what)
        if hasattr(given[0], "__len__") and not isinstance(given[0], str):
            J = np.array([self.vector(row, what, 3) for row in given])
        else:
            J = np.diag(self.vector(given, what, 3))
        return (J + J.T) / 2 if moves(J) else super().inertia(given, what, trusted, zeros)

    # ------------------------------------------------------------------------------------------------------- geometry

    def _place(self, x) -> Placed:
        if self.dim == 2 and moves(x["A"]):
            c, s = x["A"].cos(), x["A"].sin()
            return Placed(x["r"], np.array([[c, -s], [s, c]]), x["com"], x["A"])
        return super()._place(x)

    def marker(self, body: int, local, axes) -> int:
        self.markers.append(Marker(body, np.asarray(local), np.asarray(axes)))
        return len(self.markers) - 1

    def angle(self, i, j, from_drawing=False):
        if self.dim == 3:
            return self.measure("angle", i, j, offset=self.raw_angle(i, j) if from_drawing else 0.0)
        F, G = self.axes_of(i), self.axes_of(j)
        between = 0.0 if from_drawing else self.heading(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])
        return self.measure("angle", i, j, offset=self.raw_angle(i, j) - between)

    def raw_angle(self, i, j) -> Any:
        if self.dim == 2:
            return self.placed[self.markers[j].body].angle - self.placed[self.markers[i].body].angle
        F, G = self.axes_of(i), self.axes_of(j)
        return self.heading(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])

    def drawn_value(self, measure: int) -> Any:
        m = self.measures[measure]
        return self._named(MEASURES[m["kind"]].drawn(self, m) - m["offset"])

    def drawn_distance(self, i, j) -> Any:
        number = super().drawn_distance(i, j)
        return self._named(self.length(self.point_of(j) - self.point_of(i))) if number else 0.0

    # ----------------------------------------------------------------------------------------------------------- laws

    def _formula(self, expression, names=()):
        """The formula with its moving parameters in it; one without any as it is."""
        if isinstance(expression, Formula):
            return expression
        own = {n: self.moving[n] for n in expression.names if n in self.moving and n not in names}
        return Formula(expression, own, self.values) if own else expression

    def law(self, given, element, names=("t",)) -> int:
        if isinstance(given, Moving):
            if given not in self._constants:
                self._constants[given] = self._add(kind=CONSTANT, value=given)  # type: ignore[index]
            return self._constants[given]  # type: ignore[index]
        if isinstance(given, (str, expressions.Expression)):
            given = self._formula(expressions.parse(given) if isinstance(given, str) else given, names)
        return super().law(given, element, names)

    def expression(self, given, what) -> expressions.Expression:
        if isinstance(given, Moving):
            given = repr(self._named(given))
        text = given if isinstance(given, str) else repr(self.number(given, what))
        parsed = self._formula(expressions.parse(text))
        return parsed.substitute({n: self.parameters[n] for n in parsed.names if n in self.parameters})

    def breaks(self, expression) -> list[expressions.Expression]:
        return [self._formula(g) for g in super().breaks(expression)]

    def program(self, expression, names, title="", reads=()) -> int:
        expression, first = self._formula(expression, (*names, *reads)), len(self.constants)
        row = super().program(expression, names, title, reads)
        if isinstance(expression, Formula):
            self.constant_slopes |= enumerate(expression.constants(expression.program([*names, *reads])), start=first)
        return row


def _elementary(k, angle) -> np.ndarray:
    c, s = (angle.cos(), angle.sin()) if isinstance(angle, Moving) else (np.cos(angle), np.sin(angle))
    A = np.eye(3).astype(object)
    i, j = (k + 1) % 3, (k + 2) % 3
    A[i, i] = A[j, j] = c
    A[i, j], A[j, i] = -s, s
    return A


def _of_quaternion(e) -> np.ndarray:
    e0, e1, e2, e3 = e
    return np.array([[1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                     [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
                     [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)]])


def _axial(turn) -> np.ndarray:
    """ω of ω̃, over the first two axes."""
    return np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2


def _nearest(A, lanes) -> np.ndarray:
    given, change = np.array(A, float), stacked(A, lanes)
    u, _, vt = np.linalg.svd(given)
    R = u @ vt
    P = R.T @ given
    w = np.linalg.solve(np.trace(P) * np.eye(3) - P, 2 * _axial(np.einsum("ij,ikl->jkl", R, change)))
    tilde = np.zeros((3, 3, lanes))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        tilde[j, i], tilde[i, j] = w[k], -w[k]
    moved, out = np.einsum("ij,jkl->ikl", R, tilde), np.empty((3, 3), object)
    for place, x in np.ndenumerate(R):
        out[place] = Moving(x, moved[place])
    return out


# ------------------------------------------------------------------------------------------------------------------ tables


def _bodies(b, system, out) -> None:
    for k, x in enumerate(b.resolved):
        particle = b.model.bodies[b.body_names[k]].is_particle
        mass, com = slopes(x["mass"]), stacked(x["com"], b.lanes)
        J = (x["mass"] if b.dim == 2 else x["mass"] * np.eye(3)) if particle else x["inertia"]
        dJ = stacked(J, b.lanes)
        if k in system.spinless and (np.any(mass) or dJ.any()):
            raise Unmoved("a body with a zero moment of inertia moves")
        inverse = -1.0 / float(x["mass"]) ** 2
        row = out[:, k]
        row["mass"], row["inverse_mass"], row["com"] = mass, inverse * mass, com.T
        if b.dim == 2:
            row["inertia"], row["inverse_inertia"] = dJ, -dJ * float(system.tables.bodies[k]["inverse_inertia"]) ** 2
        else:
            R, turned = system.tables.bodies[k]["inverse_inertia"].reshape(3, 3), np.moveaxis(dJ, -1, 0)
            row["inertia"], row["inverse_inertia"] = turned.reshape(-1, 9), (-R @ turned @ R).reshape(-1, 9)


def _rows(b, tables) -> None:
    """Every other table that holds reals."""
    lanes, markers = b.lanes, tables["markers"]
    if len(b.markers) != markers.shape[1]:
        raise Unmoved("markers")
    for k, m in enumerate(b.markers):
        s, axes = stacked(m.local - b.placed[m.body].com, lanes), stacked(m.axes, lanes)
        markers[:, k]["s"] = s.T
        markers[:, k]["axes"] = axes[:, 0].T if b.dim == 2 else axes.reshape(9, lanes).T
    found: dict[str, list] = {"measures": b.measures, "laws": b.laws, "terms": b.terms, "particles": b.particles,
                              "event": [*b.events, *(row for row, _ in b.switches)], **b.reading_tables(0)}
    for g in b.groups:
        for family, _, columns in g.pieces:
            found.setdefault(family, []).append(columns)
    for family, rows in {**found, **b.forces}.items():
        out = tables[family]
        if len(rows) != out.shape[1]:
            raise Unmoved(family)
        for k, row in enumerate(rows):
            for key, x in row.items():
                if isinstance(x, Moving):
                    out[:, k][key] = x.d
                elif not isinstance(x, (int, float)) and moves(np.asarray(x)):
                    out[:, k][key] = np.moveaxis(stacked(x, lanes), -1, 0)
    if len(b.constants) != tables["constants"].shape[1]:
        raise Unmoved("constants")
    for k, x in b.constant_slopes.items():
        tables["constants"][:, k] = slopes(x)
    tables["gravity"][:, :b.dim] = stacked(b.gravity, lanes).T


def _reals(tables) -> list[np.ndarray]:
    return [array[c] if c else array for array in tables.values() for c in array.dtype.names or ("",)
            if (array[c] if c else array).dtype == np.float64]


def _drawn(b, system) -> tuple[np.ndarray, np.ndarray]:
    """The drawing's q and v (compile.py: _drawn)."""
    q, v = np.zeros((system.nq, b.lanes)), np.zeros((system.nv, b.lanes))
    for k, (x, p) in enumerate(zip(b.resolved, b.placed, strict=False)):
        at, to, d = system.at_q(k), system.at_v(k), b.dim
        arm = p.A @ p.com
        spin = np.array([-arm[1], arm[0]]) * x["omega"][0] if d == 2 else np.cross(p.A @ x["omega"], arm)
        q[at][:d] = stacked(p.r + arm, b.lanes)
        if d == 2:
            q[at][2] = slopes(p.angle)
        else:
            A, dA = np.array(p.A, float), stacked(p.A, b.lanes)
            w = _axial(np.einsum("ij,ikl->jkl", A, dA))
            e = system.q_drawn[at][3:]
            q[at][3] = -0.5 * (e[1:] @ w)
            q[at][4:] = 0.5 * (e[0] * w + np.cross(e[1:], w, axisb=0).T)
        v[to][:d] = stacked(x["velocity"] + spin, b.lanes)
        v[to][d:] = stacked(x["omega"], b.lanes)
    for name, _, start in b.states:
        q[system.states[name]] = slopes(start)
    for k, m in enumerate(b.measures):
        slot = int(system.tables.measures["slot"][k])
        if k in system.tables.tracked:
            q[slot] = slopes(b.drawn_value(k) + m["offset"])
    return q, v
