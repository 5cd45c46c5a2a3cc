"""A point of a body follows the mouse, and the mechanism follows its joints: assembly as one drags.

Drives are released.  One move of the mouse is a few steps of

    x = N y,   (Jᵀ J + ε 1) y = Jᵀ e          N: motions that the joints allow, orthonormal in the metric of the masses
                                              J = ∂p/∂y of the grabbed point, e: what is missing to the mouse
    q ← project(q ⊕ x)                        back onto the joints

|x| is limited, so that the pose stays on its branch: closing after a small step along the tangent finds the neighbour.
ε keeps y small where the point cannot move (dead centres).  A projection that moves farther than the step it mends is a jump; it
is taken back, halved, and told when it remains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.analyses.assemble import assembled
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, DalembertError
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.system import poses

STEPS = 12  # of one move
REACH = 0.08  # of the mechanism's size: what one step moves at most
CLOSE = 1e-9  # of the size: open joints after a step


@dataclass
class Moved:
    """Where a move ended."""

    state: State
    missing: float  # metres between the point and the mouse
    jump: bool
    freedom: int


class Drag:
    """One grab: from pressing the button to releasing it."""

    def __init__(self, model: Model, body: str, local: Any, start: State | None = None):
        self.model = released(model)
        if body not in self.model.bodies:
            raise AnalysisError(f"there is no body '{body}' to drag")
        state, _ = assembled(self.model, 0.0) if start is None else (start, None)
        self.system = system = self.model.compile()
        self.body = system.bodies.index(body)
        self.w = workspace(system)
        q = system.q_drawn.copy()
        n = system.running.start
        q[:n] = state.q[:n]
        self.w.set(0.0, q, np.zeros(system.nv))
        self.w.options.loose, self.w.options.iterations = 1.0, 30
        self.arm = np.asarray(local, float)[: system.dim] - system.tables.bodies["com"][self.body]
        self.freedom = null_space(self.w).shape[1]

    def point(self) -> np.ndarray:
        """The grabbed point, ground axes."""
        r, A = poses.placed(self.system, self.w.q, self.body)
        return r + A @ self.arm

    def to(self, target: Any) -> Moved:
        """Towards the mouse."""
        w, size = self.w, self.system.size
        target = np.asarray(target, float)[: self.system.dim]
        jump = False
        for _ in range(STEPS):
            missing = target - self.point()
            if np.linalg.norm(missing) <= 1e-12 * size:
                break
            N = null_space(w)
            self.freedom = N.shape[1]
            J = self._jacobian() @ N
            if not N.shape[1] or not np.any(J):
                break
            scale = float(np.linalg.norm(J))
            y = np.linalg.solve(J.T @ J + (1e-5 * scale) ** 2 * np.eye(len(J.T)), J.T @ missing)
            x = N @ y
            reach = max((self._reach(x, b) for b in range(self.system.nb)), default=0.0)
            x *= min(1.0, REACH * size / max(reach, 1e-300))
            before, kept = self.point(), w.q.copy()
            jump = not self._step(x, kept)
            if jump or np.linalg.norm(target - self.point()) > 0.98 * np.linalg.norm(target - before):
                break  # as near as it comes
        missing = float(np.linalg.norm(target - self.point()))
        return Moved(State(self.model, self.system, 0.0, w.q.copy(), np.zeros(self.system.nv)), missing, jump, self.freedom)

    def _step(self, x: np.ndarray, kept: np.ndarray) -> bool:
        """Move and close; shorter where closing would go elsewhere.  False: it would at any length."""
        w, size = self.w, self.system.size
        for part in (1.0, 0.5, 0.25, 0.1):
            w.q[:] = kept
            w.move(part * x)
            meant = w.q.copy()
            status = w.run("project")
            asked = float(np.linalg.norm(meant - kept))
            if status == 0 and np.isfinite(w.q).all() and w.report.position <= CLOSE * size and (
                    np.linalg.norm(w.q - meant) <= 0.6 * asked + 1e-9 * size):
                return True
        w.q[:] = kept
        return False

    def _jacobian(self) -> np.ndarray:
        """Velocity of the point by the speeds of all bodies."""
        system, at = self.system, self.system.at_v(self.body)
        _, A = poses.placed(system, self.w.q, self.body)
        out = np.zeros((system.dim, system.nv))
        start = at.start
        out[:, start:start + system.dim] = np.eye(system.dim)
        if system.dim == 2:
            s = A @ self.arm
            out[:, start + 2] = (-s[1], s[0])
        else:  # ω in body axes: ṗ = A (ω × s) = −A s̃ ω
            a, b, c = self.arm
            out[:, start + 3:start + 6] = -A @ np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
        return out

    def _reach(self, x: np.ndarray, b: int) -> float:
        part = x[self.system.at_v(b)]
        d = self.system.dim
        return float(np.linalg.norm(part[:d]) + 0.3 * self.system.size * np.linalg.norm(part[d:]))


def released(model: Model) -> Model:
    """The model without drives (and what names them) and without initial coordinates."""
    other = model.copy()
    other.initials = {}
    for name, element in list(other.elements.items()):
        if element.kind == "drive":
            try:
                other.remove(name)
            except DalembertError:  # a force that names the drive
                del other.elements[name]
    return other
