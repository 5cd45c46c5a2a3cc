"""Where the law of contact has no answer, or several: Painlevé's rod in closed form, drives that press; named, with advice.

A uniform rod (length 2 l, mass m) slides on its lower end, which goes ahead, at the angle θ to the floor.  With b the normal rate
of that end in free flight and N its force,

    u̇_n = b + N (1 + 3 cos²θ − 3 μ sin θ cos θ)/m,    b = l ω² sin θ − g

The bracket is negative for μ > (1 + 3 cos²θ)/(3 sin θ cos θ), whose least value is 4/3, at tan θ = 2.  There b < 0 has no answer,
and b > 0 has two: parting, and N > 0.
"""

import numpy as np
import pytest
from scenes import G

import dalembert as da
from dalembert.contacts.events.words import contradicted

STEEP = np.arctan(2.0)


def rod(theta, friction, speed=3.0, omega=0.0, mass=2.0, half=0.5):
    r = 1e-6
    m = da.Model("chalk", dim=2, gravity=(0, -G))
    m.add(da.Fixture("board", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Body("chalk", mass=mass, inertia=mass * half**2 / 3, shapes=[da.Sphere(r, position=(half, 0.0))],
                  position=(-half * np.cos(theta), half * np.sin(theta) + r), angle=-theta, omega=omega,
                  velocity=(speed - omega * half * np.sin(theta), -omega * half * np.cos(theta))))
    m.add(da.Contact("screech", "board", "chalk", friction=friction))
    return m


@pytest.mark.parametrize("friction", [0.5, 1.2, 1.32])
def test_below_four_thirds_a_rod_slides_with_the_force_of_the_closed_form(friction):
    run = da.simulate(rod(STEEP, friction), 1e-6, step=1e-6, contact="events")
    assert run["screech"].force[0][1] == pytest.approx(2.0 * G / (1.6 - 1.2 * friction), rel=1e-3)  # its tip has a radius
    assert run["screech"].force[0][0] == pytest.approx(-friction * run["screech"].force[0][1], rel=1e-12)
    assert "unsure" not in run.stats["contact"]


@pytest.mark.parametrize(("factor", "answered"), [(1.0 - 1e-4, True), (1.0 + 1e-4, False)])
def test_the_critical_friction_is_four_thirds(factor, answered):
    if answered:
        da.simulate(rod(STEEP, factor * 4 / 3), 1e-9, step=1e-9, contact="events")
        return
    with pytest.raises(da.SimulationError, match=r"screech.*Painlevé.*no answer.*stiffness_N_per_m"):
        da.simulate(rod(STEEP, factor * 4 / 3), 1e-9, step=1e-9, contact="events")


@pytest.mark.parametrize(("degrees", "inside"), [(50.0, False), (51.0, True), (72.5, True), (73.5, False)])
def test_the_angles_of_the_paradox(degrees, inside):
    """μ = 1.5: tan²θ − 4.5 tan θ + 4 < 0, from 50.6° to 73.1°."""
    model = rod(np.radians(degrees), 1.5)
    if inside:
        with pytest.raises(da.SimulationError, match="Painlevé"):
            da.simulate(model, 1e-9, step=1e-9, contact="events")
    else:
        da.simulate(model, 1e-9, step=1e-9, contact="events")


@pytest.mark.parametrize("omega", [-8.0, 8.0])
def test_of_two_answers_the_one_that_lasts_is_taken_and_named(omega):
    """l ω² sin θ > g: it may part, or be pressed; a stiff spring in its place would part."""
    run = da.simulate(rod(STEEP, 1.6, omega=omega), 0.01, step=0.001, contact="events")
    assert not np.any(run["screech"].force)
    assert run["chalk"].velocity[-1][1] == pytest.approx(-0.5 * omega * np.cos(STEEP) - 0.01 * G, abs=1e-9)
    assert run.stats["contact"]["unsure"] == 0.0
    assert any("'screech'" in n and "several answers" in n and "Painlevé" in n for n in run.stats["notes"])


def test_a_spring_in_place_of_the_rigid_contact_parts_as_well():
    """What the choice among two answers goes by."""
    m = rod(STEEP, 1.6, omega=8.0)
    m.add(da.Contact("screech again", "board", "chalk", friction=1.6, stiffness_N_per_m=1e7))
    run = da.simulate(m, 0.01, step=0.001)
    assert run["chalk"].velocity[-1][1] == pytest.approx(-4.0 * np.cos(STEEP) - 0.01 * G, abs=1e-2)


def test_sliding_into_the_paradox_is_named():
    """Forces grow without end on the way: the steps become ever shorter, and the reason is told instead."""
    with pytest.raises(da.SimulationError, match=r"screech.*Painlevé.*grow without end") as caught:
        da.simulate(rod(np.radians(30), 2.0, speed=10.0, omega=-1.0, mass=1.0, half=1.0), 0.5, step=0.01, contact="events")
    assert caught.value.run.t[-1] > 0.05


def test_auto_tells_it_too():
    with pytest.raises(da.SimulationError, match=r"screech.*Painlevé"):
        da.simulate(rod(STEEP, 2.0), 0.1)


def vice(gap):
    """A ball between a wall and a jaw that a drive closes; ``gap``: what is left beside the ball at first."""
    m = da.Model("vice", dim=2)
    m.add(da.Fixture("wall", shapes=[da.HalfSpace((1, 0))]))
    m.add(da.Body("ball", mass=1.0, inertia=0.004, shapes=[da.Sphere(0.1)], position=(0.1 + 0.5 * gap, 0.0)))
    m.add(da.Body("jaw", mass=1.0, inertia=1.0, shapes=[da.Box((0.2, 0.4))], position=(0.3 + gap, 0.0)))
    m.add(da.Prismatic("guide", "ground", "jaw", at=(0.3, 0.0), axis=(1, 0)))
    m.add(da.Drive("close", "guide", "-0.5*t"))
    m.add(da.Contact("left", "wall", "ball", friction=0.2))
    m.add(da.Contact("right", "jaw", "ball", friction=0.2))
    return m


def test_a_drive_that_closes_on_a_ball_is_named_with_both_places():
    """Each of the two places gives way for itself; together they do not."""
    with pytest.raises(da.SimulationError, match=r"'left'.*'right'.*drives press the bodies together") as caught:
        da.simulate(vice(0.05), 1.0, step=0.01, contact="events")
    assert caught.value.run.t[-1] == pytest.approx(0.1, abs=0.011)


def test_only_places_that_cannot_give_way_are_named():
    N = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, 1.0], [0.5, 0.0, 0.0]])
    assert contradicted(N, np.array([-1.0, -1.0, -0.5, -2.0]), 1.0) == [1, 2]
    assert contradicted(N, np.array([-1.0, 1.0, -0.5, -2.0]), 1.0) == []
    assert contradicted(np.zeros((1, 2)), np.array([-1e-9]), 1.0) == [0]
