"""Where forces are not unique: a share that came to its limit is no end of sticking as long as others carry (admissible.py).

At an event at which nothing but shares came to their limits, by the margin of the loads at hand:

    above zero   modes stay as they are; shares go on in a straight line to those at the end of the way ahead, however loads
                 turn out: the next event is at that end, or earlier where loads bend
    zero         something gives way.  Loads are at the edge to rounding, and so are the rates of what begins to slide: the law is
                 asked about loads a little later, EXCESS of the forces beyond the edge, where it has an answer with directions.
                 These are those of the moment itself to EXCESS, for what begins to move at rest moves as the loads' excess says
"""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events import law
from dalembert.contacts.events.admissible import Shares
from dalembert.contacts.events.directions import directions
from dalembert.contacts.events.sharing import SINGULAR, columns
from dalembert.contacts.events.tables import DIR, FORCE, MU, OPEN, SLIP, STICK

EDGE = 1e-10  # of forces: a margin that is none
EXCESS, FARTHEST = 1e-6, 1e-2  # of forces: how far beyond the edge the law is asked what gives way, and how far at most
LAUNCH = 0.02  # of the time in which loads change by themselves: how far the first steps of sliding go in space (launch.py)
IDLE = 100.0  # times the excess: a share of the normal force that is none
SOON = 1e-6  # of √(size/acceleration): for rates of loads, by differences
LONGEST = 1e3  # times: of √(size/acceleration) · 10³, the farthest that shares are led ahead


def anew(m, kept, W, across, rates) -> law.Answer | None:
    """The answer at an event of shares; None where forces are unique, or where more happens than that."""
    if not m.gives or m.ended or m.struck or any(m.modes[f] == OPEN for f in kept):
        return None
    modes, ways = _present(m, kept, across)
    mine = _together(W, [i for i, f in enumerate(kept) if f in m.gives], m.n)
    if not any(kept[i] in m.gives for i in mine):
        return None
    shares = _shares(m, kept, W, rates, modes, ways, mine)
    unique = not shares.Z.shape[1]
    if not shares.balanced or (unique and (m.n == 2 or all(m.gives.get(kept[i]) is None for i in mine))):
        return None
    x, margin = shares.farthest()
    if unique and margin > EDGE:
        return None
    soon = SOON * m.size / m.pace()
    forces, now, turn, W_soon, rates_soon = _later(m, kept)
    slope = (rates_soon - rates + (W_soon - W) @ forces.ravel()) / soon
    if margin > EDGE:
        rate = (_shares(m, kept, W_soon, rates_soon, modes, ways, mine).x - shares.x) / soon
        longest = LONGEST * m.size / m.pace()
        way, end = shares.ahead(x, rate, longest)
        return _told(m, kept, W, rates, modes, ways, mine, forces, x, (end - x) / way if way > 0.0 else np.zeros_like(x))
    return _beyond(m, kept, W, rates, slope, now, turn, modes, ways, mine, shares)


def from_rest(m, kept, answer, across, rates):
    """How far sliding from rest at once is launched, v̇ and v¨ (launch.py); None where explicit steps do: in the plane, and where
    loads drive it faster than friction turns it.  Directions turn at μ g/|u|, u = u̇ τ: steps grow by u̇/(μ g) of themselves."""
    if m.n == 2:
        return None
    pushed = answer.z - rates.reshape(answer.z.shape)
    for i, f in enumerate(kept):
        if answer.modes[i] == SLIP and m.real[f, MU] > 0.0 and np.linalg.norm(across[i]) <= m.over.get(f, m.still(f)) \
                and np.linalg.norm(answer.z[i, 1:]) < np.linalg.norm(pushed[i, 1:]):
            return LAUNCH * m.size / m.pace(), _moved(m, answer.r), np.zeros(m.system.nv)
    return None


def _present(m, kept, across):
    """Modes as they are, and directions of slip."""
    ways = np.zeros((len(kept), m.n - 1))
    for i, f in enumerate(kept):
        if m.modes[f] == SLIP:
            size = float(np.linalg.norm(across[i]))
            ways[i] = across[i] / size if size > m.still(f) else directions(m, f)[1:m.n] @ m.real[f, DIR:DIR + 3]
    return [int(m.modes[f]) for f in kept], ways


def _together(W, first, n) -> list[int]:
    """Places that feel each other, directly or by others, from ``first`` on."""
    k = len(W) // n
    size = np.abs(W).reshape(k, n, k, n).max(axis=(1, 3))
    felt = size > 1e-12 * np.sqrt(np.outer(size.diagonal(), size.diagonal()))
    found, new = set(first), list(first)
    while new:
        i = new.pop()
        for j in np.flatnonzero(felt[i]):
            if int(j) not in found:
                found.add(int(j))
                new.append(int(j))
    return sorted(found)


