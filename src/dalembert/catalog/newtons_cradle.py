"""Newton's cradle: balls on rods; what comes in on one side goes out on the other.

The balls hang a micrometre apart, so that blows come one after the other.  Balls that touch are hit all at once by Newton's law,
and then two leave together (``gap=0``).
"""

from math import cos, radians, sin

import dalembert as da


def make(*, balls=5, radius=0.02, length=0.3, angle=25.0, gap=1e-6, restitution=1.0, mass=0.25):
    """``balls`` on rods of ``length``; the first is let go at ``angle`` degrees."""
    m = da.Model("Newton's cradle", dim=2, gravity=(0, -9.81))
    pitch = 2 * radius + gap
    for k in range(balls):
        a = radians(angle) if k == 0 else 0.0
        top = (k * pitch, length)
        at = (top[0] - length * sin(a), top[1] - length * cos(a))
        ball = m.add(da.Body(f"ball {k + 1}", mass=mass, inertia=0.4 * mass * radius**2, position=at, angle=-a,
                             shapes=[da.Sphere(radius)]))
        m.add(da.Revolute(f"rod {k + 1}", m.ground, ball, at=top))
    names = [f"ball {k + 1}" for k in range(balls)]
    m.add(da.Contact("blows", names, names, friction=0.0, restitution=restitution))
    return m
