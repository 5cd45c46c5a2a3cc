"""linearize: small motions next to a pose at rest, a steady motion or a driven motion.

    d/dt [a; b] = A [a; b] + B u,          out = C [a; b] + D u

a: changes of independent coordinates, b: changes of independent rates, both with names; rolling and other velocity-level
constraints leave fewer rates than coordinates.  u: force components and generalised forces on coordinates; out: coordinates,
their rates and accelerations.  Derivation and derivatives: perturbation.py, tangents.py.

Eigenvalues: directions in which a does not matter to anything (where a vehicle stands, how far a wheel has turned) give zeros;
they are split off first, so that the others are not spoiled by the defective zero.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dalembert.analyses import actuators
from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.independent import named
from dalembert.analyses.modes import Modes, shapes
from dalembert.analyses.perturbation import Perturbation
from dalembert.analyses.rest import Rest, stopped
from dalembert.errors import AnalysisError
from dalembert.results.motion import State

STEADY = 1e-6
IGNORED = 1e-9  # of A: below it a direction does not matter


class Linear:
    """A, B, C, D with the names of states, inputs and outputs; eigenvalues; modes()."""

    def __init__(self, model, state, A, B, C, D, states, inputs, outputs, perturbation, count):
        self.model, self.state = model, state
        self.A, self.B, self.C, self.D = A, B, C, D
        self.states, self.inputs, self.outputs = states, inputs, outputs
        self.steady, self.turning = perturbation.unsteady < STEADY, perturbation.turning
        self._p, self._count = perturbation, count

    @cached_property
    def _reduced(self):
        """Basis of what matters (columns), with the number of zeros split off."""
        n = len(self.A)
        Y, count = np.eye(n), self._count
        while count:
            part = self.A @ Y
            part = Y.T @ part
            _, sigma, vt = np.linalg.svd(part[:, :count])
            rank = int((sigma > IGNORED * max(np.abs(part).max(initial=0.0), 1e-300)).sum())
            if rank == count:
                break
            Y = np.column_stack([Y[:, :count] @ vt[:rank].T, Y[:, count:]])
            count = rank
        return Y

    @cached_property
    def _eigen(self):
        Y = self._reduced
        values, vectors = np.linalg.eig(Y.T @ self.A @ Y) if Y.shape[1] else (np.zeros(0, complex), np.zeros((0, 0)))
        order = np.lexsort((-values.imag, -np.round(values.real, 12)))
        return values[order], vectors[:, order]

    @property
    def eigenvalues(self) -> np.ndarray:
        """All of them, real parts falling; the zeros that were split off come last."""
        return np.concatenate([self._eigen[0].astype(complex), np.zeros(len(self.A) - self._reduced.shape[1])])

    @property
    def stable(self) -> bool:
        """No eigenvalue has a positive real part (zeros that were split off do not count)."""
        values = self._eigen[0]
        return bool(values.size == 0 or values.real.max() <= 1e-9 * max(1.0, np.abs(values).max()))

    def modes(self) -> Modes:
        """Eigenvalues with frequency, damping and shape; each can be animated."""
        values, vectors = self._eigen
        Y = self._reduced
        found = []
        for k, value in enumerate(values):
            y = Y @ vectors[:, k]
            if abs(value) > 0:
                rest = self.A @ y
                y = y + (rest - Y @ (Y.T @ rest)) / value  # what the split-off directions do in this mode
            found.append((complex(value), y))
        return shapes(self, found, len(self.A) - Y.shape[1])

    def __repr__(self):
        kind = "a steady motion" if np.abs(self.state.v).max(initial=0.0) > 1e-9 else "a pose at rest"
        if not self.steady:
            kind = "an instant of a motion that is not steady (A holds at this instant)"
        rounding = 1e-12 * np.abs(self.eigenvalues).max(initial=0.0)
        told = [complex(*(y if abs(y) > rounding else 0.0 for y in (x.real, x.imag))) for x in self.eigenvalues[:12]]
        values = ", ".join(f"{x.real:.6g}{f'{x.imag:+.6g}j' if x.imag else ''}" for x in told)
        lines = [f"'{self.model.name}' linearised about {kind}, t = {self.state.t:g}"]
        lines += [f"  {label:<12}{', '.join(names) or 'none'}" for label, names in
                  (("states", self.states), ("inputs", self.inputs), ("outputs", self.outputs))]
        return "\n".join([*lines, f"  eigenvalues {values or 'none'}{', …' if len(self.A) > 12 else ''}"])


def linearize(model, at=None, *, t=0.0, coordinates=(), inputs=None, outputs=None) -> Linear:
    """Linear equations next to a state (default: the assembled drawing with its velocities at time t).

    ``coordinates``: names that shall be states ("O", "frame.turn_x"); the rest is chosen.  ``inputs``: force components
    ("load.x"), or coordinates (a unit force or torque along them); default: all force components.  ``outputs``: coordinates,
    also as "O rate" and "O acceleration"; default: the coordinates among the states.
    """
    if at is not None and not isinstance(at, State):
        raise AnalysisError("linearize: at= takes a state, as equilibrium(), assemble() or run.state() return, not "
                            f"{type(at).__name__}")
    if isinstance(at, Rest):
        model, state = stopped(model, at.t, at)
    else:
        state = assemble(model, t) if at is None else adopt(model, at)
    w = state.system.workspace()
    w.set(state.t, state.q, state.v)
    p = Perturbation(model, w, named(model, state.system, coordinates, "linearize"))
    index = {c.name: k for k, c in enumerate(p.found)}
    outputs = [p.found[k].name for k in p.pick] if outputs is None else [outputs] if isinstance(outputs, str) else list(outputs)
    p.bodies |= {c.body for c in p.found if c.body is not None and any(str(name).startswith(c.name) for name in outputs)}
    columns = [(x, p.velocity(x)) for x in p.P.T] + [(None, y) for y in p.N.T]
    answers = [p.response(x, y) for x, y in columns]
    A = np.column_stack([np.concatenate([a[2][p.pick], a[3][p.rate]]) for a in answers]) if answers else np.zeros((0, 0))
    p.unsteady = max(p.unsteady, _drift(p, A))
    pushes, ins = _inputs(model, state, p, inputs, index)
    moved = [p.G @ p.accelerate(push) for push in pushes]
    B = np.array([np.concatenate([np.zeros(len(p.pick)), m[p.rate]]) for m in moved]).reshape(len(ins), len(A)).T
    C, D, outs = _outputs(model, p, answers, moved, outputs, index)
    states = [p.found[k].name for k in p.pick] + [f"{p.found[k].name} rate" for k in p.rate]
    return Linear(model, state, A, B, C, D, states, ins, outs, p, len(p.pick))


def _drift(p, A) -> float:
    """How fast the accelerations change along the motion itself, beside what could change them: a steady motion keeps them, a
    pendulum that passes its lowest point does not."""
    v, unit = p.tangent.v, p.tangent.unit
    speed = float(np.abs(v / unit).max(initial=0.0))
    if speed <= 1e-9 or not p.rate:
        return 0.0
    place, rates, _, then = p.response(v, p.vdot)
    size = np.abs(A[len(p.pick):]) @ np.abs(np.concatenate([place[p.pick], rates[p.rate]]))
    size += np.abs(p.G[p.rate] * unit).max(axis=1) * speed**3
    return float((np.abs(then[p.rate]) / size).max())


def _inputs(model, state, p, names, index):
    parts = actuators.components(model)
    labels = {c.label: c for c in parts} | {c.alias: c for c in parts if c.alias}
    names = [c.label for c in parts] if names is None else [names] if isinstance(names, str) else list(names)
    pushes = []
    for name in names:
        if name in labels:
            pushes.append(actuators.columns(model, [labels[name]], [state.t], [state.q], [state.v])[0][:, 0])
        elif name in index:
            pushes.append(p.G[index[name]])
        else:
            raise AnalysisError(f"linearize of '{model.name}': there is no input '{name}'; force components: "
                                f"{', '.join(labels) or 'none'}; or a coordinate, as {p.found[0].name}")
    return pushes, names


def _outputs(model, p, answers, moved, names, index):
    C, D = np.zeros((len(names), len(answers))), np.zeros((len(names), len(moved)))
    for i, name in enumerate(names):
        base, level = name, 0
        for suffix, number in ((" rate", 1), (" acceleration", 2)):
            if name not in index and name.endswith(suffix):
                base, level = name[: -len(suffix)], number
        if base not in index:
            one = p.found[0].name
            raise AnalysisError(f"linearize of '{model.name}': there is no output '{name}'; give coordinates, as {one}, "
                                f"'{one} rate' or '{one} acceleration'")
        k = index[base]
        C[i] = [a[(0, 1, 3)[level]][k] for a in answers]
        D[i] = [m[k] if level == 2 else 0.0 for m in moved]
    return C, D, names
