"""Formulas put together from numbers, formulas and names.

Numbers are known when a part is made, and what makes no sense is refused there; a formula over parameters is a number later.
"""

from __future__ import annotations

from dalembert.errors import ModelError
from dalembert.expressions import number, parse

POSITIVE, NOT_NEGATIVE, NOT_ZERO = "more than 0", "0 or more", "not 0"
GOOD = {POSITIVE: lambda x: x > 0.0, NOT_NEGATIVE: lambda x: x >= 0.0, NOT_ZERO: lambda x: x != 0.0}


def term(value, what: str, must: str | None = None) -> str:
    """A number or formula as a term of another formula; ``must``: what is asked of a number."""
    x = plain(value, what)
    if must is not None and x is not None and not GOOD[must](x):
        raise ModelError(f"{what} must be {must}, got {value!r}")
    return f"({value})" if isinstance(value, str) else repr(x)


def plain(value, what: str) -> float | None:
    """The number that is given; None of a formula that reads names."""
    if isinstance(value, str):
        formula = parse(value)
        return None if formula.names else float(formula.evaluate({}))
    return number(value, what=what)


def own(name, what: str) -> str:
    """The name of a part, which formulas must be able to spell."""
    if not isinstance(name, str) or not name.isidentifier():
        raise ModelError(f"{what}: its name is part of formulas, so it is made of letters, digits and _, got {name!r}")
    return name
