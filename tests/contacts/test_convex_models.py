"""Capsules, cylinders, polygons and polyhedra in models: closed forms of motion, and refusals."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.algebra.rotations import matrix_of_quaternion, quaternion_of_matrix

G, SLOPE = 9.81, math.radians(10)
LYING = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0.0]])
CORNERS = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]


def turned(seed):
    e = np.random.default_rng(seed).normal(size=4)
    return np.asarray(matrix_of_quaternion(e / np.linalg.norm(e)))


def scene(shape, height, own=LYING, T=None, unit=1.0, slope=SLOPE, friction=0.5, floor=None, **body):
    """A body of one shape on a slope; x downhill, z out of it; turned by T, lengths in 1/unit metres."""
    T = np.eye(3) if T is None else T
    place = lambda *x: tuple(T @ np.array(x) * unit)  # noqa: E731
    m = da.Model("slope", gravity=place(G * math.sin(slope), 0, -G * math.cos(slope)))
    m.add(da.Fixture("floor", shapes=[floor or da.HalfSpace(tuple(T @ [0, 0, 1]))]))
    m.add(da.Body.from_shape("body", shape, density=1000.0 / unit**3, position=place(0, 0, height),
                             rotation=tuple(quaternion_of_matrix(T @ own)), **body))
    m.add(da.Contact("touch", "floor", "body", friction=friction))
    return m


@pytest.mark.parametrize("unit", [1.0, 1e3])
@pytest.mark.parametrize("seed", [None, 3])
def test_a_cylinder_and_a_capsule_roll_without_slipping(unit, seed):
    """a = g sin α/(1 + J/(m r²)): ⅔ g sin α of a cylinder; the spin keeps to v = ω r."""
    T = np.eye(3) if seed is None else turned(seed)
    r, length = 0.2, 0.6
    tube, ball = r * r * length, 4 / 3 * r**3
    for shape, ratio in ((da.Cylinder(r * unit, length * unit), 0.5),
                         (da.Capsule(r * unit, length * unit), (tube / 2 + 0.4 * ball) / (tube + ball))):
        run = da.simulate(scene(shape, r, T=T, unit=unit), 0.5, step=0.1, fixed_step=4e-3)
        x = run["body"].position @ T / unit
        assert x[-1, 0] == pytest.approx(0.5 * G * math.sin(SLOPE) / (1 + ratio) * 0.25, rel=1e-9)
        assert np.abs(x[:, 1]).max() < 1e-9
        assert np.abs(x[:, 2] - r).max() < 1e-9
        v = run["body"].velocity[-1] @ T / unit
        assert np.linalg.norm(run["body"].omega[-1]) * r == pytest.approx(v[0], rel=1e-9)


def test_a_cylinder_rolls_on_a_box():
    floor = da.Box((20, 4, 1), position=(0, 0, -0.5))
    run = da.simulate(scene(da.Cylinder(0.2, 0.6), 0.2, floor=floor), 0.5, step=0.1, fixed_step=4e-3)
    assert run["body"].position[-1, 0] == pytest.approx(G * math.sin(SLOPE) / 3 * 0.25, rel=1e-9)


@pytest.mark.parametrize(("shape", "height", "own"), [
    (da.Cylinder(0.2, 0.6), 0.3, np.eye(3)),
    (da.Polyhedron([(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.1, 0.1)]), 0.1, np.eye(3)),
    (da.Polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 0.8)]), 0.0, np.eye(3)),
])
@pytest.mark.parametrize("box", [False, True])
def test_what_stands_on_a_slope_stands_or_slides(shape, height, own, box):
    """At rest without creep above tan α; below it a = g (sin α − μ cos α)."""
    floor = da.Box((20, 20, 1), position=(0, 0, -0.5)) if box else None
    run = da.simulate(scene(shape, height, own, floor=floor), 0.5, step=0.1)
    assert np.abs(run["body"].position - run["body"].position[0]).max() < 1e-9
    run = da.simulate(scene(shape, height, own, floor=floor, friction=0.1), 0.5, step=0.1)
    way = (run["body"].position - run["body"].position[0])[-1]
    assert way[0] == pytest.approx(0.5 * G * (math.sin(SLOPE) - 0.1 * math.cos(SLOPE)) * 0.25, rel=1e-6)
    assert np.abs(way[1:]).max() < 1e-6


def test_a_polygon_of_the_plane_slides_and_a_bar_of_round_ends_lies():
    for shape, height in ((da.Polygon([(-0.3, 0), (0.3, 0), (0, 0.5)]), 0.0),
                          (da.Polygon([(-0.3, 0), (0.3, 0)], radius=0.1), 0.1),
                          (da.Polygon([(0, 0.5), (0.3, 0), (-0.3, 0)], radius=0.1), 0.1)):
        m = da.Model("flat", dim=2, gravity=(G * math.sin(SLOPE), -G * math.cos(SLOPE)))
        m.add(da.Fixture("floor", shapes=[da.Polygon([(-9, -1), (9, -1), (9, 0), (-9, 0)])]))
        m.add(da.Body.from_shape("body", shape, density=1000.0, position=(0, height)))
        m.add(da.Contact("touch", "floor", "body", friction=0.1))
        run = da.simulate(m, 0.5, step=0.1)
        way = run["body"].position[-1] - run["body"].position[0]
        assert way[0] == pytest.approx(0.5 * G * (math.sin(SLOPE) - 0.1 * math.cos(SLOPE)) * 0.25, rel=1e-6)
        assert abs(way[1]) < 1e-6


def test_parts_of_a_body_that_is_not_convex():
    """An L of two boxes given as polyhedra rests on two of its parts."""
    foot = [(x, y, z) for x in (0, 1) for y in (0, 0.5) for z in (0, 0.2)]
    leg = [(x, y, z) for x in (0, 0.2) for y in (0, 0.5) for z in (0.2, 1)]
    run = da.simulate(scene([da.Polyhedron(foot), da.Polyhedron(leg)], 0.0, np.eye(3)), 0.3, step=0.1)
    assert np.abs(run["body"].position - run["body"].position[0]).max() < 1e-9


def test_mass_of_polygons_and_polyhedra():
    from dalembert.model.numbers import Numbers

    plane, space = Numbers(2, {}), Numbers(3, {})
    box, cube = da.Box((0.4, 0.6, 0.8)), [(x, y, z) for x in (0, 0.4) for y in (0, 0.6) for z in (0, 0.8)]
    volume, centre, unit = da.Polyhedron(cube).moments(space, "cube")
    assert volume == pytest.approx(0.4 * 0.6 * 0.8)
    assert centre == pytest.approx([0.2, 0.3, 0.4])
    assert unit == pytest.approx(box.mass_properties(space)[1])
    area, centre, unit = da.Polygon([(0, 0), (0, 0.6), (0.4, 0.6), (0.4, 0)]).moments(plane, "square")  # clockwise
    assert (area, unit[2, 2]) == pytest.approx((0.24, (0.16 + 0.36) / 12))
    assert centre == pytest.approx([0.2, 0.3, 0])
    points, shares = da.Polygon([(0, 0), (0.4, 0), (0, 0.6)]).quadrature(plane, 2)
    about = sum(s * (p[0] ** 2 + p[1] ** 2) for p, s in zip(points, shares, strict=True))
    assert about == pytest.approx((0.16 + 0.36) / 6)
    random = np.random.default_rng(2)  # a rounded triangle, by throwing points
    corners, r = np.array([(0, 0), (1, 0.2), (0.3, 0.9)]), 0.25
    area, centre, unit = da.Polygon([tuple(c) for c in corners], radius=r).moments(plane, "round")
    x = random.uniform([-0.3, -0.3], [1.3, 1.2], (200_000, 2))
    inside, near = np.ones(len(x), bool), np.full(len(x), np.inf)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        d = b - a
        inside &= d[0] * (x[:, 1] - a[1]) - d[1] * (x[:, 0] - a[0]) >= 0
        t = np.clip((x - a) @ d / (d @ d), 0, 1)
        near = np.minimum(near, np.linalg.norm(x - a - t[:, None] * d, axis=1))
    x = x[inside | (near <= r)]
    assert area == pytest.approx(len(x) / 200_000 * 1.6 * 1.5, rel=0.01)
    assert centre[:2] == pytest.approx(x.mean(axis=0), abs=0.005)
    assert unit[2, 2] == pytest.approx(((x - x.mean(axis=0)) ** 2).sum(axis=1).mean(), rel=0.01)


def test_files_keep_polygons_and_polyhedra(tmp_path):
    m = scene([da.Polyhedron(CORNERS)], 1.0)
    m.save(tmp_path / "m.toml")
    again = da.load_model(tmp_path / "m.toml")
    assert np.array_equal(da.simulate(m, 0.1, step=0.1).q, da.simulate(again, 0.1, step=0.1).q)


@pytest.mark.parametrize(("dim", "shape", "words"), [
    (3, da.Polyhedron([*CORNERS, (0, 0, 0.1)]), "inside the hull of the others, so it is not convex; split it"),
    (3, da.Polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]), "lie in one plane"),
    (3, da.Polyhedron([(1, 1, 1)] * 5), "do not coincide"),
    (3, da.Polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), "needs 4 points or more"),
    (3, da.Polyhedron(CORNERS, faces=[(0, 1, 2), (0, 2, 3), (0, 3, 1)]), "open"),
    (3, da.Polyhedron(CORNERS, faces=[(0, 1, 9)]), "three or more numbers of points, 0 … 3"),
    (3, da.Polygon([(0, 0), (1, 0), (0, 1)]), "in space give a Polyhedron"),
    (2, da.Polygon([(0, 0), (1, 0), (0.2, 0.2), (0, 1)]), r"not convex at its point \(0.2, 0.2\); split it"),
    (2, da.Polygon([(0, 0), (1, 0), (2, 0)]), "lie on one line"),
    (2, da.Polygon([(0, 0), (0, 0), (0, 0)]), "do not coincide"),
    (2, da.Polygon([(0, 0), (1, 0)]), "needs 3 points or more"),
    (2, da.Polygon([(math.cos(4 * math.pi * k / 5), math.sin(4 * math.pi * k / 5)) for k in range(5)]), "edges cross"),
    (2, da.Polygon([(0, 0), (1, 0), (0, math.inf)]), "finite"),
])
def test_refusals(dim, shape, words):
    m = da.Model("bad", dim=dim, gravity=(0, 0, -G)[3 - dim:])
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1)[3 - dim:])]))
    inertia = 1.0 if dim == 2 else (1.0, 1.0, 1.0)
    m.add(da.Body("stone", mass=1.0, inertia=inertia, shapes=[shape]))
    m.add(da.Contact("touch", "floor", "stone", friction=0.1))
    with pytest.raises(da.ModelError, match=words) as caught:
        da.simulate(m, 0.1)
    assert "stone" in str(caught.value)


def test_meshes_that_are_open_or_not_convex_are_refused(tmp_path):
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

    def model(name, x, faces):
        path = tmp_path / name
        lines = [f"v {a} {b} {c}" for a, b, c in x] + [f"f {' '.join(str(i + 1) for i in f)}" for f in faces]
        path.write_text("\n".join(lines) + "\n")
        m = da.Model("mesh", gravity=(0, 0, -G))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
        m.add(da.Body("stone", mass=1.0, inertia=(1, 1, 1), shapes=[da.Mesh(path)]))
        m.add(da.Contact("touch", "floor", "stone", friction=0.1))
        return m

    run = da.simulate(model("cube.obj", corners, quads), 0.1, step=0.1)
    assert np.abs(run["stone"].position[-1]).max() < 1e-9
    with pytest.raises(da.ModelError, match="open"):
        da.simulate(model("open.obj", corners, quads[1:]), 0.1)
    dent = np.vstack([corners, [0.5, 0.5, 0.5]])
    fan = [(8, a, b) for a, b in zip(quads[5], (*quads[5][1:], quads[5][0]), strict=True)]
    with pytest.raises(da.ModelError, match="not convex: its hull has 20 % more volume; split it"):
        da.simulate(model("dent.obj", dent, [*quads[:5], *fan]), 0.1)
