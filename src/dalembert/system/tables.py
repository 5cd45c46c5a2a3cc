"""Tables of a compiled mechanism, and the workspace of one evaluation.

The system is immutable; everything that changes lives in the workspace.  y = (q, v) and its derivative are one array
each, so that an integrator sees a plain state; q, v, qdot, vdot are views into them.  Behind v come three running sums of
the energy ledger (equations/energy.py) with their rates in power.
"""

import numpy as np

from dalembert._jit import struct
from dalembert.algebra import block_ldl
from dalembert.elements import event, laws
from dalembert.elements.bodies import planar, spatial
from dalembert.elements.constraints import (
    coincide,
    combine,
    equation,
    hold,
    knife_edge,
    rolling,
    velocity_equation,
)
from dalembert.elements.forces import applied, bushing, effort, field, user
from dalembert.elements.measures import table

BLOCK = np.dtype([("at", "u4"), ("count", "u4"), ("row", "u4"), ("body", "u4")])
PAIR = np.dtype([("left", "u4"), ("right", "u4"), ("count", "u4"), ("width", "u4"), ("to", "u4"), ("_", "u4")])

FAMILIES = {
    "measures": table.MEASURE, "laws": laws.LAW,
    "coincide": coincide.COINCIDE, "hold": hold.HOLD, "combine": combine.COMBINE, "equation": equation.EQUATION,
    "velocity_equation": velocity_equation.VELOCITY_EQUATION, "knife_edge": knife_edge.KNIFE_EDGE,
    "rolling": rolling.ROLLING, "terms": combine.TERM,
    "field": field.FIELD, "particles": field.PARTICLE, "force": applied.FORCE, "torque": applied.TORQUE, "effort": effort.EFFORT,
    "bushing": bushing.BUSHING, "user": user.USER, "event": event.EVENT,
}
CONSTRAINTS = ("coincide", "hold", "combine", "equation", "velocity_equation", "knife_edge", "rolling")
FORCES = ("field", "force", "torque", "effort", "bushing", "user")
PATTERN = {"tracked": "u4", "levels": "u4", "blocks": BLOCK, "pairs": PAIR, "columns": block_ldl.COLUMN,
           "below": block_ldl.BELOW,
           "targets": "u4", "code": "i4", "constants": "f8", "gravity": "f8"}


def _system(name, module, dim):
    return struct(name, {"bodies": module.BODY, "markers": module.MARKER, **FAMILIES, **PATTERN}, dim)


PlanarSystem = _system("PlanarSystem", planar, 2)
SpatialSystem = _system("SpatialSystem", spatial, 3)

Workspace = struct("Workspace", {
    "t": "f8", "q": "f8", "v": "f8", "ledger": "f8", "qdot": "f8", "vdot": "f8", "power": "f8",
    "pose": "f8", "twist": "f8", "phi": "f8", "nu": "f8", "gamma": "f8", "D": "f8", "T": "f8", "Q": "f8",
    "S": "f8", "delta": "f8", "before": "f8", "limit": "f8", "choice": "f8", "scaled": "f8", "lam": "f8",
    "residual": "f8", "work": "f8", "measured": "f8", "reaction": "f8", "x0": "f8", "x1": "f8", "x2": "f8",
    "stack": "f8", "wrench": "f8", "strength": "f8", "spare": "f8", "held": "f8", "g": "f8",
    "dense": "f8", "order": "i8", "only": "i8", "options": "f8", "report": "f8"})

# limit, choice: rows that are left out because they depend on others (equations/dependence.py)
# levels: per row, 0 position or 1 velocity equation; 2 more for drivers
DROP = 1e-10  # squared sine of the angle to the rows before it, below which a row counts as dependent

OPTIONS = {"drop": 0, "residual": 1, "tolerance": 2, "iterations": 3, "loose": 4, "dependent": 5, "poor": 6}
REPORT = {"dropped": 0, "residual": 1, "fallback": 2,
          "position": 3, "velocity": 4, "rank": 5, "kinetic": 6, "potential": 7, "pivot": 8, "left_out": 9}
