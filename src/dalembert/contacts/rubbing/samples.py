"""What is kept of joints that rub at a state (results/rubbing.py says what the numbers are).  ``rhs`` was called there."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.rubbing import words
from dalembert.contacts.rubbing.tables import DIRS, KIND, NORMAL, OWN, PRESS, ROPE, SLIP, STATIC, WRAP

MOVES, OVER = 1e-9, 1e-6  # of the speeds at hand, of a limit: more is against the law


def sums(m) -> np.ndarray:
    """Per surface: f, sliding velocity, N + N₀, whether it sticks, J lost."""
    out = np.zeros((len(m.names), 13))
    for k in range(len(m.names)):
        own, wide = m.rows(k), int(m.link[k, DIRS])
        out[k, :wide], out[k, 3:3 + wide] = m.a["f"][own], m.a["speed"][own]
        out[k, 6:9] = m.real[k, NORMAL], m.modes[k] != SLIP, m.y[m.work.y.size + 1 + k]
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


def slack(m) -> None:
    """Doubts where a rope pushes, or does not touch its drum."""
    f, t, parts = m.a["f"], float(m.t[0]), m.a["press"].reshape(len(m.names), -1, PRESS)[:, :, 0]
    for k in np.flatnonzero(m.link[:, KIND] == ROPE):
        if parts[k, 0] + parts[k, 1:] @ f < 0.0:
            m.note(words.pushes(m.titled([k]), t), "doubts")
        if m.a["own"][OWN * k + WRAP] < 0.0:
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
