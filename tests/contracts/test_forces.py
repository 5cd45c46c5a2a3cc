"""Laws of the forces: potentials, powers, action and reaction; each share read alone with w.only."""

import numpy as np
import pytest
from contract_scene import Scene, about_origin, assert_near, centre, rotation_of, shift, slope

import dalembert as da
from dalembert.elements.forces.pressed import Pressed
from dalembert.equations.workspace import workspace

PAIRS = {2: ((0.2, 0.5), (1.61, 0.33)), 3: ((0.2, 0.5, 0.3), (1.61, 0.33, 0.42))}


def share(w, name):
    """Q of one element alone."""
    w.only[0] = w.system.numbers[name]
    w.run("generalized_forces")
    w.only[0] = -1
    return w.Q.copy()


def built(dim, element, joints=(), gravity=(0.0, 0.0, 0.0)):
    """A workspace with bodies a, b and one force element, away from the drawing, at rest."""
    S = Scene(dim)
    S.bodies("ab")
    for joint in joints:
        S.add(joint)
    S.m.gravity = gravity[:dim]
    if element is not None:
        S.add(element)
    w = workspace(S.m.compile())
    rng = np.random.default_rng(5)
    shift(w, 0.2 * rng.standard_normal(w.system.nv))
    w.set(0.7, w.q, np.zeros(w.system.nv))
    return w, rng


def assert_gradient(w, rng, Q, potential, tolerance=1e-9):
    """Q·δ = −dV along random twists δ."""
    q = w.q.copy()
    for _ in range(4):
        twist = rng.standard_normal(w.system.nv)

        def V(h, twist=twist):
            w.set(w.t[0], q, w.v)
            shift(w, h * twist)
            return potential(w)

        assert_near(-slope(V), Q @ twist, tolerance)
    w.set(w.t[0], q, w.v)


def place(w, body, at):
    """Where a body's point is now that was drawn at the ground point ``at``."""
    drawn = workspace(w.system)
    local = rotation_of(drawn, body).T @ (np.array(at) - centre(drawn, body))
    return centre(w, body) + rotation_of(w, body) @ local


@pytest.mark.parametrize("dim", [2, 3])
def test_spring_has_a_potential(dim):
    at_i, at_j = PAIRS[dim]
    w, rng = built(dim, da.Spring("s", "a", "b", at_i=at_i, at_j=at_j, stiffness=31.0, length=0.8))
    assert_gradient(w, rng, share(w, "s"),
                lambda w: 15.5 * (np.linalg.norm(place(w, 1, at_j) - place(w, 0, at_i)) - 0.8) ** 2)


@pytest.mark.parametrize("dim", [2, 3])
def test_torsion_spring_has_a_potential(dim):
    axis = {} if dim == 2 else {"axis": (0.4, -0.3, 0.8)}
    joint = da.Revolute("A", "a", "b", at=PAIRS[dim][0], **axis)
    w, rng = built(dim, da.TorsionSpring("s", "A", stiffness=7.0, angle=0.3), [joint])
    Q = share(w, "s")

    def potential(w):
        if dim == 2:
            drawn = w.system.q_drawn
            return 3.5 * ((w.q[5] - drawn[5]) - (w.q[2] - drawn[2]) - 0.3) ** 2
        w.run("rows")
        return 3.5 * (w.measured[3 * w.system.primary["s"]] - 0.3) ** 2

    assert_gradient(w, rng, Q, potential)


@pytest.mark.parametrize("dim", [2, 3])
def test_bushing_has_a_potential(dim):
    """Any stiffnesses along the axes; about them an equal one (the rotation vector is then the gradient)."""
    at, stiffness = PAIRS[dim][0], (31.0, 17.0, 23.0)[:dim]
    w, rng = built(dim, da.Bushing("s", "a", "b", at=at, stiffness=stiffness, torsion=3.0))

    def potential(w):
        drawn = workspace(w.system)
        now, then = ([rotation_of(x, b) for b in (0, 1)] for x in (w, drawn))
        frame = now[0] @ then[0].T  # marker i: along the ground axes as drawn
        d = frame.T @ (place(w, 1, at) - place(w, 0, at))
        turn = frame.T @ now[1] @ then[1].T
        angle = np.arccos((np.trace(turn) - (dim - 2)) / 2)
        return 0.5 * np.dot(stiffness, d * d) + 1.5 * angle ** 2

    assert_gradient(w, rng, share(w, "s"), potential)


