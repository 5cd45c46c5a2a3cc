"""Friction of an element of a motion by name: what joints that rub, clutches, bands, ropes and discs that roll share."""

from __future__ import annotations

from dalembert.results.views.view import Array, View


class RubbedView(View):
    """What can be read of friction (results/rubbing.py)."""

    def _friction(self):
        from dalembert.results.rubbing import Friction

        return Friction(self._m, self.name)

    @property
    def friction(self) -> Array:
        """Force of its friction on j at the surfaces, against the sliding (N); one number per direction of sliding."""
        return self._m.shape(self._friction().force())

    @property
    def friction_torque(self) -> Array:
        """Torque of its friction on j about the axis (N m)."""
        return self._m.shape(self._friction().torque())

    @property
    def normal_force(self) -> Array:
        """What presses its surfaces together (N)."""
        return self._m.shape(self._friction().normal())

    @property
    def sticking(self) -> Array:
        """1 where its surfaces stick, 0 where they slide."""
        return self._m.shape(self._friction().sticking())

    @property
    def friction_loss(self) -> Array:
        """Energy that its friction took since the start (J)."""
        return self._m.shape(self._friction().loss())

    @property
    def tensions(self) -> Array:
        """Of a rope at i and at j, of a band at the held and the pulled end (N)."""
        return self._m.shape(self._friction().tensions())
