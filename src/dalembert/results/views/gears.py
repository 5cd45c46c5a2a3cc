"""Gears of a motion: the wrench on each gear about its own centre, torques of the course's equation, strands of a belt."""

from __future__ import annotations

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.results.views.elements import JointView
from dalembert.results.views.view import Array


class GearView(JointView):
    """A gear pair: force and torque on the second gear (on a rack: on the rack) about its centre; ``on`` for the first.

    ``on(carrier)`` is what the pins hand on to the carrier because of the teeth, a couple: it is in the reactions of the pins
    already, so do not add it to them (``resultant`` does not).
    """

    def _name(self, body: int) -> str:
        return (*self._m.system.bodies, "ground")[body]

    @property
    def _teeth(self):
        return self._m.system.teeth[self.name]

    def _wrench(self):
        e = self._teeth
        if e.kind in ("ratio", "rack") or e.carrier < 0 or self._target() != self._name(e.carrier):
            return super()._wrench()
        force, torque = 0.0, 0.0
        for gear in (e.i, e.j):
            F, T = GearView(self._m, self.name, self._name(gear))._wrench()
            force, torque = force - 0.0 * F, torque - T
        return self._along(force, True), self._along(torque, self._m.system.dim == 3)

    def _touches_ground(self) -> bool:
        e = self._teeth
        return self._m.system.nb in (e.i, e.j) if e.kind != "ratio" else super()._touches_ground()

    @property
    def torques(self) -> dict[str, np.ndarray]:
        """The torques of the gear equation, each about the axis its coordinate counts about: −λ on the second gear (force on
        a rack), K λ on the first, (1 − K) λ on the carrier."""
        e, lam = self._teeth, self.multipliers[..., 0]
        found = {self._name(e.j): -lam, self._name(e.i): lam * e.ratio}
        if getattr(self._element, "carrier", None) is not None and e.carrier >= 0:
            found[self._name(e.carrier)] = lam * (1.0 - e.ratio)
        return found

    @property
    def tooth_force(self) -> Array:
        """Force along the pitch line, −λ/ρ_j (of a rack −λ; of chain and belt the difference of the two strands)."""
        e, lam = self._teeth, self.multipliers[..., 0]
        if e.kind == "ratio":
            raise AnalysisError(f"{self._element.title} is a pure ratio: it has no teeth, see the notes of check()")
        return -lam if e.kind == "rack" else -lam / e.radius

    @property
    def tensions(self) -> Array:
        """T₁ and T₂ of a chain or belt: T₁ in the strand to the left of the line from i to j, seen with the axis towards you."""
        e = self._teeth
        if e.kind not in ("chain", "belt"):
            raise AnalysisError(f"{self._element.title} has no strands: kind is '{e.kind}'")
        if e.kind == "belt" and self._element.preload is None:
            raise AnalysisError(f"{self._element.title}: its strands are known by their difference, .tooth_force; give "
                                "preload= (T₁ + T₂ = 2 T₀) to have both")
        difference = self.tooth_force
        total = np.abs(difference) if e.kind == "chain" else np.full_like(difference, 2.0 * e.preload)
        return np.stack([0.5 * (total + difference), 0.5 * (total - difference)], axis=-1)
