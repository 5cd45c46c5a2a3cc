"""The arrays of what rubs, joints first, above the equations of motion.

    LINK    kind, markers i and j, directions of sliding, first row, –, mode, whether others prescribe its sliding
    REAL    radius, length, lead; the law: coulomb, static, stribeck, viscous, preload; direction at the start of the stretch (3),
            slack of its event function, the speed below which it has no direction, N now, forces that are given (3)
    OWN     what presses by a law, times it counts (faces), μ_d and μ_s of rope and drum, s, directions of i and of j and
            s (φ_j − φ_i) as drawn (of a clutch N₀ of its table), the angle covered now
    MORE    the law of what presses (or NO), the marker of the drum
    press   per surface, for the reactions as they are and for a unit of each row: up to four vectors; N: sum of their lengths; of
            SIDED kinds, which only press one way, the first number, none where it is below zero

A row is a unit force at the surface, on j, against i: J its wrench in the equations' own components, u = J v the speed there.
"""

from __future__ import annotations

from dalembert._jit import struct
from dalembert.elements.signals.felt import FELT

KIND, I, J, DIRS, ROW, _, MODE, TIED = range(8)  # MODE, DIR and what follows as in contacts/events/tables.py: runs keep these
LINK = 8
RADIUS, LENGTH, LEAD, COULOMB, STATIC, STRIBECK, VISCOUS, PRELOAD, DIR, SLACK, CREEP, NORMAL, PREFER = *range(9), 11, 12, 13, 14
REAL = 17
KINDS = ("hinge", "slide", "sleeve", "ball", "arm i", "arm j", "thread", "clutch", "band", "roll", "rope")
HINGE, SLIDE, SLEEVE, BALL, ARM_I, ARM_J, THREAD, CLUTCH, BAND, ROLL, ROPE = range(11)
SIDED = (BAND, ROLL, ROPE)
DIRECTIONS = (1, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1)
PULL, FACES, MU_D, MU_S, SIDE, WAY_I, WAY_J, BEGUN, WRAP = range(9)
OWN = 9
LAW, DRUM = range(2)
MORE, NO = 2, -1
PRESS = 12
SLIP, STICK, FULL, GIVEN = range(4)  # slides; held; at its limit, held by others; held by others with a force that is given
SURFACES, ROWS, NQ, NV, NC, BASE, WHY, SIGN = range(8)  # places of ``size``
BASE_RHS, BASE_PROJECT, BASE_EVENTS = range(3)
SOLVED, SEVERAL, NONE = range(3)  # WHY

Rub = struct("Rub", {
    "size": "i8", "handle": "i8",
    "y": "f8", "ydot": "f8", "g": "f8",  # of the integrator: y = (q, v, ledger, lost by friction, lost by surface)
    "base_y": "f8", "base_ydot": "f8", "base_g": "f8",
    "link": "i8", "real": "f8", "felt": FELT, "own": "f8", "more": "i8",
    "J": "f8", "answer": "f8", "reply": "f8", "mu": "f8",  # rows; M⁻¹-responses of v̇ and of λ to each
    "bias": "f8", "speed": "f8", "right": "f8", "matrix": "f8", "press": "f8",
    "probe": "f8",  # [0]: where the search for forces begins: times friction of the reactions without friction
    "f": "f8", "jac": "f8", "order": "i8", "rest": "f8", "slope": "f8"})
