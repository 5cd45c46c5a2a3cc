"""Stations of a run (integrators/stations.py): times at which its steps must end, found from its laws before it starts.

    breaks of formulas     zeros of the arguments of step, sign, floor, abs, min, max … that depend on t alone
                           (expressions/breaks.py): by their form where it tells, otherwise by their changes of sign
    tables over t          their points, unless they are smooth there (cubic)
    da.Law(breaks=)        as given
    Python functions, and formulas that may be narrow (exp, tanh, quotients …): looked at (law_survey.py)
    events of t alone      marks at their zeros

Breaks that depend on the state are events of the kind SWITCH, put in by the builder.
"""

from __future__ import annotations

import numpy as np

from dalembert import expressions
from dalembert.analyses.simulation.impacts import LOADS, refuse_impact
from dalembert.analyses.simulation.law_survey import CALLED, COMPILED, halved, look
from dalembert.elements.sampling import Sampler
from dalembert.equations.workspace import workspace
from dalembert.records import field, record

MOST = 1_000_000  # stations of a run
SEARCHED, FINEST = 1 << 14, 1 << 19  # samples in search of zeros, at first and at most
EASE = 1 / 16  # of the way to the next station
FLAT = 64.0  # units in the last place around a zero that is found by its form


@record(frozen=False)
class Stations:
    rows: np.ndarray  # left, right, longest step after it
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@record(frozen=False)
class Breaks:
    """Breaks of one law: the two sides of each."""

    info: object
    left: np.ndarray
    right: np.ndarray
    marks: list[tuple[float, float]]


def stations(system, start: float, end: float, events=()) -> Stations:
    """Of a run from start to end; ``events``: expressions of t alone whose zeros are wanted."""
    out = Stations(np.zeros((0, 3)))
    if not (system.laws or events):
        return out
    found = list(law_breaks(system, start, end, out))
    for breaks in found:
        refuse_impact(system, breaks, start, end)
    rows = [np.column_stack([b.left, b.right, np.zeros(b.left.size)]) for b in found]
    rows += [np.array([(t, t, after) for t, after in b.marks]) for b in found if b.marks]
    for expression in events:
        left, right, sure = sign_changes(Sampler.of_formula(expression), expression, start, end)
        rows.append(np.column_stack([right, right, np.zeros(right.size)]))
        if not sure:
            out.doubts.append(f"event '{expression}': it has more zeros than can be told apart")
    if rows:
        out.rows = merged(np.concatenate(rows), start, end)
    if len(out.rows) > MOST:
        out.doubts.append(f"the laws have {len(out.rows)} breaks, more than {MOST}: steps go over them")
        out.rows = np.zeros((0, 3))
    out.notes += [info.note for info in system.laws if info.note]
    return out


def refuse_jumps(system, times, rates: bool) -> None:
    """For analyses of given motions: laws that jump between the first and the last of the times (in rate, too) are refused."""
    start, end = float(times[0]), float(times[-1])
    motions = [info for info in system.laws if info.kind not in LOADS]
    if motions and end > start:
        for found in law_breaks(system, start, end, Stations(np.zeros((0, 3))), motions):
            refuse_impact(system, found, start, end, rates)


def law_breaks(system, start, end, out: Stations, infos=None):
    """Breaks of every law between start and end; what must be said of them goes into ``out``."""
    pad = 2.0 * np.spacing(max(abs(start), abs(end)))
    for info in system.laws if infos is None else infos:
        worth = _worth_a_look(info) and end > start
        arguments = expressions.breaks(info.expression) if info.expression is not None else ()
        if not (worth or info.breaks or info.knots or arguments):
            continue
        left, right = _known(info, arguments, start, end, pad, out)
        marks: list[tuple[float, float]] = []
        if worth:
            seen = look(_sampler(system, info), start, end,
                        COMPILED if info.function is None or info.function.compiled else CALLED)
            new = ~_near(0.5 * (seen.left + seen.right), left, right)
            left, right = np.concatenate([left, seen.left[new] - pad]), np.concatenate([right, seen.right[new] + pad])
            marks = seen.marks
            if seen.doubt and not info.breaks:
                out.doubts.append(f"{info.title}: its law was looked at every {seen.spacing:.1e} s, and {seen.doubt}; there may "
                                  "be more. Name its breaks with da.Law(f, breaks=[…]), or give max_step=")
            elif info.function is not None and not info.breaks:
                out.notes.append(f"{info.title}: its law was looked at every {seen.spacing:.1e} s; what is shorter may have been "
                                 "missed")
        if left.size or marks or (info.function is not None and info.kind not in LOADS):
            yield Breaks(info, left, right, marks)


