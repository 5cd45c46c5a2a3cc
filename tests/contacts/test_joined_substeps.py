"""Random scenes with joints, drives, torsional springs and loads, substep by substep, against joined.py and bookkeeping.py.

Pendulums and chains, sliders, balls in sockets, universal joints, cranks that are driven: in plane and space, with shapes thrown
among them.  A substep is looked at before its end is projected onto the joints; the projection has a law of its own.
"""

import numpy as np
import pytest
from bookkeeping import Bodies, arrays, check, impulses
from joined import Joined
from test_each_substep import prepared, shapes

import dalembert as da
from dalembert.contacts.joints import PROJECT, RESPOND

H = 2e-3
UP = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])


def turned(r, dim):
    if dim == 2:
        a = r.uniform(0, 6)
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    T = np.linalg.qr(r.normal(size=(3, 3)))[0]
    return T * np.linalg.det(T)


class Yard:
    """A model and what joined.py is to know of it, built together; a velocity field that all joints allow is ω₀ × x."""

    def __init__(self, seed, dim, count):
        self.r, self.dim, self.bodies, self.after = np.random.default_rng(seed), dim, [], []
        self.g = -9.81 * UP if dim == 3 else np.array([2.0, -9.0, 0.0])
        self.m = da.Model("joined", dim=dim, gravity=tuple(self.g[:dim]))
        self.known, self.count = Joined(dim, gravity=tuple(self.g)), count  # the ground is number ``count``

    def body(self, shape, x, omega=(0, 0, 0), velocity=(0, 0, 0), T=None):
        """With products of inertia in space."""
        r, d, k = self.r, self.dim, len(self.bodies)
        T = turned(r, d) if T is None else T
        J = r.uniform(0.01, 0.03, 3) + 0.02
        Q = turned(r, 3)
        kw = {"angle": np.arctan2(T[1, 0], T[0, 0]), "omega": omega[2], "inertia": J[0]} if d == 2 else {
            "rotation": T, "omega": tuple(omega), "inertia": Q @ np.diag(J) @ Q.T}
        kw |= {"position": tuple(x[:d]), "velocity": tuple(velocity[:d])}
        self.m.add(da.Body(f"b{k}", mass=r.uniform(0.5, 2), shapes=[shape], **kw))
        self.bodies.append((np.array(x, float), T))
        return k

    def own(self, k, x):
        """A place in the axes of body k."""
        if k == self.count:
            return np.array(x, float)
        return self.bodies[k][1].T @ (np.array(x) - self.bodies[k][0])

    def ball(self, name, i, j, x):
        """One place of both."""
        kind = da.Revolute if self.dim == 2 else da.Spherical
        self.m.add(kind(name, "ground" if i == self.count else f"b{i}", f"b{j}", at=tuple(x[:self.dim])))
        self.known.at(i, self.own(i, x), j, self.own(j, x))

    def throw(self, number, s=0.25):
        """Shapes around the joints, on their way to the middle."""
        kinds = shapes(self.r, self.dim, s)
        for _ in range(number):
            k = len(self.bodies)
            x = np.zeros(3)
            x[:self.dim] = self.r.normal(size=self.dim)
            x *= self.r.uniform(0.2, 0.4) / np.linalg.norm(x)
            spin = 3 * self.r.normal(size=3) * (1 if self.dim == 3 else np.array([0, 0, 1]))
            self.body(kinds[k % len(kinds)], x, spin, -4 * x + np.array([0.3, 0.0, 0.0]))

    def done(self, restitution=0.0):
        assert len(self.bodies) == self.count
        self.m.add(da.Contact("c", "all", "all", friction=0.5, restitution=restitution))
        return self.m, self.known


def chain(y, number, length=0.3):
    """Rods from the origin on, all turning about it as one at first."""
    omega = y.r.normal(size=3) * 3 if y.dim == 3 else np.array([0, 0, 4.0])
    last, at = y.count, np.zeros(3)
    for k in range(number):
        way = np.zeros(3)
        way[:y.dim] = y.r.normal(size=y.dim)
        way *= length / np.linalg.norm(way)
        x = at + 0.5 * way
        shape = da.Capsule(0.04, 0.5 * length) if k % 2 else da.Box((0.3, 0.12, 0.2)[:y.dim])
        b = y.body(shape, x, omega, np.cross(omega, x))
        y.ball(f"j{k}", last, b, at)
        last, at = b, at + way
    return last


