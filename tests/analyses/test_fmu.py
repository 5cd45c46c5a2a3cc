"""FMUs: written, validated and simulated by FMPy, and run inside a model; python-control."""

import numpy as np
import pytest
from stepped_models import servo

import dalembert as da
from dalembert.errors import AnalysisError, FileError, ModelError, SimulationError

fmpy = pytest.importorskip("fmpy")
VERSIONS = ["3.0", "2.0"]


@pytest.fixture(scope="module", params=VERSIONS)
def unit(request, tmp_path_factory):
    return da.export_fmu(servo(), tmp_path_factory.mktemp("fmu") / "servo.fmu", version=request.param)


def test_valid_and_the_same_as_simulate(unit):
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(unit)) == []
    given = np.array([(0.0, 1.0, 2.0), (0.5, 1.0, 2.0), (0.5, -1.0, 0.5), (1.0, -1.0, 0.5)],
                     dtype=[("time", float), ("motor", float), ("u", float)])
    found = fmpy.simulate_fmu(str(unit), stop_time=1.0, output_interval=0.01, input=given, start_values={"k": 3.0})
    assert {"time", "O.angle", "O.rate", "A.angle", "A.rate"} <= set(found.dtype.names)
    m = servo(k=3.0)
    for name in ("motor", "u"):
        m.remove(name)
    m.add(da.Motor("motor", "O", "1 - 2*step(t - 0.5)"))
    m.add(da.Signal("u", "2 - 1.5*step(t - 0.5)"))
    run = da.simulate(m, times=found["time"][1:], rtol=1e-10, atol=1e-12)
    assert np.abs(found["O.angle"][1:] - run["O"].coordinate).max() < 1e-5
    assert np.abs(found["A.rate"][1:] - run["A"].rate).max() < 1e-4


def test_wrong_inputs_are_refused(unit):
    with pytest.raises(Exception, match=r"(?i)error|status|fatal|discard"):
        fmpy.simulate_fmu(str(unit), stop_time=0.1, output_interval=0.01, start_values={"motor": float("nan")})


def driven(unit, every=0.01, **changed):
    """A disc whose torque is the elbow's angle of the unit, whose motor is the disc's angle."""
    m = da.Model("driven", dim=2)
    m.add(da.Body("disc", mass=1.0, inertia=0.5))
    m.add(da.Revolute("pin", m.ground, "disc", at=(0, 0)))
    m.add(da.Signal("u", 0.0))
    m.add(da.Motor("motor", "pin", "u"))
    given = {"inputs": {"motor": "pin.angle"}, "outputs": {"A.angle": "u"}, "parameters": {"k": 2.0}, **changed}
    m.add(da.Fmu("part", unit, every=every, **given))
    return m


def test_a_unit_drives_a_mechanism(unit):
    run = da.simulate(driven(unit), 0.3, times=[0.01 * k for k in range(1, 31)])
    sim, torque, angle, rate = da.stepper(servo(), reads=["A.angle"]), 0.0, 0.0, 0.0
    for k in range(30):  # the same exchange by hand: held torques on a disc are parabolas
        sim.inputs["motor"] = angle
        torque = float(sim.read()[0])
        angle, rate = angle + 0.01 * rate + 0.5 * 0.01**2 * torque / 0.5, rate + 0.01 * torque / 0.5
        sim.step(0.01)
        assert abs(run["pin"].coordinate[k] - angle) < 1e-9
    assert run["part"].value[-1] == 31 and abs(run["u"].value[-1]) > 1e-2
    again = da.simulate(driven(unit), 0.3, times=run.t)
    assert np.array_equal(again.q, run.q)  # a fresh instance in every run


def test_what_a_unit_cannot_do(unit, tmp_path):
    run = da.simulate(driven(unit), 0.05)
    with pytest.raises(SimulationError, match="Fmu 'part' remembers"):
        da.resume(run, until=0.1)
    sim = da.stepper(driven(unit))
    with pytest.raises(SimulationError, match="Fmu 'part' remembers"):
        sim.reset()
    with pytest.raises(ModelError, match=r"no input 'moter'.*motor"):
        da.simulate(driven(unit, inputs={"moter": "pin.angle"}), 0.1)
    with pytest.raises(ModelError, match=r"no output 'B\.angle'"):
        da.simulate(driven(unit, outputs={"B.angle": "u"}), 0.1)
    with pytest.raises(FileError, match="no FMU that can be read"):
        da.simulate(driven(tmp_path / "none.fmu"), 0.1)
    with pytest.raises(FileError, match="something that is run"):
        driven(unit).save(tmp_path / "m.toml")


def test_writing_is_refused_in_words(tmp_path):
    with pytest.raises(FileError, match=r"ends in \.fmu"):
        da.export_fmu(servo(), tmp_path / "x.zip")
    with pytest.raises(FileError, match="not known"):
        da.export_fmu(servo(), tmp_path / "x.fmu", version="1.0")
    with pytest.raises(ModelError, match="not known"):
        da.export_fmu(servo(), tmp_path / "x.fmu", outputs=["Q.angle"])
    m = servo()
    m.add(da.Motor("odd", "O", da.Law(lambda t: 0.0 if t < 1 else 1.0)))
    with pytest.raises(FileError, match="holds no code"):
        da.export_fmu(m, tmp_path / "x.fmu")
    assert not list(tmp_path.iterdir())


def test_python_control():
    control = pytest.importorskip("control")
    lin = da.linearize(servo(), inputs=["u", "motor"], outputs=["O", "A rate"])
    system = lin.to_control()
    assert system.input_labels == ["u", "motor"] and system.output_labels == ["O", "A rate"]
    assert np.allclose(np.sort_complex(system.poles()), np.sort_complex(lin.eigenvalues), atol=1e-9)
    gain, _, _ = control.lqr(system, np.eye(4), np.eye(2))
    assert np.linalg.eigvals(lin.A - lin.B @ gain).real.max() < 0
    with pytest.raises(AnalysisError):
        da.linearize(servo(), inputs=["nobody"])
