"""The state a stepper stands at, as results show states: views are read off it when they are asked for, and not before."""

from __future__ import annotations

import numpy as np

from dalembert.results.motion import State

CACHED = ("observed", "placed", "signals")


class Live(State):
    """A state that is moved on; what was computed from the one before is dropped."""

    def move(self, t: float, q: np.ndarray, v: np.ndarray) -> None:
        self._t[0] = t
        self._q[0], self._v[0] = q, v
        for name in CACHED:
            self.__dict__.pop(name, None)
