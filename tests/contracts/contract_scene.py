"""A scene: a model described once; built as it is, with bodies swapped, turned and shifted, or in space.

Generic geometry: nothing is aligned, centred or equal to one.  Bodies a, b, c have their centre of mass away
from the reference point and, in space, full inertia matrices.
"""

from __future__ import annotations

import re

import numpy as np

import dalembert as da
from dalembert.algebra import rotations
from dalembert.equations.workspace import workspace

PLANE = {  # mass, inertia, position, angle, com
    "a": (1.3, 0.21, (0.42, 0.31), 0.37, (0.07, -0.05)),
    "b": (0.8, 0.13, (1.15, 0.64), -0.81, (-0.06, 0.09)),
    "c": (1.7, 0.32, (1.92, -0.23), 2.6, (0.04, 0.11)),
}
SPACE = {
    "a": (1.3, (0.41, 0.52, 0.63), (0.42, 0.31, -0.17), ("xyz", (0.3, -0.5, 0.7)), (0.07, -0.05, 0.03)),
    "b": (0.8, (0.33, 0.25, 0.44), (1.15, 0.64, 0.28), ("zxy", (-0.8, 0.4, 0.6)), (-0.06, 0.09, 0.05)),
    "c": (1.7, (0.74, 0.62, 0.55), (1.92, -0.23, 0.51), ("yzx", (0.9, 1.1, -0.3)), (0.04, 0.11, -0.08)),
}
SKEW = np.array([[0.0, 0.031, -0.042], [0.031, 0.0, 0.053], [-0.042, 0.053, 0.0]])


class Scene:
    """Builds a model; ``dim`` is that of the description, ``self.m.dim`` that of the model."""

    def __init__(self, dim, *, swap=False, embed=False, R=None, p=None):
        self.dim, self.swap, self.embed = dim, swap, embed
        self.R = np.eye(dim) if R is None else np.asarray(R, dtype=float)
        self.p = np.zeros(dim) if p is None else np.asarray(p, dtype=float)
        self.space = dim == 3 or embed
        gravity = (0.7, -9.3) if dim == 2 else (0.7, -0.4, -9.3)
        self.m = da.Model("scene", dim=3 if self.space else 2, gravity=self.d(gravity))
        self.hinge = {"axis": (0.0, 0.0, 1.0)} if embed else {}  # the axis of a plane hinge
        self.sign = -1.0 if swap else 1.0

    def _out(self, vector):
        return (*vector.tolist(), 0.0) if self.embed else tuple(vector.tolist())

    def x(self, *point):
        """A ground point as drawn."""
        return self._out(self.R @ np.array(point, dtype=float) + self.p)

    def d(self, direction):
        """A ground direction as drawn."""
        return self._out(self.R @ np.array(direction, dtype=float))

    def on(self, *local):
        """A point in body coordinates."""
        return self._out(np.array(local, dtype=float))

    def components(self, *laws):
        """Ground components of a force: each a law as text."""
        turned = ["+".join(f"({k!r})*({law})" for k, law in zip(row, laws, strict=True))
                  for row in self.R.tolist()]
        return (*turned, "0") if self.embed else tuple(turned)

    def field(self, *laws):
        """A field over x, y, z: turned and shifted with the scene."""
        back = {}
        for k, letter in enumerate("xyz"[: self.dim]):
            column = self.R[:, k].tolist()
            back[letter] = "(" + "+".join(f"({c!r})*({n}-({s!r}))" for c, n, s in
                                          zip(column, "xyz", self.p.tolist(), strict=False)) + ")"
        return self.components(*(re.sub(r"\b[xyz]\b", lambda found: back[found[0]], law) for law in laws))

    def torque(self, *laws):
        if self.embed:
            return ("0", "0", *laws)
        return laws[0] if self.dim == 2 else self.components(*laws)

    def ij(self, i, j):
        return (j, i) if self.swap else (i, j)

    def ends(self, at_i, at_j):
        at_i, at_j = (self.x(*at_i), self.x(*at_j))
        return {"at_i": at_j, "at_j": at_i} if self.swap else {"at_i": at_i, "at_j": at_j}

    def range(self, lower, upper):
        """Ends of a coordinate that counts the other way when the bodies are swapped."""
        return {"lower": -upper, "upper": -lower} if self.swap else {"lower": lower, "upper": upper}

    def add(self, element):
        return self.m.add(element)

    def bodies(self, names):
        for name in names:
            if self.dim == 2:
                mass, J, r, angle, com = PLANE[name]
                if self.embed:  # x and y alike, as in the plane
                    own = {"inertia": (0.7 * J, 0.7 * J, J), "rotation": ("z", (angle,))}
                else:
                    own = {"inertia": J, "angle": angle + float(np.arctan2(self.R[1, 0], self.R[0, 0])),
                           "second_moments": (J / 2, J / 2, 0.0)}
            else:
                mass, moments, r, (letters, angles), com = SPACE[name]
                A = np.eye(3)
                for letter, value in zip(letters, angles, strict=True):
                    A = A @ rotations.elementary(letter, value)
                own = {"inertia": (np.diag(moments) + SKEW).tolist(), "rotation": (self.R @ A).tolist()}
            self.add(da.Body(name, mass=mass, position=self.x(*r), com=self.on(*com), **own))


