"""Model → System: the only bridge from the user's description to tables.

Rows are numbered in the order the elements were added; the columns of one element's rows on one body form a block of D.
The pattern of S = D M⁻¹ Dᵀ couples elements that share a body; its elimination order and fill are found once (pattern.py).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from dalembert._jit.rows import lanes
from dalembert.algebra.rotations import quaternion_of_matrix
from dalembert.elements.bodies import planar, spatial
from dalembert.elements.bodies.markers import NONE
from dalembert.elements.families import CONSTRAINTS, FORCES
from dalembert.elements.measures.table import ANGLE
from dalembert.errors import ModelError
from dalembert.model import pointlike
from dalembert.model.builder import Builder
from dalembert.model.hubs import hubs_of
from dalembert.model.numbers import impossible, principal_moments
from dalembert.model.pattern import pattern_of_model
from dalembert.model.rubbing import surfaces
from dalembert.system.layout import GroupInfo, RowInfo, System
from dalembert.system.tables import (
    BLOCK,
    FAMILIES,
    PlanarSystem,
    SpatialSystem,
)

SECTIONS = ("joint", "constraint", "drive", "signal", "force", "event")
BRANCH = SECTIONS.index("drive")
FEW_BODIES = 6
ZERO = 1e-12  # of the largest principal moment: less is none


def compile_model(model) -> System:
    """Tables of the model as it stands."""
    with _placed(model):
        return _system(_started(model), SECTIONS)


def compile_branched(model) -> tuple[System, Builder | None]:
    """The tables, and the builder as it was before the drives: ``compile_branch`` goes on from there.

    None where nobody is likely to go on: the model asks for no initial coordinates, and for rates only of a few bodies, which are
    met by one dense solve (analyses/assembly/initial_rates.py).  Who goes on all the same compiles anew.
    """
    if seldom_branches(model):
        return compile_model(model), None
    with _placed(model):
        b = _started(model)
        _build(b, SECTIONS[:BRANCH])
        branch = b.branch(model)
        return _system(b, SECTIONS[BRANCH:]), branch


def seldom_branches(model) -> bool:
    """Whether nobody is likely to go on from before the drives."""
    return not any("coordinate" in entry for entry in model.initials.values()) and (
        not model.initials or len(model.bodies) <= FEW_BODIES)


def compile_branch(branch: Builder | None, model) -> System:
    """Tables of a model that differs from the branched one in its drives only."""
    if branch is None:
        return compile_model(model)
    return _system(branch.branch(model), SECTIONS[BRANCH:])


@contextlib.contextmanager
def _placed(model) -> Iterator[None]:
    """Complaints about a model that was read from a file say where it is written (io/origin.py)."""
    try:
        yield
    except ModelError as error:
        place = "" if model.origin is None else model.origin.place(str(error))
        if not place:
            raise
        raise type(error)(f"{error} (written in {place})") from None


def _started(model) -> Builder:
    if not model.bodies:
        raise ModelError(f"model '{model.name}' has no bodies: add at least one with m.add(Body(...))")
    clash = [n for n in model.parameters if n in model.bodies or n in model.elements]
    if clash:
        raise ModelError(f"model '{model.name}': parameter '{clash[0]}' has the same name as {model[clash[0]].title}; formulas "
                         "could mean either, rename one of them")
    return Builder(model)


def _build(b: Builder, sections) -> None:
    for section in sections:
        for element in b.model.elements.values():
            if element.kind == section:
                b.add(element)


def complete(b, sections=SECTIONS) -> dict[str, int]:
    """The elements of these sections, and what is known when all are there, on the numbers of any builder; the coordinates."""
    _build(b, sections)
    b.resolve_readings()
    return joint_coordinates(b)


def _system(b: Builder, sections) -> System:
    model = b.model
    gravity = np.zeros(3)
    gravity[: b.dim] = b.vector(model.gravity, f"gravity of model '{model.name}'")
    coordinates = complete(b, sections)
    kind = planar if b.dim == 2 else spatial
    spinless = spinless_bodies(b)
    tables = {"bodies": _bodies(b, kind, spinless), "markers": _markers(b, kind)}
    rows, groups, blocks = _layout(b, kind.SIZE_V)
    measures, slots = _measures(b, kind)
    tables |= _families(b, kind, groups)
    tables |= {"measures": measures, "laws": _table("laws", b.laws), "blocks": blocks, "gravity": gravity,
               "levels": np.array([r.level + 2 * r.driver for r in rows], dtype=np.uint32),
               "tracked": np.flatnonzero(measures["slot"] != NONE).astype(np.uint32),
               "constants": np.array(b.constants, dtype=float), "arguments": np.array(b.arguments, dtype=np.uint32)}
    first_state = kind.SIZE_Q * len(b.resolved) + slots
    tables |= {name: _table(name, found) for name, found in b.reading_tables(first_state).items()}
    first_slot = _first_slot(b, tables)
    tables["code"] = b.put_slots(np.array(b.code, dtype=np.int32), first_slot)
    pattern, s_size, scaled = pattern_of_model(b, blocks, [g.stop - g.start for g in groups.values()], hubs_of(b, spinless))
    tables |= pattern
    q, v = _drawn(b, kind, measures, slots)
    struct = PlanarSystem if b.dim == 2 else SpatialSystem
    return System(dim=b.dim, tables=struct(*map(tables.__getitem__, struct._fields)),
                  bodies=b.body_names, rows=rows, groups=groups, numbers=b.element_number, primary=b.primary,
                  coordinates=coordinates, markers=dict(b.joints), slots=slots, depth=b.depth, S_size=s_size,
                  scaled_size=scaled, q_drawn=q, v_drawn=v, kept=b.kept, aligned=b.aligned,
                  laws=list(b.law_infos.values()), switches=[info for _, info in b.switches],
                  particles=[k for k in range(len(b.body_names)) if pointlike.of(b, k)], spinless=spinless,
                  couples=dict(b.couples), teeth=dict(b.teeth),
                  first_slot=first_slot, readings=dict(b.slots),
                  felt=list(b.felt_names), feeling=list(b.feeling), rubbing=surfaces(b),
                  inputs={k: v for k, v in b.inputs.items() if k not in b.fixed},
                  states={name: first_state + k for k, (name, _, _) in enumerate(b.states)}, scales=dict(b.scales),
                  notes=[*_remarks(b, spinless), *b.notes])


def joint_coordinates(b) -> dict[str, int]:
    """The joints' own coordinates; a pin on a particle has none."""
    found = {}
    for name in b.joints:
        joint = b.model.elements[name]
        if joint.coordinate_name and not (b.pointlike and next(iter(joint.coordinate_name)) == "angle" and any(
                pointlike.of(b, b.markers[m].body) for m in b.joints[name])):
            found[name] = b.coordinate(name, f"joint '{name}'")
    return found


