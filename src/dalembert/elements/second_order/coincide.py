"""Two points that stay together (rows/coincide.py): Φ = r_j − r_i, each with arm s = A s̄ on its body; j with sign +, i with −.

    Dᵀλ: moment s̄ × Aᵀλ        turned:  λ̄ s̄ᵀ − (s̄·λ̄) 1,   λ̄ = Aᵀλ                               (plane: −s·λ)
    ρ:   A b̄,  b̄ = ω̄̇ × s̄ + ω̄ × (ω̄ × s̄)
         turned A (φ̄ × b̄): row k is b̄ × (row k of A)                                           (plane: φ × b)
         with δω̄:  A (ω̄ s̄ᵀ − 2 s̄ ω̄ᵀ + (ω̄·s̄) 1) δω̄                                             (plane: −2 ω s)

Places and their velocities do not count.
"""

from dalembert._jit import dispatch, inline, kernel
from dalembert.algebra import planar as plane
from dalembert.algebra import spatial as space
from dalembert.elements.bodies.markers import NONE, arm, at_v, load, omega, rotation

from .turned import moving


@inline
def _planar_end(s, w, n, m, at, to, sign, lam):
    b, a = s.markers[m].body, arm(s, w, m)
    da, dda = moving(s, w, b, a)
    rate = -2.0 * sign * omega(s, w, b)[0]
    n.K[to + 8] -= sign * plane.dot(a, lam)
    n.Gq[at + 2] = -sign * dda[1]
    n.Gq[at + 5] = sign * dda[0]
    n.Gv[at + 2] = rate * a[0]
    n.Gv[at + 5] = rate * a[1]


@inline
def _spatial_end(s, w, n, m, at, to, sign, lam):
    row, a = s.markers[m], arm(s, w, m)
    A, k = rotation(s, w, row.body), at_v(s, row.body) + 3
    bar = (sign * row.s[0], sign * row.s[1], sign * row.s[2])
    spin, rate = (w.v[k], w.v[k + 1], w.v[k + 2]), omega(s, w, row.body)
    b = space.add(space.turn((w.vdot[k], w.vdot[k + 1], w.vdot[k + 2]), bar), space.turn(spin, space.turn(spin, bar)))
    t, local = space.dot(spin, bar), space.unrotate(A, lam)
    z = space.dot(bar, local)
    for i in range(3):
        r = (A[3 * i], A[3 * i + 1], A[3 * i + 2])
        x, y = space.moment(b, r), -2.0 * sign * a[i]
        k = at + 6 * i + 3
        for j in range(3):
            n.Gq[k + j] = x[j]
            n.Gv[k + j] = y * spin[j] + rate[i] * bar[j] + t * r[j]
            n.K[to + 21 + 6 * i + j] += local[i] * bar[j]
        n.K[to + 21 + 7 * i] -= z


end = dispatch(_planar_end, _spatial_end)


@kernel
def second(s, w, n, c):
    for k in range(s.coincide.size):
        e, p = s.coincide[k], c.points[k]
        lam = load(s, w.lam, e.row)
        if e.at_i != NONE:
            end(s, w, n, e.i, e.at_i, p.ii, -1.0, lam)
        if e.at_j != NONE:
            end(s, w, n, e.j, e.at_j, p.jj, 1.0, lam)
