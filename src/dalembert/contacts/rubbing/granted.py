"""What clutches and bands take for granted of the bodies they act on: looked at when modes are first found.

Their axis is that about which both bodies turn on each other (space).  Motions that joints leave are v = K x, K the null space
of the rows without those of drives; the turning of j against i is R x, R = Ω K.  Without a part of R along the axis e the
surfaces never slide whatever turns: refused.  With a part across e (more than TILT of it) faces leave each other: a doubt.

A band pulls at its drum's bearing, by its two tensions in directions that are not known.  Forces F on the drum at its centre, and
−F there on what holds the band, change the multipliers by  λ = −(D M⁻¹ Dᵀ)⁻¹ D M⁻¹ F:  a joint that rubs and feels them is
refused, for its friction would go by a reaction from which that pull is missing.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import kernel, unit_rows
from dalembert.contacts.events.words import Stuck
from dalembert.contacts.rubbing import words
from dalembert.contacts.rubbing.tables import BAND, CLUTCH, KIND, STATIC, I, J

NONE, TILT = 1e-9, 1e-3  # of the turning: there is none; more is another axis (cosines are right to 5e-7 below)
FELT = 1e-6  # of a force: multipliers that are less do not feel it


def look(m) -> None:
    """Refuse or doubt what does not go with the clutches and bands of a machine, at the state it was looked at."""
    pressed = np.flatnonzero(np.isin(m.link[:, KIND], (CLUTCH, BAND)) & (m.real[:, STATIC] > 0.0))
    if not len(pressed):
        return
    D = m.work.jacobian()
    if m.system.dim == 3:
        _axes(m, D, pressed)
    bands = [k for k in pressed if m.link[k, KIND] == BAND]
    others = [k for k in range(len(m.link)) if m.link[k, KIND] not in (CLUTCH, BAND) and m.real[k, STATIC] > 0.0]
    if bands and others:
        _bearings(m, D, bands, others)


def _bodies(m, k: int) -> tuple[int, int]:
    markers = m.system.tables.markers
    return int(markers[m.link[k, I]]["body"]), int(markers[m.link[k, J]]["body"])


def _said(e) -> str:
    e = e * np.sign(e[np.argmax(np.abs(e) > 0.5 * np.abs(e).max())])
    return f"({', '.join(f'{x + 0.0:.4g}' for x in np.round(e, 12))})"


def _axes(m, D, pressed) -> None:
    s = m.system
    joints = np.array([not row.driver for row in s.rows], bool)
    free = kernel(unit_rows(D[joints])[0]) if joints.any() else np.eye(s.nv)
    A = np.asarray(m.work.pose).reshape(s.nb + 1, -1)[:, 3:].reshape(-1, 3, 3)
    for k in pressed:
        turning = np.zeros((3, free.shape[1]))
        for b, sign in zip(_bodies(m, k), (-1.0, 1.0), strict=True):
            if b < s.nb:
                turning += sign * A[b] @ free[s.at_v(b)][3:]
        marker = s.tables.markers[m.link[k, I]]
        e = A[int(marker["body"])] @ np.asarray(marker["axes"]).reshape(3, 3)[:, 2]
        size = float(np.linalg.norm(turning))
        if size <= NONE:
            continue  # they do not turn on each other at all
        along = e @ turning
        if float(np.linalg.norm(along)) <= NONE * size:
            raise Stuck(words.other_axis(m.titled([k]), _said(e), _said(np.linalg.svd(turning)[0][:, 0])))
        if float(np.linalg.norm(turning - np.outer(e, along))) > TILT * size:
            m.note(words.not_alone(m.titled([k]), _said(e)), "doubts")


def _bearings(m, D, bands, others) -> None:
    s, dim = m.system, m.system.dim
    pose = np.asarray(m.work.pose).reshape(s.nb + 1, -1)
    Y = np.linalg.solve(m.work.mass(), D.T)
    W = D @ Y
    for k in bands:
        holder, drum = _bodies(m, k)
        centre = _point(m, pose, m.link[k, J])
        forces = np.zeros((s.nv, dim))
        for b, sign in ((drum, 1.0), (holder, -1.0)):
            if b < s.nb:
                arm = centre - pose[b, :dim]
                turn = np.array([[-arm[1], arm[0]]]) if dim == 2 else pose[b, 3:].reshape(3, 3).T @ _cross(arm)
                forces[s.at_v(b)] += sign * np.vstack([np.eye(dim), turn])
        lam = np.linalg.lstsq(W, Y.T @ forces, rcond=1e-12)[0]
        bad = [n for n in others if (g := s.groups.get(m.names[n])) is not None
               and np.abs(lam[g.start:g.stop]).max(initial=0.0) > FELT]
        if bad:
            raise Stuck(words.bearing(m.titled([k]), m.titled(bad)))


def _point(m, pose, marker) -> np.ndarray:
    row, dim = m.system.tables.markers[marker], m.system.dim
    p = pose[int(row["body"])]
    if dim == 3:
        return p[:3] + p[3:].reshape(3, 3) @ row["s"]
    c, s = p[2], p[3]
    return p[:2] + np.array([[c, -s], [s, c]]) @ row["s"]


def _cross(a) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
