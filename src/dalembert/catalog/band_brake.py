"""A hoist with a band brake: the load falls, the band is pulled, and what turned by itself stands still.

A pull F at the slack end holds F e^{μβ} at the tight one: the drum (inertia J, radius r) with its load m on the radius R feels
the torque F r (e^{μβ} − 1) while it slips, and holds where that is more than m g R:

    (J + m R²) ω̇ = m g R             until the band is pulled
    (J + m R²) ω̇ = m g R − F r (e^{μβ} − 1)      until it stands
"""

import math

import dalembert as da


def make(*, mass=20.0, pull=120.0, friction=0.25, wrap=4.5, time=0.4):
    """A load of ``mass`` falls for ``time`` seconds, then the band around ``wrap`` radians of the drum is pulled."""
    m = da.Model("band brake", dim=2, gravity=(0, -9.81),
                 parameters={"m": mass, "F": pull, "mu": friction, "beta": wrap, "t_brake": time})
    drum = m.add(da.Body("drum", mass=10.0, inertia=0.25, shapes=da.Cylinder(0.2, 0.05)))
    arc = [wrap * (n + 0.5) / 16 - 0.5 * math.pi for n in range(16)]
    m.add(da.Fixture("band and lever", material="rubber", shapes=[
        *(da.Box((0.212 * wrap / 16 + 0.01, 0.018), position=(0.211 * math.cos(a), 0.211 * math.sin(a)),
                 rotation=("z", (a + 0.5 * math.pi,))) for a in arc),
        da.Box((0.5, 0.02), position=(0.25, -0.24), material="steel")]))
    load = m.add(da.Body("load", mass="m", inertia=0.1, position=(-0.1, -0.3), material="#5b8fd9", shapes=[
        da.Box((0.16, 0.14)), da.Box((0.008, 0.3), position=(0, 0.2))]))
    m.add(da.Revolute("bearing", m.ground, drum, at=(0, 0)))
    m.add(da.Prismatic("well", m.ground, load, axis=(0, -1), at=(-0.1, -0.3)))
    m.add(da.RackPinion("rope", "bearing", "well", radius=0.1))
    m.add(da.BandBrake("band", m.ground, drum, force="F*step(t - t_brake)", friction="mu", radius=0.2, wrap="beta"))
    return m
