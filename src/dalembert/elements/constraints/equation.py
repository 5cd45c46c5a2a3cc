"""Equation: a user's own constraint over named coordinates.

    F(c_1 … c_n, t) = 0, for example "piston.x - 0.3*cos(crank.angle)"          (rows/equation.py)

A row with t in it is a driver: it does work, −λ ν, as a Drive does.
Coordinates are a joint's name (its own coordinate, from the drawn pose) or body.x, body.y, body.z, body.angle (plane).
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.errors import ModelError


class Equation(Element):
    """Φ = 0 as an expression over named coordinates, parameters and t."""

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
