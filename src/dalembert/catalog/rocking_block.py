"""Housner's rocking block: it stands on one edge, falls back, strikes, and rocks on about the other.

Source: G. W. Housner, Bull. Seismol. Soc. Am. 53 (1963) 403-417.  A slender block loses 1 − (1 − 3/2 sin²α)² of its energy at
each blow; blows come faster and faster, and it comes to rest in finite time.
"""

from math import cos, radians, sin, tan

import dalembert as da


def make(*, height=1.0, slenderness=15.0, tilt=8.0, density=1000.0, friction=2.0):
    """A block of ``height``, whose diagonal is ``slenderness`` degrees off its side, released at ``tilt`` degrees."""
    h, a = height / 2, radians(tilt)
    w = h * tan(radians(slenderness))
    m = da.Model("rocking block", dim=2, gravity=(0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Body.from_shape("block", da.Box((2 * w, 2 * h)), density=density, angle=a,
                             position=(w * cos(a) - h * sin(a), w * sin(a) + h * cos(a))))
    m.add(da.Contact("edges", "floor", "block", friction=friction))
    return m
