"""Safe expression strings such as ``"2*pi*t"`` or ``"m*l**2/12"``: text that is a formula, never a program.

    text ──scanner, parser──▶ term (flat postfix tuple) ──▶ value, derivative, text, SymPy, stack program

One file each: ``functions`` (what formulas may use), ``terms`` (representation, builders, text),
``scanner`` and ``parser`` (reading), ``calculus`` (derivatives), ``expression`` (the user's class),
``tracing`` (from Python functions), ``sympify`` (to SymPy).
"""

from .expression import Expression, Program, number, parse
from .functions import CONSTANTS, FUNCTIONS
from .terms import canonical, name_text
from .tracing import trace

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "Expression",
    "Program",
    "canonical",
    "name_text",
    "number",
    "parse",
    "trace",
]
