"""Weld: no relative motion.

    plane: coincide + lock (3 rows)          space: coincide + lock (6 rows)

Reaction: any force and any torque.
"""

from dalembert.elements.joints.joint import BaseJoint


class Weld(BaseJoint):
    """no relative motion."""

    drawn_as = "block"
    free = {2: (), 3: ()}
    needs_axis = ()

    def recipe(self, b, i, j):
        b.coincide(i, j)
        b.lock(i, j)
