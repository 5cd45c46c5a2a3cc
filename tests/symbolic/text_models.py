"""The worked systems of the texts with symbols for their parameters."""

import dalembert as da


def rod_on_block():
    """Rod on a block with given motion z(t); θ is rod.angle."""
    m = da.Model(
        "rod on a moving block", dim=2, gravity=(0, "-g"), parameters={"l": 1.1, "m": 2.0, "J": 0.23, "g": 9.81, "M": 0.7}
    )
    m.add(da.Body("block", mass=1.3, inertia=0.1))
    m.add(da.Body("rod", mass="m", inertia="J", position=("l/2", 0)))
    m.add(da.Prismatic("slide", m.ground, "block", axis=(1, 0)))
    m.add(da.Revolute("O", "block", "rod", at=(0, 0)))
    m.add(da.Drive("z", "slide", "0.1*sin(3*t)"))
    m.add(da.Torque("moment", "rod", "M"))
    return m


def slider_crank(moment="M2", force="F4"):
    """Crank 2, rod 3, piston 4; the centres of mass at l_O² from O and l_A³ from A."""
    m = da.Model(
        "slider-crank",
        dim=2,
        gravity=(0, "-g"),
        parameters={
            "l2": 0.15,
            "l3": 0.35,
            "lO": 0.07,
            "lA": 0.16,
            "m2": 1.0,
            "m3": 1.5,
            "m4": 2.0,
            "J2": 0.003,
            "J3": 0.02,
            "g": 9.81,
            "M2": 0.8,
            "F4": -12.0,
        },
    )
    m.add(da.Body("crank", mass="m2", inertia="J2", com=("lO", 0)))
    m.add(da.Body("rod", mass="m3", inertia="J3", position=("l2", 0), com=("lA", 0)))
    m.add(da.Body("piston", mass="m4", inertia=0.01, position=("l2 + l3", 0)))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "rod", at=("l2", 0)))
    m.add(da.Revolute("B", "rod", "piston", at=("l2 + l3", 0)))
    m.add(da.Prismatic("guide", m.ground, "piston", axis=(1, 0)))
    m.add(da.Torque("M", "crank", moment))
    m.add(da.Force("F", "piston", (force, 0)))
    m.initial("O", coordinate=0.7)
    return m


def rod_and_disc():
    m = da.Model(
        "rod and disc",
        dim=2,
        gravity=(0, "-g"),
        parameters={"l": 1.2, "m2": 2.0, "m3": 3.0, "J2": 0.24, "J3": 0.09, "g": 9.81, "M2": 0.4, "M3": -0.3},
    )
    m.add(da.Body("rod", mass="m2", inertia="J2", position=("l/2", 0)))
    m.add(da.Body("disc", mass="m3", inertia="J3", position=("l", 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Revolute("A", "rod", "disc", at=("l", 0)))
    m.add(da.Torque("T2", "rod", "M2"))
    m.add(da.Torque("T3", "disc", "M3"))
    return m


def two_link():
    m = da.Model(
        "two-link arm",
        dim=2,
        gravity=(0, "-g"),
        parameters={
            "l2": 1.0,
            "lO": 0.45,
            "lA": 0.35,
            "m2": 3.0,
            "m3": 2.0,
            "J2": 0.3,
            "J3": 0.2,
            "g": 9.81,
            "M2": 1.5,
            "M3": 0.4,
        },
    )
    m.add(da.Body("upper", mass="m2", inertia="J2", com=("lO", 0)))
    m.add(da.Body("lower", mass="m3", inertia="J3", position=("l2", 0), com=("lA", 0)))
    m.add(da.Revolute("O", m.ground, "upper", at=(0, 0)))
    m.add(da.Revolute("A", "upper", "lower", at=("l2", 0)))
    m.add(da.Motor("motor 2", "O", "M2"))
    m.add(da.Motor("motor 3", "A", "M3"))
    return m


def heavy_top():
    """A, A, C about the centre of mass, l from the tip."""
    m = da.Model("heavy top", dim=3, gravity=(0, 0, "-g"), parameters={"A": 0.03, "C": 0.02, "l": 0.15, "m": 1.1, "g": 9.81})
    m.add(da.Body("top", mass="m", inertia=("A", "A", "C"), com=(0, 0, "l"), rotation=("x", 0.6)))
    m.add(da.Spherical("tip", m.ground, "top", at=(0, 0, 0)))
    return m


def sleigh():
    """Knife edge at the reference point, the centre of mass a ahead of it."""
    m = da.Model("sleigh", dim=2, parameters={"m": 1.3, "J": 0.4, "a": 0.3, "F": 0.8})
    m.add(da.Body("sleigh", mass="m", inertia="J", com=("a", 0), velocity=(1, 0), omega=0.8))
    m.add(da.KnifeEdge("edge", m.ground, "sleigh", at=(0, 0), axis=(1, 0)))
    m.add(da.Force("push", "sleigh", ("F", "0.2"), on=(0, 0)))
    return m
