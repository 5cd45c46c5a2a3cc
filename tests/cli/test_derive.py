"""dalembert derive."""

from click.testing import CliRunner

from dalembert.cli.app import app


def test_derive_prints_verifies_and_writes(tmp_path):
    page = tmp_path / "arm.html"
    done = CliRunner().invoke(
        app, ["derive", "two-link-arm", "--coordinates", "upper.angle,lower.angle", "--verify", "--html", str(page)]
    )
    assert done.exit_code == 0, done.output
    assert "Kinetic energy" in done.output and "the same (largest difference" in done.output
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_derive_latex_and_refusal():
    done = CliRunner().invoke(app, ["derive", "rod-on-block", "--method", "dalembert", "--latex"])
    assert done.exit_code == 0 and "\\[" in done.output
    done = CliRunner().invoke(app, ["derive", "rod-on-block", "--method", "kane"])
    assert done.exit_code == 2 and "methods:" in done.output
