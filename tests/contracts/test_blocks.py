"""K, C, G_q, G_v of every element: closed blocks, and lanes of duals for the rest, against one lane of duals for every column."""

import numpy as np
import pytest
from contract_cases import CASES
from contract_scene import Case

import dalembert as da
from dalembert._jit.duals import WIDTH
from dalembert.elements.measures import table
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.derivatives import Derivatives
from dalembert.formulations.augmented.newton import closed
from dalembert.formulations.augmented.newton.classes import lane_tables, placeless
from dalembert.formulations.augmented.newton.engine import NewtonWork


def blocks(w):
    """K, C, G_q, G_v as dense matrices, as Newton's method has them; None where a law is asked by differences."""
    s, n = w.system, w.system.kind.SIZE_V
    newton = NewtonWork(w)
    if newton._exact() is None:
        return None
    assert newton.bound("differentiate")() == newton.bound("differentiate")() == 0  # twice: nothing is left of the first
    G = {name: np.zeros((s.nc, s.nv)) for name in ("Gq", "Gv")}
    for b in s.tables.blocks:
        rows, to = slice(int(b["row"]), int(b["row"] + b["count"])), s.at_v(int(b["body"]))
        for name, matrix in G.items():
            values = getattr(newton.arrays, name)[int(b["at"]):int(b["at"]) + n * int(b["count"])]
            matrix[rows, to] = values.reshape(int(b["count"]), n)
    return {"K": newton.matrix("K"), "C": newton.matrix("C"), **G}


def by_lanes(w):
    """The same from δu and δρ, every column by itself."""
    s, d, found = w.system, Derivatives(w), {}
    lam, vdot = w.lam.copy(), w.vdot.copy()
    for X, of_u, of_rho in ((True, "K", "Gq"), (False, "C", "Gv")):
        u, rho = np.zeros((s.nv, s.nv)), np.zeros((s.nc, s.nv))
        for first in range(0, s.nv, WIDTH):
            E = np.eye(s.nv)[:, first:first + WIDTH]
            w.lam[:], w.vdot[:], w.held[:] = lam, vdot, vdot
            d.seeds(E if X else None, None if X else E)
            d.run("balanced")
            u[:, first:first + WIDTH], rho[:, first:first + WIDTH] = (d.found[n][:, :E.shape[1]] for n in ("u", "rho"))
        found |= {of_u: -u, of_rho: rho}
    return found


def scattered(case, **change):
    """A state off the constraints with λ and v̇ of the size of nothing in particular: no term is small by chance."""
    w, rng = next(iter(case.states(1, **change)))
    w.run("accelerations")
    w.lam[:] = rng.standard_normal(w.system.nc)
    w.vdot[:] = w.held[:] = rng.standard_normal(w.system.nv)
    return w


def apart(found, wanted):
    """The largest difference, relative to what moves (K and G_q with place, C and G_v with velocity)."""
    worst = 0.0
    for names in (("K", "Gq"), ("C", "Gv")):
        size = max(np.abs(wanted[n]).max(initial=0.0) for n in names) or 1.0
        worst = max(worst, *(np.abs(found[n] - wanted[n]).max(initial=0.0) / size for n in names))
    return worst


def test_blocks_are_those_of_single_directions(case):
    for change in ({}, {"swap": True}) if "swapped" in case.fits else ({},):
        w = scattered(case, **change)
        found = blocks(w)
        if found is None:  # functions of users that are asked by differences
            return
        wanted = by_lanes(w)
        assert apart(found, wanted) <= 1e-13
        s = w.system
        nowhere = np.repeat(placeless(s), s.kind.SIZE_V) & (np.arange(s.nv) % s.kind.SIZE_V < s.dim)
        assert not any(matrix[:, nowhere].any() for matrix in wanted.values())


