"""Clutches and bands on bodies whose own axes point anywhere: what they act about is drawn in the ground's."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dalembert as da


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["clutch", "band"])
def test_own_axes_of_bodies_are_no_matter(kind, seed):
    """Two discs lock at the speed of their momentum, or a drum runs out by its torque; about another axis it is refused."""
    random = np.random.default_rng(seed)
    axis = random.normal(size=3)
    axis /= np.linalg.norm(axis)
    side = np.cross(axis, [0.3, 0.5, -0.8])
    turns = Rotation.random(2, random_state=seed).as_matrix()
    round_, spin = random.uniform(0.1, 0.4, 2), 20.0

    def model(about):
        m = da.Model("shafts", dim=3)
        for name, inertia, R, w in zip("ab", round_, turns, (0.0, spin), strict=True):
            m.add(da.Body(name, mass=1.0, inertia=(inertia,) * 3, rotation=R, omega=tuple(R.T @ (w * axis))))
            m.add(da.Revolute(f"pin {name}", m.ground, name, at=(0, 0, 0), axis=tuple(axis)))
        if kind == "clutch":
            m.add(da.Clutch("c", "a", "b", force=100.0, friction=0.2, radius=0.1, axis=tuple(about)))
        else:
            m.add(da.BandBrake("c", m.ground, "b", force=5.0, friction=0.2, radius=0.1, wrap=3.0, axis=tuple(about)))
        return m

    run = da.simulate(model(axis), times=[0.0, 0.3 if kind == "band" else 10.0])
    assert run.certificate.doubts() == []
    slowed = 5.0 * 0.1 * (np.exp(0.6) - 1.0) * 0.3 / round_[1]
    end = spin * round_[1] / round_.sum() if kind == "clutch" else spin - slowed
    assert turns[1] @ run["b"].omega[0] == pytest.approx(spin * axis, abs=1e-9)
    assert float(run["pin b"].rate[-1]) == pytest.approx(end, abs=1e-6)
    with pytest.raises(da.AnalysisError, match=r"'c': its bodies cannot turn"):
        da.simulate(model(side), 0.1)
