"""Descriptions of other programs that become models, and models written for them: a file of this folder and one line here.

``load_model`` and every command that takes a model read what is listed; the importer's own function takes its options.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

# ending → "module:function" of this package, called with the path
IMPORTERS: dict[str, str] = {
    ".urdf": "urdf:load_urdf",
    ".xacro": "urdf:load_urdf",  # refused there, with what to do
    ".xml": "mjcf:load_mjcf",  # MJCF, or URDF by its root element
    ".mjcf": "mjcf:load_mjcf",
}

# ending → "module:function" of this package, called with the model and the path
EXPORTERS: dict[str, str] = {
    ".urdf": "urdf_writer:save_urdf",
    ".xml": "mjcf.writer:save_mjcf",
    ".mjcf": "mjcf.writer:save_mjcf",
}


def importer(file: Path) -> Any:
    """The function that reads such a file, or None."""
    place = IMPORTERS.get(file.suffix.lower())
    if place is None:
        return None
    module, _, function = place.partition(":")
    return getattr(importlib.import_module(f"dalembert.io.{module}"), function)
