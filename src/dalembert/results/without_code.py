"""Models whose laws in Python were lost on the way to a file.

A file says that there was a function, and its name; the model read from it holds ``Lost`` in its place and refuses to be
compiled.  To read the states of a saved run only the layout is needed: ``parted`` puts zeros in place of what was lost.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.forces.elements import Force, UserForce
from dalembert.model.law import Lost


def parted(model, lost):
    """The same bodies, rows and element numbers, with zero laws where functions were."""
    other = model.copy()
    for name in lost:
        other.elements[name] = _without(other.elements[name], model.dim)
    return other


def _without(element: Element, dim: int) -> Element:
    given = element.given
    if isinstance(element, UserForce):
        place = {k: given[k] for k in ("at", "on") if k in given}
        return Force(element.name, given["body"], (0.0,) * dim, **place)
    return type(element)(**{k: _zero(v) for k, v in given.items()})


def _zero(value):
    if isinstance(value, Lost):
        return 0.0
    return tuple(map(_zero, value)) if isinstance(value, (tuple, list)) else value
