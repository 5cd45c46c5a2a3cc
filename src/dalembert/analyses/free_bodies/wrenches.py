"""What acts on a body: force and moment about its centre of mass, ground axes, over the samples of a result.

    acting(motion, b)     name → (F, M) of gravity, every force element, every joint, constraint and drive that touches body b
    inertia(motion, b)    m a and dH/dt = J α + ω × J ω: what the sum of all of them is
    moved(F, M, r, P)     the same about P:  M_P = M + (r − P) × F
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.element import name_of
from dalembert.results.motion import own_word
from dalembert.results.views.bodies import Frames, cross


def acting(motion, b: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
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


def inertia(motion, b: int) -> tuple[np.ndarray, np.ndarray]:
    """m a and dH/dt about the centre of mass, ground axes."""
    frames, row = Frames(motion, b), motion.system.tables.bodies[b]
    if motion.system.dim == 2:
        return row["mass"] * frames.a, row["inertia"] * frames.alpha
    J = frames.A @ np.reshape(row["inertia"], (3, 3)) @ np.swapaxes(frames.A, 1, 2)
    H = np.einsum("tij,tj->ti", J, frames.omega)
    return row["mass"] * frames.a, np.einsum("tij,tj->ti", J, frames.alpha) + np.cross(frames.omega, H)


def moved(F, M, r, P, d) -> np.ndarray:
    """The moment about P of a force F at r with a moment M."""
    return M + cross(r - P, F, d)


def ends(motion, name) -> list[int]:
    """Bodies (nb: the ground) that an element acts between or on."""
    s = motion.system
    if name in s.groups:
        return list(s.groups[name].blocks)
    if name in s.primary:
        measure = s.tables.measures[s.primary[name]]
        return [int(s.tables.markers[measure[side]]["body"]) for side in ("i", "j")]
    return [int(s.tables.markers[m]["body"]) for m in s.markers.get(name, ())]
