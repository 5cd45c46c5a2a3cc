"""Contacts of a model → shapes that may touch (contacts/world.py): what each shape is, who touches whom, with which numbers.

Shapes of a body are those it has its mass from and its ``shapes=``: what is seen is what touches, but for links, which are for
the eye.  Shapes are put into groups: those that the same contacts name, with the same surface; the law of two shapes is that of
their groups.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.algebra.rotations import frame_along
from dalembert.contacts.hulls import core, extent
from dalembert.contacts.tables import BOX, CAPSULE, CYLINDER, PLANE, PLATE, POLYGON, POLYHEDRON, SPHERE
from dalembert.contacts.world import Shapes
from dalembert.elements.bodies import hull
from dalembert.elements.contacts.contact import ALL, check
from dalembert.errors import ModelError, hint
from dalembert.model.numbers import Numbers
from dalembert.model.standing import about_z, placed, standing

ENDLESS = 1e30  # third half edge of a plate: it has no ends along z
KINDS = "Box, Sphere, Cylinder, Capsule, Polygon (plane), Polyhedron and closed convex Mesh (space); HalfSpace in a Fixture"


def named(model, kind: str) -> dict:
    """Contacts, surfaces, pairs or fixtures of a model."""
    return {name: e for name, e in model.contacts.items() if e.kind == kind}


def known(model, element) -> None:
    """Names that a contact or pair uses must be in the model already."""
    if element.kind == "contact":
        bodies = {*model.bodies, *named(model, "fixture"), "ground", ALL}
        for name in (n for side in element.sides() for n in side):
            if name not in bodies:
                raise ModelError(f"{element.title}: there is no body or fixture '{name}'{hint(name, bodies)} "
                                 f"(bodies: {', '.join([*model.bodies, *named(model, 'fixture')])}, or \"ground\", \"all\")")
    if element.kind == "pair":
        surfaces = named(model, "surface")
        for name in (element.a, element.b):
            if name not in surfaces:
                raise ModelError(f"{element.title}: there is no surface '{name}'{hint(name, surfaces)} "
                                 f"(surfaces: {', '.join(surfaces) or 'none; add da.Surface(name, friction=) first'})")


def shapes_that_touch(model, system) -> Shapes:
    """All shapes that contacts of the model name, moving ones first."""
    return _Reader(model, system).shapes()


class _Reader:
    def __init__(self, model, system):
        self.model, self.system = model, system
        self.numbers = Numbers(model.dim, model.parameter_values())
        self.fixtures = {f.name: f for f in standing(model)}
        self.contacts = list(named(model, "contact").values())
        self.out = Shapes(contacts=[c.name for c in self.contacts])
        self.signs: dict[tuple, int] = {}  # (contacts that name it, surface) → group

    def shapes(self) -> Shapes:
        sides = [tuple(self._side(c, names) for names in c.sides()) for c in self.contacts]
        for contact, (a, b) in zip(self.contacts, sides, strict=True):
            if len(a | b) < 2 or not (a | b) - set(self.fixtures):
                why = "both sides stand still" if not (a | b) - set(self.fixtures) else f"'{min(a | b)}' cannot touch itself"
                raise ModelError(f"{contact.title}: {why}; name two bodies, or a body and a fixture")
        used = {name for pair in sides for side in pair for name in side}
        for k, name in enumerate(self.system.bodies):
            if name in used:
                self._body(k, name, sides)
        if not self.out.kind:
            raise ModelError(f"model '{self.model.name}': its contacts name no moving body that has shapes")
        for name, fixture in self.fixtures.items():
            if name in used:
                self._fixture(fixture, sides)
        self._laws()
        self._apart()
        return self.out

    def _side(self, contact, names) -> set[str]:
        """Bodies and fixtures of one side; those named by themselves must have shapes."""
        found: set[str] = set()
        for name in names:
            if name == ALL:
                found |= {b for b in self.system.bodies if self._touching(b)} | set(self.fixtures)
            elif name == "ground":
                if not self.fixtures:
                    raise ModelError(f"{contact.title}: nothing stands still in this model; add da.Fixture(name, shapes=…), "
                                     "or m.ground.shapes = […]")
                found |= set(self.fixtures)
            else:
                if name not in self.fixtures and not self._touching(name):
                    raise ModelError(f"{contact.title}: body '{name}' has no shape that can touch ({KINDS}); give it shapes=")
                found.add(name)
        return found

    def _touching(self, name) -> list:
        body = self.model.bodies[name]
        return [s for s in (*body.solids, *body.shapes) if self._kind(s)]

    def _kind(self, shape) -> str:
        seen = getattr(shape, "touches_as", "")
        if self.model.dim == 2:
            return "sphere" if shape.seen_as == "disc" else "" if seen == "mesh" else seen
        return seen

    # ------------------------------------------------------------------------------------------------------ shapes

    def _body(self, k, name, sides) -> None:
        body = self.model.bodies[name]
        odd = [s for s in (*body.solids, *body.shapes) if not self._kind(s) and not hasattr(s, "width")]
        if odd:
            raise ModelError(f"body '{name}': a {type(odd[0]).__name__} cannot touch; shapes that can: {KINDS}")
        com = np.zeros(3)
        com[: self.model.dim] = self.system.tables.bodies["com"][k]
        for shape in self._touching(name):
            if self._kind(shape) == "plane":
                raise ModelError(f"body '{name}': a HalfSpace stands still; put it into a da.Fixture, or into m.ground.shapes")
            place, turn = self._place(shape, f"{type(shape).__name__} of body '{name}'")
            self._put(shape, k, name, place - com, turn, sides)

    def _fixture(self, fixture, sides) -> None:
        title = "the ground" if fixture.name == "ground" else fixture.title
        base, turn = placed(fixture, self.numbers)
        for shape in fixture.shapes:
            what = f"{type(shape).__name__} of {title}"
            if hasattr(shape, "width"):  # a Link: for the eye
                continue
            if not self._kind(shape):
                raise ModelError(f"{what} cannot touch; shapes that can: {KINDS}")
            place, own = self._place(shape, what)
            self._put(shape, self.system.nb, fixture.name, base + turn @ place, turn @ own, sides)

    def _place(self, shape, what):
        """Place and rotation of a shape in the frame of what carries it; of a half-space: its normal as the third axis."""
        n, dim = self.numbers, self.model.dim
        place = np.zeros(3)
        if shape.position is not None:
            place[:dim] = n.vector(shape.position, f"position of {what}")
        if self._kind(shape) == "plane":
            normal = np.zeros(3)
            normal[:dim] = n.direction(shape.normal, f"normal of {what}")
            return place, self._turn(shape, what) @ frame_along(normal, 2)
        return place, self._turn(shape, what)

    def _turn(self, shape, what) -> np.ndarray:
        if shape.rotation is None:
            return np.eye(3)
        if self.model.dim == 2:
            if hasattr(shape.rotation, "__len__"):
                raise ModelError(f"{what}: in the plane its rotation is an angle, got {shape.rotation!r}")
            return about_z(self.numbers.number(shape.rotation, f"rotation of {what}"))
        return np.asarray(self.numbers.rotation(None, shape.rotation, what), float)

    def _put(self, shape, body, owner, place, turn, sides) -> None:
        n, o, flat, what = self.numbers, self.out, self.model.dim == 2, f"{type(shape).__name__} of '{owner}'"
        seen, away = self._kind(shape), 0.0
        if seen == "box":
            edges = [n.positive(x, f"edge of {what}") for x in shape.size]
            if len(edges) < self.model.dim:
                raise ModelError(f"{what}: to touch in space it needs three edges, got {shape.size!r}")
            edges = edges[: self.model.dim]
            half = [e / 2 for e in edges]
            kind, size = (PLATE, (*half, ENDLESS)) if flat else (BOX, tuple(half))
            bound, scale = math.hypot(*half), min(edges)
        elif seen == "sphere":
            r = n.positive(shape.radius, f"radius of {what}")
            kind, size, bound, scale, away = SPHERE, (r, r, r), r, 2 * r, r
        elif seen in ("cylinder", "capsule"):
            r, h = n.positive(shape.radius, f"radius of {what}"), n.positive(shape.length, f"length of {what}") / 2
            kind, size = CYLINDER if seen == "cylinder" else CAPSULE, (r, h, 0.0)
            bound, scale = (math.hypot(r, h), 2 * min(r, h)) if seen == "cylinder" else (r + h, 2 * r)
            away = r if seen == "capsule" else 0.0
        elif seen in ("polygon", "polyhedron", "mesh"):
            kind, size, away = POLYGON if flat else POLYHEDRON, (0.0, 0.0, 0.0), 0.0
            place, bound, scale, away = self._cornered(shape, seen, what, place, turn, kind)
        else:
            kind, size, bound, scale = PLANE, (0.0, 0.0, 0.0), 0.0, math.inf
        if shape.surface is not None and str(shape.surface) not in named(self.model, "surface"):
            surfaces = named(self.model, "surface")
            raise ModelError(f"{what}: there is no surface '{shape.surface}'{hint(str(shape.surface), surfaces)} "
                             f"(surfaces: {', '.join(surfaces) or 'none; add da.Surface(name, friction=)'})")
        sign = (tuple((owner in a, owner in b) for a, b in sides), shape.surface, body == self.system.nb)
        o.kind.append(kind)
        o.body.append(body)
        o.size.append(size)
        o.local.append([*place, *turn.ravel()])
        o.bound.append(bound)
        o.scale.append(scale)
        o.round.append(away)
        o.owner.append(owner)
        o.group.append(self.signs.setdefault(sign, len(self.signs)))

    def _cornered(self, shape, seen, what, place, turn, kind):
        """Corners and faces of a polygon, polyhedron or mesh about their middle: place, bounding radius, extent, rounding."""
        n, away, faces = self.numbers, 0.0, None
        if seen == "polygon":
            corners, away = shape.outline(n, what)
        elif seen == "polyhedron":
            corners, faces, _ = shape.surface_of(n, what)
        else:
            try:
                surface = shape.surface_of(n, what)
            except ModelError as error:
                raise ModelError(f"{str(error).removesuffix(', or give mass= and inertia=')}. To touch, a mesh must be closed "
                                 "and convex; a simple shape in its place will do as well") from None
            corners, faces, _ = hull.polyhedron(surface[0], what, surface[1])
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        corners = corners - middle
        self.out.solids[len(self.out.kind)] = (corners, faces)
        bound = float(np.linalg.norm(corners, axis=1).max()) + away
        return place + turn @ middle, bound, extent(corners, core(kind, None, corners, faces)[2]) + 2 * away, away

    # -------------------------------------------------------------------------------------------------------- laws

    def _laws(self) -> None:
        """Contact, friction and restitution of every two groups; facing: on whom its forces are read (_facing)."""
        signs, n = list(self.signs), len(self.signs)
        o = self.out
        o.contact, o.facing = np.full((n, n), -1, np.int64), np.ones((n, n))
        o.friction, o.restitution, o.stiffness, o.damping = (np.zeros((n, n)) for _ in range(4))
        laws: dict[tuple, tuple[float, ...]] = {}
        for i, (one, first, still) in enumerate(signs):
            for j, (other, second, stands) in enumerate(signs):
                if still and stands:
                    continue
                for c in reversed(range(len(self.contacts))):
                    forth, back = one[c][0] and other[c][1], one[c][1] and other[c][0]
                    if forth or back:
                        o.contact[i, j], o.facing[i, j] = c, _facing(forth, back, still, stands)
                        key = (c, first, second)
                        if key not in laws:
                            contact = self.contacts[c]
                            laws[key] = (*self._law(contact, first, second), *self._giving_way(contact))
                        o.friction[i, j], o.restitution[i, j], o.stiffness[i, j], o.damping[i, j] = laws[key]
                        if o.stiffness[i, j] > 0.0:
                            o.restitution[i, j] = 0.0
                        break

    def _law(self, contact, first, second) -> tuple[float, float]:
        n, found = self.numbers, []
        pairs = {frozenset((p.a, p.b)): p for p in named(self.model, "pair").values()}
        pair = pairs.get(frozenset((first, second))) if first and second else None
        known = named(self.model, "surface")
        surfaces = [known[s] for s in (first, second)] if first and second else []
        for what, most in (("friction", None), ("restitution", 1.0)):
            own = getattr(contact, what)
            if own is not None:
                found.append(check(n.number(own, f"{what} of {contact.title}"), f"{what} of {contact.title}", most))
            elif pair is not None:
                found.append(check(n.number(getattr(pair, what), f"{what} of {pair.title}"), f"{what} of {pair.title}", most))
            elif surfaces:
                values = [check(n.number(getattr(s, what), f"{what} of {s.title}"), f"{what} of {s.title}",
                                most) for s in surfaces]
                found.append(math.sqrt(values[0] * values[1]))
            elif what == "restitution":
                found.append(0.0)
            else:
                raise ModelError(f"{contact.title}: no friction is known of it; give friction= (0 for none), or surface= on the "
                                 "shapes of both sides")
        return found[0], found[1]

    def _giving_way(self, contact) -> tuple[float, float]:
        """Stiffness and damping of its points; zeros of a rigid one."""
        n, k, d = self.numbers, contact.stiffness_N_per_m, contact.damping_N_s_per_m
        if k is None:
            return 0.0, 0.0
        stiffness = n.positive(k, f"stiffness_N_per_m of {contact.title}")
        what = f"damping_N_s_per_m of {contact.title}"
        return stiffness, 0.0 if d is None else check(n.number(d, what), what)

    def _apart(self) -> None:
        """Neighbours at a joint do not touch, unless a contact that names both says so."""
        joined: set[tuple[int, int]] = set()
        for element in self.model.elements.values():
            if element.kind == "joint" and element.name in self.system.groups:
                bodies = sorted(self.system.groups[element.name].blocks)
                if len(bodies) == 2:  # a body hinged to the ground may still touch what stands there
                    joined.add((bodies[0], bodies[1]))
        groups: dict[int, set[int]] = {}
        for body, group in zip(self.out.body, self.out.group, strict=True):
            groups.setdefault(body, set()).add(group)
        for a, b in joined:
            of = {int(self.out.contact[i, j]) for i in groups.get(a, ()) for j in groups.get(b, ())} - {-1}
            if of and not any(self.contacts[c].joined for c in of):
                self.out.apart.add((a, b))


def _facing(forth: bool, back: bool, still: bool, stands: bool) -> float:
    """1: forces of a contact are read on the second of two shapes, −1: on the first, 0: on both, so that they cancel.

    forth, back: the first is on side a and the second on b, or the other way; still, stands: the first, the second stands still.
    """
    if forth and back:
        return 1.0 if still else -1.0 if stands else 0.0
    return 1.0 if forth else -1.0
