"""Sweep of four-bar variants (10 s each, rtol 1e-4): variants per second on one and two cores.

    python benchmarks/sweep.py [variants]

The four-bar is the benchmark library's A02 with one window and everything in formulas of parameters: link length, masses, speed.
"""

import os
import sys
import time

import dalembert as da


def four_bar():
    """A02 with one window: four parameters, all places as formulas."""
    m = da.Model("four-bar", dim=2, gravity=(0, -9.81), parameters={"l": 1.0, "mc": 1.0, "mr": 1.0, "rate": -1.0})
    m.add(da.Body.rod("left", (0, 0), (0, "l"), mass="mc"))
    m.add(da.Body.rod("right", (1, 0), (1, "l"), mass="mc"))
    m.add(da.Body.rod("coupler", (0, "l"), (1, "l"), mass="mr"))
    m.add(da.Revolute("A", m.ground, "left", at=(0, 0)))
    m.add(da.Revolute("D", m.ground, "right", at=(1, 0)))
    m.add(da.Revolute("B", "left", "coupler", at=(0, "l")))
    m.add(da.Revolute("C", "coupler", "right", at=(1, "l")))
    m.initial("A", rate="rate")
    return m


RANGES = {"l": (0.8, 1.2), "mc": (0.5, 2.0), "mr": (0.5, 2.0), "rate": (-2.0, -0.5)}


def cpu():
    """CPU seconds of this process and of those it waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measure(count, workers):
    begin, used = time.perf_counter(), cpu()
    table = da.sweep(four_bar(), RANGES, da.simulate, 10.0, times=[10.0], rtol=1e-4, sampling="latin", count=count,
                     outputs={"angle": "last left.angle"}, workers=workers)
    seconds = time.perf_counter() - begin
    return count / seconds, count / (cpu() - used), len(table.failed)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    measure(20, 1)
    for workers in (1, 2, 1, 2, 1):
        rate, per_cpu, failed = measure(count, workers)
        print(f"{workers} workers: {rate:.0f} variants/s by the clock, {per_cpu:.0f} per second of CPU, {failed} failed")
