"""Real time: the motion goes on from state to state, and a spring pulls a body to the mouse.

The spring is a bushing between a point of the ground (the mouse) and a point of the body, without stiffness against turning:

    F = k (p_mouse − p) − d ṗ,   k = (2π f)² m,  d = 2 (2π f) m ζ        m: mass of all bodies: light and heavy ones follow alike

Drives, motors and forces act as in any simulation; parameters may change between two steps, as long as the state still fits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.analyses.assemble import assemble
from dalembert.analyses.dynamics import simulate
from dalembert.elements.element import OwnName
from dalembert.elements.forces.bushing import Bushing
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import State

FREQUENCY, DAMPING = 1.5, 0.5  # Hz of all bodies on the spring; of the critical damping
LONGEST = 0.2  # s of one step
MOUSE = OwnName("mouse")


class Realtime:
    """A motion that goes on."""

    def __init__(self, model: Model):
        self.model = model
        self.state: State = assemble(model)
        mass = float(np.sum(self.state.system.tables.bodies["mass"]))
        self.stiffness = mass * (2 * math.pi * FREQUENCY) ** 2
        self.damping = 2 * mass * 2 * math.pi * FREQUENCY * DAMPING

    @property
    def t(self) -> float:
        return float(self.state.t)

    def advance(self, dt: float, pull: tuple[str, list[float], list[float]] | None = None,
                parameters: dict[str, float] | None = None) -> State:
        """Go on by dt; pull: body, its point (body axes), where the mouse is."""
        if not 0 < dt <= LONGEST:
            raise AnalysisError(f"real time goes on by at most {LONGEST} s at once")
        for name, value in (parameters or {}).items():
            self.model.parameters[name] = value
        model = self.model
        if pull is not None:
            body, local, to = pull
            if body not in model.bodies:
                raise AnalysisError(f"there is no body '{body}' to pull")
            model = model.copy()
            model.elements[MOUSE] = Bushing(MOUSE, "ground", body, on_i=tuple(to), on_j=tuple(local), stiffness=self.stiffness,
                                            damping=self.damping)
        run: Any = simulate(model, times=[self.t, self.t + dt], start=self.t, state=self.state, progress=False, rtol=1e-4,
                            atol=1e-7)
        self.state = run.state(-1)
        return self.state
