"""Random models for the questions of statics; every number may be a formula, lengths and masses come in chosen units."""

import os

import numpy as np

import dalembert as da

COUNT = float(os.environ.get("DALEMBERT_STATICS", "0.1"))  # share of the whole campaign that is run


def some(total):
    """Seeds of a campaign, or the share of them that the suite runs."""
    return range(max(3, round(total * COUNT)))


# ---------------------------------------------------------------------------------------------------------------- one free motion

def lever(p):
    m = da.Model("lever", dim=2, gravity=(0, "-g"), parameters=p)
    m.add(da.Body.rod("bar", ("x0", 0), ("x0 + l*cos(a)", "l*sin(a)"), mass="m"))
    m.add(da.Body("weight", mass="w", inertia=0.02, position=("x0 - c*cos(a)", "-c*sin(a)"), com=("ec", 0)))
    m.add(da.Weld("fixed", "bar", "weight", at=("x0 - c*cos(a)", "-c*sin(a)")))
    m.add(da.Revolute("O", m.ground, "bar", at=("x0", 0)))
    m.add(da.Spring("spring", m.ground, "bar", at_i=(0.5, 1.5), at_j=("x0 + l*cos(a)", "l*sin(a)"), stiffness="k", length="l0"))
    m.add(da.Force("load", "bar", (0, "F"), at=("x0 + 0.6*l*cos(a)", "0.6*l*sin(a)")))
    return m


LEVER = {"g": 9.81, "x0": 0.1, "l": 1.1, "a": 0.3, "m": 2.0, "w": 1.5, "c": 0.4, "ec": 0.05, "k": 25.0, "l0": 0.8, "F": 6.0}


def crank(p):
    m = da.Model("slider-crank", dim=2, gravity=(0, -9.81), parameters=p)
    end = ("r*cos(a) + sqrt(l**2 - (r*sin(a) - h)**2)", "h")
    m.add(da.Body.rod("crank", (0, 0), ("r*cos(a)", "r*sin(a)"), mass="m"))
    m.add(da.Body.rod("rod", ("r*cos(a)", "r*sin(a)"), end, mass=0.7))
    m.add(da.Body("piston", mass=1.2, inertia=0.01, position=end))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "rod", at=("r*cos(a)", "r*sin(a)")))
    m.add(da.Revolute("B", "rod", "piston", at=end))
    m.add(da.Prismatic("guide", m.ground, "piston", at=end, axis=(1, 0)))
    m.add(da.Force("load", "piston", ("F", 0), on=(0, 0)))
    m.add(da.TorsionSpring("coil", "O", stiffness="k", angle="b"))
    m.add(da.Torque("torque", "crank", "T"))
    return m


CRANK = {"r": 0.3, "l": 0.9, "h": 0.05, "a": 0.8, "m": 1.0, "F": -8.0, "k": 3.0, "b": 0.4, "T": 1.0}


def door(p):
    m = da.Model("door", dim=3, gravity=(0, 0, -9.81), parameters=p)
    m.add(da.Body("door", mass="m", inertia=(0.3, 0.4, 0.5), position=("s*cos(a)", "s*sin(a)", 0.4), com=(0.05, "ec", 0),
                  rotation=("xyz", (0, 0, "a"))))
    m.add(da.Revolute("O", m.ground, "door", at=(0, 0, 0), axis=("sin(t0)", 0, "cos(t0)")))
    m.add(da.Spring("spring", m.ground, "door", at_i=("u", 1.0, 0.2), on_j=(0.3, 0, 0.1), stiffness="k", length=0.4))
    m.add(da.Force("load", "door", ("F", 0, 1.0), on=(0.4, 0, 0)))
    return m


DOOR = {"m": 3.0, "s": 0.5, "a": 0.4, "ec": 0.1, "t0": 0.3, "u": 0.6, "k": 12.0, "F": 2.0}
ONE = ((lever, LEVER), (crank, CRANK), (door, DOOR))


# ------------------------------------------------------------------------------------------------------------------ any units

