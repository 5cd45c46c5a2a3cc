"""The arrays of a scene: bodies, shapes on them, pairs, manifolds and their points.

Everything is worked out in space; a plane model is the same with z = 0 and no turning about x and y (``inverse_inertia`` has
its last entry only), so that impulses stay in the plane by themselves.  Body number nb is what stands still: it has no inverse
mass.

A point is a line of ROW numbers, what every sweep reads in its first 20 (three lines of a processor's cache); velocities of a
point are those of the second body's against the first's, the normal points from the first to the second:

    RA, RB        arms from the centres of mass, ground axes        LA, LB   the same in the bodies' axes (they ride along)
    GAP, GAP0     distance now, and where it was found
    KN            K n, K = C M⁻¹ Cᵀ                                 MN, MT   1/K_nn, 1/(largest eigenvalue of the tangential K)
    RN, RT        impulse of this substep: along the normal, across (ground axes)
    PUSH, HOLD    the bound of the law u_n + bound ≥ 0 in the sweep that moves bodies, and in the one that relaxes (sweep.py)
    DRIFT         ½ h (ω × (ω × r)), second against first: what the velocity of the point changes from mid-step to its end
    BEND          by how much the first and the second are round there: LA, LB are then points of their cores (narrow/convex.py)
    COLUMN        first of three columns of joints.py, or −1        SOFT     γ of a point that gives way (soft.py), else 0

All points of a manifold share GRIP numbers:

    MU, E         friction, restitution                             SLOP     what a gap may miss zero by
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import One, struct

RA, RB, KN, MN, MT, RN, RT, PUSH, HOLD, DRIFT = 0, 3, 6, 9, 10, 11, 12, 15, 16, 17
LA, LB, GAP, GAP0, COLUMN, BEND, SOFT = 20, 23, 26, 27, 28, 29, 31
ROW = 32  # a multiple of 8: rows begin at lines of the cache
MU, E, SLOP = 0, 1, 2
GRIP = 3
OLD = 13  # numbers kept of an old point: LA, RN, RT, GAP0, LB, BEND
LINK = 8  # numbers of a manifold: first and second body, first point, number of points, contact, shapes; 1: gives way
HELD = 9  # sums of a manifold's impulses: the impulse, its moments about the centres of both bodies
POSE = 12  # place (3), rows of the rotation (9)
MOST = 8  # points of one manifold
TRACE = 1e-60  # N s: an impulse up to that says only that a point carries (begin.py)
GIVES = -3.0  # of ``hit``: a body that touches what gives way, and nothing else (soft.py)

SPHERE, BOX, PLATE, PLANE, CAPSULE, CYLINDER, POLYGON, POLYHEDRON = range(8)  # kinds of shapes; PLATE: a rectangle of the plane

RULES = np.dtype([
    ("h", "f8"), ("substeps", "i8"), ("sweeps", "i8"), ("relaxing", "i8"),  # of a detection
    ("visits", "i8"),  # of points in one substep at most, where sweeps repeat until they converge
    ("tolerance", "f8"),  # m/s: change of a sweep below which it has converged; residual above which a step is counted
    ("share", "f8"),  # of a penetration that is closed in a substep
    ("haste", "f8"),  # m/s, at which it is closed at most
    ("gravity", "f8", (3,)), ("cell", "f8"), ("reach", "f8"),
    ("moving", "i8"),  # shapes on moving bodies come first
    ("bodies", "i8"), ("plane", "i8"), ("alone", "i8"),  # alone: no joints and no forces but gravity
    ("freeze", "i8"), ("still", "f8"),  # detections at rest before an island is frozen (0: never); the speed that counts as rest
    ("direct", "i8"), ("effort", "i8"),  # bodies of an island that is solved at once, at most; multiplications of its factors
    ("lie", "f8"), ("least", "f8"),  # of the scale: what a gap may miss zero by; the smallest scale
    ("deep", "f8"),  # of the scale: deeper points are pushed out whatever it costs
    ("split", "i8"), ("last", "f8"), ("fresh", "i8"),  # fresh: impulses of points are counted already;
    # points up to which substeps end where one arrives; length of the last substep
    ("time", "f8"), ("softness", "i8"),  # softness: 1 where some contact gives way
    ("arrives", "i8")])  # 1: this substep ends just before a point arrives

REPORT = np.dtype([
    ("pairs", "i8"), ("manifolds", "i8"), ("points", "i8"), ("old", "i8"), ("active", "i8"), ("back", "i8"),
    ("normal", "f8"), ("tangential", "f8"), ("square", "f8"), ("depth", "f8"), ("closed", "i8"),
    ("friction", "f8"), ("impact", "f8"),  # J lost so far
    ("detections", "i8"), ("above", "i8"), ("softened", "i8"), ("woken", "i8"), ("visited", "i8"), ("solved", "i8"),
    ("failed", "i8"), ("jointed", "i8"), ("iterations", "i8"), ("islands", "i8"), ("covered", "i8"), ("pushed", "i8"),
    ("deep", "i8"), ("gained", "f8"),  # points that are pushed out whatever it costs; J that contacts put in, in all
    ("jammed", "i8"), ("jam_a", "i8"), ("jam_b", "i8"), ("jam_time", "f8"),  # closed where nothing gives way; the first
    ("poisson", "i8"), ("unreached", "i8"), ("un_a", "i8"), ("un_b", "i8"), ("un_time", "f8"),  # blows by Poisson's law, and
    ("loose", "i8"), ("loose_a", "i8"), ("loose_b", "i8"), ("loose_time", "f8"),  # without restitution, not unique (blow.py)
    ("since", "f8"),  # s since points were put aside
    ("borne", "i8"), ("borne_a", "i8"), ("borne_b", "i8"), ("borne_time", "f8"),  # blows that frozen bodies took; the first
    ("missed", "i8"), ("miss", "f8"), ("miss_a", "i8"), ("miss_b", "i8"), ("miss_time", "f8")])  # substeps that should converge

World = struct("World", {
    "rules": One(RULES), "report": One(REPORT),
    # bodies, nb + 1
    "x": "f8", "e": "f8", "R": "f8", "v": "f8", "before": "f8", "free": "f8", "way": "f8", "trend": "f8",
    "mass": "f8", "inertia": "f8", "inverse_mass": "f8", "inverse_inertia": "f8", "W": "f8", "moment": "f8",
    "turn": "f8",  # R at mid-step of bodies whose moments differ
    "radius": "f8", "hit": "f8", "speed": "f8", "stray": "f8", "stood": "f8", "unmoved": "i8", "frozen": "i8", "rest": "i8",
    "root": "i8", "jointed": "i8",
    "lost": "f8", "loss": "f8", "worth": "f8", "spared": "f8",  # J taken from a body in this substep, from an island; balance.py
    # shapes
    "kind": "i8", "body": "i8", "size": "f8", "local": "f8", "place": "f8", "bound": "f8", "scale": "f8", "group": "i8",
    "apart_at": "i8", "apart": "i8",  # bodies that a body does not touch: apart[apart_at[b]:apart_at[b + 1]]
    "beside_at": "i8", "beside": "i8",  # shapes of the same body that touch a shape (narrow/seams.py), likewise
    # groups of shapes, n × n
    "groups": "i8", "contact": "i8", "friction": "f8", "restitution": "f8", "facing": "f8",
    "stiffness": "f8", "damping": "f8",  # of contacts that give way, else 0 (soft.py)
    # pairs
    "head": "i8", "member": "i8", "packed": "f8", "key": "i8", "large": "i8", "broad": "i8", "pair": "i8",
    "path": "i8", "rank": "i8", "lined": "f8",  # moving shapes in the order of their places, its scratch; middle and reach so
    # manifolds and points of this detection and the last
    "link": "i8", "normal": "f8", "grip": "f8", "row": "f8", "old_link": "i8", "old_normal": "f8", "old_row": "f8",
    "table": "i8", "mask": "i8", "used": "i8",
    # scratch of the narrow phase: points (x, y, z, gap, feature), normal
    "found": "f8", "toward": "f8", "spare": "f8", "polygon": "f8", "clipped": "f8",
    # cores of shapes, and scratch of the pairs that go by them (narrow/cores.py, contacts/hulls.py)
    "round": "f8", "hull": "i8", "corner": "f8", "face": "i8", "loop": "i8", "outward": "f8",
    "simplex": "f8", "weight": "f8", "witness": "f8", "cloud": "f8", "skin": "f8", "knot": "i8", "rim": "i8", "least": "f8",
    "points": "f8", "loops": "f8",
    "sum": "f8",  # per contact, on its second bodies: force, torque about the origin, power, impulse, its moment (certify.py)
    "by_body": "f8",  # impulses of the last substep on every body: force (3), torque about its centre (3)
    # joints.py: the equations' own arrays, shared
    "q": "f8", "u": "f8", "udot": "f8", "shift": "f8", "time": "f8", "power": "f8", "ledger": "f8", "handle": "i8",
                         "wrench": "f8", "answer": "f8", "count": "i8",
    "column": "f8",
    # newton.py
    "island": "i8", "order": "i8", "place_of": "i8", "low": "i8", "offset": "i8", "near_at": "i8", "near": "i8", "bond_at": "i8",
    "bond": "i8", "fill": "i8", "fill_bond": "i8", "matrix": "f8", "right": "f8", "state": "i8", "slip": "f8", "kept": "f8",
    "waits": "i8",  # of a root: tries it is passed over from now on, and after the last failure; 2 nb: settle
    # together.py: points of what joints hold: row, manifold, state; directions, W, the linear system, directions of friction
    "seat": "i8", "frame": "f8", "delassus": "f8", "dense": "f8", "unknown": "f8", "swaps": "i8", "still": "f8", "heading": "f8",
    "calm": "i8",  # manifolds of bodies that hardly move (calm.py)
    # of bodies: 1 rests, goes anywhere, was changed by much; of manifolds: 0 to be visited, 1 not if both rest, 2 nor was it,
    # HELD sums (begin.py)
    "guided": "i8",  # of bodies: 1 where motion.gyroscopic turned them in this substep
    "rests": "i8", "goes": "i8", "stirred": "i8", "quiet": "i8", "held": "f8"})
