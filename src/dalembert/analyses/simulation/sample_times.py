"""When samples are taken: as asked for, or 200 over the time of the run."""

from __future__ import annotations

import math
import numbers

import numpy as np

from dalembert.errors import SimulationError

MOST_SAMPLES = 1e8
_COUNTS = np.arange(201.0)


def is_number(x) -> bool:
    """A finite real number, of Python or of NumPy."""
    return (type(x) is float or isinstance(x, numbers.Real)) and math.isfinite(x)


def _evenly(start: float, until: float) -> np.ndarray:
    """np.linspace of 201 times, in a fifth of its time."""
    step = (until - start) / 200
    if step == 0.0 or not math.isfinite(step):
        return np.linspace(start, until, 201)
    found = _COUNTS * step
    found += start
    found[-1] = until
    return found


def output_times(model, start, until, step, times):
    if times is not None:
        if step is not None:
            raise SimulationError("give step= or times=, not both")
        try:
            found = np.array(times, dtype=float)  # the caller's own may change later
        except (TypeError, ValueError):
            raise SimulationError(f"times must be a list of finite, increasing numbers, got {times!r}") from None
        if found.ndim != 1 or found.size == 0 or not (math.isfinite(found[0]) and math.isfinite(found[-1])
                                                      and (found[1:] > found[:-1]).all()):
            raise SimulationError("times must be a list of finite, increasing numbers")
        if until is not None and not is_number(until):
            raise SimulationError(f"simulate '{model.name}': until must be a number, or None with times=, got {until!r}")
        if until is not None and found[-1] > until * (1 + 1e-12) + 1e-300:
            raise SimulationError(f"times end at {found[-1]:g}, after until = {until:g}")
        if found[0] < start:
            raise SimulationError(f"times start at {found[0]:g}, before the start of the simulation at {start:g}")
        return found
    if until is None:
        raise SimulationError(f"simulate '{model.name}': say until when with until=, or give the samples' times with times=")
    if not is_number(until) or until <= start:
        raise SimulationError(f"simulate '{model.name}': until must be a time after the start {start:g}, got {until!r}")
    until = float(until)
    if step is None:
        return _evenly(start, until)
    if not (is_number(step) and step > 0):
        raise SimulationError(f"step must be a positive number, got {step!r}")
    step = float(step)
    if (until - start) / step > MOST_SAMPLES:
        raise SimulationError(f"step = {step:g} makes {(until - start) / step:.1e} samples up to {until:g}; ask for at most "
                              f"{MOST_SAMPLES:.0e} (the integrator chooses its own steps: step= is the distance of samples)")
    count = math.floor((until - start) / step + 1e-9)
    found = start + step * np.arange(count + 1)
    return found if found[-1] > until - 1e-9 * step else np.append(found, until)


def further(times, until) -> np.ndarray:
    """The times of a run that is carried on to ``until``, at the distance they had."""
    if not (is_number(until) and until > times[-1]):
        raise SimulationError(f"until must be a time after {times[-1]:g}, where the run was to end, got {until!r}")
    gap = times[-1] - times[-2] if times.size > 1 else until - times[-1]
    more = times[-1] + gap * np.arange(1, math.floor((until - times[-1]) / gap + 1e-9) + 1)
    return np.concatenate([times, more if more.size and more[-1] > until - 1e-9 * gap else np.append(more, until)])
