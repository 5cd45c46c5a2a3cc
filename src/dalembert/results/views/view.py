"""View: what ``result["name"]`` is, declared for editors and type checkers.

A name may be that of a body, joint, constraint, drive or force, and no checker knows which.  So one class declares what any of
them may have; what a view has in fact is in bodies.py, elements.py, gears.py, and asking for more is an AttributeError or says
why not.  A test keeps both in step.  Of a state the arrays have no time axis: numbers where a run has arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]


class View:
    """A body, joint, constraint, drive, force, contact or signal of a result, by name."""

    name: str
    _m: Any  # the motion it belongs to

    def __repr__(self) -> str:
        """What it is and what can be read of it, with units; nothing is computed."""
        from dalembert.results.channels.offered import offered

        motion, m = self._m, self._m.model
        owner = next(of[self.name] for of in (m.bodies, m.elements, m.contacts) if self.name in of)
        when = f"at t = {float(motion.t):g} s" if np.ndim(motion.t) == 0 else f"at {len(motion.t)} times"
        own = [f"{q.name} [{q.units or '–'}]" for q in offered(m, motion.system, energy=False) if q.owner == self.name]
        return f"{owner.title} of '{m.name}' {when}: {', '.join(own)}"

    if TYPE_CHECKING:
        # bodies
        @property
        def position(self) -> Array:
            """Of the reference point, ground axes, absolute (m)."""
        @property
        def x(self) -> Array:
            """First component of position (m)."""
        @property
        def y(self) -> Array:
            """Second component of position (m)."""
        @property
        def z(self) -> Array:
            """Third component of position (m)."""
        @property
        def velocity(self) -> Array:
            """Of the reference point, ground axes (m/s)."""
        @property
        def acceleration(self) -> Array:
            """Of the reference point, ground axes (m/s²)."""
        @property
        def angle(self) -> Array:
            """Of a body in the plane, absolute, over full turns; of a torsion spring that of its coordinate (rad)."""
        @property
        def quaternion(self) -> Array:
            """Attitude of a body in space, scalar first."""
        @property
        def rotation(self) -> Array:
            """Rotation matrix, body axes to ground axes."""
        @property
        def omega(self) -> Array:
            """Angular velocity, body axes; a number in the plane (rad/s)."""
        @property
        def omega_ground(self) -> Array:
            """Angular velocity, ground axes (rad/s)."""
        @property
        def angular_acceleration(self) -> Array:
            """Rate of the angular velocity, body axes (rad/s²)."""
        @property
        def angular_acceleration_ground(self) -> Array:
            """Rate of the angular velocity, ground axes (rad/s²)."""
        @property
        def kinetic_energy(self) -> Array:
            """Of the body (J)."""
        @property
        def momentum(self) -> Array:
            """m v of the centre of mass, ground axes (kg m/s)."""
        @property
        def angular_momentum(self) -> Array:
            """About the centre of mass, body axes (kg m²/s)."""
        @property
        def angular_momentum_ground(self) -> Array:
            """About the centre of mass, ground axes (kg m²/s)."""
        @property
        def is_particle(self) -> bool:
            """A point mass."""
        def point(self, local: Any) -> Array:
            """Where a point of the body (its own coordinates) is, ground axes (m)."""
        def point_velocity(self, local: Any) -> Array:
            """Velocity of a point of the body, ground axes (m/s)."""
        def point_acceleration(self, local: Any) -> Array:
            """Acceleration of a point of the body, ground axes (m/s²)."""

        # joints, constraints, drives, forces
        @property
        def force(self) -> Array:
            """On the second body at its marker, ground axes; of a spring its tension, of a drive what it supplies (N)."""
        @property
        def torque(self) -> Array:
            """On the second body about its marker, ground axes (N m)."""
        @property
        def coordinate(self) -> Array:
            """Of a joint from the drawn pose (m or rad, as the joint has it); of a spring its length or angle."""
        @property
        def rate(self) -> Array:
            """Rate of the coordinate."""
        @property
        def value(self) -> Array:
            """Of a signal, a state or an algebraic unknown."""
        @property
        def length(self) -> Array:
            """Of a spring (m)."""
        @property
        def power(self) -> Array:
            """What a drive puts into the mechanism (W)."""
        @property
        def friction(self) -> Array:
            """Of a joint that rubs: on its second body, at the surfaces (N)."""
        @property
        def friction_torque(self) -> Array:
            """Of a joint that rubs: on its second body, about its axis (N m)."""
        @property
        def normal_force(self) -> Array:
            """What presses the surfaces of a joint that rubs together (N)."""
        @property
        def sticking(self) -> Array:
            """Of a joint that rubs: 1 where it sticks, 0 where it slides."""
        @property
        def friction_loss(self) -> Array:
            """What the friction of a joint took since the start (J)."""
        @property
        def multipliers(self) -> Array:
            """Lagrange multipliers of its equations."""
        @property
        def labels(self) -> list[str]:
            """What each multiplier belongs to, in words."""
        @property
        def generalized(self) -> Array:
            """Generalised forces of a force element alone, over v."""
        @property
        def torques(self) -> dict[str, Array]:
            """Torques of a gear equation, by body."""
        @property
        def tooth_force(self) -> Array:
            """Force along the pitch line of gears (N)."""
        @property
        def tensions(self) -> Array:
            """Of the two strands of a chain or belt, of a rope at i and j, of a band where it is held and pulled (N)."""
        def rows(self) -> list[dict]:
            """Per basic row and body: forces and torques of its multiplier."""
        def on(self, body: Any) -> View:
            """The same wrench on another body of the joint."""
        def at(self, point: Any) -> View:
            """The same wrench at another point (ground coordinates)."""
        def axes(self, frame: Any) -> View:
            """The same wrench along the axes of a body."""

        # contacts
        @property
        def impulse(self) -> Array:
            """Of a contact: ∫ force dt since the start, blows included (N s)."""
        def between(self, a: Any, b: Any) -> View:
            """Of a contact: what two bodies exert on each other, read on the second."""
        def points(self, sample: int = -1) -> dict[str, Any]:
            """Of a contact: the points that carry something at one sample."""
        def unique(self, sample: int = -1) -> Any:
            """Of a contact: what of its forces is not unique at one sample."""
