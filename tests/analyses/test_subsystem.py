"""Sub-systems about any point: method II of text 001, equation by equation with the engine's numbers; resultants in all axes."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog

EXACT = {"rtol": 1e-11, "atol": 1e-11}


def text_four_bar(seed):
    """The text's four-bar: links 2, 3, 4 from O to A to B to C, moments M², M⁴ and a force F³ on the coupler's centre of mass."""
    random = np.random.default_rng(seed)
    m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
    O, A, B, C = (0.0, 0.0), (0.3, 0.4), (1.2, 0.9), (1.5, 0.0)
    for name, p, q in (("2", O, A), ("3", A, B), ("4", B, C)):
        m.add(da.Body.rod(name, p, q, mass=float(random.uniform(0.5, 2))))
    for name, i, j, at in (("O", "ground", "2", O), ("A", "2", "3", A), ("B", "3", "4", B), ("C", "4", "ground", C)):
        m.add(da.Revolute(name, i, j, at=at))
    M2, Fx, Fy, M4 = random.uniform(-5, 5, 4)
    m.add(da.Torque("M2", "2", float(M2)))
    m.add(da.Force("F3", "3", (float(Fx), float(Fy))))
    m.add(da.Torque("M4", "4", float(M4)))
    m.initial("O", rate=float(random.uniform(-4, 4)))
    return m, M2, Fx, Fy, M4


@pytest.mark.parametrize("seed", range(4))
def test_the_three_equations_of_the_four_bar(seed):
    """Moments about A of {2}, about B of {2, 3}, about C of {2, 3, 4}, and reduced (errata: cos θ³ in m²R̈y²; M² about C)."""
    model, M2, Fx3, Fy3, M4 = text_four_bar(seed)
    s, g = da.accelerations(model), 9.81
    m, J, th, l, h = {}, {}, {}, {}, {}
    for k, name in enumerate(("2", "3", "4"), start=2):
        row = s.system.tables.bodies[k - 2]
        m[k], J[k], th[k] = row["mass"], row["inertia"], s[name].angle
        l[k] = np.sqrt(12 * J[k] / m[k])
        h[k] = l[k] / 2  # l_O² = l_A² = l²/2, and so on
    sin, cos = {k: np.sin(th[k]) for k in th}, {k: np.cos(th[k]) for k in th}
    X, Y = ({k: s[str(k)].acceleration[c] for k in th} for c in (0, 1))  # rods: the reference point is the centre of mass
    a = {k: s[str(k)].angular_acceleration for k in th}
    Fx, Fy = s["O"].force

    one = da.subsystem(s, ["2"], about="A")
    e1 = M2 + m[2] * g * h[2] * cos[2]
    r1 = Fx * l[2] * sin[2] - Fy * l[2] * cos[2]
    i1 = J[2] * a[2] + m[2] * X[2] * h[2] * sin[2] - m[2] * Y[2] * h[2] * cos[2]
    two = da.subsystem(s, ["2", "3"], about="B")
    e2 = M2 + m[2] * g * (h[2] * cos[2] + l[3] * cos[3]) + (m[3] * g - Fy3) * h[3] * cos[3] + Fx3 * h[3] * sin[3]
    r2 = Fx * (l[2] * sin[2] + l[3] * sin[3]) - Fy * (l[2] * cos[2] + l[3] * cos[3])
    i2 = (J[2] * a[2] + m[2] * X[2] * (h[2] * sin[2] + l[3] * sin[3]) - m[2] * Y[2] * (h[2] * cos[2] + l[3] * cos[3])
          + J[3] * a[3] + m[3] * X[3] * h[3] * sin[3] - m[3] * Y[3] * h[3] * cos[3])
    three = da.subsystem(s, ["2", "3", "4"], about="C")
    e3 = (M2 + M4 + m[2] * g * (h[2] * cos[2] + l[3] * cos[3] + l[4] * cos[4]) + Fx3 * (h[3] * sin[3] + l[4] * sin[4])
          + (m[3] * g - Fy3) * (h[3] * cos[3] + l[4] * cos[4]) + m[4] * g * h[4] * cos[4])
    r3 = -Fy * (l[2] * cos[2] + l[3] * cos[3] + l[4] * cos[4])  # −F_y¹² l¹: O and C are at one height
    i3 = (J[2] * a[2] + m[2] * X[2] * (h[2] * sin[2] + l[3] * sin[3] + l[4] * sin[4])
          - m[2] * Y[2] * (h[2] * cos[2] + l[3] * cos[3] + l[4] * cos[4]) + J[3] * a[3]
          + m[3] * X[3] * (h[3] * sin[3] + l[4] * sin[4]) - m[3] * Y[3] * (h[3] * cos[3] + l[4] * cos[4])
          + J[4] * a[4] + m[4] * X[4] * h[4] * sin[4] - m[4] * Y[4] * h[4] * cos[4])
    for found, e, r, i in ((one, e1, r1, i1), (two, e2, r2, i2), (three, e3, r3, i3)):
        np.testing.assert_allclose(found.external_total.moment, e, **EXACT)
        np.testing.assert_allclose(found.reactions["O"].moment, r, **EXACT)
        np.testing.assert_allclose(found.reaction_total.moment, r, **EXACT)  # the other cut is at the point itself
        np.testing.assert_allclose(found.inertia_total.moment, i, **EXACT)
        np.testing.assert_allclose(found.residual.moment, 0.0, atol=1e-11)
        np.testing.assert_allclose(found.residual.force, 0.0, atol=1e-11)
    # reduced: the second less the first, the third less the second
    np.testing.assert_allclose(e2 - e1 + r2 - r1, i2 - i1, **EXACT)
    np.testing.assert_allclose(r2 - r1, Fx * l[3] * sin[3] - Fy * l[3] * cos[3], **EXACT)
    np.testing.assert_allclose(e3 - e2 + r3 - r2, i3 - i2, **EXACT)
    # another set (F²³ and M⁴): {3} about B and {3, 4} about C know O no more
    other = da.subsystem(s, ["3", "4"], about="C")
    assert list(other.reactions) == ["A", "C"] and other.internal == ["B"]
    np.testing.assert_allclose(other.reactions["A"].force, s["A"].force, **EXACT)
    assert abs(other.reactions["C"].moment) < 1e-12


def test_the_three_equations_give_the_unknowns():
    """As the text says: F_x¹², F_y¹² and M⁴ follow from the three moment equations alone."""
    model, _, _, _, M4 = text_four_bar(9)
    s = da.accelerations(model)
    sets = [da.subsystem(s, names, about=at) for names, at in ((["2"], "A"), (["2", "3"], "B"), (["2", "3", "4"], "C"))]
    arms = [x.point - s.point("2", (-np.linalg.norm(s["A"]._where("2")[0]) / 2, 0.0)) for x in sets]
    A = np.array([[arm[1], -arm[0], float("M4" in x.external)] for arm, x in zip(arms, sets, strict=True)])
    b = [x.inertia_total.moment - sum(w.moment for n, w in x.external.items() if n != "M4") for x in sets]
    np.testing.assert_allclose(np.linalg.solve(A, b), [*s["O"].force, M4], rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_two_link_arm(seed):
    """Open chain: M³ from link 3 about A, M² + M³ from both about O, without any reaction (errata: l² cos θ² in M_e)."""
    random = np.random.default_rng(seed)
    angles, g = random.uniform(-1, 1, 2), 9.81
    inv = da.inverse_dynamics(catalog.make("two-link-arm-driven", angles=tuple(angles)), until=1.0, step=0.25)
    link, arm = da.subsystem(inv, "lower", about="elbow"), da.subsystem(inv, ["upper", "lower"], about="shoulder")
    (m2, m3), (l2, l3) = (3.0, 2.0), (1.0, 0.8)
    t2, t3 = inv["upper"].angle, inv["lower"].angle
    (X2, Y2), (X3, Y3) = inv["upper"].acceleration.T, inv["lower"].acceleration.T
    a2, a3 = inv["upper"].angular_acceleration, inv["lower"].angular_acceleration
    O2, A3, J2, J3 = l2 / 2, l3 / 2, m2 * l2**2 / 12, m3 * l3**2 / 12
    M3 = J3 * a3 + (m3 * g + m3 * Y3) * A3 * np.cos(t3) - m3 * X3 * A3 * np.sin(t3)
    np.testing.assert_allclose(link.external["motor 2"].moment, M3, **EXACT)
    np.testing.assert_allclose(link.external_total.moment, M3 - m3 * g * A3 * np.cos(t3), **EXACT)
    Me = inv["motor 1"].torque - m2 * g * O2 * np.cos(t2) - m3 * g * (l2 * np.cos(t2) + A3 * np.cos(t3))
    Mi = (J2 * a2 + J3 * a3 - m2 * X2 * O2 * np.sin(t2) + m2 * Y2 * O2 * np.cos(t2)
          - m3 * X3 * (l2 * np.sin(t2) + A3 * np.sin(t3)) + m3 * Y3 * (l2 * np.cos(t2) + A3 * np.cos(t3)))
    np.testing.assert_allclose(arm.external_total.moment, Me, **EXACT)  # a motor on the ground joint supplies the text's M² + M³
    np.testing.assert_allclose(arm.inertia_total.moment, Mi, **EXACT)
    np.testing.assert_allclose(Me, Mi, rtol=1e-9, atol=1e-9)
    assert arm.internal == ["elbow", "motor 2"] and list(arm.reactions) == ["shoulder"]
    assert arm.residual.moment.shape == (5,) and "over 5 samples" in str(arm)


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_every_set_is_in_balance(name):
    """Random sets of bodies about random points, in all axes: external + reactions = inertia, 1e-12 of the largest."""
    random = np.random.default_rng(5)
    s = da.accelerations(catalog.make(name))
    bodies = s.system.bodies
    nothing = 1e-9 * da.subsystem(s, bodies, about=np.ones(s.system.dim)).scale  # sets on which nothing acts but rounding
    for _ in range(3):
        chosen = [b for b in bodies if random.random() < 0.5] or bodies[:1]
        about = random.standard_normal(s.system.dim)
        for axes in ("ground", chosen[0]):
            x = da.subsystem(s, chosen, about=about, axes=axes)
            worst = max(np.abs(x.residual.force).max(), np.abs(x.residual.moment).max())
            assert worst <= 1e-12 * max(x.scale, nothing)
            sizes = [np.linalg.norm(x.external_total.force), np.linalg.norm(x.inertia_total.force)]
            if axes == "ground":
                first = sizes
        np.testing.assert_allclose(sizes, first, rtol=1e-9, atol=1e-12 * x.scale)
        everything = da.resultant(s, chosen, about=about)  # on several bodies what acts between them cancels
        np.testing.assert_allclose(everything.force, da.subsystem(s, chosen, about=about).inertia_total.force,
                                   atol=1e-11 * x.scale)


def test_results_of_every_kind():
    """Kinematics, a pose at rest, a torque that holds, and unknown loads: all can be cut."""
    arm = catalog.make("slider-crank-loaded")
    linkage = catalog.make("four-bar-driven")
    linkage.add(da.Torque("M4", "rocker", 0.0))
    unknown = da.inverse_dynamics(linkage, until=0.4, step=0.1, unknown=["M4"])
    cases = [(da.kinematics(catalog.make("quick-return"), until=0.5, step=0.1), None, "O"),
             (da.equilibrium(catalog.make("four-bar-springs")), ["crank", "coupler"], "D"),
             (da.hold(arm, unknown="M2"), "crank", "O"), (unknown, ["crank", "coupler", "rocker"], "D")]
    for result, bodies, about in cases:
        x = da.subsystem(result, bodies or result.system.bodies[:2], about=about)
        assert max(np.abs(x.residual.force).max(), np.abs(x.residual.moment).max()) < 1e-11 * x.scale
    np.testing.assert_allclose(x.external["M4"].moment, unknown.unknown["M4"], rtol=1e-9)


def test_points():
    s = da.accelerations(catalog.make("four-bar"))
    at = {"C": s["C"]._where("rocker")[0], "rocker": s["rocker"].position, "rocker.com": s["rocker"].position,
          ("coupler", (0.1, 0.2)): s.point("coupler", (0.1, 0.2)), (0.3, 0.4): (0.3, 0.4)}
    for about, place in at.items():
        np.testing.assert_allclose(da.subsystem(s, "crank", about=about).point, place, **EXACT)
    heavy = da.Model("m", dim=2)
    heavy.add(da.Body("a", mass=1, inertia=1, position=(1, 2), com=(0.5, 0.0)))
    heavy.add(da.Body("b", mass=3, inertia=1, position=(5, 2)))
    both = da.subsystem(heavy, ["a", "b"])
    np.testing.assert_allclose(both.point, ((1.5 + 15) / 4, 2.0))
    assert both.about == "their centre of mass"
    np.testing.assert_allclose(da.subsystem(heavy, "a", about="a.com").point, (1.5, 2.0))
    np.testing.assert_allclose(da.subsystem(heavy, "a", about="a").point, (1.0, 2.0))


def test_a_derivation_gives_the_same_balance_in_symbols():
    """Formulas in numbers at a state are the state's own balance: a particle, and a centre of mass beside the reference point."""
    m = da.Model("swing", dim=2, gravity=(0, -9.81))
    m.add(da.Particle("bob", mass=0.5, position=(1.5, 0.5), velocity=(0.2, 0.1)))
    m.add(da.Body("bar", mass=2.0, inertia=0.3, position=(0, 0), com=(0.4, 0.1)))
    m.add(da.Revolute("O", m.ground, "bar", at=(0, 0)))
    m.add(da.Distance("s", "bar", "bob", at_i=(1, 0), at_j=(1.5, 0.5)))
    m.initial("O", rate=1.3)
    eqs, s = da.derive(m, "newton-euler", reactions="F"), da.accelerations(m)
    accelerations = {"bob.x": s["bob"].acceleration[0], "bob.y": s["bob"].acceleration[1],
                     "bar.angle": s["bar"].angular_acceleration}
    accelerations |= dict(zip(("bar.x", "bar.y"), s["bar"].point_acceleration((0.4, 0.1)), strict=True))
    centre = s["bar"].point((0.4, 0.1))
    at = {eqs.symbol(n, 2): a for n, a in accelerations.items()} | {eqs.symbol("bar.angle", 1): s["bar"].omega}
    at |= {eqs.symbol("bob.x"): s["bob"].x, eqs.symbol("bob.y"): s["bob"].y, eqs.symbol("bar.x"): centre[0],
           eqs.symbol("bar.y"): centre[1], eqs.symbol("bar.angle"): s["bar"].angle}
    for bodies, about in ((["bar"], "O"), (["bob", "bar"], "O"), ("bob", "bar"), ("bar", "bar.com"), ("bob", (0.3, 0.4)),
                          (["bar", "bob"], ("bar", (0.2, -0.1)))):
        formulas, numbers = da.subsystem(eqs, bodies, about=about), da.subsystem(s, bodies, about=about)
        assert formulas.title == eqs.subsystem(bodies, about).title
        assert float(formulas.external.subs(at)) == pytest.approx(numbers.external_total.moment, abs=1e-10)
        assert float(formulas.inertia.subs(at)) == pytest.approx(numbers.inertia_total.moment, abs=1e-10)
        assert formulas.residual(s) < 1e-11
    for options in ({}, {"about": "O", "axes": "bar"}):
        with pytest.raises(da.AnalysisError, match="name the point, about="):
            da.subsystem(eqs, "bar", **options)


