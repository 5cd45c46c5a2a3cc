"""Plots: labelled axes with units, legends, files."""

import numpy as np
import pytest

import dalembert as da

pytest.importorskip("matplotlib")


def test_axes_have_units_and_values(four_bar, tmp_path):
    figure = four_bar.plot("crank.x", "rocker.x", "B.force", path=tmp_path / "x.svg")
    lengths, forces = figure.axes
    assert lengths.get_ylabel() == "x in m" and forces.get_ylabel() == "B.force in N" and forces.get_xlabel() == "t in s"
    assert [t.get_text() for t in forces.get_legend().get_texts()] == ["B.force.x", "B.force.y"]
    x, y = lengths.lines[1].get_data()
    assert np.array_equal(x, four_bar.t) and np.array_equal(y, four_bar["rocker"].x)
    assert "<svg" in (tmp_path / "x.svg").read_text()


def test_defaults_and_png(four_bar, tmp_path):
    figure = four_bar.plot(path=tmp_path / "x.png")
    assert figure.axes[0].get_ylabel() == "energy in J" and len(figure.axes[0].lines) == 3
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert four_bar.plot("A.rate").axes[0].get_ylabel() == "A.rate in rad/s"


def test_refusals(four_bar, tmp_path):
    with pytest.raises(da.AnalysisError, match="did you mean 'crank'"):
        four_bar.plot("crnk.x")
    with pytest.raises(da.FileError, match=r"should end in \.png, \.svg or \.pdf"):
        four_bar.plot("crank.x", path=tmp_path / "x.bmp")
    with pytest.raises(da.FileError, match="cannot write"):
        four_bar.plot("crank.x", path=tmp_path / "no" / "x.png")
    with pytest.raises(da.AnalysisError, match="single sample"):
        four_bar.state(0).plot("crank.x")


def test_names_are_shown_as_written(tmp_path):
    """A dollar starts no formula, and an underscore in front hides no curve from the legend."""
    m = da.Model("price $^$", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("$^$", (0, 0), (1, 0), mass=2.0))
    m.add(da.Body.rod("_b", (1, 0), (2, 0), mass=2.0))
    m.add(da.Revolute("pin", m.ground, "$^$", at=(0, 0)))
    m.add(da.Revolute("knee", "$^$", "_b", at=(1, 0)))
    figure = da.simulate(m, 0.1).plot("$^$.x", "_b.x", "$^$.angle", path=tmp_path / "x.png")
    assert [t.get_text() for t in figure.axes[0].get_legend().get_texts()] == ["$^$.x", "_b.x"]
    assert figure.axes[1].get_ylabel() == "$^$.angle in rad"
