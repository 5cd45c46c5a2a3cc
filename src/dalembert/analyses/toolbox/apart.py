"""Analyses other than simulate know no contact forces, and say so where these would act.

Where nothing touches their answers are those of the whole model; where something does, they would be those of another one.
"""

from __future__ import annotations

from dalembert.errors import AnalysisError


def apart(state, what: str) -> None:
    """Refuse a state in which shapes touch; ``what`` was asked."""
    model = state.model
    contacts = [e.name for e in model.contacts.values() if e.kind == "contact"]
    if not contacts:
        return
    from dalembert.analyses.toolbox.looking import Look

    look = Look(model, state.system)
    found = look.at(state.t, state.q)
    if found is None:
        return
    one, other, gap = found
    how = f"overlap by {-gap:.3g} m" if gap < -1e-3 * look.scene.shapes.length else "touch"
    raise AnalysisError(f"{what} of '{model.name}': '{one}' and '{other}' {how} at t = {state.t:g}, and only simulate knows the "
                        "forces of contacts: da.simulate(m, …) and read the run (its last sample where it came to rest), or ask "
                        f"a copy without contacts (m.copy(), then .remove({contacts[0]!r}))")
