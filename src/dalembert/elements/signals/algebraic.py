"""Algebraic: a number that an equation defines.

    g(t, a, what the formula names) = 0          solved for a, all such equations together          (signals/readings.py)
"""

from __future__ import annotations

from dalembert.elements.given import Number
from dalembert.elements.signals.base import BaseSignal


class Algebraic(BaseSignal):
    """A number that an equation defines: an implicit characteristic, a flow balance, a loop of signals without delay.

    Parameters
    ----------
    name : string [–]
        Its name in formulas and results, the unknown of the equation.
    equation : formula of t and of names [–]
        What shall be zero, such as "flow - c*sign(dp)*sqrt(abs(dp))"; several unknowns are solved together.
    start : number or formula [–], default 0.0
        Where Newton's method starts, in every evaluation: with several solutions it is the one near this number.

    Notes
    -----
    Acts: on nothing by itself; laws read it by its name, results as ``run["flow"].value``.

    Signs: as its equation has them; it has no unit of its own.

    Degenerate: where the equation does not fix it (its slope vanishes there): the run ends and names it.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("loop", dim=2, parameters={"k": 3.0})
    >>> cart = m.add(da.Body("cart", mass=2.0, inertia=0.1))
    >>> rail = m.add(da.Prismatic("rail", m.ground, cart, at=(0, 0), axis=(1, 0)))
    >>> effort = m.add(da.Algebraic("u", "u - k*(1 - rail.slide - 0.5*u)"))       # u = k (1 − s)/(1 + k/2)
    >>> push = m.add(da.Motor("push", "rail", "u - 2*rail.rate"))
    >>> float(da.accelerations(m)["push"].force.round(6))
    1.2
    """

    arguments = {"equation": "formula", "start": "number"}

    def __init__(self, name: str, equation: Number, start: Number = 0.0) -> None:
        self.name, self.equation, self.start = name, equation, start

    def build(self, b):
        self.check(b)
        b.algebraic(self, self.equation, b.number(self.start, f"start of {self.title}"))
