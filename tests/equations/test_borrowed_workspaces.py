"""A workspace that was given back and turned to another system is as a fresh one; results do not depend on it."""

import threading

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert._jit import MODE
from dalembert.equations import workspace as room
from dalembert.equations.workspace import borrowed, give_back, workspace

pytestmark = pytest.mark.skipif(MODE == "python", reason="nothing is bound by addresses")


@pytest.fixture(autouse=True)
def nothing_spare(monkeypatch):
    monkeypatch.setattr(room, "_SPARE", [])


def test_turned_to_another_system_it_is_as_new():
    m = catalog.make("four-bar")
    first = m.compile()
    m.gravity = (1.0, -5.0)
    second = m.compile()
    used, fresh = workspace(first), workspace(second)
    used.options.loose = 1.0
    used.q[:] += 0.1
    for name in ("observe", "project"):
        used.run(name)
        fresh.bound(name)
    fresh.reset()
    give_back(used)
    again = borrowed(second)
    assert again is used and again.system is second
    assert all(a.tobytes() == b.tobytes() for a, b in zip(fresh.arrays, again.arrays, strict=True))
    assert fresh.run("observe") == again.run("observe") == 0
    assert fresh.vdot.tobytes() == again.vdot.tobytes() and fresh.lam.tobytes() == again.lam.tobytes()
    assert float(again.report.kinetic) == float(fresh.report.kinetic)


@pytest.mark.parametrize("order", [(1e-3, 1e3), (1e3, 1e-3)])
def test_of_another_size_in_metres_it_has_its_own_tolerances(order):
    """What follows from the size of a mechanism is that of the new one: all options, and the bits of a run."""
    def four_bar(size):
        m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
        at = [(0, 0), (0.3 * size, 0.6 * size), (1.2 * size, 0.9 * size), (1.0 * size, 0)]
        for k, name in enumerate("abc"):
            m.add(da.Body.rod(name, at[k], at[k + 1], mass=1.0))
        for name, i, j, k in (("A", "ground", "a", 0), ("B", "a", "b", 1), ("C", "b", "c", 2), ("D", "c", "ground", 3)):
            m.add(da.Revolute(name, i, j, at=at[k]))
        return m

    before, after = order
    system = four_bar(after).compile()
    alone = workspace(system)
    alone.reset()
    for _ in range(2):  # from the second time on it is reset by its image
        used = borrowed(four_bar(before).compile())
        used.run("observe")
        used.reset()
        give_back(used)
        found = borrowed(system)
        assert found is used and found.arrays.options.tobytes() == alone.arrays.options.tobytes()
        give_back(found)
    room._SPARE.clear()
    fresh = da.simulate(four_bar(after), 1.0)
    for _ in range(3):
        da.simulate(four_bar(before), 1.0)
    again = da.simulate(four_bar(after), 1.0)
    assert again.q.tobytes() == fresh.q.tobytes() and again.stats["rhs_calls"] == fresh.stats["rhs_calls"]


def test_what_is_lent_is_nobody_else_s():
    """Of spares of several sizes and systems, asked for in any order, each is given once."""
    rng = np.random.default_rng(3)
    systems = [catalog.make(name, **more).compile() for name, more in (
        ("four-bar", {}), ("slider-crank", {}), ("pendulum", {}), ("four-bar", {}), ("chain", {"n": 3}))]
    for _ in range(30):
        room._SPARE.clear()
        for k in rng.permutation(len(systems)):
            give_back(workspace(systems[k]))
        spare = {id(w): w for w in room._SPARE}
        lent = []
        for k in rng.integers(0, len(systems), 4):
            w = borrowed(systems[k])
            assert w.system is systems[k]
            assert not any(w is x for x in (*lent, *room._SPARE))
            lent.append(w)
        assert len(room._SPARE) == len(spare) - sum(id(w) in spare for w in lent)


def test_other_sizes_and_dimensions_get_their_own():
    w = workspace(catalog.make("four-bar").compile())
    give_back(w)
    assert borrowed(catalog.make("slider-crank").compile()) is not w
    assert borrowed(catalog.make("bricard").compile()) is not w
    assert borrowed(catalog.make("four-bar").compile()) is w
    assert borrowed(catalog.make("four-bar").compile()) is not w  # it is lent


def test_one_with_strange_arrays_is_not_taken_back():
    w = workspace(catalog.make("four-bar").compile())
    w.arrays = w.arrays._replace(vdot=np.zeros(w.vdot.size))
    give_back(w)
    assert room._SPARE == []


