"""First reading of a formula: to a clean string; other text is refused with its place and a remedy.

The scanner walks once from left to right, knowing whether a value or an operator must come next.  It lets
through numbers, names (also in backquotes), + - * / **, parentheses and commas; so what reaches Python's
own parser is a formula and nothing else.  A backquoted name is replaced by as many underscores, so that all
places stay the same.
"""

from __future__ import annotations

import keyword
import re
from functools import cache
from typing import NoReturn

from ..errors import ExpressionError
from .functions import FUNCTIONS

LENGTH_LIMIT = 2_000
DEPTH_LIMIT = 50

_NUMBER = r"(?:[0-9]+(?:_[0-9]+)*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_WORD = r"[^\W\d]\w*"
_OPERATOR = r"\*\*|//|[-+*/]"

COMMA = "a comma belongs between the arguments of a function; the decimal mark is a point"
MISSING = "an operator is missing here; a product is written with *, as in 2*x or 2*(x + y)"
_STRINGS = "text in quotes is not allowed"
_COMPARE = "comparisons, assignments and keyword arguments are not allowed; to switch use step(x), min or max"
_LISTS = "lists, indexing and comprehensions are not allowed"
_LOGIC = "logical operators are not allowed; to switch use step(x), min or max"
_SUPERSCRIPT = "superscripts are not understood; write x**2"

REFUSED: dict[str, str] = {
    "^": "'^' is not a power here; write ** for a power",
    "'": _STRINGS, '"': _STRINGS,
    "=": _COMPARE, "<": _COMPARE, ">": _COMPARE, "!": _COMPARE,
    "[": _LISTS, "]": _LISTS,
    "{": "braces are not allowed; use parentheses ( )", "}": "braces are not allowed; use parentheses ( )",
    "&": _LOGIC, "|": _LOGIC, "~": _LOGIC,
    "%": "'%' is not allowed; write the remainder as x - y*floor(x/y)",
    "@": "'@' is not allowed; an expression is one number, not a matrix",
    "#": "comments are not allowed",
    ":": "':' is not allowed; an expression is one formula",
    ";": "';' is not allowed; an expression is one formula",
    "\\": "backslashes are not allowed",
    "−": "this is a typographic minus; write -", "–": "this is a dash; write -",
    "×": "write * for a product", "·": "write * for a product", "⋅": "write * for a product",
    "÷": "write / for a quotient", "√": "write sqrt(x)", "°": "angles are in radians; write x*pi/180",
    "²": _SUPERSCRIPT, "³": _SUPERSCRIPT,
}  # fmt: skip

