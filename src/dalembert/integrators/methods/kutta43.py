"""Kutta's 3/8 rule with an error estimate of order 3: four stages and the end, the fewest evaluations of order 4.

Embedded solution over the stages and the derivative at the end (k_5, which is k_1 of the next step):

    b  = (1/8, 3/8, 3/8, 1/8),   b^ = (1/12, 1/2, 1/4, 0, 1/6)

b^ is of order 3: sum b^ = 1, sum b^ c = 1/2, sum b^ c^2 = 1/18 + 1/9 + 1/6 = 1/3, sum b^ A c = 1/12 + 0 + 1/12 = 1/6; and it sees
laws of time alone: sum b^ c^3 = 7/27, not 1/4 (an estimate c (k_4 - k_5) of the classical rule would be blind to them).
Between the ends the cubic through both ends and both slopes.

For steps that are short from outside (steppers at a kilohertz), where order 5 is more than is asked.

Source: W. Kutta, Z. Math. Phys. 46 (1901) 435-453; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
Equations I, 2nd ed., Springer 1993, section II.4.
"""

from __future__ import annotations

from ..explicit import explicit_method
from ..tableaus import Coefficients, Row

_C4 = (0.0, 1 / 3, 2 / 3, 1.0, 1.0)
_A4: tuple[Row, ...] = (
    {},
    {0: 1 / 3},
    {0: -1 / 3, 1: 1.0},
    {0: 1.0, 1: -1.0, 2: 1.0},
    {0: 1 / 8, 1: 3 / 8, 2: 3 / 8, 3: 1 / 8},
)
_E3: Row = {0: 1 / 24, 1: -1 / 8, 2: 1 / 8, 3: 1 / 8, 4: -1 / 6}

KUTTA43 = Coefficients(4, _C4, _A4, (_E3,), (), alpha=0.25 - 0.75 * 0.04, beta=0.04, stiff=2.785, error_order=3)

METHOD = explicit_method(KUTTA43, "kutta43", ("rk4",), order=4, dense=3, text="Kutta's 3/8 rule 4(3), dense output of order 3")
