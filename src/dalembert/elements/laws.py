"""Laws: numbers that may depend on time, or on a length and its rate: f(t, x, ẋ).

A law is a constant, an expression (a program for the jet machine, which also gives df/dt and d²f/dt² exactly), a
table (cubics in one argument, see model/table.py), or a Python function compiled to an address.

Only laws of time alone are asked for derivatives (drivers).  For a function given by its address they come from
central differences over ±1, 2, 3 ms with Richardson extrapolation: good for motions slower than about 100 rad/s (ḟ to
1e-9, f̈ to 1e-7 there), useless for much faster ones, and the law is asked 3 ms before its time.  Expressions, tables and
functions that can be traced (arithmetic, math and NumPy functions, no branches) have exact derivatives.
"""

import math

import numpy as np

from dalembert._jit import call_law, kernel
from dalembert.algebra import jets

CONSTANT, PROGRAM, TABLE, FUNCTION = range(4)

LAW = np.dtype([("kind", "u4"), ("start", "u4"), ("stop", "u4"), ("constants", "u4"), ("argument", "u4"), ("_", "u4"),
                ("value", "f8"), ("handle", "i8")])


@kernel
def spline(data, start, count, x):
    """Table: knots then 4 coefficients per interval (powers of x − knot, highest last); ends continue straight."""
    low = start
    high = start + count - 1
    if x <= data[low]:
        k = 0
    elif x >= data[high]:
        k = count - 2
    else:
        while high - low > 1:
            mid = (low + high) // 2
            if data[mid] <= x:
                low = mid
            else:
                high = mid
        k = low - start
    c = start + count + 4 * k
    width = data[start + k + 1] - data[start + k]
    u = x - data[start + k]
    extra = 0.0
    if u < 0.0:
        extra = u
        u = 0.0
    elif u > width:
        extra = u - width
        u = width
    f = data[c] + u * (data[c + 1] + u * (data[c + 2] + u * data[c + 3]))
    f1 = data[c + 1] + u * (2.0 * data[c + 2] + 3.0 * u * data[c + 3])
    f2 = 2.0 * data[c + 2] + 6.0 * u * data[c + 3]
    if extra != 0.0:
        return f + extra * f1, f1, 0.0
    return f, f1, f2


@kernel
def between(data, start, count, x):
    """A function that is zero at the knots and changes its sign at each."""
    low = start
    high = start + count - 1
    if x <= data[low]:
        return x - data[low]
    last = count - 1
    if x >= data[high]:
        return (x - data[high]) * (1.0 if last % 2 == 0 else -1.0)
    while high - low > 1:
        mid = (low + high) // 2
        if data[mid] <= x:
            low = mid
        else:
            high = mid
    a = data[low]
    b = data[low + 1]
    return (x - a) * (b - x) / (b - a) * (1.0 if (low - start) % 2 == 0 else -1.0)


@kernel
def law_switch(s, w, k, t, x, v):
    """What changes sign where law k breaks: its own value (the argument of a step …), or of a table the places of its knots."""
    row = s.laws[k]
    if row.kind == TABLE:
        return between(s.constants, row.start, row.stop - row.start, x if row.argument == 1 else v)
    return law_value(s, w, k, t, x, v)


@kernel
def program(s, w, row):
    """Run an expression on the jets prepared in x0, x1, x2: value, first and second derivative."""
    return jets.run(s.code, s.constants, row.start, row.stop, row.constants, w.x0, w.x1, w.x2, 0, w.stack, 0)


@kernel
def law_value(s, w, k, t, x, v):
    """f(t, x, v)."""
    row = s.laws[k]
    if row.kind == CONSTANT:
        return row.value
    if row.kind == PROGRAM:
        w.x0[0] = t
        w.x0[1] = x
        w.x0[2] = v
        return jets.value(s.code, s.constants, row.start, row.stop, row.constants, w.x0, 0, w.stack, 0)
    if row.kind == TABLE:
        f, f1, f2 = spline(s.constants, row.start, row.stop - row.start, t if row.argument == 0 else x
                           if row.argument == 1 else v)
        return f
    return call_law(row.handle, t, x, v)


@kernel
def law_jet(s, w, k, t):
    """f(t), ḟ, f̈."""
    row = s.laws[k]
    if row.kind == CONSTANT:
        return row.value, 0.0, 0.0
    if row.kind == PROGRAM:
        w.x0[0] = t
        w.x1[0] = 1.0
        w.x2[0] = 0.0
        return program(s, w, row)
    if row.kind == TABLE:
        return spline(s.constants, row.start, row.stop - row.start, t)
    h = 1e-3 * max(1.0, math.fabs(t) * 1e-3)
    f = call_law(row.handle, t, 0.0, 0.0)
    first = 0.0
    second = 0.0
    for n in range(3):  # Richardson: steps h, 2h, 3h cancel h² and h⁴
        e = h * (n + 1)
        a = call_law(row.handle, t + e, 0.0, 0.0)
        b = call_law(row.handle, t - e, 0.0, 0.0)
        weight = 1.5 if n == 0 else -0.6 if n == 1 else 0.1
        first += weight * (a - b) / (2.0 * e)
        second += weight * (a - 2.0 * f + b) / (e * e)
    return f, first, second