def pendulum(seed, dim, sprung=False, restitution=0.0):
    """A chain of two, in the plane with torsional springs and dampers."""
    y = Yard(seed, dim, 7)
    chain(y, 2)
    if sprung:
        for name, i, j, k, d in (("j0", 7, 0, 3.0, 0.2), ("j1", 0, 1, 5.0, 0.4)):
            y.m.add(da.TorsionSpring(f"t{name}", name, stiffness=k, damping=d))
            y.known.torques.append((i, j, k, d, (np.eye(3) if i == 7 else y.bodies[i][1]).T @ y.bodies[j][1]))
    y.throw(5)
    a, b, n = (0.05, 0.02, 0.0), (0.01, 0.03, 0.0), len(y.bodies)
    y.m.add(da.Spring("spring", f"b{n - 1}", f"b{n - 2}", on_i=a[:dim], on_j=b[:dim], stiffness=80.0, length=0.4))
    y.known.springs.append((n - 1, a, n - 2, b, 80.0, 0.4))
    return y.done(restitution)


def slider(seed, dim, driven=False):
    """A carriage on a straight guide with a rod hung from it."""
    y = Yard(seed, dim, 6)
    T = turned(y.r, dim)
    axis, start = T[:, 0], np.zeros(3)
    law = (lambda t: (0.1 * np.sin(12 * t), 1.2 * np.cos(12 * t), -14.4 * np.sin(12 * t))) if driven else None
    v = axis * (1.2 if driven else 0.8)
    k = y.body(da.Box((0.2, 0.2, 0.2)[:dim]), start, (0, 0, 0), v, T)
    y.m.add(da.Prismatic("guide", "ground", f"b{k}", axis=tuple(axis[:dim]), at=(0,) * dim))
    if driven:
        y.m.add(da.Drive("motor", "guide", "0.1*sin(12*t)"))
        y.known.along(axis, 6, k, np.zeros(3), law)
    for n in T[:, 1:dim].T:
        y.known.along(n, 6, k, np.zeros(3))
    for n in np.eye(3)[2:] if dim == 2 else np.eye(3):
        y.known.turn(n, 6, k)
    end = 0.15 * T[:, 1]
    rod = y.body(da.Capsule(0.04, 0.2), end + 0.12 * T[:, 1], (0, 0, 0), v)
    y.ball("hang", k, rod, end)
    y.throw(4)
    return y.done()


def crank(seed, dim):
    """A crank that is turned by a law of time, with a rod at its end."""
    y = Yard(seed, dim, 6)
    axis = np.array([0.0, 0, 1]) if dim == 2 else UP
    omega = 5 * axis
    x = np.cross(axis, [0.6, 0.5, 0.1])
    x *= 0.15 / np.linalg.norm(x)
    k = y.body(da.Box((0.3, 0.1, 0.15)[:dim]), x, omega, np.cross(omega, x))
    y.m.add(da.Revolute("axle", "ground", f"b{k}", at=(0,) * dim, **({} if dim == 2 else {"axis": tuple(axis)})))
    y.m.add(da.Drive("motor", "axle", "5*t + 8*t**2"))
    y.known.at(6, np.zeros(3), k, y.own(k, np.zeros(3)))
    if dim == 3:
        for n in np.linalg.svd(axis[None])[2][1:]:
            y.known.square(6, n, k, y.bodies[k][1].T @ axis)
    y.known.turn(axis, 6, k, lambda t: (5 * t + 8 * t * t, 5 + 16 * t, 16.0))
    end = 2 * x
    middle = end + (0.15 * axis if dim == 3 else np.array([0.1, 0.1, 0.0]))
    rod = y.body(da.Capsule(0.04, 0.2), middle, omega, np.cross(omega, middle))
    y.ball("hang", k, rod, end)
    y.throw(4)
    return y.done()


