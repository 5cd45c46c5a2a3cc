"""Runs with contacts as data: the same bits, resumed and saved; heaps, towers, joints; energy and certificate."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.simulation.touching import Stepping, chosen
from dalembert.contacts.tables import DRIFT, GRIP, HOLD, LINK, MN, MT, MU, RA, RB, RN, ROW, RT


def heap(n=8, **kw):
    return catalog.make("pouring", cubes=n, **kw)


def cubes_on_the_floor(ratio=1.0, count=20):
    m = da.Model("tower", gravity=(0, 0, -9.81))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    for k in range(count):
        density = 1000.0 * (ratio if k == count - 1 else 1.0)
        m.add(da.Body.from_shape(f"b{k}", da.Box((0.5, 0.5, 0.5)), density=density, position=(0, 0, 0.25 + 0.5 * k)))
    m.add(da.Contact("c", "all", "all", friction=0.5))
    return m


def test_the_same_scene_gives_the_same_bits_also_resumed_and_saved(tmp_path):
    m = heap()
    whole = da.simulate(m, 2.0, step=0.25)
    assert np.array_equal(whole.q, da.simulate(m, 2.0, step=0.25).q)
    reached = []
    with pytest.raises(da.SimulationInterrupted) as stopped:
        da.simulate(m, 2.0, step=0.25, progress=lambda t: reached.append(t) or t < 0.9)
    part = stopped.value.run
    assert 0.5 < part.t[-1] < 1.5
    part.save(tmp_path / "part.h5")
    for run in (da.resume(part), da.resume(da.load(tmp_path / "part.h5"))):
        assert np.array_equal(run.q, whole.q)
        assert np.array_equal(run.v, whole.v)
        assert np.array_equal(run["touch"].force, whole["touch"].force)
        assert run.stats["contact"]["friction"] == whole.stats["contact"]["friction"]


def test_a_checkpoint_goes_on(tmp_path):
    m, file = heap(), tmp_path / "c.npz"
    first = da.simulate(m, 1.0, step=0.25, checkpoint=file)
    further = da.resume(m, file, until=2.0)
    assert np.array_equal(further.q, da.resume(first, until=2.0).q)
    assert np.allclose(further.q[-1], da.simulate(m, 2.0, step=0.25).q[-1], atol=1e-12)


def test_a_saved_run_says_the_same(tmp_path):
    run = da.simulate(heap(), 1.5, step=0.25)
    run.save(tmp_path / "r.h5")
    again = da.load(tmp_path / "r.h5")
    for name in ("force", "torque", "power", "impulse"):
        assert np.array_equal(getattr(run["touch"], name), getattr(again["touch"], name))
    assert np.array_equal(again["cube 1"].acceleration, run["cube 1"].acceleration)
    assert str(again.certificate).splitlines()[5:7] == str(run.certificate).splitlines()[5:7]
    assert np.array_equal(again["touch"].points(-1)["force"], run["touch"].points(-1)["force"])


def test_momentum_energy_and_points_add_up():
    """Gravity's impulse and the contacts' make the momentum; what is lost is lost by friction and in impacts."""
    run = da.simulate(heap(27), 2.0, step=0.1)
    names = run.system.bodies
    momentum = sum(run[n].momentum for n in names)
    mass = 125.0 * len(names)
    # every contact of the scene is one named contact: its sum over both sides is that on side b, which holds all bodies and boxes
    points = [run.touching.of(k) for k in range(len(run.t))]
    on_bodies = [p["force"][(p["first"] == len(names)) | (p["second"] == len(names))] * np.where(
        p["second"] == len(names), -1.0, 1.0)[(p["first"] == len(names)) | (p["second"] == len(names)), None] for p in points]
    assert any(len(p["gap"]) for p in points)
    rate = mass * np.array([0, -9.81, 0]) + np.array([x.sum(axis=0) for x in on_bodies])
    acceleration = sum(125.0 * run[n].acceleration for n in names)
    assert np.abs(acceleration - rate).max() < 1e-9 * np.abs(rate).max()
    total = run.energy.kinetic + run.energy.potential
    assert np.diff(total).max() < 1e-9 * abs(total[0])
    assert np.abs(run.energy.residual).max() < 1e-9 * abs(total[0])
    assert momentum.shape == (len(run.t), 3)
    assert run.touching.penetration.max() < 0.05


@pytest.mark.parametrize("ratio", [1.0, 1e4])
def test_a_tower_stands_with_a_heavy_top(ratio):
    run = da.simulate(cubes_on_the_floor(ratio), 2.0, step=0.5)
    places = np.array([run[f"b{k}"].position for k in range(20)])
    assert np.abs(places[:, -1, :2]).max() < 1e-6
    assert np.abs(places[:, -1] - places[:, 0]).max() < 1e-6
    assert run.stats["contact"]["residual"] < 1e-8
    assert run["c"].on("b0").force[-1][2] == pytest.approx(125 * 9.81, rel=1e-3)


def test_a_frozen_heap_is_the_same_heap():
    m = cubes_on_the_floor(count=3)
    m.bodies["b2"] = da.Body.from_shape("b2", da.Box((0.5, 0.5, 0.5)), density=1000.0, position=(0.1, 0.05, 3.0))
    awake, frozen = (da.simulate(m, 2.0, step=0.5, contact={"freeze": f}) for f in (0.0, 0.1))
    for k in range(3):
        assert np.allclose(awake[f"b{k}"].position[-1], frozen[f"b{k}"].position[-1], atol=2e-3)
    assert np.abs(frozen.v[-1]).max() == 0.0
    assert frozen["c"].on("b0").force[-1][2] == pytest.approx(125 * 9.81, rel=1e-2)


def two_rods(dim):
    """Two hinged rods with round ends fall on a floor, without gravity: only impulses change their momentum."""
    m = da.Model("rods", dim=dim)
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1) if dim == 2 else (0, 1, 0))]))
    v = {"velocity": (1.0, -3.0)} if dim == 2 else {"velocity": (1.0, -3.0, 0.5), "radius": 0.05}
    for k, (a, b) in enumerate((((0, 1.2), (1, 0.6)), ((1, 0.6), (2, 1.0)))):
        ends = [da.Sphere(0.05, position=(x,) + (0,) * (dim - 1)) for x in (-0.5, 0.5)]
        m.add(da.Body.rod(f"r{k}", a + (0,) * (dim - 2), b + (0,) * (dim - 2), mass=1.0 + k, shapes=ends, **v))
    hinge = {"at": (1, 0.6)} if dim == 2 else {"at": (1, 0.6, 0), "axis": (0, 0, 1)}
    m.add(da.Revolute("hinge", "r0", "r1", **hinge))
    m.add(da.Contact("c", "floor", ["r0", "r1"], friction=0.3, restitution=0.4))
    return m


@pytest.mark.parametrize("dim", [2, 3])
def test_impulses_go_through_joints(dim):
    run = da.simulate(two_rods(dim), 0.6, step=0.01)
    momentum = run["r0"].momentum + run["r1"].momentum
    change = momentum - momentum[0]
    assert np.abs(run["c"].impulse[-1]).max() > 1.0
    assert np.abs(change - run["c"].impulse).max() < 1e-9 * np.abs(momentum[0]).max()
    blow = int(np.argmax(np.abs(np.diff(run["c"].impulse[:, 1]))))
    step = (change - run["c"].impulse)[blow + 1] - (change - run["c"].impulse)[blow]
    assert np.abs(step).max() < 1e-11
    assert run.certificate.position_error < 1e-10
    assert run.certificate.velocity_error < 1e-10
    assert np.diff(run.energy.kinetic).max() < 2e-5 * run.energy.kinetic[0]


def slider_crank():
    m = da.Model("slider-crank with a stop", dim=2, gravity=(0, -9.81))
    m.add(da.Fixture("wall", shapes=[da.HalfSpace((-1, 0), position=(0.95, 0))]))
    x = np.sqrt(0.64 - 0.09)
    m.add(da.Body.rod("crank", (0, 0), (0, 0.3), mass=1.0))
    m.add(da.Body.rod("rod", (0, 0.3), (x, 0), mass=1.5))
    m.add(da.Body("piston", mass=2.0, inertia=0.1, position=(x, 0), shapes=[da.Box((0.1, 0.1))]))
    m.add(da.Revolute("A", "ground", "crank", at=(0, 0)))
    m.add(da.Revolute("B", "crank", "rod", at=(0, 0.3)))
    m.add(da.Revolute("C", "rod", "piston", at=(x, 0)))
    m.add(da.Prismatic("S", "ground", "piston", axis=(1, 0), at=(x, 0)))
    m.add(da.Contact("stop", "wall", "piston", friction=0.2, restitution=0.5))
    m.initial("A", rate=-6.0)
    return m


def test_a_slider_crank_hits_a_stop():
    run = da.simulate(slider_crank(), 0.5, step=0.002)
    assert run["piston"].position[:, 0].max() < 0.9 + 1e-4
    assert run["stop"].impulse[-1][0] < -1.0
    assert run.certificate.position_error < 1e-10
    assert run.certificate.velocity_error < 1e-10
    reaction = run["S"].force + run["C"].force + run["stop"].force + np.array([0.0, -2 * 9.81])
    assert np.abs(reaction - 2.0 * run["piston"].acceleration).max() < 1e-8 * np.abs(reaction).max() + 1e-8
    before = run["piston"].velocity[: int(np.argmax(run["stop"].impulse[:, 0] < 0)), 0]
    assert before.max() > 0.5
    assert np.abs(run.energy.residual).max() < 1e-3 * np.ptp(run.energy.kinetic)


def test_dominoes_fall_one_after_the_other():
    run = da.simulate(catalog.make("dominoes", stones=4), 0.6, step=0.05)
    tilt = [run[f"stone {k + 1}"].rotation[:, 2, 2] for k in range(4)]
    assert all(t[-1] < 0.8 for t in tilt)
    assert tilt[0][3] < tilt[3][3]
    assert np.diff(run.energy.kinetic + run.energy.potential).max() < 1e-9


def test_other_analyses_say_that_they_see_no_contacts():
    assert any("act in simulate" in note for note in heap(1).compile().notes)


def test_the_scene_is_written_and_read_as_frames(tmp_path):
    run = da.simulate(heap(4), 0.5, step=0.1)
    folder = tmp_path / "frames"
    run.frames(folder)
    clip = da.read_frames(folder / "conf.txt")
    assert clip.position.shape == (6, 15, 3)
    k = clip.names.index("cube 2")
    assert np.allclose(clip.position[:, k], run["cube 2"].position, atol=1e-6)
    assert "1 Cube.mesh 40 0.5 80" in (folder / "conf.txt").read_text()
    assert (folder / "pos005.dat").exists()


def test_models_without_contact_are_stepped_as_before():
    run = da.simulate(catalog.make("pendulum"), 0.1)
    assert run.touching is None
    assert run.stats["method"] != "contact"


def lying(dim=2):
    m = da.Model("box", dim=dim, gravity=(0, 0, -9.81)[3 - dim:], parameters={"mu": 0.3})
    m.ground.shapes = [da.HalfSpace((0, 0, 1)[3 - dim:])]
    m.add(da.Body.from_shape("box", da.Box((0.4, 0.2, 0.2)[:dim]), mass=2.0, position=(0, 0, 0.1)[3 - dim:]))
    m.add(da.Contact("c", "ground", "box", friction="mu"))
    return m


@pytest.mark.parametrize("ask", [da.accelerations, da.linearize, da.matrices, da.virtual_work,
                                 lambda m: da.subsystem(m, ["box"]), lambda m: da.hold(m, ["push.x", "push.y", "turn"])])
def test_analyses_without_contact_forces_refuse_where_something_touches(ask):
    m = lying()
    m.add([da.Force("push", "box", (0, 0)), da.Torque("turn", "box", 0.0)])
    with pytest.raises(da.AnalysisError, match="'box' and 'ground' touch at t = 0, and only simulate knows"):
        ask(m)
    m.bodies["box"] = da.Body.from_shape("box", da.Box((0.4, 0.2)), mass=2.0, position=(0, 0.2))
    ask(m)  # in the air they are right


def test_equilibria_behind_a_floor_are_none():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81), parameters={"mu": 0.3})
    m.add(da.Fixture("floor", shapes=da.HalfSpace((0, 1), position=(0, -0.6))))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0, shapes=[da.Sphere(0.05, position=(0.5, 0))]))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Contact("c", "floor", "rod", friction="mu"))
    with pytest.raises(da.AnalysisError, match=r"'rod' and 'floor' overlap by 0\.45 m"):
        da.equilibrium(m)
    with pytest.raises(da.AnalysisError, match="Contacts are not seen here"):
        da.equilibrium(lying())
    run = da.simulate(m, 1.0, step=0.1)
    for ask in (lambda: run.derivative("mu"), lambda: da.resultant(run, "rod"), lambda: da.subsystem(run, ["rod"]),
                lambda: da.derive(m)):
        with pytest.raises(da.AnalysisError, match="contacts"):
            ask()


def test_free_bodies_of_a_run_have_their_contacts():
    """Weight, contact forces and m a of the drawn arrows add up to nothing."""
    from dalembert.viewer.diagrams.acting import free_bodies, sample
    from dalembert.viewer.diagrams.numbers import Names

    m = lying()
    m.bodies["box"] = da.Body.from_shape("box", da.Box((0.4, 0.2)), mass=2.0, position=(0, 0.1), velocity=(1, 0))
    run = da.simulate(m, 0.2, step=0.05)
    state = sample(run, 2)
    found = free_bodies(state, [["box"]], Names(run.system.bodies))[0]
    assert {x.element for x in found.loads} == {"gravity", "c", "inertia"}
    assert sum(x.force for x in found.loads) == pytest.approx([0, 0], abs=1e-9)
    centre = found.members[0].centre
    arms = [x.point - centre for x in found.loads]
    about = [x.moment + a[0] * x.force[1] - a[1] * x.force[0] for x, a in zip(found.loads, arms, strict=True)]
    assert sum(float(a) for a in about) == pytest.approx(0.0, abs=1e-6)


def test_the_residual_is_that_of_the_law():
    """What the certificate says, from the points' own numbers: |r − proj(r − K⁻¹ u)| K, where one sweep leaves much."""
    m = cubes_on_the_floor(count=6)
    state = da.assemble(m)
    s = Stepping(m, state.system, np.array([0.0, 1.0]), {"contact": chosen({"direct": 0, "visits": 0}), "fixed_step": 4e-3,
                                                         "max_step": None, "start": 0.0, "told": ()}).scene
    s.rules.split = 0  # one sweep for a whole substep: no blows in a time of their own
    s.enter(0.0, state.q, np.random.default_rng(3).normal(size=state.v.size))
    assert s.advance(1, 1e-3) == 0
    a = s.arrays
    v, worst = a["v"].reshape(-1, 6), [0.0, 0.0]
    rows = a["row"].reshape(-1, ROW)
    grips = a["grip"].reshape(-1, GRIP)
    for link, n, grip in zip(a["link"].reshape(-1, LINK)[:int(s.report.active)], a["normal"].reshape(-1, 3), grips, strict=False):
        for r in rows[link[2]:link[2] + link[3]]:
            i, j = v[link[0]], v[link[1]]
            u = j[:3] + np.cross(j[3:], r[RB:RB + 3]) - i[:3] - np.cross(i[3:], r[RA:RA + 3]) + r[DRIFT:DRIFT + 3]
            normal = r[RN] - max(0.0, r[RN] - r[MN] * (u @ n + r[HOLD]))
            across = r[RT:RT + 3] - r[MT] * (u - (u @ n) * n)
            across *= min(1.0, grip[MU] * r[RN] / max(np.linalg.norm(across), 1e-300))
            worst = np.maximum(worst, [abs(normal) / r[MN], np.linalg.norm(r[RT:RT + 3] - across) / r[MT]])
    assert min(worst) > 1e-6
    assert [s.report.normal, s.report.tangential] == pytest.approx(list(worst), rel=1e-6)
