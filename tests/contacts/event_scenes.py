"""Random scenes for runs from event to event, drawn once and shown in any frame, mirror, units and order; and what a run must
keep, looked at from outside: distances of shapes, momentum, Coulomb's cone and direction, power, by formulas of this file alone.

A drawing is a list of bodies in a frame of its own.  Shown with x ↦ L Q x (Q orthogonal, S = diag(−1, 1, 1) if it mirrors, else
1): poses Q R S, local places S p, spins det S · S ω; lengths, times and masses times those of the units.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

import dalembert as da

G = 9.81


@dataclass
class Part:
    """A shape in its body's axes: kind, sizes, place, turn (3 × 3, or 2 × 2)."""

    kind: str
    size: tuple
    at: np.ndarray
    turn: np.ndarray


@dataclass
class Drawn:
    name: str
    parts: list
    x: np.ndarray
    R: np.ndarray
    mass: float = 0.0  # zero: a fixture
    inertia: object = None
    v: np.ndarray | None = None
    w: np.ndarray | None = None  # body axes; the plane: a number


@dataclass
class Drawing:
    dim: int
    bodies: list = field(default_factory=list)
    friction: float = 0.3
    restitution: float = 0.5
    gravity: np.ndarray | None = None
    springs: list = field(default_factory=list)  # (body i or None, body j, local places, stiffness, length)


@dataclass
class View:
    """How a drawing is shown."""

    Q: np.ndarray
    length: float = 1.0
    time: float = 1.0
    mass: float = 1.0
    backwards: bool = False  # bodies in the other order
    swapped: bool = False  # the contact named the other way round

    @property
    def det(self):
        return round(np.linalg.det(self.Q))

    @property
    def S(self):
        return np.diag([float(self.det), *[1.0] * (len(self.Q) - 1)])


def plain(dim):
    return View(np.eye(dim))


def random_turn(random, dim):
    if dim == 3:
        return Rotation.from_quat(random.normal(size=4)).as_matrix()
    a = random.uniform(-np.pi, np.pi)
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


def views(random, dim):
    """A turned one, a mirrored one in other units, one with everything the other way round."""
    S = np.diag([-1.0, *[1.0] * (dim - 1)])
    return [View(random_turn(random, dim)), View(random_turn(random, dim) @ S, length=50.0, time=3.0, mass=0.02),
            View(random_turn(random, dim) @ S, backwards=True, swapped=True),
            View(np.eye(dim), length=1e-3, mass=7.0, swapped=True)]


def _pose(R):
    if len(R) == 2:
        return {"angle": float(np.arctan2(R[1, 0], R[0, 0]))}
    return {"rotation": R}


def _shape(p, view):
    L, S, dim = view.length, view.S, len(view.Q)
    own = S @ p.turn @ S
    at = {"position": tuple(L * (S @ p.at)), "rotation": own if dim == 3 else _pose(own)["angle"]}
    if p.kind == "ball":
        return da.Sphere(L * p.size[0], position=at["position"])
    if p.kind == "plane":
        return da.HalfSpace(tuple(S @ p.turn[:, -1]), position=at["position"])
    if p.kind == "box":
        return da.Box(tuple(L * 2 * np.array(p.size)), **at)
    if p.kind in ("capsule", "cylinder"):
        return (da.Capsule if p.kind == "capsule" else da.Cylinder)(L * p.size[0], L * p.size[1], **at)
    points = np.array([L * (S @ (p.turn @ x + p.at)) for x in p.size[0]])
    if dim == 2:
        points = points[::-1] if view.det < 0 else points
        return da.Polygon([tuple(x) for x in points], **({"radius": L * p.size[1]} if p.size[1] else {}))
    return da.Polyhedron([tuple(x) for x in points])


def shown(d, view):
    """The model of a drawing."""
    L, T, M, Q, S = view.length, view.time, view.mass, view.Q, view.S
    g = np.zeros(d.dim) if d.gravity is None else d.gravity
    m = da.Model("shown", dim=d.dim, gravity=tuple(L / T**2 * (Q @ g)))
    for b in d.bodies[::-1] if view.backwards else d.bodies:
        shapes = [_shape(p, view) for p in (b.parts[::-1] if view.backwards else b.parts)]
        pose = {"position": tuple(L * (Q @ b.x)), **_pose(Q @ b.R @ S)}
        if b.mass == 0.0:
            m.add(da.Fixture(b.name, shapes=shapes, **pose))
            continue
        w = float(view.det * b.w / T) if d.dim == 2 else tuple(view.det * (S @ b.w) / T)
        inertia = M * L**2 * b.inertia if d.dim == 2 else tuple(M * L**2 * b.inertia)
        kw = {"velocity": tuple(L / T * (Q @ b.v)), "omega": w, "shapes": shapes, **pose}
        m.add(da.Body(b.name, mass=M * b.mass, inertia=inertia, **kw))
    for k, (i, j, pi, pj, stiffness, length) in enumerate(d.springs):
        ends = {"on_j": tuple(L * (S @ pj)), ("at_i" if i is None else "on_i"): tuple(L * ((Q if i is None else S) @ pi))}
        m.add(da.Spring(f"s{k}", "ground" if i is None else i, j, stiffness=M / T**2 * stiffness, length=L * length, **ends))
    names = [b.name for b in d.bodies]
    if len(names) == 2:
        m.add(da.Contact("c", *(names[::-1] if view.swapped else names), friction=d.friction, restitution=d.restitution))
    else:
        m.add(da.Contact("c", "all", "all", friction=d.friction, restitution=d.restitution))
    return m


