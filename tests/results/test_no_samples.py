"""A run that ended before the first of its times: everything is empty, and the certificate says so."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog


def ended(model, **more):
    with pytest.raises(da.SimulationError) as told:
        da.simulate(model, times=[0.5, 1.0], max_steps=3, **more)
    return told.value.run


def plane():
    m = da.Model("p", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Spring("s", "a", m.ground, stiffness=3.0, length=1.0, at_i=(1, 0), at_j=(2, 1)))
    return m


@pytest.mark.parametrize("make", [plane, lambda: catalog.make("chain-in-space", n=3), lambda: catalog.make("four-bar")],
                         ids=["plane", "space", "loop"])
def test_all_is_empty(make, tmp_path):
    model = make()
    run = ended(model)
    assert len(run.t) == 0 and run.status == "partial"
    energy = run.energy
    for x in (energy.total, energy.kinetic, energy.potential, energy.work, energy.residual):
        assert x.shape == (0,)
    assert energy.exchanged == pytest.approx(0.0)
    certificate = run.certificate
    assert any("nothing was sampled" in doubt for doubt in certificate.doubts())
    assert "nothing was sampled" in str(certificate) and "0 samples" in repr(run) and certificate._repr_html_()
    full = da.simulate(model, 0.01, step=0.005)
    for name in run.model.bodies:
        for what in ("position", "velocity", "acceleration"):
            found, like = getattr(run[name], what), getattr(full[name], what)
            assert found.shape == (0, *like.shape[1:])
    for name in (n for n, e in run.model.elements.items() if e.kind == "joint"):
        assert run[name].force.shape == (0, *full[name].force.shape[1:])
    run.to_csv(tmp_path / "x.csv")
    with pytest.raises(da.FileError, match="nothing was sampled"):
        run.save(tmp_path / "x.h5")
    with pytest.raises(da.AnalysisError, match="nothing was sampled"):
        run.state()


def test_it_goes_on_as_the_whole_run():
    """What ended without samples is resumed from the step it had reached."""
    whole = da.simulate(plane(), times=[0.5, 1.0])
    steps = []
    with pytest.raises(da.SimulationInterrupted) as told:
        da.simulate(plane(), times=[0.5, 1.0], progress=lambda t: steps.append(t) or False)
    run = told.value.run
    assert np.array_equal(da.resume(run).q, whole.q)
