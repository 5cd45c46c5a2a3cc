"""What can go wrong, in two forms: exceptions for people, status codes for kernels.

    DalembertError                      catch this one to catch everything the package raises on purpose
    ├── ModelError (ValueError)         the description of the mechanism is wrong: names, numbers, topology
    │   └── ExpressionError             a formula string cannot be read or has no value
    ├── AssemblyError                   no configuration satisfies the constraints
    ├── AnalysisError                   an analysis could not be carried out
    │   └── SimulationError             a time integration stopped early
    │       └── SimulationInterrupted   … because of Ctrl-C (also a KeyboardInterrupt)
    └── FileError (ValueError)          a file cannot be read or written in the format asked for

Kernels raise nothing.  They return one of the integer codes below; ``ADVICE`` says in words what each one
means and what to do about it, and ``describe`` never fails, whatever the number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class DalembertError(Exception):
    """Root of all errors raised on purpose."""


class ModelError(DalembertError, ValueError):
    """The description of the mechanism is wrong."""


class ExpressionError(ModelError):
    """A formula cannot be read, or it has no finite value."""


class AssemblyError(DalembertError):
    """No configuration satisfies the constraints."""


class AnalysisError(DalembertError):
    """An analysis could not be carried out."""


class SimulationError(AnalysisError):
    """A time integration stopped before its end; ``run`` holds the part computed, if any."""

    run: Any = None


class SimulationInterrupted(SimulationError, KeyboardInterrupt):
    """A time integration was stopped by Ctrl-C; ``run`` holds the part computed."""


class FileError(DalembertError, ValueError):
    """A file cannot be read or written in the format asked for."""


OK = 0
SINGULAR = 1
NOT_CONVERGED = 2
NOT_FINITE = 3
STEP_TOO_SMALL = 4
TOO_MANY_STEPS = 5
STOPPED = 6
EVENT = 7
INCONSISTENT = 10
STIFF = 12
BUDGET = 13

NAMES: dict[int, str] = {
    OK: "ok",
    SINGULAR: "singular",
    NOT_CONVERGED: "not converged",
    NOT_FINITE: "not finite",
    STEP_TOO_SMALL: "step too small",
    TOO_MANY_STEPS: "too many steps",
    STOPPED: "stopped",
    EVENT: "event",
    INCONSISTENT: "inconsistent constraints",
    STIFF: "stiff",
    BUDGET: "budget used up",
}

ADVICE: dict[int, str] = {
    OK: "Everything went well.",
    SINGULAR: (
        "The equations are singular: the mechanism is in a dead point or toggle position, a "
        "mobile body has no mass, or constraints repeat each other. Move the start position or "
        "check masses and joints."
    ),
    NOT_CONVERGED: (
        "Newton's iteration did not converge: start closer to the solution, loosen the tolerance, "
        "or check that the lengths allow the mechanism to close."
    ),
    NOT_FINITE: (
        "A quantity became infinite or not a number: look for a division by zero, the root of a "
        "negative number, or a force that grows without bound."
    ),
    STEP_TOO_SMALL: (
        "The time step shrank to nothing: a force or motion law jumps, the mechanism reached a "
        "position it cannot pass, or the problem is stiff. Smooth the law or choose an implicit "
        "integrator."
    ),
    TOO_MANY_STEPS: (
        "The limit on the number of steps was reached: raise it, loosen the tolerance, or choose "
        "an implicit integrator if the problem is stiff."
    ),
    STOPPED: "The run was stopped on request; the results up to this moment are valid.",
    EVENT: "An event ended the run; the results up to this moment are valid.",
    INCONSISTENT: (
        "Constraints contradict each other: check lengths, joint positions, and motion laws on "
        "one joint."
    ),
    STIFF: "Stability, not accuracy, limits the time step: choose an implicit integrator.",
    BUDGET: "The steps allowed for this call are used up: call again to continue.",
}


def describe(status: int) -> str:
    """A status code in words: its name, then the advice."""
    if status not in NAMES:
        return f"status {status}: not a known status code."
    return f"{NAMES[status]}: {ADVICE[status]}"


def nearest(name: str, choices: Iterable[str]) -> str:
    """``"did you mean 'x'?"`` for the choice most like ``name``, or an empty string if none is close."""
    folded: dict[str, str] = {}
    for choice in choices:
        folded.setdefault(choice.casefold(), choice)
    import difflib

    match = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"did you mean {folded[match[0]]!r}?" if match else ""


def hint(name: str, choices: Iterable[str]) -> str:
    """``": did you mean 'x'?"`` to follow a clause, or nothing if no choice is close."""
    found = nearest(name, choices)
    return f": {found}" if found else ""
