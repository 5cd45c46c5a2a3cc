"""Every Python block in the guides to kinematics, inverse dynamics, statics, matrices, linearisation runs as printed."""

import re
from pathlib import Path

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
    assert abs(space["again"].unknown["M1"]).max() < 1e-7


def test_statics(capsys):
    space, out = run("statics", capsys)
    assert space["rest"].stable and space["rest"].residual < 1e-11
    assert abs(space["work"].constraint_total) < 1e-12 and "δ(O) = 1" in out
    assert abs(space["none"].moment) < 1e-12


def test_matrices(capsys):
    space, out = run("matrices", capsys)
    assert all(i.residual < 1e-12 for i in space["free"].identities) and "B_iᵀ Q_c = 0" in out
    assert space["theorem"].holds and not space["free"].theorem(space["push"]).holds
    assert abs(space["cut"].residual.moment).max() < 1e-12 and "■" in out


def test_linearisation(capsys):
    space, _ = run("linearisation", capsys)
    assert space["lin"].states == ["A", "A rate"] and space["lin"].outputs == ["A", "D rate"]
    assert space["lin"].stable and space["bicycle"].steady
