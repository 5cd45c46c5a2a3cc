"""Equation and VelocityEquation: a user's own constraint over named coordinates.

    Equation          F(c_1 … c_n, t) = 0, for example "piston.x - 0.3*cos(crank.angle)"
    VelocityEquation  Σ a_k ċ_k + a_0 = 0, the a_k expressions over coordinates and t

A row with t in it (Equation), or with a constant term (VelocityEquation), is a driver: it does work, −λ ν, as a Drive does.
Coordinates are a joint's name (its own coordinate, from the drawn pose) or body.x, body.y, body.z, body.angle (plane).
Kernels: constraints/equation.py and constraints/velocity_equation.py.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.errors import ModelError


class Equation(Element):
    """Φ = 0 as an expression over named coordinates, parameters and t."""

    kind = "constraint"

    def __init__(self, name, expression):
        self.name, self.expression = name, expression

    def build(self, b):
        expression = b.expression(self.expression, self.title)
        names = sorted(expression.names - {"t"})
        if not names:
            raise ModelError(f"{self.title}: the expression '{self.expression}' names no coordinate")
        measures = [b.coordinate(n, self) for n in names]
        b.equation(measures, b.program(expression, [*names, "t"]), "equation")


class VelocityEquation(Element):
    """Σ a_k ċ_k + a_0 = 0: ``coefficients`` maps coordinates to a_k, ``constant`` is a_0."""

    kind = "constraint"

    def __init__(self, name, coefficients, constant=0.0):
        self.name, self.coefficients, self.constant = name, coefficients, constant

    def build(self, b):
        if not self.coefficients:
            raise ModelError(f"{self.title}: give at least one coefficient, as {{'body.x': 1.0}}")
        parts = {k: b.expression(v, f"coefficient of {k} in {self.title}") for k, v in self.coefficients.items()}
        constant = b.expression(self.constant, f"constant of {self.title}")
        used = set().union(*(e.names for e in [*parts.values(), constant])) - {"t"}
        names = [*parts, *sorted(used - set(parts))]
        zero = b.expression(0.0, "")
        measures = [b.coordinate(n, self) for n in names]
        variables = [*names, "t"]
        b.velocity_equation(measures, [b.program(parts.get(n, zero), variables) for n in names],
                            b.program(constant, variables), "velocity equation",
                            driver=not b.vanishes(constant))
