"""Workspaces with the entries of the equations on them.  (Apart from the entries: editing this compiles no kernel again.)

A workspace takes a tenth of a millisecond to make and bind, as long as the whole integration of a short run.  So an analysis that
is done with one may give it back (``give_back``), and the next that asks with ``borrowed`` for one of the same sizes, in a sweep
nearly every variant, gets it: cleared, and turned to its own tables.  Only who knows that nobody keeps it may give it back.
"""

import threading

from dalembert.equations.entries import ENTRIES
from dalembert.system.layout import SHARED, System
from dalembert.system.workspace import Workspace, planned

SPARE = 8  # workspaces that are kept for the next
_SPARE: list[Workspace] = []
_LOCK = threading.Lock()


def workspace(system: System) -> Workspace:
    """A fresh workspace of a system, at the drawn state."""
    return Workspace(system, ENTRIES[system.dim])


def borrowed(system: System, clear: bool = True) -> Workspace:
    """As ``workspace``, of what others gave back where there is one of these sizes, at best of this very system, with what was
    made beside it; ``clear``: no, for who does it himself."""
    if _SPARE and system.tables.blocks.size <= SHARED:
        plan = planned(system)
        with _LOCK:
            fitting = [spare for spare in _SPARE if spare.serves(system, plan)]
            found = next((spare for spare in fitting if spare.system is system), fitting[0] if fitting else None)
            if found is not None:
                _SPARE.remove(found)
        if found is not None:
            found.turn_to(system, clear)
            return found
    return workspace(system)


def give_back(w: Workspace) -> None:
    """What nobody uses any more, for the next."""
    if w.system.tables.blocks.size <= SHARED and w.serves(w.system, w.plan):
        with _LOCK:
            _SPARE.append(w)
            del _SPARE[:-SPARE]
