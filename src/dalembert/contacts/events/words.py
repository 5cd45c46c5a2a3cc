"""Why the law of contact has no answer, or several: sentences with names and advice."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events.tables import GAP


class Stuck(Exception):
    """The law of contact has no answer here, or none that is unique; the message names the contact."""


def no_answer(m, touching, W, rates, answer, what) -> str:
    """Why the law has no answer, and what to do."""
    n = m.n
    own = np.array([W[n * i, n * i] for i in range(len(touching))])
    largest = max(float(own.max(initial=0.0)), 1.0 / float(np.max(m.system.tables.bodies["mass"])))
    for i, f in enumerate(touching):
        if own[i] <= 1e-9 * largest and rates[i] < 0.0:
            return (f"{m.name(f)}: drives press the two together and nothing gives way there (t = {float(m.t[0]):.6g}); let the "
                    "drive stop before, or move by a force instead of a motion")
    if answer.painleve:
        names = ", ".join(sorted({m.name(touching[i]) for i in answer.painleve}))
        return (f"{names}: friction that slides presses the two together more than they give way (Painlevé), and {what} at t = "
                f"{float(m.t[0]):.6g} have no answer; less friction, or a contact that gives way (stiffness_N_per_m=), has one")
    names = ", ".join(sorted({m.name(f) for f in touching}))
    return (f"{names}: no modes were found that fulfil Coulomb's law for {what} at t = {float(m.t[0]):.6g}; "
            "contact=\"stepping\" goes through")


def unnoticed(m, f) -> str:
    return (f"{m.name(f)}: they are {-m.geo[f, GAP]:.3g} m in each other at t = {float(m.t[0]):.6g}, and the moment they met was "
            "missed; shorter steps (max_step=) find it, contact=\"stepping\" goes through")


def several(m, touching, answer) -> None:
    names = ", ".join(sorted({m.name(touching[i]) for i in answer.painleve or range(len(touching))}))
    m.counts.several += 1
    m.counts.unsure = m.counts.unsure or [float(m.t[0])]
    how = "friction presses more than the bodies give way (Painlevé)" if answer.painleve else "they may jam or let go"
    if m.counts.several == 1:
        m.counts.notes.append(f"{names}: Coulomb's law has several answers at t = {float(m.t[0]):.6g}, {how}; what holds was "
                                 "taken where it could")


def together(m, struck) -> None:
    """Several places strike at one moment: which came first is not known, and another order may have another outcome."""
    if m.counts.together:
        return
    m.counts.together = [float(m.t[0])]
    names = ", ".join(sorted({m.name(f) for f in struck}))
    m.counts.notes.append(f"{names}: {len(struck)} places strike at the same moment, t = {float(m.t[0]):.6g}; the law was asked "
                          "of all of them at once, and one after the other they might part otherwise")
