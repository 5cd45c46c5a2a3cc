"""A row of dominoes: the first one is pushed and the wave runs along."""

import dalembert as da


def make(stones=12, size=(0.01, 0.024, 0.05), distance=0.025, speed=0.3, friction=0.4):
    """Stones of ``size``, ``distance`` apart; the top of the first moves with ``speed``."""
    m = da.Model("dominoes", gravity=(0, 0, -9.81))
    m.add(da.Fixture("table", shapes=[da.HalfSpace((0, 0, 1))], material="wood"))
    for k in range(stones):
        push = {"omega": (0, speed / size[2], 0), "velocity": (0.5 * speed, 0, 0)} if k == 0 else {}
        m.add(da.Body.from_shape(f"stone {k + 1}", da.Box(size), density=1000.0, position=(k * distance, 0, size[2] / 2), **push))
    m.add(da.Contact("table and stones", "table", "all", friction=friction))
    m.add(da.Contact("stones", [f"stone {k + 1}" for k in range(stones)], [f"stone {k + 1}" for k in range(stones)],
                     friction=friction, restitution=0.0))
    return m
