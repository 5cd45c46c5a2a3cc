"""Floors of shapes that lie flush: what slides over a seam is not stopped, what stands in the way stops it."""

import math

import numpy as np
import pytest
from convex_pairs import Two, place_of, polyhedron_of, turn

import dalembert as da
from dalembert.contacts.hulls import neighbours
from dalembert.contacts.tables import BOX

G = 9.81


def turned(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    return [(c * x - s * y, s * x + c * y, *rest) for x, y, *rest in points]


def about_z(dim, angle):
    return angle if dim == 2 else ("z", angle)


def tiles(dim, kind, lengths, angle):
    """A row of flush tiles, tops at y = 0 before the floor is turned, the first one begins at x = −0.5."""
    found, x = [], -0.5
    for length in lengths:
        if kind == "box":
            at = turned([(x + 0.5 * length, -0.1, *(0.0,) * (dim - 2))], angle)[0]
            found.append(da.Box((length, 0.2, 2.0)[:dim], position=at, rotation=about_z(dim, angle)))
        else:
            flat = [(x, -0.2), (x + length, -0.2), (x + length, 0.0), (x, 0.0)]
            found.append(da.Polygon(turned(flat, angle)) if dim == 2 else
                         da.Polyhedron(turned([(*p, z) for p in flat for z in (-1.0, 1.0)], angle)))
        x += length
    return found


def slider(dim, what):
    """A shape, how it is turned on a floor along x, and the height of its centre over it."""
    if what == "box":
        return da.Box((0.3, 0.1, 0.3)[:dim]), None, 0.05
    if what == "sled":  # its nose rises by 45°
        flat = [(-0.15, -0.05), (0.05, -0.05), (0.15, 0.05), (-0.15, 0.05)]
        return (da.Polygon(flat) if dim == 2 else da.Polyhedron([(*p, z) for p in flat for z in (-0.1, 0.1)])), None, None
    if what == "ball":
        return da.Sphere(0.05), None, 0.05
    if what == "capsule":  # along the way in space
        return da.Capsule(0.05, 0.2), ("y", math.pi / 2) if dim == 3 else None, 0.05
    return da.Cylinder(0.15, 0.1), ("x", math.pi / 2), 0.05  # stands


def scene(dim, kind, what, seed, *, friction=0.0, drop=0.0, more=(), speed=None, restitution=0.0):
    random = np.random.default_rng(seed)
    angle, speed = random.uniform(-1.0, 1.0), speed or random.uniform(0.5, 4.0)
    lengths = random.uniform(0.2, 0.7, 12)
    rest = (0.0,) * (dim - 2)
    m = da.Model("tiles", dim=dim, gravity=turned([(0.0, -G, *rest)], angle)[0])
    m.add(da.Fixture("floor", shapes=[*tiles(dim, kind, lengths, angle), *(f(angle) for f in more)]))
    shape, how, height = slider(dim, what)
    turn = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1.0]])
    if dim == 3 and how is not None:
        a = how[1]
        own = {"x": [[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]],
               "y": [[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]]}[how[0]]
        turn = turn @ np.array(own)
    pose = {"angle": angle} if dim == 2 else {"rotation": turn.tolist()}
    b = da.Body.from_shape("b", shape, mass=random.uniform(0.1, 10.0), velocity=turned([(speed, 0.0, *rest)], angle)[0], **pose,
                           position=turned([(0.0, (0.05 if height is None else height) + drop, *rest)], angle)[0])
    m.add(b)
    m.add(da.Contact("c", "floor", "b", friction=friction, restitution=restitution))
    return m, angle, speed


def seen(run, angle, what):
    return np.array(turned(getattr(run["b"], what), -angle))


CASES = [(dim, kind, what) for dim in (2, 3) for kind in ("box", "polygon") for what in ("box", "sled", "ball", "capsule")]
CASES += [(3, "box", "cylinder"), (3, "polygon", "cylinder")]


@pytest.mark.parametrize(("dim", "kind", "what"), CASES)
def test_without_friction_the_speed_stays(dim, kind, what):
    """Random rows of tiles, whole floors turned: v₁ = v₀ to 1e-9, nobody hops or sinks, nothing is lost."""
    for seed in (1, 2, 3):
        m, angle, speed = scene(dim, kind, what, seed)
        run = da.simulate(m, 2.0 / speed, step=0.5 / speed, contact="stepping")
        v, x = seen(run, angle, "velocity"), seen(run, angle, "position")
        assert abs(v[-1, 0] / speed - 1.0) < 1e-9
        assert x[-1, 0] - x[0, 0] == pytest.approx(2.0, rel=1e-9)
        assert np.ptp(x[:, 1]) < 1e-6
        assert run.certificate.doubts() == []


