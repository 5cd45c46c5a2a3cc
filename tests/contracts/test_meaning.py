"""What headers say in words or by a formula, where no other law can see it."""

import numpy as np
import pytest
from contract_scene import Scene, assert_near, centre, rotation_of, shift, slope
from scipy.interpolate import CubicSpline

import dalembert as da
from dalembert.equations.workspace import workspace


def loose(dim, *elements, seed=3, gravity=None):
    S = Scene(dim)
    S.bodies("abc")
    S.m.gravity = (0.0,) * dim if gravity is None else gravity
    for element in elements:
        S.add(element)
    w = workspace(S.m.compile())
    rng = np.random.default_rng(seed)
    shift(w, 0.2 * rng.standard_normal(w.system.nv))
    w.set(0.4, w.q, rng.standard_normal(w.system.nv))
    return w, rng


def test_a_free_body_keeps_momentum_and_energy():
    """d/dt (A J̄ ω̄) = 0 and J̄ ω̄·ω̄̇ = 0 without forces."""
    w, _ = loose(3)
    w.run("accelerations")
    q, v, vdot = w.q.copy(), w.v.copy(), w.vdot.copy()
    M = w.mass()
    assert_near(v @ M @ vdot, 0.0, 1e-13)
    for b in range(3):
        J = M[6 * b + 3:6 * b + 6, 6 * b + 3:6 * b + 6]

        def momentum(h, b=b, J=J):
            w.set(0.0, q, v)
            shift(w, h * v + 0.5 * h * h * vdot)
            return rotation_of(w, b) @ J @ (v + h * vdot)[6 * b + 3:6 * b + 6]

        assert_near(slope(momentum), np.zeros(3), 1e-9)
        assert np.abs(vdot[6 * b + 3:6 * b + 6]).max() > 1e-3


@pytest.mark.parametrize("dim", [2, 3])
def test_a_bushing_does_not_feel_a_common_motion(dim):
    """Strained, both bodies turning as one: no damping force."""
    w, _ = loose(dim, da.Bushing("s", "a", "b", at=(0.8, 0.5, 0.1)[:dim], damping=2.0, torsion_damping=0.7))
    n, spin, speed = w.system.kind.SIZE_V, np.array([0.3, -0.8, 1.1]), np.array([0.4, 0.2, -0.5])
    if dim == 2:
        spin = np.array([0.0, 0.0, 1.1])
    for b in range(3):
        r = np.append(centre(w, b), np.zeros(3 - dim))
        w.v[n * b:n * b + dim] = (speed + np.cross(spin, r))[:dim]
        w.v[n * b + dim:n * b + n] = spin[2:] if dim == 2 else rotation_of(w, b).T @ spin
    w.run("generalized_forces")
    assert dim == 2 or np.abs(w.Q).max() > 0.0  # inertia forces
    w.only[0] = w.system.numbers["s"]
    w.run("generalized_forces")
    assert_near(w.Q, np.zeros(w.system.nv), 1e-14)


def test_a_linear_field_acts_on_every_particle():
    """Force and moment on six particles with the body's mass and inertia, the field not a gradient."""
    H = np.array([[-2.0, 0.5, 0.9], [1.5, 0.6, -0.4], [0.3, 0.8, 1.1]])
    laws = ["+".join(f"({h})*{x}" for h, x in zip(row, "xyz", strict=True)) + "+t" for row in H]
    w, _ = loose(3, da.Field("f", laws))
    w.only[0] = w.system.numbers["f"]
    w.run("generalized_forces")
    for b, body in enumerate(w.system.tables.bodies):
        J, A, r = body["inertia"].reshape(3, 3), rotation_of(w, b), centre(w, b)
        moments, axes = np.linalg.eigh(0.5 * np.trace(J) * np.eye(3) - J)  # ∫ s sᵀ dm
        force, moment = np.zeros(3), np.zeros(3)
        for k in range(3):
            for side in (-1.0, 1.0):
                s = side * np.sqrt(3 * moments[k] / body["mass"]) * A @ axes[:, k]
                f = body["mass"] / 6 * (H @ (r + s) + 0.4)
                force += f
                moment += np.cross(s, f)
        assert_near(w.Q[6 * b:6 * b + 6], np.concatenate([force, A.T @ moment]), 1e-13)


def test_field_moment_in_the_plane():
    """½ J (∂f_y/∂x − ∂f_x/∂y) about the centre of mass."""
    w, _ = loose(2, da.Field("f", ("0.3*x - 0.8*y", "1.7*x + 0.2*y")))
    w.only[0] = w.system.numbers["f"]
    w.run("generalized_forces")
    assert_near(w.Q[2::3], 0.5 * w.system.tables.bodies["inertia"] * 2.5, 1e-14)


GEARS = {
    "outside": (da.Gear("g", "a", "b", radii=(0.4, 0.3)), lambda a, b, c: b + 0.4 / 0.3 * a),
    "inside": (da.Gear("g", "a", "b", radii=(0.4, 0.3), internal=True), lambda a, b, c: b - 0.4 / 0.3 * a),
    "ratio": (da.Gear("g", "a", "b", ratio=1.7), lambda a, b, c: b - 1.7 * a),
    "carrier": (da.GearOnCarrier("g", "a", "b", "c", ratio=1.7), lambda a, b, c: (b - c) - 1.7 * (a - c)),
    "outside on a carrier": (da.GearOnCarrier("g", "a", "b", "c", radii=(0.4, 0.3)),
                             lambda a, b, c: (b - c) * 0.3 + 0.4 * (a - c)),
}


