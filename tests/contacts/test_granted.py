"""What friction takes for granted of a drawing: ropes that touch their drums, wheels that press, axes, bearings, angles; and
parts of what presses that only uneven loads tell from each other."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.analyses.toolbox.forms import make_form
from dalembert.contacts.events.words import Stuck
from dalembert.contacts.rubbing.machine import RESTLESS, Machine

G = 9.81
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def rope(at_i, at_j, radius=0.1, **more):
    m = da.Model("rope", dim=2)
    m.add(da.Particle("a", mass=1.0, position=at_i))
    m.add(da.Particle("b", mass=1.0, position=at_j))
    m.add(da.Capstan("rope", "a", "b", m.ground, centre=(0, 0), radius=radius, at_i=at_i, at_j=at_j, **more))
    return m


def test_a_rope_that_passes_clear_of_its_drum_is_refused():
    """Clear is: the straight line from end to end has the drum on its inner side, and does not come as near as the radius."""
    rng, seen = np.random.default_rng(5), {True: 0, False: 0}
    for _ in range(120):
        p, q = rng.uniform(0.12, 1.0, (2, 1)) * (lambda a: np.c_[np.cos(a), np.sin(a)])(rng.uniform(0, 2 * math.pi, 2))
        along = np.clip(p @ (p - q) / ((q - p) @ (q - p)), 0.0, 1.0)
        near = float(np.linalg.norm(p + along * (q - p)))
        for clockwise in (True, False):
            inner = (p[0] * q[1] - p[1] * q[0] > 0.0) != clockwise
            clear = inner and near > 0.1
            seen[clear] += 1
            m = rope(tuple(p), tuple(q), clockwise=clockwise, friction=0.1)
            if clear:
                with pytest.raises(da.ModelError, match=r"Capstan 'rope': .* passes clear of its drum.*turns=1.*clockwise="):
                    m.compile()
            else:
                m.compile()
    assert min(seen.values()) > 40


def test_turns_wind_a_rope_that_would_be_clear_and_one_that_touches_is_taken():
    """One turn more around the drum: 2π − (α_i + α_j − Δ)."""
    away = math.hypot(1, 0.3)
    beta = 2 * math.pi + (math.pi - 2 * math.atan(0.3)) - 2 * math.acos(0.1 / away)
    m = rope((-1, 0.3), (1, 0.3), friction=0.2, turns=1)
    for n, f in (("a", -1.0), ("b", 40.0)):
        m.add(da.Force(f"pull {n}", n, (f, 0)))
    tensions = da.assemble(m)["rope"].tensions
    assert tensions[1] / tensions[0] == pytest.approx(math.exp(0.2 * beta), rel=1e-10)
    straight = rope((-1, 0.1), (1, 0.1), friction=0.2)  # it touches, and covers nothing
    straight.add(da.Force("p", "a", (-1.0, 0)))
    straight.add(da.Force("q", "b", (2.0, 0)))
    run = da.simulate(straight, 0.1)
    assert run["rope"].tensions[0] == pytest.approx([1.5, 1.5]) and not run.certificate.doubts()


def wheel(lift, v=2.0):
    m = da.Model("lifted", dim=2, gravity=(0, -G))
    m.add(da.Body("w", mass=2.0, inertia=0.09, position=(0, 0.3), velocity=(v, 0), omega=-v / 0.3))
    m.add(da.RollingDisc("road", m.ground, "w", radius=0.3, resistance=0.012))
    m.add(da.Force("up", "w", (0, lift)))
    return m


@pytest.mark.parametrize("turned", [0.0, 2.0])
def test_a_wheel_that_is_pulled_from_the_ground_is_not_braked(turned):
    c, s = math.cos(turned), math.sin(turned)
    m = da.Model("lifted", dim=2, gravity=(G * s, -G * c))
    m.add(da.Body("w", mass=2.0, inertia=0.09, position=(-0.3 * s, 0.3 * c), velocity=(2 * c, 2 * s), omega=-2 / 0.3))
    m.add(da.RollingDisc("road", m.ground, "w", radius=0.3, resistance=0.012, ground_normal=(-s, c)))
    m.add(da.Force("up", "w", (-30.0 * s, 30.0 * c)))
    run = da.simulate(m, 1.0, step=0.01)
    assert run["w"].velocity[-1] == pytest.approx([2 * c, 2 * s], abs=1e-12) and np.all(run["road"].friction_torque == 0.0)
    assert run["road"].normal_force == pytest.approx(2 * G - 30.0) and run["road"].friction_loss[-1] == 0.0
    doubts = run.certificate.doubts()
    assert len(doubts) == 1 and "disc 'road' is pulled from the ground at t = 0" in doubts[0]


def test_a_wheel_is_braked_while_it_is_pressed_and_no_longer():
    """2 g − 40 sin(3 t) presses it, where that is above zero."""
    run = da.simulate(wheel("40*sin(3*t)"), times=np.linspace(0, 2.0, 41), **TIGHT)
    N = 2 * G - 40 * np.sin(3 * run.t)
    assert run["road"].normal_force == pytest.approx(N, abs=1e-9)
    assert run["road"].friction_torque == pytest.approx(0.012 * np.maximum(N, 0.0), abs=1e-9)
    off, on = math.asin(G / 20) / 3, (math.pi - math.asin(G / 20)) / 3
    pressed = lambda a, b: 2 * G * (b - a) + 40 / 3 * (math.cos(3 * b) - math.cos(3 * a))  # noqa: E731
    slower = 0.04 / (2.0 + 0.09 / 0.09) * (pressed(0.0, off) + pressed(on, 2.0))
    assert on < 2.0 < off + 2 * math.pi / 3 and run["w"].velocity[-1, 0] == pytest.approx(2.0 - slower, abs=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-9


def test_a_wheel_at_rest_rests_on_and_rolls_where_nothing_presses_it():
    run = da.simulate(wheel("30*step(t - 0.5)", v=0.0), 1.0)
    assert np.abs(run["w"].velocity).max() < 1e-12
    m = wheel("30*step(t - 0.5)", v=0.0)
    m.add(da.Force("push", "w", (0.5, 0)))  # less than 0.04 · 2 g
    run = da.simulate(m, 1.0)
    assert run["w"].velocity[-1, 0] == pytest.approx(0.5 / 3 * 0.5, rel=1e-8) and run["road"].sticking[[0, -1]].tolist() == [1, 0]


def test_a_rope_that_pushes_does_not_rub_and_is_doubted_once():
    m = rope((-0.1, -1), (0.1, -1), friction=0.3)
    for n, f in (("a", 1.0), ("b", 3.0)):
        m.add(da.Force(f"up {n}", n, (0, f)))
    run = da.simulate(m, 0.1, step=0.001)
    assert run["rope"].tensions[0] == pytest.approx([-2.0, -2.0]) and run["rope"].friction_loss[-1] == 0.0
    assert run["a"].acceleration[0, 1] == pytest.approx(-1.0)
    assert len(run.certificate.doubts()) == 1 and "rope 'rope' pushes at t = 0" in run.certificate.doubts()[0]


def drum(wrap, mu=0.5, pin=None, **more):
    m = da.Model("drum", dim=2)
    m.add(da.Body("drum", mass=5.0, inertia=0.4, omega=20.0))
    m.add(da.Revolute("pin", m.ground, "drum", at=(0, 0), **(pin or {})))
    m.add(da.BandBrake("band", m.ground, "drum", force=10.0, friction=mu, radius=0.2, wrap=wrap, **more))
    return m


def test_bands_and_ropes_have_all_their_digits_or_are_refused():
    for grip in (14.9, -14.9):
        now = da.assemble(drum(2 * grip))["band"]
        assert now.torque == pytest.approx(-2.0 * (math.expm1(14.9) if grip > 0 else -math.expm1(-14.9)), rel=1e-9)
    with pytest.raises(da.ModelError, match=r"BandBrake 'band': μβ is 36 .*8\.\d*e\+15|4\.\d*e\+15"):
        drum(60.0, mu=0.6).compile()
    with pytest.raises(da.ModelError, match="BandBrake 'band': wrap is 270 rad, 43 turns; it is in radians"):
        drum(270.0, mu=0.01).compile()
    with pytest.raises(da.ModelError, match=r"Capstan 'rope': μβ is 20.*fewer turns"):
        rope((-0.1, -1), (0.1, -1), friction={"coulomb": 0.1, "static": 20.1 / (11 * math.pi)}, turns=5).compile()


def two(axis, second=(0, 0, 1), kind="clutch", hinge=da.Revolute):
    m = da.Model("shafts", dim=3)
    for n, e in (("a", (0, 0, 1)), ("b", second)):
        m.add(da.Body(n, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        m.add(hinge(f"{n} pin", m.ground, n, at=(0, 0, 0), **({} if hinge is da.Spherical else {"axis": e})))
    if hinge is not da.Spherical:
        m.initial("a pin", rate=50.0)
    more = {"axis": axis, "force": 10.0, "friction": 0.3, "radius": 0.1}
    m.add(da.Clutch("c", "a", "b", **more) if kind == "clutch" else da.BandBrake("c", "a", "b", wrap=3.0, **more))
    return m


@pytest.mark.parametrize("kind", ["clutch", "band"])
def test_the_axis_of_a_clutch_is_that_of_its_hinges(kind):
    wrong = two((1, 0, 0), kind=kind)
    for ask in (lambda: da.simulate(wrong, 0.1), lambda: da.assemble(wrong)["c"].torque):
        with pytest.raises(da.AnalysisError, match=r"'c': its bodies cannot turn .* axis \(1, 0, 0\).* about \(0, 0, 1\)"):
            ask()
    for m, doubts in ((two((0, 0, -1), kind=kind), 0), (two((0, 1e-4, 1), kind=kind), 0), (two((0, 0.1, 1), kind=kind), 1),
                      (two((0, 0, 1), (0, 1, 0), kind=kind), 1), (two((0, 0, 1), kind=kind, hinge=da.Spherical), 1)):
        told = da.simulate(m, 0.01).certificate.doubts()
        assert len(told) == doubts and all("turn on each other about other axes than its own" in d for d in told)


def test_driven_shafts_have_the_axis_they_have():
    m = two((0, 0, 1))
    m.add(da.Drive("turn", "a pin", "50*t"))
    assert not da.simulate(m, 0.1).certificate.doubts()


def test_a_bearing_that_rubs_and_bears_a_band_is_refused():
    rubs = {"friction": 0.2, "radius": 0.05}
    m = drum(3.0, pin=rubs)
    for ask in (lambda: da.assemble(m)["pin"].friction, lambda: da.simulate(m, 0.1)):
        with pytest.raises(da.DalembertError, match="joint 'pin' rubs and bears the pull of band brake 'band'"):
            ask()
    m = drum(3.0)  # a crank on the drum rubs, and bears nothing of the band
    m.add(da.Body("rod", mass=1.0, inertia=0.1, position=(0.1, -0.5)))
    m.add(da.Revolute("crank", "drum", "rod", at=(0.1, 0), **rubs))
    assert da.simulate(m, 0.01)["crank"].friction_loss[-1] > 0.0
    m = da.Model("shaft", dim=2)  # the bearing is that of what the drum is welded to
    for n in ("drum", "shaft"):
        m.add(da.Body(n, mass=5.0, inertia=0.4, omega=20.0))
    m.add(da.Weld("key", "shaft", "drum", at=(0, 0)))
    m.add(da.Revolute("pin", m.ground, "shaft", at=(0, 0), **rubs))
    m.add(da.BandBrake("band", m.ground, "drum", force=10.0, friction=0.3, radius=0.2, wrap=3.0))
    with pytest.raises(da.DalembertError, match="joint 'pin' rubs and bears the pull of band brake 'band'"):
        da.simulate(m, 0.1)


def test_what_is_given_wrongly_is_named():
    with pytest.raises(da.ModelError, match="Clutch 'c': friction=None"):
        da.Clutch("c", "a", "b", force=1.0, friction=None, radius=0.1)
    m = wheel(0.0)
    m.remove("road")
    m.add(da.RollingDisc("road", m.ground, "w", radius=0.3, resistance=0.4))
    with pytest.raises(da.ModelError, match=r"RollingDisc 'road': its resistance is 0\.4 m and its radius 0\.3 m"):
        m.compile()
    m = da.Model("smooth", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=0.1))
    m.add(da.Revolute("pin", m.ground, "a", at=(0, 0), radius=0.1))
    assert any("Revolute 'pin': radius= is of surfaces that rub" in n for n in da.check(m).notes)


def test_changes_without_end_end():
    """As many as RESTLESS in next to no time, none of them at the same instant as the one before."""
    m = drum(3.0)
    form = make_form(m, m.compile(), "augmented")
    machine = Machine(form.whole.system, form.whole, [b.handle if b else 0 for b in (form.rhs, form.project, form.events)])
    state = da.assemble(m)
    machine.y[:len(state.q) + len(state.v)] = [*state.q, *state.v]
    form.begin()
    machine.begin()
    for n in range(RESTLESS - 1):
        machine.t[0] = 1.0 + 1e-13 * n
        machine.at_event([0])
    machine.t[0] = 1.1
    machine.at_event([0])  # time went on: as many again
    with pytest.raises(Stuck, match=f"band brake 'band': friction changed {RESTLESS} times between sticking and sliding"):
        for n in range(RESTLESS):
            machine.t[0] = 1.1 + 1e-13 * n
            machine.at_event([0])


# ---------------------------------------------------------------------------------- what presses, told by uneven loads


def test_a_disc_whose_weight_is_beside_its_centre_presses_as_it_turns():
    """N goes by the accelerations, and these by the couple f N."""
    R, mass, J, c, f = 0.3, 2.0, 0.05, 0.15, 0.02
    m = da.Model("eccentric", dim=2, gravity=(0, -G))
    m.add(da.Body("w", mass=mass, inertia=J, com=(c, 0), position=(0, R), velocity=(3.0, 0), omega=-10.0))
    m.add(da.RollingDisc("road", m.ground, "w", radius=R, resistance=f))
    run = da.simulate(m, 0.5, step=0.05, rtol=1e-10, atol=1e-11)

    def rates(_, y):
        cos, sin = c * math.cos(y[0]), c * math.sin(y[0])
        # along the ground (T), across it (N), about the centre of mass; N and T of ω̇, and of what turns already
        A = [[mass * (-R - sin), 0, -1], [mass * cos, -1, 0], [J, cos - f, -(R + sin)]]
        return [y[1], np.linalg.solve(A, [mass * cos * y[1] ** 2, mass * sin * y[1] ** 2 - mass * G, 0.0])[0]]

    own = solve_ivp(rates, (0, 0.5), [0.0, run["w"].omega[0]], rtol=1e-11, atol=1e-12, t_eval=run.t)
    assert run["w"].angle == pytest.approx(own.y[0], abs=1e-7) and run["w"].omega == pytest.approx(own.y[1], abs=1e-6)


def test_arms_of_a_cross_are_pressed_each_by_its_own_axis():
    m = da.Model("cross", dim=3, gravity=(0, 0, -G))
    m.add(da.Body("d", mass=2.0, inertia=(0.1, 0.2, 0.25), position=(0.3, 0.1, 0.2)))
    arms = np.array([(1.0, 0, 0), (0, 1.0, 0)])
    m.add(da.Universal("U", m.ground, "d", at=(0, 0, 0), axis=tuple(arms[0]), axis2=tuple(arms[1]), friction=0.05, radius=0.02,
                       length=0.1))
    m.add(da.Torque("T", "d", (0.4, 0.3, 0.8)))
    now = da.accelerations(m)["U"]
    wanted = [sum(np.linalg.norm(now.force / 2 + s * np.cross(e, now.torque) / 0.1) for s in (1, -1)) for e in arms]
    assert now.normal_force == pytest.approx(wanted, rel=1e-10) and abs(wanted[0] / wanted[1] - 1) > 0.01


@pytest.mark.parametrize(("joint", "more"), [(da.Revolute, {"axis": (0, 0, 1), "length": 0.1}), (da.Spherical, {}),
                                             (da.Cylindrical, {"axis": (0, 0, 1), "length": 0.1})])
def test_samples_of_a_body_that_is_turned_accelerate_as_it_moves(joint, more):
    """What friction does to a body is kept in ground axes: α of a sample is the slope of ω."""
    m = da.Model("turned", dim=3, gravity=(0, 0, -G))
    m.add(da.Body("d", mass=2.0, inertia=(0.1, 0.2, 0.25), position=(0.2, 0.1, 0.05), rotation=("xyz", (0.4, 0.7, -0.3))))
    m.add(joint("O", m.ground, "d", at=(0, 0, 0), friction=0.1, radius=0.05, **more))
    if joint is not da.Spherical:
        m.initial("O", rate=6.0)
    h = 1e-4
    run = da.simulate(m, times=[0.0, 0.05 - h, 0.05, 0.05 + h], **TIGHT)
    for rate, sample in (("omega", "angular_acceleration"), ("velocity", "acceleration")):
        values = getattr(run["d"], rate)
        assert getattr(run["d"], sample)[2] == pytest.approx((values[3] - values[1]) / (2 * h), abs=2e-6)


@pytest.mark.parametrize("across", [8.0, -8.0])
def test_edges_of_a_collar_are_pressed_unequally(across):
    """F/2 + M/L and F/2 − M/L: |8/2 ± 0.3/0.2| are 5.5 and 2.5, together 8; with M = 3: 19 and 11, together 30."""
    for M, N in ((0.3, 8.0), (3.0, 30.0), (-3.0, 30.0)):
        m = da.Model("collar", dim=2)
        m.add(da.Body("c", mass=1.0, inertia=0.01, velocity=(1.0, 0)))
        m.add(da.Prismatic("guide", m.ground, "c", axis=(1, 0), friction=0.25, length=0.2))
        m.add(da.Force("load", "c", (0, across)))
        m.add(da.Torque("turn", "c", M))
        now = da.accelerations(m)
        assert now["guide"].normal_force == pytest.approx(N, rel=1e-12)
        assert now["c"].acceleration[0] == pytest.approx(-0.25 * N, rel=1e-12)


def test_the_torque_of_friction_is_a_channel_of_what_turns():
    m = da.Model("turning", dim=3, gravity=(0, 0, -G))
    m.add(da.Body("d", mass=2.0, inertia=(0.1, 0.2, 0.25), position=(0.2, 0, 0.1)))
    m.add(da.Spherical("ball", m.ground, "d", at=(0, 0, 0), friction=0.1, radius=0.05))
    m.add(da.Body("s", mass=2.0, inertia=(0.1, 0.2, 0.25), position=(1.0, 0, 0)))
    m.add(da.Prismatic("slide", m.ground, "s", at=(1, 0, 0), axis=(1, 0, 0), friction=0.1, radius=0.05, length=0.1))
    run = da.simulate(m, 0.02, step=0.01)
    table = run.to_pandas(["ball.friction_torque"])
    assert np.array_equal(table[[f"ball.friction_torque.{x}" for x in "xyz"]].to_numpy(), run["ball"].friction_torque)
    with pytest.raises(da.DalembertError, match="friction_torque"):
        run.to_pandas(["slide.friction_torque"])
    run = da.simulate(drum(3.0), 0.02, step=0.01)
    assert np.array_equal(run.to_pandas(["band.friction_torque"])["band.friction_torque"], run["band"].friction_torque)


@pytest.mark.parametrize("when", [0.3, 0.5, 0.7])
def test_a_load_that_jumps_at_a_sample_is_no_doubt(when):
    m = da.Model("collar", dim=2, gravity=(0, -G))
    m.add(da.Body("c", mass=1.0, inertia=0.01))
    m.add(da.Prismatic("guide", m.ground, "c", axis=(1, 0), friction=0.3, length=0.2))
    m.add(da.Force("push", "c", (f"10*step(t - {when})", 0)))
    run = da.simulate(m, times=[0.0, when, 1.0])
    assert not run.certificate.doubts()
    assert run["c"].velocity[-1, 0] == pytest.approx((10.0 - 0.3 * G) * (1.0 - when), rel=1e-9)
