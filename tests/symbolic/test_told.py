"""What is told on the way: joint forces and notations, links, springs, d'Alembert term by term, the partition, large matrices."""

import math

import lecture_models as models
import numpy as np
import pytest
import sympy as sp
import text_models
from sympy import cos, sin

import dalembert as da
from dalembert import catalog
from dalembert.errors import AnalysisError
from dalembert.symbolic.simplify import equal

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")


def lines(eqs, title):
    """Formulas of a section, by their left sides."""
    found = [s for s in eqs.story.sections if s.title.startswith(title)]
    return {str(x.left): x.right for s in found for x in s.lines if not isinstance(x, str)}


def said(eqs, title):
    return " ".join(x for s in eqs.story.sections if s.title.startswith(title) for x in s.lines if isinstance(x, str))


# --------------------------------------------------------------------------------------------------------- names


def test_names_of_joint_forces():
    m = models.slider_crank()
    m.add(da.Drive("motor", "O", "0.9 + 3*t"))
    names = [s.name for s in da.derive(m, "newton-euler", reactions="F").multipliers]
    assert names == ["F_x^12", "F_y^12", "F_x^23", "F_y^23", "F_x^34", "F_y^34", "F_y^41", "M^41", "M^motor"]
    four = da.derive(catalog.make("four-bar"), "lagrange", reactions="F")
    assert [s.name for s in four.multipliers] == ["F_x^coupler,rocker", "F_y^coupler,rocker"]
    assert four.verify(count=2).ok


def test_two_joints_between_the_same_bodies():
    m = da.Model("two springs of steel", dim=3)
    m.add(da.Body("2", mass=1.0, inertia=(1, 1, 1)))
    m.add(da.Spherical("a", m.ground, "2", at=(0, 0, 0)))
    m.add(da.Distance("b", m.ground, "2", at_i=(1, 1, 0), at_j=(1, 0, 0)))
    eqs = da.derive(m, "newton-euler", reactions="F")
    assert len({s.name for s in eqs.multipliers}) == len(eqs.multipliers)
    assert eqs.verify(count=2).differences["joint forces"] < 1e-10


@pytest.mark.parametrize("name", ["slider-crank", "double-pendulum", "driven-bar", "spatial-four-bar"])
def test_joint_forces_are_the_engines(name):
    eqs = da.derive(catalog.make(name), "newton-euler", reactions="F")
    found = eqs.verify(count=3)
    assert found.ok
    numbers = eqs.evaluate()
    plain = da.derive(catalog.make(name), "newton-euler").evaluate()
    np.testing.assert_allclose(numbers.multipliers, -plain.multipliers, rtol=1e-12, atol=1e-12)


def test_redundant_forces_are_not_told():
    m = da.Model("held twice", dim=2, gravity=(0, -9.81))
    m.add(da.Body("bar", mass=1.0, inertia=0.1))
    m.add(da.Weld("left", m.ground, "bar", at=(-1, 0)))
    m.add(da.Revolute("right", m.ground, "bar", at=(1, 0)))
    eqs = da.derive(m, "newton-euler", reactions="F")
    assert "redundant" in said(eqs, "Joint forces by substitution")
    with pytest.raises(AnalysisError, match="redundant"):
        _ = eqs.joint_forces
    with pytest.raises(AnalysisError, match="reactions='F'"):
        _ = da.derive(m, "newton-euler").joint_forces


# ------------------------------------------------------------------------------------------------------ notations


@pytest.mark.parametrize("notation", ["shabana", "me751", "kane"])
@pytest.mark.parametrize("method", METHODS)
def test_notations_change_names_only(method, notation):
    plain, other = (da.derive(models.slider_crank(), method, "links", notation=n) for n in (None, notation))
    assert [e.lhs - e.rhs for e in plain.equations] == [e.lhs - e.rhs for e in other.equations]
    assert other.verify(count=2).ok
    assert other.latex() and other.html()


