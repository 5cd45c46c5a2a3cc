"""Contact: bodies that may touch, by name.  It has no rows: ``simulate`` steps models with contacts (contacts/).

    0 ≤ u_n ⊥ r_n ≥ 0,   r_t = proj(|·| ≤ μ r_n)(r_t − ρ u_t)              exact Coulomb friction, rigid, no pyramid
    u_n⁺ = −e u_n⁻                                                          Newton's restitution of a blow
    f_n = max(0, −k gap − d u_n) at points with gap ≤ 0                     where it gives way (stiffness_N_per_m=): soft.py

a and b are a body, a Fixture, a list of them, "ground" (all fixtures) or "all".  Where several contacts name the same two
bodies, the one added last counts.  Bodies joined by a joint do not touch each other, unless ``joined=True``.
"""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.elements.element import Element, name_of
from dalembert.elements.given import Number, Ref
from dalembert.errors import ModelError

ALL = "all"
Side = Ref | Sequence[Ref]


class Contact(Element):
    """Bodies that may touch each other, with Coulomb friction and restitution.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    a : body, Fixture, name, list of these, "ground" or "all" [–]
        One side; "ground" are all fixtures, "all" everything that has a shape.
    b : body, Fixture, name, list of these, "ground" or "all" [–], default 'all'
        The other side; forces are read on its bodies.
    friction : number or formula [–], optional
        Coulomb's μ; left out: that of the shapes' surfaces.
    restitution : number or formula [–], optional
        Newton's e, 0 … 1; left out: that of the shapes' surfaces.
    joined : bool [–], default False
        Whether bodies joined by a joint touch each other too.
    stiffness_N_per_m : number or formula [N/m], optional
        Spring along the normal at every point that touches; left out: rigid.
    damping_N_s_per_m : number or formula [N·s/m], optional
        Damper beside that spring; left out: none.

    Notes
    -----
    Acts: 0 ≤ u_n ⊥ r_n ≥ 0 and r_t = proj(r_t − ρ u_t) onto |r_t| ≤ μ r_n at every point where shapes touch; a blow has
    u_n⁺ = −e u_n⁻. Of several contacts that name the same two bodies the one added last counts. With a stiffness each point gives
    way by a spring and a damper instead, f_n = max(0, −k gap − d u_n), and does not bounce by restitution.

    Signs: ``force``, ``torque`` (about the ground's origin) and ``impulse`` are those on the bodies b, ground axes.

    Degenerate: more than three points that hold one body share their load in many ways; the resultant is unique, the forces of
    the points are not. Shapes that overlap at the start are pushed out slowly.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("block", dim=2, gravity=(0, -10.0))
    >>> floor = m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    >>> block = m.add(da.Body.from_shape("block", da.Box((0.4, 0.2)), density=25.0, position=(0, 0.1)))
    >>> stand = m.add(da.Contact("stand", floor, block, friction=0.5))
    >>> float(da.simulate(m, 0.1)["stand"].force[-1, 1].round(6))           # carries m g = 25 × 0.08 × 10 N
    20.0
    """

    kind = "contact"
    joins_bodies = False
    arguments = {"a": "any", "b": "any", "friction": "number", "restitution": "number", "joined": "flag",
                 "stiffness_N_per_m": "number", "damping_N_s_per_m": "number"}

    def __init__(self, name: str, a: Side, b: Side = ALL, *, friction: Number | None = None, restitution: Number | None = None,
                 joined: bool = False, stiffness_N_per_m: Number | None = None, damping_N_s_per_m: Number | None = None) -> None:
        self.name, self.a, self.b = name, a, b
        self.friction, self.restitution, self.joined = friction, restitution, joined
        self.stiffness_N_per_m, self.damping_N_s_per_m = stiffness_N_per_m, damping_N_s_per_m
        coefficients(self, friction, restitution)
        self._giving_way()

    def _giving_way(self) -> None:
        """Refuse numbers that no spring or damper has, and what does not go together."""
        k, d, title = self.stiffness_N_per_m, self.damping_N_s_per_m, self.title
        if k is None and d is not None:
            raise ModelError(f"{title}: damping_N_s_per_m needs stiffness_N_per_m beside it (else the contact is rigid, and "
                             "restitution= says what a blow loses)")
        if k is not None and self.restitution not in (None, 0, 0.0):
            raise ModelError(f"{title}: restitution= is for rigid contacts; one with stiffness_N_per_m loses what its "
                             "damping_N_s_per_m takes")
        if isinstance(k, (int, float)) and not 0.0 < k < float("inf"):
            raise ModelError(f"stiffness_N_per_m of {title} must be positive, got {k:g}; leave it out for a rigid contact")
        if isinstance(d, (int, float)):
            check(d, f"damping_N_s_per_m of {title}")

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
