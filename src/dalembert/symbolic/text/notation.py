"""Formulas for the eye: plain text, LaTeX, MathML.

Symbols are kept as (letter, index, dots, prefix); each printer spells them its own way (θ̈_rod, \\ddot{\\theta}_{rod},
<mover>…).  Parameters are spelled from their names: theta2 and theta_2 are θ with an index.  Exact numbers are shown as they
were typed: 7/20 as 0.35, but ½ m and m l²/12 stay fractions.
"""

from __future__ import annotations

import html
import re

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from dalembert.symbolic.simplify import weight
from dalembert.symbolic.text import prose
from dalembert.symbolic.text.readable import readable
from dalembert.symbolic.text.spelling import parts

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
    "pi": "π",
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
    "Phi": "Φ",
    "Pi": "Π",
}
DOTS = ("", "\u0307", "\u0308", "\u20db")
LATEX_DOTS = ("{}", "\\dot{{{}}}", "\\ddot{{{}}}", "\\dddot{{{}}}")
BARRED = {f"{name}{c}": (name, c) for name in ("omega", "pi") for c in "xyz"}  # components along body axes: ω̄_x, δπ̄_x


class Rate(sp.Function):
    """d/dt of what stands in it, as it is written."""


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
            letter, index = parameter(e.name)
            return _greek(letter) + e.name[len(letter) :]
        letter, index, dots, prefix, barred = _entry(self.shown[e])
        head = _greek(letter) + ("\u0304" if barred else "")
        head = head + DOTS[dots] if len(letter) == 1 or letter in GREEK else head + "'" * dots
        below, above = parts(index.replace(" ", ""))
        return prefix + head + (f"_{_greek(below)}" if below else "") + (f"^{above}" if above else "")

    def _print_Rate(self, e):
        return f"d/dt ({self._print(e.args[0])})"

    def _print_Pow(self, e, rational=False):
        if e.base in self.shown and "^" in self.shown[e.base][1] and not e.exp.is_negative:
            return f"({self._print(e.base)})**{self.parenthesize(e.exp, 200)}"
        return super()._print_Pow(e, rational)

    def show(self, e) -> str:
        text = self.doprint(decimals(e)).replace("**2", "²").replace("**3", "³").replace("*", "·").replace("··", "^")
        return text.replace("Matrix", "")


def _entry(item):
    """(letter, index, dots, prefix, whether it has a bar)."""
    letter, index, dots, prefix = item if len(item) == 4 else (*item, "")
    if letter in BARRED:
        letter, part = BARRED[letter]
        return letter, f"{part},{index}" if index else part, dots, prefix, True
    return letter, index, dots, prefix, letter == "Pi"  # the course's Π̄


def _greek(name: str) -> str:
    return GREEK.get(name, name)


def parameter(name: str) -> tuple[str, str]:
    """Letter and index of a parameter's name: l2 → l, 2; theta0 → theta, 0; rho_s → rho, s; speed → speed."""
    head, _, tail = name.partition("_")
    if tail and (len(head) == 1 or head in GREEK):
        return head, tail
    found = re.fullmatch(r"([A-Za-z]|" + "|".join(GREEK) + r")(\d+)", name)
    return (found[1], found[2]) if found else (name, "")


class Latex(LatexPrinter):
    """\\ddot{\\theta}_{rod}."""

    def __init__(self, shown):
        super().__init__({"full_prec": False, "mat_delim": "[", "fold_short_frac": False, "long_frac_ratio": 3})
        self.shown = shown

    def _print_Symbol(self, e, style="plain"):
        letter, index, dots, prefix, barred = _entry(self.shown[e] if e in self.shown else (*parameter(e.name), 0, ""))
        head = f"\\{letter}" if letter in GREEK else letter if len(letter) == 1 and letter.isascii() else _words(letter)
        head = f"\\bar{{{head}}}" if barred else head
        prefix = {"δ": "\\delta ", "∂": "\\partial ", "": ""}[prefix]
        below, above = parts(index)
        tail = (f"_{{{_index(below)}}}" if below else "") + (f"^{{{_index(above)}}}" if above else "")
        return prefix + LATEX_DOTS[dots].format(head) + tail

    def _print_Rate(self, e, exp=None):
        return f"\\frac{{d}}{{dt}} \\left({self._print(e.args[0])}\\right)"

    def show(self, e) -> str:
        return self.doprint(decimals(e))


def _words(text: str) -> str:
    """A name in a formula: upright, in LaTeX's text mode, so that any letter can stand in it."""
    plain = text.isascii() and re.fullmatch(r"[A-Za-z0-9,. ]*", text)
    return f"\\mathrm{{{text.replace(' ', chr(92) + ',')}}}" if plain else f"\\text{{{prose.letters(text)}}}"


def _index(text: str) -> str:
    """Digits and single letters in italics, Greek letters as such, a component before a name apart."""
    if text in GREEK:
        return f"\\{text}"
    if text.isascii() and (text.isdigit() or (len(text) == 1 and text.isalpha())):
        return text
    head, comma, tail = text.partition(",")
    if comma and len(head) == 1:
        return f"{head},{_index(tail)}"
    return _words(text)