def test_shabana():
    eqs = da.derive(models.slider_crank(), "newton-euler", reactions="F", notation="shabana")
    page = eqs.latex()
    square = "\\left(\\dot{\\theta}^{2}\\right)^{2}"
    for wanted in ("m^{2}", "\\ddot{R}_{x}^{2}", "F_{x}^{12}", "l_{O}^{2}", "\\theta^{3}", square):
        assert wanted in page, wanted
    assert "^{2}^{2}" not in page.replace(" ", "")
    assert "J^2·θ̈^2 = F_x^12·l_O^2·sin(θ^2)" in eqs.text()
    assert "<msubsup><mi>R</mi>" in eqs.html() or "<msubsup><mover><mi>R</mi>" in eqs.html()


def test_me751_has_the_blocks():
    eqs = da.derive(catalog.make("driven-bar"), "newton-euler", notation="me751")
    told = lines(eqs, "Augmented form")
    assert told["Phi_r"] == eqs.Phi_r and told["Pi"] == eqs.Pi
    assert told["Phi_r"].cols == told["Pi"].cols == 3 * len(eqs.kin.b.body_names)
    r, w = told["M"].rows, told["J"].rows
    if "K" in told:
        assert told["K"][:r, :r] == told["M"] and told["K"][r : r + w, r : r + w] == told["J"]


def test_bad_words_are_refused():
    m = models.two_link()
    with pytest.raises(AnalysisError, match=r"notation 'shabama'.*shabana"):
        da.derive(m, notation="shabama")
    with pytest.raises(AnalysisError, match="'lambda' or 'F'"):
        da.derive(m, reactions="G")
    with pytest.raises(AnalysisError, match="in the plane"):
        da.derive(text_models.heavy_top(), "dalembert", "links")


# ---------------------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize("coordinates", ["links", ["2.angle"], ["links", "2.angle"]])
def test_angles_of_links(coordinates):
    """δθ⁴ = l² sin(θ² − θ³) / (l⁴ sin(θ³ − θ⁴)) δθ²."""
    eqs = da.derive(models.four_bar(), "virtual-work", coordinates)
    p, (a, b, c) = eqs.parameters, (eqs.symbol(f"{k}.angle") for k in (2, 3, 4))
    B = dict(zip([x.name for x in eqs.kin.coordinates], eqs.B[:, 0], strict=True))
    assert equal(B["4.angle"], p["l2"] * sin(a - b) / (p["l4"] * sin(b - c)))
    assert B["4.angle"].count_ops() < 12
    assert eqs.verify(count=3).ok


def test_the_call_is_said():
    assert "coordinates='links'" in said(da.derive(catalog.make("four-bar")), "Coordinates")
    assert "links" not in said(da.derive(catalog.make("four-bar"), coordinates="links"), "Coordinates")


def test_named_joints_keep_their_angle():
    eqs = da.derive(models.four_bar(), "lagrange", ["2.angle", "A"], reduce=False)
    assert {c.name for c in eqs.kin.coordinates} >= {"2.angle", "A"}


# -------------------------------------------------------------------------------------------------------- springs


@pytest.mark.parametrize("method", METHODS)
def test_springs_by_their_length(method):
    eqs = da.derive(models.spring(), method)
    assert eqs.verify(count=4).largest < 1e-12
    l, rate, f = eqs.abbreviations
    p = eqs.parameters
    assert eqs.abbreviations[f] == p["k"] * (l - p["l_0"]) + p["c"] * rate + p["f_a"]
    told = lines(eqs, "Springs")
    assert told["δW_s"] == -f * sp.Symbol("δl_s") and {str(l), str(rate), "δl_s"} <= set(told)
    assert len(eqs.text()) < 6000 and any(e.rhs.has(f) for e in eqs.equations)
    mine, engine = da.simulate(eqs, 0.2), da.simulate(models.spring(), 0.2)
    if method != "newton-euler":
        assert mine["3.x"].coordinate[-1] == pytest.approx(engine["3"].position[-1][0], abs=1e-5)


def test_parameters_called_like_symbols():
    """A parameter "l_s" beside a spring "s", "q_O" beside a joint "O": both meanings stay apart."""
    m = da.Model("clash", dim=2, gravity=(0, -9.81), parameters={"l_s": 0.4, "q_O": 2.0, "f_s": 30.0})
    m.add(da.Body("b", mass="q_O", inertia=0.1, position=(1, 0)))
    m.add(da.Revolute("O", m.ground, "b", at=(0, 0)))
    m.add(da.Spring("s", m.ground, "b", at_i=(0, 1), at_j=(1, 0), stiffness="f_s", length="l_s"))
    assert da.derive(m).verify(count=3).ok


