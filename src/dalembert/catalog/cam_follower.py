"""A round cam lifts a flat follower, which leaves it where the cam falls away faster than gravity brings it down.

The cam's middle is ``offset`` from its shaft: the follower's way is e sin ωt, and the cam presses with m (g − e ω² sin ωt).
Above ω = √(g/e) that ends at sin ωt = g/(e ω²): the follower flies, and lands again.
"""

import dalembert as da


def make(*, speed=30.0, offset=0.02, radius=0.05, mass=0.5, friction=0.1, restitution=0.0):
    """The shaft turns with ``speed`` rad/s; 22.1 and less: the follower stays on the cam."""
    m = da.Model("cam and follower", dim=2, gravity=(0, -9.81), parameters={"omega": speed})
    cam = m.add(da.Body("cam", mass=1.0, inertia=0.002, shapes=[da.Sphere(radius, position=(offset, 0))], position=(0, 0)))
    m.add(da.Revolute("shaft", m.ground, cam, at=(0, 0)))
    m.add(da.Drive("turn", "shaft", "omega*t"))
    at = (0.0, radius + 0.01)
    follower = m.add(da.Body("follower", mass=mass, inertia=0.01, shapes=[da.Box((0.16, 0.02))], position=at,
                             velocity=(0, offset * speed)))
    m.add(da.Prismatic("guide", m.ground, follower, at=at, axis=(0, 1)))
    m.add(da.Contact("lift", cam, follower, friction=friction, restitution=restitution))
    return m
