"""Gears, racks, chains and belts: forces at the teeth in the bearings, against free-body sums; plane and space."""

import math

import numpy as np
import pytest

import dalembert as da

TIGHT = 1e-10
ALPHA = math.radians(20)


class Builder:
    """The same mechanism in the plane and in a turned and shifted copy of it in space."""

    def __init__(self, dim, gravity=(0.4, -9.81)):
        self.dim = dim
        self.R = np.eye(3)
        if dim == 3:
            q = np.array([0.4, -0.7, 0.2, 0.6]) / np.linalg.norm([0.4, -0.7, 0.2, 0.6])
            self.quaternion = q
            w, u = q[0], q[1:]
            K = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
            self.R = np.eye(3) + 2 * w * K + 2 * K @ K
        self.p = np.array([0.3, -0.2, 0.5]) if dim == 3 else np.zeros(3)
        self.m = da.Model("gears", dim=dim, gravity=self.d(gravity))

    def x(self, p):
        return tuple((self.R @ [*p, 0.0] + self.p)[: self.dim])

    def d(self, v):
        return tuple((self.R @ [*v, 0.0])[: self.dim])

    def body(self, name, mass, J, at=(0, 0), com=(0, 0)):
        more = {"rotation": self.R.tolist(), "inertia": (0.6 * J, 0.6 * J, J)} if self.dim == 3 else {"inertia": J}
        self.m.add(da.Body(name, mass=mass, position=self.x(at), com=(*com, 0.0)[: self.dim], **more))

    def hinge(self, name, i, j, at, flip=False):
        axis = {"axis": tuple((-1.0 if flip else 1.0) * self.R[:, 2])} if self.dim == 3 else {}
        self.m.add(da.Revolute(name, i, j, at=self.x(at), **axis))

    def slide(self, name, i, j, at, axis):
        self.m.add(da.Prismatic(name, i, j, at=self.x(at), axis=self.d(axis)))

    def weld(self, name, i, j, at):
        self.m.add(da.Weld(name, i, j, at=self.x(at)))

    def torque(self, name, body, value):
        self.m.add(da.Torque(name, body, value if self.dim == 2 else tuple(value * self.R[:, 2])))

    def flat(self, vector):
        """A ground vector in the plane of the drawing."""
        return (self.R[:, :2].T @ np.append(vector, np.zeros(3 - self.dim)))

    def about(self, torque):
        return float(torque) if self.dim == 2 else float(self.R[:, 2] @ torque)


def gear_pair(S, kind="external", **kw):
    r1, r2 = 0.3, 0.2
    gap = {"external": 0.5, "internal": 0.1}.get(kind, 0.9)
    at = (gap * math.cos(0.7), gap * math.sin(0.7))
    S.body("a", 2.0, 0.05)
    S.body("b", 1.2, 0.03, at)
    S.hinge("A", "ground", "a", (0, 0))
    S.hinge("B", "ground", "b", at)
    S.m.add(da.Gear("g", "A", "B", radii=(r1, r2), kind=kind, **kw))
    S.torque("T", "a", 1.5)
    S.torque("U", "b", 0.4)
    S.m.initial("A", rate=3.0)
    return S.m


def planetary(S, two_stage=False, **kw):
    rs, rp = 0.1, 0.05
    rr, arm = rs + 2 * rp, rs + rp
    S.body("sun", 1.0, 0.01)
    S.body("carrier", 2.0, 0.05, com=(0.02, 0.03))
    S.body("ring", 3.0, 0.3)
    S.hinge("S", "ground", "sun", (0, 0))
    S.hinge("C", "ground", "carrier", (0, 0))
    S.weld("H", "ground", "ring", (0, 0))
    for k, angle in enumerate((0.3, 2.9)):
        at = (arm * math.cos(angle), arm * math.sin(angle))
        S.body(f"p{k}", 0.4, 0.002, at)
        S.hinge(f"P{k}", "carrier", f"p{k}", at)
        S.m.add(da.GearOnCarrier(f"in{k}", "sun", f"p{k}", "carrier", radii=(rs, rp), **kw))
        if k == 0:
            S.m.add(da.GearOnCarrier("out0", "p0", "ring", "carrier", radii=(rp, rr), kind="internal", **kw))
    S.torque("T", "sun", 1.0)
    S.torque("L", "carrier", -0.7)
    S.m.initial("S", rate=5.0)
    if two_stage:  # the carrier drives a wheel beside it
        S.body("wheel", 1.5, 0.04, (0.5, 0.0))
        S.hinge("W", "ground", "wheel", (0.5, 0.0))
        S.m.add(da.Gear("out", "carrier", "wheel", radii=(0.3, 0.2), **kw))
    return S.m


