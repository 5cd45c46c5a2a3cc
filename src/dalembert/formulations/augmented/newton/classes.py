"""Classes of bodies whose columns of K, G_q and of C, G_v are found together by exact derivatives (sensitivity.py: jacobians).

Displaced, a body changes the forces of all its neighbours: their joints turn with it (Dᵀλ), so no two bodies of a class may have
a neighbour in common (``colouring``).  A change of velocity changes

    ρ = D v̇ − γ     of the rows of its own constraints
    u = Q − Dᵀλ     of itself (gyroscopic), and of the bodies that force elements join it to: D and λ do not see it

so two bodies go together unless a constraint joins them, or one of them acts by forces on the other or on a body whose forces the
other is asked about: a chain of joints needs two classes instead of three.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulations.augmented.newton.layout import RANGE, colouring, coupled_bodies


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


def class_tables(system) -> tuple[dict[str, np.ndarray], int]:
    """``colours`` and ``members`` of both kinds, one after the other, and how many classes are those of displacements."""
    displaced, moved = colouring(coupled_bodies(system)), velocity_classes(system)
    if system.states:  # how their rates change is read for every body by itself
        displaced = moved = [[b] for b in range(system.nb)]
    every = [*displaced, *moved]
    ends = np.cumsum([0] + [len(c) for c in every])
    return {"members": np.array([b for c in every for b in c], np.uint32),
            "colours": np.array([(ends[k], ends[k + 1]) for k in range(len(every))], RANGE)}, len(displaced)