def _known(info, arguments, start, end, pad, out: Stations) -> tuple[np.ndarray, np.ndarray]:
    """Breaks that the law itself tells."""
    times = np.array([*info.breaks, *(info.knots if info.over == "t" else ())], float)
    times = times[(times > start) & (times <= end)]
    left, right = [times - pad], [times + pad]
    for g in arguments:
        if g.names == {"t"}:
            a, b, sure = sign_changes(Sampler.of_formula(g), g, start, end)
            left.append(a - pad)
            right.append(b + pad)
            if not sure:
                out.doubts.append(f"{info.title}: its law '{info.expression}' breaks more often than can be told apart")
    return np.concatenate(left), np.concatenate(right)


def _worth_a_look(info) -> bool:
    if info.row < 0 or "t" not in info.names or info.names[0] != "t":
        return False
    if info.function is not None:
        return True
    return info.expression is not None and "t" in info.expression.names and expressions.narrow(info.expression)


def _sampler(system, info) -> Sampler:
    """A law over times; what it reads of the mechanism stays as drawn (a zero would hide what is multiplied with it: 1)."""
    at = _drawn(system, info)
    if not info.reads:
        return Sampler.of_row(system, info.row, at)
    w = workspace(system)
    w.set(0.0, system.q_drawn, system.v_drawn)
    w.run("observe" if system.felt else "generalized_forces")
    seen = {n: float(w.read[system.readings[n]]) for n in info.reads}
    kept = {n: x if np.isfinite(x) and x != 0.0 else 1.0 for n, x in seen.items()}
    return Sampler.of_formula(info.expression.substitute(kept), info.names, at)


def _drawn(system, info) -> tuple[float, float]:
    """Coordinate and rate as drawn: where a law of the state is looked at."""
    if info.measure < 0:
        return 0.0, 0.0
    w = workspace(system)
    w.set(0.0, system.q_drawn, system.v_drawn)
    w.run("rows")
    value, rate = w.measured[3 * info.measure], w.measured[3 * info.measure + 1]
    return (float(value), float(rate)) if np.isfinite(value) and np.isfinite(rate) else (0.0, 0.0)


def sign_changes(g: Sampler, expression, a: float, b: float) -> tuple[np.ndarray, np.ndarray, bool]:
    """Neighbouring floats in [a, b] between which a formula of t changes its sign; whether these are all."""
    places = expressions.zeros(expression, a, b)
    unit = np.spacing(max(abs(a), abs(b)))
    if places is not None:
        left, right = places - FLAT * unit, places + FLAT * unit
        for _ in range(3):  # wider where rounding hides the change
            same = np.sign(g(left)) == np.sign(g(right))
            left = np.where(same, places - 16 * (places - left), left)
            right = np.where(same, places + 16 * (right - places), right)
        change = np.sign(g(left)) != np.sign(g(right))
        return *_pinned(g, left[change], right[change]), True
    n, before = SEARCHED, -1
    while True:
        t = np.linspace(a, b, n + 1)
        s = g(t) >= 0.0
        k = np.flatnonzero(s[1:] != s[:-1])
        if k.size == before or n >= FINEST:
            return *_pinned(g, t[k], t[k + 1]), k.size == before
        n, before = 4 * n, k.size


def _pinned(g, left, right) -> tuple[np.ndarray, np.ndarray]:
    if not left.size:
        return left, right
    return halved(lambda t: np.where(g(t) >= 0.0, 1.0, -1.0) + 0.0, left, right)


def _near(t, left, right) -> np.ndarray:
    """Which of t are known breaks already."""
    if not left.size:
        return np.zeros(t.size, bool)
    order = np.argsort(left)
    k = np.searchsorted(left[order], t + 1e-12 * np.abs(t), side="right") - 1
    return (k >= 0) & (right[order][np.maximum(k, 0)] >= t - 1e-12 * np.abs(t))


def eased(rows: np.ndarray, end: float) -> np.ndarray:
    """For methods that see a law at the ends of a step only: after a station no step spans the way to the next one."""
    if not len(rows):
        return rows
    out = rows.copy()
    gap = np.append(rows[1:, 0], end) - rows[:, 1]
    out[:, 2] = np.where(out[:, 2] > 0.0, np.minimum(out[:, 2], EASE * gap), EASE * gap)
    return out


def merged(rows: np.ndarray, start: float, end: float) -> np.ndarray:
    """In order of time; what lies closer together than steps can be short becomes one."""
    rows = rows[(rows[:, 1] > start) & (rows[:, 0] < end)]
    rows[:, 1] = np.minimum(rows[:, 1], end)
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    least = 64.0 * np.spacing(max(abs(start), abs(end)))
    out: list[np.ndarray] = []
    for row in rows:
        if out and row[0] - out[-1][1] < least and (row[1] > row[0] or out[-1][1] > out[-1][0] or row[0] == out[-1][0]):
            out[-1][1] = max(out[-1][1], row[1])
            out[-1][2] = min(out[-1][2] or row[2], row[2] or out[-1][2])
        else:
            out.append(row.copy())
    return np.array(out).reshape(-1, 3)
