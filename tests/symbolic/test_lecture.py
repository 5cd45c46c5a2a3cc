"""The lecture on forms of dynamic equations, as printed there (misprints corrected as ERRATA has them), symbol by symbol."""

import lecture_models as models
import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import dalembert as da
from dalembert.errors import AnalysisError
from dalembert.symbolic.numbers.formulas import Formulas
from dalembert.symbolic.numbers.states import random_states
from dalembert.symbolic.simplify import equal


class Names:
    """R_x² as n.Rx(2) with its derivatives, F_x^12 as n.F("x", "12"), parameters as attributes."""

    def __init__(self, eqs):
        self.eqs = eqs

    def __getattr__(self, name):
        return self.eqs.parameters[name]

    def Rx(self, b, d=2):
        return self.eqs.symbol(f"{b}.x", d)

    def Ry(self, b, d=2):
        return self.eqs.symbol(f"{b}.y", d)

    def th(self, b, d=0):
        return self.eqs.symbol(f"{b}.angle", d)

    @staticmethod
    def F(axis, joint):
        return sp.Symbol(f"F_{axis}^{joint}")


def free(make):
    eqs = da.derive(make(), "newton-euler", reactions="F", notation="shabana")
    return eqs, Names(eqs)


def same(ours, text):
    assert ours.shape == text.shape
    for i in range(text.rows):
        for j in range(text.cols):
            assert equal(ours[i, j], text[i, j]), (i, j, ours[i, j], text[i, j])


@pytest.fixture(scope="module")
def arm():
    return free(models.two_link)


@pytest.fixture(scope="module")
def loop():
    return free(models.four_bar)


# ------------------------------------------------------------------------------------------------- rod on a block


def test_rod_on_a_block_by_substitution():
    eqs = da.derive(models.rod_on_block(), "newton-euler", ["2.angle"], reactions="F", notation="shabana")
    n = Names(eqs)
    th, w, a, z = n.th(2), n.th(2, 1), n.th(2, 2), eqs.symbol("z", 2)
    told = {str(x.left): x.right for s in eqs.story.sections if s.title == "Acceleration expressions" for x in s.lines}
    ax, ay = z - w**2 * n.l / 2 * cos(th) - a * n.l / 2 * sin(th), -(w**2) * n.l / 2 * sin(th) + a * n.l / 2 * cos(th)
    assert equal(told[str(n.Rx(2))], ax) and equal(told[str(n.Ry(2))], ay)
    force = eqs.joint_forces
    assert equal(force[n.F("x", "12")], n.m2 * ax)
    assert equal(force[n.F("y", "12")], n.m2 * (n.g + ay))
    assert eqs.same_as((n.J2 + n.m2 * n.l**2 / 4) * a, n.M2 - n.m2 * n.g * n.l / 2 * cos(th) + n.m2 * z * n.l / 2 * sin(th))
    found = eqs.verify(count=4)
    assert found.ok and found.differences["joint forces"] < 1e-12
    page = eqs.text()
    assert "m^2·R̈_x^2 = F_x^12" in page and "m^2·R̈_y^2 = F_y^12 - g·m^2" in page


# ------------------------------------------------------------------------------------------------- inverse dynamics


def test_two_link_matrix(arm):
    eqs, n = arm
    inv = eqs.inverse(unknown=["M2", "M3"])
    a, b = n.th(2), n.th(3)
    same(inv.A, sp.Matrix([
        [1, 0, -1, 0, 0, 0],
        [0, 1, 0, -1, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 0, 0, 1, 0, 0],
        [n.l_O_2 * sin(a), -n.l_O_2 * cos(a), n.l_A_2 * sin(a), -n.l_A_2 * cos(a), 1, 0],
        [0, 0, n.l_A_3 * sin(b), -n.l_A_3 * cos(b), 0, 1],
    ]))
    assert list(inv.x) == [n.F("x", "12"), n.F("y", "12"), n.F("x", "23"), n.F("y", "23"), n.M2, n.M3]
    m2, m3 = n.m2, n.m3
    right = [m2 * n.Rx(2), m2 * (n.Ry(2) + n.g), m3 * n.Rx(3), m3 * (n.Ry(3) + n.g), n.J2 * n.th(2, 2), n.J3 * n.th(3, 2)]
    same(inv.b, sp.Matrix(right))
    A51, A52, A53, A54 = inv.A[4, :4]
    fx2, fy2, fx3, fy3, *_ = right
    assert equal(inv["F_x^12"], fx2 + fx3) and equal(inv["F_y^12"], fy2 + fy3)
    assert equal(inv["F_x^23"], fx3) and equal(inv["F_y^23"], fy3)
    assert equal(inv["M2"], n.J2 * n.th(2, 2) - A51 * fx2 - A52 * fy2 - (A51 + A53) * fx3 - (A52 + A54) * fy3)
    assert equal(inv["M3"], n.J3 * n.th(3, 2) - inv.A[5, 2] * fx3 - inv.A[5, 3] * fy3)
    assert "F_x^12" in inv.text() and "m^{2}" in inv.latex()


