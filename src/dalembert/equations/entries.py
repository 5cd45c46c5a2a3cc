"""The compiled entry points of the equations, for plane and space: what each reads and what it writes.

An entry is handed its state in t, q, v and whatever else it reads by name (system/arrays.py); what it does not name in READS has
no influence on what it names in WRITES, and nothing else changes but scratch.  tests/equations/test_entries.py says so of each.
"""

import numpy as np

from dalembert._jit import Entry, entry, kernel
from dalembert.elements import event
from dalembert.elements.bodies.markers import as_twist, at_v, block, displace, kinematics
from dalembert.elements.measures.table import evaluate, evaluate_all, settle, track
from dalembert.elements.signals import felt
from dalembert.elements.signals.readings import changes
from dalembert.equations import feedback
from dalembert.equations.constraints import constraints
from dalembert.equations.dependence import decide, forget
from dalembert.equations.driven import configure, inverse, reconfigure
from dalembert.equations.energy import energy, powers
from dalembert.equations.forces import forces
from dalembert.equations.projection import advance_turns, project, tangent
from dalembert.equations.reactions import reactions
from dalembert.equations.saddle import accelerate, assemble, by_factors, factor, multiply, residual
from dalembert.system.arrays import Arrays
from dalembert.system.tables import PlanarSystem, SpatialSystem


@kernel
def accelerations(s, w):
    """The whole solve at (t, q, v): q̇, v̇, λ."""
    kinematics(s, w)
    track(s, w)
    constraints(s, w)
    if s.felt.size == 0:
        forces(s, w)
        changes(s, w)
    assemble(s, w)
    factor(s, w)
    if s.felt.size == 0:
        status = accelerate(s, w, w.options.residual)
    else:
        status = feedback.solve(s, w, w.options.residual, False)
        changes(s, w)
    powers(s, w)
    return status


@kernel
def observe(s, w):
    """Everything about one state: the solve, measures, reactions and the bodies' ledger, energies."""
    kinematics(s, w)
    track(s, w)
    constraints(s, w)
    if s.felt.size == 0:
        forces(s, w)
        changes(s, w)
    assemble(s, w)
    factor(s, w)
    decide(s, w)
    if s.felt.size == 0:
        status = accelerate(s, w, 0.0)
    else:
        status = feedback.solve(s, w, 0.0, False)
        changes(s, w)
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
    """speed = D v − ν."""
    kinematics(s, w)
    constraints(s, w)
    multiply(s, w, w.v, w.speed)
    for k in range(w.speed.size):
        w.speed[k] -= w.nu[k]
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
    """rhs ← S⁺ rhs with the factors at hand."""
    by_factors(s, w, w.wide, w.rhs)
    return 0


@kernel
def move(s, w):
    """q ← q ⊕ shift."""
    advance_turns(s, w, w.shift)
    displace(s, w, w.shift, 1.0)
    kinematics(s, w)
    settle(s, w)
    return 0


@kernel
def gradients(s, w):
    """Gradient of every measure on the bodies of its two markers, at (t, q); the blocks behind the rows of D take them first."""
    n = block(s)
    at = w.D.size - 2 * n
    kinematics(s, w)
    for k in range(s.measures.size):
        for c in range(2 * n):
            w.D[at + c] = 0.0
        evaluate(s, w, k, at, at + n, 1.0)
        for c in range(2 * n):
            w.gradient[2 * n * k + c] = w.D[at + c]
    return 0


@kernel
def unbalance(s, w):
    """u = Q − Dᵀλ with the λ at hand, at (t, q, v); what laws feel follows from it and from ``held``."""
    kinematics(s, w)
    constraints(s, w)
    if s.felt.size > 0:
        felt.evaluate(s, w, w.held, w.lam, w.felt, 1.0)
    forces(s, w)
    changes(s, w)
    less_reactions(s, w)


@kernel
def less_reactions(s, w):
    """u = Q − Dᵀλ."""
    n = block(s)
    for k in range(w.u.size):
        w.u[k] = w.Q[k]
    for k in range(s.blocks.size):
        b = s.blocks[k]
        at = np.int64(b.at)
        to = at_v(s, b.body)
        for i in range(b.count):
            y = w.lam[b.row + i]
            for c in range(n):
                w.u[to + c] -= w.D[at + n * i + c] * y


@kernel
def unbalanced(s, w):
    """u = Q − Dᵀλ, ρ = D held − γ: what Newton's method differentiates (formulations/augmented/newton)."""
    unbalance(s, w)
    multiply(s, w, w.held, w.rho)
    for k in range(w.rho.size):
        w.rho[k] -= w.gamma[k]
    return 0


