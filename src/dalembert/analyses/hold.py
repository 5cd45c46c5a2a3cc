"""hold: the load, spring value, length or place that balances a pose, by the principle of virtual work.

    Nᵀ Q(p) = 0          N: displacements the constraints allow; reactions do no work in them and drop out

One unknown p for each displacement that is free.  p is a parameter of the model (a load, a stiffness, a length, a pivot, an
angle of the drawing …) or a force component by name ("load", "load.x").  Pose, N and Q are those of each value (trials.py).
Newton's method from the present value, one step when Q depends linearly on p; otherwise other solutions are looked for as well:
one unknown is scanned over ±1500 times its size, near the present value most densely, and each change of sign is closed in on;
several unknowns start from other values.  ``solutions`` lists all that was found, nearest to the present values first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.analyses.driven import actuators
from dalembert.analyses.statics.at_rest import Rest
from dalembert.analyses.statics.balance import free, unbalanced
from dalembert.analyses.statics.slopes import slopes
from dalembert.analyses.statics.trials import Trial, Trials
from dalembert.analyses.toolbox.apart import apart
from dalembert.analyses.toolbox.stateless import refuse_felt, refuse_states
from dalembert.analyses.toolbox.thresholds import REGULAR
from dalembert.elements.given import Names
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.model.rubbing import rubs, without_friction
from dalembert.results.motion import State

if TYPE_CHECKING:
    from dalembert.analyses.statics.rubbing import HoldRange

TOLERANCE = 1e-14  # of the forces that act: nothing is left to do
GOOD = 1e-9  # what rounding may leave when Newton's method gets no further
ITERATIONS = 40
SPAN = 8.0  # of the scan: sinh(8) = 1490 times the size of the value
POINTS = 97
BRACKETS = 12  # changes of sign that are followed, the nearest ones
SEVERAL = 3  # parameters whose exact derivatives cost less than two trials for each (7 ms against 1.5 ms for one)
STARTS = 8  # of Newton's method, from the best of the scan


class Hold(Rest):
    """The balanced pose: ``value`` (``values`` by name), all ``solutions`` found, and reactions as hold["A"].force.

    Attributes
    ----------
    value : number
        Of the unknown, where there is one; ``values`` by name.
    """

    def __init__(self, trial: Trial, names, solutions, notes=()):
        super().__init__(trial.model, trial.state.system, trial.state.t, trial.state.q, trial.state.v)
        self.values, self.residual = dict(zip(names, trial.p.tolist(), strict=True)), trial.left
        self.solutions = [dict(zip(names, s.p.tolist(), strict=True)) for s in solutions]
        self.notes = list(notes)

    @property
    def value(self) -> Any:
        return next(iter(self.values.values())) if len(self.values) == 1 else self.values

    def __repr__(self):
        found = ", ".join(f"{k} = {v:.9g}" for k, v in self.values.items())
        text = f"'{self.model.name}' is held in its pose at t = {self.t:g} by {found} (unbalanced: {self.residual:.1e})"
        others = ["; ".join(f"{k} = {v:.9g}" for k, v in s.items()) for s in self.solutions[1:]]
        return "\n".join([text, *(f"  also by {o}" for o in others), *(f"  {n}" for n in self.notes)])


def hold(model: Model, unknown: Names, *, state: State | None = None, t: float = 0.0) -> Hold | HoldRange:
    """Values of the unknowns that balance the drawn pose (or a given state) at time t.

    Parameters
    ----------
    model : Model
        The mechanism.
    unknown : names
        Parameters of the model, or force components by name ("load", "load.x").
    state : State, optional
        Where; left out: assembled at time t.
    t : number [s], default 0.0
        Time of the drawing that is assembled.

    Returns
    -------
    Hold
        The values by name, reactions, and whether they are unique. Where joints have friction a HoldRange: from ``lower`` to
        ``upper`` of the one unknown friction holds the pose; ``below`` and ``above`` name what slides beyond.
    """
    names: Any = [unknown] if isinstance(unknown, str) or hasattr(unknown, "name") else unknown or ()
    names = [getattr(n, "name", n) for n in names] if isinstance(names, (list, tuple, set, dict)) else [names]
    if not all(isinstance(n, str) for n in names):
        raise AnalysisError("hold: unknown= takes the name of a parameter or a force component, or a list of names, "
                            f"not {unknown!r}")
    if state is not None and not isinstance(state, State):
        raise AnalysisError(f"hold: state= takes what assemble() or run.state() returned, not {type(state).__name__}")
    if isinstance(model, Model) and rubs(model):
        from dalembert.analyses.statics.rubbing import held_range

        return held_range(model, names, t, state, lambda: hold(without_friction(model), names, state=state, t=t).value)
    trials = Trials(model, names, t, state)
    first = trials.at(trials.start)
    apart(first.state, "hold")
    refuse_states(first.state.system, f"hold of '{model.name}'")
    refuse_felt(first.state.system, f"hold of '{model.name}'")
    if not first.N.shape[1]:
        raise AnalysisError(f"hold of '{model.name}': the pose has no free motion, its constraints and drives hold it already; "
                            "read the reactions from equilibrium, or remove a drive")
    if not names:
        raise AnalysisError(f"hold of '{model.name}': name the unknown: a parameter, or a force component (there are "
                            f"{', '.join(c.label for c in actuators.components(model)) or 'none: add a Torque, Force or Motor'})")
    if not np.all(np.isfinite(first.g)):
        raise AnalysisError(f"hold of '{model.name}': the forces are not finite at {_said(names, first.p)}")
    share = _independent(trials, first)
    found = _newton(trials, first)
    if found is not None and _linear(trials, first, found):
        solutions, seen = [found], [first, found]
    else:
        seen = _scan(trials, first)
        solutions = _all(trials, seen, found)
    if not solutions:
        raise AnalysisError(_none(trials, first, seen))
    notes = [] if share > 100 * REGULAR else [f"near a dead point: only {share:.1e} of the load does work, so small changes of "
                                              "the pose change it much"]
    return Hold(solutions[0], names, solutions, notes)


def _said(names, p) -> str:
    return ", ".join(f"{n} = {x:.6g}" for n, x in zip(names, p, strict=True))


def _independent(trials, first) -> float:
    """Refuse force components that cannot do it; the share of them that does work."""
    model, names, f = trials.model, trials.names, first.N.shape[1]
    parts = list(trials.parts.values())
    share = 1.0
    if parts:
        share, own = actuators.determinate(trials.put(trials.start), parts, first.state, first.N)
        idle = [c.label for c, x in zip(parts, own, strict=True) if x <= REGULAR]
        if idle:
            raise AnalysisError(f"hold of '{model.name}': {', '.join(idle)} does no work in any motion of the pose, so it can be "
                                "anything and holds nothing (a dead point, or a load on what cannot move)")
        if share <= REGULAR:
            few = "one" if f == 1 else f"{min(f, len(parts) - 1)}"
            raise AnalysisError(f"hold of '{model.name}': {', '.join(c.label for c in parts)} work on the same motion; {few} of "
                                "them is enough")
    if len(names) > f:
        raise AnalysisError(f"hold of '{model.name}': {', '.join(names)} work on the same motion; {f} of them is enough")
    return share


def _columns(trials, here, whole) -> np.ndarray:
    """∂g/∂p: of several parameters exactly, where that can be had (statics/slopes.py).

    Otherwise by differences: over a whole unit (exact for loads, which enter linearly), or central and small.
    """
    exact = slopes(trials, here) if len(trials.parameters) >= SEVERAL else None
    if exact is not None:
        return exact
    out = []
    for i, unit in enumerate(trials.unit):
        h = max(abs(here.p[i]), unit) * (1.0 if whole else 1e-5)
        e = np.zeros(len(here.p))
        e[i] = h
        up, down = trials(here.p + e), None if whole else trials(here.p - e)
        if whole and up is None:
            e[i] = h = 1e-3 * h
            up, down = trials(here.p + e), trials(here.p - e)
        if up is not None and down is not None:
            out.append((up.g - down.g) / (2 * h))
        elif up is not None:
            out.append((up.g - here.g) / h)
        elif down is not None:
            out.append((here.g - down.g) / h)
        else:
            out.append(np.zeros(len(here.g)))
    return np.column_stack(out)


def _newton(trials, start) -> Trial | None:
    """From one trial to a balanced one, if that works."""
    here, before = start, [start.left]
    for k in range(ITERATIONS):
        if here.left <= TOLERANCE and (k or here.left == 0.0):
            return here if here.left == 0.0 or _settled(trials, here) else None
        dp = _step(trials, here, k == 0)
        after, part = None, 1.0
        while dp is not None and part > 1e-4:
            after = trials(here.p + part * dp)
            if after is not None and (np.linalg.norm(after.g) < np.linalg.norm(here.g) or (k == 0 and part == 1.0)):
                break
            after, part = None, 0.3 * part
        if after is None:
            break
        here = after
        before.append(here.left)
        if k >= 6 and here.left > 0.3 * before[-6]:  # creeping: there is no zero here
            break
    return here if here.left <= GOOD and _settled(trials, here) else None


def _step(trials, here, whole) -> np.ndarray | None:
    """Newton's step, or none when nothing depends on the unknowns."""
    B = _columns(trials, here, whole)
    size = np.linalg.norm(B, axis=0) * trials.unit
    if not np.any(size > 0):
        return None
    scale = np.where(size > 0, trials.unit / np.where(size > 0, size, 1.0), 0.0)
    return scale * np.linalg.lstsq(B * scale, -here.g, rcond=1e-12)[0]


