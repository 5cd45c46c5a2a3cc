"""What every ready machine must do."""

import numpy as np
import pytest

import dalembert as da


@pytest.fixture
def runs_and_comes_back(tmp_path):
    """(entry, tag, freedoms) → model, run: described, of that many freedoms, without doubts, and the same bits from its file."""

    def tried(entry, tag, free):
        m = entry.make()
        assert entry.title and entry.source and ("plane" in entry.tags) == (m.dim == 2) and tag in entry.tags
        assert da.check(m).dof == free
        whole = da.simulate(m, entry.until)
        assert whole.certificate.doubts() == [] and whole.certificate.energy_relative < 1e-6
        m.save(tmp_path / "m.toml")
        again = da.simulate(da.load_model(tmp_path / "m.toml"), entry.until)
        assert np.array_equal(again.q, whole.q)
        return m, whole

    return tried
