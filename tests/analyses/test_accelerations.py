"""One solve: what cannot be solved is refused, not returned."""

import pytest

import dalembert as da


def test_laws_that_differ_in_acceleration_only_are_refused():
    m = da.Model("pendulum", dim=2)
    body = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, body, at=(0, 0)))
    m.add(da.Drive("one", "O", "10*t"))
    m.add(da.Drive("other", "O", "10*t + 5*t**2"))
    with pytest.raises(da.AnalysisError) as refused:
        da.accelerations(m)
    assert "other" in str(refused.value)
