"""Which shapes may touch: the grid against all pairs one by one; nothing fast is missed; room and memory."""

from types import SimpleNamespace

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.simulation.touching import Stepping, chosen
from dalembert.contacts import grid, motion, world


def scene(seed, count, dim, fast, alike=False):
    """Spheres in a box of space, a few of them fast (``alike``: all, at ``fast``), some large, one fixture."""
    r = np.random.default_rng(seed)
    m = da.Model("cloud", dim=dim)
    m.add(da.Fixture("wall", shapes=[da.Box((3.0, 0.5, 1.0)[:dim])], position=(0.0, -2.0, 0.0)[:dim]))
    for k in range(count):
        radius = r.uniform(0.08, 0.1) if k % 17 or alike else 0.6
        v = r.normal(size=dim) * (fast if alike else 300.0 if k % 7 == 0 and fast else 0.3)
        inertia = 1.0 if dim == 2 else (1.0, 1.0, 1.0)
        m.add(da.Body(f"b{k}", mass=1.0, inertia=inertia, position=tuple(r.uniform(-2, 2, dim)), velocity=tuple(v),
                      shapes=[da.Sphere(radius)]))
    m.add(da.Contact("c", "all", "all", friction=0.1))
    state = da.assemble(m)
    options = {"contact": chosen("auto"), "fixed_step": 1e-3, "max_step": None, "start": 0.0, "told": ()}
    s = Stepping(m, state.system, np.array([0.0, 1.0]), options)
    s.scene.enter(0.0, state.q, state.v)
    return s.scene


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("dim", [2, 3])
def test_no_pair_is_missed_and_none_comes_twice(dim, fast):
    for seed in range(4):
        s = scene(seed, 60, dim, fast)
        a = s.arrays
        x, v = a["x"].reshape(-1, 3)[:60].copy(), a["v"].reshape(-1, 6)[:60, :3].copy()
        assert s.advance(1, 1e-6) == 0
        n = int(s.report.pairs)
        found = [tuple(sorted(p)) for p in a["pair"].reshape(-1, 2)[:n].tolist()]
        assert len(set(found)) == len(found)
        length = 4e-6
        for i in range(60):
            for j in range(i):
                near = np.linalg.norm(x[i] - x[j]) - a["bound"][i] - a["bound"][j]
                if near < length * np.linalg.norm(v[i] - v[j]):
                    assert (j, i) in found


