"""Newton–Euler: every body by itself with its reactions, the augmented matrix, and what follows for the joint forces.

    m R̈ = F + reactions,   J θ̈ = M + reactions' moments;  in space J̄ ω̄̇ + ω̄ × J̄ ω̄ = n̄
    [M Cᵀ; C 0] {v̇; λ} = {Q; γ}                     Q_c = −Cᵀλ, or Cᵀ F where the joint forces have names (reactions.py)
    r | ω̄ | λ      [M 0 Φ_rᵀ; 0 J̄ Π̄ᵀ; Φ_r Π̄ 0] {r̈; ω̄̇; λ} = {F; τ; γ}          the same, sorted (notation "me751")
"""

from __future__ import annotations

import sympy as sp

from dalembert.symbolic.equations import told
from dalembert.symbolic.equations.dynamics import Terms
from dalembert.symbolic.equations.reactions import SHORT, ground_name, in_turn, pair
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import tidy, weight
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.steps import Story

WHOLE = 24  # unknowns: larger matrices are written by blocks
BY_HAND = 12  # joint forces: more are not written out as formulas


def places(kin, body: str) -> list[int]:
    """Numbers of a body's own equations: of forces, then of moments (a particle has none of these)."""
    return [k for k, c in enumerate(kin.coordinates) if c.name.rpartition(".")[0] == body]


def translations(kin) -> list[int]:
    """Numbers of the equations of forces; the others are of moments."""
    return [k for body in kin.b.body_names for k in places(kin, body)[: kin.dim]]


def newton_euler(t: Terms, story: Story, unknown, sign: int) -> Terms:
    """Per body with reactions; then all together as the augmented matrix."""
    t = t.tidied()
    kin = t.kin
    sections.coordinates(story, kin)
    sections.constraints(story, t)
    if sign < 0 and t.rows:
        _names(story, kin, t, unknown)
    told.springs(story, t)
    for body in kin.b.body_names:
        own = places(kin, body)
        part = story.section(f"Free body: {body}", (body,))
        touching = [r.title if sign > 0 else r.element for r in t.rows if any(k in own for k in r.grad)]
        acts = "; a constraint acts on the body with −Cᵀλ." if sign > 0 else "."
        part.say(
            "Reactions come from " + ", ".join(dict.fromkeys(touching)) + acts if touching else "No constraint acts on it."
        )
        for k in own:
            part.show(balance(t, unknown, sign, k))
    if t.rows:
        augmented(story, t, unknown, sign)
    return t


def balance(t: Terms, unknown, sign: int, k: int) -> sp.Eq:
    """Newton's or Euler's equation number k."""
    left = sum((m * c.a for m, c in zip(t.M[k], t.kin.coordinates, strict=True)), ZERO) + t.inertia[k]
    push = sum((x * r.grad.get(k, ZERO) for x, r in zip(unknown, t.rows, strict=True)), ZERO)
    return sp.Eq(left, t.applied[k] - sign * push, evaluate=False)


def _names(story, kin, t, unknown):
    part = story.section("Joint forces")
    numbers = ground_name(kin.b.body_names)
    first, second = next(
        (tuple(kin.title(kin.b.markers[m].body) for m in kin.b.joints[r.element]) for r in t.rows if r.element in kin.b.joints),
        ("1", "2"),
    )
    shown = pair(*(numbers if x == "ground" else x for x in (first, second))).replace(" ", "")
    part.say(f"F^{shown} is the force that {first} exerts on {second}; {first} feels its opposite. Reactions are Cᵀ F, F = −λ."
             + (f" The ground is {numbers}." if numbers != "ground" else ""))
    for x, r in zip(unknown, t.rows, strict=True):
        part.show(x, story.symbol(f"“{r.title}”"))


def augmented(story: Story, t: Terms, unknown, sign: int) -> None:
    kin = t.kin
    part = story.section("Augmented form")
    part.say("[M Cᵀ; C 0] {v̇; λ} = {Q; γ}: as many multipliers as constraint equations."
             + (" The joint forces are F = −λ." if sign < 0 else ""))
    order = sorted_columns(kin) if story.spelling.notation == "me751" else list(range(kin.n))
    if story.spelling.notation == "me751":
        _course(part, story, t)
    if kin.n + len(t.rows) <= WHOLE:
        K, right = whole(t, order)
        part.show(story.symbol("K"), K)
        part.show(story.symbol("b"), right)
        return
    part.say(f"K has {kin.n + len(t.rows)} rows and columns. Its blocks that are not zero: M by body, C by joint and body.")
    own = {body: places(kin, body) for body in kin.b.body_names}
    blocks: dict[str, list] = {}
    for r in t.rows:
        blocks.setdefault(r.element, []).append(r)
    for body, at in own.items():
        part.show(story.symbol("M", body), sp.Matrix([[t.M[i][j] for j in at] for i in at]))
    for name, rows in blocks.items():
        for body, at in own.items():
            block = sp.Matrix([[r.grad.get(k, ZERO) for k in at] for r in rows])
            if any(block):
                part.show(story.symbol("C", f"{name},{body}"), block)
    for body, at in own.items():
        part.show(story.symbol("Q", body), sp.Matrix([t.Q[k] for k in at]))
    for name, rows in blocks.items():
        part.show(story.symbol("gamma", name), sp.Matrix([r.gamma for r in rows]))


