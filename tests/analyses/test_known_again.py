"""Models that were simulated before: what they are known by, and that what is known is what would be found."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.assembly import again
from dalembert.model.content import content

sys.path.insert(0, str(Path(__file__).parents[1] / "formulations"))
from random_mechanisms import mechanism


@pytest.fixture(autouse=True)
def nothing_known():
    again._KNOWN.clear()
    again._SEEN.clear()
    yield
    again._KNOWN.clear()
    again._SEEN.clear()


def hinged(at=(0.0, 0.0), end=(1.0, 0.0), mass=1.0, gravity=(0.0, -9.81), g2=1.0, rate=None, order=("A", "S"), stiffness=3.0):
    m = da.Model("rod", dim=2, gravity=gravity, parameters={"l": 1.0, "g2": g2})
    m.add(da.Body.rod("rod", at, end, mass=mass))
    made = {"A": lambda: da.Revolute("A", m.ground, "rod", at=at), "S": lambda: da.TorsionSpring("S", "A", stiffness=stiffness)}
    for name in order:
        m.add(made[name]())
    if rate is not None:
        m.initial("A", rate=rate)
    return m


def numbers(run):
    return [run.t, run.q, run.v, run.multipliers, run._ledger, run.observed.vdot]


CHANGES = [{"at": (0.0, -0.0)}, {"at": (0, 0.0)}, {"at": [0.0, 0.0]}, {"end": (1.0, math.ulp(1.0))}, {"mass": 1}, {"mass": "1.0"},
           {"mass": True}, {"gravity": (0.0, -9.8)}, {"g2": 2.0}, {"rate": 1.0}, {"rate": 1}, {"stiffness": "l"},
           {"end": np.array([1.0, 0.0])}, {"mass": np.float64(1.0)}]


def test_every_difference_is_one():
    """Also of signs of zeros, types, order: pairwise, all say something else."""
    made = [content(hinged(**change)) for change in ({}, *CHANGES)]
    assert None not in made and len(set(made)) == len(made)
    assert content(hinged()) == content(hinged()) == content(hinged().copy())
    assert content(hinged(), 0.0) != content(hinged(), -0.0)
    swapped = da.Model("rod", dim=2)
    other = da.Model("rod", dim=2)
    for m, names in ((swapped, "ab"), (other, "ba")):
        for name in names:
            m.add(da.Body(name, mass=1.0, inertia=1.0))
    assert content(swapped) != content(other)


def test_lists_that_change_are_seen():
    """Those of the model; what was given to an element is the element's own since (0146)."""
    end = [1.0, 0.0]
    m = hinged(end=end, gravity=[0.0, -9.81])
    before = content(m)
    end[1] = 0.5
    assert content(m) == before
    m.gravity[1] = -1.6
    assert content(m) != before


def test_what_bytes_cannot_stand_for_is_not_known():
    class Mine(da.Revolute):
        pass

    law = hinged()
    law.add(da.Torque("T", "rod", lambda t: t))
    own = hinged(order=())
    own.add(Mine("A", own.ground, "rod", at=(0.0, 0.0)))
    touching = hinged()
    touching.ground.shapes = [da.Box((1, 1, 1))]
    class MyModel(da.Model):
        def parameter_values(self):
            return {"l": 2.0}

    class MyShape(da.Box):
        def mass_properties(self, b):
            return 1.0, np.eye(3)

    shaped = [hinged() for _ in range(2)]
    for m, shape in zip(shaped, (MyShape((1, 1, 1)), da.Mesh("part.stl")), strict=True):
        m.add(da.Body("more", mass=1.0, inertia=1.0, shapes=[shape]))
    for m in (law, own, touching, MyModel("rod", dim=2), *shaped):
        assert content(m) is None
    elsewhere = hinged(order=())
    elsewhere.add(da.Revolute("A", elsewhere.ground, da.Body("rod", mass=2.0, inertia=1.0), at=(0.0, 0.0)))
    assert content(elsewhere) is None
    here = hinged(order=())
    here.add(da.Revolute("A", here.ground, here["rod"], at=(0.0, 0.0)))
    assert content(here) not in (None, content(hinged(order=("A",))))  # by an object, by its name: told apart, no harm


@pytest.mark.parametrize("name", ["four-bar", "slider-crank-driven", "bricard", "andrews", "car-axis", "whipple", "rolling-disc",
                                  "stewart-platform", "planetary-gear", "four-bar-springs", "chaplygin-sleigh"])
def test_the_same_bits_as_found_anew(name):
    until = 0.05
    first = numbers(da.simulate(catalog.make(name), until))
    for _ in range(3):
        run = da.simulate(catalog.make(name), until)
        for a, b in zip(first, numbers(run), strict=True):
            assert np.array_equal(a, b, equal_nan=True)
    kept = content(catalog.make(name), 0.0)
    assert (kept in again._KNOWN) == (kept is not None and not run.system.kept)


def test_shapes_are_told_apart():
    def with_shape(shape):
        m = da.Model("shaped", dim=3, parameters={"r": 0.5})
        m.add(da.Body("part", mass=1.0, inertia=(1.0, 1.0, 1.0), shapes=[shape]))
        return m

    shapes = [da.Cylinder("r", 1.0), da.Cylinder("r", 1), da.Cylinder(0.5, 1.0), da.Capsule("r", 1.0), da.Sphere("r"),
              da.Cylinder("r", 1.0, position=(0.0, 0.0, 1.0)), da.Link([(0, 0, 0), (1, 0, 0)]), da.Link([(0, 0, 0), (1, 0, 1)])]
    found = [content(with_shape(shape)) for shape in shapes]
    assert None not in found
    assert len(set(found)) == len(shapes)
    shape = da.Cylinder("r", 1.0)
    m = da.Model("shaped", dim=3, parameters={"r": 0.5})
    m.add(da.Body("part", shape=shape, density=1.0))
    before, heavy = content(m), m.compile().tables.bodies["mass"][0]
    shape.length = 2.0  # who changes a shape has another model
    assert content(m) != before
    assert m.compile().tables.bodies["mass"][0] == 2.0 * heavy


