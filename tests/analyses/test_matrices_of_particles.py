"""Particles in the equations in numbers: r and no turn, in matrices, works, sub-systems, energies and diagrams.

K and its right side are written here from positions and velocities alone; rows are (second) − (first).
"""

import itertools
import json
import re

import numpy as np
import pytest

import dalembert as da

CORNERS = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.2, 1.0, 0.0), (0.3, 0.2, 0.9)])
EXACT = {"rtol": 1e-12, "atol": 1e-12}
G = 9.81


def tilde(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def haug():
    """Haug's four particles with six links, turning about their centre of mass."""
    m = da.Model("four particles", gravity=(0, 0, -G))
    for k, p in enumerate(CORNERS):
        m.add(da.Particle(f"p{k}", mass=1.0 + k, position=tuple(p), velocity=tuple(np.cross((0.4, -0.7, 1.1), p))))
    for i, j in itertools.combinations(range(4), 2):
        m.add(da.Distance(f"d{i}{j}", f"p{i}", f"p{j}", at_i=tuple(CORNERS[i]), at_j=tuple(CORNERS[j])))
    return m


def plane():
    """A particle, a rod that turns about O, and a bob pinned to its end: particles before and behind the body."""
    m = da.Model("plane", dim=2, gravity=(0, -G))
    m.add(da.Particle("q", mass=0.7, position=(2.0, 1.0), velocity=(0.3, 0.2)))
    m.add(da.Body.rod("rod", (0, 0), (0.6, 0.8), mass=1.2))
    m.add(da.Particle("bob", mass=0.5, position=(0.6, 0.8)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Revolute("B", "rod", "bob", at=(0.6, 0.8)))
    m.add(da.Distance("s", "bob", "q", at_i=(0.6, 0.8), at_j=(2.0, 1.0)))
    m.add(da.Torque("T", "rod", 0.9))
    m.initial("O", rate=1.7)
    return m


def space():
    """The same in space: a ball joint, a tumbling arm, a particle on its tip and one on a string."""
    m = da.Model("space", gravity=(0, 0, -G))
    m.add(da.Particle("q", mass=0.7, position=(2.0, 1.0, 0.5), velocity=(0.3, 0.2, -0.4)))
    m.add(da.Body("arm", mass=1.2, inertia=(0.1, 0.3, 0.25), position=(0.5, 0, 0), omega=(0.8, -1.1, 0.6)))
    m.add(da.Particle("bob", mass=0.5, position=(1, 0, 0)))
    m.add(da.Spherical("O", m.ground, "arm", at=(0, 0, 0)))
    m.add(da.Spherical("B", "arm", "bob", at=(1, 0, 0)))
    m.add(da.Distance("s", "bob", "q", at_i=(1, 0, 0), at_j=(2.0, 1.0, 0.5)))
    return m


def link(state, i, j):
    """Direction from i to j, and γ of their constant distance: u·a = −|v⊥|²/l."""
    r, v = state[j].position - state[i].position, state[j].velocity - state[i].velocity
    length = np.linalg.norm(r)
    u = r / length
    return u, -(v @ v - (u @ v) ** 2) / length


def agrees(M, mass, C, Q, gamma):
    n, nc = len(mass), len(C)
    K = np.block([[mass, C.T], [C, np.zeros((nc, nc))]])
    assert M.K.shape == (n + nc, n + nc) and len(M.independent) + len(M.dependent) == n
    np.testing.assert_allclose(M.K, K, **EXACT)
    np.testing.assert_allclose(M.rhs, [*Q, *gamma], rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(M.solution, np.linalg.solve(K, [*Q, *gamma]), rtol=1e-9, atol=1e-9)
    assert max(i.residual for i in M.identities) < 1e-12
    found = M.theorem()
    assert found.holds and found.difference < 1e-9 and found.X.shape == M.B.shape
    assert f"with {n} + {nc} = {n + nc} unknowns" in str(M)


def test_haug_has_twelve_coordinates_and_eighteen_unknowns():
    M = da.matrices(haug())
    C, gamma = np.zeros((6, 12)), np.zeros(6)
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        u, gamma[k] = link(M.state, f"p{i}", f"p{j}")
        C[k, 3 * i:3 * i + 3], C[k, 3 * j:3 * j + 3] = -u, u
    masses = np.repeat([1.0, 2.0, 3.0, 4.0], 3)
    assert M.K.shape == (18, 18) and np.abs(gamma).min() > 0.1
    agrees(M, np.diag(masses), C, masses * np.tile((0, 0, -G), 4), gamma)
    assert M.J.shape == (0, 0) and M.Pi.shape == (6, 0) and M.tau.shape == (0,) and M.Phi_r.shape == (6, 12)
    assert "ω" not in str(M).splitlines()[1] and not any(n.endswith(("wx", "wy", "wz")) for n in M.K.rows.names)
    assert all(getattr(M, name).latex() and getattr(M, name)._repr_html_() for name in M.ALL)


@pytest.mark.parametrize("layout", ["course", "plane"])
def test_particles_and_a_body_in_the_plane(layout):
    M = da.matrices(plane(), layout=layout)
    w, h = M.state["rod"].omega, np.array([0.3, 0.4])  # the rod's half
    u, bend = link(M.state, "bob", "q")
    C, gamma = np.zeros((5, 7)), np.zeros(5)  # q | rod x, y, θ | bob
    C[0:2, 2:4], C[0:2, 4], gamma[0:2] = np.eye(2), (h[1], -h[0]), -w**2 * h  # O: R − A h
    C[2:4, 5:7], C[2:4, 2:4], C[2:4, 4], gamma[2:4] = np.eye(2), -np.eye(2), (h[1], -h[0]), -w**2 * h
    C[4, 5:7], C[4, 0:2], gamma[4] = -u, u, bend
    mass = np.diag([0.7, 0.7, 1.2, 1.2, 0.1, 0.5, 0.5])
    Q = np.array([0, -0.7 * G, 0, -1.2 * G, 0.9, 0, -0.5 * G])
    order = [0, 1, 2, 3, 5, 6, 4] if layout == "course" else range(7)
    agrees(M, mass[np.ix_(order, order)], C[:, order], Q[order], gamma)
    assert M.J.rows.names == ("rod.angle",) and M.Pi.shape == (5, 1)
    assert abs(w - 1.7) < 1e-9 and "bob.angle" not in M.dependent


@pytest.mark.parametrize("layout", ["course", "body"])
def test_particles_and_a_body_in_space(layout):
    M = da.matrices(space(), layout=layout)
    state = M.state
    A, w, h = state["arm"].rotation, state["arm"].omega, np.array([0.5, 0, 0])
    u, bend = link(state, "bob", "q")
    swing = A @ tilde(w) @ tilde(w) @ h
    C, gamma = np.zeros((7, 12)), np.zeros(7)  # q | arm r, ω̄ | bob
    C[0:3, 3:6], C[0:3, 6:9], gamma[0:3] = np.eye(3), A @ tilde(h), swing  # O: r − A h
    C[3:6, 9:], C[3:6, 3:6], C[3:6, 6:9], gamma[3:6] = np.eye(3), -np.eye(3), A @ tilde(h), swing
    C[6, 9:], C[6, 0:3], gamma[6] = -u, u, bend
    J = np.diag([0.1, 0.3, 0.25])
    mass = np.zeros((12, 12))
    mass[:3, :3], mass[3:6, 3:6], mass[6:9, 6:9], mass[9:, 9:] = 0.7 * np.eye(3), 1.2 * np.eye(3), J, 0.5 * np.eye(3)
    Q = np.array([0, 0, -0.7 * G, 0, 0, -1.2 * G, *(-np.cross(w, J @ w)), 0, 0, -0.5 * G])
    order = [*range(6), 9, 10, 11, 6, 7, 8] if layout == "course" else range(12)
    assert np.linalg.norm(w) > 0.5
    agrees(M, mass[np.ix_(order, order)], C[:, order], Q[order], gamma)


def test_wishes_name_what_a_particle_has():
    M = da.matrices(plane(), independent=["rod.angle", "q.x"])
    assert M.independent == ["rod.angle", "q.x"]
    for make, words in ((plane, "x, y and angle"), (space, "x, y and z, and wx, wy, wz")):
        with pytest.raises(da.AnalysisError, match=f"no coordinate 'bob.angle'.*{words}"):
            da.matrices(make(), independent="bob.angle")


@pytest.mark.parametrize("make", [haug, plane, space])
def test_works_and_sub_systems(make):
    m = make()
    M = da.matrices(m, layout="body")
    for column in np.asarray(M.B).T:  # a column of B is a displacement: joints do no work, every body is in balance
        work = da.virtual_work(m, column)
        assert max(map(abs, work.constraint.values())) < 1e-12 * work.scale
        assert max(map(abs, work.balance.values())) < 1e-12 * work.scale
    with pytest.raises(da.AnalysisError, match=f"has {len(M.M)} entries"):
        da.virtual_work(m, np.zeros(len(M.M) + 1))
    state, bodies = M.state, M.state.system.bodies
    cut = da.subsystem(state, bodies[:2], about=bodies[-1])
    assert np.abs(np.append(cut.residual.force, cut.residual.moment)).max() < 1e-12 * cut.scale
    point = state[bodies[-1]].position
    for name in bodies[:2]:
        if state[name].is_particle:  # the moment of a particle's inertia is that of m a at its place, nothing more
            arm, force = state[name].position - point, cut.inertia[name].force
            moment = np.cross(arm, force) if len(arm) == 3 else arm[0] * force[1] - arm[1] * force[0]
            np.testing.assert_allclose(cut.inertia[name].moment, moment, **EXACT)


@pytest.mark.parametrize("make", [haug, plane, space])
def test_energies_and_diagrams(make):
    run = da.simulate(make(), 0.2, step=0.1)
    points = [n for n in run.system.bodies if run[n].is_particle]
    for name in points:
        mass = run.model.bodies[name].mass
        np.testing.assert_allclose(run[name].kinetic_energy, 0.5 * mass * (run[name].velocity**2).sum(axis=1), **EXACT)
        assert not np.any(run[name].angular_momentum) and not np.any(run[name].angular_momentum_ground)
    np.testing.assert_allclose(sum(run[n].kinetic_energy for n in run.system.bodies), run.energy.kinetic, rtol=1e-11)
    svg = run.fbd(sample=2).svg
    arrows = [dict(re.findall(r'data-([a-z-]+)="([^"]*)"', head)) for head in re.findall(r'<g class="arrow"[^>]*>', svg)]
    assert {a["body"] for a in arrows} == set(run.system.bodies)
    assert not [a for a in arrows if a["body"] in points and "moment" in a]
    if make is not haug:
        assert [a for a in arrows if "moment" in a]  # the body has one
    for name in points:  # what is drawn adds up: with −m a among it, to nothing
        total = sum(np.array(json.loads(f"[{a['force'].replace(' ', ',')}]")) for a in arrows if a["body"] == name)
        assert np.abs(total).max() < 1e-6
