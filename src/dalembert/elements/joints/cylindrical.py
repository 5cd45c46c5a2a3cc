"""Cylindrical: rotation about the axis and translation along it.

    on_line + align (4 rows)

Reaction: force and torque across the axis.  Coordinates: angle (main) and slide.
"""

from dalembert.elements.joints.joint import BaseJoint


class Cylindrical(BaseJoint):
    """rotation about the axis and translation along it."""

    drawn_as = "slide"
    dims = (3,)
    free = {3: ("Rz", "Tz")}
    coordinate_name = {"angle": "angle", "slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
        b.align(i, j)
