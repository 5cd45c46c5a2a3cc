"""What every engine is measured by, computed from the bodies' states alone, outside all engines.

energy        T + V of bodies, gravity and springs, less the work of constant torques: constant in a motion without dampers
accelerations [M Gᵀ; G 0][v̇; λ] = [Q; −Ġ v] in the drawn state: dense, least squares (redundant rows do no harm); the rows are
              the differences of the velocities of the two points of a joint, and of the components of the two angular
              velocities across a hinge's axis; of a slider on the ground its velocity across the axis and its spin
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Mechanism, Samples


def mass(m: Mechanism) -> float:
    return float(sum(b.mass for b in m.bodies))


def energy(m: Mechanism, s: Samples) -> np.ndarray:
    """Total energy at every sample."""
    g = np.asarray(m.gravity, dtype=float)
    masses = np.array([b.mass for b in m.bodies])
    total = 0.5 * ((s.v**2).sum(axis=2) @ masses) - (s.r @ g) @ masses
    if m.dim == 2:
        total += 0.5 * s.w**2 @ np.array([b.inertia for b in m.bodies])
    else:
        for k, b in enumerate(m.bodies):
            local = np.einsum("tji,tj->ti", s.R[:, k], s.w[:, k])
            total += 0.5 * np.einsum("ti,ij,tj->t", local, np.asarray(b.inertia, dtype=float), local)
    for spring in m.springs:
        length = np.linalg.norm(_end(m, s, spring.j, spring.at_j) - _end(m, s, spring.i, spring.at_i), axis=1)
        total += 0.5 * spring.stiffness * (length - spring.length) ** 2
    for torque in m.torques:
        total -= torque.value * s.R[:, m.index[torque.body]]
    return total


def energy_error(m: Mechanism, s: Samples) -> float:
    """Largest departure from the energy of the drawn state."""
    return float(np.abs(energy(m, s) - energy(m, m.start())[0]).max())


def _end(m, s, body, at):
    return np.broadcast_to(np.asarray(at, dtype=float), (len(s.t), m.dim)) if body == GROUND else s.point(m, body, at)


def accelerations(m: Mechanism) -> np.ndarray:
    """Of all bodies in the drawn state, (nb, 3): v̇x, v̇y, ω̇; or (nb, 6): v̇, ω̇ in ground axes."""
    plane = m.dim == 2
    n = 3 if plane else 6
    nb = len(m.bodies)
    s = m.start()
    M, Q = np.zeros((n * nb, n * nb)), np.zeros(n * nb)
    for k, b in enumerate(m.bodies):
        at = slice(n * k, n * k + n)
        if plane:
            M[at, at] = np.diag([b.mass, b.mass, b.inertia])
            Q[n * k : n * k + 2] = b.mass * np.asarray(m.gravity)
        else:
            J = s.R[0, k] @ np.asarray(b.inertia, dtype=float) @ s.R[0, k].T
            M[n * k : n * k + 3, n * k : n * k + 3], M[n * k + 3 : n * k + 6, n * k + 3 : n * k + 6] = b.mass * np.eye(3), J
            Q[n * k : n * k + 3] = b.mass * np.asarray(m.gravity)
            Q[n * k + 3 : n * k + 6] = -np.cross(s.w[0, k], J @ s.w[0, k])
    for torque in m.torques:
        Q[n * m.index[torque.body] + 2] += torque.value
    for spring in m.springs:
        _pull(m, s, spring, Q, n)
    rows, gamma = _rows(m, s, n)
    G = np.array(rows).reshape(-1, n * nb)
    K = np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])
    return np.linalg.lstsq(K, np.concatenate([Q, gamma]), rcond=1e-12)[0][: n * nb].reshape(nb, n)


def _pull(m, s, spring, Q, n):
    ends = [(spring.i, spring.at_i), (spring.j, spring.at_j)]
    p, q = (_end(m, s, *e)[0] for e in ends)
    u, w = (np.zeros(m.dim) if b == GROUND else s.point_velocity(m, b, at)[0] for b, at in ends)
    length = np.linalg.norm(q - p)
    along = (q - p) / length
    tension = spring.stiffness * (length - spring.length) + spring.damping * float(along @ (w - u))
    for (body, _), point, force in ((ends[0], p, tension * along), (ends[1], q, -tension * along)):
        if body != GROUND:
            k = m.index[body]
            Q[n * k : n * k + m.dim] += force
            arm = point - s.r[0, k]
            Q[n * k + m.dim : n * k + n] += arm[0] * force[1] - arm[1] * force[0] if m.dim == 2 else np.cross(arm, force)


def _rows(m, s, n):
    rows, gamma = [], []
    for joint in m.joints:
        if joint.slides:
            _slider(m, n, joint, rows, gamma)
            continue
        block, bias = np.zeros((m.dim, n * len(m.bodies))), np.zeros(m.dim)
        for body, sign in ((joint.i, -1.0), (joint.j, 1.0)):
            if body == GROUND:
                continue
            k = m.index[body]
            arm, w = np.asarray(joint.at) - s.r[0, k], s.w[0, k]
            block[:, n * k : n * k + m.dim] = sign * np.eye(m.dim)
            if m.dim == 2:
                block[:, n * k + 2] = sign * np.array([-arm[1], arm[0]])
                bias -= sign * w**2 * arm
            else:
                block[:, n * k + 3 : n * k + 6] = -sign * _cross(arm)
                bias += sign * np.cross(w, np.cross(w, arm))
        rows += list(block)
        gamma += list(-bias)
        if joint.axis is not None:
            _hinge(m, s, n, joint, rows, gamma)
    return rows, gamma


def _hinge(m, s, n, joint, rows, gamma):
    """Across the axis, fixed on i, the angular velocities agree: t·(ω_j − ω_i) = 0, differentiated."""
    axis = np.asarray(joint.axis, dtype=float)
    w_i = np.zeros(3) if joint.i == GROUND else s.w[0, m.index[joint.i]]
    w_j = np.zeros(3) if joint.j == GROUND else s.w[0, m.index[joint.j]]
    for t in np.linalg.svd(axis[None])[2][1:]:
        row = np.zeros(n * len(m.bodies))
        for body, sign in ((joint.i, -1.0), (joint.j, 1.0)):
            if body != GROUND:
                k = m.index[body]
                row[n * k + 3 : n * k + 6] = sign * t
        rows.append(row)
        gamma.append(-float(np.cross(w_i, t) @ (w_j - w_i)))


def _slider(m, n, joint, rows, gamma):
    """t·v = 0 across the axis, which stands still, and ω = 0."""
    k = m.index[joint.j]
    for at, direction in [*((0, t) for t in np.linalg.svd(np.asarray(joint.axis)[None])[2][1:]), *((3, e) for e in np.eye(3))]:
        row = np.zeros(n * len(m.bodies))
        row[n * k + at : n * k + at + 3] = direction
        rows.append(row)
        gamma.append(0.0)


def _cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