def test_four_bar_matrix(loop):
    eqs, n = loop
    inv = eqs.inverse("M4")
    rows = []
    for k in range(3):  # forces of bodies 2, 3, 4: + by the joint before, − by the joint after
        for c in range(2):
            row = [0] * 9
            row[2 * k + c], row[2 * k + 2 + c] = 1, -1
            rows.append(row)
    arms = [(n.l_O_2, n.l2), (n.l_A_3, n.l3), (n.l_B_4, n.l4)]
    for k, (near, whole) in enumerate(arms):
        row, far, t = [0] * 9, whole - near, n.th(k + 2)
        row[2 * k : 2 * k + 4] = [near * sin(t), -near * cos(t), far * sin(t), -far * cos(t)]
        row[8] = int(k == 2)
        rows.append(row)
    same(inv.A, sp.Matrix(rows))
    masses = (n.m2, n.m3, n.m4)
    b = [x for k, m in enumerate(masses) for x in (m * n.Rx(k + 2), m * (n.Ry(k + 2) + n.g))]
    b[2], b[3] = b[2] - n.F_x_3, b[3] - n.F_y_3
    same(inv.b, sp.Matrix([*b, n.J2 * n.th(2, 2) - n.M2, n.J3 * n.th(3, 2), n.J4 * n.th(4, 2)]))
    state = random_states(eqs.model, 1, seed=3)[0]  # the solution is what the engine has: F = −λ, and M4 itself
    F = eqs.multipliers
    values = Formulas(eqs.free, [*(inv.solution[s] for s in inv.x), *F], F, -1)(state)
    np.testing.assert_allclose(values[:9], [*values[9:], -0.3], rtol=1e-9, atol=1e-9)


def test_loads_by_the_element(loop):
    eqs, _ = loop
    by_name = eqs.inverse(["torque 4"])
    assert equal(by_name.solution[by_name.x[8]], eqs.inverse("M4")["M4"])


def test_inverse_is_refused(loop, arm):
    eqs, _ = loop
    with pytest.raises(AnalysisError, match="exactly 1, of M2, M4, F_x_3, F_y_3"):
        eqs.inverse()
    with pytest.raises(AnalysisError, match="no parameter or load 'M5'"):
        eqs.inverse("M5")
    with pytest.raises(AnalysisError, match="masses or the geometry"):
        eqs.inverse("l2")
    with pytest.raises(AnalysisError, match="newton-euler"):
        da.derive(models.four_bar(), "lagrange", ["2.angle"]).inverse("M4")
    with pytest.raises(AnalysisError, match="no unknown"):
        arm[0].inverse(["M2", "M3"])["M7"]


def test_inverse_in_joint_coordinates():
    """M² and M³ without reactions: Lagrange's equations of the open chain."""
    eqs = da.derive(models.two_link(), "lagrange", "links")
    inv = eqs.inverse(["M2", "M3"])
    same(inv.A, sp.eye(2))
    assert equal(inv["M3"], eqs.equations[1].lhs - eqs.external_force[1] + eqs.parameters["M3"])


# -------------------------------------------------------------------------------------------------------- method II


def holds(part, left, right):
    assert equal(part.equation.lhs - part.equation.rhs, left - right)
    states = random_states(part.eqs.model, 2, seed=4)
    assert max(part.residual(s) for s in states) < 1e-12


def test_method_two_of_the_open_chain(arm):
    eqs, n = arm
    last = eqs.subsystem("3", about="A")
    a, b = n.th(2), n.th(3)
    assert last.reactions == []
    assert equal(last.external, n.M3 - n.m3 * n.g * n.l_A_3 * cos(b))
    inertia = -n.m3 * n.Rx(3) * n.l_A_3 * sin(b) + n.m3 * n.Ry(3) * n.l_A_3 * cos(b) + n.J3 * n.th(3, 2)
    assert equal(last.inertia, inertia)
    both = eqs.subsystem(["2", "3"], about="O")
    l2 = n.l_O_2 + n.l_A_2
    x, y = l2 * cos(a) + n.l_A_3 * cos(b), l2 * sin(a) + n.l_A_3 * sin(b)
    holds(both, n.M2 + n.M3 - n.m2 * n.g * n.l_O_2 * cos(a) - n.m3 * n.g * x,
          n.J2 * n.th(2, 2) + n.J3 * n.th(3, 2) - n.m2 * n.Rx(2) * n.l_O_2 * sin(a) + n.m2 * n.Ry(2) * n.l_O_2 * cos(a)
          - n.m3 * n.Rx(3) * y + n.m3 * n.Ry(3) * x)
    assert both.reactions == []