def universal(seed, dim=3):
    """Two bodies on universal joints, one after the other."""
    y = Yard(seed, dim, 6)
    T, last, at, omega = turned(y.r, 3), 6, np.zeros(3), y.r.normal(size=3)
    for k in range(2):
        way = y.r.normal(size=3)
        way *= 0.3 / np.linalg.norm(way)
        x = at + 0.5 * way
        b = y.body(da.Box((0.3, 0.12, 0.1)), x, 0 * omega, 0 * omega)
        a1, a2 = T[:, k], T[:, k + 1]
        upper = "ground" if last == 6 else f"b{last}"
        y.m.add(da.Universal(f"u{k}", upper, f"b{b}", at=tuple(at), axis=tuple(a1), axis2=tuple(a2)))
        y.known.at(last, y.own(last, at), b, y.own(b, at))
        y.known.square(last, a1 if last == 6 else y.bodies[last][1].T @ a1, b, y.bodies[b][1].T @ a2)
        last, at = b, at + way
    y.throw(4)
    return y.done()


SCENES = {"pendulum, plane": (pendulum, 2), "springs, plane": (lambda s, d: pendulum(s, d, sprung=True), 2),
          "sockets": (pendulum, 3), "bouncing sockets": (lambda s, d: pendulum(s, d, restitution=0.6), 3),
          "slider, plane": (slider, 2), "slider": (slider, 3), "driven slider, plane": (lambda s, d: slider(s, d, True), 2),
          "driven slider": (lambda s, d: slider(s, d, True), 3), "crank, plane": (crank, 2), "crank": (crank, 3),
          "universal": (universal, 3)}


@pytest.mark.parametrize("sweeps", ["once", "until they converge"])
@pytest.mark.parametrize("kind", SCENES)
def test_every_substep_among_joints_balances(kind, sweeps):
    make, dim = SCENES[kind]
    converged, points, struck = sweeps != "once", 0, 0
    m, known = make(3 + 7 * converged, dim)
    s = prepared(m, H, visits=4000 if converged else 1, direct=0)
    s.rules.deep = 10.0 * s.rules.lie
    project = s.arrays["handle"][PROJECT]
    for _ in range(24):
        s.advance(2, H)
        w = arrays(s)
        old = Bodies(w)
        assert np.abs(known.missed(old.x, old.R, old.time)).max() < 1e-9
        D, _, nu = known.jacobian(old.R, old.v, old.time)
        assert np.abs(D @ old.v.ravel() - nu).max() < 1e-9
        kept = {k: x.copy() for k, x in s.memory().items()}
        s.arrays["handle"][PROJECT] = s.arrays["handle"][RESPOND]  # changes nothing: the end is not projected
        assert s.advance(1, H) == 0
        s.arrays["handle"][PROJECT] = project
        w = arrays(s)
        points += check(w, old, H, converged, joined=known)
        struck += any(w.link[8 * k] != w.link[8 * k + 1] and 1 in (w.jointed[w.link[8 * k]], w.jointed[w.link[8 * k + 1]])
                      for k in range(int(w.report.manifolds)))
        told, by_contact, by_body = impulses(w)
        scale = max(1.0, np.abs(by_body).max())
        assert Bodies(w).impulse - old.impulse == pytest.approx(told, abs=1e-9 * scale * H)
        s._tell()
        assert w.sum.reshape(-1, 13)[:, :7] == pytest.approx(by_contact, abs=1e-8 * scale)
        assert w.by_body.reshape(-1, 6)[:-1] == pytest.approx(by_body[:-1], abs=1e-9 * scale)
        free = Bodies(w)
        s.remember(kept)
        assert s.advance(1, H) == 0
        _projected(known, Bodies(arrays(s)), free)
    assert points > 15
    assert struck > 3


def _projected(known, now, free):
    """Onto the joints, and by little: places and turns by ½ h² of what changes, velocities by h as much."""
    assert np.abs(known.missed(now.x, now.R, now.time)).max() < 1e-9
    D, _, nu = known.jacobian(now.R, now.v, now.time)
    assert np.abs(D @ now.v.ravel() - nu).max() < 1e-9
    assert np.abs(now.x - free.x).max() < 1e-4
    assert np.abs(now.R - free.R).max() < 2e-4
    assert np.abs(now.v - free.v).max() < 6e-2
