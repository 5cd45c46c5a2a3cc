"""What the law leaves open is shared alike: a part between two fingers, each guided by a slide that takes any moment."""

import math

import numpy as np
import pytest

import dalembert as da

G, MASS, FORCE, LIFT, OMEGA = 9.81, 4.0, 40.0, 0.3, math.pi / 2
LEAST = MASS * (G + LIFT / 2 * OMEGA**2) / (2 * FORCE)  # μ that holds while the hand goes up


def gripper(friction, turn=None):
    """The catalogue's gripper in space, four points on either side; turned as a whole."""
    R = np.eye(3) if turn is None else turn
    at = lambda *x: tuple(R @ np.array(x, float))  # noqa: E731
    m = da.Model("gripper", gravity=at(0, -G, 0))
    m.add(da.Fixture("table", shapes=da.Box((1.0, 0.1, 1.0)), position=at(0, -0.05, 0), rotation=R))
    m.add(da.Body.from_shape("part", da.Box((0.2, 0.2, 0.2)), mass=MASS, position=at(0, 0.1, 0), rotation=R))
    hand = m.add(da.Body.from_shape("hand", da.Box((0.7, 0.08, 0.2)), mass=2.0, position=at(0, 0.5, 0), rotation=R))
    m.add(da.Prismatic("column", m.ground, hand, axis=at(0, 1, 0)))
    m.add(da.Drive("hoist", "column", f"{LIFT}/2*(1 - cos({OMEGA}*t))"))
    for name, s in (("left", -1), ("right", 1)):
        finger = m.add(da.Body.from_shape(f"{name} finger", da.Box((0.06, 0.36, 0.2)), mass=0.5, position=at(s * 0.13, 0.26, 0),
                                          rotation=R))
        m.add(da.Prismatic(f"{name} slide", hand, finger, axis=at(-s, 0, 0)))
        m.add(da.Motor(f"{name} cylinder", f"{name} slide", FORCE))
    m.add(da.Contact("on the table", "table", "part", friction=friction))
    m.add(da.Contact("grip", ["left finger", "right finger"], "part", friction=friction))
    return m


def slipped(run, R):
    """Way of the part against the hand along the lift, and by how much it turned."""
    way = (run["part"].position - run["hand"].position) @ R[:, 1]
    turned = np.reshape(run["part"].rotation, (-1, 3, 3)) - R
    return way - way[0], float(np.abs(turned).max())


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_between_guided_fingers_is_held_above_the_threshold_and_slides_straight_below(turned):
    R = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0] if turned else np.eye(3)
    R = R * np.sign(np.linalg.det(R))
    run = da.simulate(gripper(1.002 * LEAST, R), 0.3, step=0.1)
    way, turn = slipped(run, R)
    assert np.abs(way).max() < 1e-6
    assert turn < 1e-4
    run = da.simulate(gripper(0.98 * LEAST, R), 0.3, step=0.1)
    way, turn = slipped(run, R)
    a = 0.98 * 2 * LEAST * FORCE / MASS - G  # it goes up, slower than the hand
    assert way == pytest.approx(0.5 * a * run.t**2 - LIFT / 2 * (1 - np.cos(OMEGA * run.t)), abs=2e-5)
    assert way[-1] < -5e-3
    assert turn < 1e-4
