"""Small right-hand sides, projections and event functions for the tests, compiled like the real ones."""

import hashlib
import math
from pathlib import Path

import numpy as np

from dalembert._jit import entry, kernel, struct

GROUP = "rk_problems_" + hashlib.blake2b(Path(__file__).read_bytes(), digest_size=6).hexdigest()
Problem = struct("Problem", {"t": "f8", "y": "f8", "ydot": "f8", "p": "f8", "g": "f8"})


@kernel
def logistic_pair(s):
    """y0' = y0 cos t, y1' = -y1^2 + y0 - exp(sin t): exact y0 = exp(sin t), y1 = 1/(1 + t)."""
    t = s.t[0]
    s.ydot[0] = s.y[0] * math.cos(t)
    s.ydot[1] = -s.y[1] * s.y[1] + s.y[0] - math.exp(math.sin(t))
    return 0


@kernel
def kepler(s):
    x, y = s.y[0], s.y[1]
    r2 = x * x + y * y
    q = -1.0 / (r2 * math.sqrt(r2))
    s.ydot[0] = s.y[2]
    s.ydot[1] = s.y[3]
    s.ydot[2] = q * x
    s.ydot[3] = q * y
    return 0


@kernel
def arenstorf(s):
    mu = 0.012277471
    nu = 1.0 - mu
    x, y, u, v = s.y[0], s.y[1], s.y[2], s.y[3]
    d1 = ((x + mu) ** 2 + y * y) ** 1.5
    d2 = ((x - nu) ** 2 + y * y) ** 1.5
    s.ydot[0] = u
    s.ydot[1] = v
    s.ydot[2] = x + 2.0 * v - nu * (x + mu) / d1 - mu * (x - nu) / d2
    s.ydot[3] = y - 2.0 * u - nu * y / d1 - mu * y / d2
    return 0


@kernel
def pendulum(s):
    """Angle form, length 1, gravity p0."""
    s.ydot[0] = s.y[1]
    s.ydot[1] = -s.p[0] * math.sin(s.y[0])
    return 0


@kernel
def pendulum_xy(s):
    """Cartesian form: r'' = g e_y - lambda r with lambda from the constraint x^2 + y^2 = 1."""
    x, y, u, v = s.y[0], s.y[1], s.y[2], s.y[3]
    tension = (u * u + v * v - s.p[0] * y) / (x * x + y * y)
    s.ydot[0] = u
    s.ydot[1] = v
    s.ydot[2] = -tension * x
    s.ydot[3] = -s.p[0] - tension * y
    return 0


@kernel
def circle_project(s):
    """Nearest point on the unit circle, velocity made tangential."""
    r = math.sqrt(s.y[0] * s.y[0] + s.y[1] * s.y[1])
    if r < s.p[1]:
        return 2
    s.y[0] /= r
    s.y[1] /= r
    radial = s.y[0] * s.y[2] + s.y[1] * s.y[3]
    s.y[2] -= radial * s.y[0]
    s.y[3] -= radial * s.y[1]
    return 0


@kernel
def circle_event(s):
    s.g[0] = s.y[0]
    return 0


@kernel
def oscillator(s):
    s.ydot[0] = s.y[1]
    s.ydot[1] = -s.y[0]
    return 0


@kernel
def oscillator_events(s):
    """sin t, cos t for the start (0, 1), and sin t - p0."""
    s.g[0] = s.y[0]
    s.g[1] = s.y[1]
    s.g[2] = s.y[0] - s.p[0]
    return 0


@kernel
def falling(s):
    s.ydot[0] = s.y[1]
    s.ydot[1] = -9.81
    return 0


@kernel
def height(s):
    s.g[0] = s.y[0]
    return 0


@kernel
def van_der_pol(s):
    s.ydot[0] = s.y[1]
    s.ydot[1] = s.p[0] * (1.0 - s.y[0] * s.y[0]) * s.y[1] - s.y[0]
    return 0


@kernel
def square_root(s):
    """y' = -1/(2 y): y = sqrt(1 - t), nothing beyond t = 1; not finite where y <= 0, silently."""
    s.ydot[0] = -0.5 / s.y[0] if s.y[0] > 0.0 else math.nan
    return 0


@kernel
def fails_after(s):
    """y' = 1, reports status p1 when t > p0."""
    s.ydot[0] = 1.0
    return int(s.p[1]) if s.t[0] > s.p[0] else 0


@kernel
def forced(s):
    """y' = a (y - exp(i w t)) + i w exp(i w t) in the complex plane, a = -p0 + i p1, w = p2."""
    a, b, w = -s.p[0], s.p[1], s.p[2]
    c, d = math.cos(w * s.t[0]), math.sin(w * s.t[0])
    x, y = s.y[0] - c, s.y[1] - d
    s.ydot[0] = a * x - b * y - w * d
    s.ydot[1] = b * x + a * y + w * c
    return 0


@kernel
def nothing(s):
    """y' = -y/10: the cheapest right-hand side, for timing the integrator itself."""
    for i in range(s.y.size):
        s.ydot[i] = -0.1 * s.y[i]
    return 0


ALL = (logistic_pair, kepler, arenstorf, pendulum, pendulum_xy, circle_project, circle_event, oscillator,
       oscillator_events, falling, height, van_der_pol, square_root, fails_after, forced, nothing)
ENTRIES = {}
for _function in ALL:
    _name = getattr(_function, "__name__", None) or _function.py_func.__name__
    ENTRIES[_name] = entry(GROUP, _name, _function, Problem, module=__name__)


class Case:
    """A problem with its shared arrays: ``case.solve(times, ...)`` starts from y0 at t0."""

    def __init__(self, rhs, y0, p=(0.0, 0.0), t0=0.0, project=None, events=None, n_events=0):
        self.y0, self.t0 = np.array(y0, dtype=float), t0
        n = self.y0.size
        self.s = Problem(np.array([t0], dtype=float), self.y0.copy(), np.zeros(n), np.array(p, dtype=float),
                         np.zeros(n_events))
        self.rhs = ENTRIES[rhs].bind(self.s)
        self.project = ENTRIES[project].bind(self.s) if project else None
        self.events = ENTRIES[events].bind(self.s) if events else None

    def solve(self, times, **options):
        from dalembert.integrators.solve import solve

        if options.get("resume") is None:
            self.s.t[0] = self.t0
            self.s.y[:] = self.y0
        return solve(self.rhs, self.s.t, self.s.y, self.s.ydot, times, project=self.project,
                     events=self.events, g=self.s.g if self.events else None, **options)
