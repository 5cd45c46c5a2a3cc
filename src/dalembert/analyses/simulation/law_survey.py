"""Look at a law of time before the run, so that nothing short is stepped over: where it jumps, and where it grows lively.

The law is asked at evenly spaced times; what lasts longer than their distance is seen.

    jumps    a difference of neighbours that stands out is halved again and again: if it stays, it is a jump, and its place is
             known to the last bits; if it shrinks with the interval, the law is steep there, no more
    marks    between jumps the time is halved as long as a quartic through five values misses the others by more than MISS of
             the law's range; the ends of pieces much shorter than the longest one are marks: a step ends there, and the next is
             no longer than the piece

What is still not seen at the shortest pieces, or lies as close together as the times looked at, is a reason for doubt: there may
be more of it.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import MODE
from dalembert.records import field, record

COMPILED, CALLED = (65536, 8192) if MODE == "object" else (2048, 2048)  # times looked at: compiled laws, Python callbacks
MISS = 1e-3  # of the range of the law
OUTSTANDING = 1e-3  # of the range: a difference that may be a jump
RATE = 1e-6  # of the largest rate: a jump of less is rounding
ROUNDED = 8.0 * np.finfo(float).eps  # of a value of a law
SHORT = 16.0  # a piece this much shorter than the longest one is marked
FEW = 8  # samples of the shortest piece
MOST_PIECES, MOST_MARKS = 2000, 20000


@record(frozen=False)
class Seen:
    """What was found; ``spacing``: what is shorter may have been missed."""

    spacing: float
    left: np.ndarray = field(default_factory=lambda: np.zeros(0))
    right: np.ndarray = field(default_factory=lambda: np.zeros(0))
    marks: list[tuple[float, float]] = field(default_factory=list)  # time, longest step after it
    doubt: str = ""


def look(law, a: float, b: float, count: int) -> Seen:
    """``law``: a function of arrays of times."""
    t = np.linspace(a, b, count + 1)
    f = law(t)
    found = Seen((b - a) / count)
    if not np.all(np.isfinite(f)):
        return found  # the run will say so
    scale = max(float(np.ptp(f)), 1e-9 * float(np.abs(f).max()))
    if scale == 0.0:
        return found
    found.left, found.right = _jumps(law, t, f, scale)
    within = (found.left > a) & (found.right < b)  # a law that begins after the first instant is no short one
    edges = np.concatenate([[a], found.left[within], found.right[within], [b]])
    edges.sort()
    if within.any() and np.diff(edges)[::2].min() < 3 * found.spacing:
        found.doubt = f"it changes in times as short as {np.diff(edges)[::2].min():.2g} s"
    if found.left.size < MOST_PIECES:
        _pieces(found, t, f, scale)
    return found


def halved(law, left, right, enough=None) -> tuple[np.ndarray, np.ndarray]:
    """Brackets halved towards where the law changes most, down to neighbouring floats; ``enough``: a change that must stay."""
    f_left, f_right = law(left), law(right)
    for n in range(64):
        middle = 0.5 * (left + right)
        inside = (middle > left) & (middle < right)
        if not inside.any():
            break
        f = law(middle)
        first = np.abs(f - f_left) >= np.abs(f_right - f)
        right, f_right = np.where(inside & first, middle, right), np.where(inside & first, f, f_right)
        left, f_left = np.where(inside & ~first, middle, left), np.where(inside & ~first, f, f_left)
        if enough is not None and n in (1, 4, 12):
            stays = np.abs(f_right - f_left) >= enough
            left, right, f_left, f_right, enough = (x[stays] for x in (left, right, f_left, f_right, enough))
    if enough is not None:
        stays = np.abs(f_right - f_left) >= enough
        left, right = left[stays], right[stays]
    return left, right


def _jumps(law, t, f, scale) -> tuple[np.ndarray, np.ndarray]:
    d = np.abs(np.diff(f))
    padded = np.concatenate([[0.0], d, [0.0]])
    k = np.flatnonzero((d > OUTSTANDING * scale) & (d > 2.0 * np.minimum(padded[:-2], padded[2:])))
    return halved(law, t[k], t[k + 1], 0.5 * d[k]) if k.size else (np.zeros(0), np.zeros(0))


def outstanding(law, a: float, b: float, count: int = 4096) -> list[tuple[float, float, float]]:
    """Jumps of the rate of a law without jumps: time, rate before, rate after.

    A rate is a difference of values over a time: their rounding, and that of the times, counts over the shortest of these.
    """
    t = np.linspace(a, b, count + 1)
    f = law(t)
    rate = np.diff(f) / np.diff(t)
    bend = np.abs(np.diff(rate))
    largest = float(np.abs(rate).max())
    rounding = ROUNDED * (float(np.abs(f).max()) + largest * max(abs(a), abs(b))) * 64 * count / (b - a)
    least = max(OUTSTANDING * float(np.ptp(rate)), RATE * largest, 2.0 * rounding)
    padded = np.concatenate([[0.0, 0.0], bend, [0.0, 0.0]])
    around = np.minimum(padded[:-4], padded[4:])  # two further on: a kink between two times bends at both
    found = []
    for k in np.flatnonzero((bend > least) & (bend > 3.0 * around))[:200]:
        fine = np.linspace(t[k], t[k + 2], 129)
        rates = np.diff(law(fine)) / np.diff(fine)
        if np.abs(rates[2:] - rates[:-2]).max() > 0.5 * bend[k]:
            j = int(np.argmax(np.abs(rates[2:] - rates[:-2])))
            found.append((float(fine[j + 1]), float(rates[j]), float(rates[j + 2])))
    return found


_NODES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def _misses(f, i, j) -> float:
    """How far the quartic through five of the samples i … j misses the others."""
    at = i + np.round(_NODES * (j - i)).astype(int)
    x = (at - i) / (j - i)
    c = np.polynomial.polynomial.polyfit(x, f[at], 4) if j - i > 4 else None
    if c is None:
        return 0.0
    u = np.linspace(0.0, 1.0, j - i + 1)
    return float(np.abs(np.polynomial.polynomial.polyval(u, c) - f[i:j + 1]).max())


def _pieces(found: Seen, t, f, scale) -> None:
    cuts = np.searchsorted(t, found.left, side="right")
    leaves: list[tuple[int, int]] = []
    rough = False
    todo = [(i, j - 1) for i, j in zip([0, *cuts], [*cuts, t.size], strict=True) if j - i > FEW][::-1]
    while todo and len(leaves) < MOST_MARKS:
        i, j = todo.pop()
        if _misses(f, i, j) <= MISS * scale:
            leaves.append((i, j))
        elif j - i <= 2 * FEW:
            leaves.append((i, j))
            rough = rough or _misses(f, i, j) > 30 * MISS * scale
        else:
            m = (i + j) // 2
            todo += [(m, j), (i, m)]
    if rough and not found.doubt:
        found.doubt = f"it does not look smooth over {2 * FEW * found.spacing:.2g} s"
    longest = max((j - i for i, j in leaves), default=0)
    if longest * SHORT > t.size - 1 or found.left.size:  # otherwise lively everywhere: the controller sees that by itself
        found.marks = [(float(t[i]), float(t[j] - t[i])) for i, j in leaves if (j - i) * SHORT <= longest]
