"""linearize: small motions next to a pose at rest, a steady motion or a driven motion.

    d/dt [a; b] = A [a; b] + B u,          out = C [a; b] + D u

a: changes of independent coordinates, b: changes of independent rates, both with names; behind them, where the model has any, the
states of differentials (linear/beside.py); rolling and other velocity-level
constraints leave fewer rates than coordinates.  u: force components and generalised forces on coordinates; out: coordinates,
their rates and accelerations.  Derivation and derivatives: linear/perturbation.py, toolbox/tangents.py.

Eigenvalues: taken along displacements of unit length in the metric of the masses, so that they do not depend on units or on the
coordinates chosen, each with a bound of its error (``uncertainty``); what is within it counts as zero and is given as zero.
Directions in which a does not matter to anything (where a vehicle stands, how far a wheel has turned) give zeros; they are
split off first, so that the others are not spoiled by the defective zero.  The rule: toolbox/thresholds.py.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dalembert.analyses.assemble import adopt, assembled
from dalembert.analyses.assembly.adopted import met
from dalembert.analyses.assembly.held import carried
from dalembert.analyses.check import check
from dalembert.analyses.driven import actuators
from dalembert.analyses.linear.beside import Beside
from dalembert.analyses.linear.modes import Modes, shapes
from dalembert.analyses.linear.perturbation import STEADY, Perturbation
from dalembert.analyses.linear.steadiness import judge
from dalembert.analyses.simulation.sampling import refuse_controllers
from dalembert.analyses.statics.at_rest import Rest, stopped
from dalembert.analyses.toolbox.apart import apart
from dalembert.analyses.toolbox.independent import named
from dalembert.analyses.toolbox.sharing import refuse_shared
from dalembert.analyses.toolbox.stateless import refuse_friction
from dalembert.analyses.toolbox.thresholds import BORDER, Spectrum, balanced, drowned, silent, spectrum
from dalembert.elements.given import Names
from dalembert.equations.spinless import regular
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.results.notebook import text

LOOSE = 1e-7  # of an eigenvalue: known to fewer digits than this is said


class Linear:
    """A, B, C, D with the names of states, inputs and outputs; eigenvalues; modes()."""

    def __init__(self, model, state, A, B, C, D, states, inputs, outputs, perturbation, count, beside=None, shared=()):
        self.model, self.state = model, state
        self.A, self.B, self.C, self.D = A, B, C, D
        self.states, self.inputs, self.outputs = states, inputs, outputs
        self.turning = perturbation.turning
        self._p, self._count, self._beside, self._shared = perturbation, count, beside, shared

    @property
    def steady(self) -> bool:
        """Whether A stays the same along the motion, which is followed for a while when this is first asked (0091)."""
        return self._p.unsteady < STEADY and not self._p.changing

    @cached_property
    def _natural(self):
        """Balanced matrix, its noise, basis of what matters, states per unit of each."""
        n = len(self.A) if self._beside is None else len(self.A) - len(self._beside.names)
        A, noise, states = self._p.natural(self.A[:n, :n])
        B, scale = balanced(A, self._count)
        noise, states = noise.scaled(scale), states * scale
        if self._beside is not None:
            B, noise, states = self._beside.natural(B, noise, states)
        Y, slack = silent(B, noise, self._count)
        self._slack = slack * float(scale.max(initial=1.0))  # as a stiffness
        return B, noise, Y, states

    @cached_property
    def _eigen(self):
        """Eigenvalues that are there, with bounds and vectors; how many are zero."""
        B, noise, Y, _ = self._natural
        found = spectrum(Y.T @ B @ Y, noise, basis=Y)
        size = np.abs(found.values).max(initial=0.0)
        order = np.lexsort((-found.values.imag, -np.round(found.values.real / size, 12) if size else found.values.real))
        return Spectrum(found.values[order].astype(complex), found.bounds[order], found.vectors[:, order])

    @property
    def eigenvalues(self) -> np.ndarray:
        """All of them, real parts falling; those that cannot be told from zero come last, as zeros."""
        found = self._eigen
        return np.concatenate([found.values[~found.zero], np.zeros(len(self.A) - int((~found.zero).sum()))])

    @property
    def uncertainty(self) -> np.ndarray:
        """A bound of the error of each eigenvalue, from rounding, step and conditioning (zeros that were split off: 0)."""
        found = self._eigen
        rest = len(self.A) - len(found.values)
        return np.concatenate([found.bounds[~found.zero], found.bounds[found.zero], np.zeros(rest)])

    @property
    def stable(self) -> bool:
        """No eigenvalue has a positive real part, as far as can be told (zeros do not count)."""
        found = self._eigen
        return not np.any((found.values.real > found.bounds) & ~found.zero)

    @property
    def doubts(self) -> list[str]:
        """Where the verdict ``stable`` is near its border, and zeros that may be zeros by rounding, in words."""
        found, out = self._eigen, [*self._p.reasons(), *self._branches, *self._shared]
        clear = np.any(found.values.real > BORDER * found.bounds)
        near = found.near(found.values.real) & (found.values.real > 0) & ~found.zero & (found.values.imag >= 0)
        out += [] if clear else [f"eigenvalue {x:.4g} ± {e:.1g}: whether it grows cannot be told"
                                 for x, e in zip(found.values[near], found.bounds[near], strict=True)]
        wide = max(float(found.bounds[found.zero].max(initial=0.0)) ** 2, self._slack)
        names = drowned(self._p.soft, wide) if wide else []
        if names:
            out.append(f"{int((self.eigenvalues == 0).sum())} eigenvalue(s) are zero within ±{wide**0.5:.1g} only; what "
                       f"{', '.join(names[:3])} add to the stiffness is of that size: stiffnesses are too different, or zeros "
                       "too defective, to tell more")
        return out

    @cached_property
    def _branches(self) -> list[str]:
        """Whether branches of the motion cross in this pose."""
        if len(self._p.D) == len(self._p.vdot) - self._p.free.shape[1]:  # no row depends on others
            return []
        checked = check(self.model, state=self.state)
        more = checked.nearby_rank - checked.rank
        return [f"branches of the motion cross in this pose: {checked.dof} motions are free in it, {checked.dof - more} nearby; "
                "the linear equations hold on none of them. Move the mechanism a little"] if more else []

    @property
    def notes(self) -> list[str]:
        """Eigenvalues that double precision gives to few digits only, in words."""
        found = self._eigen
        loose = ~found.zero & (found.bounds > LOOSE * np.abs(found.values)) & (found.values.imag >= 0)
        return [f"eigenvalue {x:.4g} is known to ± {e:.1g} only: masses or stiffnesses are too different for more digits"
                for x, e in zip(found.values[loose], found.bounds[loose], strict=True)]

    def modes(self) -> Modes:
        """Eigenvalues with frequency, damping and shape; each can be animated."""
        B, _, Y, states = self._natural
        eigen, found = self._eigen, []
        for k in np.flatnonzero(~eigen.zero):
            value, y = eigen.values[k], Y @ eigen.vectors[:, k]
            rest = B @ y
            y = y + (rest - Y @ (Y.T @ rest)) / value  # what the split-off directions do in this mode
            found.append((complex(value), states @ y))
        return shapes(self, found, len(self.A) - len(found))

    def to_control(self) -> Any:
        """A ``control.StateSpace`` of python-control (the extra ``control``), with the names of states, inputs and outputs."""
        try:
            import control
        except ImportError:
            raise AnalysisError("to_control() needs python-control, which is not installed: pip install 'dalembert[control]'"
                                ) from None
        return control.ss(self.A, self.B, self.C, self.D, states=_plain(self.states), inputs=_plain(self.inputs),
                          outputs=_plain(self.outputs), name=_plain([self.model.name])[0])

    def _repr_html_(self) -> str:
        """How a notebook shows it: what it is about, then the modes."""
        return text(repr(self)) + self.modes()._repr_html_()

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
        lines.append(f"  eigenvalues {values or 'none'}{', …' if len(self.A) > 12 else ''}")
        return "\n".join(lines + [f"  doubtful: {d}" for d in self.doubts] + [f"  {n}" for n in self.notes[:6]])


def linearize(model: Model, at: State | None = None, *, t: float = 0.0, coordinates: Names = (), inputs: Names | None = None,
              outputs: Names | None = None) -> Linear:
    """Linear equations next to a state.

    Parameters
    ----------
    model : Model
        The mechanism.
    at : State, optional
        Where; left out: the assembled drawing with its velocities at time t.
    t : number [s], default 0.0
        Time of the drawing that is assembled.
    coordinates : names, default ()
        That shall be states ("O", "frame.turn_x"); the rest is chosen.
    inputs : names, optional
        Force components ("load.x"), or coordinates (a unit force or torque along them), or signals that are numbers (set
        points); left out: all force components.
    outputs : names, optional
        Coordinates, also as "O rate" and "O acceleration", and signals; left out: the coordinates among the states, and the
        states of differentials.

    Returns
    -------
    Linear
        A, B, C, D with names; ``modes()`` lists frequencies and dampings.
    """
    if at is not None and not isinstance(at, State):
        raise AnalysisError("linearize: at= takes a state, as equilibrium(), assemble() or run.state() return, not "
                            f"{type(at).__name__}")
    w = None
    if isinstance(at, Rest):
        model, state = stopped(model, at.t, at)
    elif at is None:
        state, w = assembled(model, t, shared=True)
    else:
        model = carried(model, at)
        state = met(adopt(model, at), "linearize")
    regular(state.system, f"linearize of '{model.name}'")
    refuse_friction(model, f"linearize of '{model.name}'")
    refuse_controllers(model, f"linearize of '{model.name}'")
    apart(state, "linearize")
    w = workspace(state.system) if w is None else w
    w.set(state.t, state.q, state.v)
    shared: list[str] = []  # reactions that laws read and that are not unique
    if state.system.felt:
        w.run("accelerations")
        shared = refuse_shared(w, f"linearize of '{model.name}'")
    p = Perturbation(model.copy(), w, named(model, state.system, coordinates, "linearize"))
    index = {c.name: k for k, c in enumerate(p.found)}
    wished = [p.found[k].name for k in p.pick] if outputs is None else named_list(outputs)
    p.bodies |= {c.body for c in p.found if c.body is not None and any(name.startswith(c.name) for name in wished)}
    judge(p, balanced=isinstance(at, Rest))
    beside = Beside(model, p) if state.system.readings else None
    p.restless = beside is not None and not beside.still
    answers = p.answers()
    A = p.assembled(answers)
    pushes, ins = _inputs(model, state, p, inputs, index, beside)
    moved = [p.G @ p.accelerate(push) if not isinstance(push, tuple) else push[1] for push in pushes]
    B = np.array([np.concatenate([np.zeros(len(p.pick)), m[p.rate]]) for m in moved]).reshape(len(ins), len(A)).T
    states = [p.found[k].name for k in p.pick] + [f"{p.found[k].name} rate" for k in p.rate]
    if beside is not None:
        wished += beside.names if outputs is None else []
        A, states = beside.matrix(A), states + beside.names
        below = [push[0][len(B):] if isinstance(push, tuple) else np.zeros(len(beside.names)) for push in pushes]
        B = np.vstack([B, np.array(below).reshape(len(ins), len(beside.names)).T])
    C, D, outs = _outputs(model, p, answers, moved, wished, index, beside, pushes)
    return Linear(model, state, A, B, C, D, states, ins, outs, p, len(p.pick), beside, shared)


def _plain(names: list[str]) -> list[str]:
    """python-control keeps dots for subsystems: "load.x" is load_x there."""
    return [n.replace(".", "_") for n in names]


def named_list(names: Names) -> list[str]:
    """One name or several, as names or as the objects that have them."""
    several: Any = [names] if isinstance(names, str) or hasattr(names, "name") else names
    return [str(getattr(n, "name", n)) for n in several]


def _inputs(model, state, p, names, index, beside=None):
    parts = actuators.components(model)
    labels = {c.label: c for c in parts} | {c.alias: c for c in parts if c.alias}
    names = [c.label for c in parts] if names is None else named_list(names)
    pushes: list = []
    signals = {} if beside is None else beside.inputs()
    for name in names:
        if name in signals:
            pushes.append(beside.pushed_by(signals[name]))
        elif name in labels:
            pushes.append(actuators.columns(model, [labels[name]], [state.t], [state.q], [state.v])[0][:, 0])
        elif name in index:
            pushes.append(p.G[index[name]])
        else:
            raise AnalysisError(f"linearize of '{model.name}': there is no input '{name}'; force components: "
                                f"{', '.join(labels) or 'none'}; or a coordinate, as {p.found[0].name}; or a signal that is a "
                                f"number: {', '.join(signals) or 'none'}")
    return pushes, names


def _outputs(model, p, answers, moved, names, index, beside=None, pushes=()):
    extra = 0 if beside is None else len(beside.names)
    count = answers[0].shape[1]
    C, D = np.zeros((len(names), count + extra)), np.zeros((len(names), len(moved)))
    for i, name in enumerate(names):
        if beside is not None and name in beside.system.readings and name not in index:
            C[i] = beside.read(name)
            D[i] = [push[2][beside.system.readings[name]] if isinstance(push, tuple) else 0.0 for push in pushes]
            continue
        base, level = name, 0
        for suffix, number in ((" rate", 1), (" acceleration", 2)):
            if name not in index and name.endswith(suffix):
                base, level = name[: -len(suffix)], number
        if base not in index:
            one = p.found[0].name
            raise AnalysisError(f"linearize of '{model.name}': there is no output '{name}'; give coordinates, as {one}, "
                                f"'{one} rate' or '{one} acceleration'")
        k = index[base]
        C[i, :count] = answers[(0, 1, 3)[level]][k]
        if beside is not None and level == 2:
            C[i, count:] = beside.accelerations(k)
        D[i] = [m[k] if level == 2 else 0.0 for m in moved]
    return C, D, names
