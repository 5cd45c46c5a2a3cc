"""Spherical: a ball and socket.

    coincide (3 rows)

Reaction: a force at the centre, no torque.
"""

from dalembert.elements.joints.joint import BaseJoint


class Spherical(BaseJoint):
    """a ball and socket."""

    drawn_as = "ball"
    dims = (3,)
    free = {3: ("Rx", "Ry", "Rz")}
    needs_axis = ()

    def recipe(self, b, i, j):
        b.coincide(i, j)
