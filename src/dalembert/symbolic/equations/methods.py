"""The four methods: how each one gets from kinematics to equations, and how it tells it.

newton-euler   free_bodies.py; here its embedding in joint coordinates by B_i, γ_i
virtual-work   δW_e = Q_e δq_i (statics: Q_e = 0), δW_i = Q_i δq_i; Q_e = Q_i in the independent coordinates
dalembert      dalembert.py
lagrange       d/dt ∂T/∂q̇_k − ∂T/∂q_k + Σ λ_j C_jk = Q_k
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from dalembert.errors import AnalysisError
from dalembert.model import pointlike
from dalembert.symbolic.equations import told
from dalembert.symbolic.equations.dynamics import Terms, embedded
from dalembert.symbolic.equations.embedding import Partition
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import collected, tidy
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.notation import Rate
from dalembert.symbolic.text.steps import Story


def joint_embedding(t: Terms, tree: Terms, story: Story) -> Terms:
    """Absolute Newton–Euler equations in joint coordinates: v̇ = B q̈ + γ_i from the kinematics of the joints."""
    kin = tree.kin
    B, gamma = [], []
    for k in range(len(kin.b.body_names)):
        f = kin.frames[k]
        jets = [*f.com]
        turn = f.turn
        for p in jets:
            B.append([tidy(p.grad.get(i, ZERO)) for i in range(kin.n)])
            gamma.append(tidy(p.bias))
        for c in range(0 if pointlike.of(kin.b, k) else len(turn.rate)):
            B.append([tidy(turn.grad[i][c]) if i in turn.grad else ZERO for i in range(kin.n)])
            gamma.append(tidy(turn.bias[c]))
    at = positions_of(t.kin, kin)
    moved = replace(
        t,
        M=[[x.xreplace(at) for x in row] for row in t.M],
        applied=[x.xreplace(at) for x in t.applied],
        inertia=[x.xreplace(at) for x in t.inertia],
    )
    part = story.section("Embedding: accelerations of the bodies from those of the joints")
    part.say("v̇ = B_i q̈ + γ_i; multiplied by B_iᵀ the reactions of these joints vanish.")
    if sections.light(*(x for row in B for x in row), *gamma):
        part.show(story.symbol("B", "i"), sp.Matrix(B))
        part.show(story.symbol("gamma", "i"), sp.Matrix(gamma))
    found = embedded(moved, Partition(list(range(kin.n)), [], B, gamma, [], []))
    return replace(tree, M=found.M, applied=found.applied, inertia=found.inertia)


def positions_of(absolute, tree) -> dict:
    """Absolute coordinates and speeds as formulas of the tree's."""
    at: dict = {}
    speeds = {c.name: c for c in absolute.coordinates}
    for k, body in enumerate(tree.b.body_names):
        f = tree.frames[k]
        for letter, p in zip("xyz", f.com, strict=False):
            c = speeds[f"{body}.{letter}"]
            at |= {c.q: tidy(p.value), c.u: tidy(p.rate)}
        if tree.dim == 2:
            c = speeds[f"{body}.angle"]
            at |= {c.q: f.theta.value, c.u: f.theta.rate}
        else:
            at |= {speeds[f"{body}.omega {c}"].u: f.turn.rate[i] for i, c in enumerate("xyz")}
            at |= dict(zip(absolute.matrices[body], f.A.ravel(), strict=True))
    return at


def lagrange(t: Terms, story: Story) -> Terms:
    """T by its rates; everything else by differentiation of T."""
    kin = t.kin
    if any(c.q is None for c in kin.coordinates):
        raise AnalysisError(
            "method 'lagrange' needs coordinates whose rates are the velocities, but the components of ω̄ of a body in space "
            "are not rates of any coordinates. Leave coordinates= out, or name angles such as 'body.zxz'; or take "
            "method='dalembert' or 'newton-euler', which work with ω̄"
        )
    t = t.tidied()
    sections.coordinates(story, kin)
    sections.positions(story, kin)
    T = collected(sum((tidy(x) for x in told.kinetic_energies(kin).values()), ZERO), [c.u for c in kin.coordinates])
    told.energies(story, kin, T)
    told.springs(story, t)
    sections.loads(story, t)
    part = story.section("Derivatives of T")
    M, inertia = [], []
    for c in kin.coordinates:
        p = tidy(T.diff(c.u))
        force = tidy(T.diff(c.q))
        M.append([tidy(p.diff(d.u)) for d in kin.coordinates])
        drift = sum((p.diff(d.q) * d.u for d in kin.coordinates), ZERO)
        for z, zd in _chain(kin):
            drift += p.diff(z) * zd
        drift = tidy(drift)
        rate = story.symbol(*kin.names.shown[c.u][:3], "∂")
        place = story.symbol(*kin.names.shown[c.q][:3], "∂")
        if sections.light(p, drift, force):
            part.show(story.symbol("T", "", 0, "∂") / rate, p)
            part.show(
                Rate(story.symbol("T", "", 0, "∂") / rate),
                sum((m * d.a for m, d in zip(M[-1], kin.coordinates, strict=True)), ZERO) + drift,
            )
            part.show(story.symbol("T", "", 0, "∂") / place, force)
        inertia.append(tidy(drift - force))
    sections.constraints(story, t)
    return replace(t, M=M, inertia=inertia)


