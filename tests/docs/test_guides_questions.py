"""Every Python block of the guides to kinematics, inverse dynamics, statics and linearisation runs as printed, in order."""

import re
from pathlib import Path

import pytest

import dalembert as da

ROOT = Path(__file__).resolve().parents[2]


def run(name, capsys):
    text = (ROOT / "docs" / "guide" / f"{name}.md").read_text(encoding="utf-8")
    space: dict = {}
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", text, flags=re.S)):
        exec(compile(block, f"{name} block {number}", "exec"), space)
    return space, capsys.readouterr().out


def test_kinematics(capsys):
    space, out = run("kinematics", capsys)
    assert space["kin"].certificate.doubts() == []
    assert "locks at t = 0.0498701274776: joint C (then B, D) can still move" in out
    assert space["pose"].joints == ("C", "B", "D")


def test_inverse_dynamics(capsys):
    space, out = run("inverse_dynamics", capsys)
    assert abs(space["found"]["motor"].torque).max() < 1e-8
    assert "only one of M4, F3.x, F3.y, crank torque can be unknown" in out
    assert abs(space["again"].unknown["m1"]).max() < 1e-7


def test_statics(capsys):
    space, out = run("statics", capsys)
    assert space["rest"].stable and space["rest"].residual < 1e-11
    assert abs(space["work"].constraint_total) < 1e-12 and "δ(O) = 1" in out
    assert abs(space["none"].moment) < 1e-12


def test_linearisation(capsys):
    space, _ = run("linearisation", capsys)
    assert space["lin"].states == ["A", "A rate"] and space["lin"].outputs == ["A", "D rate"]
    assert space["lin"].stable and space["bicycle"].steady


def test_the_promise():
    """The second script of the surface: one model, many questions."""
    from math import asin, cos, pi, sin

    r, l, th = 0.15, 0.35, pi / 4
    phi = asin(-r / l * sin(th))
    A = (r * cos(th), r * sin(th))
    B = (A[0] + l * cos(phi), 0.0)
    m = da.Model("slider-crank", dim=2, gravity=(0, -9.81))
    crank = m.add(da.Body.rod("crank", (0, 0), A, mass=1.0))
    rod = m.add(da.Body.rod("rod", A, B, mass=1.5))
    piston = m.add(da.Body("piston", mass=2.0, inertia=0.01, position=B))
    m.add(da.Revolute("O", m.ground, crank, at=(0, 0)))
    m.add(da.Revolute("A", crank, rod, at=A))
    m.add(da.Revolute("B", rod, piston, at=B))
    m.add(da.Prismatic("guide", m.ground, piston, axis=(1, 0)))
    m.initial("O", rate=10.0)
    m.add(da.Drive("motor", "O", "10*t"))
    kin = da.kinematics(m, until=0.6, step=1e-3)
    inv = da.inverse_dynamics(m, until=0.6, step=1e-3)
    assert inv["motor"].torque.shape == (601,) and kin["piston"].acceleration.shape == (601, 2)
    m.remove("motor")
    m.add(da.Torque("load", crank, "M2"))
    m.parameters["M2"] = 0.0
    hold = da.hold(m, unknown="M2")
    assert hold.value == pytest.approx(9.81 * (0.5 + 0.75) * 0.15 * cos(th), rel=1e-10)
    rest = da.equilibrium(m)
    lin = da.linearize(m, at=rest)
    assert rest.stable and len(lin.modes()) == 1 and lin.stable
