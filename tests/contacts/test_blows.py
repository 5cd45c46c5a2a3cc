"""Single blows with closed forms: through joints, in a row with gaps, and their balance of momentum."""

import numpy as np
import pytest

import dalembert as da


@pytest.mark.parametrize("gap", [1e-6, 1e-4, 0.0])
def test_three_spheres_in_a_row(stage, gap):
    """With gaps one blow after the other: the last flies off.  Touching: Newton's law on both at once.  Energy is kept."""
    m = da.Model("cradle", dim=stage.dim)
    for k in range(3):
        at = 0.2 * k + gap * k - (2e-3 if k == 0 else 0.0)
        stage.body(m, f"b{k}", stage.ball(0.1), (at, 0.0), moment=0.004, velocity=(1.0 if k == 0 else 0.0, 0.0))
    m.add(da.Contact("c", "all", "all", friction=0.0, restitution=1.0))
    run = stage.run(m, 0.05, 0.01)
    found = [stage.read(run[f"b{k}"].velocity[-1], stage.speed)[0] for k in range(3)]
    assert found == pytest.approx([0, 0, 1] if gap else [-1 / 3, 2 / 3, 2 / 3], abs=1e-6)
    assert np.ptp(run.energy.kinetic) < 1e-9 * run.energy.kinetic[0]
    momentum = np.array(sum(run[f"b{k}"].momentum for k in range(3)))
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * np.abs(momentum[0]).max()


def crank(dim, rate=-6.0):
    """A slider-crank whose piston touches a stop, moving into it."""
    z = (0.0,) * (dim - 2)
    a = np.radians(60.0)
    pin = np.array([0.3 * np.cos(a), 0.3 * np.sin(a)])
    x = pin[0] + np.sqrt(0.64 - pin[1] ** 2)
    m = da.Model("crank", dim=dim)
    wall = da.HalfSpace((-1, 0, 0)[:dim], position=(x + 0.05, 0, 0)[:dim])
    m.add(da.Fixture("wall", shapes=[wall]))
    thick = {"radius": 0.02} if dim == 3 else {}
    m.add(da.Body.rod("crank", (0, 0, *z), (*pin, *z), mass=1.0, **thick))
    m.add(da.Body.rod("rod", (*pin, *z), (x, 0, *z), mass=1.5, **thick))
    inertia = 0.1 if dim == 2 else (0.1, 0.1, 0.1)
    m.add(da.Body("piston", mass=2.0, inertia=inertia, position=(x, 0, *z), shapes=[da.Box((0.1,) * dim)]))
    axis = {} if dim == 2 else {"axis": (0, 0, 1)}
    m.add(da.Revolute("A", "ground", "crank", at=(0, 0, *z), **axis))
    m.add(da.Revolute("B", "crank", "rod", at=(*pin, *z), **axis))
    m.add(da.Revolute("C", "rod", "piston", at=(x, 0, *z), **axis))
    m.add(da.Prismatic("S", "ground", "piston", axis=(1, 0, *z), at=(x, 0, *z)))
    m.add(da.Contact("stop", "wall", "piston", friction=0.0, restitution=0.5))
    m.initial("A", rate=rate)
    return m


@pytest.mark.parametrize("dim", [2, 3])
def test_a_blow_through_joints(dim):
    """One freedom: the mass that the stop feels is 2 T/u², so p = (1 + e) 2 T/u, and every body goes back with −e v."""
    run = da.simulate(crank(dim), 4e-14, step=4e-14, fixed_step=1e-14)
    before, after = (np.concatenate([[*run[n].velocity[k], *np.atleast_1d(run[n].omega[k])] for n in ("crank", "rod", "piston")])
                     for k in (0, -1))
    u, T = run["piston"].velocity[0][0], run.energy.kinetic[0]
    assert u > 0.5
    assert np.abs(after + 0.5 * before).max() < 1e-11 * np.abs(before).max()
    assert -run["stop"].impulse[-1][0] == pytest.approx(1.5 * 2.0 * T / u, rel=1e-11)
    assert run.certificate.position_error < 1e-10
    assert run.certificate.velocity_error < 1e-10


@pytest.mark.parametrize("dim", [2, 3])
def test_every_blow_balances_the_momentum_of_a_free_linkage(dim):
    """Two hinged rods hit the floor without gravity: the change of momentum is the contact's impulse, sample by sample."""
    from test_stepping import two_rods

    run = da.simulate(two_rods(dim), 0.6, step=0.01)
    momentum = run["r0"].momentum + run["r1"].momentum
    miss = np.diff(momentum - run["c"].impulse, axis=0)
    blows = np.linalg.norm(np.diff(run["c"].impulse, axis=0), axis=1)
    assert (blows > 0.1).sum() >= 2
    assert np.abs(miss).max() < 1e-12 * np.abs(momentum[0]).max() * 10


@pytest.mark.parametrize("dim", [2, 3])
def test_a_blow_on_what_a_drive_moves_is_lost_in_an_impact(dim):
    """A ball of velocity −v meets a plate that goes up by V, whatever: V + e (v + V) after it, ½ m (1 − e²)(v + V)² lost, in the
    blow; the drive does p V, p = m (1 + e)(v + V)."""
    m = da.Model("racket", dim=dim, gravity=(0,) * dim)
    plate = m.add(da.Body.from_shape("plate", da.Box((1.0, 0.1, 1.0)[:dim]), mass=1.0, position=(0, -0.05, 0)[:dim]))
    m.add(da.Prismatic("slide", m.ground, plate, axis=(0, 1, 0)[:dim]))
    m.add(da.Drive("drive", "slide", "1.0*t"))
    m.add(da.Body.from_shape("ball", da.Sphere(0.1), mass=1.0, position=(0, 0.6, 0)[:dim], velocity=(0, -3.0, 0)[:dim]))
    m.add(da.Contact("c", "plate", "ball", friction=0.3, restitution=0.5))
    run = da.simulate(m, 0.5, step=0.05, fixed_step=1e-3, contact="stepping")
    assert run["ball"].velocity[-1][1] == pytest.approx(3.0, rel=1e-12)
    assert run.touching.impact[-1] == pytest.approx(6.0, rel=1e-12)
    assert abs(run.touching.friction[-1]) < 1e-12
    assert run.energy.work[-1] - run.energy.work[0] == pytest.approx(6.0, rel=1e-12)
