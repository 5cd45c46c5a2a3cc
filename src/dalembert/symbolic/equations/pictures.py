"""Free-body diagrams beside a derivation, in its own names: F^{12} of the picture is (F_x^{12}, F_y^{12}) of the formulas.

Pictures are drawn by the viewer (``dalembert.presenter``), to scale in the state as drawn, without numbers.
With reactions="lambda" no force has a name in the formulas; pictures then number the bodies, the ground is 1, and say so.
A derivation of many bodies, or of a model that has no motion as drawn, is shown without.
"""

from __future__ import annotations

import dalembert
from dalembert.analyses.accelerations import accelerations
from dalembert.errors import DalembertError
from dalembert.symbolic.equations.reactions import entries, ground_name

MOST = 8  # bodies: beyond it pictures would take longer to draw than the derivation to be shown


def beside(eqs, cuts) -> dict[tuple[str, ...], str]:
    """Bodies cut free together → SVG."""
    found = sorted(cuts)
    if not found or eqs.free is None or len(found) > MOST:
        return {}
    try:
        state = accelerations(eqs.model)
        drawn = dalembert.presenter("fbd_each")(state, found, *names(eqs))
    except DalembertError:
        return {}
    return {cut: picture.svg for cut, picture in zip(found, drawn, strict=True)}


def names(eqs) -> tuple[dict[str, str] | None, dict[str, tuple[str, str]]]:
    """What the derivation calls bodies (None: it names none in its forces), and force and moment of each element."""
    kin, rows = eqs.free.kin, eqs.free.rows
    given = _given(eqs)
    if eqs.reactions != "F":
        return None, given
    bodies = kin.b.body_names
    letters: dict[str, set[str]] = {}
    above: dict[str, str] = {}
    for r, (letter, index) in zip(rows, entries(kin, rows), strict=True):
        letters.setdefault(r.element, set()).add(letter)
        above[r.element] = index.partition("^")[2]
    symbols = {e: (f"F^{{{above[e]}}}", f"M^{{{above[e]}}}") for e, used in letters.items() if used <= {"F", "M"}}
    return {**{b: b for b in bodies}, "ground": ground_name(bodies)}, given | symbols


def _given(eqs) -> dict[str, tuple[str, str]]:
    """Loads that are parameters, as the notation spells these: M2 → M^2; (F_x_3, F_y_3) → F^3."""
    spelled, found = eqs.story.spelling.parameters, {}
    for name, e in eqs.model.elements.items():
        parts = getattr(e, "components", None) if e.kind == "force" else None
        used = [x for x in (parts if isinstance(parts, (list, tuple)) else [parts]) if x != 0]
        symbols = [eqs.parameters.get(x) if isinstance(x, str) else None for x in used]
        items = [spelled[s] for s in symbols if s in spelled]
        if not items or len(items) < len(used):
            continue
        letter, (below, _, above) = items[0][0], items[0][1].partition("^")
        if all(i[0] == letter and i[1].partition("^")[2] == above for i in items):
            whole = (f"_{{{below}}}" if below and len(items) == 1 else "") + (f"^{{{above}}}" if above else "")
            found[name] = (letter + whole,) * 2
    return found
