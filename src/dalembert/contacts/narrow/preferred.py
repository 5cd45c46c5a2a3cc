"""By how much faces are preferred where shapes lie on each other, so that the features of what rests do not flicker.

Two sides that lie on each other differ by what a gap may miss zero by, the slop, over their length: their separations by two of
it.  So faces of the first are preferred to those of the second by a part of the slop, faces to edges by some of it, and edges
that cross at a sine smaller than so much of it over the size have no normal of their own.  More would be a wrong normal, and so
an error that no shorter step mends (the slop goes down with the step): two edges that crossed at a tenth of a radian to both
faces were struck along a face's normal, when they were preferred by a part of the size.
"""

from dalembert._jit import inline

FACE, EDGE = 0.25, 5.0  # of the slop
CROSSING = 125.0  # of the slop over the scale: a sine
COARSE = 4e-4  # of the scale: a wider slop, asked for, is no reason to prefer faces by more


@inline
def preferred(w, a, b):
    """Lengths by which a face of shape a is preferred to one of b, and a face to edges; the sine below which edges are parallel;
    the length within which points are there with the deepest (none where contacts give way, with a spring at every point)."""
    part = min(w.rules.lie, COARSE)
    slop = part * min(w.scale[a], w.scale[b])
    return FACE * slop, EDGE * slop, CROSSING * part, EDGE * slop if w.rules.softness == 0 else 0.0
