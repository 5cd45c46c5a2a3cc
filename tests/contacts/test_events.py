"""Contact from event to event: closed forms to nine digits, in plane and space, turned, and in other units."""

import numpy as np
import pytest
from scenes import G, Stage

import dalembert as da
from dalembert import catalog
from dalembert.algebra.rotations import quaternion_of_matrix


def followed(stage, m, until, step, **options):
    return da.simulate(m, until * stage.time, step=step * stage.time, contact="events",
                       **{"rtol": 1e-11, "atol": 1e-12 * min(1.0, stage.length), **options})


def test_a_cube_holds_on_a_slope(stage):
    m = stage.model(slope=np.radians(20))
    stage.body(m, "cube", stage.box(0.5, 0.5), (0, 0.25), mass=125.0, moment=125 * 0.5 / 12)
    m.add(da.Contact("c", "floor", "cube", friction=0.5))
    run = followed(stage, m, 60.0, 5.0)
    assert np.abs(stage.read(run["cube"].velocity, stage.speed)).max() < 1e-12
    assert np.abs(stage.read(run["cube"].position, stage.length) - [0, 0.25]).max() < 1e-10
    for force in stage.read(run["c"].force, stage.force):
        assert force == pytest.approx([-419.4022007531013, 1152.2980762387201], rel=1e-9)
    assert run.certificate.doubts() == []


def test_a_cube_slides_down_a_slope(stage):
    m = stage.model(slope=np.radians(30))
    stage.body(m, "cube", stage.box(0.5, 0.5), (0, 0.25), mass=125.0, moment=125 * 0.5 / 12)
    m.add(da.Contact("c", "floor", "cube", friction=0.3))
    run = followed(stage, m, 1.0, 0.1)
    end = stage.read(run["cube"].position[-1], stage.length)
    assert end == pytest.approx([1.1781436183311982, 0.25], rel=1e-9)
    assert stage.read(run["cube"].velocity[-1], stage.speed)[0] == pytest.approx(2.3562872366623964, rel=1e-9)
    lost = run.stats["contact"]["friction"] / (stage.force * stage.length)
    assert lost == pytest.approx(0.3 * 125 * G * np.cos(np.radians(30)) * 1.1781436183311982, rel=1e-9)
    assert run.energy.residual.max() < 1e-9 * lost * stage.force * stage.length


def test_a_sphere_skids_and_rolls(stage):
    m = stage.model()
    stage.body(m, "ball", stage.ball(0.1), (0, 0.1), moment=0.4 * 0.01, velocity=(2.0, 0.0))
    m.add(da.Contact("c", "floor", "ball", friction=0.2))
    roll = 0.29124799767001597
    run = followed(stage, m, 0.5, 0.5, times=None)
    assert stage.read(run["ball"].velocity[-1], stage.speed)[0] == pytest.approx(10 / 7, rel=1e-9)
    x = stage.read(run["ball"].position[-1], stage.length)[0]
    assert x == pytest.approx(0.4992822817200274 + (0.5 - roll) * 10 / 7, rel=1e-9)
    assert abs(run["c"].power[-1]) < 1e-9 * stage.force * stage.speed
    assert run.stats["contact"]["stretches"] == 2


def test_a_ball_bounces_and_comes_to_rest(stage):
    m = stage.model()
    stage.body(m, "ball", stage.ball(0.1), (0, 1.1), moment=0.004)
    m.add(da.Contact("c", "floor", "ball", friction=0.0, restitution=0.8))
    fall = np.sqrt(2 / G)
    tops = [fall * (1 + 2 * sum(0.8**j for j in range(1, k)) + 0.8**k) for k in range(1, 6)]
    times = stage.time * np.array([*tops, 4.5])
    run = da.simulate(m, times=times, contact="events", rtol=1e-11, atol=1e-12 * min(1.0, stage.length))
    z = stage.read(run["ball"].position, stage.length)[:, 1] - 0.1
    assert z[:5] == pytest.approx([0.64, 0.4096, 0.262144, 0.16777216, 0.1073741824], rel=1e-9)
    assert z[5] == pytest.approx(0.0, abs=1e-10)
    assert run.stats["contact"]["zeno"] / stage.time == pytest.approx(4.063712768871578, abs=1e-9)
    assert run.stats["contact"]["series"] == 1 and any("summed up" in n for n in run.stats["notes"])
    assert run.stats["contact"]["impact"] / (stage.force * stage.length) == pytest.approx(G, rel=1e-9)


