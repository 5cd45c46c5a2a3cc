"""What parameters move, exactly (derived/moves.py), against differences of compiled tables (derived/parameters.py)."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.algebra.null_space import rank, unit_rows
from dalembert.analyses.derived import moves
from dalembert.analyses.derived.parameters import move
from dalembert.elements.element import Element
from dalembert.model.moving import Moving, Unmoved, heading
from dalembert.model.moving_builder import MovingBuilder


def exact(model, names=None, state=None):
    state = da.assemble(model) if state is None else state
    return moves.exactly(model, state.system, list(names or model.parameters), 0.0, None, None, (state.q, state.v))


def check(model, names=None, rtol=3e-9):
    """Tables and start, number by number."""
    state = da.assemble(model)
    found = exact(model, names, state)
    for m in found:
        other = move(model, state.system, m.name, "test")
        assert other.same
        for field, c in moves._columns(m.tables):
            a, b, here = (x[c] for x in (m.tables[field], other.tables[field], getattr(state.system.tables, field)))
            size = np.abs(b).max(initial=0.0) + 1e-3 * np.abs(here[np.isfinite(here)]).max(initial=0.0) / other.scale + 1e-12
            assert np.abs(a - b).max(initial=0.0) <= rtol * size, (m.name, field, c)
        for word in ("q", "v"):
            a, b, here = getattr(m, word), getattr(other, word), getattr(state, word)
            size = np.abs(b).max() + 1e-3 * np.abs(here).max() / other.scale + 1e-9
            assert np.abs(a - b).max() <= rtol * size, (m.name, word)
        assert m.idle == other.idle
    return found


@pytest.mark.parametrize("name", ["four-bar", "slider-crank-spring", "planetary-gear", "belt-drive", "double-pendulum", "bricard",
                                  "rolling-disc", "chaplygin-sleigh", "gyroscope", "differential", "spatial-four-bar"])
def test_mechanisms(name):
    model = catalog.make(name)
    check(model, [n for n in model.parameters if n != "rho_r"][:6])


def plane():
    m = da.Model("plane", dim=2, gravity=("0.1*g", "-g"))
    m.parameters |= {"g": 9.81, "l": 1.2, "h": 0.4, "m": 2.0, "k": 80.0, "c": 0.7, "w": 1.5, "a": 0.3, "r": 0.25, "l2": "l/2 + h"}
    rod = m.add(da.Body.rod("rod", (0, 0), ("l*cos(a)", "l*sin(a)"), mass="m"))
    plate = m.add(da.Body.from_shape("plate", [da.Box(("h", "h/2", 0.1)), da.Cylinder("r", 0.1, position=("h", 0.1))],
                                     density="50*m", position=("l + h", "h"), angle="a/2"))
    free = m.add(da.Body("free", mass="m/3", inertia="m*r**2", com=("r/5", 0.0), position=(3, "h"), velocity=("w", 0), omega="w"))
    m.add(da.Revolute("A", m.ground, rod, at=(0, 0)))
    m.add(da.Prismatic("B", m.ground, plate, at=("l + h", "h"), axis=("cos(a)", "sin(a)")))
    m.add(da.Spring("s", rod, plate, at_i=("l*cos(a)", "l*sin(a)"), at_j=("l + h", "h"), stiffness="k", damping="c"))
    m.add(da.Spring("s2", m.ground, free, at_i=(3, 2), at_j=(3, "h"), stiffness="k", length="l2",
                    actuator="c*sin(w*t) + k*rate**2"))
    m.add(da.TorsionSpring("coil", "A", stiffness="k/5", damping="c", angle="a"))
    m.add(da.Limit("stop", "B", lower="-h", upper="l", stiffness="100*k", damping="c"))
    m.add(da.Bushing("b", m.ground, free, at=(3, "h"), stiffness=("k", "2*k"), torsion="k/9"))
    m.add(da.Force("f", free, ("k*cos(w*t + a)", "l"), on=("r", 0)))
    m.add(da.Torque("to", rod, "min(c*t, w)"))
    m.initial("A", rate="w")
    return m


def test_elements_of_the_plane():
    check(plane())


def test_elements_of_space():
    m = da.Model("space", dim=3, gravity=(0, 0, "-g"))
    m.parameters |= {"g": 9.81, "l": 0.8, "m": 1.5, "k": 60.0, "a": 0.4, "p": 0.05, "w": 2.0}
    rod = m.add(da.Body.rod("rod", (0, 0, 0), ("l*cos(a)", 0, "l*sin(a)"), mass="m", radius="l/20"))
    nut = m.add(da.Body("nut", mass="m", inertia=("m*l**2", "2*m*l**2", "2.5*m*l**2"), position=(1, 1, "l"),
                        rotation=("zx", ("a", 0.3))))
    box = m.add(da.Body.from_shape("box", da.Box(("l", "l/2", 0.2), rotation=("x", "a")), density="100*m", position=("l", -1, 0),
                                   rotation=("cos(a/2)", 0, "sin(a/2)", 0)))
    turned = m.add(da.Body("turned", mass=1, inertia=("m", "m", "m"), position=(0, 3, 0), omega=("w", 0, 0),
                           rotation=(("cos(a)", "-sin(a)", 0), ("sin(a)", "cos(a)", 0), (0, 0, 1))))
    m.add(da.Revolute("A", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Screw("S", m.ground, nut, at=(1, 1, 0), axis=("sin(a)", 0, "cos(a)"), pitch="p"))
    m.add(da.Distance("D", rod, box, at_i=("l*cos(a)", 0, "l*sin(a)"), at_j=("l", -1, 0)))
    m.add(da.Spring("s", nut, turned, at_i=(1, 1, "l"), at_j=(0, 3, 0), stiffness="k"))
    m.add(da.DP2("plane", m.ground, turned, axis=(0, 0, 1), at_i=(0, 0, 0), at_j=(0, 3, 0), law="p*sin(w*t)"))
    m.initial("A", rate="w")
    m.initial("S", rate="w/2")
    check(m)


class Halved(Element):
    """An element of a user's that computes with floats."""

    kind = "force"
    dims = (2,)

    def __init__(self, name, of, k):
        self.name, self.of, self.k = name, of, k

    def build(self, b):
        measure = b.coordinate(self.of, self)
        i, j = b.measures[measure]["i"], b.measures[measure]["j"]
        b.force("effort", self, (i, j), measure=measure, lower=0.0, upper=0.0, sign=-1.0, law=b.law(0.0, self), damping=0.0,
                stiffness=0.5 * float(b.number(self.k, self.title)))


