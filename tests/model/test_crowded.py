"""Very many joints between the same bodies: laid out as before, or refused in words, soon and within memory."""

import tracemalloc

import numpy as np
import pytest

import dalembert as da
from dalembert.algebra.ordering import minimum_degree
from dalembert.model import pattern


def crowded(count):
    m = da.Model("crowd", dim=3)
    m.add(da.Body("door", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    for k in range(count):
        m.add(da.Revolute(f"hinge {k}", "ground", "door", at=(0, 0, 0), axis=(0, 0, 1)))
    return m


def test_too_many_joints_are_refused_before_anything_is_laid_out():
    m = crowded(1100)
    tracemalloc.start()
    with pytest.raises(da.ModelError, match=r"1,100 of them between the ground and 'door'.*leave these out"):
        m.compile()
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()


def test_fill_that_only_the_elimination_finds_is_refused_too(monkeypatch):
    monkeypatch.setattr(pattern, "MOST", 500)
    m = da.Model("grid", dim=2)
    for i in range(6):
        for j in range(6):
            m.add(da.Body(f"b{i}{j}", mass=1.0, inertia=1.0, position=(i, j)))
    for i in range(6):
        for j in range(6):
            if i < 5:
                m.add(da.Revolute(f"r{i}{j}", f"b{i}{j}", f"b{i + 1}{j}", at=(i + 0.5, j)))
            if j < 5:
                m.add(da.Revolute(f"u{i}{j}", f"b{i}{j}", f"b{i}{j + 1}", at=(i, j + 0.5)))
    with pytest.raises(da.ModelError, match="would need more than 500 numbers"):
        m.compile()


def test_long_columns_get_the_same_places_as_short_ones(monkeypatch):
    rng = np.random.default_rng(1)
    m = da.Model("knot", dim=2)
    for k in range(6):
        m.add(da.Body(f"b{k}", mass=1.0, inertia=1.0))
    for k in range(70):
        i, j = rng.choice(6, 2, replace=False)
        m.add((da.Revolute if k % 3 else da.Weld)(f"j{k}", f"b{i}", f"b{j}", at=(0, 0)))
    found = []
    for long in (2, 10**6):
        monkeypatch.setattr(pattern, "LONG", long)
        pattern._pattern_of.cache_clear()
        found.append(m.compile().tables)
    pattern._pattern_of.cache_clear()
    for name in ("columns", "below", "targets"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name)), name
    assert np.array_equal(*(np.sort(tables.pairs) for tables in found))  # long ones are listed column by column


def test_degrees_are_kept_as_if_counted_anew():
    """The order is the one found by counting every block's neighbours at every step."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        n = 25
        near = [set() for _ in range(n)]
        for a, b in rng.integers(n, size=(40, 2)):
            if a != b:
                near[a].add(int(b))
                near[b].add(int(a))
        weight = rng.integers(1, 6, n).tolist()
        left, order = [set(s) for s in near], []
        while len(order) < n:
            k = min((sum(weight[x] for x in left[m]), m) for m in range(n) if m not in order)[1]
            order.append(k)
            for m in left[k]:
                left[m] = (left[m] | left[k]) - {m, k}
        assert minimum_degree(near, weight)[0] == order


def test_three_hundred_hinges_compile():
    assert crowded(300).compile().S_size == (5 * 300) ** 2 + 8  # one panel, and what a vector may reach behind it
