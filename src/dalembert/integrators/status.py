"""What ended a run, and what to do about it; the codes are those of errors.py."""

from dalembert.errors import (
    BUDGET,
    EVENT,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    SINGULAR,
    STEP_TOO_SMALL,
    STIFF,
    STOPPED,
    TOO_MANY_STEPS,
)

CHATTER = 91  # laws switch with the state without end
KINK = 90  # inside the loop only: repeat the step, up to a kink of a law

__all__ = ["BUDGET", "CHATTER", "EVENT", "KINK", "NOT_CONVERGED", "NOT_FINITE", "OK", "SINGULAR", "STEP_TOO_SMALL", "STIFF",
           "STOPPED", "TOO_MANY_STEPS", "message"]

MESSAGES = {
    OK: "The end time was reached.",
    SINGULAR: "The equations became singular here, and smaller steps did not get past it.",
    NOT_CONVERGED: "An iteration in the equations or the projection did not converge, even with small steps.",
    NOT_FINITE: "The right-hand side gave values that are not finite. Look at the laws near this time.",
    STEP_TOO_SMALL: "The step size fell to the resolution of time: a singularity, a discontinuity, or a "
                    "tolerance below rounding error. Loosen rtol and atol, or end the run before this time.",
    TOO_MANY_STEPS: "The limit on steps was reached. Raise max_steps, or loosen rtol and atol.",
    STOPPED: "Stopped on request; the results up to here are kept and the run can be resumed.",
    EVENT: "A terminal event occurred.",
    CHATTER: "A law that switches with the state switches without end.",
    STIFF: "The problem is stiff: stability, not accuracy, limits the step. Use an implicit method.",
    BUDGET: "The step budget of this call is used up; call again to continue.",
}


def message(status: int) -> str:
    """The status in words."""
    return MESSAGES.get(status, f"The right-hand side stopped the run with status {status}.")
