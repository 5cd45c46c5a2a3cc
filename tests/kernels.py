"""Compile all groups of kernels that are not in the cache yet, one process per core, before the suite runs on several workers.

Asked for by tests, a group is compiled by one worker while the others, which run neighbouring tests, wait for the same group:
half of the machine idles.  Here no core does until the last group is being made: the large ones come first (one that is not
listed counts as small: an old list costs seconds, nothing else).
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

LARGE = ("spatial_dual8", "planar_dual8", "spatial", "planar", "contacts", "spatial_recursive", "planar_recursive", "newton",
         "adjoint", "integrators", "spatial_robotics", "contact_events")


def main() -> None:
    from dalembert._jit import shipped
    from dalembert._jit.kernels import MODE
    from dalembert._jit.objects import _object_file
    from dalembert._jit.wheel import groups

    if MODE != "object" or isinstance(shipped.opened(), shipped.Shipped) or not shipped.compiler():
        return  # Python mode, a wheel's library, or no compiler: there is nothing to make
    found = groups()
    order = [g for g in LARGE if g in found] + [g for g in found if g not in LARGE]
    with ThreadPoolExecutor(int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1) as pool:
        list(pool.map(lambda group: _object_file(group, found[group]), order))


if __name__ == "__main__":
    main()