def differential(S, **kw):
    """Two suns side by side, two planets that mesh with each other, on one carrier."""
    rs, rp, D = 0.2, 0.08, 0.28
    half = math.asin(rp / D)
    for name, mass, J in (("left", 1.0, 0.02), ("right", 1.3, 0.03), ("box", 4.0, 0.3)):
        S.body(name, mass, J)
        S.hinge(name[0].upper(), "ground", name, (0, 0))
    for name, angle, sun in (("p", -half, "left"), ("q", half, "right")):
        at = (D * math.cos(angle), D * math.sin(angle))
        S.body(name, 0.3, 0.001, at)
        S.hinge(name.upper(), "box", name, at)
        S.m.add(da.GearOnCarrier(f"{sun} mesh", sun, name, "box", radii=(rs, rp), **kw))
    S.m.add(da.GearOnCarrier("between", "p", "q", "box", radii=(rp, rp), **kw))
    S.torque("T", "box", 3.0)
    S.torque("U", "left", -0.8)
    S.torque("V", "right", -1.9)
    S.m.initial("L", rate=2.0)
    S.m.initial("B", rate=3.0)
    return S.m


def rack(S, side=1.0, radius=0.05, moving=False, **kw):
    S.body("pin", 1.0, 0.01)
    S.body("rack", 4.0, 1.0, (0.1, side * 0.05))
    base = "ground"
    if moving:
        S.body("frame", 5.0, 0.8, (0.2, 0.1))
        S.hinge("F", "ground", "frame", (-0.4, 0.3))
        base = "frame"
    S.hinge("O", base, "pin", (0, 0))
    S.slide("S", base, "rack", (0.1, side * 0.05), (1, 0))
    S.m.add(da.RackPinion("rp", "O", "S", radius=radius, **kw))
    S.torque("T", "pin", 2.0)
    S.m.initial("O", rate=1.5)
    return S.m


CASES = {
    "external": lambda S, a: gear_pair(S, "external", pressure_angle=a),
    "internal": lambda S, a: gear_pair(S, "internal", pressure_angle=a),
    "chain": lambda S, a: gear_pair(S, "chain"),
    "belt": lambda S, a: gear_pair(S, "belt", preload=30.0),
    "planetary": lambda S, a: planetary(S, pressure_angle=a),
    "two-stage": lambda S, a: planetary(S, True, pressure_angle=a),
    "differential": lambda S, a: differential(S, pressure_angle=a),
    "rack above": lambda S, a: rack(S, 1.0, pressure_angle=a),
    "rack below": lambda S, a: rack(S, -1.0, pressure_angle=a),
    "rack on a swing": lambda S, a: rack(S, 1.0, moving=True, pressure_angle=a),
}


def free_body_sums(run):
    """Largest |ΣF − m a| and |ΣM − dH/dt| over bodies, by views alone."""
    worst, size = 0.0, 0.0
    for body in run.system.bodies:
        r = da.resultant(run, body, about=None)
        i = da.resultant(run, body, "inertia", about=None)
        g = [run[n].on(body) for n, x in run.system.groups.items() if run.system.bodies.index(body) in x.blocks]
        worst = max(worst, np.abs(r.force + i.force).max(), np.abs(r.moment + i.moment).max())
        size = max(size, *(np.abs(v.force).max() for v in g))
    return worst, size


@pytest.mark.parametrize("alpha", [0.0, ALPHA])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("name", CASES)
def test_forces_and_moments_add_up(name, dim, alpha):
    """Per body ΣF = m a and ΣM = dH/dt; per gear pair the two wrenches cancel about any point; λ and motion do not feel α."""
    S = Builder(dim)
    now = da.accelerations(CASES[name](S, alpha))
    assert not now.system.notes or name == "rack above" or name == "rack on a swing"
    worst, size = free_body_sums(now)
    assert worst <= TIGHT * size
    for mesh, e in now.system.teeth.items():
        pair = [da.resultant(now, now.system.bodies[k], mesh, about=S.x((1.3, -0.4))) for k in (e.i, e.j)]
        assert np.abs(pair[0].force + pair[1].force).max() <= TIGHT * size
        assert np.abs(pair[0].moment + pair[1].moment).max() <= TIGHT * size
        if e.carrier < now.system.nb and e.kind != "rack":
            assert np.abs(da.resultant(now, now.system.bodies[e.carrier], mesh).moment).max() <= TIGHT * size
    bare = da.accelerations(CASES[name](Builder(dim), 0.0))
    np.testing.assert_allclose(now.observed.vdot, bare.observed.vdot, rtol=0, atol=1e-10 * np.abs(bare.observed.vdot).max())
    assert da.virtual_work(S.m).residual == pytest.approx(0.0, abs=1e-9 * size)