def _part(n, mine):
    return [n * i + c for i in mine for c in range(n)]


def _shares(m, kept, W, b, modes, ways, mine) -> Shares:
    part, mu = _part(m.n, mine), m.real[[kept[i] for i in mine], MU]
    rows, K = columns([modes[i] for i in mine], mu, ways[mine], m.n)
    G = (W[np.ix_(part, part)] @ K)[rows]
    at = [rows.index(m.n * j) for j in range(len(mine))]
    sticks = [modes[i] == STICK for i in mine]
    return Shares(G, b[part][rows], at, mu, sticks, m.n, SINGULAR)


def _later(m, kept):
    """Forces and v̇ now, how v̇ goes on with these forces; W and rates of the places a little later, along the motion at hand."""
    t, y, soon = float(m.t[0]), m.y.copy(), SOON * m.size / m.pace()
    m.rhs()
    ydot, forces = m.ydot.copy(), np.array([directions(m, f)[:m.n] @ m.geo[f, FORCE:FORCE + 3] for f in kept])
    m.t[0], m.y[:] = t + soon, y + soon * ydot
    W, _, rates = m.survey(kept)
    W, rates, later = W.copy(), rates.copy(), _moved(m, forces)
    m.t[0], m.y[:] = t, y
    m.survey(kept)
    now = _moved(m, forces)
    return forces, now, (later - now) / soon, W, rates


def _moved(m, r):
    """v̇ with forces r of the places that were surveyed last."""
    nv, r = m.system.nv, r.ravel()
    return m.a["vdot"] + r @ m.a["answer"][:len(r) * nv].reshape(len(r), nv)


def _told(m, kept, W, rates, modes, ways, mine, r, x, lead) -> law.Answer:
    """Shares x of the places ``mine`` with their rates, and all others as they were."""
    n, k = m.n, len(kept)
    lead_r = np.zeros((k, n))
    _, K = columns([modes[i] for i in mine], m.real[[kept[i] for i in mine], MU], ways[mine], n)
    r[mine], lead_r[mine] = (K @ x).reshape(-1, n), (K @ lead).reshape(-1, n)
    answer = law.Answer(r, (W @ r.ravel() + rates).reshape(k, n), modes, ways)
    answer.lead = lead_r
    return answer


def _beyond(m, kept, W, rates, slope, now, turn, modes, ways, mine, shares) -> law.Answer | None:
    """What gives way, by loads beyond the edge; None where they turn back from it."""
    part, mu = _part(m.n, mine), m.real[kept, MU]
    sliding = [ways[i] if mode == SLIP else None for i, mode in enumerate(modes)]
    speed = float(np.abs(shares.back @ slope[part][_rows(m, kept, modes, ways, mine)]).max(initial=0.0))
    if speed == 0.0:
        return None
    excess = EXCESS
    while excess <= FARTHEST:
        ahead = excess * shares.size / speed
        b = rates + ahead * slope
        there = _shares(m, kept, W, b, modes, ways, mine)
        x, margin = there.farthest()
        if margin < -0.01 * EXCESS:
            answer = law.coulomb(W, b, mu, sliding, guess=_guess(there, x, margin, modes, ways, mine))
            if answer.good and any(answer.modes[i] != modes[i] for i in mine):
                if m.n == 3 and any(answer.modes[i] == SLIP != modes[i] for i in mine):
                    m.way = LAUNCH * shares.size / speed, now, turn + (_moved(m, answer.r) - now) / ahead
                return answer
        excess *= 10.0
    return None


def _guess(shares, x, margin, modes, ways, mine):
    """What the problem of the margin says: places whose cones its answer leaves by all of the margin give way, others stay.  What
    carried nothing at the edge carries nothing beyond it, so that forces are continuous where they are not unique."""
    modes, ways = list(modes), ways.copy()
    for i, at, mu in zip(mine, shares.at, shares.mu, strict=True):
        if modes[i] == STICK:
            across = x[at + 1:at + shares.n]
            size = float(np.linalg.norm(across))
            if x[at] < -IDLE * margin * shares.size:
                modes[i] = OPEN
            elif size > 0.0 and mu * x[at] - size < 0.5 * margin * shares.size:
                modes[i], ways[i] = SLIP, -across / size
    return modes, ways


def _rows(m, kept, modes, ways, mine):
    return columns([modes[i] for i in mine], m.real[[kept[i] for i in mine], MU], ways[mine], m.n)[0]
