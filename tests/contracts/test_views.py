"""The same mechanism seen otherwise: bodies swapped, scene turned and shifted, plane put into space.

From the same consistent state the motion is the same, and so is the force and torque of every reaction.
"""

import numpy as np
from contract_scene import assert_near, centre, rotation_of

from dalembert.algebra import rotations
from dalembert.equations.workspace import workspace

TOLERANCE = 1e-11


def motion(w):
    """Accelerations of the bodies, reactions {(element, body): (force, torque)}, all in ground axes."""
    assert w.run("accelerations") == 0
    vdot = w.vdot.copy()
    w.run("reactions")
    system, n, dim = w.system, w.system.kind.SIZE_V, w.system.dim

    def ground_axes(x, body):
        turn = x[dim:] if dim == 2 else rotation_of(w, body) @ x[dim:]
        return x[:dim].copy(), turn

    bodies = [ground_axes(vdot[n * b:n * b + n], b) for b in range(system.nb)]
    reactions = {(name, b): ground_axes(w.reaction[n * k:n * k + n], b)
                 for name, group in system.groups.items() for b, k in group.blocks.items()}
    return bodies, reactions


def compare(one, other, turn=None, spin=None):
    """``other`` equals ``one`` with vectors turned by ``turn`` and turns by ``spin``."""
    size = max([1.0, *(np.abs(x).max() for pair in [*one[0], *one[1].values()] for x in pair)])
    for (F, T), (G, U) in [*zip(one[0], other[0], strict=True), *((one[1][k], other[1][k]) for k in one[1])]:
        assert_near(F if turn is None else turn @ F, G, TOLERANCE, size)
        assert_near(T if spin is None else spin @ T, U, TOLERANCE, size)
    assert one[1].keys() == other[1].keys()


def check_satisfied(w):
    w.run("rows")
    assert_near(w.phi, np.zeros(w.system.nc), 1e-11)
    assert_near(w.jacobian() @ w.v, w.nu, 1e-11)


def settled(system, t, q, v):
    """A workspace in that state of the bodies, running angles taken from the poses."""
    w = workspace(system)
    n = len(q)
    w.set(t, np.concatenate([q, w.q[n:]]), v)
    w.run("rows")
    for m in system.tables.tracked:
        measure = system.tables.measures[m]
        w.q[measure["slot"]] = w.measured[3 * m] + measure["offset"]
    return w


def bodies_of(w):
    return w.q[: w.system.kind.SIZE_Q * w.system.nb].copy()


def test_swapping_the_bodies_changes_nothing(swapped):
    for w, _ in swapped.consistent():
        other = settled(swapped.system(swap=True), w.t[0], bodies_of(w), w.v.copy())
        check_satisfied(other)
        compare(motion(w), motion(other))


def turned_state(w, R, p):
    system = w.system
    dim, nq, nv = system.dim, system.kind.SIZE_Q, system.kind.SIZE_V
    q, v = bodies_of(w), w.v.copy()
    for b in range(system.nb):
        q[nq * b:nq * b + dim] = R @ centre(w, b) + p
        v[nv * b:nv * b + dim] = R @ v[nv * b:nv * b + dim]
        if dim == 2:
            q[nq * b + 2] += np.arctan2(R[1, 0], R[0, 0])
        else:
            q[nq * b + 3:nq * b + 7] = rotations.quaternion_of_matrix(R @ rotation_of(w, b))
    return q, v


def test_turning_the_scene_turns_the_motion(turned):
    if turned.dim == 2:
        R, p, spin = rotations.matrix_of_angle(1.234), np.array([0.7, -1.9]), np.eye(1)
    else:
        R = rotations.matrix_of_quaternion((0.4, -0.7, 0.2, 0.6))
        p, spin = np.array([0.7, -1.9, 1.1]), R
    for w, _ in turned.consistent():
        other = settled(turned.system(R=R, p=p), w.t[0], *turned_state(w, R, p))
        check_satisfied(other)
        compare(motion(w), motion(other), R, spin)


def raised(w):
    """State of a plane mechanism in the plane z = 0 of space."""
    nb = w.system.nb
    q, v = np.zeros((nb, 7)), np.zeros((nb, 6))
    for b in range(nb):
        x, y, angle = w.q[3 * b:3 * b + 3]
        q[b] = x, y, 0.0, np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)
        v[b, :2], v[b, 5] = w.v[3 * b:3 * b + 2], w.v[3 * b + 2]
    return q.ravel(), v.ravel()


def test_plane_in_space(embedded):
    for w, _ in embedded.consistent():
        other = settled(embedded.system(embed=True), w.t[0], *raised(w))
        check_satisfied(other)
        bodies, reactions = motion(w)

        def lift(pair):
            return np.append(pair[0], 0.0), np.array([0.0, 0.0, pair[1][0]])

        flat = [lift(x) for x in bodies], {k: lift(x) for k, x in reactions.items()}
        assert other.report.dropped == 0
        deep = motion(other)
        compare(flat, deep)
