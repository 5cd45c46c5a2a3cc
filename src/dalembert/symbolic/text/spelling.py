"""The notations of the texts: how symbols are spelled, never which ones there are.

A symbol is shown by (letter, index, dots, prefix).  An index "sub^sup" has a part below and a part above: F_x^12 is
("F", "x^12"), θ² of the lecture on forms of dynamic equations is ("theta", "^2").  A notation is a rule from entries to entries
that is applied when a derivation is printed; formulas, numbers and ``eqs.symbol`` are the same in all of them.

    plain     x_2, θ_2, m2, C_q                                    as the model names them
    shabana   R_x², R_y², θ², m², l_O², T², C_q, Q_d               bodies above; parameters "m2", "l_O_2", "J_rod" likewise
    me751     r_2, Φ_r, Π̄, ν, γ, τ; J̄                              rows are Φ, columns r | ω̄
    kane      v^G2, ω^2, F_r and F_r*, a_jk                        partial velocities and constraint coefficients
"""

from __future__ import annotations

import re

from dalembert.errors import AnalysisError, hint
from dalembert.symbolic.kinematics.joint_frames import EULER, GREEK

NOTATIONS = ("plain", "shabana", "me751", "kane")
PLACES = ("x", "y", "z")
LETTERS = {*PLACES, *EULER, *GREEK}  # of a body's coordinates: a parameter called like one would be mistaken for it


def parts(index: str) -> tuple[str, str]:
    """What stands below and what stands above."""
    below, _, above = index.partition("^")
    return below, above


def known(notation) -> str:
    """The name of a notation, or our error."""
    key = "plain" if notation is None else str(notation).lower()
    if key not in NOTATIONS:
        raise AnalysisError(f"derive: notation '{notation}' is not known{hint(key, NOTATIONS)} (known: {', '.join(NOTATIONS)})")
    return key


class Spelling:
    """A notation for the symbols of one model."""

    def __init__(self, notation: str = "plain", bodies=(), parameters=None, ground: str = ""):
        self.notation, self.bodies = notation, [*bodies, ground] if ground else [*bodies]
        self.alone = bodies[0] if len(bodies) == 1 and not LETTERS & set(parameters or {}) else ""
        self.angled = False  # whether α is an angle among the coordinates: then it is not the angular acceleration
        self.parameters = {s: entry for n, s in (parameters or {}).items() if (entry := self._parameter(n))}

    def _parameter(self, name: str):
        """"m2", "l_O_2", "J_rod": a letter, what it is of, and a body, which goes above."""
        if self.notation != "shabana":
            return None
        body = next((b for b in sorted(self.bodies, key=len, reverse=True) if self._ends(name, b)), "")
        head = name[: len(name) - len(body)].rstrip("_")
        found = re.fullmatch(r"([A-Za-z])_?([A-Z])|([A-Za-z]+)_(\w+)", head)
        letter, below = (found[1] or found[3], found[2] or found[4]) if found else (head, "")
        return (letter, below + (f"^{body}" if body else ""), 0, "") if body or found else None

    @staticmethod
    def _ends(name: str, body: str) -> bool:
        """Whether a parameter speaks of a body: a number may follow at once (m2), a word after "_" (m_rod)."""
        return name.endswith(body if body.isdigit() else f"_{body}") and len(name) > len(body)

    def table(self, shown: dict) -> dict:
        """Entries as this notation spells them."""
        if self.notation == "plain" and not self.alone:
            return shown
        return {**self.parameters, **{s: self.entry(item if len(item) == 4 else (*item, "")) for s, item in shown.items()}}

    def entry(self, item):
        letter, index, dots, prefix = item
        return getattr(self, f"_{self.notation}")(letter, index, dots, prefix)

    def _plain(self, letter, index, dots, prefix):
        """A body that is the only one needs no index."""
        if index == self.alone:
            return letter, "", dots, prefix
        index = index.removeprefix(f"{self.alone}.").removesuffix(f",{self.alone}").replace(f",{self.alone}.", ",")
        return letter, index, dots, prefix

    def _body(self, index: str) -> str | None:
        """The body an index speaks of, also as "G,body"."""
        name = index[2:] if index.startswith("G,") else index
        return name if name in self.bodies else None

    def _coordinate(self, index: str) -> str:
        """"e,2.angle" below and above: e,θ^2."""
        head, _, name = index.partition(",")
        body, _, part = name.partition(".")
        if body not in self.bodies or not part:
            return index
        return f"{head},{'θ' if part == 'angle' else part}^{body}"

    def _shabana(self, letter, index, dots, prefix):
        body = self._body(index)
        if body is not None:
            if letter in PLACES:
                return "R", f"{letter}^{body}", dots, prefix
            return letter, f"{'G' if index.startswith('G,') else ''}^{body}", dots, prefix
        if letter == "Q" and "," in index:
            return letter, self._coordinate(index), dots, prefix
        if letter == "C" and index == "":
            return "C", "q", dots, prefix
        if letter == "gamma" and index == "":
            return "Q", "d", dots, prefix
        return letter, index, dots, prefix

    def _me751(self, letter, index, dots, prefix):
        body = self._body(index)
        if body is not None and letter in PLACES and index.startswith("G,"):
            return letter, body, dots, prefix
        if letter == "C":
            return "Phi", {"": "q", "qi": "q_i", "qd": "q_d"}.get(index, index), dots, prefix
        return letter, index, dots, prefix

    def _kane(self, letter, index, dots, prefix):
        if self.alone:
            return self._plain(letter, index, dots, prefix)
        body = self._body(index)
        if body is not None and letter in ("v", "a"):
            return letter, f"^G{body}" if index.startswith("G,") else f"^{body}", dots, prefix
        if body is not None and letter in ("omega", "H", "T", "alpha")[: 3 if self.angled else 4]:
            return letter, f"^{body}", dots, prefix
        return letter, index, dots, prefix
