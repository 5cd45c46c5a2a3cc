"""One configuration of a driven mechanism: q, v and v̇ from the constraints alone (no forces, no masses in the answer).

    Φ(q, t) = 0          by Newton's method with the analytic D, from the prediction in q
    D v = ν              from the prediction in v
    D v̇ = γ(q, v, t)     from the prediction in predicted

Corrections are the shortest in the metric M (equations/projection.py): when D is square and regular they are Newton's, and
the predictions do not matter.  In a singular pose the rows that are left do not fix the motion; what they leave open is then
taken from the predictions, which come from the motion so far: the branch is kept.

``reconfigure`` first takes one step with the factors of the configuration before (a chord), which next to it leaves nothing to
do for Newton's method but to see that nothing is left.

``inverse``: with v̇ known, the multipliers from  Dᵀ λ = Q − M v̇,  that is  S λ = D (M⁻¹ Q − v̇)  with S = D M⁻¹ Dᵀ.
"""

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import displace, kinematics
from dalembert.elements.measures.table import evaluate_all, track
from dalembert.elements.signals.readings import changes
from dalembert.equations import feedback
from dalembert.equations.constraints import constraints
from dalembert.equations.dependence import decide
from dalembert.equations.energy import energy, powers
from dalembert.equations.forces import forces
from dalembert.equations.projection import correction, project
from dalembert.equations.reactions import reactions
from dalembert.equations.saddle import assemble, by_factors, factor, multiply, spread


@kernel
def configure(s, w):
    """q, v, v̇ at time t.  Status 0, 2 not converged, 3 not finite."""
    status = project(s, w)
    if status != 0:
        return status
    constraints(s, w)  # γ with the velocities just found
    for k in range(w.vdot.size):
        w.vdot[k] = w.predicted[k]
    for _ in range(2):  # the second time mends the rounding of the first
        multiply(s, w, w.vdot, w.mu)
        for k in range(w.mu.size):
            w.mu[k] -= w.gamma[k]
        by_factors(s, w, w.wide, w.mu)
        spread(s, w, w.mu, w.vdot)
    return 0


@kernel
def reconfigure(s, w):
    """As configure, next to the configuration whose factors are at hand; poses are those of q already (``move``)."""
    constraints(s, w)
    correction(s, w)
    displace(s, w, w.step, 1.0)
    return configure(s, w)


@kernel
def inverse(s, w):
    """λ and all that follows, at (t, q, v) with v̇ given in vdot; missing tells what the equations of motion miss."""
    kinematics(s, w)
    track(s, w)
    constraints(s, w)
    assemble(s, w)
    factor(s, w)
    decide(s, w)
    status = 0
    if s.felt.size == 0:
        forces(s, w)
        feedback.multipliers(s, w)
    else:
        status = feedback.solve(s, w, 0.0, True)
    changes(s, w)
    multiply(s, w, w.vdot, w.residual)
    for k in range(w.residual.size):
        w.residual[k] -= w.gamma[k]
    powers(s, w)
    evaluate_all(s, w)
    energy(s, w)
    reactions(s, w)
    return status
