"""Markers and measures while a model is being compiled: points and axes on bodies in the pose as drawn."""

from __future__ import annotations

import math

import numpy as np

from dalembert.algebra import rotations
from dalembert.elements.element import name_of
from dalembert.elements.measures.table import MEASURES, number
from dalembert.errors import ModelError, hint
from dalembert.model.numbers import Numbers
from dalembert.records import record


@record(frozen=False)
class Placed:
    """A body as drawn: origin and axes of its own frame in ground coordinates, centre of mass in its own frame."""

    r: np.ndarray
    A: np.ndarray
    com: np.ndarray
    angle: float = 0.0


@record(frozen=False)
class Marker:
    body: int
    local: np.ndarray  # in the body's own frame
    axes: np.ndarray  # columns, in the body's own frame


class Geometry(Numbers):
    """Bodies as drawn, markers on them, measures between markers."""

    def __init__(self, dim, parameters, bodies):
        super().__init__(dim, parameters)
        self.body_names: list[str] = list(bodies)
        self.index = {n: k for k, n in enumerate(self.body_names)}
        self.ground = len(self.body_names)
        self.index["ground"] = self.ground
        self.resolved = [self.resolve(body) for body in bodies.values()]
        self.placed = [self._place(x) for x in self.resolved]
        self.placed.append(Placed(np.zeros(dim), np.eye(dim), np.zeros(dim)))
        self.markers: list[Marker] = []
        self.measures: list[dict] = []
        self._known: dict[tuple, int] = {}
        self.main_axis = 0 if dim == 2 else 2
        self.normals = (1,) if dim == 2 else (0, 1)

    def resolve(self, body) -> dict:
        """Numbers of a body: mass, inertia, pose, twist."""
        return body.resolve(self)

    def _place(self, x) -> Placed:
        if self.dim == 2:
            return Placed(x["r"], rotations.matrix_of_angle(x["A"]), x["com"], x["A"])
        return Placed(x["r"], x["A"], x["com"])

    def body(self, ref, element) -> int:
        name = name_of(ref, element.title)
        if name not in self.index:
            known = ", ".join(self.body_names) or "none"
            raise ModelError(f"{element.title}: there is no body '{name}'{hint(name, self.index)} (bodies: {known}, ground)")
        return self.index[name]

    def pair(self, element) -> tuple[int, int]:
        i, j = self.body(element.i, element), self.body(element.j, element)
        if i == j:
            raise ModelError(f"{element.title}: joins body '{name_of(element.i, element.title)}' to itself; give two "
                             "different bodies")
        return i, j

    # ------------------------------------------------------------------------------------------------ markers

    def marker(self, body: int, local, axes) -> int:
        self.markers.append(Marker(body, np.asarray(local, dtype=float), np.asarray(axes, dtype=float)))
        return len(self.markers) - 1

    def point_of(self, m: int) -> np.ndarray:
        k = self.markers[m]
        p = self.placed[k.body]
        return p.r + p.A @ k.local

    def axes_of(self, m: int) -> np.ndarray:
        k = self.markers[m]
        return self.placed[k.body].A @ k.axes

    def local(self, body: int, ground_point) -> np.ndarray:
        p = self.placed[body]
        return p.A.T @ (ground_point - p.r)

    def point_on(self, element, body: int, at, on, name: str) -> np.ndarray:
        """Local point from body coordinates, or from a ground point as drawn; the reference point without either."""
        if at is not None and on is not None:
            raise ModelError(f"{element.title}: give at= (ground coordinates) or {name}= (body coordinates), not both")
        if on is not None:
            return self.vector(on, f"{name} of {element.title}")
        return np.zeros(self.dim) if at is None else self.local(body, self.vector(at, f"at of {element.title}"))

    def ground_marker(self, direction=None, point=None) -> int:
        axes = np.eye(self.dim) if direction is None else rotations.frame_along(direction, 0)
        return self.marker(self.ground, np.zeros(self.dim) if point is None else point, axes)

    def _points(self, element, i, j, at_i, at_j, default=None):
        """Local points on both bodies from ground points as drawn or from body coordinates."""
        found: list[np.ndarray] = []
        if at_i is not None and at_i is at_j and element.on_i is None and element.on_j is None:  # the usual case: one point
            point = self.vector(at_i, f"point of {element.title}")
            return [self.local(i, point), self.local(j, point)]
        for side, body, at, on in (("i", i, at_i, element.on_i), ("j", j, at_j, element.on_j)):
            name = "at" if hasattr(element, "at") else f"at_{side}"
            if at is not None and on is not None:
                raise ModelError(f"{element.title}: give {name}= (ground coordinates) or on_{side}= (body coordinates), not both")
            if on is not None:
                found.append(self.vector(on, f"on_{side} of {element.title}"))
            elif at is not None:
                found.append(self.local(body, self.vector(at, f"point of {element.title}")))
            elif default is not None:
                found.append(self.local(body, default))
            else:
                raise ModelError(f"{element.title}: say where it acts: {name}= or on_{side}=")
        return found

    def joint_markers(self, element, axis_j=None) -> tuple[int, int]:
        """Markers of a joint: points at the joint, main axes along it, aligned as drawn where one axis is given."""
        i, j = self.pair(element)
        needs = self.dim in getattr(element, "needs_axis", ())
        default = None
        if element.at is None and element.on_i is None and element.on_j is None:
            if not getattr(element, "place_optional", False):
                raise ModelError(f"{element.title}: say where it is: at= (ground coordinates as drawn), or on_i= and on_j= "
                                 "(body coordinates)")
            default = self.placed[j].r
        p, q = self._points(element, i, j, element.at, element.at, default)
        if needs and element.axis is None and (element.axis_i is None or (element.axis_j is None and axis_j is None)):
            raise ModelError(f"{element.title}: give its axis= (ground coordinates as drawn), or axis_i= and axis_j=")
        F, G = self._axes(element, i, j, axis_j)
        return self.marker(i, p, self.placed[i].A.T @ F), self.marker(j, q, self.placed[j].A.T @ G)

    def _axes(self, element, i, j, axis_j=None):
        """Ground frames of the two markers, from axis (ground) or axis_i, axis_j (body coordinates)."""
        column = self.main_axis
        if element.axis is not None and (element.axis_i is not None or element.axis_j is not None):
            raise ModelError(f"{element.title}: give axis= or axis_i= and axis_j=, not both")
        if element.axis is not None and axis_j is None:
            F = rotations.frame_along(self.direction(element.axis, f"axis of {element.title}"), column)
            return F, F
        if axis_j is None and element.axis_i is None and element.axis_j is None:
            F = rotations.frame_along(np.eye(self.dim)[:, column], column)
            return F, F
        frames = []
        for side, body, ground, own in (("i", i, element.axis, element.axis_i),
                                        ("j", j, element.axis if axis_j is None else axis_j, element.axis_j)):
            if own is not None:
                a = self.placed[body].A @ self.direction(own, f"axis_{side} of {element.title}")
            elif ground is not None:
                a = self.direction(ground, f"axis of {element.title}")
            else:
                a = np.eye(self.dim)[:, column]
            frames.append(rotations.frame_along(a, column))
        F, G = frames
        if self.dim == 3 and np.abs(F - G).max() > 1e-8:  # second frame: hint to the first about its own axis
            x = F[:, 0] - G[:, 2] * (G[:, 2] @ F[:, 0])
            if np.linalg.norm(x) > 1e-6:
                x /= np.linalg.norm(x)
                G = np.column_stack([x, rotations.cross(G[:, 2], x), G[:, 2]])
        return F, G

    def point_markers(self, element, axis=None, axis_i=None) -> tuple[int, int]:
        """Markers at two points; the first may carry an axis."""
        i, j = self.pair(element)
        p, q = self._points(element, i, j, element.at_i, element.at_j)
        if axis_i is not None:
            F = rotations.frame_along(self.direction(axis_i, f"axis_i of {element.title}"), self.main_axis)
        elif axis is not None:
            F = self.placed[i].A.T @ rotations.frame_along(self.direction(axis, f"axis of {element.title}"), self.main_axis)
        else:
            F = self.placed[i].A.T
        return self.marker(i, p, F), self.marker(j, q, self.placed[j].A.T)

    def axis_markers(self, element) -> tuple[int, int]:
        """Markers at the reference points with the given axes."""
        i, j = self.pair(element)
        if element.axis is None and (element.axis_i is None or element.axis_j is None):
            raise ModelError(f"{element.title}: give its axes: axis= (ground, as drawn) or axis_i= and axis_j=")
        F, G = self._axes(element, i, j, element.axis2 if element.axis_j is None else None)
        zero = np.zeros(self.dim)
        return self.marker(i, zero, self.placed[i].A.T @ F), self.marker(j, zero, self.placed[j].A.T @ G)

    # ----------------------------------------------------------------------------------------------- measures

    def measure(self, name, i, j, axis_i=0, axis_j=0, guide=0, offset=0.0) -> int:
        """The measure of that name (elements/measures) between two markers; the same one is not written twice."""
        kind = number(name)
        key = (kind, i, j, axis_i, axis_j, guide, offset)
        if key not in self._known:
            self._known[key] = len(self.measures)
            self.measures.append({"kind": kind, "i": i, "j": j, "axis_i": axis_i, "axis_j": axis_j, "guide": guide,
                                  "offset": offset})
        return self._known[key]

    def dot_axes(self, i, a, j, c):
        return self.measure("dot_axes", i, j, a, c)

    def dot_offset(self, i, a, j):
        return self.measure("dot_offset", i, j, a)

    def component(self, i, j, guide):
        return self.measure("component", i, j, guide=guide)

    def distance(self, i, j):
        return self.measure("distance", i, j)

    def square_distance(self, i, j):
        return self.measure("square_distance", i, j)

    def slide(self, i, j):
        return self.measure("dot_offset", i, j, self.main_axis)

    def angle(self, i, j, from_drawing=False):
        """Angle between the marker frames, counted from the hint turn as drawn (or from the drawing itself)."""
        raw = self.raw_angle(i, j)
        if self.dim == 3:
            return self.measure("angle", i, j, offset=raw if from_drawing else 0.0)
        F, G = self.axes_of(i), self.axes_of(j)
        between = 0.0 if from_drawing else math.atan2(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])
        return self.measure("angle", i, j, offset=raw - between)

    def raw_angle(self, i, j) -> float:
        if self.dim == 2:
            return self.placed[self.markers[j].body].angle - self.placed[self.markers[i].body].angle
        F, G = self.axes_of(i), self.axes_of(j)
        return math.atan2(G[:, 0] @ F[:, 1], G[:, 0] @ F[:, 0])

    def drawn_value(self, measure: int) -> float:
        """Value of a measure in the pose as drawn."""
        m = self.measures[measure]
        return float(MEASURES[m["kind"]].drawn(self, m)) - m["offset"]

    def drawn_distance(self, i, j) -> float:
        """Distance of two points as drawn; exactly zero when it is no more than the rounding of their coordinates."""
        found = float(np.linalg.norm(self.point_of(j) - self.point_of(i)))
        size = sum(np.abs(self.placed[m.body].r).max() + np.abs(m.local).max() for m in (self.markers[i], self.markers[j]))
        return found if found > 1e-14 * size else 0.0

    def drawn_sum(self, terms) -> float:
        return sum(f * self.drawn_value(m) for m, f in terms)
