"""What results can do for tables: channels by name, CSV, pandas, xarray, Parquet.  Mixed into every motion and state."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dalembert.results.channels.listing import Channels

if TYPE_CHECKING:
    import pandas
    import xarray

Asked = str | Iterable[str] | None


class Tabled:
    """Tables of a motion.  ``channels``: names or patterns such as "A.force", "*.coordinate", "energy.*"; None stands for all."""

    def channels(self, *asked: str) -> Channels:
        """The channels of that name or pattern (without one: all), with units and values; printed it is a list."""
        return Channels(self, asked or None)

    def to_csv(self, path: str | os.PathLike[str], channels: Asked = None, *, units: bool = True) -> None:
        """Text: a header row as "A.force.x [N]" (units=False: "A.force.x"), then one row per sample, time first."""
        from dalembert.results.files import csv

        csv.write(self, path, channels, units)

    def to_parquet(self, path: str | os.PathLike[str], channels: Asked = None) -> None:
        """The same table as a Parquet file, units in its schema (needs pyarrow: pip install 'dalembert[tables]')."""
        from dalembert.results.files import data_frames

        data_frames.write_parquet(self, path, channels)

    def to_pandas(self, channels: Asked = None) -> pandas.DataFrame:
        """The same as a pandas DataFrame over t; units in ``frame.attrs["units"]`` (needs pandas)."""
        from dalembert.results.files import data_frames

        return data_frames.to_pandas(self, channels)

    def to_xarray(self, channels: Asked = None) -> xarray.Dataset:
        """Vectors whole, as an xarray Dataset with a unit on each variable (needs xarray)."""
        from dalembert.results.files import data_frames

        return data_frames.to_xarray(self, channels)


def rows_of(motions: Iterable[Any], channels: Asked = None) -> tuple[list[tuple[str, str]], list[list[float]]]:
    """Several states of one model as one table: (name, unit) of the columns, and a row of numbers for each."""
    from dalembert.results.channels.reading import columns

    head: list[tuple[str, str]] = []
    rows = []
    for motion in motions:
        found = columns(motion, channels)
        head = head or [(c.name, c.unit) for c in found]
        rows.append([float(c.values[0]) for c in found])
    return head, rows
