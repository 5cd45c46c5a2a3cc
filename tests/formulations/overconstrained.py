"""Random mechanisms with dependent rows on purpose: axes parallel, meeting in a point, in line; along x, y, z, or turned.

Every drawing closes exactly by construction.  ``overconstrained(seed)`` is a model with ``.hinge``, the name of a joint that
drives it; ``sarrus(height, legs, ...)`` the linkage of that name.  ``turn``: rotation of the whole scene; ``shuffle``: a
generator that changes the order of bodies and joints; ``size``: unit of length (gravity grows with it: the motion is the same).
"""

import numpy as np

import dalembert as da

KINDS = ("sarrus", "planar loop", "double loop", "doors", "spherical", "bennett", "bricard", "cranks", "guides", "slider")


def random_turn(rng):
    A, R = np.linalg.qr(rng.standard_normal((3, 3)))
    A = A * np.sign(np.diag(R))
    return A * np.sign(np.linalg.det(A))


class Scene:
    """Bodies and joints collected in the scene's own axes, put into a model turned, scaled and shuffled."""

    def __init__(self, name, turn=None, size=1.0):
        self.R, self.size = np.eye(3) if turn is None else turn, size
        self.bodies, self.joints = [], []
        self.model = da.Model(name, dim=3, gravity=self.direction((0, 0, -9.81 * size)))

    def point(self, p):
        return tuple(float(x) for x in self.size * (self.R @ np.asarray(p, float)))

    def direction(self, d):
        return tuple(float(x) for x in self.R @ np.asarray(d, float))

    def rod(self, name, a, b, mass=1.0):
        self.bodies.append(da.Body.rod(name, self.point(a), self.point(b), mass=mass))

    def plate(self, name, at, mass=2.0):
        J = np.array([0.1, 0.12, 0.2]) * self.size**2
        self.bodies.append(da.Body(name, mass=mass, inertia=tuple(float(x) for x in J), position=self.point(at),
                                   rotation=self.R.tolist()))

    def revolute(self, name, i, j, at, axis):
        self.joints.append(da.Revolute(name, i, j, at=self.point(at), axis=self.direction(axis)))

    def prismatic(self, name, i, j, at, axis):
        self.joints.append(da.Prismatic(name, i, j, at=self.point(at), axis=self.direction(axis)))

    def loop(self, tag, points, axes, start="ground", end="ground"):
        """Rods between neighbouring points, hinged at all of them."""
        before = start
        for k in range(len(points) - 1):
            name = f"{tag}{k}"
            self.rod(name, points[k], points[k + 1])
            self.revolute(f"{tag}J{k}", before, name, points[k], axes[k])
            before = name
        self.revolute(f"{tag}J{len(points) - 1}", before, end, points[-1], axes[-1])

    def build(self, hinge, shuffle=None):
        bodies, joints = self.bodies, self.joints
        if shuffle is not None:
            bodies = [bodies[k] for k in shuffle.permutation(len(bodies))]
            joints = [joints[k] for k in shuffle.permutation(len(joints))]
        for e in (*bodies, *joints):
            self.model.add(e)
        self.model.hinge = hinge
        return self.model


def sarrus(height=1.0, legs=2, turn=None, shuffle=None, size=1.0, angles=None):
    """Legs of two links (0.7 long) between base and plate, three parallel hinges each; the plate can only rise and fall."""
    s = Scene("Sarrus", turn, size)
    s.plate("plate", (0, 0, height))
    out = np.sqrt(0.49 - height**2 / 4)
    for k in range(legs):
        d, axis = (((1, 0, 0), (0, 1, 0)), ((0, 1, 0), (1, 0, 0)), ((-1, 0, 0), (0, 1, 0)), ((0, -1, 0), (1, 0, 0)))[k]
        if angles is not None:
            c, n = np.cos(angles[k]), np.sin(angles[k])
            d, axis = (c, n, 0), (-n, c, 0)
        d = np.array(d, float)
        s.loop("abcd"[k], [0.5 * d, (0.5 + out) * d + (0, 0, height / 2), 0.5 * d + (0, 0, height)], [axis] * 3, end="plate")
    return s.build("aJ0", shuffle)


def _polygon(rng, count):
    """Corners of an open chain over the base, heights above it, in the (x, z) plane: a closed linkage with its base."""
    x = np.cumsum(rng.uniform(0.3, 1.0, count))
    return [(x[k], 0.0, 0.0 if k in (0, count - 1) else rng.uniform(0.4, 1.2)) for k in range(count)]


def _turned_about(axis, angle, v):
    axis, v = np.asarray(axis, float), np.asarray(v, float)
    return v * np.cos(angle) + np.cross(axis, v) * np.sin(angle) + axis * (axis @ v) * (1 - np.cos(angle))


