"""assemble: closes what can be closed, nearest the drawing, and says what cannot."""

import numpy as np
import pytest

import dalembert as da
from dalembert.catalog import CATALOG
from dalembert.equations.workspace import workspace


def four_bar(coupler=1.0, drawn=True):
    """Crank 0.3, coupler, rocker 0.8 over a base of 1; drawn open when drawn is False."""
    m = da.Model("four-bar", dim=2, gravity=(0, -9.81))
    m.add(da.Body("crank", mass=1, inertia=0.01, position=(0, 0.15), angle=np.pi / 2))
    m.add(da.Body("coupler", mass=2, inertia=coupler**2 / 6, position=(0.4, 0.5)))
    m.add(da.Body("rocker", mass=1, inertia=0.05, position=(1.0, 0.4), angle=np.pi / 2))
    m.add(da.Revolute("O", "ground", "crank", on_i=(0, 0), on_j=(-0.15, 0)))
    m.add(da.Revolute("A", "crank", "coupler", on_i=(0.15, 0), on_j=(-coupler / 2, 0)))
    m.add(da.Revolute("B", "coupler", "rocker", on_i=(coupler / 2, 0), on_j=(0.4, 0)))
    m.add(da.Revolute("C", "rocker", "ground", on_i=(-0.4, 0), on_j=(1, 0)))
    return m


def test_open_drawing_is_closed():
    s = da.assemble(four_bar())
    assert np.abs(s.observed.phi).max() < 1e-12
    assert np.linalg.norm(s.point("crank", (0.15, 0))) == pytest.approx(0.3, abs=1e-12)
    assert s.point("rocker", (0.4, 0)) == pytest.approx(s.point("coupler", (0.5, 0)), abs=1e-12)


def test_initial_coordinate_and_rate_are_met():
    m = four_bar()
    m.initial("O", coordinate=1.2, rate=7.0)
    s = da.assemble(m)
    assert s["O"].coordinate == pytest.approx(1.2, abs=1e-12)
    assert s["O"].rate == pytest.approx(7.0, abs=1e-11)
    assert s["crank"].angle == pytest.approx(np.pi / 2 + 1.2, abs=1e-12)  # the coordinate counts from the drawing
    w = workspace(s.system)
    w.set(s.t, s.q, s.v)
    w.run("speeds")
    assert np.abs(w.speed).max() < 1e-12


def test_velocities_are_the_nearest_in_the_metric_of_the_masses():
    m = da.Model("two blocks", dim=2)
    m.add(da.Body("light", mass=1, inertia=1, velocity=(3, 0)))
    m.add(da.Body("heavy", mass=3, inertia=1, position=(1, 0)))
    m.add(da.Weld("glue", "light", "heavy", at=(0.5, 0)))
    s = da.assemble(m)
    assert s["light"].velocity[0] == pytest.approx(3 * 1 / 4)  # momentum is kept


def test_conflict_is_named_and_is_minimal():
    with pytest.raises(da.AssemblyError) as caught:
        da.assemble(four_bar(coupler=3.0))
    text = str(caught.value)
    assert all(f"Revolute '{n}'" in text for n in "OABC") and "off" in text
    m = four_bar()
    m.add(da.Body("free", mass=1, inertia=1, position=(3, 3)))
    m.add(da.Distance("rope", "ground", "free", on_i=(3, 2), on_j=(0, 0), length=1))
    m.add(da.Revolute("nail", "ground", "free", on_i=(9, 9), on_j=(0, 0)))
    with pytest.raises(da.AssemblyError) as caught:
        da.assemble(m)
    text = str(caught.value)
    assert "Distance 'rope'" in text and "Revolute 'nail'" in text and "Revolute 'O'" not in text


def test_contradicting_rates_are_named():
    m = four_bar()
    m.initial("O", rate=1.0)
    m.initial("C", rate=1.0)
    with pytest.raises(da.AssemblyError, match="initial rate of"):
        da.assemble(m)


@pytest.mark.parametrize("angles", [2.0, 3.1, -2.5])
@pytest.mark.parametrize("joint", ["Revolute", "Cylindrical", "Prismatic"])
def test_axes_drawn_far_apart_do_not_end_opposite(joint, angles):
    m = da.Model("x", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 2, 2.5), position=(0.3, 0.2, 0), rotation=("x", [angles])))
    m.add(getattr(da, joint)("j", "ground", "a", on_i=(0, 0, 0), on_j=(0.1, 0, 0), axis_i=(0, 0, 1), axis_j=(0, 0, 1)))
    s = da.assemble(m)
    assert s["a"].rotation[:, 2] == pytest.approx([0, 0, 1], abs=1e-12)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_same_answer_in_other_units(scale):
    m = da.Model("arm", dim=2)
    m.add(da.Body("a", mass=1, inertia=scale**2, position=(scale, 0.1 * scale)))
    m.add(da.Revolute("O", "ground", "a", on_i=(0, 0), on_j=(-scale, 0)))
    s = da.assemble(m)
    assert np.linalg.norm(s["a"].position) / scale == pytest.approx(1.0, abs=1e-13)


