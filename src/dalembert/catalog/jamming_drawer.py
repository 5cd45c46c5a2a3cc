"""Two drawers with a guide of length b in the middle, pulled beside it with the same force, seen from above.

Pulled at the distance a from its guide a drawer turns against the guide's edges, which carry N = 2 F a/b together:

    m ẍ = F (1 − 2 μ a/b)      and jams where  a ≥ b/(2 μ),  however strong the pull
"""

import dalembert as da


def make(*, friction=0.4, length=0.3, near=0.15, far=0.4, pull=4.0, mass=2.0):
    """Handles at ``near`` and ``far`` from the guides of ``length``; they jam at length/(2 friction) = 0.375 m."""
    m = da.Model("jamming drawer", dim=2, parameters={"mu": friction, "b": length, "near": near, "far": far, "F": pull})
    for name, y, colour in (("near", 0.5, "#5b8fd9"), ("far", -0.5, "#d9565b")):
        m.add(da.Fixture(f"case {name}", material="wood", shapes=[
            da.Box((0.04, 0.98), position=(-0.35, y)), *(da.Box((0.66, 0.03), position=(0, y + s * 0.475)) for s in (-1, 1))]))
        handle = (0.35, -near if name == "near" else -far)
        drawer = m.add(da.Body(f"drawer {name}", mass=mass, inertia=0.2, position=(0, y), material=colour, shapes=[
            da.Box((0.6, 0.86)), da.Box((0.03, 0.9), position=(0.315, 0)), da.Box((0.05, 0.12), position=handle)]))
        m.add(da.Prismatic(f"guide {name}", m.ground, drawer, axis=(1, 0), at=(0, y), friction="mu", length="b"))
        m.add(da.Force(f"pull {name}", drawer, ("F", 0), on=(0.35, f"-{name}")))
    return m
