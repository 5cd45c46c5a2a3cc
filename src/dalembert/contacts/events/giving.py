"""What an event says before any law is asked: which places give way and how, and on which face a corner lands."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events import law
from dalembert.contacts.events.directions import directions
from dalembert.contacts.events.tables import (
    CORE,
    CORE_AT,
    CORE_KIND,
    CORE_N,
    EVENTS_EACH,
    FACE,
    FACES,
    FORCE,
    MARGIN,
    MU,
    OPEN,
    POINT,
    ROUND_A,
    ROUND_B,
    SLIP,
    STICK,
    A,
    B,
)

SHORT = 1e-9  # of √(size/acceleration): the rest of a slide that is not followed any more


def giving(m, fired) -> dict[int, np.ndarray | None]:
    """Closed places whose force ends, and those that stick at the limit of friction, with the way they will give."""
    out: dict[int, np.ndarray | None] = {}
    if any(k < m.events_of - 1 and m.modes[k // EVENTS_EACH] != OPEN for k in fired):
        m.rhs()
    for k in fired:
        f, which = k // EVENTS_EACH, k % EVENTS_EACH
        if k >= m.events_of - 1 or m.modes[f] == OPEN:
            continue
        if which == 0:
            out[f] = None
        elif which == 1 and m.modes[f] == STICK and f not in out:
            across = directions(m, f)[1:m.n] @ m.geo[f, FORCE:FORCE + 3]
            size = float(np.linalg.norm(across))
            if size > 0.0:
                out[f] = -across / size
    return out


def ended(m, fired) -> set[int]:
    """Closed places whose sliding ended."""
    return {k // EVENTS_EACH for k in fired
            if k < m.events_of - 1 and k % EVENTS_EACH == 1 and m.modes[k // EVENTS_EACH] == SLIP}


def asked(m, kept, W, across, rates) -> law.Answer:
    """Coulomb's law for the forces of what is kept; velocities ``across`` the normals say what slides, and whereto.

    The instant at which sliding ends is known to rounding and slacks, and other places of the same bodies move by ω × r beside
    the one that came to rest: velocities below SHORT √(size · acceleration) are none there, if the law lets such places stick.
    Where it does not they slide on as they do."""
    pairs = {frozenset(map(int, m.link[f, [A, B]])) for f in m.ended}
    size = np.linalg.norm(across, axis=1)
    for close in (True, False):
        m.over = {}
        for f in kept:
            if f in m.ended and m.n == 2:
                m.over[f] = np.inf
            elif f in m.ended or (close and frozenset(map(int, m.link[f, [A, B]])) in pairs):
                m.over[f] = max(m.still(f), SHORT * m.pace())
        sliding = [across[i] / size[i] if size[i] > m.over.get(f, m.still(f)) else None for i, f in enumerate(kept)]
        answer = law.coulomb(W, rates, m.real[kept, MU], sliding, guess=guess(m, kept, sliding))
        if all(answer.modes[i] == STICK for i, f in enumerate(kept)
               if f in m.over and f not in m.ended and size[i] > m.still(f) and sliding[i] is None):
            break
    return answer


def guess(m, kept, sliding):
    """What gives way at this event gives way, and all else stays: tried before anything else."""
    if not any(f in m.gives for f in kept):
        return None
    modes, ways = [], np.zeros((len(kept), m.n - 1))
    for i, f in enumerate(kept):
        way = m.gives.get(f)
        slides = sliding[i] is not None or m.real[f, MU] == 0.0
        modes.append(OPEN if f in m.gives and way is None else SLIP if slides or way is not None else STICK)
        if way is not None:
            ways[i] = way
    return modes, ways


def faces(m, touching) -> None:
    """The face that a sharp corner lands on: at a corner of the other shape, the one that parts the two."""
    core = m.a["core"].reshape(-1, CORE)
    R, x = m.a["R"].reshape(-1, 3, 3), m.a["x"].reshape(-1, 3)
    for f in touching:
        k = m.link[f]
        if m.modes[f] != OPEN or k[CORE_KIND] != FACES or m.real[f, ROUND_A] + m.real[f, ROUND_B] > 0.0:
            continue
        if m.geo[f, MARGIN] > 1e-7 * m.size:
            continue
        alike = [g for g in range(len(m.link)) if m.features.shapes[g] == m.features.shapes[f]]
        points = np.array([R[k[A]].T @ (x[k[B]] + R[k[B]] @ m.real[g, POINT:POINT + 3] - x[k[A]]) for g in alike])
        faces = core[k[CORE_AT]:k[CORE_AT] + k[CORE_N]]
        heights = np.einsum("fi,fpi->fp", faces[:, :3], points[None, :, :] - faces[:, None, 3:6])
        m.link[f, FACE] = int(np.argmax(heights.min(axis=1)))