def test_bounces_are_followed_down_to_a_billionth_of_the_drop():
    """A series is summed only where nobody could see its bounces: each is a quarter as high as the one before with e = 1/2."""
    m = da.Model("ball", dim=2, gravity=(0, -9.81))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body("ball", mass=1.0, inertia=0.1, shapes=[da.Sphere(0.1)], position=(0, 1.1)))
    m.add(da.Contact("floor", "ground", "ball", friction=0.0, restitution=0.5))
    run = da.simulate(m, 2.0, step=0.1, contact="events")
    assert run.stats["contact"]["impacts"] >= 16  # 4**-16 = 2e-10


@pytest.mark.parametrize(("friction", "vt", "omega"), [(0.05, 2.64, 9.0), (0.5, 2.142857142857143, 21.428571428571427)])
def test_an_oblique_bounce(stage, friction, vt, omega):
    m = stage.model(gravity=0.0)
    stage.body(m, "ball", stage.ball(0.1), (0, 0.12), moment=0.4 * 0.01, velocity=(3.0, -4.0))
    m.add(da.Contact("c", "floor", "ball", friction=friction, restitution=0.8))
    run = followed(stage, m, 0.05, 0.05)
    assert stage.read(run["ball"].velocity[-1], stage.speed) == pytest.approx([vt, 3.2], rel=1e-9)
    assert np.abs(run["ball"].omega[-1]).max() * stage.time == pytest.approx(omega, rel=1e-9)


def test_a_block_rocks(stage):
    """Housner's block: the law lets the old edge go."""
    alpha, start, height = np.radians(15), np.radians(8), 0.5
    width = height * np.tan(alpha)
    m = stage.model()
    at = (width * np.cos(start) - height * np.sin(start), width * np.sin(start) + height * np.cos(start))
    mass = 1000 * 4 * width * height
    stage.body(m, "block", stage.box(2 * width, 2 * height, 0.3), at, mass=mass, moment=mass * (width**2 + height**2) / 3,
               tilt=start)
    m.add(da.Contact("c", "floor", "block", friction=2.0))
    run = followed(stage, m, 0.75, 1 / 500)
    up = stage.read(run["block"].rotation[:, :, 2 if stage.dim == 3 else 1], 1.0)
    angle = np.degrees(np.arctan2(-up[:, 0], up[:, 1]))
    crossing = int(np.argmax(angle < 0))
    k = crossing + int(np.argmax(np.abs(angle[crossing:])))  # a parabola through the top of the next swing
    a, b, c = angle[k - 1], angle[k], angle[k + 1]
    assert b - (c - a)**2 / (8 * (a - 2 * b + c)) == pytest.approx(-5.91865549, rel=1e-6)
    spin = np.abs(run["block"].omega) * stage.time if stage.dim == 2 else np.linalg.norm(run["block"].omega, axis=1) * stage.time
    t0 = 0.37090247
    lines = [np.polyfit(run.t[s] / stage.time - t0, spin[s], 3)[-1] for s in (slice(crossing - 12, crossing - 1),
                                                                             slice(crossing + 1, crossing + 12))]
    assert lines[0] == pytest.approx(0.86990875, rel=1e-6)
    assert lines[1] / lines[0] == pytest.approx(0.899519052838329, rel=1e-6)


def test_a_friction_oscillator_stops(stage):
    m = stage.model()
    stage.body(m, "mass", stage.box(0.1, 0.1), (0.1, 0.05), moment=0.01)
    k = 100.0 * stage.force / stage.length
    m.add(da.Spring("spring", "ground", "mass", at_i=stage.place(-1, 0), at_j=stage.place(0.1, 0), stiffness=k,
                    length=stage.length))
    m.add(da.Contact("c", "floor", "mass", friction=0.1))
    run = followed(stage, m, 0.6 * np.pi, np.pi / 50)
    x = stage.read(run["mass"].position, stage.length)[:, 0]
    assert x[[5, 10, 15, 20, 25]] == pytest.approx([-0.08038, 0.06076, -0.04114, 0.02152, -0.0019], abs=1e-9)
    assert x[-1] == pytest.approx(-0.0019, abs=1e-9)
    assert stage.read(run["c"].force[-1], stage.force) == pytest.approx([-0.19, G], abs=1e-7)


