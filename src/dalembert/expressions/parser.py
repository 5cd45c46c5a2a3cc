"""Second reading of a formula: Python's own grammar (``ast``, mode eval), of which few nodes are accepted.

    formula  = number | name | constant | (formula) | ± formula | formula (+ - * / **) formula
             | function(formula, …)
    name     = word { "." word }            word may be in backquotes: `rod 1`.x is the name "rod 1.x"
    function = sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign min max floor step
               smoothstep hypot
    constant = pi | e | tau

Precedence is Python's: -x**2 is −(x²), 2**3**2 is 2⁹.  Nothing of the text is ever executed.  Depth counts
nested operands; a sum of a hundred terms is not deep.
"""

from __future__ import annotations

import ast
import math

from ..errors import ExpressionError, nearest
from . import terms
from .functions import CONSTANTS, FUNCTIONS
from .scanner import COMMA, DEPTH_LIMIT, LENGTH_LIMIT, Scanner, refuse, shown
from .terms import Term, canonical, join, neg

_BINARY: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}


def read(text: str) -> Term:
    """The term that a text stands for; ExpressionError if it is not a formula."""
    if not isinstance(text, str):
        raise ExpressionError(f"an expression is a string such as '2*pi*t', not {type(text).__name__}")
    if len(text) > LENGTH_LIMIT:
        raise ExpressionError(
            f"expression {shown(text)}: {len(text):,} characters are too many, the limit is {LENGTH_LIMIT:,}"
        )
    if not text.strip():
        raise ExpressionError(f"expression {shown(text)}: it is empty; write a formula such as '2*pi*t'")
    return _Reader(text).term


class _Reader:
    """Turns accepted nodes into a term; knows the text, to say where something is wrong."""

    def __init__(self, text: str):
        scanner = Scanner(text)
        self.text, self.quoted = text, scanner.quoted
        self.margin = len(scanner.clean) - len(scanner.clean.lstrip())
        source = scanner.clean.strip()
        self.source = source.encode()
        try:
            tree = ast.parse(source, mode="eval")
        except SyntaxError as error:
            refuse(text, self.margin + (error.offset or 1) - 1, "this cannot be read as a formula")
        except (RecursionError, MemoryError, ValueError):
            self.too_deep(self.margin)
        self.term = self.visit(tree.body, 1)

    def place(self, offset: int) -> int:
        """Place in the text of a byte offset, which is what nodes know."""
        return self.margin + len(self.source[:offset].decode(errors="ignore"))

    def refuse(self, node: ast.expr, reason: str):
        refuse(self.text, self.place(node.col_offset), reason)

    def too_deep(self, place: int):
        refuse(self.text, place, f"operations are nested more than {DEPTH_LIMIT} deep; split the expression")

    def visit(self, node: ast.expr, depth: int) -> Term:
        """The term of a node; the left spine a + b + c … is a loop, other operands are one level deeper."""
        spine: list[ast.BinOp] = []
        while isinstance(node, ast.BinOp):
            spine.append(node)
            node = node.left
        if depth > DEPTH_LIMIT:
            self.too_deep(self.place(node.col_offset))
        u = self.operand(node, depth)
        for above in reversed(spine):
            u = join(_BINARY[type(above.op)], u, self.visit(above.right, depth + 1))
        return u

    def operand(self, node: ast.expr, depth: int) -> Term:
        """The term of anything but a binary operation."""
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return self.number(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            u = self.visit(node.operand, depth + 1)
            return neg(u) if isinstance(node.op, ast.USub) else u
        if isinstance(node, ast.Name | ast.Attribute):
            return self.name(node)
        if isinstance(node, ast.Call):
            return self.call(node, depth)
        if isinstance(node, ast.Tuple):
            self.refuse(node, COMMA)
        self.refuse(node, f"this is not allowed in a formula ({type(node).__name__})")
        raise AssertionError

    def number(self, node: ast.Constant) -> Term:
        try:
            value = float(node.value)  # type: ignore[arg-type]
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            self.refuse(node, "this number is too large for floating point (about 1.8e308)")
        return terms.number(value)

    def name(self, node: ast.expr) -> Term:
        """A chain of words as one name; a single word may be a constant."""
        words: list[str] = []
        first: ast.expr = node
        while isinstance(first, ast.Attribute):
            end = first.end_col_offset or 0
            words.append(self.word(first.attr, self.place(end) - len(first.attr)))
            first = first.value
        if not isinstance(first, ast.Name):
            self.refuse(node, "a point belongs in a number (0.5) or between names (piston.x)")
            raise AssertionError
        place = self.place(first.col_offset)
        words.append(self.word(first.id, place))
        if len(words) == 1 and place not in self.quoted:
            if words[0] in CONSTANTS:
                return (("constant", words[0]),)
            if words[0] in FUNCTIONS:
                self.refuse(node, f"{words[0]!r} is a function; write {words[0]}(...)")
        return terms.name(".".join(reversed(words)))

    def word(self, word: str, place: int) -> str:
        """The word itself, or what the backquotes at its place enclose."""
        return self.quoted.get(place, word) if not word.strip("_") else word

    def call(self, node: ast.Call, depth: int) -> Term:
        name = canonical(node.func.id) if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            hint = " ".join(filter(None, [nearest(name, FUNCTIONS), "functions are", ", ".join(FUNCTIONS)]))
            self.refuse(node, f"unknown function {name!r}; {hint}")
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            self.refuse(node, f"{name} takes plain arguments only")
        arity, given = FUNCTIONS[name].arity, len(node.args)
        several = name in ("min", "max")
        if given != arity and not (several and given > arity):
            wanted = f"{arity} or more arguments" if several else f"{arity} argument{'s' * (arity > 1)}"
            self.refuse(node, f"{name} takes {wanted}, not {given}")
        operands = [self.visit(argument, depth + 1) for argument in node.args]
        u = join(name, *operands[:arity])
        for operand in operands[arity:]:
            u = join(name, u, operand)
        return u
