"""What a run keeps of its contacts at a sample, as results/contacts.py reads it."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events.tables import BASE, CONTACT, FACING, FORCE, GAP, OPEN, STICK, A, B, N, P, U


def points(m) -> dict[str, np.ndarray]:
    """Closed features at (t, y), with forces: as contacts/world.py gives them.  ``rhs`` was called there."""
    k = np.flatnonzero(m.modes != OPEN)
    g = m.geo[k]
    turn = np.where(m.link[k, A] > m.link[k, B], -1.0, 1.0)[:, None]  # the earlier body is the first, the ground the last
    return {"contact": m.link[k, CONTACT].copy(), "first": m.link[k][:, [A, B]].min(axis=1),
            "second": m.link[k][:, [A, B]].max(axis=1),
            "x": g[:, P:P + 3].copy(), "normal": turn * g[:, N:N + 3], "force": turn * g[:, FORCE:FORCE + 3],
            "gap": g[:, GAP].copy(), "state": (m.modes[k] == STICK).astype(np.int64)}


def sums(m, points) -> np.ndarray:
    """Per contact: force, torque, power, impulse, its moment (results/contacts.py)."""
    out = np.zeros((len(m.shapes.contacts), 13))
    k = np.flatnonzero(m.modes != OPEN)
    for i, f in enumerate(k):
        c, s, force = int(m.link[f, CONTACT]), m.real[f, FACING], m.geo[f, FORCE:FORCE + 3]
        out[c, :3] += s * force
        out[c, 3:6] += s * np.cross(points["x"][i], force)
        out[c, 6] += float(force @ m.geo[f, U:U + 3])
    base = int(m.a["size"][BASE])
    out[:, 7:] = m.y[base + 1:].reshape(-1, 6)
    return out


def wrench(m, points) -> np.ndarray:
    """Force and torque about the centre of mass on every body (on particles no torque)."""
    out = np.zeros((m.system.nb + 1, 6))
    x = m.a["x"].reshape(-1, 3)
    for i in range(len(points["gap"])):
        for body, s in ((points["second"][i], 1.0), (points["first"][i], -1.0)):
            out[body, :3] += s * points["force"][i]
            out[body, 3:] += s * np.cross(points["x"][i] - x[body], points["force"][i])
    out[:, 3:] *= m.a["turns"][:, None]
    return out[:-1]
