"""The certificate judges by the mechanism's own sizes: laws over units, planted errors, rest, extreme sizes."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.results.run import Run

#          numbers per metre, kilogram, second
UNITS = {"m": (1, 1, 1), "mm": (1e3, 1, 1), "km": (1e-3, 1, 1), "g": (1, 1e3, 1), "t": (1, 1e-3, 1), "ms": (1, 1, 1e3),
         "mm, t, s": (1e3, 1e-3, 1), "km, g, ms": (1e-3, 1e3, 1e3), "µm": (1e6, 1, 1), "nm": (1e9, 1, 1), "1e9 m": (1e-9, 1, 1)}


def sprung(a, b, c, away=0.0):
    """A rod on a hinge with spring and damper, pushed; ``away`` metres from the origin."""
    m = da.Model("sprung", dim=2, gravity=(0, -9.81 * a / c**2))
    o = away * a
    m.add(da.Body.rod("rod", (o, 0), (o + 1.2 * a, 0), mass=2 * b))
    m.add(da.Revolute("O", m.ground, "rod", at=(o, 0)))
    m.add(da.Spring("s", m.ground, "rod", at_i=(o + a, a), at_j=(o + a, 0), stiffness=80 * b / c**2, damping=3 * b / c,
                    length=0.8 * a))
    m.add(da.Force("F", "rod", (f"{2 * b * a / c**2}*cos({3 / c}*t)", 0.0), on=(0.3 * a, 0)))
    return m


def closed(a, b, c, away=0.0):
    """A driven four-bar linkage."""
    m = da.Model("closed", dim=2, gravity=(0, -9.81 * a / c**2))
    p = [(away * a + x * a, y * a) for x, y in ((0, 0), (0, 0.3), (0.8, 0.7), (0.8, 0))]
    for name, i, j in (("crank", 0, 1), ("rod", 1, 2), ("lever", 3, 2)):
        m.add(da.Body.rod(name, p[i], p[j], mass=b))
    ends = (m.ground, "crank"), ("crank", "rod"), ("rod", "lever"), (m.ground, "lever")
    for name, (i, j), at in zip("ABCD", ends, p, strict=True):
        m.add(da.Revolute(name, i, j, at=at))
    m.add(da.Drive("d", "A", f"{4 / c}*t"))
    return m


def space(a, b, c, away=0.0):
    """Two rods in space, thrown."""
    m = da.Model("space", dim=3, gravity=(0, 0, -9.81 * a / c**2))
    o = away * a
    m.add(da.Body("one", mass=b, inertia=(0.1 * b * a**2, 0.2 * b * a**2, 0.25 * b * a**2), position=(o + 0.5 * a, 0, 0)))
    m.add(da.Body("two", mass=2 * b, inertia=(0.1 * b * a**2, 0.2 * b * a**2, 0.25 * b * a**2), position=(o + a, 0.5 * a, 0)))
    m.add(da.Spherical("O", m.ground, "one", at=(o, 0, 0)))
    m.add(da.Revolute("P", "one", "two", at=(o + a, 0, 0), axis=(1, 0, 1)))
    m.initial("P", rate=2.0 / c)
    return m


MODELS = (sprung, closed, space)


def in_units(run, make, units, shift=None):
    """The same states written in other units, with planted errors (functions of q, v, ledger in SI)."""
    a, b, c = units
    s = run.system
    q, v, ledger = run.q.copy(), run.v.copy(), run._ledger.copy()
    if shift is not None:
        shift(q, v, ledger)
    d, n, k = s.dim, s.kind.SIZE_V, s.kind.SIZE_Q
    q[:, : k * s.nb].reshape(len(q), s.nb, k)[..., :d] *= a
    v = v / c
    v.reshape(len(v), s.nb, n)[..., :d] *= a
    model = make(a, b, c)
    stats = {**run.stats, "atol": run.stats["atol"] * a}
    return Run(model, model.compile(), run.t * c, q, v, ledger * b * a**2 / c**2, stats, "complete", "complete")


def planted(kind):
    random = np.random.default_rng(3)

    def shift(q, v, ledger):
        if kind == "position":
            q[len(q) // 2] += 1e-4 * random.standard_normal(q.shape[1])
        elif kind == "velocity":
            v[len(v) // 2] += 1e-3 * random.standard_normal(v.shape[1])
        elif kind == "energy":
            ledger[:, 0] += np.linspace(0, 0.3, len(ledger))
    return shift


@pytest.fixture(scope="module")
def runs():
    return {make.__name__: da.simulate(make(1, 1, 1), 2.0, rtol=1e-4) for make in MODELS}


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("kind", ["position", "velocity", "energy"])
def test_planted_errors_are_doubted_alike_in_all_units(runs, make, kind):
    run = runs[make.__name__]
    figures, words = [], []
    for units in UNITS.values():
        c = in_units(run, make, units, planted(kind)).certificate
        figures.append([*c.relative, c.energy_relative])
        words.append([d.split(":")[0] for d in c.doubts()])
    assert words[0] and all(w == words[0] for w in words)
    for f in figures[1:]:
        np.testing.assert_allclose(f, figures[0], rtol=1e-6, atol=1e-11)


@pytest.mark.parametrize("make", MODELS)
def test_clean_runs_are_clean_in_all_units(runs, make):
    figures = []
    for a, b, c in UNITS.values():
        run = da.simulate(make(a, b, c), 2.0 * c, rtol=1e-6, atol=1e-9 * min(a, a / c, 1 / c))
        assert run.certificate.doubts() == []
        figures.append([*run.certificate.relative, run.certificate.energy_relative])
    np.testing.assert_allclose(figures, [figures[0]] * len(figures), rtol=0, atol=1e-6)


@pytest.mark.parametrize("make", MODELS)
def test_far_from_the_origin(runs, make):
    """Coordinates of 1e9 m are known to 1e-7 m: rounding is no reason for doubt, planted errors still are."""
    near = runs[make.__name__]
    model = make(1, 1, 1, away=1e9)
    s, q = model.compile(), near.q.copy()
    q[:, 0:s.kind.SIZE_Q * s.nb:s.kind.SIZE_Q] += 1e9
    far = Run(model, s, near.t, q, near.v, near._ledger, near.stats, "complete", "complete")
    assert 0.0 < far.certificate.position_error < 1e-5
    assert not any("Φ" in d for d in far.certificate.doubts())
    q[3] += 0.1 * np.random.default_rng(1).standard_normal(q.shape[1])
    bent = Run(model, s, near.t, q, near.v, near._ledger, near.stats, "complete", "complete")
    assert any("|Φ|" in d for d in bent.certificate.doubts())


def resting():
    m = da.Model("hang", dim=2, gravity=(9.81 * np.sin(0.3), -9.81 * np.cos(0.3)))
    e = np.array([np.sin(0.3), -np.cos(0.3)])
    m.add(da.Body.rod("a", (0, 0), tuple(e), mass=1))
    m.add(da.Body.rod("b", tuple(e), tuple(2 * e), mass=1))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("P", "a", "b", at=tuple(e)))
    yield m, None
    for name in ("hanging-chain", "four-bar-springs"):
        m = catalog.make(name)
        yield m, da.equilibrium(m)
    m = catalog.make("slider-crank-loaded")
    yield m, da.equilibrium(m)
    m = da.Model("nothing", dim=2, gravity=(0, 0))
    m.add(da.Body.rod("a", (0, 0), (0, -1), mass=1))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    yield m, None


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau", "alpha"])
def test_rest_is_no_reason_for_doubt(integrator):
    for m, state in resting():
        for until in (1.0, 100.0) if integrator != "rk5" else (1.0,):
            run = da.simulate(m, until, integrator=integrator, state=state)
            assert run.certificate.doubts() == [], m.name
            assert run.certificate.resting, m.name


@pytest.mark.parametrize("rtol", [1e-2, 1e-3, 1e-4, 1e-6])
def test_energy_missing_is_doubted_at_any_tolerance(rtol):
    """More than 1e-3 of the energy exchanged."""
    m = catalog.make("four-bar")
    run = da.simulate(m, 2.0, integrator="rk8", rtol=1e-7)
    for part, expected in ((3e-3, True), (3e-5, False)):
        ledger = run._ledger.copy()
        ledger[:, 1] += np.linspace(0, part * run.energy.exchanged, len(ledger))
        bent = Run(m, run.system, run.t, run.q, run.v, ledger, {**run.stats, "rtol": rtol}, "complete", "complete")
        assert any("energy" in d for d in bent.certificate.doubts()) == expected


def test_alpha_at_a_coarse_tolerance_is_doubted():
    run = da.simulate(catalog.make("four-bar"), 2.0, integrator="alpha", rtol=1e-4)
    c = run.certificate
    (doubt,) = c.doubts()
    assert f"{c.energy_relative:.1e}" in doubt and f"{c.energy_relative:.1e}" in str(c)  # message and table agree
    assert c.energy_relative > 1e-3


def test_a_micrometre_is_judged_like_a_metre():
    """1 kg on 1 µm, α: energies of 1e-5 J; missing parts are doubted as on 1 m."""
    words = []
    for a in (1.0, 1e-6):
        m = da.Model("small", dim=2, gravity=(0, -9.81 * a))
        m.add(da.Body.rod("rod", (0, 0), (a, 0), mass=1))
        m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
        run = da.simulate(m, 5.0, integrator="alpha", rtol=1e-4, atol=1e-7 * a)
        assert run.certificate.energy_relative > 1e-3
        words.append([d.split(":")[0] for d in run.certificate.doubts()])
    assert words[0] == words[1] == ["energy does not add up"]


def test_a_tolerance_as_large_as_the_mechanism_is_doubted():
    m = da.Model("tiny", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1e-8, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    (doubt,) = [d for d in da.simulate(m, 1e-5).certificate.doubts() if "atol" in d]
    assert "size is" in doubt


def test_accelerations_count():
    """A state whose accelerations contradict the constraints is doubted."""
    run = da.simulate(catalog.make("four-bar"), 0.5)
    assert run.certificate.doubts() == []
    run.observed.second[7] += 1e-3 * run.certificate.scales.acceleration
    del run.__dict__["certificate"]
    assert any("|Φ̈|" in d for d in run.certificate.doubts())


@pytest.mark.parametrize("name", sorted(catalog.CATALOG))
def test_catalogue_is_clean(name):
    e = catalog.CATALOG[name]
    assert da.simulate(e.make(), min(e.until, 2.0)).certificate.doubts() == []


def test_a_sample_without_numbers_is_doubted_and_changes_no_scale():
    run = da.simulate(catalog.make("four-bar"), 0.5)
    q, v = run.q.copy(), run.v.copy()
    v[9] = np.nan
    bent = Run(run.model, run.system, run.t, q, v, run._ledger, run.stats, "complete", "complete")
    assert bent.certificate.scales.length == run.certificate.scales.length
    assert bent.certificate.scales.speed == pytest.approx(run.certificate.scales.speed, rel=0.1)
    assert any("|Φ̇|" in d for d in bent.certificate.doubts())
