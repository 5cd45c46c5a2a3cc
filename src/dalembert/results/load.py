"""load: a saved result."""

from __future__ import annotations

import os

from dalembert.results.run import Run


def load(path: str | os.PathLike[str], verify: bool = True) -> Run:
    """The run saved by ``run.save(path)``.

    Parameters
    ----------
    path : path
        The file (.h5).
    verify : bool, default True
        Refuse a file that another program has changed since; False reads it.

    Returns
    -------
    Run
        With its model; what it can be asked is what it could be asked before.
    """
    from dalembert.results.files.store import read

    return read(path, verify)
