"""What is read: text, LaTeX, a page that stands alone; signs are not lost on the way; refusals explain themselves."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import sympy as sp
import text_models

import dalembert as da
from dalembert import catalog
from dalembert.io.policy import policy
from dalembert.symbolic.simplify import equal, fourier, tidy
from dalembert.symbolic.text.notation import Latex, MathML, Text

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")


def value(node, names):
    """A number from presentation MathML: what a reader would compute."""
    tag, kids = node.tag, list(node)
    if tag == "mrow":
        return eval("".join(_spell(k, names) for k in kids).replace(")(", ")*("))  # the page is our own
    return eval(_spell(node, names))


def _spell(node, names) -> str:
    kids = list(node)
    if node.tag == "mn":
        return f"({node.text})"
    if node.tag == "mi":
        return node.text if node.text in ("sin", "cos") else f"({names[node.text]!r})"
    if node.tag == "mo":
        return {"−": "-", "\u2061": ""}.get(node.text, node.text)
    if node.tag == "mspace":
        return "*"
    if node.tag == "mfrac":
        return f"(({_spell(kids[0], names)})/({_spell(kids[1], names)}))"
    if node.tag == "msup":
        if kids[0].tag == "mi" and kids[0].text in ("sin", "cos"):
            return f"{kids[0].text}2"
        return f"(({_spell(kids[0], names)})**{_spell(kids[1], names)})"
    if node.tag == "msqrt":
        return f"(({''.join(_spell(k, names) for k in kids)})**0.5)"
    return "(" + "".join(_spell(k, names) for k in kids) + ")"


sin, cos = np.sin, np.cos


@pytest.mark.parametrize(
    "text",
    [
        "-(a + b)",
        "a - (b + c)*2",
        "-(a + b)/c",
        "a*(b - c)*(a + 1)",
        "1 - (a - b)**2",
        "-a/(b + c) - b",
        "sqrt(a + b)*c",
        "-3*(a + b)*c/4",
        "a - b - c",
        "(a - b)/(c - 2)",
        "-sin(a)*(b - c)",
        "0.35*a - 1.5*(b + 1)",
    ],
)
def test_mathml_means_the_formula(text):
    e = sp.sympify(text, rational=True)
    names = {"a": 1.3, "b": 0.7, "c": 2.9}
    page = MathML({}).node(e)
    root = ET.fromstring(f"<mrow>{page}</mrow>")
    assert value(root, names) == pytest.approx(float(e.subs(names)))


@pytest.mark.parametrize("method", METHODS)
def test_page_stands_alone(method, tmp_path):
    eqs = da.derive(text_models.slider_crank(), method)
    page = eqs.html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert not re.search(r"(src|href)=|@import|url\(|<script", page)
    ET.fromstring(
        page.split("\n", 1)[1]
        .replace("&#x2061;", "")
        .replace('<meta charset="utf-8">', "")
        .replace(policy([]), "")
        .replace('<meta name="viewport" content="width=device-width, initial-scale=1">', "")
    )
    assert eqs._repr_html_().startswith('<article class="derivation">') and eqs._repr_latex_().startswith("$")


@pytest.mark.parametrize("method", METHODS)
def test_steps_are_told_in_order(method):
    text = da.derive(text_models.slider_crank(), method).text()
    steps = {
        "newton-euler": ["Coordinates", "Constraint equations", "Free body: crank", "Free body: rod", "Augmented form"],
        "virtual-work": [
            "Kinematics",
            "Dependent and independent",
            "Virtual displacements",
            "Statics: Q_e",
            "Dynamics",
            "Embedded",
        ],
        "dalembert": [
            "Kinematics",
            "Partial velocities",
            "Inertia",
            "Generalised forces",
            "Constraints Σ a_jk",
            "Equations of motion",
        ],
        "lagrange": ["Kinetic energy", "Virtual work", "Derivatives of T", "Constraint equations", "Equations of motion"],
    }[method]
    places = [text.index(s) for s in steps]
    assert places == sorted(places)


def test_latex_balances():
    for method in METHODS:
        source = da.derive(text_models.rod_on_block(), method, ["rod.angle"]).latex()
        assert source.count("{") == source.count("}") and source.count("\\left") == source.count("\\right")
        assert "\\ddot{\\theta}_{\\mathrm{rod}}" in source and "\\ddot{z}" in source


@pytest.mark.parametrize("text", ["a*(b - c + sin(a)*(b + c*(a - b)**2 - 1))/3 - (b - 2*a*(c + b))*(a + 1)/(b + c)",
                                  "-(a*b + c*(a - b*c + sin(b)))/4"])
def test_wrapped_pieces_mean_the_formula(text):
    e = sp.sympify(text, rational=True)
    names = {"a": 1.3, "b": 0.7, "c": 2.9}
    found = MathML({}).pieces(e * 1)
    root = ET.fromstring(f"<mrow>{''.join(found)}</mrow>".replace(' form="infix"', ""))
    assert len(found) > 1 and value(root, names) == pytest.approx(float(e.subs(names)))


def test_numbers_are_shown_as_typed():
    q = sp.Symbol("q")
    assert Text({}).show(sp.Rational(7, 20) * q) == "0.35·q"
    assert Text({}).show(q / 2) == "q/2" and Text({}).show(q / 12) == "q/12"
    assert Latex({}).show(sp.Rational(981, 100) * q) == "9.81 q"


def test_tidy_keeps_the_value():
    a, b, c = sp.symbols("a b c")
    random = np.random.default_rng(1)
    for e in (
        (sp.sin(a) ** 2 + sp.cos(a) ** 2) * b,
        sp.cos(a) * sp.cos(b) + sp.sin(a) * sp.sin(b),
        sp.sin(a) * (b + c) ** 2 / (1 + sp.cos(b)),
        sp.sin(a + b) * sp.cos(a - b) - c * sp.sin(a) ** 3,
    ):
        at = {s: float(random.uniform(0.2, 1.2)) for s in (a, b, c)}
        assert float(tidy(e).subs(at)) == pytest.approx(float(e.subs(at)), rel=1e-12)
    assert tidy(sp.cos(a) * sp.cos(b) + sp.sin(a) * sp.sin(b)) == sp.cos(a - b)
    assert fourier(sp.sin(2 * a) - 2 * sp.sin(a) * sp.cos(a)) == 0
    assert equal(sp.sin(3 * a), 3 * sp.sin(a) - 4 * sp.sin(a) ** 3) and not equal(sp.sin(a), sp.cos(a))


def test_same_model_same_text():
    assert da.derive(catalog.make("four-bar")).text() == da.derive(catalog.make("four-bar")).text()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: da.derive(catalog.make("four-bar"), "hamilton"), "methods: newton-euler, virtual-work, dalembert, lagrange"),
        (lambda: da.derive(catalog.make("four-bar"), "lagrang"), "did you mean 'lagrange'"),
        (
            lambda: da.derive(catalog.make("lagrange-top"), "lagrange", "absolute"),
            "dalembert' or 'newton-euler', which work with ω̄",
        ),
        (lambda: da.derive(catalog.make("two-link-arm-driven"), "lagrange"), "drives='constraints'"),
        (lambda: da.derive(catalog.make("slider-crank-driven"), "virtual-work"), "no degree of freedom left"),
        (
            lambda: da.derive(catalog.make("four-bar"), "lagrange", ["crnk.angle"]),
            "there is no joint or body 'crnk': did you mean 'crank'",
        ),
        (lambda: da.derive(catalog.make("four-bar"), "lagrange", ["A", "D", "B", "C"]), "closes a loop"),
        (lambda: da.derive("four-bar"), "expected a Model"),
        (lambda: da.derive(catalog.make("pendulum")).symbol("angle"), "no symbol for 'angle'"),
        (lambda: da.derive(catalog.make("two-link-arm")).B, "not embedded"),
    ],
)
def test_refusals_explain(call, message):
    with pytest.raises(da.AnalysisError, match=re.escape(message)):
        call()


def test_dead_point_is_refused_by_name():
    """θ³ = π/2: the rod's angle does not follow from the piston's place when the crank is the dependent one at its dead point."""
    model = text_models.slider_crank()
    model.initials.clear()
    model.initial("O", coordinate=0.0)
    with pytest.raises(da.AnalysisError, match=r"cannot be the independent ones"):
        eqs = da.derive(model, "lagrange")
        sample = eqs._numbers_at(da.assemble(model))
        from dalembert.symbolic.equations.embedding import choose

        choose(sample.constraint_jacobian, [c.name for c in eqs.kin.coordinates], ["guide"])
