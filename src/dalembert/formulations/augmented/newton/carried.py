"""Linear solves of implicit methods for a motion with its tangents: the matrix of the motion, for every lane.

The equations of (y, δy) are triangular: y does not depend on δy, and the derivative of δẏ in δy is that of ẏ in y, for every
lane the same.  Newton's method with the factors of y alone on all of them converges for the tangents as it does for y.
z = (y, then the tangents of every number of y, lane by lane beside each other).
"""

from dalembert._jit import call, entry, kernel, struct

Carried = struct("Carried", {"za": "f8", "zb": "f8", "a": "f8", "b": "f8", "handle": "i8", "lanes": "i8"})
REAL, COMPLEX = range(2)


@kernel
def load(c, source, to, lane):
    n, lanes = to.size, c.lanes[0]
    for k in range(n):
        to[k] = source[k] if lane < 0 else source[n + lanes * k + lane]


@kernel
def store(c, source, to, lane):
    n, lanes = source.size, c.lanes[0]
    for k in range(n):
        if lane < 0:
            to[k] = source[k]
        else:
            to[n + lanes * k + lane] = source[k]


@kernel
def solve_real(c):
    for lane in range(-1, c.lanes[0]):
        load(c, c.za, c.a, lane)
        status = call(c.handle[REAL])
        if status != 0:
            return status
        store(c, c.a, c.za, lane)
    return 0


@kernel
def solve_complex(c):
    for lane in range(-1, c.lanes[0]):
        load(c, c.za, c.a, lane)
        load(c, c.zb, c.b, lane)
        status = call(c.handle[COMPLEX])
        if status != 0:
            return status
        store(c, c.a, c.za, lane)
        store(c, c.b, c.zb, lane)
    return 0


ENTRIES = {"solve_real": entry("carried", "solve_real", solve_real, Carried, module=__name__),
           "solve_complex": entry("carried", "solve_complex", solve_complex, Carried, module=__name__)}
