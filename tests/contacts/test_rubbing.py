"""Friction in joints: closed forms joint by joint, sticking that holds, jamming, what is not unique, files, resume, refusals."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import dalembert as da
from dalembert.contacts.rubbing.tables import SLACK

G = 9.81


def collar(a, mu=0.25, b=0.2, **more):
    m = da.Model("collar", dim=2)
    c = m.add(da.Body("c", mass=1.0, inertia=0.01))
    m.add(da.Prismatic("guide", m.ground, c, axis=(0, 1), at=(0, 0), friction=mu, length=b, **more))
    m.add(da.Force("load", c, (0, -10.0), on=(a, 0)))
    return m


@pytest.mark.parametrize(("mu", "b"), [(0.25, 0.2), (0.1, 0.05), (0.6, 1.0)])
def test_a_collar_jams_where_its_arm_is_half_its_length_over_mu(mu, b):
    a = b / (2 * mu)
    holds, slides = (da.simulate(collar(a * k, mu, b), 0.5) for k in (1.0009, 0.9991))
    assert np.abs(holds["c"].position).max() == 0.0 and holds["guide"].sticking.min() == 1.0
    drop = 0.5 * 10.0 * (1 - 0.9991) * 0.25
    assert slides["c"].position[-1, 1] == pytest.approx(-drop, rel=1e-6)
    assert slides["guide"].friction[-1] == pytest.approx(9.991, rel=1e-9)
    assert np.abs(slides.energy.residual).max() < 1e-12


def test_a_pin_slides_with_the_reaction_it_changes_itself():
    """Pendulum with pin friction μ r |F|, |F| of the motion itself: against another route, until it first stops."""
    mu, r, mass, half = 0.4, 0.08, 2.0, 0.5
    m = da.Model("pendulum", dim=2, gravity=(0, -G))
    rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=mass))
    m.add(da.Revolute("pin", m.ground, rod, at=(0, 0), friction=mu, radius=r))
    inertia = mass / 3

    def pressed(th, om, al):
        ax, ay = -half * (om**2 * math.cos(th) + al * math.sin(th)), half * (al * math.cos(th) - om**2 * math.sin(th))
        return mass * math.hypot(ax, ay + G)

    def rate(t, y):
        th, om = y
        free = -mass * G * half * math.cos(th) / inertia
        al = brentq(lambda x: inertia * (x - free) - mu * r * pressed(th, om, x), free, free + 100.0, xtol=1e-15, rtol=1e-15)
        return [om, al]

    stop = lambda t, y: y[1] if t > 0.1 else -1.0  # noqa: E731
    stop.terminal = True
    other = solve_ivp(rate, (0, 3), [0, 0], method="DOP853", rtol=1e-12, atol=1e-14, events=stop, dense_output=True)
    end = other.t[-1]
    run = da.simulate(m, times=np.linspace(0, end, 40), rtol=1e-10, atol=1e-12)
    assert np.abs(run["pin"].coordinate - other.sol(run.t)[0]).max() < 1e-9
    long = da.simulate(m, 20.0)
    assert long["pin"].sticking[-1] == 1.0 and np.ptp(long["pin"].coordinate[-20:]) == 0.0  # it rests, and not at the bottom
    assert abs(long["pin"].coordinate[-1] + math.pi / 2) > 1e-3
    assert np.abs(long.energy.residual).max() < 1e-4 * long.energy.exchanged
    assert long["pin"].friction_loss[-1] == pytest.approx(long.energy.dissipated[-1])


def test_stick_slip_with_stribeck_against_a_fine_reference():
    mu, static, us, speed, k = 0.3, 0.5, 0.05, 0.1, 100.0
    m = da.Model("stick-slip", dim=2, gravity=(0, -G))
    cart = m.add(da.Body("cart", mass=0.1, inertia=1.0, position=(1.0, 0)))
    block = m.add(da.Body("block", mass=1.0, inertia=1.0))
    m.add(da.Prismatic("rail", m.ground, cart, axis=(1, 0)))
    m.add(da.Prismatic("slide", m.ground, block, axis=(1, 0), length=0.2,
                       friction={"coulomb": mu, "static": static, "stribeck_m_per_s": us}))
    m.add(da.Drive("pull", "cart.x", f"1.0 + {speed}*t"))
    m.add(da.Spring("spring", block, cart, stiffness=k, at_i=(0, 0), at_j=(1.0, 0), length=1.0))
    run = da.simulate(m, 5.0, rtol=1e-9, atol=1e-12)

    def rate(t, y):
        return [y[1], k * (speed * t - y[0]) - G * (mu + (static - mu) * math.exp(-(y[1] / us) ** 2))]

    t, x, out = 0.0, 0.0, np.zeros(len(run.t))
    while t < 5.0:
        free = (static * G / k + x) / speed
        out[(run.t >= t) & (run.t <= free)] = x
        if free >= 5.0:
            break
        stop = lambda s, y, free=free: y[1] if s > free + 1e-6 else 1.0  # noqa: E731
        stop.terminal, stop.direction = True, -1
        other = solve_ivp(rate, (free, 5.0), [x, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, events=stop, dense_output=True,
                          max_step=1e-2)
        t, x = other.t[-1], other.y[0, -1]
        within = (run.t >= free) & (run.t <= t)
        out[within] = other.sol(run.t[within])[0]
    assert np.abs(run["block"].position[:, 0] - out).max() < 1e-8
    assert 0.0 < run["slide"].sticking.mean() < 1.0
    assert np.abs(run.energy.residual).max() < 1e-8


def jack(mu, beta=0.1, r=0.02):
    m = da.Model("jack", dim=3, gravity=(0, 0, -G))
    nut = m.add(da.Body.from_shape("nut", da.Cylinder(0.05, 0.1), mass=20.0))
    m.add(da.Screw("thread", m.ground, nut, pitch=2 * math.pi * r * math.tan(beta), axis=(0, 0, 1), at=(0, 0, 0), friction=mu,
                   radius=r, length=0.1))
    return m


def test_a_screw_jack_holds_where_its_lead_angle_is_below_that_of_friction():
    held, let = (da.simulate(jack(math.tan(0.1) * k), 0.5) for k in (1.0001, 0.9))
    assert np.abs(held["nut"].position[:, 2]).max() < 1e-12 and held["thread"].sticking.min() == 1.0
    a, r, J = math.tan(0.1) * 0.02, 0.02, 0.5 * 20.0 * 0.05**2
    mu, s, c = 0.9 * math.tan(0.1), math.sin(0.1), math.cos(0.1)
    # along the thread, N of it: 20 (z̈ + g) = N (c + μ s), J θ̈ = N r (μ c − s) with z = a θ, sliding downwards
    N = 20.0 * G / ((c + mu * s) - 20.0 * a * r * (mu * c - s) / J)
    assert let["nut"].position[-1, 2] == pytest.approx(0.5 * a * N * r * (mu * c - s) / J * 0.25, rel=1e-6)
    assert let["thread"].normal_force[-1] == pytest.approx(N, rel=1e-9)
    assert let["thread"].friction_torque[-1] == pytest.approx(mu * N * r * c, rel=1e-9)


SPIN = {
    # joint, its slide or turn at the start, speed of the surface, pressing force, inertia at the surface
    "hinge": (lambda m, b: da.Revolute("A", m.ground, b, at=(0.05, 0, 0), axis=(1, 0, 0), friction=0.2, radius=0.04, length=0.3),
              ("A", 10.0), 0.4, 2.0 * G, 0.02 / 0.04**2),
    "hinge, moment": (lambda m, b: da.Revolute("A", m.ground, b, at=(0.5, 0, 0), axis=(1, 0, 0), friction=0.2, radius=0.04,
                                               length=0.3), ("A", 10.0), 0.4, 2 * 2.0 * G * 0.5 / 0.3, 0.02 / 0.04**2),
    "hinge, thrust": (lambda m, b: da.Revolute("A", m.ground, b, at=(0, 0, 0.1), axis=(0, 0, 1), friction=0.2, radius=0.04,
                                               length=0.3), ("A", 10.0), 0.4, 2.0 * G, 0.03 / 0.04**2),
    "slide": (lambda m, b: da.Prismatic("A", m.ground, b, at=(0, 0, 0), axis=(1, 0, 0), friction=0.2, radius=0.1, length=0.3),
              ("A", 1.0), 1.0, 2.0 * G, 2.0),
    "slide, key": (lambda m, b: da.Prismatic("A", m.ground, b, at=(0, 0.06, 0), axis=(1, 0, 0), friction=0.2, radius=0.1,
                                             length=1e6), ("A", 1.0), 1.0, 2.0 * G * (1 + 0.06 / 0.1), 2.0),
}


@pytest.mark.parametrize("case", SPIN)
def test_sliding_slows_down_by_mu_times_what_presses(case):
    make, (name, rate), speed, N, inertia = SPIN[case]
    m = da.Model(case, dim=3, gravity=(0, 0, -G))
    b = m.add(da.Body("b", mass=2.0, inertia=(0.02, 0.025, 0.03)))
    m.add(make(m, b))
    m.initial(name, rate=rate)
    until = 0.9 * speed * inertia / (0.2 * N)
    run = da.simulate(m, until)
    assert run["A"].normal_force[-1] == pytest.approx(N, rel=1e-6)
    assert run["A"].rate[-1] == pytest.approx(0.1 * rate, rel=1e-6)
    rest = da.simulate(m, 1.3 * until)
    assert rest["A"].sticking[-1] == 1.0 and abs(rest["A"].rate[-1]) < 1e-14
    assert rest["A"].friction_loss[-1] == pytest.approx(0.5 * inertia * speed**2, rel=1e-6)


def test_a_sleeve_slows_down_along_its_slide_and_turn_at_once():
    """With J = m r² both directions have the same inertia: the velocity of the surface keeps its direction, until both end."""
    m = da.Model("sleeve", dim=3, gravity=(0, 0, -G))
    b = m.add(da.Body("b", mass=2.0, inertia=(2.0 * 0.05**2, 0.03, 0.03)))
    m.add(da.Cylindrical("A", m.ground, b, at=(0, 0, 0), axis=(1, 0, 0), friction=0.2, radius=0.05, length=0.3))
    m.initial("A.slide", rate=0.6)
    m.initial("A.angle", rate=0.8 / 0.05)
    stop = 1.0 / (0.2 * G)
    run = da.simulate(m, times=[0.0, 0.5 * stop, 0.999 * stop, 1.5 * stop], rtol=1e-9, atol=1e-12)
    assert run["b"].velocity[:, 0] == pytest.approx([0.6, 0.3, 0.0006, 0.0], abs=1e-8)
    assert 0.05 * run["A"].rate == pytest.approx([0.8, 0.4, 0.0008, 0.0], abs=1e-8)
    assert run["A"].friction[1] == pytest.approx([-0.2 * 2.0 * G * 0.6, -0.2 * 2.0 * G * 0.8], rel=1e-8)
    assert run["A"].sticking.tolist() == [0.0, 0.0, 0.0, 1.0]


def test_a_ball_spins_down_about_any_axis():
    m = da.Model("ball", dim=3, gravity=(0, 0, -G))
    m.add(da.Body("b", mass=2.0, inertia=(0.02, 0.02, 0.02), omega=(3.0, -4.0, 0.0)))
    m.add(da.Spherical("A", m.ground, "b", at=(0, 0, 0), friction=0.2, radius=0.03))
    stop = 5.0 * 0.02 / (0.2 * 0.03 * 2.0 * G)
    run = da.simulate(m, times=[0.0, 0.5 * stop, 1.2 * stop], rtol=1e-9, atol=1e-12)
    assert run["b"].omega[1] == pytest.approx([1.5, -2.0, 0.0], abs=1e-7)
    assert np.abs(run["b"].omega[2]).max() < 1e-14
    assert np.linalg.norm(run["A"].friction_torque[1]) == pytest.approx(0.2 * 0.03 * 2.0 * G, rel=1e-9)


def test_a_cross_rubs_at_the_arm_that_turns_and_the_other_sticks():
    m = da.Model("cross", dim=3, gravity=(0, 0, -G))
    m.add(da.Body("b", mass=2.0, inertia=(0.02, 0.02, 0.02), omega=(0.0, 5.0, 0.0)))
    m.add(da.Universal("A", m.ground, "b", at=(0, 0, 0), axis=(1, 0, 0), axis2=(0, 1, 0), friction=0.2, radius=0.03, length=0.2))
    stop = 5.0 * 0.02 / (0.2 * 0.03 * 2.0 * G)
    run = da.simulate(m, times=[0.0, 0.5 * stop, 1.2 * stop], rtol=1e-9, atol=1e-12)
    assert run["b"].omega[:, 1] == pytest.approx([5.0, 2.5, 0.0], abs=1e-7)
    assert run["A"].normal_force[1] == pytest.approx([2.0 * G, 2.0 * G])
    assert run.to_pandas(["A.friction"]).columns.tolist()[-2:] == ["A.friction.i", "A.friction.j"]


def test_viscous_and_preload_and_formulas():
    m = da.Model("oil", dim=2)
    m.parameters["mu"] = 0.5
    b = m.add(da.Body("b", mass=2.0, inertia=0.1, velocity=(1.0, 0)))
    m.add(da.Prismatic("A", m.ground, b, axis=(1, 0), length=0.1, friction={"coulomb": "mu", "preload_N": 1.0,
                                                                            "viscous_N_s_per_m": "3*mu"}))
    run = da.simulate(m, 0.5, rtol=1e-9, atol=1e-12)  # 2 u̇ = −0.5 − 1.5 u
    assert run["b"].velocity[-1, 0] == pytest.approx((1 + 1 / 3) * math.exp(-0.75 * 0.5) - 1 / 3, abs=1e-8)
    m.parameters["mu"] = 0.0
    assert da.simulate(m, 0.5)["b"].velocity[-1, 0] == pytest.approx(1.0, abs=1e-12)


def four_bar(mu, torque=0.0):
    m = da.Model("four-bar", dim=2, gravity=(0, -G))
    a, b, c = (m.add(da.Body.rod(n, p, q, mass=w)) for n, p, q, w in
               (("a", (0, 0), (0, 0.3), 1.0), ("b", (0, 0.3), (0.6, 0.5), 1.5), ("c", (0.6, 0.5), (0.5, 0), 1.2)))
    for n, i, j, at in (("A", m.ground, a, (0, 0)), ("B", a, b, (0, 0.3)), ("C", b, c, (0.6, 0.5)), ("D", c, m.ground, (0.5, 0))):
        m.add(da.Revolute(n, i, j, at=at, friction=mu, radius=0.03))
    if torque:
        m.add(da.Torque("T", a, torque))
    return m


def test_pins_of_a_loop_turn_round_at_dead_centres_and_the_ledger_closes():
    run = da.simulate(four_bar(0.1), 3.0, rtol=1e-8, atol=1e-11)
    assert np.abs(run.energy.residual).max() < 1e-7 and run.energy.dissipated[-1] > 0.5
    assert not run.certificate.doubts()
    assert np.all(np.diff(run.energy.dissipated) >= -1e-12)
    for name in "ABCD":  # friction is μ N against the sliding
        f, N = run[name].friction, run[name].normal_force
        assert np.abs(np.abs(f) - 0.1 * N).max() < 1e-9 * N.max()
        assert np.abs(N - np.linalg.norm(run[name].force, axis=1)).max() < 1e-8 * N.max()


def test_pins_that_hold_each_other_share_and_break_away_together():
    m = four_bar(1.0)
    run = da.simulate(m, 1.0)
    assert np.ptp(run["A"].coordinate) < 1e-12 and all(run[n].sticking.min() == 1.0 for n in "ABCD")
    assert any("shared" in note for note in run.stats["notes"])
    for name in "ABCD":
        assert np.all(np.abs(run[name].friction) <= run[name].normal_force * (1 + 1e-9))
    # the torque at which it lets go: every pin at its limit, found by bisection, is the same from rest and by a slow ramp
    low, high = 0.0, 20.0
    for _ in range(12):
        mid = 0.5 * (low + high)
        moves = np.ptp(da.simulate(four_bar(1.0, mid), 0.05, step=0.05)["A"].coordinate) > 1e-9
        low, high = (low, mid) if moves else (mid, high)
    ramp = four_bar(1.0, f"{low - 0.2} + 0.1*t")
    run = da.simulate(ramp, 4.0, rtol=1e-8, atol=1e-11, step=0.02)
    begun = run.t[np.flatnonzero(np.abs(run["A"].rate) > 1e-9)[0]]
    assert low - 0.2 + 0.1 * begun == pytest.approx(low, abs=0.01)


def test_friction_that_jams_while_it_slides_is_named():
    """Friction along the guide, the centre of mass beside it: what presses grows by 2 h/b times friction itself."""
    m = da.Model("jam", dim=2, gravity=(0, -G))
    b = m.add(da.Body("b", mass=1.0, inertia=0.1, position=(0, 0.5), velocity=(1.0, 0)))
    m.add(da.Prismatic("guide", m.ground, b, axis=(1, 0), at=(0, 0), friction=0.3, length=0.2))
    with pytest.raises(da.SimulationError, match=r"joint 'guide'.*jams"):
        da.simulate(m, 0.1)


def test_reactions_that_are_not_unique_are_named():
    m = da.Model("two hinges", dim=3, gravity=(0, 0, -G))
    b = m.add(da.Body("b", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    m.add(da.Revolute("left", m.ground, b, at=(-1, 0, 0), axis=(1, 0, 0), friction=0.1, radius=0.01, length=0.1))
    m.add(da.Revolute("right", m.ground, b, at=(1, 0, 0), axis=(1, 0, 0)))
    with pytest.raises(da.SimulationError, match=r"joint 'left'.*not unique"):
        da.simulate(m, 0.1)


def test_states_and_accelerations_know_friction():
    now = da.accelerations(collar(0.5))
    assert now["c"].acceleration.tolist() == [0.0, 0.0] and now["guide"].sticking == 1.0
    assert now["guide"].friction == pytest.approx(10.0)
    now = da.accelerations(collar(0.2))
    assert now["c"].acceleration[1] == pytest.approx(-5.0) and now["guide"].normal_force == pytest.approx(20.0)
    assert da.assemble(collar(0.2))["guide"].friction == pytest.approx(5.0)


def test_a_run_is_saved_resumed_and_written_as_a_file(tmp_path):
    m = four_bar(0.3)
    whole = da.simulate(m, 1.5, rtol=1e-8, atol=1e-11)
    stop = lambda t: t < 0.7  # noqa: E731
    with pytest.raises(da.SimulationInterrupted) as caught:
        da.simulate(m, 1.5, rtol=1e-8, atol=1e-11, progress=stop)
    part = caught.value.run
    assert part.t[-1] < 1.4
    path = tmp_path / "part.h5"
    part.save(path)
    for source in (part, da.load(path)):
        again = da.resume(source)
        assert np.array_equal(again.q, whole.q) and np.array_equal(again.v, whole.v)
        assert np.array_equal(again["A"].friction, whole["A"].friction)
    whole.save(tmp_path / "whole.h5")
    back = da.load(tmp_path / "whole.h5")
    assert np.array_equal(back["B"].friction, whole["B"].friction) and np.array_equal(back["B"].force, whole["B"].force)
    assert str(back.certificate) == str(whole.certificate)
    m.save(tmp_path / "m.toml")
    other = da.load_model(tmp_path / "m.toml")
    assert np.array_equal(da.simulate(other, 1.5, rtol=1e-8, atol=1e-11).q, whole.q)


def test_the_numbers_of_a_law_survive_a_model_file(tmp_path):
    m = collar(0.3)
    m.remove("guide")
    law = {"coulomb": 0.2, "static": 0.3, "stribeck_m_per_s": 0.01, "viscous_N_s_per_m": 0.5, "preload_N": 2.0}
    m.add(da.Prismatic("guide", m.ground, "c", axis=(0, 1), friction=law, length=0.2))
    m.save(tmp_path / "m.toml")
    assert dict(da.load_model(tmp_path / "m.toml").elements["guide"].friction) == law
    text = (tmp_path / "m.toml").read_text().replace("preload_N", "preload")
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(da.FileError, match="preload"):
        da.load_model(tmp_path / "wrong.toml")


def test_wrong_friction_is_refused_by_name():
    m = da.Model("wrong", dim=2)
    b = m.add(da.Body("b", mass=1.0, inertia=1.0))
    for words, wrong in (("friction has no 'mu'", {"friction": {"mu": 0.1}, "length": 1.0}), ("needs length=", {"friction": 0.1}),
                         ("must be zero or more", {"friction": -0.1, "length": 1.0}),
                         ("less than that of sliding", {"friction": {"coulomb": 0.3, "static": 0.2}, "length": 1.0}),
                         ("stribeck", {"friction": {"coulomb": 0.3, "stribeck_m_per_s": 0.2}, "length": 1.0}),
                         ("coefficient", {"friction": {"preload_N": 0.3}, "length": 1.0}),
                         ("must be positive", {"friction": 0.1, "length": 0.0})):
        with pytest.raises(da.ModelError, match=words):
            m.add(da.Prismatic("A", m.ground, b, axis=(1, 0), **wrong))
            m.compile()
        m.elements.pop("A", None)


REFUSED = {
    "kinematics": lambda m: da.kinematics(m, 1.0), "inverse_dynamics": lambda m: da.inverse_dynamics(m, 1.0),
    "equilibria": da.equilibria, "hold of two": lambda m: da.hold(m, ["load.x", "load.y"]),
    "linearize": da.linearize,
    "matrices": da.matrices, "virtual_work": da.virtual_work, "stepper": da.stepper,
    "sensitivities": lambda m: da.sensitivities(m, ["k"], da.simulate, 1.0), "verify": lambda m: da.simulate(m, 0.1, verify=True),
    "steppers": lambda m: da.steppers(m, 2), "export_fmu": lambda m: da.export_fmu(m, "x.fmu"),
    "radau": lambda m: da.simulate(m, 0.1, integrator="radau"),
    "recursive": lambda m: da.simulate(m, 0.1, formulation="recursive"),
    "derivative": lambda m: da.simulate(m, 0.1).derivative("k"), "tree": lambda m: da.robotics.Tree(m),
    "resultant": lambda m: da.resultant(da.simulate(m, 0.1), "c"), "fbd": lambda m: da.simulate(m, 0.1).fbd("c"),
    "subsystem": lambda m: da.subsystem(m, "c"), "subsystem of a run": lambda m: da.subsystem(da.simulate(m, 0.1), "c"),
    "fbd of a model": lambda m: da.fbd(m, "c"), "compare": da.compare,
}
# verbs that know friction, or ask simulate for all they say; assemble, check and null_space speak of poses
KNOWN = {"simulate", "resume", "accelerations", "hold", "equilibrium", "sweep", "optimize", "fit", "assemble", "check",
         "null_space"}


def test_every_analysis_knows_friction_or_refuses_it():
    """A new verb must be in one of the two lists: friction is never left out in silence."""
    verbs = {name for place, names in da._PLACES.items() if place.startswith("analyses.") for name in names}
    assert verbs - KNOWN == verbs & set(REFUSED)


def braked():
    """A brake of its own: no joint rubs."""
    m = da.Model("braked", dim=2)
    m.add(da.Body("c", mass=1.0, inertia=0.1))
    m.add(da.Revolute("guide", m.ground, "c", at=(0, 0)))
    m.add(da.Clutch("brake", m.ground, "c", force=10.0, friction=0.3, radius=0.1))
    m.add(da.Force("load", "c", (0, -10.0), on=(0.2, 0)))
    return m


@pytest.mark.parametrize("made", [lambda: collar(0.2), braked])
@pytest.mark.parametrize("verb", REFUSED)
def test_what_does_not_know_friction_says_so(verb, made):
    m = made()
    m.parameters["k"] = 1.0
    with pytest.raises(da.DalembertError, match="friction"):
        REFUSED[verb](m)


def test_friction_of_zero_is_none():
    m = collar(0.2, mu=0)
    plain = collar(0.2, mu=None)
    assert not m.compile().rubbing
    assert np.array_equal(da.simulate(m, 0.2).q, da.simulate(plain, 0.2).q)


def slope(degrees=30.0, mu=0.2):
    angle = math.radians(degrees)
    m = da.Model("slope", dim=2, gravity=(0, -G))
    b = m.add(da.Body("block", mass=2.0, inertia=0.1))
    m.add(da.Prismatic("floor", m.ground, b, axis=(math.cos(angle), math.sin(angle)), friction=mu, length=1.0))
    m.add(da.Force("push", b, (0.0, 0.0)))
    return m


def test_hold_gives_the_range_of_loads_that_friction_holds():
    """A horizontal push on a slope of 30°: from W tan(α − φ) to W tan(α + φ)."""
    found = da.hold(slope(), "push.x")
    phi, alpha = math.atan(0.2), math.radians(30.0)
    assert found.value == pytest.approx((2.0 * G * math.tan(alpha - phi), 2.0 * G * math.tan(alpha + phi)), rel=1e-7)
    assert (found.below, found.above) == (["floor"], ["floor"]) and found["floor"].sticking == 1.0
    assert "is held" in repr(found) and found.lower < found.inside < found.upper
    for p, moves in ((found.upper * 1.0001, True), (found.upper * 0.9999, False), (found.lower * 0.9999, True)):
        m = slope()
        m.remove("push")
        m.add(da.Force("push", "block", (p, 0.0)))
        assert bool(np.ptp(da.simulate(m, 0.5, step=0.5)["floor"].coordinate) > 1e-8) is moves


def test_hold_of_what_locks_has_no_end():
    """Steeper than φ the push locks it: tan(α + φ) < 0 beyond 90°, no push is too large."""
    found = da.hold(slope(80.0, 0.3), "push.x")
    assert found.upper == math.inf and found.above == []
    assert found.lower == pytest.approx(2.0 * G * math.tan(math.radians(80.0) - math.atan(0.3)), rel=1e-7)
    assert "whatever it is" in repr(found)


def test_hold_of_a_loop_is_where_a_slow_ramp_lets_go():
    m = four_bar(0.5, 1e-9)
    found = da.hold(m, "T")
    for end, sign in ((found.upper, 1.0), (found.lower, -1.0)):
        ramp = four_bar(0.5, f"{end - sign * 0.01} + {sign * 0.02}*t")
        run = da.simulate(ramp, 1.0, rtol=1e-8, atol=1e-11, step=0.005)
        begun = run.t[np.flatnonzero(np.abs(run["A"].rate) > 1e-9)[0]]
        assert 0.5 < begun <= 0.53


@pytest.mark.parametrize("seed", range(6))
def test_random_chains_keep_their_ledger_and_converge(seed):
    random = np.random.default_rng(seed)
    m = da.Model("chain", dim=2, gravity=(0, -G))
    p, before = np.zeros(2), m.ground
    for k in range(3):
        q = p + random.uniform(-0.5, 0.5, 2)
        rod = m.add(da.Body.rod(f"b{k}", tuple(p), tuple(q), mass=random.uniform(0.5, 2)))
        m.add(da.Revolute(f"j{k}", before, rod, at=tuple(p), friction=random.uniform(0.05, 0.5),
                          radius=random.uniform(0.01, 0.1)))
        p, before = q, rod
    coarse, fine = (da.simulate(m, 1.0, rtol=rtol, atol=1e-3 * rtol, step=0.1) for rtol in (1e-7, 1e-9))
    assert np.abs(fine.energy.residual).max() < 1e-7 and not coarse.certificate.doubts()
    assert np.abs(coarse.q - fine.q).max() < 1e-5
    assert fine.energy.dissipated[-1] == pytest.approx(sum(fine[f"j{k}"].friction_loss[-1] for k in range(3)), rel=1e-9)


def test_a_drive_pays_for_friction_and_pins_turn_round_where_it_moves_them():
    """Every surface is moved by the drive: what it supplies is what friction and the bodies take."""
    m = da.Model("slider-crank", dim=2, gravity=(0, -G))
    crank, rod = (m.add(da.Body.rod(n, p, q, mass=1.0)) for n, p, q in
                  (("crank", (0, 0), (0.1, 0.1)), ("rod", (0.1, 0.1), (0.6, 0))))
    slider = m.add(da.Body("slider", mass=2.0, inertia=0.01, position=(0.6, 0)))
    for n, i, j, at in (("A", m.ground, crank, (0, 0)), ("B", crank, rod, (0.1, 0.1)), ("C", rod, slider, (0.6, 0))):
        m.add(da.Revolute(n, i, j, at=at, friction=0.15, radius=0.02))
    m.add(da.Prismatic("P", m.ground, slider, axis=(1, 0), friction=0.15, length=0.2))
    m.add(da.Drive("motor", "A", "10*t"))
    run = da.simulate(m, 2 * math.pi / 10 * 2, rtol=1e-9, atol=1e-12)
    assert np.abs(run.energy.residual).max() < 1e-7 and run.energy.dissipated[-1] > 1.0
    assert run.energy.work[-1] == pytest.approx(run.energy.dissipated[-1], abs=1e-6)  # two whole turns
    power = sum(-run[n].friction * 0.02 * run[n].rate for n in "ABC") - run["P"].friction * run["P"].rate
    assert np.trapezoid(power, run.t) == pytest.approx(run.energy.dissipated[-1], rel=1e-2)
    assert np.abs(run["motor"].power - 10.0 * run["motor"].torque).max() < 1e-9


def driven(law):
    m = da.Model("driven", dim=2, gravity=(0, -G))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=2.0))
    m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0), friction=0.3, radius=0.05))
    m.add(da.Drive("d", "pin", law))
    return m


SMOOTH = {
    "0.1*t**3": lambda t: (0.1 * t**3, 0.3 * t**2, 0.6 * t),
    "0.1*t**4": lambda t: (0.1 * t**4, 0.4 * t**3, 1.2 * t**2),
    "0.1*max(t-0.45,0)**2": lambda t: (0.1 * max(t - 0.45, 0)**2, 0.2 * max(t - 0.45, 0), 0.2 * (t > 0.45)),
    "0.1*max(t-0.45,0)**3": lambda t: (0.1 * max(t - 0.45, 0)**3, 0.3 * max(t - 0.45, 0)**2, 0.6 * max(t - 0.45, 0)),
    "-0.3*(t-sin(2*pi*t)/(2*pi))": lambda t: (-0.3 * (t - math.sin(2 * math.pi * t) / (2 * math.pi)),
                                              -0.3 * (1 - math.cos(2 * math.pi * t)), -0.6 * math.pi * math.sin(2 * math.pi * t)),
    "10*t**3-15*t**4+6*t**5": lambda t: (10 * t**3 - 15 * t**4 + 6 * t**5, 30 * t**2 * (1 - t)**2,
                                         60 * t - 180 * t**2 + 120 * t**3),
    "0.1*(t-0.5)**4-0.00625": lambda t: (0.1 * (t - 0.5)**4 - 0.00625, 0.4 * (t - 0.5)**3, 1.2 * (t - 0.5)**2),
}


@pytest.mark.parametrize("law", SMOOTH)
def test_a_drive_that_starts_smoothly_from_rest_rubs_as_soon_as_it_moves(law):
    """Torque m g c cos θ + J α + μ r N sign ω with N of the centre's motion; loss ∫ μ r N |ω| dt."""
    def at(t):
        th, om, al = SMOOTH[law](t)
        ax, ay = -0.5 * (om**2 * math.cos(th) + al * math.sin(th)), 0.5 * (al * math.cos(th) - om**2 * math.sin(th))
        rub = 0.3 * 0.05 * 2.0 * math.hypot(ax, ay + G)
        return 2.0 * G * 0.5 * math.cos(th) + 2.0 / 3 * al, rub * np.sign(om), rub * abs(om)

    run = da.simulate(driven(law), 0.95, step=0.05, rtol=1e-9, atol=1e-12)
    moving = np.array([abs(SMOOTH[law](t)[1]) > 1e-9 for t in run.t])
    edge = 0.45 if "0.45" in law else 0.5 if "0.5" in law else -1.0  # there it may be either
    known = np.abs(run.t - edge) > 1e-9
    assert np.array_equal((run["pin"].sticking == 0.0)[known], moving[known])
    wanted = np.array([at(t)[0] + at(t)[1] * moving[k] for k, t in enumerate(run.t)])
    assert run["d"].torque[known] == pytest.approx(wanted[known], rel=1e-8, abs=1e-8)
    x, weights = np.polynomial.legendre.leggauss(40)
    loss = sum(0.5 * (b - a) * w * at(0.5 * (a + b) + 0.5 * (b - a) * u)[2]
               for a, b in ((0, 0.45), (0.45, 0.5), (0.5, 0.95)) for u, w in zip(x, weights, strict=True))
    assert run["pin"].friction_loss[-1] == pytest.approx(loss, rel=1e-7)
    assert np.abs(run.energy.residual).max() < 1e-7 and not run.certificate.doubts()


