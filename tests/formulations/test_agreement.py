"""Random mechanisms in all three formulations: accelerations, unique reactions, powers and energy agree to 1e-9.

The whole search is ``make agree`` (500 mechanisms).
"""

import os

import numpy as np
import pytest
from random_mechanisms import mechanism, quaternions_apart, state

from dalembert.equations.workspace import workspace
from dalembert.formulations.embedded.form import Embedded
from dalembert.formulations.recursive.tree import Recursive
from dalembert.model.topology import topology

COUNT = int(os.environ.get("DALEMBERT_MECHANISMS", "80"))
TOLERANCE = 1e-9


def unique_part(D, weight, differ):
    """What is unique of a difference of multipliers: outside the null space of Dᵀ, rows of unit length in the metric M⁻¹."""
    rows = D @ weight
    length = np.linalg.norm(rows, axis=1)
    length = np.where(length > 0, length, 1.0)
    u, sigma, _ = np.linalg.svd(rows / length[:, None], full_matrices=False)
    u = u[:, sigma > 1e-6]
    return np.abs(u @ (u.T @ (differ * length))).max(initial=0.0)


@pytest.mark.parametrize("seed", range(COUNT))
def test_three_formulations_agree(seed):
    model = mechanism(seed)
    w = state(model, seed)
    if w is None:
        pytest.skip("the rows are nearly dependent in every state tried")
    system = w.system
    w.options.residual = 1e-13  # the reference is refined once
    w.run("observe")
    q, v = w.q.copy(), w.v.copy()
    vdot, lam, Q, energy = w.vdot.copy(), w.lam.copy(), w.Q.copy(), (w.report.kinetic, w.report.potential)
    power = w.power.copy()
    D, M = w.jacobian(), w.mass()
    values, vectors = np.linalg.eigh(M)
    weight = (vectors / np.sqrt(values)) @ vectors.T
    size = np.linalg.norm(weight @ (M @ vdot)) + np.linalg.norm(weight @ Q) + 1e-300
    tree = Recursive(system, topology(model, system).steps)
    for form in (Embedded(workspace(system)), tree):
        w.set(w.t[0], q, v)
        w.run("observe")
        assert form.observe(w) == 0
        assert np.linalg.norm(weight @ (M @ (w.vdot - vdot))) <= TOLERANCE * size, form.name
        assert np.linalg.norm(weight @ (D.T @ (w.lam - lam))) <= TOLERANCE * size, form.name
        assert unique_part(D, weight, w.lam - lam) <= TOLERANCE * size, form.name
        rate, reference = v @ M @ w.vdot, v @ M @ vdot
        assert abs(rate - reference) <= TOLERANCE * size * np.sqrt(2 * energy[0] + 1e-300), form.name
    scale = np.abs(power).max() + abs(Q @ v) + np.abs(lam * w.nu).max(initial=0.0) + 1e-3
    np.testing.assert_allclose(tree.closure.power, power, rtol=0, atol=TOLERANCE * scale)
    back, speed = tree.leave()
    assert np.abs(quaternions_apart(system, back, q)).max() <= 1e-9
    np.testing.assert_allclose(speed, v, rtol=0, atol=1e-9 * (np.abs(v).max() + 1e-3))  # a locked mechanism rests
    w.set(w.t[0], back, speed)
    w.run("observe")
    np.testing.assert_allclose([w.report.kinetic, w.report.potential], energy, rtol=TOLERANCE,
                               atol=TOLERANCE * max(map(abs, energy)))
