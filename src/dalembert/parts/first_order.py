"""First-order actuator: follows its input with a time constant.

    T ẏ = u − y
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.given import Number
from dalembert.elements.signals.differential import Differential
from dalembert.parts.terms import POSITIVE, own, term


def first_order(name: str, input: Number, *, time: Number, start: Number = 0.0) -> list[Any]:
    """The state ``name`` that follows ``input`` (number or formula) with the time constant ``time`` (s), from ``start``."""
    own(name, "first_order")
    return [Differential(name, f"({term(input, f'input of first_order {name!r}')} - {name})/"
                               f"{term(time, f'time of first_order {name!r}', POSITIVE)}", start=start)]