@pytest.mark.parametrize("dim", [2, 3])
def test_gravity_has_a_potential(dim):
    g = np.array([0.7, -9.3, 0.4])[:dim]
    w, rng = built(dim, None, gravity=g)
    w.run("generalized_forces")
    mass = w.system.tables.bodies["mass"]
    assert_gradient(w, rng, w.Q.copy(), lambda w: -sum(mass[b] * g @ centre(w, b) for b in (0, 1)))


@pytest.mark.parametrize("dim", [2, 3])
def test_linear_field_has_a_potential(dim):
    """f = H x + c: the potential is exact, with the second moments of the bodies."""
    H = np.array([[-2.0, 0.5, 0.3], [0.5, 0.6, -0.4], [0.3, -0.4, 1.1]])[:dim, :dim]
    c = np.array([0.3, -0.2, 0.5])[:dim]
    laws = ["+".join([f"({k})", *(f"({h})*{x}" for h, x in zip(row, "xyz", strict=False))])
            for row, k in zip(H, c, strict=True)]
    w, rng = built(dim, da.Field("f", laws))

    def potential(w):
        total = 0.0
        for b, body in enumerate(w.system.tables.bodies):
            r, A = centre(w, b), rotation_of(w, b)
            J = np.reshape(body["inertia"], (2 * dim - 3, 2 * dim - 3))
            P = 0.5 * J[0, 0] * np.eye(2) if dim == 2 else 0.5 * np.trace(J) * np.eye(3) - J
            total -= body["mass"] * (0.5 * r @ H @ r + c @ r) + 0.5 * np.trace(H @ A @ P @ A.T)
        return total

    assert_gradient(w, rng, share(w, "f"), potential)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kind", ["spring", "torsion", "bushing", "motor"])
def test_dampers_take_power(dim, kind):
    at_i, at_j = PAIRS[dim]
    axis = {} if dim == 2 else {"axis": (0.4, -0.3, 0.8)}
    joint = da.Revolute("A", "a", "b", at=at_i, **axis)
    element = {"spring": da.Spring("s", "a", "b", at_i=at_i, at_j=at_j, damping=2.0),
               "torsion": da.TorsionSpring("s", "A", damping=2.0),
               "bushing": da.Bushing("s", "a", "b", at=at_i, damping=2.0, torsion_damping=0.7),
               "motor": da.Motor("s", "A", "-2*rate")}[kind]
    w, rng = built(dim, element, [joint])
    for _ in range(5):
        w.set(0.3, w.q, rng.standard_normal(w.system.nv))
        power = share(w, "s") @ w.v
        assert power < 0.0
        if kind != "bushing":
            w.run("rows")
            assert_near(power, -2.0 * w.measured[3 * w.system.primary["s"] + 1] ** 2, 1e-12)


def test_forces_between_two_bodies_balance(case):
    """No resultant and no moment about the origin."""
    model = case.scene()
    for w, _ in case.states(2):
        n, dim = w.system.kind.SIZE_V, w.system.dim
        for name, element in model.elements.items():
            if element.kind != "force" or isinstance(element, da.Field):
                continue
            Q = share(w, name)
            if isinstance(element, Pressed):
                assert not element.rubs and not np.any(Q)  # pressing alone is no load on the bodies
                continue
            acting = [b for b in range(w.system.nb) if np.any(Q[n * b:n * b + n])]
            assert acting, f"{element.title} does nothing"
            if len(acting) == 1:
                continue
            force, moment = np.zeros(dim), 0.0
            for b in acting:
                F, T = Q[n * b:n * b + dim], Q[n * b + dim:n * b + n]
                force += F
                moment = moment + about_origin(centre(w, b), F)
                moment = moment + (T[0] if dim == 2 else rotation_of(w, b) @ T)
            assert_near(force, np.zeros(dim), 1e-13 * max(1.0, np.abs(Q).max()))
            assert_near(moment, np.zeros_like(moment), 1e-13 * max(1.0, np.abs(Q).max()))


