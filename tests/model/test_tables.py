"""Tables: what each kind is between its points, in numbers, files, notes and refusals."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

import dalembert as da
from dalembert.elements.sampling import Sampler

X, Y = [0.0, 0.3, 0.5, 1.2, 2.0], [0.0, 1.0, 0.9, 0.9, -1.0]
INSIDE = np.linspace(0.001, 1.999, 777)


def loaded(law, element=da.Motor):
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("wheel", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "wheel", at=(0, 0)))
    m.add(element("M", "O", law))
    return m


def sampler(law, element=da.Motor):
    system = loaded(law, element).compile()
    return Sampler.of_row(system, system.laws[-1].row)


REFERENCES = {"pchip": PchipInterpolator(X, Y), "cubic": CubicSpline(X, Y, bc_type="natural"),
              "linear": lambda t: np.interp(t, X, Y),
              "step": lambda t: np.array(Y)[np.searchsorted(X, t, side="right") - 1]}


@pytest.mark.parametrize("kind", REFERENCES)
def test_values(kind):
    law = sampler(da.Table(X, Y, kind=kind))
    assert law(INSIDE) == pytest.approx(REFERENCES[kind](INSIDE), abs=1e-13)
    assert law(X) == pytest.approx(Y, abs=1e-13)
    if kind in ("pchip", "cubic"):
        assert law.slopes(INSIDE)[1] == pytest.approx(REFERENCES[kind](INSIDE, 1), abs=1e-11)
    if kind == "step":
        assert law([-5.0, 9.0]) == pytest.approx([0.0, -1.0])


def test_the_kind_left_out_depends_on_the_element():
    table = da.Table(X, Y)
    assert sampler(table)(INSIDE) == pytest.approx(REFERENCES["pchip"](INSIDE), abs=1e-13)
    assert sampler(table, da.Drive)(INSIDE) == pytest.approx(REFERENCES["cubic"](INSIDE), abs=1e-13)


@pytest.mark.parametrize("seed", range(20))
def test_pchip_keeps_the_range_of_random_points(seed):
    random = np.random.default_rng(seed)
    x = np.cumsum(random.uniform(0.01, 1.0, 12))
    y = random.normal(size=12)
    law = sampler(da.Table(x, y))
    t = np.linspace(x[0], x[-1], 3000)
    assert law(t) == pytest.approx(PchipInterpolator(x, y)(t), abs=1e-11)
    assert y.min() - 1e-12 <= law(t).min() and law(t).max() <= y.max() + 1e-12
    table = da.Table(x, y, kind="cubic")
    fine = np.linspace(x[0], x[-1], 200_001)
    values = CubicSpline(x, y, bc_type="natural")(fine)
    out = max(values.max() - y.max(), y.min() - values.min(), 0.0) / np.ptp(y)
    assert table.overshoot("cubic")[0] == pytest.approx(out, abs=1e-6)


def test_overshoot_is_told():
    run = da.simulate(loaded(da.Table([0, 0.9, 1.0, 2.0], [0, 0, 1, 1], kind="cubic")), 1.0)
    assert any("leaves the range" in note and "pchip" in note for note in run.stats["notes"])
    quiet = da.simulate(loaded(da.Table([0, 0.9, 1.0, 2.0], [0, 0, 1, 1])), 1.0)
    assert not quiet.stats.get("notes")


@pytest.mark.parametrize("kind", ["linear", "step"])
def test_broken_tables_do_not_drive(kind):
    with pytest.raises(da.ModelError, match=rf"Drive 'M': a table of kind '{kind}' jumps.*kind=\"cubic\""):
        loaded(da.Table(X, Y, kind=kind), da.Drive).compile()


def test_unknown_kind():
    with pytest.raises(da.ModelError, match=r"kind is pchip, cubic, linear, step, not 'qubic'.*cubic"):
        da.Table(X, Y, kind="qubic")


@pytest.mark.parametrize(("element", "kind"), [(da.Motor, "pchip"), (da.Drive, "cubic")])
def test_files_carry_the_kind(element, kind, tmp_path):
    loaded(da.Table(X, Y), element).save(tmp_path / "m.toml")
    assert f'kind = "{kind}"' in (tmp_path / "m.toml").read_text()
    assert da.load_model(tmp_path / "m.toml").elements["M"].law.kind == kind


def test_files_without_a_kind_mean_what_they_meant(tmp_path):
    loaded(da.Table(X, Y)).save(tmp_path / "m.toml")
    old = (tmp_path / "m.toml").read_text().replace(', kind = "pchip"', "")
    assert "pchip" not in old
    (tmp_path / "m.toml").write_text(old)
    law = da.load_model(tmp_path / "m.toml").elements["M"].law
    assert law.kind == "cubic"
    assert sampler(law)(INSIDE) == pytest.approx(REFERENCES["cubic"](INSIDE), abs=1e-13)


@pytest.mark.parametrize("kind", ["pchip", "cubic", "linear", "step"])
def test_derived_equations_know_the_kinds(kind):
    pytest.importorskip("sympy")
    m = loaded(da.Table(X, Y, kind=kind))
    eqs = da.derive(m, method="lagrange", coordinates=["O"])
    assert eqs.verify(m)


@pytest.mark.parametrize(("x", "y", "words"), [("ab", [0, 1], "x must be a list of numbers, not 'ab'"), ([0, 1], 3, "y must be"),
                                               ([0, None], [0, 1], "x must be"), ([0, np.nan], [0, 1], "finite"),
                                               ([0, 1], [0, np.inf], "finite"), ([1, 0], [0, 1], "increase")])
def test_what_is_no_table(x, y, words):
    with pytest.raises(da.ModelError, match=f"Table: .*{words}"):
        da.Table(x, y)


@pytest.mark.parametrize("y", [[0.0, 1.0, -10.0], [-10.0, 1.0, 0.0], [0.0, -1.0, 10.0]])
def test_pchip_is_clamped_at_its_ends(y):
    """The three-point slope at the flat end is steeper than three secants there."""
    table = da.Table([0.0, 1.0, 2.0], y)
    assert table.overshoot("pchip")[0] == 0.0
    t = np.linspace(0, 2, 2001)
    assert sampler(table)(t) == pytest.approx(PchipInterpolator([0, 1, 2], y)(t), abs=1e-12)
    steepest = max(abs(row[1]) / abs(b - a) for row, a, b in zip(table.pieces("pchip")[1], y, y[1:], strict=False))
    assert steepest <= 3.0


def arms(law):
    m = da.Model("arms", dim=2, gravity=(0, -9.81))
    for k in (0, 1):
        m.add(da.Body.rod(f"rod {k}", (k, 0), (k + 1, 0), mass=2.0 - k))
        m.add(da.Revolute("OA"[k], f"rod {k - 1}" if k else m.ground, f"rod {k}", at=(k, 0)))
    m.add(da.Motor("m", "O", law))
    return m


@pytest.mark.parametrize("kind", ["pchip", "cubic", "linear", "step"])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_over_a_name_a_table_is_the_same_law(kind, count):
    """Formula against the kernel of tables, inside, at the points and outside."""
    table = da.Table(X[:count], Y[:count], of="A.angle", kind=kind)
    law, formula = sampler(da.Table(X[:count], Y[:count], kind=kind)), table.formula(kind)
    for x in [*table.x, *np.linspace(table.x[0] - 2, table.x[-1] + 2, 23)]:
        assert abs(formula.evaluate({"A.angle": float(x)}) - law(float(x))) < 1e-12 * max(1.0, abs(law(float(x)))), x


@pytest.mark.parametrize("integrator", ["rk8", "radau"])
def test_a_motor_by_a_table_over_another_joint(integrator, tmp_path):
    x = np.linspace(-3, 3, 13)
    m = arms(da.Table(x, np.sin(x), of="A.angle", kind="pchip"))
    run = da.simulate(m, 0.5, rtol=1e-8, integrator=integrator)
    spline = sampler(da.Table(x, np.sin(x), kind="pchip"))
    assert np.abs(run["m"].torque - spline(run["A"].coordinate)).max() < 1e-9
    assert np.ptp(run["m"].torque) > 0.1
    m.save(tmp_path / "m.toml")
    back = da.load_model(tmp_path / "m.toml")
    assert back.elements["m"].law == m.elements["m"].law
    lin, dirs = da.linearize(m, at=run.state()), da.linearize(arms("sin(A.angle)"), at=run.state())
    assert np.abs(lin.A - dirs.A).max() < 0.15 * np.abs(dirs.A).max()  # the slope of the table is nearly that of the sine
    m.add(da.Signal("looked up", da.Table(x, x**2, of="A.rate", kind="linear")))
    more = da.simulate(m, 0.1)
    assert np.allclose(more["looked up"].value, np.interp(more["A"].rate, x, x**2))


def test_tables_over_names_that_nobody_has():
    for of, text in (("A.angel", "did you mean 'angle'"), ("B.angle", "'B.angle' in 'a table over B.angle' is not known")):
        with pytest.raises(da.ModelError, match=text):
            arms(da.Table([0, 1], [0, 1], of=of)).compile()
    with pytest.raises(da.ModelError, match="of= is what x is"):
        da.Table([0, 1], [0, 1], of="")
    m = arms(0.0)
    m.add(da.Drive("d", "A", da.Table([0, 1], [0, 1], of="O.angle")))
    with pytest.raises(da.ModelError, match="does not fit here; it may be over t"):
        m.compile()


@pytest.mark.parametrize("of", ["rail.slide", "t"])
@pytest.mark.parametrize("kind", [None, "linear", "cubic"])
def test_a_table_is_one_curve_whatever_the_way(kind, of):
    """Directly, through a signal, and as the rate of a state: a dead band with a step, between two points that are zero."""
    table = da.Table([0, 1, 1.1, 2], [0, 0, 1, 1], of=of, kind=kind)
    m = da.Model("ways", dim=2)
    m.add(da.Body("cart", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("rail", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    m.initial("rail", coordinate=0.6)
    m.add(da.Motor("direct", "rail", table))
    m.add(da.Signal("s", table))
    m.add(da.Motor("via", "rail", "s"))
    m.add(da.Differential("z", table))
    m.add(da.Motor("rate", "rail", "z.rate"))
    at = da.accelerations(m, t=0.6)
    assert at["direct"].force == at["via"].force == at["rate"].force
    assert (abs(at["direct"].force) > 1.0) == (kind == "cubic")
