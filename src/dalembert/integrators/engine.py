"""The arrays of one integration with the compiled loop bound to them: ``solve`` runs it to an end, a stepper from call to call.

    engine.begin(h_part)   derivative, first step size (or, of a state that goes on, what it only describes)
    engine.run()           attempts up to the last of ``times``, or to ``task.real[UNTIL]``, or a reason to stop: a status
    engine.step_on()       the same to times[0], of a stepper
    engine.kept()          all that the next step depends on, as arrays

``t``, ``y``, ``ydot``, ``g``, ``quality`` are shared with the equations.  The state has moved when x, or a law, was changed from
outside: ``task.option[CHANGED] = 1`` tells so, and nothing from before is used by the next step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from .._jit import MODE, Bound
from . import layout as at
from .contract import Linear, Method, Parted, Second
from .layout import Shared, State, Task
from .loop import ADVANCE, DELIVERY, START, STEP_ON
from .registry import record
from .room import Room, Seat, leave, seat
from .status import OK


class Engine:
    """One integration, bound; the arguments are those of ``solve``."""

    def __init__(self, rhs: Bound, t: np.ndarray, y: np.ndarray, ydot: np.ndarray, times: Sequence[float] | np.ndarray, *,
                 method: str = "dop853", rtol: float = 1e-8, atol: float = 1e-10, weights: np.ndarray | None = None,
                 caps: np.ndarray | None = None, project: Bound | None = None, tangent: Bound | None = None,
                 quality: np.ndarray | None = None, events: Bound | None = None, g: np.ndarray | None = None,
                 directions: Sequence[int] | None = None, terminal: Sequence[int] | None = None, max_steps: int = 10_000_000,
                 h_first: float = 0.0, h_max: float = 0.0, fixed_step: float | None = None, stop_if_stiff: bool = False,
                 may_stick: bool = False, resume: Mapping[str, np.ndarray] | None = None, interrupt: np.ndarray | None = None,
                 linear: Linear | Second | Parted | None = None, stations: np.ndarray | None = None, span: float = 0.0,
                 budget: int | None = None, riding: int = 0, place: np.ndarray | None = None,
                 option: np.ndarray | None = None):
        """``place``, ``option``: where the one output time of a stepper and its options are kept (many of them side by side)."""
        times = np.ascontiguousarray(times, dtype=float) if place is None else place
        _check(times, rtol, atol, fixed_step, events, g)
        self.method: Method = record(method)
        self.method.accepts(linear)
        self.times = times
        tableau = self.method.tableau()
        self.n, e = y.size, 0 if events is None or g is None else g.size
        n = self.n
        g = _NOTHING if events is None or g is None else g
        alone = MODE != "python" and place is None and interrupt is None and linear is None  # nobody else's arrays
        key = self.method.name, n, e
        self._seat = seat(key) if alone else None
        room = Room(n, e, self.method.rows, self.method.terms) if self._seat is None else self._seat.room
        option = room.option if option is None else option
        option[:] = bool(fixed_step), stop_if_stiff, max_steps, budget or 8, may_stick, riding, 0
        self.state, self.log, work = room.state, room.log, room.work
        self._beside = {} if linear is None else linear.beside
        _enter(self.state, self._beside, t, times, resume)
        room.handle[:] = (rhs.handle, project.handle if project else 0, events.handle if events else 0, 0,
                          tangent.handle if tangent else 0, 0)
        room.real[:] = (rtol, atol, fixed_step if fixed_step else h_first, 0.0 if fixed_step else h_max,
                        span or times[-1] - times[0], math.inf)
        for own, given in ((room.direction, directions), (room.terminal, terminal)):
            if given is not None:
                if len(given) != e:
                    raise ValueError("directions and terminal need one entry per event")
                own[:] = given
        shared = Shared(t, y, ydot, g, room.handle, np.array([1.0, 0.0]) if quality is None else quality)
        self.task = task = Task(
            room.real, option,
            np.ones(n) if weights is None else np.ascontiguousarray(weights, dtype=float),
            np.full(n, np.inf) if caps is None else np.ascontiguousarray(caps, dtype=float), times, np.zeros(times.size * n),
            room.direction, room.terminal, room.stop if interrupt is None else interrupt,
            _NOTHING if stations is None else np.ascontiguousarray(stations, dtype=float).ravel())
        if not task.weight.size == task.cap.size == n:
            raise ValueError("weights and caps need one entry per component")
        if self._seat is None:
            structs = (shared, tableau, self.state, task, self.log, work)
            self._deliver = DELIVERY.bind(*structs, words=None if MODE == "python" else room.places(shared, tableau, task))
            attempt, self._begin = self.method.bind(self._deliver, shared, tableau, self.state, task, work, linear)
            if isinstance(linear, Parted):
                attempt = linear.attempt(*structs) or attempt
            self._advance = self._deliver.sibling(ADVANCE)
            if alone and self._begin is None:
                self._seat = Seat(key, room, tableau, (self._deliver, attempt, self._advance, self._deliver.sibling(START)))
        else:
            self._deliver, attempt, self._advance, _ = self._seat.entries
            self._begin = None
            self._seat.turn_to(shared, task)
        shared.handle[at.DELIVER], shared.handle[at.ATTEMPT] = self._deliver.handle, attempt.handle
        self._alive = rhs, project, events, tangent, linear, attempt, shared, tableau  # compiled code knows their addresses only
        self.run: Callable[[], int] = self._advance

    @property
    def step_on(self) -> Bound:
        return self._deliver.sibling(STEP_ON)

    def recorded(self, recorder: Callable[[Bound], Bound]) -> None:
        """Let ``run`` be what a recorder makes of it (backward.py)."""
        self.run, self._seat = recorder(self._advance), None

    def leave(self) -> None:
        """It is done, and nobody knows its arrays but by copies (``kept``): the next may have its seat."""
        if self._seat is not None:
            leave(self._seat)
            del self.state, self.log, self.task, self.run, self._deliver, self._advance, self._seat

    def begin(self, h_part: float = 1.0) -> int:
        """Start, unless the state goes on; make what it only describes.  A status."""
        status = OK
        if not self.state.count[at.STARTED]:
            status = (self._deliver.sibling(START) if self._seat is None else self._seat.entries[3])()
            self.state.real[at.H] *= h_part
        if status == OK and self._begin is not None:
            status = self._begin()
        return status

    def jumped(self) -> None:
        """The state at the time reached was changed: outputs at this very time are what it is now."""
        state, times = self.state, self.times
        j = int(state.count[at.NEXT]) - 1
        while j >= 0 and times[j] == state.real[at.T]:
            self.task.out[j * self.n:(j + 1) * self.n] = state.x
            j -= 1
        self.changed()

    def changed(self) -> None:
        """The state or a law was changed from outside: the next step uses nothing from before."""
        self.task.option[at.CHANGED] = 1

    def kept(self) -> dict[str, np.ndarray]:
        """What ``resume`` takes, as copies; of ``k`` the rows that outlive a step, and what goes with them (contract.py)."""
        s = self.state
        return {"real": s.real.copy(), "count": s.count.copy(), "x": s.x.copy(), "k": s.k[:self.method.kept * self.n].copy(),
                "g": s.g.copy(), **{name: a.copy() for name, a in self._beside.items() if not np.isnan(a).any()}}


_NOTHING = np.zeros(0)


def _check(times, rtol, atol, fixed_step, events, g) -> None:
    if times.ndim != 1 or times.size == 0 or not (math.isfinite(times[0]) and math.isfinite(times[-1])
                                                  and (times.size == 1 or (times[1:] >= times[:-1]).all())):
        raise ValueError("times must be a non-empty list of finite, increasing numbers")
    if not (rtol >= 0 and atol >= 0 and rtol + atol > 0):
        raise ValueError("rtol and atol must be positive")
    if fixed_step is not None and not fixed_step > 0:
        raise ValueError("fixed_step must be positive")
    if events is not None and g is None:
        raise ValueError("events need the array g that they fill")


def _enter(state: State, beside: dict[str, np.ndarray], t, times, resume) -> None:
    """The saved state, with the outputs already delivered skipped; a fresh one stays as it is."""
    if resume is not None and resume["count"][at.STARTED]:
        for name in ("real", "count", "x", "g"):
            getattr(state, name)[:resume[name].size] = resume[name]
        state.k[:resume["k"].size] = resume["k"]
        for name in beside.keys() & resume.keys():  # states of before have none
            beside[name][:] = resume[name]
        state.count[at.NEXT] = np.searchsorted(times, state.real[at.T], side="right")
        state.count[at.LOGGED] = 0
    elif times[0] < t[0]:
        raise ValueError(f"the first output time {times[0]} lies before the start {t[0]}")
