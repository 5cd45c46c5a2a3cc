"""A derivation as one page that stands alone, or as a part of another: MathML, no scripts, lines that wrap.

Browsers do not break MathML, so a long formula is a row of short ones: lines end before its signs (notation.MathML.pieces).
Brackets grow with their matrices only in a font with a table for mathematics.  A browser's own word for one, ``math``, may mean
a text font (Chromium 156 on Debian: brackets one line high), so fonts that have the table are named.
"""

from __future__ import annotations

import html

import sympy as sp

from dalembert.io.policy import guarded
from dalembert.symbolic.text import prose
from dalembert.symbolic.text.notation import MathML, decimals

STYLE = """.derivation section { border-top: 1px solid var(--rule, #8884); padding: .8rem 0 .5rem; }
.derivation h2 { font-size: 1.1em; font-weight: 600; margin: 0 0 .4rem; color: var(--mark, inherit); counter-increment: part; }
.derivation h2::before { content: counter(part) ". "; }
.derivation { counter-reset: part; }
.derivation p { margin: .35rem 0; max-width: 46rem; }
.derivation .formula { padding: .25rem .5rem .25rem 2.2rem; margin: .3rem 0; text-indent: -1.7rem;
  background: var(--card, #8881); border-radius: 4px; line-height: 1.9; overflow-x: auto; }
.derivation .formula:has(.matrix) { text-indent: 0; padding-left: .5rem; }
.derivation math { font-family: "Latin Modern Math", "STIX Two Math", "STIX Math", "Cambria Math", "Libertinus Math",
  "TeX Gyre Termes Math", "DejaVu Math TeX Gyre", "Noto Sans Math", "DejaVu Serif", math;
  font-size: 1.1em; text-indent: 0; display: inline-block math; margin-block: .3em; }
.derivation section { display: flow-root; }
.derivation figure { float: right; clear: right; margin: 0 0 .6rem 1rem; max-width: 50%; color: #1f2730; }
.derivation figure svg { max-width: 100%; height: auto; border-radius: 4px; display: block; }
@media (max-width: 52rem) { .derivation figure { float: none; max-width: none; margin: .5rem 0; } }
.derivation mtd { padding: .2em .6em; }
.derivation .many { font-size: .85em; }
.derivation .many mtd { padding: .15em .3em; }
.derivation .dots { font-size: 1.35em; font-weight: 700; line-height: .4; }"""

PAGE = guarded("""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: #1c2430; --paper: #fbfaf7; --rule: #d9d4c8; --mark: #8a3b12; --card: #ffffff; }}
@media (prefers-color-scheme: dark) {{
:root {{ --ink: #e6e2d8; --paper: #17191d; --rule: #3a3d44; --mark: #e8a26b; --card: #1f2228; }} }}
body {{ margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 Georgia, "Times New Roman", serif; }}
main {{ max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }}
h1 {{ font-weight: 600; font-size: 1.9rem; line-height: 1.2; margin: 0 0 1.5rem; }}
@media print {{ section {{ break-inside: avoid; }} body {{ font-size: 12px; }} main {{ padding: 0; max-width: none; }} }}
{style}
</style></head><body><main class="derivation"><h1>{heading}</h1>
{body}
</main></body></html>
""", [])


def page(story, pictures) -> str:
    """The whole page; ``pictures``: bodies cut free → SVG."""
    return PAGE.format(title=html.escape(story.title), heading=prose.page(story.title), body=body(story, pictures), style=STYLE)


def article(story, pictures) -> str:
    """The derivation without a page around it."""
    return (f'<article class="derivation"><style>{STYLE}</style>\n<h3>{prose.page(story.title)}</h3>\n{body(story, pictures)}\n'
            "</article>")


def body(story, pictures) -> str:
    sections = story.displayed_sections()  # first: it makes symbols
    show = MathML(story.spelled)
    parts = []
    for section, lines in sections:
        parts.append(f"<section><h2>{prose.page(section.title)}</h2>")
        if section.cut in pictures:
            parts.append(f"<figure>{pictures[section.cut]}</figure>")
        parts += [f"<p>{prose.page(x)}</p>" if isinstance(x, str) else _formula(x, show) for x in lines]
        parts.append("</section>")
    return "\n".join(parts)


def _formula(line, show: MathML) -> str:
    head = f"{show.node(line.left)}<mo>=</mo>" if line.left is not None else ""
    found = line.right
    if isinstance(found, sp.Equality):
        found = sp.Eq(decimals(found.lhs), decimals(found.rhs), evaluate=False)
    first, *rest = show.pieces(found if isinstance(found, sp.Equality) else decimals(found))
    math = " ".join(f'<math displaystyle="true"><mrow>{p}</mrow></math>' for p in (head + first, *rest))
    return f'<div class="formula">{math}</div>'
