"""What of a result moves with its states, and what does not: a result with moved arrays hands on the one and refuses the other.

Channels follow from states, from what is observed in them, and from the tables; these are moved (readings.py, goals.py).  Beside
them a result keeps numbers that were found in some other way: the times of events, counts of steps, a residual, unknown loads.
A copy that handed these on would have a derivative of zero in silence, so whatever is not named here is refused where it is read,
what a later version adds too.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from dalembert.errors import AnalysisError

CACHED = ("observed", "placed", "signals", "energy", "certificate", "error_estimate")
HANDED = {"model", "system", "single",  # moved by who copies
          "status", "message", "extra", "begin", "given", "touching", "lost", "method", "limits"}  # no numbers of the motion
JUDGED = ("certificate", "error_estimate")  # found from the samples, and no channels
WHY = {"events": "when an event happens is not followed; where a run ends at one (stop=), t[-1] has a derivative",
       "stiffness": "its basis is any one; eigenvalues have derivatives"}


def bare(motion) -> dict[str, Any]:
    """What a copy of the motion takes over: nothing that was computed from its samples, whatever that may be by now."""
    found = {k: v for k, v in motion.__dict__.items()
             if (k.startswith("_") or k in HANDED) and k not in CACHED
             and not isinstance(getattr(type(motion), k, None), cached_property)}
    found["_known"] = motion.__dict__.keys() - found.keys()
    return found


@lru_cache(maxsize=64)
def veiled(kind: type) -> type:
    """The class of such copies."""

    def refused(self, name):
        own = self.__dict__
        derived = own.get("_derived", {})
        if name in derived:
            value = own[name] = derived[name](self)
            return value
        if name.startswith("_"):
            raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")
        known = self.__dict__.get("_known", ())
        if name not in known:
            raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")
        raise _refused(name)

    def judged(name):
        def read(self):
            raise _refused(name)
        return property(read)

    return type(kind.__name__, (kind,), {"__getattr__": refused, "__module__": kind.__module__,
                                         **{name: judged(name) for name in JUDGED if hasattr(kind, name)}})


def _refused(name) -> AnalysisError:
    why = WHY.get(name, "it is not a channel of the motion")
    return AnalysisError(f"'{name}' of a result has no derivative here: {why}. Read channels, or differences of results")


def copied(motion, bared: dict[str, Any], derived=None):
    """A copy of the motion to be moved; ``derived``: name → what it is of a copy, for numbers beside the channels."""
    own: Any = type(motion)  # lru_cache asks mypy for a Hashable, which a type is
    kind: Any = veiled(own)
    other = kind.__new__(kind)
    other.__dict__ = {**bared, "_derived": derived or {}}
    return other
