"""Particle: a point mass.  It has a place and no orientation: two coordinates in the plane, three in space.

    m r̈ = F          δW = δrᵀ (F − m r̈)          (course: a particle of the body, dm at P)

Inside it fills an ordinary block of q and v, so that kernels know one kind of body.  Its rotation there is idle, exactly: what
acts on a particle acts at its one point, arm 0, so its columns of D and its share of Q have no turning part, ω = 0 stays
ω = 0 with any inertia, and the number in the table (its mass × 1 m²) shows nowhere.  What counts motions (rank, degrees of
freedom, null space, modes, equilibrium) leaves the idle turns out: ``System.moving``, ``toolbox/closing.metric``.  What would
need its orientation is refused by name (``model/pointlike.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dalembert.elements.bodies.body import Body
from dalembert.elements.given import Look, Number, Vector

if TYPE_CHECKING:
    from dalembert.elements.shapes import Shape


class Particle(Body):
    """A point mass: a place and no orientation.

    Parameters
    ----------
    name : string [–]
        Name of the particle; results are read by it.
    mass : number or formula [kg]
        Mass.
    position : vector [m], optional
        Where it is drawn, ground axes; left out: the origin.
    velocity : vector [m/s], optional
        Where assembly of velocities starts from, ground axes.
    shapes : shape or list of shapes [–], default ()
        For the eye only.
    material : Material [–], optional
        For the eye only.

    Notes
    -----
    Frame: parallel to the ground's, always. It has two coordinates in the plane, three in space.

    Signs: joints and loads meet it at its point; what would turn it or lean on its axes is refused by name.

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("thrown", dim=2, gravity=(0, -9.81))
    >>> stone = m.add(da.Particle("stone", mass=0.2, velocity=(3, 4)))
    >>> run = da.simulate(m, 0.5)
    >>> run["stone"].position[-1].round(4).tolist()
    [1.5, 0.7737]
    """

    is_particle = True

    def __init__(self, name: str, *, mass: Number, position: Vector | None = None, velocity: Vector | None = None,
                 shapes: Shape | Sequence[Shape] = (), material: Look | None = None) -> None:
        super().__init__(name, mass=mass, position=position, velocity=velocity, shapes=shapes, material=material)

    def resolve(self, b) -> dict:
        zero = [0.0] * b.dim
        return {"mass": b.positive(self.mass, f"mass of {self.title}"),
                "inertia": b.number(0.0, "inertia") if b.dim == 2 else np.zeros((3, 3)),
                "r": b.vector(self.position if self.position is not None else zero, f"position of {self.title}"),
                "A": b.rotation(None, None, self.title), "com": b.vector(zero, f"com of {self.title}"),
                "velocity": b.vector(self.velocity if self.velocity is not None else zero, f"velocity of {self.title}"),
                "omega": b.turn(None, f"omega of {self.title}")}

    def quadrature(self, b, order):
        return [(0.0, 0.0, 0.0)], [1.0]
