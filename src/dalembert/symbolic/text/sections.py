"""What all derivations tell: coordinates, given motions, positions and velocities, constraints, loads, the final equations."""

from __future__ import annotations

import sympy as sp

from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import tidy, weight
from dalembert.symbolic.text.steps import Story

HEAVY = 2500  # operations: longer formulas are not written out step by step


def light(*formulas) -> bool:
    return all(weight(sp.sympify(f)) <= HEAVY for f in formulas)


def left_out(story: Story, b) -> None:
    """What the engine has and the formulas do not: forces along the line of centres of gears, which do no work."""
    names = [name for name, e in b.teeth.items() if float(e.slope) or float(e.constant)]
    if names:
        story.section("Left out").say(
            f"The force along the line of centres of {', '.join(names)} (pressure angle, chain, belt): it does no work, so the "
            "motion is right without it, but the multipliers of the bearings leave it out; simulate the model to have them.")


def coordinates(story: Story, kin) -> None:
    part = story.section("Coordinates")
    if kin.absolute:
        part.say(
            "Absolute coordinates of the centres of mass of all bodies"
            + (" (plane: x, y and the angle θ)." if kin.dim == 2 else "; ω̄ along body axes, A = matrix from body to ground axes.")
        )
    else:
        for joint, parent, child in kin.tree:
            element = kin.b.model.elements[joint]
            part.say(f"{type(element).__name__} {joint} carries {child} on {parent}.")
    for c in kin.coordinates:
        if c.q is not None:
            part.show(c.q, story.symbol(f"“{c.name}”"))
    if kin.given:
        motions = story.section("Given motions")
        for s, e in kin.given.items():
            if kin.names.shown[s][2] == 0:
                motions.show(s, e)
        motions.say("Their rates are known functions of t as well.")


def positions(story: Story, kin) -> None:
    part = story.section("Kinematics: centres of mass and rotations")
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        if kin.dim == 2:
            for letter, j in zip("xy", f.com, strict=True):
                part.show(story.symbol(letter, f"G,{body}"), tidy(j.value))
            if not f.theta.value.is_Symbol:
                part.show(story.symbol("theta", body), tidy(f.theta.value))
            for letter, j in zip("xy", f.com, strict=True):
                part.show(story.symbol(letter, f"G,{body}", 1), tidy(j.rate))
        elif light(*f.turn.rate, *f.trans.rate):
            part.show(story.symbol("omega", body), sp.Matrix([tidy(x) for x in f.turn.rate]))
            part.show(story.symbol("v", f"G,{body}"), sp.Matrix([tidy(x) for x in f.trans.rate]))
    if kin.dim == 3:
        ground = [body for k, body in enumerate(kin.b.body_names) if not kin.frames[k].body_axes]
        every = len(ground) == len(kin.b.body_names)
        own = "along the body's own axes"
        part.say(f"ω {own}, v_G along ground axes." if every else f"ω and v_G {own}." if not ground
                 else f"ω {own}, v_G too, but along ground axes for {', '.join(ground)}.")
    for why in kin.positive.values():
        part.say(f"Here {why}.")


def constraints(story: Story, terms, title="Constraint equations") -> None:
    if not terms.rows:
        return
    part = story.section(title)
    for k, r in enumerate(terms.rows, 1):
        part.say(f"({k}) {r.title}" + (" (velocity level: no position equation)" if r.phi is None else ""))
        e = r.rate if r.phi is None else r.phi
        if light(e):
            part.show(sp.Eq(e, 0, evaluate=False))


def loads(story: Story, terms, title="Virtual work of the active forces") -> None:
    part = story.section(title)
    kin = terms.kin
    for load in terms.loads:
        if not load.Q:
            continue
        shares = {k: tidy(x) for k, x in load.Q.items()}
        if light(*shares.values()):
            total = sum((x * story.symbol(*_delta(kin, k)) for k, x in shares.items()), ZERO)
            part.show(story.symbol("W", load.name, 0, "δ"), total)
    if not any(load.Q for load in terms.loads):
        part.say("No active force does work.")


