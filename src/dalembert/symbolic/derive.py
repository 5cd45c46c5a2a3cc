"""derive: the equations of motion of a model, to read and to use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from dalembert.algebra.null_space import rank, unit_rows
from dalembert.analyses.assemble import assemble
from dalembert.analyses.toolbox.forms import make_form
from dalembert.errors import AnalysisError, hint
from dalembert.model.model import Model
from dalembert.model.rubbing import rubs
from dalembert.symbolic.builder import SymbolicBuilder
from dalembert.symbolic.equations import free_bodies, methods
from dalembert.symbolic.equations import told as tell
from dalembert.symbolic.equations.dalembert import dalembert
from dalembert.symbolic.equations.dynamics import embedded, terms
from dalembert.symbolic.equations.embedding import choose, fails, partition
from dalembert.symbolic.equations.reactions import REACTIONS, ground_name, joint_forces
from dalembert.symbolic.equations.result import Equations
from dalembert.symbolic.equations.rows import rows
from dalembert.symbolic.friction import with_symbols
from dalembert.symbolic.kinematics.coordinates import Kinematics
from dalembert.symbolic.numbers.machine_code import BodyMotion, Evaluator
from dalembert.symbolic.numbers.states import coordinates_of, random_states
from dalembert.symbolic.simplify import begin
from dalembert.symbolic.text import sections, spelling
from dalembert.symbolic.text.spelling import Spelling
from dalembert.symbolic.text.steps import Story

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")
TITLES = {
    "newton-euler": "Newton–Euler equations",
    "virtual-work": "Principle of virtual work",
    "dalembert": "d'Alembert's principle",
    "lagrange": "Lagrange's equations",
}


def derive(model: Model, method: str = "lagrange", coordinates: Any = None, *, drives: str = "given", reduce: bool | None = None,
           reactions: str = "lambda", notation: str | None = None) -> Equations:
    """Equations of motion of a model by one of four methods.

    Parameters
    ----------
    model : Model
        The mechanism.
    method : str, default "lagrange"
        "lagrange", "virtual-work", "dalembert" or "newton-euler".
    coordinates : str or names, optional
        Left out: joint coordinates along a tree; "absolute" (x, y, θ or r, ω̄ of every body), "links" (plane: the angle θ
        of every body in place of its joint's), or a list of names: joints ("O", "C.slide"), body coordinates ("rod.angle",
        "piston.x"), Euler angles ("tip.zxz").  As many names as there are degrees of freedom: the others are eliminated
        (embedded form).  Naming the angle of one body asks for those of all; "links" may stand in a list, before the names.
    drives : str, default "given"
        "given" puts z(t) for a driven coordinate; "constraints" keeps drives as constraints with multipliers (what they
        must supply).
    reduce : bool, optional
        True eliminates dependent coordinates, False keeps them with multipliers; left out: as said above.
    reactions : str, default "lambda"
        Or "F" for joint forces by name, F_x^12 on body 2, its opposite on 1; "newton-euler" then has their formulas.
    notation : str, optional
        "shabana" (m², R_x², θ²), "me751" (Φ_r, Π̄), "kane" (a_jk, F_r*); left out: as the model has its names.

    Returns
    -------
    Equations
        Formulas with their steps; ``text``, ``latex``, ``html``, ``evaluate``, ``verify``, ``function``.
    """
    if not isinstance(model, Model):
        raise AnalysisError(f"derive: expected a Model, got {model!r}")
    key = str(method).lower().replace("_", "-").replace(" ", "-").replace("'", "").replace("’", "")
    if key not in METHODS:
        raise AnalysisError(f"derive: method '{method}' is not known{hint(key, METHODS)} (methods: {', '.join(METHODS)})")
    if drives not in ("given", "constraints"):
        raise AnalysisError(f"derive: drives is 'given' or 'constraints', not {drives!r}")
    if reactions not in REACTIONS:
        raise AnalysisError(f"derive: reactions is 'lambda' or 'F', not {reactions!r}")
    if isinstance(coordinates, str) and coordinates != "absolute":
        coordinates = [coordinates]
    contacts = [e.name for e in model.contacts.values() if e.kind == "contact"]
    if contacts:
        raise AnalysisError(f"derive of '{model.name}': contacts ({', '.join(contacts)}) have no formula (which points touch "
                            f"changes along the motion); derive a copy without them: c = m.copy(), c.remove({contacts[0]!r})")
    told = _Told(reactions, spelling.known(notation))
    begin()
    model, friction = with_symbols(model) if rubs(model) else (model.copy(), [])
    system = model.compile()  # every message about the model itself comes from here
    if coordinates != "absolute" and key != "newton-euler" and not all(e.of_the_package for e in model.elements.values()):
        make_form(model, system, "recursive")  # whether users' joints keep what they promise
    names = None if coordinates is None or coordinates == "absolute" else [getattr(c, "name", c) for c in coordinates]
    if names is not None and "links" in names and "links" not in model:
        told.links, names = True, [n for n in names if n != "links"]
        if model.dim == 3:
            raise AnalysisError("derive: coordinates 'links' are angles of bodies in the plane; in space name joints, or Euler "
                                "angles such as 'body.zxz'")
    if key == "newton-euler":
        eqs = _newton_euler(model, names, told)
    else:
        eqs = _minimal(model, key, coordinates, names, drives, reduce, told)
    eqs.story.without_tautologies()
    if friction:
        part = eqs.story.section("Friction")
        for law in friction:
            part.say(law)
    return eqs


@dataclass
class _Told:
    """How a derivation is to be told."""

    reactions: str
    notation: str
    links: bool = False

    def story(self, title, b, shown) -> Story:
        return Story(title, shown, spelling=Spelling(self.notation, b.body_names, b.symbols, ground_name(b.body_names)))


def _story(model, key) -> tuple[SymbolicBuilder, str]:
    return SymbolicBuilder(model), f"{TITLES[key]} of '{model.name}'"


def _newton_euler(model, names, told: _Told) -> Equations:
    b, title = _story(model, "newton-euler")
    t = terms(Kinematics(b, "absolute"))
    story = told.story(title, b, t.kin.names.shown)
    sections.left_out(story, b)
    make = partial(Equations, model, "newton-euler", reactions=told.reactions)
    unknown, sign = make(t, story).signed_multipliers
    t = free_bodies.newton_euler(t, story, unknown, sign)
    named = told.reactions == "F" and bool(t.rows)
    if names is None:
        forces = None
        if named:
            forces = _forces(story, t, unknown, _sample(model, t))
        return make(t, story, free=t, forces=forces)
    known = [c.name for c in t.kin.coordinates]
    if names and all(n in known for n in names) and not told.links:
        p, numbers = _partition(model, t, names)
        tell.partition(story, t, p, numbers)
        if named:
            acceleration = free_bodies.tell_embedded_accelerations(story, t, p)
            make = partial(make, forces=_forces(story, t, unknown, numbers, None, acceleration))
        return _finish(make, embedded(t, p), story, p, t, t)
    tree = terms(Kinematics(b, names, links=told.links))
    story.shown |= tree.kin.names.shown
    tree.kin.names.shown = story.shown
    found = methods.joint_embedding(t, tree, story)
    if named:
        acceleration = free_bodies.tell_accelerations(story, tree.kin)
        at = methods.positions_of(t.kin, tree.kin)
        make = partial(make, forces=_forces(story, t, unknown, _sample(model, t), at, acceleration))
    if not tree.rows:
        return _finish(make, found, story, free=t)
    sections.constraints(story, tree, "Loop equations")
    p, numbers = _partition(model, found, tree.kin.spelled(names))
    tell.partition(story, found, p, numbers)
    return _finish(make, embedded(found, p), story, p, found, t)


def _forces(story, t, unknown, numbers, at=None, acceleration=None):
    """Tells the joint forces; gives what computes them, once."""
    source = cache(partial(joint_forces, t, unknown, numbers.constraint_jacobian, at, acceleration))
    free_bodies.tell_forces(story, unknown, source)
    return source


def _minimal(model, key, coordinates, names, drives, reduce, told: _Told) -> Equations:
    b, title = _story(model, key)
    kin = Kinematics(b, "absolute" if coordinates == "absolute" else names, drives == "constraints", told.links)
    if kin.n == 0:
        raise AnalysisError(
            f"derive: every coordinate of '{model.name}' is driven, so no equation of motion is left. Use drives='constraints' "
            "for what the drives must supply, or method='newton-euler' for all reactions"
        )
    t = terms(kin)
    story = told.story(title, b, kin.names.shown)
    sections.left_out(story, b)
    names = kin.spelled(names) if names else names
    p = numbers = None
    make = partial(Equations, model, key, reactions=told.reactions)
    if key == "virtual-work" and t.rows:
        p, numbers = _partition(model, t.tidied(), names or [])
        if not p.independent:
            raise AnalysisError(
                f"derive: '{model.name}' has no degree of freedom left, so there is no virtual displacement. "
                + (
                    "Its drives take them: use drives='given', or method 'lagrange' or 'dalembert' with multipliers"
                    if drives == "constraints"
                    else "Use method='newton-euler' for its reactions"
                )
            )
    if key == "virtual-work":
        found = methods.virtual_work(t, p, story, numbers)
        _say_links(story, kin)
        return _finish(make, found, story, p, t)
    found = dalembert(t, story) if key == "dalembert" else methods.lagrange(t, story)
    _say_links(story, kin)
    eqs = make(found, story)
    if found.rows and (reduce or (reduce is None and names and len(names) < kin.n and len(names) <= _freedom(model, found))):
        return eqs.embedded(names)
    sections.equations(story, eqs.equations)
    return eqs


def _say_links(story, kin) -> None:
    """In a closed chain of the plane the angles of the links give the shorter formulas."""
    first = next((s for s in story.sections if s.title == "Coordinates"), None)
    if first is not None and kin.dim == 2 and not kin.absolute and not kin.links and rows(kin):
        first.say("Angles of the links in place of those of the joints: coordinates='links'.")


def _finish(make, found, story, p=None, full=None, free=None) -> Equations:
    eqs = make(found, story, p, full, free=free)
    sections.equations(story, eqs.equations, "Equations of motion" if p is None else "Embedded equations of motion")
    return eqs


def _sample(model, t, state=None):
    """Numbers of the equations at a consistent state near the drawing (or the one given)."""
    symbols = list(t.kin.b.symbols.values())
    state = random_states(model, 1, seed=5)[0] if state is None else state
    x, u = coordinates_of(t.kin, state, list(t.kin.b.values.values()), BodyMotion(t.kin, symbols))
    return Evaluator(t, symbols)(state.t, x, u)


def _freedom(model, t) -> int:
    C = _sample(model, t).constraint_jacobian
    return t.kin.n - rank(unit_rows(C)[0])


def _partition(model, t, names):
    """The partition, and the numbers it was chosen by: turns of bodies before their places where nobody named others, and what
    fails in the pose as drawn only where it was asked for."""
    sample, drawn = _sample(model, t), _sample(model, t, assemble(model)).constraint_jacobian
    every = [c.name for c in t.kin.coordinates]
    places = {k for k, name in enumerate(every) if t.kin.absolute and name.endswith((".x", ".y", ".z"))}
    independent, dependent = choose(sample.constraint_jacobian, every, names, places)
    said = fails(drawn, every, independent, dependent)
    if said and len(names) < len(independent):
        other = choose(drawn, every, names, places)
        if len(other[0]) == len(independent) and not fails(sample.constraint_jacobian, every, *other):
            (independent, dependent), said = other, ""
    p = partition(t, sample, independent, dependent)
    p.singular = said
    return p, sample