@pytest.mark.parametrize(("degrees", "holds"), [(57.0, True), (56.61, True), (56.59, False), (56.0, False)])
def test_a_ladder_holds_or_slides(degrees, holds):
    stage = Stage(2)
    m, a, r = stage.model(), np.radians(degrees), 1e-4
    m.add(da.Fixture("wall", shapes=[da.HalfSpace((1, 0))]))
    ends = [da.Sphere(r, position=(2.0, 0)), da.Sphere(r, position=(-2.0, 0))]
    m.add(da.Body("rod", mass=10.0, inertia=10 * 16 / 12, position=(2 * np.cos(a) + r, 2 * np.sin(a) + r), angle=-a, shapes=ends))
    m.add(da.Contact("c", ["floor", "wall"], "rod", friction=0.3))
    run = da.simulate(m, 0.2, step=0.05, contact="events")
    assert (np.abs(run["rod"].velocity[-1]).max() < 1e-9) == holds
    if holds:
        assert run["c"].unique().points == {"c"}


@pytest.mark.parametrize(("gap", "after"), [(1e-6, (0, 0, 1)), (0.0, (-1 / 3, 2 / 3, 2 / 3))])
def test_three_spheres_in_a_row(gap, after):
    """One after the other, or Newton's law on both at once."""
    stage = Stage(2)
    m = da.Model("cradle", dim=2)
    for k in range(3):
        stage.body(m, f"b{k}", stage.ball(0.1), ((0.2 + gap) * k - (1e-3 if k == 0 else 0.0), 0.0), moment=0.004,
                   velocity=(1.0 if k == 0 else 0.0, 0.0))
    m.add(da.Contact("c", "all", "all", friction=0.0, restitution=1.0))
    run = da.simulate(m, 0.1, step=0.01, contact="events")
    assert [run[f"b{k}"].velocity[-1][0] for k in range(3)] == pytest.approx(after, abs=1e-9)
    assert np.ptp(run.energy.kinetic) < 1e-12


def test_a_shove_stops_in_its_direction():
    stage = Stage(3, turned=True)
    m = stage.model()
    at = (np.cos(0.5), 0.0, np.sin(0.5))
    m.add(da.Body("box", mass=1.0, inertia=(1.0, 1.0, 1.0), shapes=[da.Box((0.5, 0.5, 0.1))], position=stage.place(0, 0.05),
                  rotation=tuple(quaternion_of_matrix(stage.turn)),
                  velocity=stage.velocity(3 * at[0], 0.0, 3 * at[2])))
    m.add(da.Contact("c", "floor", "box", friction=0.3))
    run = followed(stage, m, 1.2, 0.1)
    way = stage.turn.T @ (run["box"].position[-1] - run["box"].position[0])
    assert np.linalg.norm(way) == pytest.approx(1.529051987767584, rel=1e-9)
    assert np.degrees(np.arctan2(way[1], way[0])) == pytest.approx(np.degrees(0.5), abs=1e-7)
    assert np.abs(run["box"].velocity[-1]).max() < 1e-12


@pytest.mark.parametrize(("a", "holds"), [(0.2002, True), (0.1998, False)])
def test_a_collar_with_play_jams(a, holds):
    """Two edges of a collar against a rod with play 1e-4 b: it locks where the load is farther out than b/(2 μ)."""
    b, mu, play = 0.1, 0.25, 1e-5
    m = da.Model("collar", dim=2, gravity=(0, -G))
    m.add(da.Fixture("rod", shapes=[da.Box((0.02, 4.0))]))
    half = 0.01 + play
    lean = np.arctan2(2 * half, b) - np.arcsin(0.02 / np.hypot(2 * half, b))  # clockwise, until both edges touch
    c, d = np.cos(lean), np.sin(lean)
    top = np.array([-c * half + d * b / 2, d * half + c * b / 2])  # the upper left edge, about the collar's middle
    m.add(da.Body("collar", mass=1.0, inertia=0.1, com=(a, 0.0), position=(-0.01 - top[0], 0.0), angle=-lean,
                  shapes=[da.Polygon([(-half, b / 2), (-half - 0.01, b / 2 + 0.001), (-half - 0.01, b / 2)]),
                          da.Polygon([(half, -b / 2), (half + 0.01, -b / 2 - 0.001), (half + 0.01, -b / 2)])]))
    m.add(da.Contact("c", "rod", "collar", friction=mu))
    run = da.simulate(m, 0.05, step=0.01, contact="events")
    assert (np.abs(run["collar"].velocity[-1]).max() < 1e-9) == holds