@pytest.mark.parametrize("name", ["whipple", "double-pendulum", "four-bar-springs", "hanging-chain"])
def test_linearize_and_equilibrium_find_the_same_bits_again(name):
    def found():
        m = catalog.make(name)
        linear = da.linearize(m)
        out = [linear.A, linear.B, linear.eigenvalues, linear.uncertainty, linear.state.q, linear.state.v]
        if name != "whipple":
            e = da.equilibrium(m)
            out += [e.q, e.stiffness, e.eigenvalues, e.multipliers]
        return linear.state, out

    _, first = found()
    states = []
    for _ in range(3):
        state, numbers = found()
        states.append(state)
        for a, b in zip(first, numbers, strict=True):
            assert np.array_equal(a, b)
    assert states[1].system is states[2].system
    states[2].q[:] = 0.0  # a state is its owner's
    assert np.array_equal(found()[1][0], first[0])
    later = da.simulate(catalog.make(name), 0.01, state=states[1])
    assert np.isfinite(later.q).all()


LINEAR = [*(lambda name=name: catalog.make(name) for name in catalog.CATALOG if name != "jansen-walker"),
          *(lambda seed=seed: mechanism(seed) for seed in (*range(0, 400, 9), 57))]


@pytest.mark.parametrize("part", range(4))
def test_what_assembly_left_does_not_matter(part):
    """The first, second, third and fourth question have one answer, bits and words, also where rows depend on others."""
    asked = 0
    for make in LINEAR[part::4]:
        try:
            found = [da.linearize(make()) for _ in range(4)]
        except da.DalembertError:
            continue
        asked += 1
        for one in found[1:]:
            for what in ("A", "B", "C", "D"):
                assert getattr(one, what).tobytes() == getattr(found[0], what).tobytes()
            assert (one.states, one.stable, one.doubts, one.notes, one.steady) == (
                found[0].states, found[0].stable, found[0].doubts, found[0].notes, found[0].steady)
    assert asked > 10


def test_a_changed_parameter_is_another_model():
    m = hinged(end=("l", 0.0))
    for _ in range(3):
        before = da.simulate(m, 0.1)
    assert content(m, 0.0) in again._KNOWN
    m.parameters["l"] = 2.0
    after = da.simulate(m, 0.1)
    again._KNOWN.clear()
    assert np.array_equal(after.q, da.simulate(m, 0.1).q)
    assert not np.array_equal(after.q, before.q)
    assert before.model.parameters["l"] == 1.0


def test_nobody_writes_to_what_is_shared():
    m = hinged()
    runs = [da.simulate(m, 0.1) for _ in range(4)]
    assert runs[2].system is runs[3].system is not runs[0].system
    with pytest.raises(ValueError, match="read-only"):
        runs[3].system.tables.bodies["mass"][0] = 2.0
    with pytest.raises(ValueError, match="read-only"):
        runs[3].system.q_drawn[0] = 2.0
    runs[2].q[:] = 0.0
    runs[2].v[:] = 0.0
    assert np.array_equal(da.simulate(m, 0.1).q, runs[3].q)


def test_so_many_are_kept_and_no_more():
    for k in range(2 * again.KEPT):
        m = hinged(mass=1.0 + k)
        da.simulate(m, 0.01)
        da.simulate(m, 0.01)
    assert len(again._KNOWN) == again.KEPT
    assert len(again._SEEN) <= again.MARKS


@pytest.mark.parametrize("more", [1, 4, 8])
def test_a_few_more_in_rotation_than_are_kept(more, monkeypatch):
    """Most questions are known; the answers are those found anew."""
    hits, known = [], again.known
    monkeypatch.setattr(again, "known", lambda key: hits.append(known(key) is not None) or known(key))
    masses = [1.0 + k for k in range(again.KEPT + more)]
    first = [da.simulate(hinged(mass=m), 0.01).q.tobytes() for m in masses]
    for _ in range(9):
        assert [da.simulate(hinged(mass=m), 0.01).q.tobytes() for m in masses] == first
    late = hits[4 * len(masses):]
    assert sum(late) > {1: 0.75, 4: 0.45, 8: 0.2}[more] * len(late) and len(again._KNOWN) == again.KEPT


def test_what_is_used_stays():
    """Beside any number of models that come twice and never again."""
    often = [hinged(stiffness=5.0 + k) for k in range(4)]
    for k in range(6 * again.KEPT):
        for m in often:
            da.simulate(m, 0.01)
            assert k < 2 or content(m, 0.0) in again._KNOWN
        for _ in range(2):
            da.simulate(hinged(mass=1.0 + k), 0.01)


def test_arrays_of_the_same_bytes_are_not_the_same_numbers():
    whole = np.array([1, 2], np.int64)
    assert content(hinged(end=whole)) != content(hinged(end=np.frombuffer(whole.tobytes(), np.float64)))
    assert content(hinged(end=whole)) != content(hinged(end=np.array([1, 2, 0, 0], np.int32)))