def _settled(trials, here) -> bool:
    """Whether the values are found, and not only the forces small beside others that grow (a length that runs away)."""
    dp = _step(trials, here, False)
    return dp is not None and bool(np.all(np.abs(dp) <= 1e-6 * np.maximum(np.abs(here.p), trials.unit)))


def _linear(trials, first, found) -> bool:
    """Whether g is linear in the unknowns: then there is one solution."""
    B = _columns(trials, first, True) if len(first.p) > 1 else np.zeros((0, 0))
    for factor in (2.7, -1.9, 0.37):
        other = first.p + factor * np.where(found.p != first.p, found.p - first.p, trials.unit)
        there = trials(other)
        if there is None:
            return False
        if len(first.p) == 1:
            step = found.p[0] - first.p[0]
            if step == 0.0:
                nxt = trials(first.p + trials.unit)
                if nxt is None:
                    return False
                expected = first.g + factor * (nxt.g - first.g)
            else:
                expected = first.g + factor * (found.g - first.g)
        else:
            expected = first.g + B @ (other - first.p)
        size = max(np.linalg.norm(there.g), np.linalg.norm(first.g), np.linalg.norm(expected))
        if np.linalg.norm(there.g - expected) > 1e-9 * size + 1e-11 * first.scale:
            return False
    return True


