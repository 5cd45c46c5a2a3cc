"""Entry point for the test of the compiled jets: many programs in one array, all outputs in one array."""

import numpy as np

from dalembert._jit import entry, kernel, struct
from dalembert.algebra import jets

FIELDS = ("constants", "x", "xd", "xdd", "stack", "out")
Work = struct("Work", {"code": np.int32, "table": np.int64} | dict.fromkeys(FIELDS, np.float64))


@kernel
def run_all(w):
    """Fill out[4 k : 4 k + 4] with the jet and value of program k; table holds (code, constant) starts."""
    for k in range(len(w.table) // 2 - 1):
        at, end, first = w.table[2 * k], w.table[2 * k + 2], w.table[2 * k + 1]
        f, f1, f2 = jets.run(w.code, w.constants, at, end, first, w.x, w.xd, w.xdd, 0, w.stack, 0)
        w.out[4 * k] = f
        w.out[4 * k + 1] = f1
        w.out[4 * k + 2] = f2
        w.out[4 * k + 3] = jets.value(w.code, w.constants, at, end, first, w.x, 0, w.stack, 0)
    return 0


ENTRY = entry("jets_test", "run_all", run_all, Work, module=__name__)
