"""Classes of bodies whose columns of K, G_q and of C, G_v are found together by exact derivatives (sensitivity.py: jacobians).

Displaced, a body changes the forces of all its neighbours: their joints turn with it (Dᵀλ), so no two bodies of a class may have
a neighbour in common (``colouring``).  A change of velocity changes

    ρ = D v̇ − γ     of the rows of its own constraints
    u = Q − Dᵀλ     of itself (gyroscopic), and of the bodies that force elements join it to: D and λ do not see it

so two bodies go together unless a constraint joins them, or one of them acts by forces on the other or on a body whose forces the
other is asked about: a chain of joints needs two classes instead of three.

Where a body is does not count for what knows directions alone.  Points that stay together (coincide) have

    Φ = r_j + A_j s_j − r_i − A_i s_i,   D = [1, −(A s)×],   γ = ω × (ω × A s) …          neither r nor ṙ in D, Dᵀλ, D v̇ − γ

angles and products of axes have none anyway, gravity and given forces are the same everywhere, and inertia sees ω.  A body that
nothing else acts on has columns of zeros for its translations (``placeless``): hinges and balls need half of the lanes in space,
a third in the plane.  A lane is then a list of columns of K (or C): n times a body and its component.

Passes on duals serve what has no closed blocks (closed.py): bodies that nothing of it touches have no lanes at all.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.bodies.markers import NONE
from dalembert.elements.families import CONSTRAINTS, FORCES
from dalembert.elements.measures import table
from dalembert.elements.signals.readings import EFFORT, PLACE, RATE, SPIN, TWIST, VALUE
from dalembert.formulations.augmented.newton.closed import left_rows
from dalembert.formulations.augmented.newton.layout import RANGE, colouring, coupled_bodies

DIRECTIONS = [table.number(name) for name in ("angle", "dot_axes")]  # measures that do not know where bodies are
NOWHERE = ("coincide", "force", "torque")  # families that do not know it either
BY_MEASURES = ("hold", "combine", "equation", "effort")  # families that see bodies through measures alone


def velocity_classes(system) -> list[list[int]]:
    """Bodies in few classes, for changes of velocity."""
    near = coupled_bodies(system)
    pushed: list[set[int]] = [{b} for b in range(system.nb)]  # bodies whose forces the velocity of b changes
    for bodies in system.couples.values():
        found = {int(b) for b in bodies if b < system.nb}
        for b in found:
            pushed[b] |= found
    asked: list[set[int]] = [near[b] | {b} for b in range(system.nb)]  # bodies whose forces are read for b
    against: list[set[int]] = [set() for _ in near]
    for b in range(system.nb):
        for k in range(b):
            if k in near[b] or pushed[b] & asked[k] or pushed[k] & asked[b]:
                against[b].add(k)
                against[k].add(b)
    classes: list[list[int]] = []
    for b in sorted(range(system.nb), key=lambda k: -len(against[k])):
        room = next((c for c in classes if not against[b] & set(c)), None)
        if room is None:
            classes.append([b])
        else:
            room.append(b)
    return [sorted(c) for c in classes]


def placeless(system, tables=None) -> list[bool]:
    """For every body whether u and ρ do not see where it is, nor how fast it is translated; what is not known here sees it.

    ``tables``: those of what counts (left out: everything)."""
    t, nb = system.tables if tables is None else tables, system.nb
    others = [name for name in (*CONSTRAINTS, *FORCES) if name not in (*NOWHERE, *BY_MEASURES) and getattr(t, name).size]
    if system.readings or system.felt or any(name in CONSTRAINTS for name in others):
        return [False] * nb
    seen: set[int] = set()
    terms = [t.terms["measure"][int(r["start"]):int(r["stop"])] for rows in (t.combine, t.equation) for r in rows]
    used = np.concatenate([t.hold["measure"], *terms, t.effort["measure"]]).astype(int)
    for m in t.measures[used]:
        if m["kind"] not in DIRECTIONS:
            seen |= {int(t.markers["body"][m[side]]) for side in ("i", "j", "guide") if m[side] != NONE}
    names = {number: name for name, number in system.numbers.items()}
    for family in others:
        for number in getattr(t, family)["element"]:
            seen |= {int(b) for b in system.couples[names[int(number)]] or range(nb)}  # no markers: a field, on all bodies
    return [b not in seen for b in range(nb)]


def touched(system, tables) -> list[bool]:
    """For every body whether anything in the tables, or a law that reads names, sees it at all."""
    nb, rows = system.nb, set(left_rows(tables).tolist())
    if system.felt:
        return [True] * nb
    seen = {int(b) for g in system.groups.values() if rows & set(range(g.start, g.stop)) for b in g.blocks} | read_bodies(system)
    names = {number: name for name, number in system.numbers.items()}
    for family in FORCES:
        for number in getattr(tables, family)["element"]:
            seen |= {int(b) for b in system.couples[names[int(number)]] or range(nb)}
    return [b in seen for b in range(nb)]


def read_bodies(system) -> set[int]:
    """The bodies that laws read by name."""
    t, found = system.tables, set()
    for r in t.reading:
        kind, first = int(r["kind"]), int(r["first"])
        if kind in (VALUE, RATE, EFFORT):
            m = t.measures[first if kind != EFFORT else int(t.effort["measure"][first])]
            found |= {int(t.markers["body"][m[side]]) for side in ("i", "j", "guide") if m[side] != NONE}
        elif kind == SPIN:
            found.add(first)
        elif kind == TWIST:
            found.add(first // system.kind.TWIST)
        elif kind == PLACE and first not in system.states.values():
            mine = {b for b in range(system.nb) if system.at_q(b).start <= first < system.at_q(b).stop}
            found |= mine or set(range(system.nb))  # else a running angle
    return found


def lane_tables(system, tables=None) -> tuple[dict[str, np.ndarray], int]:
    """``colours``: lanes, those of displacements before those of velocities, each a range of ``members``, the columns of K in it
    (n times the body, and its component); and how many are displacements.  ``tables``: of what counts (left out: everything)."""
    displaced, moved = colouring(coupled_bodies(system)), velocity_classes(system)
    if system.states:  # how their rates change is read for every body by itself
        displaced = moved = [[b] for b in range(system.nb)]
    n, nowhere = system.kind.SIZE_V, placeless(system, tables)
    seen = [True] * system.nb if tables is None else touched(system, tables)
    lanes, counts = [], []
    for classes in (displaced, moved):
        found = [[system.at_v(b).start + c for b in bodies if seen[b] and (c >= system.dim or not nowhere[b])]
                 for bodies in classes for c in range(n)]
        lanes += [lane for lane in found if lane]
        counts.append(len(lanes))
    ends = np.cumsum([0] + [len(lane) for lane in lanes])
    return {"members": np.array([k for lane in lanes for k in lane], np.uint32),
            "colours": np.array([(ends[k], ends[k + 1]) for k in range(len(lanes))], RANGE)}, counts[0]
