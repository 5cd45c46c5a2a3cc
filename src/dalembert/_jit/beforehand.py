"""Compiling what the cache lacks before it is asked for, a process per core: ``python -m dalembert._jit.beforehand [cores]``.

Asked for by tests, a group is compiled by one worker while the others, which run neighbouring tests, wait for the same group:
half of the machine idles; a benchmark's worker that compiles would be ended as one that hangs.  Here no core idles until the last
group is being made: the large ones come first (one that is not listed counts as small: an old list costs seconds, nothing else).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from . import objects, shipped
from .kernels import MODE
from .wheel import groups

LARGE = ("spatial_dual8", "planar_dual8", "spatial", "planar", "contacts", "spatial_recursive", "planar_recursive", "newton",
         "adjoint", "integrators", "spatial_robotics", "contact_events")


def make(cores: int | None = None, without: tuple[str, ...] = (), say: Callable[[str], None] = lambda text: None) -> list[str]:
    """The groups that were compiled, in the order in which they were begun: all that are missing or older than their sources,
    but those with a word of ``without`` in their names."""
    if MODE != "object" or isinstance(shipped.opened(), shipped.Shipped) or not shipped.compiler():
        return []  # Python mode, a wheel's library, or no compiler: there is nothing to make
    folder, found = objects.cache_folder(), groups()
    order = [g for g in LARGE if g in found] + [g for g in found if g not in LARGE]
    missing = [g for g in order if not any(word in g for word in without) and not isinstance(objects.fresh(folder, g), tuple)]
    if missing:
        say(f"compiling {len(missing)} groups of kernels (this is not measured)")
        with ThreadPoolExecutor(cores or os.cpu_count() or 1) as pool:
            list(pool.map(lambda group: objects.object_file(group, found[group]), missing))
    return missing


if __name__ == "__main__":
    make(int(sys.argv[1]) if len(sys.argv) > 1 else None)