@pytest.mark.parametrize("name", CASES)
def test_plane_and_space_tell_the_same(name):
    """Every reaction on its default body, in the plane and in space: 1e-10."""
    one, two = Builder(2), Builder(3)
    plane, space = da.accelerations(CASES[name](one, ALPHA)), da.accelerations(CASES[name](two, ALPHA))
    size = max(np.abs(plane[g].force).max() for g in plane.system.groups)
    for g in plane.system.groups:
        np.testing.assert_allclose(two.flat(space[g].force), plane[g].force, rtol=0, atol=TIGHT * size)
        assert two.about(space[g].torque) == pytest.approx(plane[g].torque, abs=TIGHT * size)
        assert space[g]._target() == plane[g]._target()
    for g in plane.system.teeth:
        np.testing.assert_allclose(space[g].multipliers, plane[g].multipliers, rtol=0, atol=TIGHT * size)
        assert space[g].torques.keys() == plane[g].torques.keys()


@pytest.mark.parametrize("dim", [2, 3])
def test_pitch_point_and_separation(dim):
    """External gears: one force at the pitch point, F_t = torque/ρ across and F_t tan α along the line of centres."""
    S = Builder(dim)
    now = da.accelerations(gear_pair(S, pressure_angle=ALPHA))
    e, t = np.array([math.cos(0.7), math.sin(0.7)]), np.array([-math.sin(0.7), math.cos(0.7)])
    on_b = S.flat(now["g"].force)
    lam = now["g"].multipliers[0]
    assert on_b @ t == pytest.approx(lam / 0.2, rel=TIGHT)
    assert on_b @ e == pytest.approx(abs(lam) / 0.2 * math.tan(ALPHA), rel=TIGHT)
    assert S.about(now["g"].torque) == pytest.approx(-lam, rel=TIGHT)
    assert np.abs(now["g"].at(S.x(0.3 * e)).torque).max() < 1e-12
    assert now["g"].tooth_force == pytest.approx(-lam / 0.2, rel=TIGHT)
    backwards = Builder(dim)
    m = gear_pair(backwards, pressure_angle=ALPHA)
    m.remove("T")
    backwards.torque("T", "a", -9.0)
    other = da.accelerations(m)
    assert other["g"].multipliers[0] * lam < 0
    assert backwards.flat(other["g"].force) @ e > 0  # apart, whichever flank carries


@pytest.mark.parametrize("kind", ["chain", "belt"])
@pytest.mark.parametrize("load", [1.5, -4.0])
def test_strands_pull_along_their_tangents(kind, load):
    """Wheels cut free from chain or belt: tangent lines drawn by hand, tensions from the torques."""
    S = Builder(2)
    m = gear_pair(S, kind, **({"preload": 30.0} if kind == "belt" else {}))
    m.remove("T")
    S.torque("T", "a", load)
    now = da.accelerations(m)
    r1, r2, d = 0.3, 0.2, 0.9
    e, t = np.array([math.cos(0.7), math.sin(0.7)]), np.array([-math.sin(0.7), math.cos(0.7)])
    sine = (r1 - r2) / d
    cosine = math.sqrt(1 - sine**2)
    upper, lower = cosine * e - sine * t, cosine * e + sine * t  # from a to b
    T1, T2 = now["g"].tensions
    assert now["g"].torque == pytest.approx(r2 * (T1 - T2), rel=TIGHT)
    assert now["g"].on("a").torque == pytest.approx(-r1 * (T1 - T2), rel=TIGHT)
    assert (min(T1, T2) if kind == "chain" else T1 + T2 - 60.0) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(now["g"].force, -T1 * upper - T2 * lower, rtol=0, atol=1e-10)
    np.testing.assert_allclose(now["A"].force, -(T1 * upper + T2 * lower) + 2.0 * (np.array([-0.4, 9.81])), rtol=0, atol=1e-9)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_rack_goes_as_it_is_drawn(dim, side):
    """Pinion 1 kg m-free, 2 N m on radius 0.05, J + 4 r² = 0.02: α = 100, rack ∓5 m/s², bearing 20 N."""
    S = Builder(dim, gravity=(0, 0))
    now = da.accelerations(rack(S, side))
    np.testing.assert_allclose(S.flat(now["rack"].acceleration), (-5.0 * side, 0.0), rtol=0, atol=1e-10)
    np.testing.assert_allclose(S.flat(now["O"].force), (-20.0 * side, 0.0), rtol=0, atol=1e-9)
    np.testing.assert_allclose(S.flat(now["rp"].force), (-20.0 * side, 0.0), rtol=0, atol=1e-9)
    assert now["rp"].multipliers[0] == pytest.approx(20.0 * side)
    sign = da.accelerations(rack(Builder(dim), 1.0, radius=-0.05))  # the same as drawn above
    assert sign["rp"].multipliers[0] == pytest.approx(da.accelerations(rack(Builder(dim), 1.0))["rp"].multipliers[0])
    with pytest.raises(da.ModelError, match="as drawn"):
        da.accelerations(rack(Builder(dim), -1.0, radius=-0.05))


