"""Derivations on paper and in the browser: numbers that read well, LaTeX, steps that fit a page, prose that is typeset.

DALEMBERT_LATEX=all (make latex) takes the whole catalogue with every method through pdfLaTeX.
"""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest
import sympy as sp
from laws_of_reading import latex_faults, strange_numbers
from readme_model import crank

import dalembert as da
from dalembert import catalog
from dalembert.symbolic.simplify import paired
from dalembert.symbolic.text import prose
from dalembert.symbolic.text.notation import Latex, MathML, Text
from dalembert.symbolic.text.readable import readable

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")
EVERY = os.environ.get("DALEMBERT_LATEX") == "all"


@pytest.mark.parametrize("method", METHODS)
def test_numbers_of_a_model_without_parameters(method):
    eqs = da.derive(crank(), method)
    for shown in (eqs.text(), eqs.latex().replace(" \\cdot 10^{", "e").replace("}", "")):
        assert strange_numbers(shown) == []
    assert eqs.verify(count=3).ok


def test_readable_keeps_the_value():
    x, y = sp.symbols("x y")
    tiny = sp.Rational(3, 10**32)
    e = tiny * y * (sp.Rational("2.625e30") * sp.cos(x) + sp.Rational("3.41666666666667e30"))
    assert "e" not in Text({}).show(e).replace("cos", "")
    below, root = sp.Rational("7e-20") * x + sp.Rational("1.5e-20") * y, sp.sqrt(sp.Rational("2e16") * x + sp.Rational("3e16"))
    for f in (e, e / below**2, root * y):
        at = {x: sp.Float(0.7, 40), y: sp.Float(1.3, 40)}
        assert abs(readable(f).subs(at) / f.subs(at) - 1) < 1e-14
    a, b = sp.symbols("a b")
    for f in (sp.cos(a) + sp.cos(b), 3 * x * (sp.sin(a) - sp.sin(b)), sp.sin(a + b) + sp.sin(a - b) + x, sp.cos(a) - sp.cos(b)):
        f = sp.expand(f)
        at = {a: 0.3, b: 1.1, x: 0.7}
        assert float(paired(f).subs(at)) == pytest.approx(float(f.subs(at)))


def test_rolling_disc_fits_a_page():
    eqs = da.derive(catalog.make("rolling-disc"), "dalembert", coordinates=["disc.zxz"])
    text = eqs.text()
    terms = ("Accelerations", "Inertia:", "Generalised forces", "Partition", "No reactions")  # shown step by step since then
    core = "\n\n".join(x for x in text.split("\n\n") if not x.startswith(terms))
    assert len(core) <= 3000 and len(text) <= 5100 and "sqrt" not in text and eqs.verify(count=3).ok
    values = {"disc.x": 0, "disc.y": 0, "disc.z": 0.4, "disc.phi": 0.1, "disc.theta": -1.0, "disc.psi": 0.0}
    with pytest.raises(da.AnalysisError, match="between 0 and π"):
        eqs.evaluate(values)


