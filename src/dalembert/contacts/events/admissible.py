"""Whether forces within all cones balance a load, how far inside they can be, and how far a load may go on.

The equations of the places that are closed leave x = x₀ + τ ẋ₀ + Z y free in y (Z: null space, τ: time ahead with loads that
go on as they do), and Coulomb's law asks every place for a share in its cone, (μ r_n, r_t) ∈ Q, a sliding one for r_n ≥ 0.  So

    it sticks      as long as there is any y: the law asks for forces, not for those of one way to share them
    its margin     max s   with  (μ r_n − s, r_t) ∈ Q, r_n ≥ s of sliding places      concave in the loads, zero where slip begins
    the way ahead  max τ   with  x₀ + τ ẋ₀ + Z y in all cones

Both are linear aims over cones of second order (in the plane cones are wedges, and it is a linear problem), solved by Newton's
method along the path of the barrier −Σ log(h² − |r_t|²) (Nesterov & Nemirovskii 1994), h the height: some forty solves of a
system as large as the null space.  Since cones are convex, all that is on the straight line from shares now to shares at the end
of the way ahead is within them: shares that follow this line meet no event before that end, if loads go on in straight lines; if
they do not, what is left of the way shrinks as its square from one event to the next.
"""

from __future__ import annotations

import numpy as np

FIRST, LAST, FASTER, EACH = 1.0, 1e13, 30.0, 12  # weights of the aim against the barrier; Newton's steps for each
BACK = 0.9  # of the way to the next wall


def inside(h, t) -> bool:
    return bool(np.all(h > 0.0)) and bool(np.all(h > np.linalg.norm(t, axis=1)))


def most(aim, A, a, w):
    """w with the largest aim · w and a + A w within k cones of size n (arrays k × n × m and k × n), from a w inside."""
    weight, old = FIRST, None
    flip = np.ones(a.shape[1])
    flip[1:] = -1.0
    while weight <= LAST:
        for _ in range(EACH):
            s = a + A @ w
            across = np.linalg.norm(s[:, 1:], axis=1)
            det = ((s[:, 0] - across) * (s[:, 0] + across))[:, None]
            slope = -2.0 * flip * s / det
            g = np.einsum("kn,knm->m", slope, A) - weight * aim
            turned = np.einsum("kn,knm->km", slope, A)
            H = turned.T @ turned - np.einsum("knm,kn,knl->ml", A, 2.0 * flip / det, A)
            try:
                step = -np.linalg.solve(H, g)
            except np.linalg.LinAlgError:
                return w
            gain = -float(g @ step)
            if not np.isfinite(gain) or gain < 0.0:
                return w if old is None else old
            length = 1.0 if gain < 0.25 else 1.0 / (1.0 + np.sqrt(gain))
            far = s + length * (A @ step)
            while not inside(far[:, 0], far[:, 1:]) and length > 1e-14:
                length *= BACK
                far = s + length * (A @ step)
            if length <= 1e-14:
                return w
            w = w + length * step
            if gain < 1e-6:
                break
        old = w
        weight *= FASTER
    return w


class Shares:
    """Solutions of G x = −b of the closed places: x₀ + Z y; ``mu``, ``sticks`` and the first entry ``at`` of each place."""

    def __init__(self, G, b, at, mu, sticks, n, singular):
        self.at, self.n, self.mu, self.sticks = at, n, np.asarray(mu, float), sticks
        self.G, self.singular = G, singular
        u, s, v = np.linalg.svd(G)
        rank = int(np.sum(s > singular * s[0])) if len(s) else 0
        self.back = (v[:rank].T / s[:rank]) @ u[:, :rank].T
        self.Z = v[rank:].T
        self.x = self.back @ -b
        self.size = float(np.abs(self.x).max(initial=0.0))
        self.balanced = float(np.abs(G @ self.x + b).max(initial=0.0)) <= 1e-9 * max(float(np.abs(b).max(initial=0.0)), 1e-300)

    def _cones(self, columns, extra):
        """(columns as cones) of arrays over x; ``extra``: more columns."""
        k, n = len(self.at), self.n
        out = np.zeros((k, n, columns.shape[1]))
        for i, at in enumerate(self.at):
            if self.sticks[i]:
                out[i, 0] = self.mu[i] * columns[at]
                out[i, 1:] = columns[at + 1:at + n]
            else:
                out[i, 0] = columns[at]
        return out if extra is None else np.concatenate([out, extra], axis=2)

    def farthest(self):
        """The shares farthest inside their cones and by how much, of the size of forces (below zero: there are none)."""
        k, n, size = len(self.at), self.n, self.size or 1.0
        shift = np.zeros((k, n, 1))
        shift[:, 0] = -1.0
        A = self._cones(self.Z, shift)
        a = self._cones(self.x[:, None] / size, None)[:, :, 0]
        low = float(np.min(a[:, 0] - np.linalg.norm(a[:, 1:], axis=1), initial=0.0)) - 1.0
        cap_A, cap_a = np.zeros((1, n, A.shape[2])), np.zeros((1, n))
        cap_A[0, 0, -1], cap_a[0, 0] = -1.0, 1.0
        aim = np.zeros(A.shape[2])
        aim[-1] = 1.0
        w = most(aim, np.concatenate([A, cap_A]), np.concatenate([a, cap_a]), np.append(np.zeros(A.shape[2] - 1), low))
        return self.x + size * (self.Z @ w[:-1]), float(w[-1])

    def ahead(self, x, rate, longest):
        """From shares x inside, with x₀ moving at ``rate``: how long a load can go on, and the shares at that end."""
        size, speed = self.size or 1.0, float(np.abs(rate).max(initial=0.0))
        if speed * longest < 1e-12 * size:
            return longest, x + longest * rate
        unit, n = size / speed, self.n
        A = self._cones(np.hstack([self.Z, rate[:, None] / speed]), None)
        a = self._cones(x[:, None] / size, None)[:, :, 0]
        cap_A, cap_a = np.zeros((1, n, A.shape[2])), np.zeros((1, n))
        cap_A[0, 0, -1], cap_a[0, 0] = -1.0, longest / unit
        aim = np.zeros(A.shape[2])
        aim[-1] = 1.0
        w = most(aim, np.concatenate([A, cap_A]), np.concatenate([a, cap_a]), np.zeros(A.shape[2]))
        return float(w[-1]) * unit, x + size * (self.Z @ w[:-1]) + float(w[-1]) * unit * rate
