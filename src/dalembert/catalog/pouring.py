"""The scene of the visualization lecture, computed: cubes fall on a tilted plate, pour over a second and rest in a tray.

Full sizes of the eleven boxes are those of its conf.txt, their poses those of its frame file (y points up); the cubes begin as a
block above the upper plate, each turned at random (the lecture does not say how they began).
"""

import numpy as np

import dalembert as da

TILT = (0.965926, 0.258819)  # cos and sin of 15°: the plates slope by 30°
BOXES = (  # name, full size, position, tilt
    ("floor", (40, 0.5, 80), (20, -0.25, 0), 0), ("wall 1", (0.5, 5, 80), (0, 2.5, 0), 0), ("wall 2", (0.5, 5, 80), (40, 2.5, 0),
                                                                                            0),
    ("wall 3", (40, 5, 0.5), (20, 2.5, -40), 0), ("wall 4", (40, 5, 0.5), (20, 2.5, 40), 0),
    ("lower plate", (78, 0.5, 78), (-33.775, 25, 0), -1), ("lower side 1", (78, 5, 0.5), (-32.525, 27.1651, 39), -1),
    ("lower side 2", (78, 5, 0.5), (-32.525, 27.1651, -39), -1),
    ("upper plate", (39, 0.5, 39), (33.775, 50, 0), 1), ("upper side 1", (39, 5, 0.5), (32.525, 52.1651, 20), 1),
    ("upper side 2", (39, 5, 0.5), (32.525, 52.1651, -20), 1))


def make(cubes=1000, friction=0.3, restitution=0.0, seed=1):
    """``cubes`` of them, of 0.5 m and 125 kg."""
    m = da.Model("pouring", gravity=(0, -9.81, 0))
    for name, size, position, tilt in BOXES:
        turn = (TILT[0], 0, 0, tilt * TILT[1]) if tilt else None
        m.add(da.Fixture(name, shapes=[da.Box(size)], position=position, rotation=turn))
    side = max(1, round(cubes ** (1 / 3)))
    random = np.random.default_rng(seed)
    for k in range(cubes):
        at = np.array([k // side % side, k // side**2, k % side], float)
        place = (at - [(side - 1) / 2, 0, (side - 1) / 2]) * 0.8 + [40, 59.0, 0]
        axis = random.normal(size=4)
        m.add(da.Body.from_shape(f"cube {k + 1}", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=tuple(place),
                                 rotation=tuple(axis / np.linalg.norm(axis))))
    m.add(da.Contact("touch", "all", "all", friction=friction, restitution=restitution))
    return m


def small(**kw):
    """64 cubes: what a page shows at once."""
    return make(**{"cubes": 64, **kw})
