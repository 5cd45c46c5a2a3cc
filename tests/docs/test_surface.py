"""The scripts that users were promised run as written: one mechanism, every question."""

from math import cos, pi

import numpy as np
import pytest
from readme_model import crank

import dalembert as da


@pytest.fixture
def model():
    return crank()


def test_forward_dynamics_and_its_files(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "degrees of freedom" in str(da.check(model))
    run = da.simulate(model, 2.0)
    n = len(run.t)
    assert run["piston"].position.shape == (n, 2)
    assert run["A"].force.shape == (n, 2)
    np.testing.assert_array_equal(run["A"].on("crank").force, -run["A"].force)
    assert run.energy.total.shape == (n,)
    assert run.certificate.doubts() == []
    run.save("crank.h5")
    run.view("crank.html")
    pytest.importorskip("av")
    run.render("crank.mp4", size=(160, 120), fps=5)
    assert all((tmp_path / f"crank.{kind}").stat().st_size > 1000 for kind in ("h5", "html", "mp4"))
    again = da.load("crank.h5")
    np.testing.assert_array_equal(again["piston"].position, run["piston"].position)


def test_the_other_questions(model):
    m, crank = model, "crank"
    m.add(da.Drive("motor", "O", "10*t"))
    kin = da.kinematics(m, until=0.6, step=1e-3)
    inv = da.inverse_dynamics(m, until=0.6, step=1e-3)
    assert inv["motor"].torque.shape == kin.t.shape == (601,)
    m.remove("motor")

    m.add(da.Torque("load", crank, "M2"))
    m.parameters["M2"] = 0.0
    hold = da.hold(m, unknown="M2")
    assert hold.value == pytest.approx(9.81 * (0.5 + 0.75) * 0.15 * cos(pi / 4), rel=1e-10)
    m.parameters["M2"] = float(hold.value)
    still = m.copy()
    still.initials.clear()
    assert np.abs(da.accelerations(still)["piston"].acceleration).max() < 1e-9
    m.parameters["M2"] = 0.0
    rest = da.equilibrium(m)
    assert rest.stable
    lin = da.linearize(m, at=rest)
    assert len(lin.modes()) == 1 and lin.stable
    many = da.sweep(m, {"M2": range(10)}, da.simulate, 2.0)
    assert len(many) == 10


@pytest.mark.parametrize("method", ["newton-euler", "virtual-work", "lagrange", "dalembert"])
def test_equations(model, method):
    model.add(da.Torque("load", "crank", "M2"))
    model.parameters["M2"] = 0.0
    eqs = da.derive(model, method=method)
    assert "=" in eqs.latex()
    assert eqs.verify(model).ok
