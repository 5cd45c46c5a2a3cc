"""Symbols of a diagram, written as in TeX's small part: F^{12}, F_{x}^{12}, -m^{2}\\ddot{R}^{2}, M_{motor}.

Pieces are letters with a height (0 on the line, 1 above, −1 below) and a slope; both pens (SVG, matplotlib) draw them.  Widths
are estimates on the wide side of common serif fonts, so that labels which do not overlap here do not overlap on paper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

GREEK = {r"\theta": "θ", r"\omega": "ω"}
ACCENTS = {r"\ddot": "\u0308", r"\dot": "\u0307"}
_TOKEN = re.compile(r"\\d?dot\{(\\?\w+)\}|[\^_]\{([^{}]*)\}|\\[a-z]+|.", re.DOTALL)
SMALL = 0.68  # size of an index
STACKED = 1  # letters below that an index above may stand over
NARROW, WIDE = set("fijlrt.,;:'|!()[] "), set("mwMWGOQ@—−")


@dataclass
class Piece:
    text: str
    level: int = 0
    slanted: bool = False


def pieces(symbol: str) -> list[Piece]:
    """F_{x}^{12}: an index above that follows one below stands over it."""
    found = []
    for match in _TOKEN.finditer(symbol):
        token = match[0]
        if token.startswith((r"\ddot", r"\dot")):
            letter = GREEK.get(match[1], match[1])
            found.append(Piece(letter + ACCENTS[token.partition("{")[0]], 0, True))
        elif token[0] in "^_" and match[2] is not None:
            found.append(Piece(match[2], 1 if token[0] == "^" else -1, len(match[2]) == 1 and match[2].isalpha()))
        elif token == "-":
            found.append(Piece("−"))
        else:
            letter = GREEK.get(token, token)
            found.append(Piece(letter, 0, letter.isalpha()))
    return found


def width(text: str, size: float) -> float:
    """Estimated width of plain text."""
    em = sum(0.0 if c in "\u0307\u0308" else 0.37 if c in NARROW else 0.95 if c in WIDE else 0.74 if c.isupper() else 0.6
             for c in text)
    return 1.03 * em * size


def extent(symbol: str, size: float) -> float:
    """Estimated width of a symbol; indices above and below each other count once."""
    total, pending = 0.0, 0.0
    for p in pieces(symbol):
        w = width(p.text, size * (SMALL if p.level else 1.0))
        if p.level > 0 and pending:
            total += max(w - pending, 0.0)
            pending = 0.0
        else:
            total += w
            pending = w if p.level < 0 and len(p.text) <= STACKED else 0.0
    return total + 0.08 * size


def svg(symbol: str, size: float) -> str:
    """The symbol as tspans."""
    out, at, pending = [], 0.0, 0.0
    for p in pieces(symbol):
        small = size * SMALL if p.level else size
        height = {0: 0.0, 1: -0.42 * size, -1: 0.24 * size}[p.level]
        back = f' dx="{-pending:.1f}"' if p.level > 0 and pending else ""
        moved = f' dy="{height - at:.1f}"' if height != at else ""
        slope = ' font-style="italic"' if p.slanted else ""
        scale = f' font-size="{small:.1f}"' if p.level else ""
        tall = p.text.startswith("θ") and len(p.text) > 1  # its dots would touch it
        out.append(f"<tspan{back}{moved}{slope}{scale}>{escape(p.text[0] if tall else p.text)}</tspan>")
        if tall:
            mark = "¨" if p.text[1] == ACCENTS[r"\ddot"] else "˙"
            out.append(f'<tspan dx="{-0.47 * size:.1f}" dy="{-0.17 * size:.1f}">{mark}</tspan>')
            out.append(f'<tspan dx="{0.08 * size:.1f}" dy="{0.17 * size:.1f}">\u200b</tspan>')
        at = height
        pending = 0.62 * small * len(p.text) if p.level < 0 and len(p.text) <= STACKED else 0.0
    return "".join(out)


def mathtext(symbol: str) -> str:
    """The symbol for matplotlib."""
    def index(m):
        return m[0] if len(m[1]) == 1 else m[0][0] + r"{\mathrm{" + m[1].replace(" ", r"\ ") + "}}"

    return f"${re.sub(r'[_^]{([^{}]*)}', index, symbol)}$"


def plain(symbol: str) -> str:
    """One line of text."""
    return "".join(("^" if p.level > 0 else "_" if p.level < 0 else "") + p.text for p in pieces(symbol))
