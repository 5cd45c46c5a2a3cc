"""A slider-crank whose piston strikes a loose block: blows through closed loops.

The block lies on the floor in the piston's way; every blow goes through pin, rod and crank at once, the loop stays closed, and
the block slides away until friction stops it.
"""

from math import pi

import dalembert as da
from dalembert.catalog import slider_crank


def make(*, angle=pi / 2, speed=10.0, restitution=0.5, friction=0.3, mass=1.0, **kw):
    """The free slider-crank of the catalogue with a block of ``mass`` before it."""
    m = slider_crank.make(angle=angle, speed=speed, **kw)
    m.name = "striking crank"
    m.parameters["epsilon"], m.parameters["mu"], m.parameters["m_block"] = restitution, friction, mass
    m.add(da.Fixture("floor", shapes=da.HalfSpace((0, 1), position=(0, -0.05))))
    m.add(da.Body.from_shape("block", da.Box((0.1, 0.1)), mass="m_block", position=(0.53, 0.0), material="#d9565b"))
    m.add(da.Contact("slide", "floor", "block", friction="mu"))
    m.add(da.Contact("blow", "piston", "block", friction=0.0, restitution="epsilon"))
    return m
