"""What parameters move, all at once and exactly: the tables by the builder on moving numbers, the start by linear equations.

    tables       model/moving_builder.py runs the elements' recipes once, with every parameter a lane
    start        A x = b with A = (D; G), nearest in the metric of the masses to how the drawing moves
                     positions    b = (−δΦ; δc₀ − δc)          velocities   b = (−δ(D v − ν); δr − δċ)
                 G: gradients of the joints' coordinates that ``m.initial`` gives, c₀ and r what it gives

This is the derivative of the assembled pose where A leaves nothing free, or where the drawing is closed as it stands (nothing was
moved to close it): then the nearest pose moves as the projection of the drawing does.  Velocities are the nearest ones always.

Second opinion: the model is compiled (or cast: model/cast.py) beside, on both sides along one direction of all parameters.  Its
tables must have the same structure, differ as the slopes say, and without a kink in between.  Whatever cannot be had so, or does
not agree, is found by differences of the tables, one parameter after the other (parameters.py).  What was found and confirmed is
known when the same is asked again (again.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.algebra.null_space import decided, unit_rows
from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.assembly.adopted import length_of
from dalembert.analyses.derived.again import Moved, keep, key_of, known
from dalembert.analyses.derived.parameters import PLACES, STEP, WIDER, Move, move, otherwise, seed, with_value
from dalembert.analyses.toolbox.closing import metric
from dalembert.equations.workspace import workspace
from dalembert.errors import DalembertError
from dalembert.formulations.augmented.derivatives import Derivatives, displacements, twists
from dalembert.model.cast import compiled
from dalembert.model.content import shape
from dalembert.model.moving import Unmoved, slopes
from dalembert.model.moving_builder import Slopes, slopes_of

ASIDE = 3e-5  # of each parameter: how far to both sides the tables are compared
AGREE = 1e-6  # of the column's largest change
ROUNDING = 1e-14  # of the numbers themselves
BENT = 1e-2  # of the change: what f(h) + f(−h) − 2 f may be; ASIDE where f is smooth
NOISE = 2e-15  # of the lengths
UNSEEN = 2.5e-6  # of the numbers: a parameter whose own size moves less counts as a larger one
CLOSED = 1e-9  # of the mechanism's size, a radian: a drawing is closed as it stands


class Open(Unmoved):
    """The drawing is closed by assembly alone, and leaves a motion free: so it is for every parameter."""


def moved(model, system, names, question, t=0.0, start=None, prepare=None, begin=None) -> list[Move]:
    """What each parameter moves.

    ``begin``: q and v of the assembled start; ``start``: a state that is given instead, and stays; ``prepare(model)``: what is
    asked of each model.
    """
    names = list(names)
    try:
        return exactly(model, system, names, t, start, prepare, begin)
    except Unmoved as error:
        if len(names) == 1 or isinstance(error, Open):
            return [move(model, system, n, question, t, start, prepare) for n in names]
    middle = len(names) // 2  # perhaps it is one of them only
    return [m for part in (names[:middle], names[middle:])
            for m in moved(model, system, part, question, t, start, prepare, begin)]


def exactly(model, system, names, t, start, prepare, begin, values=None) -> list[Move]:
    """What each parameter moves, by slopes alone; ``Unmoved`` where they are not to be had.

    ``values``: of the parameters, where those of the model are only next to them (alike.py).
    """
    key = key_of(model, names, values, t, start is None, begin) if prepare is None else None
    parts = known(key, system)
    if not parts:
        parts = _numbers(model, system, names, t, start, prepare, begin, values or model.parameter_values())
        keep(key, system, parts)
    out = []
    for name, part in zip(names, parts, strict=True):
        def build(value, name=name):
            other = with_value(model, name, value)
            return other if prepare is None else prepare(other)

        def beside(part=part, build=build):
            near = [build(part.value + k * part.step) for k in PLACES]
            return [assemble(m, t) if start is None else adopt(m, start) for m in near]

        out.append(Move(name, part.value, part.step, system, part.tables, part.q, part.v, True, beside, build,
                        not part.changed and not np.any(part.q) and not np.any(part.v)))
        out[-1].__dict__["changed"] = part.changed
    return out


def _numbers(model, system, names, t, start, prepare, begin, values) -> list[Moved]:
    """What each parameter moves, in numbers, found for all of them at once and confirmed."""
    own = model if prepare is None else prepare(model)
    if own.parameters.keys() != model.parameters.keys():
        raise Unmoved("the parameters of the model")
    found = slopes_of(own, system, names)
    sizes = _sizes(system, found, [values[n] for n in names])
    _compare(model, system, found, dict(zip(names, sizes.tolist(), strict=True)), values, prepare)
    changed: list[dict[str, list[str]]] = [{} for _ in names]
    for field, c in _columns(found.tables):
        for m, moves in zip(changed, found.tables[field][c].reshape(found.lanes, -1).any(axis=1).tolist(), strict=True):
            if moves:
                m.setdefault(field, []).extend([] if c is ... else [c])
    out = [Moved(values[n], STEP * size, {field: array[k] for field, array in found.tables.items()}, changed[k],
                 np.zeros(system.nq), np.zeros(system.nv)) for k, (n, size) in enumerate(zip(names, sizes.tolist(), strict=True))]
    if start is None:
        _start(own, system, found, out, t, *begin)
    return out


def _columns(tables) -> Iterator[tuple[str, Any]]:
    """Fields and columns of reals; a place in the array of a field ("…": all of it)."""
    for field, array in tables.items():
        if array.dtype.names is None and array.dtype == np.float64:
            yield field, ...
        for c in array.dtype.names or ():
            if array.size and array.dtype.fields[c][0].base == np.float64:
                yield field, c


def _sizes(system, found, values) -> np.ndarray:
    """What counts as each parameter's size: its value, but where it is small beside what it is added to."""
    most, sizes = np.zeros(found.lanes), np.array([abs(x) or 1.0 for x in values])
    for field, c in _columns(found.tables):
        change = np.abs(found.tables[field][c]).reshape(found.lanes, -1)
        here = np.abs(getattr(system.tables, field)[c]).ravel()
        if change.any():
            beside = np.where((change != 0.0) & np.isfinite(here), here, 0.0).max(axis=1)
            most = np.maximum(most, change.max(axis=1) / np.maximum(beside, 1e-300))
    for k in range(found.lanes):
        while 0.0 < most[k] * sizes[k] < UNSEEN and sizes[k] < 1.0:
            sizes[k] *= WIDER
    return sizes


