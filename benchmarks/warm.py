"""Compile what the benchmarks run before the first clock starts: a worker that compiles would be ended as one that hangs."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from dalembert._jit import MODE, objects, shipped
from dalembert._jit.wheel import groups

ELSEWHERE = ("contact", "rubbing", "render")  # groups that no benchmark here runs


def warm(announce: Callable[[str], None]) -> None:
    if MODE == "python" or isinstance(shipped.opened(), shipped.Shipped) or not shipped.compiler():
        return
    folder = objects.cache_folder()
    wanted = {group: module for group, module in groups().items() if not any(word in group for word in ELSEWHERE)}
    missing = {group: module for group, module in wanted.items() if not isinstance(objects._fresh(folder, group), tuple)}
    if missing:
        announce(f"compiling {len(missing)} groups of kernels (this is not measured)")
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(objects._object_file, missing, missing.values()))
