"""Bodies held by joints, worked out in NumPy from what the joints say: M v̇ + Dᵀ λ = loads, D v̇ = γ, all bodies at once.

    at       R_i a and R_j b are one place                  D = [−1, (R_i a)~ | 1, −(R_j b)~],
                                                            γ = ω_i×(ω_i×R_i a) − ω_j×(ω_j×R_j b)
    square   R_i a ⊥ R_j b
    along    n·(x_j + R_j b) is s(t), n of the ground
    turn     n·(ω_j − ω_i) = ṡ(t), n of the ground

An impulse in the bodies' own components (ground axes) changes velocities by A = M⁻¹ − M⁻¹Dᵀ (D M⁻¹ Dᵀ)⁺ D M⁻¹.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Joined:
    """Joints and loads of a scene; bodies by number, the ground the last; ``law``: s, ṡ, s̈ at a time."""

    dim: int
    rows: list = field(default_factory=list)
    gravity: tuple = (0.0, 0.0, 0.0)
    torques: list = field(default_factory=list)  # (i, j, stiffness, damping, R_iᵀ R_j at rest) about z: of the plane
    springs: list = field(default_factory=list)  # (i, a, j, b, stiffness, length)

    def at(self, i, a, j, b):
        for n in np.eye(3)[:self.dim]:
            self.rows.append(("at", i, np.array(a, float), j, np.array(b, float), n, None))

    def square(self, i, a, j, b):
        self.rows.append(("square", i, np.array(a, float), j, np.array(b, float), None, None))

    def along(self, n, i, j, b, law=None):
        self.rows.append(("along", i, None, j, np.array(b, float), np.array(n, float), law))

    def turn(self, n, i, j, law=None):
        self.rows.append(("turn", i, None, j, None, np.array(n, float), law))

    def jacobian(self, R, v, t=0.0):
        """D, γ and ν of all rows."""
        count = len(R)
        D, gamma, nu = np.zeros((len(self.rows), 6 * count)), np.zeros(len(self.rows)), np.zeros(len(self.rows))
        for k, (kind, i, a, j, b, n, law) in enumerate(self.rows):
            one, two, p, q = D[k, 6 * i:6 * i + 6], D[k, 6 * j:6 * j + 6], v[i, 3:], v[j, 3:]
            if law is not None:
                nu[k], gamma[k] = law(t)[1:]
            if kind == "turn":
                one[3:] -= n
                two[3:] += n
                continue
            r, s = (R[i] @ a if a is not None else np.zeros(3)), R[j] @ b
            if kind == "square":
                one[3:] += np.cross(r, s)
                two[3:] += np.cross(s, r)
                dr, ds = np.cross(p, r), np.cross(q, s)
                gamma[k] = -(np.cross(p, dr) @ s + 2 * dr @ ds + r @ np.cross(q, ds))
                continue
            two[:3] += n
            two[3:] += np.cross(s, n)
            gamma[k] -= n @ np.cross(q, np.cross(q, s))
            if kind == "at":
                one[:3] -= n
                one[3:] -= np.cross(r, n)
                gamma[k] += n @ np.cross(p, np.cross(p, r))
        return D, gamma, nu

    def missed(self, x, R, t=0.0):
        """How far places and directions are from what the joints say (not of turns)."""
        out = []
        for kind, i, a, j, b, n, law in self.rows:
            if kind == "square":
                out.append((R[i] @ a) @ (R[j] @ b))
            elif kind == "at":
                out.append(n @ (x[j] + R[j] @ b - x[i] - R[i] @ a))
            elif kind == "along":
                out.append(n @ (x[j] + R[j] @ b) - (law(t)[0] if law is not None else 0.0))
        return np.array(out)

    def masses(self, mass, J, R):
        """M⁻¹ and M of all coordinates; what the plane does not know does not move, nor does the ground."""
        count = len(mass)
        inverse, M = np.zeros((6 * count, 6 * count)), np.zeros((6 * count, 6 * count))
        for b in range(count - 1):
            o = 6 * b
            if self.dim == 2:
                for c, value in ((0, mass[b]), (1, mass[b]), (5, J[b][2, 2])):
                    M[o + c, o + c], inverse[o + c, o + c] = value, 1 / value
                continue
            own = R[b] @ J[b] @ R[b].T
            M[o:o + 3, o:o + 3], inverse[o:o + 3, o:o + 3] = mass[b] * np.eye(3), np.eye(3) / mass[b]
            M[o + 3:o + 6, o + 3:o + 6], inverse[o + 3:o + 6, o + 3:o + 6] = own, np.linalg.inv(own)
        return inverse, M

    def response(self, mass, J, R):
        """A."""
        inverse, _ = self.masses(mass, J, R)
        D, *_ = self.jacobian(R, np.zeros((len(mass), 6)))
        S = D @ inverse @ D.T
        return inverse - inverse @ D.T @ np.linalg.pinv(S, rcond=1e-10) @ D @ inverse

    def accelerations(self, t, x, R, v, mass, J):
        """v̇, what drives put in, and what dampers take, W."""
        inverse, M = self.masses(mass, J, R)
        f = np.zeros((len(mass), 6))
        for b in range(len(mass) - 1):
            f[b, :3] = mass[b] * np.array(self.gravity)
            if self.dim == 3:
                own = M[6 * b + 3:6 * b + 6, 6 * b + 3:6 * b + 6]
                f[b, 3:] = -np.cross(v[b, 3:], own @ v[b, 3:])
        taken = 0.0
        for i, j, k, d, rest in self.torques:
            angle = np.arctan2(*(rest.T @ R[i].T @ R[j])[[1, 0], 0])
            rate = v[j, 5] - v[i, 5]
            f[j, 5] -= k * angle + d * rate
            f[i, 5] += k * angle + d * rate
            taken += d * rate * rate
        for i, a, j, b, k, length in self.springs:
            r, s = R[i] @ np.array(a), R[j] @ np.array(b)
            way = x[j] + s - x[i] - r
            size = np.linalg.norm(way)
            force = -k * (size - length) * way / size
            for body, arm, sign in ((i, r, -1.0), (j, s, 1.0)):
                f[body] += sign * np.concatenate([force, np.cross(arm, force)])
        D, gamma, nu = self.jacobian(R, v, t)
        free = inverse @ f.ravel()
        force = np.linalg.pinv(D @ inverse @ D.T, rcond=1e-10) @ (gamma - D @ free)
        return (free + inverse @ D.T @ force).reshape(-1, 6), force @ nu, taken
