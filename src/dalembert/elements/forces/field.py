"""Field: a force per unit mass f(x, y, z, t) on every particle of every body (course: f_i(P) dm).

    F = ∫ f dm,   n = ∫ s × f dm          sums over the particles of each body (bodies/particles.py), written out by the kernel

A field that is the same everywhere acts at the centre of mass.  Bodies of known shape (Body.rod, Body.from_shape) get as many
particles as the field needs: the order is raised until force and moment change by less than 1e-13 of their size, as drawn and
in two poses turned and shifted by the body's size, with the factors that depend on t alone as they are and put to a number (a
field that begins later needs its particles too).  Poses in which f has no value tell nothing; without any other, a note says so.
Whether the particles were enough where the motion went is asked of its samples (results/trust/steep.py).
A field that needs more than the largest order is said in a note; so is one
that switches in space (step(x − 5) …), which gets FULL or all of the line's particles wherever the body is drawn.  Bodies
given by mass and inertia are taken by their second moments, with a note (right for fields quadratic over the body); in the plane
these must be given: ``second_moments=(∫x² dm, ∫y² dm, ∫xy dm)`` about the centre of mass, along the body's axes.

Cost: one evaluation of f per particle and evaluation of the equations; n particles for a rod, n³ for a solid, n = 2 … 4 for
polynomials.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dalembert import expressions
from dalembert._jit import kernel
from dalembert.algebra import jets
from dalembert.algebra.vectors import add, moment, rotate
from dalembert.elements.bodies import particles
from dalembert.elements.bodies.markers import dimension, load, position, push, rotation, store
from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Vector
from dalembert.errors import DalembertError, ModelError

ROW = np.dtype([("law", "u4", (3,)), ("element", "u4"), ("start", "u4"), ("stop", "u4")])
PARTICLE = np.dtype([("s", "f8", (3,)), ("mass", "f8"), ("body", "u4"), ("_", "u4")])
TABLES = {"particles": PARTICLE}
ORDERS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
LINE = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
FULL = 8  # order over solids for fields that switch in space
ENOUGH = 1e-13


@kernel
def evaluate(s, w):
    n = dimension(s)
    for k in range(s.field.size):
        f = s.field[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        for p in range(f.start, f.stop):
            part = s.particles[p]
            b = part.body
            arm = rotate(rotation(s, w, b), load(s, part.s, 0))
            store(s, w.x0, 0, add(position(s, w, b), arm))
            w.x0[n] = w.t[0]
            for c in range(n):
                row = s.laws[f.law[c]]
                w.wrench[c] = part.mass * jets.value(s.code, s.constants, row.start, row.stop, row.constants, w.x0, 0, w.stack, 0)
            F = load(s, w.wrench, 0)
            push(s, w, b, F, moment(arm, F))


class Field(BaseForce):
    """A force per unit mass on every particle of every body.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    components : list of formulas of x, y, z, t [m/s²]
        Force per mass at a place in ground axes; two in the plane, three in space.
    second_moments : table [kg·m²], optional
        Body → (∫x² dm, ∫y² dm, ∫xy dm), for bodies of the plane given by mass and inertia.

    Notes
    -----
    Acts: on all bodies with F = ∫ f dm and its moment, integrated over rods and shapes; a field that is the same everywhere
    acts at the centre of mass.

    Signs: components in ground axes. Uniform gravity is ``Model(gravity=…)``.

    Degenerate: where a formula has no value (1/x at 0) the run stops and says so; fields that switch in space are integrated
    to some 1e-3 only, which a note says.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("tide", dim=2)
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> pull = m.add(da.Field("pull", ("4*x", "0")))
    >>> run = da.simulate(m, 0.5)
    >>> da.accelerations(m)["rod"].acceleration.round(6).tolist()        # 4 × the middle's x
    [2.0, 0.0]
    """

    by_particles = True
    drawn_as = ""
    arguments = {"second_moments": "any"}

    further = False  # the next order of particles, to compare with (results/trust/steep.py)

    def __init__(self, name: str, components: Vector, *, second_moments: Mapping[str, Vector] | None = None) -> None:
        self.name, self.components, self.second_moments = name, components, second_moments

    def build(self, b):
        if not hasattr(self.components, "__len__") or isinstance(self.components, str) or len(self.components) != b.dim:
            raise ModelError(f"{self.title}: needs {b.dim} components")
        formulas = [b.expression(x, self.title) for x in self.components]
        names = "xyz"[: b.dim]
        given = self.second_moments or {}
        if not isinstance(given, Mapping):
            raise ModelError(f"{self.title}: second_moments is a table, body → (∫x² dm, ∫y² dm, ∫xy dm), not {given!r}")
        strange = [n for n in given if n not in b.body_names]
        if strange:
            raise ModelError(f"{self.title}: second_moments names '{strange[0]}', which is no body (bodies: "
                             f"{', '.join(b.body_names)})")
        uniform = not any(f.names & set(names) for f in formulas)
        found = [(k, *self._parts(b, k, formulas, uniform, given)) for k in range(len(b.body_names))]
        programs = [b.program(f, [*names, "t"], self.title) for f in formulas]
        start = len(b.particles)
        for body, points, shares in found:
            mass = b.resolved[body]["mass"]
            b.particles += [{"body": body, "s": s, "mass": mass * share} for s, share in zip(points, shares, strict=True)]
        b.force("field", self, (), law=programs + [0] * (3 - b.dim), start=start, stop=len(b.particles))

    def _parts(self, b, k, formulas, uniform, given):
        """Points (about the centre of mass, body axes) and shares of the mass."""
        name = b.body_names[k]
        body, x = b.model.bodies[name], b.resolved[k]
        if uniform:
            return [(0.0, 0.0, 0.0)], [1.0]
        orders = LINE if body.start is not None and (b.dim == 2 or body.radius is None) else ORDERS
        if body.quadrature(b, 1) is None:
            own = given.get(name, body.second_moments)
            found = particles.second_moments(b, body, own, x["inertia"], x["mass"])
            if found is None:
                raise ModelError(f"{self.title}: body '{name}' is given by mass and inertia, how its mass lies in the plane is "
                                 "not known: give second_moments=(∫x² dm, ∫y² dm, ∫xy dm) on it or on the field, or take "
                                 "Body.rod or Body.from_shape")
            b.note(f"{self.title} acts on '{name}' by its second moments of mass (right for fields quadratic over the body); "
                   "Body.rod and Body.from_shape are integrated exactly")
            return found
        reach = max(abs(float(x)) for point in body.quadrature(b, 4)[0] for x in point)
        if any(g.names & set("xyz"[: b.dim]) for f in formulas for g in expressions.breaks(f)):
            last = body.quadrature(b, LINE[-1] if orders is LINE else FULL)
            b.note(f"{self.title} switches in space: where '{name}' lies across a switch, its {len(last[0])} particles give "
                   "force and moment to some 1e-3 only")
            return last
        variants = [formulas]
        if any("t" in f.names for f in formulas):
            variants.append([expressions.timeless(f) for f in formulas])
        last, before, change = body.quadrature(b, 1), None, math.inf
        for n in orders:
            points, shares = body.quadrature(b, n)
            now = [self._sums(b, k, v, points, shares, reach) for v in variants]
            if before is not None:
                change = max(_change(x, y) for x, y in zip(now, before, strict=True))
                if change <= ENOUGH:
                    return (points, shares) if self.further else last
            last, before = (points, shares), now
        if math.isinf(change):
            last = body.quadrature(b, LINE[-1] if orders is LINE else FULL)
            b.note(f"{self.title} cannot be evaluated where '{name}' is drawn: how many particles it needs is not known, it has "
                   f"{len(last[0])}")
            return last
        b.note(f"{self.title} changes so much over '{name}' that {len(last[0])} particles may not be enough: the last of them "
               f"changed force and moment by {change:.1e}")
        return last

    def _sums(self, b, k, formulas, points, shares, reach):
        """Force and moment per mass as drawn and in two other poses; what they are small against."""
        p = b.placed[k]
        A0 = np.array([[float(v) for v in row] for row in p.A])
        r0 = np.array([float(v) for v in p.r]) + A0 @ np.array([float(v) for v in p.com])
        s = np.array([[float(v) for v in q] for q in points])[:, : b.dim]
        m = np.array([float(v) for v in shares])
        out, largest = [], 0.0
        values = {n: float(v) for n, v in b.model.parameter_values().items()}
        for angle, shift in ((0.0, 0.0), (0.7, 0.0), (-1.9, 1.0)):
            c, z = math.cos(angle), math.sin(angle)
            R = np.array([[c, -z * 0.6, z * 0.8], [z, c * 0.6, -c * 0.8], [0, 0.8, 0.6]])
            if b.dim == 2:
                R = np.array([[c, -z], [z, c]])
            arms = s @ (R @ A0).T if angle else s @ A0.T
            at = r0 + arms + shift * reach * np.array([0.6, -0.7, 0.4])[: b.dim]
            try:
                f = np.array([[e.evaluate(values | dict(zip("xyz", q, strict=False)) | {"t": 0.3711}) for e in formulas]
                              for q in at])
            except DalembertError:
                f = np.full((len(at), b.dim), np.nan)  # outside the formula's range: this pose tells nothing
            turn = (arms[:, 0] * f[:, 1] - arms[:, 1] * f[:, 0])[:, None] if b.dim == 2 else np.cross(arms, f)
            out += [m @ f, (m @ turn) / max(reach, 1e-300)]
            largest = max(largest, np.abs(f).max()) if np.isfinite(f).all() else largest
        return np.concatenate(out), largest or 1.0


def _change(now, before) -> float:
    """What the last order changed, as a part of the field; infinite where no pose could be evaluated with both."""
    change = np.abs(now[0] - before[0])
    known = np.isfinite(change)
    return float(change[known].max() / now[1]) if known.any() else math.inf
