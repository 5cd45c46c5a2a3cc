"""The builder: elements write their rows and forces into it; compile turns it into tables.

One element is one group of rows.  A row remembers in words what it forbids ("rotation about y"), whether it is a
position or a velocity equation, and whether it is a driver: a row whose ν is not zero by itself (explicit time in its law or
formula, a constant term in a velocity equation) moves the mechanism and does work, −λ ν, whatever element it belongs to; the
rows of a Drive are drivers always.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy as np

from dalembert import expressions
from dalembert.algebra import rotations
from dalembert.elements.constraints.mesh import Teeth
from dalembert.elements.element import Element, name_of
from dalembert.elements.measures.table import ANGLE
from dalembert.errors import ModelError, hint
from dalembert.model.geometry import Geometry
from dalembert.model.law import Laws
from dalembert.system.laws import LawInfo


@dataclass
class Row:
    label: str
    level: int = 0  # 0 position, 1 velocity
    driver: bool = False


@dataclass
class Group:
    """Rows of one element, and the primitives that fill them."""

    name: str
    element: Element
    rows: list[Row] = field(default_factory=list)
    bodies: set[int] = field(default_factory=set)
    pieces: list[tuple[str, int, dict]] = field(default_factory=list)  # family, first row in the group, columns


_SHARED = ("parameters", "body_names", "index", "resolved", "placed", "_numbers")  # nothing is added to these after the start


class Builder(Geometry, Laws):
    """What elements see while they are compiled."""

    def __init__(self, model):
        Geometry.__init__(self, model.dim, model.parameter_values(), model.bodies)
        Laws.__init__(self)
        self.model = model
        self.groups: list[Group] = []
        self.joints: dict[str, tuple[int, int]] = {}
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
        element.build(self)
        if self.current.rows:
            self.current.bodies.discard(self.ground)
            if not self.current.bodies:
                raise ModelError(f"{element.title}: acts on no moving body")
            self.groups.append(self.current)

    # ------------------------------------------------------------------------------------------ joint geometry

    def joint_markers(self, element, axis_j=None):
        pair = super().joint_markers(element, axis_j)
        self.joints[element.name] = pair
        return pair

    def point_markers(self, element, axis=None, axis_i=None):
        pair = super().point_markers(element, axis, axis_i)
        self.joints[element.name] = pair
        return pair

    def axis_markers(self, element):
        pair = super().axis_markers(element)
        self.joints[element.name] = pair
        return pair

    def say(self, vector) -> str:
        """A direction in words: x, y, z, or its components."""
        for k, letter in enumerate("xyz"[: len(vector)]):
            if abs(abs(vector[k]) - 1.0) < 1e-6:
                return letter
        return "(" + ", ".join(f"{x:.3g}" for x in np.asarray(vector) + 0.0) + ")"

    # -------------------------------------------------------------------------------------------------- rows

    def _piece(self, family: str, rows: list[Row], markers, **columns) -> None:
        group = self.current
        group.pieces.append((family, len(group.rows), columns))
        group.rows.extend(rows)
        group.bodies.update(self.markers[m].body for m in markers)

    def coincide(self, i, j):
        rows = [Row(f"translation along {letter}") for letter in "xyz"[: self.dim]]
        self._piece("coincide", rows, (i, j), i=i, j=j)

    def hold(self, measure, law, label, driver=False, about=None):
        if about is not None:
            i, a, j, c = about
            label = f"rotation about {self.say(self._cross(self.axes_of(i)[:, a], self.axes_of(j)[:, c]))}"
        m = self.measures[measure]
        self.primary.setdefault(self.current.name, measure)
        number = self.law(law, self.current.element)
        self._piece("hold", [Row(label, 0, driver or self.changes(number))], (m["i"], m["j"]), measure=measure, law=number)

    def _cross(self, a, c):
        v = np.cross(a, c) if self.dim == 3 else np.array([0.0, 0.0, 1.0])
        return v / np.linalg.norm(v) if np.linalg.norm(v) > 0 else v

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

    def _terms(self, measures, factors=None, programs=None) -> tuple[int, int, list[int]]:
        start = len(self.terms)
        for n, measure in enumerate(measures):
            self.terms.append({"measure": measure, "factor": factors[n] if factors else 0.0,
                               "law": programs[n] if programs else 0, "group": len(self.groups),
                               "row": len(self.current.rows)})
        return start, len(self.terms), [self.measures[m][side] for m in measures for side in "ij"]

    def combine(self, terms, law, label):
        start, stop, markers = self._terms([m for m, _ in terms], [f for _, f in terms])
        number = self.law(law, self.current.element)
        self._piece("combine", [Row(label, 0, self.changes(number))], markers, start=start, stop=stop, law=number)

    def ratio(self, element, second, first, carrier, ratio) -> None:
        """Remember which bodies a relation of torques alone acts on."""
        i, j, k = (-1 if ref is None else self._moved_by(ref, element) for ref in (first, second, carrier))
        self.teeth[element.name] = Teeth("ratio", i, j, k, ratio)

    def _moved_by(self, ref, element) -> int:
        """The body whose motion a coordinate tells: the second one, unless that is the ground."""
        if isinstance(ref, str) and name_of(ref, element.title) == "ground":
            return self.ground
        m = self.measures[self.coordinate(ref, element, "slide" if ref is getattr(element, "rack", None) else "angle")]
        i, j = (self.markers[m[side]].body for side in "ij")
        return i if j == self.ground else j

    def note(self, text: str) -> None:
        self.notes.append(text)

    def equation(self, measures, program, label):
        start, stop, markers = self._terms(measures)
        self._piece("equation", [Row(label, 0, self.changes(program))], markers, start=start, stop=stop, law=program)

    def velocity_equation(self, measures, programs, constant, label, driver=False):
        start, stop, markers = self._terms(measures, programs=programs)
        for row in (*programs, constant):
            if row in self.law_infos:
                self.law_infos[row].kind = "velocity"
        self._piece("velocity_equation", [Row(label, 1, driver)], markers, start=start, stop=stop, law=constant)

    def event(self, measures, program):
        """An expression to watch: no rows."""
        start = len(self.terms)
        self.terms += [{"measure": m, "factor": 0.0, "law": 0, "group": None, "row": 0} for m in measures]
        self.events.append({"start": start, "stop": len(self.terms), "law": program})

    def knife_edge(self, element):
        i, j = self.pair(element)
        if element.at is not None and element.on_j is not None:
            raise ModelError(f"{element.title}: give at= (ground coordinates) or on_j= (body coordinates), not both")
        at = self.vector(element.at, f"at of {element.title}") if element.at is not None else None
        local = (self.vector(element.on_j, f"on_j of {element.title}") if element.on_j is not None
                 else np.zeros(self.dim) if at is None else self.local(j, at))
        blade = self.direction(element.axis, f"axis of {element.title}")
        if self.dim == 2:
            frame = rotations.frame_along(blade, 0)
        else:
            side = (np.cross([0.0, 0.0, 1.0], blade) if element.normal is None
                    else self.direction(element.normal, f"normal of {element.title}"))
            if np.linalg.norm(side) < 1e-9:
                raise ModelError(f"{element.title}: the blade is vertical; give normal=, the direction it cannot slip in")
            side = side / np.linalg.norm(side)
            if abs(side @ blade) > 1 - 1e-9:
                raise ModelError(f"{element.title}: normal= is along the blade; give the direction it cannot slip in")
            frame = np.column_stack([np.cross(side, np.cross(blade, side)), side, np.cross(blade, side)])
        mi = self.marker(i, np.zeros(self.dim), np.eye(self.dim))
        mj = self.marker(j, local, self.placed[j].A.T @ frame)
        self.joints[element.name] = (mi, mj)
        self._piece("knife_edge", [Row("sideways slip", 1)], (mi, mj), i=mi, j=mj, axis_j=1)

    def rolling(self, element):
        i, j = self.pair(element)
        n = self.dim
        up = np.eye(n)[:, n - 1]
        normal = up if element.ground_normal is None else self.direction(element.ground_normal, f"normal of {element.title}")
        point = np.zeros(n) if element.ground_point is None else self.vector(element.ground_point, f"point of {element.title}")
        local = (self.vector(element.on_j, f"on_j of {element.title}") if element.on_j is not None
                 else np.zeros(n) if element.at is None
                 else self.local(j, self.vector(element.at, f"at of {element.title}")))
        axes = self.placed[j].A.T
        if n == 3:
            if element.axis is None and element.axis_j is None:
                raise ModelError(f"{element.title}: give the disc's axis= (ground coordinates as drawn) or axis_j=")
            a = (self.direction(element.axis_j, f"axis_j of {element.title}") if element.axis_j is not None
                 else self.placed[j].A.T @ self.direction(element.axis, f"axis of {element.title}"))
            if abs(abs((self.placed[j].A @ a) @ normal) - 1.0) < 1e-9:
                raise ModelError(f"{element.title}: the disc lies flat on the ground as drawn; tilt it, or check axis=")
            axes = rotations.frame_along(a, 2)
            ground = rotations.frame_along(normal, 2)
        else:
            ground = np.array([[normal[1], normal[0]], [-normal[0], normal[1]]])  # first axis along the line, second normal
        mi = self.marker(i, point, ground)
        mj = self.marker(j, local, axes)
        self.joints[element.name] = (mi, mj)
        names = ["normal", "rolling along the ground"] if n == 2 else ["normal", "slip along t1", "slip along t2"]
        rows = [Row(names[0])] + [Row(x, 1) for x in names[1:]]
        self._piece("rolling", rows, (mi, mj), i=mi, j=mj, normal=n - 1, axis_j=n - 1,
                    radius=self.positive(element.radius, f"radius of {element.title}"))

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

    def _joint_coordinate(self, joint, part, title, prefer) -> int:
        names = getattr(joint, "coordinate_name", {})
        if not names:
            raise ModelError(f"{title}: {joint.title} has no single coordinate")
        part = part or (prefer if prefer in names else next(iter(names)))
        if part not in names:
            raise ModelError(f"{title}: {joint.title} has no coordinate '{part}'; it has {', '.join(names)}")
        return getattr(self, names[part])(*self.joints[joint.name])

    def _body_coordinate(self, name, part, title) -> int:
        letters = "xyz"[: self.dim]
        allowed = [*letters, *(["angle"] if self.dim == 2 else [])]
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
                self._known[key] = self._measure(ANGLE, origin, own)
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

    def _force(self, family, element, **columns):
        self.forces.setdefault(family, []).append({"element": self.element_number[element.name], **columns})

    def applied(self, family, element, components, count):
        b = self.body(element.body, element)
        if b == self.ground:
            raise ModelError(f"{element.title}: acts on the ground, which does not move")
        if element.frame not in ("ground", "body"):
            raise ModelError(f"{element.title}: frame is 'ground' or 'body', not {element.frame!r}")
        if isinstance(components, str) or not hasattr(components, "__len__") or len(components) != count:
            raise ModelError(f"{element.title}: needs {count} component{'s' * (count > 1)}, got {components!r}")
        local = np.zeros(self.dim)
        if element.on is not None:
            local = self.vector(element.on, f"on of {element.title}")
        elif element.at is not None:
            local = self.local(b, self.vector(element.at, f"at of {element.title}"))
        marker = self.marker(b, local, np.eye(self.dim))
        self.joints[element.name] = (marker, marker)
        found = [self.law(x, element) for x in components] + [0] * (3 - count)
        self._force(family, element, marker=marker, follows=int(element.frame == "body"), law=found)

    def field(self, element, programs, parts):
        """``parts``: body, points about the centre of mass in body axes, and their shares of the mass."""
        start = len(self.particles)
        for body, points, shares in parts:
            mass = self.resolved[body]["mass"]
            self.particles += [{"body": body, "s": s, "mass": mass * share} for s, share in zip(points, shares, strict=True)]
        self._force("field", element, law=programs + [0] * (3 - self.dim), start=start, stop=len(self.particles))

    def effort(self, element, measure, rest, law, sign, names):
        """``rest``: where a spring is slack, a number or the two ends of a range."""
        lower, upper = rest if isinstance(rest, tuple) else (rest, rest)
        self.primary[element.name] = measure
        row = self.law(0.0 if law is None else law, element, names)
        if row in self.law_infos:
            self.law_infos[row].measure = measure
            self._switches(self.law_infos[row])
        self._force("effort", element, measure=measure, lower=lower, upper=upper, sign=sign, law=row,
                    stiffness=self.number(element.stiffness, f"stiffness of {element.title}"),
                    damping=self.number(element.damping, f"damping of {element.title}"))

    def _switches(self, info) -> None:
        """Events where a law of a coordinate and its rate is not smooth: steps end there."""
        found = [] if info.expression is None else [g for g in expressions.breaks(info.expression) if g.names - {"t"}]
        rows = [self.program(g, info.names, info.title) for g in found] + ([info.row] if info.knots and info.over != "t" else [])
        for row in rows:
            if row != info.row:
                del self.law_infos[row]
            self.switches.append(({"start": info.measure, "stop": 0, "law": row, "of_law": 1}, info))

    def bushing(self, element):
        i, j = self.joint_markers(element)
        turns = 1 if self.dim == 2 else 3
        columns = {}
        for key, count in (("stiffness", self.dim), ("damping", self.dim), ("torsion", turns), ("torsion_damping", turns)):
            value = getattr(element, key)
            value = [value] * count if isinstance(value, str) or not hasattr(value, "__len__") else value
            columns[key] = np.append(self.vector(value, f"{key} of {element.title}", count), np.zeros(3 - count))
        self._force("bushing", element, i=i, j=j, **columns)

    def user_force(self, element):
        b = self.body(element.body, element)
        if b == self.ground:
            raise ModelError(f"{element.title}: acts on the ground, which does not move")
        local = (self.vector(element.on, f"on of {element.title}") if element.on is not None
                 else np.zeros(self.dim) if element.at is None
                 else self.local(b, self.vector(element.at, f"at of {element.title}")))
        marker = self.marker(b, local, np.eye(self.dim))
        self.joints[element.name] = (marker, marker)
        self._force("user", element, marker=marker,
                    handle=self.vector_function(element.function, element.title, (3, 3, 3) if self.dim == 2 else (7, 6, 6)))
