"""What hostile surroundings cost, in figures: ``python benchmarks/neighbours.py [NAME ...]`` (all of them without a name).

    law        second run with the same law beside a run without one, and a later process      CPU ms
    same       so many models with the same law: memory after the first tenth and at the end       --same 2000
    laws       so many different laws: memory of the process                                         --laws 2000
    steps      a million steps                                                               --steps 1000000
    joints     ten thousand joints between two bodies                                        --joints 10000
    sweep      so many variants, killed (SIGKILL) again and again, resumed                           --variants 10000
"""

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dalembert as da
from dalembert.errors import DalembertError


def megabytes() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def wheel(law):
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("disc", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "disc", at=(0, 0)))
    m.add(da.Motor("T", "O", law))
    return m


def step(t):
    return 1.0 if t < 0.5 else 0.25


def cpu(call, count=30):
    """Least and median CPU milliseconds of this process."""
    found = []
    for _ in range(count):
        begin = time.process_time()
        call()
        found.append(1e3 * (time.process_time() - begin))
    return min(found), statistics.median(found)


LATER = """
import time, sys
sys.path.insert(0, {here!r})
import neighbours as n
n.da.simulate(n.wheel("1 - 3*t"), 0.2)
begin = time.process_time()
n.da.simulate(n.wheel(n.step), 0.2)
first = 1e3 * (time.process_time() - begin)
print(first - n.cpu(lambda: n.da.simulate(n.wheel(n.step), 0.2))[0])
"""


def law(options):
    """All that is done for a law beside the run: asked twice, found again, compared before and after (law_check.py)."""
    from dalembert._jit import laws as kept
    from dalembert.analyses.simulation import law_check
    from dalembert.model import purity

    spent = [0.0]

    def timed(place, name):
        real = getattr(place, name)

        def call(*args):
            begin = time.process_time()
            try:
                return real(*args)
            finally:
                spent[0] += 1e3 * (time.process_time() - begin)

        setattr(place, name, call)

    for place, name in ((purity, "check_scalar"), (kept, "find"), (law_check, "before"), (law_check, "after")):
        timed(place, name)
    found = []
    for _ in range(30):
        spent[0] = 0.0
        da.simulate(wheel(step), 0.2)
        found.append(spent[0])
    print(f"law: first {found[0]:.1f} ms, then {min(found[1:]):.2f} ms least, {statistics.median(found[1:]):.2f} median")
    text = LATER.format(here=str(Path(__file__).parent))
    later = [float(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout)
             for _ in range(5)]
    print(f"law: first run in a later process {min(later):.1f} ms least, {statistics.median(later):.1f} median beyond the next")


def same(options):
    marks = []
    for k in range(options.same):
        da.simulate(wheel(step), 0.05)
        if k + 1 in (1, options.same // 10, options.same // 2, options.same):
            marks.append(f"{k + 1}: {megabytes():.1f}")
    print(f"same law: MB after models {', '.join(marks)}")


def laws(options):
    marks = []
    for k in range(options.laws):
        da.simulate(wheel(eval(f"lambda t: {k}.5 if t < 0.5 else 0.25")), 0.05)
        if k + 1 in (1, 50, options.laws // 4, options.laws // 2, options.laws):
            marks.append(f"{k + 1}: {megabytes():.1f}")
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    print(f"different laws: MB after {', '.join(marks)}; largest compiling process {children:.0f} MB")


def steps(options):
    m = da.Model("spring", dim=2, gravity=(0, 0))
    m.add(da.Body("mass", mass=1, inertia=1, position=(1, 0)))
    m.add(da.Spring("s", m.ground, "mass", at_i=(0, 0), at_j=(1, 0), stiffness=1.0, length=0.5))
    begin = time.process_time()
    run = da.simulate(m, 1e-3 * options.steps, fixed_step=1e-3, integrator="rk5", times=[1e-3 * options.steps],
                      max_steps=2 * options.steps)
    print(f"steps: {run.stats.get('steps')}, {time.process_time() - begin:.1f} s CPU, {megabytes():.0f} MB, {run.status}")


def joints(options):
    m = da.Model("crowd", dim=3)
    m.add(da.Body("door", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    begin = time.process_time()
    for k in range(options.joints):
        m.add(da.Revolute(f"hinge {k}", "ground", "door", at=(0, 0, 0), axis=(0, 0, 1)))
    try:
        said = str(da.simulate(m, 0.1).status)
    except DalembertError as error:
        said = f"refused: {str(error)[:90]}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"joints: {options.joints}: {said} ({time.process_time() - begin:.1f} s CPU, {peak:.0f} MB at most)")


SWEPT = """
import sys
sys.path.insert(0, {here!r})
import neighbours
neighbours.swept({path!r}, {count})
"""


def swept(path, count):
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81), parameters={"l": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    return da.sweep(m, {"l": [0.5 + 1e-4 * k for k in range(count)]}, da.simulate, 0.05, times=[0.05],
                    outputs={"angle": "last rod.angle"}, save=path, workers=1)


def sweep(options):
    kills = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j.jsonl"
        code = SWEPT.format(here=str(Path(__file__).parent), path=str(path), count=options.variants)
        while True:
            before = path.stat().st_size if path.exists() else 0
            child = subprocess.Popen([sys.executable, "-c", code])
            while child.poll() is None and kills < 5:  # each time when a sixth more is there
                time.sleep(0.05)
                if path.exists() and path.stat().st_size > before + 85 * options.variants / 6:
                    child.send_signal(signal.SIGKILL)
                    kills += 1
                    break
            if child.wait() == 0:
                break
        rows = [json.loads(line)["k"] for line in path.read_bytes().splitlines()[1:]]
    print(f"sweep: {options.variants} variants, {kills} kills, {len(rows)} rows, every one once: "
          f"{sorted(rows) == list(range(options.variants))}")


NAMES = {f.__name__: f for f in (law, same, laws, steps, joints, sweep)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []])
    for name, count in (("same", 2000), ("laws", 2000), ("steps", 10**6), ("joints", 10**4), ("variants", 10**4)):
        parser.add_argument(f"--{name}", type=int, default=count)
    given = parser.parse_args()
    for name in given.names or NAMES:
        if len(given.names) == 1:
            NAMES[name](given)
        else:  # each in a process of its own, for its memory
            subprocess.run([sys.executable, __file__, name, *[f"--{k}={v}" for k, v in vars(given).items() if k != "names"]],
                           check=True, env=os.environ)
