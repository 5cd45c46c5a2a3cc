"""What acts on bodies cut free of their mechanism, at one sample of a result.

    Σ F = m a,   Σ (M + (p − r) × F) = dH/dt          over all that acts on a body (r: centre of mass, p: where F acts)

With d'Alembert's forces −m a and −dH/dt among them both sums are zero.  A joint, drive or force element acts on its two
bodies with opposite forces and moments about one point, so the second body gets F^{ij}, M^{ij} and the first −F^{ij}, −M^{ij}.
The point is a marker of the element: the first one about which no moment is left (a pin, an end of a spring, the pin in a slot),
else that on the second body (a slide, a weld).  What has no such marker acts along its line of action (teeth, wheels), or
at the centre of mass.  Parts below 1e-9 of the largest force (times the span of the points, for moments) are rounding and are
left out.

Bodies cut free together keep their weights and inertia forces; what acts between them is internal and does not appear.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from dalembert.analyses.free_bodies.wrenches import inertia as inertia_of
from dalembert.elements.element import name_of
from dalembert.errors import AnalysisError, hint
from dalembert.expressions import number
from dalembert.results.motion import Motion, Observed, State, own_word
from dalembert.results.views.bodies import Frames, cross
from dalembert.results.views.elements import ForceView
from dalembert.system import poses
from dalembert.viewer.diagrams.numbers import Names
from dalembert.viewer.scene.marks import mark_of

NOTHING = 1e-9
KINDS = ("joint", "drive", "applied", "spring", "weight", "inertia")


@dataclass
class Load:
    """A force and a moment at a point of a body, ground axes; the moment is a number in the plane."""

    body: str
    element: str
    kind: str  # of KINDS
    symbols: tuple[str, str]  # of force and moment, with their signs
    force: np.ndarray
    moment: np.ndarray
    point: np.ndarray
    partner: str = ""  # the other body, "ground" too; "" where there is none


@dataclass
class Member:
    """A body of a diagram: its mass, centre of mass, m a and dH/dt."""

    name: str
    mass: float
    centre: np.ndarray
    momentum_rate: np.ndarray
    spin_rate: np.ndarray


@dataclass
class FreeBody:
    """One or several bodies cut free together."""

    members: list[Member]
    loads: list[Load] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [m.name for m in self.members]


def sample(motion: Motion, k: int) -> State:
    """One sample of a result with the accelerations and reactions the result has there."""
    if motion.system.rubbing:
        raise AnalysisError(f"fbd of '{motion.model.name}': friction of joints is not drawn; read it by run[joint].friction")
    out = State(motion.model, motion.system, float(motion._t[k]), motion._q[k], motion._v[k])
    found = object.__new__(Observed)
    for name, array in vars(motion.observed).items():
        setattr(found, name, array[k:k + 1])
    out.__dict__["observed"] = found
    touching = getattr(motion, "touching", None)
    if touching is not None:
        out.__dict__["touched"] = touching.names, touching.of(k)
    lost = getattr(motion, "lost", ())
    if lost:
        out.lost = lost  # type: ignore[attr-defined]
    return out


def free_bodies(state: State, groups: list[list[str]], names: Names, inertia: bool = True) -> list[FreeBody]:
    """The groups of bodies with what acts on them from outside."""
    system = state.system
    loads = [*_weights(state, names), *_reactions(state, names), *_forces(state, names), *_contacts(state)]
    bad = next((x for x in loads if not (np.isfinite(x.force).all() and np.isfinite(x.moment).all())), None)
    if bad is not None:
        raise AnalysisError(f"fbd of '{state.model.name}' at t = {state.t:g}: what '{bad.element}' exerts on '{bad.body}' has no "
                            "value there (a singular pose): ask for another time")
    members = {n: _member(state, k) for k, n in enumerate(system.bodies)}
    if inertia:
        loads += [_inertia(m, names, system.dim) for m in members.values()]
    points = np.array([x.point for x in loads] + [m.centre for m in members.values()])
    largest = max((float(np.linalg.norm(x.force)) for x in loads), default=0.0)
    span = float(np.linalg.norm(np.ptp(points, axis=0)))
    turning = max([largest * span, *(float(np.linalg.norm(x.moment)) for x in loads)], default=0.0)
    loads = [_cleaned(x, NOTHING * largest, NOTHING * turning) for x in loads]
    found = []
    for group in groups:
        inside = set(group)
        kept = [x for x in loads if x.body in inside and x.partner not in inside and (np.any(x.force) or np.any(x.moment))]
        found.append(FreeBody([members[n] for n in group], kept))
    return found


def chosen(state: Motion, bodies, together: bool) -> list[list[str]]:
    """Groups of names: all bodies, one, several each by itself, or several as one."""
    known = state.system.bodies
    if bodies is None:
        groups = [[n] for n in known]
    else:
        one = isinstance(bodies, str) or hasattr(bodies, "name")
        groups = [[name_of(x, "fbd") for x in ([item] if isinstance(item, str) or hasattr(item, "name") else item)]
                  for item in ([bodies] if one else bodies)]
    if together:
        groups = [[n for group in groups for n in group]]
    for name in (n for group in groups for n in group):
        if name not in known:
            what = "the ground cannot be cut free" if name == "ground" else f"there is no body '{name}'{hint(name, known)}"
            raise AnalysisError(f"fbd: {what} (there are {', '.join(known)})")
    if not groups or not all(groups):
        raise AnalysisError(f"fbd: name at least one body (there are {', '.join(known)})")
    twice = [n for n, count in Counter(n for group in groups for n in group).items() if count > 1]
    if twice:
        raise AnalysisError(f"fbd: body '{twice[0]}' is named twice")
    return groups


def components(load: Load, dim: int) -> list[Load]:
    """The same along the axes, as F_x, F_y (and F_z); the moment stays with the first."""
    found: list[Load] = []
    for k in np.flatnonzero(load.force):
        part = np.zeros(dim)
        part[k] = load.force[k]
        symbol = _indexed(load.symbols[0], "xyz"[k])
        found.append(replace(load, force=part, symbols=(symbol, load.symbols[1]), moment=load.moment * (not found)))
    return found or [load]


def _indexed(symbol: str, axis: str) -> str:
    """F^{12} → F_{x}^{12}, F_{A} → F_{A,x}."""
    sign, rest = ("-", symbol[1:]) if symbol.startswith("-") else ("", symbol)
    head, _, below = rest.partition("_{")
    if below:
        return f"{sign}{head}_{{{below.replace('}', f',{axis}' + '}', 1)}"
    head, up, above = rest.partition("^")
    return f"{sign}{head}_{{{axis}}}{up}{above}"


# -------------------------------------------------------------------------------------------------------- one kind after another


def _member(state: State, b: int) -> Member:
    system = state.system
    rate, spin = inertia_of(state, b)
    return Member(system.bodies[b], float(system.tables.bodies["mass"][b]), Frames(state, b).r[0].copy(), rate[0],
                  np.asarray(spin[0]))


def _inertia(m: Member, names: Names, dim: int) -> Load:
    n = names.number(m.name)
    symbols = ((rf"-m^{{{n}}}\ddot{{R}}^{{{n}}}", rf"-J^{{{n}}}\ddot{{\theta}}^{{{n}}}") if dim == 2 else
               (rf"-m^{{{n}}}\ddot{{r}}^{{{n}}}", rf"-\dot{{H}}^{{{n}}}"))
    return Load(m.name, "inertia", "inertia", symbols, -m.momentum_rate, -m.spin_rate, m.centre)


def _weights(state: State, names: Names) -> list[Load]:
    system = state.system
    d = system.dim
    g = np.asarray(system.tables.gravity[:d], float)
    if not np.any(g):
        return []
    word = own_word(state.model, "gravity")
    rest = np.zeros(()) if d == 2 else np.zeros(3)
    return [Load(n, word, "weight", (f"m^{{{names.number(n)}}}g", ""), float(system.tables.bodies["mass"][k]) * g, rest,
                 Frames(state, k).r[0].copy()) for k, n in enumerate(system.bodies) if system.tables.bodies["mass"][k] > 0]


def _reactions(state: State, names: Names) -> list[Load]:
    system, found = state.system, []
    blocks = state.observed.reaction.reshape(len(system.tables.blocks), -1) if len(system.tables.blocks) else np.zeros((0, 0))
    pairs = Counter(tuple(sorted(_ends(state, name))) for name in system.groups if state.model.elements[name].kind != "drive")
    for name, group in system.groups.items():
        element = state.model.elements[name]
        drive = element.kind == "drive"
        wrenches = {b: blocks[k] for b, k in group.blocks.items()}
        if not any(np.any(w) for w in wrenches.values()):
            continue
        ends = _ends(state, name)
        alone = drive or len(ends) != 2 or pairs[tuple(sorted(ends))] > 1
        found += _shared(state, name, "drive" if drive else "joint", wrenches, ends, group.markers, names,
                         name if alone else "", not drive and len(ends) == 2)
    return found


def _forces(state: State, names: Names) -> list[Load]:
    system, found = state.system, []
    for name, element in state.model.elements.items():
        if element.kind != "force":
            continue
        Q = system.each_v(ForceView(state, name)._generalized())[0]
        wrenches = {b: Q[b] for b in range(system.nb) if np.any(Q[b])}
        if wrenches:
            kind = "spring" if element.pulls else "applied"
            found += _shared(state, name, kind, wrenches, _ends(state, name), system.markers.get(name), names, name, False)
    return found


def _contacts(state: State) -> list[Load]:
    """Forces at the points where shapes touch, on both bodies; their moments about the points are zero."""
    names, p = state.__dict__.get("touched", ([], None))
    if p is None:
        return []
    system, d = state.system, state.system.dim
    bodies, rest, found = [*system.bodies, "ground"], np.zeros(()) if d == 2 else np.zeros(3), []
    for k in np.flatnonzero(np.any(p["force"] != 0.0, axis=1)):
        contact = names[p["contact"][k]]
        for me, other, sign in ((p["first"][k], p["second"][k], -1.0), (p["second"][k], p["first"][k], 1.0)):
            if me < system.nb:
                symbols = f"{'-' if sign < 0 and other < system.nb else ''}F_{{{contact}}}", ""
                force, point = sign * p["force"][k][:d], p["x"][k][:d].copy()
                found.append(Load(bodies[me], contact, "joint", symbols, force, rest.copy(), point, bodies[other]))
    return found


def _ends(state: State, name: str) -> list[str]:
    """First and second body of an element, where it names two, or the bodies it acts on."""
    element, system = state.model.elements[name], state.system
    sides = [getattr(element, k, None) for k in ("i", "j")]
    known = {*system.bodies, "ground"}
    if all(x is not None for x in sides):
        found = [name_of(x, name) for x in sides]
        if set(found) <= known:
            return found
    markers = system.markers.get(name) or (system.groups[name].markers if name in system.groups else None)
    acted = [system.bodies[b] for b in system.groups[name].blocks] if name in system.groups else []
    if markers:
        found = [(*system.bodies, "ground")[poses.carrier(system, m)] for m in markers]
        if set(acted) <= set(found) and len(set(found)) == 2:
            return found
    return acted


def _shared(state, name, kind, wrenches, ends, markers, names: Names, own: str, numbered: bool) -> list[Load]:
    """Loads of one element on the bodies it acts on; wrenches about the centres of mass, moments in body axes."""
    system, d = state.system, state.system.dim
    about = {}  # body → force, moment about the centre of mass in ground axes, centre of mass
    for b, w in wrenches.items():
        f = Frames(state, b)
        about[b] = (w[:d], np.asarray(w[2]) if d == 2 else f.A[0] @ w[3:], f.r[0])
    points, carriers = _places(state, name, markers)
    size = max(float(np.linalg.norm(F)) for F, _, _ in about.values())
    reach = max([float(np.linalg.norm(p - r)) for p in points for _, _, r in about.values()] + [1e-300])
    turning = float(max([size * reach, *(float(np.linalg.norm(M)) for _, M, _ in about.values())]))
    two = len(ends) == 2
    opposite = bool(two and all(n == "ground" or system.bodies.index(n) in about for n in ends) and len(about) <= 2)
    if opposite and len(about) == 2:
        (F, M, r), (G, N, s) = about.values()
        over = M + N + cross(r - s, F, d)
        reach = max(turning, size * float(np.linalg.norm(r - s)))
        opposite = bool(np.linalg.norm(F + G) <= 1e-9 * size and np.linalg.norm(over) <= 1e-9 * reach)
    found = []
    for b, (F, M, r) in about.items():
        body = system.bodies[b]

        def left(p, F=F, M=M, r=r):
            return M + cross(r - p, F, d)

        order = [p for own_side in (True, False) for p, c in zip(points, carriers) if (c == b) == own_side]
        free = [p for p in order if np.linalg.norm(left(p)) <= 1e-9 * max(turning, size * float(np.linalg.norm(p - r)))]
        if free:
            point = free[0]
        elif points and name not in system.teeth:
            point = points[-1]
        else:
            point = _line(F, M, r, d)
        second = not two or body == ends[1]
        sign = "" if second or not opposite or kind == "spring" else "-"
        symbols = _symbols(kind, name, own, ends, names, body, numbered and opposite, sign, opposite or len(about) == 1)
        partner = next((n for n in ends if n != body), "") if opposite else ""
        found.append(Load(body, name, kind, symbols, np.array(F), np.asarray(left(point)), np.array(point), partner))
    return found


def _places(state, name, markers) -> tuple[list[np.ndarray], list[int]]:
    """Points where an element may act, and their bodies: its markers, those of the joint it drives, a wheel's contact."""
    system, element = state.system, state.model.elements[name]
    of = getattr(element, "of", None)
    driven = "" if of is None or isinstance(of, tuple | list) else name_of(of, name)  # two bodies: no joint between them
    markers = markers or system.markers.get(driven) or ()
    at = [poses.marker(system, state.observed.pose, m) for m in markers]
    points, carriers = [p[0] for p, _ in at], [poses.carrier(system, m) for m in markers]
    if mark_of(element).road and len(at) == 2:
        N, a = at[0][1][0][:, -1], at[1][1][0][:, -1]
        towards = -N if system.dim == 2 else (N @ a) * a - N
        radius = number(element.radius, state.model.parameter_values(), name)
        points.insert(0, points[1] + radius * towards / max(float(np.linalg.norm(towards)), 1e-300))
        carriers.insert(0, carriers[1])
    return points, carriers


