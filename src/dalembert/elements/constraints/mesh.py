"""Two gears whose axes one body k carries: the row that holds the tangential velocity at the pitch point, and its central force.

    plane and parallel axes     e: from the centre of i to that of j, d apart;  z: the common axis;  t = z × e, fixed on k
    Φ = φ_j − K φ_i + L (τ_j − τ_i) − C          φ: turn of a gear against k,  τ: its centre along t,  L = (K s_i − s_j)/d

φ_g counts about s_g z (s = ±1, joints drawn with opposite axes).  τ is zero as long as the bearings hold the centres, so Φ is the
course's gear equation and λ the course's multiplier; but D now has the force L t on the centres of the gears.  With the torques
this is one force at the pitch point, on j and opposite on i, and nothing on k: for external gears (d = ρ_i + ρ_j, K = −ρ_i/ρ_j)

    on j: λ/ρ_j t at the centre and the torque −λ  =  λ/ρ_j t at the centre − ρ_j e

and for internal ones (d = |ρ_i − ρ_j|) likewise at their pitch point.  Φ is a function of position, so Φ̇ = D v and γ hold off the
constraints too; forces and moments of the row add up to zero in any pose.
Chain and belt: strands of tension T₁ (on the side of t) and T₂ along the tangents, sin β = (ρ_i − ρ_j)/d.  They give the
torques ρ_j (T₁ − T₂) on j, −ρ_i (T₁ − T₂) on i, and on j the force (T₁ − T₂) sin β t − (T₁ + T₂) cos β e: the part with T₁ − T₂
is the same row again.
Bevel gears (axes that meet in O): t across the plane of the axes, τ at the feet of the pitch point on the axes,
L = (u_j × r_j)·t/ρ_j², K the ratio of both L (r: from the foot to the pitch point).

Central force (equations/central.py), ± f n on j and i, workless because the bearings hold the centres:

    teeth    f = |λ|/ρ_j tan α       apart, whichever flank carries
    chain    f = −|λ|/ρ_j cos β      the slack strand hangs: T₁ + T₂ = |T₁ − T₂|
    belt     f = −2 T₀ cos β         T₁ + T₂ = 2 T₀
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.elements.constraints.axes import FIT, Axis
from dalembert.elements.element import name_of


@dataclass(frozen=True)
class Teeth:
    """What is known of a gear pair beside its row; numbers of bodies (−1: none), λ times ``ratio`` is the torque on i."""

    kind: str  # "ratio": torques alone
    i: int
    j: int
    carrier: int
    ratio: Any
    radius: Any = 0.0  # of j
    point: int = 0  # markers: where the central force acts, and whose first axis it is along
    guide: int = 0
    slope: Any = 0.0  # f = slope |λ| + constant
    constant: Any = 0.0
    preload: Any = 0.0
    bodies: tuple[int, int] = (-1, -1)  # the two it pushes: −f on the first, f on the second


@dataclass(frozen=True)
class Pitch:
    """Where two gears meet, ground axes as drawn."""

    feet: tuple[Any, Any]  # of the pitch point on the axes
    turns: tuple[Any, Any]  # sign (plane) or direction about which each coordinate counts
    tangent: Any
    ratio: Any  # K
    lever: Any  # L
    radii: tuple[Any, Any]
    normal: Any
    slope: Any  # of the central force, before tan α
    point: Any


def numbers(x) -> np.ndarray:
    """Floats of a vector of formulas."""
    return np.array([float(v) for v in x])


def fits(a, b, size) -> bool:
    return abs(float(a) - float(b)) <= FIT * abs(float(size))


def pitch(b, element, kind, one: Axis, two: Axis) -> Pitch | str:
    """The pitch point of a pair, or why the drawing has none."""
    if b.dim == 3:
        across = np.cross(numbers(one.direction), numbers(two.direction))
        if np.linalg.norm(across) > 1e-9:
            return _bevel(b, element, kind, one, two)
    return _parallel(b, element, kind, one, two)


def _parallel(b, element, kind, one, two):
    d = two.point - one.point
    feet = (one.point, two.point)
    if b.dim == 2:
        signs = (one.direction, two.direction)
    else:
        z = one.direction
        rise = z @ d
        d = d - z * rise
        feet = (one.point + z * (rise / 2), two.point - z * (rise / 2))  # halfway between the hinges
        signs = (1.0, 1.0 if float(z @ two.direction) > 0 else -1.0)
    gap = float(np.linalg.norm(numbers(d)))
    if gap <= 1e-12 * max(1e-300, np.abs(numbers(feet[0])).max(), np.abs(numbers(feet[1])).max()):
        return "its axes coincide"
    e = b.direction(tuple(d), f"line of centres of {element.title}")
    d = e @ d
    t = np.array([-e[1], e[0]]) if b.dim == 2 else np.cross(z, e)
    opposite = signs[0] * signs[1]
    if element.radii is None:
        ratio = element.ratio_of(b)
        turns = ratio * opposite  # of j per turn of i about one axis
        if kind in ("chain", "belt"):
            return f"a {kind} needs radii=: its strands are tangents of both wheels"
        if (float(turns) < 0) != (kind == "external") or float(turns) == 1.0:
            return f"ratio = {float(ratio):g} is not that of {kind} gears drawn like this"
        second = d / abs(1.0 - turns)
        radii = (abs(turns) * second, second)
    else:
        radii = element.radii_of(b)
        turns = -radii[0] / radii[1] if kind == "external" else radii[0] / radii[1]
        ratio = turns * opposite
        wanted = abs(radii[0] - radii[1]) if kind == "internal" else radii[0] + radii[1]
        if not (fits(d, wanted, d) or (kind in ("chain", "belt") and float(d) > float(wanted))):
            return (f"its centres are drawn {float(d):.6g} apart, the radii ask for {float(wanted):.6g}"
                    f"{' at least' if kind in ('chain', 'belt') else ''}")
    slope = 1.0 / radii[1] * (1.0 if kind == "external" else -1.0)
    if kind in ("chain", "belt"):
        sine = (radii[0] - radii[1]) / d
        slope = slope * (1.0 - sine * sine) ** 0.5
    directions = signs if b.dim == 2 else (one.direction, two.direction)
    return Pitch(feet, directions, t, ratio, (ratio * signs[0] - signs[1]) / d, radii, e, slope, feet[1])


def _bevel(b, element, kind, one, two):
    if element.radii is None or kind != "external":
        return "its axes are not parallel; bevel gears take radii= and kind=\"external\""
    radii = element.radii_of(b)
    p, q, a, c = (numbers(x) for x in (one.point, two.point, one.direction, two.direction))
    across = np.cross(a, c)
    square = across @ across
    size = np.linalg.norm(q - p) + float(radii[0]) + float(radii[1])
    if abs((q - p) @ across) / math.sqrt(square) > FIT * size:
        return "its axes are skew"
    along_p, along_q = np.cross(q - p, c) @ across / square, np.cross(q - p, a) @ across / square
    apex = p + along_p * a
    if min(abs(along_p), abs(along_q)) < FIT * size:
        return "a hinge is drawn where the axes meet; draw it at the centre of its gear"
    o, r = (-math.copysign(1.0, along_p) * a, -math.copysign(1.0, along_q) * c)
    sine, cosine = math.sqrt(square), float(o @ r)
    first, second = (float(x) for x in radii)
    feet = (apex + (second + first * cosine) / sine * o, apex + (first + second * cosine) / sine * r)
    for foot, axis, point in zip(feet, (one, two), (p, q), strict=True):
        drawn = [point, numbers(b.placed[axis.gear].r)]
        if min(np.linalg.norm(foot - x) for x in drawn) > FIT * size:
            return (f"for these radii the centre of {(*b.body_names, 'ground')[axis.gear]} is "
                    f"({', '.join(f'{x:.6g}' for x in foot)}), drawn ({', '.join(f'{x:.6g}' for x in point)})")
    place = apex + second / sine * o + first / sine * r
    t = np.cross(o, r) / sine
    levers = [np.cross(u, place - f) @ t / ((place - f) @ (place - f)) for u, f in zip((a, c), feet, strict=True)]
    line = (place - apex) / np.linalg.norm(place - apex)
    n = feet[1] - place
    n = n - line * (n @ line)
    return Pitch(feet, (one.direction, two.direction), t, levers[1] / levers[0], levers[1], radii, n / np.linalg.norm(n),
                 1.0 / radii[1], place)


def rows(b, element, kind, carrier: int, one: Axis, two: Axis, found: Pitch, tangent_alpha, preload) -> None:
    """Write the row, and what is known of the pair."""
    terms, centres = [], []
    t = found.tangent
    for axis, foot, turn, factor, side in ((two, found.feet[1], found.turns[1], 1.0, 1.0),
                                           (one, found.feet[0], found.turns[0], -found.ratio, -1.0)):
        frame = (np.column_stack([t, [-t[1], t[0]]]) if b.dim == 2
                 else np.column_stack([t, np.cross(turn, t), turn]))
        on_k = b.marker(carrier, b.local(carrier, foot), b.placed[carrier].A.T @ frame)
        local = b.local(axis.gear, foot)
        if axis.hinge is not None:  # the drawing need not be assembled
            own = b.markers[axis.hinge.side(axis.gear)]
            local = own.local
            if b.dim == 3:
                line = b.axes_of(axis.hinge.side(carrier))[:, 2]
                local = local + own.axes[:, 2] * (line @ (foot - axis.point))
        on_g = b.marker(axis.gear, local, b.placed[axis.gear].A.T @ frame)
        if axis.hinge is not None:
            terms.append((b.coordinate(axis.hinge.name, element, "angle"), factor * axis.forward))
        else:
            terms.append((b.angle(on_k, on_g), factor * turn if b.dim == 2 else factor))
        if float(found.lever) != 0.0:
            terms.append((b.dot_offset(on_k, 0, on_g), found.lever * side))
        centres.append(on_g)
    b.combine(terms, b.drawn_sum(terms), "gear ratio")
    b.centres[element.name] = (centres[1], centres[0])
    n = found.normal
    frame = np.column_stack([n, [-n[1], n[0]]]) if b.dim == 2 else np.column_stack([n, np.cross(t, n), t])
    guide = b.marker(carrier, b.local(carrier, found.point), b.placed[carrier].A.T @ frame)
    slope = found.slope if kind == "chain" else 0.0 if kind == "belt" else found.slope * tangent_alpha
    constant = 2.0 * preload * found.slope * found.radii[1] if kind == "belt" else 0.0
    b.teeth[element.name] = Teeth(kind, one.gear, two.gear, carrier, found.ratio, found.radii[1], guide, guide, slope, constant,
                                  preload, (one.gear, two.gear))


def ratio(b, element, second, first, carrier, ratio) -> None:
    """Remember which bodies a relation of torques alone acts on; second, first: a coordinate, and which of a joint's it is."""
    i, j = (_moved_by(b, element, *part) for part in (first, second))
    k = -1 if carrier is None else _moved_by(b, element, carrier, "angle")
    b.teeth[element.name] = Teeth("ratio", i, j, k, ratio)


def _moved_by(b, element, ref, prefer) -> int:
    """The body whose motion a coordinate tells: the second one, unless that is the ground."""
    if isinstance(ref, str) and name_of(ref, element.title) == "ground":
        return b.ground
    m = b.measures[b.coordinate(ref, element, prefer)]
    i, j = (b.markers[m[side]].body for side in "ij")
    return i if j == b.ground else j
