"""A virtual displacement of all bodies: δr of any point, δπ̄ of any body.

The engine's displacement x holds (δr_G, δπ̄) of every body: the centre of mass in ground axes, the turn in body axes (δθ in the
plane).

    δr^P = δr_G − A s̃^P δπ̄ = δr_G + δπ × A s^P,    δπ = A δπ̄          s^P from the centre of mass, body axes
    plane:  δr^P = δr_G + A_θ ū δθ
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.free_bodies import points
from dalembert.errors import AnalysisError
from dalembert.results.views.bodies import Frames, spin


class Displacement:
    """δr of any point in ground axes, δπ̄ in body axes (or δπ in ground axes)."""

    def __init__(self, state, x):
        self._state, self.twists = state, np.asarray(x, dtype=float)  # twists: (δr_G, δπ̄) of all bodies

    @property
    def system(self):
        return self._state.system

    def _parts(self, body, question):
        b = points.bodies(self._state, body, question)[0]
        part, d = self.twists[self._state.system.at_v(b)], self._state.system.dim
        return Frames(self._state, b), part[:d], part[2] if d == 2 else part[3:]

    def point(self, body, local=None) -> np.ndarray:
        """δr^P of the point ``local`` (body coordinates; default the reference point) of a body, in ground axes."""
        f, move, turn = self._parts(body, "point")
        d = self._state.system.dim
        local = np.zeros(d) if local is None else points.on_body(d, getattr(body, "name", body), local, "point")
        return move + spin(turn if d == 2 else f.A[0] @ turn, f.arm(local)[0], d)

    def turn(self, body, axes="body"):
        """δπ̄ of a body: in its own axes, or with axes="ground" in ground axes (a number in the plane, the same in both)."""
        if axes not in ("body", "ground"):
            raise AnalysisError(f"turn: axes is 'body' (δπ̄) or 'ground', not {axes!r}")
        f, _, turn = self._parts(body, "turn")
        if self._state.system.dim == 2:
            return float(turn)
        return turn.copy() if axes == "body" else f.A[0] @ turn

    def bodies(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Body → displacement of its reference point and its turn, both in ground axes."""
        return {name: (self.point(name), self.turn(name, "ground")) for name in self._state.system.bodies}
