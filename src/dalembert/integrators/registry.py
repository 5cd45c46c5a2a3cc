"""The methods there are: a new one is a file in methods/ and its line here (contract.py says what it must do)."""

from __future__ import annotations

import importlib
from functools import cache

from .contract import Method

FILES = (
    "dop853",
    "dp54",
    "kutta43",
    "radau",
    "alpha",
)
SHORT = "dp54"  # what "auto" starts with where steps are short from outside (steppers): a high order does not pay there
AUTO = ("dop853", "radau5")  # "auto" starts with the first and goes on with the second when the motion turns out stiff


@cache
def records() -> dict[str, Method]:
    """Every method by the name that files keep."""
    found = [importlib.import_module(f".methods.{file}", __package__).METHOD for file in FILES]
    return {m.name: m for m in found}


@cache
def known() -> dict[str, str]:
    """As users write it → the name that files keep; "auto" among them."""
    return {"auto": "auto"} | {word: m.name for m in records().values() for word in (*m.names, m.name)}


@cache
def record(name: str) -> Method:
    """Of the method with that name; of "auto" the one it starts with."""
    name = AUTO[0] if name == "auto" else name
    if name in FILES:  # a file that is called like its method: the others need not be loaded
        alone = importlib.import_module(f".methods.{name}", __package__).METHOD
        if alone.name == name:
            return alone
    found = records().get(name)
    if found is None:
        raise ValueError(f"unknown method {name!r}: choose from {', '.join(records())}")
    return found


def shown(**facts) -> list[str]:
    """The methods whose records have these facts, as users are told of them."""
    return [m.names[0] for m in records().values() if all(getattr(m, k) == v for k, v in facts.items())]
