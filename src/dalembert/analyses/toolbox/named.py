"""Named: a matrix or a column of numbers whose rows and columns have names.

    K["crank.x", "λ O: translation along x"]    one entry           K["O", "crank"]    the rows of O, the columns of crank
    K[0, 3], K[:, :9]                           as in NumPy         np.asarray(K), K @ x, 2 * K    plain arrays

How it is printed, shown in a notebook and written as LaTeX: named_text.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.analyses.toolbox import named_text
from dalembert.errors import AnalysisError, hint


@dataclass(frozen=True)
class Axis:
    """Names along one side of a matrix; short ones for the heads of columns; and the blocks they fall into (title, count)."""

    names: tuple[str, ...]
    short: tuple[str, ...]
    blocks: tuple[tuple[str, int], ...]

    def __add__(self, other: Axis) -> Axis:
        return Axis(self.names + other.names, self.short + other.short, self.blocks + other.blocks)

    def __len__(self) -> int:
        return len(self.names)

    def take(self, chosen, title="") -> Axis:
        """Some of the names, as one block."""
        return Axis(tuple(self.names[k] for k in chosen), tuple(self.short[k] for k in chosen), ((title, len(chosen)),))

    def find(self, key, what) -> int | list[int] | slice | np.ndarray:
        """Place of a name; places of all names of a body or element; whatever NumPy takes as it is."""
        if not isinstance(key, str):
            return key
        if key in self.names:
            return self.names.index(key)
        if key in self.short:
            return self.short.index(key)
        found = [k for k, name in enumerate(self.names) if name.startswith((f"{key}.", f"{key}:", f"λ {key}:"))]
        if not found:
            raise AnalysisError(f"{what} has no '{key}'{hint(key, self.names)} (it has {_some(self.names)})")
        return found


def axis(names, title="", short=None) -> Axis:
    """One block of names."""
    names = tuple(names)
    return Axis(names, names if short is None else tuple(short), ((title, len(names)),))


def _some(names) -> str:
    return ", ".join(names[:12]) + (f" … {len(names)} in all" if len(names) > 12 else "") or "no names at all"


class Named(np.lib.mixins.NDArrayOperatorsMixin):
    """Numbers with names; arithmetic gives plain arrays."""

    def __init__(self, symbol: str, values, rows: Axis, columns: Axis | None = None, text: str = "", tex: str = ""):
        self.symbol, self.text, self.tex = symbol, text, tex or rf"\mathrm{{{symbol}}}"
        self.rows, self.columns = rows, columns
        self._values = np.array(values, dtype=float).reshape((len(rows),) if columns is None else (len(rows), len(columns)))
        self._values.flags.writeable = False

    @property
    def numpy(self) -> np.ndarray:
        """The numbers, a copy."""
        return self._values.copy()

    @property
    def shape(self) -> tuple[int, ...]:
        return self._values.shape

    @property
    def T(self) -> Named:
        return self if self.columns is None else Named(f"{self.symbol}ᵀ", self._values.T, self.columns, self.rows,
                                                       tex=f"{self.tex}^T")

    def __array__(self, dtype=None, copy=None):
        return self._values.astype(dtype or float)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return getattr(ufunc, method)(*(np.asarray(x) if isinstance(x, Named) else x for x in inputs), **options)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values.copy())

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) > len(self.shape):
            raise AnalysisError(f"{self.symbol} has {len(self.shape)} side(s), got {len(parts)} indices")
        if not any(isinstance(p, str) for p in parts):
            return self._values.copy()[key]
        sides = (self.rows, self.columns)
        found = [a.find(p, f"{self.symbol} (its {word})") for a, p, word in
                 zip(sides, parts, ("rows", "columns"), strict=False) if a is not None]
        out = self._values
        for k in reversed(range(len(found))):
            out = out[(slice(None),) * k + (found[k],)]
        kept = [a if k >= len(found) else a.take(found[k]) for k, a in enumerate(sides) if a is not None
                and (k >= len(found) or isinstance(found[k], list))]
        whole = all(isinstance(f, (int, list)) for f in found)
        if not whole or not kept:
            return float(out) if np.ndim(out) == 0 else np.array(out)
        return Named(self.symbol, out, kept[0], kept[1] if len(kept) > 1 else None, self.text, self.tex)

    def to_pandas(self) -> Any:
        """A DataFrame (a Series where there is one column), with the names (needs pandas)."""
        from dalembert.results.files.data_frames import needed

        pandas = needed("pandas")
        if self.columns is None:
            return pandas.Series(self._values, index=list(self.rows.names), name=self.symbol)
        return pandas.DataFrame(self._values, index=list(self.rows.names), columns=list(self.columns.names))

    def numbers(self, digits: int = 6) -> str:
        """All numbers as text, however many (``print(K)`` shows blocks and a picture where they do not fit)."""
        return "\n".join([named_text.title(self), *named_text.numbers(self, digits)]) if self._values.size else str(self)

    def latex(self, digits: int = 5, names: bool = False) -> str:
        """The matrix in brackets, with lines between its blocks; ``names`` puts them beside the rows and above the columns."""
        return named_text.latex(self, digits, names)

    def __str__(self):
        return named_text.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return named_text.html(self)
