"""The discrete adjoint: equal to tangents carried along, through loops, redundant rows, stops, switches, ends of runs."""

import math

import numpy as np
import pytest
from test_random_derivatives import mechanism
from test_sensitivities import FINE, falling, four_bar, oscillator

import dalembert as da
from dalembert.analyses.derived import adjoint, gradient, sharing
from dalembert.analyses.derived.gradient import cheaper
from dalembert.errors import AnalysisError
from dalembert.formulations.augmented.newton.engine import NewtonWork


def both(m, names, *args, outputs, **options):
    """Gradients by the two ways, compared."""
    found = [da.sensitivities(m, names, da.simulate, *args, outputs=outputs, method=way, **options)
             for way in ("forward", "adjoint")]
    assert [s.method for s in found] == ["forward", "adjoint"]
    for label in outputs:
        a, b = (s.gradient(label) for s in found)
        assert a.shape == b.shape and np.abs(a - b).max() <= 1e-9 * np.abs(a).max(), (label, a, b)
    return found[1]


def test_every_kind_of_output():
    """Coordinates, reactions, energies, a parameter read by the function; at the end, at times, sums, integrals."""
    both(four_bar(), ["g", "a", "b", "r", "m1", "m2", "m3", "w"], 1.0, times=np.linspace(0, 1, 6), rtol=1e-10, outputs={
        "angle": "last A.coordinate", "force": lambda run: np.linalg.norm(run["B"].force[-1]), "most": "max C.force",
        "kinetic": lambda run: run.energy.kinetic[2], "potential": lambda run: run.energy.potential[-1],
        "place": lambda run: run["coupler"].position[-1], "mean": "mean D.force", "rms": "rms A.coordinate",
        "effort": ("integral", lambda run: run["A"].rate ** 2), "squares": lambda run: np.sum(run["B"].force[:, 0] ** 2),
        "own": lambda run: run.model.parameter_values()["a"] * run["A"].coordinate[-1]})


def test_closed_form_and_a_switch():
    s = da.sensitivities(oscillator(), ["m", "k", "c", "x0"], da.simulate, 3.0, times=[3.0], **FINE, method="adjoint",
                         outputs={"x": lambda run: run["b"].position[-1][0]})
    wanted = np.array([0.129246169614, -0.00569479261299, 0.0328091142762, -0.398125100276])
    assert np.abs(s.gradient("x") / wanted - 1).max() < 1e-9
    s = da.sensitivities(falling(), ["x0", "g", "a"], da.simulate, 0.6, times=[0.6], **FINE, method="adjoint", verify=True,
                         outputs={"v": lambda run: run["b"].velocity[-1][1]})
    assert np.abs(s.gradient("v") / [-6.77285461479, 0.0904031207733, 0.148476359014] - 1).max() < 1e-9


def test_a_break_that_moves_and_an_end_that_moves():
    m = da.Model("late", dim=2, gravity=(0, 0), parameters={"t1": 0.4, "f": 3.0})
    m.add(da.Body("b", mass=2.0, inertia=1.0))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "b.x", "f*step(t - t1)"))
    s = both(m, ["t1", "f"], 1.0, times=[0.2, 0.4, 1.0], outputs={"x": lambda run: run["b"].position[-1][0]})
    assert abs(s["x"]["t1"] + 0.9) < 1e-9
    m = da.Model("fall", dim=2, gravity=(0, "-g"), parameters={"x0": 1.0, "g": 9.81})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(0, "x0")))
    both(m, ["x0", "g"], 2.0, stop="b.y", rtol=1e-9, outputs={"t": lambda run: run.t[-1], "v": "last b.velocity.y",
                                                             "area": ("integral", lambda run: run["b"].position[:, 1])})


@pytest.mark.parametrize("seed", range(6))
def test_random_mechanisms(seed):
    m = mechanism(np.random.default_rng(seed), 2 if seed % 3 else 3)
    both(m, list(m.parameters), 0.6, times=[0.2, 0.31, 0.6], rtol=1e-11, outputs={
        "place": lambda run: run["b0"].position[-1], "angle": lambda run: run["j1"].coordinate[1], "pull": "mean j0.force"})


