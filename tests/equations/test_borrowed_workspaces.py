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


def test_a_run_that_failed_keeps_its_workspace():
    m = catalog.make("four-bar")
    with pytest.raises(da.SimulationError):
        da.simulate(m, 1.0, max_steps=2)
    assert room._SPARE == []


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
