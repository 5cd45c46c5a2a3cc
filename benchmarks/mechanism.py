"""A mechanism in plain data, from which every engine's model is built and by which every answer is judged.

Points, axes and velocities are in ground axes, in the pose as drawn, which is assembled and consistent.  In the plane
``rotation``
is an angle and ``omega`` a number; in space a matrix and a vector.  ``inertia`` is about the centre of mass, in body axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

GROUND = "ground"


@dataclass(frozen=True)
class Body:
    """A rigid body; ``position`` and ``velocity`` are those of its centre of mass."""

    name: str
    mass: float
    inertia: Any
    position: np.ndarray
    rotation: Any = 0.0
    velocity: Any = None
    omega: Any = None


@dataclass(frozen=True)
class Joint:
    """A pin (plane), a hinge (space, with axis) or a ball (space, axis None) between i and j.

    A slider (``slides``, space) moves along its axis and does not turn; its i is the ground, and it closes no loop.
    """

    name: str
    i: str
    j: str
    at: np.ndarray
    axis: Any = None
    slides: bool = False


@dataclass(frozen=True)
class Spring:
    """Linear spring and damper between a point of i and a point of j."""

    name: str
    i: str
    j: str
    at_i: np.ndarray
    at_j: np.ndarray
    stiffness: float
    length: float
    damping: float = 0.0


@dataclass(frozen=True)
class Torque:
    """A constant torque on a body of the plane."""

    body: str
    value: float


@dataclass(frozen=True)
class Mechanism:
    """Bodies, joints and forces of one problem."""

    name: str
    dim: int
    gravity: np.ndarray
    bodies: list[Body]
    joints: list[Joint]
    springs: list[Spring] = field(default_factory=list)
    torques: list[Torque] = field(default_factory=list)

    @property
    def index(self) -> dict[str, int]:
        """Number of each body; the ground is -1."""
        return {GROUND: -1, **{b.name: k for k, b in enumerate(self.bodies)}}

    def start(self) -> Samples:
        """The drawn state as one sample."""
        d = self.dim
        zero = 0.0 if d == 2 else np.zeros(3)
        r = np.array([b.position for b in self.bodies], dtype=float)
        R = np.array([b.rotation for b in self.bodies], dtype=float)
        v = np.array([np.zeros(d) if b.velocity is None else b.velocity for b in self.bodies], dtype=float)
        w = np.array([zero if b.omega is None else b.omega for b in self.bodies], dtype=float)
        return Samples(np.zeros(1), r[None], R[None], v[None], w[None])

    def tree(self) -> tuple[list[tuple[int, int, Joint]], list[Joint]]:
        """Shallowest spanning tree from the ground, listed depth first as (body, parent, joint); and the joints left over.

        The first of bodies that no joint ties to the ground hangs on it by nothing (joint None stands for six freedoms).
        """
        at = self.index
        near: dict[int, list[tuple[int, Joint]]] = {}
        for joint in self.joints:
            near.setdefault(at[joint.i], []).append((at[joint.j], joint))
            near.setdefault(at[joint.j], []).append((at[joint.i], joint))
        parent: dict[int, tuple[int, Any]] = {}

        def grow(level: list[int]) -> None:
            while level:
                found = []
                for k in level:
                    for m, joint in near.get(k, []):
                        if m >= 0 and m not in parent:
                            parent[m] = (k, joint)
                            found.append(m)
                level = found

        grow([-1])
        for k in range(len(self.bodies)):
            if k not in parent:
                parent[k] = (-1, None)
                grow([k])
        children: dict[int, list[int]] = {}
        for k, (p, _) in parent.items():
            children.setdefault(p, []).append(k)
        order, stack = [], list(reversed(children.get(-1, [])))
        while stack:
            k = stack.pop()
            order.append((k, *parent[k]))
            stack.extend(reversed(children.get(k, [])))
        used = {id(joint) for _, joint in parent.values()}
        return order, [joint for joint in self.joints if id(joint) not in used]


@dataclass
class Samples:
    """States of all bodies at times t: r, v (nt, nb, dim); R angles (nt, nb) or matrices (nt, nb, 3, 3); w in ground axes."""

    t: np.ndarray
    r: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray

    @staticmethod
    def empty(mechanism: Mechanism, times) -> Samples:
        """Room for states at times."""
        n, nb, d = len(times), len(mechanism.bodies), mechanism.dim
        plane = d == 2
        return Samples(
            np.asarray(times),
            np.zeros((n, nb, d)),
            np.zeros((n, nb) if plane else (n, nb, 3, 3)),
            np.zeros((n, nb, d)),
            np.zeros((n, nb) if plane else (n, nb, 3)),
        )

    def point(self, mechanism: Mechanism, body: str, at) -> np.ndarray:
        """Path of the point of ``body`` that is at ``at`` in the drawing."""
        k = mechanism.index[body]
        arm = np.asarray(at, dtype=float) - mechanism.bodies[k].position
        return self.r[:, k] + turned(mechanism, k, self.R[:, k], arm)

    def point_velocity(self, mechanism: Mechanism, body: str, at) -> np.ndarray:
        k = mechanism.index[body]
        arm = self.point(mechanism, body, at) - self.r[:, k]
        if mechanism.dim == 2:
            return self.v[:, k] + self.w[:, k, None] * np.column_stack([-arm[:, 1], arm[:, 0]])
        return self.v[:, k] + np.cross(self.w[:, k], arm)


def turned(mechanism: Mechanism, k: int, R: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """A vector drawn on body k, after the body turned to R."""
    if mechanism.dim == 2:
        a = R - mechanism.bodies[k].rotation
        c, s = np.cos(a), np.sin(a)
        return np.column_stack([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])
    return R @ (np.asarray(mechanism.bodies[k].rotation).T @ arm)


def space(p) -> np.ndarray:
    """A point of the plane as one of space."""
    return np.array([*p, 0.0]) if len(p) == 2 else np.asarray(p, dtype=float)


def relative_spins(mechanism: Mechanism) -> dict[int, Any]:
    """Of every body of the tree at the start, against its parent: a number about its hinge (along its slider), or a vector
    (balls, free bodies)."""
    start, found = mechanism.start(), {}
    v, w = start.v[0], start.w[0]
    for k, parent, joint in mechanism.tree()[0]:
        if joint is not None and joint.slides:
            found[k] = float(v[k] @ joint.axis)
            continue
        spin = w[k] - (w[parent] if parent >= 0 else 0.0)
        found[k] = float(spin @ joint.axis) if mechanism.dim == 3 and joint is not None and joint.axis is not None else spin
    return found


def rod(name: str, start, end, mass: float, omega: float = 0.0, about=None) -> Body:
    """Uniform slender rod of the plane; with ``omega`` it turns about the point ``about``."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    along = end - start
    middle = (start + end) / 2
    arm = middle - (middle if about is None else np.asarray(about, dtype=float))
    return Body(
        name,
        mass,
        mass * float(along @ along) / 12,
        middle,
        float(np.arctan2(along[1], along[0])),
        omega * np.array([-arm[1], arm[0]]),
        omega,
    )
