"""PinInSlot: a pin of j slides in a straight slot of i (plane).

    on_line (1 row); axis is the slot's direction, fixed on i.

Reaction: a force across the slot, at the pin.  Coordinate: how far the pin is along the slot.
"""

from dalembert.elements.joints.joint import BaseJoint


class PinInSlot(BaseJoint):
    """A pin of j slides in a straight slot of i."""

    drawn_as = "slot"
    dims = (2,)
    free = {2: ("Tx", "Rz")}
    needs_axis = (2,)
    coordinate_name = {"slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
