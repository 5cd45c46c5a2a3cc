"""Safe expression strings such as ``"2*pi*t"`` or ``"m*l**2/12"``: text that is a formula, never a program.

    text ──scanner, parser──▶ term (flat postfix tuple) ──▶ value, derivative, text, SymPy, stack program

One file each: ``functions`` (what formulas may use), ``terms`` (representation, builders, text),
``scanner`` and ``parser`` (reading), ``calculus`` (derivatives), ``expression`` (the user's class),
``breaks`` and ``zeros`` (where they are not smooth), ``tracing`` (from Python functions), ``sympify`` (to SymPy).
"""

from .breaks import breaks, narrow, timeless
from .expression import Expression, Program, number, parse
from .functions import CONSTANTS, FUNCTIONS
from .terms import canonical, name_text
from .tracing import trace
from .zeros import zeros

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "Expression",
    "Program",
    "breaks",
    "canonical",
    "name_text",
    "narrow",
    "number",
    "parse",
    "timeless",
    "trace",
    "zeros",
]
