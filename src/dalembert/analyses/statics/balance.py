"""What is free in a pose and what is unbalanced along it, in the names of coordinates."""

from __future__ import annotations

import numpy as np

from dalembert.analyses.toolbox.independent import all_coordinates, choose, rows

ROUNDING = 1e-12  # of the largest force


def free(model, w, N, weight) -> list[str]:
    """Names of independent coordinates that are free."""
    found = all_coordinates(model, w.system)
    w.run("rows")
    return [found[k].name for k in choose(found, rows(w, found), N, weight)]


def unbalanced(model, w, N, weight, Q) -> str:
    """The generalised force along independent coordinates, in words; rounding beside the largest is left out."""
    found = all_coordinates(model, w.system)
    w.run("rows")
    G = rows(w, found)
    taken = choose(found, G, N, weight)
    basis = N @ np.linalg.inv(G[taken] @ N)
    forces = basis.T @ Q
    least = ROUNDING * np.abs(forces).max(initial=0.0)
    return ", ".join(f"{x:.4g} along {found[k].name}" for k, x in zip(taken, forces, strict=True) if abs(x) >= least)
