"""Billiard break: the cue ball strikes fifteen balls that nearly touch, on a cloth with cushions.

Shows many blows at once with restitution, sliding that becomes rolling, and losses told apart.  The balls of the rack are a tenth
of a millimetre apart, moved a little at random, as on any table.
"""

import numpy as np

import dalembert as da


def make(*, speed=6.0, restitution=0.95, cushions=0.75, cloth=0.2, between=0.05, radius=0.0286, mass=0.17, seed=1):
    """``speed`` of the cue ball; ``restitution`` of balls, ``cushions`` of the frame; ``cloth`` and ``between``: friction."""
    m = da.Model("billiard", gravity=(0, 0, -9.81))
    length, width, high = 2.54, 1.27, 2 * radius
    m.add(da.Fixture("table", shapes=da.HalfSpace((0, 0, 1), material="#2e7d4f")))
    sides = [da.Box((length + 0.2, 0.1, high), position=(0, s * (width / 2 + 0.05), high / 2), material="wood") for s in (-1, 1)]
    sides += [da.Box((0.1, width, high), position=(s * (length / 2 + 0.05), 0, high / 2), material="wood") for s in (-1, 1)]
    m.add(da.Fixture("frame", shapes=sides))

    def ball(name, x, y, **kw):
        m.add(da.Body.from_shape(name, da.Sphere(radius), mass=mass, position=(x, y, radius), **kw))

    ball("cue ball", -length / 4, 0.0, velocity=(speed, 0.0, 0.0), material="#f4f1e6")
    random, gap = np.random.default_rng(seed), 2 * radius + 1e-4
    for row in range(5):
        for k in range(row + 1):
            x, y = length / 4 + row * gap * 0.75**0.5, (k - row / 2) * gap
            dx, dy = random.uniform(-2e-5, 2e-5, 2)
            ball(f"ball {row * (row + 1) // 2 + k + 1}", x + dx, y + dy)
    balls = list(m.bodies)
    m.add(da.Contact("cloth", "table", balls, friction=cloth))
    m.add(da.Contact("cushions", "frame", balls, friction=0.2, restitution=cushions))
    m.add(da.Contact("balls", balls, balls, friction=between, restitution=restitution))
    return m
