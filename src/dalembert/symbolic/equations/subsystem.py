"""Method II: moments of a set of bodies about a point, so that the joints inside the set and at the point drop out.

    Σ (r_G − r_P) × F_e + M_e + Σ (r_J − r_P) × F^J + M^J = Σ (r_G − r_P) × m a_G + J α

(in space J̄ ω̄̇ + ω̄ × J̄ ω̄ for J α; all along ground axes).  Arms are written along the links: from P through the pins inside the
set to each centre of mass, so that they hold angles and lengths and no positions; a body that no pin reaches has its arm from
coordinates.  The joint force at the far end has its arm along the ground where P and the joint are both on it, else along the
links, which is what cancels when two such equations are subtracted: ``c - b`` is the reduced form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import sympy as sp

from dalembert.errors import AnalysisError, hint
from dalembert.symbolic.equations import pictures
from dalembert.symbolic.equations.free_bodies import places as places_of
from dalembert.symbolic.equations.reactions import need_newton_euler
from dalembert.symbolic.kinematics.frames import cross
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.kinematics.valued import formula
from dalembert.symbolic.numbers.formulas import Formulas
from dalembert.symbolic.simplify import begin, tidy
from dalembert.symbolic.text.steps import Narrated, Story


class Subsystem(Narrated):
    """The balance of a set of bodies about a point; components are M (plane) or M_x, M_y, M_z, and the forces."""

    def __init__(self, eqs, bodies, about, moments, forces, title):
        self.eqs, self.bodies, self.about = eqs, bodies, about
        self._moments, self._forces, self.title = moments, forces, title

    @property
    def external(self) -> Any:
        """M_e: moments of external forces (without reactions)."""
        return _one([m.external for m in self._moments])

    @property
    def inertia(self) -> Any:
        """M_i: moments of the inertia forces."""
        return _one([m.inertia for m in self._moments])

    @property
    def reaction(self) -> Any:
        """Moment of the joint forces that remain."""
        return _one([m.reaction for m in self._moments])

    @property
    def reactions(self) -> list[sp.Symbol]:
        """Joint forces that remain in the moments."""
        return sorted({s for m in self._moments for s in m.remaining}, key=str)

    @property
    def equation(self) -> sp.Eq:
        """M_e + reactions = M_i in the plane; in space the first of ``equations``."""
        return self.equations[0]

    @property
    def equations(self) -> list[sp.Eq]:
        return [m.equation for m in self._moments]

    @property
    def forces(self) -> list[sp.Eq]:
        """The balance of forces of the same set."""
        return [f.equation for f in self._forces]

    def __sub__(self, other: Subsystem) -> Subsystem:
        """The difference of two balances: the reduced form."""
        if not isinstance(other, Subsystem) or other.eqs.model.name != self.eqs.model.name:
            raise AnalysisError("subsystem: only balances of the same derivation can be subtracted")
        begin()
        moments = [a.less(b) for a, b in zip(self._moments, other._moments, strict=True)]
        return Subsystem(self.eqs, self.bodies, self.about, moments, [], f"{self.title} less {other.title}")

    def residual(self, state) -> float:
        """Left side less right side in numbers at a state of the engine, as a part of its largest term."""
        terms, symbols, sign = _pieces(self.eqs)
        sides = [s for e in [*self.equations, *self.forces] for s in (e.lhs, e.rhs)]
        parts = [x for s in sides for x in sp.Add.make_args(s)]
        values = Formulas(terms, [*sides, *parts], symbols, sign)(state)
        gaps = values[: len(sides) : 2] - values[1 : len(sides) : 2]
        return float(np.abs(gaps).max(initial=0.0) / max(np.abs(values[len(sides) :]).max(initial=0.0), 1e-300))

    @property
    def story(self) -> Story:  # type: ignore[override]
        story = Story(f"Moments of {self.title}", dict(self.eqs.story.shown), spelling=self.eqs.story.spelling)
        part = story.section("M_e = M_i", tuple(self.bodies))
        for k, m in enumerate(self._moments):
            index = "" if len(self._moments) == 1 else ",xyz"[0] + "xyz"[k]
            part.show(story.symbol("M", f"e{index}"), m.external)
            if m.remaining:
                part.show(story.symbol("M", f"c{index}"), m.reaction)
            part.show(story.symbol("M", f"i{index}"), m.inertia)
        part.say("M_e + M_c = M_i: external moments and those of the joint forces that remain are the inertia's."
                 if self.reactions else "No joint force remains: M_e = M_i.")
        for e in self.equations:
            part.show(e)
        return story

    @property
    def diagrams(self) -> dict[tuple[str, ...], str]:  # type: ignore[override]
        """The set cut free as one, as drawn; none for differences of sets."""
        return pictures.beside(self.eqs, {tuple(self.bodies)} if self._forces else set())

    def __repr__(self) -> str:
        left = ", ".join(map(str, self.reactions)) or "none"
        return f"<moments of {self.title}: reactions that remain: {left}>"


def _one(items):
    return items[0] if len(items) == 1 else sp.Matrix(items)


class Balance:
    """One component as {factor: arm}: external and inertia terms, joint forces with arms along the ground and along the links."""

    def __init__(self, external: dict, inertia: dict, shown: dict, linked: dict):
        self.terms = external, inertia
        self.shown, self.linked = shown, linked

    @property
    def external(self):
        return _sum(self.terms[0])

    @property
    def inertia(self):
        return _sum(self.terms[1])

    @property
    def remaining(self) -> list[sp.Symbol]:
        return list(self.shown)

    @property
    def reaction(self):
        return _sum(self.shown)

    @property
    def equation(self) -> sp.Eq:
        return sp.Eq(self.external + self.reaction, self.inertia, evaluate=False)

    def less(self, o: Balance) -> Balance:
        """Subtracted with arms along the links, force by force."""
        pairs = zip((*self.terms, self.linked), (*o.terms, o.linked), strict=True)
        external, inertia, linked = (_less(x, y) for x, y in pairs)
        return Balance(external, inertia, linked, linked)


def _less(a: dict, b: dict) -> dict:
    return _short({s: a.get(s, ZERO) - b.get(s, ZERO) for s in {**a, **b}})


def _short(items: dict) -> dict:
    """Arms in a short form; zero whenever they are zero multiplied out."""
    return {s: tidy(x) for s, x in items.items() if sp.expand(x) != 0}


def _sum(items: dict):
    """Σ factor × arm, arms written with as few minus signs as possible."""
    total = []
    for factor, arm in items.items():
        parts = sp.Add.make_args(sp.expand(arm))
        negative = sum(x.could_extract_minus_sign() for x in parts)
        total.append(factor * arm if 2 * negative <= len(parts) else -factor * tidy(-arm))
    return sp.Add(*total)


def _put(items: dict, factor, arm):
    """A factor with its sign taken into the arm, so that F and −F are the same key."""
    if factor == 0 or arm == 0:
        return
    if factor.could_extract_minus_sign():
        factor, arm = -factor, -arm
    items[factor] = items.get(factor, ZERO) + arm


def _pieces(eqs):
    terms = need_newton_euler(eqs, "subsystem")
    like = type(eqs)(eqs.model, eqs.method, terms, eqs.story, reactions=eqs.reactions)
    symbols, sign = like.signed_multipliers
    return terms, symbols, sign


def subsystem(eqs, bodies, about) -> Subsystem:
    """Moments (and forces) of a set of bodies about a joint, a body's point, or a point of the ground."""
    begin()
    terms, symbols, sign = _pieces(eqs)
    kin = terms.kin
    names = [bodies] if isinstance(bodies, str) or not isinstance(bodies, Iterable) else list(bodies)
    names = [getattr(b, "name", b) for b in names]
    for b in names:
        if b not in kin.b.body_names:
            raise AnalysisError(f"subsystem: there is no body '{b}'{hint(str(b), kin.b.body_names)} (bodies: "
                                f"{', '.join(kin.b.body_names)})")
    if not names or len(set(names)) < len(names):
        raise AnalysisError("subsystem: name every body of the set once, as ['2', '3']")
    numbers = [kin.b.index[n] for n in names]
    places, words = _point(kin, about, numbers)
    arms = _arms(kin, places, numbers)
    dim, own = kin.dim, [places_of(kin, name) for name in kin.b.body_names]
    turns = 1 if dim == 2 else 3
    every = range(dim + turns)
    external, inertia, shown, linked = _none(every), _none(every), _none(every), _none(every)
    for b in numbers:
        for total, values in ((external, _applied(terms, numbers, own)), (inertia, _left(terms))):
            _wrench(kin, b, arms[b], [values[k] for k in own[b]], total)
    for s, r in zip(symbols, terms.rows, strict=True):
        touched = [b for b in numbers if any(k in own[b] for k in r.grad)]
        if not touched or _inside(kin, r.element, numbers):
            continue
        parts = _none(every)
        for b in touched:
            _wrench(kin, b, arms[b], [-sign * r.grad.get(k, ZERO) for k in own[b]], parts)
        force = [sum((f * a for f, a in x.items()), ZERO) for x in parts]
        along = _on_ground(kin, r, places, force, dim)
        for c in every:
            linked[c][s] = force[c]
            shown[c][s] = force[c] if along is None or c < dim else along[c - dim]
    balances = [Balance(*(_short(x[c]) for x in (external, inertia, shown, linked))) for c in every]
    title = f"{{{', '.join(names)}}} about {words}"
    return Subsystem(eqs, names, about, balances[dim:], balances[:dim], title)