def test_planetary_pin():
    """Sun driven by 1 N m, carrier held back: the pin carries both meshes."""
    S = Builder(2, gravity=(0, 0))
    rs, rp = 0.06, 0.03
    S.body("sun", 1.0, 0.001)
    S.body("carrier", 1.0, 0.01)
    S.body("planet", 0.2, 1e-4, (rs + rp, 0))
    S.hinge("S", "ground", "sun", (0, 0))
    S.hinge("C", "ground", "carrier", (0, 0))
    S.hinge("P", "carrier", "planet", (rs + rp, 0))
    S.m.add(da.GearOnCarrier("in", "sun", "planet", "carrier", radii=(rs, rp)))
    S.m.add(da.GearOnCarrier("out", "ground", "planet", "carrier", radii=(rs + 2 * rp, rp), kind="internal"))
    S.torque("T", "sun", 1.0)
    now = da.accelerations(S.m)
    aS, aP, aC = (now[n].angular_acceleration for n in ("sun", "planet", "carrier"))
    inner = (1.0 - 0.001 * aS) / rs  # the sun cut free: force on the planet along +y
    outer = inner + 1e-4 * aP / rp  # the planet about its pin: (outer − inner) rp = J α
    pin = 0.2 * aC * (rs + rp) - inner - outer  # on the planet
    assert now["P"].force[1] == pytest.approx(pin, rel=TIGHT)
    assert now["P"].force[1] < -15.0
    assert now["out"].on("ground").force[1] == pytest.approx(-outer, rel=TIGHT)
    assert now["C"].force[1] + now["S"].force[1] == pytest.approx(
        0.2 * aC * (rs + rp) - outer, rel=1e-9)


def bevel(apex=(0.1, 0.2, -0.3), flip=1.0, **kw):
    """Two bevel gears at right angles on the ground."""
    O, r1, r2 = np.array(apex), 0.3, 0.2
    m = da.Model("bevel", dim=3, gravity=(0.3, -1.0, -9.81))
    one, two = O + np.array([r2, 0, 0]), O + np.array([0, r1, 0])
    m.add(da.Body("a", mass=2, inertia=(0.2, 0.1, 0.1), position=tuple(one)))
    m.add(da.Body("b", mass=1, inertia=(0.1, 0.15, 0.1), position=tuple(two)))
    m.add(da.Revolute("A", m.ground, "a", at=tuple(one), axis=(1, 0, 0)))
    m.add(da.Revolute("B", m.ground, "b", at=tuple(two), axis=(0, flip, 0)))
    m.add(da.Gear("g", "A", "B", radii=(r1, r2), **kw))
    m.add(da.Torque("T", "a", (2.0, 0, 0)))
    return m, O + np.array([r2, r1, 0])


@pytest.mark.parametrize("flip", [1.0, -1.0])
@pytest.mark.parametrize("alpha", [0.0, ALPHA])
def test_bevel_gears(flip, alpha):
    """One force at the pitch point, across the plane of the axes; with α also along both axes, away from the apex."""
    m, P = bevel(flip=flip, pressure_angle=alpha)
    now = da.accelerations(m)
    worst, size = free_body_sums(now)
    assert worst <= TIGHT * size
    F = now["g"].force
    assert np.abs(now["g"].at(tuple(P)).torque).max() < 1e-12
    assert abs(F[2]) * 0.2 == pytest.approx(abs(now["g"].multipliers[0]), rel=TIGHT)
    assert np.hypot(F[0], F[1]) == pytest.approx(abs(F[2]) * math.tan(alpha), abs=1e-12)
    assert alpha == 0.0 or (F[0] < 0 < F[1])  # b is pushed along its axis and towards it
    run = da.simulate(m, 1.0)
    wa = run["a"].omega_ground[-1][0]
    va, vb = np.cross(run["a"].omega_ground[-1], P - (0.3, 0.2, -0.3)), np.cross(run["b"].omega_ground[-1], P - (0.1, 0.5, -0.3))
    np.testing.assert_allclose(va, vb, rtol=0, atol=1e-9)
    assert abs(wa) > 1


