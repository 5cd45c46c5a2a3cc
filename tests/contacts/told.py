"""What a result tells, in a few numbers and words: all its channels, points of contact, sums, counts, doubts and notes.

Whatever has one unit is one number, Σ w x over all channels and samples: the weights, between ½ and 1½, go by name and place, so
that exchanged, missing and wrong numbers change it.  Words are compared without the numbers in them.  What only says how much
work it was (steps, sweeps, seconds) is not told.
"""

from __future__ import annotations

import re
import zlib

import numpy as np

WORK = {"steps", "rejected", "rhs_calls", "projections", "event_calls", "newton", "tangents", "factorisations", "seconds",
        "solved", "failed", "detections", "sweeps", "visits", "stretches", "risen_at"}
TURN = 2.399963229728653  # rad, the golden angle: places near each other get weights far apart
FOLDERS = re.compile(r"(/[\w.+-]+){2,}/")  # of a file: of the machine and of how tests are run
NUMBER = re.compile(r"[-−+]?\d[\d.,]*(e[-+]?\d+)?")


def told(found) -> dict:
    """Of a run, a state, a range of loads or an error: {"m": (Σ w x, Σ w |x|), …, "words": …}."""
    out = _Told()
    if isinstance(found, Exception):
        out.say(type(found).__name__, str(found))
        return out.all()
    if hasattr(found, "channels"):
        _channels(out, found)
    touching = getattr(found, "touching", None)
    if touching is not None:
        plain = touching.plain()
        columns = dict(enumerate(plain.pop("history").T)) if "history" in plain else {}
        _plain(out, "touching", plain | columns)
    for name in ("lower", "upper", "inside"):  # HoldRange
        if hasattr(found, name):
            out.add("range", name, getattr(found, name))
    for name in ("below", "above", "notes", "message", "status"):
        if hasattr(found, name):
            out.say(name, str(getattr(found, name)))
    certificate = getattr(found, "certificate", None)
    if certificate is not None:
        out.say(*certificate.doubts())
        _plain(out, "stats", {k: v for k, v in certificate.stats.items() if k not in WORK})
    for event in getattr(found, "events", None) or ():
        out.say(type(event).__name__)
        _plain(out, "events", vars(event) if hasattr(event, "__dict__") else {"": event})
    return out.all()


def _channels(out, found) -> None:
    channels = found.channels()
    for name, unit in channels.units.items():
        out.add(unit, name, channels[name])


def _plain(out, group, value, name="") -> None:
    """Numbers and words of plain things, whatever they are in; what has a name is told by itself."""
    if isinstance(value, dict):
        for key, x in value.items():
            if key not in WORK:
                _plain(out, f"{group}.{key}", x, name)
    elif isinstance(value, str):
        out.say(group, value)
    elif isinstance(value, (bool, int, float, np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "fiub":
        out.add(group, name, value)
    elif isinstance(value, (list, tuple)):
        for k, x in enumerate(value):
            _plain(out, group, x, f"{name}{k}")


class _Told:
    def __init__(self):
        self.sums: dict[str, list[float]] = {}
        self.words: list[str] = []

    def add(self, unit, name, values) -> None:
        x = np.asarray(values, float).ravel()
        w = 1.0 + 0.5 * np.cos(zlib.crc32(name.encode()) % 1000 + TURN * np.arange(len(x)))
        odd = ~np.isfinite(x) | (np.abs(x) > 1e100)
        if odd.any():
            self.add(f"{unit} without end", name, np.where(np.isnan(x), 3.0, np.sign(x))[odd])
            x = np.where(odd, 0.0, x)
        both = self.sums.setdefault(unit, [0.0, 0.0])
        both[0] += float(w @ x)
        both[1] += float(w @ np.abs(x))

    def say(self, *words) -> None:
        self.words += [NUMBER.sub("#", FOLDERS.sub("/", text)) for text in words if text]

    def all(self) -> dict:
        return {**{unit: tuple(both) for unit, both in self.sums.items()},
                "words": f"{zlib.crc32(chr(10).join(self.words).encode()):08x}"}
