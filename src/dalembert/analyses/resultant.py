"""resultant: the force and moment equipollent to any set of forces and reactions on a body, or on several, about any point.

    F = Σ F_k,   M_P = Σ (M_k + (r_k − r_P) × F_k)          F and M do the same virtual work in any displacement of the body

The set may hold joints, drives, force elements, "gravity", "inertia" (−m a and −dH/dt, d'Alembert's forces) and "reactions"
(all joints, constraints and drives: F^r and n^r of the text).  On several bodies what acts between them cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.analyses.free_bodies import points, wrenches
from dalembert.elements.element import name_of
from dalembert.elements.given import Ref
from dalembert.errors import AnalysisError, hint
from dalembert.results.motion import Motion, own_word
from dalembert.results.views.bodies import Frames


@dataclass
class Resultant:
    """Force and moment, in ground axes or the axes asked for (``point``: ground); over time when the result is a motion.

    Attributes
    ----------
    force, moment : array [N, N·m]
        Of the named elements together, the moment about ``point``.
    point : array [m]
        In ground coordinates.
    body, of, axes : texts
        What was asked for.
    """

    body: str
    of: list[str]
    force: np.ndarray
    moment: np.ndarray
    point: np.ndarray
    axes: str = "ground"
    turn: np.ndarray | None = None  # axes asked for → ground axes

    @property
    def axis(self) -> np.ndarray:
        """A point (ground) of the central axis, along which the resultant is a force alone, or a force and a couple along it."""
        F = np.atleast_2d(self.force)
        M, P = np.atleast_1d(self.moment), np.atleast_2d(self.point)
        square = (F * F).sum(axis=-1)[:, None]
        if F.shape[-1] == 2:
            turned = np.stack([-F[:, 1], F[:, 0]], axis=-1)
            offset = -turned * np.reshape(M, (-1, 1)) / square
        else:
            offset = np.cross(F, np.atleast_2d(M)) / square
        if self.turn is not None:
            offset = np.einsum("tij,tj->ti", self.turn, offset)
        out = P + offset
        return out[0] if np.ndim(self.force) == 1 else out


def resultant(motion: Motion, body: Ref | Sequence[Ref], of: Any = None, *, about: Any = None,
              axes: Ref = "ground") -> Resultant:
    """Equipollent force and moment of elements on a body of a result, or on a list of bodies.

    Parameters
    ----------
    motion : result
        Run, kinematics, inverse dynamics.
    body : name or names
        On what.
    of : names, optional
        Elements; left out: all that act.
    about : optional
        A joint, a body, (body, point) or ground coordinates; left out: the body's reference point, of several bodies their
        common centre of mass.
    axes : name, default "ground"
        "ground", "body" (the body's own, the text's n̄), or the name of any body.

    Returns
    -------
    Resultant
        Force and moment over time.
    """
    points.taken(motion, "resultant")
    chosen = points.bodies(motion, body, "resultant")
    s, d = motion.system, motion.system.dim
    label = ", ".join(s.bodies[b] for b in chosen)
    inertial, reactions = own_word(motion.model, "inertia"), own_word(motion.model, "reactions")
    found = {b: wrenches.acting(motion, b) for b in chosen}
    act = list(dict.fromkeys(name for part in found.values() for name in part))
    names = act if of is None else [name_of(x, "resultant") for x in ([of] if isinstance(of, str) else of)]
    names = [n for item in names for n in ([g for g in s.groups if g in act] if item == reactions else [item])]
    for item in names:
        if item != inertial and item not in act:
            known = [*act, inertial, reactions]
            raise AnalysisError(f"resultant: '{item}' does not act on body '{label}'{hint(item, known)} (these do: "
                                f"{', '.join(act)}; and '{inertial}'; '{reactions}' stands for all joints and drives)")
    if about is None:
        point = points.centre(motion, chosen) if len(chosen) > 1 else points.point(motion, s.bodies[chosen[0]], "resultant")[0]
    else:
        point = points.point(motion, about, "resultant")[0]
    count = len(motion._t)
    F, M = np.zeros((count, d)), np.zeros(count) if d == 2 else np.zeros((count, 3))
    for b in chosen:
        r = Frames(motion, b).r
        for item in names:
            if item == inertial:
                f, m = (-x for x in wrenches.inertia(motion, b))
            elif item in found[b]:
                f, m = found[b][item]
            else:
                continue
            F, M = F + f, M + wrenches.moved(f, m, r, point, d)
    A = points.turned(motion, axes, chosen, "resultant")
    if A is not None:
        F, M = np.einsum("tji,tj->ti", A, F), M if d == 2 else np.einsum("tji,tj->ti", A, M)
    return Resultant(label, names, motion.shape(F), motion.shape(M), motion.shape(np.array(point)), name_of(axes, "resultant"), A)
