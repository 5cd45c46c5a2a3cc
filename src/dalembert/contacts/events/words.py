"""Why the law of contact has no answer, or several: sentences with names and advice."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events.directions import directions
from dalembert.contacts.events.tables import CORE_KIND, DIR, EVENTS_EACH, GAP, MARGIN, MU, OPEN, RIM, SLIP, STICK

NEAR = 1e-6  # of forces, speeds and sizes: as near as this to a change
ABOUT = {OPEN: ("the two are about to touch", "", "the face that is nearest changes"),
         SLIP: ("its force is about to end", "its sliding is about to end, or has just begun", "it slides off its face"),
         STICK: ("its force is about to end", "friction is about to give way", "it comes to the end of its face")}
NEARLY = 0.02  # of W: friction leaves no more of it


class Stuck(Exception):
    """The means of this mode end here; the message names the contact."""


class NoAnswer(Stuck):
    """The law of contact has no answer here: no other method has one either."""


def contradicted(N, rates, give) -> list[int]:
    """Places whose gaps close whatever forces do: Σ s N = 0 and Σ s u_n < 0 with shares s ≥ 0; N: rows of W of the normals.

    One place between a driven body and what stands still has N = 0; a ball between a driven jaw and a wall gives way at
    each of its two places, but not at both.  ``give``: W of a free body, for scale."""
    from scipy.optimize import nnls

    k = len(rates)
    size = float(np.abs(rates).max(initial=0.0))
    if not k or size == 0.0:
        return []
    N = N[:k] / max(float(np.abs(N).max()), give)
    A = np.vstack([N.T / 1e-7, rates / size])  # N to 1e-7 of its size
    share, left = nnls(A, np.concatenate([np.zeros(N.shape[1]), [-1.0]]))
    return [int(i) for i in np.flatnonzero(share > 1e-6 * share.max())] if left < 0.1 else []


def no_answer(m, touching, W, rates, answer, what) -> Stuck:
    """Why the law has no answer, or none was found, and what to do."""
    pressed = contradicted(W[::m.n], rates, 1.0 / float(np.max(m.system.tables.bodies["mass"])))
    if pressed:
        names = ", ".join(sorted({m.name(touching[i]) for i in pressed}))
        return NoAnswer(f"{names}: drives press the bodies together and nothing gives way there (t = {float(m.t[0]):.6g}); let "
                        "the drive stop before, or move by a force instead of a motion")
    if answer.painleve:
        names = ", ".join(sorted({m.name(touching[i]) for i in answer.painleve}))
        return NoAnswer(f"{names}: friction that slides presses the two together more than they give way (Painlevé), and {what} "
                        f"at t = {float(m.t[0]):.6g} have no answer; less friction, or a contact that gives way "
                        "(stiffness_N_per_m=), has one")
    names = ", ".join(sorted({m.name(f) for f in touching}))
    return Stuck(f"{names}: no modes were found that fulfil Coulomb's law for {what} at t = {float(m.t[0]):.6g}; "
                 "contact=\"stepping\" goes through")


def pressing(m) -> str:
    """Why a stretch came to no end, where friction is about to press more than the bodies give way; or nothing."""
    closed = [int(f) for f in np.flatnonzero(m.modes != OPEN)]
    if not closed:
        return ""
    W, _, _ = m.survey(closed)
    n, names = m.n, set()
    for i, f in enumerate(closed):
        if m.modes[f] == SLIP:
            across = directions(m, f)[1:n] @ m.real[f, DIR:DIR + 3]
            if W[n * i, n * i] - m.real[f, MU] * W[n * i, n * i + 1:n * i + n] @ across < NEARLY * W[n * i, n * i]:
                names.add(m.name(f))
    return (f"{', '.join(sorted(names))}: friction that slides comes to press the two together more than they give way "
            "(Painlevé): forces grow without end; less friction, or a contact that gives way (stiffness_N_per_m=), has an answer"
            if names else "")


def stalled(m) -> str:
    """Where steps or their number came to an end: what was about to change there; or nothing, if no place was near a change."""
    m.events()
    g = m.g[:m.events_of - 1].reshape(-1, EVENTS_EACH)
    mass = float(np.max(m.system.tables.bodies["mass"]))
    force = mass * m.pace()**2 / m.size
    near = []
    for f, mode in enumerate(m.modes):
        scales = (m.size, 1.0, m.size) if mode == OPEN else (force, force if mode == STICK else m.pace(), m.size)
        for c in range(EVENTS_EACH):
            if not (mode == OPEN and c == 1):
                near.append((abs(g[f, c]) / scales[c], f, ABOUT[mode][c]))
    far, f, what = min(near, default=(1.0, 0, ""))
    if far > NEAR:
        return ""
    return (f"{m.name(f)}: steps cannot get past t = {float(m.t[0]):.6g}, where {what}; the cause is there and not in rtol and "
            "atol; contact=\"stepping\" goes through")


def unnoticed(m, f) -> str:
    return (f"{m.name(f)}: they are {-m.geo[f, GAP]:.3g} m in each other at t = {float(m.t[0]):.6g}, and the moment they met was "
            "missed; shorter steps (max_step=) find it, contact=\"stepping\" goes through")


def flat(m, touching) -> None:
    """A cylinder that comes to lie flat on its end touches with a whole disc, which ends the run."""
    for f in touching:
        if m.link[f, CORE_KIND] == RIM and m.geo[f, MARGIN] <= 1e-9:
            raise Stuck(f"{m.name(f)}: the cylinder lies flat on its end at t = {float(m.t[0]):.6g}, which is not followed event "
                        "by event; contact=\"stepping\" goes through")


def several(m, touching, answer) -> None:
    names = ", ".join(sorted({m.name(touching[i]) for i in answer.painleve or range(len(touching))}))
    m.counts.several += 1
    m.counts.unsure = m.counts.unsure or [float(m.t[0])]
    how = ("friction presses more than the bodies give way (Painlevé); they part where they can, for what slides like that does "
           "not last" if answer.painleve else "they may jam or let go; what holds was taken where it could")
    if m.counts.several == 1:
        m.counts.notes.append(f"{names}: Coulomb's law has several answers at t = {float(m.t[0]):.6g}: {how}")


def loose(m, kept, answer) -> None:
    """Sliding places whose friction depends on how they share a load that no law shares."""
    m.counts.unsure = m.counts.unsure or [float(m.t[0])]
    names = ", ".join(sorted({m.name(f) for i, f in enumerate(kept) if answer.modes[i] == SLIP and m.real[f, MU] > 0.0}))
    text = (f"{names}: rigid bodies do not say how these places share the load while they slide, and friction depends on it; "
            "one way of many was taken")
    if not any(text[:60] == note[:60] for note in m.counts.notes):
        m.counts.notes.append(f"{text} (from t = {float(m.t[0]):.6g})")


def together(m, struck) -> None:
    """Several places strike at one moment: which came first is not known, and another order may have another outcome."""
    if m.counts.together:
        return
    m.counts.together = [float(m.t[0])]
    names = ", ".join(sorted({m.name(f) for f in struck}))
    m.counts.notes.append(f"{names}: {len(struck)} places strike at the same moment, t = {float(m.t[0]):.6g}; the law was asked "
                          "of all of them at once, and one after the other they might part otherwise")
