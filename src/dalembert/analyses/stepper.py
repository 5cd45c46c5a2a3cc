"""stepper, steppers: a model that is stepped from a loop of one's own (analyses/stepping)."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.analyses.assembly.held import carried
from dalembert.analyses.dynamics import beginning, compile_together, method_named, watching
from dalembert.analyses.stepping.crowd import Steppers
from dalembert.analyses.stepping.single import Stepper
from dalembert.analyses.toolbox.forms import check_formulation
from dalembert.analyses.toolbox.stateless import refuse_friction
from dalembert.elements.element import OwnName
from dalembert.elements.signals.controller import names_of
from dalembert.elements.signals.readout import Readout
from dalembert.errors import AnalysisError, SimulationError
from dalembert.integrators.registry import SHORT
from dalembert.model.model import Model
from dalembert.results.motion import State


def stepper(model: Model, *, start: float | None = None, state: State | None = None, reads: str | Sequence[str] = (),
            sets: str | Sequence[str] = (), integrator: str = "auto", formulation: str = "auto", rtol: float = 1e-6,
            atol: float = 1e-9, fixed_step: float | None = None, max_step: float | None = None) -> Stepper:
    """A model that is stepped from outside: sim.inputs["motor"] = 2.0; sim.step(0.001); sim["arm"].angle.

    Parameters
    ----------
    model : Model
        The mechanism. Inputs are its signals that are numbers, and motors, forces and torques whose law is a number.
    start : number [s], optional
        When it begins; left out: 0, or the time of the state.
    state : State, optional
        Where it begins; left out: the assembled drawing.
    reads : names, default ()
        What ``sim.read()`` gives, names as in formulas; ``sim["name"]`` shows all that results show, less fast.
    sets : names, default ()
        The inputs that ``sim.write(u)`` sets at once, in this order; left out: all, in the order of ``sim.inputs``.
    integrator : text, default 'auto'
        "auto" begins with rk5 and goes on with radau where the motion is stiff; names as in ``simulate``.
    formulation : text, default 'auto'
        As in ``simulate``.
    rtol : number, default 1e-06
        Relative tolerance of the motion.
    atol : number, default 1e-09
        Absolute tolerance of the motion.
    fixed_step : number [s], optional
        Steps inside of this length, without step control.
    max_step : number [s], optional
        No step inside is longer.

    Returns
    -------
    Stepper
        ``step``, ``inputs``, ``write``, ``read``, ``snapshot``, ``restore``, ``reset``, ``parameters``, ``push``, ``run``.
    """
    model, options = _prepared(carried(model, state), names_of(reads), integrator, formulation, rtol, atol, fixed_step, max_step)
    return Stepper(model, options, beginning(model, start, state), state, names_of(reads), names_of(sets))


def steppers(model: Model, n: int, *, start: float | None = None, states: State | Sequence[State] | None = None,
             parameters: Mapping[str, Sequence[float] | np.ndarray] | None = None, reads: str | Sequence[str] = (),
             sets: str | Sequence[str] = (), integrator: str = "auto", formulation: str = "auto", rtol: float = 1e-6,
             atol: float = 1e-9, fixed_step: float | None = None, max_step: float | None = None,
             threads: int | None = None) -> Steppers:
    """Copies of a model, stepped in one compiled call: sims.inputs["motor"] = values; sims.step(0.001); sims["arm"].angle.

    Parameters
    ----------
    model : Model
        The mechanism.
    n : whole number
        How many copies.
    start : number [s], optional
        When they begin; left out: 0.
    states : State or list of them, optional
        Where they begin, one for all or one per copy; left out: the assembled drawing.
    parameters : dict of names to lists, optional
        Per parameter of the model one value per copy.
    reads : names, default ()
        What ``sims.read()`` gives, one row per copy.
    sets : names, default ()
        The inputs that ``sims.write(u)`` sets at once, one number each for all copies or one row per copy; left out: all.
    integrator : text, default 'auto'
        "auto" begins with rk5 and goes on with radau where the motion is stiff; names as in ``simulate``.
    formulation : text, default 'auto'
        As in ``simulate``.
    rtol : number, default 1e-06
        Relative tolerance of the motion.
    atol : number, default 1e-09
        Absolute tolerance of the motion.
    fixed_step : number [s], optional
        Steps inside of this length, without step control.
    max_step : number [s], optional
        No step inside is longer.
    threads : whole number, optional
        Left out: one per core; the bits do not depend on it.

    Returns
    -------
    Steppers
        Inputs take one number or one per copy, what is read has a row per copy, ``sims[3]`` is the stepper of one.
    """
    if not (isinstance(n, numbers.Integral) and not isinstance(n, bool) and n >= 1):
        raise SimulationError(f"steppers: n is how many copies are wanted, 1 or more, got {n!r:.60}")
    model, options = _prepared(model, names_of(reads), integrator, formulation, rtol, atol, fixed_step, max_step)
    return Steppers(model, int(n), options, beginning(model, start, None), states, parameters, names_of(reads),
                    names_of(sets), threads)


def _prepared(model, reads, integrator, formulation, rtol, atol, fixed_step, max_step) -> tuple[Model, dict[str, Any]]:
    """A copy of the model with what steps must know, and the options of the run."""
    if not isinstance(model, Model):
        raise AnalysisError(f"expected a Model, got {model!r:.60}")
    if any(e.kind == "contact" for e in model.contacts.values()):
        raise SimulationError(f"stepper of '{model.name}': contacts are stepped by simulate only; take them out of the model")
    refuse_friction(model, f"stepper of '{model.name}'", SimulationError)
    method = method_named(integrator, fixed_step)
    check_formulation(formulation, SimulationError)
    for name, value in (("rtol", rtol), ("atol", atol), ("fixed_step", 1.0 if fixed_step is None else fixed_step),
                        ("max_step", 1.0 if max_step is None else max_step)):
        if not (isinstance(value, numbers.Real) and 0.0 < float(value) < math.inf):
            raise SimulationError(f"{name} must be a positive number, got {value!r:.60}")
    compile_together(model.dim)
    model = watching(model.copy(), [])
    if reads:
        name = OwnName("reads of the stepper")
        model.elements[name] = Readout(name, reads)
    options = {"integrator": method, "rtol": float(rtol), "atol": float(atol), "max_steps": 2**62, "formulation": formulation,
               "fixed_step": None if fixed_step is None else float(fixed_step),
               "max_step": None if max_step is None else float(max_step)}
    if method == "auto":
        options["method"] = SHORT
    return model, options
