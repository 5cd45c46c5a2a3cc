"""Poses in NumPy (system/poses.py): from q as from the kernels, and moving as the kernels say, for every case."""

import numpy as np
from contract_scene import assert_near, shift, slope

from dalembert.elements.measures.table import NAMES
from dalembert.system import poses


def test_poses_from_q_are_those_of_the_kernels(case):
    """Centres and matrices of bodies, points and axes of markers, one by one and all at once."""
    for w, _ in case.states(1):
        s = w.system
        w.run("rows")
        for b in range(s.nb + 1):
            for found, wanted in zip(poses.placed(s, w.q, b), poses.body(s, w.pose, b), strict=True):
                assert_near(found, wanted, 1e-14)
        for m in range(len(s.tables.markers)):
            for found, wanted in zip(poses.marked(s, w.q, m), poses.marker(s, w.pose, m), strict=True):
                assert_near(found, wanted, 1e-14)
        each = np.array([poses.marker(s, w.pose, m)[0] for m in range(len(s.tables.markers))])
        assert_near(poses.points(s, w.pose, s.tables.markers), each, 1e-14)


def along(w, t, q, v, b, part):
    """Centre (0) or matrix (1) of body b after the time h of this motion, as a function of h."""
    def at(h):
        w.set(t, q, v)
        shift(w, h * v)
        return poses.placed(w.system, w.q.copy(), b)[part]

    return at


def test_motions_are_slopes_of_poses(case):
    """v of the centres and ω: dA/dt = ω × A, about ground axes."""
    for w, _ in case.states(1):
        s, now = w.system, (w.t[0], w.q.copy(), w.v.copy())
        w.run("rows")
        twist = w.twist.copy()
        for b in range(s.nb):
            speed, omega = poses.motion(s, twist, b)
            assert_near(slope(along(w, *now, b, 0)), speed, 1e-9)
            turned = along(w, *now, b, 1)
            A, rate = turned(0.0), slope(turned)
            if s.dim == 2:
                assert_near(rate, omega * np.array([[0.0, -1.0], [1.0, 0.0]]) @ A, 1e-9)
            else:
                assert_near(rate, np.cross(omega, A.T).T, 1e-9)


def seen(s, q, row) -> float:
    """The value of a measure, by points and axes of its markers."""
    (p, F), (r, G) = (poses.marked(s, q, row[end]) for end in "ij")
    kind, d = NAMES[row["kind"]], r - p
    if kind == "angle" and s.dim == 2:  # of the bodies
        return poses.turned(s, q, poses.carrier(s, row["j"])) - poses.turned(s, q, poses.carrier(s, row["i"]))
    if kind == "angle":
        return np.arctan2(F[:, 1] @ G[:, 0], F[:, 0] @ G[:, 0])
    return {"dot_axes": lambda: F[:, row["axis_i"]] @ G[:, row["axis_j"]], "dot_offset": lambda: F[:, row["axis_i"]] @ d,
            "distance": lambda: np.linalg.norm(d), "square_distance": lambda: d @ d,
            "component": lambda: poses.marked(s, q, row["guide"])[1][:, 0] @ d}[kind]()


def test_measures_see_the_markers_where_they_are(case):
    """Value of every measure, an independent way: so the axes of markers are those that the kernels use."""
    for w, _ in case.states(1):
        s = w.system
        w.run("rows")
        for k, row in enumerate(s.tables.measures):
            apart = w.measured[3 * k] + row["offset"] - seen(s, w.q, row)
            if NAMES[row["kind"]] == "angle":
                apart = np.remainder(apart + np.pi, 2 * np.pi) - np.pi  # full turns are counted elsewhere
            assert abs(apart) < 1e-12, (case.name, row)