def pendulum():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.parameters |= {"l": 1.0, "k": 5.0}
    rod = m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=1.0))
    m.add(da.Revolute("A", m.ground, rod, at=(0, 0)))
    return m


def test_what_loses_its_slopes_is_found_out():
    m = pendulum()
    m.add(Halved("h", "A", "k"))
    with pytest.raises(Unmoved, match="change otherwise"):
        exact(m)
    run = da.simulate(m, 1.0, rtol=1e-9)
    other = pendulum()
    other.add(da.TorsionSpring("h", "A", stiffness="k/2", angle=0.0))
    exact(other)
    same = da.simulate(other, 1.0, rtol=1e-9)
    assert run.derivative("k")["A"].coordinate[-1] == pytest.approx(same.derivative("k")["A"].coordinate[-1], rel=1e-7)


@pytest.mark.parametrize("formula", ["abs(k - 5)", "max(k, 5)", "sqrt(k - 5)"])
def test_a_kink_has_no_slope(formula):
    m = pendulum()
    m.add(da.TorsionSpring("h", "A", stiffness=f"1 + {formula}", angle=0.0))
    with pytest.raises(Unmoved):
        exact(m, ["k"])
    with pytest.raises(da.AnalysisError, match=r"'k'|k = "):
        da.simulate(m, 0.1).derivative("k")
    m.parameters["k"] = 5.0 + 1e-4  # beside it there is one, however near
    assert np.isfinite(da.simulate(m, 0.1).derivative("k")["A"].coordinate[-1])


def test_a_drawing_that_is_open_is_left_to_differences():
    m = pendulum()
    m.add(da.Body.rod("second", ("l + 0.05", 0), ("l + 1", 0.2), mass=1.0))
    m.add(da.Revolute("B", m["rod"], m["second"], on_i=("l/2", 0), on_j=(-0.5, 0)))
    with pytest.raises(Unmoved, match="not closed"):
        exact(m)
    m.initial("A", coordinate=0.1, rate=0.0)
    m.initial("B", coordinate="0.2*l", rate="l")
    check(m, ["l"])  # nothing is left free