@pytest.mark.parametrize("cells", [0.25, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("dim", [2, 3])
def test_no_pair_is_missed_where_all_are_fast(dim, cells, monkeypatch):
    """Each goes so many cells in a detection, and meets what comes from as many cells away."""
    monkeypatch.setattr(grid, "FEW", 0)
    length, count = 4e-3, 400 if dim == 3 else 200
    for seed in range(2):
        fast = cells * 0.21 / length / np.sqrt(dim)
        s = scene(seed, count, dim, fast, alike=True)
        w = SimpleNamespace(**{**s.arrays, "rules": s.rules, "report": s.report})
        motion.shapes(w)
        n = grid.pairs(w, length)
        found = {tuple(sorted(p)) for p in w.pair[:2 * n].reshape(-1, 2).tolist()}
        x, v, bound = w.x.reshape(-1, 3)[:count], w.v.reshape(-1, 6)[:count, :3], w.bound[:count]
        away, i, j = x[:, None] - x[None], *np.triu_indices(count, 1)
        near = np.linalg.norm(away, axis=2)[i, j] - bound[i] - bound[j] < length * np.linalg.norm(v[i] - v[j], axis=1)
        met = set(zip(i[near].tolist(), j[near].tolist(), strict=True))
        assert 2 * n <= w.pair.size
        assert met
        assert met <= found, len(met - found)


@pytest.mark.parametrize("dim", [2, 3])
def test_many_shapes_come_in_the_order_of_their_places_and_give_the_same_pairs(dim, monkeypatch):
    """Along Morton's curve: the bits of the cells, interleaved, do not go back; every pair is one of those in the given order."""
    s = scene(3, 60, dim, True)
    w = SimpleNamespace(**{**s.arrays, "rules": s.rules, "report": s.report})
    w.x *= 4.0  # over more cells
    motion.shapes(w)
    found = []
    for few in (500, 0):
        monkeypatch.setattr(grid, "FEW", few)
        n = grid.pairs(w, 4e-3)
        found.append(sorted(map(tuple, w.pair[:2 * n].reshape(-1, 2).tolist())))
    assert found[0] == found[1]
    path = w.path[:60]
    assert sorted(path) == list(range(60))
    assert list(path) != list(range(60))
    cells = np.floor(w.place.reshape(-1, 12)[path, :3] / s.rules.cell).astype(int) & 1023
    places = [sum(((int(c[axis]) >> bit) & 1) << (3 * bit + axis) for axis in range(3) for bit in range(10)) for c in cells]
    assert places == sorted(places)
    assert len(set(places)) > 12


def test_two_fast_balls_do_not_pass_through_each_other():
    """Each goes hundreds of its sizes within one detection, against the other."""
    m = da.Model("shots", dim=2)
    for k, s in enumerate((-1.0, 1.0)):
        m.add(da.Body(f"b{k}", mass=1.0, inertia=1e-4, position=(s * 5.0, 0.0), velocity=(-s * 400.0, 0.0),
                      shapes=[da.Sphere(0.01)]))
    for k in range(30):  # slow ones far away: the mean says nothing about the two
        m.add(da.Body(f"far {k}", mass=1.0, inertia=1e-4, position=(100.0 + k, 50.0), shapes=[da.Sphere(0.01)]))
    m.add(da.Contact("c", "all", "all", friction=0.0, restitution=1.0))
    run = da.simulate(m, 0.04, step=0.01, fixed_step=2.5e-3)
    assert run["b0"].velocity[-1][0] == pytest.approx(-400.0, rel=1e-6)
    assert run["b1"].velocity[-1][0] == pytest.approx(400.0, rel=1e-6)
    assert run["b0"].position[-1][0] < run["b1"].position[-1][0]


def test_room_grows_and_where_there_is_no_memory_nothing_is_lost(monkeypatch):
    m = da.Model("many", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    for k in range(8):
        m.add(da.Body.from_shape(f"b{k}", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(0.0, 0.0, 0.25 + 0.5 * k)))
    m.add(da.Contact("c", "all", "all", friction=0.5))
    whole = da.simulate(m, 0.2, step=0.05)
    usual = world.Scene._rooms
    monkeypatch.setattr(world.Scene, "_rooms",
                        lambda self, a, x, y: usual(self, a, x, y) if "row" in a else usual(self, a, 3, 16))
    assert np.array_equal(da.simulate(m, 0.2, step=0.05).q, whole.q)
    monkeypatch.setattr(world, "memory_left", lambda: 3e4)
    with pytest.raises(da.SimulationError, match="more contacts than this machine's memory") as told:
        da.simulate(m, 0.2, step=0.05)
    assert told.value.run.t.size >= 1
    assert np.array_equal(told.value.run.q, whole.q[:told.value.run.t.size])


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("held", [True, False])
def test_what_turns_fast_does_not_pass_through(dim, held):
    """A bar's tip goes three diameters of a ball within one detection while its centre rests; e = 1 against the closed form."""
    rate, at, mass = 30.0, 0.95, 0.1
    m = da.Model("bat", dim=dim)
    m.add(da.Body.from_shape("bar", da.Box((2.0, 0.02, 0.02)[:dim]), mass=5.0, omega=rate if dim == 2 else (0, 0, rate)))
    if held:
        m.add(da.Revolute("pivot", m.ground, "bar", at=(0, 0, 0)[:dim], **({} if dim == 2 else {"axis": (0, 0, 1)})))
    m.add(da.Body.from_shape("ball", da.Sphere(0.02), mass=mass, position=(0, at, 0)[:dim]))
    m.add(da.Contact("c", "bar", "ball", friction=0.0, restitution=1.0))
    run = da.simulate(m, 0.06, step=0.01)
    moment = 5.0 * (4.0 + 0.02**2) / 12
    effective = 1 / (1 / mass + at**2 / moment + (0.0 if held else 1 / 5.0))
    assert np.linalg.norm(run["c"].impulse[-1]) == pytest.approx(2 * effective * rate * at, rel=5e-3)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_head_far_from_its_centre_does_not_pass_through(dim):
    """The head of a free hammer against a plate as thin as a third of it: p = m v/(1 + m r²/J)."""
    m, rate = da.Model("hammer", dim=dim), 100.0
    m.add(da.Body("hammer", mass=5.0, inertia=1.0 if dim == 2 else (1, 1, 1), omega=rate if dim == 2 else (0, 0, rate),
                  shapes=[da.Sphere(0.03, position=(1.0, 0, 0)[:dim])]))
    m.add(da.Fixture("plate", shapes=[da.Box((0.01, 0.5, 0.5)[:dim])], position=(0, 1.0, 0)[:dim]))
    m.add(da.Contact("c", "plate", "hammer", friction=0.0))
    run = da.simulate(m, 0.02, step=0.01)
    assert run["c"].impulse[-1][0] == pytest.approx(5.0 * rate / (1 + 5.0), rel=5e-3)
