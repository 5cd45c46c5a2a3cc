"""Many parameters carried beside each other: the same derivatives as group by group; alone where forces jump."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived import forward
from dalembert.analyses.derived.forward import together

FINE = {"rtol": 1e-10, "atol": 1e-12}


def names_of(model, most):
    return [n for n, x in model.parameters.items() if not isinstance(x, str) and x][:most]


@pytest.mark.parametrize(("name", "until", "count"), [("four-bar-springs", 1.0, 12), ("andrews", 0.02, 20), ("whipple", 0.5, 19)])
def test_the_same_as_group_by_group(name, until, count, monkeypatch):
    """Positions, velocities, reactions, energies; loops, rows of velocities, space."""
    model = catalog.make(name)
    names, found = names_of(model, count), []
    assert len(names) > WIDTH
    for many in (6, 1):
        monkeypatch.setattr(forward, "MANY", many)
        run = da.simulate(model, until, times=[0.5 * until, until], formulation="augmented", **FINE)
        s = da.sensitivities(model, names, da.simulate, until, times=[0.5 * until, until], formulation="augmented", **FINE,
                             method="forward")
        joint = next(n for n, e in run.model.elements.items() if e.kind == "joint")
        found.append({n: [d["q"], d["v"], d["ledger"], s.derivative(n)[joint].force, s.derivative(n).energy.kinetic]
                      for n in names for d in [s._derivatives[n]._tangents]})
    for n in names:
        for a, b in zip(*(f[n] for f in found), strict=True):
            assert np.abs(a - b).max() <= 3e-7 * np.abs(b).max() + 1e-9 / (abs(model.parameters[n]) or 1.0), n


def test_one_motion_serves_all(monkeypatch):
    """The first group computes the motion; the others find it done: no evaluation of theirs factors anything."""
    model = catalog.make("four-bar-springs")
    run = da.simulate(model, 0.5, **FINE)
    made, old = [], forward.Forward.__init__

    def kept(self, *args):
        made.append(self)
        old(self, *args)

    monkeypatch.setattr(forward.Forward, "__init__", kept)
    for n in (names_of(model, 12),):
        da.sensitivities(model, n, da.simulate, 0.5, **FINE, method="forward")
    assert [len(f.groups) for f in made] == [2]
    one, other = (d._plain.handle for d in made[0].each)
    assert one[0] != other[0] == other[1] != one[1] and run.system is not None


def test_alone_where_forces_jump():
    options = {"method": "dop853", "start": 0.0, "until": 1.0}
    m = catalog.make("four-bar-springs")
    plain = da.simulate(m, 0.01).system
    assert together(plain, options) > WIDTH
    assert together(plain, {**options, "method": "radau5"}) == WIDTH
    assert together(da.simulate(m, 0.01, events="crank.angle - 2").system, options) == WIDTH
    m.add(da.Limit("stop", next(n for n, e in m.elements.items() if e.kind == "joint"), lower=-9.0, upper=9.0, stiffness=10.0))
    assert together(da.simulate(m, 0.01).system, options) == WIDTH
    m = catalog.make("pendulum")
    m.add(da.Force("push", "bob", ("step(t - 0.5)", 0)))
    assert together(da.simulate(m, 0.01).system, options) == WIDTH


def test_stops_with_many_parameters():
    """Two groups, one after the other, each with its jumps: as a parameter at a time."""
    m = catalog.make("four-bar-springs")
    m.parameters |= {"low": -0.05, "hard": 200.0}
    joint = next(n for n, e in m.elements.items() if e.kind == "joint")
    m.add(da.Limit("stop", joint, lower="low", upper=0.4, stiffness="hard", damping=1.0))
    names = [*names_of(m, 10), "low", "hard"]
    outputs = {"angle": lambda run: run[joint].coordinate[-1]}
    all_of_them = da.sensitivities(m, names, da.simulate, 0.5, times=[0.5], **FINE, method="forward", outputs=outputs)["angle"]
    for n in ("low", "hard", names[0], names[9]):
        alone = da.sensitivities(m, [n], da.simulate, 0.5, times=[0.5], **FINE, method="forward", outputs=outputs)["angle"][n]
        assert abs(all_of_them[n] - alone) <= 1e-7 * abs(alone), n


@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
def test_the_motion_counts_as_in_the_plain_run(rtol, monkeypatch):
    """A tangent that has no error of its own (a body far away that nothing moves) leaves the steps of the plain run."""
    m = da.Model("swing", dim=2, gravity=(0, -9.81), parameters={"x0": 3.0})
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("A", m.ground, "a", at=(0, 0)))
    m.add(da.Body("far", mass=1.0, inertia=1.0, position=("x0", 0)))
    m.add(da.Force("held", "far", (0, 9.81)))
    steps, old = [], forward.Forward._done
    monkeypatch.setattr(forward.Forward, "_done", lambda self, found: steps.append(found.stats["steps"]) or old(self, found))
    run = da.simulate(m, 2.0, times=[2.0], rtol=rtol, formulation="augmented")
    s = da.sensitivities(m, ["x0"], da.simulate, 2.0, times=[2.0], rtol=rtol, formulation="augmented", method="forward",
                         outputs={"x": "last far.position.x"})
    assert abs(s["x"]["x0"] - 1.0) < 1e-12
    assert run.stats["steps"] > 20 and abs(sum(steps) - run.stats["steps"]) <= 1
