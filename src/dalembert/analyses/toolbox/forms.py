"""Which form of the equations an analysis works with (the forms themselves: formulations/contract.py).

"auto" takes the recursive form for open trees of at least FEW bodies; anything else is augmented.  The rule is measured, and
not timed anew in every run, so that the same run gives the same bits.  A step (12 evaluations, one projection) of augmented
over recursive took 2.3 (chain of 4 links in the plane), 2.8 (10), 3.9 (100), in space 6.0 (10 links).  With loops it took
0.9–1.1 in the plane, 1.4–1.7 in space, 0.2 for 40 windows of the N-four-bar, and singular poses are passed more accurately in
the augmented form.  Implicit integrators work on the augmented form.  Embedded is never the fastest: its table is full.
"""

from __future__ import annotations

from dalembert.equations.workspace import borrowed, workspace
from dalembert.errors import AnalysisError
from dalembert.formulations.contract import FORMS, Form, form_class
from dalembert.integrators.registry import shown

FORMULATIONS = ("auto", *FORMS)
FEW = 4


def check_formulation(formulation, error=AnalysisError) -> None:
    if formulation not in FORMULATIONS:
        raise error(f"formulation '{formulation}' is not known; choose from {', '.join(FORMULATIONS)}")


def make_form(model, system, formulation="augmented", cut=(), independent=None, work=None) -> Form:
    """The form asked for ("auto": augmented) at the drawing, on a workspace that is given or fresh."""
    work = workspace(system) if work is None else work
    name = "augmented" if formulation == "auto" else formulation
    if system.states and name != "augmented":
        raise AnalysisError(f"'{model.name}': the {name} form does not carry the states of differentials "
                            f"({', '.join(list(system.states)[:5])}); leave formulation='{name}' away")
    if system.felt and name != "augmented":
        raise AnalysisError(f"'{model.name}': the {name} form does not solve for reactions and accelerations that laws read "
                            f"({', '.join(system.felt[:5])}); leave formulation='{name}' away")
    if name == "recursive":
        from dalembert.formulations.recursive.promise import check_promises
        from dalembert.model.topology import topology

        form = form_class(name)(system, topology(model, system, cut).steps, work)
        check_promises(model, form)
        return form
    return form_class(name)(work, *([independent] if name == "embedded" else []))


def form_at(model, state, formulation="auto", cut=(), independent=None, implicit=False, work=None) -> Form:
    """The form asked for, or the fastest, with a state entered."""
    if implicit and formulation not in ("auto", "augmented"):
        raise AnalysisError(f"implicit integrators work on the augmented form; leave formulation='{formulation}' away, or choose "
                            f"one of the integrators {', '.join(shown(needs=''))}")
    if independent and formulation != "embedded":
        raise AnalysisError(f"independent= chooses coordinates of the embedded form; give formulation='embedded' with it, not "
                            f"'{formulation}'")
    if cut and formulation not in ("recursive", "auto"):
        raise AnalysisError(f"cut= opens joints of the recursive form; give formulation='recursive' with it, not '{formulation}'")
    s = state.system
    if work is not None:
        work.reset()
    w = borrowed(s) if work is None else work
    name = formulation
    if formulation == "auto":
        name = "augmented" if implicit or s.states or s.felt or not s.nc or s.nb < FEW or len(s.groups) > s.nb else "recursive"
    form = make_form(model, s, name, cut, independent, w)
    if formulation == "auto" and name == "recursive" and form.closed:  # type: ignore[attr-defined]
        form = make_form(model, s, "augmented", work=w)
    w.set(state.t, state.q, state.v)
    form.check(state.t, state.q, state.v)
    return form
