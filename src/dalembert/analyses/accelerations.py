"""accelerations: one solve of the equations of motion in a state, with names, in any form (formulations/contract.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.assembly.adopted import met
from dalembert.analyses.assembly.held import carried
from dalembert.analyses.toolbox import feeling
from dalembert.analyses.toolbox.apart import apart
from dalembert.analyses.toolbox.blame import culprit
from dalembert.analyses.toolbox.forms import check_formulation, make_form
from dalembert.analyses.toolbox.sharing import refuse_shared
from dalembert.elements.given import Names
from dalembert.equations.spinless import regular
from dalembert.equations.workspace import workspace
from dalembert.errors import INCONSISTENT, AnalysisError, describe
from dalembert.model.model import Model
from dalembert.results.motion import State

TOLERANCE = 1e-6  # of the accelerations, in the metric of the masses: rows missed by more contradict the others


class Solved(State):
    """A state with accelerations, multipliers and reactions; ``formulation`` says how they were found, ``form`` is that form."""

    formulation = "augmented"

    if TYPE_CHECKING:
        form: Any  # of the formulation asked for: each has attributes of its own

    def __repr__(self):
        lines = [f"accelerations of '{self.model.name}' at t = {self.t:g}"]
        for name in self.system.bodies[:12]:
            b = self[name]
            a = ", ".join(f"{x:.6g}" for x in b.acceleration)
            turn = np.array2string(np.asarray(b.angular_acceleration), precision=6)
            lines.append(f"  {name}: acceleration ({a}), angular {turn}")
        for name in list(self.system.groups)[:12]:
            j = self[name]
            lines.append(f"  {name}: force {np.array2string(np.asarray(j.force), precision=6)}, "
                         f"torque {np.array2string(np.asarray(j.torque), precision=6)}")
        return "\n".join(lines)


def accelerations(model: Model, state: State | None = None, t: float = 0.0, *, formulation: str = "auto", cut: Names = (),
                  independent: Names | None = None) -> Solved:
    """Accelerations, multipliers and reactions in a state (default: the assembled drawing at time t).

    Parameters
    ----------
    model : Model
        The mechanism.
    state : State, optional
        Where; left out: as assembled at time t.
    t : number [s], default 0.0
        Time of the drawing that is assembled.
    formulation : str, default "auto"
        "augmented", "embedded", "recursive"; "auto" is augmented, which needs no preparation for a single solve.
    cut : names, default ()
        Joints to open, of the recursive form.
    independent : names, optional
        Coordinates of the embedded form; ``.form.independent`` and ``.form.B`` show the choice.

    Returns
    -------
    Solved
        Accelerations of bodies, multipliers and reactions by name.
    """
    check_formulation(formulation)
    model = carried(model, state)
    state = assemble(model, t) if state is None else met(adopt(model, state), "accelerations")
    regular(state.system, f"accelerations of '{model.name}'")
    apart(state, "accelerations")
    out = Solved(model, state.system, state.t, state.q, state.v)
    out.formulation = "augmented" if formulation == "auto" else formulation
    out.form = form = make_form(model, state.system, formulation, cut, independent)
    status = int(out.observed.status[0])
    if status:
        w = workspace(state.system)
        w.set(state.t, state.q, state.v)
        w.run("accelerations")
        raise AnalysisError(f"accelerations of '{model.name}' at t = {state.t:g}: {describe(status)}"
                            f"{culprit(state.system, w, state.t, w.y.copy())}")
    if state.system.feeling:
        w = workspace(state.system)
        w.set(state.t, state.q, state.v)
        w.run("accelerations")
        feeling.only_one(w, f"accelerations of '{model.name}'")
        refuse_shared(w, f"accelerations of '{model.name}'")
    if formulation == "embedded" and form.refused:  # type: ignore[attr-defined]
        several: Any = [independent] if isinstance(independent, str) or hasattr(independent, "name") else independent or ()
        wished = ", ".join(str(getattr(n, "name", n)) for n in several)
        able = ", ".join(form.independent)  # type: ignore[attr-defined]
        raise AnalysisError(f"accelerations of '{model.name}' at t = {state.t:g}: {wished} cannot all be independent here; "
                            f"{able or 'none'} can")
    if out.observed.report.residual[0] > TOLERANCE:
        missed = np.abs(out.observed.second[0])
        row = out.system.rows[int(np.argmax(missed))]
        raise AnalysisError(f"accelerations of '{model.name}' at t = {state.t:g}: no accelerations satisfy all constraints; "
                            f"{row.title} is missed by {missed.max():.4g}. {describe(INCONSISTENT)}")
    return out
