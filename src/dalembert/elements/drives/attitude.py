"""How far one frame is turned away from what laws of time prescribe, as formulas: what Orientation and Pose share.

With Q(t) the wanted rotation of frame j against frame i and m_cb = x_c · f_b the cosines between their axes,

    E = Qᵀ A_iᵀ A_j,    E_ab = Σ_c Q_ca m_cb          the turn that is left
    Φ_k = 2 (E_cb − E_bc)/(1 + tr E) = 2 tan(θ/2) n_k          (k, b, c) in cyclic order, n the axis and θ the angle of E

so that Φ is the turn about the axes of j where it is small, and −λ the torque on j about them.  Newton's step from any θ below
180° leads to θ − sin θ: it converges from all of them.  At 180° there is no way to tell which way to turn.

Q from a quaternion e of any length is |e|² times the rotation, so |e|² stands for the 1; from three angles it is the product of
three turns about axes carried along ("zyx": yaw, pitch, roll).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert import expressions
from dalembert.errors import ExpressionError, ModelError

LAWS = ("a", "b", "c", "d")  # names of the laws in the formulas
COSINES = tuple(f"m{c}{b}" for c in range(3) for b in range(3))
FAR = 14.3  # tan(θ/2) of how far a drawing may be turned away: 172°
SEQUENCE = "three of x, y, z, no two neighbours equal, such as \"zyx\" (yaw, pitch, roll) or \"zxz\""


def check(element: Any) -> None:
    """Refuse what is no orientation: one of quaternion= and euler=, with its number of laws."""
    if (element.quaternion is None) == (element.euler is None):
        raise ModelError(f"{element.title}: give quaternion= (four laws, scalar first) or euler= (three laws of angles)")
    given, count, what = ((element.quaternion, 4, "quaternion") if element.euler is None else (element.euler, 3, "euler"))
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != count:
        raise ModelError(f"{element.title}: {what}= has {count} laws, got {given!r:.60}")
    s = element.sequence
    if not isinstance(s, str) or len(s) != 3 or {*s} - {*"xyz"} or s[0] == s[1] or s[1] == s[2]:
        raise ModelError(f"{element.title}: sequence= is {SEQUENCE}, got {s!r:.40}")


def of_time(b: Any, element: Any, value: Any) -> expressions.Expression:
    """One law as a formula of t."""
    what = f"law of {element.title}"
    if callable(value):
        traced = expressions.trace(value, ["t"])
        if traced is None:
            raise ModelError(f"{element.title}: its function cannot be turned into a formula (arithmetic and math functions of t "
                             "alone can); write the law as a formula")
        return traced
    if not isinstance(value, (str, int, float, np.integer, np.floating)):
        raise ModelError(f"{element.title}: its laws are numbers, formulas of t or functions of t, not {value!r:.60}")
    return b.named(b.expression(value, what), ("t",), element, element.title)[0]


def _of_quaternion() -> tuple[list[list[str]], str]:
    a, b, c, d = LAWS
    Q = [[f"({a}*{a} + {b}*{b} - {c}*{c} - {d}*{d})", f"(2*({b}*{c} - {a}*{d}))", f"(2*({b}*{d} + {a}*{c}))"],
         [f"(2*({b}*{c} + {a}*{d}))", f"({a}*{a} - {b}*{b} + {c}*{c} - {d}*{d})", f"(2*({c}*{d} - {a}*{b}))"],
         [f"(2*({b}*{d} - {a}*{c}))", f"(2*({c}*{d} + {a}*{b}))", f"({a}*{a} - {b}*{b} - {c}*{c} + {d}*{d})"]]
    return Q, f"({a}*{a} + {b}*{b} + {c}*{c} + {d}*{d})"


def _times(A: list[list[str]], B: list[list[str]]) -> list[list[str]]:
    def product(x: str, y: str) -> str:
        return "0" if "0" in (x, y) else y if x == "1" else x if y == "1" else f"{x}*{y}"

    out = []
    for row in A:
        line = []
        for k in range(3):
            terms = [t for t in (product(x, B[j][k]) for j, x in enumerate(row)) if t != "0"]
            line.append("0" if not terms else terms[0] if len(terms) == 1 else f"({' + '.join(terms)})")
        out.append(line)
    return out


def _turn(axis: str, angle: str) -> list[list[str]]:
    k = "xyz".index(axis)
    out = [["1" if i == j else "0" for j in range(3)] for i in range(3)]
    i, j = (k + 1) % 3, (k + 2) % 3
    out[i][i] = out[j][j] = f"cos({angle})"
    out[i][j], out[j][i] = f"(-sin({angle}))", f"sin({angle})"
    return out


def _of_angles(sequence: str) -> tuple[list[list[str]], str]:
    first, second, third = (_turn(axis, angle) for axis, angle in zip(sequence, LAWS, strict=False))
    return _times(_times(first, second), third), "1"


def errors(element: Any, b: Any) -> list[expressions.Expression]:
    """Φ_k over the names in COSINES and t."""
    check(element)
    laws = element.quaternion if element.euler is None else element.euler
    Q, size = _of_quaternion() if element.euler is None else _of_angles(element.sequence)
    E = [[" + ".join(f"{Q[c][i]}*m{c}{j}" for c in range(3) if Q[c][i] != "0") for j in range(3)] for i in range(3)]
    put = {name: of_time(b, element, value) for name, value in zip(LAWS, laws, strict=False)}
    out = []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        text = f"2*({E[j][i]} - ({E[i][j]}))/({size} + {E[0][0]} + {E[1][1]} + {E[2][2]})"
        out.append(expressions.parse(text).substitute(put))
    return out


def hold(element: Any, b: Any, i: int, j: int) -> None:
    """Three rows: marker j is turned against marker i as the laws say."""
    found = errors(element, b)
    drawn = b.axes_of(i).T @ b.axes_of(j)
    at = {"t": 0.0, **{f"m{c}{k}": float(drawn[c, k]) for c in range(3) for k in range(3)}}
    try:
        half = np.array([e.evaluate(at) for e in found]) / 2  # tan(θ/2) n
    except ExpressionError:
        half = np.full(3, np.inf)
    if not half @ half < FAR * FAR:
        angle = np.degrees(2 * np.arctan(np.linalg.norm(half)))
        raise ModelError(f"{element.title}: as drawn the frames are turned by {angle:.0f}° from what its laws say at t = 0, or "
                         "these are no rotation there (a quaternion of zeros, a value that is not finite): draw the body "
                         "near its first pose")
    measures = [b.dot_axes(i, c, j, k) for c in range(3) for k in range(3)]
    for k, expression in enumerate(found):
        b.equation(measures, b.program(expression, [*COSINES, "t"], element.title), f"turn about {'xyz'[k]}")
