"""Compiling before it is asked for: all groups that a large job will need, one per core at a time.

``prepare`` (objects.py) does this for the two groups of a first simulation.  A job of many mechanisms knows more of them from the
start; asked for one by one, they would be compiled one after the other, and the other cores would wait.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from .kernels import MODE
from .objects import _LOADED, Entry, _object_file
from .shipped import find
from .store import cache_folder


def compile_all(entries: list[Entry], cores: int) -> list[str]:
    """Compile the groups of these entries that this machine has not compiled yet, in their order; names of those groups."""
    groups = {e.group: e.module for e in entries if e.group not in _LOADED}
    if MODE == "python":
        return []
    folder = cache_folder()
    missing = {g: m for g, m in groups.items() if not (folder / f"{g}.json").exists() and find(g) is None}
    with ThreadPoolExecutor(max(1, cores)) as pool:  # threads: each waits for a process that compiles
        list(pool.map(_object_file, missing, missing.values()))
    return list(missing)
