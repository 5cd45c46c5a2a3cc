"""The builder: elements write their rows and forces into it; compile turns it into tables.

One element is one group of rows.  A row remembers in words what it forbids ("rotation about y"), whether it is a
position or a velocity equation, and whether it is a driver: a row whose ν is not zero by itself (explicit time in its law or
formula, a constant term in a velocity equation) moves the mechanism and does work, −λ ν, whatever element it belongs to; the
rows of a Drive are drivers always.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dalembert import expressions
from dalembert.algebra import rotations
from dalembert.elements.bodies import planar, spatial
from dalembert.elements.bodies.markers import NONE
from dalembert.elements.element import Element, name_of
from dalembert.elements.families import FORCES
from dalembert.elements.laws import CONSTANT, PROGRAM
from dalembert.errors import ModelError, hint
from dalembert.model import pointlike
from dalembert.model.geometry import Geometry
from dalembert.model.law import Laws
from dalembert.records import field, record
from dalembert.system.laws import LawInfo

if TYPE_CHECKING:
    from dalembert.elements.constraints.mesh import Teeth


@record(frozen=False)
class Row:
    label: str
    level: int = 0  # 0 position, 1 velocity
    driver: bool = False


@record(frozen=False)
class Group:
    """Rows of one element, and the primitives that fill them."""

    name: str
    element: Element
    rows: list[Row] = field(default_factory=list)
    bodies: set[int] = field(default_factory=set)
    pieces: list[tuple[str, int, dict]] = field(default_factory=list)  # family, first row in the group, columns


_SHARED = ("parameters", "body_names", "index", "resolved", "placed", "_numbers")  # nothing is added to these after the start


def _held(model) -> dict[str, str]:
    found: dict[str, str] = {}
    for e in model.elements.values():
        for name in getattr(e, "sampled", ()):
            if found.get(name, e.title) != e.title:
                raise ModelError(f"{e.title} and {found[name]} both set '{name}'; let one of them do it")
            found[name] = e.title
    return found


class Builder(Geometry, Laws):
    """What elements see while they are compiled."""

    def __init__(self, model):
        Geometry.__init__(self, model.dim, model.parameter_values(), model.bodies)
        Laws.__init__(self)
        self.model = model
        self.kind = planar if model.dim == 2 else spatial
        self.groups: list[Group] = []
        self.joints: dict[str, tuple[int, int]] = {}
        self.rubs: list[dict] = []  # surfaces of joints that rub (model/rubbing.py)
        self.couples: dict[str, tuple[int, ...]] = {}  # force → the bodies whose motion it depends on
        self.forces: dict[str, list[dict]] = {}
        self.terms: list[dict] = []
        self.particles: list[dict] = []
        self.events: list[dict] = []
        self.switches: list[tuple[dict, LawInfo]] = []  # events of laws that break with the state
        self.element_number: dict[str, int] = {}
        self.aligned: list[tuple[str, int, int, bool]] = []  # element, markers, whole frames (or just the main axes)
        self.primary: dict[str, int] = {}  # element → the measure it acts on (drives, springs)
        self.teeth: dict[str, Teeth] = {}
        self.centres: dict[str, tuple[int, int]] = {}  # of gears: markers at which their wrenches are read
        self.notes: list[str] = []  # what users should know about how their elements were understood
        self.current: Group = Group("", Element())
        self.pointlike = any(body.is_particle for body in model.bodies.values())
        self.inputs: dict[str, int] = {}  # signals and components of forces that are numbers → rows of their laws
        self.held = _held(model)  # signals that a controller sets → its title

    def branch(self, model) -> Builder:
        """A copy that goes on by itself, for a model with the same bodies, parameters and what was built so far."""
        other = copy.copy(self)
        for key, value in vars(self).items():
            if isinstance(value, (list, dict)) and key not in _SHARED:
                setattr(other, key, value.copy())
        other.forces = {family: list(rows) for family, rows in self.forces.items()}
        other.model = model
        return other

    def add(self, element: Element) -> None:
        if self.dim not in element.dims:
            where = "the plane" if self.dim == 2 else "space"
            raise ModelError(f"{element.title} does not exist in {where} (dim={self.dim})")
        self.current = Group(element.name, element)
        self.element_number[element.name] = len(self.element_number)
        before = len(self.markers), {family: len(rows) for family, rows in self.forces.items()}
        element.build(self)
        if self.pointlike:
            pointlike.settle(self, element, *before)
        if element.unknowns:
            self._open(element, before[1])
        if self.current.rows:
            self.current.bodies.discard(self.ground)
            if not self.current.bodies:
                raise ModelError(f"{element.title}: acts on no moving body")
            self.groups.append(self.current)

    def _open(self, element, before: dict[str, int]) -> None:
        """Numbers that a force was given as laws get rows of their own: they are inputs, "load" or "load.x"."""
        given = getattr(element, element.unknowns[0])
        several = isinstance(given, (list, tuple)) and len(given) > 1
        for family, rows in self.forces.items():
            for row in rows[before.get(family, 0):]:
                single = isinstance(row.get("law"), int)
                laws = [row["law"]] if single else list(row.get("law", ()))[:len(given) if several else 1]
                for k, law in enumerate(laws):
                    if given is None or self.laws[law]["kind"] != CONSTANT:
                        continue
                    laws[k] = self._add(kind=CONSTANT, value=self.laws[law]["value"])
                    self.inputs[f"{element.name}.{'xyz'[k]}" if several else element.name] = laws[k]
                if single:
                    row["law"] = laws[0]
                elif "law" in row:
                    row["law"] = [*laws, *list(row["law"])[len(laws):]]

    # ------------------------------------------------------------------------------------------ joint geometry

    def joint_markers(self, element, axis_j=None):
        return self.at_markers(element, *super().joint_markers(element, axis_j))

    def point_markers(self, element, axis=None, axis_i=None):
        return self.at_markers(element, *super().point_markers(element, axis, axis_i))

    def axis_markers(self, element):
        return self.at_markers(element, *super().axis_markers(element))

    def at_markers(self, element, i, j):
        """Remember where the element acts: results and pictures go by it."""
        self.joints[element.name] = i, j
        return i, j

    def say(self, vector) -> str:
        """A direction in words: x, y, z, or its components."""
        numbers = np.asarray(vector, dtype=float).tolist()  # floats are quicker than small arrays
        for x, letter in zip(numbers, "xyz", strict=False):
            if abs(abs(x) - 1.0) < 1e-6:
                return letter
        return "(" + ", ".join(f"{round(x, 12) + 0.0:.3g}" for x in numbers) + ")"

    # -------------------------------------------------------------------------------------------------- rows

    def rows(self, family: str, labels: dict[str, int], markers, driver=False, **columns) -> None:
        """Rows of a family for the element at hand: label → level (0 position, 1 velocity), the markers they act on, columns."""
        group = self.current
        group.pieces.append((family, len(group.rows), columns))
        group.rows.extend(Row(label, level, driver) for label, level in labels.items())
        group.bodies.update(self.markers[m].body for m in markers)

    def coincide(self, i, j):
        self.rows("coincide", {f"translation along {letter}": 0 for letter in "xyz"[: self.dim]}, (i, j), i=i, j=j)

    def hold(self, measure, law, label, driver=False, about=None):
        if about is not None:
            i, a, j, c = about
            label = f"rotation about {self.say(self._cross(self.axes_of(i)[:, a], self.axes_of(j)[:, c]))}"
        m = self.measures[measure]
        self.primary.setdefault(self.current.name, measure)
        number = self.law(law, self.current.element)
        self.rows("hold", {label: 0}, (m["i"], m["j"]), driver or self.changes(number), measure=measure, law=number)

    def _cross(self, a, c):
        v = rotations.cross(a, c) if self.dim == 3 else np.array([0.0, 0.0, 1.0])
        size = math.sqrt(sum(x * x for x in np.asarray(v, dtype=float).tolist()))
        return v / size if size > 0 else v

    def align(self, i, j):
        if self.dim == 3:
            self.aligned.append((self.current.name, i, j, False))
            for k in (0, 1):
                self.hold(self.dot_axes(i, k, j, 2), 0.0, "", about=(i, k, j, 2))

    def on_line(self, i, j):
        for k in self.normals:
            self.hold(self.dot_offset(i, k, j), 0.0, f"translation along {self.say(self.axes_of(i)[:, k])}")

    def on_plane(self, i, j):
        self.hold(self.dot_offset(i, 2, j), 0.0, f"translation along {self.say(self.axes_of(i)[:, 2])}")

    def lock(self, i, j):
        if self.dim == 2:
            self.hold(self.angle(i, j), 0.0, "rotation about z")
            return
        self.aligned.append((self.current.name, i, j, True))
        for a, c in ((1, 2), (0, 2), (0, 1)):
            self.hold(self.dot_axes(i, a, j, c), 0.0, "", about=(i, a, j, c))

    def terms_of(self, measures, factors=None, programs=None) -> tuple[int, int, list[int]]:
        """Terms of a row: where they start and stop in the table, and the markers they act on."""
        start = len(self.terms)
        for n, measure in enumerate(measures):
            self.terms.append({"measure": measure, "factor": factors[n] if factors else 0.0,
                               "law": programs[n] if programs else 0, "group": len(self.groups),
                               "row": len(self.current.rows)})
        return start, len(self.terms), [self.measures[m][side] for m in measures for side in "ij"]

    def combine(self, terms, law, label):
        start, stop, markers = self.terms_of([m for m, _ in terms], [f for _, f in terms])
        number = self.law(law, self.current.element)
        self.rows("combine", {label: 0}, markers, self.changes(number), start=start, stop=stop, law=number)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def equation(self, measures, program, label):
        start, stop, markers = self.terms_of(measures)
        self.rows("equation", {label: 0}, markers, self.changes(program), start=start, stop=stop, law=program)

    def of_rates(self, program: int) -> None:
        """Note that a law is a coefficient of rates: what is asked of its smoothness depends on it."""
        if program in self.law_infos:
            self.law_infos[program].kind = "velocity"

    def event(self, measures, program):
        """An expression to watch: no rows."""
        start = len(self.terms)
        self.terms += [{"measure": m, "factor": 0.0, "law": 0, "group": None, "row": 0} for m in measures]
        self.events.append({"start": start, "stop": len(self.terms), "law": program})

    # ------------------------------------------------------------------------------------------- coordinates

    def coordinate(self, ref, element, prefer=None) -> int:
        """The measure behind a joint, a body coordinate ('piston.x') or a pair of bodies (their angle)."""
        title = element if isinstance(element, str) else element.title
        if isinstance(ref, (tuple, list)) and len(ref) == 2:
            if self.dim == 3:
                raise ModelError(f"{title}: in space an angle needs an axis: name the joint instead of two bodies")
            i, j = (self.body(x, element) for x in ref)
            zero = np.zeros(2)
            return self.angle(self.marker(i, zero, self.placed[i].A.T), self.marker(j, zero, self.placed[j].A.T))
        name = name_of(ref, title)
        base, _, part = name.partition(".")
        if base in self.joints and base in self.model.elements:
            return self._joint_coordinate(self.model.elements[base], part, title, prefer)
        if base in self.index:
            return self._body_coordinate(base, part or ("angle" if prefer == "angle" and self.dim == 2 else ""), title)
        known = [*self.joints, *self.body_names]
        raise ModelError(f"{title}: there is no joint or body '{base}'{hint(base, known)}")

    def is_read(self, name: str) -> bool:
        """Whether a name in an event is none of a coordinate, and may be read as in laws: signals, rates, forces."""
        base, _, part = name.partition(".")
        if base in self.joints and base in self.model.elements:
            return bool(part) and part not in (self.model.elements[base].coordinate_name or ())
        coordinate = base == "ground" or part in ("", "angle", *"xyz"[: self.dim])
        return not coordinate if base in self.index else base in self.model.elements

    def _joint_coordinate(self, joint, part, title, prefer) -> int:
        names = joint.coordinate_name
        if not names:
            raise ModelError(f"{title}: {joint.title} has no single coordinate")
        part = part or (prefer if prefer in names else next(iter(names)))
        if part not in names:
            raise ModelError(f"{title}: {joint.title} has no coordinate '{part}'; it has {', '.join(names)}")
        found = getattr(self, names[part])(*self.joints[joint.name])
        if self.pointlike:
            pointlike.no_coordinate(self, found, joint, title)
        return found

    def _body_coordinate(self, name, part, title) -> int:
        letters = "xyz"[: self.dim]
        turns = self.dim == 2 and name != "ground" and not self.model.bodies[name].is_particle
        allowed = [*letters, *(["angle"] if turns else [])]
        if name == "ground":
            raise ModelError(f"{title}: the ground does not move, it has no coordinate; name a body or a joint")
        if part not in allowed:
            raise ModelError(f"{title}: body '{name}' has the coordinates {', '.join(f'{name}.{a}' for a in allowed)}"
                             f"{'' if not part else f', not {name}.{part}'}")
        key = ("body coordinate", name, part)
        if key not in self._known:
            origin = self.ground_marker()
            b = self.index[name]
            own = self.marker(b, np.zeros(self.dim), np.eye(self.dim))
            if part == "angle":
                self._known[key] = self.measure("angle", origin, own)
            else:
                guide = self.ground_marker(np.eye(self.dim)[letters.index(part)])
                self._known[key] = self.component(origin, own, guide)
        return self._known[key]

    def expression(self, value, what) -> expressions.Expression:
        """An expression with the parameters put in; other names stay."""
        text = value if isinstance(value, str) else repr(self.number(value, what))
        parsed = expressions.parse(text)
        return parsed.substitute({n: self.parameters[n] for n in parsed.names if n in self.parameters})

    # ------------------------------------------------------------------------------------------------- forces

    def force(self, family: str, element, markers, **columns) -> None:
        """A row of a family of forces.  ``markers``: all whose motion it depends on; their bodies are coupled in K and C."""
        if family not in FORCES:
            raise ModelError(f"{element.title}: there is no force table '{family}' (there are {', '.join(FORCES)}); a kernel of "
                             "its own needs its line in FAMILIES of places.py")
        self.forces.setdefault(family, []).append({"element": self.element_number[element.name], **columns})
        known = self.couples.get(element.name, ())
        self.couples[element.name] = tuple(sorted({*known, *(self.markers[m].body for m in markers)} - {self.ground}))

    def effort(self, element, measure, rest, law, sign, names):
        """``rest``: where a spring is slack, a number or the two ends of a range."""
        lower, upper = rest if isinstance(rest, tuple) else (rest, rest)
        self.primary[element.name] = measure
        row = self.law(0.0 if law is None else law, element, names)
        if row in self.law_infos:
            self.law_infos[row].measure = measure
            self.switch(row)
        m = self.measures[measure]
        self.force("effort", element, (m["i"], m["j"]), measure=measure, lower=lower, upper=upper, sign=sign, law=row,
                   stiffness=self.number(element.stiffness, f"stiffness of {element.title}"),
                   damping=self.number(element.damping, f"damping of {element.title}"))

    def rub(self, element, kind: str, **numbers) -> None:
        """A pair of surfaces of a joint that rub (elements/joints/rubbing.py)."""
        self.rubs.append({"element": element, "kind": kind, **numbers})

    # ------------------------------------------------------------------------------------------------ signals

    def signal(self, element, formula) -> None:
        """A number that laws read by the element's name."""
        self.slot(element.name, element.title)
        number = isinstance(formula, str) and expressions.parse(formula).names <= {*self.parameters}
        number = number or isinstance(formula, (int, float))
        if element.name in self.held:
            self._hold(element, formula, number)
            return
        if number:
            row = self._add(kind=CONSTANT, value=self.number(formula, f"formula of {element.title}"))  # its own: an input
            self.inputs[element.name] = row
        else:
            row = self.law(formula, element)
        self.signals[element.name] = {"law": row}
        self.switch(row)

    def _hold(self, element, formula, number: bool) -> None:
        """A signal that a controller sets: a state that changes at instants only."""
        if not number:
            raise ModelError(f"{element.title}: {self.held[element.name]} sets it, so its formula is the number it has before, "
                             f"such as da.Signal('{element.name}', 0.0), not {formula!r:.60}")
        self.differential(element, 0.0, self.number(formula, f"formula of {element.title}"))

    def differential(self, element, rate, start: float) -> None:
        """A state with its rate."""
        self.slot(element.name, element.title)
        row = self.law(rate, element)
        self.signals[element.name] = {"law": row, "state": len(self.states)}
        self.states.append((element.name, row, start))
        self.switch(row)

    def algebraic(self, element, equation, start: float) -> None:
        """An unknown with its equation."""
        self.slot(element.name, element.title)
        row = self.law(equation, element)
        if self.laws[row]["kind"] != PROGRAM or element.name not in self.reads_of_law.get(row, ()):
            raise ModelError(f"{element.title}: its equation is a formula in which '{element.name}' occurs, such as "
                             f"\"{element.name} - 2*(1 - {element.name})\", not {equation!r:.60}")
        self.signals[element.name] = {"law": row, "unknown": len(self.unknowns)}
        self.unknowns.append((element.name, row, start))
        self.switch(row)

    def switch(self, row: int) -> None:
        """Events where a law (a row) that depends on the state is not smooth: steps end there."""
        info = self.law_infos.get(row)
        if info is not None:
            self._switches(info)

    def breaks(self, expression) -> Sequence[expressions.Expression]:
        return expressions.breaks(expression)

    def _switches(self, info) -> None:
        found = [] if info.expression is None else [g for g in self.breaks(info.expression) if g.names - {"t"}]
        rows = [self.program(g, info.names, info.title, tuple(sorted(g.names - {*info.names}))) for g in found]
        rows += [info.row] if info.knots and info.over != "t" else []
        for row in rows:
            if row != info.row:
                del self.law_infos[row]
            start = NONE if info.measure < 0 else info.measure
            self.switches.append(({"start": start, "stop": 0, "law": row, "of_law": 1}, info))