# ------------------------------------------------------------------------------------------- d'Alembert, energies


@pytest.mark.parametrize("make", [models.two_link, text_models.heavy_top])
def test_dalembert_term_by_term(make):
    eqs = da.derive(make(), "dalembert", notation="kane")
    for i, name in enumerate(eqs.coordinates):
        total = sum(sum(both) for (_, c), both in eqs.inertia_terms.items() if c == name)
        assert equal(total, eqs.inertia_force[i])
    told = lines(eqs, "Generalised forces F_k")
    assert [told[f"F_{n}"] for n in eqs.coordinates] == list(eqs.external_force)
    shown = lines(eqs, "Accelerations")
    assert any(n.startswith("a_G") for n in shown) and any(n.startswith("H_G") for n in shown)


def test_coefficients_of_constraints():
    eqs = da.derive(text_models.sleigh(), "dalembert")
    th = eqs.symbol("sleigh.angle")
    assert lines(eqs, "Constraints")["a_jk"] == sp.Matrix([[-sin(th), cos(th), 0]])


def test_kinetic_energy_of_each_body():
    eqs = da.derive(models.slider_crank(), "lagrange", "links")
    p, w = eqs.parameters, eqs.symbol("2.angle", 1)
    T = eqs.kinetic_energies
    assert equal(T["2"], (p["J2"] + p["m2"] * p["l_O_2"] ** 2) * w**2 / 2)
    told = lines(eqs, "Kinetic energy")
    assert equal(sum(T.values()), told["T"]) and equal(told["T_2"], T["2"])


# ------------------------------------------------------------------------------------------------------ partition


def test_partition_is_shown():
    """The 2×2 system of the lecture, and B_iᵀ Q_c = 0 on it."""
    eqs = da.derive(models.slider_crank(), "virtual-work", ["2.angle", "3.angle", "4.x"])
    p, a, b = eqs.parameters, eqs.symbol("2.angle"), eqs.symbol("3.angle")
    told = lines(eqs, "Partition of the Jacobian")
    order = [eqs.kin.coordinates[k].name for k in eqs.partition.dependent]
    text = {"3.angle": [-p["l3"] * sin(b), p["l3"] * cos(b)], "4.x": [-1, 0]}  # rows as in the lecture: −C_q of ours
    for j, name in enumerate(order):
        assert [equal(-told["C_qd"][i, j], text[name][i]) for i in range(2)] == [True, True]
    assert [equal(-x, y) for x, y in zip(told["C_qi"], (-p["l2"] * sin(a), p["l2"] * cos(a)), strict=True)] == [True, True]
    zero = [s for s in eqs.story.sections if s.title.startswith("No reactions")]
    assert zero and zero[0].lines[-1].right == sp.zeros(2, 1)
    assert "singular where" in said(eqs, "Partition")


def test_dead_point_is_said():
    """θ³ = −π/2 as drawn: the crank does not tell where the rest is."""
    def model(turn):
        m = da.Model("short rod", dim=2, gravity=(0, -9.81))
        A = (0.5 * math.cos(turn), 0.5 * math.sin(turn))
        B = (A[0] + math.sqrt(0.25**2 - A[1] ** 2) if abs(A[1]) < 0.2499999 else A[0], 0.0)
        m.add(da.Body.rod("2", (0, 0), A, mass=1.0))
        m.add(da.Body.rod("3", A, B, mass=1.5))
        m.add(da.Body("4", mass=2.0, inertia=0.01, position=B))
        m.add(da.Revolute("O", m.ground, "2", at=(0, 0)))
        m.add(da.Revolute("A", "2", "3", at=A))
        m.add(da.Revolute("B", "3", "4", at=B))
        m.add(da.Prismatic("guide", m.ground, "4", axis=(1, 0)))
        return m

    dead = da.derive(model(math.asin(0.5)), "virtual-work", ["2.angle"])
    assert "dead point" in said(dead, "Partition") and "would do" in said(dead, "Partition")
    assert "dead point" not in said(da.derive(model(0.2), "virtual-work", ["2.angle"]), "Partition")
    assert "dead point" in said(da.derive(model(math.asin(0.5)), "lagrange", "links").embedded(["2.angle"]), "Partition")