SHORT = 14  # operations: formulas up to this stay in one piece
MANY = 12  # columns: wider matrices are set smaller
SPACE = '<mspace width="0.15em"/>'
_INFIX = '<mo form="infix">{}</mo>'
_FENCE = '<mo fence="true" stretchy="true">{}</mo>'


class MathML:
    """Presentation MathML, understood by browsers without any script."""

    def __init__(self, shown):
        self.shown = shown

    def node(self, e) -> str:
        if isinstance(e, sp.MatrixBase):
            rows = "".join("<mtr>" + "".join(f"<mtd>{self.node(x)}</mtd>" for x in e.row(i)) + "</mtr>" for i in range(e.rows))
            kind = "matrix many" if e.cols > MANY else "matrix"
            return f"<mrow>{_FENCE.format('[')}<mtable class=\"{kind}\">{rows}</mtable>{_FENCE.format(']')}</mrow>"
        if isinstance(e, Rate):
            inside = f"<mrow><mo>(</mo>{self.node(e.args[0])}<mo>)</mo></mrow>"
            return f"<mrow><mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>{inside}</mrow>"
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

    def pieces(self, e) -> list[str]:
        """A long formula as pieces between which a line may end: before signs, wherever no fraction or root is around them."""
        if isinstance(e, (sp.MatrixBase, Rate)) or weight(e) <= SHORT:
            return [self.node(e)]
        if isinstance(e, sp.Equality):
            left, right = self.pieces(e.lhs), self.pieces(e.rhs)
            return [*left, _INFIX.format("=") + right[0], *right[1:]]
        if e.is_Add:
            out: list[str] = []
            for k, a in enumerate(e.as_ordered_terms()):
                negative = a.could_extract_minus_sign()
                first, *rest = self._factor(-a if negative else a)
                sign = "−" if negative else "+" if k else ""
                out += [(_INFIX if k else "<mo>{}</mo>").format(sign) + first if sign else first, *rest]
            return out
        if e.is_Mul:
            return self._spread(e)
        return [self.node(e)]

    def _factor(self, e) -> list[str]:
        """Pieces of what stands behind a sign: sums in brackets."""
        first, *rest = self.pieces(e)
        if not e.is_Add:
            return [first, *rest]
        both = ["<mo stretchy=\"false\">(</mo>" + first, *rest]
        both[-1] += "<mo stretchy=\"false\">)</mo>"
        return both

    def _spread(self, e) -> list[str]:
        """A product with long sums in it: what is short first, then the sums in brackets, then what it is divided by."""
        if e.as_coeff_Mul()[0].is_negative:
            first, *rest = self._factor(-e)
            return ["<mo>−</mo>" + first, *rest]
        over, under = self._sides(e)
        long = [a for a in over if a.is_Add and weight(a) > SHORT]
        if not long:
            return [self.node(e)]
        number = [a for a in under if a.is_Integer]
        small = [a for a in over if a not in long]
        head = f"<mfrac>{self.line(small)}{self.line(number)}</mfrac>" if number else self.line(small) if small else ""
        out = [head] if head else []
        for a in long:
            if out:
                out[-1] += SPACE
            out += self._factor(a)
        below = [a for a in under if not a.is_Integer]
        if below:
            out[-1] += "<mo>/</mo>" + (self.line(below) if len(below) == 1 and not below[0].is_Add
                                       else f"<mrow><mo>(</mo>{self.line(below)}<mo>)</mo></mrow>")
        return out

    def symbol(self, s) -> str:
        letter, index, dots, prefix, barred = _entry(self.shown[s] if s in self.shown else (*parameter(s.name), 0, ""))
        body = f"<mi>{html.escape(_greek(letter) + (chr(0x304) if barred else ''))}</mi>"
        if dots:
            body = f'<mover>{body}<mo class="dots" lspace="0" rspace="0">{"." * dots}</mo></mover>'
        below, above = (f'<mi mathvariant="normal">{html.escape(_greek(x))}</mi>' if x else "" for x in parts(index))
        if below or above:
            tag = "msubsup" if below and above else "msub" if below else "msup"
            body = f"<{tag}>{body}{below}{above}</{tag}>"
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
        if e.as_coeff_Mul()[0].is_negative:
            return f"<mrow><mo>−</mo>{self.term(-e)}</mrow>"
        over, under = self._sides(e)
        top = self.line(over)
        return f"<mfrac>{top}{self.line(under)}</mfrac>" if under else top

    @staticmethod
    def _sides(e) -> tuple[list, list]:
        """Factors over and under the line."""
        c, rest = e.as_coeff_Mul()
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
        return over, under

    def line(self, factors) -> str:
        if not factors:
            return "<mn>1</mn>"
        alone = len(factors) == 1
        parts = [self.node(a) if alone or not a.is_Add else f"<mrow><mo>(</mo>{self.node(a)}<mo>)</mo></mrow>" for a in factors]
        return "<mrow>" + SPACE.join(parts) + "</mrow>"

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
        simple = (b.is_Symbol and "^" not in self.shown.get(b, ("", ""))[1]) or (b.is_Integer and b >= 0)
        base = self.node(b) if simple else f"<mrow><mo>(</mo>{self.node(b)}<mo>)</mo></mrow>"
        return f"<msup>{base}{self.node(e.exp)}</msup>"
