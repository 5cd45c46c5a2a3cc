"""Laws that feel reactions which are not unique: the motion would go by the order in which elements were added.

Where rows depend on each other, Dᵀ n = 0 for some n ≠ 0, and λ + n balances as λ does.  Results leave that open without harm.  A
law that reads such a reaction makes it matter: which of all λ it gets is an accident of the elimination.  So at the solved state
n is added to λ and the laws are asked again (v̇ kept), with random n of 1, −1, 10, −10 times the size of λ, also at other speeds
(friction is silent at rest):

    forces change                         refused by name: the motion is not determined
    they do not, but change with other λ  what is read is unique after all, as the sum over two bearings is
    they change with nothing              silent here, perhaps not elsewhere: refused
    no force reads it                     a doubt: states, signals and controllers that read it have arbitrary values
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra import sparse_null_space
from dalembert.algebra.null_space import left_kernel
from dalembert.analyses.toolbox.closing import many, metric, scaled_rows
from dalembert.errors import AnalysisError

AMOUNTS = (1.0, -1.0, 10.0, -10.0)  # times the size of λ
SEEN = 1e-7  # of what was added, or of the forces: a change


def refuse_shared(w, question: str, error: type[Exception] = AnalysisError) -> list[str]:
    """An error where a force depends on a reaction that is not unique at the solved state of the workspace; else doubts."""
    s = w.system
    if not s.felt or not w.report.dropped:
        return []
    t, y, lam, vdot = float(w.t[0]), w.y.copy(), w.lam.copy(), w.vdot.copy()
    names, forced = _asked(w, t, y, lam, vdot)
    w.t[0], w.y[:] = t, y
    w.run("accelerations")
    if not names:
        return []
    read = f"{', '.join(names[:4])}{', …' * (len(names) > 4)}"
    verb = "is" if len(names) == 1 else "are"
    if s.feeling and forced:
        laws = f"{', '.join(repr(n) for n in s.feeling[:3])}{' and others' * (len(s.feeling) > 3)}"
        raise error(f"{question}: {laws} read{'s' * (len(s.feeling) == 1)} {read}, which {verb} not unique at t = {t:.6g}: "
                    "constraints depend on each other (da.check tells which), so the motion would depend on the order in which "
                    "elements were added. Take joints that leave the dependent equations away, or read a sum that is unique")
    if s.feeling:
        return []
    return [f"{read}, which laws read, {verb} not unique at t = {t:.6g} (constraints depend on each other: da.check tells "
            "which); what follows from it has arbitrary values"]


def _null(w) -> np.ndarray:
    """Columns n with Dᵀ n = 0."""
    _, D, length = scaled_rows(w, metric(w, many(w)))
    if not isinstance(D, np.ndarray):
        w.run("begin")
        found = sparse_null_space.left_kernel(D, w.delta != 0.0)
        if found is not None:
            null = found[0]
            return (null if isinstance(null, np.ndarray) else null.toarray()) / length[:, None]
    return left_kernel(D)[0] / length[:, None]


def _asked(w, t, y, lam, vdot) -> tuple[list[str], bool]:
    """Felt names that are not unique; whether forces go by them, or would elsewhere as far as can be told."""
    s, random = w.system, np.random.default_rng(7)
    null = _null(w)
    if not null.shape[1]:
        return [], False
    slots = [s.readings[name] for name in s.felt]
    size = float(np.abs(lam).max(initial=0.0)) or 1.0
    unsure, changes, heard = np.zeros(len(slots), bool), False, False
    nv = w.v.size
    for speed in (0.0, 1.0, -1.0):
        w.t[0], w.y[:] = t, y
        w.v[:] += speed * s.size * random.standard_normal(nv)
        w.held[:] = vdot
        felt, Q = _at(w, slots, lam)
        for amount in AMOUNTS:
            n = null @ random.standard_normal(null.shape[1])
            n *= amount * size / np.abs(n).max()
            there, forces = _at(w, slots, lam + n)
            unsure |= np.abs(there - felt) > SEEN * abs(amount) * size
            changes |= _differ(forces, Q)
            _, forces = _at(w, slots, lam + amount * size * random.standard_normal(lam.size))
            heard |= _differ(forces, Q)
    return [name for name, bad in zip(s.felt, unsure, strict=True) if bad], changes or not heard


def _at(w, slots, lam) -> tuple[np.ndarray, np.ndarray]:
    w.lam[:] = lam
    with np.errstate(all="ignore"):
        w.run("unbalanced")
    return w.read[slots].copy(), w.Q.copy()


def _differ(a, b) -> bool:
    return bool(np.any(np.abs(a - b) > SEEN * max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))))