def _bodies(b, kind, spinless):
    out = np.zeros(len(b.resolved), kind.BODY)
    for k, x in enumerate(b.resolved):
        if b.model.bodies[b.body_names[k]].is_particle:  # any inertia: nothing turns it (elements/bodies/point_mass.py)
            x = x | {"inertia": x["mass"] if b.dim == 2 else x["mass"] * np.eye(3)}
        out[k]["mass"], out[k]["inverse_mass"], out[k]["com"] = x["mass"], 1.0 / x["mass"], x["com"]
        J = x["inertia"] if k not in spinless else _filled(b, k, x)
        if b.dim == 2:
            out[k]["inertia"], out[k]["inverse_inertia"] = x["inertia"], 1.0 / J
        else:
            out[k]["inertia"], out[k]["inverse_inertia"] = x["inertia"].ravel(), np.linalg.inv(J).ravel()
    return out


def spinless_bodies(b) -> list[int]:
    """Bodies with a zero principal moment; particles have none to miss."""
    found = []
    for k, x in enumerate(b.resolved):
        moments = [x["inertia"]] if b.dim == 2 else principal_moments(x["inertia"])
        if moments[0] <= ZERO * max(moments[-1], 0.0) and not pointlike.of(b, k):
            found.append(k)
    return found


def _filled(b, k, x):
    """J with something for its zero moments, to measure with (equations/spinless.py): the largest of them, or m × arm²."""
    values, vectors = np.linalg.eigh(np.atleast_2d(x["inertia"]))
    arms = [float(np.linalg.norm(m.local - x["com"])) for m in b.markers if m.body == k]
    most = values[-1] if values[-1] > 0.0 else x["mass"] * (max(arms, default=0.0) or 1.0) ** 2
    J = (vectors * np.where(values <= ZERO * values[-1], most, values)) @ vectors.T
    return float(J[0, 0]) if b.dim == 2 else J


