"""load: a saved result."""

from __future__ import annotations

import os

from dalembert.results.run import Run


def load(path: str | os.PathLike[str], verify: bool = True) -> Run:
    """The run saved by ``run.save(path)``; ``verify=False`` reads a file that another program has changed since."""
    from dalembert.results.files.store import read

    return read(path, verify)
