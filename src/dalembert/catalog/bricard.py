"""A04: Bricard mechanism, five rods and six hinges along the edges of a cube.

Source: IFToMM library of computational benchmark problems, A04
(rods 1 m, 1 kg, square section 0.1 m; gravity −y).
Shows a mechanism that the count forbids: Grübler gives 0
degrees of freedom, it has 1; one equation is redundant.
"""

import dalembert as da

POINTS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
TURNS = (0, 1, 2, 0, 1)  # which ground axis each rod lies along


def make(*, scale=1.0, mass=1.0, section=0.1, gravity=9.81):
    """Edges of length ``scale``, at rest; ``section`` is the
    width of the square rods relative to their length."""
    names = ["ground", *(f"rod {k + 1}" for k in range(5)), "ground"]
    m = da.Model("Bricard mechanism", dim=3, gravity=(0, "-g", 0),
                 parameters={"l": scale, "m": mass, "b": section, "g": gravity})
    for k, along in enumerate(TURNS):
        inertia, size = ["m*l**2*(1 + b**2)/12"] * 3, ["l*b"] * 3
        inertia[along], size[along] = "m*l**2*b**2/6", "l"
        middle = tuple(_times((p + q) / 2) for p, q in zip(POINTS[k], POINTS[k + 1], strict=True))
        m.add(da.Body(names[k + 1], mass="m", inertia=inertia, position=middle, shapes=da.Box(tuple(size))))
    for k in range(6):
        m.add(da.Revolute(f"J{k + 1}", names[k], names[k + 1], at=tuple(_times(x) for x in POINTS[k]), axis=AXES[k]))
    return m


def _times(x):
    return f"{x!r}*l" if x else 0
