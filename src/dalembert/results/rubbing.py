"""What a run knows of friction in its joints: forces at the surfaces, what presses them, sticking, and what was lost.

    sums      samples × surfaces × 13: f (3), sliding velocity (3), N + N₀, sticks (1) or slides (0), J lost since the start
    wrench    samples × bodies × 6: force and torque about the centre of mass, ground axes

Kept and saved as contacts are (results/contacts.py): accelerations and reactions of the samples are those with these forces.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.results.contacts import HISTORY, Touching, answered

FORCE, SPEED, NORMAL, STICKS, LOST = slice(0, 3), slice(3, 6), 6, 7, 8
TURNS = {"hinge": (0,), "ball": (0, 1, 2), "arm i": (0,), "arm j": (0,), "sleeve": (1,), "clutch": (0,), "band": (0,),
         "roll": (0,)}  # directions that are turns, by kind
WIDE = {"sleeve": 2, "ball": 3}


class Rubbed(Touching):
    """Surfaces that rub, of one run: named by joint, or "joint, kind" where a joint has several."""

    def of_joint(self, name: str) -> list[int]:
        """The surfaces of a joint."""
        return [k for k, n in enumerate(self.names) if n == name or n.startswith(f"{name}, arm ")]


def surfaces(system, name: str) -> list[dict]:
    """Surfaces of a joint as the model has them."""
    return [x for x in system.rubbing if x["element"] == name]


def rubbed_at(form, t, q, v, found: dict) -> Rubbed:
    """Friction at single states, into what was observed there: sliding where surfaces move, sticking where that holds."""
    from dalembert.contacts.events.words import Stuck
    from dalembert.contacts.rubbing.machine import Machine
    from dalembert.contacts.rubbing.samples import sums, wrench

    system = form.whole.system
    machine = Machine(system, form.whole, [0 if b is None else b.handle for b in (form.rhs, form.project, form.events)])
    each, forces = [], []
    for k in range(len(t)):
        machine.t[0] = t[k]
        machine.y[:] = 0.0
        machine.y[:system.nq + system.nv] = [*q[k], *v[k]]
        form.begin()
        try:
            machine.begin()
        except Stuck as why:
            raise AnalysisError(f"forces at t = {float(t[k]):g}: {why}") from None
        machine.rhs()
        each.append(sums(machine))
        forces.append(wrench(machine))
    rubbed = Rubbed(machine.shapes.contacts, np.array(each).reshape(len(t), -1, 13), np.array(forces),
                    np.zeros((len(t), len(HISTORY))), np.zeros(len(t) + 1, np.int64), {})
    answered(system, t, q, v, found, rubbed.wrench)
    return rubbed


class Friction:
    """The friction of one joint over a motion."""

    def __init__(self, motion, name: str):
        self._m, self.name = motion, name
        self._surfaces = surfaces(motion.system, name)
        title = motion.model.elements[name].title
        if not self._surfaces:
            raise AnalysisError(f"{title} has no friction: give it friction=")
        _ = motion.observed  # of states the friction is found with the forces
        rubbed = motion.touching
        if not isinstance(rubbed, Rubbed):
            raise AnalysisError(f"{title}: its friction is known in runs of simulate only")
        self._sums = rubbed.sums[:, rubbed.of_joint(name)]
        if self._sums.shape[1] != len(self._surfaces):  # all its coefficients are zero
            self._sums = np.zeros((len(rubbed.sums), len(self._surfaces), 13))
            self._sums[:, :, NORMAL] = np.nan  # nobody asked what presses them

    def force(self):
        """At the surfaces: on j, against the sliding (N)."""
        wide = WIDE.get(self._surfaces[0]["kind"], 1)
        f = self._sums[:, 0, :wide] if len(self._surfaces) == 1 else self._sums[:, :, 0]
        return f[:, 0] if f.shape[1] == 1 else f

    def torque(self):
        """About the axis (or the axes of i, of a ball), on j (N m)."""
        kind, radius = self._surfaces[0]["kind"], self._surfaces[0]["radius"]
        if kind == "thread":
            lead = self._surfaces[0]["lead"]
            return self._sums[:, 0, 0] * radius * radius / np.hypot(radius, lead)
        if kind not in TURNS:
            raise AnalysisError(f"'{self.name}' does not turn: read .friction")
        return (radius * self._sums[:, 0, 1]) if kind == "sleeve" else radius * self.force()

    def normal(self):
        """What presses the surfaces together (N)."""
        return self._sums[:, :, NORMAL].sum(axis=1) if len(self._surfaces) == 1 else self._sums[:, :, NORMAL]

    def tensions(self):
        """Of a rope at i and at j; of a band at the held and the pulled end (N)."""
        kind, side = self._surfaces[0]["kind"], self._surfaces[0]["own"][4]
        if kind not in ("rope", "band"):
            raise AnalysisError(f"'{self.name}' has no tensions: ropes and bands have")
        half = 0.5 * self._sums[:, 0, 0] * (1.0 if kind == "rope" else -side)
        return self._sums[:, 0, NORMAL, None] + half[:, None] * np.array([1.0, -1.0])

    def sticking(self):
        """1 where all its surfaces stick, 0 where one slides."""
        return self._sums[:, :, STICKS].min(axis=1)

    def loss(self):
        """Energy that its friction took since the start (J)."""
        return self._sums[:, :, LOST].sum(axis=1)
