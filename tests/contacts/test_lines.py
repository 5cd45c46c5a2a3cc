"""Round sides that lie along each other touch in a line: two points at its ends, in any frame and any unit of length.

    parallel    two points where the common length ends, each as deep as the line; a spring for each, so no third (soft.py)
    crossing    at a small angle the deepest point is where the axes cross; all points and gaps are as in any other unit
"""

import numpy as np
import pytest
from convex_pairs import Two, place_of, polyhedron_of, turn

import dalembert as da
from dalembert.contacts.tables import CYLINDER

ALONG = np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]])  # the axis of a cylinder, which is z, along x


def crossed(T, unit, angle, deep, shift=0.0, kinds=2):
    """Two cylinders, or one on the ridge of a prism, the second over the first, in a frame T."""
    c, s = np.cos(angle), np.sin(angle)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    under, high = (CYLINDER, (0.2 * unit, unit, 0.0)), 0.4
    if kinds == 1:  # a ridge at height 0.2
        under = polyhedron_of(unit * np.array([(x, y, z) for x in (-1, 1) for y, z in ((-0.3, -0.2), (0.3, -0.2), (0, 0.2))]))
    first = place_of(np.zeros(3), T @ ALONG if kinds == 2 else T)
    second = place_of(T @ np.array([shift * unit, 0.0, (high + deep) * unit]), T @ about @ ALONG)
    return Two([under, (CYLINDER, (0.2 * unit, unit, 0.0))], [first, second])


@pytest.mark.parametrize("kinds", [1, 2], ids=["on a ridge", "on each other"])
@pytest.mark.parametrize("deep", [-4e-3, -1e-5, 2e-3])
def test_parallel_lines_have_the_points_of_their_ends(kinds, deep):
    random = np.random.default_rng(1)
    for k in range(30):
        T, unit, shift = turn(random), 10.0 ** random.uniform(-2, 1), random.uniform(-0.5, 0.5)
        two = crossed(T, unit, 0.0 if k % 2 else np.pi, deep, shift, kinds)
        points, n = two.touch(margin=0.01 * unit)
        assert len(points) == 2, points[:, 3] / unit
        assert points[:, 3] == pytest.approx(deep * unit, abs=1e-9 * unit)
        assert n == pytest.approx(T[:, 2], abs=1e-5)  # known to the root of what depth.py leaves
        ends = np.sort((points[:, :3] @ T)[:, 0]) / unit
        assert ends == pytest.approx([max(-1, shift - 1), min(1, shift + 1)], abs=1e-6)


@pytest.mark.parametrize("angle", [5e-3, 2e-2, 4e-2])
@pytest.mark.parametrize("deep", [-2e-3, -1e-5, 1e-5])
def test_lines_that_cross_have_the_same_points_in_any_unit(angle, deep):
    random = np.random.default_rng(2)
    for _ in range(3):
        T, shift, seen = turn(random), random.uniform(-0.5, 0.5), []
        for unit in (1.0, 10.0, 0.01):
            points, _ = crossed(T, unit, angle, deep, shift).touch(margin=0.05 * unit)
            place = np.column_stack([points[:, :3] @ T, points[:, 3]]) / unit
            seen.append(place[np.argsort(place[:, 0])])
            assert place[:, 3].min() == pytest.approx(deep, abs=1e-9)
        for other in seen[1:]:
            assert len(other) == len(seen[0])
            assert other[:, 3] == pytest.approx(seen[0][:, 3], abs=1e-9)
            assert other[:, 0] == pytest.approx(seen[0][:, 0], abs=1e-3)


def test_a_log_in_a_cradle_sinks_by_what_two_springs_per_line_give():
    """Two lines at the angle φ to the vertical, two points each: 4 k δ cos φ = m g along the normals, δ/cos φ down."""
    r, k = 0.2, 1e5
    sine = 0.19 / (2 * r)
    high = 2 * r * np.sqrt(1 - sine**2)
    m = da.Model("cradle", gravity=(0, 0, -9.81))
    lies = {"rotation": ("x", np.pi / 2)}
    m.add(da.Fixture("cradle", shapes=[da.Cylinder(r, 2.0, position=(x, 0, 0), **lies) for x in (-0.19, 0.19)]))
    m.add(da.Body.from_shape("log", da.Cylinder(r, 2.0), density=600.0, position=(0, 0, high), **lies))
    m.add(da.Contact("c", "cradle", "log", friction=0.0, stiffness_N_per_m=k, damping_N_s_per_m=2e3))
    run = da.simulate(m, 2.0, step=1.0, contact="stepping")
    weight = 600.0 * np.pi * r**2 * 2.0 * 9.81
    assert len(run["c"].points()["gap"]) == 4
    down = high - run["log"].position[-1, 2]
    now = high - down
    size = np.hypot(0.19, now)
    assert 4 * k * (2 * r - size) * now / size == pytest.approx(weight, rel=1e-4)
