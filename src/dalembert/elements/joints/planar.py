"""Planar: j's point stays on a plane of i and the normals stay parallel (two translations, one rotation).

    on_plane + align (3 rows); axis is the normal.

Reaction: a force along the normal and a torque across it.
"""

from dalembert.elements.joints.joint import BaseJoint


class Planar(BaseJoint):
    """j's point stays on a plane of i and the normals stay parallel (two translations, one rotation)."""

    drawn_as = "plane"
    dims = (3,)
    free = {3: ("Tx", "Ty", "Rz")}
    place_optional = True
    coordinate_name = {"angle": "angle"}

    def recipe(self, b, i, j):
        b.on_plane(i, j)
        b.align(i, j)
