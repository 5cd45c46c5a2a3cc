"""Balances hold for every value of a parameter, so their derivatives hold too: both ways, and outputs that read tables (masses,
moments, where a body's centre is) among them.
"""

import numpy as np
import pytest

import dalembert as da


def thrown(seed, dim):
    """Bodies on springs that fly together, with masses, moments, centres and speeds as parameters."""
    random = np.random.default_rng(seed)
    numbers = {n: float(random.uniform(0.5, 2.0)) for n in ("m1", "m2", "inertia", "com", "k", "u", "w", "g")}
    m = da.Model("thrown", dim=dim, gravity=("0.3*g", "-g", "0.1")[:dim], parameters=numbers)
    for name, mass, x in (("a", "m1", 0.0), ("b", "m2", 1.1)):
        plane = {"inertia": "inertia", "omega": "w"}
        solid = {"inertia": ("inertia", "0.8*inertia", 0.6), "omega": ("w", 0.3, "-u")}
        m.add(da.Body(name, mass=mass, com=("com", 0.1, 0.2)[:dim], position=(x, 0.3, 0.1)[:dim],
                      velocity=("u" if x else 0.2, "0.5*u", 0.1)[:dim], **(plane if dim == 2 else solid)))
    m.add(da.Spring("s", "a", "b", on_i=(0.1, 0.2, 0)[:dim], on_j=(-0.1, 0, 0.3)[:dim], stiffness="k", length=0.7))
    return m


@pytest.mark.parametrize("method", ["forward", "adjoint"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(2))
def test_momentum_and_energy_are_balanced_in_every_parameter(seed, dim, method):
    m, until = thrown(seed, dim), 0.6
    outputs = {
        "pulled": lambda r: r["a"].momentum[-1] - r["a"].momentum[0] + r["b"].momentum[-1] - r["b"].momentum[0],
        "parts": lambda r: r["a"].kinetic_energy[-1] + r["b"].kinetic_energy[-1],
        "whole": lambda r: r.energy.kinetic[-1],
        "first": lambda r: r.energy.total[0],
        "last": lambda r: r.energy.kinetic[-1] + r.energy.potential[-1]}
    s = da.sensitivities(m, list(m.parameters), da.simulate, until, times=[0.0, until], rtol=1e-10, method=method,
                         outputs=outputs)
    p = m.parameter_values()
    g = p["g"] * np.array([0.3, -1.0, 0.0])[:dim] + np.array([0.0, 0.0, 0.1])[:dim]
    pull = np.zeros((dim, len(p)))  # of (m1 + m2) g T
    for k, name in enumerate(p):
        if name in ("m1", "m2"):
            pull[:, k] = g * until
        if name == "g":
            pull[:, k] = (p["m1"] + p["m2"]) * until * np.array([0.3, -1.0, 0.0])[:dim]
    assert s.gradient("pulled") == pytest.approx(pull, rel=1e-8, abs=1e-8)
    whole = s.gradient("whole")
    assert s.gradient("parts") == pytest.approx(whole, rel=1e-8, abs=1e-8 * np.abs(whole).max())
    kept = s.gradient("first")
    assert s.gradient("last") == pytest.approx(kept, rel=1e-7, abs=1e-7 * np.abs(kept).max())
