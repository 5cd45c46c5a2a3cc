"""Tables of a tree are kept with its system: forms made from them are those made anew, and nobody writes to them."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.toolbox.forms import make_form
from dalembert.formulations.recursive.plan import KEPT, Plan, plan_of
from dalembert.model.topology import topology

from .random_mechanisms import mechanism, state

TREES = [*range(12), "chain", "chain-in-space", "six-axis-arm", "andrews", "bricard", "spatial-four-bar", "lagrange-top",
         "screw-jack"]


def model_of(tree):
    return mechanism(tree) if isinstance(tree, int) else catalog.make(tree)


def numbers(form, t, q, v):
    form.enter(t, q, v)
    form.begin()
    status = form.rhs()
    w = form.whole
    w.set(t, q, v)
    w.run("rows")
    status += form.observe(w)
    return [status, form.y.tobytes(), form.ydot.tobytes(), w.vdot.tobytes(), w.lam.tobytes(), form.caps.tobytes(),
            *(x.tobytes() for x in form.leave())]


def contents(plan):
    return [*(a.tobytes() for a in (*plan.tables, *plan.rest.tables, plan.rows, plan.tree_rows, plan.caps)), plan.slots,
            repr(plan.links.rows), repr(plan.links.where), repr(plan.coordinates.groups)]


@pytest.mark.parametrize("tree", TREES)
def test_the_second_form_is_the_first_and_nothing_is_written(tree):
    m = model_of(tree)
    start = state(m, tree) if isinstance(tree, int) else da.assemble(m)
    if start is None:
        pytest.skip("rows nearly dependent")
    system, t, q, v = start.system, float(np.ravel(start.t)[0]), start.q.copy(), start.v.copy()
    system.__dict__.pop("trees", None)
    first = make_form(m, system, "recursive")
    before = contents(first.plan)
    found = numbers(first, t, q, v)
    again = make_form(m, system, "recursive")
    assert again.plan is first.plan and again.work is not first.work
    assert numbers(again, t, q, v) == found
    assert numbers(first, t, q, v) == found  # and the first is not touched by the second
    assert contents(first.plan) == before == contents(Plan(system, first.steps))
    system.__dict__.pop("trees")
    assert numbers(make_form(m, system, "recursive"), t, q, v) == found


def test_other_cuts_are_other_trees():
    m = catalog.make("four-bar")
    system = m.compile()
    joints = [n for n, e in m.elements.items() if e.kind == "joint"]
    plans = [plan_of(system, topology(m, system, cut=(n,)).steps) for n in joints]
    assert len({id(p) for p in plans}) == len(joints)
    assert plans[0] is plan_of(system, topology(m, system, cut=(joints[0],)).steps)
    runs = [da.simulate(m, 0.1, formulation="recursive", cut=(n,), rtol=1e-9).q[-1] for n in (*joints, *joints)]
    for q in runs:
        np.testing.assert_allclose(q, runs[0], atol=1e-7)


def test_few_trees_are_kept():
    m = catalog.make("chain", n=9)
    system = m.compile()
    names = [n for n, e in m.elements.items() if e.kind == "joint"][1:]
    for n in names:
        plan_of(system, topology(m, system, cut=(n,)).steps)
    assert len(system.__dict__["trees"]) <= KEPT


def test_runs_from_kept_tables_have_the_bits_of_a_fresh_system():
    """Runs of variants in turn, in a form of their own each, as often as the tables come again."""
    def run(length):
        m = catalog.make("chain", n=6, length=length)
        found = da.simulate(m, 0.3, step=0.1, formulation="recursive")
        return found.q.tobytes(), found.observed.lam.tobytes()

    alone = {x: run(x) for x in (1.0, 2.0)}
    for x in (1.0, 2.0, 2.0, 1.0, 1.0, 2.0):
        assert run(x) == alone[x]
