"""check: how many coordinates, equations and degrees of freedom; which equations are redundant; what can be trusted.

All rows are compared in the metric of the masses, D̂ = E D M^(−1/2) with rows of unit length, so that ranks do not depend
on units.

    rank          number of singular values of D̂ above 1e-5, or 1e-5 σ₁ where the largest is above 1 (the solver drops rows at
                  the same sine; algebra/null_space.py)
    redundant     equations that depend on those before them (in the order they were added; drives last)
    unique        a reaction component c = C λ is unique when C vanishes on the null space of Dᵀ (N: Dᵀ N = 0); in a singular
                  pose none is: one pose does not tell the accelerations (results/trust/limits.py takes them from the motion)
    singular      the rank is larger in a neighbouring pose (drives released): the mobility is an accident of this pose

Large models ask bounds on singular values (algebra/sparse_null_space.py) instead of the values: the same answers, sparse.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.algebra import sparse_null_space
from dalembert.algebra.null_space import RANK_TOLERANCE, doubtful, kernel, left_kernel
from dalembert.analyses.assemble import Start, adopt, assemble
from dalembert.analyses.assembly.moved import moved
from dalembert.analyses.toolbox.closing import close, many, metric, scaled_rows
from dalembert.elements.element import name_of
from dalembert.elements.given import Ref
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, AssemblyError, hint
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.results.notebook import table
from dalembert.system import poses

AT_ONCE = 64  # rows that are compared with all before them together


@dataclass
class Check:
    """The answer of ``check``; print it.

    Attributes
    ----------
    dof : number
        Degrees of freedom, nq − rank.
    nb, nq, nk, nd, nc : numbers
        Bodies, coordinates, rows without and with explicit time, and both together.
    rank, nearby_rank : numbers
        Rank of the Jacobian here, and next to here; ``singular`` where they differ.
    gruebler : number
        nq − nc, the count that knows nothing of dependent rows.
    redundant : list of texts
        Rows that follow from others, by name.
    by_kind : dict
        How many elements of each kind.
    assembled, changed, points, notes : texts
        What assembly did, velocities it changed, bodies that are almost points, what elements remarked.
    position_error : number
        Largest |Φ| after assembly.
    border : list of numbers
        Singular values near the threshold of the rank.
    model : text
        Name of the model.
    """

    model: str
    nb: int
    nq: int
    nk: int
    nd: int
    rank: int
    nearby_rank: int
    redundant: list[str]
    by_kind: dict[str, int]
    assembled: str
    position_error: float
    changed: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    gravity: tuple[str, ...] = ()  # as the model has it: numbers or formulas
    moved: str = ""  # what assembly did to the drawing, in words
    border: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _unique: dict[str, dict[str, bool]] = field(default_factory=dict)

    @property
    def nc(self) -> int:
        return self.nk + self.nd

    @property
    def gruebler(self) -> int:
        return self.nq - self.nc

    @property
    def dof(self) -> int:
        return self.nq - self.rank

    @property
    def singular(self) -> bool:
        return self.nearby_rank > self.rank

    def unique(self, name: Ref) -> dict[str, bool]:
        """For each reaction component of a joint (on its second body, ground axes): is it unique?"""
        name = str(getattr(name, "name", name))
        if name not in self._unique:
            raise AnalysisError(f"'{name}' has no reactions{hint(name, self._unique)} "
                                f"(elements with reactions: {', '.join(self._unique) or 'none'})")
        return dict(self._unique[name])

    def _gravity(self) -> str:
        if any(x not in ("0", "0.0", "-0.0") for x in self.gravity):
            return f"({', '.join(self.gravity)}) m/s²"
        down = "(0, -9.81)" if len(self.gravity) == 2 else "(0, 0, -9.81)"
        return f"none, as by default: Model(gravity={down}) sets it"

    def __str__(self):
        kinds = ", ".join(f"{n} × {k}" for k, n in self.by_kind.items()) or "none"
        lines = [f"model '{self.model}'",
                 f"  bodies                   {self.nb}",
                 f"  coordinates        nq  = {self.nq}",
                 f"  constraints        nk  = {self.nk}   drives  nd = {self.nd}   together  nc = {self.nc}",
                 f"  elements                 {kinds}",
                 f"  gravity                  {self._gravity()}",
                 f"  Grübler count            {self.gruebler}",
                 f"  rank                     {self.rank}",
                 f"  degrees of freedom       {self.dof}",
                 f"  {self.assembled}"]
        lines += [f"  {self.moved}"] if self.moved else []
        lines += [f"  changed at the start     {what}" for what in self.changed]
        if self.points:
            lines.append(f"  doubtful: {', '.join(self.points)} almost without inertia against turning; rank and rates are "
                         "judged by inertia and may be wrong. Give a radius of gyration above 1e-4 of the arms.")
        if self.border:
            lines.append(f"  doubtful rank: {len(self.border)} equation(s) depend on others but for {min(self.border):.1e} (a "
                         f"sine: {RANK_TOLERANCE:.0e} decides); the pose is nearly singular, or lengths do not quite fit")
        lines += [f"  note: {note}" for note in self.notes]
        if self.redundant:
            lines.append(f"  redundant equations      {len(self.redundant)}")
            lines += [f"    {name}" for name in self.redundant]
            loose = {n: [c for c, ok in u.items() if not ok] for n, u in self._unique.items()}
            lines += [f"  not unique at {n}: {', '.join(c)}" for n, c in loose.items() if c]
        if self.singular:
            more = self.nearby_rank - self.rank
            lines.append(f"  singular pose: {more} equation{'s' * (more > 1)} dependent only here; nearby the mechanism has "
                         f"{self.nq - self.nearby_rank} degree(s) of freedom. Start from another pose if the motion matters.")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """How a notebook shows it: the counts as a table, the sentences below."""
        rows = [("bodies", self.nb), ("coordinates nq", self.nq), ("constraints nk", self.nk), ("drives nd", self.nd),
                ("Grübler count", self.gruebler), ("rank", self.rank), ("degrees of freedom", self.dof)]
        said = str(self).splitlines()
        return table((), rows, f"model '{self.model}'", [line.strip() for line in said[said.index(f"  {self.assembled}"):]])


def check(model: Model, state: State | None = None) -> Check:
    """Mobility, redundancy and trust of the model in its assembled pose (or in a given state).

    Parameters
    ----------
    model : Model
        What is looked at.
    state : State, optional
        Another pose than the assembled one.

    Returns
    -------
    Check
        Counts (``dof``, ``rank``, ``redundant`` …), closing errors; printed it is a report.
    """
    assembled, changed, told = "assembled: yes", [], None
    if state is None:
        try:
            state = assemble(model)
            changed, told = _changed(model, state), moved(model, state)
        except AssemblyError as failure:
            system = model.compile()
            reason = " ".join(line.strip() for line in str(failure).splitlines()[:6])
            assembled = f"assembled: NO, counted as drawn; {reason}"
            state = None
            q, v, t = system.q_drawn, system.v_drawn, 0.0
    else:
        if isinstance(state, Start) and state.of is model:
            changed, told = _changed(model, state), moved(model, state)
        state = adopt(model, state)
    if state is not None:
        system, q, v, t = state.system, state.q, state.v, state.t
    w = workspace(system)
    w.set(t, q, v)
    weight = metric(w, many(w))
    _, D, length = scaled_rows(w, weight)
    error = float(np.abs(w.phi).max(initial=0.0))
    rank, null, border = _rank_and_null(D, w)
    driver = np.array([r.driver for r in system.rows], dtype=bool)
    drive_count = int(driver.sum())
    out = Check(model.name, system.nb, system.freedoms, system.nc - drive_count, drive_count, rank, rank,
                [system.rows[k].title for k in _dependent(D, null)], _kinds(model, system), assembled, error, changed)
    out._unique = {g: _uniqueness(model, system, w, g, null, length) for g in system.groups}
    out.points, out.border, out.moved = _points(system), border, str(told or "")
    out.notes = [*system.notes, *getattr(model, "notes", ())]  # what an importer left out too
    out.gravity = tuple(f"{x:g}" if isinstance(x, float) else str(x) for x in model.gravity)
    if rank < system.nc:
        out.nearby_rank = _nearby(w, D, rank, driver, weight)
    if out.singular:  # the pose leaves accelerations open, and with them every reaction that moves a mass
        out._unique = {g: dict.fromkeys(parts, False) for g, parts in out._unique.items()}
    return out


def _changed(model, state) -> list[str]:
    """Body velocities that were given and are not those of the assembled start: they are only where assembly starts from."""
    drawn = State(model, state.system, state.t, state.q, state.system.v_drawn)
    found = []
    for name in state.system.bodies:
        for key in ("velocity", "omega"):
            if getattr(model.bodies[name], key) is None:
                continue
            given, used = np.atleast_1d(getattr(drawn[name], key)), np.atleast_1d(getattr(state[name], key))
            if np.abs(used - given).max() > 1e-6 * max(np.abs(given).max(), np.abs(used).max()):
                a, b = (", ".join(f"{x:.6g}" for x in part) for part in (given, used))
                found.append(f"{key} of {name}: given ({a}), the constraints leave ({b}); m.initial(joint, rate=...) is met "
                             "exactly")
    return found


def _points(system) -> list[str]:
    """Bodies whose least radius of gyration is nothing beside their arms (below 2e-5 rates and rank were found to go wrong)."""
    bodies, markers, n = system.tables.bodies, system.tables.markers, system.kind.SIZE_V - system.dim
    arms = np.zeros(system.nb + 1)  # the last is the ground's
    np.maximum.at(arms, markers["body"], np.abs(markers["s"]).max(axis=1, initial=0.0))
    least = np.linalg.eigvalsh(bodies["inertia"].reshape(system.nb, n, n))[:, 0]
    small = least < bodies["mass"] * (2e-5 * arms[:-1]) ** 2
    return [system.bodies[k] for k in np.flatnonzero(small) if k not in system.spinless]


def _kinds(model, system):
    kinds: dict[str, int] = {}
    for name in system.groups:
        kind = type(model.elements[name]).__name__
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def _rank_and_null(D, w):
    """Rank of D̂, a basis of the null space of its transpose (orthonormal if dense), singular values near the border."""
    if not isinstance(D, np.ndarray):
        w.run("begin")
        found = sparse_null_space.left_kernel(D, w.delta != 0.0)
        if found is not None:
            return D.shape[0] - found[0].shape[1], *found
    elif D.size == 0:
        return 0, np.zeros((len(D), 0)), []
    null, sigma = left_kernel(D)
    return D.shape[0] - null.shape[1], np.where(np.abs(null) < 1e-9, 0.0, null), doubtful(sigma)


def _dependent(D, null) -> list[int]:
    """Rows that lie in the span of the rows before them; of many rows only those are looked at that any combination joins."""
    if isinstance(D, np.ndarray):
        return _dependent_of(D)
    if isinstance(null, np.ndarray):
        return _dependent_of(D.toarray()) if null.shape[1] else []
    found = []
    for rows in sparse_null_space.entangled(null):
        part = D[rows]
        found += list(rows[_dependent_of(part[:, np.unique(part.indices)].toarray())])
    return sorted(found)


def _dependent_of(D) -> list[int]:
    """Gram and Schmidt, twice: AT_ONCE rows against all before them, then each against its neighbours; and against all once more
    where little of it is left, which is where rounding would count."""
    room = np.zeros((min(D.shape), D.shape[1]))
    count = 0
    found = []
    for start in range(0, len(D), AT_ONCE):
        before = room[:count]
        part = D[start:start + AT_ONCE]
        if count:
            part = part - (part @ before.T) @ before
            again = np.flatnonzero((part * part).sum(axis=1) < 0.25)  # of rows of length one, or none
            part[again] -= (part[again] @ before.T) @ before
        for k, r in enumerate(part, start):
            beside = room[len(before):count]
            left = np.linalg.norm(r)
            for _ in range(2):
                r = r - beside.T @ (beside @ r)
            if np.linalg.norm(r) < 0.1 * left:
                r = r - room[:count].T @ (room[:count] @ r)
            size = np.linalg.norm(r)
            if size < RANK_TOLERANCE or count >= D.shape[1]:
                found.append(k)
            else:
                room[count] = r / size
                count += 1
    return found


def _uniqueness(model, system, w, name, null, length) -> dict[str, bool]:
    """Components of the reaction on the second body, at its marker, in ground axes."""
    info = system.groups[name]
    d, n = system.dim, system.kind.SIZE_V
    names = [f"force {c}" for c in "xyz"[:d]] + (["torque"] if d == 2 else [f"torque {c}" for c in "xyz"])
    part = null[info.start:info.stop]
    part = (part if isinstance(part, np.ndarray) else part.toarray()) / length[info.start:info.stop, None]
    reach = np.abs(part).max(initial=0.0)
    if reach == 0.0:
        return dict.fromkeys(names, True)
    second = getattr(model.elements[name], "j", None)
    target = name_of(second, name) if second is not None else ""
    if info.second is not None:
        target = (*system.bodies, "ground")[info.second]
    index = system.bodies.index(target) if target in system.bodies else next(reversed(info.blocks))
    if index not in info.blocks:
        index = next(reversed(info.blocks))
    block = system.tables.blocks[info.blocks[index]]
    rows = w.D[int(block["at"]):int(block["at"]) + n * (info.stop - info.start)].reshape(-1, n)
    C = -rows.T  # components × multipliers of the group
    if d == 3:
        _, A = poses.body(system, w.pose, index)
        C = np.vstack([C[:3], A @ C[3:]])
    arm = _arm(system, w, info, index)
    C = np.vstack([C[:d], C[d:] - _moment(arm, C[:d])])
    force = np.abs(C[:d]).max(initial=0.0)
    sizes = [force] * d + [max(np.abs(C[d:]).max(initial=0.0), 1e-300)] * (n - d)
    return {c: bool(np.abs(C[k] @ part).max(initial=0.0) <= 1e-6 * max(sizes[k], 1e-300) * reach)
            for k, c in enumerate(names)}


def _arm(system, w, info, index):
    if info.markers is not None:
        for m in reversed(info.markers):
            if poses.carrier(system, m) == index:
                return poses.body(system, w.pose, index)[1] @ poses.local(system, m)[0]
    return np.zeros(system.dim)


def _moment(arm, forces):
    """arm × each column of forces."""
    if len(arm) == 2:
        return (arm[0] * forces[1] - arm[1] * forces[0])[None, :]
    return np.cross(arm[:, None], forces, axis=0)


def _nearby(w, D, rank, driver, weight) -> int:
    """Largest rank in poses close by, drives released."""
    random = np.random.default_rng(3)
    q, best = w.q.copy(), rank
    free = D[~driver]
    tangent = kernel(free).T if isinstance(D, np.ndarray) else None
    if tangent is not None and not len(tangent):
        return rank
    mask = np.array([r.level == 0 and not r.driver for r in w.system.rows])
    size = w.system.size
    for k in range(4):
        w.q[:] = q
        if tangent is not None:
            x = tangent.T @ random.standard_normal(len(tangent))
        else:
            x = sparse_null_space.nearest(free, random.standard_normal(D.shape[1]))
        w.move((0.01 + 0.02 * k) * size * (weight @ (x / np.linalg.norm(x))))
        if close(w, mask, 30, weight=weight) <= 1e-9 * size:
            best = max(best, _rank_and_null(scaled_rows(w, weight)[1], w)[0])
        if best == min(D.shape):
            break
    w.q[:] = q
    w.run("rows")
    return best