# ------------------------------------------------------------------------------------------------------------- second opinion


def _compare(model, system, found, sizes, values, prepare) -> None:
    """The slopes against a difference along one direction."""
    random, names = np.random.default_rng(7), list(sizes)
    way = random.uniform(0.5, 1.0, len(names)) * random.choice([-1.0, 1.0], len(names)) * list(sizes.values())
    sides, plain = [], not any(isinstance(model.parameters[n], str) for n in names)  # texts make shapes that never come again
    for e in (ASIDE, -ASIDE):
        other = model.copy()
        for n, x in zip(names, way.tolist(), strict=True):
            given = model.parameters[n]  # one that follows from others goes on doing so
            other.parameters[n] = f"({given}) + {e * x!r}" if isinstance(given, str) else float(values[n] + e * x)
        try:
            other = other if prepare is None else prepare(other)
            sides.append(compiled(other, *(shape(other) if plain else (None, []))))
        except DalembertError as error:
            raise Unmoved(str(error)) from None
    field = next((f for f in (otherwise(system.tables, s.tables) for s in sides) if f), "")
    if field:
        raise Unmoved(f"other tables beside: {field}")
    noise = NOISE * max(np.abs(system.q_drawn).max(initial=0.0), np.abs(system.tables.markers["s"]).max(initial=0.0))
    for field, c in _columns(found.tables):
        near, changes = [getattr(s.tables, field)[c] for s in (system, *sides)], found.tables[field][c]
        if changes.any() or not (np.array_equal(near[0], near[1]) and np.array_equal(near[0], near[2])):
            _agree(near, changes, way, noise, field)
    for word, change in (("q_drawn", found.q.T), ("v_drawn", found.v.T)):
        _agree([getattr(s, word) for s in (system, *sides)], change, way, noise, word)


def _agree(near, changes, way, noise, what) -> None:
    """``noise``: numbers that are no larger at any of the places are differences of equal lengths."""
    here, above, below = (x.ravel() for x in near)
    changes = way[:, None] * changes.reshape(len(way), -1)
    with np.errstate(invalid="ignore"):
        seen, bent = (above - below) / (2 * ASIDE), (above + below - 2 * here) / ASIDE
        counts = np.isfinite(here) & (np.abs([here, above, below]).max(axis=0) > noise)
    here, seen, bent, changes = here[counts], seen[counts], bent[counts], changes[:, counts]
    size = np.abs(changes).sum(axis=0)
    rounding = ROUNDING / ASIDE * np.abs(here).max(initial=0.0)
    bound = AGREE * size.max(initial=0.0) + rounding
    straight = np.all(np.abs(bent) <= BENT * size.max(initial=0.0) + rounding)
    if not (straight and np.all(np.abs(seen - changes.sum(axis=0)) <= bound)):
        raise Unmoved(f"the numbers of {what} change otherwise")


# ---------------------------------------------------------------------------------------------------------------------- start