def sorted_columns(kin) -> list[int]:
    """r of all bodies, then their rotations."""
    first = translations(kin)
    return first + [k for k in range(kin.n) if k not in first]


def whole(t: Terms, order) -> tuple[sp.Matrix, sp.Matrix]:
    """K and its right side with the columns in an order."""
    n, m = t.kin.n, len(t.rows)
    C = sp.Matrix(m, n, lambda i, j: t.rows[i].grad.get(order[j], ZERO))
    M = sp.Matrix(n, n, lambda i, j: t.M[order[i]][order[j]])
    K = sp.zeros(n + m)
    K[:n, :n], K[:n, n:], K[n:, :n] = M, C.T, C
    return K, sp.Matrix([*(t.Q[k] for k in order), *t.gamma])


def _course(part, story, t):
    """Φ_r, Π̄ and the right sides of the r–ω̄ form."""
    kin = t.kin
    r = translations(kin)
    turn = [k for k in range(kin.n) if k not in r]
    part.say("Columns in the order r | ω̄ | λ: [M 0 Φ_rᵀ; 0 J̄ Π̄ᵀ; Φ_r Π̄ 0] {r̈; ω̄̇; λ} = {F; τ; γ}, τ = n̄ − ω̄ × J̄ ω̄.")
    for letter, index, which in (("Phi", "r", r), ("Pi", "", turn)):
        block = sp.Matrix(len(t.rows), len(which), lambda i, j, which=which: t.rows[i].grad.get(which[j], ZERO))
        if len(t.rows) * len(which) <= WHOLE * WHOLE and sections.light(*block):
            part.show(story.symbol(letter, index), block)
    for letter, which in (("M", r), ("J", turn)):
        if len(which) <= WHOLE:
            part.show(story.symbol(letter), sp.Matrix(len(which), len(which), lambda i, j, w=which: t.M[w[i]][w[j]]))
    for letter, which in (("F", r), ("tau", turn)):
        part.show(story.symbol(letter), sp.Matrix([t.Q[k] for k in which]))
    part.show(story.symbol("gamma"), sp.Matrix(t.gamma))


# ------------------------------------------------------------------------------------------------------ joint forces


def tell_forces(story: Story, unknown, source) -> None:
    """Joint forces by substitution, and the equations that are left over; ``source`` gives the JointForces."""
    part = story.section("Joint forces by substitution")
    if len(unknown) > BY_HAND:
        part.say(f"{len(unknown)} forces: too many to write out; eqs.joint_forces has their formulas.")
        return
    found = source()
    if not found.known:
        part.say("The constraints are redundant: the equations do not determine every joint force.")
        return
    for s, e in in_turn(found.rows, found.right, unknown, found.forces):
        if sections.light(e):
            part.show(s, e)
    left = [tidy(e.lhs - e.rhs) for e in found.left]
    if left and all(weight(x) <= 3 * SHORT for x in left):
        part.say("Put into the equations that were not needed, no joint force is left:")
        for x in left:
            part.show(sp.Eq(x, 0, evaluate=False))


def tell_accelerations(story: Story, kin) -> list:
    """Positions and accelerations of the bodies as expressions of the coordinates; gives v̇, body by body."""
    part = story.section("Acceleration expressions")
    out = []
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        for letter, j in zip("xyz", f.com, strict=False):
            if sections.light(j.value):
                part.show(story.symbol(letter, f"G,{body}"), tidy(j.value))
        for letter, j in zip("xyz", f.com, strict=False):
            out.append(_second(kin, j.grad, j.bias))
            if sections.light(out[-1]):
                part.show(story.symbol(letter, f"G,{body}", 2), out[-1])
        turn = f.turn
        for c in range(len(turn.rate)):
            out.append(_second(kin, {n: g[c] for n, g in turn.grad.items()}, turn.bias[c]))
            letter = "theta" if kin.dim == 2 else f"omega{'xyz'[c]}"
            left = story.symbol(letter, body, 2 if kin.dim == 2 else 1)
            if sections.light(out[-1]) and story.shown.get(out[-1], ())[:3] != story.shown[left][:3]:
                part.show(left, out[-1])
    return out


def _second(kin, grad, bias):
    """Σ c_k q̈_k + h."""
    return sum((tidy(g) * kin.coordinates[n].a for n, g in sorted(grad.items())), ZERO) + tidy(bias)


def tell_embedded_accelerations(story: Story, t: Terms, p) -> list:
    """v̇ = B_i q̈_i + γ_i, line by line."""
    part = story.section("Acceleration expressions")
    out = []
    for k, c in enumerate(t.kin.coordinates):
        out.append(sum((b * t.kin.coordinates[i].a for b, i in zip(p.B[k], p.independent, strict=True)), ZERO) + p.gamma[k])
        if k not in p.independent and sections.light(out[-1]):
            part.show(c.a, out[-1])
    return out
