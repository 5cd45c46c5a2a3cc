"""How velocities and accelerations of the bodies' reference points and their turns change along directions (ground axes).

    ṙ = ṙ_c + ω × a,   r̈ = r̈_c + α × a + ω × (ω × a),   a = −A c          (c: the centre of mass in body axes)

The accelerations v̇ are kept: (r̈_c, α) is the twist of the bodies with v̇ in place of v.  Product rule, lanes in the last axis.
"""

from __future__ import annotations

import numpy as np

AFTER, BEFORE = [1, 2, 0], [2, 0, 1]


def _cross(d, a, b):
    """a × b over axis 0; in the plane a is a turn."""
    if d == 2:
        return np.stack([-a[0] * b[1], a[0] * b[0]])
    return a[AFTER] * b[BEFORE] - a[BEFORE] * b[AFTER]


def reference_motions(s, bodies, values, moved, after=None) -> tuple[np.ndarray, np.ndarray]:
    """δ of rates and of accelerations (nv × lanes each) of these bodies; zero for others.

    ``values``, ``moved``: pose and twist, and their tangents; ``after``: the twist of v̇ and its tangents (None: rates alone).
    """
    d, n, lanes = s.dim, s.kind.SIZE_V, moved[0].shape[1]
    out = np.zeros((2, s.nb, n, lanes))
    for b in bodies:
        com = np.asarray(s.tables.bodies["com"][b])
        p = slice(s.kind.POSE * b, s.kind.POSE * (b + 1))
        o = slice(s.kind.TWIST * b, s.kind.TWIST * (b + 1))
        arm, darm = -_axes(d, values[0][p][:, None], com)[:, :1], -_axes(d, moved[0][p], com)
        w, dw = values[1][o][d:, None], moved[1][o][d:]
        dswing = _cross(d, dw, arm) + _cross(d, w, darm)
        out[0, b, :d] = moved[1][o][:d] + dswing
        out[0, b, d:] = dw
        if after is None:
            continue
        a, da, swing = after[0][o][d:, None], after[1][o][d:], _cross(d, w, arm)
        out[1, b, :d] = after[1][o][:d] + _cross(d, da, arm) + _cross(d, a, darm) + _cross(d, dw, swing) + _cross(d, w, dswing)
        out[1, b, d:] = da
    return out[0].reshape(s.nb * n, lanes), out[1].reshape(s.nb * n, lanes)  # no lanes where nothing can move


def _axes(d, pose, com):
    """A c from the numbers of a pose (rows) over lanes; linear in them, so tangents go the same way."""
    if d == 2:
        return np.stack([pose[2] * com[0] - pose[3] * com[1], pose[3] * com[0] + pose[2] * com[1]])
    return np.einsum("ijl,j->il", pose[3:].reshape(3, 3, -1), com)
