"""Parameters of a model that is stepped: a mapping whose every way of setting changes the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from dalembert.elements.given import Number
from dalembert.errors import AnalysisError


class Parameters(MutableMapping[str, Any]):
    """Values of the model's parameters; setting one changes the model that is stepped."""

    def __init__(self, values: dict[str, Any], change: Callable[[str, Number], None]):
        self._values, self._change = values, change

    def __setitem__(self, name: str, value: Number) -> None:
        self._change(name, value)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __delitem__(self, name: str) -> None:
        raise AnalysisError(f"parameter '{name}' cannot be taken away")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self):
        return repr(self._values)
