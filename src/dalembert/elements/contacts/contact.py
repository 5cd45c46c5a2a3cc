"""Contact: bodies that may touch, by name.  It has no rows: ``simulate`` steps models with contacts (contacts/).

    0 ≤ u_n ⊥ r_n ≥ 0,   r_t = proj(|·| ≤ μ r_n)(r_t − ρ u_t)              exact Coulomb friction, rigid, no pyramid
    u_n⁺ = −e u_n⁻                                                          Newton's restitution of a blow

a and b are a body, a Fixture, a list of them, "ground" (all fixtures) or "all".  Where several contacts name the same two
bodies, the one added last counts.  Bodies joined by a joint do not touch each other, unless ``joined=True``.
"""

from __future__ import annotations

from dalembert.elements.element import Element, name_of
from dalembert.errors import ModelError

ALL = "all"


class Contact(Element):
    """Bodies a touch bodies b, with Coulomb friction and restitution (left out: those of the shapes' surfaces).

    a, b: a body, a Fixture, a list of them, "ground" (all fixtures), "all".  Forces are read on the bodies b: run["floor"].force.
    """

    kind = "contact"
    joins_bodies = False
    arguments = {"a": "any", "b": "any", "friction": "number", "restitution": "number", "joined": "flag"}

    def __init__(self, name, a, b=ALL, *, friction=None, restitution=None, joined=False):
        self.name, self.a, self.b = name, a, b
        self.friction, self.restitution, self.joined = friction, restitution, joined
        coefficients(self, friction, restitution)

    def sides(self) -> tuple[list[str], list[str]]:
        """Names of both sides, as given."""
        return _names(self.a, self.title), _names(self.b, self.title)


def coefficients(element, friction, restitution) -> None:
    """Refuse numbers that no surface has, as soon as they are given."""
    for value, what, most in ((friction, "friction", None), (restitution, "restitution", 1.0)):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            check(value, f"{what} of {element.title}", most)


def check(value: float, what: str, most: float | None = None) -> float:
    if not value >= 0.0 or value == float("inf") or (most is not None and value > most):
        raise ModelError(f"{what} must be {'0 or more' if most is None else f'0 … {most:g}'}, got {value:g}")
    return value


def _names(side, title: str) -> list[str]:
    if isinstance(side, (list, tuple)):
        if not side:
            raise ModelError(f"{title}: a list of bodies is empty; name at least one, or \"all\"")
        return [name_of(x, title) for x in side]
    return [name_of(side, title)]
