"""What signals, states and unknowns share: a kind, and names that formulas can spell and nothing else has."""

from __future__ import annotations

from typing import Any

from dalembert.elements.element import REGISTRY, Element
from dalembert.errors import ModelError
from dalembert.expressions import CONSTANTS, FUNCTIONS


class BaseSignal(Element, listed=False):
    kind = "signal"
    joins_bodies = False
    drawn_as = ""
    no_formula = "it is a signal, which formulas of the equations of motion do not hold"

    def check(self, b: Any) -> None:
        """Refuse names that mean something else in a formula."""
        own = {n for cls in REGISTRY.values() for n in cls.law_names} | {"t"}
        if self.name in own or self.name in FUNCTIONS or self.name in CONSTANTS:
            what = "a constant" if self.name in CONSTANTS else "a function" if self.name in FUNCTIONS else "what laws are given"
            raise ModelError(f"{self.title}: in formulas '{self.name}' means something else already ({what}); give "
                             "it another name")
