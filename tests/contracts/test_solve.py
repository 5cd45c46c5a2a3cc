"""Laws of the solve: M v̇ + Dᵀλ = Q, D v̇ = γ, reactions without virtual work, D·S = 0."""

import numpy as np
import pytest
from contract_scene import about_origin, assert_near, centre, null_space, rotation_of

import dalembert as da
from dalembert.equations.workspace import workspace


def solved(w):
    assert w.run("accelerations") == 0
    vdot, lam = w.vdot.copy(), w.lam.copy()
    w.run("reactions")
    return vdot, lam


def test_equations_of_motion(case):
    """Against a dense solve, off the constraints as well."""
    for w, _ in [*case.states(2), *case.consistent(1)]:
        vdot, lam = solved(w)
        M, D, Q, gamma = w.mass(), w.jacobian(), w.Q.copy(), w.gamma.copy()
        nc = w.system.nc
        assert_near(M @ vdot + D.T @ lam, Q, 1e-11)
        assert_near(D @ vdot, gamma, 1e-10)
        sizes = np.linalg.svd(D, compute_uv=False) if nc else np.ones(1)
        assert sizes.min() > 1e-3, "the case is redundant or nearly so"
        both = np.linalg.solve(np.block([[M, D.T], [D, np.zeros((nc, nc))]]), np.concatenate([Q, gamma]))
        assert_near(both[:w.system.nv], vdot, 1e-10)
        assert_near(both[w.system.nv:], lam, 1e-9)
        assert_near(w.missing, np.zeros(w.system.nv), 1e-10 * max(1.0, np.abs(Q).max()))
        assert w.report.dropped == 0


def test_reactions_do_no_virtual_work(case):
    for w, rng in case.consistent():
        vdot, lam = solved(w)
        system, n = w.system, w.system.kind.SIZE_V
        D = w.jacobian()
        total = np.zeros(system.nv)
        for group in system.groups.values():
            for body, block in group.blocks.items():
                found = w.reaction[n * block:n * block + n]
                rows = slice(group.start, group.stop)
                assert_near(found, -D[rows, n * body:n * body + n].T @ lam[rows], 1e-14, floor=1e-3)
                total[n * body:n * body + n] += found
        assert_near(total, w.mass() @ vdot - w.Q, 1e-11)
        free = null_space(D) if system.nc else np.eye(system.nv)
        for _ in range(3):
            displacement = free @ rng.standard_normal(free.shape[1])
            work = abs(total @ displacement)
            assert work <= 1e-12 * (np.linalg.norm(total) + 1.0) * (np.linalg.norm(displacement) + 1.0)


def test_each_group_of_rows_alone_does_no_work(case):
    """λ of one element alone, over displacements that this element allows."""
    for w, rng in case.states(1):
        solved(w)
        D, lam = w.jacobian(), w.lam.copy()
        for group in w.system.groups.values():
            own, force = D[group.start:group.stop], lam[group.start:group.stop]
            free = null_space(own)
            work = (own.T @ force) @ free @ rng.standard_normal(free.shape[1])
            assert abs(work) <= 1e-12 * (1.0 + np.abs(own.T @ force).max()) * w.system.nv


def test_internal_reactions_balance(case):
    """Newton's third law: reactions between two moving bodies have no resultant and, where only relative
    motion is seen, no moment."""
    for w, _ in case.consistent(1):
        solved(w)
        system, n, dim = w.system, w.system.kind.SIZE_V, w.system.dim
        markers = system.tables.markers
        for name, group in system.groups.items():
            pair = group.markers
            if pair is None or {int(markers[m]["body"]) for m in pair} != set(group.blocks):
                continue
            if isinstance(case.scene().elements[name], da.Capstan):
                continue  # its drum, here the ground, carries the rest (tests/contacts/test_pressed.py)
            force, moment, size = np.zeros(dim), 0.0, 1.0
            for body, block in group.blocks.items():
                F, T = w.reaction[n * block:n * block + dim], w.reaction[n * block + dim:n * block + n]
                force += F
                moment = moment + about_origin(centre(w, body), F)
                moment = moment + (T[0] if dim == 2 else rotation_of(w, body) @ T)
                size = max(size, np.abs(F).max(), np.abs(T).max())
            assert_near(force, np.zeros(dim), 1e-12 * size)
            if type(case.scene().elements[name]).__name__ != "CD":  # its direction is fixed in the ground
                assert_near(moment, np.zeros_like(moment), 1e-12 * size)


