"""The equations of an island at once (contacts/blocks.py, envelope.py) against the same put together from C itself."""

from types import SimpleNamespace

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.simulation.touching import Stepping, chosen
from dalembert.contacts import blocks, envelope
from dalembert.contacts.tables import DRIFT, HOLD, LINK, MN, RA, RB, RN, ROW, RT


def tilde(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


@pytest.mark.parametrize("dim", [2, 3])
def test_matrix_and_right_hand_side(dim):
    """M + Σ ρ Cᵀ P C and M v̂ + Σ Cᵀ f with random states, arms, impulses and drifts; the factors solve it."""
    z = (0.0,) * (dim - 2)
    m = da.Model("tower", dim=dim, gravity=(0, -9.81, *z))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1, *z))]))
    for k in range(4):
        m.add(da.Body.from_shape(f"b{k}", da.Box((0.5, 0.4)) if dim == 2 else da.Box((0.5, 0.4, 0.3)), density=100.0 * (k + 1),
                                 position=(0.02 * k, 0.2 + 0.4 * k, *z)))
    m.add(da.Contact("c", "all", "all", friction=0.5))
    state = da.assemble(m)
    options = {"contact": chosen({}), "fixed_step": 2e-3, "max_step": None, "start": 0.0, "told": ()}
    s = Stepping(m, state.system, np.array([0.0, 1.0]), options).scene
    s.enter(0.0, state.q, state.v)
    assert s.advance(1, 2e-3) == 0
    w, random = SimpleNamespace(**{**s.arrays, "rules": s.rules, "report": s.report}), np.random.default_rng(dim)
    n, rows = int(s.report.points), w.row.reshape(-1, ROW)
    assert n >= 8
    assert int(s.report.islands) == 1
    flat = np.array([1.0, 1.0, 0.0 if dim == 2 else 1.0])
    for at in (RA, RB, DRIFT, RT):
        rows[:n, at:at + 3] += 0.1 * random.normal(size=(n, 3)) * flat
    rows[:n, RN], rows[:n, HOLD], w.state[:n] = random.random(n), random.normal(size=n), np.arange(n) % 3
    at, bodies = int(w.island[0]), int(w.island[1])
    r = w.root[w.order[at]]
    blocks.matrix(w, r, at, bodies)
    blocks.right(w, r, at, bodies, HOLD)
    size = 6 * bodies
    found, A, free = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    for p in range(bodies):
        b = w.order[at + p]
        for i in range(6):
            for column in range(6 * w.low[at + p], 6 * p + i + 1):
                found[6 * p + i, column] = found[column, 6 * p + i] = w.matrix[envelope.entry_at(w, at, p, i, column // 6,
                                                                                                column % 6)]
        I = w.moment[6 * b:6 * b + 6]
        J = np.eye(3) / I[5] if dim == 2 else np.linalg.inv(I[[[0, 1, 2], [1, 3, 4], [2, 4, 5]]])
        A[6 * p:6 * p + 3, 6 * p:6 * p + 3], A[6 * p + 3:6 * p + 6, 6 * p + 3:6 * p + 6] = np.eye(3) / w.W[b], J
        free[6 * p:6 * p + 6] = w.free[6 * b:6 * b + 6]
    y = A @ free
    for k in range(int(s.report.active)):
        link, normal = w.link[LINK * k:LINK * k + 4], w.normal[3 * k:3 * k + 3]
        for c in range(link[2], link[2] + link[3]):
            row, C = rows[c], np.zeros((3, size))
            rho, P = row[MN] / blocks.PROXIMAL, {0: 0, 1: np.eye(3), 2: np.outer(normal, normal)}[int(w.state[c])]
            for body, arm, sign in ((link[0], RA, -1), (link[1], RB, 1)):
                if body < s.nb:
                    p = 6 * w.place_of[body]
                    C[:, p:p + 3], C[:, p + 3:p + 6] = sign * np.eye(3), -sign * tilde(row[arm:arm + 3])
            if w.state[c] != blocks.OPEN:
                A += rho * C.T @ P @ C
                y += C.T @ (row[RN] * normal + row[RT:RT + 3] - rho * P @ (row[HOLD] * normal + row[DRIFT:DRIFT + 3]))
    assert set(w.state[:n]) == {0, 1, 2}
    assert np.abs(found - A).max() < 1e-14 * np.abs(A).max()
    assert w.right[:size] == pytest.approx(y, abs=1e-13 * np.abs(y).max())
    assert envelope.factored(w, at, bodies)
    envelope.substituted(w, at, bodies)
    assert A @ w.right[:size] == pytest.approx(y, abs=1e-12 * np.abs(A).max() * np.abs(w.right[:size]).max())
