"""Real time: steps beside a clock.

Step k is to be over at the wall time k·dt/realtime after the start.  Early: wait.  Late: go on without waiting, and catch up
where the machine can; behind by more than LATE seconds it is said once, with how fast the machine is.
"""

from __future__ import annotations

import math
import numbers
import time
import warnings
from dataclasses import dataclass

from dalembert.errors import SimulationError

LATE = 0.1  # s behind the clock: it is said
clock, sleep = time.perf_counter, time.sleep  # (tests put others here)


@dataclass(frozen=True)
class Pace:
    """What became of the pace: how often and how far it was behind, and how fast it could have been."""

    steps: int
    late: int  # steps that were over after their time
    behind: float  # s, at the end
    worst: float  # s, at most
    speed: float  # simulated seconds per second of work: less than ``realtime`` cannot keep up

    @property
    def kept(self) -> bool:
        """Whether it never was behind by more than LATE."""
        return self.worst <= LATE


def keep(sim, duration: float, step: float, realtime: float | None, call) -> Pace:
    """Steps of a stepper over a duration."""
    for name, value in (("duration", duration), ("step", step), ("realtime", 1.0 if realtime is None else realtime)):
        if not (isinstance(value, numbers.Real) and 0.0 < value < math.inf):
            raise SimulationError(f"run of a stepper: {name} is a positive number, got {value!r:.60}")
    count = max(1, round(duration / step))
    dt = duration / count
    late, worst, behind, work, said = 0, 0.0, 0.0, 0.0, False
    begin = clock()
    for k in range(1, count + 1):
        at = clock()
        if call is not None:
            call(sim)
        sim.step(dt)
        now = clock()
        work += now - at
        if realtime is None:
            continue
        behind = now - begin - k * dt / realtime
        if behind < 0.0:
            sleep(-behind)
            continue
        late, worst = late + 1, max(worst, behind)
        if behind > LATE and not said:
            said = True
            warnings.warn(f"'{sim.model.name}' cannot keep up with realtime={realtime:g}: {behind:.2g} s behind at t = "
                          f"{sim.t:.4g} s; this machine does {k * dt / work:.3g} simulated seconds per second", RuntimeWarning,
                          stacklevel=3)
    return Pace(count, late, max(behind, 0.0), worst, count * dt / work if work > 0.0 else math.inf)
