"""The error catalogue: the words of every status, and every class of error reached by a user's slip."""

import pytest

import dalembert as da
from dalembert import errors

WORDS = {
    errors.OK: "ok: Everything went well.",
    errors.SINGULAR: "dead point or toggle position, a mobile body has no mass, or constraints repeat each other",
    errors.NOT_CONVERGED: "start closer to the solution, loosen the tolerance, or check that the lengths allow",
    errors.NOT_FINITE: "look for a division by zero, the root of a negative number, or a force that grows without bound",
    errors.STEP_TOO_SMALL: "Smooth the law or choose an implicit integrator",
    errors.TOO_MANY_STEPS: "raise it, loosen the tolerance, or choose an implicit integrator",
    errors.STOPPED: "stopped on request; the results up to this moment are valid",
    errors.EVENT: "An event ended the run; the results up to this moment are valid",
    errors.INCONSISTENT: "check lengths, joint positions, and motion laws on one joint",
    errors.STIFF: "Stability, not accuracy, limits the time step: choose an implicit integrator",
    errors.BUDGET: "call again to continue",
}


@pytest.mark.parametrize("status", sorted(errors.NAMES))
def test_every_status_gives_its_advice(status):
    assert status in WORDS, f"add the words of status {status} ({errors.NAMES[status]}) here"
    assert WORDS[status] in errors.describe(status)
    assert errors.describe(status).startswith(f"{errors.NAMES[status]}: ")


def rod(**kw):
    m = da.Model("m", dim=2)
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1.0, **kw))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    return m


def torn():
    m = rod()
    m.add(da.Revolute("P", m.ground, "rod", on_i=(5, 0), on_j=(0.5, 0)))
    return da.assemble(m)


def blown_up():
    m = rod()
    m.add(da.Motor("push", "O", "1/(0.5 - t)**2"))
    return da.simulate(m, 1.0)


def interrupted():
    def key(t):
        raise KeyboardInterrupt

    return da.simulate(rod(omega=3.0), 500.0, progress=key)


SLIPS = {
    "ModelError": (
        lambda: rod().add(da.Revolute("Q", "ground", "rood", at=(0, 0))),
        "there is no body 'rood': did you mean 'rod'?",
    ),
    "ExpressionError": (lambda: da.simulate(_with_torque("2*"), 1.0), "2*"),
    "AssemblyError": (torn, "cannot be assembled: these elements contradict each other"),
    "AnalysisError": (lambda: da.accelerations(rod())["rood"], "there is no 'rood' in the result: did you mean 'rod'?"),
    "SimulationError": (blown_up, "stopped at t = "),
    "SimulationInterrupted": (interrupted, "da.resume(run) goes on"),
    "FileError": (lambda: da.load_model("nothing.toml"), "cannot read 'nothing.toml'"),
}


def _with_torque(law):
    m = rod()
    m.add(da.Torque("M", "rod", law))
    return m


@pytest.mark.parametrize("name", SLIPS)
def test_every_class_is_reached_and_says_what_to_do(name):
    slip, words = SLIPS[name]
    with pytest.raises(getattr(errors, name)) as caught:
        slip()
    assert type(caught.value).__name__ == name and words in str(caught.value), str(caught.value)


def test_the_list_is_complete():
    classes = {n for n, c in vars(errors).items() if isinstance(c, type) and issubclass(c, errors.DalembertError)}
    assert classes == {*SLIPS, "DalembertError"}
