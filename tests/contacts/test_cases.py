"""Closed forms that time stepping must meet, in plane and space, turned, and in other units (cases of the benchmark data)."""

import numpy as np
import pytest
from scenes import G

import dalembert as da


def test_a_cube_holds_on_a_slope(stage):
    """20°, μ = 0.5: no creep at all, and the forces of statics."""
    m = stage.model(slope=np.radians(20))
    stage.body(m, "cube", stage.box(0.5, 0.5), (0, 0.25), mass=125.0, moment=125 * 0.5 / 12)
    m.add(da.Contact("c", "floor", "cube", friction=0.5))
    run = stage.run(m, 2.0, 0.1)
    velocity = stage.read(run["cube"].velocity, stage.speed)
    assert np.abs(velocity).max() < 1e-12
    force = stage.read(run["c"].force, stage.force)
    assert force[-1] == pytest.approx([-419.4022007531013, 1152.2980762387201], rel=1e-9)
    assert np.abs(stage.read(run["cube"].acceleration, stage.length / stage.time**2)).max() < 1e-9
    assert run.certificate.stats["contact"]["residual"] < 1e-9 * stage.speed


def test_a_cube_slides_down_a_slope(stage):
    """30°, μ = 0.3: second order, no lift (a convexified law lifts by μ v h in every step)."""
    m = stage.model(slope=np.radians(30))
    stage.body(m, "cube", stage.box(0.5, 0.5), (0, 0.25), mass=125.0, moment=125 * 0.5 / 12)
    m.add(da.Contact("c", "floor", "cube", friction=0.3))
    run = stage.run(m, 1.0, 0.05, h=1 / 240)
    end = stage.read(run["cube"].position[-1], stage.length)
    assert end[0] == pytest.approx(1.1781436183311982, rel=1e-9)
    assert abs(end[1] - 0.25) < 1e-6
    assert stage.read(run["cube"].velocity[-1], stage.speed)[0] == pytest.approx(2.3562872366623964, rel=1e-9)
    lost = run.stats["contact"]["friction"] / (stage.force * stage.length)
    assert lost == pytest.approx(0.3 * 125 * G * np.cos(np.radians(30)) * 1.1781436183311982, rel=1e-9)
    assert run.energy.residual.max() < 1e-9 * lost * stage.force * stage.length


def test_a_sphere_skids_and_rolls(stage):
    m = stage.model()
    stage.body(m, "ball", stage.ball(0.1), (0, 0.1), moment=0.4 * 0.01, velocity=(2.0, 0.0))
    m.add(da.Contact("c", "floor", "ball", friction=0.2))
    run = stage.run(m, 0.5, 0.01)
    v = stage.read(run["ball"].velocity, stage.speed)[:, 0]
    assert v[-1] == pytest.approx(10 / 7, rel=1e-9)
    rolled = run.t[np.flatnonzero(np.abs(v - v[-1]) > 1e-9)[-1]] / stage.time
    assert 0.27 < rolled < 0.2913
    assert abs(run["c"].power[-1]) < 1e-9 * stage.force * stage.speed


def test_a_ball_bounces_and_comes_to_rest(stage):
    """Heights e²ᵏ, Zeno's end and the energy: all lost in impacts."""
    m = stage.model()
    stage.body(m, "ball", stage.ball(0.1), (0, 1.1), moment=0.004)
    m.add(da.Contact("c", "floor", "ball", friction=0.0, restitution=0.8))
    run = stage.run(m, 4.5, 0.01)
    z = stage.read(run["ball"].position, stage.length)[:, 1] - 0.1
    tops = [z[k] for k in range(1, len(z) - 1) if z[k] > z[k - 1] and z[k] >= z[k + 1]][:5]
    assert tops == pytest.approx([0.64, 0.4096, 0.262144, 0.16777216, 0.1073741824], rel=0.01)
    speed = np.abs(stage.read(run["ball"].velocity, stage.speed)[:, 1])
    moving = run.t[np.flatnonzero(speed > 1e-6)[-1]] / stage.time
    assert abs(moving - 4.063712768871578) < 0.03
    assert run.stats["contact"]["impact"] / (stage.force * stage.length) == pytest.approx(G, rel=1e-3)
    assert np.diff(run.energy.kinetic + run.energy.potential).max() < 1e-9 * G * stage.force * stage.length


@pytest.mark.parametrize(("friction", "vt", "omega"), [(0.05, 2.64, 9.0), (0.5, 2.142857142857143, 21.428571428571427)])
def test_an_oblique_bounce(stage, friction, vt, omega):
    m = stage.model(gravity=0.0)
    stage.body(m, "ball", stage.ball(0.1), (0, 0.12), moment=0.4 * 0.01, velocity=(3.0, -4.0))
    m.add(da.Contact("c", "floor", "ball", friction=friction, restitution=0.8))
    run = stage.run(m, 0.05, 0.05, h=1e-3)
    assert stage.read(run["ball"].velocity[-1], stage.speed) == pytest.approx([vt, 3.2], rel=1e-9)
    assert np.abs(run["ball"].omega[-1]).max() * stage.time == pytest.approx(omega, rel=1e-9)