def _delta(kin, k):
    """Letter, index, dots, prefix of δq_k."""
    c = kin.coordinates[k]
    if c.q is None:
        letter, index, _ = kin.names.shown[c.u]
        return letter.replace("omega", "pi"), index, 0, "δ"
    letter, index, _ = kin.names.shown[c.q]
    return letter, index, 0, "δ"


def partition(story: Story, terms, p) -> None:
    kin = terms.kin
    part = story.section("Dependent and independent coordinates")
    names = [kin.coordinates[k].name for k in p.independent]
    part.say(
        f"Independent: {', '.join(names) or 'none'}. Dependent: {', '.join(kin.coordinates[k].name for k in p.dependent)}. "
        "q̈ = B_i q̈_i + γ_i with B_i = [1; −C_d⁻¹ C_i] and γ_i = [0; C_d⁻¹ γ]."
    )
    if p.dropped:
        part.say("Rows implied by the others and left out: " + ", ".join(terms.rows[k].title for k in p.dropped))
    for k in p.dependent:
        total = sum((p.B[k][c] * story.symbol(*_delta(kin, i)) for c, i in enumerate(p.independent)), ZERO)
        if light(total):
            part.show(story.symbol(*_delta(kin, k)), total)
    if light(*(x for row in p.B for x in row)):
        part.show(story.symbol("B", "i"), sp.Matrix(p.B))
    if light(*p.gamma):
        part.show(story.symbol("gamma", "i"), sp.Matrix(p.gamma))


def equations(story: Story, found, title="Equations of motion") -> None:
    """The final equations; long ones with abbreviations."""
    part = story.section(title)
    if light(*(e.lhs for e in found), *(e.rhs for e in found)):
        for e in found:
            part.show(e)
        return
    table, short = abbreviate([x for e in found for x in (e.lhs, e.rhs)])
    part.say(f"Written with {len(table)} abbreviations z (each stands for a part that occurs more than once).")
    for k, (z, e) in enumerate(table, 1):
        story.shown[z] = ("z", str(k), 0)
        part.show(z, e)
    for k in range(len(found)):
        part.show(sp.Eq(short[2 * k], short[2 * k + 1], evaluate=False))


def abbreviate(formulas, at_least=3):
    """Parts that occur more than once get names: [(symbol, formula)], formulas."""
    parents: dict = {}
    order: list = []
    seen: set = set()
    stack: list = [(f, False) for f in reversed(formulas)]
    while stack:
        e, done = stack.pop()
        if done:
            order.append(e)
            continue
        if e in seen or not e.args or e.is_number:
            continue
        seen.add(e)
        stack.append((e, True))
        for a in e.args:
            parents[a] = parents.get(a, 0) + 1
            stack.append((a, False))
    table: list = []
    names: dict = {}
    for e in order:
        new = e.func(*(names.get(a, a) for a in e.args)) if any(a in names for a in e.args) else e
        if parents.get(e, 0) > 1 and weight(e) >= at_least:
            z = sp.Symbol(f"z{len(table) + 1}", real=True)
            table.append((z, new))
            names[e] = z
        elif new is not e:
            names[e] = new
    return table, [names.get(f, f) for f in formulas]


def statement(terms, multipliers, sign) -> list[sp.Eq]:
    """M u̇ + inertia = applied ∓ Cᵀ λ, one equation per unknown, and C u̇ = γ."""
    kin = terms.kin
    found = []
    for i, k in enumerate(terms.unknowns):
        left = sum((terms.M[i][j] * kin.coordinates[l].a for j, l in enumerate(terms.unknowns)), ZERO) + terms.inertia[i]
        push = sum((m * r.grad.get(k, ZERO) for m, r in zip(multipliers, terms.rows, strict=True)), ZERO)
        right = terms.applied[i] - push if sign > 0 else terms.applied[i] + push
        found.append(sp.Eq(left, right, evaluate=False))
    for r in terms.rows:
        left = sum((g * kin.coordinates[k].a for k, g in sorted(r.grad.items())), ZERO)
        found.append(sp.Eq(left, r.gamma, evaluate=False))
    return found