def _none(every) -> list[dict]:
    return [{} for _ in every]


def _applied(terms, numbers, own):
    """Active forces without those that act between bodies of the set."""
    at = [{b for b, places in enumerate(own) if any(k in places for k in load.Q)} for load in terms.loads]
    inside = [load for load, on in zip(terms.loads, at, strict=True) if load.mutual and len(on) > 1 and on <= set(numbers)]
    if not inside:
        return terms.applied
    kept = [load for load in terms.loads if load not in inside]
    return [tidy(sum((load.Q.get(k, ZERO) for load in kept), ZERO)) for k in range(terms.kin.n)]


def _left(terms):
    """M v̇ + h."""
    a = [c.a for c in terms.kin.coordinates]
    return [sum((m * x for m, x in zip(row, a, strict=True) if m != 0), ZERO) + h
            for row, h in zip(terms.M, terms.inertia, strict=True)]


def _wrench(kin, b, arm, row, total):
    """Adds force, and moment about P, of generalised forces on a body (moments about its centre of mass, along its own axes)."""
    dim = kin.dim
    F, T = row[:dim], row[dim:]
    if dim == 3 and T:
        T = list(kin.frames[b].A @ np.array(T, dtype=object))
    for c in range(dim):
        _put(total[c], F[c], sp.S.One)
    for c, turn in enumerate(T):
        _put(total[dim + c], turn, sp.S.One)
    for c, i, j in ((0, 0, 1),) if dim == 2 else ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        _put(total[dim + c], F[j], arm[i])
        _put(total[dim + c], F[i], -arm[j])


