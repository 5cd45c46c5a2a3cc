"""What a new user met with laws, signals and states: each of it was taken in silence, or hung, before."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError, SimulationError


def slider(**parameters):
    m = da.Model("c", dim=2, gravity=(0, -9.81), parameters=parameters)
    m.add(da.Body("p", mass=2.0, inertia=0.1))
    m.add(da.Prismatic("g", m.ground, "p", at=(0, 0), axis=(0, 1)))
    return m


def test_a_user_force_does_not_drop_what_it_says_it_reads():
    m = da.Model("two", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=0.1))
    m.add(da.Signal("gain", "20"))

    def f(t, x, v, out, gain=1.0):
        out[0] = gain * x[0]

    m.add(da.UserForce("q", "a", da.Law(f, reads=["gain"])))
    with pytest.raises(ModelError, match=r"UserForce 'q': .*reads= \(gain\) does not reach it"):
        m.compile()


@pytest.mark.parametrize("gain,said", [(2.5, "the forces return 1.25 times what they read"), (1.99999, "next to 1"), (1.0, ""),
                                       (-9.0, "")])
def test_a_loop_that_returns_more_than_it_is_given_is_a_doubt(gain, said):
    m = slider()
    m.add(da.Motor("am", "g", f"{gain}*p.ay"))
    found = da.simulate(m, 0.01).certificate.doubts()
    assert (said in found[0] and "'am'" in found[0]) if said else found == []


def test_eigenvalues_of_a_loop_of_several():
    m = da.Model("two", dim=2, gravity=(0, -9.81))
    for k, mass in enumerate((2.0, 5.0)):
        m.add(da.Body(f"p{k}", mass=mass, inertia=0.1, position=(k, 0)))
        m.add(da.Prismatic(f"g{k}", m.ground, f"p{k}", at=(k, 0), axis=(0, 1)))
    m.add(da.Motor("a", "g0", "3*p1.ay + 0.1*p0.ay"))
    m.add(da.Motor("b", "g1", "-40*p0.ay"))
    from dalembert.analyses.toolbox.feeling import loop
    from dalembert.equations.workspace import workspace

    state = da.assemble(m)
    w = workspace(state.system)
    w.set(0.0, state.q, state.v)
    w.run("accelerations")
    want = np.linalg.eigvals(np.array([[0.1 / 2, 3 / 2], [-40 / 5, 0.0]]))
    assert np.allclose(np.sort_complex(loop(w)), np.sort_complex(want), atol=1e-7)


def test_cables_on_a_winch_are_damped_by_their_stretching():
    def hoist(**given):
        m = da.Model("win", dim=2, gravity=(0, -9.81))
        m.add(da.Particle("w", mass=2.0, position=(0, -1)))
        m.add(da.Signal("L", "1 - 0.1*t"))
        m.add(da.parts.cable("c", m.ground, "w", at_i=(0, 0), at_j=(0, -1), stiffness=2000.0, damping=30.0, **given))
        return m

    for given in ({"length": "1 - 0.1*t"}, {"length": "L", "length_rate": -0.1}, {"length": "L", "length_rate": "-0.1 + 0*t"}):
        run = da.simulate(hoist(**given), 4.0, rtol=1e-9)
        assert -run["w"].position[-1, 1] == pytest.approx(1 - 0.4 + 2.0 * 9.81 / 2000.0, abs=1e-7)
    with pytest.raises(ModelError, match=r"cable 'c': its length is 'L'.*length_rate="):
        hoist(length="L")


def test_the_bare_name_of_a_force_is_refused_in_laws():
    m = slider()
    m.add(da.Motor("push", "g", 5.0))
    m.add(da.Motor("copy", "g", "2*push"))
    with pytest.raises(ModelError, match=r"'push' alone in its law .*write push.force or push.length"):
        m.compile()


@pytest.mark.parametrize("name", ["rate", "coordinate"])
def test_parameters_are_not_hidden_by_names_of_the_law(name):
    m = slider(**{name: 7.0})
    m.add(da.Motor("q", "g", f"2*{name}"))
    with pytest.raises(ModelError, match=f"Motor 'q': '{name}' in .* is a name of the law itself here, and of a parameter"):
        m.compile()


def test_reads_are_looked_at_though_the_function_does_not_use_them():
    m = slider(k=3.0)
    m.add(da.Motor("q", "g", da.Law(lambda t, a: 1.0 + 0.0 * t, reads=["g.slidee"])))
    with pytest.raises(ModelError, match=r"'g.slidee' in its law"):
        m.compile()
    for name, said in (("k", "a parameter"), ("t", "the time")):
        n = slider(k=3.0)
        n.add(da.Motor("q", "g", da.Law(lambda t, k: 2 * k, reads=[name])))
        with pytest.raises(ModelError, match=f"reads= names parts of the mechanism and signals; '{name}' is {said}"):
            n.compile()
    good = slider()
    good.add(da.Motor("q", "g", da.Law(lambda t, a: 1.0 + 0.0 * t, reads=["p.ay"])))
    assert not good.compile().felt


def test_signals_without_a_value_are_a_doubt_and_signals_are_plotted():
    m = slider()
    m.add(da.Signal("s", "sqrt(0.5 - t)"))
    m.add(da.Signal("u", "sin(3*t) - g.slide"))
    m.add(da.Differential("z", "u - z"))
    run = da.simulate(m, 1.0, step=0.1)
    assert [d for d in run.certificate.doubts() if "Signal 's' has no value" in d and "at 5 of 11 samples, first at t = 0.6" in d]
    from dalembert.viewer.scene.channels import read

    for name, values in (("u", run["u"].value), ("u.value", run["u"].value), ("z", run["z"].value), ("z.rate", run["z"].rate)):
        assert np.array_equal(read(run, name)[0].values, values)


@pytest.mark.parametrize("e", [("2-t", "0.5*(2-t)", 0, 0), ("1+t", "0.5*(1+t)", 0, 0)])
def test_an_orientation_that_rests_by_its_law_is_no_work(e):
    """The ledger was measured against the rounding of accelerations: steps of 1e-11 s."""
    m = da.Model("d", dim=3)
    m.add(da.Body("d", mass=2.0, inertia=(0.3, 0.2, 0.1)))
    m.add(da.Spherical("b", m.ground, "d", at=(0, 0, 0)))
    m.add(da.Orientation("aim", m.ground, "d", quaternion=e))
    assert da.simulate(m, 0.9, max_steps=100).stats["steps"] < 30


def test_a_pid_may_begin_without_a_kick():
    m = slider()
    m.add(da.parts.pid("u", "2.5 - g", kp=1.0, ki=0.5, kd=1.5, filter=0.01, limits=(-12.0, 12.0), error_start=2.5, start=3.0))
    m.add(da.Motor("q", "g", "u"))
    at = da.simulate(m, 0.01)
    assert at["u_raw"].value[0] == pytest.approx(2.5 + 3.0) and at["u_integral"].value[0] == 3.0


def test_what_a_function_that_reads_raised_is_told():
    def broken(t, slide):
        if t > 0.26:
            raise RuntimeError("sensor broken")
        return 3.0 if slide > 5.0 else 1.0

    m = slider()
    m.add(da.Motor("q", "g", da.Law(broken, reads=["g.slide"])))
    said = r"the function of Motor 'q' raised RuntimeError: sensor broken, at t = 0.26\d* with g.slide = "
    with pytest.raises(SimulationError, match=said):
        da.simulate(m, 1.0)


def test_a_function_may_read_many_names():
    """More of them than any formula has variables of its own."""
    m = slider()
    for k in range(12):
        m.add(da.Signal(f"s{k}", f"{k + 1}*t + {k}"))

    def many(t, a, b, c, d, e, f, g, h, i, j, k, m):
        if a > 1e9:
            return 0.0
        return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * m

    m.add(da.Motor("q", "g", da.Law(many, reads=[f"s{k}" for k in range(12)])))
    run = da.simulate(m, 0.5, step=0.1)
    want = sum((k + 1) * ((k + 1) * run.t + k) for k in range(12))
    assert np.allclose(run["q"].force, want, rtol=1e-12) and np.allclose(run["s3"].value, 4 * run.t + 3, rtol=1e-12)


@pytest.mark.parametrize("equation,right", [("exp(u) - 1 - sin(t)", lambda t: np.log1p(np.sin(t))),
                                            ("1e5*(exp(u/1e5) - 1) - t", lambda t: 1e5 * np.log1p(t / 1e5)),
                                            ("u - 3*(1 - cos(t) - 0.5*u)", lambda t: 1.2 * (1 - np.cos(t)))])
def test_algebraic_equations_whose_solution_is_next_to_zero(equation, right):
    """Rounding of the terms is large beside an unknown of 1e-20: no reason to find the equation singular."""
    m = slider()
    m.add(da.Algebraic("u", equation))
    m.add(da.Motor("q", "g", "u"))
    run = da.simulate(m, 1.0)
    assert np.abs(run["u"].value - right(run.t)).max() < 1e-12 * max(1.0, float(np.abs(right(run.t)).max())) * 100


def test_equations_without_a_solution_are_still_refused():
    m = slider()
    m.add(da.Algebraic("u", "u*u + 1", start=1.0))
    m.add(da.Motor("q", "g", "u"))
    with pytest.raises(SimulationError, match="the algebraic equation of 'u' cannot be solved"):
        da.simulate(m, 1.0)