def stiff(seed, L=1.0, M=1.0, T=1.0):
    """A chain of bodies on bushings and springs, stiffnesses over twelve decades; units: L metres, M kilograms, T seconds."""
    rng = np.random.default_rng(seed)
    dim, n = 2 + seed % 2, int(rng.integers(1, 4))
    g = np.zeros(dim)
    g[-1] = -9.81
    m = da.Model(f"stiff {seed}", dim=dim, gravity=tuple(g * T**2 / L))
    at, force = np.zeros(dim), M * L / T**2
    up = 1.0 if rng.random() < 0.3 else -1.0
    ratio = 10 ** rng.uniform(0, 12)
    before = "ground"
    for k in range(n):
        step = rng.uniform(-0.3, 0.3, dim)
        step[-1] = up * rng.uniform(0.5, 1.0)
        mass, J = rng.uniform(0.5, 2.0), rng.uniform(0.05, 0.2, 1 if dim == 2 else 3)
        J = J if dim == 2 else J.sum() - J + 0.02
        inertia = J / (M * L**2)
        m.add(da.Body(f"b{k}", mass=mass / M, inertia=float(inertia[0]) if dim == 2 else tuple(inertia),
                      position=tuple((at + step / 2) / L)))
        hard = 10.0 * (ratio if k == 0 else 10 ** rng.uniform(0, np.log10(ratio) + 1e-9))
        if rng.random() < 0.4:
            m.add(da.Revolute(f"J{k}", before, f"b{k}", at=tuple(at / L)) if dim == 2 else
                  da.Spherical(f"J{k}", before, f"b{k}", at=tuple(at / L)))
        else:
            m.add(da.Bushing(f"J{k}", before, f"b{k}", at=tuple(at / L), stiffness=(hard / force * L,) * dim))
        m.add(da.Spring(f"s{k}", "ground", f"b{k}", at_i=tuple((at + rng.uniform(0.5, 2, dim)) / L), at_j=tuple((at + step) / L),
                        stiffness=float(rng.uniform(1, 30)) / force * L, length=0.4 / L,
                        damping=float(rng.uniform(0, 0.5)) / (M / T)))
        before, at = f"b{k}", at + step
    return m


# --------------------------------------------------------------------------------------------------------------- networks, chains

def relaxed_chain(seed):
    """Bodies in a row between springs that fit together without any force."""
    rng = np.random.default_rng(seed)
    dim, n = 2 + seed % 2, int(rng.integers(2, 8))
    m = da.Model(f"relaxed {seed}", dim=dim)
    rest = np.cumsum(rng.uniform(0.4, 1.2, (n + 2, dim)), axis=0)
    drawn = rest + rng.uniform(-0.15, 0.15, rest.shape)
    for k in range(n):
        m.add(da.Body(f"b{k}", mass=float(rng.uniform(0.5, 2)), inertia=0.1 if dim == 2 else (0.1, 0.1, 0.1),
                      position=tuple(drawn[k + 1])))
    name = ["ground", *(f"b{k}" for k in range(n)), "ground"]
    for a in range(n + 1):
        for b in range(a + 1, min(a + 2 + int(rng.integers(0, 2)), n + 2)):
            if (name[a], name[b]) == ("ground", "ground"):
                continue
            ends = {("at_i" if name[a] == "ground" else "on_i"): tuple(rest[a]) if name[a] == "ground" else (0,) * dim,
                    ("at_j" if name[b] == "ground" else "on_j"): tuple(rest[b]) if name[b] == "ground" else (0,) * dim}
            m.add(da.Spring(f"s{a}-{b}", name[a], name[b], **ends, stiffness=float(rng.uniform(5, 500)),
                            length=float(np.linalg.norm(rest[a] - rest[b]))))
    return m


def network(seed):
    """Bodies on random springs, some of no length, with and without weight."""
    rng = np.random.default_rng(1000 + seed)
    dim, n = 2 + seed % 2, int(rng.integers(1, 6))
    g = [0.0] * dim
    g[-1] = -9.81 * (seed % 3 > 0)
    m = da.Model(f"network {seed}", dim=dim, gravity=tuple(g))
    for k in range(n):
        m.add(da.Body(f"b{k}", mass=float(rng.uniform(0.5, 2)), inertia=0.1 if dim == 2 else (0.1, 0.12, 0.15),
                      position=tuple(rng.uniform(-1, 1, dim))))
    for k in range(2 * n + int(rng.integers(2, 5))):
        i, j = rng.choice(n + 1, 2, replace=False)
        names = ["ground" if x == n else f"b{x}" for x in (i, j)]
        ends = {f"{'at' if name == 'ground' else 'on'}_{side}": tuple(rng.uniform(-2, 2, dim) if name == "ground" else
                                                                      rng.uniform(-0.3, 0.3, dim))
                for side, name in zip("ij", names, strict=True)}
        m.add(da.Spring(f"s{k}", *names, **ends, stiffness=float(10 ** rng.uniform(0.5, 3)),
                        length=float(rng.choice([0.0, rng.uniform(0.2, 1.5)]))))
    for k in range(n):  # nothing flies away
        m.add(da.Spring(f"a{k}", "ground", f"b{k}", at_i=tuple(rng.uniform(-2, 2, dim)), on_j=(0,) * dim, stiffness=20.0,
                        length=0.1))
    return m
