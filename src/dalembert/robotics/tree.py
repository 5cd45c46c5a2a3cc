"""A tree of bodies in joint coordinates.

Coordinates are those of the joints, in the order of the tree (``names``); a joint with several freedoms has one each, a ball a
quaternion (scalar first) in q and the angular velocity along the axes of its outer marker in v; a free body (x, y, angle) in the
plane, and (x, y, z, quaternion), (velocity, angular velocity along its axes) in space, of its centre of mass.

    H(q) a + c(q, v) = τ          gravity in c; force elements of the model are not part of it

Armature of joints (model/rotors.py) is on the diagonal of H, and carriers between joints of one body have no mass.
"""

from __future__ import annotations

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

from .single import Single, direct


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
    """Joint-space dynamics of a model whose joints form a tree.  One per thread."""

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
        self._one = self._arrays(1)
        self._many = self._arrays(LANES)
        self._slope, self._slopes = ({**a, "H": np.zeros(n * self.nv * self.rows)} for a, n in ((self._one, 1), (self._many,
                LANES)))
        zero, X, J = np.zeros(0), self._one, self._slope
        self._target, self._point = np.zeros(1, np.int64), np.zeros(3)
        batch = Batch(np.zeros(1, np.int64), zero, zero, zero, zero, self._target, self._point)
        q, u, udot, tau = X["q"], X["u"], X["udot"], X["tau"]
        self._udot = udot
        self._inverse = self._single("inverse", X, batch, (q, u, udot), tau)
        self._forward = self._single("forward", X, batch, (q, u, tau), udot)
        self._matrix = self._single("matrix", X, batch, (q,), X["H"].reshape(self.nv, self.nv))
        self._jacobian = self._single("jacobian", J, batch, (q,), J["H"].reshape(self.rows, self.nv))
        self._inverse_now, self._forward_now, self._matrix_now = self._inverse.call, self._forward.call, self._matrix.call
        if self._geared:
            self._inverse_now, self._matrix_now = self._geared_inverse, self._geared_matrix

    def _arrays(self, lanes):
        arrays = motion_arrays(self.dim, len(self.recursion.links.rows), self.nq, self.nv, lanes)
        arrays["H"] = np.zeros(lanes * self.nv * self.nv)
        set_ground(self.dim, arrays, self.recursion.tables.gravity, lanes)
        return arrays

    def _single(self, name, arrays, batch, takes, gives):
        bound = ENTRIES[self.dim, f"{name}_one"].bind(self.recursion.tables, Motion(**arrays), batch)
        return Single(name, bound, takes, gives)

    # ---------------------------------------------------------------------------------------------- the dynamics

    # ``out`` takes the result of a batch: reuse it when calling often, fresh memory costs more than the dynamics.
    # One state (single.py): what is at hand as rows of doubles, at once; then in any form; what is none of one state, as many.

    def inverse_dynamics(self, q, v, a, out=None):
        """τ for the accelerations a."""
        found = self._inverse_now(q, v, a)
        if found is not None:
            return found
        found = self._inverse.slow(q, v, a)
        if found is None:
            found = self._batch("inverse", q, v, a, (self.nv,), out)
        if self._geared:
            found += self.armature * np.asarray(a, float)
        return found

    def _geared_inverse(self, q, v, a):
        found = self._inverse.call(q, v, a)
        return None if found is None else found + self.armature * self._udot

    def forward_dynamics(self, q, v, tau, out=None):
        """Accelerations under the joint forces τ."""
        if self._geared:
            return self._geared_forward(q, v, tau, out)
        found = self._forward_now(q, v, tau)
        if found is None:
            found = self._forward.slow(q, v, tau)
        return self._batch("forward", q, v, tau, (self.nv,), out) if found is None else found

    def _geared_forward(self, q, v, tau, out):
        """(H + diag a) u̇ = τ − c, with the armature a."""
        tau = np.asarray(tau, float)
        zero = np.zeros_like(np.asarray(v, float))
        c = self.inverse_dynamics(q, v, zero)
        found = np.linalg.solve(self.mass_matrix(q), (tau - c)[..., None])[..., 0]
        if out is None:
            return found
        out[...] = found
        return out

    def mass_matrix(self, q, out=None):
        """H(q)."""
        found = self._matrix_now(q)
        if found is not None:
            return found
        found = self._matrix.slow(q)
        if found is None:
            found = self._batch("matrix", q, None, None, (self.nv, self.nv), out)
        if self._geared:
            found += np.diag(self.armature)
        return found

    def _geared_matrix(self, q):
        found = self._matrix.call(q)
        return None if found is None else found + np.diag(self.armature)

    def jacobian(self, q, body, point=None, out=None):
        """Velocity of a point of a body (in its own frame; default its origin) per unit of each speed, ground axes:
        translation rows first, then rotation rows."""
        self._aim(body, point)
        found = self._jacobian.call(q)
        if found is None:
            found = self._jacobian.slow(q)
        return self._batch("jacobian", q, None, None, (self.rows, self.nv), out) if found is None else found

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
    def _slopes_of(self):
        """Arrays and bound entries of the derivatives: of one state, and the arrays for many."""
        arrays, links = self._arrays(1), self.recursion.tables.links
        tables = (self.recursion.tables, Motion(**arrays), Slopes(**slopes_arrays(self.dim, links, self.nv)))
        one = {n: np.zeros(k) for n, k in (("q", self.nq), ("u", self.nv), ("x", self.nv), ("out", 3 * self.nv * self.nv))}
        bound = {n: SLOPES[self.dim, n].bind(*tables, States(np.ones(1, np.int64), **one)) for n in
                 ("forward_derivatives", "inverse_derivatives")}
        run = bound if MODE == "python" else {n: direct(b) for n, b in bound.items()}
        return tables, one, run, one["out"].reshape(3, self.nv, self.nv)

    def _slope_of(self, name, q, v, x, out):
        tables, one, run, found = self._slopes_of
        try:
            if out is not None or getattr(q, "ndim", 1) > 1 or len(q) != self.nq or len(v) != self.nv or len(x) != self.nv:
                raise ValueError
            one["q"][:], one["u"][:], one["x"][:] = q, v, x
        except (ValueError, TypeError):
            count, flat = self._rows(q, v, x, "a" if name.startswith("inverse") else "tau")
            out = self._room(out, (count, 3, self.nv, self.nv))
            if count:
                states = States(np.array([count], np.int64), *flat, out.reshape(-1))
                SLOPES[self.dim, name].bind(*tables, states)()
            return out[:, 0], out[:, 1], out[:, 2]
        run[name]()
        return found.copy()

    def _aim(self, body, point):
        name = name_of(body, "jacobian")
        if name not in self.system.bodies:
            raise ModelError(f"jacobian: there is no body '{name}'{hint(name, self.system.bodies)}")
        b = self.system.bodies.index(name)
        turn, com = self.recursion.links.frame[b]
        local = np.zeros(self.dim) if point is None else np.asarray(point, float)
        if local.shape != (self.dim,):
            raise ModelError(f"jacobian: a point of '{name}' has {self.dim} coordinates, got {point!r}")
        self._target[0] = self.recursion.links.carrier[b]
        self._point[: self.dim] = com + turn @ (local - self.system.tables.bodies["com"][b])

    # -------------------------------------------------------------------------------------------------- batches

    def _rows(self, q, u, x, called):
        """How many states there are, and their numbers row after row."""
        given = {"q": (q, self.nq), "v": (u, self.nv), called: (x, self.nv)}
        arrays, count = {}, None
        for key, (value, width) in given.items():
            if value is None:
                arrays[key] = np.zeros(0)
                continue
            rows = np.ascontiguousarray(value, dtype=float)
            if rows.ndim not in (1, 2) or rows.shape[-1] != width or (rows.ndim == 2 and count not in (None, len(rows))):
                raise ModelError(f"{key} must be a vector of {width} numbers, or a matrix with one such row per state (the same "
                                 f"number of rows as q); got an array of shape {rows.shape}")
            if rows.ndim == 2:
                count = len(rows)
            arrays[key] = rows
        if count is None:
            raise ModelError(f"q must be a vector of {self.nq} numbers, or a matrix with one such row per state")
        return count, [np.ascontiguousarray(np.broadcast_to(a, (count, a.shape[-1]))).ravel() if a.size else a
                       for a in arrays.values()]

    def _room(self, out, shape):
        if out is None:
            return np.empty(shape)
        if not (isinstance(out, np.ndarray) and out.shape == shape and out.dtype == float and out.flags.c_contiguous):
            raise ModelError(f"out must be a contiguous float array of shape {shape}")
        return out

    def _batch(self, name, q, u, x, shape, out=None):
        count, flat = self._rows(q, u, x, "a" if name == "inverse" else "tau")
        out = self._room(out, (count, *shape))
        if not count:
            return out
        batch = Batch(np.array([count], np.int64), *flat, out.reshape(-1), self._target, self._point)
        ENTRIES[self.dim, f"{name}_batch"].bind(self.recursion.tables,
                Motion(**(self._slopes if name == "jacobian" else self._many)), batch)()
        return out

    def __repr__(self):
        return f"Tree of '{self.model.name}': {len(self.bodies)} bodies, {self.nv} freedoms ({', '.join(self.names[:12])}" + (
            " …)" if self.nv > 12 else ")")


def load(path, **options) -> Tree:
    """A tree from a URDF or MJCF file (options: those of load_urdf and load_mjcf)."""
    from pathlib import Path

    from dalembert.io.importers import importer
    from dalembert.io.urdf import load_urdf

    return Tree((importer(Path(path)) or load_urdf)(path, **options))
