"""Words where a run would do something else in silence: keywords, contacts that are missing, steps longer than the run."""

import pytest

import dalembert as da


def resting(size=1.0, contact=True):
    m = da.Model("resting", dim=2, gravity=(0, -9.81))
    m.ground.shapes = [da.HalfSpace((0, 1))]
    m.add(da.Body.from_shape("b", da.Box((size, size)), mass=size**3, position=(0, 0.5 * size)))
    if contact:
        m.add(da.Contact("c", "ground", "b", friction=0.3))
    return m


def test_keywords_that_are_not_there_are_named_with_the_cure():
    with pytest.raises(da.ModelError, match=r"Box has no angle=: rotation= turns it"):
        da.Box((1, 1), angle=0.3)
    with pytest.raises(da.ModelError, match=r"Sphere has no postion=.*did you mean 'position'"):
        da.Sphere(0.1, postion=(0, 0))
    with pytest.raises(da.SimulationError, match=r"simulate has no method=: did you mean 'integrator'"):
        da.simulate(resting(), 1.0, method="rk8")
    with pytest.raises(da.SimulationError, match=r"simulate has no atoll=: did you mean 'atol'"):
        da.simulate(resting(), 1.0, atoll=1e-8)


def test_stepping_without_a_contact_is_said():
    for contact in ("stepping", "events"):
        notes = da.simulate(resting(contact=False), 0.1, step=0.05, contact=contact).stats["notes"]
        assert any("'resting' has no Contact" in x for x in notes)
    assert not da.simulate(resting(contact=False), 0.1, step=0.05).stats.get("notes")


def test_a_step_longer_than_the_run_is_said():
    for contact in (True, False):
        run = da.simulate(resting(contact=contact), 0.1, step=0.05, fixed_step=0.5, integrator="auto" if contact else "rk8")
        assert any("fixed_step = 0.5 s is longer than the run (0.1 s)" in x for x in run.stats["notes"])


def test_what_rests_has_gained_nothing_and_atol_does_not_steer_stepping():
    assert "contacts put" not in str(da.simulate(resting(), 0.5, step=0.1, contact="stepping").certificate)
    assert da.simulate(resting(1e-6), 1e-3, step=5e-4, contact="stepping").certificate.doubts() == []