def test_a_block_rocks(stage):
    """Housner's block: after the impact about its other edge, which the old one must let go."""
    alpha, start, height = np.radians(15), np.radians(8), 0.5
    width = height * np.tan(alpha)
    m = stage.model()
    at = (width * np.cos(start) - height * np.sin(start), width * np.sin(start) + height * np.cos(start))
    mass = 1000 * 4 * width * height
    stage.body(m, "block", stage.box(2 * width, 2 * height, 0.3), at, mass=mass, moment=mass * (width**2 + height**2) / 3,
               tilt=start)
    m.add(da.Contact("c", "floor", "block", friction=2.0))
    run = stage.run(m, 0.75, 1 / 240, h=1 / 960)
    up = stage.read(run["block"].rotation[:, :, 2 if stage.dim == 3 else 1], 1.0)  # the block's own upward axis
    angle = np.degrees(np.arctan2(-up[:, 0], up[:, 1]))
    crossing = int(np.argmax(angle < 0))
    assert run.t[crossing] / stage.time == pytest.approx(0.37090247, abs=1 / 200)
    assert np.abs(angle[crossing:]).max() == pytest.approx(5.91865549, rel=5e-3)


def test_a_friction_oscillator_stops(stage):
    """A mass with a spring on a floor: 2 μ m g/k lost per half swing, and a static force at the end."""
    m = stage.model()
    stage.body(m, "mass", stage.box(0.1, 0.1), (0.1, 0.05), moment=0.01)
    k = 100.0 * stage.force / stage.length
    m.add(da.Spring("spring", "ground", "mass", at_i=stage.place(-1, 0), at_j=stage.place(0.1, 0), stiffness=k,
                    length=stage.length))
    m.add(da.Contact("c", "floor", "mass", friction=0.1))
    run = stage.run(m, 0.6 * np.pi, np.pi / 50, h=5e-4)  # half a swing takes π/10 s: five samples
    x = stage.read(run["mass"].position, stage.length)[:, 0]
    assert x[[5, 10, 15, 20, 25]] == pytest.approx([-0.08038, 0.06076, -0.04114, 0.02152, -0.0019], abs=2e-6)
    assert x[-1] == pytest.approx(-0.0019, abs=2e-6)
    assert stage.read(run["c"].force[-1], stage.force) == pytest.approx([-0.19, G], abs=2e-4)


@pytest.mark.parametrize(("degrees", "holds"), [(57.0, True), (56.0, False)])
def test_a_ladder_holds_or_slides(stage, degrees, holds):
    """Rod between floor and wall, μ = 0.3 at both: tan α = (1 − μ²)/(2 μ), 56.60°."""
    m, a, r = stage.model(), np.radians(degrees), 1e-4
    m.add(da.Fixture("wall", shapes=[da.HalfSpace(stage.direction(1, 0))]))
    ends = [stage.ball(r, (2.0, 0.0)), stage.ball(r, (-2.0, 0.0))]
    stage.body(m, "rod", ends, (2 * np.cos(a) + r, 2 * np.sin(a) + r), mass=10.0, moment=10 * 16 / 12, tilt=-a)
    m.add(da.Contact("c", ["floor", "wall"], "rod", friction=0.3))
    run = stage.run(m, 0.5, 0.05, h=1e-3)
    assert (np.abs(run["rod"].velocity[-1]).max() < 1e-6 * stage.speed) == holds


@pytest.mark.parametrize(("arm", "holds"), [(0.201, True), (0.199, False)])
def test_a_collar_jams_or_slides(stage, arm, holds):
    """Length b on a rod with a play of 1e-4 b, a load at the distance a: it locks if a > b/(2 μ) = 0.2 m."""
    b, mu, rod, side, load = 0.1, 0.25, 0.02, 0.02, 10.0
    m = stage.model(gravity=0.0)
    m.add(da.Fixture("rod", shapes=[stage.box(rod, 2.0)], position=stage.place(0, 2.0), **stage.upright()))
    inner = 0.5 * (rod + 1e-4 * b)  # half the clear width; tilted so that two corners touch: ½ b sin θ = inner cos θ − ½ rod
    tilt = np.arccos(0.5 * rod / np.hypot(0.5 * b, inner)) - np.arctan2(0.5 * b, inner)
    off = inner + 0.5 * side
    stage.body(m, "collar", [stage.box(side, b, at=(-off, 0.0)), stage.box(side, b, at=(off, 0.0))], (0.0, 2.0), moment=0.01,
               tilt=-tilt)
    m.add(da.Force("load", "collar", tuple(load * stage.force * np.array(stage.direction(0, -1))), at=stage.place(arm, 2.0)))
    m.add(da.Contact("c", "rod", "collar", friction=mu))
    run = stage.run(m, 0.5, 0.05, h=5e-4)
    fall = stage.read(run["collar"].velocity[-1], stage.speed)[1]
    assert fall == pytest.approx(0.0 if holds else -0.5 * load * (1 - 2 * mu * arm / b), abs=1e-6 if holds else 2e-3)


def test_a_shove_stops_in_its_direction(space):
    """Run-out and direction on a floor, in space only: a pyramid of friction misses both."""
    stage = space
    m = stage.model()
    v = stage.velocity(3 * np.cos(0.5), 0.0, 3 * np.sin(0.5))
    m.add(da.Body.from_shape("box", stage.box(0.5, 0.1), mass=25.0 * stage.mass, position=stage.place(0, 0.05), velocity=v,
                             rotation=stage.turn))
    m.add(da.Contact("c", "floor", "box", friction=0.3))
    run = stage.run(m, 1.2, 0.05)
    way = (run["box"].position[-1] - run["box"].position[0]) @ stage.turn / stage.length
    assert np.hypot(way[0], way[1]) == pytest.approx(1.529051987767584, rel=1e-4)
    assert np.degrees(np.arctan2(way[1], way[0]) - 0.5) == pytest.approx(0.0, abs=1e-3)
    assert np.abs(run["box"].velocity[-1]).max() < 1e-12 * stage.speed
