"""Layouts: in which order the unknowns of the equations stand, and what they are called.

The engine keeps v̇ body by body: (r̈, ω̄˙) of each, r the centre of mass in ground axes, ω̄ in body axes (θ in the plane).

    "course"   r of all bodies | ω̄ of all bodies | λ       (6 nb + nc; the ME751 text; in the plane r | θ | λ, 3 nb + nc)
    "body"     (r, ω̄) body by body | λ
    "plane"    (x, y, θ) body by body | λ                  (Shabana's q; models of the plane only, where "body" is the same)

A particle has r and no turn: what ``System.moving`` leaves out of v is in no layout, and places count what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.analyses.toolbox.named import Axis, axis
from dalembert.errors import AnalysisError, hint

LAYOUTS = ("course", "body", "plane")


@dataclass(frozen=True)
class Layout:
    """Places, among the speeds that count (``System.moving``), of the columns of a layout, and the names of all sides."""

    name: str
    order: np.ndarray  # of all columns
    moves: np.ndarray  # the translations, as the course stacks them
    turns: np.ndarray
    speeds: Axis  # names of all columns in this layout
    r: Axis
    omega: Axis
    rows: Axis  # constraint equations
    multipliers: Axis


def layout(model, system, name) -> Layout:
    if name not in LAYOUTS:
        raise AnalysisError(f"matrices of '{model.name}': there is no layout {name!r}{hint(str(name), LAYOUTS)} (there are "
                            f"{', '.join(LAYOUTS)})")
    if name == "plane" and system.dim == 3:
        raise AnalysisError(f"matrices of '{model.name}': layout 'plane' is x, y, θ of every body, but the model is one of "
                            "space: take 'course' (r | ω̄ | λ) or 'body'")
    part = system.moving % system.kind.SIZE_V
    moves, turns = np.flatnonzero(part < system.dim), np.flatnonzero(part >= system.dim)
    names = [system.speed_names[k] for k in system.moving]
    turning = "θ" if system.dim == 2 else "ω̄"
    r, omega = (axis([names[k] for k in part], title) for part, title in ((moves, "r"), (turns, turning)))
    titles = unique([row.title for row in system.rows])
    numbers = [f"λ{k + 1}" for k in range(system.nc)]
    rows = axis(titles, "Φ")
    multipliers = axis([f"λ {t}" for t in titles], "λ", numbers)
    if name == "course":
        both = r + omega if len(turns) else r
        return Layout(name, np.concatenate([moves, turns]), moves, turns, both, r, omega, rows, multipliers)
    counts = np.bincount(system.moving // system.kind.SIZE_V, minlength=system.nb)
    speeds = Axis(tuple(names), tuple(names), tuple(zip(system.bodies, counts.tolist(), strict=True)))
    return Layout(name, np.arange(system.freedoms), moves, turns, speeds, r, omega, rows, multipliers)


def unique(titles) -> list[str]:
    """Titles told apart by a number where an element has several rows of one label."""
    out: list[str] = []
    for k, title in enumerate(titles):
        before = titles[:k].count(title)
        out.append(f"{title} ({before + 1})" if before else title)
    return out
