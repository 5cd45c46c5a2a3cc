"""PinInSlot: a pin of j slides in a straight slot of i (plane).

    on_line (1 row); axis is the slot's direction, fixed on i.

Reaction: a force across the slot, at the pin.  Coordinate: how far the pin is along the slot.
"""

from dalembert.elements.joints.joint import _Joint


class PinInSlot(_Joint):
    """A pin of j slides in a straight slot of i."""

    dims = (2,)
    free = {2: ("Tx", "Rz")}
    needs_axis = (2,)
    coordinate_name = {"slide": "slide"}

    def recipe(self, b, i, j):
        b.on_line(i, j)