@pytest.mark.parametrize("name", ["four-bar", "bricard"])
def test_a_run_is_not_touched_by_the_runs_after_it(name):
    """A run reads its reactions and energies when asked, long after its workspace went to others."""
    m = catalog.make(name)
    kept = da.simulate(m, 0.2, step=0.05)
    assert room._SPARE  # it was given back
    fresh = da.simulate(m, 0.2, step=0.05)
    fresh.observed  # noqa: B018
    for x in (1.0, 2.0, 3.0):
        n = catalog.make(name)
        n.gravity = tuple(x * g for g in ((0.0, -9.81) if n.dim == 2 else (0.0, 0.0, -9.81)))
        da.simulate(n, 0.2)
    room._SPARE.clear()
    alone = da.simulate(m, 0.2, step=0.05)
    for field in ("lam", "vdot", "reaction", "power"):
        assert getattr(kept.observed, field).tobytes() == getattr(alone.observed, field).tobytes()
        assert getattr(fresh.observed, field).tobytes() == getattr(alone.observed, field).tobytes()
    assert kept.q.tobytes() == fresh.q.tobytes() == alone.q.tobytes()
    assert kept.energy.total.tobytes() == alone.energy.total.tobytes()
    longer = da.resume(kept, until=0.3)
    assert longer.q.tobytes() == da.resume(alone, until=0.3).q.tobytes()


