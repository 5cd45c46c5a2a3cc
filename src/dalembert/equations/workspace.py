"""Workspaces with the entries of the equations on them.  (Apart from the entries: editing this compiles no kernel again.)"""

from dalembert.equations.entries import ENTRIES
from dalembert.system.layout import System
from dalembert.system.workspace import Workspace


def workspace(system: System) -> Workspace:
    """A fresh workspace of a system, at the drawn state."""
    return Workspace(system, ENTRIES[system.dim])