def test_shares_add_up(case):
    """Q is the sum of gravity, inertia forces and every element's share."""
    model = case.scene()
    names = [n for n, e in model.elements.items() if e.kind == "force"]
    bare = model.copy()
    for name in names:
        bare.remove(name)
    for w, _ in case.states(1):
        w.run("generalized_forces")
        total = w.Q.copy()
        rest = workspace(bare.compile())
        k = rest.system.kind.SIZE_Q * rest.system.nb
        rest.set(w.t[0], np.concatenate([w.q[:k], rest.q[k:]]), w.v)
        rest.run("generalized_forces")
        assert_near(rest.Q + sum(share(w, n) for n in names), total, 1e-14)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("frame", ["ground", "body"])
def test_power_of_an_applied_force(dim, frame):
    """Q·v = F·ṙ + T·ω, at the point, in the axes asked for."""
    F = np.array([0.7, -1.1, 0.4])[:dim]
    T = np.array([0.3, 0.2, -0.5])[3 - (2 * dim - 3):]
    at = PAIRS[dim][1]
    S = Scene(dim)
    S.bodies("ab")
    S.add(da.Force("f", "b", [f"({x})*t" for x in F.tolist()], at=at, frame=frame))
    S.add(da.Torque("g", "b", [f"({x})*t" for x in T.tolist()], frame=frame))
    w = workspace(S.m.compile())
    rng = np.random.default_rng(3)
    shift(w, 0.4 * rng.standard_normal(w.system.nv))
    w.set(0.6, w.q, rng.standard_normal(w.system.nv))
    q, v, A = w.q.copy(), w.v.copy(), rotation_of(w, 1)

    def moved(h):
        w.set(0.6, q, v)
        shift(w, h * v)
        return place(w, 1, at)

    speed = slope(moved)
    w.set(0.6, q, v)
    n = w.system.kind.SIZE_V
    spin = v[n + dim:]
    if frame == "body":
        F = A @ F
    elif dim == 3:
        spin = A @ spin
    assert_near(share(w, "f") @ v, 0.6 * F @ speed, 1e-10)
    assert_near(share(w, "g") @ v, 0.6 * T @ spin, 1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_what_a_user_force_sees(dim):
    """x is the point and the orientation, v its velocity and ω in ground axes; out acts at the point."""
    at = PAIRS[dim][1]

    def plane(t, x, v, out):
        out[0], out[1], out[2] = x[0] + 2 * v[0] - t, x[1] * v[1], x[2] + 0.3 * v[2]

    def space(t, x, v, out):
        for k in range(3):
            out[k] = x[k] * v[k] + t
            out[3 + k] = x[3] * x[4 + k] + 0.3 * v[3 + k]

    w, rng = built(dim, da.UserForce("u", "b", plane if dim == 2 else space, at=at))
    w.set(0.7, w.q, rng.standard_normal(w.system.nv))
    n, A, q, v = w.system.kind.SIZE_V, rotation_of(w, 1), w.q.copy(), w.v.copy()
    spin = v[n + dim:] if dim == 2 else A @ v[n + dim:]
    point = place(w, 1, at)
    arm = point - centre(w, 1)
    speed = v[n:n + dim] + (spin[0] * np.array([-arm[1], arm[0]]) if dim == 2 else np.cross(spin, arm))
    x = np.concatenate([point, q[5:6] if dim == 2 else q[10:14]])
    out = np.zeros(6)
    (plane if dim == 2 else space)(0.7, x, np.concatenate([speed, spin]), out)
    F, T = out[:dim], out[dim:n]
    moment = T + about_origin(arm, F)
    expected = np.zeros(w.system.nv)
    expected[n:] = np.concatenate([F, moment if dim == 2 else A.T @ moment])
    assert_near(share(w, "u"), expected, 1e-13)
