"""Many integrations in one compiled call: one after the other, each to its own time.

They share nothing, so that several threads may each take a part of them: a call of compiled code lets other threads run.
"""

from __future__ import annotations

from .._jit import call, entry, kernel, struct

Crowd = struct("Crowd", {"handle": "i8", "status": "i8"})  # one of each per integration


@kernel
def step_all(c):
    """The number of those that did not arrive."""
    failed = 0
    for k in range(c.handle.size):
        c.status[k] = call(c.handle[k])
        if c.status[k] != 0:
            failed += 1
    return failed


STEP_ALL = entry("crowd", "step_all", step_all, Crowd, module=__name__)
