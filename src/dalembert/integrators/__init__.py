"""Time integration: t, y and callables, nothing of mechanics.

``METHODS`` names the methods with their order; ``solve`` (solve.py) runs one of them on a bound right-hand
side.

    tableaus.py   coefficients            stages.py    sums over stages
    control.py    step size, stiffness    dense.py     output between steps
    events.py     zeros of functions      delivery.py  events and outputs of a step
    loop.py       the loop of all methods layout.py    their arrays
    explicit.py   a step, explicit        radau.py     a step, implicit
    methods.py    the list of methods     alpha.py     a step, implicit, second order
    tangents.py   when tangents are taken
    status.py     why a run ended         solve.py     the driver
"""

from __future__ import annotations

METHODS: dict[str, tuple[int, str]] = {
    "dp54": (5, "Dormand-Prince 5(4), dense output of order 4"),
    "dop853": (8, "Dormand-Prince 8(5,3) of Hairer, dense output of order 7"),
    "radau5": (5, "Radau IIA with three stages, implicit, for stiff problems, dense output of order 3"),
    "alpha": (2, "generalized-alpha on second-order equations with multipliers (index 3), dense output of order 3"),
}

EXPLICIT = {name: METHODS[name] for name in ("dp54", "dop853")}

__all__ = ["EXPLICIT", "METHODS"]
