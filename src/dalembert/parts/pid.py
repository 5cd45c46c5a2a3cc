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
from dalembert.parts.terms import POSITIVE, own, plain, term


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
    p, i, d = (term(x, f"{what} of pid '{name}'") for x, what in ((kp, "kp"), (ki, "ki"), (kd, "kd")))
    tau = term(filter, f"filter of pid '{name}'", POSITIVE)
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
    low, high = _limits(name, limits)
    if integral:
        time = _tracking(name, kp, ki, tau) if tracking is None else term(tracking, f"tracking of pid '{name}'", POSITIVE)
        parts.append(Differential(f"{name}_integral", f"{i}*{e} + ({name} - {raw})/{time}", start=start))
    return [*parts, Signal(raw, formula), Signal(name, f"min(max({raw}, {low}), {high})")]


def _limits(name: str, limits) -> tuple[str, str]:
    """Lowest and highest, in this order."""
    what = f"limits of pid '{name}'"
    if not isinstance(limits, (tuple, list)) or len(limits) != 2:
        raise ModelError(f"{what} are two numbers, the lowest output and the highest, got {limits!r:.60}")
    low, high = (plain(x, what) for x in limits)
    if low is not None and high is not None and not low < high:
        raise ModelError(f"{what} are the lowest output, then the highest, got {tuple(limits)!r}")
    return term(limits[0], what), term(limits[1], what)


def _tracking(name: str, kp: Number, ki: Number, tau: str) -> str:
    """kp/ki, where that is a time."""
    p, i = plain(kp, f"kp of pid '{name}'"), plain(ki, f"ki of pid '{name}'")
    if p is not None and i is not None and p * i < 0.0:
        raise ModelError(f"pid '{name}': kp and ki have different signs, so that kp/ki is no time in which the integral "
                         "is drawn back: give tracking= (s)")
    return f"({term(kp, 'kp')}/{term(ki, 'ki')})" if kp != 0 else tau
