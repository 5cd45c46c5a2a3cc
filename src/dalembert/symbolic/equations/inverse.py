"""Inverse dynamics as a linear system: A x = b, x the joint forces and the loads that are unknown, b from the motion.

    Cᵀ F + Q_u u = M v̇ + h − Q_known               A = [Cᵀ  Q_u],  x = {F; u},  b = M v̇ + h − Q_known

from the bodies by themselves: forces of all bodies first, then moments, as the lecture writes it; accelerations stay symbols.
As many equations as unknowns are needed: with c independent constraints on n coordinates that is n − c loads (drives count as
constraints: what they supply is among F already).  A is solved as one does by hand, the equation with the fewest unknowns first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from dalembert.algebra.null_space import rank, unit_rows
from dalembert.errors import AnalysisError, hint
from dalembert.symbolic.equations.embedding import Loops
from dalembert.symbolic.equations.free_bodies import sorted_columns
from dalembert.symbolic.equations.loads import replaced
from dalembert.symbolic.equations.reactions import in_turn
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.numbers.formulas import Formulas
from dalembert.symbolic.numbers.states import random_states
from dalembert.symbolic.simplify import begin, tidy
from dalembert.symbolic.text import sections
from dalembert.symbolic.text.steps import Narrated, Story


class Inverse(Narrated):
    """A x = b and its solution; ``rows`` names the equations."""

    def __init__(self, A, x, b, rows, solution, story):
        self.A, self.x, self.b, self.rows, self.solution, self.story = A, x, b, rows, solution, story

    @property
    def formulas(self) -> list[sp.Eq]:
        """x one by one."""
        return [sp.Eq(s, self.solution[s], evaluate=False) for s in self.x]

    def __getitem__(self, name: str) -> Any:
        """The formula of one unknown, by its symbol's name ("F_x^12") or the parameter's."""
        for s in self.x:
            if s.name == name:
                return self.solution[s]
        known = [s.name for s in self.x]
        raise AnalysisError(f"inverse: '{name}' is no unknown{hint(name, known)} (unknowns: {', '.join(known)})")

    def __repr__(self) -> str:
        return f"<{self.story.title}: {self.A.rows} equations for {', '.join(s.name for s in self.x)}>"


def inverse(eqs, unknown) -> Inverse:
    begin()
    terms = eqs.free or eqs.terms
    kin = terms.kin
    if terms.B is not None:
        raise AnalysisError("inverse: these equations are embedded, their reactions are gone: derive with method='newton-euler', "
                            "or take eqs.with_all_coordinates().inverse(...)")
    story = Story(f"Inverse dynamics of '{eqs.model.name}'", dict(eqs.story.shown), spelling=eqs.story.spelling)
    forces, sign = _forces(eqs, terms, story)
    names = [unknown] if isinstance(unknown, str) else list(unknown or ())
    applied, loads = _unknown_loads(eqs, terms, story, names)
    order = sorted_columns(kin) if eqs.free is not None else list(range(kin.n))
    _count(eqs, terms, kin.n, len(forces), loads, names)
    A = sp.Matrix(kin.n, len(forces) + len(loads), lambda i, j: _entry(terms, applied, forces, loads, sign, order[i], j))
    still = dict.fromkeys(loads, ZERO)
    a = [c.a for c in kin.coordinates]
    b = sp.Matrix([
        sum((m * x for m, x in zip(terms.M[k], a, strict=True)), ZERO) + terms.inertia[k] - applied[k].xreplace(still)
        for k in order
    ])
    x = [*forces, *loads]
    N = _in_numbers(eqs, terms, A)
    if rank(unit_rows(N)[0]) < kin.n:
        raise AnalysisError(
            f"inverse: the equations of '{eqs.model.name}' do not determine {', '.join(s.name for s in x)}: near the drawing A "
            "is singular. Either constraints are redundant (da.check says which), or an unknown load does no work in the free "
            "motion: name another one"
        )
    system = Loops([list(A.row(i)) for i in range(kin.n)], N, list(range(kin.n)), [[y] for y in b])
    system.run()
    solution = {s: system.solved[k][0] for k, s in enumerate(x)}
    rows = [kin.coordinates[k].name for k in order]
    _tell(story, A, x, b, solution)
    return Inverse(A, sp.Matrix(x), b, rows, solution, story)


def _forces(eqs, terms, story):
    """Symbols of the reactions as they stand in these equations, and their sign in Cᵀ."""
    if eqs.free is None:
        return eqs.signed_multipliers
    like = type(eqs)(eqs.model, eqs.method, terms, story, reactions=eqs.reactions)
    return like.signed_multipliers


def _entry(terms, applied, forces, loads, sign, k, j):
    if j < len(forces):
        return -sign * terms.rows[j].grad.get(k, ZERO)
    return tidy(applied[k].diff(loads[j - len(forces)]))


def _unknown_loads(eqs, terms, story, names):
    """Generalised forces with symbols for what is unknown, and these symbols."""
    kin = terms.kin
    applied, found = list(terms.applied), []
    for name in names:
        if name in kin.b.symbols:
            found.append(kin.b.symbols[name])
        elif name in eqs.model.elements:
            old, new, symbols = replaced(kin, eqs.model.elements[name], story)
            for k in range(kin.n):
                applied[k] = tidy(applied[k] - old.Q.get(k, ZERO) + new.Q.get(k, ZERO))
            found += symbols
        else:
            known = candidates(terms)
            raise AnalysisError(f"inverse: there is no parameter or load '{name}'{hint(name, known)} (unknown can be "
                                f"{', '.join(known) or 'a force or torque with a parameter: add one to the model'})")
    _linear(terms, applied, found)
    return applied, found


def _linear(terms, applied, loads):
    for s in loads:
        rows = any(r.gamma.has(s) or any(g.has(s) for g in r.grad.values()) for r in terms.rows)
        if rows or any(x.has(s) for row in terms.M for x in row):
            raise AnalysisError(f"inverse: parameter '{s.name}' is in the masses or the geometry, it is no load: name a force or "
                                f"a torque ({', '.join(candidates(terms)) or 'there is none'})")
        if any(tidy(x.diff(s)).has(s) for x in applied):
            raise AnalysisError(f"inverse: the loads are not linear in '{s.name}', so A x = b cannot have it among x")


def candidates(terms) -> list[str]:
    """Parameters that are loads: in the active forces, linear, and nowhere else."""
    kin = terms.kin
    gravity = set().union(*(sp.sympify(x).free_symbols for x in kin.b.gravity)) if len(kin.b.gravity) else set()
    inertia = set().union(*(x.free_symbols for row in terms.M for x in row))
    rows = set().union(*(g.free_symbols for r in terms.rows for g in r.grad.values())) if terms.rows else set()
    short = set().union(*(e.free_symbols for e in kin.abbreviations.values())) if kin.abbreviations else set()
    loads = set().union(*(x.free_symbols for x in terms.applied))
    return [n for n, s in kin.b.symbols.items() if s in loads - gravity - inertia - rows - short]


def _count(eqs, terms, n, forces, loads, names):
    need = n - forces
    if need == len(loads):
        return
    known = candidates(terms)
    raise AnalysisError(
        f"inverse: {n} equations with {forces} reactions determine {need} load{'s' if need != 1 else ''}, but unknown= names "
        f"{len(loads)} ({', '.join(names) or 'none'}). Name exactly {need}, of "
        f"{', '.join(known) or 'its forces and torques (add one to the model if it has none)'}"
        + ("; constraints are redundant, see da.check" if need < 0 else "")
    )


def _in_numbers(eqs, terms, A) -> np.ndarray:
    state = random_states(eqs.model, 1, seed=5)[0]
    return Formulas(terms, list(A), [sp.Dummy() for _ in terms.rows])(state).reshape(A.shape)


def _tell(story, A, x, b, solution):
    part = story.section("A x = b")
    part.say("Forces, then moments, of all bodies; x holds joint forces and unknown loads, b the motion and the known loads.")
    for letter, value in (("A", A), ("x", sp.Matrix(x)), ("b", b)):
        part.show(story.symbol(letter), value)
    part = story.section("Solved one after the other")
    for s, e in in_turn([list(A.row(i)) for i in range(A.rows)], list(b), x, solution):
        if sections.light(e):
            part.show(s, e)