def cradle(e=1.0):
    m = da.Model("box of balls", dim=2)
    m.add(da.Fixture("walls", shapes=[da.HalfSpace((1, 0), position=(-1, 0)), da.HalfSpace((-1, 0), position=(1, 0))]))
    for k in range(3):
        m.add(da.Body(f"b{k}", mass=1.0 + k, inertia=0.1, shapes=[da.Sphere(0.1)], position=(0.5 * k - 0.5, 0.0),
                      velocity=(0.7 * k - 0.4, 0.0)))
    m.add(da.Contact("c", "all", "all", friction=0.0, restitution=e))
    return m


def test_many_impacts_neither_drift_nor_leak():
    """Elastic balls between walls: energy to rounding over hundreds of blows, and no ball leaves the box."""
    m = cradle()
    run = da.simulate(m, 150.0, step=5.0, contact="events")
    assert run.stats["contact"]["impacts"] > 400
    assert np.ptp(run.energy.kinetic) < 1e-12 * run.energy.kinetic[0]
    assert np.abs(run["b1"].position[:, 1]).max() < 1e-12
    assert max(np.abs(run[f"b{k}"].position[:, 0]).max() for k in range(3)) < 0.9 + 1e-9


@pytest.mark.parametrize("stop", [3, 40, 120])
def test_resume_goes_on_bit_for_bit(tmp_path, stop):
    """Interrupted between two blows, from memory and from a checkpoint."""
    def model():
        m = cradle(0.9)
        m.add(da.Spring("spring", "ground", "b1", at_i=(0, 1), at_j=(0, 0), stiffness=3.0))
        return m

    whole = da.simulate(model(), 8.0, step=0.01, contact="events")
    seen = []

    def ask(t):
        seen.append(t)
        if t > stop / 20.0:
            raise KeyboardInterrupt

    with pytest.raises(da.SimulationError) as caught:
        da.simulate(model(), 8.0, step=0.01, contact="events", progress=ask, checkpoint=tmp_path / "kept.npz")
    part = caught.value.run
    assert len(part.t) < len(whole.t)
    for run in (da.resume(part), da.resume(model(), tmp_path / "kept.npz")):
        assert np.array_equal(run._q, whole._q) and np.array_equal(run._v, whole._v)
        assert np.array_equal(run["c"].impulse, whole["c"].impulse)
        assert run.stats["contact"]["impacts"] == whole.stats["contact"]["impacts"]


def test_files_keep_it(tmp_path):
    run = da.simulate(cradle(0.8), 3.0, step=0.1, contact="events", events=["b1.x - 0.2"])
    run.save(tmp_path / "run.h5")
    back = da.load(tmp_path / "run.h5")
    assert np.array_equal(back["c"].impulse, run["c"].impulse) and back.events == run.events and run.events
    assert str(back.certificate) == str(run.certificate)


def test_events_of_the_user_are_located_and_stop():
    m = cradle()
    run = da.simulate(m, 3.0, contact="events", stop=["b0.x + 0.8"])
    assert run["b0"].position[-1][0] == pytest.approx(-0.8, abs=1e-12)
    assert run.t[-1] == pytest.approx(0.75, abs=1e-12)


def test_auto_follows_few_contacts_and_says_so():
    """24 places and no more; fixed_step= and the options of stepping are for stepping."""
    def run(balls, **options):
        m = da.Model("balls", dim=2, gravity=(0, -G))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
        for k in range(balls):
            m.add(da.Body(f"b{k}", mass=1.0, inertia=0.004, shapes=[da.Sphere(0.1)], position=(0.5 * k, 0.3)))
        m.add(da.Contact("c", "floor", "all", friction=0.3))
        return da.simulate(m, 0.3, step=0.1, **options)

    some = run(24)
    assert some.stats["contact"]["followed"] and any("from event to event" in n for n in some.stats["notes"])
    assert "notes" not in run(24, contact="events").stats or "at most 24" not in str(run(24, contact="events").stats["notes"])
    for other in (run(25), run(24, contact="stepping"), run(24, fixed_step=1e-3), run(24, contact={"substeps": 2}),
                  run(24, integrator="contact")):
        assert "followed" not in other.stats["contact"]
    assert run(25, contact="events").stats["contact"]["followed"]


