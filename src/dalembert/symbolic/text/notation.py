"""Formulas for the eye: plain text, LaTeX, MathML.

Symbols are kept as (letter, index, dots, prefix); each printer spells them its own way (θ̈_rod, \\ddot{\\theta}_{rod},
<mover>…).  Exact numbers are shown as they were typed: 7/20 as 0.35, but ½ m and m l²/12 stay fractions.
"""

from __future__ import annotations

import html
import re

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from dalembert.symbolic.simplify import readable

GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "theta": "θ",
    "phi": "φ",
    "psi": "ψ",
    "omega": "ω",
    "lambda": "λ",
    "delta": "δ",
    "omegax": "ω_x",
    "omegay": "ω_y",
    "omegaz": "ω_z",
    "mu": "μ",
    "eta": "η",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "epsilon": "ε",
    "kappa": "κ",
    "zeta": "ζ",
    "nu": "ν",
    "chi": "χ",
    "xi": "ξ",
    "Omega": "Ω",
}
DOTS = ("", "\u0307", "\u0308", "\u20db")
LATEX_DOTS = ("{}", "\\dot{{{}}}", "\\ddot{{{}}}", "\\dddot{{{}}}")


def decimals(e, digits=6):
    """Exact numbers that are no simple fractions, as decimals."""
    if isinstance(e, sp.MatrixBase):
        return e.applyfunc(decimals)
    if not isinstance(e, sp.Basic):
        return e
    e = readable(e)
    table = {}
    for r in e.atoms(sp.Rational):
        if r.q == 1 and abs(r.p) < 10**9:
            continue
        q = r.q
        while q % 2 == 0:
            q //= 2
        while q % 3 == 0:
            q //= 3
        if q == 1 and r.q <= 48 and abs(r.p) < 1000:
            continue
        table[r] = sp.Float(f"{float(r):.{digits}g}", digits)
    return e.xreplace(table) if table else e


class Text(StrPrinter):
    """θ̈_rod·l·cos(θ_rod)/2."""

    def __init__(self, shown):
        super().__init__({"full_prec": False})
        self.shown = shown

    def _print_Symbol(self, e):
        if e not in self.shown:
            return _greek(e.name)
        letter, index, dots, prefix = _entry(self.shown[e])
        head = _greek(letter)
        head = head[0] + DOTS[dots] + head[1:] if dots and len(head) == 1 else head + "'" * dots
        return prefix + head + (f"_{index.replace(' ', '')}" if index else "")

    def show(self, e) -> str:
        text = self.doprint(decimals(e)).replace("**2", "²").replace("**3", "³").replace("*", "·").replace("··", "^")
        return text.replace("Matrix", "")


def _entry(item):
    return item if len(item) == 4 else (*item, "")


def _greek(name: str) -> str:
    return GREEK.get(name, name)


class Latex(LatexPrinter):
    """\\ddot{\\theta}_{rod}."""

    def __init__(self, shown):
        super().__init__({"full_prec": False, "mat_delim": "[", "fold_short_frac": False})
        self.shown = shown

    def _print_Symbol(self, e, style="plain"):
        if e not in self.shown:
            return super()._print_Symbol(e)
        letter, index, dots, prefix = _entry(self.shown[e])
        if letter in ("omegax", "omegay", "omegaz"):
            head = LATEX_DOTS[dots].format("\\bar\\omega")
            return f"{head}_{{{letter[-1]},{_words(index)}}}"
        head = f"\\{letter}" if letter in GREEK else letter if len(letter) == 1 else f"\\mathrm{{{_words(letter)}}}"
        prefix = {"δ": "\\delta ", "∂": "\\partial ", "": ""}[prefix]
        return prefix + LATEX_DOTS[dots].format(head) + (f"_{{{_index(index)}}}" if index else "")

    def show(self, e) -> str:
        return self.doprint(decimals(e))


def _words(text: str) -> str:
    return (
        text.replace("\\", "")
        .replace("_", "\\_")
        .replace(" ", "\\,")
        .replace("{", "")
        .replace("}", "")
        .replace("%", "\\%")
        .replace("#", "\\#")
        .replace("&", "\\&")
        .replace("$", "\\$")
        .replace("^", "")
        .replace("~", "")
    )


def _index(text: str) -> str:
    return text if text.isdigit() or len(text) == 1 else f"\\mathrm{{{_words(text)}}}"