def states(run, d, view):
    """Places, turns, velocities of all bodies that move, back in the drawing's axes and units (samples × …)."""
    out = {}
    L, T = view.length, view.time
    for b in d.bodies:
        if b.mass:
            r = run[b.name]
            x, v = np.asarray(r.position) @ view.Q / L, np.asarray(r.velocity) @ view.Q / L * T
            R = np.einsum("ij,tjk,kl->til", view.Q.T, np.asarray(r.rotation)[:, :d.dim, :d.dim], view.S)
            w = np.asarray(r.omega) * T * view.det
            out[b.name] = x, R, v, w if d.dim == 2 else w @ view.S
    return out


# ----------------------------------------------------------------------------------------------------- distances, from outside


def distance(p, x):
    """Signed distance of points x (body axes) from a part."""
    y = (np.atleast_2d(x) - p.at) @ p.turn
    if p.kind == "ball":
        return np.linalg.norm(y, axis=1) - p.size[0]
    if p.kind == "plane":
        return y[:, -1]
    if p.kind == "box":
        q = np.abs(y) - np.array(p.size)
        return np.linalg.norm(np.maximum(q, 0.0), axis=1) + np.minimum(q.max(axis=1), 0.0)
    if p.kind in ("capsule", "cylinder"):
        axis = y[:, -1]
        across = np.abs(y[:, 0]) if y.shape[1] == 2 else np.hypot(y[:, 0], y[:, 1])
        if p.kind == "capsule":
            return np.hypot(across, np.maximum(np.abs(axis) - 0.5 * p.size[1], 0.0)) - p.size[0]
        q = np.stack([across - p.size[0], np.abs(axis) - 0.5 * p.size[1]], axis=1)
        return np.linalg.norm(np.maximum(q, 0.0), axis=1) + np.minimum(q.max(axis=1), 0.0)
    corners, radius = np.asarray(p.size[0], float), p.size[1]
    if y.shape[1] == 2:
        return np.array([_polygon(corners, z) for z in y]) - radius
    return np.array([_hull(corners, z) for z in y])


def _polygon(corners, z):
    best, inside = np.inf, -np.inf
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        e = b - a
        s = np.clip((z - a) @ e / (e @ e), 0.0, 1.0)
        best = min(best, np.linalg.norm(z - a - s * e))
        inside = max(inside, (z - a) @ np.array([e[1], -e[0]]) / np.linalg.norm(e))
    return best if inside > 0.0 else inside


def _hull(corners, z):
    """Outside by the nearest point of all faces (triangles of the hull), inside by the nearest face."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(corners)
    height = (hull.equations[:, :3] @ z + hull.equations[:, 3]).max()
    return height if height <= 0.0 else min(_triangle(*corners[s], z) for s in hull.simplices)


def _triangle(a, b, c, z):
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n)
    foot = z - (z - a) @ n * n
    if all(np.cross(q - p, foot - p) @ n >= 0.0 for p, q in ((a, b), (b, c), (c, a))):
        return abs((z - a) @ n)
    found = []
    for p, q in ((a, b), (b, c), (c, a)):
        s = np.clip((z - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
        found.append(np.linalg.norm(z - p - s * (q - p)))
    return min(found)


def points(p):
    """Points of a part's core, body axes, and its rounding (a curved part: enough of them)."""
    dim = len(p.at)
    if p.kind == "ball":
        local, r = np.zeros((1, dim)), p.size[0]
    elif p.kind == "box":
        local, r = np.array(np.meshgrid(*[(-s, s) for s in p.size])).reshape(dim, -1).T, 0.0
    elif p.kind == "capsule":
        e = np.eye(dim)[dim - 1]
        local, r = np.linspace(-0.5, 0.5, 41)[:, None] * p.size[1] * e, p.size[0]
    elif p.kind == "cylinder":
        a = np.linspace(0, 2 * np.pi, 181)
        local = np.array([[p.size[0] * np.cos(t), p.size[0] * np.sin(t), s * 0.5 * p.size[1]] for t in a for s in (-1, 1)])
        r = 0.0
    elif p.kind == "plane":
        return np.zeros((0, dim)), 0.0
    else:
        local, r = np.asarray(p.size[0], float), p.size[1]
    return local @ p.turn.T + p.at, r


