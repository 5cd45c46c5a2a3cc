"""Every entry of the equations reads and writes what it says (equations/entries.py), nothing passes through scratch.

Per mechanism and entry, from one solved state: fields that the entry does not read are overwritten with noise, and what it writes
is bit for bit the same; fields that it does not write are bit for bit what they were.
"""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.equations.entries import READS, WRITES
from dalembert.equations.workspace import workspace
from dalembert.system.arrays import SCRATCH, STATE, Arrays

MECHANISMS = ("four-bar", "slider-crank-spring", "bricard", "rolling-disc", "whipple")
ALWAYS = {"options", "only", "t"}  # what every entry may read
NOISE = 0.37


def solved(name):
    model = catalog.make(name)
    state = da.assemble(model)
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    assert w.run("observe") == 0
    rng = np.random.default_rng(5)
    for field in ("shift", "held", "predicted", "rhs"):
        getattr(w.arrays, field)[:] = 1e-3 * rng.standard_normal(getattr(w.arrays, field).size)
    w.run("coordinates")  # a change that is one
    w.run("gradients")
    return w


def taken(w):
    return {f: getattr(w.arrays, f).copy() for f in Arrays._fields}


def given(w, fields):
    for f, x in fields.items():
        getattr(w.arrays, f)[:] = x


@pytest.fixture(scope="module", params=MECHANISMS)
def scene(request):
    w = solved(request.param)
    return w, taken(w)


@pytest.mark.parametrize("name", sorted(READS))
def test_an_entry_reads_and_writes_what_it_says(scene, name):
    w, start = scene
    given(w, start)
    assert w.run(name) in (0, 2)
    plain = taken(w)
    changed = {f for f in Arrays._fields if f not in SCRATCH and not same(plain[f], start[f])}
    assert changed <= WRITES[name], f"{name} also writes {sorted(changed - WRITES[name])}"
    given(w, start)
    for f in {*Arrays._fields} - READS[name] - ALWAYS:
        x = getattr(w.arrays, f)
        if f == "pose":
            x[: w.system.kind.POSE * w.system.nb] = NOISE  # the ground stays where it is
        elif f == "twist":
            x[: w.system.kind.TWIST * w.system.nb] = NOISE
        elif x.dtype.names is None:
            x[:] = NOISE if x.dtype.kind == "f" else 1
    w.run(name)
    noisy = taken(w)
    part = slice(None) if name in TRACKING else slice(0, w.system.running.start)
    for f in WRITES[name] - {"report"} - KEPT.get(name, set()):
        a, b = (noisy[f][part], plain[f][part]) if f == "qdot" else (noisy[f], plain[f])
        assert same(a, b), f"{f} of {name} depends on what it does not read"


TRACKING = {"accelerations", "observe", "inverse", "rates", "terms", "coordinates"}  # they find the rates of running angles too
# written in part, the rest is what was there: the blocks behind the rows of D, the rates of running angles alone
KEPT = {"events": {"D"}, "generalized_forces": {"D"}, "gradients": {"D"}, "loads": {"D"}, "closures": {"qdot"}}


def same(a, b):
    return a.tobytes() == b.tobytes()


def test_the_fields_named_exist():
    for words in (*READS.values(), *WRITES.values()):
        assert words <= {*Arrays._fields}
        assert not words & {*SCRATCH}
    assert {*STATE} <= {*Arrays._fields}


def test_options_begin_as_their_names_say():
    from dalembert import catalog
    from dalembert.equations.workspace import workspace

    s = catalog.make("four-bar").compile()
    found = workspace(s).options
    expected = {"drop": 1e-10, "residual": 1e-10, "tolerance": 1e-13 * s.size, "iterations": 25.0, "loose": 0.0,
                "dependent": float(s.nc), "poor": 1e-7, "probe": 1.0}
    assert {name: float(found[name]) for name in found.dtype.names} == expected
