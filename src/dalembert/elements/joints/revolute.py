"""Revolute: a hinge: one rotation about the axis.

    plane: coincide (2 rows)          space: coincide + align (5 rows)

Reaction: the force at the hinge; in space also a torque across the axis (none about it).
"""

from dalembert.elements.joints.joint import BaseJoint


class Revolute(BaseJoint):
    """a hinge: one rotation about the axis."""

    drawn_as = "hinge"
    free = {2: ("Rz",), 3: ("Rz",)}
    coordinate_name = {"angle": "angle"}

    def recipe(self, b, i, j):
        b.coincide(i, j)
        b.align(i, j)
