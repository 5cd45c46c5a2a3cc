"""A motion as a table of text: one row per sample, one header row, numbers that read back to the same bits.

    plane   t, then per body  x, y, angle, vx, vy, omega
    space   t, then per body  x, y, z, e0 … e3, vx, vy, vz, wx, wy, wz   (w: angular velocity in body axes)

Position and velocity are those of the body's reference point in ground axes.  Names that a spreadsheet would run as a formula get
an apostrophe in front.
"""

from __future__ import annotations

import csv
import os

import numpy as np

from dalembert.io import atomic
from dalembert.io.cells import cell

PLANE = ("x", "y", "angle", "vx", "vy", "omega")
SPACE = ("x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz")


def table(motion) -> tuple[list[str], np.ndarray]:
    """Header and values (samples × columns) of all bodies."""
    plane = motion.system.dim == 2
    header, columns = ["t"], [np.atleast_1d(motion.t)]
    for name in motion.system.bodies:
        b = motion[name]
        turn = b.angle if plane else b.quaternion
        parts = (b.position, b.velocity) if b.is_particle else (b.position, turn, b.velocity, b.omega)
        names = PLANE if plane else SPACE
        header += [f"{name}.{c}" for c in names if not b.is_particle or (c[-1] in "xyz" and c[0] != "w")]
        for part in parts:
            columns += list(np.asarray(part).reshape(len(columns[0]), -1).T)
    return header, np.column_stack(columns)


def write(motion, path: str | os.PathLike[str]) -> None:
    """Write the table of a motion to a file."""
    header, values = table(motion)
    with atomic.replacing_text(path, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(cell, header))
        writer.writerows([repr(x) for x in row] for row in values.tolist())