def _chain(kin):
    """Given motions with their rates: z → ż → z̈."""
    families: dict = {}
    for s in kin.given:
        letter, index, dots = kin.names.shown[s]
        families.setdefault((letter, index), {})[dots] = s
    return [(f[k], f[k + 1]) for f in families.values() for k in (0, 1)]


def inertia_by_bodies(kin, p: Partition, column: int, story: Story):
    """Q_i of the plane with the accelerations of the bodies as they are: Σ m (ẍ_G ∂x_G + ÿ_G ∂y_G) + J θ̈ ∂θ."""
    total = ZERO
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        for letter, j, factor in (("x", f.com[0], f.mass), ("y", f.com[1], f.mass), ("theta", f.theta, f.inertia)):
            partial = tidy(sum((j.grad.get(n, ZERO) * p.B[n][column] for n in range(kin.n)), ZERO))
            total += factor * partial * story.symbol(letter, body if letter == "theta" else f"G,{body}", 2)
    return total


def virtual_work(t: Terms, p: Partition | None, story: Story, sample=None) -> Terms:
    """Q_e and Q_i in the independent coordinates."""
    t = t.tidied()
    kin = t.kin
    sections.coordinates(story, kin)
    sections.positions(story, kin)
    sections.constraints(story, t)
    if p is not None:
        told.partition(story, t, p, sample)
    whole = p or Partition(
        list(range(kin.n)),
        [],
        [[ZERO + (i == k) for i in range(kin.n)] for k in range(kin.n)],
        [ZERO] * kin.n,
        [ZERO] * kin.n,
        [],
    )
    part = story.section("Virtual displacements")
    for k, body in enumerate(kin.b.body_names):
        f = kin.frames[k]
        jets = [*zip("xyz", f.com, strict=False)] + ([("theta", f.theta)] if kin.dim == 2 else [])
        for letter, j in jets:
            total = sum(
                (
                    tidy(sum((j.grad.get(n, ZERO) * whole.B[n][c] for n in range(kin.n)), ZERO))
                    * story.symbol(*sections._delta(kin, i))
                    for c, i in enumerate(whole.independent)
                ),
                ZERO,
            )
            left = story.symbol(letter, body if letter == "theta" else f"G,{body}", 0, "δ")
            if sections.light(total) and left != total:
                part.show(left, total)
    told.springs(story, t)
    sections.loads(story, t, "Virtual work of the external forces")
    found = embedded(t, whole) if p is not None else t
    part = story.section("Statics: Q_e = 0 holds the mechanism at rest")
    for i, k in enumerate(found.unknowns):
        if sections.light(found.applied[i]):
            part.show(story.symbol("Q", f"e,{kin.coordinates[k].name}"), found.applied[i])
    part = story.section("Dynamics: virtual work of the inertia forces, Q_i")
    for c, k in enumerate(found.unknowns if kin.dim == 2 and not (kin.absolute and p is None) else ()):
        total = inertia_by_bodies(kin, whole, c, story)
        if sections.light(total):
            part.show(story.symbol("Q", f"i,{kin.coordinates[k].name}"), total)
    for i, k in enumerate(found.unknowns):
        left = sum((found.M[i][j] * kin.coordinates[l].a for j, l in enumerate(found.unknowns)), ZERO) + found.inertia[i]
        if sections.light(left):
            part.show(story.symbol("Q", f"i,{kin.coordinates[k].name}"), left)
    part.say("Principle of virtual work: Q_i = Q_e.")
    return found
