"""Numbers that know how they change with parameters: a value and its slopes, one for each parameter (lane).

The builder and the elements' recipes compute with them as with floats; comparisons go by the value, so decisions are those of the
plain model.  Two are equal only where their slopes are: what is one place of a table now and two beside is two.

    d(a b) = a db + b da        d(a/b) = (da − (a/b) db)/b        d√a = da/(2√a)        d atan2(y, x) = (x dy − y dx)/(x² + y²)

``float`` gives the value alone, for decisions and messages.  Somebody who computes on with it loses the slopes: analyses/derived
compares all tables with a difference for that (moves.py).
"""

from __future__ import annotations

import math

import numpy as np


class Unmoved(Exception):
    """Something has no slopes here: another value of a parameter makes other tables, or code is not known to carry them."""


class Moving:
    """A value ``x`` and its slopes ``d``."""

    __slots__ = ("d", "name", "x")

    def __init__(self, x, d, name=""):
        self.x, self.d, self.name = float(x), d, name

    def __add__(self, o):
        if isinstance(o, Moving):
            return Moving(self.x + o.x, self.d + o.d)
        return NotImplemented if isinstance(o, np.ndarray) else Moving(self.x + o, self.d)

    __radd__ = __add__

    def __sub__(self, o):
        if isinstance(o, Moving):
            return Moving(self.x - o.x, self.d - o.d)
        return NotImplemented if isinstance(o, np.ndarray) else Moving(self.x - o, self.d)

    def __rsub__(self, o):
        return NotImplemented if isinstance(o, np.ndarray) else Moving(o - self.x, -self.d)

    def __mul__(self, o):
        if isinstance(o, Moving):
            return Moving(self.x * o.x, self.x * o.d + o.x * self.d)
        return NotImplemented if isinstance(o, np.ndarray) else Moving(self.x * o, o * self.d)

    __rmul__ = __mul__

    def __truediv__(self, o):
        if isinstance(o, np.ndarray):
            return NotImplemented
        if not isinstance(o, Moving):
            return Moving(self.x / o, self.d / o)
        q = self.x / o.x
        return Moving(q, (self.d - q * o.d) / o.x)

    def __rtruediv__(self, o):
        if isinstance(o, np.ndarray):
            return NotImplemented
        q = o / self.x
        return Moving(q, (-q / self.x) * self.d)

    def __pow__(self, n):
        if isinstance(n, Moving):
            raise Unmoved("an exponent moves")
        if n == 2:
            return Moving(self.x * self.x, 2.0 * self.x * self.d)
        return Moving(self.x**n, n * self.x ** (n - 1) * self.d)

    def __neg__(self):
        return Moving(-self.x, -self.d)

    def __pos__(self):
        return self

    def __abs__(self):
        if self.x == 0.0:
            return Moving(0.0, np.where(self.d == 0.0, 0.0, np.nan))  # a kink: good for decisions only
        return self if self.x > 0.0 else -self

    def sqrt(self) -> Moving:
        root = math.sqrt(self.x)
        if root == 0.0:
            return Moving(0.0, np.full_like(self.d, np.nan))
        return Moving(root, self.d * (0.5 / root))

    def cos(self) -> Moving:
        return Moving(math.cos(self.x), -math.sin(self.x) * self.d)

    def sin(self) -> Moving:
        return Moving(math.sin(self.x), math.cos(self.x) * self.d)

    def tan(self) -> Moving:
        t = math.tan(self.x)
        return Moving(t, (1.0 + t * t) * self.d)

    def __float__(self):
        return self.x

    def __lt__(self, o):
        return self.x < float(o)

    def __le__(self, o):
        return self.x <= float(o)

    def __gt__(self, o):
        return self.x > float(o)

    def __ge__(self, o):
        return self.x >= float(o)

    def __eq__(self, o):
        if isinstance(o, Moving):
            return self.x == o.x and bool(np.array_equal(self.d, o.d))
        return isinstance(o, (int, float)) and self.x == o and not self.d.any()

    def __hash__(self):
        return hash(self.x)

    def __format__(self, spec):
        return format(self.x, spec)

    def __repr__(self):
        """A name that formulas may hold: elements put numbers into the text of formulas (moving_formulas.py)."""
        return f"`{self.name}`" if self.name else repr(self.x)


def heading(y, x):
    """atan2 of numbers of which at least one moves."""
    a, b = float(y), float(x)
    square = a * a + b * b
    if square == 0.0:
        raise Unmoved("a direction that vanishes")
    if a == 0.0 and b < 0.0:
        raise Unmoved("an angle of half a turn, which may be counted either way")
    return Moving(math.atan2(a, b), (b * slopes(y) - a * slopes(x)) / square)


def slopes(x):
    """The slopes of a number: zero of one that does not move."""
    return x.d if isinstance(x, Moving) else 0.0


def moves(x) -> bool:
    """Whether a number, or one of an array's, moves."""
    if isinstance(x, np.ndarray):
        return x.dtype == object and any(isinstance(v, Moving) for v in x.ravel())
    return isinstance(x, Moving)


def stacked(array, lanes: int) -> np.ndarray:
    """The slopes of an array of numbers: its shape × lanes."""
    array = np.asarray(array)
    out = np.zeros((*array.shape, lanes))
    if array.dtype == object:
        for k, v in np.ndenumerate(array):
            if isinstance(v, Moving):
                out[k] = v.d
    return out