def _start(model, system, found: Slopes, out: list[Moved], t, q, v) -> None:
    """How the assembled state moves."""
    w = workspace(system)
    w.set(t, q, v)
    w.run("begin")
    w.set(t, q, v)
    w.run("rows")
    weight, D = metric(w), w.jacobian()
    G = w.gradients() if model.initials else np.zeros((0, system.nv))
    mass = w.metric_mass()
    places, rates = (_given(model, system, found, key) for key in ("coordinate", "rate"))
    level = np.array([r.level == 0 for r in system.rows], dtype=bool)
    scale = system.units(length_of(system) or 1.0)
    apart = twists(system, q, (q - system.q_drawn)[:, None])[:, 0] / scale
    closed = bool(np.all(np.abs(apart) <= CLOSED))
    at, on = (Nearest(weight, mass, A) for A in (np.vstack([D[level], G[places[0]]]), np.vstack([D, G[rates[0]]])))
    if at.free and not closed:
        raise Open("the drawing is not closed, and leaves a motion free")
    changed = v - system.v_drawn if on.free else np.zeros(system.nv)
    pull = on.pull(changed)
    d = Derivatives(w)
    for first in range(0, len(out), WIDTH):
        group = out[first:first + WIDTH]
        lanes = slice(first, first + len(group))
        seed(d, group)
        d.run("speeds")
        d.run("measured")
        n, dq, dv = len(group), d.found["q"], d.found["v"]
        measured = d.found["measured"][0::3]
        x = at.of(np.vstack([-d.found["phi"][level, :n], places[1][:, lanes] - measured[places[0], :n]]),
                  twists(system, q, found.q[:, lanes]))
        dq[:, :n] = displacements(system, q, x)
        own = slice(system.running.start, system.nq)  # running angles, and the states of differentials, which start as given
        dq[own, :n] = found.q[own, lanes]
        d.run("speeds")
        d.run("measured")
        turned = d.found["measured"][0::3]
        for k in system.tables.tracked:
            dq[int(system.tables.measures["slot"][k]), :n] = turned[k, :n]
        rate = d.found["measured"][1::3]
        b = np.vstack([-d.found["speed"][:, :n], rates[1][:, lanes] - rate[rates[0], :n]])
        other = np.zeros((system.nv, n))
        if np.any(pull):
            other = _heavier(system, found, changed, lanes)
            for k in range(system.nv):
                w.v[:] = 0.0
                w.v[k] = 1.0
                d.run("speeds")
                d.run("measured")
                other[k] += pull @ np.vstack([d.found["speed"][:, :n] + d.found["nu"][:, :n], rate[rates[0], :n]])
            w.v[:] = v
        dv[:, :n] = on.of(b, found.v[:, lanes], other)
        for lane, m in enumerate(group):
            m.q[:], m.v[:] = dq[:, lane], dv[:, lane]


def _given(model, system, found, key) -> tuple[list[int], np.ndarray]:
    """Measures whose value (or rate) is given at the start, and how that moves: given × lanes."""
    measures, moving = [], []
    for name, entry in model.initials.items():
        if key in entry:
            if name not in system.coordinates:
                raise Unmoved(f"the initial {key} of '{name}'")
            measures.append(system.coordinates[name])
            moving.append(np.zeros(found.lanes) + slopes(found.numbers.number(entry[key], name)))
    return measures, np.array(moving).reshape(len(measures), found.lanes)


def _heavier(system, found, x, lanes) -> np.ndarray:
    """δM x: nv × lanes."""
    bodies, out = found.tables["bodies"][lanes], np.zeros((system.nv, len(found.tables["bodies"][lanes])))
    for k in range(system.nb):
        at, d = system.at_v(k), system.dim
        turned = x[at][d:]
        out[at][:d] = np.outer(x[at][:d], bodies["mass"][:, k])
        out[at][d:] = (bodies["inertia"][:, k].reshape(len(bodies), turned.size, turned.size) @ turned).T
    return out


class Nearest:
    """x with A x = b, nearest to x₀ in the metric of the masses:  M (x − x₀) + Aᵀμ = 0.

    Where A, M and x₀ move too,  M δx + Aᵀδμ = M δx₀ − δM (x − x₀) − δAᵀ μ,   A δx = δb − δA x.
    """

    def __init__(self, weight, mass, A):
        self.weight, self.back = weight, weight.T @ mass
        rows, self.length = unit_rows(A @ weight)
        u, s, vt = np.linalg.svd(rows, full_matrices=False)
        rank = decided(s)
        self.free = weight.shape[1] - rank
        self.u, self.s, self.vt = u[:, :rank], s[:rank], vt[:rank]

    def pull(self, change) -> np.ndarray:
        """μ of a change x − x₀."""
        y = self.vt @ (self.back @ change)
        small = np.abs(y).max(initial=0.0) <= CLOSED * np.abs(self.back @ change).max(initial=0.0)
        return np.zeros(len(self.length)) if small else -(self.u @ (y / self.s)) / self.length

    def of(self, b, x0, other=0.0) -> np.ndarray:
        """δx; ``b``: δb − δA x, ``x0``: δx₀, ``other``: δM (x − x₀) + δAᵀ μ."""
        y0 = self.back @ x0 - self.weight.T @ (np.zeros_like(x0) + other)
        y = y0 + self.vt.T @ (self.u.T @ (b / self.length[:, None]) / self.s[:, None] - self.vt @ y0)
        return self.weight @ y
