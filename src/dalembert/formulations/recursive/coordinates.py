"""Joint coordinates and speeds from the states of the bodies, for all joints with the same freedoms at once.

Seen from the joint's first body, in the axes of its marker there (R: axes of the second marker, p: its point, ω, ṗ relative):

    shifts  q = p_k, u = ṗ_k        turn about an axis  q = atan2 of R about it, u = ω·axis        ball  quaternion of R, u = ω
    cross   q₁ = atan2(z_j·y_i, z_j·x_i), u₁ = ω·z_i,    q₂ about z_j behind the first turn, u₂ = ω·z_j
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.rotations import crosses, matrix_of_quaternion, quaternion_of_matrix

from .build import ONTO
from .tables import SPHERICAL


class Coordinates:
    """Where each joint's markers are, in groups of joints with the same freedoms."""

    def __init__(self, system, links, steps, turns):
        self.system, self.links = system, links
        self.turns = [(int(system.tables.measures[m]["slot"]), q) for m, q in turns.items()]
        groups: dict[tuple, list] = {}
        for step in steps:
            groups.setdefault((step.free, step.reverse, step.markers is None), []).append(step)
        self.groups = [(reverse, floating, alike, self._places(floating, alike))
                       for (_, reverse, floating), alike in groups.items()]

    def of(self, q, v):
        """(q, u) of the tree."""
        frames = self._frames(q, v)
        out_q, out_u = np.zeros(self.links.nq), np.zeros(self.links.nv)
        for group in self.groups:
            self._group(*group, frames, out_q, out_u, q)
        for slot, place in self.turns:
            out_q[place] = q[slot]
        return out_q, out_u

    def _frames(self, q, v):
        """r, A, ṙ, ω (ground axes) of all bodies, the ground last; in the plane embedded in space, with the angles."""
        s = self.system
        n, d = s.nb, s.dim
        r, A, rd, w = np.zeros((n + 1, 3)), np.tile(np.eye(3), (n + 1, 1, 1)), np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
        angle = np.zeros(n + 1)
        body_q, body_v = s.each_q(q), s.each_v(v)
        r[:n, :d], rd[:n, :d] = body_q[:, :d], body_v[:, :d]
        if d == 2:
            angle[:n] = body_q[:, 2]
            c, z = np.cos(angle), np.sin(angle)
            A[:, 0, 0], A[:, 0, 1], A[:, 1, 0], A[:, 1, 1] = c, -z, z, c
            w[:n, 2] = body_v[:, 2]
        elif n:
            A[:n] = matrix_of_quaternion(body_q[:, 3:])
            w[:n] = np.einsum("bij,bj->bi", A[:n], body_v[:, 3:])
        return r, A, rd, w, angle

    def _marker(self, m):
        d = self.system.dim
        rows = self.system.tables.markers[m]
        point, axes = np.zeros((len(m), 3)), np.tile(np.eye(3), (len(m), 1, 1))
        point[:, :d] = rows["s"]
        if d == 3:
            axes = rows["axes"].reshape(-1, 3, 3)
        else:
            c, s = rows["axes"][:, 0], rows["axes"][:, 1]
            axes[:, 0, 0], axes[:, 0, 1], axes[:, 1, 0], axes[:, 1, 1] = c, -s, s, c
        return rows["body"].astype(int), point, axes

    def _places(self, floating, steps):
        """Bodies, points and axes of the markers of these joints, and of each motion its kind, name and places in q and u."""
        where = [self.links.where[s.name or self.system.bodies[s.child]] for s in steps]
        if floating:
            none, turned = np.zeros((len(steps), 3)), np.tile(np.eye(3), (len(steps), 1, 1))
            ends = (np.full(len(steps), self.system.nb), none, turned), (np.array([s.child for s in steps]), none, turned)
        else:
            ends = self._marker(np.array([s.markers[0] for s in steps])), self._marker(np.array([s.markers[1] for s in steps]))
        motions = [(*where[0][k][:2], np.array([x[k][2] for x in where]), np.array([x[k][3] for x in where]))
                   for k in range(len(where[0]))]
        return ends, motions

    def _group(self, reverse, floating, steps, places, frames, out_q, out_u, q):
        r, A, rd, w, angle = frames
        ((i, si, Fi), (j, sj, Fj)), motions = places
        Ai, Aj, wi, wj = A[i], A[j], w[i], w[j]
        Fi, Fj = Ai @ Fi, Aj @ Fj
        ai, aj = (Ai @ si[:, :, None])[:, :, 0], (Aj @ sj[:, :, None])[:, :, 0]
        d = r[j] + aj - r[i] - ai
        dd = rd[j] + crosses(wj, aj) - rd[i] - crosses(wi, ai)
        back = np.swapaxes(Fi, 1, 2)
        R = back @ Fj
        p, speed, omega = np.moveaxis(back @ np.stack([d, dd - crosses(wi, d), wj - wi], axis=2), 2, 0)
        for kind, name, at_q, at_u in motions:
            if kind == SPHERICAL:
                self._ball(R, omega, reverse, at_q, at_u, out_q, out_u, q, steps if floating else None)
                continue
            value, rate = self._simple(name, R, p, omega, speed)
            if name == "angle" and self.system.dim == 2:
                value = self._plane_angle(steps, angle)
            out_q[at_q], out_u[at_u] = value, rate

    def _ball(self, R, omega, reverse, at_q, at_u, out_q, out_u, q, floating):
        for n in range(len(R)):
            e = quaternion_of_matrix(R[n].T if reverse else R[n])
            if floating is not None:
                e = q[7 * floating[n].child + 3:7 * floating[n].child + 7]
            out_q[at_q[n]:at_q[n] + 4] = e
            out_u[at_u[n]:at_u[n] + 3] = -omega[n] if reverse else R[n].T @ omega[n]

    def _simple(self, name, R, p, omega, speed):
        if name in ("x", "y", "z", "slide"):
            k = (0 if self.system.dim == 2 else 2) if name == "slide" else "xyz".index(name)
            return p[:, k], speed[:, k]
        if name == "arm i":
            return np.arctan2(R[:, 1, 2], R[:, 0, 2]), omega[:, 2]
        if name == "arm j":
            first = np.arctan2(R[:, 1, 2], R[:, 0, 2])
            c, s = np.cos(first), np.sin(first)
            back = np.zeros_like(R)
            back[:, 0, 0], back[:, 0, 1], back[:, 1, 0], back[:, 1, 1], back[:, 2, 2] = c, s, -s, c, 1.0
            left = ONTO["x"].T @ back @ R
            return np.arctan2(left[:, 1, 0], left[:, 0, 0]), np.einsum("bi,bi->b", omega, R[:, :, 2])
        letter = name[-1] if name.startswith("angle ") else "z"
        turned = ONTO[letter].T @ R @ ONTO[letter]
        return np.arctan2(turned[:, 1, 0], turned[:, 0, 0]), omega[:, "xyz".index(letter)]

    def _plane_angle(self, steps, angle):
        """Angles of the plane count turns: from the bodies' angles and the constants of the links."""
        links, nb = self.links, self.system.nb
        turns, constants = links.table["turn"].tolist(), links.table["angle"].tolist()
        out = []
        for s in steps:
            last = int(links.carrier[s.child])
            first = 0 if s.parent == nb else int(links.carrier[s.parent])
            total, k = turns[last] - (turns[first] if first else 0.0), last
            while k != first:
                total += constants[k]
                k = links.rows[k]["parent"]
            out.append((angle[s.child] - angle[s.parent] - total) * (-1.0 if s.reverse else 1.0))
        return np.array(out)
