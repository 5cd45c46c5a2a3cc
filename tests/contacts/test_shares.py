"""Which forces are unique, said by name; what bodies exert on each other; arrows and tables of contacts."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.viewer.scene.from_results import scene_of

G = 9.81


def stand(dim=3, legs=4, velocity=0.0, friction=0.3, **contact):
    """A plate on legs with round feet; its load is off the middle."""
    m = da.Model("table", dim=dim, gravity=(0, 0, -G)[3 - dim:])
    m.ground.shapes = [da.HalfSpace((0, 0, 1)[3 - dim:])]
    if dim == 3:
        angles = [2 * math.pi * k / legs + 0.3 for k in range(legs)]
        feet = [da.Sphere(0.02, position=(0.4 * math.cos(a), 0.4 * math.sin(a), -0.5)) for a in angles]
        m.add(da.Body("plate", mass=20, inertia=(1, 1, 1), com=(0.05, 0.02, 0), shapes=feet, position=(0, 0, 0.52),
                      velocity=(velocity, 0, 0)))
    else:
        feet = [da.Sphere(0.02, position=(x, -0.5)) for x in np.linspace(-0.4, 0.4, legs)]
        m.add(da.Body("plate", mass=20, inertia=1, shapes=feet, position=(0, 0.52), velocity=(velocity, 0)))
    m.add(da.Contact("feet", "ground", "plate", friction=friction, **contact))
    return m


@pytest.mark.parametrize(("options", "points"), [
    ({"legs": 4, "friction": 0.0}, True), ({"legs": 3, "friction": 0.0}, False), ({"legs": 3, "friction": 0.3}, True),
    ({"legs": 3, "velocity": 1.0}, False), ({"legs": 4, "velocity": 1.0}, True),
    ({"legs": 2, "dim": 2, "friction": 0.0}, False), ({"legs": 3, "dim": 2, "friction": 0.0}, True),
    ({"legs": 4, "friction": 0.0, "stiffness_N_per_m": 1e5, "damping_N_s_per_m": 100.0}, False)])
def test_points_of_a_stand(options, points):
    """Four feet, or sticking ones, share the load in many ways; three that slide in one; springs know their own."""
    run = da.simulate(stand(**options), 1.0 if "stiffness_N_per_m" in options else 0.1, step=0.05)
    found = run["feet"].unique()
    assert (found.points == {"feet"}) is points
    assert not found.resultants
    assert not found.pairs
    said = [n for n in run.certificate.stats.get("notes", ()) if "single points of 'feet'" in n]
    assert bool(said) is points
    assert run["feet"].force[-1][-1] == pytest.approx(20 * G, rel=1e-2)


def test_a_foot_that_carries_nothing_could():
    """Three of four feet on one line and a load above them: the fourth touches, carries nothing, and cannot: unique."""
    m = stand(legs=4, friction=0.0)
    ends = [(-0.4, 0), (0.4, 0), (0, 0.4)]
    feet = [da.Sphere(0.02, position=(x, y, -0.5)) for x, y in ends]
    m.bodies["plate"] = da.Body("plate", mass=20, inertia=(1, 1, 1), shapes=feet, position=(0, 0, 0.52))
    run = da.simulate(m, 0.1, step=0.05)
    assert len(run.touching.of(-1)["gap"]) == 3
    assert sorted(np.round(run.touching.of(-1)["force"][:, 2], 3)) == pytest.approx([0.0, -98.1, -98.1][::-1], abs=1e-3)
    assert not run["feet"].unique().points
    more = [*feet, da.Sphere(0.02, position=(0, -0.4, -0.5))]  # now two opposite ones could carry together
    m.bodies["plate"] = da.Body("plate", mass=20, inertia=(1, 1, 1), shapes=more, position=(0, 0, 0.52))
    assert da.simulate(m, 0.1, step=0.05)["feet"].unique().points == {"feet"}


@pytest.mark.parametrize("apart", [False, True])
def test_a_ladder_that_holds(apart):
    """Both ends stick: the sum is known, what floor and wall take of it is not (Coulomb's law holds for many)."""
    a, r = math.radians(60), 1e-4
    m = da.Model("ladder", dim=2, gravity=(0, -G))
    m.add(da.Fixture("floor", shapes=da.HalfSpace((0, 1))))
    m.add(da.Fixture("wall", shapes=da.HalfSpace((1, 0))))
    ends = [da.Sphere(r, position=(2.0, 0)), da.Sphere(r, position=(-2.0, 0))]
    m.add(da.Body("rod", mass=10.0, inertia=40 / 3, position=(2 * math.cos(a) + r, 2 * math.sin(a) + r), angle=-a, shapes=ends))
    for name, side in (("foot", "floor"), ("head", "wall")) if apart else (("both", ["floor", "wall"]),):
        m.add(da.Contact(name, side, "rod", friction=0.3))
    run = da.simulate(m, 0.2, step=0.1, fixed_step=1e-3)
    notes = " ".join(run.certificate.stats["notes"])
    if apart:
        assert "the resultant of 'foot', 'head' is not unique" in notes
    else:
        assert "single points of 'both' are not unique" in notes
        assert "resultant" not in notes


def tower():
    m = da.Model("tower", gravity=(0, 0, -G))
    m.ground.shapes = [da.HalfSpace((0, 0, 1))]
    for k in range(3):
        m.add(da.Body.from_shape(f"c{k}", da.Box((0.2, 0.2, 0.2)), density=1000, position=(0, 0, 0.1 + 0.2 * k)))
    m.add(da.Contact("touch", "all", "all", friction=0.5))
    return m


def test_forces_between_two_bodies_and_on_one():
    run = da.simulate(tower(), 0.1, step=0.05)
    touch, weight = run["touch"], 8 * G
    assert touch.force[-1] == pytest.approx([0, 0, 3 * weight], abs=1e-6)  # of what stands still on all that moves
    assert touch.between("c0", "c1").force[-1] == pytest.approx([0, 0, 2 * weight], abs=1e-6)
    assert touch.between("c1", "c0").force[-1] == pytest.approx([0, 0, -2 * weight], abs=1e-6)
    assert touch.between("c1", "ground").force[-1] == pytest.approx([0, 0, 0], abs=1e-12)
    assert touch.on("c0").force[-1] == pytest.approx([0, 0, weight], abs=1e-6)
    with pytest.raises(da.AnalysisError, match="there is no body 'c9'"):
        touch.between("c0", "c9")
    with pytest.raises(da.AnalysisError, match="there is no 'floor'"):
        run["floor"]


def test_tables_and_arrows_hold_contacts(tmp_path):
    run = da.simulate(tower(), 0.1, step=0.05)
    frame = run.to_pandas()
    assert frame["touch.force.z"].iloc[-1] == pytest.approx(24 * G, rel=1e-9)
    data = run.to_xarray()["touch.force"]
    assert data.attrs["unit"] == "N"
    assert float(data.sel(axis="z")[-1]) == pytest.approx(24 * G, rel=1e-9)
    run.to_csv(tmp_path / "t.csv")
    assert "touch.impulse.z [N s]" in (tmp_path / "t.csv").read_text().splitlines()[0]
    arrows = scene_of(run).arrows
    assert len(arrows) == 12  # four points each
    scene = scene_of(run)
    total = sum(a.vectors[-1] for a in arrows if a.name.startswith("touch: c0 "))
    assert total == pytest.approx([0, 0, 24 * G], abs=1e-6)
    places = np.array([scene.points(a.body, a.local)[-1] for a in arrows if a.name.startswith("touch: c0 ")])
    assert places[:, 2] == pytest.approx(np.zeros(4), abs=1e-6)
    assert sorted(map(tuple, places[:, :2].round(6).tolist())) == [(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)]
