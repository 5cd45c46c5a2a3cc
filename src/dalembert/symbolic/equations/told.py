"""What a derivation tells between its formulas: springs by their length, the partition of coordinates, energies body by body.

    spring       l, l̇, δl and f_s = k (l − l₀) + c l̇ + f_a, then δW = −f_s δl
    partition    C_qd δq_d = −C_qi δq_i, where it can be solved, and C_q B_i = 0: B_iᵀ Q_c = −(C_q B_i)ᵀ λ = 0
    energy       T^i = ½ m v_G² + ½ ω̄·J̄ ω̄ of each body
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import equal, tidy, weight
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.steps import Story

SMALL = 400  # operations: what is decided symbolically


def springs(story: Story, terms) -> None:
    told = [load for load in terms.loads if load.spring]
    if not told:
        return
    kin = terms.kin
    part = story.section("Springs, dampers and actuators")
    part.say("l is the distance between the two points, f_s the force that pulls them together; δW = −f_s δl.")
    for load in told:
        l, rate, f, grad = load.spring
        for s in (l, rate):
            if sections.light(kin.abbreviations[s]):
                part.show(s, kin.abbreviations[s])
        total = sum((x * story.symbol(*sections._delta(kin, k)) for k, x in grad.items()), ZERO)
        change = story.symbol("l", load.name, 0, "δ")
        if sections.light(total):
            part.show(change, total)
        part.show(f, kin.abbreviations[f])
        part.show(story.symbol("W", load.name, 0, "δ"), -f * change)


def partition(story: Story, terms, p, sample) -> None:
    """C_qd and C_qi, the system for the dependent displacements, its solution (text/sections.py), and where it fails."""
    kin = terms.kin
    rows = [r for k, r in enumerate(terms.rows) if k not in p.dropped]
    blocks = [sp.Matrix(len(rows), len(cols), lambda i, j, cols=cols: rows[i].grad.get(cols[j], ZERO))
              for cols in (p.dependent, p.independent)]
    part = story.section("Partition of the Jacobian")
    part.say("C_q δq = 0 with the dependent coordinates on the left: C_qd δq_d = −C_qi δq_i.")
    if sections.light(*blocks[0], *blocks[1]):
        for letter, block in zip(("qd", "qi"), blocks, strict=True):
            if block.cols:
                part.show(story.symbol("C", letter), block)
        if len(p.dependent) <= 4 and p.independent:
            _system(part, story, kin, p, blocks)
    moving = [x for x in p.pivots if x.free_symbols & {c.q for c in kin.coordinates}]
    if moving and sections.light(*moving):  # only their product: one pivot's zero may be the next one's pole
        part.say("C_qd is singular where its determinant is zero, which is (but for constant factors)")
        part.show(tidy(sp.Mul(*moving)))
        part.say("In such a pose the dependent coordinates do not follow from the independent ones.")
    if p.singular:
        part.say(p.singular)
    sections.partition(story, terms, p)
    no_reactions(story, terms, p, sample)


def _system(part, story, kin, p, blocks):
    """C_qd {δq_d} = −C_qi {δq_i}, row by row."""
    if all(sum(x != 0 for x in blocks[0].row(i)) == 1 and sum(blocks[0].row(i)) == 1 for i in range(blocks[0].rows)):
        return  # each row is solved as it stands: the next section has it
    left, right = (block * sp.Matrix([story.symbol(*sections._delta(kin, k)) for k in which])
                   for block, which in zip(blocks, (p.dependent, p.independent), strict=True))
    part.say("Row by row:")
    for i in range(left.rows):
        part.show(sp.Eq(left[i], -right[i], evaluate=False))


def no_reactions(story: Story, terms, p, sample) -> None:
    """B_iᵀ Q_c = 0, shown on this mechanism."""
    if not p.independent:
        return
    part = story.section("No reactions are left: B_iᵀ Q_c = 0")
    part.say("Q_c = −C_qᵀ λ, so B_iᵀ Q_c = −(C_q B_i)ᵀ λ, and C_q B_i = −C_qd C_qd⁻¹ C_qi + C_qi = 0. Multiplied out:")
    product = [[sum((x * p.B[k][c] for k, x in r.grad.items()), ZERO) for c in range(len(p.independent))] for r in terms.rows]
    if all(weight(x) <= SMALL for row in product for x in row) and all(equal(x, 0) for row in product for x in row):
        C, B = (sp.Symbol(name, commutative=False) for name in ("C_q", "B_i"))
        story.shown |= {C: ("C", "q", 0, ""), B: ("B", "i", 0, "")}
        part.show(C * B, sp.zeros(len(product), len(p.independent)))
        return
    found = _in_numbers(sample, p)
    part.say("the products are long; in numbers, at a state near the drawing, "
             + ("they vanish to rounding." if found < 1e-10 else f"the largest entry of C_q B_i is {found:.1e}."))


def _in_numbers(sample, p) -> float:
    """C B with B by a numeric solve."""
    C = sample.constraint_jacobian
    B = np.zeros((C.shape[1], len(p.independent)))
    B[p.independent, range(len(p.independent))] = 1.0
    B[p.dependent] = -np.linalg.lstsq(C[:, p.dependent], C[:, p.independent], rcond=None)[0]
    return float(np.abs(C @ B).max(initial=0.0))


def kinetic_energies(kin) -> dict:
    """T of each body."""
    found = {}
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        found[body] = f.mass * sum(x * x for x in f.trans.rate) / 2 + sum(f.turn.rate * f.weigh(f.turn.rate)) / 2
    return found


def energies(story: Story, kin, T) -> None:
    """T of each body and of all."""
    part = story.section("Kinetic energy")
    part.say("T = ½ m v_G² + ½ ω·Jω of each body:")
    for body, x in kinetic_energies(kin).items():
        if sections.light(x):
            part.show(story.symbol("T", body), tidy(x))
    if sections.light(T):
        part.say("Of all bodies:")
        part.show(story.symbol("T"), T)
