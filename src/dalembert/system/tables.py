"""Tables of a compiled mechanism.  Immutable: everything that changes lives in a workspace (system/arrays.py)."""

import numpy as np

from dalembert._jit import struct
from dalembert.algebra import block_ldl, panels
from dalembert.elements import event, laws
from dalembert.elements.bodies import planar, spatial
from dalembert.elements.families import TABLES
from dalembert.elements.measures import table
from dalembert.elements.signals import felt, readings

BLOCK = np.dtype([("at", "u4"), ("count", "u4"), ("row", "u4"), ("body", "u4"),
                  ("weighed", "u4"), ("_", "u4")])  # places in D (by rows) and in T (by columns, padded)
HUB = np.dtype([("body", "u4"), ("corner", "u4"), ("row", "u4"), ("_", "u4")])  # a body eliminated late: its place in S, its rows
# its blocks of D: places in D, T and S, rows; first: the body comes before the rows
SPOKE = np.dtype([("at", "u4"), ("weighed", "u4"), ("count", "u4"), ("row", "u4"), ("to", "u4"), ("first", "u4")])
# a product T Dᵀ: places in T, D and S; rows and columns; row: the first of its column, or none on the diagonal; step: from one
# column to the next in S
PAIR = np.dtype([("left", "u4"), ("right", "u4"), ("count", "u4"), ("width", "u4"), ("to", "u4"), ("row", "u4"), ("step", "u4")])

RIDING = 3  # sums at the end of y on which no rate depends: the ledger (equations/energy.py)
FAMILIES = {"measures": table.MEASURE, "laws": laws.LAW, **TABLES, **readings.TABLES, **felt.TABLES, "event": event.EVENT}
# levels: per row, 0 position or 1 velocity equation; 2 more for drivers
PATTERN = {"tracked": "u4", "levels": "u4", "blocks": BLOCK, "pairs": PAIR, "columns": block_ldl.COLUMN,
           "below": block_ldl.BELOW,
           "targets": "u4", "panels": panels.PANEL, "links": panels.LINK, "chunks": panels.CHUNK, "lines": "u4",
           "hubs": HUB, "spokes": SPOKE, "code": "i4", "constants": "f8", "gravity": "f8"}


def _system(name, module, dim):
    return struct(name, {"bodies": module.BODY, "markers": module.MARKER, **FAMILIES, **PATTERN}, dim)


PlanarSystem = _system("PlanarSystem", planar, 2)
SpatialSystem = _system("SpatialSystem", spatial, 3)
