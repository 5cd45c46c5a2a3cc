"""derive: the equations of motion of a model, to read and to use."""

from __future__ import annotations

from typing import Any

from dalembert.algebra.null_space import rank, unit_rows
from dalembert.analyses.toolbox.forms import make_form
from dalembert.errors import AnalysisError, hint
from dalembert.model.model import Model
from dalembert.symbolic.builder import SymbolicBuilder
from dalembert.symbolic.equations import methods
from dalembert.symbolic.equations.dynamics import embedded, terms
from dalembert.symbolic.equations.embedding import choose, partition
from dalembert.symbolic.equations.result import Equations
from dalembert.symbolic.kinematics.coordinates import Kinematics
from dalembert.symbolic.numbers.machine_code import BodyMotion, Evaluator
from dalembert.symbolic.numbers.states import coordinates_of, random_states
from dalembert.symbolic.simplify import begin
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.steps import Story

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")
TITLES = {
    "newton-euler": "Newton–Euler equations",
    "virtual-work": "Principle of virtual work",
    "dalembert": "d'Alembert's principle",
    "lagrange": "Lagrange's equations",
}


def derive(
    model, method: str = "lagrange", coordinates: Any = None, *, drives: str = "given", reduce: bool | None = None
) -> Equations:
    """Equations of motion of a model by one of four methods.

    coordinates: None (joint coordinates along a tree), "absolute" (x, y, θ or r, ω̄ of every body), or a list of names:
    joints ("O", "C.slide"), body coordinates ("rod.angle", "piston.x"), Euler angles ("tip.zxz").  As many names as there are
    degrees of freedom: the others are eliminated (embedded form).
    drives: "given" puts z(t) for a driven coordinate; "constraints" keeps drives as constraints with multipliers (what they must
    supply).
    reduce: True eliminates dependent coordinates, False keeps them with multipliers; the default is as said above.
    """
    if not isinstance(model, Model):
        raise AnalysisError(f"derive: expected a Model, got {model!r}")
    key = str(method).lower().replace("_", "-").replace(" ", "-").replace("'", "").replace("’", "")
    if key not in METHODS:
        raise AnalysisError(f"derive: method '{method}' is not known{hint(key, METHODS)} (methods: {', '.join(METHODS)})")
    if drives not in ("given", "constraints"):
        raise AnalysisError(f"derive: drives is 'given' or 'constraints', not {drives!r}")
    if isinstance(coordinates, str) and coordinates != "absolute":
        coordinates = [coordinates]
    begin()
    model = model.copy()
    system = model.compile()  # every message about the model itself comes from here
    if coordinates != "absolute" and key != "newton-euler" and not all(e.of_the_package for e in model.elements.values()):
        make_form(model, system, "recursive")  # whether users' joints keep what they promise
    names = None if coordinates is None or coordinates == "absolute" else [getattr(c, "name", c) for c in coordinates]
    return _newton_euler(model, names) if key == "newton-euler" else _minimal(model, key, coordinates, names, drives, reduce)


def _story(model, key) -> tuple[SymbolicBuilder, str]:
    return SymbolicBuilder(model), f"{TITLES[key]} of '{model.name}'"


def _newton_euler(model, names) -> Equations:
    b, title = _story(model, "newton-euler")
    t = terms(Kinematics(b, "absolute"))
    story = Story(title, t.kin.names.shown)
    sections.left_out(story, b)
    t = methods.newton_euler(t, story)
    if names is None:
        return Equations(model, "newton-euler", t, story)
    known = [c.name for c in t.kin.coordinates]
    if all(n in known for n in names):
        p = _partition(model, t, names)
        sections.partition(story, t, p)
        return _finish(model, "newton-euler", embedded(t, p), story, p, t)
    tree = terms(Kinematics(b, names))
    story.shown |= tree.kin.names.shown
    tree.kin.names.shown = story.shown
    found = methods.joint_embedding(t, tree, story)
    if not tree.rows:
        return _finish(model, "newton-euler", found, story)
    sections.constraints(story, tree, "Loop equations")
    p = _partition(model, found, tree.kin.spelled(names))
    sections.partition(story, found, p)
    return _finish(model, "newton-euler", embedded(found, p), story, p, found)


def _minimal(model, key, coordinates, names, drives, reduce) -> Equations:
    b, title = _story(model, key)
    kin = Kinematics(b, "absolute" if coordinates == "absolute" else names, keep_drives=drives == "constraints")
    if kin.n == 0:
        raise AnalysisError(
            f"derive: every coordinate of '{model.name}' is driven, so no equation of motion is left. Use drives='constraints' "
            "for what the drives must supply, or method='newton-euler' for all reactions"
        )
    t = terms(kin)
    story = Story(title, kin.names.shown)
    sections.left_out(story, b)
    names = kin.spelled(names) if names else names
    p = None
    if key == "virtual-work" and t.rows:
        p = _partition(model, t.tidied(), names or [])
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
        return _finish(model, key, methods.virtual_work(t, p, story), story, p, t)
    found = methods.dalembert(t, story) if key == "dalembert" else methods.lagrange(t, story)
    eqs = Equations(model, key, found, story)
    if found.rows and (reduce or (reduce is None and names and len(names) < kin.n and len(names) <= _freedom(model, found))):
        return eqs.embedded(names)
    sections.equations(story, eqs.equations)
    return eqs


def _finish(model, key, found, story, p=None, full=None) -> Equations:
    eqs = Equations(model, key, found, story, p, full)
    sections.equations(story, eqs.equations, "Equations of motion" if p is None else "Embedded equations of motion")
    return eqs


def _sample(model, t):
    """Numbers of the equations at a consistent state near the drawing."""
    symbols = list(t.kin.b.symbols.values())
    state = random_states(model, 1, seed=5)[0]
    x, u = coordinates_of(t.kin, state, list(t.kin.b.values.values()), BodyMotion(t.kin, symbols))
    return Evaluator(t, symbols)(state.t, x, u)


def _freedom(model, t) -> int:
    C = _sample(model, t).constraint_jacobian
    return t.kin.n - rank(unit_rows(C)[0])


def _partition(model, t, names):
    sample = _sample(model, t)
    independent, dependent = choose(sample.constraint_jacobian, [c.name for c in t.kin.coordinates], names)
    return partition(t, sample, independent, dependent)
