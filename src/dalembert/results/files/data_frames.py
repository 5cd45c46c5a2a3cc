"""Results for pandas, xarray and Parquet, which are options: they are imported here and nowhere else.

The columns are those of the CSV file (results/channels/reading.py).  Units: ``frame.attrs["units"]``, a dict; ``attrs["unit"]``
of a variable of xarray; the metadata ``unit`` of a field in Parquet.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import FileError
from dalembert.io import atomic, endings
from dalembert.results.channels.offered import EULER
from dalembert.results.channels.reading import columns, quantities

if TYPE_CHECKING:
    import pandas
    import xarray

AXES = ["x", "y", "z"]


def to_pandas(motion, channels: Any = None) -> pandas.DataFrame:
    """DataFrame over t with a column per number: crank.position.x, A.force.y, energy.total …"""
    library = needed("pandas")
    found = columns(motion, channels)
    values = np.column_stack([c.values for c in found]) if found else np.zeros((len(np.atleast_1d(motion.t)), 0))
    frame = library.DataFrame(values, index=library.Index(np.atleast_1d(motion.t), name="t"), columns=[c.name for c in found])
    frame.attrs.update(model=motion.model.name, units={"t": "s", **{c.name: c.unit for c in found}})
    return frame


def to_xarray(motion, channels: Any = None) -> xarray.Dataset:
    """Dataset over t; variables are "crank.position", "A.force" …, with unit and description as attributes."""
    library = needed("xarray")
    t = np.atleast_1d(motion.t)
    variables: dict[str, Any] = {}
    used: set[str] = set()
    for q, values in quantities(motion, channels):
        axis = {(): None, EULER: "euler"}.get(q.parts, "axis" if q.parts[:1] == ("x",) else f"rows of {q.owner}")
        dims = ("t",) if axis is None else ("t", axis)
        used.add(axis or "t")
        variables[q.title] = (dims, values, {"unit": q.units, "description": q.words})
    coordinates: dict[str, Any] = {"t": ("t", t, {"unit": "s"})}
    if "axis" in used:
        coordinates["axis"] = AXES[: motion.system.dim]
    if "euler" in used:
        coordinates["euler"] = list(EULER)
    status = getattr(motion, "status", "state")
    return library.Dataset(variables, coords=coordinates, attrs={"model": motion.model.name, "status": status})


def write_parquet(motion, path: str | os.PathLike[str], channels: Any = None) -> None:
    """The table as a Parquet file: t and the columns of to_pandas, each with its unit and description in the schema."""
    endings.fits(path, (".parquet",), "a Parquet table")
    arrow, parquet = needed("pyarrow", "tables"), needed("pyarrow.parquet", "tables")
    found = columns(motion, channels)
    fields = [arrow.field("t", arrow.float64(), metadata={"unit": "s", "description": "time"})]
    fields += [arrow.field(c.name, arrow.float64(), metadata={"unit": c.unit, "description": c.description}) for c in found]
    arrays = [arrow.array(np.ascontiguousarray(x, dtype=float)) for x in (np.atleast_1d(motion.t), *(c.values for c in found))]
    made = arrow.Table.from_arrays(arrays, schema=arrow.schema(fields, metadata={"model": motion.model.name}))
    with atomic.replacing(path) as file:
        parquet.write_table(made, file)


def needed(package: str, extra: str = ""):
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        cure = f"'dalembert[{extra}]'" if extra else name
        raise FileError(f"this needs {name}, which is not installed: pip install {cure}") from None
