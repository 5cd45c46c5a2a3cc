"""The arrays of contact rows above the equations of motion.

A feature is a point of shape b with a rounding (a ball's middle, a corner) against the core of shape a with its own rounding.

    LINK   bodies a and b, first row of the core and their number, kind of the core, contact, mode, which sums it counts for
    REAL   point of b (3, body axes), both roundings, μ, e, facing, direction of slip (3), slacks of its event functions (3),
           the speed below which it has no direction, forces of the beginning (3), their rates (3), and when that
           was: of many answers the nearest to these is taken
    CORE   lines of 9 in the axes of body a: normal, one end, other end (of a face); a point; ends of a segment; a box
    GEO    what a feature does now: normal, place, their rates, gap, margin to the end of its face, velocity of b against a, force

Rows are wrenches J of unit forces at the place of a feature, in the equations' own components; the rate of a row's velocity is
J v̇ + bias.
"""

from __future__ import annotations

from dalembert._jit import struct

A, B, CORE_AT, CORE_N, CORE_KIND, CONTACT, MODE, FACE = range(8)
LINK = 8
POINT, ROUND_B, ROUND_A, MU, REST, FACING, DIR, SLACK, CREEP, PREFER, LEAD, SINCE = 0, 3, 4, 5, 6, 7, 8, 11, 14, 15, 18, 21
REAL = 22
CORE = 9
N, P, N_DOT, P_DOT, GAP, MARGIN, U, FORCE = 0, 3, 6, 9, 12, 13, 14, 17
GEO = 20
# cores: a half-space, a polygon of the plane, a point, a segment; in space a box, a polyhedron (lines of its faces, then of its
# edges: two ends, and 1 as the last number), a half-space for a cylinder's rim, whose axis (axes of b) are the last three numbers
HALF, FACES, DOT, SEGMENT, BLOCK, SOLID, RIM = range(7)
OPEN, SLIP, STICK = range(3)
BASE_RHS, RESPOND, MOVE, BASE_PROJECT, BASE_EVENTS = range(5)
EVENTS_EACH = 3  # event functions of a feature
CLOSED = 60  # features closed at once
TOUCH = 1e-10  # of the size: gaps that count as zero at an instant
PLANE, BODIES, FEATURES, NQ, NV, BASE, SUMS, ROWS, PICKED = range(9)  # places of ``size``

Rows = struct("Rows", {
    "size": "i8", "handle": "i8",
    "t": "f8", "y": "f8", "ydot": "f8", "g": "f8",  # of the integrator: y = (q, v, ledger, lost by friction, impulses by contact)
    "base_y": "f8", "base_ydot": "f8", "base_g": "f8", "q": "f8", "v": "f8", "vdot": "f8", "shift": "f8",  # of the equations
    "wrench": "f8", "answer": "f8", "count": "i8",  # of ``respond``
    "mass": "f8",  # M, dense; empty where no joint is
    "x": "f8", "R": "f8", "twist": "f8", "turns": "f8",  # bodies, ground axes; 0 of a particle, which has no turn, else 1
    "link": "i8", "real": "f8", "core": "f8", "geo": "f8",
    "reach": "f8",  # per body: how far its points are from its centre of mass
    "pace": "f8",  # [0]: speed that ends a stretch (0: none)
    "pick": "i8",  # features whose rows are wanted, all directions
    "J": "f8", "bias": "f8", "speed": "f8", "of": "i8",  # rows: wrench, rate beside J v̇, velocity, feature and direction
    "matrix": "f8", "factor": "f8", "pivot": "i8", "right": "f8", "found": "f8", "rest": "f8"})
