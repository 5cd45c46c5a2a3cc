"""What the drives leave open, and what they ask for twice: the count before kinematics and inverse dynamics."""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import kernel
from dalembert.analyses.toolbox.closing import metric, scaled_rows
from dalembert.analyses.toolbox.independent import all_coordinates, choose, rows
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError


def candidates(model, work, N, weight=None) -> tuple[list[str], list[str]]:
    """Coordinates that a drive can name and that would take up the motions N: one choice of independent ones (shorter than N when
    no choice takes up all), and all joint coordinates that move at all."""
    weight = metric(work) if weight is None else weight
    system = work.system
    found = [c for c in all_coordinates(model, system)
             if c.measure is not None or c.part < system.dim or system.dim == 2]
    G = rows(work, found)
    rates = np.linalg.norm(G @ N, axis=1) / np.maximum(np.linalg.norm(G @ weight, axis=1), 1e-300)
    moving = [c.name for c, r in zip(found, rates, strict=True) if c.measure is not None and r > 1e-6]
    for many in range(N.shape[1], 0, -1):
        try:
            return [found[k].name for k in choose(found, G, N, weight, count=many)], moving
        except AnalysisError:
            continue
    return [], moving


def driven_state(model, state, question) -> None:
    """Refuse a model whose drives leave motions open, or ask for one motion twice."""
    system = state.system
    w = workspace(system)
    w.set(state.t, state.q, state.v)
    weight = metric(w)
    _, D, _ = scaled_rows(w, weight)
    driver = np.array([r.driver for r in system.rows], dtype=bool)
    N = weight @ kernel(D)
    own = weight @ kernel(D[~driver])
    dof, free, drives = N.shape[1], own.shape[1], [r.group for r in system.rows if r.driver]
    told = f"{question} of '{model.name}': "
    if dof and len(drives) >= free:
        raise AnalysisError(told + f"the start at t = {state.t:g} is a singular pose: {len(drives)} drive(s) "
                            f"({', '.join(drives)}) leave {dof} degree(s) of freedom there. Start a little later, or draw "
                            "another pose" + _twice(D, driver, system))
    if dof:
        chosen, moving = candidates(model, w, N, weight)
        names = list(dict.fromkeys([*moving, *chosen]))
        how = (f" Add drives on {dof} of: {', '.join(names)} (for example {', '.join(chosen)})" if len(chosen) == dof
               else f" Add drives that fix them, beside {', '.join(chosen) or 'body coordinates'}")
        raise AnalysisError(told + f"the drives leave {dof} degree(s) of freedom ({len(drives)} drive(s) for {free}).{how}; "
                            "or ask for simulate, which needs none.")
    if len(drives) > free:
        raise AnalysisError(overdriven(told, len(drives) - free, drives, free))


def overdriven(told, many, drives, free) -> str:
    return (told + f"overdriven: {len(drives)} drives ({', '.join(drives)}) act on {free} degree(s) of freedom; "
            f"{many} too many. Remove {many} of them.")


def _twice(D, driver, system) -> str:
    """Which drives act on the same motion: those in the combinations of rows that are empty."""
    weight = np.abs(kernel(D.T)).max(axis=1, initial=0.0)
    names = [system.rows[k].group for k in np.flatnonzero(driver & (weight > 1e-6))]
    return f", or look at {', '.join(names)}: they act on the same motion" if len(names) > 1 else ""
