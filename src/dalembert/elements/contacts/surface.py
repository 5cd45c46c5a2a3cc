"""Surfaces: what shapes are made of where they touch, by name; and pairs of them.

Friction of two surfaces: that of their Pair, else √(μ₁ μ₂); restitution likewise √(e₁ e₂).  A contact's own numbers go before
both.
"""

from __future__ import annotations

from dalembert.elements.contacts.contact import coefficients
from dalembert.elements.element import Element


class Surface(Element):
    """A kind of surface: shapes name it by surface="steel" (``material`` is a colour)."""

    kind = "surface"
    joins_bodies = False
    arguments = {"friction": "number", "restitution": "number"}

    def __init__(self, name, *, friction, restitution=0.0):
        self.name, self.friction, self.restitution = name, friction, restitution
        coefficients(self, friction, restitution)


class Pair(Element):
    """Two surfaces on each other; ``m.pair("steel", "ice", friction=0.02)`` adds one."""

    kind = "pair"
    joins_bodies = False
    arguments = {"a": "text", "b": "text", "friction": "number", "restitution": "number"}

    def __init__(self, name, a, b, *, friction, restitution=0.0):
        self.name, self.a, self.b, self.friction, self.restitution = name, a, b, friction, restitution
        coefficients(self, friction, restitution)
