"""resultant: the force and moment equipollent to any set of forces and reactions on a body, about any point.

    F = Σ F_k,   M_P = Σ (M_k + (r_k − r_P) × F_k)          F and M do the same virtual work in any displacement of the body

The set may hold joints, drives, force elements, "gravity" and "inertia" (−m a and −dH/dt, d'Alembert's forces).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.elements.element import name_of
from dalembert.errors import AnalysisError, hint
from dalembert.results.motion import Motion, own_word
from dalembert.results.views.bodies import Frames, cross


@dataclass
class Resultant:
    """Force and moment in ground axes; over time when the result is a motion."""

    body: str
    of: list[str]
    force: np.ndarray
    moment: np.ndarray
    point: np.ndarray

    @property
    def axis(self) -> np.ndarray:
        """A point of the line (central axis) along which the resultant is a force alone, or a force and a couple along it."""
        F = np.atleast_2d(self.force)
        M, P = np.atleast_1d(self.moment), np.atleast_2d(self.point)
        square = (F * F).sum(axis=-1)[:, None]
        if F.shape[-1] == 2:
            turned = np.stack([-F[:, 1], F[:, 0]], axis=-1)
            offset = -turned * np.reshape(M, (-1, 1)) / square
        else:
            offset = np.cross(F, np.atleast_2d(M)) / square
        out = P + offset
        return out[0] if np.ndim(self.force) == 1 else out


def resultant(motion, body, of=None, *, about=None) -> Resultant:
    """Equipollent force and moment of the named elements (default: all that act) on a body of a result, about a ground point
    (default: the body's reference point)."""
    if not isinstance(motion, Motion):
        raise AnalysisError("resultant takes a result (of accelerations, inverse_dynamics, simulate …), not "
                            f"{type(motion).__name__}")
    system, name = motion.system, name_of(body, "resultant")
    if name not in system.bodies:
        raise AnalysisError(f"resultant: there is no body '{name}'{hint(name, system.bodies)} (there are "
                            f"{', '.join(system.bodies)})")
    b, d = system.bodies.index(name), system.dim
    frames = Frames(motion, b)
    acting = _acting(motion, b)
    names = list(acting) if of is None else [name_of(x, "resultant") for x in ([of] if isinstance(of, str) else of)]
    count = len(motion._t)
    F, M = np.zeros((count, d)), np.zeros(count) if d == 2 else np.zeros((count, 3))
    for item in names:
        if item == own_word(motion.model, "inertia"):
            f, m = _inertia(motion, b, frames)
        elif item in acting:
            f, m = acting[item]
        else:
            raise AnalysisError(f"resultant: '{item}' does not act on body '{name}'{hint(item, acting)} (these do: "
                                f"{', '.join(acting)}; and 'inertia')")
        F, M = F + f, M + m
    point = motion[name].position if about is None else np.asarray(about, dtype=float)
    P = np.broadcast_to(point, (count, d))
    M = M + cross(frames.r - P, F, d)
    return Resultant(name, names, motion.shape(F), motion.shape(M), motion.shape(np.array(P)))


def _acting(motion, b):
    """Name → force and moment about the centre of mass (ground axes) of everything that acts on body b."""
    s = motion.system
    d = s.dim
    frames = Frames(motion, b)

    def ground(twist):
        return twist[:, :d], twist[:, 2] if d == 2 else np.einsum("tij,tj->ti", frames.A, twist[:, d:])

    found = {}
    if np.any(s.tables.gravity):
        Q = np.zeros((len(motion._t), s.kind.SIZE_V))
        Q[:, :d] = s.tables.bodies["mass"][b] * np.asarray(s.tables.gravity[:d])
        found[own_word(motion.model, "gravity")] = ground(Q)
    for name, g in s.groups.items():
        if b in g.blocks:
            found[name] = ground(motion.observed.reaction.reshape(len(motion._t), len(s.tables.blocks), -1)[:, g.blocks[b]])
    for name, e in motion.model.elements.items():
        if e.kind == "force":
            Q = motion[name]._generalized()[:, s.at_v(b)]
            if np.any(Q) or s.bodies[b] in {name_of(x, name) for x in (getattr(e, k, None) for k in ("i", "j", "body"))
                                            if x is not None}:
                found[name] = ground(Q)
    return found


def _inertia(motion, b, frames):
    """−m a and −dH/dt about the centre of mass, ground axes."""
    row = motion.system.tables.bodies[b]
    if motion.system.dim == 2:
        return -row["mass"] * frames.a, -row["inertia"] * frames.alpha
    J = frames.A @ np.reshape(row["inertia"], (3, 3)) @ np.swapaxes(frames.A, 1, 2)
    H = np.einsum("tij,tj->ti", J, frames.omega)
    return -row["mass"] * frames.a, -np.einsum("tij,tj->ti", J, frames.alpha) - np.cross(frames.omega, H)
