"""The beginning of a stretch: how far its first step goes, and what event functions begin with."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events.tables import CLOSED, EVENTS_EACH, NQ, OPEN, SLACK, STICK, TOUCH

ZERO = 1e-12  # slack of event functions, of their size
IDLE = 1e-9  # the same of a gap that neither opens nor closes: others hold it at zero, to more than rounding


def apex(m, parting) -> float:
    """Time to the highest point of the lowest bounce: the first step goes no further, so that no return is missed.

    Rates are those with the forces of what is closed now: without them two bodies that fall as one never come back."""
    if not parting:
        return np.inf
    m.rhs()
    nq, nv = int(m.a["size"][NQ]), m.system.nv
    vdot = m.ydot[nq:nq + nv].copy()
    _, u, _ = m.survey(parting[:CLOSED])
    k = len(u)
    rates = m.a["J"][:k * nv].reshape(k, nv) @ vdot + m.a["bias"][:k]
    u, rates = u[::m.n], rates[::m.n]
    back = (u > np.array([m.still(f) for f in parting[:CLOSED]])) & (rates < 0.0)
    return float(np.min(u[back] / -rates[back], initial=np.inf))


def slacks(m) -> None:
    """Event functions that begin at zero, or below it by rounding, begin a little above it."""
    m.real[:, SLACK:SLACK + 3] = 0.0
    m._pace()
    m.events()
    g = m.g[:m.events_of - 1].reshape(-1, EVENTS_EACH)
    pull = m.pace()**2 / m.size
    mass = float(np.max(m.system.tables.bodies["mass"])) if m.system.nb else 1.0
    u = m.normal_speed()
    for f, mode in enumerate(m.modes):
        if mode == OPEN and u[f] > m.still(f):  # it parts: from zero on where others moved it below by rounding
            m.real[f, SLACK] = max(0.0, -g[f, 0]) if g[f, 0] > -TOUCH * m.size else 0.0
            continue
        scales = [m.size] * 3 if mode == OPEN else [mass * pull, mass * pull if mode == STICK else m.pace(), m.size]
        for c in range(EVENTS_EACH):
            least = scales[c] * (ZERO if mode != OPEN else IDLE if abs(g[f, 0]) <= TOUCH * m.size else 10.0 * ZERO)
            if g[f, c] < least:
                m.real[f, SLACK + c] = least - g[f, c]