def test_auto_steps_where_the_means_of_events_end():
    """Bodies that overlap at the start: stepping pushes them apart, and the note says why it was taken."""
    m = da.Model("overlap", dim=2, gravity=(0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Body("ball", mass=1.0, inertia=0.004, shapes=[da.Sphere(0.1)], position=(0, 0.09)))
    m.add(da.Contact("c", "floor", "ball", friction=0.3))
    run = da.simulate(m, 0.2, step=0.1)
    assert "followed" not in run.stats["contact"]
    assert any("time stepping" in n and "'c'" in n and "overlap by 0.01 m" in n for n in run.stats["notes"])
    with pytest.raises(da.SimulationError, match=r"overlap by 0\.01 m"):
        da.simulate(m, 0.2, step=0.1, contact="events")
    with pytest.raises(da.SimulationError, match=r"overlap by 0\.01 m"):  # stepping does not know events: the reason is told
        da.simulate(m, 0.2, step=0.1, stop=["ball.y - 1"])


@pytest.mark.parametrize("seed", [37, 58])
def test_slow_bounces_on_what_rests_itself_are_not_missed(seed):
    """Rates of a bounce are those with the forces at hand: without them the two fall as one, and the return was jumped over."""
    from test_convergence import TIMES, free_scene

    def run(rtol):
        return da.simulate(free_scene(seed), times=TIMES, contact="events", rtol=rtol, atol=1e-2 * rtol)

    fine, coarse = run(1e-11), run(1e-8)
    assert np.abs(fine._q - coarse._q).max() < 1e-7
    assert fine.energy.residual.max() < 1e-9 * fine.energy.exchanged


def test_what_went_into_each_other_unnoticed_ends_the_run(monkeypatch):
    from dalembert.contacts.events.machine import Machine

    monkeypatch.setattr(Machine, "at_event", lambda self, fired: None)  # nobody looks at blows
    m = cradle()
    with pytest.raises(da.SimulationError, match=r"'c'.*in each other.*was missed"):
        da.simulate(m, 3.0, step=0.1, contact="events")


def test_changes_without_end_are_told():
    from dalembert.contacts.events.machine import RESTLESS, Machine

    class Still(Machine):
        def pace(self):
            return 1e-30  # so that any time is too short

    from dalembert.analyses.simulation import eventful

    old, eventful.Machine = eventful.Machine, Still
    try:
        with pytest.raises(da.SimulationError, match=rf"{RESTLESS} changes of modes"):
            da.simulate(cradle(), 300.0, step=5.0, contact="events")
    finally:
        eventful.Machine = old


def test_points_have_the_order_of_stepping():
    """The earlier body first, the ground last: normals and forces read the same in both modes."""
    def points(how):
        m = da.Model("pile", dim=2, gravity=(0, -G))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
        for k in range(2):
            m.add(da.Body(f"b{k}", mass=1.0, inertia=0.004, shapes=[da.Sphere(0.1)], position=(0.0, 0.1 + 0.2 * k)))
        m.add(da.Contact("c", "all", "all", friction=0.3))
        return da.simulate(m, 0.1, step=0.1, contact=how)["c"].points(-1)

    one, other = points("events"), points("stepping")
    order = [sorted(range(2), key=lambda k: p["second"][k]) for p in (one, other)]
    for k, n in zip(*order, strict=True):
        assert (one["first"][k], one["second"][k]) == (other["first"][n], other["second"][n])
        assert one["normal"][k] == pytest.approx(other["normal"][n], abs=1e-9)
        assert one["force"][k] == pytest.approx(other["force"][n], abs=1e-6)


def test_the_error_goes_down_with_rtol():
    """A ball on a spring between two walls and a peg: between blows the motion is no polynomial."""
    def end(rtol):
        m = da.Model("bounce", dim=2, gravity=(0, -G))
        m.add(da.Fixture("walls", shapes=[da.HalfSpace((1, 0), position=(-0.6, 0)), da.HalfSpace((-1, 0), position=(0.6, 0)),
                                          da.Sphere(0.2, position=(0, -0.6))]))
        m.add(da.Body("ball", mass=1.0, inertia=0.01, shapes=[da.Sphere(0.1)], position=(0.3, 0.3), velocity=(2.0, 0.0)))
        m.add(da.Spring("spring", "ground", "ball", at_i=(0, 1), at_j=(0.3, 0.3), stiffness=20.0, length=0.3))
        m.add(da.Contact("c", "ground", "ball", friction=0.3, restitution=0.6))
        run = da.simulate(m, times=[1.5], contact="events", rtol=rtol, atol=1e-3 * rtol)
        assert run.stats["contact"]["impacts"] > 2
        return run._q[-1]

    exact = end(1e-12)
    errors = [np.abs(end(r) - exact).max() for r in (1e-5, 1e-7, 1e-9)]
    assert errors[0] < 1e-3 and errors[1] < 0.1 * errors[0] + 1e-9 and errors[2] < 1e-8


REFUSED = [
    (lambda m: [m.add(da.Body(n, mass=1, inertia=(1, 1, 1), shapes=[s], position=(3 * k, 0, 1)))
                for k, (n, s) in enumerate({"c": da.Cylinder(0.1, 0.2), "d": da.Sphere(0.1)}.items())], "cylinder"),
    (lambda m: [m.add(da.Body(n, mass=1, inertia=(1, 1, 1), shapes=[da.Box((1, 1, 1))], position=(3 * k, 0, 1)))
                for k, n in enumerate("cd")], "edges that cross"),
    (lambda m: m.add(da.Body("c", mass=1, inertia=(1, 1, 1), shapes=[da.Sphere(0.2)], position=(0, 0, 0.1))), "overlap by 0.1 m"),
]


@pytest.mark.parametrize(("build", "word"), REFUSED)
def test_what_it_cannot_follow_is_refused_by_name(build, word):
    m = da.Model("refused", gravity=(0, 0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1))]))
    build(m)
    m.add(da.Contact("touch", "all", "all", friction=0.3))
    with pytest.raises(da.SimulationError, match=word) as caught:
        da.simulate(m, 0.1, contact="events")
    assert "touch" in str(caught.value) and "stepping" in str(caught.value)


