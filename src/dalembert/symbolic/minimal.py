"""Integrating derived equations with the engine's own integrator: no bodies, no constraints, only coordinates.

Coordinates with multipliers, or dependent ones without a closed form, are integrated without projection: ``drift`` says how
far the constraints were missed at the end.
"""

from __future__ import annotations

import math
import time

import numpy as np

from dalembert.analyses.assemble import assemble
from dalembert.analyses.dynamics import METHODS, _times
from dalembert.analyses.stations import stations
from dalembert.errors import AnalysisError, SimulationError, hint
from dalembert.integrators import EXPLICIT
from dalembert.results.motion import State


class Series:
    """One coordinate over time."""

    def __init__(self, coordinate, rate):
        self.coordinate, self.rate = coordinate, rate


class Trajectory:
    """Coordinates over time; ``trajectory["O"].coordinate`` and ``.rate``."""

    def __init__(self, eqs, function, t, y, stats):
        self.eqs, self.t, self.stats = eqs, t, stats
        self.q, self.u = y[:, : function.n], y[:, function.n : function.n + function.m]
        self.positions, self.speeds = function.positions, function.speeds

    def __getitem__(self, name) -> Series:
        name = getattr(name, "name", name)
        if name not in self.positions and name not in self.speeds:
            known = [*self.positions, *(s for s in self.speeds if s not in self.positions)]
            raise AnalysisError(
                f"there is no coordinate '{name}' in these equations{hint(name, known)} (they have {', '.join(known)})"
            )
        q = self.q[:, self.positions.index(name)] if name in self.positions else None
        return Series(q, self.u[:, self.speeds.index(name)] if name in self.speeds else None)

    @property
    def drift(self) -> float:
        """Largest constraint equation missed at the last sample (0 when none is integrated along)."""
        rows = [r for r in self.eqs.full.rows if r.phi is not None]
        if not rows or len(self.positions) < len(self.eqs.kin.positions):
            return 0.0
        from dalembert._jit import Straight
        from dalembert.symbolic.machine import start

        symbols = list(self.eqs.kin.b.symbols.values())
        tape = start(self.eqs.kin, symbols)
        out = [tape.formula(r.phi) for r in rows]
        values = list(self.eqs.model.parameter_values().values())
        code = Straight(tape.ops, out, (len(self.positions) + len(symbols), self.eqs.kin.n, len(out)))
        return float(np.abs(code(self.t[-1], [*self.q[-1], *values], np.zeros(self.eqs.kin.n))).max())

    def __repr__(self):
        return f"<{len(self.t)} samples of {', '.join(self.speeds)} up to t = {self.t[-1]:g}>"


def simulate(
    eqs, until, *, step=None, times=None, integrator="auto", rtol=1e-6, atol=1e-9, start=0.0, state=None, max_steps=10_000_000,
    max_step=None,
) -> Trajectory:
    """Motion by the derived equations, from the model's initial state (or ``state``) to ``until``."""
    from dalembert.integrators.solve import solve

    method = "dop853" if integrator == "auto" else METHODS.get(integrator)
    if method not in EXPLICIT:
        raise SimulationError(f"integrator '{integrator}' is not known here; choose from auto, rk8, rk5")
    if any(not (isinstance(x, (int, float)) and math.isfinite(x) and x > 0) for x in (rtol, atol, max_step or 1.0)):
        raise SimulationError("rtol, atol and max_step must be positive numbers")
    moments = _times(eqs.model, start, until, step, times)
    if state is None:
        state = assemble(eqs.model, start)
    elif not isinstance(state, State):
        raise SimulationError(f"state= takes what assemble() or run.state() returned, not {type(state).__name__}")
    function = eqs.function()
    y = function.start(*function.read(state))
    clock, rates = np.array([float(state.t)]), np.zeros_like(y)
    looked = stations(state.system, float(state.t), float(moments[-1]))
    begin = time.perf_counter()
    found = solve(
        function.code.bind(clock, y, rates),
        clock,
        y,
        rates,
        moments,
        method=method,
        rtol=rtol,
        atol=atol,
        max_steps=max_steps,
        h_max=max_step or 0.0,
        stations=looked.rows,
    )
    stats = {**found.stats, "seconds": time.perf_counter() - begin, "rtol": rtol, "atol": atol,
             "notes": looked.notes, "doubts": looked.doubts}
    if not found.success:
        raise SimulationError(
            f"equations of '{eqs.model.name}' stopped at t = {found.t[-1] if found.t.size else start:g}: {found.message}"
        )
    return Trajectory(eqs, function, found.t, found.y.T, stats)
