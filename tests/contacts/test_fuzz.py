"""Shapes and poses of every kind thrown at the whole engine, compiled: no crash, no NaN, points that are points.

DALEMBERT_SHAPES: how many pairs (make fuzz-contact: 10,000).
"""

import os

import numpy as np
import pytest

import dalembert as da

PAIRS = int(os.environ.get("DALEMBERT_SHAPES", "240"))
EACH = 20  # pairs per model: far apart from each other, so that each is alone


def shape(r, size, dim):
    """Any shape of about this size; thin ones are a thousandth as thick."""
    s = size * np.where(r.random(3) < 0.3, 1e-3, 1.0) * r.uniform(0.3, 1.0, 3)
    if dim == 2:
        angles = np.sort(r.uniform(0.0, 2 * np.pi, r.integers(3, 8)))
        points = np.stack([np.cos(angles), np.sin(angles)], axis=1) * s[:2]
        return [da.Box(tuple(2 * s[:2])), da.Sphere(s[0]), da.Polygon(points)][r.integers(3)]
    points = r.normal(size=(r.integers(5, 12), 3))
    points *= s / np.linalg.norm(points, axis=1)[:, None]  # on an ellipsoid: none lies inside the hull of the others
    return [da.Box(tuple(2 * s)), da.Sphere(s[0]), da.Capsule(s[0], 2 * s[1]), da.Cylinder(s[0], 2 * s[1]),
            da.Polyhedron(points)][r.integers(5)]


def made(seed, dim):
    r = np.random.default_rng(seed)
    m = da.Model("fuzz", dim=dim, gravity=(0, -9.81) if dim == 2 else (0, 0, -9.81))
    size = 10.0 ** r.uniform(-3, 2)
    for k in range(EACH):
        other = size * (10.0 ** r.uniform(-2, 2) if r.random() < 0.3 else 1.0)
        here = np.zeros(dim)
        here[0] = 4e4 * size * k
        for j, s in enumerate((size, other)):
            far = r.choice([0.0, 0.5, 1.0, 1.8]) * (size + other) * (j == 1)  # 0: coincident
            away = r.normal(size=dim)
            common = {"mass": float(10.0 ** r.uniform(-2, 2)), "position": tuple(here + far * away / np.linalg.norm(away)),
                      "velocity": tuple(r.normal(size=dim) * size * r.choice([0.0, 1.0, 100.0]))}
            q = r.normal(size=4)
            if dim == 3:
                axis = np.eye(4)[0] if r.random() < 0.3 else q / np.linalg.norm(q)  # parallel faces are a case of their own
                inertia = tuple(common["mass"] * s * s * np.array([0.4, 0.5, 0.6]))
                m.add(da.Body(f"b{k} {j}", inertia=inertia, rotation=tuple(axis), omega=tuple(r.normal(size=3)),
                              shapes=[shape(r, s, dim)], **common))
            else:
                m.add(da.Body(f"b{k} {j}", inertia=common["mass"] * s * s, angle=0.0 if r.random() < 0.3 else r.uniform(-4, 4),
                              omega=r.normal(), shapes=[shape(r, s, dim)], **common))
    m.add(da.Contact("c", "all", "all", friction=float(r.choice([0.0, 0.3, 2.0])), restitution=float(r.choice([0.0, 0.7]))))
    return m


@pytest.mark.parametrize("part", range(4))
def test_whatever_is_thrown_at_it(part):
    for k in range(4 + part, 4 + max(4, PAIRS // EACH), 4):  # 3 has a sliver of 3e-8 m and takes 5 s
        dim = 3 if k % 3 else 2
        m = made(k, dim)
        run = da.simulate(m, 0.02, step=0.005)
        assert np.isfinite(run.q).all(), k
        assert np.isfinite(run.v).all(), k
        assert np.isfinite(run["c"].force).all(), k
        for i in range(len(run.t)):
            points = run["c"].points(i)
            if len(points["gap"]):
                assert np.allclose(np.linalg.norm(points["normal"], axis=1), 1.0, atol=1e-9), k
                assert (np.einsum("ij,ij->i", points["force"], points["normal"]) >= -1e-9).all(), k
