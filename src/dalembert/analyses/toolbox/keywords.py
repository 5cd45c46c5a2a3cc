"""Keywords that a function does not have are refused in the house's own words, with the name that was meant."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dalembert.errors import DalembertError, hint

P = ParamSpec("P")
R = TypeVar("R")


def keywords(error: type[DalembertError], **meant: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Of a function: a keyword that it does not have raises ``error``; ``meant``: other names of what it has."""

    def named(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__  # type: ignore[attr-defined]
        names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]

        @wraps(function)
        def called(*args: P.args, **given: P.kwargs) -> R:
            for name in given:
                if name not in names:
                    cure = f": did you mean {meant[name]!r}?" if name in meant else hint(name, names)
                    raise error(f"{function.__name__} has no {name}={cure} (it takes {', '.join(names)})")
            return function(*args, **given)

        return called

    return named
