"""SweepTable: what a sweep found.  One row per variant, one column per parameter and output; rows that failed say why."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import AnalysisError, hint
from dalembert.io.cells import cell
from dalembert.results.files.csv import heading, write_rows
from dalembert.results.notebook import table

SHOWN = 50  # rows in a notebook

if TYPE_CHECKING:
    import pandas


class SweepTable:
    """many["peak"] is an array (nan where a variant failed), many[3] a row, many.failed the rows that failed.

    Attributes
    ----------
    parameters, outputs : list of names
        What was varied, and what was kept; ``columns`` is both.
    rows : list of dicts
        Values of the parameters of each variant; ``put`` adds what came out of one.
    results : list or None
        Whole results, where no outputs were asked for.
    """

    def __init__(self, parameters: list[str], outputs: list[str], rows: list[dict[str, Any]],
                 units: dict[str, str] | None = None):
        self.parameters, self.outputs, self.rows = parameters, outputs, rows
        self.units: dict[str, str] = units or {}  # of outputs that are channels
        self.known: dict[int, dict[str, Any] | str] = {}
        self.results: list | None = None

    def put(self, k: int, out: dict[str, Any] | str) -> None:
        self.known.setdefault(k, out)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Variants without an answer: number, parameters, message."""
        return [{"k": k, **self.rows[k], "message": out} for k, out in sorted(self.known.items()) if isinstance(out, str)]

    @property
    def columns(self) -> list[str]:
        return [*self.parameters, *(o for o in self.outputs if o not in self.parameters)]

    def __getitem__(self, key: int | str) -> Any:
        if isinstance(key, (int, np.integer)):
            out = self.known.get(range(len(self))[key], "not computed")
            return {**self.rows[key], **(out if isinstance(out, dict) else {"message": out})}
        if key in self.outputs:
            return _column([out[key] if isinstance(out, dict) else None for out in
                            (self.known.get(k, "") for k in range(len(self)))])
        if key in self.parameters:
            return _column([row[key] for row in self.rows])
        raise AnalysisError(f"the table has no column '{key}'{hint(str(key), self.columns)} (it has {', '.join(self.columns)})")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[k] for k in range(len(self)))

    def to_csv(self, path: str | os.PathLike[str], *, units: bool = True) -> None:
        """Numbers as they are, arrays as JSON; units of channels in the header; the last column says why a variant failed."""
        header = [heading(c, self.units[c]) if units and c in self.units else c for c in self.columns]
        write_rows(path, [*header, "message"], ([_cell(row.get(c)) for c in (*self.columns, "message")] for row in self))

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame (needs pandas); units of channels in ``frame.attrs["units"]``."""
        from dalembert.results.files.data_frames import needed

        frame = needed("pandas").DataFrame([{c: row.get(c) for c in (*self.columns, "message")} for row in self])
        frame.attrs["units"] = dict(self.units)
        return frame

    def _repr_html_(self) -> str:
        """How a notebook shows it: the first variants as a table, units in the header."""
        head = [heading(c, self.units[c]) if c in self.units else c for c in self.columns]
        rows = [[_brief(x) if isinstance(x := row.get(c, row.get("message", "")), list) else x for c in self.columns]
                for row in list(self)[:SHOWN]]
        notes = [f"… and {len(self) - SHOWN} more"] if len(self) > SHOWN else []
        notes += [f"variant {f['k']} failed: {f['message']}" for f in self.failed[:8]]
        return table(head, rows, f"sweep of {len(self)} variants over {', '.join(self.parameters)}", notes)

    def __repr__(self):
        head = f"sweep of {len(self)} variants over {', '.join(self.parameters)}: {len(self.known)} computed"
        lines = [f"{head}, {len(self.failed)} failed"]
        for row in list(self)[:8]:
            lines.append("  " + ", ".join(f"{k}={_brief(v)}" for k, v in row.items()))
        if len(self) > 8:
            lines.append(f"  … and {len(self) - 8} more")
        return "\n".join(lines)


def _column(values: list) -> np.ndarray:
    filled = [x for x in values if x is not None]
    shape = np.shape(filled[0]) if filled else ()
    if any(isinstance(x, str) for x in filled) or any(np.shape(x) != shape for x in filled):
        out = np.empty(len(values), dtype=object)
        out[:] = values
        return out
    return np.array([np.full(shape, np.nan) if x is None else x for x in values])


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return cell(value)
    return json.dumps(value) if isinstance(value, (list, tuple)) else "" if value is None else value


def _brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return text if len(text) < 60 else text[:57] + "…"
