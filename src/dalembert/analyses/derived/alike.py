"""One structure of the tables for several parameters.

Where a parameter is zero, formulas are shorter than beside it; where it equals another number of its formula, both share a place
in the tables, and beside it they do not.  Either way every such parameter has neighbours of its own structure, and would have to
be carried alone.  With TINY in place of zero, and values apart by a few units of rounding in place of equal ones, formulas are as
long as beside them, and the numbers are the same.  ``apart`` does so for all parameters at once, by slopes (moves.py): controls
that all begin at zero, or at one value, are the rule.  ``settled`` does it for those that were found by differences of tables.
"""

from __future__ import annotations

from dalembert.analyses.derived.moves import exactly
from dalembert.analyses.derived.parameters import move
from dalembert.errors import DalembertError
from dalembert.model.moving import Unmoved

TINY = 1e-200
ROUNDING = 4.5e-16


def apart(model, names, t, given, begin) -> list | None:
    """What the parameters move, on tables in which no two of them share a place; None where that does not help."""
    values, near = model.parameter_values(), model.copy()
    for k, name in enumerate(names, start=1):
        if not isinstance(model.parameters[name], str):  # what follows from others goes on doing so
            near.parameters[name] = k * TINY if values[name] == 0.0 else values[name] * (1.0 + k * ROUNDING)
    try:
        return exactly(near, near.compile(), list(names), t, given, None, begin, values)
    except (Unmoved, DalembertError):
        return None


def settled(run, moves, given, question) -> list:
    """The moves on tables of one structure, if that is enough; otherwise as they are."""
    single = [m for m in moves if not m.same]
    if not single:
        return moves
    model, near = run.model.copy(), {}
    for k, m in enumerate(single, start=1):
        near[m.name] = model.parameters[m.name] = k * TINY if m.value == 0.0 else m.value * (1.0 + k * ROUNDING)
    system, out = model.compile(), []
    for m in moves:
        other = model
        if m.value == 0.0 and m.name in near:
            other = model.copy()
            other.parameters[m.name] = 0.0
        found = move(other, system, m.name, question, run.begin[0], given)
        if m.name in near:
            found.value = m.value
        out.append(found)
    return out if sum(not m.same for m in out) < len(single) else moves
