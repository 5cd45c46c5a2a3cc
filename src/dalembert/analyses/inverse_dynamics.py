"""inverse_dynamics: what drives and joints must supply for a given motion.

Kinematically driven (the drives fix the motion):

    "constraints"     v̇ from D v̇ = γ (kinematics), then all multipliers from Dᵀ λ = Q − M v̇
    "simultaneous"    v̇ and λ together from [M Dᵀ; D 0] [v̇; λ] = [Q; γ]

Both give the same; a drive's torque or force is −λ of its row.  With ``unknown`` the drives supply nothing: the named force
components do (analyses/driven/actuators.py); the answer then carries them as laws of time and the drives are left with zero.
With ``motion`` the motion is that of an earlier result, and the model needs no drives.

Redundant equations: dependent rows (found by the factorisation, in its order of elimination) get the multiplier zero.  The
motion, the drive efforts and all components named unique by ``check`` do not depend on that; ``ambiguous`` lists the others.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from dalembert.analyses.assemble import adopt, take_turns
from dalembert.analyses.check import check
from dalembert.analyses.driven import actuators
from dalembert.analyses.kinematics import BESIDE, follow
from dalembert.analyses.toolbox.origin import model_hash, versions
from dalembert.analyses.toolbox.stateless import refuse_friction, refuse_states
from dalembert.elements.given import Names, Ref, Times
from dalembert.equations.paths import observe_all
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.driven import Driven
from dalembert.results.motion import Motion, Observed, State
from dalembert.results.trust import limits
from dalembert.results.trust.certificate import say
from dalembert.results.views.elements import JointView

METHODS = ("constraints", "simultaneous")
RULE = "dependent equations have the multiplier zero"


class Inverse(Driven):
    """A driven motion with all its multipliers: inv["motor"].torque, inv["A"].force, inv.unknown["load"]."""

    label = "inverse dynamics"
    method = "constraints"
    rule = RULE

    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.unknown: dict[str, np.ndarray] = {}

    @cached_property
    def observed(self) -> Observed:
        return self._observed(None if self.method == "simultaneous" else self._vdot)

    @cached_property
    def _checked(self):
        regular = np.setdiff1d(np.arange(len(self._t)), [x.sample for x in self.limits])
        return check(self.model, self.state(int(regular[len(regular) // 2]) if len(regular) else len(self._t) // 2))

    def unique(self, name: Ref) -> dict[str, bool]:
        """Components of a joint's reaction that follow from the motion (True), or depend on the rule (False)."""
        return {c: ok and not gone for (c, ok), gone in zip(self._checked.unique(name).items(), self._lost(name), strict=True)}

    def _lost(self, name) -> np.ndarray:
        """Components of a joint's reaction without a limit in some singular pose among the samples."""
        force, torque = JointView(self, getattr(name, "name", name))._wrench()
        return np.isnan(np.column_stack([force, torque])).any(axis=0)

    @property
    def ambiguous(self) -> dict[str, list[str]]:
        """Joint → components that depend on the rule for dependent equations (in the middle of the motion)."""
        found = {n: [c for c, ok in self.unique(n).items() if not ok] for n in self._checked._unique}
        return {n: parts for n, parts in found.items() if parts}

    def __repr__(self):
        lines = [super().__repr__()]
        lines += [f"  unknown {n}: {x.min():.6g} … {x.max():.6g}" for n, x in self.unknown.items()]
        if self.observed.report.dropped.any():
            lines += [f"  not unique at {n}: {', '.join(parts)}" for n, parts in self.ambiguous.items()]
            lines.append(f"  rule: {self.rule}")
        return "\n".join(lines)


def inverse_dynamics(model: Model, until: float | None = None, *, step: float | None = None, times: Times | None = None,
                     start: float = 0.0, state: State | None = None, unknown: Names | None = None, motion: Motion | None = None,
                     method: str = "constraints") -> Inverse:
    """Multipliers, drive efforts and reactions of a driven mechanism over time.

    Parameters
    ----------
    model : Model
        The mechanism.
    until : number [s], optional
        The end; left out: the last of ``times``.
    step : number [s], optional
        Between samples; left out: 200 samples.
    times : numbers [s], optional
        Samples at these times instead.
    start : number [s], default 0.0
        The beginning.
    state : State, optional
        The beginning's pose; left out: the assembled drawing.
    unknown : names, optional
        Force components that supply the motion in place of the drives.
    motion : result, optional
        A motion that was computed, in place of that of the drives.
    method : str, default "constraints"
        Accelerations from the constraints, then multipliers; "simultaneous": both together, which gives the same.

    Returns
    -------
    Inverse
        Efforts and reactions by name over time.
    """
    if method not in METHODS:
        raise AnalysisError(f"inverse_dynamics: method is {' or '.join(map(repr, METHODS))}, not {method!r}")
    refuse_friction(model, f"inverse dynamics of '{model.name}'")
    if motion is not None:
        inv = _taken(model, motion, (until, step, times, state))
    else:
        inv = follow(model, until, step, times, start, state, "inverse dynamics", Inverse)
    if unknown is not None:
        inv = _solved(model, inv, unknown)
    elif motion is not None:
        _complete(inv)
    inv.method = method
    return inv


