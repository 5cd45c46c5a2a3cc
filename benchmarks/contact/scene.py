"""Scenes as plain data, the same for every engine: bodies with one shape each, gravity, friction, restitution."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

G = 9.81


@dataclass
class Solid:
    """A box (half edges) or a sphere (radius); mass 0: stands still.  Quaternions are (w, x, y, z)."""

    name: str
    kind: str
    size: tuple[float, ...]
    mass: float
    position: tuple[float, ...]
    turn: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    velocity: tuple[float, ...] = (0.0, 0.0, 0.0)


@dataclass
class Scene:
    solids: list[Solid]
    gravity: tuple[float, ...] = (0.0, 0.0, -G)
    friction: float = 0.3
    restitution: float = 0.0
    facts: dict = field(default_factory=dict)

    @property
    def moving(self) -> list[Solid]:
        return [s for s in self.solids if s.mass > 0.0]


def floor(angle: float = 0.0) -> Solid:
    """A block whose top is the plane through the origin, turned about y by ``angle``."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    n = np.array([np.sin(angle), 0.0, np.cos(angle)])
    return Solid("floor", "box", (20.0, 20.0, 0.5), 0.0, tuple(-0.5 * n), (c, 0.0, s, 0.0))


def cube(name: str, at, mass=125.0, turn=(1.0, 0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), half=(0.25, 0.25, 0.25)) -> Solid:
    return Solid(name, "box", tuple(half), mass, tuple(at), tuple(turn), tuple(velocity))


def on_slope(degrees: float, friction: float) -> Scene:
    """A cube on a slope that falls towards +x."""
    a = np.radians(degrees)
    n = np.array([np.sin(a), 0.0, np.cos(a)])
    return Scene([floor(a), cube("cube", 0.25 * n, turn=(np.cos(a / 2), 0.0, np.sin(a / 2), 0.0))], friction=friction,
                 facts={"down": [np.cos(a), 0.0, -np.sin(a)], "up": n.tolist()})


def shove() -> Scene:
    v = (3 * np.cos(0.5), 3 * np.sin(0.5), 0.0)
    return Scene([floor(), cube("box", (0, 0, 0.05), mass=25.0, velocity=v, half=(0.25, 0.25, 0.05))], friction=0.3)


def bounce() -> Scene:
    return Scene([floor(), Solid("ball", "sphere", (0.1,), 1.0, (0.0, 0.0, 1.1))], friction=0.0, restitution=0.8)


def tower(ratio: float, count: int = 20) -> Scene:
    cubes = [cube(f"c{k}", (0, 0, 0.25 + 0.5 * k), mass=125.0 * (ratio if k == count - 1 else 1.0)) for k in range(count)]
    return Scene([floor(), *cubes], friction=0.5)


def pouring(cubes: int = 1000) -> Scene:
    """The catalogue's scene of that name, read off its model."""
    from dalembert import catalog
    from dalembert.catalog.pouring import BOXES, TILT

    solids = []
    for name, size, position, tilt in BOXES:
        turn = (TILT[0], 0.0, 0.0, tilt * TILT[1]) if tilt else (1.0, 0.0, 0.0, 0.0)
        solids.append(Solid(name, "box", tuple(0.5 * np.asarray(size, float)), 0.0, position, turn))
    for b in catalog.make("pouring", cubes=cubes).bodies.values():
        if b.name.startswith("cube"):
            solids.append(cube(b.name, b.position, turn=tuple(np.asarray(b.rotation, float))))
    return Scene(solids, gravity=(0.0, -G, 0.0), friction=0.3)