LEFT = {  # beside a joint, whose blocks are closed, something that has none (newton/closed.py)
    "a law that reads": lambda m: m.add(da.Motor("push", "O", "-k*sin(r.angle) - 0.2*r.vx")),
    "a law in time": lambda m: m.add(da.Motor("push", "O", "-k*sin(9*t) - 0.2*rate*t")),  # closed: asked at the stages' times
    "a field": lambda m: m.add(da.Field("f", ("-k*x", "0.3*y"))),
    "a bushing": lambda m: m.add(da.Bushing("u", m.ground, "r", at=("L*sin(th)", "-L*cos(th)"), stiffness=(3.0, "k"),
                                            damping=(0.1, 0.1))),
    "an equation": lambda m: (m.add(da.Body("b", mass="L", inertia=0.1, position=("L", 0))),
                              m.add(da.Equation("e", "b.x - L*cos(0.2*r.x) - 0.1*k*r.y*b.y - c"))),
    "a speed": lambda m: (m.add(da.Body("b", mass="L", inertia=0.1)),
                          m.add(da.VelocityEquation("e", {"b.x": "1 + 0.2*r.x", "b.angle": "b.y", "O": "0.1*k"}))),
}


@pytest.mark.parametrize("name", LEFT)
def test_beside_closed_blocks(name):
    """Short runs too: an error of K, C, G is small there, and below what the way back is compared to."""
    m = da.Model("p", dim=2, gravity=(0, "-g"), parameters={"g": 9.81, "L": 0.8, "th": 0.4, "w": 1.5, "k": 3.0})
    m.parameters["c"] = "0.8 - 0.8*cos(0.2*0.4*sin(0.4))"
    m.add(da.Body.rod("r", (0, 0), ("L*sin(th)", "-L*cos(th)"), mass="L"))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    LEFT[name](m)
    if name != "an equation":
        m.initial("O", rate="w")
    names = ["g", "k"] if name == "an equation" else ["g", "L", "th", "w", "k"]
    for until in (0.02, 1.0):
        both(m, names, until, times=[until], rtol=1e-11, outputs={"x": lambda run: run["r"].angle[-1],
                                                                 "pull": lambda run: run["O"].force[-1, 1]})


def chain(n):
    """A hanging chain in which every length, mass and damping is a parameter: 3 n of them."""
    m = da.Model("chain", dim=2, gravity=(0, -9.81))
    before, at = m.ground, ("0", "0")
    for k in range(n):
        m.parameters.update({f"l{k}": 0.3 + 0.01 * k, f"m{k}": 1.0 + 0.1 * k, f"c{k}": 0.05})
        end = (f"({at[0]} + l{k})", at[1])
        m.add(da.Body.rod(f"b{k}", at, end, mass=f"m{k}"))
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=at))
        m.add(da.TorsionSpring(f"s{k}", f"j{k}", stiffness=0.0, damping=f"c{k}"))
        before, at = f"b{k}", end
    return m


@pytest.mark.parametrize("seed", range(20))
def test_lanes_are_shared_by_what_no_row_sees_together(seed):
    rng = np.random.default_rng(seed)
    forces, rows = rng.random((17, 30)) < 0.08, rng.random((17, 20)) < 0.05
    marks = np.hstack([forces, rows])
    lanes = sharing.shared(forces, rows)
    assert sorted(k for lane in lanes for k in lane) == list(np.flatnonzero(marks.any(axis=1)))
    assert len(lanes) < 17 and all(marks[lane].sum(axis=0).max() == 1 for lane in lanes)
    whose = sharing.owners(lanes[:8], marks, 17)
    for k, lane in ((k, n) for n, members in enumerate(lanes[:8]) for k in members):
        assert np.array_equal(whose[:, lane] == k, marks[k])


def test_links_of_a_chain_share_lanes(monkeypatch):
    """18 parameters in one pass; and where rows see more on the way than at the start, every parameter alone."""
    m, bound, before = chain(6), [], adjoint.Reverse.lanes_of

    def counted(self, *marks):
        before(self, *marks)
        bound.append(len(self.passes))

    monkeypatch.setattr(adjoint.Reverse, "lanes_of", counted)
    outputs = {"x": lambda run: run["b5"].position[-1][0], "pull": "last j2.force"}
    both(m, list(m.parameters), 0.3, times=[0.3], rtol=1e-11, outputs=outputs)
    right = adjoint.seen
    monkeypatch.setattr(adjoint, "seen", lambda work, moves: tuple(np.roll(marks, 1, axis=1) for marks in right(work, moves)))
    both(m, list(m.parameters), 0.3, times=[0.3], rtol=1e-11, outputs=outputs)
    assert bound == [1, 1, 3]


def test_a_stop_that_is_out_of_reach_at_first():
    """What nothing sees at the start has a lane of its own."""
    m = chain(4)
    m.parameters.update({"k": 400.0, "d": 3.0, "edge": 0.3, "w": 3.0})
    m.initial("j2", rate="w")
    m.add(da.Limit("stop", "j2", lower="-edge", upper="edge", stiffness="k", damping="d"))
    s = both(m, list(m.parameters), 0.3, times=[0.3], rtol=1e-11, outputs={"x": lambda run: run["b3"].position[-1][0]})
    assert 400.0 * abs(s["x"]["k"]) > 1e-5


