"""Reference numbers: small files in data, each with its source."""

import json
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference():
    """Function name → the numbers of data/name.json."""
    folder = Path(__file__).parent / "data"
    return lambda name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
