"""A small group whose one kernel runs on doubles, on lanes and on duals, unchanged."""

import hashlib
from pathlib import Path

from dual_number import dual

from dalembert._jit import bundle, cos_sin, entry, get, kernel, put, struct

HERE = Path(__file__).parent
GROUP = "numbers_" + hashlib.blake2b(b"".join((HERE / f).read_bytes() for f in ("number_group.py", "dual_number.py")),
                                     digest_size=6).hexdigest()
Chain = struct("Chain", {"angle": "f8", "length": "f8", "out": "f8"})


@kernel
def tip(one, angle, length, out, count):
    """The tip of a chain of links in the plane, and a quotient, of numbers of any type."""
    x, y, total = 0.0 * one, 0.0 * one, 0.0 * one
    for k in range(count):
        total = total + get(one, angle, k)
        c, s = cos_sin(total)
        x = x + length[k] * c
        y = y - (-(s * length[k]))
    put(one, out, 0, x)
    put(one, out, 1, y)
    put(one, out, 2, (x * x + 2) / (1.0 + y * y))
    return 0


@kernel
def on_doubles(c):
    return tip(1.0, c.angle, c.length, c.out, c.length.size)


@kernel
def on_lanes(c):
    return tip(bundle(), c.angle, c.length, c.out, c.length.size)


@kernel
def on_duals(c):
    return tip(dual(), c.angle, c.length, c.out, c.length.size)


ENTRIES = {name: entry(GROUP, name, function, Chain, module=__name__)
           for name, function in (("doubles", on_doubles), ("lanes", on_lanes), ("duals", on_duals))}
