"""Many copies of a model in one compiled call, on several threads.

Each copy is a stepper of its own (single.py): own state, own inputs, own steps.  What is set from outside for all of them lies
side by side in one array per thing (ends of the steps, flags, tables of laws), so that setting it is one assignment.  A call of
compiled code lets other threads run (integrators/crowd.py); they share nothing: the bits do not depend on the number of threads.
Parts are smaller than one per thread: who is done early takes another.  The caller is one of the threads, so that on a machine
without a free core it does all of the work itself and waits for nobody.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.analyses.assemble import assembled
from dalembert.analyses.stepping.inputs import found, numbers_of, unfit
from dalembert.analyses.stepping.single import UNSET, Stepper
from dalembert.analyses.stepping.snapshot import Snapshot
from dalembert.errors import AnalysisError, SimulationError
from dalembert.integrators import layout as at
from dalembert.integrators.crowd import STEP_ALL, Crowd
from dalembert.results.motion import Motion, Observed, State

PARTS = 4  # per thread
LEAST = 4  # copies in a part


class InputsOfAll(MutableMapping[str, np.ndarray]):
    """``sims.inputs["motor"] = 2.0``, or one number per copy."""

    def __init__(self, crowd: Steppers):
        self._crowd = crowd

    def __setitem__(self, name: str, value) -> None:
        crowd = self._crowd
        row = found(crowd.model, crowd._rows, crowd._held, name)
        given = numbers_of(value)
        if given.shape not in ((), (len(crowd),)) or not np.isfinite(given).all():
            raise AnalysisError(f"input '{name}' of {len(crowd)} steppers takes a finite number, or {len(crowd)} of them; got "
                                f"{value!r:.60}")
        for column in crowd._values:
            np.logical_or(crowd._options[:, at.CHANGED], column[:, row] != given, out=crowd._options[:, at.CHANGED],
                          casting="unsafe")
            column[:, row] = given

    def __getitem__(self, name: str) -> np.ndarray:
        crowd = self._crowd
        return crowd._values[0][:, found(crowd.model, crowd._rows, crowd._held, name)].copy()

    def __delitem__(self, name: str) -> None:
        raise AnalysisError(f"input '{name}' cannot be taken away: set it to 0.0")

    def __iter__(self) -> Iterator[str]:
        return iter(self._crowd._rows)

    def __len__(self) -> int:
        return len(self._crowd._rows)

    def __repr__(self):
        return f"inputs of {len(self._crowd)} steppers: {', '.join(self) or 'none'}"


class OfAll(Motion):
    """The states of all copies at one moment: what a result has over its samples, here over the copies."""

    def __init__(self, crowd: Steppers):
        self._copies = list(crowd)
        pairs = [c._bodies() for c in self._copies]
        first = self._copies[0]
        super().__init__(first.model, first.system, np.array([c.t for c in self._copies]), np.array([q for q, _ in pairs]),
                         np.array([v for _, v in pairs]))

    @property
    def observed(self) -> Observed:
        """Every copy by its own tables: inputs and parameters differ."""
        if "_all" not in self.__dict__:
            parts = [c._now().observed for c in self._copies]
            found = Observed.__new__(Observed)
            for name in vars(parts[0]):
                setattr(found, name, np.concatenate([getattr(p, name) for p in parts]))
            if hasattr(found, "report"):
                found.report = found.report.view(np.recarray)
            self.__dict__["_all"] = found
        return self.__dict__["_all"]

    @property
    def signals(self) -> np.ndarray:  # type: ignore[override]
        return np.concatenate([c._now().signals for c in self._copies])


class Steppers:
    """Copies of a model, stepped together; made by ``da.steppers(model, n)``."""

    def __init__(self, model, n: int, options: dict[str, Any], start: float, states, parameters, reads, sets,
                 threads: int | None):
        self.model, self.threads = model, _threads(threads)
        self._ends, self._options = np.zeros(n), np.zeros((n, at.CHANGED + 1), np.int64)
        self._handles, self._status = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._pool: ThreadPoolExecutor | None = None
        self._base, self._count, self._dt, self._edge = np.zeros(n), 0, UNSET, 0.0
        given = _each(states, n, "states")
        models = _varied(model, n, parameters)
        compiled = models[0].compile()
        if parameters:
            systems = [compiled, *(m.compile() for m in models[1:])]
        else:
            systems = [compiled] * n
            if given[0] is None:
                state = assembled(models[0], start)[0]
                given = [state] * n
        laws = np.stack([s.tables.laws for s in systems])
        self._laws = laws
        self._copies: list[Stepper] = []
        for k in range(n):
            system = replace(systems[k], tables=systems[k].tables._replace(laws=laws[k]))
            home = self._ends[k:k + 1], self._options[k]
            copy = Stepper(models[k], dict(options), start, given[k], reads, sets, home, system)
            copy.bound = lambda k=k: self._bound(k)  # type: ignore[misc]
            copy.housed = lambda system, k=k: self._housed(k, system)  # type: ignore[misc]
            self._copies.append(copy)
            self._bound(k)
        first = self._copies[0]
        self._rows, self._held = first.system.inputs, first.inputs._held
        self._values = [laws["value"]]
        shared = all(len(c._columns) == 1 for c in self._copies)
        if not shared:
            raise SimulationError(f"steppers of '{model.name}': the tables of laws are not shared")
        self._inputs = InputsOfAll(self)
        self._sets = sets or tuple(self._rows)
        self._written = np.array([found(model, self._rows, self._held, name) for name in self._sets], np.intp)
        size = max(LEAST, -(-n // (PARTS * self.threads)))
        self._parts = [STEP_ALL.bind(Crowd(self._handles[a:a + size], self._status[a:a + size])) for a in range(0, n, size)]
        self._sampled = first._job.sampling is not None

    def _bound(self, k: int) -> None:
        """A copy was bound anew, or went a way of its own."""
        self._handles[k] = self._copies[k].handle
        self._dt = UNSET

    def _housed(self, k: int, system: Any) -> Any:
        """A system of a copy that was compiled anew: its laws move into the common table."""
        self._laws[k] = system.tables.laws
        return replace(system, tables=system.tables._replace(laws=self._laws[k]))

    @property
    def inputs(self) -> InputsOfAll:
        """One number for all, or one per copy."""
        return self._inputs

    def write(self, u: Any) -> None:
        """Several inputs at once: one number each for all copies, or one row per copy; in the order of ``sets=``."""
        n, k = len(self), len(self._sets)
        given = numbers_of(u)
        if given.shape not in ((k,), (n, k)) or not np.isfinite(given).all():
            raise unfit(self.model, self._sets, f", or {n} rows of them", u)
        for column in self._values:
            self._options[:, at.CHANGED] |= (column[:, self._written] != given).any(axis=1)
            column[:, self._written] = given

    def step(self, dt: float) -> None:
        """All copies by ``dt`` (s)."""
        copies = self._copies
        if self._sampled:  # Python acts at instants: one after the other
            self._each_or_error(range(len(copies)), lambda k: copies[k].step(dt))
            return
        if dt != self._dt:
            self._pace(dt)
        self._count += 1
        ends = self._base + self._count * self._dt
        if ends.max() > self._edge:
            for c, t in zip(copies, ends, strict=True):
                if t > c._edge:
                    c._further()
            self._edge = min(c._edge for c in copies)
        self._ends[:] = ends
        if self._call():
            self._mend()

    def _pace(self, dt: float) -> None:
        """Equal steps are counted from where each copy stands now."""
        for c in self._copies:
            c._pace(dt)
            c._dt = UNSET  # a step of its own counts anew, and says so
        self._base, self._count, self._dt = self.t, 0, float(dt)
        self._edge = min(c._edge for c in self._copies)

    def _call(self) -> int:
        parts = self._parts
        if self.threads == 1 or len(parts) == 1:
            return sum(part() for part in parts)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="dalembert")
        waiting = deque(parts)

        def work() -> int:
            failed = 0
            while True:
                try:
                    part = waiting.popleft()
                except IndexError:
                    return failed
                failed += part()

        helpers = [self._pool.submit(work) for _ in range(min(self.threads, len(parts)) - 1)]
        try:
            failed = work()
        finally:  # who has not begun need not; nobody is left at work, whatever happens here
            late = [helper.result() for helper in helpers if not helper.cancel()]
        return failed + sum(late)

    def _mend(self) -> None:
        """Copies that did not arrive: stiff ones go on with radau; errors name the copy."""
        statuses = {k: int(status) for k, status in enumerate(self._status) if status}
        self._each_or_error(statuses, lambda k: self._copies[k]._carry_on(statuses[k]))

    def _each_or_error(self, copies: Iterable[int], do: Callable[[int], None]) -> None:
        """For every one of them, whatever becomes of the others; then the first error, with the copies that have one."""
        errors: dict[int, SimulationError] = {}
        for k in copies:
            try:
                do(k)
            except SimulationError as error:
                errors[k] = error
        if errors:
            self._dt = UNSET  # those that stand behind go on from where they are
            (k, first), more = next(iter(errors.items())), list(errors)[1:]
            also = f" (also copies {', '.join(map(str, more[:8]))}{' …' * (len(more) > 8)})" if more else ""
            raise SimulationError(f"copy {k} of {len(self)}: {first}{also}") from first

    def __len__(self) -> int:
        return len(self._copies)

    def __iter__(self) -> Iterator[Stepper]:
        return iter(self._copies)

    def __getitem__(self, name: Any) -> Any:
        """By a number the stepper of one copy; by a name what a result shows, one row per copy."""
        if isinstance(name, (int, np.integer)):
            return self._copies[name]
        return OfAll(self)[name]

    @property
    def t(self) -> np.ndarray:
        """The times reached, one per copy."""
        return np.array([c.t for c in self._copies])

    def read(self) -> np.ndarray:
        """The numbers of ``reads=``: one row per copy."""
        return np.array([c.read() for c in self._copies])

    def snapshot(self) -> list[Snapshot]:
        """A snapshot of every copy."""
        return [c.snapshot() for c in self._copies]

    def restore(self, snapshots: Sequence[Snapshot]) -> None:
        """Back to them."""
        for c, kept in zip(self._copies, _each(snapshots, len(self), "snapshots"), strict=True):
            c.restore(kept)

    def reset(self) -> None:
        """All copies back to the beginning."""
        for c in self._copies:
            c.reset()

    def __repr__(self):
        return f"{len(self)} steppers of '{self.model.name}' on {self.threads} thread{'s' * (self.threads > 1)}"


def _threads(threads: int | None) -> int:
    if threads is None:
        return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise SimulationError(f"steppers: threads is a whole number, 1 or more, got {threads!r:.60}")
    return threads


def _each(values, n: int, what: str) -> list:
    if values is None or isinstance(values, State):
        return [values] * n
    given = list(values) if isinstance(values, Iterable) else []
    if len(given) != n:
        raise SimulationError(f"steppers: {what} are {n}, one per copy; got {len(given) or repr(values)[:60]}")
    return given


def _varied(model, n: int, parameters) -> list:
    if not parameters:
        return [model] * n
    found = [model.copy() for _ in range(n)]
    if not isinstance(parameters, Mapping):
        raise SimulationError(f"steppers: parameters= is a dict of names to one value per copy, got {parameters!r:.60}")
    for name, values in parameters.items():
        if name not in model.parameters:
            model.parameters[name]  # raises, with the names there are
        for m, value in zip(found, _each(values, n, f"values of '{name}'"), strict=True):
            m.parameters[name] = value.item() if isinstance(value, np.generic) else value
    return found
