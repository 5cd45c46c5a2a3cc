"""Linkages that pass singular poses while driven: parallelogram, antiparallelogram, kites, slider-crank with equal arms."""

import numpy as np

import dalembert as da

KINDS = ("parallelogram", "antiparallelogram", "kite", "kite on its side", "change point", "slider")


def four_bar(lengths, angle, side, masses, law=None, name="four-bar"):
    """Crank r, coupler b, rocker c, ground d; the coupler's far end on one side of the line from crank pin to ground pivot."""
    r, b, c, d = lengths
    A, D = np.array([r * np.cos(angle), r * np.sin(angle)]), np.array([d, 0.0])
    e = D - A
    far = np.linalg.norm(e)
    along = (b * b - c * c + far * far) / (2 * far)
    across = side * np.sqrt(max(b * b - along * along, 0.0))
    B = A + along * e / far + across * np.array([-e[1], e[0]]) / far
    return linkage(name, A, B, D, masses, law)


def linkage(name, A, B, D, masses, law=None):
    O, A, B, D = (tuple(map(float, p)) for p in ((0.0, 0.0), A, B, D))
    m = da.Model(name, dim=2, gravity=(0, -9.81))
    for body, p, q, mass in zip(("crank", "coupler", "rocker"), (O, A, D), (A, B, B), masses, strict=True):
        m.add(da.Body.rod(body, p, q, mass=float(mass)))
    m.add(da.Revolute("O", m.ground, "crank", at=O))
    m.add(da.Revolute("A", "crank", "coupler", at=A))
    m.add(da.Revolute("B", "coupler", "rocker", at=B))
    m.add(da.Revolute("C", m.ground, "rocker", at=D))
    if law is not None:
        m.add(da.Drive("motor", "O", law))
    return m


def parallelogram(angle, r=0.5, d=1.0, masses=(1.0, 2.0, 1.0), law=None):
    A = np.array([r * np.cos(angle), r * np.sin(angle)])
    return linkage("parallelogram", A, A + np.array([d, 0.0]), (d, 0.0), masses, law)


def slider(r, angle, law):
    A, B = (float(r * np.cos(angle)), float(r * np.sin(angle))), (float(2 * r * np.cos(angle)), 0.0)
    m = da.Model("slider", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("crank", (0, 0), A, mass=1.0))
    m.add(da.Body.rod("coupler", A, B, mass=2.0))
    m.add(da.Body("rocker", mass=1.0, inertia=0.1, position=B))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "coupler", at=A))
    m.add(da.Revolute("B", "coupler", "rocker", at=B))
    m.add(da.Prismatic("G", m.ground, "rocker", axis=(1, 0)))
    m.add(da.Drive("motor", "O", law))
    return m


def random_linkage(kind, seed):
    """A model and the speed of its crank (rad/s)."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    r, b = rng.uniform(0.2, 0.6), rng.uniform(0.7, 1.4)
    w = float(rng.uniform(0.5, 20) * rng.choice([-1, 1]))
    law = f"{w!r}*t + ({float(rng.choice([0.0, 0.1]) * rng.uniform(-1, 1) * w * w)!r})*t**2"
    angle, side, masses = float(rng.uniform(0.3, 1.2)), rng.choice([-1, 1]), rng.uniform(0.5, 3.0, 3)
    if kind == "slider":
        return slider(r, angle, law), w
    if kind == "parallelogram":
        return parallelogram(angle, r, b, masses, law), w
    s, long = r, r + b
    p = rng.uniform(s, long)
    lengths = {"antiparallelogram": (r, b, r, b), "kite": (b, b, r, r), "kite on its side": (r, b, b, r),
               "change point": (s, p, s + long - p, long)}[kind]
    if kind == "antiparallelogram":
        side = 1 if np.sin(angle) < 0 else -1
    return four_bar(lengths, angle, side, masses, law), w
