"""From bodies, markers and the steps of a spanning tree to links.

A joint's motion from marker i to marker j is a product  K₁ M₁(q₁) K₂ M₂(q₂) … K_end  of constant turns K and simple motions M
about (along) the main axis.  A motion about another axis is turned onto the main one before and back after.  Passed backwards,
from j to i, it is the product of the inverses in the opposite order: constants transposed, motions with the opposite sign.

    Rx, Ry, Rz, Tx, Ty, Tz     about and along the axes of i       (Rx, Ry, Rz) together: a ball, one link with a quaternion
    screw                      turn q, shift lead q
    arm i, arm j               a cross: R_z(q₁) C R_z(q₂), C takes z to x
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dalembert.elements.measures.table import ANGLE
from dalembert.system import poses

from .tables import PLANAR_LINK, PRISMATIC, REVOLUTE, SCREW, SPATIAL_LINK, SPHERICAL, WELD

ONTO = {"x": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),  # columns y, z, x: the third axis is x
        "y": np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]),  # columns z, x, y
        "z": np.eye(3)}
BALL = ("Rx", "Ry", "Rz")


def turn(angle) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def pieces(dim, free) -> list[tuple[np.ndarray, int, str]]:
    """(turn onto the main axis, kind, name of the coordinate) of each motion in ``free``."""
    found = []
    free = list(free)
    while free:
        if dim == 3 and tuple(free[:3]) == BALL:
            found.append((np.eye(3), SPHERICAL, "ball"))
            del free[:3]
            continue
        word = free.pop(0)
        if word == "screw":
            found.append((np.eye(3), SCREW, "angle"))
        elif word == "arm i":
            found.append((np.eye(3), REVOLUTE, "arm i"))
        elif word == "arm j":
            found.append((ONTO["x"], REVOLUTE, "arm j"))
        elif dim == 2:
            onto = np.eye(2) if word != "Ty" else turn(np.pi / 2)
            found.append((onto, REVOLUTE if word[0] == "R" else PRISMATIC, _name(word, free, dim)))
        else:
            found.append((ONTO[word[1]], REVOLUTE if word[0] == "R" else PRISMATIC, _name(word, free, dim)))
    return found


def _name(word, free, dim) -> str:
    if word[0] == "R":
        return "angle" if word == "Rz" else f"angle {word[1]}"
    return "slide" if word == ("Tx" if dim == 2 else "Tz") else word[1]


def chain(dim, free, reverse):
    """Constants K (one more than motions) and the motions (kind, name), in the direction of the tree."""
    found = pieces(dim, free)
    constants, back = [], np.eye(dim)
    for onto, _, name in found:
        constants.append(back @ onto)
        back = np.eye(3) if name == "arm j" else onto.T  # behind the second arm the frame is marker j's own
    constants.append(back)
    motions = [(kind, name) for _, kind, name in found]
    if reverse:
        constants, motions = [K.T for K in reversed(constants)], motions[::-1]
    return constants, motions


class Links:
    """The links of a tree, and where the coordinates of its joints are."""

    def __init__(self, system, steps):
        self.system, self.dim = system, system.dim
        self.rows: list[dict] = [self._row(0, WELD, np.eye(self.dim), np.zeros(self.dim))]
        self.carrier = np.zeros(system.nb, dtype=np.uint32)
        self.frame = {system.nb: (np.eye(self.dim), np.zeros(self.dim))}  # body → (its axes, its centre) in its link
        self.nq = self.nv = 0
        self.names: list[str] = []  # of the speeds
        self.q_names: list[str] = []
        self.where: dict[str, list[tuple[int, str, int, int]]] = {}  # joint → (kind, coordinate, place in q, in u)
        for step in steps:
            self._add(step)
        if self.dim == 2:
            self.aim(steps)

    def _row(self, parent, kind, R, p, sign=1.0, lead=0.0):
        return {"parent": parent, "kind": kind, "R": R, "p": p, "sign": sign, "lead": lead, "q": 0, "v": 0, "speeds": 0,
                "body": self.system.nb, "mass": 0.0, "h": np.zeros(self.dim), "J": np.zeros((3, 3)) if self.dim == 3 else 0.0,
                "com": np.zeros(self.dim), "turn": np.eye(self.dim), "extra": 0.0}

    def _marker(self, m):
        return poses.local(self.system, m)

    def _add(self, step):
        s = self.system
        if step.markers is None:
            (sp, Fp), (sc, Fc) = (np.zeros(self.dim), np.eye(self.dim)), (np.zeros(self.dim), np.eye(self.dim))
        else:
            sp, Fp = self._marker(step.markers[1 if step.reverse else 0])
            sc, Fc = self._marker(step.markers[0 if step.reverse else 1])
        turn_p, com_p = self.frame[step.parent]
        parent = 0 if step.parent == s.nb else int(self.carrier[step.parent])
        constants, motions = chain(self.dim, step.free, step.reverse)
        if step.markers is None:  # a free body slides nowhere: x, y, z
            motions = [(kind, ("x" if self.dim == 2 else "z") if name == "slide" else name) for kind, name in motions]
        R, p = turn_p @ Fp, com_p + turn_p @ sp
        label = step.name or s.bodies[step.child]
        places = []
        for K, (kind, name) in zip(constants, motions, strict=False):
            row = self._row(parent, kind, R @ K, p, -1.0 if step.reverse and kind != SPHERICAL else 1.0, step.lead)
            row["q"], row["v"], row["speeds"] = self.nq, self.nv, 3 if kind == SPHERICAL else 1
            places.append((kind, name, self.nq, self.nv))
            self._count(label, name, kind, len(motions) == 1)
            self.rows.append(row)
            parent, R, p = len(self.rows) - 1, np.eye(self.dim), np.zeros(self.dim)
        if not motions:
            self.rows.append(self._row(parent, WELD, R, p))
        self.where[label] = places
        row, last = self.rows[-1], constants[-1] if motions else np.eye(self.dim)
        self._carry(row, step.child, Fc @ last.T, sc)

    def _count(self, label, name, kind, alone):
        if kind == SPHERICAL:
            self.nq, self.nv = self.nq + 4, self.nv + 3
            self.names += [f"{label}.w{c}" for c in "xyz"]
            self.q_names += [f"{label}.e{c}" for c in "0123"]
            return
        self.nq, self.nv = self.nq + 1, self.nv + 1
        self.names.append(label if alone else f"{label}.{name}")
        self.q_names.append(self.names[-1])

    def _carry(self, row, body, axes, point):
        """Mass of the body in the link's frame: its axes are ``axes`` and its origin is ``point`` of the body."""
        s, b = self.system, self.system.tables.bodies[body]
        self.carrier[body] = len(self.rows) - 1
        turn_c, com = axes.T, -axes.T @ point
        self.frame[body] = (turn_c, com)
        m = float(b["mass"])
        row.update(body=body, mass=m, h=m * com, com=com, turn=turn_c)
        if s.dim == 2:
            row["J"] = float(b["inertia"]) + m * float(com @ com)
        else:
            row["J"] = turn_c @ np.reshape(b["inertia"], (3, 3)) @ turn_c.T + m * (com @ com * np.eye(3) - np.outer(com, com))

    def aim(self, steps) -> None:
        """Plane: full turns between the angles of the bodies and the composed ones go into the last link of each joint, so that
        its coordinate is the joint's own (measured from the drawing, counting turns)."""
        s = self.system
        offsets = {(int(r["i"]), int(r["j"])): float(r["offset"]) for r in s.tables.measures if r["kind"] == ANGLE}
        angle = [np.arctan2(r["R"][1, 0], r["R"][0, 0]) for r in self.rows]
        out = [np.arctan2(r["turn"][1, 0], r["turn"][0, 0]) for r in self.rows]
        drawn = np.append(s.each_q(s.q_drawn)[:, 2], 0.0)
        for step in steps:
            last = int(self.carrier[step.child])
            first = 0 if step.parent == s.nb else int(self.carrier[step.parent])
            composed, k = out[last] - (out[first] if first else 0.0), last
            while k != first:
                composed += angle[k] + self.rows[k]["extra"]
                k = self.rows[k]["parent"]
            wanted = drawn[step.child] - drawn[step.parent]
            if not step.name:
                wanted = 0.0
            elif any(name == "angle" for _, name, _, _ in self.where[step.name]) and step.markers in offsets:
                wanted = (-1.0 if step.reverse else 1.0) * offsets[step.markers]
            self.rows[last]["extra"] = 2 * np.pi * np.round((wanted - composed) / (2 * np.pi))

    @cached_property
    def table(self) -> np.ndarray:
        """The links as records; in the plane ``extra`` full turns are added to the constant angles."""
        out = np.zeros(len(self.rows), PLANAR_LINK if self.dim == 2 else SPATIAL_LINK)
        for k, row in enumerate(self.rows):
            for key in ("parent", "kind", "q", "v", "speeds", "body", "sign", "lead", "mass", "p", "h", "com"):
                out[k][key] = row[key]
            if self.dim == 2:
                out[k]["angle"] = np.arctan2(row["R"][1, 0], row["R"][0, 0]) + row["extra"]
                out[k]["turn"] = np.arctan2(row["turn"][1, 0], row["turn"][0, 0])
                out[k]["J"] = row["J"]
            else:
                out[k]["R"], out[k]["turn"] = row["R"].ravel(), row["turn"].ravel()
                out[k]["J"] = row["J"][[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]
        return out
