"""Writes stiff_rods.json: the tip of two rods on a stiff strut, in two angles, by SciPy's Radau; nothing of any engine.

    python -m benchmarks.problems.make_stiff_rods

Uniform rods of mass m and length l at angles a, b to the x axis, e = (cos, sin), n = (−sin, cos), tip p = l (e(a) + e(b)), with
H = m l²/2. Lagrange's equations with the force F of the strut at the tip:

    [ 8/3 H        H e(a)·e(b) ] [ä]   [ −3/2 m g l cos a + l F·n(a) − H e(a)·n(b) ḃ² ]
    [ H e(a)·e(b)  2/3 H       ] [b̈] = [ −1/2 m g l cos b + l F·n(b) + H e(a)·n(b) ȧ² ]
"""

from __future__ import annotations

import json

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.problems.stiff_rods import DAMPING, LENGTH, MASS, POST, REST, START, STIFFNESS, STORED, TIMES, G, direction


def rates(t, y):
    """Of (a, b, ȧ, ḃ)."""
    a, b, u, w = y
    ea, eb = direction(a), direction(b)
    na, nb = np.array([-ea[1], ea[0]]), np.array([-eb[1], eb[0]])
    out = POST - LENGTH * (ea + eb)
    length = np.hypot(*out)
    along = out / length
    force = (STIFFNESS * (length - REST) - DAMPING * along @ (LENGTH * (u * na + w * nb))) * along
    half = MASS * LENGTH**2 / 2
    M = np.array([[8 / 3 * half, half * (ea @ eb)], [half * (ea @ eb), 2 / 3 * half]])
    turn = half * (ea @ nb)
    pull = MASS * G * LENGTH
    loads = LENGTH * np.array([force @ na, force @ nb]) - pull * np.array([1.5 * ea[0], 0.5 * eb[0]])
    Q = loads + turn * np.array([-(w**2), u**2])
    return np.array([u, w, *np.linalg.solve(M, Q)])


def tips(rtol: float) -> np.ndarray:
    y = solve_ivp(rates, (0, TIMES[-1]), [*START, 0.0, 0.0], method="Radau", t_eval=TIMES, rtol=rtol, atol=1e-2 * rtol).y
    return LENGTH * np.array([np.cos(y[0]) + np.cos(y[1]), np.sin(y[0]) + np.sin(y[1])]).T


def main() -> None:
    fine, coarse = tips(1e-11), tips(1e-9)
    print(f"1e-11 and 1e-9 differ by {np.abs(fine - coarse).max():.1e} m")
    text = {"source": "two angles, SciPy Radau, rtol 1e-11", "tip": fine.tolist()}
    STORED.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
