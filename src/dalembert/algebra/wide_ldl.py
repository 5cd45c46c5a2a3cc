"""Solves with the factors of block_ldl.py for numbers that are vectors themselves (duals), written out for the rows of a column.

    forward    x_p = δ_p (b_p − Σ_{m<p} A_pm x_m),   then b_i −= Σ_p W_ip x_p for the blocks below
    backward   y_p = Σ_i W_ip x_i over the blocks below;   from the last p on  x_p −= δ_p (y_p + Σ_{m>p} A_mp x_m)

What belongs to the column stays in variables (the compiler must fear that a store into x changes what was read from x), every
number below is read once for all of its rows.
"""

import numpy as np

from dalembert._jit import chosen, kernel
from dalembert._jit.unrolled import text
from dalembert.algebra.block_ldl import down_any, up_any
from dalembert.algebra.block_rows import PLACE, WRITTEN, stride


def _made(name, n, lines):
    def make():
        space = {"np": np, "stride": stride, "N": n}
        head = f"def {name}(col, below, A, delta, x):\n"
        exec(compile(head + "\n".join("    " + line for line in lines), f"<{name}>", "exec"), space)
        return space[name]

    return text(make, kernel)


BELOW = ["for b in range(col.below, col.end):",
         "    rows, w0, to = np.int64(below[b].count), np.int64(below[b].at), np.int64(below[b].row)",
         "    step = stride(col, rows)",
         "    for i in range(rows):"]


def _down(n):
    lines = [PLACE]
    for p in range(n):
        less = "".join(f" - A[d0 + {m} * own + {p}] * x{m}" for m in range(p))
        lines += [f"x{p} = (x[r0 + {p}]{less}) * delta[r0 + {p}]", f"x[r0 + {p}] = x{p}"]
    less = "".join(f" - A[w0 + {p} * step + i] * x{p}" for p in range(n))
    return _made(f"wide_down{n}", n, [*lines, *BELOW, f"        x[to + i] = x[to + i]{less}"])


def _up(n):
    lines = [PLACE, *(f"y{p} = 0.0" for p in range(n)), *BELOW, "        z = x[to + i]"]
    lines += [f"        y{p} += A[w0 + {p} * step + i] * z" for p in range(n)]
    for p in range(n - 1, -1, -1):
        more = "".join(f" + A[d0 + {p} * own + {m}] * x{m}" for m in range(p + 1, n))
        lines += [f"x{p} = x[r0 + {p}] - (y{p}{more}) * delta[r0 + {p}]", f"x[r0 + {p}] = x{p}"]
    return _made(f"wide_up{n}", n, lines)


_forward = chosen((down_any, *map(_down, WRITTEN), down_any), "col, below, A, delta, x")
_backward = chosen((up_any, *map(_up, WRITTEN), up_any), "col, below, A, delta, x")


@kernel
def solve(columns, below, A, delta, x):
    """Solve in place with the factored matrix; dropped rows get zero."""
    for k in range(columns.size):
        _forward(columns[k].count, columns[k], below, A, delta, x)
    for k in range(columns.size - 1, -1, -1):
        _backward(columns[k].count, columns[k], below, A, delta, x)
