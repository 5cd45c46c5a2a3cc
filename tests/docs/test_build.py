"""The documentation builds without a warning, and its search finds what people ask for.  Needs the extra 'docs'."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORDS = {  # what people type → a page that must be among the answers
    "friction": "recipes/01-friction", "PID": "recipes/02-pid", "hydraulic": "recipes/03-hydraulic",
    "Jupyter": "recipes/18-jupyter", "notebook": "recipes/18-jupyter", "controller": "recipes/02-pid",
    "bounce": "recipes/04-bounce", "impact": "find", "URDF": "recipes/19-robot", "robot": "_generated/api/robotics",
    "quaternion": "recipes/23-tumbling", "gear": "_generated/elements/gear", "belt": "recipes/29-belt", "planetary": "find",
    "Cardan": "_generated/elements/universal", "hinge": "_generated/elements/revolute",
    "spring": "_generated/elements/spring", "damping": "_generated/elements/spring", "bushing": "_generated/elements/bushing",
    "rolling": "_generated/elements/rolling_disc", "nonholonomic": "recipes/22-rolling", "eigenvalue": "recipes/09-modes",
    "frequency": "recipes/09-modes", "equilibrium": "_generated/api/equilibrium", "sweep": "recipes/11-sweep",
    "optimisation": "recipes/12-optimise", "fit": "recipes/13-fit", "sensitivity": "recipes/14-derivative",
    "LaTeX": "recipes/15-equations", "Lagrange": "recipes/15-equations", "redundant": "recipes/25-redundant",
    "singular": "guide/kinematics", "pandas": "guide/results", "CSV": "guide/results", "TOML": "guide/model-files",
    "video": "recipes/17-picture", "Adams": "phrasebook", "Simscape": "phrasebook", "MuJoCo": "comparison",
    "flexible": "comparison", "rail": "comparison", "smoothstep": "_generated/formulas", "checkpoint": "recipes/21-resume",
    "STL": "recipes/26-mass-from-shape",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    for package in ("sphinx", "myst_parser", "furo", "sphinx_design"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("html")
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ROOT / "docs", folder],
                          capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_pages_build_without_warnings(built):
    assert (built / "_generated" / "theory" / "02-joints.html").exists() and (built / "model.schema.json").exists()
    assert "guide/model-files.html" in (built / "index.html").read_text(encoding="utf-8")
    for page in built.rglob("*.html"):  # readable offline: nothing is fetched
        fetched = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text(encoding="utf-8"))
        assert fetched == [], f"{page.name} asks the network for {fetched}"


def test_every_element_has_its_picture_on_its_page(built):
    from dalembert.io.document import registry, type_name

    for cls in registry().values():
        text = (built / "_generated" / "elements" / f"{type_name(cls)}.html").read_text(encoding="utf-8")
        found = re.search(rf'<img[^>]*src="([^"]*/{type_name(cls)}\d*\.png)"', text)
        assert found and (built / "_generated" / "elements" / found.group(1)).resolve().stat().st_size > 1000, cls.__name__
        assert f'id="dalembert.{cls.__name__}"' in text and "Degenerate" in text


def test_links_inside_the_pages_lead_somewhere(built):
    for page in built.rglob("*.html"):
        for target in re.findall(r'<a [^>]*href="([^"#:?]+)(?:#[^"]*)?"', page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(built)} links to {target}"


def test_the_search_finds_what_people_ask_for(built):
    from sphinx.search.en import SearchEnglish

    text = (built / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1:text.rindex(")")])
    stem = SearchEnglish({}).stem
    assert len(WORDS) >= 40
    for word, page in WORDS.items():
        hits: set[str] = set()
        for part in ("terms", "titleterms"):
            found = index[part].get(stem(word.lower()), [])
            hits |= {index["docnames"][k] for k in ([found] if isinstance(found, int) else found)}
        assert page in hits, f"the search for '{word}' does not find {page} (it finds {', '.join(sorted(hits)[:5]) or 'nothing'})"


def test_the_index_names_them_too(built):
    text = (built / "genindex.html").read_text(encoding="utf-8")
    for word in ("friction", "PID", "hydraulic", "Jupyter", "Simscape", "quaternion"):
        assert f">{word}</a>" in text or f">{word}<" in text, f"the index has no '{word}'"