@pytest.mark.parametrize("law", ["max(t-0.1,0)**2", "0.3*(t-sin(2*pi*t)/(2*pi))"])
def test_a_driven_jack_starts_from_a_dwell(law):
    m = da.Model("jack")
    m.add(da.Body("nut", mass=1.0, inertia=(0.01, 0.01, 0.01)))
    m.add(da.Screw("s", m.ground, "nut", at=(0, 0, 0), pitch=0.01, axis=(0, 0, 1), friction=0.15, radius=0.02, length=0.05))
    m.add(da.Force("W", "nut", (0, 0, -1000.0)))
    m.add(da.Drive("d", "s", law))
    run = da.simulate(m, times=[0.0, 0.4, 0.8], max_steps=500)
    al = 2.0 if "max" in law else 0.6 * math.pi * math.sin(1.6 * math.pi)
    lead = 0.01 / (2 * math.pi)
    beta, phi = math.atan2(lead, 0.02), math.atan(0.15)
    raised = (1000.0 + lead * al) * 0.02 * math.tan(beta + phi)  # the thread of a square profile
    assert run["d"].torque[-1] == pytest.approx(raised + 0.01 * al, rel=1e-6)
    assert run["s"].sticking.tolist() == [1.0, 0.0, 0.0] and not run.certificate.doubts()


