"""A four-bar linkage whose rocker runs against a stop: blows through a closed loop, until it leans there."""

import dalembert as da
from dalembert.catalog import four_bar


def make(*, angle=0.8, speed=-4.0, restitution=0.5, friction=0.2, stop=0.2):
    """The free four-bar of the catalogue, with a knob on its rocker and a wall ``stop`` metres to the left of it."""
    m = four_bar.make(angle=angle, speed=speed)
    m.name = "four-bar against a stop"
    top = four_bar.points(angle)[2]
    m.parameters["epsilon"], m.parameters["mu"] = restitution, friction
    m.add(da.Body("knob", mass=0.1, inertia=1e-4, position=top, shapes=[da.Sphere(0.04)]))
    m.add(da.Weld("fixing", "rocker", "knob", at=top))
    m.add(da.Fixture("wall", shapes=[da.HalfSpace((1, 0), position=(top[0] - 0.04 - stop, 0))]))
    m.add(da.Contact("stop", "wall", "knob", friction="mu", restitution="epsilon"))
    return m