def test_threads_never_share_one():
    m = catalog.make("four-bar")
    expected = da.simulate(m, 0.3).q.tobytes()
    found = []

    def work():
        found.extend(da.simulate(m, 0.3).q.tobytes() == expected for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40 and all(found) and len(room._SPARE) <= room.SPARE


def test_threads_over_several_sizes_and_methods():
    """Spares of all sizes come and go at once: every run has the bits it has alone."""
    runs = {}
    for links in (2, 3):
        m = catalog.make("chain", n=links)
        state = da.assemble(m)
        for integrator in ("rk8", "radau"):
            runs[links, integrator] = lambda m=m, s=state, i=integrator: da.simulate(
                m, 0.3, state=s, integrator=i, formulation="augmented", rtol=1e-6).q.tobytes()
    alone = {key: run() for key, run in runs.items()}
    found = []

    def work(order):
        found.extend(runs[key]() == alone[key] for key in order)

    rng = np.random.default_rng(5)
    keys = list(runs)
    threads = [threading.Thread(target=work, args=([keys[k] for k in rng.integers(0, 4, 12)],)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 48 and all(found)


def test_a_copy_of_a_system_takes_nothing_along_that_is_found_from_it():
    """Pickled systems go to pools: as large after runs in all forms as before, and the same runs come of them."""
    import pickle

    m = catalog.make("chain", n=5)
    state = da.assemble(m)
    before = pickle.dumps(state.system)
    for options in ({"formulation": "recursive"}, {"formulation": "augmented"}, {"integrator": "radau"}):
        da.simulate(m, 0.05, state=state, **options)
    assert len(pickle.dumps(state.system)) == len(before)


def test_a_run_that_failed_keeps_its_workspace():
    m = catalog.make("four-bar")
    with pytest.raises(da.SimulationError):
        da.simulate(m, 1.0, max_steps=2)
    assert room._SPARE == []


def implicit_runs():
    """Runs by name: models of the same sizes, from a state or the drawing, states of laws, plane and space, one that fails."""
    def strut(stiffness, damping):
        m = da.Model("strut", dim=2, gravity=(0, -9.81))
        m.add(da.Body.rod("upper", (0, 0), (0.9, 0.3), mass=1.0))
        m.add(da.Body.rod("lower", (0.9, 0.3), (1.5, -0.5), mass=1.0))
        m.add(da.Revolute("hip", m.ground, "upper", at=(0, 0)))
        m.add(da.Revolute("knee", "upper", "lower", at=(0.9, 0.3)))
        m.add(da.Spring("strut", m.ground, "lower", at_i=(2.2, -0.2), at_j=(1.5, -0.5), stiffness=stiffness, damping=damping))
        return m

    def of(model, until=0.2, start=False, **options):
        def run():
            state = da.assemble(model) if start else None
            found = da.simulate(model, until, step=until / 4, state=state, **options)
            return (found.q.tobytes(), found.v.tobytes(), found.energy.total.tobytes(), found.observed.lam.tobytes(),
                    *(found.stats[k] for k in ("steps", "rejected", "newton", "tangents", "rhs_calls")))
        return run

    def failing():
        with pytest.raises(da.SimulationError):
            da.simulate(strut(1e6, 1e3), 1.0, integrator="radau", max_steps=3)
        return ()

    runs = {f"{i} {k:g} {c:g} {s}": of(strut(k, c), integrator=i, start=s, rtol=1e-4) for i in ("radau", "alpha")
            for k, c in ((1e6, 1e3), (1e3, 0.0), (1e6, 0.0)) for s in (False, True)}
    for name in ("governor", "car-axis", "bricard", "four-bar"):
        runs[name] = of(catalog.make(name), until=0.02, integrator="radau")
    for ends in (("ground", "lower"), ("ground", "upper"), ("upper", "lower")):  # same sizes and rows, other pairs of bodies
        m = strut(1e4, 1e2)
        places = {"ground": (2.2, -0.2), "upper": (0.3, 0.1), "lower": (1.5, -0.5)}
        m.add(da.Spring("other", *ends, at_i=places[ends[0]], at_j=places[ends[1]], stiffness=1e5, damping=10.0))
        runs["coupled " + " ".join(ends)] = of(m, integrator="radau", rtol=1e-4)
    runs["explicit"] = of(strut(1e3, 0.0), start=True)
    runs["fails"] = failing
    return runs


def test_implicit_runs_in_any_order_have_the_bits_of_runs_alone():
    """Newton's tables, tangents and duals go with the workspace: nothing of the run before may be seen."""
    runs, alone = implicit_runs(), {}
    for name, run in runs.items():
        room._SPARE.clear()
        alone[name] = run()
    order = np.random.default_rng(7).permutation(3 * list(runs))
    reused = 0
    for name in order:
        assert runs[name]() == alone[name], name
        reused += any("newton" in w.__dict__ for w in room._SPARE)
    assert reused > 20


def test_newton_goes_with_its_system_only():
    """Of two spare workspaces of one size who comes gets that of his system; turned to another, nothing beside it is kept."""
    from dalembert.formulations.augmented.newton.engine import newton_of

    m = catalog.make("four-bar")
    first = m.compile()
    m.gravity = (1.0, -5.0)
    second = m.compile()
    one, other = workspace(first), workspace(second)
    mine, theirs = newton_of(one), newton_of(other)
    for w in (one, other):
        give_back(w)
    assert borrowed(second) is other and newton_of(other) is theirs
    give_back(other)
    assert borrowed(first) is one and newton_of(one) is mine
    again = borrowed(first)  # the only one left is the other's
    assert again is other and "newton" not in again.__dict__


@pytest.mark.parametrize("name", ["bricard", "governor"])
def test_newton_is_cleared(name):
    """All arrays are those of a new one, whatever was left in them."""
    from dalembert.formulations.augmented.newton.engine import NewtonWork, newton_of

    system = catalog.make(name).compile()
    w, fresh = workspace(system), workspace(system)
    used = newton_of(w)
    used.bound("differentiate")
    whole = [a for a in (*used.arrays, *(used._derivatives.found.values()), *used._derivatives.values.arrays)
             if a.flags.writeable and a.base is not None and not any(np.shares_memory(a, x) for x in w.arrays)]
    own = {k for k, a in zip(used.arrays._fields, used.arrays, strict=True) if any(a is x for x in whole)}
    for k in own - {"mass"}:
        getattr(used.arrays, k).view(np.uint8)[:] = 1
    used.arrays.scale[1] = 5.0
    for a in (*used._derivatives.found.values(), used._derivatives.values.arrays.vdot):
        a[:] = np.nan
    other = NewtonWork(fresh)
    other.bound("differentiate")
    assert newton_of(w) is used
    for k in own - {"mass"} | {"scale"}:
        assert getattr(used.arrays, k).tobytes() == getattr(other.arrays, k).tobytes(), k
    for k, a in used._derivatives.found.items():
        assert a.tobytes() == other._derivatives.found[k].tobytes(), k
    assert used._derivatives.values.arrays.vdot.tobytes() == other._derivatives.values.arrays.vdot.tobytes()
    assert {"K", "C", "lu", "zlu", "coefficient"} <= own


def test_duals_beside_it_do_not_come_along():
    """They have the tables of the system they were made for: a spring of another stiffness would have the old one's slope."""
    from dalembert.formulations.augmented.derivatives import derivatives_of

    def system(stiffness):
        m = da.Model("rod", dim=2, gravity=(0, -9.81))
        m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
        m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
        m.add(da.Spring("s", m.ground, "rod", at_i=(0, 1), at_j=(1, 0), stiffness=stiffness, length=0.5))
        return m.compile()

    one, other = system(10.0), system(1000.0)
    w = borrowed(one)
    duals = derivatives_of(w)
    give_back(w)
    again = borrowed(other)
    assert again is w
    assert derivatives_of(again) is not duals