def test_angles_in_space_count_turns():
    m = da.Model("wheel", dim=3)
    m.add(da.Body("w", mass=1, inertia=(1, 1, 1)))
    m.add(da.Revolute("h", "ground", "w", at=(0, 0, 0), axis=(0, 1, 0)))
    m.initial("h", rate=30.0)
    run = da.simulate(m, 2.0, rtol=1e-10)
    assert run["h"].coordinate[-1] == pytest.approx(60.0, abs=1e-6)


@pytest.mark.parametrize("target", [3.2, -4.0, 16.0])
def test_angles_of_space_beyond_half_a_turn_can_be_asked_for(target):
    m = da.Model("wheel", dim=3)
    m.add(da.Body("w", mass=1, inertia=(1, 1, 1)))
    m.add(da.Body("v", mass=1, inertia=(1, 1, 1), position=(1, 0, 0)))
    m.add(da.Revolute("h", "ground", "w", at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Revolute("k", "ground", "v", at=(1, 0, 0), axis=(0, 1, 0)))
    m.add(da.Gear("g", "h", "k", ratio=-2))
    m.initial("h", coordinate=target, rate=1.0)
    s = da.assemble(m)
    assert s["h"].coordinate == pytest.approx(target, abs=1e-11)
    assert s["k"].rate == pytest.approx(-2.0, abs=1e-11)
    assert np.abs(s.observed.phi).max() < 1e-11


def test_a_state_serves_the_model_as_it_is_now():
    m = four_bar()
    s = da.assemble(m)
    m.gravity = (0, -1.0)
    m.add(da.Torque("T", "crank", 5.0))
    fresh, reused = da.accelerations(m), da.accelerations(m, state=s)
    assert reused["crank"].angular_acceleration == pytest.approx(float(fresh["crank"].angular_acceleration), rel=1e-12)
    other = da.Model("other", dim=2)
    other.add(da.Body("z", mass=1, inertia=1))
    with pytest.raises(da.AnalysisError, match="belongs to bodies"):
        da.accelerations(other, state=s)


@pytest.mark.parametrize("dim, axes", [(2, ((1, 0), (0, 1))), (3, ((0, 0, 1), (1, 0, 0)))])
def test_rows_without_gradient_are_closed_not_overlooked(dim, axes):
    m = da.Model("perpendicular", dim=dim)
    body = m.add(da.Body("b", mass=1, inertia=1 if dim == 2 else (1, 1, 1)))
    m.add(da.Parallel("p", m.ground, body, axis_i=axes[0], axis_j=axes[1]))
    assert np.abs(da.assemble(m).observed.phi).max() < 1e-9


@pytest.mark.parametrize("name", [n for n in CATALOG if CATALOG[n].make().initials])
def test_rates_by_the_short_and_the_general_way(name, monkeypatch):
    """One dense solve, and a second system with drives in place of the rates: the same velocities."""
    model = CATALOG[name].make()
    short = da.assemble(model)
    monkeypatch.setattr("dalembert.analyses.assembly.initial_rates.met", lambda *args: None)
    general = da.assemble(model)
    assert np.array_equal(short.q, general.q)
    assert short.v == pytest.approx(general.v, rel=1e-10, abs=1e-10)


def test_rates_that_contradict_are_told_as_before():
    m = da.Model("m", dim=2)
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Drive("d", "O", "2*t"))
    m.initial("O", rate=3.0)
    with pytest.raises(da.AssemblyError, match="no velocities satisfy"):
        da.assemble(m)
    m.initial("O", rate=2.0)  # the same twice is no contradiction
    assert da.assemble(m)["rod"].omega == pytest.approx(2.0)


def test_check_tells_of_velocities_that_had_to_change():
    """A spin given to a pinned bar loses what the pin takes: J/(J + m s²) is left.  A consistent one is kept."""
    m = da.Model("bar", dim=2, parameters={"speed": 0.0})
    m.add(da.Body("bar", mass=1.0, inertia=0.1, position=(0.5, 0), velocity=(0, "speed"), omega=2.0))
    m.add(da.Revolute("O", m.ground, "bar", at=(0, 0)))
    found = da.check(m)
    left = 2.0 * 0.1 / (0.1 + 0.25)
    assert abs(da.assemble(m)["bar"].omega - left) < 1e-12
    assert len(found.changed) == 2 and f"omega of bar: given (2), the constraints leave ({left:.6g})" in str(found)
    m.parameters["speed"] = 1.0
    assert da.check(m).changed == [] and abs(da.assemble(m)["bar"].omega - 2.0) < 1e-12


@pytest.mark.parametrize(("inertia", "named"), [(1e-3, []), (1e-6, []), (1e-12, ["bob"])])
def test_check_names_bodies_that_are_almost_points(inertia, named):
    m = da.Model("bob", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("bob", mass=2.0, inertia=(inertia,) * 3, position=(1, 0, 0)))
    m.add(da.Revolute("O", m.ground, "bob", at=(0, 0, 0), axis=(0, 1, 0)))
    found = da.check(m)
    assert found.points == named and ("almost without inertia" in str(found)) == bool(named)
    assert named or found.dof == 1
