"""Laws are functions of their arguments that give numbers: one with a memory, or a text, is refused before it can spoil a run.

An integrator asks for times forwards, backwards and more than once; steps are rejected, and formulas are recorded by asking once.
A function that counts its calls or remembers the last one gives another motion each time (_jit/probes.py finds out).
"""

from __future__ import annotations

from dalembert._jit import probes
from dalembert.errors import ModelError

CURE = ("a law must give the same for the same arguments, whenever it is asked: let it depend on them only, write what it "
        "remembers as a function of t or as a da.Table, and draw random numbers once, before the run")


def check_scalar(function, count: int, title: str) -> None:
    _check(lambda p: probes.scalar_value(function, p), probes.scalar_points(count), title)


def check_vector(function, sizes, title: str) -> None:
    _check(lambda p: probes.vector_value(function, p, sizes[2]), probes.vector_points(sizes), title)


def _check(ask, points, title: str) -> None:
    try:
        found = probes.memory(ask, points)
    except probes.Text as error:
        raise ModelError(f"{title}: its function gives a text where a number is wanted ({error}); let it give a number, for "
                         "instance float(...) of what was read from a file") from None
    if found:
        raise ModelError(f"{title}: its function has a memory ({found}); {CURE}")
