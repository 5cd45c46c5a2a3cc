"""VelocityEquation: a user's own velocity-level equation, holonomic or not (course: Σ a_jk q̇_k + a_j0 = 0).

    Σ a_k(c, t) ċ_k + a_0(c, t) = 0          D = Σ a_k g_k          ν = −a_0
    γ = −(Σ (ȧ_k ċ_k + a_k h_k) + ȧ_0)          ȧ along the motion, from jets

A row with a constant term a_0 is a driver: it does work, −λ ν, as a Drive does.
No position equation: Φ = 0 by definition.  −λ a_k is the generalised force on measure k.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.element import Element
from dalembert.elements.given import Number
from dalembert.elements.laws import program
from dalembert.elements.measures import table
from dalembert.elements.rows.equation import motion
from dalembert.errors import ModelError

ROW = np.dtype([("start", "u4"), ("stop", "u4"), ("law", "u4"), ("row", "u4")])


@kernel
def evaluate(s, w):
    for k in range(s.velocity_equation.size):
        c = s.velocity_equation[k]
        motion(s, w, c.start, c.stop)
        a0, slope, second = program(s, w, s.laws[c.law])
        gamma = -slope
        for n in range(c.start, c.stop):
            term = s.terms[n]
            a, slope, second = program(s, w, s.laws[term.law])
            gamma -= slope * w.x1[n - c.start] + a * w.x2[n - c.start]
            table.evaluate(s, w, np.int64(term.measure), np.int64(term.at_i), np.int64(term.at_j), a)
        w.phi[c.row] = 0.0
        w.nu[c.row] = -a0
        w.gamma[c.row] = gamma


class VelocityEquation(Element):
    """A velocity equation of your own, holonomic or not: a weighted sum of rates is zero.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    coefficients : table of laws [–]
        Coordinate → factor a_k, a number or a formula over coordinates and t, in whatever unit.
    constant : law [–], default 0.0
        a_0, in the unit of the sum.

    Notes
    -----
    Holds: Σ a_k ċ_k + a_0 = 0, one row on velocities; there is no equation for positions. With a_0 it is a driver.

    Signs: −λ a_k is the generalised force on coordinate k.

    Degenerate: where all factors vanish.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("skate", dim=2)
    >>> skate = m.add(da.Body("skate", mass=1.0, inertia=0.1, velocity=(1, 0), omega=2.0, shapes=[da.Box((0.4, 0.1))]))
    >>> blade = m.add(da.VelocityEquation("blade", {"skate.x": "-sin(skate.angle)", "skate.y": "cos(skate.angle)"}))
    >>> run = da.simulate(m, 1.5)
    >>> da.accelerations(m)["skate"].acceleration.round(3).tolist()     # v ω, across the blade
    [0.0, 2.0]
    """

    kind = "constraint"

    def __init__(self, name: str, coefficients: Mapping[str, Number], constant: Number = 0.0) -> None:
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
        programs, last = [b.program(parts.get(n, zero), variables) for n in names], b.program(constant, variables)
        for row in (*programs, last):
            b.of_rates(row)
        start, stop, markers = b.terms_of(measures, programs=programs)
        b.rows("velocity_equation", {"velocity equation": 1}, markers, not b.vanishes(constant), start=start,
               stop=stop, law=last)