@pytest.mark.parametrize("kind", GEARS)
def test_gears_turn_as_their_teeth_say(kind):
    element, expected = GEARS[kind]
    w, _ = loose(2, element)
    w.run("rows")
    factor = 0.3 if kind == "outside on a carrier" else 1.0
    assert_near(factor * (w.jacobian() @ w.v), [expected(*w.v[2::3])], 1e-14)
    drawn = workspace(w.system)
    drawn.run("rows")
    assert_near(drawn.phi, [0.0], 1e-14)


def test_rack_follows_its_pinion():
    slide = da.Prismatic("P", "ground", "b", axis=(1.0, 0.0))
    w, _ = loose(2, slide, da.RackPinion("r", "a", "P", radius=0.35))
    w.run("rows")
    row = w.system.groups["r"].start
    w.v[3:6] = 0.6, 0.0, 0.0
    assert_near((w.jacobian() @ w.v)[row], 0.6 - 0.35 * w.v[2], 1e-14)


def test_screw_advances_by_its_pitch():
    """One right-handed turn moves the nut forward along the axis by the pitch."""
    S = Scene(3)
    S.bodies("a")
    S.add(da.Screw("s", "ground", "a", at=(0.1, 0.2, 0.3), axis=(0.0, 0.0, 1.0), pitch=0.25))
    S.add(da.Drive("d", "s.angle", "t"))
    w = workspace(S.m.compile())
    start = centre(w, 0)[2]
    for t in np.linspace(0.0, 2 * np.pi, 30):
        w.set(t, w.q, w.v)
        assert w.run("project") == 0
    assert_near(centre(w, 0)[2] - start, 0.25, 1e-12)


def test_drive_turns_the_second_body_forward():
    """A positive rate of a hinge turns j against i about +axis (plane: anticlockwise)."""
    for dim in (2, 3):
        axis = {} if dim == 2 else {"axis": (0.4, -0.3, 0.8)}
        S = Scene(dim)
        S.bodies("a")
        S.add(da.Revolute("O", "ground", "a", at=(0.1, 0.2, 0.3)[:dim], **axis))
        S.add(da.Drive("d", "O", "0.7*t"))
        w = workspace(S.m.compile())
        assert w.run("project") == 0
        spin = w.v[2:3] if dim == 2 else rotation_of(w, 0) @ w.v[3:6]
        e = np.ones(1) if dim == 2 else np.array(axis["axis"]) / np.linalg.norm(axis["axis"])
        assert_near(spin, 0.7 * e, 1e-12)


def test_table_is_the_natural_spline():
    x, y = [-1.0, 0.3, 0.9, 2.5], [0.2, -0.1, 0.3, 0.1]
    S = Scene(2)
    S.bodies("a")
    S.add(da.Drive("d", "a.angle", da.Table(x, y)))
    w = workspace(S.m.compile())
    spline = CubicSpline(x, y, bc_type="natural")
    for t in np.linspace(-1.0, 2.5, 23):
        w.set(t, w.q, w.v)
        w.run("rows")
        assert_near([w.q[2] - w.phi[0], w.nu[0], w.gamma[0]], [spline(t), spline(t, 1), spline(t, 2)], 1e-13)
    for t, end in ((-2.0, -1.0), (4.0, 2.5)):  # straight outside
        w.set(t, w.q, w.v)
        w.run("rows")
        straight = spline(end) + (t - end) * spline(end, 1)
        assert_near([w.q[2] - w.phi[0], w.nu[0], w.gamma[0]], [straight, spline(end, 1), 0.0], 1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_all_kinds_of_laws_agree(dim):
    """One actuator as an expression, a function that can be traced, one that cannot, and a table."""
    def branch(t, length, rate):
        if t > 0.0:
            return 0.4 * np.sin(t) + 0.3 * length - 0.2 * rate
        return 0.0

    ends = {"at_i": (0.2, 0.5, 0.3)[:dim], "at_j": (1.61, 0.33, 0.42)[:dim]}
    laws = {"text": "0.4*sin(t) + 0.3*length - 0.2*rate", "branch": branch,
            "traced": lambda t, length, rate: 0.4 * np.sin(t) + 0.3 * length - 0.2 * rate}
    springs = [da.Spring(k, "a", "b", actuator=law, **ends) for k, law in laws.items()]
    tables = [da.Spring("table of rate", "a", "b", actuator=da.Table([-9, 9], [-18, 18], of="rate"), **ends),
              da.Spring("text of rate", "a", "b", actuator="2*rate", **ends)]
    w, _ = loose(dim, *springs, *tables)
    found = {}
    for name, number in w.system.numbers.items():
        w.only[0] = number
        w.run("generalized_forces")
        found[name] = w.Q.copy()
    assert_near(found["branch"], found["text"], 1e-14)
    assert_near(found["traced"], found["text"], 1e-14)
    assert_near(found["table of rate"], found["text of rate"], 1e-13)
    assert np.abs(found["text"]).max() > 0.01
