"""A model as a tree of limbs in numbers, for exporters: where each body is drawn, on which joint it hangs, what closes loops.

The drawing must be closed: the points and axes of every joint of the tree coincide there (to 1e-8 of the size).  A joint that the
tree goes through from its second body to its first keeps its coordinate when its axis is turned round.  A joint that the format
has not is one of those that are left: its body is free.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.elements.element import name_of
from dalembert.errors import FileError
from dalembert.io.mjcf.laws import Affine, read
from dalembert.model.numbers import Numbers
from dalembert.model.rotors import carriers, returned, without_rotors
from dalembert.model.rubbing import rubs
from dalembert.model.standing import standing
from dalembert.model.topology import topology

CLOSED = 1e-8
# free motions → kind
KINDS = {("Rz",): "hinge", ("Tz",): "slide", ("Rx", "Ry", "Rz"): "ball", (): "weld", ("Tx", "Ty", "Rz"): "plane"}


def kind_of(joint) -> str:
    """What a joint is for exporters: by the motions it leaves free; "other" for what no format has."""
    return "free" if joint is None else KINDS.get(tuple(joint.free.get(3, ("?",))), "other")


@dataclass
class Limb:
    """A body with its joint; point and axis in ground axes as drawn, mass about the centre along the body's axes."""

    name: str
    parent: str
    joint: Any  # None for a free body
    at: np.ndarray
    axis: np.ndarray
    r: np.ndarray
    A: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    shapes: tuple
    children: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return kind_of(self.joint)


