"""What an installed wheel must do in an environment without numba, llvmlite and SymPy; run by release.py, prints CPU seconds."""

import importlib.util
import math
import os
import sys
import tempfile
import time

import dalembert as da

assert da.__file__.startswith(sys.prefix), da.__file__
assert all(importlib.util.find_spec(name) is None for name in ("numba", "llvmlite", "sympy"))


def four_bar():
    m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("crank", (0, 0), (0.3, 0.4), mass=1.0))
    m.add(da.Body.rod("coupler", (0.3, 0.4), (1.3, 0.8), mass=1.0))
    m.add(da.Body.rod("rocker", (1.3, 0.8), (1.2, 0.0), mass=1.0))
    for name, i, j, at in (("A", "ground", "crank", (0, 0)), ("B", "crank", "coupler", (0.3, 0.4)),
                           ("C", "coupler", "rocker", (1.3, 0.8)), ("D", "ground", "rocker", (1.2, 0))):
        m.add(da.Revolute(name, i, j, at=at))
    return m


run = da.simulate(four_bar(), 1.0)
assert abs(run.energy.residual).max() < 1e-4
first = time.process_time()

top = da.Model("top", dim=3)
top.add(da.Body("body", mass=1.0, inertia=(1.0, 2.0, 3.0), omega=(0.01, 5.0, 0.01)))
assert da.simulate(top, 1.0).status == "complete"


def turned(law):
    """A wheel of inertia 2 turned by a moment 3 sin 2t for 1 s: its rate is (3/4)(1 − cos 2t)."""
    m = da.Model("wheel", dim=2)
    m.add(da.Body("wheel", mass=1.0, inertia=2.0))
    m.add(da.Revolute("pin", m.ground, "wheel", at=(0, 0)))
    m.add(da.Motor("motor", "pin", law))
    return da.simulate(m, 1.0, rtol=1e-10, atol=1e-12)


def broken(t):
    return 3.0 * math.sin(2.0 * t) if t < 5.0 else 0.0


exact = 0.75 * (1.0 - math.cos(2.0))
times = [k / 400 for k in range(401)]
table = da.Table(times, [3.0 * math.sin(2.0 * t) for t in times])
for law, near in (("3*sin(2*t)", 1e-9), (lambda t: 3.0 * math.sin(2.0 * t), 1e-9), (table, 1e-6), (broken, 1e-8)):
    done = turned(law)
    assert abs(done["pin"].rate[-1] - exact) < near * exact, (law, done["pin"].rate[-1], exact)
    said = str(done.certificate)
    assert ("dalembert[compile]" in said) == (law is broken), said

try:
    da.derive(four_bar())
except da.DalembertError as error:
    assert "sympy" in str(error).lower(), error
else:
    raise AssertionError("derived without SymPy")

with tempfile.TemporaryDirectory() as folder:
    run.save(os.path.join(folder, "run.h5"))
    again = da.load(os.path.join(folder, "run.h5"))
    assert (again["A"].force == run["A"].force).all()
    page = run.view(os.path.join(folder, "page.html"))
    assert page.stat().st_size > 500_000

from click.testing import CliRunner  # noqa: E402

from dalembert.cli.app import app  # noqa: E402

for words in (["--help"], ["check", "four-bar"], ["list"]):
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, "four-bar" in done.output or words == ["--help"]) == (0, True), done.output

assert not {"numba", "llvmlite", "typer", "rich"} & set(sys.modules)
print(first, time.process_time())