def test_auto_takes_the_cheaper_way():
    m, wanted = chain(20), {"x": lambda run: run["b19"].position[-1][0]}
    s = da.sensitivities(m, list(m.parameters), da.simulate, 0.3, times=[0.3], outputs=wanted, verify=True)
    assert s.method == "adjoint" and len(s["x"]) == 60 and "apart" in s.certificate
    few = da.sensitivities(m, ["l0", "m1"], da.simulate, 0.3, times=[0.3], outputs=wanted)
    assert few.method == "forward"
    for name in few.names:
        assert abs(few["x"][name] - s["x"][name]) < 1e-7 * abs(few["x"][name])
    assert s.derivative("l0")["b19"].position[-1][0] == pytest.approx(s["x"]["l0"], rel=1e-6)  # carried when asked for


@pytest.mark.parametrize(("parameters", "goals", "back"), [
    (1, 1, False), (8, 1, False), (16, 1, False), (24, 1, False), (32, 1, True), (48, 1, True), (1000, 1, True),
    (32, 2, False), (64, 2, True), (64, 3, False), (120, 3, True), (10**4, 8, False)])
def test_which_way_is_cheaper(parameters, goals, back):
    """As measured: Andrews' mechanism takes about as long both ways with 24 parameters and one goal (0123)."""
    assert cheaper(parameters, goals) is back


def test_what_the_adjoint_cannot():
    m, wanted = oscillator(), {"x": "last b.position.x"}
    with pytest.raises(AnalysisError, match=r"made by 'radau5': take method='forward'"):
        da.sensitivities(m, ["k"], da.simulate, 0.5, integrator="radau", outputs=wanted, method="adjoint")
    with pytest.raises(AnalysisError, match="answers for outputs="):
        da.sensitivities(m, ["k"], da.simulate, 0.5, method="adjoint")
    with pytest.raises(AnalysisError, match=r"method is 'auto', 'forward', 'adjoint', not 'adjoin': did you mean 'adjoint'"):
        da.sensitivities(m, ["k"], da.simulate, 0.5, outputs=wanted, method="adjoin")
    with pytest.raises(AnalysisError, match="equilibrium has none"):
        da.sensitivities(m, ["k"], da.equilibrium, outputs={"x": lambda p: p["b"].position[0]}, method="adjoint")
    with pytest.raises(AnalysisError, match="the work done"):
        da.sensitivities(m, ["k"], da.simulate, 0.5, outputs={"e": lambda run: run.energy.total[-1] + run.energy.dissipated[-1]},
                         method="adjoint")
    m.parameters["idle"] = 2.0
    with pytest.raises(AnalysisError, match="nothing depends on the parameter 'idle'"):
        da.sensitivities(m, ["k", "idle"], da.simulate, 0.5, outputs=wanted, method="adjoint")
    with pytest.raises(AnalysisError, match=r"no parameter 'kk': did you mean 'k'"):
        da.sensitivities(m, ["kk"], da.simulate, 0.5, outputs=wanted, method="adjoint")


