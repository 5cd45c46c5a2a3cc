"""Equation: a user's own constraint over named coordinates.

    F(c_1 … c_n, t) = 0, for example "piston.x - 0.3*cos(crank.angle)"          (rows/equation.py)

A row with t in it is a driver: it does work, −λ ν, as a Drive does.
Coordinates are a joint's name (its own coordinate, from the drawn pose) or body.x, body.y, body.z, body.angle (plane).
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.errors import ModelError


class Equation(Element):
    """A constraint of your own: a formula over named coordinates is zero.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    expression : formula [–]
        F(c₁ … cₙ, t), in whatever unit; coordinates are joints (their own coordinate, from the drawing) and ``body.x``,
        ``body.y``, ``body.z``, ``body.angle`` (plane); parameters of the model and t may occur.

    Notes
    -----
    Holds: F = 0, one row; its derivatives are exact. With t in it, it is a driver and does work, as a ``Drive`` does.

    Signs: −λ ∂F/∂c_k is the generalised force on coordinate k.

    Degenerate: where all ∂F/∂c_k vanish, as in x² + y² at the origin: write the equation so that they do not.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("bead on a parabola", dim=2, gravity=(0, -9.81))
    >>> bead = m.add(da.Particle("bead", mass=1.0, position=(0.5, 0.25)))
    >>> wire = m.add(da.Equation("wire", "bead.y - bead.x**2"))
    >>> run = da.simulate(m, 0.6)
    >>> da.accelerations(m)["bead"].acceleration.round(4).tolist()      # along the slope 1: −g/2, −g/2
    [-4.905, -4.905]
    """

    kind = "constraint"

    def __init__(self, name: str, expression: str) -> None:
        self.name, self.expression = name, expression

    def build(self, b):
        expression = b.expression(self.expression, self.title)
        names = sorted(expression.names - {"t"})
        if not names:
            raise ModelError(f"{self.title}: the expression '{self.expression}' names no coordinate")
        measures = [b.coordinate(n, self) for n in names]
        b.equation(measures, b.program(expression, [*names, "t"]), "equation")
