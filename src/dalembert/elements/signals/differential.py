"""Differential: a state with a rate of its own.

    ż = f(t, z, what the formula names),   z(0) = start          integrated with the motion          (signals/readings.py)
"""

from __future__ import annotations

from dalembert.elements.given import Law, Number
from dalembert.elements.signals.base import BaseSignal
from dalembert.errors import ModelError


class Differential(BaseSignal):
    """A state with a rate of its own: integrator, filter, pressure, current, temperature.

    Parameters
    ----------
    name : string [–]
        Its name in formulas and results.
    rate : law of t and of names [1/s]
        Its rate: a formula such as "(U - R*i - k*shaft.rate)/L" (its own name is its value), table over t or Python function.
    start : number or formula [–], default 0.0
        Its value at the start.
    scale : number or formula [–], default 1.0
        Its size, where that is far from one: its absolute tolerance is atol times scale (a volume in m³, a charge in C).

    Notes
    -----
    Acts: on nothing by itself; it is integrated with the motion, under the same error control; laws read it by its name,
    results as ``run["i"].value`` and ``run["i"].rate``.

    Signs: as its formula has them; it has no unit of its own. ``start`` is met exactly.

    Degenerate: a fast state (a small time constant) makes the motion stiff: "auto" then goes on with radau. A state that stays
    near its absolute tolerance has few digits: a doubt of the certificate asks for ``scale``.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("winding", dim=2, parameters={"U": 12.0, "R": 2.0, "L": 0.01, "k": 0.1})
    >>> rotor = m.add(da.Body("rotor", mass=1.0, inertia=0.001, shapes=[da.Cylinder(0.05, 0.1)]))
    >>> shaft = m.add(da.Revolute("shaft", m.ground, rotor, at=(0, 0)))
    >>> current = m.add(da.Differential("i", "(U - R*i - k*shaft.rate)/L"))
    >>> motor = m.add(da.Motor("motor", "shaft", "k*i"))
    >>> run = da.simulate(m, 4.0)
    >>> float(run["shaft"].rate[-1].round(2))                            # U/k
    120.0
    """

    arguments = {"rate": "law", "start": "number", "scale": "number"}

    def __init__(self, name: str, rate: Law, start: Number = 0.0, scale: Number = 1.0) -> None:
        self.name, self.rate, self.start, self.scale = name, rate, start, scale

    def build(self, b):
        self.check(b)
        scale = b.number(self.scale, f"scale of {self.title}")
        if not scale > 0.0:
            raise ModelError(f"{self.title}: scale= is the size of its values, more than 0, got {self.scale!r:.60}")
        b.differential(self, self.rate, b.number(self.start, f"start of {self.title}"))
        b.scales[self.name] = scale
