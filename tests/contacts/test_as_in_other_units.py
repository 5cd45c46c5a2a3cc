"""What contacts do is the same in other sizes and with other masses, and is what closed forms say where bodies are free.

    Froude      lengths λ, times √λ, masses ρ λ³: the same motion in its own units, of stacks that slide and are solved at once
    no drive    where joints only hold contacts put nothing into drives: what is lost is T₀ − T₁
    a spring    between two free bodies, without friction, gives back what it took, whichever of them is named first
    a spin      about the normal of the point that carries it is not rest
    a top       turns about its axis of symmetry by (J₃/J₁ − 1) ω₃ t, however little J₃ and J₁ differ
"""

import numpy as np
import pytest

import dalembert as da

G = 9.81


def turned(r):
    T = np.linalg.qr(r.normal(size=(3, 3)))[0]
    return T * np.linalg.det(T)


@pytest.mark.parametrize("gravity", [True, False])
def test_stacks_slide_alike_in_any_size_and_of_any_density(gravity):
    """Three cubes on each other, thrown aside; or a row of them that is pushed together without weight."""
    seen = []
    for size, density in ((0.5, 1000.0), (0.5, 1.0), (0.01, 1000.0), (0.002, 1.0)):
        tau = np.sqrt(size)
        m = da.Model("stack", gravity=(0, 0, -G if gravity else 0.0))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
        for k in range(3):
            v = np.array([0.0, 0.3 * k * (-1) ** k, 0.0 if gravity else -0.5 * k]) * tau
            m.add(da.Body.from_shape(f"b{k}", da.Box((size,) * 3), density=density, position=(0, 0, size * (0.5 + k)),
                                     velocity=tuple(v)))
        m.add(da.Contact("c", "all", "all", friction=0.3))
        run = da.simulate(m, 0.3 * tau, step=0.05 * tau, contact="stepping")
        x = np.array([run[f"b{k}"].position[-1] for k in range(3)]) / size
        v = np.array([run[f"b{k}"].velocity[-1] for k in range(3)]) / tau
        lost = (run.touching.friction[-1] + run.touching.impact[-1]) / (density * size**4)
        seen.append(np.concatenate([x.ravel(), v.ravel(), [lost / 100]]))
        if gravity:
            assert run.stats["contact"]["solved"] > 0
    for other in seen[1:]:
        assert other == pytest.approx(seen[0], abs=1e-7)


@pytest.mark.parametrize("restitution", [0.0, 0.7])
@pytest.mark.parametrize("kind", ["socket", "universal", "chain"])
def test_where_joints_only_hold_contacts_put_nothing_into_drives(kind, restitution):
    """Arms with products of inertia, turned at random, strike what floats; no gravity, so nothing else has energy."""
    struck = 0
    for seed in range(3):
        r = np.random.default_rng(seed)
        m = da.Model("struck", gravity=(0, 0, 0))
        T, omega = turned(r), np.array([0.5, 1.0, 2.0])
        if kind == "universal":
            omega = 2.0 * T[:, 0]  # about the axis on the ground
        last, at = m.ground, np.zeros(3)
        for k in range(2 if kind == "chain" else 1):
            way = T[:, 1 + k] * 0.8
            x, Q = at + 0.5 * way, turned(r)
            J = Q @ np.diag([0.2, 0.3, 0.35]) @ Q.T
            rotation = np.column_stack([T[:, 1 + k], T[:, 2 - k], np.cross(T[:, 1 + k], T[:, 2 - k])])
            m.add(da.Body(f"arm{k}", mass=3.0, inertia=J, shapes=[da.Box((0.8, 0.1, 0.3))], rotation=rotation, position=tuple(x),
                          omega=tuple(omega), velocity=tuple(np.cross(omega, x))))
            joint = {"axis": tuple(T[:, 0]), "axis2": tuple(T[:, 1])} if kind == "universal" else {}
            m.add((da.Universal if kind == "universal" else da.Spherical)(f"j{k}", last, f"arm{k}", at=tuple(at), **joint))
            last, at = f"arm{k}", at + way
        side = np.cross(omega, at)
        for k, (part, far) in enumerate(((0.9, 0.3), (0.7, 0.35), (0.5, 0.4))):
            place = part * at + side / np.linalg.norm(side) * far + 0.02 * r.normal(size=3)
            m.add(da.Body.from_shape(f"b{k}", da.Sphere(0.1), density=1000.0, position=tuple(place)))
        m.add(da.Contact("c", ["arm0", *(["arm1"] if kind == "chain" else [])], ["b0", "b1", "b2"], friction=0.5,
                         restitution=restitution))
        run = da.simulate(m, 0.5, step=0.25, contact="stepping")
        e = run.energy
        lost = run.touching.impact[-1] + run.touching.friction[-1]
        struck += lost > 0.05 * e.kinetic[0]
        assert abs(e.work[-1]) < 1e-6 * e.kinetic[0]
        if kind != "chain":  # whose free motion is less exact than that
            assert lost == pytest.approx(e.kinetic[0] - e.kinetic[-1], abs=1e-4 * e.kinetic[0])
    assert struck > 1