def test_parameters_that_are_zero_or_equal_share_one_structure():
    """Terms of a law that vanish, and constants that share a place in the tables: one way back, one carried run."""
    m = da.Model("push", dim=2, gravity=(0, 0), parameters={"u1": 0.0, "u2": 0.0, "u3": 0.5, "u4": 0.5})
    m.add(da.Body("b", mass=2.0, inertia=1.0))
    m.add(da.Prismatic("rail", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("drive", "rail", "u1 + u2*t + u3*t**2 + u4*t**3"))
    s = both(m, ["u1", "u2", "u3", "u4"], 1.0, times=[1.0], rtol=1e-10, outputs={"v": "last b.velocity.x"})
    assert np.allclose(s.gradient("v"), [1 / 2, 1 / 4, 1 / 6, 1 / 8], rtol=1e-9)


def test_the_way_back_is_checked_against_a_tangent(monkeypatch):
    """A way back that is off by a millionth is refused, and "auto" takes the other way then."""
    m = oscillator()
    wanted, old = {"x": "last b.position.x"}, gradient.Reverse.back
    right = da.sensitivities(m, ["k", "m"], da.simulate, 0.5, outputs=wanted, method="forward").gradient("x")
    monkeypatch.setattr(gradient.Reverse, "back", lambda self, *given: old(self, *given) * (1 + 1e-6))
    with pytest.raises(AnalysisError, match=r"the way back and a tangent carried along do not agree .*take method='forward'"):
        da.sensitivities(m, ["k", "m"], da.simulate, 0.5, outputs=wanted, method="adjoint")
    monkeypatch.setattr("dalembert.analyses.sensitivities.cheaper", lambda *_: True)
    s = da.sensitivities(m, ["k", "m"], da.simulate, 0.5, outputs=wanted)
    assert s.method == "forward" and "do not agree" in s.note and np.allclose(s.gradient("x"), right, rtol=1e-12)


def test_a_coupling_that_newton_does_not_know_is_refused(monkeypatch):
    """K is compared with a dual pass before it is used."""
    old = NewtonWork.matrix

    def short(self, name):
        found = np.array(old(self, name))
        found[:3, 3:] = 0.0  # as if the first body did not feel the others
        return found

    m, wanted = four_bar(), {"angle": "last A.coordinate"}
    m.add(da.Spring("between", "crank", "rocker", at_i=(0.2, 0.1), at_j=(1.5, 0.3), stiffness=30.0, length=0.5))
    both(m, ["g", "a"], 0.2, outputs=wanted)
    monkeypatch.setattr(NewtonWork, "matrix", short)
    with pytest.raises(AnalysisError, match="depends on bodies it does not act on"):
        da.sensitivities(m, ["g", "a"], da.simulate, 0.2, outputs=wanted, method="adjoint")


@pytest.mark.parametrize("width", [0.05, 0.5])
def test_controls_that_begin_alike(width, monkeypatch):
    """Pulses one after the other, as direct shooting has them: all at one value or zero, the late ones not seen at the start.

    What they move is found at once, by slopes, and every derivative is that of its own pulse.
    """
    monkeypatch.setattr("dalembert.analyses.derived.moves.move", None)  # tables of neighbours
    monkeypatch.setattr("dalembert.analyses.derived.alike.move", None)
    m = da.Model("swing", dim=2, gravity=(0, -9.81), parameters={f"u{k}": (0.0, 0.2, 0.2)[k % 3] for k in range(12)})
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("push", "O", "+".join(f"u{k}*exp(-((t - {0.1 * k!r})/{width!r})**2)" for k in range(12))))
    s = both(m, list(m.parameters), 1.2, times=[1.2], rtol=1e-11, outputs={"x": lambda run: run["O"].coordinate[-1]})
    w = (1.5 * 9.81) ** 0.5  # of small swings: the answer to a short pulse at τ is √π width sin(w (T − τ)) / (J w)
    if width == 0.05:
        for k in range(2, 11):
            pulse = np.pi**0.5 * width * np.exp(-(w * width / 2) ** 2) * np.sin(w * (1.2 - 0.1 * k)) / (w / 3)
            assert s["x"][f"u{k}"] == pytest.approx(pulse, abs=2e-3)


def test_running_angles_of_space_as_goals():
    """They are functions of the poses: what is asked of their places in q goes back through the measured angle."""
    m = da.Model("door", dim=3, gravity=(0, 0, "-g"), parameters={"g": 9.81, "l": 0.8, "w": 7.0})
    m.add(da.Body.rod("rod", (0, 0, 0), ("l", 0, 0), mass=1.0, radius=0.03))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0, 0), axis=(0, 1, 0)))
    m.initial("O", rate="w")
    slot = int(m.compile().tables.measures["slot"][m.compile().coordinates["O"]])
    s = both(m, ["g", "l", "w"], 1.0, times=[1.0], rtol=1e-11, outputs={
        "kept": lambda run: run._q[-1][slot], "angle": lambda run: run["O"].coordinate[-1]})
    for name in s.names:
        assert s["kept"][name] == pytest.approx(s["angle"][name], rel=1e-8) and abs(s["kept"][name]) > 1e-3


@pytest.mark.parametrize("turned", [0.0, 0.4, 1.1, 2.5])
def test_forces_that_do_not_act_yet_leave_nothing_but_rounding(turned):
    """On a tilted guide K and C are rounding until the brake begins: x = v t_b + v/c (1 − e^{−c (T − t_b)})."""
    m = da.Model("braked", dim=2, parameters={"c": 2.0, "begin": 0.3, "v": 0.7})
    way = (math.cos(turned), math.sin(turned))
    m.add(da.Body("b", mass=0.8, inertia=1.0, position=(0.1 * way[0], 0.1 * way[1]), angle=turned))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0.0, 0.0), axis=way))
    m.add(da.Motor("brake", "guide", "-0.8*c*rate*step(t - begin)"))
    m.initial("guide", rate="v")
    s = da.sensitivities(m, list(m.parameters), da.simulate, 1.0, rtol=1e-9, method="adjoint",
                         outputs={"x": "last guide.coordinate"})
    left = math.exp(-2.0 * 0.7)
    wanted = [0.7 / 2.0 * (0.7 * left - (1 - left) / 2.0), 0.7 * (1 - left), 0.3 + (1 - left) / 2.0]
    assert s.method == "adjoint" and s.gradient("x") == pytest.approx(wanted, rel=1e-8)