def clearance(d, poses):
    """The least distance of any two shapes of different bodies; ``poses``: name -> (x, R)."""
    least = np.inf
    for i, a in enumerate(d.bodies):
        for b in d.bodies[i + 1:]:
            if not (a.mass or b.mass):
                continue
            for one, other in ((a, b), (b, a)):
                (xo, Ro), (xi, Ri) = poses[one.name], poses[other.name]
                for p in other.parts:
                    local, r = points(p)
                    if len(local):
                        world = local @ Ri.T + xi
                        least = min(least, *(float(distance(q, (world - xo) @ Ro).min()) - r for q in one.parts))
    return least


# ------------------------------------------------------------------------------------------------------------- drawings


def pick(random, dim, kind):
    """A part of a kind with random sizes, near the middle of its body."""
    turn, at = random_turn(random, dim), random.uniform(-0.03, 0.03, dim)
    if kind == "ball":
        return Part(kind, (random.uniform(0.1, 0.2),), at, np.eye(dim))
    if kind == "box":
        return Part(kind, tuple(random.uniform(0.1, 0.25, dim)), at, turn)
    if kind in ("capsule", "cylinder"):
        return Part(kind, (random.uniform(0.06, 0.12), random.uniform(0.2, 0.4)), at, turn)
    if dim == 2:
        angles = np.sort(random.uniform(0, 1, 4) + np.arange(4) * 1.5)
        corners = [(0.2 * np.cos(a), 0.16 * np.sin(a)) for a in angles]
        return Part(kind, (corners, 0.03 if kind == "rounded" else 0.0), at, turn)
    corners = np.array([[1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1], [1.1, -0.2, 0.3]])
    return Part(kind, (0.2 * corners * random.uniform(0.7, 1.0, (5, 3)), 0.0), at, turn)


def reach(parts):
    return max(np.linalg.norm(points(p)[0], axis=1).max(initial=0.0) + points(p)[1] for p in parts)


def body(random, dim, name, parts, x, speed=1.0, spin=3.0, mass=None):
    mass = mass or random.uniform(0.5, 2.0)
    inertia = mass * 0.02 * (random.uniform(0.8, 1.2) if dim == 2 else random.uniform(0.8, 1.2, 3))
    return Drawn(name, parts, np.asarray(x, float), random_turn(random, dim), mass, inertia, speed * random.uniform(-1, 1, dim),
                 spin * random.uniform(-1, 1) if dim == 2 else spin * random.uniform(-1, 1, 3))


def pulled_together(dim, kinds, seed):
    """Two bodies that nothing holds, drawn together by a spring: they strike, slide and roll on each other; momentum stays."""
    random = np.random.default_rng([dim, seed, *map(ord, "".join(kinds))])
    d = Drawing(dim, friction=random.uniform(0.1, 0.8), restitution=random.choice([0.0, 0.5]))
    a, b = (pick(random, dim, k) for k in kinds)
    way = random.normal(size=dim)
    gap = reach([a]) + reach([b]) + 0.02
    d.bodies = [body(random, dim, "a", [a], (0.0,) * dim, 0.3), body(random, dim, "b", [b], gap * way / np.linalg.norm(way), 0.3)]
    d.springs = [("a", "b", random.uniform(-0.02, 0.02, dim), random.uniform(-0.02, 0.02, dim), random.uniform(60, 120), 0.0)]
    return d


def on_the_floor(dim, kinds, seed):
    """Bodies that fall onto a floor in a corner, none of them on another."""
    random = np.random.default_rng([7, dim, seed, *map(ord, "".join(kinds))])
    d = Drawing(dim, friction=random.uniform(0.1, 0.8), restitution=random.choice([0.0, 0.5]))
    d.gravity = np.array([*random.uniform(-2, 2, dim - 1), -G])
    d.bodies = [Drawn("floor", [Part("plane", (), np.zeros(dim), np.eye(dim))], np.zeros(dim), np.eye(dim))]
    for k, kind in enumerate(kinds):
        part = pick(random, dim, kind)
        d.bodies.append(body(random, dim, f"b{k}", [part], [1.0 * k, *[0.0] * (dim - 2), reach([part]) + 0.05]))
    if len(kinds) > 1:
        side = np.eye(dim)[::-1] if dim == 2 else np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
        d.bodies[0].parts.append(Part("plane", (), np.array([-1.0, *[0.0] * (dim - 1)]), side))
    return d
