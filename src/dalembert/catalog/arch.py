"""A semicircular arch of loose voussoirs on two abutments, by its own weight.

Source: Couplet 1730, Milankovitch 1907, Heyman 1969: an arch of mean radius R stands if it is thicker than 0.1075 R (joints
that do not slide); a thinner one turns into a mechanism of hinges and falls.
"""

from math import cos, pi, sin

import dalembert as da


def make(*, stones=13, radius=2.0, thickness=0.3, friction=0.8, density=2400.0):
    """``stones`` wedges of ``thickness`` about the mean ``radius``."""
    m = da.Model("arch", dim=2, gravity=(0, -9.81))
    inner, outer = radius - thickness / 2, radius + thickness / 2
    blocks = [da.Box((2 * thickness, thickness), position=(s * radius, -thickness / 2), material="#7b7f86") for s in (-1, 1)]
    m.add(da.Fixture("abutments", shapes=blocks))
    m.add(da.Fixture("floor", shapes=da.HalfSpace((0, 1), position=(0, -thickness))))
    half = pi / stones / 2
    corners = [(r * sin(s * half), r * cos(half) - radius) for r, s in ((inner, 1), (outer, 1), (outer, -1), (inner, -1))]
    for k in range(stones):
        a = pi * (k + 0.5) / stones
        m.add(da.Body.from_shape(f"stone {k + 1}", da.Polygon(corners), density=density, angle=a - pi / 2,
                                 position=(radius * cos(a), radius * sin(a)), material="#c2a878" if k % 2 else "#a98f60"))
    m.add(da.Contact("joints", "all", "all", friction=friction))
    return m


def thin(**kw):
    """Thinner than Couplet's limit: it falls."""
    return make(**{"thickness": 0.16, **kw})
