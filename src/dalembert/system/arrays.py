"""The arrays of a workspace: what each holds, and who hands what to whom.

y = (q, v, ledger) and its derivative are one array each, so that an integrator sees a plain state; the six are views into
them.  Every array has one meaning.  What an entry of the equations is given besides the state has a field of its own (inputs);
what a kernel needs on its way is scratch: nothing in it outlives the entry.  Which entry reads and writes what is written in
equations/entries.py, and tests/equations/test_entries.py holds every entry to it.

Options and the report are records: ``w.options.tolerance``, ``w.report.dropped``, in kernels and in Python alike.
"""

import numpy as np

from dalembert._jit import One, struct

OPTIONS = np.dtype([
    ("drop", "f8"),  # squared sine of the angle to the rows before it, below which a row counts as dependent
    ("residual", "f8"),  # of D v̇ = γ, above which the solve is refined
    ("tolerance", "f8"),  # of positions in a projection, in the metric of the masses
    ("iterations", "f8"),  # of a projection at most
    ("loose", "f8"),  # not 0: a projection moves positions without the velocity-level rows, and leaves velocities alone
    ("dependent", "f8"),  # rows that always depend on others: more of them tell of a singular pose
    ("poor", "f8"),  # residual of a refined solve, above which the dense one is taken
    ("probe", "f8")])  # where the search for what laws feel begins, times what it is without them (equations/feedback.py)

REPORT = np.dtype([
    ("dropped", "f8"),  # rows the last factorisation dropped
    ("residual", "f8"),  # of D v̇ = γ, each row over its size, against |v̇| and |M⁻¹Q|
    ("fallback", "f8"),  # how often the dense solve was taken
    ("position", "f8"), ("velocity", "f8"),  # how far off the constraints the last projection found q and v
    ("rank", "f8"),  # of the last dense solve
    ("kinetic", "f8"), ("potential", "f8"),
    ("pivot", "f8"), ("left_out", "f8"),  # smallest squared sine kept; rows left out by choice (``Workspace.quality``)
    ("felt", "f8"), ("feedback", "f8")])  # how the solve for what laws feel ended, its smallest pivot (equations/feedback.py)

STATE = ("t", "q", "v", "ledger", "qdot", "vdot", "power")

FOUND = {
    "pose": "f8", "twist": "f8",  # of every body, the ground behind them (elements/bodies)
    "phi": "f8", "nu": "f8", "gamma": "f8", "D": "f8",  # rows; two blocks behind those of D take gradients (rows/effort.py)
    "Q": "f8",  # generalised forces
    "strength": "f8",  # of every effort
    "T": "f8", "S": "f8",  # D M⁻¹; D M⁻¹ Dᵀ, factored in place
    "before": "f8", "delta": "f8",  # diagonal of S before and in its factors (0: dropped)
    "deltas": "f8",  # δ and, behind it, that of bodies eliminated late; nothing where there are none
    "limit": "f8", "choice": "f8",  # rows left out because they depend on others (equations/dependence.py)
    "lam": "f8",  # multipliers λ
    "residual": "f8",  # D v̇ − γ
    "speed": "f8",  # D v − ν
    "measured": "f8",  # value, rate and bias of every measure
    "gradient": "f8",  # of every measure, on its two bodies (zero on the ground)
    "reaction": "f8",  # −Dᵀλ, block by block
    "missing": "f8",  # M v̇ − Q + Dᵀλ: what Newton's and Euler's equations miss
    "g": "f8",  # of every event
    "felt": "f8",  # reactions and accelerations that laws read (elements/signals/felt.py)
    "feedback": "f8", "felt_order": "i8", "sizes": "f8",  # how they act on themselves: I − G factored (equations/feedback.py)
    "read": "f8",  # what laws read by name (elements/signals/readings.py)
    "u": "f8", "rho": "f8",  # unbalanced forces Q − Dᵀλ and rows D held − γ (formulations/augmented/newton)
    "defect": "f8",  # Φ, or D v − ν of velocity-level rows
    "report": One(REPORT)}

INPUTS = {
    "shift": "f8",  # a displacement of all bodies, as a twist: of ``move``
    "change": "f8",  # the same as a change of q (``twist`` and ``coordinates`` turn one into the other)
    "held": "f8",  # accelerations that ``unbalanced`` keeps
    "predicted": "f8",  # accelerations that ``configure`` starts from
    "rhs": "f8",  # right-hand side of ``solve``, then its answer
    "only": "i8",  # the one element whose force is wanted; −1: all
    "options": One(OPTIONS)}

SCRATCH = {
    "mu": "f8", "spare_c": "f8",  # over rows: right-hand side of a solve with S and its answer; another
    "step": "f8", "spare_v": "f8",  # over velocities: displacement of a correction; another
    "weighed": "f8",  # M x of one body
    "scaled": "f8",  # of the factorisation
    "wide": "f8", "befores": "f8", "limits": "f8",  # as long as deltas: unknowns of a solve; before and limit of a factorisation
    "x0": "f8", "x1": "f8", "x2": "f8", "stack": "f8", "wrench": "f8",  # of laws and programs, of single forces
    "sensed": "f8", "gaps": "f8",  # over what is felt
    "loop": "f8",  # of algebraic equations: their matrix, right-hand side and lengths
    "dense": "f8", "dense_scale": "f8", "order": "i8",  # of the dense solve
    "aside": "i8"}  # rows of the choice before

Arrays = struct("Arrays", dict.fromkeys(STATE, "f8") | FOUND | INPUTS | SCRATCH)
