"""What results say of forces, torques and reactions, in numbers known beforehand."""

import numpy as np
import pytest

import dalembert as da


def test_force_elements_report_force_and_torque():
    m = da.Model("m", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 1, 1), com=(0.1, 0.2, 0)))
    m.add(da.Torque("T", "a", (1, 2, 3)))
    m.add(da.Force("F", "a", (0, 0, 4.0), at=(1, 0, 0)))

    def push(t, x, v, out):
        out[1] = 7.0
        out[4] = 9.0

    m.add(da.UserForce("U", "a", push, at=(0, 1, 0)))
    a = da.accelerations(m)
    assert a["T"].force == pytest.approx([0, 0, 0]) and a["T"].torque == pytest.approx([1, 2, 3])
    assert a["F"].force == pytest.approx([0, 0, 4]) and a["F"].torque == pytest.approx([0, 0, 0], abs=1e-14)
    assert a["U"].force == pytest.approx([0, 7, 0]) and a["U"].torque == pytest.approx([0, 9, 0], abs=1e-14)


def test_torque_in_the_plane():
    m = da.Model("m", dim=2)
    m.add(da.Body("a", mass=1, inertia=2))
    m.add(da.Torque("T", "a", 2.0))
    a = da.accelerations(m)
    assert a["T"].torque == pytest.approx(2.0)
    assert a["a"].angular_acceleration == pytest.approx(1.0)


def test_cantilever_reaction_moves_and_turns():
    """A weld holds a beam of weight 20 N whose centre is 0.5 m out: force +20 at the wall, moment 10; −10 about the far end."""
    m = da.Model("beam", dim=2, gravity=(0, -10))
    m.add(da.Body.rod("beam", (0, 0), (1, 0), mass=2))
    m.add(da.Weld("wall", "ground", "beam", at=(0, 0)))
    a = da.accelerations(m)
    assert a["wall"].force == pytest.approx([0, 20]) and a["wall"].torque == pytest.approx(10)
    assert a["wall"].at((1, 0)).torque == pytest.approx(-10)
    assert a["wall"].on("ground").force == pytest.approx([0, -20]) and a["wall"].on("ground").torque == pytest.approx(-10)
    turned = da.Model("beam", dim=2, gravity=(10, 0))
    turned.add(da.Body.rod("beam", (0, 0), (0, 1), mass=2))
    turned.add(da.Weld("wall", "ground", "beam", at=(0, 0)))
    assert da.accelerations(turned)["wall"].axes("beam").force == pytest.approx([0, 20], abs=1e-12)


def test_rows_add_up_to_the_reaction():
    m = da.Model("door", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("door", mass=10, inertia=(2, 2, 1), position=(0.5, 0, 0)))
    m.add(da.Revolute("hinge", "ground", "door", at=(0, 0, 0), axis=(0, 0, 1)))
    a = da.accelerations(m)
    rows = a["hinge"].rows()
    assert [r["label"] for r in rows] == a["hinge"].labels and len(rows) == 5
    assert sum(r["on"]["door"][0] for r in rows) == pytest.approx(a["hinge"].force)
    assert a["hinge"].force == pytest.approx([0, 0, 98.1])
    assert a["hinge"].torque == pytest.approx([0, -49.05, 0])


def test_reading_errors_are_in_words():
    m = da.Model("m", dim=2)
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(da.Revolute("O", "ground", "a", at=(0, 0)))
    a = da.accelerations(m)
    for broken, words in ((lambda: a["b"], "no 'b'"), (lambda: a[0], "by name"), (lambda: a["a"].quaternion, "angle"),
                          (lambda: a["O"].on("b").force, "does not act on 'b'"), (lambda: a["O"].at((0, 0, 0)), "2 coordinates"),
                          (lambda: da.accelerations(m, state=3), "state="), (lambda: da.check("slider-crank"), "Model")):
        with pytest.raises(da.AnalysisError, match=words):
            broken()


def test_a_run_goes_on_from_its_last_state():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", "ground", "rod", at=(0, 0)))
    whole = da.simulate(m, 2.0, rtol=1e-11, atol=1e-12)
    half = da.simulate(m, 1.0, rtol=1e-11, atol=1e-12).state()
    rest = da.simulate(m, 2.0, start=half.t, state=half, rtol=1e-11, atol=1e-12)
    assert rest["rod"].angle[-1] == pytest.approx(whole["rod"].angle[-1], abs=1e-9)
    assert np.all(np.diff(whole.t) > 0)