@pytest.mark.parametrize("name", CASES)
def test_motion_keeps_momentum_and_energy(name):
    """A run of 0.4 s: ledger closed, no doubts, free-body sums along the way, forms of the equations agree on the reactions."""
    S = Builder(2)
    m = CASES[name](S, ALPHA)
    run = da.simulate(m, 0.4, step=0.1, rtol=1e-9)
    assert not run.certificate.doubts()
    worst, size = free_body_sums(run)
    assert worst <= 1e-9 * size
    for form in ("embedded", "recursive"):
        other = da.simulate(m, 0.4, step=0.1, rtol=1e-9, formulation=form)
        for g in run.system.groups:
            np.testing.assert_allclose(other[g].force, run[g].force, rtol=0, atol=2e-6 * size)


@pytest.mark.parametrize("given, words", [
    ({"radii": (0.3, 0.25)}, "drawn 0.5 apart, the radii ask for 0.55"),
    ({"radii": (0.3, 0.2), "internal": True}, "internal=True"),
    ({"ratio": -1.5}, "ratio= alone"),
])
def test_pure_ratios_say_so(given, words):
    """No teeth: torques alone, as before, with a note in check and in the run."""
    S = Builder(2)
    m = gear_pair(S)
    m.remove("g")
    m.add(da.Gear("g", "a", "b", **given))
    now = da.accelerations(m)
    assert np.abs(now["g"].force).max() == 0.0
    assert words in str(da.check(m)) and "pure ratio" in str(da.check(m))
    run = da.simulate(m, 0.1)
    assert any(words in n for n in run.stats["notes"]) and words in str(run.certificate)
    K = now.system.teeth["g"].ratio
    assert list(now["g"].torques.values()) == [-now["g"].multipliers[0], K * now["g"].multipliers[0]]


def test_refusals():
    for change, words in (({"kind": "worm"}, "external, internal, chain, belt"), ({"pressure_angle": 20}, "radians"),
                          ({"preload": 3.0}, "belt"), ({"kind": "chain", "pressure_angle": 0.3}, "chain"),
                          ({"kind": "internal", "pressure_angle": 0.3}, "where the gears meet"),
                          ({"kind": "external", "internal": True}, "contradict")):
        m = gear_pair(Builder(2))
        m.remove("g")
        m.add(da.Gear("g", "a", "b", **({"radii": (0.3, 0.2)} | change)))
        with pytest.raises(da.ModelError, match=words):
            da.accelerations(m)


def test_the_default_body_is_the_second_gear():
    for dim in (2, 3):
        now = da.accelerations(planetary(Builder(dim)))
        assert [now[g]._target() for g in ("in0", "in1", "out0")] == ["p0", "p1", "ring"]
        lam, K = now["in0"].multipliers[0], -2.0
        assert now["in0"].torques == pytest.approx({"p0": -lam, "sun": K * lam, "carrier": (1 - K) * lam})


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_files_keep_them(kind, tmp_path):
    for name, make in CASES.items():
        m = make(Builder(3), ALPHA)
        m.save(tmp_path / f"a.{kind}")
        other = da.load_model(tmp_path / f"a.{kind}")
        one, two = da.accelerations(m), da.accelerations(other)
        assert np.array_equal(one.observed.lam, two.observed.lam), name


def test_a_belt_that_pushes_is_doubted():
    good = da.simulate(gear_pair(Builder(2), "belt", preload=30.0), 0.1)
    assert not good.certificate.doubts() and good["g"].tensions.min() > 0
    bad = da.simulate(gear_pair(Builder(2), "belt", preload=0.5), 0.1)
    assert [d for d in bad.certificate.doubts() if "Gear 'g': at t = 0 the belt would push" in d and "2 T₀ = 1 N" in d]
    unknown = da.simulate(gear_pair(Builder(2), "belt"), 0.1)
    assert not unknown.certificate.doubts() and any("give preload=" in n for n in unknown.stats["notes"])
    with pytest.raises(da.AnalysisError, match=r"Gear 'g': its strands are known by their difference, \.tooth_force"):
        _ = unknown["g"].tensions