class Case:
    """One scene: its name, the dimension it is described in, the changes of scene that keep its meaning."""

    def __init__(self, build, dim, fits):
        self.build, self.dim, self.fits = build, dim, fits
        self.name = build.__name__
        self._systems = {}

    def scene(self, **change):
        scene = Scene(self.dim, **change)
        self.build(scene)
        return scene.m

    def system(self, **change):
        key = repr(sorted(change.items()))
        if key not in self._systems:
            self._systems[key] = self.scene(**change).compile()
        return self._systems[key]

    def rng(self, salt=0):
        return np.random.default_rng([sum(map(ord, self.name)), salt])

    def states(self, count=3, spread=0.15, **change):
        """Workspaces in random states assert_near the drawing, off the constraints."""
        system, rng = self.system(**change), self.rng()
        for _ in range(count):
            w = workspace(system)
            shift(w, spread * rng.standard_normal(system.nv))
            w.set(rng.uniform(0.2, 1.5), w.q, rng.standard_normal(system.nv))
            yield w, rng

    def consistent(self, count=2, spread=0.05):
        """Workspaces that satisfy all constraints."""
        for w, rng in self.states(count, spread):
            w.run("project")
            assert w.run("project") == 0
            assert w.report.position < 1e-10, f"{self.name}: {w.report.position}"
            yield w, rng


def shift(w, twist):
    """q ← q ⊕ twist."""
    w.move(twist)


CENTRAL = ((1, 0.75), (2, -0.15), (3, 1 / 60))  # sixth order


def slope(function, h=1e-3):
    """Derivative of function(h) at 0."""
    return sum(c * (function(n * h) - function(-n * h)) for n, c in CENTRAL) / h


def assert_near(a, b, tolerance, floor=1.0):
    """Largest difference against the larger of the two sizes and ``floor``."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.size == 0:
        return
    assert np.all(np.isfinite(a)) and np.all(np.isfinite(b))
    error = np.abs(a - b).max() / max(np.abs(a).max(), np.abs(b).max(), floor)
    assert error <= tolerance, f"differs by {error:.2e} (allowed {tolerance:.0e}):\n{a}\n{b}"


def rotation_of(w, body):
    """Rotation matrix of a body in the workspace's state (2×2 or 3×3)."""
    s = w.system
    if s.dim == 2:
        return rotations.matrix_of_angle(w.q[3 * body + 2])
    return rotations.matrix_of_quaternion(w.q[7 * body + 3:7 * body + 7])


def centre(w, body):
    s = w.system
    return w.q[s.kind.SIZE_Q * body:][: s.dim].copy()


def about_origin(r, F):
    """r × F: a number in the plane."""
    return r[0] * F[1] - r[1] * F[0] if len(r) == 2 else np.cross(r, F)


def null_space(D):
    _, sizes, Vt = np.linalg.svd(D)
    rank = int((sizes > 1e-9 * max(sizes.max(initial=0.0), 1e-300)).sum())
    return Vt[rank:].T
