"""Statics where something rubs: poses that friction holds, with what reserve, under which loads."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.statics.held import loads
from dalembert.analyses.statics.rubbing import Range
from dalembert.analyses.statics.trials import Trials

G = 9.81


def slope(degrees=20.0, mu=0.5, push=(3.0, -1.0)):
    angle = math.radians(degrees)
    m = da.Model("slope", dim=2, gravity=(0, -G), parameters={"mu": mu, "P": push[0]})
    b = m.add(da.Body("block", mass=2.0, inertia=0.1))
    m.add(da.Prismatic("floor", m.ground, b, axis=(math.cos(angle), math.sin(angle)), friction="mu", length=1.0))
    m.add(da.Force("push", b, ("P", push[1])))
    return m


def collar(arm=0.5, mu=0.25, length=0.2):
    m = da.Model("collar", dim=2, parameters={"F": 10.0})
    c = m.add(da.Body("c", mass=1.0, inertia=0.01))
    m.add(da.Prismatic("guide", m.ground, c, axis=(0, 1), friction=mu, length=length))
    m.add(da.Force("load", c, (0, "-F"), on=(arm, 0)))
    m.add(da.Torque("twist", c, 0.0))
    return m


def wheel(mu=0.3, wrap=4.0):
    m = da.Model("drum", dim=2, parameters={"T": 5.0})
    d = m.add(da.Body("drum", mass=1.0, inertia=0.1))
    m.add(da.Revolute("pin", m.ground, d, at=(0, 0)))
    m.add(da.Torque("load", d, "T"))
    m.add(da.BandBrake("band", m.ground, d, force=40.0, friction=mu, radius=0.2, wrap=wrap))
    return m


def loop(friction=0.4):
    """A four-bar linkage, all its pins rub; a torque on the crank."""
    m = catalog.make("four-bar")
    m.initials.clear()
    for name in ("A", "B", "C", "D"):
        given = {k: v for k, v in m.elements[name].given.items() if k not in ("friction", "radius")}
        m.elements[name] = type(m.elements[name])(**given, friction=friction, radius=0.05)
    m.parameters["M"] = 0.0
    m.add(da.Motor("motor", "A", "M"))
    m.parameters["M"] = da.hold(m, "M").inside
    return m


def test_the_reserve_of_a_block_a_collar_and_a_band():
    alpha, (px, py) = math.radians(20.0), (3.0, -1.0)
    along = px * math.cos(alpha) + (py - 2.0 * G) * math.sin(alpha)
    across = -px * math.sin(alpha) + (py - 2.0 * G) * math.cos(alpha)
    found = da.equilibrium(slope())
    assert found.stable and found.stability == "held" and found.slides == ["floor"]
    assert found.reserve == pytest.approx(0.5 * abs(across / along), rel=1e-7)
    assert found["floor"].friction == pytest.approx(-along, rel=1e-12) and found["floor"].sticking == 1.0
    assert da.equilibrium(collar()).reserve == pytest.approx(2 * 0.25 * 0.5 / 0.2, rel=1e-7)  # jams at b/(2 μ)
    turns = math.log(1 + 5.0 / 0.2 / 40.0) / 4.0  # F r (e^{μβ} − 1) = T: the coefficient that is needed
    assert da.equilibrium(wheel()).reserve == pytest.approx(0.3 / turns, rel=1e-7)


@pytest.mark.parametrize(("made", "load"), [(slope, "P"), (wheel, "T"), (loop, "M")])
def test_the_reserve_is_one_at_the_ends_of_a_range(made, load):
    m = made()
    here = da.equilibrium(m)
    ends = here.range(load).value
    assert here.reserve > 1.0 and (made is loop or da.hold(m, load).value == pytest.approx(ends, rel=1e-7))
    for end, other in (ends, ends[::-1]):
        if not math.isfinite(end):
            continue
        size = max(abs(end), 1e-3)
        inward = math.copysign(1e-6 * size, (other if math.isfinite(other) else 2 * end) - end)
        m.parameters[load] = end + inward
        assert 1.0 <= da.equilibrium(m).reserve < 1.0 + 1e-3
        m.parameters[load] = end - inward
        with pytest.raises(da.AnalysisError, match=r"friction does not hold the pose: '.*' slides.*simulate until it rests"):
            da.equilibrium(m)


def test_ranges_of_every_load_by_itself():
    found = da.equilibrium(slope())
    low, high = found.ranges["push.x"]
    phi, alpha, weight = math.atan(0.5), math.radians(20.0), 2.0 * G + 1.0
    assert (low, high) == pytest.approx((weight * math.tan(alpha - phi), weight * math.tan(alpha + phi)), rel=1e-7)
    assert "held, reserve" in repr(found) and "≤ push.x ≤" in repr(found)
    jam = da.equilibrium(collar())  # a force at 0.5 m jams whatever its size, until the twist takes its moment away
    assert jam.ranges["load.y"] == (-math.inf, math.inf)
    assert jam.ranges["twist"] == (-math.inf, pytest.approx(10.0 * (0.5 - 0.2 / (2 * 0.25)), rel=1e-7))


def test_a_load_that_takes_the_weight_off_is_not_jumped_over():
    """Upwards the block is held until its weight is nearly gone, and again (by its guide) where it is pulled up hard."""
    m = slope(push=(0.05, 0.0))
    alpha, x = math.radians(20.0), 0.05
    ends = [(x * (math.cos(alpha) - s * 0.5 * math.sin(alpha))) / (math.sin(alpha) + s * 0.5 * math.cos(alpha)) for s in (1, -1)]
    found = da.hold(m, "push.y")
    assert (found.lower, found.upper) == (-math.inf, pytest.approx(2.0 * G - ends[0], rel=1e-7))
    assert 2.0 * G - ends[1] > found.upper and "held again at push.y = " in repr(found)
    again = float(found.notes[0].split("= ")[1].split(":")[0])
    assert again > 2.0 * G - ends[1]
    above = da.equilibrium(slope(push=(0.05, again))).ranges["push.y"]
    assert above == (pytest.approx(2.0 * G - ends[1], rel=1e-7), math.inf)


def test_what_is_balanced_without_friction_has_no_end_of_reserve():
    found = da.equilibrium(slope(0.0, push=(0.0, 0.0)))
    assert found.reserve == math.inf and "balanced without friction" in repr(found)


def test_where_it_comes_to_rest_it_is_held():
    m = slope(30.0, 0.3, (40.0, 0.0))
    m.add(da.Spring("spring", m.ground, "block", at_i=(5.0, 0), at_j=(0, 0), stiffness=30.0, damping=3.0, length=5.0))
    with pytest.raises(da.AnalysisError, match="'floor' slides"):
        da.equilibrium(m)
    run = da.simulate(m, 20.0)
    assert run["floor"].sticking[-1] == 1.0
    found = da.equilibrium(m, state=run.state())
    assert found.reserve >= 1.0 and found["block"].position == pytest.approx(run["block"].position[-1], abs=1e-12)
    assert found["floor"].friction == pytest.approx(run["floor"].friction[-1], abs=1e-9)


def test_drives_stand_and_files_take_the_pose(tmp_path):
    m = slope()
    arm = m.add(da.Body("arm", mass=1.0, inertia=0.1, position=(0, 2.0)))
    m.add(da.Revolute("pivot", m.ground, arm, at=(0, 2.0)))
    m.add(da.Drive("turn", "pivot", "1 + 3*t"))
    found = da.equilibrium(m, t=0.2)
    assert found["arm"].angle == pytest.approx(1.6) and found.reserve == pytest.approx(da.equilibrium(slope()).reserve, rel=1e-7)
    found.save(tmp_path / "held.h5")
    assert np.allclose(da.load(tmp_path / "held.h5")["arm"].angle, 1.6)


def test_states_and_what_touches_are_refused():
    m = slope()
    m.add(da.Differential("z", "1 - z"))
    with pytest.raises(da.AnalysisError, match="rates of their own"):
        da.equilibrium(m)


@pytest.mark.parametrize("seed", range(5))
def test_everything_inside_a_range_is_held_and_nothing_just_outside(seed):
    """Collars under random loads beside their guide, whose edges a load may lift off one after the other."""
    random = np.random.default_rng(seed)
    angle, load = random.uniform(0, 2 * math.pi), random.normal(size=2) * 10

    def made(x):
        m = da.Model("collar", dim=2, parameters={"x": float(x)})
        m.add(da.Body("c", mass=1.0, inertia=0.01))
        m.add(da.Prismatic("guide", m.ground, "c", axis=(math.cos(angle), math.sin(angle)), friction=mu, length=0.2))
        m.add(da.Force("weight", "c", (float(load[0]), float(load[1])), on=arms[0]))
        m.add(da.Force("push", "c", ("x", 0.0), on=arms[1]))
        return m

    mu, arms = random.uniform(0.2, 1.0), [tuple(map(float, random.uniform(-0.2, 0.2, 2))) for _ in range(2)]
    try:
        found = da.hold(made(0.0), "x")
    except da.AnalysisError as why:
        assert "for no value" in str(why)
        return
    low, high = (max(found.lower, -1e3), min(found.upper, 1e3))
    inside = [*np.linspace(low, high, 9)[1:-1], *(low + (high - low) * random.uniform(0.001, 0.999, 8))]
    assert all(da.accelerations(made(x))["guide"].sticking == 1.0 for x in inside)
    for end, sign in ((found.lower, -1), (found.upper, 1)):
        if math.isfinite(end):
            assert da.accelerations(made(end + sign * 1e-5 * max(abs(end), 0.1)))["guide"].sticking == 0.0


def test_a_wheel_is_held_down_only_by_what_presses_it():
    """Rolling resistance needs weight: a load that would lift the wheel off ends the range, and beyond it there is no pose."""

    def wheel(up):
        m = da.Model("wheel", dim=2, gravity=(0, -9.81))
        m.add(da.Body("wheel", mass=2.0, inertia=0.01, position=(0, 0.1)))
        m.add(da.RollingDisc("roll", m.ground, "wheel", radius=0.1, resistance=0.005))
        m.add(da.Force("up", "wheel", (0.0, up)))
        return m

    rest = da.equilibrium(wheel(0.0))
    lower, upper = rest.range("up.y").value
    assert lower == -np.inf
    assert upper == pytest.approx(2.0 * 9.81, rel=1e-7)
    assert rest.range("up.x").upper == pytest.approx(0.005 / 0.1 * 2.0 * 9.81, rel=1e-7)
    with pytest.raises(da.AnalysisError, match="'roll' would be pulled"):
        da.equilibrium(wheel(30.0))


def test_a_coefficient_is_sought_where_there_are_models():
    """Down a slope of tan α = 0.2 friction holds from μ = 0.2 on; the search goes below zero, where no model is."""
    m = da.Model("slope", dim=2, gravity=(0, -9.81), parameters={"mu": 0.5})
    m.add(da.Body("block", mass=2.0, inertia=0.1))
    m.add(da.Prismatic("slide", m.ground, "block", axis=(1, 0.2), friction="mu", length=1.0))
    found = da.hold(m, "mu")
    assert found.lower == pytest.approx(0.2, rel=1e-7)
    assert found.upper == np.inf


def pressed(preload, mu=0.4, push="P"):
    """A block on a level guide whose surfaces are pressed by a preload beside its weight."""
    m = da.Model("pressed", dim=2, gravity=(0, -G), parameters={"P": 0.0})
    b = m.add(da.Body("block", mass=2.0, inertia=0.1))
    m.add(da.Prismatic("floor", m.ground, b, axis=(1, 0), friction={"coulomb": mu, "preload_N": preload}, length=1.0))
    m.add(da.Force("push", b, (push, 0.0)))
    return m


def test_a_preload_counts_on_the_line_between_two_poses_too():
    """μ (m g + N₀) at the end of the range, in as many looks as without: the line through two poses that hold leads there."""
    looks = {}
    for preload in (0.0, 500.0):
        found = Range(Trials(pressed(preload), ["P"], 0.0, None), "hold")
        limit = 0.4 * (2.0 * G + preload)
        assert found.end(0.0, 1.0)[0] == pytest.approx(limit, rel=1e-9)
        looks[preload] = len(found.seen)
        one, other = found.look(0.3 * limit), found.look(0.6 * limit)
        assert one.over(other) is None
        assert 0.3 * limit + one.ends(other, 4.0) * 0.3 * limit == pytest.approx(limit, rel=1e-8)
    assert looks[500.0] <= looks[0.0] + 8


def test_loads_have_the_values_of_the_time_that_is_asked_about():
    """6/t has none at zero; at t = 2 it is 3, and one of two ranges is around it."""
    m = pressed(0.0, push="6/t")
    assert loads(m, 2.0) == ["push.x", "push.y"] and loads(m, 0.0) == ["push.y"]
    found = da.equilibrium(m, t=2.0)
    assert found.reserve == pytest.approx(0.4 * 2.0 * G / 3.0, rel=1e-7)
    assert found.ranges["push.x"] == pytest.approx((-0.8 * G, 0.8 * G), rel=1e-7)


def test_a_wide_gap_between_two_ranges_is_looked_across():
    """Pulled sideways by 2 N: held up to 17.7 N upwards, and again, by the guide from above, from twice as much on."""
    alpha, x = math.radians(20.0), 2.0
    ends = [2.0 * G - x * (math.cos(alpha) - s * 0.5 * math.sin(alpha)) / (math.sin(alpha) + s * 0.5 * math.cos(alpha))
            for s in (1, -1)]
    found = da.hold(slope(push=(x, 0.0)), "push.y")
    assert ends[1] > 2.0 * ends[0] and found.upper == pytest.approx(ends[0], rel=1e-7)
    assert float(found.notes[0].split("= ")[1].split(":")[0]) > ends[1]


def test_a_range_is_told_from_its_middle_with_what_slides_beyond_each_end():
    found = da.hold(slope(), "P")
    assert found.inside == pytest.approx(0.5 * (found.lower + found.upper), rel=1e-9)
    assert found.below == ["floor"] and found.above == ["floor"]