def left_out(model) -> list[str]:
    """What analyses other than simulate should say of contacts."""
    touching = [e.name for e in model.contacts.values() if e.kind == "contact"]
    return [f"contacts ({', '.join(touching)}) act in simulate; every other analysis takes the bodies as if nothing "
            "touched"] if touching else []


def _remarks(b, spinless) -> list[str]:
    """What users should know about their bodies' inertias, and about contacts."""
    found = left_out(b.model)
    for k, x in enumerate(b.resolved):
        body = b.model.bodies[b.body_names[k]]
        if k in spinless:
            found.append(f"body '{body.name}' has a zero principal moment of inertia: kinematics, inverse_dynamics, hold and "
                         "check take it, what needs M⁻¹ (simulate, accelerations, linearize, equilibrium) does not")
        if b.dim == 3 and not body.is_particle and impossible(x["inertia"]):
            moments = ", ".join(f"{v:.6g}" for v in principal_moments(x["inertia"]))
            found.append(f"no body has the principal moments ({moments}) of '{body.name}' (the largest exceeds the sum of the "
                         "other two); they are taken as given")
    return found


def _markers(b, kind):
    out = np.zeros(len(b.markers), kind.MARKER)
    if b.markers:
        out["body"] = [m.body for m in b.markers]
        out["s"] = np.array([m.local for m in b.markers]) - np.array([b.placed[m.body].com for m in b.markers])
        axes = np.array([m.axes for m in b.markers])
        out["axes"] = axes[:, :, 0] if b.dim == 2 else axes.reshape(-1, 9)
    return out


_EMPTY = {family: np.zeros(0, dtype) for family, dtype in FAMILIES.items()}
_NONE = {family: (np.dtype(d).names or (), np.zeros((), d).item()) for family, d in FAMILIES.items()}  # columns, and their zeros


def _table(family, rows):
    if not rows:
        return _EMPTY[family]
    names, none = _NONE[family]
    return np.array([tuple(map(row.get, names, none)) for row in rows], FAMILIES[family])


def _measures(b, kind):
    out = _table("measures", b.measures)
    out["slot"] = NONE
    slots = 0
    if b.dim == 3:
        base = kind.SIZE_Q * len(b.resolved)
        for k, m in enumerate(b.measures):
            if m["kind"] == ANGLE:
                out[k]["slot"] = base + slots
                slots += 1
    return out, slots


def _layout(b, n):
    """Number the rows; give each (group, body) its block of D."""
    rows: list[RowInfo] = []
    groups: dict[str, GroupInfo] = {}
    blocks: list[tuple] = []
    start = at = to = 0
    for g in b.groups:
        size = len(g.rows)
        found = {}
        for body in sorted(g.bodies):
            found[body] = len(blocks)
            blocks.append((at, size, start, body, to, 0))
            at += size * n
            to += lanes(size) * n
        rows += [RowInfo(g.name, r.label, r.level, r.driver) for r in g.rows]
        teeth = b.teeth.get(g.name)
        groups[g.name] = GroupInfo(g.name, start, start + size, found, b.joints.get(g.name, b.centres.get(g.name)),
                                   None if teeth is None else teeth.j)
        start += size
    return rows, groups, np.array(blocks, dtype=BLOCK)