def _scan(trials, first) -> list[Trial]:
    """Trials over a wide range: one unknown on a grid, several at random."""
    many = POINTS if len(trials.model.bodies) <= 12 else POINTS // 3
    if len(first.p) == 1:
        points = [first.p + trials.unit * np.sinh(u) for u in np.linspace(-SPAN, SPAN, many)]
    else:
        random = np.random.default_rng(5)
        points = [first.p + trials.unit * np.sinh(random.uniform(-3, 3, len(first.p))) for _ in range(many // 4)]
    found = [t for t in (trials(p) for p in points) if t is not None]
    if len(first.p) == 1:
        return sorted([*found, first], key=lambda t: t.p[0])
    return [first, *found]


def _all(trials, seen, found) -> list[Trial]:
    """Different balanced trials: from changes of sign, from the best of the scan, and the one at hand."""
    good = [] if found is None else [found]
    if len(trials.names) == 1:
        turns = {k for k in range(len(seen) - 1) if len(seen[k].g) == 1 and _along(seen[k], seen[k + 1]) * seen[k].g[0] < 0}
        near = sorted(turns, key=lambda k: min(trials.away(seen[k]), trials.away(seen[k + 1])))
        good += [_closed_in(trials, seen[k], seen[k + 1]) for k in near[:BRACKETS]]
        low = [seen[k] for k in range(1, len(seen) - 1) if not {k - 1, k} & turns
               and seen[k].left <= min(seen[k - 1].left, seen[k + 1].left)]
    else:
        low = seen[1:]
    good += [_newton(trials, s) for s in sorted(low, key=lambda s: s.left)[:STARTS]]
    kept: list[Trial] = []
    for s in sorted((s for s in good if s is not None and s.left <= GOOD), key=trials.away):
        if not any(_same(trials, s, o) for o in kept):
            kept.append(s)
    return kept


def _same(trials, a, b) -> bool:
    """The same values, or the same mechanism in the same pose (an angle a full turn on)."""
    if np.all(np.abs(a.p - b.p) <= 1e-6 * np.maximum(np.abs(a.p), 1e-3 * trials.unit)):
        return True
    poses = np.abs(a.work.pose - b.work.pose).max() <= 1e-6 * max(1.0, np.abs(a.work.pose).max())
    return bool(poses and np.linalg.norm(a.weight.T @ a.Q - b.weight.T @ b.Q) <= 1e-6 * max(a.scale, b.scale)
                and np.linalg.norm(a.weight - b.weight) <= 1e-6 * np.linalg.norm(a.weight))


def _along(a, b) -> float:
    """g of b, counted in the direction of a's free motion (one free motion)."""
    return float(np.sign(a.N[:, 0] @ (a.work.mass() @ b.N[:, 0])) or 1.0) * float(b.g[0])


def _closed_in(trials, a, b) -> Trial | None:
    """Regula falsi (Illinois) between two trials on either side, then Newton's method; None at a pole or a jump."""
    low, high = (float(a.p[0]), float(a.g[0])), (float(b.p[0]), _along(a, b))
    here, side = b, 0
    for _ in range(60):
        p = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1])
        there = trials([p])
        if there is None:
            return None
        here, value = there, _along(a, there)
        if here.left <= 1e-7 or abs(high[0] - low[0]) <= 1e-9 * float(trials.unit[0]):
            break
        if (value > 0) == (high[1] > 0):
            high, low = (p, value), (low[0], 0.5 * low[1] if side > 0 else low[1])
            side = 1
        else:
            low, high = (p, value), (high[0], 0.5 * high[1] if side < 0 else high[1])
            side = -1
    return _newton(trials, here) if here.left <= 1e-4 else None


