"""What a lecturer sees first: partitions that hold as drawn, one meaning for each symbol, pages in notebooks."""

from __future__ import annotations

import re

import numpy as np
import pytest
import sympy as sp

import dalembert as da
from dalembert import catalog


def ball():
    """Two bodies at a ball joint on their common x axis, where turns about y and z of one do not move the joint along x."""
    m = da.Model("ball", gravity=(0, 0, -9.81))
    m.add(da.Body("b", mass=2.0, inertia=(0.1, 0.2, 0.3)))
    m.add(da.Body("c", mass=2.0, inertia=(0.1, 0.2, 0.3), position=(1, 0, 0)))
    m.add(da.Spherical("S", "b", "c", at=(0.5, 0, 0)))
    return m


def test_a_free_choice_holds_in_the_pose_as_drawn():
    eqs = da.derive(ball(), "virtual-work", "absolute")
    text = eqs.text()
    assert eqs.dependent == ["c.x", "c.y", "c.z"] and "In the pose as drawn" not in text
    assert "omega" not in text.replace("b.omega", "").replace("c.omega", "") and "Q_e,b.ωx" in text
    assert eqs.verify(count=3).ok


def test_turns_come_before_places():
    eqs = da.derive(catalog.make("four-bar"), "virtual-work", "absolute")
    assert [n for n in ("crank.angle",) if n not in eqs.dependent] and len(eqs.dependent) == 8 and eqs.verify(count=3).ok


@pytest.mark.parametrize("coordinates", ["absolute", "links"])
def test_singular_where_the_determinant_vanishes_and_only_there(coordinates):
    """Pivots of an elimination have zeros that the determinant does not have: sin θ_coupler = 0 is an ordinary pose."""
    eqs = da.derive(catalog.make("four-bar"), "virtual-work", coordinates)
    (part,) = (s for s in eqs.story.sections if s.title == "Partition of the Jacobian")
    at = next(k for k, x in enumerate(part.lines) if isinstance(x, str) and "determinant" in x)
    told = part.lines[at + 1].right
    blocks = {x.left.name: x.right for x in part.lines if not isinstance(x, str) and isinstance(x.right, sp.MatrixBase)}
    Cd = next(v for k, v in blocks.items() if k.endswith("qd"))
    ratio = set()
    rng = np.random.default_rng(3)
    for _ in range(4):
        values = {s: rng.uniform(0.3, 2.0) for s in sorted(Cd.free_symbols | told.free_symbols, key=str)}
        ratio.add(round(float(abs(Cd.subs(values).evalf().det() / told.subs(values))), 9))
    assert len(told.free_symbols) <= 4 and ratio == {1.0}
    assert float(told.subs({s: 0.0 if s.name == "theta_coupler" else 0.7 for s in told.free_symbols})) != 0


def test_the_only_body_needs_no_index_and_alpha_one_meaning():
    for notation in ("plain", "kane"):
        text = da.derive(catalog.make("rolling-disc"), "dalembert", notation=notation).text()
        assert "α = “disc.alpha”" in text and "ω̇ =" in text and "α_disc" not in text and "α^disc" not in text
    two = da.Model("two")
    for n in "bc":
        two.add(da.Body(n, mass=1.0, inertia=(0.1, 0.2, 0.3)))
    text = da.derive(two, "dalembert", notation="kane").text()
    lefts = re.findall(r"^  (\S+) =", text, re.M)
    assert "α_b" in lefts and "α^b" not in text and len(lefts) == len(set(lefts))


def test_no_empty_sections_and_nothing_twice():
    m = da.Model("free", dim=2, gravity=(0, -9.81))
    m.add(da.Body("b", mass=2.0, inertia=0.3))
    eqs = da.derive(m, "virtual-work", "absolute", notation="shabana")
    assert all(s.lines for s in eqs.story.sections)
    lines = [x for x in eqs.text().splitlines() if x.startswith("  Q_i")]
    assert lines and len(lines) == len(set(lines))


def test_parts_of_a_derivation_show_themselves_in_a_notebook():
    eqs = da.derive(catalog.make("rod-on-block"), "newton-euler", reactions="F")
    for part in (eqs, eqs.subsystem("rod", about="O"), eqs.inverse(unknown=["M"])):
        page = part._repr_html_()
        assert page.startswith("<article") and "<math" in page and part.html().startswith("<!DOCTYPE")


def test_wide_matrices_are_set_smaller():
    page = da.derive(catalog.make("four-bar"), "newton-euler").html()
    assert 'class="matrix many"' in page and 'class="matrix many"' not in da.derive(catalog.make("rod-on-block")).html()
