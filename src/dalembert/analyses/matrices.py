"""matrices: the numbers of the equations of motion in a state, with names on rows and columns.

    [ M    0    Φ_rᵀ ] [ r̈  ]   [ F ]         F = F^a + F^m
    [ 0    J̄    Π̄ᵀ  ] [ ω̄˙ ] = [ τ ]         τ = n̄^a + n̄^m − ω̃J̄ω̄
    [ Φ_r  Π̄   0    ] [ λ  ]   [ γ ]         Φ_r ṙ + Π̄ ω̄ = ν

a: applied forces (every force element, and the central forces of gears, which the bearings hold); m: forces per unit mass
(gravity, ``Field``).  r is the centre of mass in ground axes; ω̄, τ and the columns of Π̄ are in body axes, moments about the
centre of mass; in the plane ω̄ is θ̇ and J̄ one number per body.  Q_e = (F, τ), Q_c = −C_qᵀλ with C_q = [Φ_r Π̄]:
M q̈ = Q_e + Q_c.  A particle has r alone: no row or column for its turn.  Layouts: blocks/layouts.py; partition:
blocks/partition.py; Lagrange's theorem: blocks/theorem.py.
"""

from __future__ import annotations

from dalembert.analyses.accelerations import accelerations
from dalembert.analyses.blocks import layouts
from dalembert.analyses.blocks.equations import Matrices
from dalembert.analyses.toolbox.stateless import refuse_friction
from dalembert.elements.given import Names
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import State

ROOM = 4000  # unknowns up to which full matrices are made


def matrices(model: Model, state: State | None = None, layout: str = "course", *, t: float = 0.0,
             independent: Names | None = None) -> Matrices:
    """The equations of motion in numbers in a state, with named rows and columns.

    Parameters
    ----------
    model : Model
        The mechanism.
    state : State, optional
        Where; left out: assembled at time t.
    layout : str, default "course"
        "course" is r | ω̄ | λ (6 nb + nc; in the plane r | θ | λ, 3 nb + nc), "body" is (r, ω̄) body by body, "plane" is
        (x, y, θ) body by body, for models of the plane (for which "body" is the same).
    t : number [s], default 0.0
        Time of the drawing that is assembled.
    independent : names, optional
        Coordinates of the partition, as "crank.angle"; left out: chosen.

    Returns
    -------
    Matrices
        M, D, Q, γ, the whole system K x = rhs with its solution; printed they have names.
    """
    refuse_friction(model, f"matrices of '{getattr(model, 'name', model)}'")
    solved = accelerations(model, state, t)
    found = layouts.layout(model, solved.system, layout)
    unknowns = solved.system.freedoms + solved.system.nc
    if unknowns > ROOM:
        raise AnalysisError(f"matrices of '{model.name}': {unknowns} unknowns are too many for full matrices (up to {ROOM}); "
                            "look at a part of the mechanism, or at accelerations() for the numbers")
    out = Matrices(solved, found, independent)
    if independent is not None:
        out.B  # noqa: B018  a wish that cannot be met is told at once
    return out
