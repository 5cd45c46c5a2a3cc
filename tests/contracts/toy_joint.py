"""Ring: a joint that is new to everyone: the points of i and j stay together in the direction across the axis of i (plane)."""

from dalembert.elements.joints.joint import BaseJoint


class Ring(BaseJoint):
    """j's point stays on the line through i's point along the axis, held by a ring that nothing else knows of."""

    dims = (2,)
    free = {2: ("Tx", "Rz")}
    needs_axis = (2,)
    coordinate_name = {"slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
