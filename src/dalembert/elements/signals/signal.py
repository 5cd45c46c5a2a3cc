"""Signal: a number with a name, computed from what laws may read.

    s = f(t, what the formula names)          evaluated before the forces, once          (signals/readings.py)
"""

from __future__ import annotations

from dalembert.elements.given import Law
from dalembert.elements.signals.base import BaseSignal


class Signal(BaseSignal):
    """A number with a name: a set point, an error, a measured quantity, that laws and results read.

    Parameters
    ----------
    name : string [–]
        Its name in formulas and results.
    formula : law of t and of names [–]
        Number, formula such as "target - pin.angle", table over t or Python function (``da.Law(f, reads=[…])``).

    Notes
    -----
    Acts: on nothing by itself; laws read it by its name, results as ``run["error"].value``.

    Signs: as its formula has them; it has no unit of its own.

    Degenerate: where signals read each other in a circle: refused with their names.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("servo", dim=2, parameters={"target": 0.3})
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> pin = m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    >>> error = m.add(da.Signal("error", "target - pin.angle"))
    >>> servo = m.add(da.Motor("servo", "pin", "40*error - 8*pin.rate"))
    >>> run = da.simulate(m, 3.0)
    >>> float(abs(run["error"].value[-1]).round(2))
    0.0
    """

    arguments = {"formula": "law"}

    def __init__(self, name: str, formula: Law) -> None:
        self.name, self.formula = name, formula

    def build(self, b):
        self.check(b)
        b.signal(self, self.formula)
