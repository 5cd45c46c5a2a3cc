"""Which side is struck: of two solids that meet nearly side by side the normal is that of what they touch, at every step.

A central blow without friction between equal masses, e = 1: the one at rest goes off with the other's velocity along the normal.
"""

import itertools

import numpy as np
import pytest
from convex_pairs import Two, polyhedron_of
from scenes import G

import dalembert as da
from dalembert.algebra.rotations import matrix_of_quaternion, quaternion_of_matrix
from dalembert.contacts.tables import BOX

HALF = 0.25
CORNERS = HALF * np.array(list(itertools.product((-1, 1), repeat=3)))


def cube(solid):
    """A shape of convex_pairs.Two: a cube as a box, or as any polyhedron."""
    return polyhedron_of(CORNERS) if solid else (BOX, (HALF,) * 3)


def rotation(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.asarray(matrix_of_quaternion((np.cos(angle / 2), *(np.sin(angle / 2) * axis))))


def blow(kind, order, hammer, anvil):
    """Each (R, the point in its own axes that strikes): that point is below the one centre of mass and above the other."""
    m = da.Model("blow", gravity=(0, 0, 0))
    bodies = []
    for name, (turn, foot), high in (("hammer", hammer, 0.3), ("anvil", anvil, -0.25)):
        at = turn.T @ np.array([0, 0, -high]) - np.asarray(foot)
        shape = da.Box((0.5,) * 3, position=tuple(at)) if kind == "box" else da.Polyhedron([tuple(c + at) for c in CORNERS])
        bodies.append(da.Body(name, mass=125.0, inertia=(5.0,) * 3, shapes=[shape], rotation=tuple(quaternion_of_matrix(turn)),
                              position=(0, 0, high + (0.1 if high > 0 else 0.0)), velocity=(0, 0, -1.0 if high > 0 else 0.0)))
    for body in bodies[::order]:
        m.add(body)
    m.add(da.Contact("c", "hammer", "anvil", friction=0.0, restitution=1.0))
    return m


def corner_on_face(angle):
    R = rotation((0.6, 0.8, 0), angle)
    return (R, CORNERS[np.argmin(CORNERS @ R[2])]), (np.eye(3), (-0.1, -0.07, HALF))


def edge_on_edge(angle, over):
    """The anvil's upper edge along x, tilted to its face by ``angle``; the hammer's lower one along y ends ``over`` beyond it."""
    R, A = rotation((0, 1, 0), 0.3), rotation((1, 0, 0), angle)
    x = min((HALF, -HALF), key=lambda u: R[2] @ (u, 0, -HALF))
    return (R, (x, HALF - over, -HALF)), (A, (0.05, HALF, HALF))


def ridge_on_ridge(yaw):
    """Upper edge and lower edge, both of tilted boxes, that are parallel but for ``yaw``."""
    A = rotation((1, 0, 0), 0.7)
    R = rotation((0, 0, 1), yaw) @ A
    sides = list(itertools.product((-HALF, HALF), repeat=2))
    return (R, (0.03, *min(sides, key=lambda c: R[2] @ (0, *c)))), (A, (0.05, *max(sides, key=lambda c: A[2] @ (0, *c))))


BLOWS = {"corner": corner_on_face(1e-4), "edges": edge_on_edge(2e-3, 0.25), "near its end": edge_on_edge(0.1, 0.005),
         "farther": edge_on_edge(0.1, 0.02), "ridges": ridge_on_ridge(0.01)}


@pytest.mark.parametrize("name", BLOWS)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("kind", ["box", "polyhedron"])
def test_the_normal_is_that_of_what_is_touched(kind, order, name):
    """A face preferred by a part of the size was struck instead: up to 0.1 rad off, the same at every h.  Polyhedra that
    overlapped by rounding were struck at the wrong place of the right side."""
    for h in (2e-3, 5e-4):
        run = da.simulate(blow(kind, order, *BLOWS[name]), times=[0.0, 0.15], contact="stepping", fixed_step=h)
        assert run["anvil"].velocity[-1] == pytest.approx((0, 0, -1), abs=1e-10)
        assert run["hammer"].velocity[-1] == pytest.approx((0, 0, 0), abs=1e-10)


@pytest.mark.parametrize("order", [1, -1])
def test_an_edge_across_a_face_has_two_points_however_long_it_is(order):
    """Where the far ends of the edge are says nothing of what lies on it."""
    for tilt, length in itertools.product((0.0, 1e-5, -1e-4, 1e-3), (1.0, 10.0, 100.0)):
        R = rotation((0, 0, 1), -0.7) @ rotation((1, 0, 0), tilt) @ rotation((0, 1, 0), 0.4)
        wall = (0, 2.5, 0, *np.eye(3).ravel())
        cube = (*(np.array([HALF, 5, 0.1]) + R @ (0.05, HALF, -0.02)), *R.ravel())
        two = Two([(BOX, (HALF, 2.5, length / 2)), (BOX, (HALF,) * 3)][::order], (wall, cube)[::order])
        points, normal = two.touch(0, 1, 0.01)
        assert len(points) == 2
        assert normal == pytest.approx(order * R[:, 1], abs=1e-12)
        assert np.ptp(points[:, 3]) == pytest.approx(np.ptp(points[:, 2]) * abs(np.tan(tilt)), abs=1e-9)
        assert np.ptp(points[:, 2]) == pytest.approx(0.5 / np.cos(0.4), rel=1e-3)


@pytest.mark.parametrize("solid", [False, True], ids=["boxes", "polyhedra"])
def test_both_ends_of_an_edge_that_carries_are_points(solid):
    """A box stands on one side of the octagon that it shares with another, tilted by 8e-3; by 1e-6 more this or the other end of
    that side is the deepest.  What is there is the same: points that are open take nobody's place."""
    def there(R):
        at = (0.02, 0.01, 0.5, *R.ravel())
        two = Two([cube(solid)] * 2, [(0, 0, 0, *np.eye(3).ravel()), at])
        points, _ = two.touch(0, 1, 0.1)
        return sorted(tuple(x) for x in np.round(points[points[:, 3] <= points[:, 3].min() + 1e-3, :2], 3) + 0.0)

    for k in range(8):
        angle = (k // 2) * np.pi / 2 + (0.6 if k % 2 else 0.0)  # of the normal of a side
        axis, across = (-np.sin(angle), np.cos(angle), 0), (np.cos(angle), np.sin(angle), 0)
        R = rotation(axis, 8e-3) @ rotation((0, 0, 1), 0.6)
        one, other = there(rotation(across, 1e-6) @ R), there(rotation(across, -1e-6) @ R)
        assert one == other
        assert len(one) >= 2


def leaning(cubes, shape):
    """Cubes in a row lean on the edge of a long wall, a corner of each on the floor and a face across the edge."""
    r = np.random.default_rng(3)
    m = da.Model("leaning", gravity=(0, 0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Fixture("wall", shapes=[da.Box((0.5, 80, 0.2))], position=(0, 0, 0.1)))
    for k in range(cubes):
        R = rotation((0, 1, 0), r.uniform(0.45, 0.6)) @ rotation((0, 0, 1), r.uniform(0.1, 0.7))
        z = 0.002 - (CORNERS @ R[2]).min()
        x = HALF + (HALF + 0.002 + R[2, 2] * (0.2 - z)) / R[0, 2]
        m.add(da.Body(f"cube {k}", mass=125.0, inertia=(125.0 / 24,) * 3, shapes=[shape], position=(x, 1.5 * k - 0.75 * cubes, z),
                      rotation=tuple(quaternion_of_matrix(R))))
    m.add(da.Contact("touch", "all", "all", friction=0.6))
    return m


@pytest.mark.parametrize("shape", [da.Box((0.5,) * 3), da.Polyhedron([tuple(c) for c in CORNERS])], ids=["box", "polyhedron"])
def test_what_leans_on_a_long_edge_comes_to_rest(shape):
    """With one point at one end of the face or the other it shook for ever, where one sweep has to do."""
    run = da.simulate(leaning(24, shape), 4.0, step=0.5, contact={"direct": 0, "visits": 0})
    x = np.array([run[f"cube {k}"].position for k in range(24)])
    assert np.abs(x[:, -1] - x[:, -3]).max() < 1e-9  # m in the last second
    assert run.stats["contact"]["last"] < 1e-9