def _none(trials, first, seen) -> str:
    """Why there is no solution, said truly."""
    model, names, f = trials.model, trials.names, first.N.shape[1]
    told = f"hold of '{model.name}': "
    scale = max(s.scale for s in seen)
    moved = max(float(np.linalg.norm(s.g - first.g)) for s in seen)
    span = "" if len(names) > 1 else f" between {min(s.p[0] for s in seen):.6g} and {max(s.p[0] for s in seen):.6g}"
    if len(seen) > 1 and moved <= 1e-11 * scale:
        state = "it is not balanced" if first.left > GOOD else "it is balanced"
        return told + (f"{', '.join(names)} does no work in any motion of the pose and moves nothing that does: whatever the "
                       f"value{span}, {state} ({unbalanced(first.model, first.work, first.N, first.weight, first.Q)})")
    if f > len(names):
        return told + (f"the pose has {f} free motions ({', '.join(free(first.model, first.work, first.N, first.weight))}) and "
                       f"{len(names)} unknown(s) ({', '.join(names)}); name {f} unknowns")
    best = min(seen, key=lambda s: s.left)
    return told + (f"no value of {', '.join(names)}{span} balances the pose ({len(seen)} tried); {_said(names, best.p)} leaves "
                   f"{unbalanced(best.model, best.work, best.N, best.weight, best.Q)}")
