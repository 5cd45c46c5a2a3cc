"""Models that were asked about before: their tables and their assembled start are known.

Compiling and assembling are functions of what the model says (model/content.py) and of the time, and take half of a short run.
Who simulates, linearizes or seeks the equilibrium of the same model again (other times, tolerances, integrators) gets what was
found then, to the bit.  It is kept from the second time on: the variants of a sweep come once each.  The tables are shared by all
who get them and cannot be written to.
"""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np

from dalembert.model.content import shape, whole
from dalembert.model.lately import asked, room
from dalembert.records import record
from dalembert.system.layout import System

KEPT = 16  # models
LARGEST = 256  # blocks of a model that is kept: some hundred kilobytes
MARKS = 64  # of what came once: room for more in rotation than are kept
_SEEN: dict[int, None] = {}  # hashes of what came once
_KNOWN: dict[bytes, Known] = {}
_LOCK = threading.Lock()


@record
class Known:
    """Tables, and the assembled start."""

    system: System
    q: np.ndarray
    v: np.ndarray


def key_of(model, t: float) -> tuple[bytes | None, bytes | None, list[float]]:
    """What a model is known by at a time, None where nobody could know it again; its shape, and the numbers in it."""
    found, values = shape(model)
    return (None if found is None else whole(found, values, float(t))), found, values


def known(key: bytes | None) -> Known | None:
    return None if key is None else asked(_KNOWN, key)


def keep(key: bytes | None, system: System, q, v) -> None:
    """Remember what was found, if it was found before."""
    if key is None or system.kept or system.tables.blocks.size > LARGEST:
        return
    mark = hash(key)
    with _LOCK:
        if mark in _SEEN:
            _KNOWN[key] = Known(_fixed(system), _read_only(q), _read_only(v))
        _SEEN[mark] = None
        room(_SEEN, MARKS)
        room(_KNOWN, KEPT)


def _fixed(system: System) -> System:
    """The same tables, as nobody can change them."""
    views = type(system.tables)(*map(_read_only, system.tables))
    found = replace(system, tables=views, q_drawn=_read_only(system.q_drawn), v_drawn=_read_only(system.v_drawn))
    found.__dict__["words"] = system.words  # the same memory
    return found


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
