"""Stores of a few things that were found: what is asked for again stays, what nobody asked for goes.

A store is a dict in the order of use.  Where one more needs room the middle one goes, and every fourth time the oldest: of
models in rotation that are a few more than are kept most are known all the same (of 17 where 16 are kept 86 %, of 20 57 %; if the
oldest went each time, it would always be the one that comes next, and none would be).
Nothing here waits for a lock: of two threads one may miss what the other one has just in its hands.
"""

from __future__ import annotations

from itertools import count
from typing import Any

OLDEST = 4  # every so often
_TURN = count()


def asked(store: dict[Any, Any], key: Any) -> Any:
    """What is known by this key, None if nothing is; used now."""
    found = store.pop(key, store)
    if found is store:
        return None
    store[key] = found  # None is something to know, too
    return found


def room(store: dict[Any, Any], most: int) -> None:
    """At most so many stay."""
    while len(store) > most:
        keys = list(store)
        store.pop(keys[len(keys) // 2 if next(_TURN) % OLDEST else 0], None)
