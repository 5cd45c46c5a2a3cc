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
from functools import cached_property

import numpy as np

from dalembert.analyses.driven import actuators
from dalembert.analyses.statics.rubbing import HoldRange, held_range, rests
from dalembert.analyses.toolbox.apart import apart
from dalembert.analyses.toolbox.stateless import refuse_felt, refuse_states
from dalembert.errors import AnalysisError, DalembertError
from dalembert.expressions import parse
from dalembert.results.motion import State
from dalembert.results.poses import poses

CLOSE = 1e-10  # of the share of friction that is needed
FEW = 4  # loads whose ranges are printed without being asked for (some tenths of a second each)


class Held(State):
    """A pose at rest that friction holds.

    Attributes
    ----------
    reserve : number
        How many times more friction there is than is needed; infinite where the pose is balanced without.
    slides : list of names
        What slides where there is less.
    ranges : dict
        {"load.x": (lower, upper)} of every load of the model whose value is a number, each by itself; ``range("load.x")`` is
        what hold says of it.
    stability, stable : "held", True
        Small pushes do not move it; ``residual`` is what is left of the accelerations.
    """

    stability, stable = "held", True

    def __init__(self, asked, still, state, residual, reserve, slides):
        super().__init__(still, state.system, state.t, state.q, np.zeros_like(state.v))
        self._asked, self.residual, self.reserve, self.slides = asked, residual, reserve, slides
        self.eigenvalues, self.doubts = np.zeros(0), []

    @property
    def potential(self) -> float:
        """Potential energy of gravity and springs."""
        return float(self.observed.report.potential[0])

    def range(self, name: str) -> HoldRange:
        """The range of a load (a force component, or a parameter) around its present value in which the pose stays."""
        model = self._asked
        known = {c.label: c for c in actuators.components(model)}
        present = model.parameter_values().get(name) if name not in known else _present(model, known[name], self.t)
        return held_range(model, [name], self.t, self, None, present)

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """By name of the load."""
        model = self._asked
        labels = [c.label for c in actuators.components(model) if _present(model, c, self.t) is not None]
        return {name: self.range(name).value for name in labels}

    def save(self, path) -> None:
        """Write the pose with all channels to an HDF5 file; ``da.load(path)`` gives it back as a result of one sample."""
        poses([self], "equilibrium", "a pose that friction holds").save(path)

    def __repr__(self):
        spare = ("balanced without friction" if math.isinf(self.reserve) else
                 f"reserve {self.reserve:.6g} (with less than 1/{self.reserve:.6g} of its friction "
                 f"{', '.join(map(repr, self.slides)) or 'something'} slides)")
        lines = [f"equilibrium of '{self.model.name}' at t = {self.t:g}: held, {spare}"]
        if len(actuators.components(self._asked)) <= FEW:
            lines += [f"  stays for {low:.9g} ≤ {name} ≤ {high:.9g}" for name, (low, high) in self.ranges.items()]
        return "\n".join(lines + super().__repr__().splitlines()[1:])


def _present(model, component, t: float) -> float | None:
    """The value of a load, where it is a number or a formula of parameters and time."""
    law = getattr(model.elements[component.element], component.key)
    law = law if component.place is None else law[component.place]
    try:
        value = parse(law).evaluate({**model.parameter_values(), "t": t}) if isinstance(law, str) else law
        return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
    except (DalembertError, KeyError, TypeError):
        return None  # it goes by coordinates or signals


def judged(model, still, state) -> Held:
    """The pose at rest of a model (``still``: its drives stand) that friction holds; refused where it does not."""
    question = f"equilibrium of '{model.name}'"
    refuse_states(state.system, question)
    refuse_felt(state.system, question)
    apart(state, "equilibrium")
    found = rests(still, state, question)
    if not found.held:
        raise AnalysisError(f"{question}: friction does not hold the pose: {', '.join(map(repr, found.sliding)) or 'something'} "
                            "slides. With friction poses at rest are many, and which one it comes to depends on the motion: "
                            "simulate until it rests and ask there (state=run.state()); hold says which load keeps this pose")
    without = rests(still, state, question, 0.0)
    if without.held:
        return Held(model, still, state, found.left, math.inf, [])
    low, high, slides = 0.0, 1.0, without.sliding
    while high - low > CLOSE * high:
        share = 0.5 * (low + high)
        less = rests(still, state, question, share)
        low, high, slides = (low, share, slides) if less.held else (share, high, less.sliding)
    return Held(model, still, state, found.left, 1.0 / high, slides)