@pytest.mark.parametrize("name", ["slider-crank", "four-bar", "two-link-arm"])
def test_a_step_fits_a_page(name):
    for method in METHODS:
        for step in da.derive(catalog.make(name), method).text().split("\n\n"):
            # a row of a matrix is one line: pages shrink wide ones, or name their long entries
            lines = sum(1 + (0 if line.lstrip().startswith("[") else len(line) // 100) for line in step.splitlines())
            assert lines <= 50, (method, step)


def test_kinetic_energy_is_tidy():
    shown = re.search(r"  T = (.*?)\n\n", da.derive(catalog.make("two-link-arm"), "lagrange").text(), re.S)[1]
    assert "sin(" not in shown and len(shown) < 220  # cos(θ_3 − θ_2) alone is left of the angles


def test_virtual_rotations_are_printed_as_such():
    eqs = da.derive(catalog.make("lagrange-top"), "virtual-work", "absolute")
    text, tex, page = eqs.text(), eqs.latex(), eqs.html()
    assert "δπ̄_x" in text and "\\delta \\bar{\\pi}_{x}" in tex and "π̄" in page
    assert "pix" not in text + tex + page and "omegax" not in tex.replace("omega", "", 0).replace("\\bar{\\omega}", "")


@pytest.mark.parametrize(("text", "tex", "page"), [
    ("B_i = [1; −C_d⁻¹ C_i]", "$B_{i}$ = [1; $-$$C_{d}^{-1}$ $C_{i}$]",
     "<i>B</i><sub>i</sub> = [1; −<i>C</i><sub>d</sub><sup>−1</sup> <i>C</i><sub>i</sub>]"),
    ("q̈_i of crank_2 & Bär", "$\\ddot{q}_{i}$ of crank\\_2 \\& B\\\"{a}r", "<i>q̈</i><sub>i</sub> of crank_2 &amp; Bär"),
    ("中 100 %", "[U+4E2D] 100 \\%", "中 100 %"),
    ("F^12 is", "$F^{12}$ is", "<i>F</i><sup>12</sup> is"),
    ("F^ground,crank is", "$F^{\\mathrm{ground,crank}}$ is", "<i>F</i><sup>ground,crank</sup> is"),
])
def test_prose_is_typeset(text, tex, page):
    assert prose.latex(text) == tex and prose.page(text) == page


def test_names_with_any_letters_stay_latex(tmp_path):
    m = da.Model("Kurbel_ß {1} 50% θ→中", dim=2, gravity=(0, -9.81))
    m.add(da.Body("bär & co_#1 λ", mass=1.0, inertia=0.1, position=(0.5, 0)))
    m.add(da.Revolute("gelenk^~$ \\x é", m.ground, "bär & co_#1 λ", at=(0, 0)))
    for method in METHODS:
        eqs = da.derive(m, method)
        assert latex_faults(eqs.latex()) in ([], ["\\ss", "\\textbackslash"], ["\\textbackslash"]), latex_faults(eqs.latex())
        assert "<script" not in eqs.html()
        if shutil.which("pdflatex"):
            compiled(eqs.latex(), tmp_path)


def test_matrices_have_brackets_and_long_entries_names():
    shown = MathML({}).node(sp.eye(2))
    assert shown.count(">[<") == shown.count(">]<") == 1
    eqs = da.derive(catalog.make("four-bar"), "virtual-work")
    assert "B_{i,3} =" in eqs.latex() and Latex({}).show(sp.Symbol("theta2")) == "\\theta_{2}"


def compiled(source, folder) -> int:
    """Pages that pdfLaTeX makes of a document."""
    import tempfile

    with tempfile.TemporaryDirectory(dir=folder) as place:
        with open(os.path.join(place, "it.tex"), "w", encoding="ascii") as out:
            out.write(source)
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "it.tex"], cwd=place,
                              capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, re.findall(r"^!.*(?:\n.*){3}", done.stdout, re.M)
        return int(re.search(r"\((\d+) pages?", done.stdout)[1])


CASES = [(n, m) for n in (catalog.CATALOG if EVERY else ("rod-on-block", "rolling-disc")) for m in METHODS]


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
@pytest.mark.parametrize(("name", "method"), CASES)
def test_pdflatex_compiles(name, method, tmp_path):
    model = catalog.make(name)
    try:
        eqs = da.derive(model, method)
    except da.AnalysisError:
        pytest.skip("no equation of motion is left, or no virtual displacement")
    source = eqs.latex()
    own = [float(x) for x in model.parameter_values().values()]
    assert latex_faults(source) == [] and strange_numbers(eqs.text(), own) == []
    pages = compiled(source, tmp_path)
    assert pages >= 1
    if EVERY and name in ("slider-crank", "four-bar", "two-link-arm"):
        assert compiled(source.replace("\\subsection*", "\\newpage\\subsection*"), tmp_path) <= source.count("\\subsection*") + 1


def test_article_and_body_without_document():
    eqs = da.derive(catalog.make("pendulum"))
    whole, body = eqs.latex(), eqs.latex(document=False)
    assert whole.startswith("\\documentclass") and whole.endswith("\\end{document}\n")
    assert body in whole and "documentclass" not in body
    assert np.all([x in eqs._repr_html_() for x in ("<article", "<style>", "</article>")])


def test_virtual_displacements_have_their_indices_in_sentences():
    assert prose.page("C_qd δq_d = 0") == "<i>C</i><sub>qd</sub> δ<i>q</i><sub>d</sub> = 0"
    assert prose.latex("C_qd δq_d = 0") == "$C_{\\mathrm{qd}}$ $\\delta$$q_{d}$ = 0"
