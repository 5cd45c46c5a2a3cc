"""What the numbers of a sweep depend on: a journal is taken up by the same sweep only.

    model        fingerprint of the description; code of a function that makes the model, and of elements of the user's own
    analysis     its name, and its code where it is not of this package
    arguments    all of them by name, defaults filled in: rtol, integrator, times …
    outputs      channels in words; functions by code, constants, defaults, closures and what they name (io/functions.py)
    variants     the values of all parameters
    versions     of dalembert (with a digest of its sources: numbers change with the code, not with a release) and of NumPy
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from pathlib import Path
from typing import Any

import numpy as np

import dalembert
from dalembert.analyses.studies.outputs import Output
from dalembert.io.document import fingerprint, registry
from dalembert.io.functions import identified
from dalembert.model.model import Model


def key(job: Any) -> dict[str, Any]:
    """The key of a sweep, as plain values."""
    return {"model": _model(job.model), "analysis": _said(job.analysis), "arguments": _arguments(job),
            "outputs": {k: _said(v) for k, v in job.wanted.items()}, "parameters": list(job.rows[0]),
            "variants": _rows(job), "versions": _versions()}


def _rows(job: Any) -> list[list[float]]:
    """Values of all variants by the names of the first: another one may have them in another order."""
    return [[row[name] for name in job.rows[0]] for row in job.rows]


def first_key(job: Any) -> dict[str, Any] | None:
    """The key as format 1 had it; None where a function of the user's own is in it, whose code it did not hold."""
    used = [job.analysis, *job.args, *job.options.values(), *job.wanted.values()]
    if not isinstance(job.model, Model) or _own_elements(job.model) or any(
            callable(x) and not isinstance(x, Output) and not _of_dalembert(x) for x in used):
        return None
    return {"model": fingerprint(job.model), "analysis": _named(job.analysis), "args": [_named(a) for a in job.args],
            "options": {k: _named(v) for k, v in job.options.items()}, "outputs": {k: _named(v) for k, v in job.wanted.items()},
            "parameters": list(job.rows[0]), "variants": _rows(job)}


def _model(model: Any) -> str:
    if not isinstance(model, Model):
        return _said(model)
    own = _own_elements(model)
    return fingerprint(model) + (f" {identified(own)}" if own else "")


def _own_elements(model: Model) -> list[type]:
    """Classes of elements that do not belong to the package, in order of their names."""
    known = registry()
    found = {type(e) for e in (*model.bodies.values(), *model.elements.values())}
    return sorted((c for c in found if known.get(c.__name__) is not c and not c.__module__.startswith("dalembert.")),
                  key=lambda c: c.__qualname__)


def _arguments(job: Any) -> dict[str, Any]:
    """Arguments of the analysis behind the model, by name."""
    try:
        bound = inspect.signature(job.analysis).bind(None, *job.args, **job.options)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
    except (TypeError, ValueError):  # no signature, or one that will complain in every variant
        given = {**{str(k): a for k, a in enumerate(job.args)}, **job.options}
    return {k: _said(v) for k, v in given.items()}


def _said(value: Any) -> Any:
    if isinstance(value, Output):
        return value.text
    if callable(value):
        return _named(value) if _of_dalembert(value) else f"{_named(value)} {identified(value)}"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Model):
        return _model(value)
    return identified(value)


def _named(value: Any) -> Any:
    if isinstance(value, Output):
        return value.text
    if callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__name__)}"
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def _of_dalembert(value: Any) -> bool:
    """A function of the package, by itself or wrapped by the package: a wrapper may be anybody's, whatever it is called."""
    inner = inspect.unwrap(value) if inspect.isfunction(value) else value
    return (inspect.isfunction(inner) and inner.__module__.startswith("dalembert.") and inner.__closure__ is None
            and value.__globals__["__name__"].startswith("dalembert."))


def _versions() -> dict[str, str]:
    return {"dalembert": f"{dalembert.__version__} {_sources()}", "numpy": np.__version__}


@functools.cache
def _sources() -> str:
    """Digest of the package's own sources."""
    root = Path(dalembert.__file__).parent
    found = hashlib.blake2b(digest_size=6)
    for file in sorted(root.rglob("*.py")):
        found.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return found.hexdigest()
