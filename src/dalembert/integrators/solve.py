"""Drive the compiled loop: allocate its arrays, call it in short chunks, collect outputs and events.

The loop is called with a budget of steps so that each call lasts some tens of milliseconds; between calls
progress is reported and Ctrl-C is honoured.  The chunks do not touch the numbers: the same bits come out for
any budget.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from dalembert.records import record

from .._jit import MODE, Bound
from . import layout as at
from .contract import Linear, Parted, Second
from .engine import Engine
from .layout import State
from .status import BUDGET, EVENT, OK, STOPPED, message

CHUNK_SECONDS = 0.03
SMALL = 200  # components up to which 64 steps take a few milliseconds at most
_QUIET: Any = partial(np.errstate, all="ignore") if MODE == "python" else contextlib.nullcontext  # compiled code warns nobody
_SIGINT = int(signal.SIGINT)
_plain: Any = sys.modules.get("_signal", signal)  # without enumerations: a short run notices them
_signal, _heard_by, _IGNORED = _plain.signal, _plain.getsignal, _plain.SIG_IGN


@record
class Events:
    """Events in order of time: when, which one, and the state there, one column each."""

    t: np.ndarray
    index: np.ndarray
    y: np.ndarray


class Instants(Protocol):
    """Somebody who acts at times of its own: a sampled controller."""

    def next(self, x: np.ndarray) -> float:
        """When it acts next, of a state (what it remembers is part of the state); infinite: never."""

    def due(self, t: float, x: np.ndarray) -> bool:
        """Whether it acts at this time."""

    def act(self, t: float, x: np.ndarray) -> None:
        """Change the state at this time; ``Halted`` ends the run, and what was computed so far is kept."""


class Halted(Exception):
    """An instant could not be carried out; ``solution`` is what was computed so far."""

    solution: Solution


@record
class Solution:
    """Outputs up to where the run ended.  ``y`` is (components, times).  ``solve(resume=state)`` goes on."""

    t: np.ndarray
    y: np.ndarray
    status: int
    message: str
    stats: dict[str, int | float | bool]
    events: Events
    state: dict[str, np.ndarray]

    @property
    def success(self) -> bool:
        """The end time or a terminal event was reached."""
        return self.status in (OK, EVENT)


def solve(
    rhs: Bound,
    t: np.ndarray,
    y: np.ndarray,
    ydot: np.ndarray,
    times: Sequence[float] | np.ndarray,
    *,
    method: str = "dop853",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    weights: np.ndarray | None = None,
    caps: np.ndarray | None = None,
    project: Bound | None = None,
    tangent: Bound | None = None,
    quality: np.ndarray | None = None,
    events: Bound | None = None,
    g: np.ndarray | None = None,
    directions: Sequence[int] | None = None,
    terminal: Sequence[int] | None = None,
    max_steps: int = 10_000_000,
    h_first: float = 0.0,
    h_part: float = 1.0,
    h_max: float = 0.0,
    fixed_step: float | None = None,
    stop_if_stiff: bool = False,
    may_stick: bool = False,
    on_progress: Callable[[float], object] | None = None,
    on_chunk: Callable[[Callable[[], Solution]], object] | None = None,
    resume: Mapping[str, np.ndarray] | None = None,
    interrupt: np.ndarray | None = None,
    linear: Linear | Second | Parted | None = None,
    stations: np.ndarray | None = None,
    span: float = 0.0,
    budget: int | None = None,
    riding: int = 0,
    recorder: Callable[[Bound], Bound] | None = None,
    instants: Instants | None = None,
    changed: bool = False,
) -> Solution:
    """Integrate dy/dt = f(t, y) from the point in ``t``, ``y`` (arrays shared with ``rhs``) to ``times[-1]``.

    ``times``: increasing output times, none before the start.  ``atol * weights`` is the absolute tolerance
    of each component, the relative one counts from ``caps`` at most.  ``project`` moves y back onto its manifold;
    ``tangent`` cuts an error down to its part along it; ``quality`` (2) is filled by ``rhs`` (layout.py);
    ``events`` fills ``g``; ``directions``
    (-1, 0, 1) and ``terminal`` (0, 1: ends the run, 2: a kink, at which a step ends) have one entry per event.
    ``h_part``: the part of the first step found that is tried.  ``resume`` continues from the ``state`` of an
    earlier solution: outputs are those of ``times`` that were still missing.  ``interrupt`` is an int64 array
    of length 1 that stops the run when set, as ``on_progress`` does by returning False. ``on_chunk`` is called now and then with
    a function that gives the solution so far. ``stations``: rows (left, right, longest step after), see stations.py.
    ``span``: of the whole run.
    ``linear``: what implicit methods need of the equations, and explicit ones that take steps in two parts (parts.py).
    ``riding``: sums on which no rate depends, the last components of y. ``budget`` fixes the number of steps per chunk instead of
    adapting it to the clock. ``recorder`` makes, of the entry that advances by ``budget`` attempts, the one that is called
    (backward.py: record).  ``instants``: somebody outside who acts at times of its own;
    ``changed``: the state to resume was changed since.
    """
    engine = Engine(
        rhs, t, y, ydot, times, method=method, rtol=rtol, atol=atol, weights=weights, caps=caps, project=project, tangent=tangent,
        quality=quality, events=events, g=g, directions=directions, terminal=terminal, max_steps=max_steps, h_first=h_first,
        h_max=h_max, fixed_step=fixed_step, stop_if_stiff=stop_if_stiff, may_stick=may_stick, resume=resume, interrupt=interrupt,
        linear=linear, stations=stations, span=span, budget=budget, riding=riding)
    if recorder is not None:
        engine.recorded(recorder)
    elif budget is None and on_progress is None and on_chunk is None and not may_stick and engine.n <= SMALL:
        engine.task.option[at.STEP_BUDGET] = 64  # nobody looks on
    state, task, times, n = engine.state, engine.task, engine.times, engine.n
    first = int(state.count[at.NEXT])
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    status = engine.begin(h_part)
    if changed:
        engine.changed()

    def snapshot(status: int = BUDGET) -> Solution:
        done = slice(first, int(state.count[at.NEXT]))
        return Solution(times[done], task.out.reshape(-1, n)[done].T, status, message(status), _stats(state), _events(found, n),
                        engine.kept())

    if status == OK:
        try:
            status = _run(engine, found, on_progress, (lambda: on_chunk(snapshot)) if on_chunk else None, budget is None,
                          instants)
        except Halted as halted:
            halted.solution = snapshot(STOPPED)
            raise
    solution = snapshot(status)
    engine.leave()
    return solution


def _run(engine: Engine, found: list, on_progress, on_chunk, adapt: bool, instants: Instants | None) -> int:
    """Chunks until the loop reports something other than a used-up budget; instants in between."""
    state, task, log, n = engine.state, engine.task, engine.log, engine.n
    end = float(task.times[-1])
    with _ctrl_c(task.stop), _QUIET():
        while True:
            if instants is not None:
                if instants.due(float(state.real[at.T]), state.x):
                    instants.act(float(state.real[at.T]), state.x)
                    engine.jumped()
                task.real[at.UNTIL] = instants.next(state.x)
            begin = time.perf_counter()
            status = engine.run()
            seconds = time.perf_counter() - begin
            logged = int(state.count[at.LOGGED])
            if logged:
                found.append((log.t[:logged].copy(), log.index[:logged].copy(), log.y[:logged * n].copy()))
                state.count[at.LOGGED] = 0
            more = instants is not None and (state.real[at.T] < end or instants.due(float(state.real[at.T]), state.x))
            if status != BUDGET and not (status == OK and more):
                return status
            if adapt and status == BUDGET:
                rate = min(8.0, CHUNK_SECONDS / max(seconds, 1e-6))
                task.option[at.STEP_BUDGET] = min(max(1, int(task.option[at.STEP_BUDGET] * rate)), 10**6)
            try:
                if on_progress is not None and on_progress(float(state.real[at.T])) is False:
                    return STOPPED
                if on_chunk is not None:
                    on_chunk()
            except KeyboardInterrupt:
                return STOPPED


class _ctrl_c:
    """Ctrl-C sets the stop flag, so that the step under way is finished; a second one interrupts at once.

    A process that ignores it (nohup, one in the background of a script) goes on ignoring it, and one in which it is heard by what
    is no Python keeps that.
    """

    def __init__(self, stop: np.ndarray):
        self.stop, self.heard = stop, threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self.heard:
            self.before = _heard_by(_SIGINT)
            self.heard = self.before is not None and self.before != _IGNORED
            if self.heard:
                _signal(_SIGINT, self._ask)

    def __exit__(self, *error) -> None:
        if self.heard:
            _signal(_SIGINT, self.before)

    def _ask(self, number, frame) -> None:
        if self.stop[0]:
            raise KeyboardInterrupt
        self.stop[0] = 1


def _stats(state: State) -> dict[str, int | float | bool]:
    count = state.count.tolist()
    numbers: dict[str, int | float | bool] = {name: count[place] for name, place in _COUNTS}
    numbers["stiff"], numbers["h"] = bool(count[at.IS_STIFF]), float(state.real[at.H])
    return numbers


_COUNTS = (("steps", at.STEPS), ("rejected", at.REJECTED), ("rhs_calls", at.CALLS), ("projections", at.PROJECTIONS),
           ("event_calls", at.EVENT_CALLS), ("newton", at.NEWTON), ("tangents", at.TANGENTS), ("factorisations", at.FACTORS))


_NO_TIMES, _NO_NUMBERS = np.zeros(0), np.zeros(0, np.int64)


def _events(found: list, n: int) -> Events:
    if not found:
        return Events(_NO_TIMES, _NO_NUMBERS, np.zeros((n, 0)))
    t, index, y = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Events(t, index, y.reshape(-1, n).T)
