"""da.matrices against a dense assembly written here: every element of the registry, and the whole catalogue.

The assembly reads masses from the bodies as users gave them, rows block by block from the tables, forces from one evaluation of
all of them, and stacks them by the course's layout with loops over bodies; the solution is found by NumPy, not by the engine.
"""

import numpy as np
import pytest
from contract_cases import CASES

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace
from dalembert.results.motion import State

CLOSE = 1e-12


def assembled(model, state):
    """K, rhs (course's layout) from scratch, in the state's own numbers."""
    s = state.system
    d, turns, nb, nc = s.dim, 1 if s.dim == 2 else 3, s.nb, s.nc
    n = (d + turns) * nb
    K, rhs = np.zeros((n + nc, n + nc)), np.zeros(n + nc)
    w = workspace(s)
    w.set(state.t, state.q, state.v)
    w.run("terms")
    for b, body in enumerate(model.bodies.values()):
        given = body.resolve(_numbers(model))
        for c in range(d):
            K[d * b + c, d * b + c] = given["mass"]
        at = d * nb + turns * b
        K[at:at + turns, at:at + turns] = np.reshape(given["inertia"], (turns, turns))
        own = w.Q[(d + turns) * b:(d + turns) * (b + 1)]
        rhs[d * b:d * b + d], rhs[at:at + turns] = own[:d], own[d:]
    for block in s.tables.blocks:
        for i in range(int(block["count"])):
            row, b = n + int(block["row"]) + i, int(block["body"])
            entries = w.D[int(block["at"]) + (d + turns) * i:][: d + turns]
            for c in range(d):
                K[row, d * b + c] = K[d * b + c, row] = entries[c]
            for c in range(turns):
                K[row, d * nb + turns * b + c] = K[d * nb + turns * b + c, row] = entries[d + c]
    rhs[n:] = w.gamma
    idle = [d * nb + turns * b + c for b, body in enumerate(model.bodies.values()) if body.is_particle for c in range(turns)]
    kept = np.delete(np.arange(n + nc), idle)  # a particle has no turn
    assert not np.any(K[np.ix_(idle, range(n, n + nc))]) and np.abs(rhs[idle]).max(initial=0.0) < 1e-15
    return K[np.ix_(kept, kept)], rhs[kept]


def _numbers(model):
    from dalembert.model.numbers import Numbers

    return Numbers(model.dim, model.parameter_values())


def close(a, b, what):
    a, b = np.asarray(a), np.asarray(b)
    size = max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0), 1e-300)
    assert a.shape == b.shape and np.abs(a - b).max(initial=0.0) <= CLOSE * size, what


def check(model, state):
    M = da.matrices(model, state)
    s = M.state.system
    K, rhs = assembled(model, M.state)
    close(M.K, K, "K")
    d, nb, nv = s.dim, s.nb, len(K) - s.nc
    central = sum((np.asarray(M.loads[:, k]) for k, name in enumerate(M.loads.columns.names) if name.endswith("(central force)")),
                  np.zeros(nv))
    rhs[:nv] += central  # held by the bearings: no acceleration, only reactions (equations/central.py)
    close(M.rhs, rhs, "rhs")
    blocks = {"M": K[:d * nb, :d * nb], "J": K[d * nb:nv, d * nb:nv], "Phi_r": K[nv:, :d * nb], "Pi": K[nv:, d * nb:nv],
              "Cq": K[nv:, :nv], "F": rhs[:d * nb], "tau": rhs[d * nb:nv], "Qe": rhs[:nv], "gamma": rhs[nv:]}
    for name, block in blocks.items():
        close(getattr(M, name), block, name)
    close(M.Fa + M.Fm, M.F, "F^a + F^m")
    close(M.na + M.nm + M.gyro, M.tau, "n̄^a + n̄^m − ω̃J̄ω̄")
    close(M.loads.numpy.sum(axis=1), M.Qe, "loads")
    close(M.Qc, -K[:nv, nv:] @ M.multipliers, "Q_c")
    scale = np.sqrt(np.diag(K)[:nv])  # accelerations by NumPy, in the metric of the masses, rows of unit length
    rows = np.linalg.norm(K[nv:, :nv] / scale, axis=1)
    every = np.concatenate([scale, 1 / np.where(rows > 0, 1 / rows, 1.0)])
    x = np.linalg.lstsq(K / np.outer(every, every), rhs / every, rcond=1e-12)[0] / every
    size = np.abs(scale * x[:nv]).max(initial=0.0) + 1e-300
    assert np.abs(scale * (x[:nv] - M.acceleration)).max(initial=0.0) <= 1e-10 * size
    for identity in M.identities:
        assert identity.residual <= CLOSE, str(identity)
    assert len(M.independent) == M.B.shape[1] == nv - len(M.dependent) and M.Cqd.shape == (len(M.dependent),) * 2
    found = M.theorem()
    assert found.holds and found.residual <= CLOSE
    for layout in ("body", *(["plane"] if d == 2 else [])):  # the same numbers in another order
        other = da.matrices(model, state, layout=layout)
        order = [other.K.rows.names.index(n) for n in M.K.rows.names]
        close(other.K.numpy[np.ix_(order, order)], M.K, layout)
        close(other.rhs.numpy[order], M.rhs, layout)
    assert str(M).startswith("equations of") and M.K._repr_html_().startswith("<")


def test_every_element(case):
    model = case.scene()
    for w, _ in case.consistent(1):
        check(model, State(model, case.system(), float(w.t[0]), w.q.copy(), w.v.copy()))


@pytest.mark.parametrize("name", catalog.CATALOG)
def test_the_catalogue(name):
    model = catalog.make(name)
    check(model, da.assemble(model))


@pytest.mark.parametrize(("kind", "options"), [("external", {"pressure_angle": 0.35}), ("belt", {"preload": 4.0})])
def test_central_forces_of_gears_are_loads(kind, options):
    """What pushes along the line of centres: a column of its own, opposite on the two wheels; K x = rhs with the solver's λ."""
    m = da.Model("pair", dim=2, gravity=(0.3, -9.81))
    for name, x in (("a", 0.0), ("b", 1.0)):
        m.add(da.Body(name, mass=1.0 + x, inertia=0.2, position=(x, 0)))
        m.add(da.Revolute(f"axle {name}", "ground", name, at=(x, 0)))
    m.add(da.Gear("g", "a", "b", radii=(0.4, 0.6), kind=kind, **options))
    m.add(da.Torque("T", "a", 1.5))
    check(m, da.assemble(m))
    M = da.matrices(m)
    push = M.loads[:, "g (central force)"]
    np.testing.assert_allclose(push[:2], -push[2:4], rtol=1e-12)
    assert abs(push[2]) > 0.1
    for name in "ab":  # what the axles carry is the weight, the row's own force and the central force
        total = da.resultant(M.state, name, ["gravity", f"axle {name}", "g"])
        np.testing.assert_allclose(total.force, 0.0, atol=1e-12)


def test_all_cases_are_here():
    assert len(CASES) > 80
