"""Results for pandas and xarray, which are options: they are imported here and nowhere else."""

from __future__ import annotations

import numpy as np

from dalembert.errors import FileError
from dalembert.results.files import csv
from dalembert.results.views import channels

AXES = {2: ["x", "y"], 3: ["x", "y", "z"], 4: ["e0", "e1", "e2", "e3"]}


def to_pandas(motion):
    """DataFrame over t with the columns of the CSV file: crank.x, crank.y, crank.angle …"""
    pandas = needed("pandas")
    header, values = csv.table(motion)
    frame = pandas.DataFrame(values[:, 1:], index=pandas.Index(values[:, 0], name="t"), columns=header[1:])
    frame.attrs.update(model=motion.model.name, units="SI, rad")
    return frame


def to_xarray(motion):
    """Dataset over t; variables are "crank.position", "A.force" …, with unit and description as attributes."""
    xarray = needed("xarray")
    t = np.atleast_1d(motion.t)
    variables = {}
    for part in (channels.bodies(motion), channels.elements(motion)):
        for name, found in part.items():
            for channel, (values, unit, words) in found.items():
                values = np.asarray(values).reshape(len(t), *np.shape(values)[1:] if len(t) > 1 else np.shape(values)[-1:])
                dims = ("t",) if values.ndim == 1 else ("t", _axis(channel, values.shape[1], name))
                variables[f"{name}.{channel}"] = (dims, values, {"unit": unit, "description": words})
    coordinates = {"t": ("t", t, {"unit": "s"}), "axis": AXES[motion.system.dim]}
    if motion.system.dim == 3:
        coordinates["euler"] = AXES[4]
    return xarray.Dataset(variables, coords=coordinates, attrs={"model": motion.model.name, "status": motion.status})


def _axis(channel: str, size: int, name: str) -> str:
    if channel == "multipliers":
        return f"rows of {name}"
    return "euler" if channel == "quaternion" else "axis"


def needed(package: str):
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        raise FileError(f"this needs {package}, which is not installed: pip install {package}") from None
