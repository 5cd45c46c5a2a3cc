"""What was kept of a run (a checkpoint, a saved result) must make sense before the integrator goes on with it.

    check(options, arrays)         kinds, ranges, finite numbers, times that increase
    fits(arrays, form, …)          sizes are those of this model in this form, and the states satisfy its constraints

A digest finds damage; it does not find a file made on purpose.  Compiled loops believe their arrays, so everything they read of
these is looked at here.  Complaints are SimulationErrors (which the reader of a file turns into FileErrors).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from dalembert.equations.workspace import workspace
from dalembert.errors import SimulationError
from dalembert.formulations.contract import FORMS
from dalembert.integrators.registry import AUTO, record, records

COUNTS, REALS, BEFORE = (18, 19), (7, 9), 8  # of the integrator's state, in files of before and now
ROWS = 200  # states compared with the constraints
OFF = 1e-5  # of the size of the mechanism, by which a state may miss its constraints
LENGTH = 0.1  # by which the square of a quaternion's length may miss one: coarse steps let it drift, and no pose depends on it
_ARRAYS = {"t": ("f", 1), "y": ("f", 2), "event_t": ("f", 1), "event_index": ("i", 1), "before": ("i", 1)}
_MEMORY = "memory_"  # of the equations: names and sizes are the form's
LATER = ("quality",)  # not in files of before
_STATE = {"state_real": ("f", 1), "state_count": ("i", 1), "state_x": ("f", 1), "state_k": ("f", 1), "state_g": ("f", 1)}
_BESIDE = ("state_then", "state_multipliers")  # of implicit methods; not in files of before
_NONE = np.zeros(0)


class Odd(SimulationError, ValueError):
    """What was kept of a run makes no sense."""


@contextlib.contextmanager
def told(model: Any) -> Iterator[None]:
    """Who goes on with a run is told of which model, and what to do."""
    try:
        yield
    except Odd as error:
        raise SimulationError(f"'{model.name}' cannot go on from what was kept of its run: {error}. Bring the model as it was "
                              "when the run was made, or simulate anew") from None


def _number(x: Any, least: float, most: float = 1e300) -> bool:
    if isinstance(x, bool) or not (isinstance(x, float) or (isinstance(x, int) and abs(x) < 2**53)):
        return False
    return math.isfinite(x) and least <= x <= most


def _whole(x: Any, least: int, most: int = 2**62) -> bool:
    return isinstance(x, int) and not isinstance(x, bool) and least <= x <= most


def _words(x: Any) -> bool:
    return isinstance(x, list) and all(isinstance(w, str) for w in x)


def _one_of(x: Any, names: Iterable[str]) -> bool:
    return isinstance(x, str) and x in names  # what a file says may be a list, which no table takes


def check(options: Any, arrays: Any) -> None:
    """Kinds and ranges."""
    if not isinstance(options, dict) or not isinstance(arrays, dict):
        raise Odd("options or arrays are missing")
    if "contact" in options:
        return stepped(options, arrays)
    if "followed" in options:
        return followed(options, arrays)
    o, tiny = options, 1e-300
    fine = {
        "integrator": _one_of(o.get("integrator"), ("auto", *records())),
        "rtol": _number(o.get("rtol"), tiny), "atol": _number(o.get("atol"), tiny),
        "max_steps": _whole(o.get("max_steps"), 1), "model": isinstance(o.get("model"), str),
        "fixed_step": "fixed_step" in o and (o["fixed_step"] is None or _number(o["fixed_step"], tiny)),
        "watched": _words(o.get("watched")), "energy": _number(o.get("energy"), tiny),
        "dependent": _whole(o.get("dependent"), 0, 2**31),
        "formulation": _one_of(o.get("formulation", "augmented"), FORMS),
        "cut": _words(list(o.get("cut") or ()) if isinstance(o.get("cut", ()), (list, tuple, type(None))) else 0),
        "independent": _words(list(o.get("independent") or ()) if isinstance(o.get("independent", ()), (list, tuple, type(None)))
                              else 0),
        "seconds": _number(o.get("seconds", 0.0), 0.0),
        "switched": o.get("switched") is None or _number(o["switched"], -1e300),
        "start": "start" not in o or _number(o["start"], -1e300), "finer": "finer" not in o or _number(o["finer"], tiny),
        "max_step": o.get("max_step") is None or _number(o["max_step"], 0.0),
        "notes": "notes" not in o or _words(o["notes"]), "doubts": "doubts" not in o or _words(o["doubts"]),
        "times": isinstance(o.get("times"), list) and len(o["times"]) > 0 and all(_number(t, -1e300) for t in o["times"]),
    }
    wrong = [name for name, good in fine.items() if not good]
    if wrong:
        raise Odd(f"{', '.join(wrong)}: not what a run keeps")
    if not _whole(o.get("ending"), 0, len(o["watched"])) or np.any(np.diff(np.array(o["times"], float)) <= 0):
        raise Odd("ending or times: not what a run keeps")
    method = o.get("method") or record(o["integrator"]).name
    if method != o["integrator"] and (o["integrator"] != "auto" or method not in AUTO):
        raise Odd(f"method {method!s:.20}: not one of integrator {o['integrator']}")
    if record(method).implicit and o.get("formulation", "augmented") != "augmented":
        raise Odd("an implicit method with another form than the augmented one")
    _check_arrays(arrays, o)


def stepped(o: dict[str, Any], arrays: dict[str, Any]) -> None:
    """The same of a run with contacts."""
    contact = o.get("contact")
    fine = {"contact": isinstance(contact, dict) and all(isinstance(k, str) and _number(x, 0.0, 1e9) for k, x in contact.items())
            and _number(contact.get("substeps"), 1),
            "start": _number(o.get("start"), -1e300), "model": isinstance(o.get("model"), str),
            "fixed_step": o.get("fixed_step") is None or _number(o["fixed_step"], 1e-300),
            "max_step": o.get("max_step") is None or _number(o["max_step"], 1e-300),
            "seconds": _number(o.get("seconds", 0.0), 0.0), "notes": _words(o.get("notes", [])), "told": _words(o.get("told",
                                                                                                                      [])),
            "times": isinstance(o.get("times"), list) and len(o["times"]) > 0 and all(_number(t, -1e300) for t in o["times"])}
    wrong = [name for name, good in fine.items() if not good]
    if wrong:
        raise Odd(f"{', '.join(wrong)}: not what a run keeps")
    for name in ("t", "q", "v", "ledger", "sums", "wrench", "history", "points_start", "worst", "memory_x", "memory_v",
                 "memory_rules",
                 "memory_old_link", "memory_old_row"):
        a = arrays.get(name)
        if not isinstance(a, np.ndarray) or (a.dtype.kind == "f" and not np.isfinite(a).all() and "rules" not in name):
            raise Odd(f"'{name}' is missing, or has numbers that cannot be")
    if len({len(arrays[k]) for k in ("t", "q", "v", "ledger", "sums", "wrench",
                                     "history")}) != 1 or np.any(np.diff(arrays["t"]) < 0):
        raise Odd("samples do not belong together")


def followed(o: dict[str, Any], arrays: dict[str, Any]) -> None:
    """The same of a run from event to event."""
    counts = o.get("counts")
    whole = ("impacts", "changes", "poisson", "plastic", "several")
    fine = {"integrator": _one_of(o.get("integrator"), ("auto", *records())), "rtol": _number(o.get("rtol"), 1e-300),
            "atol": _number(o.get("atol"), 1e-300), "max_steps": _whole(o.get("max_steps"), 1),
            "model": isinstance(o.get("model"), str), "start": _number(o.get("start"), -1e300),
            "fixed_step": o.get("fixed_step") is None or _number(o["fixed_step"], 1e-300),
            "max_step": o.get("max_step") is None or _number(o["max_step"], 1e-300),
            "watched": _words(o.get("watched")), "energy": _number(o.get("energy"), 1e-300), "told": _words(o.get("told", [])),
            "dependent": _whole(o.get("dependent"), 0, 2**31), "seconds": _number(o.get("seconds", 0.0), 0.0),
            "stretches": _whole(o.get("stretches"), 0),
            "counts": isinstance(counts, dict) and all(_whole(counts.get(k), 0) for k in whole) and _words(counts.get("notes"))
            and _number(counts.get("impact"), -1e300) and isinstance(counts.get("zeno"), list)
            and all(isinstance(counts.get(k), list) and all(_number(t, -1e300) for t in counts[k])
                    for k in ("together", "unsure")) and len(counts) == len(whole) + 5,
            "times": isinstance(o.get("times"), list) and len(o["times"]) > 0 and all(_number(t, -1e300) for t in o["times"])}
    wrong = [name for name, good in fine.items() if not good]
    if wrong:
        raise Odd(f"{', '.join(wrong)}: not what a run keeps")
    if not _whole(o.get("ending"), 0, len(o["watched"])):
        raise Odd("ending: not what a run keeps")
    for name in ("t", "y", "sums", "wrench", "history", "points_start", "modes", "ways", "now", "numbers", "before"):
        a = arrays.get(name)
        if not isinstance(a, np.ndarray) or (a.dtype.kind == "f" and not np.isfinite(a).all()):
            raise Odd(f"'{name}' is missing, or has numbers that cannot be")
    if len({len(arrays[k]) for k in ("t", "y", "sums", "wrench", "history")}) != 1 or np.any(np.diff(arrays["t"]) < 0):
        raise Odd("samples do not belong together")
    modes, most = arrays["modes"], 3 if "rubbed" in o else 2
    if modes.ndim != 2 or modes.dtype.kind != "i" or (modes.size and not (modes.min() >= 0 and modes[:, 0].max() <= most)):
        raise Odd("modes of contacts that cannot be")


def _check_arrays(arrays: dict[str, Any], o: dict[str, Any]) -> None:
    begun = {k: v for k, v in _STATE.items() if any(name.startswith("state_") for name in arrays)}
    for name, (kind, dim) in {**_ARRAYS, **begun}.items():
        a = arrays.get(name)
        if not isinstance(a, np.ndarray) or a.dtype != np.dtype("f8" if kind == "f" else "i8") or a.ndim != dim:
            raise Odd(f"'{name}' is missing, or not an array of its kind")
        if (kind == "f" and not np.isfinite(a).all()) or (kind == "i" and a.size and not (a.min() >= 0 and a.max() < 2**62)):
            raise Odd(f"'{name}' has numbers that cannot be")
    unknown = {name for name in arrays if name not in _ARRAYS and name not in _STATE and not name.startswith(_MEMORY)
               and name not in _BESIDE}
    for name in _BESIDE:
        a = arrays.get(name, _NONE)
        if not isinstance(a, np.ndarray) or a.dtype != np.dtype("f8") or a.ndim != 1:
            raise Odd(f"'{name}' is not an array of its kind")
        if not (np.all(a > 0.0) if name == "state_then" else np.isfinite(a).all()):
            raise Odd(f"'{name}' has numbers that cannot be")
    if unknown:
        raise Odd(f"there is no '{min(unknown):.40}' in what a run keeps")
    t, y, when, which = (arrays[k] for k in ("t", "y", "event_t", "event_index"))
    if len(t) != len(y) or when.shape != which.shape or arrays["before"].shape != (BEFORE,) or np.any(np.diff(t) < 0):
        raise Odd("samples, events or counts do not belong together")
    if (which.size and which.max() >= len(o["watched"])) or np.any(np.diff(when) < 0):
        raise Odd("an event that nobody watches, or events out of order")
    if begun:
        reached = arrays["state_real"][0] if arrays["state_real"].size else np.nan
        if (arrays["state_real"].size, arrays["state_count"].size) not in zip(REALS, COUNTS, strict=True):
            raise Odd("the integrator's state has another size")
        if not reached <= o["times"][-1] + 1e-9 * max(1.0, abs(o["times"][-1])) or (t.size and t[-1] > reached + 1e-9 * max(
                1.0, abs(reached))):
            raise Odd("the time reached does not fit the times of the samples")
        least = np.array([0.0, 0.0, 0.0, -1.0, 0.0])  # H_OLD is −1 after a break
        if arrays["state_count"][0] > 1 or np.any(arrays["state_real"][1:6] < least):
            raise Odd("the integrator's state has numbers that cannot be")


def fits(arrays: dict[str, np.ndarray], form: Any, system: Any, method: str) -> None:
    """Sizes, and states that the mechanism can have."""
    n = form.y.size
    if arrays["y"].shape[1:] != (n,):
        raise Odd(f"samples have {arrays['y'].shape[1]} components; this model has {n}")
    t, y = arrays["t"], arrays["y"]
    rows = np.unique(np.linspace(0, len(t) - 1, min(len(t), ROWS)).astype(int)) if len(t) else np.zeros(0, int)
    t, y = t[rows], y[rows]
    if "state_x" in arrays:
        k = arrays["state_k"].size
        if arrays["state_x"].shape != (n,) or arrays["state_g"].shape != (form.g.size,):
            raise Odd("the integrator's state does not fit this model")
        if any(name in arrays and arrays[name].shape != (system.nc,) for name in _BESIDE):
            raise Odd("the integrator's state does not fit the rows of this model")
        if arrays["state_count"][0] and k != record(method).kept * n:
            raise Odd("the integrator's state does not fit its method")
        if arrays["state_count"][0]:
            t, y = np.append(t, arrays["state_real"][0]), np.vstack([y, arrays["state_x"]])
    if np.abs(y).max(initial=0.0) > 1e100:
        raise Odd("states have numbers that cannot be")
    _remembered({name[len(_MEMORY):]: a for name, a in arrays.items() if name.startswith(_MEMORY)}, form.memory, system.nc)
    _possible(t, y, form, system)


def _remembered(kept: dict[str, np.ndarray], memory: dict[str, np.ndarray], rows: int) -> None:
    """What the equations remember (none in files of before): rows left out, columns solved for and by which row."""
    if not kept:
        return
    like = {n: (a.shape, a.dtype) for n, a in memory.items() if n in kept or n not in LATER}
    if {n: (a.shape, a.dtype) for n, a in kept.items()} != like:
        raise Odd("what the equations remember does not fit this model in this form")
    good = np.all(kept["limit"] > 0.0) and np.all(kept["choice"] >= 0.0) and np.isfinite(kept["choice"]).all()
    if "by" in kept:
        by, used = kept["by"], kept["by"][kept["by"] >= 0]
        good = good and np.all(by >= -2) and np.all(used < rows) and len(np.unique(used)) == len(used)
        good = good and np.all(kept["meta"] >= 0) and kept["meta"][0] == len(used)
    if "quality" in kept:
        good = good and np.isfinite(kept["quality"]).all() and np.all(kept["quality"] >= 0.0)
    if not good:
        raise Odd("what the equations remember has numbers that cannot be")


def _possible(t: np.ndarray, y: np.ndarray, form: Any, system: Any) -> None:
    """States on the constraints: projecting them moves them by rounding only (on a workspace of its own)."""
    q, v, _ = form.bodies(t, y)
    w = workspace(system)
    for k in range(len(t)):
        w.t[0] = t[k]
        w.q[:], w.v[:] = q[k], v[k]
        status = w.run("project") if system.nc else 0
        off = np.abs(w.q - q[k]).max(initial=0.0)
        long = 0.0
        if system.dim == 3:
            e = system.each_q(q[k])[:, 3:]
            long = np.abs((e * e).sum(axis=1) - 1.0).max(initial=0.0)
        if status or not (off <= OFF * max(1.0, system.size, np.abs(q[k]).max(initial=0.0)) and long <= LENGTH):
            raise Odd(f"the state at t = {t[k]:.6g} does not satisfy the constraints of this model")