class Limbs:
    """The tree, its loops, and the forces on joints that a table of numbers can say."""

    def __init__(self, model, what: str, kinds: tuple[str, ...]):
        if model.dim != 3:
            raise FileError(f"model '{model.name}' lies in the plane (dim=2); {what} describes bodies in space: use dim=3")
        self.model, self.what, self.kinds = model, what, kinds
        plain, geared = without_rotors(model)
        self.values = values = plain.parameter_values()
        self.numbers = Numbers(3, values)
        self.gravity = self.numbers.vector(plain.gravity, "gravity")
        self.armature = {n: self.numbers.number(r.armature, f"armature of {n}") for n, r in geared.items()}
        self.carriers = carriers(model)
        system = plain.compile()
        found = topology(plain, system)
        self.limbs: dict[str, Limb] = {}
        self.order = list(plain.bodies)
        self.system, self.factors = system, returned(model)
        for step in found.steps:
            self._limb(plain, step, kinds)
        for name in self.order:
            limb = self.limbs[name]
            if limb.parent != "ground":
                self.limbs[limb.parent].children.append(name)
        self.cut = [plain.elements[n] for n in found.cut]
        tree = {s.name for s in found.steps if s.name and kind_of(plain.elements[s.name]) in kinds}
        self.forces: dict[str, list[tuple[str, Affine]]] = {}
        self.left: list[Any] = []  # neither tree, nor loop, nor such a force
        for name, e in plain.elements.items():
            law = self._law(e)
            if law is not None and name_of(e.of, e.title) in tree:
                self.forces.setdefault(name_of(e.of, e.title), []).append((name, law))
            elif name not in tree and name not in found.cut:
                self.left.append(e)

    def _limb(self, plain, step, kinds) -> None:
        s = self.system
        name, body = s.bodies[step.child], plain.bodies[s.bodies[step.child]]
        x = body.resolve(self.numbers)
        factor = self.factors.get(name, 1.0)
        joint = plain.elements[step.name] if step.name else None
        if joint is not None and kind_of(joint) not in kinds:  # left out: the body is free
            joint = None
        at, axis = x["r"], np.array([0.0, 0.0, 1.0])
        if joint is not None:
            kind = kind_of(joint)
            ends = [self._marker(plain, m) for m in step.markers]
            apart = float(np.linalg.norm(ends[0][0] - ends[1][0]))
            turned = float(np.linalg.norm(ends[0][1] - ends[1][1]))
            if (kind not in ("slide", "plane") and apart > CLOSED * max(s.size, 1e-9)) or (
                    kind not in ("ball", "weld") and turned > CLOSED):
                raise FileError(f"{joint.title} is not closed in the drawing ({apart:.2e} m, {turned:.2e} apart): draw it "
                                f"closed, then it can be written as {self.what}")
            at, axis = ends[0][0] if apart <= CLOSED * max(s.size, 1e-9) else x["r"], ends[0][1]
            axis = -axis if step.reverse else axis
        parent = "ground" if step.parent == s.nb or joint is None else s.bodies[step.parent]
        self.limbs[name] = Limb(name, parent, joint, at, axis, x["r"], x["A"], factor * x["mass"], x["com"],
                                factor * x["inertia"], tuple(body.shapes) + tuple(body.solids))

    def _marker(self, plain, m) -> tuple[np.ndarray, np.ndarray]:
        row = self.system.tables.markers[m]
        k = int(row["body"])
        r, A, com = np.zeros(3), np.eye(3), np.zeros(3)
        if k < self.system.nb:
            x = plain.bodies[self.system.bodies[k]].resolve(self.numbers)
            r, A, com = x["r"], x["A"], x["com"]
        return r + A @ (com + row["s"]), A @ np.reshape(row["axes"], (3, 3))[:, 2]

    def end_points(self, joint) -> tuple[np.ndarray, np.ndarray]:
        """Point and axis of a cut joint as drawn."""
        ends = [self._marker(self.model, m) for m in self.system.markers[joint.name]]
        if np.linalg.norm(ends[0][0] - ends[1][0]) > CLOSED * max(self.system.size, 1e-9):
            raise FileError(f"{joint.title} is not closed in the drawing: draw it closed, then it can be written as {self.what}")
        return ends[0]

    def _law(self, e) -> Affine | None:
        """Numbers of a force on a joint's coordinate."""
        found = e.on_joint()
        if found is None or isinstance(found[0], (tuple, list)):
            return None
        k, d, rest = (self.numbers.number(x, f"number of {e.title}") for x in found[1:4])
        law = read(found[4], self.values)
        if law is None:
            return None
        return Affine(law.constant + k * rest, law.coordinate - k, law.rate - d, law.gain, law.control)

    def passive(self, joint: str) -> tuple[float, float, float, list[tuple[str, Affine]]]:
        """Damping, stiffness and rest position of a joint, and the forces on it that are motors."""
        damping = stiffness = pull = 0.0
        motors = []
        for name, law in self.forces.get(joint, ()):
            if law.control or law.rate > 0.0 or law.coordinate > 0.0 or (law.constant and not law.coordinate):
                motors.append((name, law))
            else:
                damping, stiffness, pull = damping - law.rate, stiffness - law.coordinate, pull + law.constant
        return damping, stiffness, pull / stiffness if stiffness else 0.0, motors

    def ratio(self, e) -> tuple[str, str, float] | None:
        """(i, j, K) of a pure ratio between two joints of the tree: φ_j = K φ_i."""
        if not hasattr(e, "ratio_of") or e.carrier is not None or any(isinstance(x, (tuple, list)) for x in (e.i, e.j)):
            return None
        i, j = name_of(e.i, e.title), name_of(e.j, e.title)
        return (i, j, float(e.ratio_of(self.numbers))) if {i, j} <= set(self.model.elements) else None

    def untold(self, shapes: tuple[type, ...]) -> list[str]:
        """Contacts with what belongs to them, and shapes that the format has no word for."""
        m = self.model
        found = [e.title for e in m.contacts.values() if e.kind != "fixture"] + [f"friction of '{name}'" for name in rubs(m)]
        owners = [(name, limb.shapes) for name, limb in self.limbs.items()] + [(f.name, f.shapes) for f in standing(m)]
        return found + [f"a {type(s).__name__} of '{name}'" for name, own in owners for s in own if not isinstance(s, shapes)]

    def refuse(self, left: list[str], skip: bool, how: str) -> None:
        if left and not skip:
            joints = f" (its joints are {', '.join(self.kinds)})" if any(e.kind == "joint" for e in self.left) else ""
            raise FileError(f"model '{self.model.name}': {self.what} cannot hold {', '.join(left)}{joints}; {how}(..., "
                            "skip=True) leaves them out")


def text_of(values) -> str:
    """Numbers as text, all digits; −0 is 0."""
    return " ".join(repr(float(x) + 0.0) for x in np.ravel(values))
