"""verify=True: the same run once more at a finer tolerance; their difference is the error of the first.

Errors of tolerance-controlled runs follow the tolerance of the steps, not only the order of the method: with steps as asked for
and steps f times as exact (``finer`` of the method's record),

    x − x* ≈ C τ^p,   x̂ − x* ≈ C (τ/f)^p   →   x − x* ≈ (x − x̂) / (1 − r),   r = f^(−p)

with p = 1 for explicit methods and Radau (local extrapolation, error per step), 2/3 for α: its step follows τ^(1/3), its error
the square of the step.  The finer run takes f^(1/order) times the steps, and begins with half the first one: it is not
always the tolerance that sets the first steps, and two runs with the same steps make the same errors.  With ``fixed_step`` it
takes steps SHORTER times as short, and r = SHORTER^(−order).

The run that is asked for is the one returned, with the bits it has without ``verify``: an estimate of the finer run would need a
third one.  The finer run is of the same form of the equations and the same method (``auto`` may switch at another time).  It has
no checkpoint: a run that is resumed is not verified any more, and says so.
"""

from __future__ import annotations

from dalembert.analyses.simulation.integration import Integration, aimed
from dalembert.errors import SimulationError, SimulationInterrupted
from dalembert.integrators.registry import record
from dalembert.results.run import Run

SHORTER = 1.5
UNVERIFIED = "resumed: its errors are not estimated; simulate it in one piece with verify=True"


def verified(job: Integration, state, progress=None, file=None) -> Run:
    """The run of ``job``, started from ``state``, with a finer one behind it."""
    try:
        run = job.run(progress, file)
    except SimulationInterrupted:
        raise
    except SimulationError as error:
        if isinstance(error.run, Run) and len(error.run.t):
            error.run._finer = _again(job, state, progress, error.run)
        raise
    run._finer = _again(job, state, progress, run)
    return run


def _again(job: Integration, state, progress, run: Run) -> Run:
    """The finer run, up to where the first one came."""
    o = job.options
    options = {k: v for k, v in o.items() if k not in ("method", "switched", "seconds")}
    r, options = _finer(options)
    times = job.times if run.status == "complete" else run._t
    options["formulation"] = job.first_form
    second = Integration(job.model, job.system, times, {**options, "times": [float(t) for t in times]}, job.watched, job.ending)
    try:
        second.start(state)
        found = second.run(progress)
    except SimulationInterrupted as error:
        raised = SimulationInterrupted("the run is complete and in the exception's .run; the finer one that was to verify it was "
                                       "interrupted")
        raised.run = run
        raise raised from error
    except SimulationError as error:
        if not isinstance(error.run, Run) or not len(error.run.t):
            raise
        found = error.run
    found.stats |= {"estimate": 1.0 / (1.0 - r), "aim": aimed(job.method, o["rtol"]) if o["fixed_step"] is None else 0.0}
    return found


def _finer(options: dict) -> tuple[float, dict]:
    """What the finer run's error is of the first one's, and its options."""
    method = record(options["integrator"])
    options = {**options, "max_steps": 10 * options["max_steps"]}
    if options["fixed_step"] is not None:
        return SHORTER ** -method.order, {**options, "fixed_step": options["fixed_step"] / SHORTER}
    out = {**options, "finer": method.finer}
    if options.get("max_step"):
        out["max_step"] = options["max_step"] / SHORTER
    return method.finer ** -method.exponent, out
