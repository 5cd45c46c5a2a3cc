"""equilibrium of a model in which something rubs: whether the pose at hand stays, with what reserve, and under which loads.

With friction poses at rest are a set, and which of them a machine comes to depends on its motion.  So none is looked for: the
pose that is drawn (or given) is judged.  It stays where there are forces of friction with

    |f_k| ≤ μ_k N_k(f)   for every surface,      which balance the loads                       (contacts/rubbing decides)

reserve    1/s of the least s with which the coefficients s μ_k still hold it.  Forces within s μ are within s' μ of any s' > s,
           so that bisection finds it; ∞ where the pose is balanced without friction.  It is 1 at the ends of a range of loads.
ranges     of each load by itself, the others as they are: hold from the present value, which holds.
"""

from __future__ import annotations

import math

from dalembert.analyses.driven import actuators
from dalembert.analyses.statics.rubbing import HoldRange, held_range, rests
from dalembert.analyses.toolbox.apart import apart
from dalembert.analyses.toolbox.stateless import refuse_felt, refuse_states
from dalembert.errors import AnalysisError, DalembertError
from dalembert.expressions import parse

CLOSE = 1e-10  # of the share of friction that is needed


def load_range(model, state, name: str) -> HoldRange:
    """The range of a load (a force component, or a parameter) around its present value in which a held pose stays."""
    known = {c.label: c for c in actuators.components(model)}
    present = model.parameter_values().get(name) if name not in known else _present(model, known[name], state.t)
    return held_range(model, [name], state.t, state, None, present)


def loads(model, t: float) -> list[str]:
    """Force components that have a value: numbers, formulas of parameters and time."""
    return [c.label for c in actuators.components(model) if _present(model, c, t) is not None]


def _present(model, component, t: float) -> float | None:
    """The value of a load, where it is a number or a formula of parameters and time."""
    law = getattr(model.elements[component.element], component.key)
    law = law if component.place is None else law[component.place]
    try:
        value = parse(law).evaluate({**model.parameter_values(), "t": t}) if isinstance(law, str) else law
        return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
    except (DalembertError, KeyError, TypeError):
        return None  # it goes by coordinates or signals


def judged(model, still, state) -> tuple[float, float, list[str]]:
    """Of the pose of a model (``still``: its drives stand) that friction holds: what is left of the accelerations, the reserve,
    what slides first.  Refused where friction does not hold it."""
    question = f"equilibrium of '{model.name}'"
    refuse_states(state.system, question)
    refuse_felt(state.system, question)
    apart(state, "equilibrium")
    found = rests(still, state, question)
    if found.lifted:
        raise AnalysisError(f"{question}: {', '.join(map(repr, found.lifted))} would be pulled (a wheel from its ground) or "
                            "pushed (a rope), which it does not bear: it lifts off or goes slack. Change the loads, or use "
                            "shapes and Contact, which let go")
    if not found.held:
        raise AnalysisError(f"{question}: friction does not hold the pose: {', '.join(map(repr, found.sliding)) or 'something'} "
                            "slides. With friction poses at rest are many, and which one it comes to depends on the motion: "
                            "simulate until it rests and ask there (state=run.state()); hold says which load keeps this pose")
    without = rests(still, state, question, 0.0)
    if without.held:
        return found.left, math.inf, []
    low, high, slides = 0.0, 1.0, without.sliding
    while high - low > CLOSE * high:
        share = 0.5 * (low + high)
        less = rests(still, state, question, share)
        low, high, slides = (low, share, slides) if less.held else (share, high, less.sliding)
    return found.left, 1.0 / high, slides
