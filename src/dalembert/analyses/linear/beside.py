"""Signals and states beside the linearised motion.

    d/dt [a; b; z] = [A  B_z; E  F] [a; b; z] + B u          z: changes of the states of differentials

    B_z   what a change of z does to the rates: it changes the forces, so that it enters as an input does
    E     ∂ż along displacements P a with the velocities V a that go with them, and along velocities N b;      F = ∂ż/∂z
    out   a signal: its change along all of these;       u may be a signal whose formula is a number

All of it by the same passes on duals (formulations/augmented/derivatives.py).  Eigenvalues are taken along unit displacements of
the bodies, and of z in units that balance B_z and E.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.toolbox.thresholds import Noise, Sampled
from dalembert.elements.laws import CONSTANT
from dalembert.elements.signals.readings import LAW
from dalembert.formulations.augmented.derivatives import derivatives_of

STILL = 1e-8  # of what makes up the rate of a state: less is rest


class Beside:
    """Derivatives of forces, rates of states and signals at the state of a perturbation."""

    def __init__(self, model, p):
        self.p, self.model = p, model
        self.system = s = p.w.system
        self.names, self.places = list(s.states), list(s.states.values())
        self._d = derivatives_of(p.w)
        p.tangent.restore()
        p.w.run("accelerations")
        parts = [self._along(X, Y) for X, Y in ((p.P, p.velocities(p.P)), (None, p.N)) if (p.N if X is None else X).shape[1]]
        none = (np.zeros((s.nv, 0)), np.zeros((len(self.names), 0)), np.zeros((len(s.readings), 0)))
        self.E = np.hstack([none[1], *(x[1] for x in parts)])
        self._read = np.hstack([none[2], *(x[2] for x in parts)])
        force, self.F, read = self._along_states()
        self.Bz, self._read = self._pushed(force), np.hstack([self._read, read])
        self._moved = p.G @ p.accelerate(force)
        self.still = self._still()

    def _ran(self, seed, count):
        """Changes of forces, rates of states, signals: one column for each of ``count`` directions."""
        d, p = self._d, self.p
        out = []
        for first in range(0, count, WIDTH):
            p.tangent.restore()
            p.w.run("accelerations")
            d.still()
            seed(first, min(first + WIDTH, count))
            d.run("directions" if self.system.felt else "balanced")
            n = min(WIDTH, count - first)
            out.append([d.found["u"][:, :n].copy(), d.found["qdot"][self.places][:, :n].copy(), d.found["read"][:, :n].copy()])
        d.still()
        p.tangent.restore()
        if not out:
            return [np.zeros((len(p.vdot), 0)), np.zeros((len(self.places), 0)), np.zeros((len(self.system.readings), 0))]
        return [np.hstack(parts) for parts in zip(*out, strict=True)]

    def _along(self, X, Y):
        def seed(a, b):
            self._d.seeds(None if X is None else X[:, a:b], None if Y is None else Y[:, a:b])

        return self._ran(seed, (Y if X is None else X).shape[1])

    def _along_states(self):
        def seed(a, b):
            for k in range(a, b):
                self._d.found["q"][self.places[k], k - a] = 1.0

        return self._ran(seed, len(self.places))

    def _pushed(self, force):
        """Rates of a and b under changes of the forces (columns)."""
        p = self.p
        return np.vstack([np.zeros((len(p.pick), force.shape[1])), (p.G @ p.accelerate(force))[p.rate]])

    def _still(self) -> bool:
        """Whether no state changes at this moment."""
        p, s = self.p, self.system
        p.tangent.restore()
        p.w.run("unbalanced")
        rate, z = p.w.qdot[self.places].copy(), p.w.q[self.places].copy()
        p.tangent.restore()
        unit = np.concatenate([np.abs(p.G * p.tangent.unit).max(axis=1)[p.pick], np.abs(p.G @ p.tangent.v)[p.rate]])
        size = np.abs(self.F) @ np.abs(z) + np.abs(self.E) @ unit + 1e-300
        return bool(np.all(np.abs(rate) <= STILL * size)) if s.states else True

    def matrix(self, A) -> np.ndarray:
        return np.block([[A, self.Bz], [self.E, self.F]])

    def inputs(self) -> dict[str, int]:
        """Signals that are numbers: name → row of their law."""
        s, found = self.system, {}
        for name, slot in s.readings.items():
            row = next((r for r in s.tables.reading if int(r["slot"]) == slot and int(r["kind"]) == LAW), None)
            if row is not None and name in self.model.elements and int(s.tables.laws[int(row["law"])]["kind"]) == CONSTANT:
                found[name] = int(row["law"])
        return found

    def pushed_by(self, law: int):
        """Column of B, and changes of accelerations of all coordinates and of all signals, per unit of such a signal."""
        def seed(a, b):
            self._d.column("laws", "value")[law, 0, 0] = 1.0

        force, rates, read = self._ran(seed, 1)
        return np.vstack([self._pushed(force), rates])[:, 0], (self.p.G @ self.p.accelerate(force))[:, 0], read[:, 0]

    def read(self, name: str) -> np.ndarray:
        """The row of C of a signal."""
        return self._read[self.system.readings[name]]

    def accelerations(self, coordinate: int) -> np.ndarray:
        """Changes of the acceleration of a coordinate with the states."""
        return self._moved[coordinate]

    def natural(self, A, noise, states):
        """What Perturbation.natural gives, with the states beside it."""
        inverse, nz = np.linalg.inv(states), len(self.names)
        B, E = inverse @ self.Bz, self.E @ states
        to, of = np.linalg.norm(B, axis=0), np.linalg.norm(E, axis=1)
        scale = np.where((to > 0) & (of > 0), np.sqrt(of / np.where(to > 0, to, 1.0)), 1.0)
        out = np.block([[A, B * scale], [E / scale[:, None], self.F * scale / scale[:, None]]])
        if isinstance(noise, Sampled):
            wide: Noise = Sampled([_padded(x, nz) for x in noise.matrices])
        else:
            missed = None if noise.missed is None else _padded(noise.missed, nz)
            wide = Noise(np.vstack([noise.samples, np.zeros((nz, noise.samples.shape[1]))]),
                         np.concatenate([noise.steps, np.zeros(nz)]), missed)
        return out, wide, np.block([[states, np.zeros((len(A), nz))], [np.zeros((nz, len(A))), np.diag(scale)]])


def _padded(x, n: int) -> np.ndarray:
    return np.block([[x, np.zeros((len(x), n))], [np.zeros((n, x.shape[1])), np.zeros((n, n))]])