def _inside(kin, element, numbers) -> bool:
    """Whether both bodies of a joint are in the set."""
    if element not in kin.b.joints:
        return False
    return all(kin.b.markers[m].body in numbers for m in kin.b.joints[element])


# ------------------------------------------------------------------------------------------------------------- arms


def _point(kin, about, numbers):
    """Where P is: {body: place in its own frame}, and in words."""
    model = kin.b.model
    if isinstance(about, str) or hasattr(about, "name"):
        name = getattr(about, "name", about)
        if name in kin.b.joints:
            mi, mj = kin.b.joints[name]
            pinned = [(kin.b.markers[m].body, formula(kin.b.markers[m].local)) for m in (mi, mj)]
            if not _pins(kin, name):
                pinned = [p for p in pinned if p[0] in numbers] or pinned
                pinned = pinned[:1]
            return dict(pinned), name
        body, _, part = str(name).partition(".")
        if name in kin.b.body_names or (body in kin.b.body_names and part == "com"):
            k = kin.b.index[body]
            if part:
                return {k: formula(kin.b.resolved[k]["com"])}, f"the centre of mass of {body}"
            return {k: formula(kin.b.vector([0] * kin.dim, "about"))}, f"the reference point of {body}"
        known = [*kin.b.joints, *kin.b.body_names]
        raise AnalysisError(f"subsystem: there is no point '{name}'{hint(str(name), known)}; about= takes a joint "
                            f"({', '.join(kin.b.joints)}), a body (its reference point; '{kin.b.body_names[0]}.com': its centre "
                            "of mass), a point of the ground, or (body, point)")
    items = list(about) if isinstance(about, (list, tuple, np.ndarray)) else []
    if len(items) == 2 and getattr(items[0], "name", items[0]) in kin.b.body_names and isinstance(items[1], (list, tuple)):
        name = getattr(items[0], "name", items[0])
        place = formula(kin.b.vector(items[1], f"point of body '{name}'"))
        return {kin.b.index[name]: place}, f"a point of {name}"
    if len(items) != kin.dim:
        raise AnalysisError(f"subsystem of '{model.name}': about= takes a joint, a body, {kin.dim} coordinates of a point of the "
                            f"ground, or (body, point), not {about!r}")
    return {kin.b.ground: formula(kin.b.vector(items, "about"))}, "a point of the ground"


