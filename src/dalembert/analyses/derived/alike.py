"""One structure of the tables for several parameters.

Where a parameter is zero, formulas are shorter than beside it; where it equals another number of its formula, both share a place
in the tables, and beside it they do not.  Either way every such parameter has neighbours of its own structure, and would have to
be carried alone.  With TINY in place of zero, and values apart by a few units of rounding in place of equal ones, formulas are as
long as beside them, and the numbers are the same.
"""

from __future__ import annotations

from dalembert.analyses.derived.parameters import move

TINY = 1e-200
ROUNDING = 4.5e-16


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
