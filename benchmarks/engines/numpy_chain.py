"""Thirty lines of NumPy: what somebody would write by hand for a planar chain, O(n), with SciPy's DOP853.

Angles θ only.  With the joint forces f_k (on rod k at its near end; −f_{k+1} at its far end) Newton and Euler for rod k give its
acceleration, and that neighbouring ends move together a block-tridiagonal system for f: solved as one banded matrix.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from benchmarks.engines.engine import Engine, Unable
from benchmarks.engines.scipy_ladder import tolerances
from benchmarks.mechanism import GROUND, Samples


class NumpyChain(Engine):
    name = "NumPy, by hand"
    module = "scipy"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        ends = [(j.i, j.j) for j in mechanism.joints]
        names = [GROUND, *(b.name for b in mechanism.bodies)]
        if mechanism.dim != 2 or mechanism.springs or mechanism.torques or ends != list(pairwise(names)):
            raise Unable("written for planar chains only")
        self.n = len(mechanism.bodies)
        self.m = np.array([b.mass for b in mechanism.bodies])
        self.J = np.array([b.inertia for b in mechanism.bodies])
        self.h = np.sqrt(3 * self.J / self.m)  # half lengths of uniform rods
        arms = [np.linalg.norm(b.position - j.at) for b, j in zip(mechanism.bodies, mechanism.joints, strict=True)]
        if not np.allclose(arms, self.h, rtol=1e-9):
            raise Unable("written for chains of uniform rods only")
        self.y0 = np.concatenate([mechanism.start().R[0], mechanism.start().w[0]])

    def derivative(self, t, y):
        from scipy.linalg import solve_banded

        n, m, J, h, g = self.n, self.m, self.J, self.h, self.mechanism.gravity
        th, w = y[:n], y[n:]
        c, s = h * np.cos(th), h * np.sin(th)
        # acceleration of the near end of rod k: g + (f_k − f_{k+1})/m − (turning and centripetal parts at −arm); far end: +arm
        a, b, d = 1 / m + s * s / J, 1 / m + c * c / J, -c * s / J  # near end from f_k, far end from −f_{k+1}
        p, q = s * s / J - 1 / m, c * c / J - 1 / m  # far end from f_k (with minus), cross parts below
        band = np.zeros((7, 2 * n))
        diagonal = (a.copy(), b.copy(), d.copy())
        for x, y_ in zip(diagonal, (a, b, d), strict=True):
            x[1:] += y_[:-1]
        band[3, 0::2], band[3, 1::2], band[2, 1::2], band[4, 0::2] = diagonal[0], diagonal[1], diagonal[2], diagonal[2]
        band[1, 2::2], band[1, 3::2], band[2, 2::2], band[0, 3::2] = p[:-1], q[:-1], d[:-1], d[:-1]
        band[5, 0:-2:2], band[5, 1:-2:2], band[4, 1:-2:2], band[6, 0:-2:2] = p[:-1], q[:-1], d[:-1], d[:-1]
        near = np.column_stack([w * w * c + g[0], w * w * s + g[1]])
        far = np.column_stack([g[0] - w * w * c, g[1] - w * w * s])
        right = -near
        right[1:] += far[:-1]
        f = solve_banded((3, 3), band, right.ravel(), check_finite=False).reshape(n, 2)
        both = f.copy()
        both[:-1] += f[1:]
        return np.concatenate([w, (s * both[:, 0] - c * both[:, 1]) / J])

    def settings(self, problem):
        yield from tolerances()

    def precise(self, step):
        return {"method": "DOP853", "rtol": 1e-10, "atol": 1e-14}

    def _solve(self, settings, times):
        from scipy.integrate import solve_ivp

        return solve_ivp(self.derivative, (0, times[-1]), self.y0, t_eval=times, **settings).y.T

    def simulate(self, settings, until):
        self._solve(settings, [until])

    def sample(self, settings, times):
        y = self._solve(settings, times)
        th, w = y[:, : self.n], y[:, self.n :]
        along = np.stack([np.cos(th), np.sin(th)], axis=2) * self.h[:, None]
        across = np.stack([-along[..., 1], along[..., 0]], axis=2) * w[..., None]
        r, v = (np.cumsum(2 * x, axis=1) - x for x in (along, across))
        return Samples(np.asarray(times), r, th, v, w)

    def mass(self):
        return float(self.m.sum())
