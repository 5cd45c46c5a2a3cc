"""Drive the compiled loop: allocate its arrays, call it in short chunks, collect outputs and events.

The loop is called with a budget of steps so that each call lasts some tens of milliseconds; between calls
progress is reported and Ctrl-C is honoured.  The chunks do not touch the numbers: the same bits come out for
any budget.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._jit import Bound
from . import layout as at
from .contract import Linear, Second
from .layout import Log, Shared, State, Task, Work
from .loop import ADVANCE, DELIVERY, START
from .registry import record
from .status import BUDGET, EVENT, OK, STOPPED, message

CHUNK_SECONDS = 0.03
LOG_CAPACITY = 256


@dataclass(frozen=True)
class Events:
    """Events in order of time: when, which one, and the state there, one column each."""

    t: np.ndarray
    index: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
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
    linear: Linear | Second | None = None,
    stations: np.ndarray | None = None,
    span: float = 0.0,
    budget: int | None = None,
    riding: int = 0,
    recorder: Callable[[Bound], Bound] | None = None,
) -> Solution:
    """Integrate dy/dt = f(t, y) from the point in ``t``, ``y`` (arrays shared with ``rhs``) to ``times[-1]``.

    ``times``: increasing output times, none before the start.  ``atol * weights`` is the absolute tolerance
    of each component, the relative one counts from ``caps`` at most.  ``project`` moves y back onto its manifold;
    ``tangent`` cuts an error down to its part along it; ``quality`` (2) is filled by ``rhs`` (layout.py);
    ``events`` fills ``g``; ``directions``
    (-1, 0, 1) and ``terminal`` (0, 1: ends the run, 2: a kink, at which a step ends) have one entry per event.
    ``h_part``: the part of the first step found that is tried.  ``resume`` continues from the ``state`` of an
    earlier solution: outputs are those of ``times`` that were still missing.  ``interrupt`` is an int64 array
    of length 1 that stops the run when set. ``on_chunk`` is called now and then with a function that gives the solution
    so far. ``stations``: rows (left, right, longest step after), see stations.py. ``span``: of the whole run.
    ``linear``: what implicit methods need of the equations. ``riding``: sums on which no rate depends, the last
    components of y. ``budget`` fixes the number of steps per chunk instead of
    adapting it to the clock. ``recorder`` makes, of the entry that advances by ``budget`` attempts, the one that is called
    (backward.py: record).
    """
    times = np.ascontiguousarray(times, dtype=float)
    _check(times, rtol, atol, fixed_step, events, g)
    chosen = record(method)
    chosen.accepts(linear)
    tableau = chosen.tableau()
    n, e = y.size, 0 if events is None or g is None else g.size
    g = np.zeros(0) if events is None or g is None else g
    state = _state(n, e, chosen.rows, t, times, resume)
    handles = [rhs.handle, project.handle if project else 0, events.handle if events else 0, 0,
               tangent.handle if tangent else 0, 0]
    shared = Shared(t, y, ydot, g, np.array(handles, dtype=np.int64),
                    np.array([1.0, 0.0]) if quality is None else quality)
    stop = np.zeros(1, np.int64) if interrupt is None else interrupt
    task = Task(
        np.array([rtol, atol, fixed_step if fixed_step else h_first, 0.0 if fixed_step else h_max, span or times[-1] - times[0]]),
        np.array([bool(fixed_step), stop_if_stiff, max_steps, budget or 8, may_stick, riding], dtype=np.int64),
        np.ones(n) if weights is None else np.ascontiguousarray(weights, dtype=float),
        np.full(n, np.inf) if caps is None else np.ascontiguousarray(caps, dtype=float), times, np.zeros(times.size * n),
        np.array([0] * e if directions is None else directions, dtype=np.int64),
        np.array([0] * e if terminal is None else terminal, dtype=np.int64), stop,
        np.zeros(0) if stations is None else np.ascontiguousarray(stations, dtype=float).ravel())
    if not task.weight.size == task.cap.size == n or not task.direction.size == task.terminal.size == e:
        raise ValueError("weights and caps need one entry per component, directions and terminal one per event")
    capacity = max(LOG_CAPACITY, 4 * e) if e else 0
    log = Log(np.zeros(capacity), np.zeros(capacity, np.int64), np.zeros(capacity * n))
    work = Work(*(np.zeros(size) for size in (6, n, n, n, chosen.terms * n, e, e, e, e, e, e, 9 * e, e)))
    first = int(state.count[at.NEXT])
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    deliver = DELIVERY.bind(shared, tableau, state, task, log, work)
    shared.handle[at.DELIVER] = deliver.handle
    attempt, begin = chosen.bind(deliver, shared, tableau, state, task, work, linear)
    shared.handle[at.ATTEMPT] = attempt.handle
    run = deliver.sibling(ADVANCE) if recorder is None else recorder(deliver.sibling(ADVANCE))
    status = OK
    if not state.count[at.STARTED]:
        status = deliver.sibling(START)()
        state.real[at.H] *= h_part
    if status == OK and begin is not None:
        status = begin()

    def snapshot(status: int = BUDGET) -> Solution:
        done = slice(first, int(state.count[at.NEXT]))
        return Solution(times[done], task.out.reshape(-1, n)[done].T, status, message(status), _stats(state), _events(found, n),
                        {"real": state.real, "count": state.count, "x": state.x, "k": state.k[:chosen.kept * n].copy(),
                         "g": state.g})

    if status == OK:
        status = _run(run, state, task, log, found, on_progress, (lambda: on_chunk(snapshot)) if on_chunk else None,
                      adapt=budget is None)
    return snapshot(status)


def _check(times, rtol, atol, fixed_step, events, g) -> None:
    if times.ndim != 1 or times.size == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
        raise ValueError("times must be a non-empty list of finite, increasing numbers")
    if not (rtol >= 0 and atol >= 0 and rtol + atol > 0):
        raise ValueError("rtol and atol must be positive")
    if fixed_step is not None and not fixed_step > 0:
        raise ValueError("fixed_step must be positive")
    if events is not None and g is None:
        raise ValueError("events need the array g that they fill")


def _state(n, e, rows, t, times, resume) -> State:
    """A fresh state, or the saved one with the outputs already delivered skipped."""
    state = State(np.zeros(9), np.zeros(19, np.int64), np.zeros(n), np.zeros(rows * n), np.zeros(e))
    if resume is not None and resume["count"][at.STARTED]:
        for name in ("real", "count", "x", "g"):
            getattr(state, name)[:resume[name].size] = resume[name]
        state.k[:resume["k"].size] = resume["k"]
        state.count[at.NEXT] = np.searchsorted(times, state.real[at.T], side="right")
        state.count[at.LOGGED] = 0
    elif times[0] < t[0]:
        raise ValueError(f"the first output time {times[0]} lies before the start {t[0]}")
    return state


def _run(run: Bound, state: State, task: Task, log: Log, found: list, on_progress, on_chunk, adapt: bool) -> int:
    """Chunks until the loop reports something other than a used-up budget."""
    n = state.x.size
    with _ctrl_c(task.stop), np.errstate(all="ignore"):
        while True:
            begin = time.perf_counter()
            status = run()
            seconds = time.perf_counter() - begin
            logged = int(state.count[at.LOGGED])
            if logged:
                found.append((log.t[:logged].copy(), log.index[:logged].copy(), log.y[:logged * n].copy()))
                state.count[at.LOGGED] = 0
            if status != BUDGET:
                return status
            if adapt:
                rate = min(8.0, CHUNK_SECONDS / max(seconds, 1e-6))
                task.option[at.STEP_BUDGET] = min(max(1, int(task.option[at.STEP_BUDGET] * rate)), 10**6)
            try:
                if on_progress is not None:
                    on_progress(float(state.real[at.T]))
                if on_chunk is not None:
                    on_chunk()
            except KeyboardInterrupt:
                return STOPPED


@contextlib.contextmanager
def _ctrl_c(stop: np.ndarray) -> Iterator[None]:
    """Ctrl-C sets the stop flag, so that the step under way is finished; a second one interrupts at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(number, frame):
        if stop[0]:
            raise KeyboardInterrupt
        stop[0] = 1

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _stats(state: State) -> dict[str, int | float | bool]:
    count = state.count
    places = {"steps": at.STEPS, "rejected": at.REJECTED, "rhs_calls": at.CALLS,
              "projections": at.PROJECTIONS, "event_calls": at.EVENT_CALLS, "newton": at.NEWTON,
              "tangents": at.TANGENTS, "factorisations": at.FACTORS}
    numbers = {name: int(count[place]) for name, place in places.items()}
    return {**numbers, "stiff": bool(count[at.IS_STIFF]), "h": float(state.real[at.H])}


def _events(found: list, n: int) -> Events:
    if not found:
        return Events(np.zeros(0), np.zeros(0, np.int64), np.zeros((n, 0)))
    t, index, y = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Events(t, index, y.reshape(-1, n).T)
