"""What a result was made from: the fingerprint of the model, and the versions of what computed it."""

from __future__ import annotations

import platform
from functools import cache

import numpy as np


def model_hash(model) -> str:
    """Fingerprint of the description: same model text, same hash."""
    from dalembert.io.document import fingerprint

    return fingerprint(model)


def versions() -> dict[str, str]:
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    import dalembert

    return {"dalembert": dalembert.__version__, "numpy": np.__version__, "python": platform.python_version()}