def _taken(model, motion, others) -> Inverse:
    """States and accelerations of an earlier result, on this model."""
    if any(x is not None for x in others):
        raise AnalysisError("inverse_dynamics: motion= brings its own times; leave out until, step, times and state")
    if not isinstance(motion, Motion):
        raise AnalysisError(f"inverse_dynamics: motion= takes a result of simulate or kinematics, not {type(motion).__name__}")
    system, old = adopt(model, motion.state(0)).system, motion.system
    refuse_states(system, f"inverse dynamics of '{model.name}'")
    q = np.tile(system.q_drawn, (len(motion._t), 1))
    q[:, : system.running.start] = motion._q[:, : old.running.start]
    for k in range(len(q)):
        take_turns(system, q[k], old, motion._q[k])
    inv = Inverse(model, system, motion._t, q, motion._v, {"method": "given motion", "configurations": len(q)},
                  versions=versions(), model_hash=model_hash(model))
    inv._vdot = motion.observed.vdot
    w = observe_all(workspace(system), motion._t, q, motion._v, inv._vdot)
    flagged, shape = limits.near(system, w["report"], BESIDE, motion._t, q)
    _without_reactions(inv, [limits.Limit(int(k), q[k], inv._v[k], inv._vdot[k], w["lam"][k], w["reaction"][k]) for k in flagged
                             if shape.alone(int(k), limits.SINE)])
    return inv


def _without_reactions(inv, found) -> None:
    """Given motions and unknown forces bring no states beside the samples: in singular poses reactions are not numbers."""
    names = list(inv.system.groups)
    inv.limits = [replace(x, lam=np.full(inv.system.nc, np.nan), reaction=np.full_like(x.reaction, np.nan), lost=names)
                  for x in found]
    say(inv.stats, "doubts", [s for part in limits.told(inv._t, inv.limits) for s in part])


def _solved(model, inv, unknown) -> Inverse:
    """The same motion with the unknown components found and put in as laws."""
    parts = actuators.chosen(model, unknown, "inverse dynamics")
    u, doubts = actuators.solve(model, parts, inv._t, inv._q, inv._v, inv._vdot, "inverse dynamics")
    laws = {c: actuators.as_laws(inv._t, u[:, k]) for k, c in enumerate(parts)}
    full = actuators.with_laws(model, laws)
    out = Inverse(full, full.compile(), inv._t, inv._q, inv._v, inv.stats, versions=versions(), model_hash=model_hash(full))
    out._vdot, out.singular = inv._vdot, inv.singular
    _without_reactions(out, inv.limits)
    out.stats["doubts"] = [*out.stats.get("doubts", []), *doubts]
    out.unknown = {c.alias or c.label: u[:, k] for k, c in enumerate(parts)}
    _complete(out)
    return out


def _complete(inv) -> None:
    """Refuse forces that do not make the motion."""
    missing = np.abs(inv.observed.missing).max(initial=0.0)
    reaction = np.nan_to_num(inv.observed.reaction)
    scale = max(np.abs(inv.observed.Q).max(initial=0.0), np.abs(reaction).max(initial=0.0), 1e-300)
    if missing > 1e-6 * scale:
        k = int(np.argmax(np.abs(inv.observed.missing).max(axis=1)))
        row = int(np.argmax(np.abs(inv.observed.missing[k])))
        body = inv.system.body_at(row)
        raise AnalysisError(f"inverse dynamics of '{inv.model.name}': the forces of the model do not make this motion; body "
                            f"'{body}' misses {missing:.4g} at t = {inv._t[k]:g}. Name what is not known with unknown=[...], "
                            "or add a drive where the motion is given")
