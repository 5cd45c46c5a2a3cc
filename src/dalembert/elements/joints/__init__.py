"""Joints: recipes of primitives, and the motion they leave free.

The plane is read as space seen along z: "keep the axes aligned" costs two rows in space and none in the plane.

    coincide(i, j)      points together                                   2 rows, 3 in space
    align(i, j)         third axes parallel                               0 rows, 2 in space
    on_line(i, j)       point j on the line through i along its axis      1 row,  2 in space
    on_plane(i, j)      point j on the plane through i normal to its axis 1 row
    lock(i, j)          no relative rotation                              1 row,  3 in space

The axis of a joint is the marker's third axis in space, its first axis in the plane (a slide) or the normal z (a hinge).
``free`` names the relative motions left: R and T about and along the axes of the markers; D·S = 0 is tested for each.
"""
