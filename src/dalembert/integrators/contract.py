"""The contract of an integration method: what it is told, what it must do, and the record that says so.

A method is one file in methods/ that ends with its record, ``METHOD = Method(…)``, and one line in registry.py.  Everything else
(names, lists, refusals, tolerances, verification, checkpoints, the docs' table) is read off the record, and the contract tests
(tests/integrators/test_contract.py) hold every record against the measured method.

An explicit Runge-Kutta method is coefficients only: ``explicit_method`` (explicit.py) makes its record.  Any other method brings
an entry ``attempt`` that tries one step.  Its rules:

 1. It takes a step from (T, x) of State with the size H: ``ahead`` (loop.py) says where it ends, and when H is too small.
    No step goes past work.step[HORIZON].
 2. It asks for f by writing p.t and p.y, ``call(p.handle[RHS])``, reading p.ydot; it counts CALLS.  A status other than 0, or a
    number that is not finite, makes the attempt fail: ``shrink`` repeats it with a smaller step (with FIXED: return the status).
 3. It leaves nothing behind in State unless the step is accepted, apart from counts, H and what rules 6 and 7 allow.
 4. The end of a step is closed by ``close_step``: projected, with its derivative in row STAGES of State.k, which ``commit`` makes
    row 0: the derivative at (T, x) that the next step begins with.
 5. An accepted step puts its end into work.y_new, (t0, t1, h) into work.step, lays down its interpolant when DENSE of its table
    is −1 (else that through both ends and both slopes is made for it), and calls ``hand_over``: events, outputs, breaks.  What
    comes back is EVENT (the step ends earlier: forget what belongs to its old end) or a failure for ``refuse``; then ``commit``.
 6. What it must remember from step to step lives in State alone: rows of k (``kept`` of them), H_OLD, H_FACTORED, T_TANGENT,
    counts; and what is as long as something of the equations in ``beside`` of Linear or Second, which goes with State.  A run
    that goes on from a saved State gives the same bits; ``begin`` makes anew what State only describes (factors).
 7. H_OLD < 0 tells that a break of a law was crossed, EVENT that a law may change: nothing from before may be used then.
 8. Without FIXED it measures its error against weight, cap, atol and rtol (control.py) and sets H, at most H_MAX; with FIXED it
    takes steps as they are.  A method without ``error_control`` runs with FIXED only.
 9. The last ``task.option[RIDING]`` components of y are sums that ride along: f does not depend on them, and Newton's method need
    not know them.  They are integrated to the order ``sums`` of the record.  How many there are is the business of the problem.
10. It knows nothing of mechanics.  What it needs of the equations beyond f is named by ``needs`` and handed in as ``Linear`` or
    ``Second``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from dalembert.records import record

from .._jit import Bound
from .layout import Tableau


@record
class Linear:
    """Linear solves (c I − J) x = r of the owner of the equations, for implicit methods.

    ``a``, ``b``: right-hand side and answer, real and imaginary part.  ``coefficient``: c, then the two parts of a complex c.
    ``entries``: differentiate, factor_real, factor_complex, solve_real, solve_complex.  ``choice``: what the equations remember
    from step to step and a tangent depends on, in place; ``then``: the same where the tangent in use was taken (tangents.py).
    """

    a: np.ndarray
    b: np.ndarray
    coefficient: np.ndarray
    entries: tuple[Bound, ...]
    choice: np.ndarray
    then: np.ndarray

    @property
    def beside(self) -> dict[str, np.ndarray]:
        """What goes with the State of the method."""
        return {"then": self.then}


@record
class Second:
    """Second-order equations with multipliers: y = (q, v, sums that ride along).

    Arrays as in methods/alpha.py; ``entries``: differentiate, factor_second, correct_second, move, rates.  ``multipliers``:
    those at the beginning of the step; the first is nan where they are not known.  ``choice``, ``then``: as of Linear.
    """

    q: np.ndarray
    v: np.ndarray
    qdot: np.ndarray
    vdot: np.ndarray
    shift: np.ndarray  # the displacement that move takes
    lam: np.ndarray
    states: np.ndarray  # places in q of components with rates of their own: first-order equations beside the others
    a: np.ndarray
    x: np.ndarray
    coefficient: np.ndarray
    entries: tuple[Bound, ...]
    multipliers: np.ndarray
    choice: np.ndarray
    then: np.ndarray

    @property
    def beside(self) -> dict[str, np.ndarray]:
        """What goes with the State of the method."""
        return {"then": self.then, "multipliers": self.multipliers}


class Parted:
    """Steps of explicit methods in two parts (parts.py)."""

    beside: ClassVar[dict[str, np.ndarray]] = {}

    def attempt(self, *structs) -> Bound | None:
        """The entry that tries one step; none where steps are taken in one part."""
        raise NotImplementedError


NEEDS: dict[str, type | None] = {"": None, "linear": Linear, "second": Second}


@record(eq=False)
class Method:
    """A method as everybody else sees it."""

    name: str  # in files, statistics and stored runs: never changed
    names: tuple[str, ...]  # as users write it; the first is the one shown
    order: int
    dense: int  # order of its output between the steps
    text: str
    tableau: Callable[[], Tableau]  # what the shared loop reads of it
    rows: int  # of State.k
    kept: int  # of these, rows that outlive a step
    terms: int  # of the interpolant
    bind: Callable[..., tuple[Bound, Bound | None]]  # (deliver, shared, tableau, state, task, work, needed) → attempt, begin
    needs: str = ""  # "": f alone; "linear": Linear; "second": Second
    aim: float = 1.0  # tolerance of single steps over rtol that keeps the error of a whole run near rtol
    sums: int = 0  # order of the sums that ride along; 0: that of the method
    error_control: bool = True  # chooses its steps
    fixed_step: bool = True  # may be run without choosing
    finer: float = 10.0  # verification: how much finer the second run is
    exponent: float = 1.0  # the error of a run follows this power of the tolerance
    eased: bool = False  # steps right after a break of a law begin short (analyses)

    @property
    def implicit(self) -> bool:
        return self.needs != ""

    def accepts(self, needed) -> None:
        """Refuse what does not fit ``needs``."""
        wanted = NEEDS[self.needs]
        if wanted is not None and not isinstance(needed, wanted):
            raise ValueError(f"method {self.name!r} is implicit: it needs linear={wanted.__name__}(…), got "
                             f"{'none' if needed is None else type(needed).__name__}")


def plain_tableau(dense: int, order: int) -> Tableau:
    """What the shared loop reads of a method without a tableau: one stage, its dense output, the order of its error."""
    return Tableau(np.array([1, 0, 0, dense, order, 1], np.int64), np.zeros(3), np.zeros(1), np.zeros(1, np.int64),
                   np.zeros(1), np.zeros(1, np.int64))


def handles(entries: tuple[Bound, ...]) -> np.ndarray:
    return np.array([e.handle for e in entries], np.int64)