# --------------------------------------------------------------------------------------------------------- matrices


def test_slider_crank_of_eighteen():
    """The simultaneous matrix of the notes, 9 accelerations and 9 multipliers, entry by entry, from constraints by hand."""
    m = models.slider_crank()
    m.add(da.Drive("motor", "O", "0.9 + 3*t"))
    eqs = da.derive(m, "newton-euler")
    p = eqs.parameters
    q = [eqs.symbol(f"{b}.{c}") for b in (2, 3, 4) for c in ("x", "y", "angle")]
    x2, y2, t2, x3, y3, t3, x4, y4, t4 = q
    O2, A2, A3, B3 = p["l_O_2"], p["l2"] - p["l_O_2"], p["l_A_3"], p["l3"] - p["l_A_3"]
    phi = sp.Matrix([
        x2 - O2 * cos(t2), y2 - O2 * sin(t2),
        x3 - A3 * cos(t3) - x2 - A2 * cos(t2), y3 - A3 * sin(t3) - y2 - A2 * sin(t2),
        x4 - x3 - B3 * cos(t3), y4 - y3 - B3 * sin(t3),
    ])
    C = phi.jacobian(q)
    K = eqs.K
    assert K.shape == (18, 18) and K == K.T and eqs.rhs.shape == (18, 1)
    for i in range(6):
        for j in range(9):
            assert equal(K[9 + i, j], C[i, j]), (i, j)
    tenth = sp.Rational(1, 100)
    assert K[:9, :9] == sp.diag(p["m2"], p["m2"], p["J2"], p["m3"], p["m3"], p["J3"], p["m4"], p["m4"], tenth)
    assert all(K[9 + i, 9 + j] == 0 for i in range(9) for j in range(9))
    assert list(K[17, :9]) == [0, 0, 1, 0, 0, 0, 0, 0, 0]  # the drive: θ² − 0.9 − 3 t
    assert lines(eqs, "Augmented form")["K"] == K and eqs.verify(count=2).ok


def test_large_matrices_are_told_by_blocks():
    eqs = da.derive(catalog.make("spatial-four-bar"), "newton-euler")
    told = lines(eqs, "Augmented form")
    size = eqs.K.rows
    assert size > 24 and "K" not in told and f"{size} rows" in said(eqs, "Augmented form")
    blocks = [v for n, v in told.items() if n.startswith("C_")]
    assert sum(1 for block in blocks for x in block if x != 0) == sum(1 for x in eqs.constraint_jacobian if x != 0)


def test_components_are_what_the_engine_reads():
    """F_x^ij, M_z^ij … against run["joint"].force and .torque of the second body, in plane and space, guides either way round."""
    bracket = da.Model("bracket", dim=3, gravity=(1.0, -9.81, 2.0))
    bracket.add(da.Body("2", mass=2.0, inertia=(0.1, 0.2, 0.3), position=(0.3, 0.1, 0.5)))
    bracket.add(da.Revolute("hinge", bracket.ground, "2", at=(0, 0, 0), axis=(0, 0, 1)))
    clamped = da.Model("clamped", dim=3, gravity=(1.0, -9.81, 2.0))
    clamped.add(da.Body("2", mass=2.0, inertia=(0.1, 0.2, 0.3), position=(0.3, 0.1, 0.5)))
    clamped.add(da.Prismatic("rail", clamped.ground, "2", at=(0, 0, 0), axis=(-1, 0, 0)))
    checked = 0
    for m in (bracket, clamped, models.slider_crank(), catalog.make("slider-crank"), catalog.make("spatial-four-bar")):
        eqs, state = da.derive(m, "newton-euler", reactions="F"), da.assemble(m)
        engine = da.accelerations(m, state=state)
        for s, r, value in zip(eqs.multipliers, eqs.terms.rows, eqs.evaluate(state).multipliers, strict=True):
            below = s.name[2:3]
            if s.name[1] == "_" and below in "xyz":
                vector = engine[r.element].force if s.name[0] == "F" else engine[r.element].torque
                assert value == pytest.approx(vector["xyz".index(below)], abs=1e-9), (m.name, s.name)
                checked += 1
    assert checked > 30
