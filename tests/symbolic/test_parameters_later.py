"""Equations keep the parameter values they were derived with; new ones go in by name."""

import dalembert as da


def test_values_are_those_of_the_derivation_until_told_otherwise():
    m = da.Model("rod", dim=2, gravity=(0, "-g"), parameters={"l": 1.1, "g": 9.81})
    m.add(da.Body("rod", mass=1.0, inertia="l**2/12", position=("l/2", 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    eqs = da.derive(m, "lagrange")
    f = eqs.function()

    def expected(length):
        return -1.5 * 9.81 / length

    m.parameters["l"] = 2.2
    assert abs(f(0.0, [0.0], [0.0])[0] - expected(1.1)) < 1e-12
    assert abs(f(0.0, [0.0], [0.0], l=2.2)[0] - expected(2.2)) < 1e-12
    assert abs(eqs.evaluate(da.assemble(m)).accelerations[0] - expected(2.2)) < 1e-12  # a state brings its model
    eqs.model.parameters["l"] = 2.2
    assert abs(f(0.0, [0.0], [0.0])[0] - expected(2.2)) < 1e-12
    assert abs(eqs.evaluate({"O": 0.0}, {"O": 0.0}).accelerations[0] - expected(2.2)) < 1e-12
    end = da.simulate(m, 0.3, rtol=1e-10)["O"].coordinate[-1]
    assert abs(da.simulate(eqs, 0.3, rtol=1e-10)["O"].coordinate[-1] - end) < 1e-8
    assert eqs.verify(m).ok


def test_a_parameter_named_like_a_coordinate_stays_another_symbol():
    m = da.Model("rod", dim=2, gravity=(0, -9.81), parameters={"q_O": 1.1})
    m.add(da.Body("rod", mass=1.0, inertia="q_O**2/12", position=("q_O/2", 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    eqs = da.derive(m, "lagrange")
    assert eqs.symbol("O") != eqs.parameters["q_O"] and eqs.verify(count=3).ok
