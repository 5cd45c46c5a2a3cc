"""PID controller with a filtered derivative, limits, and an integral that does not wind up.

    raw = kp e + I + kd ḟ,      ḟ = (e − f)/τ,      u = raw cut to the limits
    İ = ki e + (u − raw)/T      back-calculation: at the limits the integral is drawn back within the time T

Source: K. J. Åström, R. M. Murray, Feedback Systems, 2nd ed., Princeton 2021, section 11.4 (windup and anti-windup).
"""

from __future__ import annotations

from typing import Any

from dalembert.elements.given import Number
from dalembert.elements.signals.differential import Differential
from dalembert.elements.signals.signal import Signal
from dalembert.errors import ModelError
from dalembert.parts.terms import own, term


def pid(name: str, error: str, *, kp: Number, ki: Number = 0.0, kd: Number = 0.0, filter: Number = 0.01,
        limits: tuple[Number, Number] | None = None, tracking: Number | None = None, start: Number = 0.0,
        error_start: Number = 0.0) -> list[Any]:
    """A controller whose output is the signal ``name``: a law of a motor reads it.

    ``error``: formula of what shall vanish ("target - pin.angle").  ``kp``, ``ki``, ``kd``: gains; ``filter``: time constant of
    the derivative (s).  ``limits``: lowest and highest output; ``tracking``: the time (s) in which the integral is drawn back
    while the output is at a limit (default: kp/ki, or the filter's without kp).  Besides there are ``name_error``,
    ``name_integral`` (the integral part of the output), ``name_filter``, ``name_raw`` (before the limits).
    ``start``: the integral part at the start; ``error_start``: where the derivative's filter starts.  Left out it is 0, as if the
    error jumped at the start: the output begins with kd·error/filter on top, and at the limits the integral is drawn back by it.
    Give the error at the start for a controller that was there before.
    """
    own(name, "pid")
    if not isinstance(error, str):
        raise ModelError(f"pid '{name}': error is a formula such as \"target - pin.angle\", got {error!r:.60}")
    p, i, d, tau = (term(x, f"{what} of pid '{name}'") for x, what in ((kp, "kp"), (ki, "ki"), (kd, "kd"), (filter, "filter")))
    integral, differential = ki != 0, kd != 0
    e, raw = f"{name}_error", f"{name}_raw"
    parts: list[Any] = [Signal(e, error)]
    formula = f"{p}*{e}"
    if differential:
        parts.append(Differential(f"{name}_filter", f"({e} - {name}_filter)/{tau}", start=error_start))
        formula += f" + {d}*{name}_filter.rate"
    if integral:
        formula += f" + {name}_integral"
    if limits is None:
        if integral:
            parts.append(Differential(f"{name}_integral", f"{i}*{e}", start=start))
        return [*parts, Signal(name, formula)]
    low, high = (term(x, f"limits of pid '{name}'") for x in limits)
    if integral:
        time = term(tracking, f"tracking of pid '{name}'") if tracking is not None else f"({p}/{i})" if kp != 0 else tau
        parts.append(Differential(f"{name}_integral", f"{i}*{e} + ({name} - {raw})/{time}", start=start))
    return [*parts, Signal(raw, formula), Signal(name, f"min(max({raw}, {low}), {high})")]
