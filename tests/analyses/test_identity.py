"""dynamics ∘ inverse dynamics = identity: drive efforts found from a motion make just that motion.

On random mechanisms: trees and loops, plane and space, general inertias, with springs, loads and gravity.
"""

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.driven.driving import candidates
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.equations.workspace import workspace


def random_mechanism(seed: int):
    """A model whose free motions are all driven by random laws, and the drives as (name, coordinate)."""
    random = np.random.default_rng(seed)
    while True:
        model = _passive(random, seed)
        found = _drives(model, random)
        if found is not None:
            return model, found


def _passive(random, seed):
    dim, loops = 2 + seed % 2, (seed // 2) % 3
    count = int(random.integers(2, 6))
    model = da.Model(f"random {seed}", dim=dim, gravity=tuple(random.normal(0, 5, dim)))
    for k in range(count):
        root = random.normal(0, 0.3, (3, 3))
        J = root @ root.T + 0.05 * np.eye(3)
        turn = {"angle": float(random.normal())} if dim == 2 else {"rotation": tuple(random.normal(size=4))}
        model.add(da.Body(f"b{k}", mass=float(random.uniform(0.5, 3)), position=tuple(random.normal(0, 1, dim)),
                          com=tuple(random.normal(0, 0.1, dim)), **turn,
                          inertia=float(J[0, 0]) if dim == 2 else tuple(map(tuple, 0.5 * np.trace(J) * np.eye(3) - 0.4 * J))))
        parent = "ground" if k == 0 else f"b{random.integers(0, k)}" if random.random() < 0.8 else "ground"
        kind = da.Revolute if random.random() < 0.75 else da.Prismatic
        axis = {} if dim == 2 and kind is da.Revolute else {"axis": tuple(random.normal(size=dim))}
        model.add(kind(f"j{k}", parent, f"b{k}", at=tuple(random.normal(0, 1, dim)), **axis))
    for k in range(loops):
        i = random.integers(0, count)
        j = "ground" if count < 3 or random.random() < 0.5 else f"b{(i + 1) % count}"
        p, o = tuple(random.normal(0, 1, dim)), tuple(random.normal(0, 1, dim))
        model.add(da.Distance(f"link{k}", f"b{i}", j, at_i=p, at_j=o))
    _forces(model, random, count, dim)
    return model


def _forces(model, random, count, dim):
    model.add(da.Spring("spring", "ground", f"b{random.integers(0, count)}", at_i=tuple(random.normal(0, 1, dim)),
                        at_j=tuple(random.normal(0, 1, dim)), stiffness=20.0, damping=2.0, length=0.5))
    model.add(da.Force("load", f"b{random.integers(0, count)}", tuple(random.normal(0, 5, dim)),
                       at=tuple(random.normal(0, 1, dim)), frame="body"))


def _drives(model, random):
    state = da.assemble(model)
    w = workspace(state.system)
    w.set(0.0, state.q, state.v)
    N = null_space(w)
    chosen, _ = candidates(model, w, N)
    if not N.shape[1] or len(chosen) < N.shape[1]:
        return None
    for name in chosen:
        a, b = random.normal(size=2).tolist()
        model.add(da.Drive(f"drive {name.replace('.', ' ')}", name, f"{0.2 * a!r}*(1 - cos(4*t)) + {0.3 * b!r}*t"))
    return [(f"drive {name.replace('.', ' ')}", name) for name in chosen]


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_efforts_give_the_accelerations_back(first):
    """200 random mechanisms (trees and loops, plane and space): accelerations to 1e-8 of the largest."""
    for seed in range(first, first + 20):
        model, drives = random_mechanism(seed)
        inv = da.inverse_dynamics(model, times=[0.0, 0.02])
        for k in range(2):
            free = model.copy()
            for name, coordinate in drives:
                free.remove(name)
                free.add(da.Motor(f"effort {name}", coordinate, float(inv[name].force[k])))
            solved = da.accelerations(free, inv.state(k))
            expected = inv._vdot[k]
            np.testing.assert_allclose(solved.observed.vdot[0], expected, rtol=0, atol=1e-8 * np.abs(expected).max(),
                                       err_msg=f"seed {seed}, sample {k}")
