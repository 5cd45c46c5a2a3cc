"""Laws that read reactions and accelerations: solved together with λ and v̇, against closed forms and other routes; refusals."""

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, ModelError, SimulationError


def cart(law, **parameters):
    m = da.Model("cart", dim=2, parameters=parameters)
    m.add(da.Body("cart", mass=2.0, inertia=1.0))
    m.add(da.Prismatic("rail", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "rail", law))
    return m


def double(drag=0.1):
    m = da.Model("double", dim=2, gravity=(0, -9.81), parameters={"mu": 0.3, "r": 0.05, "drag": drag})
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=2.0))
    m.add(da.Body.rod("two", (1, 0), (1, 1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Revolute("A", "rod", "two", at=(1, 0)))
    m.add(da.Motor("friction", "O", "-mu*r*sqrt(O.force.x**2 + O.force.y**2)*tanh(O.rate/0.1) - drag*rod.angular_acceleration"))
    m.add(da.Motor("rub", "A", "-mu*r*sqrt(A.force.x**2 + A.force.y**2)*tanh(A.rate/0.1) + 0.02*two.acceleration.x + 0.01*lag"))
    m.add(da.Differential("lag", "-5*lag + two.acceleration.y"))
    m.add(da.Signal("sum", "O.torque + A.force.x"))
    return m


def jamming(mu, v):
    """A rod on a shoe in a rail that rubs by mu |N|: Painlevé's example."""
    m = da.Model("jam", dim=2, gravity=(0, -9.81), parameters={"mu": mu})
    m.add(da.Body.rod("rod", (0, 1), (1, 0), mass=2.0))
    m.add(da.Body("shoe", mass=0.1, inertia=1.0, position=(1, 0), velocity=(v, 0)))
    m.add(da.Revolute("pin", "shoe", "rod", at=(1, 0)))
    m.add(da.Prismatic("rail", m.ground, "shoe", at=(1, 0), axis=(1, 0)))
    m.add(da.Motor("rub", "rail", "-mu*abs(rail.force.y)*tanh(rail.rate/0.01)"))
    return m


def test_a_law_of_its_own_acceleration_is_an_added_mass():
    for k in (0.5, -3.0, 4.0):  # beyond one too: a linear law has one answer
        a = da.accelerations(cart("3 + k*cart.ax", k=k))
        assert abs(a["cart"].acceleration[0] - 3.0 / (2.0 - k)) < 1e-13 * abs(3.0 / (2.0 - k))
        assert abs(a["push"].force - 2.0 * a["cart"].acceleration[0]) < 1e-12


def test_singular_is_named():
    with pytest.raises(AnalysisError, match=r"'push', reading cart.ax: no unique solution at t = 0: .*singular"):
        da.accelerations(cart("3 + 2*cart.ax"))


def test_it_is_named_with_the_time_when_it_fails_in_a_run():
    with pytest.raises(SimulationError, match=r"'push', reading cart.ax: no unique solution at t = 1") as told:
        da.simulate(cart("3 + 2*cart.ax*min(t, 1)"), 2.0)
    assert told.value.run is not None and told.value.run.t[-1] > 0.9


def test_jamming_has_no_answer_or_two():
    """N = N₀ + G |N|, with G from the rod: unique below |G| = 1, then none (pushed into the rail) or two (pulled)."""
    free = {v: da.accelerations(jamming(0.0, v))["rail"].force[1] for v in (1.0, -1.0)}
    for v in (1.0, -1.0):
        unit = da.accelerations(jamming(0.5, v))["rail"].force[1]
        G = (unit - free[v]) / (0.5 * unit)  # per mu
        for mu in (0.2, 0.9 / abs(G)):
            N = free[v] / (1 - mu * G)
            assert abs(da.accelerations(jamming(mu, v))["rail"].force[1] - N) < 1e-11 * abs(N)
        with pytest.raises(AnalysisError, match=r"no solution|several" if v > 0 else r"rail.force.y = \S+ or -"):
            da.accelerations(jamming(1.3 / abs(G), v))


def test_channels_and_laws_agree_in_the_plane_and_in_space():
    def check(m, names):
        run = da.simulate(m, 0.3)
        for k, name in enumerate(names):
            owner, part, *letter = name.split(".")
            value = np.asarray(getattr(run[owner], part))
            value = value[:, "xyz".index(letter[0]) if letter[0] in "xyz" else int(letter[0])] if letter else value
            size = np.abs(value).max() + 1.0
            assert np.abs(run[f"s{k}"].value - value).max() < 1e-11 * size, name
        return run

    plane = ["O.force.x", "O.force.y", "O.torque", "A.force.x", "A.torque", "A.multipliers.1", "rod.acceleration.y",
             "two.angular_acceleration", "two.acceleration.x"]
    m = double()
    for k, name in enumerate(plane):
        m.add(da.Signal(f"s{k}", f"`{name}`"))
    run = check(m, plane)
    assert np.abs(run["friction"].torque + 0.3 * 0.05 * np.hypot(*run["O"].force.T) * np.tanh(run["O"].rate / 0.1)
                  + 0.1 * run["rod"].angular_acceleration).max() < 1e-11
    assert np.abs(run["lag"].rate + 5 * run["lag"].value - run["two"].acceleration[:, 1]).max() < 1e-10
    space = ["B.force.z", "B.torque.x", "B.torque.y", "C.force.x", "C.torque.z", "C.multipliers.4", "b.acceleration.z",
             "b.angular_acceleration.y", "b.angular_acceleration_ground.y", "turn.torque", "G.force.x", "G.torque.y"]
    m = da.Model("space", dim=3, gravity=(0, 0, -9.81), parameters={"mu": 0.1})
    m.add(da.Body("a", mass=2.0, inertia=(0.3, 0.2, 0.1), position=(0.4, 0, 0)))
    m.add(da.Body("b", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(0.8, 0.3, 0), com=(0.1, 0.05, -0.1)))
    m.add(da.Body("c", mass=1.0, inertia=(0.1, 0.2, 0.15), position=(-1, 0, 0), omega=(1, 2, 0)))
    m.add(da.Revolute("B", m.ground, "a", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("C", "a", "b", at=(0.8, 0, 0), axis=(0, 1, 1)))
    m.add(da.Spherical("G", "c", m.ground, at=(-1, 0, 0.5)))
    m.add(da.Drive("turn", "B", "0.5*t**2"))
    m.add(da.Motor("rub", "C", "-mu*sqrt(C.force.x**2 + C.force.y**2 + C.force.z**2)*tanh(C.rate/0.5) - 0.01*turn.torque"))
    m.add(da.Torque("spin", "c", (0, "0.02*G.force.z", "0.1*c.angular_acceleration.x")))
    for k, name in enumerate(space):
        m.add(da.Signal(f"s{k}", f"`{name}`"))
    run = check(m, space)
    assert abs(run.energy.residual).max() < 1e-7


@pytest.mark.parametrize("integrator, rtol, close", [("radau", 1e-8, 1e-7), ("alpha", 1e-6, 1e-4)])
def test_implicit_methods_find_the_same_motion_and_their_tangents_are_exact(integrator, rtol, close):
    plain = da.simulate(double(), 0.3, rtol=1e-10)
    run = da.simulate(double(), 0.3, integrator=integrator, rtol=rtol)
    assert abs(run["O"].coordinate[-1] - plain["O"].coordinate[-1]) < close
    assert abs(run["lag"].value[-1] - plain["lag"].value[-1]) < 10 * close
    assert run.stats["newton"] < 3 * run.stats["steps"]


def test_newton_converges_at_once_under_a_strong_feedback():
    """An added mass of 95 % of the mass that there is, on a stiff spring: with the answer's slopes one step solves it."""
    m = cart("-1e6*rail.slide + k*cart.ax", k=-1.9)
    m.add(da.Force("kick", "cart", (1.0, 0.0)))
    run = da.simulate(m, 0.05, integrator="radau", rtol=1e-8)
    w2 = 1e6 / 3.9
    assert np.abs(run["rail"].coordinate - 1e-6 * (1 - np.cos(np.sqrt(w2) * run.t))).max() < 1e-12
    assert run.stats["newton"] < 2.5 * run.stats["steps"]


def test_energy_and_resume():
    whole = da.simulate(double(), 0.4, rtol=1e-9)
    assert abs(whole.energy.residual).max() < 1e-7
    half = da.simulate(double(), 0.2, rtol=1e-9)
    on = da.resume(half, until=0.4)
    assert abs(on["O"].coordinate[-1] - whole["O"].coordinate[-1]) < 1e-9


def test_linearize_against_a_hand_derived_matrix():
    m = cart("-k*rail.slide - 0.3*rail.rate - 0.5*cart.ax + 2*y + 0.1*g", k=8.0)
    m.add(da.Differential("y", "-4*y + 0.2*cart.ax"))
    m.add(da.Signal("g", 0.0))
    m.add(da.Signal("out", "cart.ax"))
    lin = da.linearize(m, outputs=["out"], inputs=["g"])
    a = np.array([-8.0, -0.3, 2.0]) / 2.5  # (2 + 0.5) ẍ = …
    A = np.array([[0, 1, 0], a, 0.2 * a + [0, 0, -4.0]])
    assert np.abs(lin.A - A).max() < 1e-12
    assert np.abs(lin.B[:, 0] - np.array([0, 0.04, 0.008])).max() < 1e-13
    assert np.abs(lin.C[0] - a).max() < 1e-12
    assert np.abs(np.sort_complex(lin.eigenvalues) - np.sort_complex(np.linalg.eigvals(A))).max() < 1e-9


def test_linearize_of_a_motion_against_differences():
    m = double()
    state = da.simulate(m, 0.2, rtol=1e-10).state()
    lin = da.linearize(m, at=state, coordinates=["O", "A"])
    w = workspace(state.system)

    def rate(x):
        q, v = state.q.copy(), state.v.copy()
        q[[2, 5]] += [x[0], x[0] + x[1]]
        v[[2, 5]] += [x[2], x[2] + x[3]]
        q[state.system.states["lag"]] += x[4]
        for b, (arm, other) in enumerate((((0.5, 0.0), None), ((0.0, 0.5), 0))):
            c, s_ = np.cos(q[3 * b + 2]), np.sin(q[3 * b + 2])
            turn, rateof = np.array([[c, -s_], [s_, c]]), v[3 * b + 2]
            base, speed = np.zeros(2), np.zeros(2)
            if other is not None:
                c0, s0 = np.cos(q[2]), np.sin(q[2])
                base, speed = np.array([c0, s0]), v[2] * np.array([-s0, c0])
            local = turn @ (np.array(arm) if b == 0 else np.array([0.5, 0.0]))
            q[3 * b:3 * b + 2], v[3 * b:3 * b + 2] = base + local, speed + rateof * np.array([-local[1], local[0]])
        w.set(state.t, q, v)
        assert w.run("accelerations") == 0
        return np.array([w.qdot[2], w.qdot[5] - w.qdot[2], w.vdot[2], w.vdot[5] - w.vdot[2], w.qdot[state.system.states["lag"]]])

    h = 1e-4
    A = np.column_stack([(8 * (rate(h * e) - rate(-h * e)) - rate(2 * h * e) + rate(-2 * h * e)) / (12 * h) for e in np.eye(5)])
    order = [lin.states.index(n) for n in ("O", "A", "O rate", "A rate", "lag")]
    assert np.abs(lin.A[np.ix_(order, order)] - A).max() < 1e-7 * np.abs(A).max()


@pytest.mark.parametrize("integrator", ["rk8", "radau"])
def test_derivatives_of_a_run_against_differences(integrator):
    def at(drag):
        return da.simulate(double(drag), 0.3, rtol=1e-11, integrator=integrator)["O"].coordinate[-1]

    found = da.sensitivities(double(), ["drag"], da.simulate, 0.3, rtol=1e-10, integrator=integrator,
                             outputs={"end": "last O.coordinate"})
    h = 1e-3
    expected = (8 * (at(0.1 + h) - at(0.1 - h)) - at(0.1 + 2 * h) + at(0.1 - 2 * h)) / (12 * h)
    assert abs(float(found["end"]["drag"]) - expected) < 1e-6 * abs(expected)


def test_inverse_dynamics_of_drives_feels_too():
    m = cart("2*cart.ax - 0.25*go.force")
    m.add(da.Drive("go", "rail", "0.5*t**2"))
    found = da.inverse_dynamics(m, until=1.0, step=0.1)
    assert np.abs(found["go"].force - 0.0).max() < 1e-12  # 2·1 = 2·1 − f/4 + f: f = 0
    m = cart("3*cart.ax - 0.25*go.force")
    m.add(da.Drive("go", "rail", "0.5*t**2"))
    assert np.abs(da.inverse_dynamics(m, until=1.0, step=0.1)["go"].force + 4.0 / 3.0).max() < 1e-12


def test_refusals_by_name():
    m = double()
    with pytest.raises(AnalysisError, match=r"lag|O.force.x"):
        da.equilibrium(m)
    with pytest.raises(AnalysisError, match=r"lag|O.force.x"):
        da.hold(m, unknown=["friction", "rub"])
    m.remove("lag")
    m.remove("rub")
    m.remove("sum")
    with pytest.raises(AnalysisError, match=r"'friction' read O.force.x"):
        da.equilibrium(m)
    with pytest.raises(AnalysisError, match=r"recursive form does not solve for reactions"):
        da.simulate(m, 0.1, formulation="recursive")
    with pytest.raises(ModelError, match=r"two.power"):
        cart_ = cart("two.power")
        da.accelerations(cart_)
    with pytest.raises(ModelError, match=r"rail.force"):
        da.accelerations(cart("rail.force"))


def test_models_without_such_laws_have_empty_tables():
    s = da.catalog.make("four-bar").compile()
    assert not s.felt and s.tables.felt.size == 0 and workspace(s).feedback.size == 0


def test_files_keep_them(tmp_path):
    m = double()
    m.save(tmp_path / "m.toml")
    again = da.load_model(tmp_path / "m.toml")
    assert da.simulate(again, 0.1)["O"].coordinate[-1] == da.simulate(m, 0.1)["O"].coordinate[-1]


def test_what_a_result_keeps_is_found_anew_where_it_is_moved():
    """Derivatives read moved copies of a run: what these keep from the run itself would be a derivative of zero."""
    from functools import cached_property

    from dalembert.analyses.derived.veiled import CACHED
    from dalembert.results.motion import Motion

    kept = {n for cls in Motion.__mro__ for n, x in vars(cls).items() if isinstance(x, cached_property)}
    assert kept <= {*CACHED}, f"add {sorted(kept - {*CACHED})} to CACHED"
