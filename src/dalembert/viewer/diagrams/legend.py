"""The legend of a diagram: what the colours are, how long a newton is, which numbers the bodies have, the axes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.viewer.diagrams.acting import KINDS, FreeBody
from dalembert.viewer.diagrams.numbers import Names, nice, value
from dalembert.viewer.diagrams.outlines import Drawn
from dalembert.viewer.diagrams.placing import INKS, Arrow, Scales, arc, straight
from dalembert.viewer.diagrams.sheet import Text

WORDS = {"joint": "joints", "drive": "drives", "applied": "applied", "spring": "springs", "weight": "weights",
         "inertia": "inertia"}
LINE, WIDE = 21.0, 620.0
INK, SOFT = "#1f2730", "#5b6773"


@dataclass
class Key:
    items: list = field(default_factory=list)
    width: float = 0.0


def legend(bodies: list[FreeBody], scale: Scales, dim: int, names: Names, arrows: list[Arrow]) -> tuple[Key, float]:
    """The legend and its height."""
    entries = []  # (how long its sample is, what draws it, words)
    for what, per in (("force", scale.force), ("moment", scale.moment)):
        unit = "N" if what == "force" else "N m"
        for kind in (k for k in KINDS if k in per):
            flat = what == "moment" and dim == 2
            size = nice((np.radians(270.0) if flat else 52.0) / per[kind])
            entries.append((26.0 if flat else size * per[kind], kind, what, size * per[kind],
                            f"{WORDS[kind]}: {value(size, unit)}"))
    out, x, y = Key(), 0.0, 14.0
    for wide, kind, what, length, words in entries:
        text = Text((0.0, 0.0), words, 12.0, INK)
        full = wide + 8.0 + text.width + 20.0
        if x > 0 and x + full > WIDE:
            x, y = 0.0, y + LINE
        if what == "moment" and dim == 2:
            out.items += arc(np.array([x + 13.0, y - 4.0]), 8.5, np.pi / 2, length, INKS[kind], kind == "inertia")[0]
        else:
            out.items += straight((x, y - 4.0), (x + length, y - 4.0), INKS[kind], kind == "inertia", what == "moment")
        text.at = (x + wide + 8.0, y)
        out.items.append(text)
        x += full
        out.width = max(out.width, x)
    notes = _wrapped(names.key())
    if any(a.short for a in arrows):
        notes.append("The shortest arrows are drawn longer than to scale.")
    if dim == 3:
        notes.append("Lengths are seen from the side; a circle with a dot or cross points at the reader or away.")
    for note in filter(None, notes):
        y += LINE - 2.0
        out.items.append(Text((0.0, y), note, 12.0, SOFT))
        out.width = max(out.width, out.items[-1].width)
    return out, max(y + 8.0, 44.0)


def _wrapped(words: str, most: int = 110) -> list[str]:
    """Lines of at most so many characters, broken at commas."""
    out: list[str] = []
    for part in words.split(", ") if words else []:
        if out and len(out[-1]) + len(part) < most:
            out[-1] += f", {part}"
        else:
            out.append(part)
    return out


def triad(shown: Drawn) -> list:
    """The axes of the ground."""
    items: list = []
    for k, axis in enumerate(np.eye(len(shown.back))):
        v = axis @ shown.paper * [1, -1] * 26.0
        length = float(np.linalg.norm(v))
        if length < 5.0:
            continue
        items += straight((0.0, 0.0), v, SOFT)
        at = v + v / length * 7.0
        items.append(Text((float(at[0]) - 3.5, float(at[1]) + 4.0), "xyz"[k], 12.0, SOFT, True))
    return items
