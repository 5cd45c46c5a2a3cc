"""What the scoreboard asks of an engine.

An adaptor builds its own model from the plain mechanism, runs it with given settings, and hands back the states of the bodies.
``run`` is what is timed (simulation only, to the last time, nothing recorded on the way); ``sample`` repeats it, untimed, and
reads the states at all times.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.mechanism import Mechanism, Samples
from benchmarks.problems.problem import Problem


class Unable(Exception):
    """The engine cannot express this mechanism; the text says why."""


class Engine(abc.ABC):
    """One engine with one mechanism."""

    name = "?"
    module = "?"

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism

    @abc.abstractmethod
    def settings(self, problem: Problem) -> Iterator[dict]:
        """The ladder of settings, fast and coarse first."""

    def run(self, settings: dict, until: float) -> float:
        """Simulate; CPU seconds of the simulation alone."""
        begin = time.process_time()
        self.simulate(settings, until)
        return time.process_time() - begin

    def simulate(self, settings: dict, until: float) -> None:  # noqa: B027
        """What ``run`` times, for engines that do not time themselves."""

    @abc.abstractmethod
    def sample(self, settings: dict, times: np.ndarray) -> Samples:
        """The same simulation, its states at times (multiples of the step)."""

    @abc.abstractmethod
    def mass(self) -> float:
        """Total mass as the engine has it."""

    def energy(self) -> float | None:
        """Kinetic energy and potential of gravity in the drawn state as the engine computes them; None if it does not."""
        return None

    def precise(self, step: float) -> dict:
        """Settings for a very short run of a few steps, from which the accelerations at the start are taken."""
        return {"step": step}


def accelerations(engine: Engine, step: float) -> np.ndarray:
    """At the start, from the velocities after one and two short steps: (4 v₁ − v₂ − 3 v₀)/(2 h)."""
    m = engine.mechanism
    start = m.start()
    s = engine.sample(engine.precise(step), step * np.array([1.0, 2.0]))
    nb = len(m.bodies)
    v, w = (np.concatenate([a, b]).reshape(3, nb, -1) for a, b in ((start.v, s.v), (start.w, s.w)))
    u = np.concatenate([v, w], axis=2)
    return (4 * u[1] - u[2] - 3 * u[0]) / (2 * step)
