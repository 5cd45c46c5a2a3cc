"""Equations: what ``derive`` gives back: to read (text, LaTeX, HTML), to compute with (SymPy), to run, and to compare with
the engine.

M q̈ + Cᵀ λ = f,   C q̈ = γ            newton-euler, lagrange      (reactions −Cᵀ λ, the engine's λ) M q̈ = f + Cᵀ λ
dalembert, as its text has it: λ is then the reaction itself, minus the engine's; reactions="F" likewise      M_i q̈_i = f_i
embedded: q̈ = B q̈_i + γ_i, no multipliers
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from dalembert.analyses.assemble import assemble
from dalembert.errors import AnalysisError, hint
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.symbolic.builder import TIME
from dalembert.symbolic.equations import reactions, told
from dalembert.symbolic.equations.dynamics import Terms, embedded
from dalembert.symbolic.equations.embedding import Partition, choose, fails, partition
from dalembert.symbolic.equations.views import Views
from dalembert.symbolic.kinematics.closed_forms import closed_forms
from dalembert.symbolic.numbers.machine_code import BodyMotion, Embedder, Evaluator, Numbers
from dalembert.symbolic.numbers.states import coordinates_of, random_states
from dalembert.symbolic.simplify import equal
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.steps import Narrated, Story

if TYPE_CHECKING:
    from dalembert.symbolic.numbers.function import Function
    from dalembert.symbolic.numbers.integrate import Trajectory
    from dalembert.symbolic.numbers.verify import Verification


class Equations(Views, Narrated):
    """Equations of motion of a model in certain coordinates, derived by a method.

    Attributes
    ----------
    mass_matrix, constraint_jacobian : matrices
        M and C_q as SymPy matrices in the coordinates' order.
    gamma_i : matrix
        γ_i of q̈ = B_i q̈_i + γ_i, in the embedded form.
    multiplier_names : list of texts
        What each λ is called.
    """

    def __init__(
        self, model, method: str, terms: Terms, story: Story, split: Partition | None = None, full: Terms | None = None,
        free: Terms | None = None, reactions: str = "lambda", forces=None,
    ):
        self.model, self.method, self.terms, self.story = model, method, terms, story
        self.partition, self.full, self.free = split, full or terms, free  # free: the bodies by themselves (newton-euler)
        self.kin = terms.kin
        self.reactions, self._forces = reactions, forces
        self.sign = -1 if method == "dalembert" or reactions == "F" else 1

    # ------------------------------------------------------------------------------------------------- symbols

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates whose accelerations are the unknowns."""
        return [self.kin.coordinates[k].name for k in self.terms.unknowns]

    @property
    def dependent(self) -> list[str]:
        """Names of the coordinates that follow from the others."""
        return [self.kin.coordinates[k].name for k in self.partition.dependent] if self.partition else []

    @property
    def parameters(self) -> dict[str, sp.Symbol]:
        """Symbols of the model's parameters."""
        return dict(self.kin.b.symbols)

    def symbol(self, name: str, derivative: int = 0) -> sp.Symbol:
        """The symbol of a coordinate, a drive (its given motion) or a parameter; derivative 1 is the rate, 2 the acceleration."""
        for c in self.kin.coordinates:
            if c.name == name:
                found = (c.q, c.u, c.a)[derivative]
                if found is None:
                    break
                return found
        if name in self.kin.b.symbols and derivative == 0:
            return self.kin.b.symbols[name]
        for s in self.kin.given:
            if self.kin.names.shown[s][0] == name and self.kin.names.shown[s][2] == derivative:
                return s
        known = [c.name for c in self.kin.coordinates] + list(self.kin.b.symbols)
        known += [self.kin.names.shown[s][0] for s in self.kin.given if self.kin.names.shown[s][2] == 0]
        raise AnalysisError(f"these equations have no symbol for '{name}'{hint(name, known)} (they have {', '.join(known)})")

    @property
    def multipliers(self) -> list[sp.Symbol]:
        """λ (or F), one for each constraint row; ``multiplier_names`` says whose."""
        if self.reactions == "F":
            return reactions.symbols(self.story, self.kin, self.terms.rows)
        found = [sp.Symbol(f"lambda_{k}") for k in range(1, len(self.terms.rows) + 1)]
        for k, s in enumerate(found, 1):
            self.story.shown[s] = ("lambda", str(k), 0)
        return found

    @property
    def signed_multipliers(self) -> tuple[list[sp.Symbol], int]:
        """The symbols, and +1 where they stand as Cᵀλ on the left, −1 where as Cᵀλ on the right."""
        return self.multipliers, self.sign

    @property
    def multiplier_names(self) -> list[str]:
        return [r.title for r in self.terms.rows]

    # ------------------------------------------------------------------------------------------------- matrices

    @cached_property
    def mass_matrix(self) -> sp.Matrix:
        return sp.Matrix(self.terms.M)

    @cached_property
    def forcing(self) -> sp.Matrix:
        """f: generalised forces less the velocity-dependent inertia forces."""
        return sp.Matrix(self.terms.Q)

    @cached_property
    def constraint_jacobian(self) -> sp.Matrix:
        return sp.Matrix(len(self.terms.rows), self.kin.n, lambda i, j: self.terms.rows[i].grad.get(j, sp.S.Zero))

    @cached_property
    def gamma(self) -> sp.Matrix:
        """Right side of C q̈ = γ (Q_d of the texts)."""
        return sp.Matrix(len(self.terms.rows), 1, self.terms.gamma)

    @property
    def constraints(self) -> list[Any]:
        """Left sides of the position equations Φ = 0 behind these equations (also of those that were eliminated)."""
        return [r.phi for r in self.full.rows if r.phi is not None]

    @property
    def B(self) -> sp.Matrix:
        """B_i of q̈ = B_i q̈_i + γ_i."""
        return sp.Matrix(self._split.B)

    @property
    def gamma_i(self) -> sp.Matrix:
        return sp.Matrix(self._split.gamma)

    @property
    def _split(self) -> Partition:
        if self.partition is None:
            raise AnalysisError(
                "these equations are not embedded: no coordinate was eliminated by a constraint; use .embedded() or name the "
                "independent coordinates in derive(..., coordinates=[...])"
            )
        return self.partition

    @cached_property
    def equations(self) -> list[sp.Eq]:
        """One equation per unknown acceleration, then C q̈ = γ."""
        return sections.statement(self.terms, self.multipliers, self.sign)

    @cached_property
    def external_force(self) -> sp.Matrix:
        """Q_e: the generalised active forces; statics is Q_e = 0."""
        return sp.Matrix(self.terms.applied)

    @cached_property
    def inertia_force(self) -> sp.Matrix:
        """Q_i: the generalised inertia forces, M q̈ and the terms quadratic in velocity."""
        a = sp.Matrix([self.kin.coordinates[k].a for k in self.terms.unknowns])
        return sp.Matrix(self.terms.M) * a + sp.Matrix(self.terms.inertia)

    def same_as(self, left: Any, right: Any = 0, number: int = 0) -> bool:
        """Whether an equation is the same as ``left = right``, up to a constant factor and the arrangement of its terms."""
        mine = self.equations[number].lhs - self.equations[number].rhs
        other = sp.sympify(left) - sp.sympify(right)
        for s, e in reversed(self.kin.abbreviations.items()):
            mine, other = mine.xreplace({s: e}), other.xreplace({s: e})
        for k in self.terms.unknowns:
            a = self.kin.coordinates[k].a
            x, y = mine.diff(a), other.diff(a)
            if x != 0 and y != 0:
                return equal(mine * y, other * x)
        return equal(mine, other)

    @cached_property
    def closed_form(self) -> dict[str, Any]:
        """Dependent coordinates as formulas of the independent ones (planar loops), in the order to evaluate them."""
        p = self._split
        unknown = [self.kin.coordinates[k].q for k in p.dependent if self.kin.coordinates[k].q is not None]
        state = random_states(self.model, 1, seed=5, spread=0.02)[0]
        x, _ = self._read(state)
        at = dict(zip([s for s, *_ in self.kin.positions] + list(self.kin.b.symbols.values()), map(float, x), strict=True))
        for s, e in self.kin.given.items():
            at[s] = float(e.subs({**at, TIME: state.t}))
        if self.kin.dim == 3:
            return {}
        found, _ = closed_forms(self.full.rows, unknown, at)
        names = {c.q: c.name for c in self.kin.coordinates}
        return {names[s]: e for s, e in found.items()}

    def embedded(self, coordinates: Sequence[str] | None = None) -> Equations:
        """The same equations without multipliers, in independent coordinates (those named first)."""
        if not self.terms.rows:
            return self
        sample = self._numbers_at(random_states(self.model, 1, seed=5)[0])
        names = [c.name for c in self.kin.coordinates]
        for n in coordinates or ():
            if n not in names:
                raise AnalysisError(f"embedded: there is no coordinate '{n}'{hint(n, names)} (there are {', '.join(names)})")
        independent, dependent = choose(sample.constraint_jacobian, names, list(coordinates or ()))
        p = partition(self.terms, sample, independent, dependent)
        p.singular = fails(self._numbers_at(assemble(self.model)).constraint_jacobian, names, independent, dependent)
        kept = [s for s in self.story.sections if not s.title.startswith("Equations")]
        story = Story(self.story.title, self.story.shown, kept, self.story.spelling)
        told.partition(story, self.terms, p, sample)
        found = embedded(self.terms, p)
        eqs = Equations(self.model, self.method, found, story, p, self.terms, self.free, self.reactions, self._forces)
        sections.equations(story, eqs.equations, "Embedded equations of motion")
        return eqs

    def with_all_coordinates(self) -> Equations:
        """The same derivation before coordinates were eliminated: constraints with multipliers."""
        return self if self.partition is None else Equations(
            self.model, self.method, self.full, self.story, free=self.free, reactions=self.reactions
        )

    # -------------------------------------------------------------------------------------------------- numbers

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self.terms, list(self.kin.b.symbols.values()))

    @cached_property
    def _motion(self) -> BodyMotion:
        return BodyMotion(self.kin, list(self.kin.b.symbols.values()))

    @cached_property
    def _embedder(self):
        return Embedder(self.terms, list(self.kin.b.symbols.values()))

    def _embedding(self, t, x, u):
        """B and g in numbers."""
        return self._embedder(t, x, u)

    def _read(self, state, model=None):
        values = (model or self.model).parameter_values()
        return coordinates_of(self.kin, state, [values[n] for n in self.kin.b.symbols], self._motion)

    def _numbers_at(self, state, model=None) -> Numbers:
        x, u = self._read(state, model)
        return self._evaluator(state.t, x, u)

    def evaluate(self, state: Any = None, rates: Mapping[str, float] | None = None, t: float = 0.0) -> Numbers:
        """The equations in numbers: at a state of the engine, or at {coordinate: value} with {coordinate: rate}.

        Values are needed for all coordinates, dependent ones too.  multipliers have the sign of the printed equations.
        """
        if state is None:
            state = assemble(self.model, t)
        if isinstance(state, State):
            found = self._numbers_at(state, state.model)
        else:
            found = self._evaluator(t, *self._given(state, rates or {}))
        found.multipliers = found.multipliers * self.sign
        return found

    def _given(self, values, rates):
        names = [c.name for c in self.kin.coordinates if c.q is not None]
        if len(names) != len(self.kin.positions):
            raise AnalysisError(
                "evaluate: rotations in absolute coordinates are not given by names; give a state of the engine (da.assemble)"
            )
        for given in (values, rates):
            for n in given:
                if n not in names:
                    raise AnalysisError(f"evaluate: there is no coordinate '{n}'{hint(n, names)} (there are {', '.join(names)})")
        missing = [n for n in names if n not in values]
        if missing:
            raise AnalysisError(f"evaluate: no value for coordinate '{missing[0]}' (all are needed: {', '.join(names)})")
        for e, why in self.kin.positive.items():
            if float(e.subs({c.q: float(values[c.name]) for c in self.kin.coordinates if c.q is not None})) <= 0:
                raise AnalysisError(f"evaluate: these equations hold where {why}; give the same pose by such angles")
        parameters = self.model.parameter_values()
        x = np.array([*(float(values[n]) for n in names), *(parameters[n] for n in self.kin.b.symbols)])
        return x, np.array([float(rates.get(n, 0.0)) for n in names])

    def function(self) -> Function:
        """The accelerations as a compiled function f(t, q, u); see symbolic/numbers/function.py."""
        from dalembert.symbolic.numbers.function import Function

        return Function(self)

    def simulate(self, until: float, **options: Any) -> Trajectory:
        """Integrate these equations; see symbolic/numbers/integrate.py."""
        from dalembert.symbolic.numbers.integrate import simulate

        return simulate(self, until, **options)

    def verify(self, model: Model | None = None, count: int = 20, seed: int = 0) -> Verification:
        """Compare with the compiled engine at random consistent states; see symbolic/numbers/verify.py."""
        from dalembert.symbolic.numbers.verify import verify

        return verify(self, self.model if model is None else model, count, seed)

    # --------------------------------------------------------------------------------------------------- reading

    def __str__(self) -> str:
        from dalembert.symbolic.text.notation import Text

        show = Text(self.story.spelled).show
        lines = [self.story.title]
        for e in self.equations:
            lines.append(f"  {show(e.lhs)} = {show(e.rhs)}" if sections.light(e.lhs, e.rhs) else "  … (long; see .text())")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.story.title}: {len(self.coordinates)} unknown accelerations, {len(self.terms.rows)} multipliers>"

    def _repr_latex_(self) -> str:
        from dalembert.symbolic.text.notation import Latex

        show = Latex(self.story.spelled).show
        body = " \\\\ ".join(f"{show(e.lhs)} &= {show(e.rhs)}" for e in self.equations if sections.light(e.lhs, e.rhs))
        return f"$\\displaystyle \\begin{{aligned}} {body} \\end{{aligned}}$"
