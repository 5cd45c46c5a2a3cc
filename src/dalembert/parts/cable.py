"""Cable with slack: pulls, never pushes.

    tension max(k (l − l₀) + c (l̇ − l̇₀), 0)  where l > l₀, else none

l̇₀ is zero for a number, the derivative of a formula of t and numbers, and has to be given for one that reads signals: a formula
knows their values, not their rates.
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.forces.spring import Spring
from dalembert.elements.given import Number, Ref, Vector
from dalembert.errors import ModelError
from dalembert.expressions import parse
from dalembert.parts.terms import NOT_NEGATIVE, POSITIVE, own, term


def cable(name: str, i: Ref, j: Ref, *, stiffness: Number, length: Number, damping: Number = 0.0,
          length_rate: Number | None = None, at_i: Vector | None = None, at_j: Vector | None = None, on_i: Vector | None = None,
          on_j: Vector | None = None) -> list[Any]:
    """A cable between two points: ``stiffness`` (N/m) and ``damping`` (N s/m) act when it is longer than ``length`` (m).

    ``run[name].force`` is its tension, never negative; ``length`` may be a formula that reads signals (a winch).  Damping acts on
    the stretching, so that it needs the rate of such a length: ``length_rate`` (m/s), a formula as well.
    """
    own(name, "cable")
    k, c, l0 = (term(x, f"{what} of cable '{name}'", must) for x, what, must in (
        (stiffness, "stiffness", POSITIVE), (damping, "damping", NOT_NEGATIVE), (length, "length", NOT_NEGATIVE)))
    reeled = _rate(name, length, l0, length_rate, damping)
    law = f"step(length - {l0})*max({k}*(length - {l0}) + {c}*(rate{reeled}), 0)"
    return [Spring(name, i, j, at_i=at_i, at_j=at_j, on_i=on_i, on_j=on_j, actuator=law)]


def _rate(name: str, length: Number, l0: str, given: Number | None, damping: Number) -> str:
    """" - l̇₀" as text; nothing where the length is a number, or nothing is damped."""
    if given is not None:
        return f" - {term(given, f'length_rate of cable {name!r}')}"
    if not isinstance(length, str) or damping == 0:
        return ""
    formula = parse(l0)
    if formula.names <= {"t"}:
        found = formula.derivative("t")
        return f" - ({found})" if str(found) != "0" else ""
    raise ModelError(f"cable '{name}': its length is '{length}', and its damping acts on the stretching: give length_rate=, how "
                     "fast this length changes (m/s; 0 where it only reads parameters)")
