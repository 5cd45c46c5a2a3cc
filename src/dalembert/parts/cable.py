"""Cable with slack: pulls, never pushes.

    tension max(k (l − l₀) + c l̇, 0)  where l > l₀, else none
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.forces.spring import Spring
from dalembert.elements.given import Number, Ref, Vector
from dalembert.parts.terms import own, term


def cable(name: str, i: Ref, j: Ref, *, stiffness: Number, length: Number, damping: Number = 0.0, at_i: Vector | None = None,
          at_j: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None) -> list[Any]:
    """A cable between two points: ``stiffness`` (N/m) and ``damping`` (N s/m) act when it is longer than ``length`` (m).

    ``run[name].force`` is its tension, never negative; ``length`` may be a formula that reads signals (a winch).
    """
    own(name, "cable")
    k, c, l0 = (term(x, f"{what} of cable '{name}'") for x, what in ((stiffness, "stiffness"), (damping, "damping"),
                                                                    (length, "length")))
    law = f"step(length - {l0})*max({k}*(length - {l0}) + {c}*rate, 0)"
    return [Spring(name, i, j, at_i=at_i, at_j=at_j, on_i=on_i, on_j=on_j, actuator=law)]