def _families(b, kind, groups):
    """Tables of constraint and force families, with the places of their rows in D."""
    n = kind.SIZE_V
    first = {}
    at = 0
    for g in b.groups:
        for body in sorted(g.bodies):
            first[g.name, body] = at
            at += len(g.rows) * n

    def place(group, body, row):
        return NONE if body == b.ground else first[group, body] + row * n

    found: dict[str, list] = {f: [] for f in (*CONSTRAINTS, *FORCES)}
    for g in b.groups:
        for family, row, columns in g.pieces:
            item = dict(columns, row=groups[g.name].start + row)
            if family == "hold":
                m = b.measures[item["measure"]]
                i, j = m["i"], m["j"]
            else:
                i, j = item.get("i"), item.get("j")
            names = FAMILIES[family].names or ()
            if "at_i" in names:
                item["at_i"] = place(g.name, b.markers[i].body, row)
            if "at_j" in names:
                item["at_j"] = place(g.name, b.markers[j].body, row)
            found[family].append(item)
    terms = []
    for term in b.terms:
        item = {"measure": term["measure"], "factor": term["factor"], "law": term["law"], "at_i": NONE, "at_j": NONE}
        if term["group"] is not None:
            m, name = b.measures[term["measure"]], b.groups[term["group"]].name
            item["at_i"] = place(name, b.markers[m["i"]].body, term["row"])
            item["at_j"] = place(name, b.markers[m["j"]].body, term["row"])
        terms.append(item)
    for family, items in b.forces.items():
        found[family] = items
    events = [*b.events, *(row for row, _ in b.switches)]
    return {f: _table(f, items) for f, items in found.items()} | {"terms": _table("terms", terms),
                                                                 "event": _table("event", events),
                                                                 "particles": _table("particles", b.particles)}


def _first_slot(b, tables) -> int:
    """Where slots begin in x0: behind what rows and functions put there."""
    terms = max([3, *(int(r["stop"]) - int(r["start"]) for f in ("equation", "velocity_equation", "event") if tables[f].size
                      for r in tables[f])])
    return max(16 if b.slots or b.forces.get("user_force") else 8, terms + 1, *(call["second"] for call in b.calls.values()), 0)


def _drawn(b, kind, measures, slots):
    """State of the centres of mass in the drawing, and the states of differentials at the start."""
    n = len(b.resolved)
    q, v = np.zeros(kind.SIZE_Q * n + slots + len(b.states)), np.zeros(kind.SIZE_V * n)
    for k, (_, _, start) in enumerate(b.states):
        q[kind.SIZE_Q * n + slots + k] = start
    still = [0.0] * b.dim
    for k, (x, p) in enumerate(zip(b.resolved, b.placed, strict=False)):
        at, to = int(kind.at_q(None, k)), int(kind.at_v(None, k))
        q[at:at + b.dim] = p.r
        if b.dim == 2:
            q[at + 2] = p.angle
        else:
            q[at + 3:at + 7] = quaternion_of_matrix(p.A)
        v[to:to + b.dim] = x["velocity"]
        v[to + b.dim:to + kind.SIZE_V] = x["omega"]
        if p.com.tolist() != still:  # from the reference point to the centre of mass
            arm = p.A @ p.com
            q[at:at + b.dim] += arm
            v[to:to + b.dim] += (x["omega"][0] * np.array([-arm[1], arm[0]]) if b.dim == 2
                                 else np.cross(p.A @ x["omega"], arm))
    for k, m in enumerate(b.measures):
        if measures[k]["slot"] != NONE:
            q[measures[k]["slot"]] = b.drawn_value(k) + m["offset"]
    return q, v
