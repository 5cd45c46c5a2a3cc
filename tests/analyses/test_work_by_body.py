"""Virtual work by body and by force: ∓ of every joint, the balance of each body, displacements of points; link angles and λ."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace


@pytest.mark.parametrize("name", ["slider-crank", "four-bar-springs", "six-bar", "whipple", "gear-pair", "car-axis"])
def test_every_body_is_in_balance(name):
    """δW_e + δW_c − δW_i = 0 for each body, also where joints do not allow it; sums over bodies are the works by force."""
    model, random = catalog.make(name), np.random.default_rng(2)
    for given in (None, random.standard_normal(da.assemble(model).system.nv)):
        work = da.virtual_work(model, given)
        assert max(abs(x) for x in work.balance.values()) <= 1e-12 * work.scale
        table = work.table
        assert table.rows.names == tuple(da.assemble(model).system.bodies)
        np.testing.assert_allclose(table.numpy.sum(axis=0), [*work.external.values(), *work.constraint.values(),
                                                            work.inertia_total], rtol=1e-9, atol=1e-12 * work.scale)
        for joint, parts in work.parts.items():
            assert sum(parts.values()) == pytest.approx(work.constraint[joint], abs=1e-12 * work.scale)


def test_a_revolute_does_opposite_works():
    """δW^i = F_Pᵀδr_P, δW^j = −F_Pᵀδr_P, with F from the joint and δr_P from the displacement of its point on either body."""
    model = catalog.make("slider-crank")
    work, s = da.virtual_work(model, {"O": 0.3}), da.accelerations(model)
    half = np.sqrt(12 * s.system.tables.bodies["inertia"][0] / 1.0) / 2  # of the crank: A is at its end
    moved = work.point("crank", (half, 0.0))
    parts = work.parts["A"]
    assert parts["rod"] == pytest.approx(s["A"].on("rod").force @ moved, rel=1e-12)
    assert parts["crank"] == pytest.approx(-parts["rod"], rel=1e-12) and abs(parts["rod"]) > 1e-3
    assert f"{parts['crank']:+.6g} on crank" in str(work)


def test_slider_crank_statics_body_by_body():
    """Text 001: δW², δW³, δW⁴ = 0 each, by the printed terms; their sum is −m²g δR_y² − m³g δR_y³ + M² δθ² + F⁴ δR_x⁴ = 0."""
    model = catalog.make("slider-crank-loaded", load=-500.0)
    M2 = float(da.hold(model, unknown="M2").value)
    model.parameters["M2"] = M2
    work, s = da.virtual_work(model, {"O": 1.0}), da.accelerations(model)
    g, F12, F23, F34 = 9.81, s["O"].force, s["A"].force, s["B"].force
    l2, l3 = 0.15, 0.35
    A = work.point("crank", (l2 / 2, 0.0))
    np.testing.assert_allclose(A, work.point("rod", (-l3 / 2, 0.0)), atol=1e-14)  # δr_A² = δr_A³
    np.testing.assert_allclose(work.point("crank", (-l2 / 2, 0.0)), 0.0, atol=1e-14)  # δr_O² = 0
    B = work.point("rod", (l3 / 2, 0.0))
    second = F12 @ work.point("crank", (-l2 / 2, 0.0)) - F23 @ A - 1.0 * g * work.point("crank")[1] + M2 * work.turn("crank")
    third = F23 @ A - F34 @ B - 1.5 * g * work.point("rod")[1]
    fourth = F34 @ work.point("piston") - 500.0 * work.point("piston")[0]
    for body, printed in (("crank", second), ("rod", third), ("piston", fourth)):
        e, c, i = work.by_body[body]
        assert printed == pytest.approx(e + c, abs=1e-10) and abs(e + c) < 1e-10 and abs(i) < 1e-10
    assert abs(work.external_total) < 1e-10
    assert work.table["crank", "torque"] == pytest.approx(M2) and work.table["piston", "torque"] == 0.0
    assert "<table>" in work._repr_html_()


@pytest.mark.parametrize("name", ["six-bar", "spatial-four-bar", "slider-crank"])
def test_displacements_of_any_point(name):
    """δr^P = δr − A s̃ δπ̄ against the difference of positions along the displacement; δπ̄ and δπ are one vector in two frames."""
    model, h = catalog.make(name), 1e-5
    work = da.virtual_work(model, drives="released", seed=3)
    state = da.assemble(model)
    d = state.system.dim
    random = np.random.default_rng(1)
    for body in state.system.bodies:
        local, ends = random.standard_normal(d), []
        for sign in (1, -1):
            w = workspace(state.system)
            w.set(state.t, state.q, state.v)
            w.move(sign * h * work.displacement)
            ends.append(type(state)(model, state.system, state.t, w.q.copy(), state.v).point(body, local))
        np.testing.assert_allclose(work.point(body, local), (ends[0] - ends[1]) / (2 * h), rtol=1e-7, atol=1e-8)
        if d == 3:
            A = state[body].rotation
            np.testing.assert_allclose(A @ work.turn(body), work.turn(body, "ground"), atol=1e-13)
            np.testing.assert_allclose(work.bodies[body][1], work.turn(body, "ground"), atol=1e-13)
        np.testing.assert_allclose(work.bodies[body][0], work.point(body), atol=1e-13)
    basis = da.null_space(model, drives="released")
    np.testing.assert_allclose(basis.displaced[0].point(body), basis.bodies[0][body][0])
    with pytest.raises(da.AnalysisError, match="no body 'x'"):
        work.point("x")
    with pytest.raises(da.AnalysisError, match="coordinates, got"):
        work.point(body, (1.0,))
    with pytest.raises(da.AnalysisError, match="axes is 'body'"):
        work.turn(body, "world")


def test_torsion_spring_by_link_angles():
    """Text 001: M_s = k (θ − θ₀) + c θ̇ with θ = θ^i − θ^j of the links, whatever the drawing; δW = −M_s (δθ^i − δθ^j)."""
    k, c, theta0 = 3.0, 0.4, 0.7
    for angle in (0.4, -1.1):
        model = catalog.make("rod-and-disc", angle=angle, rates=(1.0, -2.0))
        model.add(da.TorsionSpring("coil", ("disc", "rod"), stiffness=k, damping=c, angle=theta0, reference="bodies"))
        s = da.accelerations(model)
        theta = s["rod"].angle - s["disc"].angle  # i = rod, j = disc
        M_s = k * (theta - theta0) + c * (s["rod"].omega - s["disc"].omega)
        assert s["coil"].angle == pytest.approx(theta, abs=1e-12) and s["coil"].torque == pytest.approx(-M_s, rel=1e-12)
        work = da.virtual_work(model, {"O": 1.0, "A": 0.5})
        assert work.external["coil"] == pytest.approx(-M_s * (work.turn("rod") - work.turn("disc")), rel=1e-12)
    assert da.derive(model).verify(model).ok
    same = catalog.make("rod-and-disc", angle=0.4)
    same.add(da.TorsionSpring("coil", "A", stiffness=k, angle=theta0, reference="bodies"))  # a joint: second less first
    assert da.accelerations(same)["coil"].angle == pytest.approx(-0.4)
    wrong = catalog.make("rod-and-disc")
    with pytest.raises(da.ModelError, match="reference is 'drawing' or 'bodies', not 'body'"):
        wrong.add(da.TorsionSpring("coil", "A", reference="body"))
        wrong.compile()
    space = catalog.make("double-pendulum")
    with pytest.raises(da.ModelError, match="in space give θ₀ from the drawn pose"):
        space.add(da.TorsionSpring("coil", "A", stiffness=1.0, reference="bodies"))
        space.compile()


def test_double_revolute_with_the_row_of_the_notes(tmp_path):
    """dᵀd − l²: the same force, λ over 2 l; also from a file, and in the derivation."""
    found = []
    for squared in (False, True):
        m = da.Model("link", dim=2, gravity=(0, -9.81))
        m.add(da.Body("b", mass=1.3, inertia=0.2, position=(1.0, 0.5), angle=0.3))
        m.add(da.DoubleRevolute("d", "ground", "b", at_i=(0, 0), at_j=(1.1, 0.7), squared=squared))
        m.save(tmp_path / "m.toml")
        m = da.load_model(tmp_path / "m.toml")
        assert da.derive(m, "newton-euler").verify(m).ok
        found.append(da.accelerations(m)["d"])
    l = np.hypot(1.1, 0.7)
    np.testing.assert_allclose(found[0].force, found[1].force, rtol=1e-12)
    np.testing.assert_allclose(found[0].multipliers, 2 * l * found[1].multipliers, rtol=1e-12)
    assert found[1].coordinate == pytest.approx(l) and found[1].labels == ["square of the distance"]