def test_method_two_of_the_closed_chain(loop):
    """Equations about A, B and C, and their reduced forms."""
    eqs, n = loop
    a, b, c = eqs.subsystem("2", about="A"), eqs.subsystem(["2", "3"], about="B"), eqs.subsystem(["2", "3", "4"], about="C")
    Fx, Fy = n.F("x", "12"), n.F("y", "12")
    s2, c2, s3, c3, s4, c4 = (f(n.th(k)) for k in (2, 3, 4) for f in (sin, cos))
    lA2, lB3, lC4 = n.l2 - n.l_O_2, n.l3 - n.l_A_3, n.l4 - n.l_B_4
    W2, W3, W4 = n.m2 * n.g, n.m3 * n.g, n.m4 * n.g
    x2, y2, x3, y3, x4, y4 = (m * f(k) for k, m in ((2, n.m2), (3, n.m3), (4, n.m4)) for f in (n.Rx, n.Ry))
    J2, J3, J4 = n.J2 * n.th(2, 2), n.J3 * n.th(3, 2), n.J4 * n.th(4, 2)
    holds(a, Fx * n.l2 * s2 - Fy * n.l2 * c2 + n.M2 + W2 * lA2 * c2, J2 + x2 * lA2 * s2 - y2 * lA2 * c2)
    holds(b, Fx * (n.l2 * s2 + n.l3 * s3) - Fy * (n.l2 * c2 + n.l3 * c3) + n.M2 + W2 * (lA2 * c2 + n.l3 * c3)
          + (W3 - n.F_y_3) * lB3 * c3 + n.F_x_3 * lB3 * s3,
          J2 + x2 * (lA2 * s2 + n.l3 * s3) - y2 * (lA2 * c2 + n.l3 * c3) + J3 + x3 * lB3 * s3 - y3 * lB3 * c3)
    holds(c, -Fy * n.l1 + W2 * (lA2 * c2 + n.l3 * c3 + n.l4 * c4) + n.F_x_3 * (lB3 * s3 + n.l4 * s4)
          + (W3 - n.F_y_3) * (lB3 * c3 + n.l4 * c4) + n.M2 + n.M4 + W4 * lC4 * c4,  # the text leaves M² out here
          J2 + x2 * (lA2 * s2 + n.l3 * s3 + n.l4 * s4) - y2 * (lA2 * c2 + n.l3 * c3 + n.l4 * c4) + J3
          + x3 * (lB3 * s3 + n.l4 * s4) - y3 * (lB3 * c3 + n.l4 * c4) + J4 + x4 * lC4 * s4 - y4 * lC4 * c4)
    holds(b - a, Fx * n.l3 * s3 - Fy * n.l3 * c3 + W2 * n.l3 * c3 + (W3 - n.F_y_3) * lB3 * c3 + n.F_x_3 * lB3 * s3,
          x2 * n.l3 * s3 - y2 * n.l3 * c3 + J3 + x3 * lB3 * s3 - y3 * lB3 * c3)
    holds(c - b, Fx * n.l4 * s4 + (W2 - Fy) * n.l4 * c4 + n.F_x_3 * n.l4 * s4 + (W3 - n.F_y_3) * n.l4 * c4 + n.M4 + W4 * lC4 * c4,
          (x2 + x3) * n.l4 * s4 - (y2 + y3) * n.l4 * c4 + J4 + x4 * lC4 * s4 - y4 * lC4 * c4)
    assert a.reactions == b.reactions == [Fx, Fy] and c.reactions == [Fy]


def test_other_sets(loop):
    """F^23 and M⁴, or F^34 and M⁴, from other cuts; the balance of forces of a set; any point."""
    eqs, n = loop
    state = random_states(eqs.model, 1, seed=8)[0]
    for bodies, about, remain in ((["3"], "B", "23"), (["3", "4"], "C", "23"), (["4"], "C", "34"), (["2"], "O", "23")):
        part = eqs.subsystem(bodies, about)
        assert part.reactions == [n.F("x", remain), n.F("y", remain)] and part.residual(state) < 1e-12
    assert equal(eqs.subsystem(["2", "3"], "2").forces[0].lhs, n.F("x", "12") - n.F("x", "34") + n.F_x_3)
    for point in ((0.3, "l1/2"), "3", ("3", (0.1, "l3"))):
        assert eqs.subsystem(["2", "4"], point).residual(state) < 1e-12


def test_subsystem_in_space_and_with_springs():
    from dalembert import catalog

    for model, bodies, about in ((catalog.make("spatial-four-bar"), None, None), (models.spring(), ["2", "3"], "O")):
        eqs = da.derive(model, "newton-euler", reactions="F")
        part = eqs.subsystem(bodies or eqs.kin.b.body_names[:2], about or list(eqs.kin.b.joints)[1])
        assert part.residual(random_states(eqs.model, 1, seed=2)[0]) < 1e-11
    assert not part.external.free_symbols & set(eqs.abbreviations)  # the spring is inside the set
    assert eqs.subsystem("2", "O").external.free_symbols & set(eqs.abbreviations)


def test_subsystem_is_refused(loop):
    eqs, _ = loop
    with pytest.raises(AnalysisError, match="no body '5'"):
        eqs.subsystem(["2", "5"], "A")
    with pytest.raises(AnalysisError, match=r"no point 'D'.*joint"):
        eqs.subsystem(["2"], "D")
    with pytest.raises(AnalysisError, match="2 coordinates"):
        eqs.subsystem(["2"], (1, 2, 3))
    with pytest.raises(AnalysisError, match="method='newton-euler'"):
        da.derive(models.two_link(), "lagrange").subsystem("3", "A")
