"""Sentences with formulas in them, typeset: what stands in a derivation's prose, for LaTeX and for HTML.

Sentences are written as plain text: "q̈ = B_i q̈_i + γ_i with B_i = [1; −C_d⁻¹ C_i]".  A piece of mathematics is a single letter
(dots, bars and tildes on it count as part of it) that is Greek or carries a mark, an index or a power; words of more letters are
words, whatever they carry, because they are names of the user's bodies and joints ("crank_2", "my joint").
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

MARKS = {"\u0307": "\\dot", "\u0308": "\\ddot", "\u20db": "\\dddot", "\u0304": "\\bar", "\u0303": "\\tilde"}
POWERS = {"ᵀ": "T", "⁻": "-", "¹": "1", "²": "2", "³": "3"}
LETTERS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi",
    "Ψ": "Psi", "Ω": "Omega",
}
SIGNS = {
    "−": "$-$", "·": "$\\cdot$", "×": "$\\times$", "∂": "$\\partial$", "∫": "$\\int$", "∑": "$\\sum$", "≤": "$\\le$",
    "≥": "$\\ge$", "≠": "$\\ne$", "→": "$\\to$", "√": "$\\surd$", "½": "$\\tfrac12$", "°": "$^\\circ$", "±": "$\\pm$",
    "∓": "$\\mp$",
    "∞": "$\\infty$", "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--", "—": "---", "…": "\\ldots{}", "\u00a0": "~",
    "ß": "\\ss{}", "ø": "\\o{}",
    "Ø": "\\O{}", "æ": "\\ae{}", "Æ": "\\AE{}", "å": "\\aa{}", "Å": "\\AA{}", "ł": "\\l{}", "Ł": "\\L{}", "ı": "\\i{}",
}
ACCENTS = {"\u0300": "\\`", "\u0301": "\\'", "\u0302": "\\^", "\u0303": "\\~", "\u0308": '\\"', "\u030c": "\\v", "\u0327": "\\c",
           "\u0304": "\\=", "\u0307": "\\.", "\u030a": "\\r", "\u0306": "\\u", "\u030b": "\\H", "\u0328": "\\k"}
PLAIN = {"\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}", "$": "\\$",
         "^": "\\^{}", "~": "\\~{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''"}

_MATH = re.compile(
    r"(?<![^\W\d_δ])(?P<letter>[A-Za-zα-ωΓ-Ω])(?P<marks>[\u0300-\u036f\u20db]*)(?:_(?P<index>[A-Za-z0-9]+))?"
    r"(?P<power>[ᵀ⁻¹²³]*)(?:\^(?P<above>[A-Za-z0-9]+(?:,[A-Za-z0-9]+)*))?"
    r"(?![A-Za-z_\u0300-\u036f])"
)


def pieces(text: str) -> Iterator[str | tuple[str, str, str, str]]:
    """Plain stretches, and mathematics as (letter, marks, index, what stands above): T, −1, or the bodies of F^12."""
    text = unicodedata.normalize("NFD", text)
    at = 0
    for m in _MATH.finditer(text):
        letter, marks, index = m["letter"], m["marks"], m["index"] or ""
        power = "".join(POWERS[c] for c in m["power"]) + (m["above"] or "")
        before, after = text[: m.start()].rstrip()[-1:], text[m.end() :].lstrip()[:1]
        among = not marks and (before in (*"[{;=·×+−/(Σ", ) or after in (*"=·×/", ))  # M in "[M Cᵀ; C 0]"
        if not (letter in LETTERS or index or power or among or (marks and all(x in MARKS for x in marks))):
            continue
        accents = bool(marks) and all(x in ACCENTS and x not in "\u0307\u0308" for x in marks)
        if accents and letter not in LETTERS and not index and not power:
            continue  # é alone is a letter of a word
        if m.start() > at:
            yield text[at : m.start()]
        yield letter, marks, index, power
        at = m.end()
    if at < len(text):
        yield text[at:]


def latex(text: str) -> str:
    """A sentence for LaTeX, in ASCII."""
    out = []
    for p in pieces(text):
        if isinstance(p, str):
            out.append(letters(p))
            continue
        letter, marks, index, power = p
        head = f"\\{LETTERS[letter]}" if letter in LETTERS else letter
        for m in marks:
            head = f"{MARKS.get(m, chr(92) + 'bar')}{{{head}}}"
        sub = f"_{{{index if len(index) == 1 or index.isdigit() else chr(92) + 'mathrm{' + index + '}'}}}" if index else ""
        sup = f"^{{{power if power[:1] in '-T' or len(power) <= 2 else chr(92) + 'mathrm{' + power + '}'}}}" if power else ""
        out.append(f"${head}{sub}{sup}$")
    return "".join(out)


def letters(text: str) -> str:
    """Any text in ASCII that LaTeX sets in its text mode; what it has no letter for is told by its number."""
    out: list[str] = []
    for c in unicodedata.normalize("NFD", text):
        if c in ACCENTS and out:
            base = out.pop()
            out.append(f"{ACCENTS[c]}{{{base}}}")
        elif c in PLAIN:
            out.append(PLAIN[c])
        elif c in SIGNS:
            out.append(SIGNS[c])
        elif c in LETTERS:
            out.append(f"$\\{LETTERS[c]}$")
        elif c in POWERS:
            out.append(f"$^{{{POWERS[c]}}}$")
        elif c in MARKS and out:
            out.append("")
        elif c in "\n\r\t":
            out.append(" ")
        elif " " <= c < "\x7f":
            out.append(c)
        else:
            out.append(f"[U+{ord(c):04X}]")
    return "".join(out)


def page(text: str) -> str:
    """A sentence for HTML."""
    out = []
    for p in pieces(text):
        if isinstance(p, str):
            out.append(html.escape(unicodedata.normalize("NFC", p)))
            continue
        letter, marks, index, power = p
        sub = f"<sub>{html.escape(index)}</sub>" if index else ""
        sup = f"<sup>{html.escape(power.replace('-', '−'))}</sup>" if power else ""
        out.append(f"<i>{html.escape(unicodedata.normalize('NFC', letter + marks))}</i>{sub}{sup}")
    return "".join(out)
