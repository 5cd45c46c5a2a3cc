"""What parameters move of a model that was differentiated before: it is known.

What parameters move is a function of what the model says (model/content.py), of the parameters asked about, in their order, and
of the assembled start; it takes up to a tenth of a gradient.  Who asks about the same model again (other outputs, times,
tolerances; once more from where a search came by) gets the slopes that were found then, which the second opinion (moves.py) has
confirmed, to the bit.  They are kept from the second time on, with the tables that they are slopes of: where those at hand are
others (somebody changed the model behind its run), nothing is known.

Only numbers are kept, which nobody can write to; what they are made of in the model at hand (its variants, its states beside) is
the business of who asks.
"""

from __future__ import annotations

import threading

import numpy as np

from dalembert.model.content import shape, whole
from dalembert.model.lately import asked, room
from dalembert.records import record

KEPT = 16  # questions
LARGEST = 1 << 20  # bytes of slopes of one of them
MARKS = 64  # of what came once: room for more in rotation than are kept
_SEEN: dict[int, None] = {}  # hashes of what came once
_KNOWN: dict[tuple, tuple[list[np.ndarray], list[Moved]]] = {}
_LOCK = threading.Lock()


@record
class Moved:
    """What one parameter moves, in numbers alone."""

    value: float
    step: float
    tables: dict[str, np.ndarray]
    changed: dict[str, list[str]]
    q: np.ndarray
    v: np.ndarray


def key_of(model, names, values, t, fresh, begin) -> tuple | None:
    """What the question is known by, None where nobody could know it again.

    ``values``: of the parameters, where they are not the model's own; ``fresh``: the start is the assembled one (``begin``), and
    moves; otherwise it is given.
    """
    found, numbers = shape(model)
    if found is None:
        return None
    own = () if values is None else tuple(float(values[n]).hex() for n in names)
    start = tuple(np.asarray(x, float).tobytes() for x in begin) if fresh else None
    return whole(found, numbers, float(t)), tuple(names), own, start


def known(key: tuple | None, system) -> list[Moved]:
    """What was found for these tables; nothing where it is not known."""
    kept = None if key is None else asked(_KNOWN, key)
    return [] if kept is None or not _same(kept[0], _numbers(system)) else kept[1]


def keep(key: tuple | None, system, found: list[Moved]) -> None:
    """Remember what was found, if it was found before."""
    if key is None or system.kept or sum(a.nbytes for m in found for a in m.tables.values()) > LARGEST:
        return
    mark = hash(key)
    with _LOCK:
        if mark in _SEEN:
            for m in found:
                for array in (*m.tables.values(), m.q, m.v):
                    array.flags.writeable = False
            _KNOWN[key] = [a.copy() for a in _numbers(system)], found
        _SEEN[mark] = None
        room(_SEEN, MARKS)
        room(_KNOWN, KEPT)


def _numbers(system) -> tuple[np.ndarray, ...]:
    return *system.tables, system.q_drawn, system.v_drawn


def _same(a, b) -> bool:
    """To the bit."""
    return all(x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))
