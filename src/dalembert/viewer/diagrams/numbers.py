"""Names on a diagram: bodies by number as in the lecture (1 is the ground), values to few digits.

Where every body has a name of one or two characters ("2", "3", "A"), these are used as they are.  A derivation says itself
what it calls bodies, and the forces of its joints (``symbols``: element → force, moment, as they act on the second body).
"""

from __future__ import annotations

import math


class Names:
    """What bodies and elements are called in symbols."""

    def __init__(self, bodies: list[str], called: dict[str, str] | None = None,
                 symbols: dict[str, tuple[str, str]] | None = None):
        self.own = called is not None or (all(len(n) <= 2 for n in bodies) and "1" not in bodies)
        self._number = {"ground": "1"} | {n: n if self.own else str(k) for k, n in enumerate(bodies, 2)} | (called or {})
        self.symbols = symbols or {}

    def number(self, body: str) -> str:
        return self._number[body]

    def pair(self, i: str, j: str) -> str:
        """12, or 2,11 where a number has two digits."""
        a, b = self.number(i), self.number(j)
        return a + b if len(a) == len(b) == 1 else f"{a},{b}"

    def short(self, name: str) -> str:
        """A name fit for an index."""
        return "".join(c for c in name if c not in "{}^_$\\")[:12]

    def key(self) -> str:
        """1 ground, 2 crank, …; nothing where the bodies' names are their numbers."""
        return "" if self.own else ", ".join(f"{k} {n}" for n, k in self._number.items())


def value(x: float, unit: str) -> str:
    """Three digits and the unit, with prefixes: 0.012 N → 12 mN."""
    if x == 0 or not math.isfinite(x):
        return f"{x:g} {unit}"
    power = max(-9, min(9, 3 * math.floor(math.log10(abs(x)) / 3 + 1e-12)))
    if float(f"{abs(x) / 10.0**power:.3g}") >= 1000 and power < 9:
        power += 3
    prefix = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}[power]
    number = f"{x / 10.0**power:.3g}"
    return f"{number.replace('-', '−')} {prefix}{unit}"


def nice(x: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is no larger than x."""
    power = 10.0 ** math.floor(math.log10(x))
    return max(k * power for k in (1.0, 2.0, 5.0) if k * power <= x * (1 + 1e-12))
