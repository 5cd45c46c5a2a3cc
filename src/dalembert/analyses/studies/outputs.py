"""What a sweep keeps of each result: a function of it, or a channel in words.

    "A.force"            the channel over time             "last A.force"    its value at the end
    "max A.force"        also min, mean, rms, range, sum, integral (over time); of a vector channel: of its length (norm)
    "crank.position.x"   one component                     "energy.total", "certificate.position_error", "value": attributes
    ("integral", lambda run: run["motor"].torque ** 2)         a word and a function that gives an array over the samples

Channels are called as in tables and files (results/channels/reading.py); besides, any attribute of a result can be named.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError, DalembertError, hint
from dalembert.results.channels.reading import columns, names
from dalembert.results.motion import Motion

REDUCTIONS: dict[str, Callable[[np.ndarray], Any]] = {
    "last": lambda x: x[-1],
    "first": lambda x: x[0],
    "max": lambda x: np.max(x),
    "min": lambda x: np.min(x),
    "mean": lambda x: np.mean(x),
    "rms": lambda x: np.sqrt(np.mean(np.square(x))),
    "range": lambda x: np.ptp(x),
    "sum": lambda x: np.sum(x),
}
WORDS = (*REDUCTIONS, "integral")
COMPONENTS = {"x": 0, "y": 1, "z": 2}


def extractors(outputs: Any) -> dict[str, Callable[[Any], Any]]:
    """A function for each output."""
    if isinstance(outputs, str):
        outputs = [outputs]
    if callable(outputs):
        raise AnalysisError("outputs= names what is read: give {'name': function or channel}, not a function alone")
    if not isinstance(outputs, Mapping):
        outputs = {str(o): o for o in outputs}
    found = {}
    for name, what in outputs.items():
        if callable(what):
            found[str(name)] = what
        elif isinstance(what, (tuple, list)) and len(what) == 2 and what[0] in WORDS and callable(what[1]):
            found[str(name)] = Reduced(*what)
        elif isinstance(what, str) and what.strip():
            found[str(name)] = Output(what)
        else:
            raise AnalysisError(f"output '{name}': give a function of the result or a channel such as \"max A.force\", or a "
                                f"pair as (\"mean\", function); words are {', '.join(WORDS)}; not {what!r}")
    return found


class Reduced:
    """A channel, which is an array over the samples, reduced to one number (last, first: to one sample)."""

    def __init__(self, reduction: str | None, function: Callable[[Any], Any]):
        self.reduction, self.function = reduction, function

    def channel(self, result: Any) -> Any:
        return self.function(result)

    def __repr__(self):
        return f"Reduced({self.reduction!r}, {self.function!r})"

    def __call__(self, result: Any) -> Any:
        values = self.channel(result)
        if self.reduction is None:
            return values
        values = np.asarray(values, dtype=float)
        if getattr(result, "single", False):  # one state: no time to reduce over
            return values if self.reduction in ("last", "first") else np.linalg.norm(values)
        if values.ndim > 1 and self.reduction not in ("last", "first"):
            values = np.linalg.norm(values, axis=-1)
        if values.ndim == 0:
            return values
        if self.reduction == "integral":
            return 0.5 * np.sum(np.diff(result.t) * (values[1:] + values[:-1]))
        return REDUCTIONS[self.reduction](values)

    def slope(self, values: np.ndarray, t: np.ndarray) -> np.ndarray:
        """∂ result/∂ channel: numbers of the result × samples × numbers of one sample."""
        n, word = len(values), self.reduction
        flat = values.reshape(n, -1)
        if word in ("last", "first"):
            out = np.zeros((flat.shape[1], n, flat.shape[1]))
            out[:, -1 if word == "last" else 0] = np.eye(flat.shape[1])
            return out
        x = np.linalg.norm(flat, axis=1) if values.ndim > 1 else flat[:, 0]
        weight = np.zeros(n)
        if word in ("max", "range"):
            weight[np.argmax(x)] += 1.0
        if word in ("min", "range"):
            weight[np.argmin(x)] += 1.0 if word == "min" else -1.0
        if word in ("mean", "sum"):
            weight[:] = 1.0 / n if word == "mean" else 1.0
        elif word == "rms":
            weight[:] = x / (n * max(float(np.sqrt(np.mean(x * x))), 1e-300))
        elif word == "integral":
            weight[:-1] += 0.5 * np.diff(t)
            weight[1:] += 0.5 * np.diff(t)
        inner = flat / np.maximum(x, 1e-300)[:, None] if values.ndim > 1 else np.ones((n, 1))
        return (weight[:, None] * inner)[None]

    def moment(self, values: np.ndarray) -> float:
        """∂ result/∂ the time of the last sample, the channel kept."""
        if self.reduction != "integral" or len(values) < 2:
            return 0.0
        x = np.linalg.norm(values, axis=-1) if values.ndim > 1 else values
        return float(0.5 * (x[-1] + x[-2]))


class Output(Reduced):
    """A channel in words, as a function of a result."""

    def __init__(self, text: str):
        self.text = text
        word, _, rest = text.strip().partition(" ")
        self.reduction = word if word in WORDS and rest.strip() else None
        self.path = (rest if self.reduction else text).strip()

    def __repr__(self):
        return f"Output({self.text!r})"

    def channel(self, result: Any) -> Any:
        name, _, rest = self.path.partition(".")
        here = result
        parts = self.path.split(".")
        if hasattr(result, "__contains__") and not isinstance(result, (np.ndarray, str)) and name in result:
            here = result[name]
            parts = rest.split(".") if rest else []
        for part in parts:
            if part in COMPONENTS and isinstance(here, np.ndarray) and here.ndim:
                if COMPONENTS[part] >= here.shape[-1]:
                    raise AnalysisError(f"output '{self.text}': there is no '{part}', only "
                                        f"{', '.join(list(COMPONENTS)[:here.shape[-1]])}")
                here = here[..., COMPONENTS[part]]
            elif hasattr(here, part):
                here = getattr(here, part)
            else:
                return self._channel(result, _missing(part, here, result, name))
        return here

    def _channel(self, result: Any, otherwise: str) -> Any:
        """What tables call so: short names, lengths of vectors, rows of multipliers."""
        if isinstance(result, Motion):
            try:
                (found,) = columns(result, self.path)
                return result.shape(found.values)
            except (AnalysisError, ValueError):
                pass
        raise AnalysisError(f"output '{self.text}': {otherwise}")


def units(wanted: Mapping[str, Any], model: Callable[[], Any]) -> dict[str, str]:
    """Units of the outputs that are channels of a model."""
    found: dict[str, str] = {}
    asked = {label: what.path for label, what in wanted.items() if isinstance(what, Output)}
    if not asked:
        return found
    try:
        made = model()
        system = made.compile()
    except DalembertError:
        return found  # a variant that cannot be built says so in its row
    for label, path in asked.items():
        with contextlib.suppress(AnalysisError):
            listed = {unit for _, unit in names(made, system, path)}
            if len(listed) == 1:
                found[label] = listed.pop()
    return found


def _missing(part: str, here: Any, result: Any, name: str) -> str:
    """What is not there, in the user's words, and what is near to it."""
    known = [k for k in dir(here) if not k.startswith("_")]
    if here is not result:
        return f"'{name}' has no '{part}'{hint(part, known)}"
    if hasattr(result, "system"):
        known = [*result.system.bodies, *result.model.elements, *known]
    word, _, rest = part.partition(" ")
    if rest in known:  # before a channel stands what is made of it
        return f"'{word}' is none of the words that may stand before a channel: {', '.join(WORDS)}"
    return f"there is no '{part}' in the result{hint(part, known)}"


def plain(value: Any) -> Any:
    """A number, string or nested list of numbers: what a journal and a table can hold."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    raise AnalysisError(f"an output must be a number or an array of numbers, got {type(value).__name__}")
