"""Compiled laws beside the Python functions they come from, where a run asks them: first over its span, in the end on its way.

The equations are evaluated at a few states while every compiled law is replaced by one that computes both values.  At the start a
law that differs is called back from there on (``stats["notes"]``); at the end it is too late: the run is in doubt, and the next
one calls back.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.workspace import workspace

SAMPLES = 9


def before(system, state, times) -> None:
    """At the start: the state it starts from, at times over the span."""
    span = np.linspace(state.t, float(times[-1]), SAMPLES)
    _compare(system, [(t, state.q, state.v) for t in span])
    for law in _different(system):
        old = law.address
        law.give_up()
        _exchange(system, {old: law.address})


def after(run) -> None:
    """At the end: states it went through."""
    notes = [law.note for law in run.system.kept if law.note]
    if len(run.t):
        chosen = np.unique(np.linspace(0, len(run.t) - 1, SAMPLES).astype(int))
        _compare(run.system, [(run.t[k], run.q[k], run.v[k]) for k in chosen])
    doubts = []
    for law in _different(run.system):
        if law.compiled:
            doubts.append(f"the function of {law.title} was compiled to something else ({law.different}); the next run calls "
                          "it as it is")
            law.spoil()
    for name, found in (("notes", notes), ("doubts", doubts)):
        if found:
            run.stats[name] = [*run.stats.get(name, []), *(line for line in found if line not in run.stats.get(name, []))]


def _different(system):
    """Compiled laws that were seen to differ, and those of the same code."""
    bad = {law.address: law.different for law in system.kept if law.compiled and law.different}
    found = [law for law in system.kept if law.compiled and law.address in bad]
    for law in found:
        law.different = bad[law.address]
    return found


def _compare(system, states) -> None:
    laws = {law.address: law for law in system.kept if law.compiled}
    if not laws:
        return
    watched = {address: law.watch() for address, law in laws.items()}
    _exchange(system, watched)
    try:
        w = workspace(system)
        for t, q, v in states:
            w.set(float(t), q, v)
            w.run("accelerations")
    finally:
        _exchange(system, {new: old for old, new in watched.items()})
        for law in laws.values():
            law.unwatch()


def _exchange(system, addresses: dict[int, int]) -> None:
    for table in (system.tables.laws, system.tables.user_force, system.tables.reading):
        for k, old in enumerate(table["handle"]):
            if int(old) in addresses and int(old):
                table["handle"][k] = addresses[int(old)]