def test_questions_that_have_no_answer():
    s = da.accelerations(catalog.make("four-bar-driven"))
    for bodies, about, message in ((["crank", "cupler"], "B", "no body 'cupler': did you mean 'coupler'"),
                                   (["crank"], "E", "no joint or body 'E' to take moments about"),
                                   (["crank"], ("crnk", (0, 0)), "no body 'crnk': did you mean 'crank'"),
                                   (["crank"], ("crank", (0, 0, 0)), "has 2 coordinates"), (["crank"], (1, 2, 3), "2 ground"),
                                   (["crank", "crank"], "B", "named twice"), ([], "B", "at least one body"),
                                   (["crank"], None, "axes")):
        with pytest.raises(da.DalembertError, match=message):
            da.subsystem(s, bodies, about=about, axes="body" if message != "axes" else ["axes"])
    with pytest.raises(da.AnalysisError, match="axes='body' is meant for one body"):
        da.subsystem(s, ["crank", "coupler"], axes="body")
    with pytest.raises(da.AnalysisError, match="takes a result"):
        da.subsystem("four-bar", "crank")
    with pytest.raises(da.AnalysisError, match="does not act on body 'crank'"):
        da.resultant(s, "crank", "D")


def test_total_reaction_in_body_axes():
    """F^r_i and n̄^r_i of the texts: −Φ_rᵀλ and −Π̄ᵀλ of the whole system, body by body."""
    M = da.matrices(catalog.make("six-bar"))
    s = M.state
    Fr, nr = -M.Phi_r.numpy.T @ M.multipliers, -M.Pi.numpy.T @ M.multipliers
    for k, body in enumerate(s.system.bodies):
        total = da.resultant(s, body, "reactions", about=f"{body}.com", axes="body")
        A = s[body].rotation
        np.testing.assert_allclose(A @ total.force, Fr[3 * k:3 * k + 3], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(total.moment, nr[3 * k:3 * k + 3], rtol=1e-9, atol=1e-9)
        ground = da.resultant(s, body, "reactions", about=f"{body}.com")
        np.testing.assert_allclose(ground.axis, total.axis, rtol=1e-7, atol=1e-9)
        assert "motor" in total.of or body != "bar 1"


def test_energy_and_angular_momentum_of_each_body():
    run = da.simulate(catalog.make("double-pendulum"), 0.4, step=0.1, rtol=1e-10)
    parts = [run[b] for b in run.system.bodies]
    np.testing.assert_allclose(sum(b.kinetic_energy for b in parts), run.energy.kinetic, rtol=1e-11)
    for b in parts:
        np.testing.assert_allclose(np.einsum("tij,tj->ti", b.rotation, b.angular_momentum), b.angular_momentum_ground, atol=1e-10)
    tumbling = da.simulate(catalog.make("dzhanibekov"), 3.0, step=0.5, rtol=1e-10)["body"]
    H = tumbling.angular_momentum_ground
    np.testing.assert_allclose(H, np.broadcast_to(H[0], H.shape), atol=1e-8 * np.linalg.norm(H[0]))  # no moment: H_G stands still
    assert np.abs(np.diff(tumbling.angular_momentum, axis=0)).max() > 0.1  # … and moves in the body
    plane = da.simulate(catalog.make("rod-and-disc", rates=(1.0, 2.0)), 0.2, step=0.1)
    np.testing.assert_allclose(plane["rod"].kinetic_energy + plane["disc"].kinetic_energy, plane.energy.kinetic, rtol=1e-12)
    np.testing.assert_allclose(plane["disc"].angular_momentum, 0.5 * 3.0 * 0.25**2 * plane["disc"].omega)
    np.testing.assert_allclose(plane["rod"].momentum, 2.0 * plane["rod"].velocity)
