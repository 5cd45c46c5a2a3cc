"""A derivation as it is told: sections with sentences and formulas, rendered as text, LaTeX or one HTML page."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from dalembert.io import atomic, endings
from dalembert.symbolic.text import html_page, latex_pages
from dalembert.symbolic.text.notation import Text
from dalembert.symbolic.text.spelling import Spelling

WIDE = 110  # characters: longer lines of text are broken at + and −
MATRIX = 90  # characters: wider matrices are shown with names for their long entries


@dataclass
class Formula:
    """left = right, or a formula alone."""

    right: Any
    left: Any = None


@dataclass
class Section:
    title: str
    lines: list[str | Formula] = field(default_factory=list)
    cut: tuple[str, ...] = ()  # bodies that are cut free here: pages show their picture

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
        """Lines that say a = a in the notation at hand (R_x = R_x for a coordinate that is the centre's) are left out, and
        sections that nothing is left of."""
        spelled = {s: (*item, "")[:4] for s, item in self.spelled.items()}
        for s in self.sections:
            s.lines = [x for x in s.lines if isinstance(x, str) or not isinstance(x.right, sp.Symbol)
                       or x.right not in spelled or spelled[x.right] != spelled.get(x.left)]
        self.sections = [s for s in self.sections if s.lines]

    def section(self, title: str, cut: tuple[str, ...] = ()) -> Section:
        self.sections.append(Section(title, cut=cut))
        return self.sections[-1]

    def symbol(self, letter: str, index: str = "", dots: int = 0, prefix: str = "") -> sp.Symbol:
        """A symbol for the left side of a formula."""
        index = index.replace(".omega ", ".ω")  # of a component of ω̄: Q_e,b.ωx
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

    def latex(self, document: bool = True) -> str:
        return latex_pages.write(self, document)

    def html(self, pictures=None) -> str:
        """``pictures``: bodies cut free → SVG (equations/pictures.py)."""
        return html_page.page(self, pictures or {})

    def article(self, pictures=None) -> str:
        """The derivation as a part of another page: notebooks, the Equations panel."""
        return html_page.article(self, pictures or {})

    def displayed_sections(self) -> list[tuple[Section, list[str | Formula]]]:
        """Sections, and their lines as pages show them."""
        return [(s, [y for x in s.lines for y in ([x] if isinstance(x, str) else self.displayed(x))])
                for s in self.sections]

    def displayed(self, line: Formula) -> list[Formula]:
        """A formula as pages show it: a matrix too wide for a line gets names for its long entries, and a line for each."""
        M = line.right
        if not isinstance(M, sp.MatrixBase) or not M.rows:
            return [line]
        show = Text(self.spelled).show
        size = [[len(show(x)) for x in M.row(i)] for i in range(M.rows)]
        if sum(max(r[c] for r in size) for c in range(M.cols)) <= MATRIX:
            return [line]
        most = max(MATRIX // M.cols, 6)
        letter, index, *_ = self.shown.get(line.left, ("a", ""))
        out, named = [], M.as_mutable()
        for i in range(M.rows):
            for j in range(M.cols):
                if size[i][j] > most:
                    at = str(i + 1) if M.cols == 1 else f"{i + 1}{'.' if max(M.shape) > 9 else ''}{j + 1}"
                    named[i, j] = self.symbol(letter, f"{index},{at}" if index else at)
                    out.append(Formula(M[i, j], named[i, j]))
        return [Formula(named, line.left), *out]


class Narrated:
    """What has a story: read as text, LaTeX or a page, shown in notebooks."""

    story: Any
    diagrams: Any = None  # bodies cut free → SVG

    def text(self) -> str:
        """The derivation, step by step, as plain text."""
        return self.story.text()

    def latex(self, document: bool = True) -> str:
        """The derivation as a LaTeX document that pdfLaTeX compiles; document=False: its sections alone, without preamble."""
        return self.story.latex(document)

    def html(self, path: str | os.PathLike[str] | None = None, *, diagrams: bool = True) -> str:
        """The derivation as one self-contained HTML page (MathML, no scripts); written to ``path`` when given.

        diagrams: the free-body diagram of the model as drawn beside each free body (newton-euler).
        """
        if path is not None:
            endings.fits(path, (".html", ".htm"), "a page")
        page = self.story.html(self.diagrams if diagrams else None)
        if path is not None:
            atomic.write_text(path, page)
        return page

    def article(self, *, diagrams: bool = True) -> str:
        """The derivation as a part of another page, as notebooks show it."""
        return self.story.article(self.diagrams if diagrams else None)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.article()


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
    if M.cols == 1:
        inline = f"  {head} [" + "; ".join(r[0] for r in cells) + "]"
        return [inline] if len(inline) <= WIDE else [f"  {head}", *(f"    [ {r[0]} ]" for r in cells)]
    widths = [max(len(r[c]) for r in cells) for c in range(M.cols)] if M.rows else []
    if sum(widths) + 3 * len(widths) > 2 * WIDE:
        return [f"  {head}", *(line for i, row in enumerate(cells, 1) for line in _entries(i, row))]
    widths[-1] = min(widths[-1], 16)
    lines = ["  [ " + "   ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)) + " ]" for r in cells]
    return [f"  {head}", *("  " + x for x in lines)] if head else ["  " + x for x in lines]


def _entries(i: int, row: list[str]) -> list[str]:
    """What is not zero in row i: in one line, or one by one where they are long."""
    found = [f"[{i},{j}] = {x}" for j, x in enumerate(row, 1) if x != "0"]
    line = "    " + ";  ".join(found)
    return [line] if found and len(line) <= 2 * WIDE else [f"    {x}" for x in found]
