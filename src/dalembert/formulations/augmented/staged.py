"""The stages of a step side by side: each with multipliers and factors of its own, so that tangents can be computed later.

``accelerations`` at stage q leaves λ, D, T and the factors of S in arrays that belong to the stage; all else (the state, v̇,
memory, scratch) is that of the workspace.  ``forward`` on duals (sensitivity.py), with state and v̇ of the stage put back into the
workspace, then needs no evaluation of its own: it finds everything there.  The last stage is the workspace itself.

What laws feel is solved for with further matrices: such systems are not staged.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import MODE, Bound
from dalembert._jit.objects import FREE, address, words
from dalembert.equations.entries import ENTRIES as EQUATIONS
from dalembert.formulations.augmented.derivatives import LINE, aligned
from dalembert.formulations.augmented.sensitivity import ENTRIES, Plain
from dalembert.system.arrays import Arrays

OWN = ("lam", "D", "T", "S", "delta", "deltas")  # what ``forward`` takes of a stage, besides state and v̇


def staged(w, duals, count: int, nothing: Bound) -> tuple[list[Bound], list[list[Bound]]]:
    """Rates of the motion at stages 1 … count − 1; of its tangents at these, for every group of ``duals``; ``nothing``: an entry
    that does nothing."""
    s, plain = w.system, Plain(np.full(3, nothing.handle, np.int64))
    first = _Again(EQUATIONS[s.dim]["accelerations"], (s.tables, w.arrays))
    others = [_Again(ENTRIES[s.dim]["forward"], (*d.structs, plain)) for d in duals]
    sizes = [getattr(w.arrays, name).size for name in OWN]
    cuts = np.cumsum([0, *(-(-size // LINE) * LINE for size in sizes)]).tolist()  # each begins a line of the cache
    room = aligned(cuts[-1] * max(count - 2, 0))
    motion, tangents = [], [[] for _ in duals]  # type: tuple[list[Bound], list[list[Bound]]]
    for q in range(count - 2):
        own = room[q * cuts[-1]:(q + 1) * cuts[-1]]
        arrays = w.arrays._replace(**{name: own[a:a + size] for name, a, size in zip(OWN, cuts, sizes, strict=False)})
        motion.append(first.bound(arrays))
        for group, other in zip(tangents, others, strict=True):
            group.append(other.bound(arrays))
    motion.append(first.bound(w.arrays))
    for group, other in zip(tangents, others, strict=True):
        group.append(other.bound(w.arrays))
    return motion, tangents


class _Again:
    """An entry whose second struct is that of a workspace, bound again and again with few other arrays."""

    def __init__(self, entry, values):
        self.entry, self.values = entry, values
        if MODE != "python":
            found = [words(cls, value) for cls, value in zip(entry.structs, values, strict=True)]
            self.table = np.concatenate([FREE[:1], *found, FREE])
            self.places = 1 + found[0].size + 2 * np.array([Arrays._fields.index(name) for name in OWN])

    def bound(self, arrays) -> Bound:
        values = (self.values[0], arrays, *self.values[2:])
        if MODE == "python":
            return self.entry.bind(*values)
        table = self.table.copy()
        table[self.places] = [address(getattr(arrays, name)) for name in OWN]
        return self.entry.bind(*values, words=table)
