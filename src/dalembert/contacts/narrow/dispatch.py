"""Points of two shapes, by the kinds of both: the one place that knows all pairs.

A function of a pair (kinds in ascending order, contacts/tables.py) has the form

    count = pair(w, a, b, margin)

a, b: numbers of the shapes; where they are: ``w.place[POSE * a:]`` (place of the shape's middle, rows of its rotation), their
numbers ``w.size[3 * a:]`` (half edges, radius …).  It writes at most MOST points into ``w.found`` (x, y, z, gap, feature: five
numbers each, the point in the middle of the gap) and one unit normal, out of a towards b, into ``w.toward``, and returns how
many points lie nearer than ``margin``; 0 where the shapes are farther apart.  Scratch: ``w.spare``, ``w.polygon``,
``w.clipped``.

To add one: a file in this folder with the function and its derivation; the kind's number in contacts/tables.py (after PLANE:
kinds are compared); a line in ``touch`` below; its record (kind, size, bounding radius) in model/touching.py.  The last lines,
convex.py and lying.py, take all pairs that have none of their own, by the cores of both shapes (cores.py, contacts/hulls.py).
"""

from dalembert._jit import kernel
from dalembert.contacts.narrow.boxes import box_box
from dalembert.contacts.narrow.convex import convex
from dalembert.contacts.narrow.corners import box_plane
from dalembert.contacts.narrow.lying import convex_plane
from dalembert.contacts.narrow.plates import plate_plate
from dalembert.contacts.narrow.round import sphere_box, sphere_plane, sphere_sphere
from dalembert.contacts.tables import BOX, PLANE, PLATE, SPHERE


@kernel
def touch(w, a, b, margin):
    """Points of shapes a and b; the normal points from a to b whatever their kinds."""
    one, other = (a, b) if w.kind[a] <= w.kind[b] else (b, a)
    k, m = w.kind[one], w.kind[other]
    count = 0
    if k == BOX and m == BOX:
        count = box_box(w, one, other, margin)
    elif k == SPHERE and m == SPHERE:
        count = sphere_sphere(w, one, other, margin)
    elif k == SPHERE and m in (BOX, PLATE):
        count = sphere_box(w, one, other, margin)
    elif k == SPHERE and m == PLANE:
        count = sphere_plane(w, one, other, margin)
    elif k in (BOX, PLATE) and m == PLANE:
        count = box_plane(w, one, other, margin)
    elif k == PLATE and m == PLATE:
        count = plate_plate(w, one, other, margin)
    elif k == PLANE:
        one, other = other, one
        count = convex_plane(w, one, other, margin)
    elif m != PLANE:
        count = convex(w, one, other, margin)
    if one != a:
        w.toward[0], w.toward[1], w.toward[2] = -w.toward[0], -w.toward[1], -w.toward[2]
    return count
