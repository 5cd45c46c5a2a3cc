"""Kernels asked alone, as functions on a few arrays: what points take over from the detection before, and free turning."""

from types import SimpleNamespace

import numpy as np
import pytest

from dalembert.contacts import balance, manifolds, motion
from dalembert.contacts.tables import LA, LINK, OLD, RN, ROW, RT


def meeting(old, new, normal=(0.0, 0.0, 1.0)):
    """A manifold's old points (place on the first body, impulse along the normal, across) and the places of its new ones."""
    w = SimpleNamespace(old_link=np.zeros(LINK, int), old_row=np.zeros(OLD * len(old)), row=np.zeros(ROW * len(new)),
                        used=np.zeros(len(old), int), toward=np.array(normal))
    w.old_link[3] = len(old)
    for c, (at, n, t) in enumerate(old):
        w.old_row[OLD * c:OLD * c + 7] = [*at, n, *t]
    for c, at in enumerate(new):
        w.row[ROW * c + LA:ROW * c + LA + 3] = at
        manifolds._carry(w, ROW * c, 0, 1.0)
    rows = w.row.reshape(-1, ROW)
    return rows[:, RN], rows[:, RT:RT + 3]


def test_an_old_point_is_used_once():
    """Two new points beside one old: its impulse goes to one of them, or a body at rest would be thrown up."""
    near = 0.1 * manifolds.SAME
    n, t = meeting([((0, 0, 0), 5.0, (1.0, 2.0, 0.0))], [(near, 0, 0), (-near, 0, 0)])
    assert n.tolist() == [5.0, 0.0]
    assert t.tolist() == [[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]
    n, _ = meeting([((0, 0, 0), 5.0, (0, 0, 0)), ((2 * near, 0, 0), 7.0, (0, 0, 0))], [(1.9 * near, 0, 0), (1.8 * near, 0, 0)])
    assert n.tolist() == [7.0, 5.0]  # the nearest, then the one that is left


def test_what_is_carried_is_near_and_across_the_new_normal():
    far = 1.01 * manifolds.SAME
    assert meeting([((0, 0, 0), 5.0, (1.0, 0, 0))], [(far, 0, 0)])[0].tolist() == [0.0]
    c, s = np.cos(0.3), np.sin(0.3)
    n, t = meeting([((0, 0, 0), 5.0, (1.0, 2.0, 0.0))], [(0, 0, 0)], (s, 0.0, c))
    assert n[0] == 5.0
    assert t[0] == pytest.approx([c * c, 2.0, -s * c], abs=1e-15)


def turning(omega, h, moments=(1.0, 2.0, 2.5)):
    r = np.random.default_rng(1)
    q = r.normal(size=4)
    q /= np.linalg.norm(q)
    R = np.zeros(9)
    motion._matrix(R, 0, *q)
    v = np.concatenate([np.zeros(3), omega])
    return SimpleNamespace(v=v.copy(), before=v.copy(), way=np.zeros(6), R=R, inertia=np.diag(moments).ravel(),
                           inverse_inertia=np.diag(1 / np.array(moments)).ravel(), rules=SimpleNamespace(last=h))


def momentum(w, turn=None):
    R = w.R.reshape(3, 3)
    if turn is not None:
        R = np.array([motion.spun(*turn, *R[:, j]) for j in range(3)]).T
    return R @ w.inertia.reshape(3, 3) @ R.T @ w.v[3:]


@pytest.mark.parametrize("h", [1e-3, 0.05])
def test_a_free_turn_keeps_energy_and_the_size_of_the_momentum(h):
    w = turning((3.0, -4.0, 5.0), h)
    before = momentum(w)
    motion.tumble(w, 0, h)
    assert np.abs(w.v - w.before).max() > 0.1 * h
    w.way[:] = 0.5 * (w.before + w.v)
    lost, worth = balance._turning(w, 0, 0.0, 0.0)
    assert abs(lost) < 1e-14 * worth
    after = momentum(w, h * w.way[3:])
    assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(before), rel=1e-14)
    assert np.linalg.norm(after - before) < 20.0 * h**3 * np.linalg.norm(before) * 50.0


def test_what_turning_lost_is_the_energy_before_less_that_after():
    w = turning((3.0, -4.0, 5.0), 0.01)
    w.v[3:] = (2.0, 1.0, -3.0)
    w.way[3:] = (1.0, 7.0, 2.0)
    lost, _ = balance._turning(w, 0, 0.0, 0.0)
    R = w.R.reshape(3, 3)
    after = momentum(w, 0.01 * w.way[3:])
    J = R @ w.inertia.reshape(3, 3) @ R.T
    assert lost == pytest.approx(0.5 * w.before[3:] @ J @ w.before[3:] - 0.5 * w.v[3:] @ after, rel=1e-13)