def _bennett(rng):
    """Corners and axes of a Bennett linkage: a/sin α = b/sin β, closed for any first angle (Denavit and Hartenberg)."""
    alpha, beta = rng.uniform(0.4, 0.8), rng.uniform(0.9, 1.3)
    a = 1.0
    b = a * np.sin(beta) / np.sin(alpha)
    theta = rng.uniform(0.6, 2.2)
    K = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    phi = 2 * np.arctan(K / np.tan(theta / 2))
    p, x, z = np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 0, 1.0])
    points, axes = [p], [z]
    for length, twist, turn in ((a, alpha, theta), (b, beta, phi), (a, alpha, 2 * np.pi - theta)):
        x = _turned_about(z, turn, x)
        p = p + length * x
        z = _turned_about(x, twist, z)
        points.append(p)
        axes.append(z)
    return points, axes


def overconstrained(seed):
    """Kind by seed; size 1 mm, 1 m or 1 km; a third along the axes, a third turned, a third shuffled (and some both)."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    size = (1.0, 1e-3, 1e3)[int(rng.integers(3))]
    turn = random_turn(rng) if rng.random() < 0.4 else None
    shuffle = np.random.default_rng(seed + 1) if rng.random() < 0.5 else None
    if kind == "sarrus":
        legs = int(rng.integers(2, 5))
        angles = None if rng.random() < 0.5 else np.cumsum(rng.uniform(0.5, 1.6, legs))
        return sarrus(rng.uniform(0.4, 1.2), legs, turn, shuffle, size, angles)
    s = Scene(f"{kind} {seed}", turn, size)
    return _KINDS[kind](rng, s).build("aJ0", shuffle)


def _planar_loop(rng, s):
    n = int(rng.integers(4, 7))
    s.loop("a", _polygon(rng, n), [(0, 1, 0)] * n)
    return s


def _double_loop(rng, s):
    points = _polygon(rng, 4)
    s.loop("a", points, [(0, 1, 0)] * 4)
    middle = 0.5 * (np.array(points[1]) + np.array(points[2]))
    s.loop("b", [(points[3][0] + 1.0, 0, 0), (points[3][0] + 0.8, 0, 0.9), middle], [(0, 1, 0)] * 3, end="a1")
    return s


def _doors(rng, s):
    """A double pendulum with two or three hinges in line at each joint."""
    a, b, c = np.zeros(3), np.array([rng.uniform(0.5, 1), 0, rng.uniform(-0.5, 0.5)]), np.array([1.5, 0.0, -0.4])
    axis = np.array([0.0, 1.0, 0.0])
    s.rod("a0", a, b)
    s.rod("a1", b, c)
    for k in range(int(rng.integers(2, 4))):
        s.revolute(f"aJ{k}" if k else "aJ0", "ground", "a0", a + 0.3 * k * axis, axis)
        s.revolute(f"bJ{k}", "a0", "a1", b + 0.2 * k * axis, axis)
    return s


def _spherical(rng, s):
    """All axes through one point."""
    axes = [np.array([1.0, 0, 0]), np.array([0.6, 0.2, 0.8]), np.array([0.1, 0.7, 0.7]), np.array([0, 1.0, 0])]
    axes = [x + 0.1 * rng.standard_normal(3) if 0 < k < 3 else x for k, x in enumerate(axes)]
    axes = [x / np.linalg.norm(x) for x in axes]
    s.loop("a", [rng.uniform(0.8, 1.2) * x for x in axes], axes)
    return s


def _bennett_loop(rng, s):
    points, axes = _bennett(rng)
    s.loop("a", points, axes)
    return s


def _bricard(rng, s):
    """The six bars of the cube."""
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)]
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    s.loop("a", [*(np.array(c, float) for c in corners)], axes)
    return s


def _cranks(rng, s):
    """A bar on three or four parallel cranks of one length."""
    n = int(rng.integers(3, 5))
    up = np.array([rng.uniform(0.2, 0.5), 0, rng.uniform(0.5, 0.9)])
    s.rod("bar", up, up + np.array([n - 1.0, 0, 0]), mass=2.0)
    for k in range(n):
        foot = np.array([float(k), 0, 0])
        s.loop("abcd"[k], [foot, foot + up], [(0, 1, 0)] * 2, end="bar")
    return s


def _guides(rng, s):
    """A table on two or three parallel guides, moved by a crank and a rod."""
    s.plate("table", (0, 0, 1.0))
    for k in range(int(rng.integers(2, 4))):
        s.prismatic(f"G{k}", "ground", "table", (0.4 * k, 0.3 * k, 1.0), (1, 0, 0))
    s.loop("a", [(-2.0, 0, 0.6), (-1.6, 0, rng.uniform(0.8, 1.1)), (0, 0, 1.0)], [(0, 1, 0)] * 3, end="table")
    return s


def _slider(rng, s):
    """Slider-crank with joints of space."""
    s.plate("piston", (1.5, 0, 0))
    s.prismatic("guide", "ground", "piston", (1.5, 0, 0), (1, 0, 0))
    s.loop("a", [(0, 0, 0), (rng.uniform(0.1, 0.3), 0, rng.uniform(0.2, 0.4)), (1.5, 0, 0)], [(0, 1, 0)] * 3, end="piston")
    return s


_KINDS = {"planar loop": _planar_loop, "double loop": _double_loop, "doors": _doors, "spherical": _spherical,
          "bennett": _bennett_loop, "bricard": _bricard, "cranks": _cranks, "guides": _guides, "slider": _slider}
