"""A derivation as it is told: sections with sentences and formulas, rendered as text, LaTeX or one HTML page."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from dalembert.io.policy import guarded
from dalembert.symbolic.text.notation import Latex, MathML, Text, decimals
from dalembert.symbolic.text.spelling import Spelling

WIDE = 110  # characters: longer lines of text are broken at + and −


@dataclass
class Formula:
    """left = right, or a formula alone."""

    right: Any
    left: Any = None


@dataclass
class Section:
    title: str
    lines: list[str | Formula] = field(default_factory=list)

    def say(self, text: str) -> Section:
        self.lines.append(text)
        return self

    def show(self, left, right=None) -> Section:
        self.lines.append(Formula(left) if right is None else Formula(right, left))
        return self


@dataclass
class Story:
    """Sections, and how symbols are shown."""

    title: str
    shown: dict
    sections: list[Section] = field(default_factory=list)
    spelling: Spelling = field(default_factory=Spelling)

    @property
    def spelled(self) -> dict:
        """How symbols are shown in the notation of this derivation."""
        return self.spelling.table(self.shown)

    def without_tautologies(self) -> None:
        """Lines that say a = a in the notation at hand (R_x = R_x for a coordinate that is the centre's) are left out."""
        spelled = {s: (*item, "")[:4] for s, item in self.spelled.items()}
        for s in self.sections:
            s.lines = [x for x in s.lines if isinstance(x, str) or not isinstance(x.right, sp.Symbol)
                       or x.right not in spelled or spelled[x.right] != spelled.get(x.left)]

    def section(self, title: str) -> Section:
        self.sections.append(Section(title))
        return self.sections[-1]

    def symbol(self, letter: str, index: str = "", dots: int = 0, prefix: str = "") -> sp.Symbol:
        """A symbol for the left side of a formula."""
        tail = index if not index or index.startswith("^") else f"_{index}"
        s = sp.Symbol(prefix + letter + "'" * dots + tail)
        self.shown[s] = (letter, index, dots, prefix)
        return s

    # ------------------------------------------------------------------------------------------------ rendering

    def text(self) -> str:
        show = Text(self.spelled).show
        out = [self.title, "=" * len(self.title)]
        for s in self.sections:
            out += ["", s.title, "-" * len(s.title)]
            for line in s.lines:
                if isinstance(line, str):
                    out.append(line)
                elif isinstance(line.right, sp.MatrixBase):
                    head = f"{show(line.left)} =" if line.left is not None else ""
                    out += _table(head, line.right, show)
                else:
                    out += _broken("  ", _line(line, show))
        return "\n".join(out) + "\n"

    def latex(self) -> str:
        show = Latex(self.spelled).show
        out = [f"\\section*{{{_escape(self.title)}}}"]
        for s in self.sections:
            out.append(f"\\subsection*{{{_escape(s.title)}}}")
            for line in s.lines:
                if isinstance(line, str):
                    out.append(_escape(line) + "\n")
                else:
                    out.append("\\[ " + _line(line, show) + " \\]")
        return "\n".join(out) + "\n"

    def html(self) -> str:
        show = MathML(self.spelled)
        parts = []
        for s in self.sections:
            parts.append(f"<section><h2>{html.escape(s.title)}</h2>")
            for line in s.lines:
                if isinstance(line, str):
                    parts.append(f"<p>{html.escape(line)}</p>")
                else:
                    head = f"{show.node(line.left)}<mo>=</mo>" if line.left is not None else ""
                    body = show.node(decimals(line.right))
                    parts.append(f'<div class="formula"><math displaystyle="true"><mrow>{head}{body}</mrow></math></div>')
            parts.append("</section>")
        return PAGE.format(title=html.escape(self.title), body="\n".join(parts))


def _escape(text: str) -> str:
    for a, b in (("\\", ""), ("&", "\\&"), ("%", "\\%"), ("#", "\\#"), ("_", "\\_"), ("{", "\\{"), ("}", "\\}"), ("^", "\\^{}")):
        text = text.replace(a, b)
    return text


def _line(line: Formula, show) -> str:
    sides = [line.left] if line.left is not None else []
    sides += [line.right.lhs, line.right.rhs] if isinstance(line.right, sp.Equality) else [line.right]
    return " = ".join(show(x) for x in sides)


def _broken(head: str, text: str) -> list[str]:
    """A long line broken before + and −."""
    if len(head) + len(text) <= WIDE:
        return [head + text]
    out, line = [], head
    for k, word in enumerate(text.split(" ")):
        if len(line) + len(word) > WIDE and word in ("+", "-", "=") and k:
            out.append(line)
            line = "      "
        line += word + " "
    return [*(x.rstrip() for x in out), line.rstrip()]


def _table(head: str, M, show) -> list[str]:
    cells = [[show(x) for x in M.row(i)] for i in range(M.rows)]
    widths = [max(len(r[c]) for r in cells) for c in range(M.cols)] if M.rows else []
    if sum(widths) + 3 * len(widths) > 2 * WIDE:
        return [
            f"  {head}",
            *(f"    [{i + 1},{j + 1}] = {cells[i][j]}" for i in range(M.rows) for j in range(M.cols) if cells[i][j] != "0"),
        ]
    lines = ["  [ " + "   ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)) + " ]" for r in cells]
    return [f"  {head}", *("  " + x for x in lines)] if head else ["  " + x for x in lines]


PAGE = guarded("""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: #1c2430; --paper: #fbfaf7; --rule: #d9d4c8; --mark: #8a3b12; --card: #ffffff; }}
@media (prefers-color-scheme: dark) {{
:root {{ --ink: #e6e2d8; --paper: #17191d; --rule: #3a3d44; --mark: #e8a26b; --card: #1f2228; }} }}
body {{ margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 Georgia, "Times New Roman", serif; }}
main {{ max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; counter-reset: part; }}
h1 {{ font-weight: 600; font-size: 1.9rem; line-height: 1.2; margin: 0 0 1.5rem; }}
section {{ border-top: 1px solid var(--rule); padding: 1rem 0 .6rem; }}
h2 {{ font-size: 1.15rem; font-weight: 600; margin: 0 0 .4rem; color: var(--mark); counter-increment: part; }}
h2::before {{ content: counter(part) ". "; }}
p {{ margin: .35rem 0; max-width: 46rem; }}
.formula {{ overflow-x: auto; padding: .25rem .5rem; margin: .35rem 0; background: var(--card); border-radius: 4px; }}
math {{ font-size: 1.12em; }}
mtd {{ padding: .25em .7em; }}
.dots {{ font-size: 1.35em; font-weight: 700; line-height: .4; }}
.matrix {{ border-inline: 1.5px solid currentColor; border-radius: 3px; margin: .2em .1em; }}
</style></head><body><main><h1>{title}</h1>
{body}
</main></body></html>
""", [])
