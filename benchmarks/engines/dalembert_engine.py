"""dalembert: explicit Runge–Kutta 5(4) and 8(5,3) over a ladder of tolerances; Radau IIA where a problem is stiff.

Open trees of a few bodies, which the default leaves in the coordinates of all bodies (analyses/toolbox/forms.py), are run in
joint coordinates too.

What is timed is one call, from outside, from the start to the end: ``step`` of a stepper that was made before, as Drake's
simulator, OpenSim's manager and MuJoCo's data are.  ``call`` times a whole ``da.simulate`` from a state, which makes what it
needs, looks at the state and gives a result as well.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.engines.engine import Engine
from benchmarks.mechanism import Samples
from dalembert.analyses.toolbox.forms import FEW
from dalembert.equations.workspace import workspace

COARSE = 1e3  # times the usual atol, beside it at coarse tolerances: coordinates that begin at zero need not be exact there


class Dalembert(Engine):
    name = "dalembert"
    module = "dalembert"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        import dalembert as da

        self.da = da
        self.model = m = da.Model(mechanism.name, dim=mechanism.dim, gravity=tuple(float(g) for g in mechanism.gravity))
        for b in mechanism.bodies:
            pose: dict = {"angle": b.rotation} if m.dim == 2 else {"rotation": b.rotation}
            if b.velocity is not None:
                pose["velocity"] = tuple(float(x) for x in b.velocity)
            if b.omega is not None:  # body axes in space
                pose["omega"] = float(b.omega) if m.dim == 2 else tuple(np.asarray(b.rotation).T @ b.omega)
            m.add(da.Body(b.name, mass=b.mass, inertia=b.inertia, position=tuple(float(x) for x in b.position), **pose))
        for j in mechanism.joints:
            at = tuple(float(x) for x in j.at)
            if m.dim == 2:
                m.add(da.Revolute(j.name, j.i, j.j, at=at))
            elif j.axis is None:
                m.add(da.Spherical(j.name, j.i, j.j, at=at))
            elif j.slides:
                m.add(da.Prismatic(j.name, j.i, j.j, at=at, axis=tuple(float(x) for x in j.axis)))
            else:
                m.add(da.Revolute(j.name, j.i, j.j, at=at, axis=tuple(float(x) for x in j.axis)))
        for s in mechanism.springs:
            m.add(
                da.Spring(
                    s.name,
                    s.i,
                    s.j,
                    at_i=tuple(s.at_i),
                    at_j=tuple(s.at_j),
                    stiffness=s.stiffness,
                    length=s.length,
                    damping=s.damping,
                )
            )
        for k, t in enumerate(mechanism.torques):
            m.add(da.Torque(f"torque {k}", t.body, t.value))
        tree = 0 < len(mechanism.joints) == len(mechanism.bodies) < FEW
        self.forms: tuple[dict, ...] = ({}, {"formulation": "recursive"}) if tree else ({},)
        self.state = da.assemble(m)
        self._prepared: tuple = ("", None, None)
        m.compile = lambda: self.state.system  # the model is not changed any more; peers are not timed for this either

    def settings(self, problem):
        scale = 1e-3 if problem.unit == "m" else 1e-5
        for exponent in np.arange(2.0, 13.01, problem.stride):
            for integrator in ("radau",) if problem.stiff else ("rk5", "rk8"):
                if integrator == "rk5" and exponent > 9:
                    continue
                rtol = float(f"{10.0**-exponent:.1e}")
                for form in self.forms[:1] if problem.stiff else self.forms:  # implicit methods know one form
                    for wide in (1.0, COARSE) if exponent <= 4.0 and not problem.stiff else (1.0,):
                        yield {"integrator": integrator, "rtol": rtol, "atol": float(f"{wide * scale * rtol:.1e}")} | form

    def precise(self, step):
        return {"integrator": "rk8", "rtol": 1e-10, "atol": 1e-14}

    def _simulate(self, settings, times):
        return self.da.simulate(self.model, times[-1], times=times, state=self.state, max_steps=200_000, **settings)

    def run(self, settings, until):
        key = repr(settings)
        if self._prepared[0] != key:
            sim = self.da.stepper(self.model, state=self.state, **settings)
            self._prepared = key, sim, sim.snapshot()
        _, sim, start = self._prepared
        sim.restore(start)
        begin = time.process_time()
        sim.step(until)
        return time.process_time() - begin

    def call(self, settings, until):
        begin = time.process_time()
        self._simulate(settings, [until])
        return time.process_time() - begin

    def sample(self, settings, times):
        run = self._simulate(settings, times)
        bodies = [run[b.name] for b in self.mechanism.bodies]
        r = np.stack([b.position for b in bodies], axis=1)
        v = np.stack([b.velocity for b in bodies], axis=1)
        if self.model.dim == 2:
            R, w = (np.stack(x, axis=1) for x in ([b.angle for b in bodies], [b.omega for b in bodies]))
        else:
            R = np.stack([b.rotation for b in bodies], axis=1)
            w = np.stack([b.omega_ground for b in bodies], axis=1)
        return Samples(np.asarray(times), r, R, v, w)

    def mass(self):
        return float(self.state.system.tables.bodies["mass"].sum())

    def energy(self):
        w = workspace(self.state.system)
        w.set(self.state.t, self.state.q, self.state.v)
        w.run("observe")
        g = np.asarray(self.mechanism.gravity)
        start = self.mechanism.start()
        gravity = -sum(b.mass * float(g @ r) for b, r in zip(self.mechanism.bodies, start.r[0], strict=True))
        springs = w.report.potential - gravity if self.mechanism.springs else 0.0
        return w.report.kinetic + w.report.potential - springs
