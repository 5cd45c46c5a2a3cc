"""What is free in a pose and what is unbalanced along it, in the names of coordinates."""

from __future__ import annotations

import numpy as np

from dalembert.analyses.toolbox.independent import all_coordinates, choose, rows


def free(model, w, N, weight) -> list[str]:
    """Names of independent coordinates that are free."""
    found = all_coordinates(model, w.system)
    w.run("rows")
    return [found[k].name for k in choose(found, rows(w, found), N, weight)]


def unbalanced(model, w, N, weight, Q) -> str:
    """The generalised force along each independent coordinate, in words."""
    found = all_coordinates(model, w.system)
    w.run("rows")
    G = rows(w, found)
    taken = choose(found, G, N, weight)
    basis = N @ np.linalg.inv(G[taken] @ N)
    return ", ".join(f"{x:.4g} along {found[k].name}" for k, x in zip(taken, basis.T @ Q, strict=True))
