"""Links of a spanning tree, and the workspace of the recursion.

A *link* is a frame that moves against its parent by at most one simple motion; a joint with several freedoms is a row of
links without mass, the last of which carries the body.  Link 0 is the ground.  A parent's number is smaller than its child's.

    kind        motion against the parent                              coordinates   speeds
    WELD        none                                                        0           0
    REVOLUTE    turn about the main axis (z) by σ q                         1           1
    PRISMATIC   shift along the main axis (x in the plane, z) by σ q        1           1
    SCREW       both: turn σ q, shift lead σ q                              1           1
    SPHERICAL   turn by a quaternion, speeds ω̄ along the link's axes        4           3

σ = −1 where the tree passes a joint from its second body to its first: the coordinate stays the user's.

Frames.  A link's origin is the joint's point on it, its axes are those of the joint's marker there.  All vectors are in
ground axes; moments and inertias are about the link's own origin.  (R, p): axes and point of the joint in the parent's frame.

    A = A_p R R_z(σ q)        d = r − r_p = A_p p + a σ q (shift)        a: the axis of the motion, in ground axes, times σ
    ω = ω_p + ω_J             v = v_p + ω_p × d + v_J                    (ω_J, v_J) = S u: turn a u, shift a u
    α = α_p + ω_p × ω_J + Σ a u̇ (turns)
    v̇ = v̇_p + α_p × d + ω_p × (ω_p × d) + 2 ω_p × v_J + Σ a u̇ (shifts)

The terms without u̇ and without the parent's acceleration are Ṡ u (here: ``bias``).
"""

import numpy as np

from dalembert._jit import struct
from dalembert.algebra import block_ldl

WELD, REVOLUTE, PRISMATIC, SCREW, SPHERICAL = range(5)

_COMMON = [("parent", "u4"), ("kind", "u4"), ("q", "u4"), ("v", "u4"), ("speeds", "u4"), ("body", "u4"), ("sign", "f8"),
           ("lead", "f8"), ("mass", "f8")]
PLANAR_LINK = np.dtype([*_COMMON, ("angle", "f8"), ("p", "f8", (2,)), ("h", "f8", (2,)), ("J", "f8"), ("com", "f8", (2,)),
                        ("turn", "f8")])
SPATIAL_LINK = np.dtype([*_COMMON, ("R", "f8", (9,)), ("p", "f8", (3,)), ("h", "f8", (3,)), ("J", "f8", (6,)),
                         ("com", "f8", (3,)), ("turn", "f8", (9,))])
# h = m c, J: about the link's origin, along its axes (xx, xy, xz, yy, yz, zz); com: c; turn: body axes in link axes

TURN = np.dtype([("slot", "u4"), ("q", "u4"), ("sign", "f8")])  # running angles of q that are a joint coordinate
PATH = np.dtype([("link", "u4"), ("at", "u4")])  # links that a group of loop rows loads, and where its entries are kept
GROUP = np.dtype([("row", "u4"), ("rows", "u4"), ("block", "u4"), ("blocks", "u4"), ("path", "u4"), ("paths", "u4"),
                  ("cluster", "u4"), ("offset", "u4")])
JOINT = np.dtype([("row", "u4"), ("rows", "u4"), ("at", "u4"), ("body", "u4")])  # per link: rows of the tree joint that carries
# it, body = child, at = the place of the joint's block on the child in the D of all rows; rows = 0 where there is none

_TREE = {"turns": TURN, "groups": GROUP, "paths": PATH, "columns": block_ldl.COLUMN, "below": block_ldl.BELOW,
         "targets": "u4", "joints": JOINT, "carrier": "u4", "gravity": "f8"}  # carrier: body → link

PlanarTree = struct("PlanarTree", {"links": PLANAR_LINK, **_TREE}, 2)
SpatialTree = struct("SpatialTree", {"links": SPATIAL_LINK, **_TREE}, 3)

# per link unless said otherwise; (plane, space) numbers
SIZES = {"pose": (4, 12), "theta": (1, 0), "d": (2, 3), "omega": (1, 3), "velocity": (2, 3), "bias": (3, 6), "acc": (3, 6),
         "inertia": (6, 21), "force": (3, 6), "wrench": (3, 6)}
PER_SPEED = {"axis": (3, 3), "U": (3, 6), "Dinv": (1, 1), "reduced": (1, 1)}  # reduced: τ − Sᵀp
OUTSIDE = ("q", "u", "qdot", "udot", "tau")  # joint coordinates, speeds, their rates, joint forces

Motion = struct("Motion", dict.fromkeys((*OUTSIDE, *SIZES, *PER_SPEED, "H"), "f8"))


def motion_arrays(dim, links, nq, nv, lanes=1, mass=False) -> dict[str, np.ndarray]:
    """Arrays of a Motion for ``lanes`` interleaved states."""
    k = dim - 2
    sizes = {"q": nq, "u": nv, "qdot": nq, "udot": nv, "tau": nv, "H": nv * nv if mass else 0}
    sizes |= {n: links * s[k] for n, s in SIZES.items()} | {n: nv * s[k] for n, s in PER_SPEED.items()}
    return {n: np.zeros(lanes * sizes[n]) for n in Motion._fields}


def set_ground(dim, arrays, gravity, lanes=1) -> None:
    """Pose of link 0, and its acceleration −g: gravity as the acceleration of the frame."""
    unit = [2] if dim == 2 else [3, 7, 11]
    for k in unit:
        arrays["pose"][k * lanes:(k + 1) * lanes] = 1.0
    for k in range(dim):
        arrays["acc"][k * lanes:(k + 1) * lanes] = -gravity[k]