class MathML:
    """Presentation MathML, understood by browsers without any script."""

    def __init__(self, shown):
        self.shown = shown

    def node(self, e) -> str:
        if isinstance(e, sp.MatrixBase):
            rows = "".join("<mtr>" + "".join(f"<mtd>{self.node(x)}</mtd>" for x in e.row(i)) + "</mtr>" for i in range(e.rows))
            return f'<mtable displaystyle="true" class="matrix">{rows}</mtable>'
        if isinstance(e, sp.Symbol):
            return self.symbol(e)
        if e.is_Number or e.is_NumberSymbol:
            return self.number(e)
        if e.is_Add:
            return self.sum(e)
        if e.is_Mul:
            return self.product(e)
        if e.is_Pow:
            return self.power(e)
        if isinstance(e, sp.Equality):
            return f"<mrow>{self.node(e.lhs)}<mo>=</mo>{self.node(e.rhs)}</mrow>"
        if isinstance(e, sp.Piecewise):
            rows = "".join(
                f"<mtr><mtd>{self.node(a)}</mtd><mtd><mtext>{html.escape(str(c))}</mtext></mtd></mtr>" for a, c in e.args
            )
            return f"<mrow><mo>{{</mo><mtable>{rows}</mtable></mrow>"
        inside = "<mo>,</mo>".join(self.node(a) for a in e.args)
        return f"<mrow><mi>{html.escape(e.func.__name__)}</mi><mo>&#x2061;</mo><mrow><mo>(</mo>{inside}<mo>)</mo></mrow></mrow>"

    def symbol(self, s) -> str:
        letter, index, dots, prefix = _entry(self.shown[s]) if s in self.shown else (s.name, "", 0, "")
        if s not in self.shown:
            found = re.fullmatch(r"([A-Za-z]+)_?(\w*)", letter)
            if found and (found[2] == "" or found[2].isdigit() or "_" in letter):
                letter, index = found[1], found[2]
        head = _greek(letter)
        if "_" in head and letter.startswith("omega"):
            head, index = "ω̄", f"{letter[-1]},{index}"
        body = f"<mi>{html.escape(head)}</mi>"
        if dots:
            body = f'<mover>{body}<mo class="dots" lspace="0" rspace="0">{"." * dots}</mo></mover>'
        if index:
            body = f'<msub>{body}<mi mathvariant="normal">{html.escape(_greek(index))}</mi></msub>'
        return f'<mrow><mi mathvariant="normal">{prefix}</mi>{body}</mrow>' if prefix else body

    def number(self, e) -> str:
        if e.is_Rational and e.q != 1:
            sign = "<mo>−</mo>" if e.p < 0 else ""
            return f"<mrow>{sign}<mfrac><mn>{abs(e.p)}</mn><mn>{e.q}</mn></mfrac></mrow>"
        text = sp.sstr(e, full_prec=False) if e.is_Float or e.is_Integer else {"pi": "π", "E": "e"}.get(str(e), str(e))
        if text.startswith("-"):
            return f"<mrow><mo>−</mo><mn>{html.escape(text[1:])}</mn></mrow>"
        return f"<mn>{html.escape(text)}</mn>"

    def sum(self, e) -> str:
        out = []
        for k, a in enumerate(e.as_ordered_terms()):
            negative = a.could_extract_minus_sign()
            part = self.term(-a if negative else a)
            out.append(("<mo>−</mo>" if negative else "<mo>+</mo>" if k else "") + part)
        return f"<mrow>{''.join(out)}</mrow>"

    def term(self, e) -> str:
        """What stands behind a sign: sums in brackets."""
        return f"<mrow><mo>(</mo>{self.node(e)}<mo>)</mo></mrow>" if e.is_Add else self.node(e)

    def product(self, e) -> str:
        c, rest = e.as_coeff_Mul()
        if c.is_negative:
            return f"<mrow><mo>−</mo>{self.term(-e)}</mrow>"
        over, under = [], []
        if c.is_Rational and c.q != 1:
            under.append(sp.Integer(c.q))
            c = sp.Integer(c.p)
        if c != 1:
            over.append(c)
        for a in rest.as_ordered_factors():
            b, p = a.as_base_exp()
            if p.is_Rational and p.is_negative:
                under.append(b**-p)
            elif a != 1:
                over.append(a)
        top = self.line(over)
        return f"<mfrac>{top}{self.line(under)}</mfrac>" if under else top

    def line(self, factors) -> str:
        if not factors:
            return "<mn>1</mn>"
        alone = len(factors) == 1
        parts = [self.node(a) if alone or not a.is_Add else f"<mrow><mo>(</mo>{self.node(a)}<mo>)</mo></mrow>" for a in factors]
        return "<mrow>" + '<mspace width="0.15em"/>'.join(parts) + "</mrow>"

    def power(self, e) -> str:
        if e.exp == sp.S.Half:
            return f"<msqrt>{self.node(e.base)}</msqrt>"
        if e.exp.is_Rational and e.exp.is_negative:
            return f"<mfrac><mn>1</mn>{self.node(e.base**-e.exp)}</mfrac>"
        b = e.base
        if b.func in (sp.sin, sp.cos, sp.tan):
            inside = self.node(b.args[0])
            return (
                f"<mrow><msup><mi>{b.func.__name__}</mi>{self.node(e.exp)}</msup><mo>&#x2061;</mo><mrow><mo>(</mo>{inside}<mo>)</mo>"
                "</mrow></mrow>"
            )
        simple = b.is_Symbol or (b.is_Integer and b >= 0)
        base = self.node(b) if simple else f"<mrow><mo>(</mo>{self.node(b)}<mo>)</mo></mrow>"
        return f"<msup>{base}{self.node(e.exp)}</msup>"
