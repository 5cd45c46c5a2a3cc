"""Φ, D, ν and γ of all constraint rows."""

from dalembert._jit import kernel
from dalembert.elements.constraints import (
    coincide,
    combine,
    equation,
    hold,
    knife_edge,
    rolling,
    velocity_equation,
)


@kernel
def constraints(s, w):
    for k in range(w.D.size):
        w.D[k] = 0.0
    coincide.evaluate(s, w)
    hold.evaluate(s, w)
    combine.evaluate(s, w)
    equation.evaluate(s, w)
    velocity_equation.evaluate(s, w)
    knife_edge.evaluate(s, w)
    rolling.evaluate(s, w)
