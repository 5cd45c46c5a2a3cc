"""How velocities and accelerations of the bodies' reference points and their turns change along directions (ground axes).

    ṙ = ṙ_c + ω × a,   r̈ = r̈_c + α × a + ω × (ω × a),   a = −A c          (c: the centre of mass in body axes)

The accelerations v̇ are kept: (r̈_c, α) is the twist of the bodies with v̇ in place of v.  Product rule, lanes in the last
axis.  Bodies whose reference point is the centre of mass have no arm, and nothing to add.
"""

from __future__ import annotations

import numpy as np


def _turning(d, w) -> np.ndarray:
    """The matrix of w × …; in the plane w is a turn."""
    if d == 2:
        a = float(w[0])
        return np.array([[0.0, -a], [a, 0.0]])
    x, y, z = w.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _turned(d, arm) -> np.ndarray:
    """The matrix of … × arm; in the plane what stands there is a turn."""
    return np.array([[-arm[1]], [arm[0]]]) if d == 2 else -_turning(d, arm)


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
        out[0, b] = moved[1][o]
        if after is not None:
            out[1, b] = after[1][o]
        if not com.any():
            continue
        arm, darm = -_axes(d, values[0][p][:, None], com)[:, 0], -_axes(d, moved[0][p], com)
        dw, turning, swung = moved[1][o][d:], _turning(d, values[1][o][d:]), _turned(d, arm)
        dswing = swung @ dw + turning @ darm
        out[0, b, :d] += dswing
        if after is not None:
            a, da = after[0][o][d:], after[1][o][d:]
            out[1, b, :d] += swung @ da + _turning(d, a) @ darm + _turned(d, turning @ arm) @ dw + turning @ dswing
    return out[0].reshape(s.nb * n, lanes), out[1].reshape(s.nb * n, lanes)  # no lanes where nothing can move


def _axes(d, pose, com):
    """A c from the numbers of a pose (rows) over lanes; linear in them, so tangents go the same way."""
    if d == 2:
        return np.stack([pose[2] * com[0] - pose[3] * com[1], pose[3] * com[0] + pose[2] * com[1]])
    return com @ pose[3:].reshape(3, 3, -1)
