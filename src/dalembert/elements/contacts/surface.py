"""Surfaces: what shapes are made of where they touch, by name; and pairs of them.

Friction of two surfaces: that of their Pair, else √(μ₁ μ₂); restitution likewise √(e₁ e₂).  A contact's own numbers go before
both.
"""

from __future__ import annotations

from dalembert.elements.contacts.contact import coefficients
from dalembert.elements.element import Element
from dalembert.elements.given import Number


class Surface(Element):
    """A kind of surface that shapes name by surface="steel".

    Parameters
    ----------
    name : string [–]
        Its name.
    friction : number or formula [–]
        Coulomb's μ on itself.
    restitution : number or formula [–], default 0.0
        Newton's e on itself, 0 … 1.

    Notes
    -----
    Acts: two surfaces have the numbers of their Pair, else √(μ₁ μ₂) and √(e₁ e₂); a contact's own numbers go before both.

    Signs: none. (``material=`` of a shape is its colour.)

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("slide", dim=2, gravity=(0, -10.0))
    >>> steel = m.add(da.Surface("steel", friction=0.2))
    >>> floor = m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1), surface="steel")]))
    >>> box = da.Box((0.4, 0.2), surface="steel")
    >>> block = m.add(da.Body.from_shape("block", box, density=25.0, position=(0, 0.1), velocity=(2, 0)))
    >>> slide = m.add(da.Contact("slide", floor, block))
    >>> float(da.simulate(m, 0.5)["block"].velocity[-1][0].round(6))     # v − μ g t
    1.0
    """

    kind = "surface"
    joins_bodies = False
    arguments = {"friction": "number", "restitution": "number"}

    def __init__(self, name: str, *, friction: Number, restitution: Number = 0.0) -> None:
        self.name, self.friction, self.restitution = name, friction, restitution
        coefficients(self, friction, restitution)


class Pair(Element):
    """Friction and restitution of two surfaces on each other.

    Parameters
    ----------
    name : string [–]
        Its name.
    a, b : name of a Surface [–]
        The two surfaces.
    friction : number or formula [–]
        Coulomb's μ between them.
    restitution : number or formula [–], default 0.0
        Newton's e between them, 0 … 1.

    Notes
    -----
    Acts: in place of √(μ₁ μ₂) and √(e₁ e₂) of the two surfaces. ``m.pair("steel", "ice", friction=0.02)`` adds one.

    Signs: none; the order of the two does not matter.

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("rink", dim=2, gravity=(0, -10.0))
    >>> steel, ice = m.add(da.Surface("steel", friction=0.4)), m.add(da.Surface("ice", friction=0.1))
    >>> slippery = m.add(da.Pair("steel on ice", "steel", "ice", friction=0.02))
    >>> rink = m.add(da.Fixture("rink", shapes=[da.HalfSpace((0, 1), surface="ice")]))
    >>> box = da.Box((0.4, 0.2), surface="steel")
    >>> skate = m.add(da.Body.from_shape("skate", box, density=25.0, position=(0, 0.1), velocity=(2, 0)))
    >>> glide = m.add(da.Contact("glide", rink, skate))
    >>> float(da.simulate(m, 0.5)["skate"].velocity[-1][0].round(6))     # v − μ g t
    1.9
    """

    kind = "pair"
    joins_bodies = False
    arguments = {"a": "text", "b": "text", "friction": "number", "restitution": "number"}

    def __init__(self, name: str, a: str, b: str, *, friction: Number, restitution: Number = 0.0) -> None:
        self.name, self.a, self.b, self.friction, self.restitution = name, a, b, friction, restitution
        coefficients(self, friction, restitution)
