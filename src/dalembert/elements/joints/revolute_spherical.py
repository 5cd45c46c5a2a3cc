"""RevoluteSpherical: a massless link hinged on i and with a ball on j.

    axis_i · d = 0 (DP2) and |d| = l (2 rows): j's point moves on a circle about the hinge axis.

Reaction: −λ of the distance pushes along the link; −λ of the other row is the force on j along the hinge axis.
"""

from dalembert.elements.joints.distance import Distance


class RevoluteSpherical(Distance):
    """A massless link: hinge about ``axis`` on i at at_i, ball on j at at_j."""

    drawn_as = "hinged link"
    dims = (3,)

    def __init__(self, name, i, j, *, axis=None, axis_i=None, at_i=None, at_j=None, on_i=None, on_j=None, length=None):
        super().__init__(name, i, j, at_i=at_i, at_j=at_j, on_i=on_i, on_j=on_j, length=length)
        self.axis, self.axis_i = axis, axis_i

    def build(self, b):
        i, j = b.point_markers(self, axis=self.axis, axis_i=self.axis_i)
        b.hold(b.distance(i, j), self.held_length(b, i, j), "distance")
        b.hold(b.dot_offset(i, 2, j), 0.0, "translation along the hinge axis")
