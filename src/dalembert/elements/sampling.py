"""Laws over many times at once: to look at them before a run (law_breaks.py), by the very kernels the run will use."""

from __future__ import annotations

import numpy as np

from dalembert._jit import entry, kernel, struct
from dalembert.elements.laws import LAW, PROGRAM, law_jet, law_value

LawTables = struct("LawTables", {"laws": LAW, "code": "i4", "constants": "f8"})
LawWork = struct("LawWork", {
    "which": "i8",  # the row
    "t": "f8", "out": "f8",  # times, and the values there; of ``slopes``: value and rate, in turn
    "at": "f8",  # coordinate and rate
    "x0": "f8", "x1": "f8", "x2": "f8", "stack": "f8",
})


@kernel
def sample(s, w):
    for k in range(w.t.size):
        w.out[k] = law_value(s, w, w.which[0], w.t[k], w.at[0], w.at[1])
    return 0


@kernel
def slopes(s, w):
    for k in range(w.t.size):
        f, f1, f2 = law_jet(s, w, w.which[0], w.t[k])
        w.out[2 * k] = f
        w.out[2 * k + 1] = f1
    return 0


SAMPLE = entry("laws", "sample", sample, LawTables, LawWork, module=__name__)
SLOPES = entry("laws", "slopes", slopes, LawTables, LawWork, module=__name__)


class Sampler:
    """One law as a function of arrays of times; its coordinate and rate stay as given."""

    def __init__(self, laws, code, constants, row, depth, at=(0.0, 0.0)):
        self._tables = LawTables(laws, code, constants)
        self._row, self._at, self._stack = np.array([row], np.int64), np.array(at, float), 3 * depth + 3
        self.calls = 0

    @classmethod
    def of_row(cls, system, row, at=(0.0, 0.0)) -> Sampler:
        return cls(system.tables.laws, system.tables.code, system.tables.constants, row, system.depth, at)

    @classmethod
    def of_formula(cls, expression, names=("t",), at=(0.0, 0.0)) -> Sampler:
        program = expression.program(list(names))
        laws = np.zeros(1, LAW)
        laws["kind"], laws["stop"] = PROGRAM, program.code.size
        return cls(laws, np.ascontiguousarray(program.code, np.int32), program.constants, 0, program.depth, at)

    def __call__(self, t) -> np.ndarray:
        return self._run(SAMPLE, t, 1)

    def slopes(self, t) -> tuple[np.ndarray, np.ndarray]:
        """Values and rates of a law of t alone."""
        out = self._run(SLOPES, t, 2)
        return out[::2], out[1::2]

    def _run(self, entry_, t, per) -> np.ndarray:
        t = np.ascontiguousarray(t, float)
        out = np.zeros(per * t.size)
        self.calls += t.size
        x = [np.zeros(8) for _ in range(3)]
        with np.errstate(all="ignore"):
            entry_.bind(self._tables, LawWork(self._row, t, out, self._at, *x, np.zeros(self._stack)))()
        return out
