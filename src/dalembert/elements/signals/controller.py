"""Controller: Python that runs at instants and sets signals, which keep their values in between.

    t_k = k every:   (s_1, …) ← call(t_k, r_1, …)          held until t_(k+1)

Signals that it sets are states with the rate zero, kept in q as all states are: results, dense output, files, checkpoints carry
them, and the integrator stands exactly at every t_k (integrators/solve.py: Instants; analyses/simulation/sampling.py acts).  The
number of the next instant is such a state as well, by the controller's own name.  What it has to remember is a signal that it
both reads and sets, so that nothing of a run lives outside its states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dalembert.elements.given import Number
from dalembert.elements.signals.base import BaseSignal
from dalembert.errors import ModelError, hint


class Controller(BaseSignal):
    """A sampled controller: any Python, called at instants; what it sets is held in between (zero-order hold).

    Parameters
    ----------
    name : string [–]
        Its name in messages and results.
    every : number or formula [s]
        The time between two instants; they are at 0, every, 2 every …
    reads : list of names [–], default ()
        What it is given after t, as in formulas: "pin.angle", "cart.vx", a signal.
    sets : name or list of names [–]
        The signals it sets (da.Signal with a number: the value before the first instant); one that it also reads is its memory.
    call : function [–]
        call(t, *reads) returns a number for each of ``sets`` (one number where there is one).

    Notes
    -----
    Acts: on nothing by itself; laws read the signals it sets. ``run["pd"].value`` is the number of instants so far.

    Signs: none of its own.

    Degenerate: where it raises, or returns something that is not a finite number for each of ``sets``: the run ends with its name
    and the time, and what was computed is kept. It must depend on its arguments only: what it remembers elsewhere is not in
    checkpoints and is not set back when a model is simulated again.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("servo", dim=2)
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> pin = m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    >>> u = m.add(da.Signal("u", 0.0))
    >>> motor = m.add(da.Motor("motor", "pin", "u"))
    >>> def pd(t, angle, rate):
    ...     return 40.0 * (0.3 - angle) - 8.0 * rate
    >>> c = m.add(da.Controller("pd", every=0.01, reads=["pin.angle", "pin.rate"], sets="u", call=pd))
    >>> run = da.simulate(m, 3.0)
    >>> float(run["pin"].coordinate[-1].round(3))
    0.3
    """

    arguments = {"every": "number", "call": "function"}
    outside = False  # it remembers things that are not among the states

    def __init__(self, name: str, *, every: Number, reads: Sequence[str] = (), sets: str | Sequence[str],
                 call: Callable[..., Any]) -> None:
        self.name, self.every, self.call = name, every, call
        self.reads, self.sets = names_of(reads), names_of(sets)

    @property
    def sampled(self) -> tuple[str, ...]:
        """Signals that change at its instants only."""
        return self.sets

    def begin(self, model: Any) -> Callable[..., Any]:
        """What is called in a run that begins."""
        return self.call

    def without_functions(self, zero, dim):
        """In a result read from a file, which holds no code: the same states, and nothing to call."""
        return Controller(self.name, every=self.every, reads=self.reads, sets=self.sets, call=_nothing)

    def build(self, b):
        self.check(b)
        if not callable(self.call):
            refuse = getattr(self.call, "refuse", None)
            raise refuse(self.title) if refuse else ModelError(f"{self.title}: call= is a function such as lambda t, angle: "
                                                                f"-3*angle, not {self.call!r:.60}")
        if not b.number(self.every, f"every of {self.title}") > 0.0:
            raise ModelError(f"{self.title}: every= is the time between two instants, more than 0 s, got {self.every!r}")
        if not self.sets or len(set(self.sets)) != len(self.sets):
            raise ModelError(f"{self.title}: sets= names one signal or several different ones, got {list(self.sets)!r:.80}")
        signals = [n for n, e in b.model.elements.items() if hasattr(e, "formula") and e.kind == "signal"]
        for name in self.sets:
            if name not in signals:
                what = b.model[name].title if name in b.model else f"there is no signal '{name}'{hint(str(name), signals)}"
                raise ModelError(f"{self.title}: sets={name!r}: {what}; a controller sets signals: add da.Signal('{name}_set', "
                                 "0.0) and let laws read it by its name")
        for name in self.reads:
            b.reads(name, self.title)
        b.differential(self, 0.0, 0.0)


def names_of(names: Any) -> tuple[str, ...]:
    """One name or several, as names or as the objects that have them."""
    several: Any = [names] if isinstance(names, str) or hasattr(names, "name") else names
    if not isinstance(several, Iterable):
        raise ModelError(f"names such as [\"pin.angle\", \"pin.rate\"] are wanted, got {names!r:.60}")
    return tuple(getattr(n, "name", n) for n in several)  # type: ignore[misc]


def _nothing(*given):
    raise ModelError("the function of this controller is not in the file")
