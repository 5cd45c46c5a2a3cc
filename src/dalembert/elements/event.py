"""Events: moments at which an expression over named coordinates, t, and what laws read by name, crosses zero.

    g(c_1 … c_n, r_1 … r_m, t) = 0          evaluated at every step; the integrator locates the crossing by dense output

Events of a law g(t, c, ċ) watch where the law of a force is not smooth: zeros of its arguments, knots of its table (there
g changes its sign at every knot).  Builders put them in.

An event has no rows and no force: it only watches.  Elements of this kind are put in by ``simulate(events=...)``.
"""

from __future__ import annotations

import numpy as np

from dalembert import expressions
from dalembert._jit import kernel
from dalembert.elements.bodies.markers import NONE
from dalembert.elements.element import Element
from dalembert.elements.laws import law_switch, program
from dalembert.elements.measures import table
from dalembert.elements.rows.equation import motion
from dalembert.elements.signals import readings

EVENT = np.dtype([("start", "u4"), ("stop", "u4"), ("law", "u4"), ("of_law", "u4")])  # of_law: start is the measure, or NONE


class Event(Element, listed=False):
    kind = "event"
    asked = True  # by the user

    def __init__(self, name, expression):
        self.name, self.expression = name, expression

    @property
    def title(self):
        return f"event '{self.expression}'"

    def build(self, b):
        expression = b.expression(self.expression, self.title)
        own = [n for n in sorted(expression.names - {"t"}) if not b.is_read(n)]  # coordinates; anything else is read by name
        measures = [b.coordinate(n, self) for n in own]
        expression, reads = b.named(expression, (*own, "t"), self, self.title)
        b.event(measures, b.program(expression, [*own, "t"], self.title, reads))


class Edge(Element, listed=False):
    """Where a coordinate passes a value at which the law of an element has a kink (``kinks``): steps end at it."""

    kind = "event"
    asked = False

    def __init__(self, name, owner, of, end):
        self.name, self.owner, self.of, self.end = name, owner, of, end

    @property
    def title(self):
        return self.owner.title

    def build(self, b):
        expression = expressions.parse(f"coordinate - ({b.number(self.end, self.title)!r})")
        names = ["coordinate"]
        b.event([b.coordinate(self.of, self)], b.program(expression, [*names, "t"], self.title))


@kernel
def evaluate(s, w):
    """g of every event, at poses already evaluated."""
    readings.evaluate(s, w)
    for k in range(s.event.size):
        e = s.event[k]
        if e.of_law != 0:
            if e.start == NONE:
                w.g[k] = law_switch(s, w, e.law, w.t[0], 0.0, 0.0)
                continue
            value, rate, h = table.value(s, w, e.start)
            w.g[k] = law_switch(s, w, e.law, w.t[0], value, rate)
            continue
        motion(s, w, e.start, e.stop)
        value, slope, second = program(s, w, s.laws[e.law])
        w.g[k] = value
