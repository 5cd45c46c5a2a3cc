"""Unknown actuators of a given motion: which force components can be solved for, and what they are.

    M v̇ + D_cᵀ λ = Q₀ + B u          D_c: the constraints without drives, u: the unknown components, B: what one unit of each does
    Nᵀ B u = Nᵀ (M v̇ − Q₀)           N: motions that the constraints allow, D_c N = 0: the reactions drop out

f = columns of N equations are left, so f components can be unknown, and only if Nᵀ B is regular in every sample: judged in
geometry (N: displacements over the mechanism's size, B: forces and moments over the size, both of unit length), as the least
share of a combination of the components that does work; below REGULAR (thresholds.py) the answer would be a million times the
loads. A component is named "load" (a torque in the plane, a motor, the actuator of a spring) or "load.x", or by the parameter
that stands alone for it in the model (Torque("load", crank, "M2"): "M2").
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.analyses.toolbox.thresholds import REGULAR, working
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, hint
from dalembert.model.law import Table

SHOWN = 12  # choices listed in messages
TRIED = 3000  # choices looked at for them


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
        for key in e.unknowns:
            value = getattr(e, key)
            several = isinstance(value, (list, tuple))
            for k, law in enumerate(value if several else [value]):
                label = f"{name}.{'xyz'[k]}" if several and len(value) > 1 else name
                found.append(Component(label, name, key, k if several else None, _alone(model, law)))
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
            w = workspace(system)
            w.only[0] = system.numbers[c.element]
            Q = np.empty((len(t), system.nv))
            for k in range(len(t)):
                w.set(t[k], q[k], v[k])
                w.run("generalized_forces")
                Q[k] = w.Q
            pair.append(Q)
        out.append(pair[1] - pair[0])
    return np.stack(out, axis=-1) if out else np.zeros((len(t), len(v[0]), 0))


def units(system) -> np.ndarray:
    """Displacement of every body that counts as one: the mechanism's size, or a radian."""
    return system.units(system.size / np.sqrt(float(system.tables.bodies["mass"].sum())))


def geometric(system, N, B) -> tuple[np.ndarray, np.ndarray]:
    """Free displacements of unit length and loads, in one geometry."""
    unit = units(system)
    return np.linalg.qr(N / unit[:, None])[0], B * unit[:, None]


def determinate(model, parts, state, N) -> tuple[float, np.ndarray]:
    """The least share of the components that does work at one state, and each one's own."""
    B = columns(model, parts, [state.t], [state.q], [state.v])[0]
    return working(*geometric(state.system, N, B))


def solve(model, parts, t, q, v, a, question) -> tuple[np.ndarray, list[str]]:
    """u over the samples (samples × components), with doubts; or an error that says which choices are determinate."""
    off = with_laws(model, dict.fromkeys(parts, 0.0))
    system = off.compile()
    w = workspace(system)
    kept = np.array([not r.driver for r in system.rows], dtype=bool)
    weight, M = metric(w), w.mass()
    B = columns(model, parts, t, q, v)
    out, shares = np.empty((len(t), len(parts))), np.empty(len(t))
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        w.run("generalized_forces")
        right = M @ a[k] - w.Q
        N = null_space(w, weight, kept)
        free, load = geometric(system, N, B[k])
        shares[k] = working(free, load)[0] if N.shape[1] == len(parts) else 0.0
        if shares[k] <= REGULAR:
            raise AnalysisError(_advice(model, parts, N, w, kept, k, t, q, v, question))
        out[k] = np.linalg.solve(N.T @ B[k], N.T @ right)
    low = int(np.argmin(shares))
    names = ", ".join(c.label for c in parts)
    doubts = [f"near a dead point at t = {t[low]:g}: only {shares[low]:.1e} of {names} does work there, so "
              "small errors of the motion "
              "change it much"] if shares.size and shares[low] < 100 * REGULAR else []
    return out, doubts


def _advice(model, parts, N, w, kept, at, t, q, v, question) -> str:
    """Why not, and which choices are determinate in every sample."""
    f = N.shape[1]
    known = components(model)
    B = columns(model, known, t, q, v)
    loads, frees, weight = [], [], metric(w)
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        free, load = geometric(w.system, null_space(w, weight, kept), B[k])
        frees.append(free)
        loads.append(load)
    usual = all(free.shape[1] == f for free in frees)

    def good(choice) -> bool:
        return usual and all(working(free, load[:, list(choice)])[0] > REGULAR for free, load in zip(frees, loads, strict=True))

    choices = (c for c in islice(combinations(range(len(known)), f), TRIED) if good(c))
    named = [", ".join(known[k].label for k in c) for c in islice(choices, SHOWN + 1)]
    asked = ", ".join(c.label for c in parts) or "nothing was named: forces"
    if not usual:
        can = "no choice is: the number of free motions changes along the motion (a singular pose); leave these samples out"
    elif f == 1:
        can = f"only one of {', '.join(named)} can be unknown" if named else "none of the force components can be unknown"
    else:
        listed = "; ".join(f"{{{g}}}" for g in named[:SHOWN]) + ("; …" if len(named) > SHOWN else "")
        can = f"these choices of {f} are: {listed}" if named else f"no choice of {f} components is"
    return (f"{question} of '{model.name}' at t = {t[at]:g}: {asked} cannot be found from the motion: with the reactions gone, "
            f"{f} equation{'s' * (f != 1)} of motion {'are' if f != 1 else 'is'} left for {len(parts)} unknown"
            f"{'s' * (len(parts) != 1)}{'' if f != len(parts) else _idle(parts, frees[at], loads[at], known)}; {can}.")


def _idle(parts, free, load, known) -> str:
    """Which of the unknowns do no work, or that together they do not."""
    own = working(free, load[:, [known.index(c) for c in parts]])[1]
    idle = [c.label for c, x in zip(parts, own, strict=True) if x <= REGULAR]
    return f", and {', '.join(idle)} does no work in any motion of that pose" if idle else (
        ", and they do not contain them independently")


def as_laws(t, values) -> object:
    """Values over the samples as a law of time that meets them exactly."""
    return float(values[0]) if len(t) == 1 else Table(t, values, kind="cubic")
