"""Dormand-Prince 5(4): six stages and the end, error of order 4, dense output of order 4 (one row d over the stages).

Source: J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
Differential Equations I, 2nd ed., Springer 1993, table II.5.2 and the constants of DOPRI5.
"""

from __future__ import annotations

from ..explicit import explicit_method
from ..tableaus import Coefficients, Row

_C5 = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_A5: tuple[Row, ...] = (
    {},
    {0: 1 / 5},
    {0: 3 / 40, 1: 9 / 40},
    {0: 44 / 45, 1: -56 / 15, 2: 32 / 9},
    {0: 19372 / 6561, 1: -25360 / 2187, 2: 64448 / 6561, 3: -212 / 729},
    {0: 9017 / 3168, 1: -355 / 33, 2: 46732 / 5247, 3: 49 / 176, 4: -5103 / 18656},
    {0: 35 / 384, 2: 500 / 1113, 3: 125 / 192, 4: -2187 / 6784, 5: 11 / 84},
)
_E4: Row = {0: 71 / 57600, 2: -71 / 16695, 3: 71 / 1920, 4: -17253 / 339200, 5: 22 / 525, 6: -1 / 40}
_D5: Row = {0: -12715105075 / 11282082432, 2: 87487479700 / 32700410799, 3: -10690763975 / 1880347072,
            4: 701980252875 / 199316789632, 5: -1453857185 / 822651844, 6: 69997945 / 29380423}

DP54 = Coefficients(6, _C5, _A5, (_E4,), (_D5,), alpha=0.2 - 0.75 * 0.04, beta=0.04, stiff=3.25, error_order=4)

METHOD = explicit_method(DP54, "dp54", ("rk5",), order=5, dense=4, text="Dormand-Prince 5(4), dense output of order 4")
