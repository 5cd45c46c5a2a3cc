"""Free-body diagrams beside derivations: the picture's F^{12} is the formulas' (F_x^12, F_y^12), in name, sign and number."""

import re

import lecture_models as models
import numpy as np
import pytest

import dalembert as da
from dalembert import catalog


def arrows(page):
    return [dict(re.findall(r'data-([a-z-]+)="([^"]*)"', head)) for head in re.findall(r'<g class="arrow"[^>]*>', page)]


def values(arrow):
    """Name without sign, and components with the sign taken off: what the symbol stands for."""
    sign = -1.0 if arrow["symbol"].startswith("-") else 1.0
    what = "force" if "force" in arrow else "moment"
    return arrow["symbol"].lstrip("-"), sign * np.array(arrow[what].split(), dtype=float)


@pytest.mark.parametrize("make", [models.four_bar, models.two_link, models.slider_crank, lambda: catalog.make("quick-return"),
                                  lambda: catalog.make("four-bar-driven"), lambda: catalog.make("spatial-four-bar")])
def test_pictures_and_formulas_agree(make):
    model = make()
    eqs = da.derive(model, "newton-euler", reactions="F", notation="shabana")
    page = eqs.html()
    assert page.count("<figure>") == page.count("Free body: ") == len(eqs.kin.b.body_names)
    state = da.accelerations(model)
    if np.linalg.matrix_rank(np.asarray(da.matrices(model).Cq)) < len(eqs.free.rows):
        return  # forces that the equations leave open
    Lambda = eqs.evaluate(state).multipliers
    known = {}
    for (letter, index, *_), x in zip((eqs.story.shown[s] for s in eqs.multipliers), Lambda, strict=True):
        below, _, above = index.partition("^")
        known.setdefault(f"{letter}^{{{above}}}", {})[below] = x
    seen = set()
    for a in arrows(page):
        if a["kind"] in ("joint", "drive"):
            name, numbers = values(a)
            assert name in known
            parts = {"xyz"[k]: x for k, x in enumerate(numbers)} if "force" in a else {"": numbers[-1]}
            for below, x in known[name].items():
                if below in parts:
                    assert parts[below] == pytest.approx(x, rel=1e-7, abs=1e-7 * np.abs(Lambda).max())
                    seen.add((name, below))
    assert len(seen) >= len(Lambda) / 2


def test_loads_are_called_by_their_parameters():
    symbols = {a["element"]: a["symbol"] for a in arrows(da.derive(models.four_bar(), "newton-euler", reactions="F",
                                                                   notation="shabana").html())}
    assert symbols["push"] == "F^{3}" and {symbols[e] for e in symbols if e.startswith("torque")} == {"M^{2}", "M^{4}"}


def test_pictures_are_optional_and_few():
    eqs = da.derive(catalog.make("slider-crank"), "newton-euler")
    page = eqs.html()
    assert page.count("<figure>") == 3 and "1 ground, 2 crank, 3 rod, 4 piston" in page  # no force has a name in the formulas
    assert {a["symbol"] for a in arrows(page) if a["kind"] == "joint"} >= {"F^{12}", "F^{23}", "-F^{23}"}
    assert "<svg" not in eqs.html(diagrams=False) and "<svg" not in eqs.article(diagrams=False)
    assert eqs.article().count("<figure>") == eqs._repr_html_().count("<figure>") == 3
    assert "<svg" not in da.derive(catalog.make("hanging-chain", n=9), "newton-euler").html()
    assert "<svg" not in da.derive(catalog.make("slider-crank"), "lagrange").html()


def test_a_drawing_that_does_not_close_has_no_picture():
    m = da.Model("open", dim=2, parameters={"l": 0.4})
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    eqs = da.derive(m, "newton-euler")
    assert "<svg" in eqs.html()
    eqs = da.derive(m, "newton-euler")
    eqs.model.add(da.Distance("d", "ground", "a", at_i=(0, 9), at_j=(1, 0), length=1.0))  # after the derivation: cannot be closed
    assert "<svg" not in eqs.html()


def test_sets_and_inverse_problems_in_a_notebook():
    eqs = da.derive(models.four_bar(), "newton-euler", reactions="F", notation="shabana")
    b, c = da.subsystem(eqs, ["2", "3"], about="B"), da.subsystem(eqs, ["2", "3", "4"], about="C")
    page = b._repr_html_()
    assert page.startswith("<article") and page.count("<figure>") == 1
    assert {a["symbol"] for a in arrows(page) if a["kind"] == "joint"} == {"F^{12}", "-F^{34}"}  # F^{23} is internal
    assert "<svg" not in (c - b)._repr_html_() and "<svg" not in b.html(diagrams=False)
    assert eqs.inverse(unknown=["M4"])._repr_html_().startswith("<article")
