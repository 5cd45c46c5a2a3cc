"""The compiled entry points of the equations, for plane and space."""

import numpy as np

from dalembert._jit import entry, kernel
from dalembert.algebra import block_ldl
from dalembert.elements import event
from dalembert.elements.bodies.markers import as_twist, block, displace, kinematics
from dalembert.elements.measures.table import evaluate_all, settle, track
from dalembert.equations.constraints import constraints
from dalembert.equations.dependence import decide, forget
from dalembert.equations.driven import DRIVEN
from dalembert.equations.energy import energy, powers
from dalembert.equations.forces import forces
from dalembert.equations.projection import advance_turns, project, tangent
from dalembert.equations.reactions import reactions
from dalembert.equations.saddle import accelerate, assemble, factor, multiply, residual
from dalembert.system.tables import PlanarSystem, SpatialSystem, Workspace


@kernel
def accelerations(s, w):
    """The whole solve at (t, q, v): q̇, v̇, λ."""
    kinematics(s, w)
    track(s, w)
    constraints(s, w)
    forces(s, w)
    assemble(s, w)
    factor(s, w)
    status = accelerate(s, w, w.options[1])
    powers(s, w)
    return status


@kernel
def observe(s, w):
    """Everything about one state: the solve, measures, reactions and the bodies' ledger, energies."""
    kinematics(s, w)
    track(s, w)
    constraints(s, w)
    forces(s, w)
    assemble(s, w)
    factor(s, w)
    decide(s, w)
    status = accelerate(s, w, 0.0)
    powers(s, w)
    evaluate_all(s, w)
    energy(s, w)
    reactions(s, w)
    return status


@kernel
def begin(s, w):
    """Which rows are left out, chosen afresh at (t, q) on the constraints."""
    forget(w)
    kinematics(s, w)
    constraints(s, w)
    assemble(s, w)
    factor(s, w)
    decide(s, w)
    return 0


@kernel
def rows(s, w):
    """Φ, D, ν, γ, the measures, and S factored."""
    kinematics(s, w)
    constraints(s, w)
    evaluate_all(s, w)
    assemble(s, w)
    factor(s, w)
    return 0


@kernel
def speeds(s, w):
    """residual = D v − ν."""
    kinematics(s, w)
    constraints(s, w)
    multiply(s, w, w.v, w.residual)
    for k in range(w.residual.size):
        w.residual[k] -= w.nu[k]
    return 0


@kernel
def events(s, w):
    """g of every event at (t, q)."""
    kinematics(s, w)
    event.evaluate(s, w)
    return 0


@kernel
def generalized_forces(s, w):
    """Q, at (t, q, v)."""
    kinematics(s, w)
    forces(s, w)
    return 0


@kernel
def solve(s, w):
    """lam ← S⁺ lam with the factors at hand."""
    block_ldl.solve(s.columns, s.below, w.S, w.delta, w.lam)
    return 0


@kernel
def move(s, w):
    """q ← q ⊕ vdot (vdot used as a small displacement)."""
    advance_turns(s, w)
    displace(s, w, w.vdot, 1.0)
    kinematics(s, w)
    settle(s, w)
    return 0


@kernel
def unbalance(s, w):
    """Q ← Q − Dᵀλ with the λ at hand, at (t, q, v)."""
    n = block(s)
    kinematics(s, w)
    constraints(s, w)
    forces(s, w)
    for k in range(s.blocks.size):
        b = s.blocks[k]
        at = np.int64(b.at)
        to = n * np.int64(b.body)
        for i in range(b.count):
            y = w.lam[b.row + i]
            for c in range(n):
                w.Q[to + c] -= w.D[at + n * i + c] * y


@kernel
def unbalanced(s, w):
    """Q ← Q − Dᵀλ, residual ← D held − γ: what Newton's method differentiates (equations/newton)."""
    unbalance(s, w)
    multiply(s, w, w.held, w.residual)
    for k in range(w.residual.size):
        w.residual[k] -= w.gamma[k]
    return 0


@kernel
def defects(s, w):
    """Q ← Q − Dᵀλ, residual ← Φ, or D v − ν for velocity-level rows."""
    unbalance(s, w)
    multiply(s, w, w.v, w.residual)
    for k in range(w.residual.size):
        w.residual[k] = w.residual[k] - w.nu[k] if s.levels[k] % 2 == 1 else w.phi[k]
    return 0


@kernel
def twist(s, w):
    """spare ← the change of coordinates in qdot, as a twist of the bodies."""
    as_twist(s, w, w.spare)
    return 0


@kernel
def rates(s, w):
    """q̇ from q and v."""
    kinematics(s, w)
    track(s, w)
    return 0


@kernel
def terms(s, w):
    """q̇, Φ, D, ν, γ and Q at (t, q, v): all that a formulation starts from (formulations/embedded.py)."""
    kinematics(s, w)
    track(s, w)
    constraints(s, w)
    forces(s, w)
    return 0


@kernel
def power(s, w):
    """The rates of the ledger, with Q and λ at hand."""
    powers(s, w)
    return 0


@kernel
def remainder(s, w):
    """residual = D v̇ − γ of the v̇ at hand, its size into the report."""
    worst, kept = residual(s, w)
    w.report[1] = worst
    return 0


@kernel
def loads(s, w):
    """Q at poses and twists already there (formulations/recursive)."""
    forces(s, w)
    return 0


@kernel
def closures(s, w):
    """Φ, D, ν, γ and the rates of the running angles, at poses and twists already there (formulations/recursive)."""
    constraints(s, w)
    track(s, w)
    return 0


@kernel
def settled(s, w):
    """Running angles ← the measured ones, at poses already there."""
    settle(s, w)
    return 0


ENTRIES = {}
for _group, _system in (("planar", PlanarSystem), ("spatial", SpatialSystem)):
    for _function in (accelerations, tangent, observe, begin, rows, speeds, events, generalized_forces, solve, move, project,
                      reactions, unbalanced, defects, twist, rates, terms, power, remainder, loads, closures, settled, *DRIVEN):
        _name = getattr(_function, "py_func", _function).__name__
        ENTRIES[_group, _name] = entry(_group, _name, _function, _system, Workspace, module=__name__)
