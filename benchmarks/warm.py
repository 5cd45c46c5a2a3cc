"""Compile whatever the benchmarks run before the first clock starts: a worker that had to compile would be ended as one that hangs."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import dalembert
from dalembert._jit import MODE, objects, shipped

ROOMS = ("equations", "formulations", "integrators", "robotics", "analyses", "results")  # contacts have a run of their own
NOT_HERE = ("contact", "rubbing", "render")


def groups() -> dict[str, str]:
    """Groups of kernels and the modules that make them."""
    for room in ROOMS:
        package = importlib.import_module(f"dalembert.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return {e.group: e.module for e in objects.ENTRIES.values() if not any(word in e.group for word in NOT_HERE)}


def warm(announce: Callable[[str], None]) -> None:
    if MODE == "python" or isinstance(shipped.opened(), shipped.Shipped):
        return
    folder = objects.cache_folder()
    missing = {g: m for g, m in groups().items() if not isinstance(objects._fresh(folder, g), tuple)}
    if missing:
        announce(f"compiling {len(missing)} groups of kernels (this is not measured)")
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(objects._object_file, missing, missing.values()))


if __name__ == "__main__":
    print(dalembert.__version__, groups())