@kernel
def defects(s, w):
    """u = Q − Dᵀλ, defect = Φ, or D v − ν for velocity-level rows."""
    unbalance(s, w)
    multiply(s, w, w.v, w.defect)
    for k in range(w.defect.size):
        w.defect[k] = w.defect[k] - w.nu[k] if s.levels[k] % 2 == 1 else w.phi[k]
    return 0


@kernel
def twist(s, w):
    """shift ← the change of coordinates, as a twist of the bodies."""
    as_twist(s, w, w.change, w.shift)
    return 0


@kernel
def coordinates(s, w):
    """change ← the change of q, running angles too, that belongs to the twist in shift: q̇ with shift for v."""
    for k in range(w.v.size):
        w.spare_v[k] = w.v[k]
        w.v[k] = w.shift[k]
    kinematics(s, w)
    track(s, w)
    for k in range(s.differential.size):  # no motion of the bodies moves them
        w.qdot[s.differential[k].place] = 0.0
    for k in range(w.change.size):
        w.change[k] = w.qdot[k]
    for k in range(w.v.size):
        w.v[k] = w.spare_v[k]
    return 0


@kernel
def rates(s, w):
    """q̇ from q and v."""
    kinematics(s, w)
    track(s, w)
    return 0


@kernel
def terms(s, w):
    """q̇, Φ, D, ν, γ and Q at (t, q, v): all that a formulation starts from (formulations/embedded)."""
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
    w.report.residual = worst
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


FACTORS = "T S before delta deltas"
CHOICE = "limit choice"
FEEDBACK = "felt feedback felt_order sizes"
ROWS = "phi nu gamma D"
BODIES = "pose twist qdot"
SOLVED = "qdot vdot lam residual power"
ALL = f"{BODIES} {ROWS} Q strength read {FACTORS} {CHOICE} lam residual power measured reaction missing report"

# entry: what it reads and what it writes; "state" is t, q, v; options and only may be read by all
FUNCTIONS = {
    accelerations: (f"state {CHOICE}", f"{BODIES} {ROWS} Q strength read {FACTORS} {SOLVED} {FEEDBACK} report"),
    observe: (f"state {CHOICE}", f"{ALL} vdot {FEEDBACK}"),
    begin: ("state", f"{BODIES} {ROWS} {FACTORS} {CHOICE} report"),
    rows: (f"state {CHOICE}", f"{BODIES} {ROWS} {FACTORS} measured report"),
    speeds: ("state", f"{BODIES} {ROWS} speed"),
    events: ("state felt", f"{BODIES} D g read"),
    generalized_forces: ("state felt", f"{BODIES} D Q strength read power"),
    solve: (f"{FACTORS} rhs", "rhs"),
    move: ("state shift", f"q {BODIES}"),
    project: (f"state {CHOICE}", f"q v {BODIES} {ROWS} {FACTORS} {CHOICE} report"),
    tangent: (f"state qdot vdot nu D {FACTORS}", "qdot vdot"),
    reactions: ("vdot Q D lam", "reaction missing"),
    unbalanced: ("state lam held", f"{BODIES} {ROWS} Q strength felt read power u rho"),
    defects: ("state lam held", f"{BODIES} {ROWS} Q strength felt read power u defect"),
    gradients: ("state", f"{BODIES} D gradient"),
    twist: ("state change", "shift"),
    coordinates: ("state shift", f"change {BODIES}"),
    rates: ("state", BODIES),
    terms: ("state felt", f"{BODIES} {ROWS} Q strength read power"),
    power: ("v twist Q lam nu power", "power"),
    remainder: ("vdot Q D gamma before delta", "residual report"),
    loads: ("state pose twist felt", "D Q strength read power"),
    closures: ("state pose twist", f"{ROWS} qdot"),
    settled: ("state pose twist", "q"),
    configure: (f"state predicted {CHOICE}", f"q v vdot {BODIES} {ROWS} {FACTORS} {CHOICE} report"),
    reconfigure: (f"state pose twist predicted {FACTORS} {CHOICE}", f"q v vdot {BODIES} {ROWS} {FACTORS} {CHOICE} report"),
    inverse: (f"state vdot {CHOICE}", f"{ALL} {FEEDBACK}"),
}
READS, WRITES = ({getattr(f, "py_func", f).__name__: set(words[k].replace("state", "t q v").split())
                  for f, words in FUNCTIONS.items()} for k in range(2))
ENTRIES: dict[int, dict[str, Entry]] = {2: {}, 3: {}}
for _dim, _group, _system in ((2, "planar", PlanarSystem), (3, "spatial", SpatialSystem)):
    for _function in FUNCTIONS:
        _name = getattr(_function, "py_func", _function).__name__
        ENTRIES[_dim][_name] = entry(_group, _name, _function, _system, Arrays, module=__name__)