@pytest.mark.parametrize(("over", "rtol"), [(1e-3, 1e-11), (1e-5, 1e-6), (1e-5, 1e-11), (1e-7, 1e-8)])
def test_a_load_that_is_over_the_limit_for_a_moment_breaks_away(over, rtol):
    """Static 0.5, sliding 0.3 of 10 N under 5 (1 + over) sin 3t: three slips within 3.4 s."""
    m = da.Model("brief", dim=2, gravity=(0, -10.0))
    m.add(da.Body("b", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("p", m.ground, "b", axis=(1, 0), friction={"coulomb": 0.3, "static": 0.5}, length=1.0))
    size = 5.0 * (1.0 + over)
    m.add(da.Force("F", "b", (f"{size!r}*sin(3*t)", 0)))
    run = da.simulate(m, 3.4, rtol=rtol, atol=1e-2 * rtol)
    first = math.asin(1.0 / (1.0 + over)) / 3.0

    def slid(t):  # from rest at ``first``, along +x
        return size / 3 * (math.cos(3 * first) - math.cos(3 * t)) - 3.0 * (t - first)

    stop = brentq(slid, first + 0.1, first + math.pi / 3)
    gone = stop - first
    way = size / 3 * (math.cos(3 * first) * gone - (math.sin(3 * stop) - math.sin(3 * first)) / 3) - 1.5 * gone**2
    assert run["b"].position[-1, 0] == pytest.approx(way, abs=1e-7)  # there, back, and there again
    assert run.stats["friction"]["changes"] == 7 and not run.certificate.doubts()


@pytest.mark.parametrize(("words", "until"), [("sticks and moves", 1.0), ("sticks over its limit", 0.52)])
def test_the_certificate_doubts_what_sticks_against_the_law(words, until, monkeypatch):
    """The machine deaf to its events: what it does not find is said."""
    from dalembert.contacts.rubbing.machine import Machine

    moves = words == "sticks and moves"
    m = driven("0.1*t**3") if moves else slope(0.0, 0.3)
    if not moves:
        m.remove("push")
        m.add(da.Force("push", "block", ("20*t", 0.0)))
    made = Machine._slacks

    def deaf(self, rest, resting, still):
        made(self, rest, resting, still)
        self.real[:, SLACK] = 1e9

    assert not da.simulate(m, until).certificate.doubts()
    monkeypatch.setattr(Machine, "_slacks", deaf)
    assert any(words in d for d in da.simulate(m, until).certificate.doubts())


def test_a_sleeve_whose_direction_turns_is_not_disturbed():
    """Pushed back while it turns: the direction of sliding turns by more than 90°, against the two equations."""
    m = da.Model("turning", gravity=(0, 0, -G))
    m.add(da.Body("s", mass=2.0, inertia=(0.03, 0.02, 0.02), velocity=(1, 0, 0), omega=(8.0, 0, 0)))
    m.add(da.Cylindrical("c", m.ground, "s", at=(0, 0, 0), axis=(1, 0, 0), friction=0.3, radius=0.1, length=0.2))
    m.add(da.Force("F", "s", (-20.0, 0, 0)))
    m.add(da.Torque("T", "s", (0.5, 0, 0)))

    def rate(t, y):
        d = np.array([y[0], 0.1 * y[1]]) / math.hypot(y[0], 0.1 * y[1])
        return [(-0.6 * G * d[0] - 20.0) / 2.0, (-0.06 * G * d[1] + 0.5) / 0.03]

    run = da.simulate(m, 0.5, step=0.01, rtol=1e-9, atol=1e-11)
    other = solve_ivp(rate, (0, 0.5), [1.0, 8.0], method="DOP853", rtol=1e-12, atol=1e-14, t_eval=run.t)
    assert other.y[0, -1] < -1.0
    assert np.abs(run["s"].velocity[:, 0] - other.y[0]).max() < 1e-8
    assert np.abs(run["s"].omega[:, 0] - other.y[1]).max() < 1e-7


@pytest.mark.parametrize("over", [1e-7, 1e-3, 0.1, 0.5])
def test_a_sleeve_breaks_away_where_its_friction_lets_it(over):
    """Loads that stay: u̇ = b − L W d with u̇ ∥ d is one equation for s: Σ (b_i/(L W_i + s))² = 1."""
    size = 0.6 * G * (1.0 + over)
    m = da.Model("from rest", gravity=(0, 0, -G))
    m.add(da.Body("s", mass=2.0, inertia=(0.03, 0.02, 0.02)))
    m.add(da.Cylindrical("c", m.ground, "s", at=(0, 0, 0), axis=(1, 0, 0), friction=0.3, radius=0.1, length=0.2))
    m.add(da.Force("F", "s", (0.6 * size, 0, 0)))
    m.add(da.Torque("T", "s", (0.08 * size, 0, 0)))
    W = np.array([0.5, 0.01 / 0.03])
    b = W * np.array([0.6, 0.8]) * size
    s = brentq(lambda s: np.linalg.norm(b / (0.6 * G * W + s)) - 1.0, 0.0, 100.0, xtol=1e-15)
    d = b / (0.6 * G * W + s)
    now = da.accelerations(m)
    assert now["c"].friction == pytest.approx(-0.6 * G * d, rel=1e-7)
    if over < 1e-3:  # a creep so slow is stiff, and the run says so
        with pytest.raises(da.SimulationError, match=r"joint 'c' creeps at t = .*hold tells its range"):
            da.simulate(m, 0.5, step=0.5, max_steps=2000)
        return
    run = da.simulate(m, 0.02, step=0.01)
    assert run["s"].position[-1, 0] == pytest.approx(0.5 * s * d[0] * 0.02**2, rel=1e-4)
    assert run["c"].sticking.max() == 0.0


@pytest.mark.parametrize("static", [0.3, 0.4])
def test_a_sleeve_breaks_away_under_a_load_that_grows(static):
    m = da.Model("ramp", gravity=(0, 0, -G))
    m.add(da.Body("s", mass=2.0, inertia=(0.03, 0.02, 0.02)))
    m.add(da.Cylindrical("c", m.ground, "s", at=(0, 0, 0), axis=(1, 0, 0), radius=0.1, length=0.2,
                         friction={"coulomb": 0.3, "static": static}))
    m.add(da.Force("F", "s", ("6*t", 0, 0)))
    m.add(da.Torque("T", "s", ("0.8*t", 0, 0)))
    begun = static * 2.0 * G / 10.0
    run = da.simulate(m, times=[begun - 0.01, begun + 0.1, begun + 0.3], rtol=1e-8, atol=1e-11)

    def rate(t, y):
        d = np.array([y[1], 0.1 * y[3]]) / math.hypot(y[1], 0.1 * y[3])
        return [y[1], (6 * t - 0.6 * G * d[0]) / 2.0, y[3], (0.8 * t - 0.06 * G * d[1]) / 0.03]

    load, W, after = np.array([6.0, 8.0]), np.array([0.5, 0.01 / 0.03]), begun + 1e-6  # begun: along W · load, or as the law asks
    b = W * load * after
    s = brentq(lambda s: np.linalg.norm(b / (0.6 * G * W + s)) - 1.0, -1e-9, 100.0, xtol=1e-15)
    u = s * b / (0.6 * G * W + s) * 1e-6
    other = solve_ivp(rate, (after, begun + 0.3), [0, u[0], 0, 10 * u[1]], method="Radau", rtol=1e-9, atol=1e-13,
                      t_eval=run.t[1:])
    assert run["c"].sticking.tolist() == [1.0, 0.0, 0.0]
    assert run["s"].position[1:, 0] == pytest.approx(other.y[0], rel=1e-4)


@pytest.mark.parametrize("over", [1e-4, 0.01, 0.2])
def test_a_ball_breaks_away_about_the_axis_that_fits_its_inertia(over):
    size = 0.3 * 0.05 * 2.0 * G * (1.0 + over)
    way, inertia = np.array([0.5, 0.5, math.sqrt(0.5)]), np.array([0.02, 0.05, 0.04])
    m = da.Model("ball", gravity=(0, 0, -G))
    m.add(da.Body("s", mass=2.0, inertia=tuple(inertia)))
    m.add(da.Spherical("c", m.ground, "s", at=(0, 0, 0), friction=0.3, radius=0.05))
    m.add(da.Torque("T", "s", tuple(size * way)))
    W, b = 0.05**2 / inertia, 0.05 * size * way / inertia
    s = brentq(lambda s: np.linalg.norm(b / (0.6 * G * W + s)) - 1.0, 0.0, 100.0, xtol=1e-15)
    assert da.accelerations(m)["c"].friction == pytest.approx(-0.6 * G * b / (0.6 * G * W + s), rel=1e-7)


def test_a_sleeve_driven_in_one_direction_rubs_or_is_refused_by_name():
    def sleeve(law):
        m = da.Model("half driven", gravity=(0, 0, -G))
        m.add(da.Body("s", mass=2.0, inertia=(0.03, 0.02, 0.02)))
        m.add(da.Cylindrical("c", m.ground, "s", at=(0, 0, 0), axis=(1, 0, 0), friction=0.3, radius=0.1, length=0.2))
        m.add(da.Drive("d", "c.slide", law))
        return m

    assert da.simulate(sleeve("0.1*t**2"), 1.0)["c"].friction_loss[-1] == pytest.approx(0.06 * G, rel=1e-8)
    with pytest.raises(da.SimulationError, match=r"joint 'c'.*prescribe some"):
        da.simulate(sleeve("0.1*t**3"), 1.0)
