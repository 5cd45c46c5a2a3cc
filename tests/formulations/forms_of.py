"""Every registered form of a model, for the laws that hold for all of them."""

from dalembert.analyses.toolbox.forms import make_form
from dalembert.formulations.contract import FORMS


def forms_at(model, w):
    """Each form of the model at the state of a workspace, solved there with a fresh memory."""
    for name in FORMS:
        form = make_form(model, w.system, name)
        form.enter(w.t[0], w.q, w.v)
        form.begin()
        assert form.rhs() == 0, name
        yield form