@pytest.mark.parametrize("options", [{"integrator": "radau"}, {"formulation": "recursive"}, {"verify": True}])
def test_options_that_do_not_go_with_it(options):
    with pytest.raises(da.SimulationError, match="does not go with contact=\"events\""):
        da.simulate(cradle(), 0.1, contact="events", **options)


def test_places_that_strike_together_are_named():
    m = da.Model("flat", dim=2, gravity=(0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Body("box", mass=1.0, inertia=0.1, shapes=[da.Box((0.4, 0.2))], position=(0, 0.5)))
    m.add(da.Contact("land", "floor", "box", friction=0.3))
    run = da.simulate(m, 0.5, step=0.1, contact="events")
    assert run.stats["contact"]["together"] == pytest.approx(np.sqrt(2 * 0.4 / G), abs=1e-9)
    assert any("2 places strike at the same moment" in n and "'land'" in n for n in run.stats["notes"])
    assert "together" not in da.simulate(cradle(), 1.0, step=0.5, contact="events").stats["contact"]


def test_a_drive_against_a_contact_is_named():
    m = da.Model("press", dim=2)
    m.add(da.Fixture("anvil", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Body("ram", mass=1.0, inertia=1.0, shapes=[da.Box((0.2, 0.2))], position=(0, 0.5)))
    m.add(da.Prismatic("guide", "ground", "ram", at=(0, 0.5), axis=(0, 1)))
    m.add(da.Drive("push", "guide", "-0.5*t"))
    m.add(da.Contact("blow", "ground", "ram", friction=0.2))
    with pytest.raises(da.SimulationError, match=r"blow.*drives press the bodies together"):
        da.simulate(m, 2.0, contact="events")


def test_a_cam_presses_as_it_must_and_the_follower_flies():
    """m (g − e ω² sin ωt) until that ends; a flight by gravity; the drive's work closes the balance."""
    speed, e, mass = 30.0, 0.02, 0.5
    run = da.simulate(catalog.make("cam-follower", friction=0.1), 0.2, step=0.002, contact="events", rtol=1e-11, atol=1e-13)
    off = np.arcsin(G / (e * speed**2)) / speed
    on = run.t < off
    assert run["lift"].force[on, 1] == pytest.approx(mass * (G - e * speed**2 * np.sin(speed * run.t[on])), abs=1e-9)
    flies = (run.t > off) & (run.t < off + 0.03)
    t = run.t[flies] - off
    way = e * np.sin(speed * off) + e * speed * np.cos(speed * off) * t - G * t**2 / 2
    assert run["follower"].position[flies, 1] - 0.06 == pytest.approx(way, abs=1e-10)
    assert not np.any(run["lift"].force[flies])
    assert run.energy.residual.max() < 1e-10 * run.energy.exchanged and run.stats["contact"]["friction"] > 0.01


def test_blows_through_closed_loops_agree_with_stepping():
    for name, until, most in (("striking-crank", 0.5, 1e-5), ("stopped-four-bar", 0.6, 3e-4)):
        run = da.simulate(catalog.make(name), until, step=0.05, contact="events", rtol=1e-9, atol=1e-11)
        assert run.stats["contact"]["impacts"] > 0 and run.certificate.position_error < 1e-10
        assert run.energy.residual.max() < 1e-7 * run.energy.exchanged
        other = da.simulate(catalog.make(name), until, step=0.05, contact="stepping", fixed_step=1e-4)
        assert np.abs(other._q - run._q).max() < most


def test_the_cradle_hands_its_momentum_on():
    run = da.simulate(catalog.make("newtons-cradle"), 0.45, step=0.01, contact="events", rtol=1e-10, atol=1e-12)
    start, speed = run.energy.kinetic + run.energy.potential, np.abs(run["ball 5"].velocity[:, 0])
    fall = 0.3 * (1 - np.cos(np.radians(25)))
    assert speed.max() == pytest.approx(np.sqrt(2 * G * fall / (1 + 0.4 * (0.02 / 0.3)**2)), rel=1e-3)
    assert np.ptp(start) < 1e-9 * run.energy.exchanged
    assert np.abs(run["ball 3"].position[:, 0] - 2 * (0.04 + 1e-6)).max() < 1e-4


def test_progress_may_stop_a_run_within_one_stretch():
    """A ball on a spring that never touches: one stretch; what was stopped goes on bit for bit."""
    def model():
        m = da.Model("no blow", dim=2, gravity=(0, -G))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
        m.add(da.Body("ball", mass=1.0, inertia=0.01, shapes=[da.Sphere(0.1)], position=(0.3, 1.0)))
        m.add(da.Spring("spring", "ground", "ball", at_i=(0, 2), at_j=(0.3, 1.0), stiffness=200.0, length=1.0))
        m.add(da.Contact("c", "ground", "ball", friction=0.3))
        return m

    whole = da.simulate(model(), 60.0, step=1.0, contact="events")
    with pytest.raises(da.SimulationInterrupted) as caught:
        da.simulate(model(), 60.0, step=1.0, contact="events", progress=lambda t: t < 2.0)
    part = caught.value.run
    assert part.stats["contact"]["stretches"] == 1 and 0 < len(part.t) < len(whole.t)
    run = da.resume(part)
    assert np.array_equal(run._q, whole._q) and np.array_equal(run._v, whole._v)


@pytest.mark.parametrize(("sides", "sign"), [(("floor", "ball"), 1.0), (("ball", "floor"), -1.0)])
def test_impulses_of_blows_have_the_side_of_their_contact(sides, sign):
    """m (v⁺ − v⁻) on the second body of the contact; turned around with the contact, as forces are."""
    m = da.Model("drop", dim=2, gravity=(0, -G))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 1))]))
    m.add(da.Body("ball", mass=2.0, inertia=0.01, shapes=[da.Sphere(0.1)], position=(0.3, 0.6)))
    m.add(da.Contact("c", *sides, friction=0.0, restitution=0.5))
    run = da.simulate(m, times=[0.0, 0.4], contact="events")
    assert run["c"].impulse[-1] == pytest.approx((0.0, sign * 3.0 * np.sqrt(2 * G * 0.5)), abs=1e-9)


@pytest.mark.parametrize("no", [False, np.bool_(False), 0])
def test_whatever_means_no_stops_a_run(no):
    with pytest.raises(da.SimulationInterrupted):
        da.simulate(catalog.make("four-bar"), 5.0, step=0.1, progress=lambda t: no if t > 1.0 else None)
