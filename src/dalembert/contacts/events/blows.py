"""Blows: impulses at all places that touch, their losses, and what they change (machine.py says how)."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events import law, words
from dalembert.contacts.events.directions import directions
from dalembert.contacts.events.tables import BASE, CONTACT, FACING, MU, NQ, REST, P

GAIN = 1e-12  # of the kinetic energy: what a blow may gain by rounding


def blow(m, touching) -> None:
    n, k = m.n, len(touching)
    W, u, _ = m.survey(touching)
    mu, e = m.real[touching, MU], m.real[touching, REST]
    un = u.reshape(k, n)[:, 0]
    incoming = np.where(un < 0.0, un, 0.0)
    kinetic = m.kinetic()

    def lost(p):
        return -0.5 * float(p @ (2.0 * u + W @ p))

    b = u.copy()
    b[::n] += e * incoming
    answer = law.coulomb(W, b, mu)
    if not answer.good:
        raise words.no_answer(m, touching, W, un, answer, "the blow")
    p = answer.r.ravel()
    if lost(p) < -GAIN * max(kinetic, 1e-300):
        p = poisson(W, u, mu, e)
        m.counts.poisson += 1
        if p is None or lost(p) < -GAIN * max(kinetic, 1e-300):
            p = law.coulomb(W, u, mu).r.ravel()
            m.counts.plastic += 1
    if answer.several:
        words.several(m, touching, answer)
    struck = [f for i, f in enumerate(touching) if un[i] < -m.still(f)]
    if len(struck) > 1:
        words.together(m, struck)
    strike(m, touching, p, lost(p))
    m.counts.impacts += 1


def poisson(W, u, mu, e):
    """Compression without restitution, then e times its normal impulses again, and friction by these."""
    n = len(u) // len(mu)
    first = law.coulomb(W, u, mu)
    if not first.good:
        return None
    more = e * first.r[:, 0]
    push = np.zeros_like(u)
    push[::n] = more
    second = expanded(W, u + W @ (first.r.ravel() + push), mu, more)
    return None if second is None else first.r.ravel() + push + second


def expanded(W, b, mu, more):
    """Impulses beside ``more`` of the second phase.  A place that it drives apart is pressed by ``more`` and nothing else: to the
    law its normal is one of its own, at rest; what then does not part is asked about as it is."""
    n, k = len(b) // len(mu), len(mu)
    parting = {i for i in range(k) if more[i] > 0.0}
    while True:
        normals = [n * i for i in sorted(parting)]
        V, c = W.copy(), b.copy()
        V[normals], V[:, normals], c[normals] = 0.0, 0.0, 0.0
        V[normals, normals] = 1.0
        answer = law.coulomb(V, c, mu, more=more)
        if not answer.good:
            return None
        p = answer.r.ravel()
        closing = {i for i in parting if (W @ p + b)[n * i] < -1e-12 * np.abs(b).max()}
        if not closing:
            return p
        parting -= closing


def strike(m, touching, p, lost: float) -> None:
    """Impulses p (rows of the last survey) into velocities, ledger and sums."""
    a, nv, rows = m.a, m.system.nv, len(p)
    kinetic = m.kinetic()
    answer = a["answer"][:rows * nv].reshape(rows, nv)
    nq, base = int(a["size"][NQ]), int(a["size"][BASE])
    a["v"] += p @ answer
    m.y[nq:nq + nv] = a["v"]
    change = m.kinetic() - kinetic
    m.y[base - 2] += lost
    m.y[base - 1] += change + lost
    m.counts.impact += lost
    for k, f in enumerate(touching):
        i = slice(m.n * k, m.n * (k + 1))
        impulse = directions(m, f)[:m.n].T @ p[i]
        o = base + 1 + 6 * int(m.link[f, CONTACT])
        facing = m.real[f, FACING]
        m.y[o:o + 3] += facing * impulse
        m.y[o + 3:o + 6] += facing * np.cross(m.geo[f, P:P + 3], impulse)
