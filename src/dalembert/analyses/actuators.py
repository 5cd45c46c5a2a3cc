"""Unknown actuators of a given motion: which force components can be solved for, and what they are.

    M v̇ + D_cᵀ λ = Q₀ + B u          D_c: the constraints without drives, u: the unknown components, B: what one unit of each does
    Nᵀ B u = Nᵀ (M v̇ − Q₀)           N: motions that the constraints allow, D_c N = 0: the reactions drop out

f = columns of N equations are left, so f components can be unknown, and only if Nᵀ B is regular in every sample.
A component is named "load" (a torque in the plane, a motor, the actuator of a spring) or "load.x", or by the parameter that
stands alone for it in the model (Torque("load", crank, "M2"): "M2").
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from dalembert.analyses.closing import metric
from dalembert.analyses.mobility import null_space
from dalembert.elements.forces.elements import Force, Motor, Spring, Torque, TorsionSpring
from dalembert.errors import AnalysisError, hint
from dalembert.model.law import Table

REGULAR = 1e-8  # smallest singular value of Nᵀ B, columns of length one, that counts as regular
SHOWN = 12  # choices listed in messages


@dataclass(frozen=True)
class Component:
    """One scalar law of a force element."""

    label: str
    element: str
    key: str  # the argument that holds the law
    place: int | None  # its index there
    alias: str | None = None  # the parameter that stands alone for it


def components(model) -> list[Component]:
    """All force components of the model that may be unknown."""
    found = []
    for name, e in model.elements.items():
        if isinstance(e, (Force, Torque)):
            laws = e.components if isinstance(e.components, (list, tuple)) else [e.components]
            for k, law in enumerate(laws):
                label = name if len(laws) == 1 else f"{name}.{'xyz'[k]}"
                place = k if isinstance(e.components, (list, tuple)) else None
                found.append(Component(label, name, "components", place, _alone(model, law)))
        elif isinstance(e, Motor):
            found.append(Component(name, name, "law", None, _alone(model, e.law)))
        elif isinstance(e, (Spring, TorsionSpring)):
            found.append(Component(name, name, "actuator", None, _alone(model, e.actuator)))
    return found


def _alone(model, law) -> str | None:
    return law if isinstance(law, str) and law in model.parameters else None


def chosen(model, unknown, question) -> list[Component]:
    """The components named by the user."""
    known = components(model)
    names = {c.label: c for c in known} | {c.alias: c for c in known if c.alias is not None}
    out = []
    for item in [unknown] if isinstance(unknown, str) or hasattr(unknown, "name") else list(unknown):
        name = getattr(item, "name", item)
        if name not in names:
            parts = [c.label for c in known if c.element == name]
            more = f"; '{name}' has the components {', '.join(parts)}" if parts else hint(str(name), names)
            raise AnalysisError(f"{question} of '{model.name}': '{name}' is no force component that can be unknown{more} "
                                f"(there are {', '.join(c.label for c in known) or 'none: add a Torque, Force or Motor'})")
        if names[name] in out:
            raise AnalysisError(f"{question} of '{model.name}': '{name}' is listed twice")
        out.append(names[name])
    return out


def with_laws(model, laws: dict[Component, object]):
    """A copy of the model with these components' laws replaced."""
    other = model.copy()
    for c, law in laws.items():
        e = other.elements[c.element]
        given = dict(e.given)
        given[c.key] = law if c.place is None else [law if k == c.place else x for k, x in enumerate(given[c.key])]
        other.elements[c.element] = type(e)(**given)
    return other


def columns(model, parts, t, q, v) -> np.ndarray:
    """B over the samples: what one unit of each component adds to Q (samples × nv × components)."""
    out = []
    for c in parts:
        pair = []
        for value in (0.0, 1.0):
            system = with_laws(model, {c: value}).compile()
            w = system.workspace()
            w.only[0] = system.numbers[c.element]
            Q = np.empty((len(t), system.nv))
            for k in range(len(t)):
                w.set(t[k], q[k], v[k])
                w.run("generalized_forces")
                Q[k] = w.Q
            pair.append(Q)
        out.append(pair[1] - pair[0])
    return np.stack(out, axis=-1) if out else np.zeros((len(t), len(v[0]), 0))


def solve(model, parts, t, q, v, a, question) -> np.ndarray:
    """u over the samples (samples × components), or an error that says which choices are determinate."""
    off = with_laws(model, dict.fromkeys(parts, 0.0))
    system = off.compile()
    w = system.workspace()
    kept = np.array([not r.driver for r in system.rows], dtype=bool)
    weight, M = metric(w), w.mass()
    B = columns(model, parts, t, q, v)
    out = np.empty((len(t), len(parts)))
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        w.run("generalized_forces")
        right = M @ a[k] - w.Q
        N = null_space(w, weight, kept)
        reduced = N.T @ B[k]
        if not determinate(reduced):
            raise AnalysisError(_advice(model, parts, N, t[k], q[k], v[k], question))
        out[k] = np.linalg.solve(reduced, N.T @ right)
    return out


def determinate(reduced) -> bool:
    """Whether Nᵀ B is square and regular."""
    if reduced.shape[0] != reduced.shape[1]:
        return False
    if not reduced.size:
        return True
    length = np.linalg.norm(reduced, axis=0)
    if not np.all(length > 0):
        return False
    return bool(np.linalg.svd(reduced / length, compute_uv=False)[-1] > REGULAR)


def _advice(model, parts, N, t, q, v, question) -> str:
    """Which choices are determinate in this pose."""
    f = N.shape[1]
    known = components(model)
    B = N.T @ columns(model, known, [t], [q], [v])[0]
    choices = (c for c in combinations(range(len(known)), f) if determinate(B[:, list(c)]))
    good = [", ".join(known[k].label for k in c) for c in islice(choices, SHOWN + 1)]
    asked = ", ".join(c.label for c in parts) or "nothing was named: forces"
    if f == 1:
        can = f"only one of {', '.join(good)} can be unknown" if good else "none of the force components can be unknown"
    else:
        listed = "; ".join(f"{{{g}}}" for g in good[:SHOWN]) + ("; …" if len(good) > SHOWN else "")
        can = f"these choices of {f} are: {listed}" if good else f"no choice of {f} components is"
    return (f"{question} of '{model.name}' at t = {t:g}: {asked} cannot be found from the motion: with the reactions gone, {f} "
            f"equation{'s' * (f != 1)} of motion {'are' if f != 1 else 'is'} left for {len(parts)} unknown"
            f"{'s' * (len(parts) != 1)}{'' if f != len(parts) else ', and they do not contain them independently'}; {can}.")


def as_laws(t, values) -> object:
    """Values over the samples as a law of time that meets them exactly."""
    return float(values[0]) if len(t) == 1 else Table(t, values, kind="cubic")
