"""Small things that new users stumbled over: each said, each once."""

import pytest

import dalembert as da
from dalembert import catalog


def pendulum():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81), parameters={"l": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=2.0))
    m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
    return m


@pytest.mark.parametrize("name", ["rk8", "rk5", "radau", "auto"])
def test_integrators_are_called_as_documented(name):
    run = da.simulate(pendulum(), 0.1, integrator=name)
    told = "rk8" if name == "auto" else name
    assert run.stats["method"] == told and f"integrator         {told}:" in str(run.certificate)
    assert "dop853" not in repr(run) and "dp54" not in repr(run)


def test_optimize_and_fit_speak_for_themselves():
    m = pendulum()
    for call in (lambda: da.optimize(m, {"k": (0, 1)}, da.simulate, 0.1, goal="last rod.angle"),
                 lambda: da.optimize(m, {}, da.simulate, 0.1, goal="last rod.angle"),
                 lambda: da.optimize(m, {"l": 3}, da.simulate, 0.1, goal="last rod.angle")):
        with pytest.raises(da.AnalysisError, match=r"^optimize: "):
            call()
    with pytest.raises(da.AnalysisError, match=r"^fit: model 'pendulum' has no parameter 'k'"):
        da.fit(m, {"k": (0, 1)}, da.simulate, 0.1, output="last rod.angle", data=1.0)


def test_times_alone_say_where_a_run_ends():
    run = da.simulate(pendulum(), times=[0.0, 0.1, 0.3])
    assert run.t.tolist() == [0.0, 0.1, 0.3]
    with pytest.raises(da.SimulationError, match=r"until=, .*times="):
        da.simulate(pendulum())
    with pytest.raises(da.AnalysisError, match="expected a Model"):
        da.simulate("pendulum", 1.0)


def test_check_says_gravity():
    assert "gravity                  (0, -9.81) m/s²" in str(da.check(pendulum()))
    m = da.Model("free", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 1, 1)))
    assert "gravity                  none, as by default: Model(gravity=(0, 0, -9.81)) sets it" in str(da.check(m))
    assert "(0, -g) m/s²" in str(da.check(catalog.make("four-bar"))) or "(0.0, -g)" in str(da.check(catalog.make("four-bar")))


def test_values_in_files_are_found_by_their_line(tmp_path):
    file = tmp_path / "m.toml"
    pendulum().save(file)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("mass = 2.0", "mass = -2.0"), encoding="utf-8")
    line = next(k for k, words in enumerate(text.splitlines(), 1) if words.startswith("mass"))
    with pytest.raises(da.ModelError, match=rf"mass of Body 'rod' .*\(written in .*m\.toml, line {line}\)"):
        da.check(da.load_model(file))
    file.write_text(text.replace("l = 1.0", 'l = "1/0"'), encoding="utf-8")
    line = next(k for k, words in enumerate(text.splitlines(), 1) if words.startswith("l ="))
    with pytest.raises(da.DalembertError, match=rf"line {line}"):
        da.check(da.load_model(file))


def test_a_spring_without_length_names_the_cure():
    m = pendulum()
    m.add(da.Spring("s", m.ground, "rod", at_i=(1, 0), at_j=(1, 0), stiffness=10.0))
    with pytest.raises(da.ModelError, match=r"draw them apart.*length=.*Bushing"):
        da.check(m)


def test_axes_of_bushings_turn_with_the_first_body():
    """The docstring's sentence, measured: a soft axis along x in the drawing stays soft along i's own x when i is turned."""
    m = da.Model("turned", dim=2)
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(da.Body("b", mass=1, inertia=1))
    m.add(da.Bushing("e", "a", "b", at=(0, 0), stiffness=(1.0, 100.0)))
    state = da.assemble(m)
    q = state.q.copy()
    q[2], q[3], q[4] = 1.5707963267948966, 0.0, 0.1  # a by a quarter turn, b by 0.1 along y: i's own x
    moved = type(state)(m, state.system, 0.0, q, state.v)
    assert moved["e"].force == pytest.approx([0.0, -0.1], abs=1e-12)
    assert "axes fixed on i, parallel to the ground's as drawn" in " ".join((da.Bushing.__doc__ or "").split())
