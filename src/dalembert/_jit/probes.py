"""A user's function asked directly, at points of several magnitudes: does it give the same twice, and as its compiled form?

A law is a function of its arguments.  One that counts its calls, draws random numbers or remembers the last time gives every run,
every integrator and every output grid another motion; asked for the same points forwards and backwards it shows.  Compiled
code counts in 64-bit integers and reals where Python counts without end: where the two differ, Python is right.  Texts are no
numbers, although float("1") and out[0] = "1" take them for some.
"""

from __future__ import annotations

import math
import time

import numpy as np

TIMES = (0.0, 1e-3, 0.37, 1.0, 2.5, 9.7, 61.3, 1e3)
PLACES = (0.0, 1e-6, -0.02, 0.7, -1.0, 3.1, -40.0, 1e3)
RATES = (0.0, -0.5, 1e-3, 2.0, -7.0, 0.1, 30.0, -1e3)
ENOUGH = 0.05  # s of CPU after which a slow function is not asked any more
NEAR = 1e-9  # of the values: the two do the same operations, in an order that may differ
RAISED = math.inf  # what stands for a value that is none


class Text(TypeError):
    """A law gave a text where a number is wanted."""


def number(value) -> float:
    """The value of a law; texts are refused."""
    if isinstance(value, (str, bytes, bytearray)) or (isinstance(value, np.ndarray) and value.dtype.kind in "US"):
        raise Text(f"the text {value!r:.40} is not a number")
    return float(value)


class Numbers(np.ndarray):
    """What a force law writes to: numbers only."""

    def __setitem__(self, place, value):
        if not isinstance(value, (float, int)) and np.asarray(value).dtype.kind in "US":
            raise Text(f"the text {value!r:.40} is not a number")
        super().__setitem__(place, value)


def scalar_points(count: int) -> list[tuple[float, ...]]:
    return [point[:count] for point in zip(TIMES, PLACES, RATES, strict=True)]


def vector_points(sizes) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """States of a body: place and attitude x, rates v."""
    nx, nv, _ = sizes
    found = []
    for k, t in enumerate(TIMES[:5]):
        x = np.array([PLACES[(k + i) % 5] for i in range(nx)])
        if nx == 7:
            x[3:] = np.array([1.0, 0.3 * k, -0.2 * k, 0.1 * k]) / math.sqrt(1.0 + 0.14 * k * k)
        found.append((t, x, np.array([RATES[(k + 2 * i) % 5] for i in range(nv)])))
    return found


def scalar_value(function, point) -> float:
    try:
        with np.errstate(all="ignore"):
            return number(function(*point))
    except Text:
        raise
    except Exception:
        return RAISED


def vector_value(function, point, size) -> np.ndarray:
    t, x, v = point
    out = np.zeros(size)
    try:
        with np.errstate(all="ignore"):
            function(t, x.copy(), v.copy(), out.view(Numbers))
    except Text:
        raise
    except Exception:
        out[:] = RAISED
    return out


def memory(ask, points) -> str:
    """What shows that a function is not one of its arguments alone, or "".  ``ask(point)`` gives its value."""
    begin, first = time.thread_time(), []
    for point in points:
        first.append(ask(point))
        if time.thread_time() - begin > ENOUGH:
            break
    for k in range(len(first) - 1, -1, -1):
        again = ask(points[k])
        if not np.array_equal(first[k], again, equal_nan=True):
            return f"at t = {points[k][0]:g} it gave {first[k]} and then {again}"
    return ""


def difference(plain, compiled, point) -> str:
    """In words, if the compiled value is not Python's; a value that is not finite stands for none in both."""
    if isinstance(plain, float) and abs(plain - compiled) <= NEAR * abs(plain) < math.inf:
        return ""
    p, c = np.atleast_1d(plain), np.atleast_1d(compiled)
    if not np.all(np.isfinite(p)) or not np.all(np.isfinite(c)):
        same = np.all(np.isfinite(p)) == np.all(np.isfinite(c))
    else:
        same = bool(np.all(np.abs(p - c) <= NEAR * max(np.max(np.abs(p)), np.max(np.abs(c)))))
    if same:
        return ""
    shown = [("none" if not np.all(np.isfinite(a)) else ", ".join(f"{x:.9g}" for x in a)) for a in (p, c)]
    return f"at t = {point[0]:.9g} Python gives {shown[0]}, compiled {shown[1]}"