def test_one_that_has_to_be_differenced_leaves_the_others_alone(monkeypatch):
    model, asked = catalog.make("planetary-gear"), []
    monkeypatch.setattr(moves, "move", lambda model, system, name, *rest: asked.append(name) or move(model, system, name, *rest))
    state = da.assemble(model)
    names = ["rho_s", "rho_r", *[n for n in model.parameters if n.startswith("m")]]
    found = moves.moved(model, state.system, names, "test", begin=(state.q, state.v))
    assert [m.name for m in found] == names and "rho_r" in asked and len(asked) < len(names)


def test_numbers():
    a, b = Moving(2.0, np.array([1.0, 0.0])), Moving(3.0, np.array([0.0, 1.0]))
    for f, slopes in ((lambda x, y: x * y - x / y, (3 - 1 / 3, 2 + 2 / 9)), (lambda x, y: 1 / x + y**3 - 2, (-0.25, 27.0)),
                      (lambda x, y: np.sqrt(x) * np.cos(y) + np.sin(x), (0.5 / np.sqrt(2) * np.cos(3) + np.cos(2),
                                                                         -np.sqrt(2) * np.sin(3))),
                      (lambda x, y: heading(x, y), (3 / 13, -2 / 13)),
                      (lambda x, y: (4 - x).tan() + abs(-y), (-1 / np.cos(2) ** 2, 1))):
        found = f(a, b)
        assert found.d == pytest.approx(np.array(slopes), rel=1e-14)
    still = Moving(2.0, np.zeros(2))
    assert a == Moving(2.0, np.array([1.0, 0.0])) and a != 2.0 and a != still and still == 2.0
    assert np.isnan(abs(Moving(0.0, np.ones(1))).d[0])


def test_parameters_that_follow_from_others():
    b = MovingBuilder(plane(), ["l", "l2", "h"])
    assert b.moving["l2"].d == pytest.approx([0.5, 1.0, 1.0])
    assert "k" not in b.moving and b.number("l2*k", "") == Moving(1.0 * 80.0, 80.0 * b.moving["l2"].d)


@pytest.mark.parametrize("sine", [1e-7, 1e-6, 0.9e-5, 1.1e-5, 1e-4])
def test_rows_that_nearly_depend_count_as_everywhere(sine):
    """One rule for the rank (algebra/null_space.py): what the solver of the motion leaves out is not solved for at the start."""
    random = np.random.default_rng(3)
    A = random.standard_normal((3, 6))
    A = np.vstack([A, A[0] / np.linalg.norm(A[0]) + sine * random.standard_normal(6)]) * np.array([[1.0], [1e3], [1e-3], [7.0]])
    found = moves.Nearest(np.eye(6), np.eye(6), A)
    assert found.free == 6 - rank(unit_rows(A)[0])
    b, x0 = A @ random.standard_normal((6, 1)), random.standard_normal((6, 1))
    kept = A[:3]  # the nearest with the rows that count
    wanted = x0 + np.linalg.pinv(kept) @ (b[:3] - kept @ x0)
    if found.free == 3:
        np.testing.assert_allclose(found.of(b, x0), wanted, atol=30 * sine)


def test_velocities_that_do_not_fit_move_with_the_inertia():
    """A body drawn with a velocity and a turn that its hinge does not allow gets the nearest: ω = (m r v + J w)/(m r² + J)."""
    m = da.Model("hinge", dim=2, parameters={"mass": 2.0, "J": 0.5, "r": 0.7, "v": 3.0, "w": -1.0})
    m.add(da.Body("b", mass="mass", inertia="J", position=("r", 0), velocity=(0, "v"), omega="w"))
    m.add(da.Revolute("O", m.ground, "b", at=(0, 0)))
    mass, J, r, v, w = m.parameters.values()
    rate, total = (mass * r * v + J * w) / (mass * r**2 + J), mass * r**2 + J
    s = da.sensitivities(m, list(m.parameters), da.simulate, 0.1, times=[0.0, 0.1],
                         outputs={"rate": lambda run: run["O"].rate[0]})
    wanted = {"mass": (r * v - rate * r**2) / total, "J": (w - rate) / total, "r": (mass * v - 2 * rate * mass * r) / total,
              "v": mass * r / total, "w": J / total}
    for name, slope in wanted.items():
        assert s["rate"][name] == pytest.approx(slope, rel=1e-9)
