"""Models whose laws in Python were lost on the way to a file.

A file says that there was a function, and its name; the model read from it holds ``Lost`` in its place and refuses to be
compiled.  To read the states of a saved run only the layout is needed: ``parted`` puts zeros in place of what was lost.
"""

from __future__ import annotations

from dalembert.model.law import Lost


def parted(model, lost):
    """The same bodies, rows and element numbers, with zero laws where functions were."""
    other = model.copy()
    for name in lost:
        other.elements[name] = other.elements[name].without_functions(_zero, model.dim)
    return other


def _zero(value):
    if isinstance(value, Lost):
        return 0.0
    return tuple(map(_zero, value)) if isinstance(value, (tuple, list)) else value
