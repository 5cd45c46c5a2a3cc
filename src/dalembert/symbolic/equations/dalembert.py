"""d'Alembert's principle, term by term, as its text has it:

    Σ m a_G·∂v_G/∂q̇_k + Σ (I·α + ω × H_G)·∂ω/∂q̇_k = F_k + Σ λ_j a_jk            a_jk q̇_k + a_j0 = 0

Body by body: ω, α, H_G = I·ω, a_G and I·α + ω × H_G; their products with the partial velocities, P_k (translation) and N_k
(rotation); the sum of these is the left side L_k.  Kane's equations say the same: F_r + F_r* = 0 with F_r* = −L_r.
In space vectors are along the body's own axes (v_G and a_G along ground axes in absolute coordinates).
"""

from __future__ import annotations

import sympy as sp

from dalembert.symbolic.equations import told
from dalembert.symbolic.equations.dynamics import Terms
from dalembert.symbolic.equations.embedding import rest
from dalembert.symbolic.kinematics.frames import zeros
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import tidy, weight
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.steps import Story

BRIEF = 150  # operations: longer terms of single bodies are not written out


def brief(*formulas) -> bool:
    return all(weight(sp.sympify(x)) <= BRIEF for x in formulas)


def dalembert(t: Terms, story: Story) -> Terms:
    """Partial velocities, accelerations, generalised forces, constraint coefficients."""
    t = t.tidied()
    kin = t.kin
    story.spelling.angled = any(c.q is not None and kin.names.shown[c.q][0] == "alpha" for c in kin.coordinates)
    sections.coordinates(story, kin)
    sections.positions(story, kin)
    _partial(story, kin)
    _bodies(story, t)
    _products(story, t)
    told.springs(story, t)
    sections.loads(story, t, "Virtual work of the active forces")
    part = story.section("Generalised forces F_k")
    part.say("F_k is what multiplies δq_k in the sum of all δW.")
    for k, c in enumerate(kin.coordinates):
        if sections.light(t.applied[k]):
            part.show(story.symbol("F", c.name), t.applied[k])
    if t.rows:
        _constraints(story, t)
    return t


def _rate(story, kin, c):
    return story.symbol(*kin.names.shown[c.u][:3], "∂")


def _partial(story, kin):
    part = story.section("Partial velocities")
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        for n, c in enumerate(kin.coordinates):
            for letter, twist in (("v", f.trans), ("omega", f.turn)):
                if n in twist.grad and sections.light(*twist.grad[n]):
                    value = [tidy(x) for x in twist.grad[n]]
                    if any(value):
                        index = f"G,{body}" if letter == "v" else body
                        part.show(story.symbol(letter, index, 0, "∂") / _rate(story, kin, c), _vector(value))


def _vector(value):
    return value[0] if len(value) == 1 else sp.Matrix(value)


def _acceleration(kin, twist):
    """Σ ∂·q̈_k + bias."""
    total = twist.bias
    for n, g in twist.grad.items():
        total = total + g * kin.coordinates[n].a
    return total


def _bodies(story, t):
    kin = t.kin
    part = story.section("Accelerations, angular momentum, inertia moments")
    spin = ("omega", 1) if story.spelling.angled else ("alpha", 0)
    part.say("a_G and α with the accelerations q̈ in them; H_G = I·ω; the moment of the inertia forces is I·α + ω × H_G"
             + (" (in the plane ω × H_G = 0)." if kin.dim == 2 else "; n is ω × H_G.")
             + (" The angular acceleration is written ω̇, as α is an angle here." if story.spelling.angled else ""))
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        a, alpha = _acceleration(kin, f.trans), _acceleration(kin, f.turn)
        H, bias = f.weigh(f.turn.rate), f.momentum_bias()
        turned = story.symbol(spin[0], body, spin[1])
        items = [(story.symbol("a", f"G,{body}"), a), (turned, alpha), (story.symbol("H", f"G,{body}"), H)]
        if kin.dim == 3:
            items += [(story.symbol("I", body) * turned, f.weigh(alpha)), (story.symbol("n", body), bias)]
        for left, value in items:
            value = [tidy(x) for x in value]
            if brief(*value):
                part.show(left, _vector(value))


def _products(story, t):
    kin = t.kin
    part = story.section("Inertia: Σ m a_G·∂v_G/∂q̇ + (I·α + ω × H)·∂ω/∂q̇")
    part.say("P: m a_G·∂v_G/∂q̇_k of a body; N: (I·α + ω × H_G)·∂ω/∂q̇_k of a body; L_k: their sum, alone where it has one term. "
             "Long ones are left out; eqs.inertia_terms has all of them.")
    for i, c in enumerate(kin.coordinates):
        terms = [(letter, body, value) for k, body in enumerate(kin.b.body_names)
                 for letter, value in products(kin, kin.frames[k], i) if value != 0]
        for letter, body, value in terms if len(terms) > 1 else ():
            if brief(value):
                part.show(story.symbol(letter, f"{body},{c.name}"), value)
        left = sum((t.M[i][j] * d.a for j, d in enumerate(kin.coordinates)), ZERO) + t.inertia[i]
        if sections.light(left):
            part.show(story.symbol("L", c.name), left)
    if story.spelling.notation == "kane":
        part.say("Kane: the generalised inertia force is F_r* = −L_r, and F_r + F_r* = 0.")


def inertia_terms(kin) -> dict:
    """{(body, coordinate): (P, N)}."""
    return {(body, c.name): tuple(x for _, x in products(kin, kin.frames[k], i))
            for k, body in enumerate(kin.b.body_names) for i, c in enumerate(kin.coordinates)}


def products(kin, f, i):
    """P and N of one body for coordinate i, gathered by accelerations."""
    out = []
    for letter, twist, weigh, bias in (("P", f.trans, lambda x: x * f.mass, None), ("N", f.turn, f.weigh, f.momentum_bias())):
        if i not in twist.grad:
            out.append((letter, ZERO))
            continue
        mine = twist.grad[i]
        total = ZERO
        for n, g in sorted(twist.grad.items()):
            total += tidy(sum(weigh(g) * mine)) * kin.coordinates[n].a
        fixed = weigh(twist.bias) + (zeros(len(mine)) if bias is None else bias)
        out.append((letter, total + tidy(sum(fixed * mine))))
    return out


def _constraints(story, t):
    kin = t.kin
    part = story.section("Constraints Σ a_jk q̇_k + a_j0 = 0")
    for j, r in enumerate(t.rows, 1):
        part.say(
            f"({j}) {r.title}: {'holonomic' if r.level == 0 else 'nonholonomic'}; λ_{j} is the force (or torque) it exerts"
        )
        if sections.light(r.rate):
            part.show(sp.Eq(r.rate, 0, evaluate=False))
    a = sp.Matrix(len(t.rows), kin.n, lambda i, k: t.rows[i].grad.get(k, ZERO))
    if brief(*a):
        part.say("The coefficients: row j, column k is a_jk.")
        part.show(story.symbol("a", "jk"), a)
    a0 = [tidy(rest(r, kin)) for r in t.rows]
    if any(a0) and brief(*a0):
        part.show(story.symbol("a", "j0"), sp.Matrix(a0))
