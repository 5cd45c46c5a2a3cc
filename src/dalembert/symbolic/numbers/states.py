"""States of the engine read as coordinates of a derivation, and random consistent states to compare at."""

from __future__ import annotations

import math

import numpy as np

from dalembert.algebra.null_space import kernel, unit_rows
from dalembert.algebra.rotations import elementary
from dalembert.elements.measures.table import ANGLE
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.system import poses


class Poses:
    """Positions of one state, as coordinates ask for them."""

    def __init__(self, system, q):
        self.s, self.q = system, q

    def body(self, k, part):
        """x, y, z or angle of a body's reference point."""
        r, A, angle = self._frame(k)
        if part == "angle":
            return angle
        return (r - A @ self._com(k))["xyz".index(part)]

    def _com(self, k):
        return self.s.tables.bodies[k]["com"] if k < self.s.nb else np.zeros(self.s.dim)

    def _frame(self, k):
        """Centre of mass, matrix and (plane) angle."""
        return *poses.placed(self.s, self.q, k), poses.turned(self.s, self.q, k) if self.s.dim == 2 else 0.0

    def _marker(self, m):
        return poses.marked(self.s, self.q, m)

    def offset(self, joint):
        """Point j from point i along marker i's axes."""
        i, j = self.s.markers[joint]
        (p, F), (q, _) = self._marker(i), self._marker(j)
        return F.T @ (q - p)

    def angle(self, joint):
        """The joint's angle, on the turn the engine keeps."""
        s = self.s
        i, j = s.markers[joint]
        if s.dim == 2:
            bodies = [int(s.tables.markers[m]["body"]) for m in (i, j)]
            for row in s.tables.measures:
                if row["kind"] == ANGLE and (int(row["i"]), int(row["j"])) == (i, j):
                    return self._frame(bodies[1])[2] - self._frame(bodies[0])[2] - row["offset"]
        F, G = self._marker(i)[1], self._marker(j)[1]
        raw = math.atan2(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])
        for row in s.tables.measures[s.tables.tracked] if s.dim == 3 else ():
            if (int(row["i"]), int(row["j"])) == (i, j):
                kept = self.q[int(row["slot"])]
                raw += 2 * math.pi * math.floor((kept - raw) / (2 * math.pi) + 0.5)
        return raw

    def turns(self, joint, order, before, after):
        """Angles of rotations about the axes ``order``, one after the other, that make up the relative rotation."""
        i, j = self.s.markers[joint]
        bodies = [int(self.s.tables.markers[m]["body"]) for m in (i, j)]
        if before == "body":
            R = self._frame(bodies[0])[1].T @ self._frame(bodies[1])[1]
        else:
            R = self._marker(i)[1].T @ self._marker(j)[1]
        return sequence(R, order)

    def euler(self, body, order, from_drawing):
        A = self._frame(body)[1]
        return sequence(poses.placed(self.s, self.s.q_drawn, body)[1].T @ A if from_drawing else A, order)

    def arms(self, joint):
        """Both angles of a universal joint: R = Rz(α) Rx(π/2) Rz(β)."""
        i, j = self.s.markers[joint]
        R = self._marker(i)[1].T @ self._marker(j)[1]
        a = math.atan2(R[0, 2], -R[1, 2])
        rest = (elementary("z", a) @ elementary("x", math.pi / 2)).T @ R
        return a, math.atan2(rest[1, 0], rest[0, 0])


def sequence(R, order):
    """Angles a, b, c with R = R_i(a) R_j(b) R_k(c); the solution with b ≥ 0 (i = k) or |b| ≤ π/2."""
    i, j, k = order
    if i == k:
        m = 3 - i - j
        sign = 1.0 if (j - i) % 3 == 1 else -1.0
        b = math.acos(max(-1.0, min(1.0, R[i, i])))
        return math.atan2(R[j, i], -sign * R[m, i]), b, math.atan2(R[i, j], sign * R[i, m])
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    b = math.asin(max(-1.0, min(1.0, sign * R[i, k])))
    return math.atan2(-sign * R[j, k], R[k, k]), b, math.atan2(-sign * R[i, j], R[i, i])


def random_states(model, count, seed=0, spread=0.3):
    """Consistent states of the engine: random poses near the drawing, random times where laws run, random velocities."""
    from dalembert.analyses.assemble import assemble
    from dalembert.analyses.assembly.facing import flipped
    from dalembert.analyses.toolbox.closing import metric
    from dalembert.results.motion import State

    random = np.random.default_rng(seed)
    first = assemble(model)
    system = first.system
    w = workspace(system)
    weight = metric(w)
    found: list = []
    for attempt in range(20 * count):
        if len(found) == count:
            return found
        t = float(random.uniform(0.0, 1.0)) if attempt else 0.0
        w.set(t, first.q, first.v)
        w.run("rows")
        tangent = _tangent(w.jacobian() @ weight)
        if tangent.shape[1]:
            x = tangent @ random.standard_normal(tangent.shape[1])
            move = spread * random.uniform(0.2, 1.0) * system.size * (weight @ (x / np.linalg.norm(x)))
            turn = np.abs(system.each_v(move)[:, system.dim :]).max()
            w.move(move / max(1.0, turn))  # at most a radian: no joint shall end with its axes opposite
        w.v[:] = weight @ random.standard_normal(system.freedoms) * system.size
        w.options.iterations = 50
        status = w.run("project") or w.run("project")  # velocities of redundant mechanisms need the second
        if status == 0 and w.report.position < 1e-9 * system.size and np.all(np.isfinite(w.q)) and not flipped(system, w.q):
            w.run("rows")
            w.run("speeds")
            if np.abs(w.speed).max(initial=0.0) < 1e-9 * (1 + np.abs(w.v).max(initial=0.0)):
                found.append(State(model, system, t, w.q.copy(), w.v.copy()))
    if not found:
        raise AnalysisError(f"model '{model.name}': no consistent random states were found near the drawing")
    return found


def _tangent(D):
    return kernel(unit_rows(D)[0])


def coordinates_of(kin, state, parameters, motion) -> tuple[np.ndarray, np.ndarray]:
    """(positions, then parameters) and speeds of a derivation in a state of the engine; ``motion`` is its BodyMotion."""
    poses = Poses(state.system, state.q)
    x = np.array([*(read(poses) for *_, read in kin.positions), *parameters], dtype=float)
    J, still, _ = motion(state.t, x, np.zeros(kin.n))
    if not kin.n:
        return x, np.zeros(0)
    return x, np.linalg.lstsq(J, state.v - still, rcond=None)[0]
