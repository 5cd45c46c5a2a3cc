"""Fits of several runs where one parameter is idle in a run, and where one is held by its range: by closed forms."""

import numpy as np
import pytest

import dalembert as da


def test_a_parameter_that_is_idle_in_one_of_two_runs():
    """x = f/(1+…)(1 − cos √k t) in one run, ½ f t² in the other; deviations by linear regression about the answer."""
    m = da.Model("o", dim=2, gravity=(0, 0), parameters={"k": 4.0, "f": 2.0, "on": 1.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Prismatic("P", m.ground, "b", axis=(1, 0)))
    m.add(da.Motor("mot", "P", "f - on*k*coordinate"))
    t = np.linspace(0.1, 1.5, 15)
    noise = np.random.default_rng(1).standard_normal((2, 15)) * 0.01

    def forms(k, f):
        return np.concatenate([f / k * (1 - np.cos(np.sqrt(k) * t)), 0.5 * f * t**2])

    data = forms(5.0, 3.0).reshape(2, 15) + noise
    best = da.fit(m, {"k": (1.0, 9.0), "f": (1.0, 6.0)}, da.simulate, 1.5, times=t, output="b.position.x", data=list(data),
                  runs=[{"on": 1.0}, {"on": 0.0}], start={"k": 4.0, "f": 2.0})
    x = np.array([4.0, 2.0])
    for _ in range(50):  # Gauss and Newton, on the closed form
        slope = np.stack([(forms(*(x + d)) - forms(*(x - d))) / 2e-6 for d in np.eye(2) * 1e-6], axis=1)
        x = x + np.linalg.lstsq(slope, data.ravel() - forms(*x), rcond=None)[0]
    left = data.ravel() - forms(*x)
    deviation = np.sqrt(np.diag(np.linalg.inv(slope.T @ slope)) * (left @ left) / (30 - 2))
    assert [best.values["k"], best.values["f"]] == pytest.approx(x, rel=1e-6)
    assert [best.deviations["k"], best.deviations["f"]] == pytest.approx(deviation, rel=1e-4)


def test_what_is_held_by_its_range_is_no_freedom_of_the_data():
    """Of four values one parameter is told, the other stays at the end of its range: 4 − 1 degrees of freedom."""
    m = da.Model("o", dim=2, gravity=(0, 0), parameters={"f": 2.0, "c": 0.5})
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Prismatic("P", m.ground, "b", axis=(1, 0)))
    m.add(da.Motor("mot", "P", "f + c*t"))
    t = np.linspace(0.25, 1, 4)
    data = 1.5 * t**2 - 0.4 * t**3 / 6 + np.array([1, -2, 1.5, -0.5]) * 1e-3
    best = da.fit(m, {"f": (0.5, 6.0), "c": (0.0, 1.0)}, da.simulate, 1.0, times=t, output="b.position.x", data=data)
    g = 0.5 * t * t
    f = g @ data / (g @ g)
    assert best.values["c"] == pytest.approx(0.0, abs=1e-9)
    assert best.deviations["f"] == pytest.approx(float(np.sqrt(((data - f * g)**2).sum() / 3 / (g @ g))), rel=1e-5)