@pytest.mark.parametrize("order", [1, -1])
def test_a_spring_between_free_bodies_gives_back_what_it_took(order):
    """Half a period π √(μ/k); both change their way by halves, also where a third, rigid contact is about."""
    for seed in range(3):
        r = np.random.default_rng(seed)
        m = da.Model("spring", gravity=(0, 0, 0))
        n = r.normal(size=3)
        n /= np.linalg.norm(n)
        masses, speeds = r.uniform(1, 4, 2), np.array([1.0, -0.8]) if seed else np.array([1.0, 0.0])
        bodies = [da.Body(f"b{k}", mass=masses[k], inertia=(0.02,) * 3, shapes=[da.Sphere(0.1)], velocity=tuple(speeds[k] * n),
                          position=tuple((-0.11, 0.11)[k] * n)) for k in range(2)]
        for body in bodies[::order]:
            m.add(body)
        m.add(da.Contact("c", "b0", "b1", friction=0.3, stiffness_N_per_m=2e4))
        run = da.simulate(m, 0.2, step=0.1, contact="stepping")
        mean = masses @ speeds / masses.sum()
        after = 2 * mean - speeds
        for k in range(2):
            assert run[f"b{k}"].velocity[-1] == pytest.approx(after[k] * n, abs=3e-3)
        assert run.energy.kinetic[-1] == pytest.approx(run.energy.kinetic[0], rel=2e-3)  # it comes and goes within substeps
        assert abs(run.energy.dissipated[-1]) < 2e-3 * run.energy.kinetic[0]


@pytest.mark.parametrize("shape", [da.Sphere(0.1), da.Box((0.2,) * 3), da.Cylinder(0.1, 0.2)], ids=["ball", "box", "cylinder"])
def test_what_spins_in_place_is_not_at_rest(shape):
    m = da.Model("spin", gravity=(0, 0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    m.add(da.Body.from_shape("top", shape, density=1000.0, position=(0, 0, 0.1), omega=(0, 0, 20.0)))
    m.add(da.Contact("c", "all", "all", friction=0.3 if isinstance(shape, da.Sphere) else 0.0))
    run = da.simulate(m, 0.3, step=0.1, contact={"freeze": 0.05})
    assert run["top"].omega[-1] == pytest.approx([0, 0, 20.0], abs=1e-9)


@pytest.mark.parametrize("part", [1e-1, 1e-3, 1e-6, 1e-9])
def test_a_body_whose_moments_hardly_differ_wobbles_by_as_little(part):
    m = da.Model("top", gravity=(0, 0, 0))
    m.add(da.Body("top", mass=1.0, inertia=(1e-2, 1e-2, 1e-2 * (1 + part)), shapes=[da.Sphere(0.1)], omega=(3.0, 0, 20.0)))
    m.add(da.Body("other", mass=1.0, inertia=(1e-2,) * 3, shapes=[da.Sphere(0.1)], position=(9.0, 0, 0)))
    m.add(da.Contact("c", "all", "all", friction=0.3))
    run = da.simulate(m, 1.0, step=0.5, contact="stepping", fixed_step=1e-3)
    own = run["top"].omega[-1]  # in its own axes
    angle = np.arctan2(own[1], own[0])
    assert angle == pytest.approx(part * 20.0, rel=1e-6)
    assert (np.hypot(*own[:2]), own[2]) == pytest.approx((3.0, 20.0), rel=1e-12)
