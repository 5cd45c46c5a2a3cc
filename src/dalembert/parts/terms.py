"""Formulas put together from numbers, formulas and names."""

from __future__ import annotations

from dalembert.errors import ModelError
from dalembert.expressions import number, parse


def term(value, what: str) -> str:
    """A number or formula as a term of another formula."""
    if isinstance(value, str):
        parse(value)
        return f"({value})"
    return repr(number(value, what=what))


def own(name, what: str) -> str:
    """The name of a part, which formulas must be able to spell."""
    if not isinstance(name, str) or not name.isidentifier():
        raise ModelError(f"{what}: its name is part of formulas, so it is made of letters, digits and _, got {name!r}")
    return name
