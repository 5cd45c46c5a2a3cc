"""Bodies in a row on a floor, tied by springs, stick and slide by turns: on two feet, against guides that rub by the same law.

A box that translates has the friction μ N of its weight and loads however its feet share it, as a body in a guide has it of the
guide's reaction: another machine (contacts/rubbing), another event mode, no shares.  And particles with a round shape, whose
touching point has no lever, for a particle has no turn.
"""

import numpy as np
import pytest

import dalembert as da

G = 9.81


def row(seed, kind):
    random = np.random.default_rng(seed)
    n, mu = 3, random.uniform(0.15, 0.5)
    m = da.Model("row", dim=2, gravity=(0, -G))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    names = [f"b{k}" for k in range(n)]
    for k, name in enumerate(names):
        at, mass, v = (0.5 * k, 0.05), random.uniform(0.5, 3), random.choice([0.0, random.uniform(-1, 1)])
        size, pace, lift = random.uniform(0, 10), random.uniform(1, 9), random.uniform(0, 2.4)
        if kind == "particles":
            m.add(da.Particle(name, mass=mass, position=at, velocity=(v, 0), shapes=[da.Sphere(0.05)]))
        elif kind == "boxes":
            m.add(da.Body.from_shape(name, da.Box((0.2, 0.1)), mass=mass, position=at, velocity=(v, 0)))
        else:
            m.add(da.Body(name, mass=mass, inertia=1.0, position=at, velocity=(v, 0)))
            m.add(da.Prismatic(f"guide{k}", m.ground, name, at=at, axis=(1, 0), friction=mu, length=1e4))
        m.add(da.Force(f"F{k}", name, (f"{size}*sin({pace}*t)", f"{lift}*cos(3*t)")))
    for k in range(n - 1):
        m.add(da.Spring(f"s{k}", names[k], names[k + 1], at_i=(0.5 * k, 0.05), at_j=(0.5 * k + 0.5, 0.05),
                        stiffness=random.uniform(50, 300), length=0.5))
    if kind != "guides":
        m.add(da.Contact("c", names, "ground", friction=mu))
    return m, names


@pytest.mark.parametrize("seed", range(12))
def test_a_row_of_boxes_is_a_row_of_guides(seed):
    runs = {}
    for kind in ("boxes", "particles", "guides"):
        m, names = row(seed, kind)
        how = {} if kind == "guides" else {"contact": "events"}
        runs[kind] = da.simulate(m, 1.5, step=0.05, rtol=1e-9, atol=1e-11, **how)
    other = runs["guides"]
    for kind in ("boxes", "particles"):
        run = runs[kind]
        for name in names:
            assert np.abs(run[name].position - other[name].position).max() < 1e-7, (kind, name)
        assert not run.certificate.doubts()
        assert abs(run.energy.residual).max() < 1e-7 * run.energy.exchanged


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("radius", [0.05, 0.5, 50.0])
@pytest.mark.parametrize("mode", ["events", "stepping"])
def test_a_particle_has_no_lever(dim, radius, mode):
    """A blow within the cone takes all of what goes across; one on its edge takes μ (1 + e) u_n."""
    up = (0, 1) if dim == 2 else (0, 0, 1)
    across = np.array([3.0, -2.0]) if dim == 2 else np.array([3.0, 1.0, -2.0])
    for mu, e in ((5.0, 0.5), (0.2, 0.5), (0.2, 0.0)):
        m = da.Model("p", dim=dim, gravity=(0,) * dim)
        m.ground.shapes = [da.HalfSpace(up)]
        m.add(da.Particle("p", mass=2.0, shapes=[da.Sphere(radius)], position=(*(0,) * (dim - 1), radius + 0.1), velocity=across))
        m.add(da.Contact("c", "ground", "p", friction=mu, restitution=e))
        run = da.simulate(m, 0.1, step=0.1, contact=mode)
        slides = across[:-1] * max(0.0, 1.0 - mu * (1 + e) * 2.0 / np.linalg.norm(across[:-1]))
        assert np.abs(run["p"].velocity[-1] - [*slides, 2.0 * e]).max() < 1e-11