def test_blocks_do_not_feel_what_else_is_asked(case):
    """Whatever the same duals were asked before, along whatever direction, K, C, G_q, G_v at a state are the same bits."""
    w = scattered(case)
    s, newton, d = w.system, NewtonWork(w), Derivatives(w)
    if d.notes:
        return
    kept, names = [getattr(w, n).copy() for n in ("q", "v", "lam", "vdot", "held")], ("K", "C", "Gq", "Gv")
    found, call, rng = [], d.jacobians(newton.arrays), np.random.default_rng(1)
    for entry in ("directions", "balanced", "speeds", "observed", "watched", "projected", "forward", "directions"):
        w.run("rows")
        for name, array in zip(("q", "v", "lam", "vdot", "held"), kept, strict=True):
            getattr(w, name)[:] = array
        assert call() == 0
        found.append([getattr(newton.arrays, name).copy() for name in names])
        d.seeds(*(rng.standard_normal((s.nv, WIDTH)) for _ in range(2)))
        d.run(entry)
        d.still()
    assert all(np.array_equal(a, b) for other in found[1:] for a, b in zip(found[0], other, strict=True))


def test_forces_whose_numbers_are_read():
    """Three springs, of which a motor reads the last: a table without the others has other numbers."""
    m = da.Model("read", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (0.6, -0.5), mass=1.0))
    m.add(da.Body.rod("b", (0.6, -0.5), (1.3, -0.2), mass=2.0))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("P", "a", "b", at=(0.6, -0.5)))
    for k, x in enumerate((0.3, 0.7, 1.2)):
        m.add(da.Spring(f"s{k}", m.ground, "b", at_i=(x, 1.0), at_j=(1.3, -0.2), stiffness=30.0 + 9 * k, length=0.8, damping=0.4))
    m.add(da.Motor("push", "O", "-0.3*s2.force"))
    w, rng = workspace(m.compile()), np.random.default_rng(4)
    w.v[:] = rng.standard_normal(w.v.size)
    w.run("accelerations")
    w.lam[:] = rng.standard_normal(w.system.nc)
    w.vdot[:] = w.held[:] = rng.standard_normal(w.system.nv)
    assert apart(blocks(w), by_lanes(w)) <= 1e-13


def test_every_claim_is_tried():
    """Closed kernels that no case reaches could be wrong: each family, each measure in rows and in forces, plane and space."""
    tried = set()
    for case in CASES:
        s = case.system()
        t = closed.split(s, s.tables)[0]
        tried |= {(s.dim, family) for family in (*closed.ROWS, *closed.LOADS) if getattr(t, family).size}
        terms = [t.terms["measure"][int(r["start"]):int(r["stop"])] for r in t.combine]
        for role, used in (("row", np.concatenate([t.hold["measure"], *terms])), ("force", t.effort["measure"])):
            tried |= {(s.dim, role, table.NAMES[k]) for k in t.measures["kind"][used.astype(int)]}
    wanted = {(dim, family) for dim in (2, 3) for family in (*closed.ROWS, *closed.LOADS)}
    wanted |= {(dim, "row", name) for dim in (2, 3) for name in table.NAMES if (dim, name) != (2, "dot_axes")}
    wanted |= {(dim, "force", name) for dim in (2, 3) for name in ("angle", "distance", "dot_offset")}
    assert wanted - tried == set()


@pytest.mark.parametrize("name", ["plane_equation", "knife_edge", "bushing"])
def test_a_claim_without_blocks_is_seen(monkeypatch, name):
    """The law above has teeth: what is claimed to be closed and is not leaves K, C or G wrong."""
    case = next(Case(c.build, c.dim, c.fits) for c in CASES if c.name == name)  # what is closed is kept with a system
    family = name.removeprefix("plane_")
    monkeypatch.setattr(closed, "ROWS" if family != "bushing" else "LOADS",
                        (*(closed.ROWS if family != "bushing" else closed.LOADS), family))
    w = scattered(case)
    assert apart(blocks(w), by_lanes(w)) > 1e-6


@pytest.mark.parametrize(("name", "bodies"), [("plane_user_force", {"b"}), ("plane_revolute", set()), ("bushing", {"a", "b"}),
                                              ("equation", {"a", "b"}), ("gear_teeth", set())])
def test_what_is_left_has_lanes_of_its_own_bodies_alone(name, bodies):
    s = next(c for c in CASES if c.name == name).system()
    lanes = lane_tables(s, closed.split(s, s.tables)[1])[0]["members"]
    assert {s.bodies[int(k) // s.kind.SIZE_V] for k in lanes} == bodies
