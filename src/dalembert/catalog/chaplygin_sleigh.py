"""Chaplygin's sleigh: a body on a knife edge, its mass centre ahead of the edge.

Source: S. A. Chaplygin, 1911; numbers defined for this project.
Shows a nonholonomic constraint that steers: the sleigh ends up running
straight, energy kept, while v̇ = a ω², (I + m a²) ω̇ = −m a v ω.
"""

import dalembert as da


def make(*, mass=1.0, inertia=0.5, ahead=0.3, speed=1.0, turn=0.8):
    """``ahead`` is the distance from the edge to the mass centre;
    starts with ``speed`` along the edge and ``turn`` rad/s."""
    m = da.Model("Chaplygin sleigh", dim=2, parameters={"m": mass, "I": inertia, "a": ahead, "v0": speed, "omega0": turn})
    sleigh = m.add(da.Body("sleigh", mass="m", inertia="I", com=("a", 0), velocity=("v0", 0), omega="omega0",
                           shapes=da.Box((1.0, 0.4, 0.1), position=("a", 0))))
    m.add(da.KnifeEdge("edge", m.ground, sleigh, at=(0, 0), axis=(1, 0)))
    return m
