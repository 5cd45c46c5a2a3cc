"""The arrays of a workspace are one piece of memory, and entries are bound by what is known of their places."""

import copy
from itertools import pairwise

import numpy as np
import pytest

from dalembert import catalog
from dalembert._jit import MODE
from dalembert._jit.objects import words
from dalembert._jit.rows import lanes
from dalembert.equations.workspace import workspace
from dalembert.system.arrays import Arrays
from dalembert.system.layout import System

NAMES = ("four-bar", "slider-crank", "bricard", "gyroscope", "whipple", "car-axis")


@pytest.fixture(params=NAMES)
def system(request) -> System:
    return catalog.make(request.param).compile()


@pytest.mark.skipif(MODE == "python", reason="nothing is bound by addresses")
def test_places_that_are_known_are_those_that_are_found(system):
    w = workspace(system)
    table = w.bound("observe")._table
    found = np.concatenate([words(type(system.tables), system.tables), words(Arrays, w.arrays)])
    assert np.array_equal(table[1:-2], found)
    assert table[-1] == table.ctypes.data and w.bound("observe").handle == table[-2:].ctypes.data


def test_arrays_do_not_overlap_and_y_is_one_piece(system):
    w = workspace(system)
    ends = sorted((a.ctypes.data, a.ctypes.data + a.nbytes) for a in w.arrays if a.size)
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    assert np.shares_memory(w.y, w.q) and w.y.size == w.q.size + w.v.size + w.ledger.size
    w.y[:] = np.arange(w.y.size)
    w.ydot[:] = -np.arange(w.y.size)
    assert np.array_equal(np.concatenate([w.q, w.v, w.ledger]), w.y)
    assert np.array_equal(np.concatenate([w.qdot, w.vdot, w.power]), w.ydot)
    assert all(getattr(w, name).ctypes.data % 64 == 0 for name in ("S", "T", "scaled") if getattr(w, name).size)


def test_a_reset_workspace_is_as_new(system):
    fresh, used = workspace(system), workspace(system)
    used.options.loose = 1.0
    used.t[0] = 3.0
    used.q[:] += 0.1
    used.run("observe")
    used.report.dropped = 7.0
    used.reset()
    assert all(a.tobytes() == b.tobytes() for a, b in zip(fresh.arrays, used.arrays, strict=True))


def test_arrays_put_in_place_of_others_are_the_ones_that_are_used(system):
    w, plain = workspace(system), workspace(system)
    other = np.full(w.vdot.size, 5.0)
    w.arrays = w.arrays._replace(vdot=other)
    w.run("observe")
    plain.run("observe")
    assert np.array_equal(other, plain.vdot)
    w.reset()
    assert not other.any()


def test_copies_of_a_system_have_their_tables_elsewhere(system):
    system.words  # noqa: B018  (asked for, so that it is kept)
    for other in (copy.copy(system), copy.deepcopy(system)):
        assert "words" not in vars(other)
        w, plain = workspace(other), workspace(system)
        w.run("observe")
        plain.run("observe")
        assert np.array_equal(w.vdot, plain.vdot)


def test_gradients_of_some_are_rows_of_all_and_masses_stand_on_the_diagonal(system):
    w = workspace(system)
    every = w.gradients()
    some = list(range(len(every)))[::-2]
    assert np.array_equal(w.gradients_of(some), every[some])
    M, v = w.mass(), np.random.default_rng(2).standard_normal(system.nv)
    w.set(0.0, system.q_drawn, v)
    w.run("observe")
    assert w.report.kinetic == pytest.approx(0.5 * v @ M @ v, rel=1e-12)
    D = np.zeros((system.nc, system.nv))
    for b in system.tables.blocks:
        at, rows, row, n = int(b["at"]), int(b["count"]), int(b["row"]), system.kind.SIZE_V
        D[row:row + rows, system.at_v(int(b["body"]))] = w.D[at:at + rows * n].reshape(rows, n)
    assert np.array_equal(w.jacobian(), D)
    assert w.measured.reshape(-1, 3)[:, 1] == pytest.approx(w.gradients() @ v, rel=1e-9, abs=1e-9)
    ends = [int(b["weighed"]) + system.kind.SIZE_V * lanes(int(b["count"])) for b in system.tables.blocks]
    assert w.T.size == max(ends, default=0)