def _pins(kin, name) -> bool:
    """Whether a joint holds two points together."""
    return any(family == "coincide" for g in kin.b.groups if g.name == name for family, _, _ in g.pieces)


def _turn(kin, b, s):
    """A vector of a body along ground axes."""
    return np.array([x.value for x in kin.frames[b].axis(list(s))], dtype=object)


def _arms(kin, places, numbers):
    """From P to each centre of mass, through the pins inside the set."""
    com = {b: formula(kin.b.resolved[b]["com"]) for b in numbers}
    found = {b: _turn(kin, b, com[b] - place) for b, place in places.items() if b in numbers}
    pins = [tuple(kin.b.joints[n]) for n in kin.b.joints if _pins(kin, n)]
    grown = bool(found)
    while grown:
        grown = False
        for pair in pins:
            for m, n in (pair, pair[::-1]):
                here, there = kin.b.markers[m].body, kin.b.markers[n].body
                if here in found and there in numbers and there not in found:
                    s, t = formula(kin.b.markers[m].local), formula(kin.b.markers[n].local)
                    found[there] = found[here] + _turn(kin, here, s - com[here]) + _turn(kin, there, com[there] - t)
                    grown = True
    for b in numbers:
        if b not in found:
            body, place = next(iter(places.items()))
            P = [x.value for x in kin.frames[body].point(place)]
            found[b] = np.array([c.value - p for c, p in zip(kin.frames[b].com, P, strict=True)], dtype=object)
    return found


def _on_ground(kin, row, places, force, dim):
    """Moment of a pin's force whose place and P are both on the ground, with the arm along the ground; None otherwise."""
    ground = kin.b.ground
    if ground not in places or row.element not in kin.b.joints or not _pins(kin, row.element):
        return None
    at = [m for m in kin.b.joints[row.element] if kin.b.markers[m].body == ground]
    if not at or not any(x != 0 for x in force[:dim]):
        return None
    arm = formula(kin.b.markers[at[0]].local) - places[ground]
    F = force[:dim]
    return [arm[0] * F[1] - arm[1] * F[0]] if dim == 2 else list(cross(arm, F))