KEYWORDS: dict[str, str] = {
    "lambda": "functions cannot be defined in an expression (lambda)",
    "if": "if/else is not allowed; to switch use step(x), min or max",
    "else": "if/else is not allowed; to switch use step(x), min or max",
    "and": _LOGIC, "or": _LOGIC, "not": _LOGIC, "is": _COMPARE, "in": _COMPARE,
    "for": _LISTS,
    "import": "nothing can be imported in an expression",
    "True": "True is not a number; write 1", "False": "False is not a number; write 0",
    "None": "None is not a number",
}  # fmt: skip


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Made when the first formula is read: a process without one need not wait for it."""
    return re.compile(text)


def shown(text: str) -> str:
    """The text in quotes, shortened to one line."""
    line = text if len(text) <= 60 else text[:57] + "..."
    return repr(line)


def refuse(text: str, place: int, reason: str) -> NoReturn:
    """Raise an error that quotes the text, says what is wrong, and marks the place."""
    first = max(0, place - 50)
    window = "".join(c if c.isprintable() else " " for c in text[first : place + 25])
    raise ExpressionError(f"expression {shown(text)}: {reason}\n    {window}\n    {' ' * (place - first)}^")


def refuse_word(text: str, place: int, word: str) -> None:
    """Refuse words that only Python understands."""
    if "__" in word:
        refuse(text, place, f"names with two underscores such as {word!r} are not allowed")
    if keyword.iskeyword(word):
        reason = KEYWORDS.get(word, f"{word!r} is a reserved word")
        refuse(text, place, f"{reason}. If it is a name, write it in backquotes: `{word}`")


def refuse_character(text: str, place: int) -> NoReturn:
    """Refuse a character that has no meaning in a formula."""
    character = text[place]
    reason = REFUSED.get(character, f"the character {character!r} has no meaning here")
    refuse(text, place, f"{reason}. Allowed are numbers, names, + - * / ** ( ) and functions such as sin(x)")


class Scanner:
    """One pass over a text: ``clean`` is the string for Python's parser, ``quoted`` maps places to names."""

    def __init__(self, text: str):
        self.text = text
        self.quoted: dict[int, str] = {}
        self.place = 0
        self.value_next = True  # a value must come next, not an operator
        self.after = ""  # the last value: "word", "number", "name" (quoted or after a point), ")"
        self.open: list[int] = []
        pieces = []
        while self.place < len(text):
            piece = self.piece(text[self.place])
            pieces.append(piece)
            self.place += len(piece)
        if self.open:
            refuse(text, self.open[-1], "this parenthesis is never closed")
        if self.value_next:
            refuse(text, len(text), "the expression ends where a value is expected")
        self.clean = "".join(pieces)

    def piece(self, character: str) -> str:
        """The next piece of the clean string, as long as what it stands for."""
        text, place = self.text, self.place
        if character.isspace():
            return " "
        if character == "`":
            return self.backquoted()
        if match := _pattern(_WORD).match(text, place):
            return self.word(match.group())
        if (character != "." or self.value_next) and (match := _pattern(_NUMBER).match(text, place)):
            return self.number(match.group())
        if match := _pattern(_OPERATOR).match(text, place):
            return self.operator(match.group())
        if character == ".":
            return self.point()
        if character in "(),":
            return self.bracket(character)
        refuse_character(text, place)

    def value(self, kind: str) -> None:
        if not self.value_next:
            refuse(self.text, self.place, MISSING)
        self.value_next, self.after = False, kind

    def number(self, digits: str) -> str:
        if self.after == ".":
            refuse(self.text, self.place, "a name is expected after the point")
        self.value("number")
        end = self.place + len(digits)
        if end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "_."):
            if self.text[end] in REFUSED:
                refuse_character(self.text, end)
            imaginary = "; complex numbers are not allowed" if self.text[end] in "jJ" else ""
            refuse(self.text, end, f"the number {digits} runs into what follows; a product is written with *,"
                   f" as in 2*x{imaginary}")  # fmt: skip
        if digits.isdigit() and len(digits) > 1 and digits[0] == "0":
            refuse(self.text, self.place, "an integer does not begin with 0")
        return digits

    def word(self, word: str) -> str:
        refuse_word(self.text, self.place, word)
        if not word.isidentifier():
            wrong = next(k for k in range(1, len(word) + 1) if not word[:k].isidentifier()) - 1
            refuse_character(self.text, self.place + wrong)
        self.value("word" if self.after != "." else "name")
        return word

    def backquoted(self) -> str:
        end = self.text.find("`", self.place + 1)
        if end < 0:
            refuse(self.text, self.place, "this backquote is never closed")
        name = self.text[self.place + 1 : end]
        if not name or not name.isprintable() or name.isspace():
            refuse(self.text, self.place, "a name in backquotes must have at least one visible character")
        self.value("name")
        self.quoted[self.place] = name
        return "_" * (len(name) + 2)

    def point(self) -> str:
        if self.value_next or self.after not in ("word", "name"):
            refuse(self.text, self.place, "a point belongs in a number (0.5) or between names (piston.x)")
        self.value_next, self.after = True, "."
        return "."

    def operator(self, sign: str) -> str:
        if sign == "//":
            refuse(self.text, self.place, "'//' is not allowed; write floor(x/y)")
        if self.value_next and (sign not in "+-" or self.after == "."):
            refuse(self.text, self.place, f"a value is missing before {sign!r}")
        self.value_next, self.after = True, ""
        return sign

    def bracket(self, character: str) -> str:
        text, place = self.text, self.place
        if character == "(":
            if not self.value_next and self.after == "name":
                allowed = ", ".join(FUNCTIONS)
                refuse(text, place, f"methods and quoted names cannot be called; functions are {allowed}")
            if not self.value_next and self.after != "word":
                refuse(text, place, MISSING)
            if self.after == ".":
                refuse(text, place, "a name is expected after the point")
            self.open.append(place)
            if len(self.open) > DEPTH_LIMIT:
                refuse(text, place, f"parentheses are nested more than {DEPTH_LIMIT} deep")
            self.value_next, self.after = True, ""
            return "("
        if self.value_next:
            refuse(text, place, f"a value is missing before {character!r}")
        if not self.open:
            refuse(text, place, "this parenthesis was never opened" if character == ")" else COMMA)
        if character == ")":
            self.open.pop()
            self.value_next, self.after = False, ")"
        else:
            self.value_next, self.after = True, ""
        return character
