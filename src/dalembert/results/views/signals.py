"""Signals, states and algebraic unknowns of a result."""

from __future__ import annotations

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.results.views.view import Array, View


class SignalView(View):
    """A signal, a state or an algebraic unknown.

    Attributes
    ----------
    value : array
        Its values.
    rate : array
        Of a state: its rate.
    """

    def __init__(self, motion, name):
        self._m, self.name = motion, name

    def _column(self, k: int) -> Array:
        if getattr(self._m, "lost", ()):
            raise AnalysisError(f"{self._m.model.elements[self.name].title}: a law of the model was a Python function, which the "
                                "file does not hold, so that values of signals cannot be computed again")
        return self._m.shape(np.array(self._m.signals[:, k]))

    @property
    def value(self) -> Array:
        s = self._m.system
        if self.name in s.states:
            return self._m.shape(np.array(self._m._q[:, s.states[self.name]]))
        return self._column(s.readings[self.name])

    @property
    def rate(self) -> Array:
        s = self._m.system
        if self.name not in s.states:
            raise AnalysisError(f"{self._m.model.elements[self.name].title} has no rate: only states (da.Differential) have one")
        return self._column(len(s.readings) + list(s.states).index(self.name))
