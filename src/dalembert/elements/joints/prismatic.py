"""Prismatic: a slide: one translation along the axis.

    plane: on_line + lock (2 rows)          space: on_line + lock (5 rows)

Reaction: a force across the axis and a torque; no force along it.  Coordinate: how far j's point is along i's axis.
"""

from dalembert.elements.joints.joint import BaseJoint


class Prismatic(BaseJoint):
    """a slide: one translation along the axis."""

    drawn_as = "slide"
    free = {2: ("Tx",), 3: ("Tz",)}
    needs_axis = (2, 3)
    place_optional = True
    coordinate_name = {"slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
        b.lock(i, j)