def _symbols(kind, name, own, ends, names: Names, body, numbered, sign, single) -> tuple[str, str]:
    if name in names.symbols:
        force, moment = names.symbols[name]
        return (f"{sign}{force}", f"{sign}{moment}")
    if kind == "spring":
        return (f"f_{{{names.short(name)}}}", f"M_{{{names.short(name)}}}")
    if numbered:
        pair = names.pair(*ends)
        below = f"_{{{names.short(own)}}}" if own else ""
        return (f"{sign}F{below}^{{{pair}}}", f"{sign}M{below}^{{{pair}}}")
    above = "" if single else f"^{{{names.number(body)}}}"
    word = names.short(name)
    if word[:1] in "FM" and len(word) <= 3 and word[1:].isdigit():  # the user's own F2, M3
        return (f"{sign}{word[0]}^{{{word[1:]}}}",) * 2
    if word in ("F", "M", "P", "T", "Q"):
        return (f"{sign}{word}{above}",) * 2
    return (f"{sign}F_{{{word}}}{above}", f"{sign}M_{{{word}}}{above}")


def _line(F, M, r, d) -> np.ndarray:
    """The point of the line of action nearest to the centre of mass, where there is such a line; else the centre of mass."""
    square = float(F @ F)
    if square == 0.0:
        return r.copy()
    if d == 2:
        return r + np.array([-F[1], F[0]]) * (-float(M) / square)
    return r + np.cross(F, M) / square if abs(F @ M) <= 1e-9 * np.sqrt(square) * np.linalg.norm(M) else r.copy()


def _cleaned(x: Load, force: float, moment: float) -> Load:
    F = np.where(np.abs(x.force) <= force, 0.0, x.force)
    M = np.where(np.abs(x.moment) <= moment, 0.0, x.moment)
    return replace(x, force=F, moment=M)
