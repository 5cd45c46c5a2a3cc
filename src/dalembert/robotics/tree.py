"""A tree of bodies in joint coordinates.

Coordinates are those of the joints, in the order of the tree (``names``); a joint with several freedoms has one each, a ball a
quaternion (scalar first) in q and the angular velocity along the axes of its outer marker in v; a free body (x, y, angle) in the
plane, and (x, y, z, quaternion), (velocity, angular velocity along its axes) in space, of its centre of mass.

    H(q) a + c(q, v) = τ          gravity in c; force elements of the model are not part of it

Armature of joints (model/rotors.py) is on the diagonal of H, and carriers between joints of one body have no mass.
"""

from __future__ import annotations

import functools
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dalembert._jit import LANES, MODE
from dalembert.elements.element import name_of
from dalembert.errors import ModelError, hint
from dalembert.expressions import number
from dalembert.formulations.recursive.batch import ENTRIES, Batch
from dalembert.formulations.recursive.derivatives import ENTRIES as SLOPES
from dalembert.formulations.recursive.derivatives import Slopes, States, slopes_arrays
from dalembert.formulations.recursive.tables import Motion, motion_arrays, set_ground
from dalembert.formulations.recursive.tree import Recursive
from dalembert.model.rotors import returned, without_rotors
from dalembert.model.rubbing import rubs
from dalembert.model.topology import topology

from .given import Spare, filled, room, rows
from .single import direct, single

_NOBODY, _NOWHERE, _EMPTY = np.zeros(1, np.int64), np.zeros(3), np.zeros(0)


class ForwardDerivatives(NamedTuple):
    """Of the accelerations under joint forces: matrices with one row per acceleration (of many states: one matrix each)."""

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray  # H⁻¹