@pytest.mark.parametrize(("dim", "kind"), [(2, "box"), (2, "polygon"), (3, "box"), (3, "polygon")])
def test_with_friction_the_way_is_the_closed_form(dim, kind):
    """x = v t − ½ μ g t² over seams as on one floor; then it stands."""
    for seed in (4, 5):
        m, angle, speed = scene(dim, kind, "box", seed, friction=0.3, speed=3.0)
        run = da.simulate(m, 1.5, step=0.1, contact="stepping")
        t = np.minimum(run.t, speed / (0.3 * G))
        x = seen(run, angle, "position")
        assert np.abs(x[:, 0] - x[0, 0] - speed * t + 0.15 * G * t * t).max() < 1e-6


@pytest.mark.parametrize(("dim", "kind"), [(2, "box"), (2, "polygon"), (3, "box"), (3, "polygon")])
def test_landing_on_seams_takes_the_fall_only(dim, kind):
    """Dropped flat, sliding: e = 0 takes m g drop; with e = 0.5 it bounces over seams.  The speed along the floor stays."""
    for e, drop in ((0.0, 0.02), (0.5, 0.1)):
        m, angle, speed = scene(dim, kind, "box", 6, drop=drop, restitution=e)
        run = da.simulate(m, 2.0 / speed, step=0.5 / speed, contact="stepping")
        assert abs(seen(run, angle, "velocity")[-1, 0] / speed - 1.0) < (1e-5 if e > 0.0 else 1e-8)  # slop/size: 1e-5
        if e == 0.0:
            assert run.touching.impact[-1] == pytest.approx(m.bodies["b"].mass * G * drop, rel=1e-3)


@pytest.mark.parametrize(("dim", "kind", "what"), [(2, "box", "box"), (2, "polygon", "ball"), (3, "box", "box"),
                                                   (3, "polygon", "ball")])
def test_what_stands_on_the_floor_stops_it(dim, kind, what):
    """A wall, and a kerb of 5 mm that a box does not climb: the blow takes ½ m v², and it stands before it."""
    for height in (0.3, 5e-3) if what == "box" else (0.3,):
        wall = lambda angle, h=height: da.Box((0.1, h, 2.0)[:dim], rotation=about_z(dim, angle),  # noqa: E731
                                              position=turned([(1.05, 0.5 * h, *(0.0,) * (dim - 2))], angle)[0])
        m, angle, speed = scene(dim, kind, what, 7, more=(wall,), speed=1.0)
        run = da.simulate(m, 1.5, step=0.5, contact="stepping")
        if height > 0.1:
            half = 0.15 if what == "box" else 0.05
            assert seen(run, angle, "position")[-1, 0] == pytest.approx(1.0 - half, abs=1e-6)
            assert run.touching.impact[-1] == pytest.approx(0.5 * m.bodies["b"].mass * speed**2, rel=1e-6)
        else:
            assert seen(run, angle, "velocity")[-1, 0] < 0.5


def test_a_ball_rolls_off_the_last_tile_as_off_one_floor():
    """The edge at the end of a row is a real one: the way down is that from a single box."""
    ends = []
    for shapes in ([da.Box((0.5, 0.2), position=(0.5 * k, -0.1)) for k in range(3)],
                   [da.Box((1.5, 0.2), position=(0.5, -0.1))]):
        m = da.Model("edge", dim=2, gravity=(0, -G))
        m.add(da.Fixture("floor", shapes=shapes))
        m.add(da.Body.from_shape("b", da.Sphere(0.1), mass=1, position=(0.6, 0.1), velocity=(0.3, 0), omega=-3.0))
        m.add(da.Contact("c", "floor", "b", friction=0.5))
        run = da.simulate(m, 2.5, step=0.5, contact="stepping", fixed_step=1e-3)
        ends.append([*run["b"].position[-1], *run["b"].velocity[-1]])
    assert ends[0][0] > 1.3 and ends[0][1] < -0.1
    assert np.allclose(ends[0], ends[1], rtol=1e-6, atol=1e-6)


