"""What a lecture asks of a derivation, beside its equations: the matrices of the free bodies, energies and inertia terms body
by body, joint forces as formulas, inverse problems, balances of sub-systems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from dalembert.errors import AnalysisError
from dalembert.symbolic.equations import dalembert, free_bodies, pictures, told
from dalembert.symbolic.equations.dynamics import Terms
from dalembert.symbolic.equations.reactions import need_newton_euler
from dalembert.symbolic.numbers.formulas import Formulas
from dalembert.symbolic.simplify import tidy

if TYPE_CHECKING:
    from dalembert.symbolic.equations.inverse import Inverse
    from dalembert.symbolic.equations.subsystem import Subsystem


class Views:
    """The part of ``Equations`` (result.py) that is about bodies and their forces."""

    model: Any
    kin: Any
    story: Any
    reactions: str
    terms: Terms
    free: Terms | None  # the bodies by themselves (newton-euler)
    _forces: Any  # gives the JointForces, where they were asked for

    @cached_property
    def K(self) -> sp.Matrix:
        """[M Cᵀ; C 0], whatever its size; for newton-euler that of the free bodies."""
        t = self.free or self.terms
        return free_bodies.whole(t, list(range(len(t.M))))[0]

    @cached_property
    def rhs(self) -> sp.Matrix:
        """{Q; γ}, the right side of K {q̈; λ}."""
        t = self.free or self.terms
        return free_bodies.whole(t, list(range(len(t.M))))[1]

    @property
    def Phi_r(self) -> sp.Matrix:
        """Columns of the Jacobian for the positions r of the free bodies."""
        t = need_newton_euler(self, "Phi_r")
        return sp.Matrix(t.C)[:, free_bodies.translations(t.kin)]

    @property
    def Pi(self) -> sp.Matrix:
        """Π̄: columns of the Jacobian for δπ̄ (in the plane δθ) of the free bodies."""
        t = need_newton_euler(self, "Pi")
        return sp.Matrix(t.C)[:, [k for k in range(t.kin.n) if k not in free_bodies.translations(t.kin)]]

    @cached_property
    def kinetic_energies(self) -> dict[str, Any]:
        """T of each body."""
        return {body: tidy(T) for body, T in told.kinetic_energies(self.kin).items()}

    @cached_property
    def inertia_terms(self) -> dict[tuple[str, str], tuple[Any, Any]]:
        """{(body, coordinate): (m a_G·∂v_G/∂q̇_k, (I·α + ω × H_G)·∂ω/∂q̇_k)}, d'Alembert's terms one by one."""
        return dalembert.inertia_terms(self.kin)

    @property
    def abbreviations(self) -> dict[sp.Symbol, Any]:
        """Symbols that stand for formulas: l, l̇ and f_s of springs."""
        return dict(self.kin.abbreviations)

    @property
    def joint_forces(self) -> dict[sp.Symbol, Any]:
        """Every joint force as a formula of the motion (newton-euler with reactions="F")."""
        if self._forces is None:
            none = self.free is not None and not self.free.rows
            raise AnalysisError("joint_forces: " + ("this model has no joint" if none else
                                                    "derive with method='newton-euler' and reactions='F'"))
        found = self._forces()
        if not found.known:
            raise AnalysisError(
                f"joint_forces: the constraints of '{self.model.name}' are redundant, so its equations do not determine every "
                "joint force (da.check says which rows, .unique which components)"
            )
        return found.forces

    @cached_property
    def told_forces(self) -> Formulas | None:
        """The formulas of the joint forces in numbers; None where there are none, or too many to be told."""
        few = self._forces is not None and self.free is not None and len(self.free.rows) <= free_bodies.BY_HAND
        found = self._forces() if few else None
        if found is None or not found.known:
            return None
        return Formulas(self.terms, list(found.forces.values()), [sp.Dummy() for _ in self.terms.rows])

    @cached_property
    def diagrams(self) -> dict[tuple[str, ...], str]:
        """Bodies cut free in this derivation → their picture in the model as drawn (SVG); see equations/pictures.py."""
        return pictures.beside(self, {s.cut for s in self.story.sections if s.cut})

    def inverse(self, unknown: Sequence[str] = ()) -> Inverse:
        """Inverse dynamics A x = b: joint forces and the loads named (parameters or elements); see equations/inverse.py."""
        from dalembert.symbolic.equations.inverse import inverse

        return inverse(self, unknown)

    def subsystem(self, bodies: Sequence[str] | str, about: Any) -> Subsystem:
        """Moments of a set of bodies about a point (method II); see equations/subsystem.py."""
        from dalembert.symbolic.equations.subsystem import subsystem

        return subsystem(self, bodies, about)
