"""A simulation that carries its tangents at once: one integration gives the run and what its derivatives are read from.

Who asks for a run and its derivatives needs no motion of its own: that of (y, δy) has steps at least as fine as those of y alone.
So ``simulate`` lets this integrate in its place (simulation/integration.py: CARRIER) where nothing stands in the way: bodies'
coordinates, an explicit method, no events, breaks, controllers or checkpoints, all parameters in one set of tables.  Elsewhere,
and where anything is refused or fails, the motion is integrated alone, and the derivatives after it (sensitivities.py), which say
what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.adjoint import Reverse
from dalembert.analyses.derived.alike import apart
from dalembert.analyses.derived.forward import Forward, together
from dalembert.analyses.derived.gradient import coupled
from dalembert.analyses.derived.moves import exactly
from dalembert.analyses.simulation.integration import aimed
from dalembert.errors import DalembertError
from dalembert.integrators.registry import record
from dalembert.integrators.solve import Solution
from dalembert.integrators.status import STOPPED
from dalembert.model.moving import Unmoved
from dalembert.results.motion import State


class Alongside:
    """Carries the tangents of ``names`` with the next simulation; ``back``: for the way back, with a record of its steps."""

    def __init__(self, names, question: str, back: bool):
        self.names, self.question, self.back = list(names), question, back
        self.moves: list = []
        self.options: dict[str, Any] = {}
        self.path: Any = None  # Forward or Reverse, where one was carried
        self.found: dict[str, Any] = {}

    def __call__(self, job, times, show) -> Solution | None:
        """The solution of a simulation under way, as its integrator would have given it; None: it has to do that itself."""
        if job.form.name != "augmented" or record(job.method).needs or job.sampling is not None or job.options.get("verify"):
            return None
        o = steps_of(job.options, job.method, job.begin[0])
        many = together(job.system, o)
        if many == WIDTH or (len(self.names) > many and not self.back):
            return None
        path = None
        try:
            moves = at_once(job.model, job.system, self.names, job.begin, job.given)
            if moves is None or not all(m.same for m in moves) or (moves[0].system.nq, moves[0].system.nc) != (
                    job.system.nq, job.system.nc):
                return None
            if self.back:
                coupled(job.model, job.system, moves, o, self.question)
            path = (Reverse if self.back else Forward)(job.model, moves, self.question)
            path.watching = {"on_progress": show, "stop_if_stiff": job.options["integrator"] == "auto"}
            t, q, v = job.begin
            path.start(t, q, v, job.given)
            found = path.carried(np.asarray(times, float), o, (0, 0))
        except DalembertError:
            if path is None or path.solution is None or path.solution.status != STOPPED:
                return None
        else:
            self.moves, self.options, self.path, self.found = moves, o, path, found
        for name, array in job.form.memory.items():
            array[:] = getattr(path.w.arrays, name)
        return path.solution


def at_once(model, system, names, begin, given) -> list | None:
    """What the parameters move, by slopes; None where that has to be found otherwise."""
    t, q, v = begin
    start = State(model, system, t, q, v) if given else None
    try:
        return exactly(model, system, list(names), t, start, None, (q, v))
    except Unmoved:
        return apart(model, names, t, start, (q, v))


def steps_of(options, method, t) -> dict[str, Any]:
    """How a run is integrated with its tangents; ``method``: the one that carries them."""
    rtol = aimed(method, options["rtol"])
    return {**options, "method": method, "rtol": rtol, "atol": options["atol"] * rtol / options["rtol"],
            "until": float(options["times"][-1]), "start": float(t)}