def test_boxes_stand_on_seams_and_beside_each_other():
    """A wall of flush boxes over flush tiles: corners meet corners, and nothing creeps."""
    m = da.Model("wall", dim=2, gravity=(0, -G))
    m.add(da.Fixture("floor", shapes=[da.Box((0.3, 0.2), position=(0.3 * k, -0.1)) for k in range(4)]))
    at = {}
    for row in range(3):
        for k in range(3):
            at[f"b{row}{k}"] = (0.2 * k + 0.25, 0.1 + 0.2 * row)
            m.add(da.Body.from_shape(f"b{row}{k}", da.Box((0.2, 0.2)), mass=1, position=at[f"b{row}{k}"]))
    m.add(da.Contact("c", "all", "all", friction=0.3))
    run = da.simulate(m, 1.0, step=0.5, contact="stepping")
    for name, place in at.items():
        assert np.abs(run[name].position[-1] - place).max() < 1e-6 and abs(run[name].angle[-1]) < 1e-6


def test_neighbours_are_of_one_body():
    """Shapes that touch, of the same body: by their boxes in its axes."""
    place = lambda x: [x, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]  # noqa: E731
    corners = np.array([[i, j, k] for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)], float)
    a = {"kind": np.full(4, BOX), "round": np.zeros(4), "hull": np.array([[8 * k, 8, 0, 0] for k in range(4)]).ravel(),
         "corner": np.tile(corners, (4, 1)).ravel(), "body": np.array([0, 0, 0, 1]), "scale": np.full(4, 2.0),
         "local": np.array([place(0.0), place(2.0), place(4.01), place(2.0)]).ravel()}
    assert neighbours(a, 4e-4) == {(0, 1)}


@pytest.mark.parametrize("kind", ["box", "polygon"])
def test_a_floor_of_tiles_is_not_followed_from_event_to_event_by_itself(kind):
    """Few places: "auto" would follow them, but seams are edges there; one who asks for events is told."""
    def scene(shapes):
        m = da.Model("tiles", dim=2, gravity=(0, -G))
        m.add(da.Fixture("floor", shapes=shapes))
        m.add(da.Body.from_shape("box", da.Box((0.3, 0.2)), mass=1.0, position=(0.0, 0.1), velocity=(2.0, 0.0)))
        m.add(da.Contact("c", "floor", "box", friction=0.0))
        return m

    run = da.simulate(scene(tiles(2, kind, (1.0, 0.7), 0.0)), 0.4)
    assert any("time stepping, for shapes of 'floor' lie flush" in note for note in run.stats["notes"])
    assert run["box"].velocity[-1, 0] == pytest.approx(2.0, rel=1e-9)
    asked = da.simulate(scene(tiles(2, kind, (1.0, 0.7), 0.0)), 0.1, contact="events")
    assert any("lie flush" in note for note in asked.stats["notes"])
    for apart in ([*tiles(2, kind, (1.0,), 0.0), da.Box((0.2, 0.5), position=(0.9, 0.05))], tiles(2, kind, (1.7,), 0.0)):
        run = da.simulate(scene(apart), 0.1)
        assert any("from event to event" in note for note in run.stats["notes"]), run.stats["notes"]


@pytest.mark.parametrize("solid", [False, True], ids=["boxes", "polyhedra"])
def test_a_small_box_over_the_edge_of_a_large_one_is_not_beside_it(solid):
    """It overlaps by more than its own slop beyond both faces of the edge, by less than that of the large one."""
    random = np.random.default_rng(4)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    for _ in range(6):
        T, small = turn(random), random.uniform(4e-3, 6e-3)
        x, z = random.uniform(2e-5, 4e-5), random.uniform(6e-5, 9e-5)
        two = [polyhedron_of(h * corners) if solid else (BOX, (h,) * 3) for h in (0.5, small)]
        at = T @ np.array([0.5 + small - x, random.uniform(-0.3, 0.3), 0.5 + small - z])
        points, n = Two(two, [place_of(np.zeros(3), T), place_of(at, T)]).touch(margin=0.01)
        assert len(points) >= 2
        assert n == pytest.approx(T[:, 0], abs=1e-9)
        assert points[:, 3].min() == pytest.approx(-x, abs=1e-12)
