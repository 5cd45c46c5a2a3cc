"""What a stepper goes back to: plain numbers, which may be kept, copied and sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.integrators import layout as at


def _steering(kept: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Without what is only counted, and what every call sets anew."""
    count = kept["count"].copy()
    count[[at.NEXT, at.LOGGED, at.FACTORS, at.TANGENTS, at.CALLS]] = 0
    return {**kept, "count": count}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One moment of a stepper, whole; made by ``sim.snapshot()``."""

    t: float
    pace: tuple[float, int, float, float]  # where equal steps are counted from, how many, their length; start of the window
    method: str
    form: str
    kept: dict[str, np.ndarray]  # of the integrator
    memory: dict[str, np.ndarray]  # of the equations
    inputs: dict[str, float]
    parameters: dict[str, Any]
    changed: bool  # an input was set since the last step
    found: dict[str, Any]  # what the beginning of the run has fixed: the scale of the energies, which errors are judged by

    def fits(self, n: int, inputs: list[str], model: Any) -> None:
        """Refuse what was taken of another model."""
        if self.kept["x"].size != n or list(self.inputs) != inputs:
            raise AnalysisError(f"restore of '{model.name}': the snapshot is of a model with {self.kept['x'].size} components "
                                f"and inputs {', '.join(self.inputs) or 'none'}; this one has {n} and "
                                f"{', '.join(inputs) or 'none'}")
        other = sorted(set(self.parameters) ^ set(model.parameters))
        if other:
            raise AnalysisError(f"restore of '{model.name}': the snapshot is of another model: parameter '{other[0]}' is in one "
                                "of them only")

    def __eq__(self, other: object) -> bool:
        """The same bits."""
        if not isinstance(other, Snapshot):
            return NotImplemented
        plain = ("t", "pace", "method", "form", "inputs", "parameters", "changed", "found")
        return (all(getattr(self, n) == getattr(other, n) for n in plain)
                and all(a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)
                        for a, b in ((_steering(self.kept), _steering(other.kept)), (self.memory, other.memory))))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return f"Snapshot(t={self.t:.6g})"
