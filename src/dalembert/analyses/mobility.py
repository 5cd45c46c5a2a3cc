"""What the drives leave open, and what they ask for twice: the counting behind kinematics and inverse dynamics.

    N    basis of the motions that all rows allow,  D N = 0,  orthonormal in the metric of the masses (Nᵀ M N = 1)
    Z    basis of the row combinations that are empty,  Zᵀ D = 0
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.check import RANK_TOLERANCE
from dalembert.analyses.closing import metric, scaled_rows
from dalembert.errors import AnalysisError


def null_space(work, weight=None, rows=None) -> np.ndarray:
    """N of the rows (all by default) at the workspace's state; columns are velocities (ṙ, ω̄ of every body)."""
    weight = metric(work) if weight is None else weight
    _, D, _ = scaled_rows(work, weight)
    return weight @ _kernel(D if rows is None else D[rows])


def _kernel(D) -> np.ndarray:
    """Orthonormal basis of the vectors x with D x = 0."""
    if not len(D):
        return np.eye(D.shape[1])
    _, sigma, vt = np.linalg.svd(D)
    return vt[int((sigma > RANK_TOLERANCE * max(1.0, sigma[0])).sum()):].T


def gradients(work) -> np.ndarray:
    """Rates of all measures per unit of each velocity (measures × nv), at the workspace's state."""
    s = work.system
    v = work.v.copy()
    G = np.empty((s.tables.measures.size, s.nv))
    for k in range(s.nv):
        work.v[:] = 0.0
        work.v[k] = 1.0
        work.run("rows")
        G[:, k] = work.measured[1::3]
    work.v[:] = v
    work.run("rows")
    return G


def coordinates(model, system) -> dict[str, int]:
    """Names of joint coordinates and their measures, those that a drive can name."""
    return {name: k for name, k in system.coordinates.items() if name in model.elements}


def candidates(model, work, N) -> tuple[list[str], list[str]]:
    """Joint coordinates that would take up the motions N: one good choice, and all that move at all."""
    names = coordinates(model, work.system)
    if not names or not N.shape[1]:
        return [], []
    G = gradients(work)
    rates = np.array([G[k] @ N for k in names.values()])
    size = np.array([np.linalg.norm(G[k]) for k in names.values()])
    rates /= np.where(size > 0, np.linalg.norm(rates, axis=1).max(initial=1e-300), 1.0)[:, None]
    moving = [n for n, r in zip(names, rates, strict=True) if np.linalg.norm(r) > 1e-6]
    chosen: list[str] = []
    left = rates.copy()
    for _ in range(N.shape[1]):
        k = int(np.argmax(np.linalg.norm(left, axis=1)))
        length = np.linalg.norm(left[k])
        if length < 1e-6:
            break
        chosen.append(list(names)[k])
        u = left[k] / length
        left = left - np.outer(left @ u, u)
    return chosen, moving


def driven_state(model, state, question) -> None:
    """Refuse a model whose drives leave motions open, or ask for one motion twice."""
    system = state.system
    w = system.workspace()
    w.set(state.t, state.q, state.v)
    weight = metric(w)
    _, D, _ = scaled_rows(w, weight)
    driver = np.array([r.driver for r in system.rows], dtype=bool)
    N = weight @ _kernel(D)
    own = weight @ _kernel(D[~driver])
    dof, free, drives = N.shape[1], own.shape[1], [r.group for r in system.rows if r.driver]
    told = f"{question} of '{model.name}': "
    if dof and len(drives) >= free:
        raise AnalysisError(told + f"the start at t = {state.t:g} is a singular pose: {len(drives)} drive(s) "
                            f"({', '.join(drives)}) leave {dof} degree(s) of freedom there. Start a little later, or draw "
                            "another pose" + _twice(D, driver, system))
    if dof:
        chosen, moving = candidates(model, w, N)
        how = f" Add drives on {dof} of: {', '.join(moving)} (for example {', '.join(chosen)})" if moving else (
            " Add drives on body coordinates such as " + ", ".join(f"'{b}.x'" for b in system.bodies[:2]))
        raise AnalysisError(told + f"the drives leave {dof} degree(s) of freedom ({len(drives)} drive(s) for {free}).{how}; "
                            "or ask for simulate, which needs none.")
    if len(drives) > free:
        raise AnalysisError(overdriven(told, len(drives) - free, drives, free))


def overdriven(told, many, drives, free) -> str:
    return (told + f"overdriven: {len(drives)} drives ({', '.join(drives)}) act on {free} degree(s) of freedom; "
            f"{many} too many. Remove {many} of them.")


def _twice(D, driver, system) -> str:
    """Which drives act on the same motion."""
    u, sigma, _ = np.linalg.svd(D.T, full_matrices=False)
    _, _, vt = np.linalg.svd(D.T)
    rank = int((sigma > RANK_TOLERANCE * max(1.0, sigma[0])).sum())
    weight = np.abs(vt[rank:]).max(axis=0, initial=0.0) if rank < len(D) else np.zeros(len(D))
    names = [system.rows[k].group for k in np.flatnonzero(driver & (weight > 1e-6))]
    return f", or look at {', '.join(names)}: they act on the same motion" if len(names) > 1 else ""