def subspace(w, name, free, pitch):
    """Twists of body j against i, columns, as the joint's ``free`` names them, in the pose of w."""
    system = w.system
    i, j = (system.tables.markers[m] for m in system.markers[name])
    dim, n = system.dim, system.kind.SIZE_V

    def frame(marker):
        body = int(marker["body"])
        A = np.eye(dim) if body == system.nb else rotation_of(w, body)
        if dim == 2:
            x, y = marker["axes"]
            return A @ np.array([[x, -y], [y, x]])
        return A @ marker["axes"].reshape(3, 3)

    body = int(j["body"])
    A = rotation_of(w, body)
    arm = A @ j["s"]

    def turn(axis):
        if dim == 2:
            return np.array([arm[1], -arm[0], 1.0])
        return np.concatenate([np.cross(axis, -arm), A.T @ axis])

    def push(axis):
        return np.concatenate([axis, np.zeros(n - dim)])

    Fi, Fj = frame(i), frame(j)
    columns = []
    for motion in free:
        if motion == "screw":
            columns.append(turn(Fi[:, 2]) + pitch / (2 * np.pi) * push(Fi[:, 2]))
        elif motion.startswith("arm"):
            columns.append(turn((Fi if motion == "arm i" else Fj)[:, 2]))
        else:
            k = "xyz".index(motion[1])
            columns.append(push(Fi[:, k]) if motion[0] == "T" else turn(Fi[:, k] if dim == 3 else None))
    return body, np.array(columns).reshape(len(columns), n).T


def together(w, rng):
    """A rigid motion of all bodies at once."""
    system = w.system
    dim, n = system.dim, system.kind.SIZE_V
    v, o = rng.standard_normal(dim), rng.standard_normal(3)
    twist = np.zeros(system.nv)
    for b in range(system.nb):
        r = centre(w, b)
        if dim == 2:
            twist[n * b:n * b + n] = [v[0] - o[2] * r[1], v[1] + o[2] * r[0], o[2]]
        else:
            twist[n * b:n * b + n] = np.concatenate([v + np.cross(o, r), rotation_of(w, b).T @ o])
    return twist


def test_joints_leave_their_subspace_free(case):
    model = case.scene()
    joints = [e for e in model.elements.values() if getattr(e, "free", {}).get(model.dim) is not None]
    if not joints or case.name.endswith("_on"):
        pytest.skip("no joint drawn closed")
    w = workspace(case.system())
    w.run("rows")
    D, n, rng = w.jacobian(), w.system.kind.SIZE_V, case.rng(7)
    for joint in joints:
        group = w.system.groups[joint.name]
        own = D[group.start:group.stop]
        assert_near(w.phi[group.start:group.stop], np.zeros(group.stop - group.start), 1e-14)
        body, S = subspace(w, joint.name, joint.free[model.dim], float(getattr(joint, "pitch", 0.0)))
        columns = own[:, n * body:n * body + n]
        assert_near(columns @ S, np.zeros((own.shape[0], S.shape[1])), 1e-14)
        assert np.linalg.matrix_rank(S) + np.linalg.matrix_rank(columns) == n
        assert own.shape[0] + S.shape[1] == n
        if len(group.blocks) == 2:
            assert_near(own @ together(w, rng), np.zeros(own.shape[0]), 1e-14)