class InverseDerivatives(NamedTuple):
    """Of the joint forces that give accelerations: matrices with one row per joint force (of many states: one matrix each)."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray  # H


class Tree:
    """Joint-space dynamics of a model whose joints form a tree.  Several threads may ask one tree at once."""

    def __init__(self, model):
        plain, geared = without_rotors(model)
        self._whole, model = model, plain
        if rubs(model):
            raise ModelError(f"model '{model.name}': friction of joints ({', '.join(rubs(model))}) sticks or slides, which a "
                             "tree of joint coordinates does not know: take friction= away")
        system = model.compile()
        for name, factor in returned(model).items():
            row = system.tables.bodies[system.bodies.index(name):][:1]
            row["mass"], row["inertia"] = factor * row["mass"], factor * row["inertia"]
        if system.particles:
            name = system.bodies[system.particles[0]]
            raise ModelError(f"model '{model.name}': Particle '{name}' has no orientation, and a tree of joint coordinates "
                             "counts one for every body; give it a small inertia as a Body, or use accelerations and simulate")
        found = topology(model, system)
        self.recursion = Recursive(system, found.steps)
        left = list(self.recursion.rest.groups)
        if left:
            names = ", ".join(left[:6]) + (" …" if len(left) > 6 else "")
            raise ModelError(f"model '{model.name}' is no tree: {names} close loops or bind "
                             "joint coordinates. Take them out, or use accelerations and simulate, which handle loops")
        self.model, self.system = self._whole, system
        links = self.recursion.links
        self.names, self.coordinates, self.bodies = list(links.names), list(links.q_names), list(system.bodies)
        self.nq, self.nv, self.dim = links.nq, links.nv, system.dim
        self.rows = 3 if self.dim == 2 else 6
        values = model.parameter_values()
        self.armature = np.array([number(geared[n].armature, values, f"armature of {n}") if n in geared else 0.0
                                  for n in self.names])
        self._geared = bool(self.armature.any())
        self.limits = {n: getattr(model, "limits", {}).get(n, {}) for n in self.names}
        shared, fresh = self._arrays(1), functools.partial(self._arrays, 1)
        self._inverse, self._forward, self._matrix, self._jacobian = (
            single(name, functools.partial(self._bound, name), shared, fresh)
            for name in ("inverse", "forward", "matrix", "jacobian"))
        self._origins: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # of bodies: their links, and where on these they are
        self._many = Spare(functools.partial(self._arrays, LANES))
        if self._geared:
            self._inverse, self._matrix = self._geared_inverse(self._inverse), self._geared_matrix(self._matrix)

    def _arrays(self, lanes):
        arrays = motion_arrays(self.dim, len(self.recursion.links.rows), self.nq, self.nv, lanes)
        arrays["H"] = np.zeros(lanes * self.nv * self.nv)
        set_ground(self.dim, arrays, self.recursion.tables.gravity, lanes)
        return arrays

    def _bound(self, name, X):
        """The entry on arrays of one state, those that it reads and the one that it fills."""
        target, point, none = np.zeros(1, np.int64), np.zeros(3), np.zeros(0)
        if name == "jacobian":
            X = {**X, "H": np.zeros(self.rows * self.nv)}
        H = X["H"].reshape(-1, self.nv) if self.nv else X["H"].reshape(self.rows if name == "jacobian" else 0, 0)
        takes, gives = {"inverse": ((X["q"], X["u"], X["udot"]), X["tau"]), "forward": ((X["q"], X["u"], X["tau"]), X["udot"]),
                        "matrix": ((X["q"],), H), "jacobian": ((X["q"], target.view(float), point), H)}[name]
        batch = Batch(np.zeros(1, np.int64), none, none, none, none, target, point)
        return ENTRIES[self.dim, f"{name}_one"].bind(self.recursion.tables, Motion(**X), batch), takes, gives

    # ---------------------------------------------------------------------------------------------- the dynamics

    # ``out`` takes the result: reuse it for batches when calling often, fresh memory costs more than the dynamics.
    # One state that is at hand as rows of doubles is answered at once (single.py), all else by ``_asked``.

    def inverse_dynamics(self, q, v, a, out=None):
        """τ for the accelerations a."""
        found = self._inverse(q, v, a)
        if found is None:
            return self._asked("inverse", out, q=q, v=v, a=a)
        return found if out is None else filled(out, found)

    def _geared_inverse(self, plain):
        def call(q, v, a):
            found = plain(q, v, a)
            return None if found is None else found + self.armature * np.asarray(a)

        return call

    def forward_dynamics(self, q, v, tau, out=None):
        """Accelerations under the joint forces τ."""
        if self._geared:
            return self._geared_forward(q, v, tau, out)
        found = self._forward(q, v, tau)
        if found is None:
            return self._asked("forward", out, q=q, v=v, tau=tau)
        return found if out is None else filled(out, found)

    def _geared_forward(self, q, v, tau, out):
        """(H + diag a) u̇ = τ − c, with the armature a."""
        _, (q, v, tau) = rows({"q": q, "v": v, "tau": tau}, self.nq, self.nv)
        c = self.inverse_dynamics(q, v, np.zeros_like(v))
        return filled(out, np.linalg.solve(self.mass_matrix(q), (tau - c)[..., None])[..., 0])

    def mass_matrix(self, q, out=None):
        """H(q)."""
        found = self._matrix(q)
        if found is None:
            return self._asked("matrix", out, q=q)
        return found if out is None else filled(out, found)

    def _geared_matrix(self, plain):
        def call(q):
            found = plain(q)
            return None if found is None else found + np.diag(self.armature)

        return call

    def jacobian(self, q, body, point=None, out=None):
        """Velocity of a point of a body (in its own frame; default its origin) per unit of each speed, ground axes:
        translation rows first, then rotation rows."""
        target, place = self._aim(body, point)
        found = self._jacobian(q, target.view(float), place)
        if found is None:
            return self._asked("jacobian", out, target, place, q=q)
        return found if out is None else filled(out, found)

    # ``q`` of the derivatives: per unit of each coordinate; for a ball per small turn about each axis of its outer marker

    def forward_derivatives(self, q, v, tau, out=None) -> ForwardDerivatives:
        """∂a/∂q, ∂a/∂v and ∂a/∂τ = H⁻¹ at a = forward_dynamics(q, v, tau): exact, by one recursion."""
        if not self._geared:
            return ForwardDerivatives(*self._slope_of("forward_derivatives", q, v, tau, out))
        T = self.inverse_derivatives(q, v, self.forward_dynamics(q, v, tau), out)  # H + diag a is beyond the recursion of forces
        response = np.linalg.inv(T.a)
        found = -response @ T.q, -response @ T.v, response
        for at, x in zip(T, found, strict=True):
            at[...] = x
        return ForwardDerivatives(*T)

    def inverse_derivatives(self, q, v, a, out=None) -> InverseDerivatives:
        """∂τ/∂q, ∂τ/∂v and ∂τ/∂a = H at τ = inverse_dynamics(q, v, a): exact, by one recursion."""
        found = InverseDerivatives(*self._slope_of("inverse_derivatives", q, v, a, out))
        if self._geared:
            found.a[...] += np.diag(self.armature)
        return found

    @cached_property
    def _slopes(self):
        """Arrays and bound entries of the derivatives, for one call at a time."""
        return Spare(self._slope_kit)

    def _slope_kit(self):
        arrays, links = self._arrays(1), self.recursion.tables.links
        tables = (self.recursion.tables, Motion(**arrays), Slopes(**slopes_arrays(self.dim, links, self.nv)))
        one = {n: np.zeros(k) for n, k in (("q", self.nq), ("u", self.nv), ("x", self.nv), ("out", 3 * self.nv * self.nv))}
        bound = {n: SLOPES[self.dim, n].bind(*tables, States(np.ones(1, np.int64), **one)) for n in
                 ("forward_derivatives", "inverse_derivatives")}
        run = bound if MODE == "python" else {n: direct(b) for n, b in bound.items()}
        views = [memoryview(one[n]) for n in ("q", "u", "x")]  # type: ignore[arg-type]
        return tables, one, views, run, one["out"].reshape(3, self.nv, self.nv)

    def _slope_of(self, name, q, v, x, out):
        kit = self._slopes.take()
        tables, one, views, run, found = kit
        count = None
        try:
            try:
                views[0][:], views[1][:], views[2][:] = q, v, x
            except (ValueError, TypeError, NotImplementedError):  # no rows of doubles of one state
                last = "a" if name == "inverse_derivatives" else "tau"
                count, (q, v, x) = rows({"q": q, "v": v, last: x}, self.nq, self.nv)
                if count is None:
                    one["q"][:], one["u"][:], one["x"][:] = q, v, x
            if count is None:
                run[name]()
                return found.copy() if out is None else filled(out, found)
            out = room(out, (count, 3, self.nv, self.nv))
            if count:
                states = States(np.array([count], np.int64), *_spread(count, q, v, x), out.reshape(-1))
                SLOPES[self.dim, name].bind(*tables, states)()
            return out[:, 0], out[:, 1], out[:, 2]
        finally:
            self._slopes.give(kit)

    def _aim(self, body, point):
        """The link that carries a point, and where on it."""
        name = name_of(body, "jacobian")
        if point is None and name in self._origins:
            return self._origins[name]
        if name not in self.system.bodies:
            raise ModelError(f"jacobian: there is no body '{name}'{hint(name, self.system.bodies)}")
        b = self.system.bodies.index(name)
        turn, com = self.recursion.links.frame[b]
        local = np.zeros(self.dim) if point is None else np.asarray(point, float)
        if local.shape != (self.dim,):
            raise ModelError(f"jacobian: a point of '{name}' has {self.dim} coordinates, got {point!r}")
        target, place = np.zeros(1, np.int64), np.zeros(3)
        target[0] = self.recursion.links.carrier[b]
        place[: self.dim] = com + turn @ (local - self.system.tables.bodies["com"][b])
        if point is None:
            self._origins[name] = target, place
        return target, place

    # ------------------------------------------------------------------------------- other forms of numbers, batches

    def _asked(self, name, out, target=_NOBODY, place=_NOWHERE, **given):
        """What is no row of doubles: one state in another form, or many, each in its row."""
        count, x = rows(given, self.nq, self.nv)
        if count is None:
            aim = (target.view(float), place) if name == "jacobian" else ()
            return filled(out, getattr(self, f"_{name}")(*x, *aim))
        shape = {"matrix": (self.nv, self.nv), "jacobian": (self.rows, self.nv)}.get(name, (self.nv,))
        out = room(out, (count, *shape))
        more = None
        if self._geared and name in ("inverse", "matrix"):  # out may be what was given
            more = self.armature * x[-1] if name == "inverse" else np.diag(self.armature)
        if count:
            arrays = self._many.take()
            own = {**arrays, "H": np.zeros(LANES * self.rows * self.nv)} if name == "jacobian" else arrays
            flat = [*_spread(count, *x), *(_EMPTY,) * (3 - len(x))]
            batch = Batch(np.array([count], np.int64), *flat, out.reshape(-1), target, place)
            ENTRIES[self.dim, f"{name}_batch"].bind(self.recursion.tables, Motion(**own), batch)()
            self._many.give(arrays)
        if more is not None:
            out += more
        return out

    def __repr__(self):
        return f"Tree of '{self.model.name}': {len(self.bodies)} bodies, {self.nv} freedoms ({', '.join(self.names[:12])}" + (
            " …)" if self.nv > 12 else ")")


def _spread(count, *vectors):
    """One row for each of many states, row after row."""
    return [np.ascontiguousarray(np.broadcast_to(x, (count, x.shape[-1]))).ravel() for x in vectors]


def load(path, **options) -> Tree:
    """A tree from a URDF or MJCF file (options: those of load_urdf and load_mjcf)."""
    from pathlib import Path

    from dalembert.io.importers import importer
    from dalembert.io.urdf import load_urdf

    return Tree((importer(Path(path)) or load_urdf)(path, **options))
