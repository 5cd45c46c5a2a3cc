"""What is kept of joints that rub at a state (results/rubbing.py says what the numbers are).  ``rhs`` was called there."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.rubbing import words
from dalembert.contacts.rubbing.tables import DIRS, KIND, NORMAL, OWN, PRESS, ROLL, ROPE, SLIP, STATIC, WRAP

MOVES, OVER = 1e-9, 1e-6  # of the speeds at hand, of a limit: more is against the law
SLIGHT = 1e-12  # of the multipliers at hand: a pull that is less is rounding
CLEAR = 1e-9  # rad: a rope that covers less than minus this has left its drum


def sums(m) -> np.ndarray:
    """Per surface: f, sliding velocity, N + N₀ (below zero where a wheel is pulled, a rope pushes), whether it sticks, J lost."""
    out, sided, way = np.zeros((len(m.names), 13)), m.sided, one_way(m)
    for k in range(len(m.names)):
        own, wide = m.rows(k), int(m.link[k, DIRS])
        out[k, :wide], out[k, 3:3 + wide] = m.a["f"][own], m.a["speed"][own]
        out[k, 6:9] = way[k] if sided[k] else m.real[k, NORMAL], m.modes[k] != SLIP, m.y[m.work.y.size + 1 + k]
    return out


def wrench(m) -> np.ndarray:
    """Force and torque about the centre of mass on every body, ground axes."""
    s, f = m.system, m.a["f"]
    each = (f @ m.a["J"].reshape(len(f), -1)).reshape(s.nb, -1)
    out = np.zeros((s.nb, 6))
    out[:, :s.dim] = each[:, :s.dim]
    if s.dim == 2:
        out[:, 5] = each[:, 2]
    else:
        A = np.asarray(m.work.pose).reshape(s.nb + 1, -1)[:s.nb, 3:].reshape(-1, 3, 3)
        out[:, 3:] = np.einsum("bij,bj->bi", A, each[:, 3:])
    return out


def creeping(m) -> float:
    """The fastest sliding of what sticks."""
    return max((float(np.abs(m.a["speed"][m.rows(k)]).max()) for k in range(len(m.names)) if m.modes[k] != SLIP), default=0.0)


def one_way(m) -> np.ndarray:
    """The first number of what presses each surface: all of it where it presses one way only, with its sign."""
    parts = m.a["press"].reshape(len(m.names), -1, PRESS)[:, :, 0]
    return parts[:, 0] + parts[:, 1:] @ m.a["f"]


def pulled(m) -> np.ndarray:
    """Surfaces that press one way only and are pulled: wheels from the ground, ropes that push."""
    size = float(np.abs(m.work.lam).max(initial=0.0))
    return np.flatnonzero((one_way(m) < -SLIGHT * size) & np.isin(m.link[:, KIND], (ROLL, ROPE)))


def slack(m) -> None:
    """Doubts where a rope pushes, or does not touch its drum, and where a wheel is pulled from the ground."""
    t = float(m.t[0])
    for k in pulled(m):
        m.note((words.lifted if m.link[k, KIND] == ROLL else words.pushes)(m.titled([k]), t), "doubts")
    for k in np.flatnonzero(m.link[:, KIND] == ROPE):
        if m.a["own"][OWN * k + WRAP] < -CLEAR:
            m.note(words.leaves(m.titled([k]), t), "doubts")


def broken(m) -> None:
    """Doubts where Coulomb's law is broken in a sample: what sticks moves, or carries more than its limit."""
    f, held = m.a["f"], np.flatnonzero((m.modes != SLIP) & (m.real[:, STATIC] > 0.0))
    limits = m.real[:, STATIC] * m.real[:, NORMAL]
    size = max(float(np.abs(f).max(initial=0.0)), float(limits.max(initial=0.0)))
    speed = max(m.fastest(), m.pace())
    t = float(m.t[0])
    moves = [k for k in held if np.linalg.norm(m.a["speed"][m.rows(k)]) > MOVES * speed]
    if moves:
        m.note(words.moves(m.titled(moves), t), "doubts")
    over = [k for k in held if np.linalg.norm(f[m.rows(k)]) - limits[k] > OVER * limits[k] + MOVES * size]
    if over:
        m.note(words.over(m.titled(over), t), "doubts")
