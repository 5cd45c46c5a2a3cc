"""What elements say of themselves is so: every element of the contract cases × every fact (elements/element.py, families.py)."""

import inspect

import numpy as np
import pytest
from contract_scene import assert_near, shift, slope

import dalembert as da
from dalembert.elements import families
from dalembert.elements.forces.pressed import Pressed
from dalembert.elements.laws import CONSTANT
from dalembert.equations.workspace import workspace
from dalembert.io.document import registry, type_name
from dalembert.io.schema import schema
from dalembert.results.motion import State
from dalembert.system import poses
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.marks import MARKS

ELEMENTS = {name: cls for name, cls in registry().items() if cls.kind in ("joint", "constraint", "drive", "force")}


def alone(w, name):
    w.only[0] = w.system.numbers[name]
    w.run("generalized_forces")
    Q = w.Q.copy()
    w.only[0] = -1
    return Q


def rows(system, name):
    """(family, row) of a force element."""
    number = system.numbers[name]
    return [(f, r) for f in families.FORCES for r in getattr(system.tables, f) if r["element"] == number]


def forces(model):
    return [name for name, e in model.elements.items() if e.kind == "force"]


def test_bodies_that_change_a_force_are_coupled(case):
    """Off the diagonal K and C are zero but for the bodies an element says it depends on: Newton's pattern has them."""
    model = case.scene()
    for name in forces(model):
        for w, _ in case.states(1):
            s, n = w.system, w.system.kind.SIZE_V
            q, v, Q = w.q.copy(), w.v.copy(), alone(w, name)
            size = max(np.abs(Q).max(), 1.0)
            for k in range(s.nv):
                step = np.zeros(s.nv)
                step[k] = 1e-4
                for move in (True, False):
                    w.set(w.t[0], q, v if move else v + step)
                    if move:
                        shift(w, step)
                    changed = {int(b) // n for b in np.flatnonzero(np.abs(alone(w, name) - Q) > 1e-9 * size)}
                    others = changed - {k // n}
                    assert not others or {k // n, *others} <= set(s.couples[name]), (name, k // n, others)
            w.set(w.t[0], q, v)


def test_forces_with_two_bodies_name_both():
    """A spring and a bushing couple both bodies, a load on one body none but its own, a field none."""
    m = da.Model("two", dim=2)
    for k, name in enumerate("ab"):
        m.add(da.Body(name, mass=1.0, inertia=1.0, position=(float(k), 0.0)))
    m.add(da.Spring("s", "a", "b", on_i=(0, 0), on_j=(0, 0), stiffness=1.0))
    m.add(da.Bushing("u", "a", "b", at=(0.5, 0.0), stiffness=1.0))
    m.add(da.Force("f", "b", (1.0, 0.0)))
    m.add(da.Field("g", ("x", "0"), second_moments={"a": (0.5, 0.5, 0.0), "b": (0.5, 0.5, 0.0)}))
    assert m.compile().couples == {"s": (0, 1), "u": (0, 1), "f": (1,), "g": ()}


def test_potentials(case):
    """−grad V is the force at rest where an element stores energy and has no law; its rate is in the ledger (power[0])."""
    model = case.scene()
    for name in forces(model):
        for w, rng in case.states(1):
            s = w.system
            own = rows(s, name)
            if not own or any(f not in families.STORING for f, _ in own):
                continue
            number = s.numbers[name]
            q, v, t = w.q.copy(), w.v.copy(), w.t[0]

            def V(h, twist, w=w, q=q, number=number):
                w.set(w.t[0], q, w.v)
                shift(w, h * twist)
                w.only[0] = number
                w.run("observe")
                w.only[0] = -1
                return float(w.report.potential)

            w.only[0] = number
            w.run("generalized_forces")
            stored = w.power[0]
            assert_near(slope(lambda h: V(h, v)), stored, 1e-7)  # noqa: B023
            if all("law" not in f[1].dtype.names or (s.tables.laws[f[1]["law"]]["kind"] == CONSTANT
                                                     and s.tables.laws[f[1]["law"]]["value"] == 0.0) for f in own):
                w.set(t, q, np.zeros(s.nv))
                Q = alone(w, name)
                twist = rng.standard_normal(s.nv)
                assert_near(-slope(lambda h: V(h, twist)), Q @ twist, 1e-7)  # noqa: B023


def test_what_pulls_pulls(case):
    """An element that pulls reports the force that draws its second point to its first, along the line between them."""
    model = case.scene()
    for name in (n for n in forces(model) if model.elements[n].pulls):
        for w, _ in case.states(2):
            s = w.system
            Q, (i, j) = alone(w, name), s.markers[name]
            d = poses.marked(s, w.q, j)[0] - poses.marked(s, w.q, i)[0]
            end, sign = (j, 1.0) if poses.carrier(s, j) < s.nb else (i, -1.0)
            F = sign * Q[s.at_v(poses.carrier(s, end))][: s.dim]
            reported = State(model, s, w.t[0], w.q, w.v)[name].force
            assert_near(F, -reported * d / np.linalg.norm(d), 1e-9)


def takes_a_law(model, e, key, value) -> bool:
    """Whether the argument may be a function of time."""
    law = "0.3*sin(t)"
    other = model.copy()
    try:
        laws = (law,) * len(value) if isinstance(value, (list, tuple)) else law
        other.elements[e.name] = type(e)(**{**e.given, key: laws})
        other.compile()
    except da.DalembertError:
        return False
    return True


def test_laws_are_what_may_be_unknown(case):
    """Inverse dynamics and hold may solve for every law of a force, but for fields, which act on all particles at once, and for
    what presses surfaces together, which acts by their friction alone."""
    model = case.scene()
    for e in (model.elements[n] for n in forces(model)):
        given = {k: e.given.get(k, p.default) for k, p in inspect.signature(type(e).__init__).parameters.items()}
        laws = {k for k, value in given.items() if k not in ("self", "name") and takes_a_law(model, e, k, value)}
        assert set(e.unknowns) == (set() if e.by_particles or isinstance(e, Pressed) else laws), e.title


def coordinate(word, s, q, i, j) -> float:
    """What the word says, by NumPy: along marker i's main axis, about it, or between the points."""
    (p, F), (r, G) = (poses.marked(s, q, m) for m in (i, j))
    if word == "distance":
        return float(np.linalg.norm(r - p))
    if word == "slide":
        return float(F[:, 2 if s.dim == 3 else 0] @ (r - p))
    return float(np.arctan2(F[:, 1] @ G[:, 0], F[:, 0] @ G[:, 0]))


def test_coordinates_are_what_they_are_called(case):
    """Rates of joint coordinates, by name, are the slopes of what the name says along the motion."""
    model = case.scene()
    points = {b.name for b in model.bodies.values() if b.is_particle}  # these do not turn: angles with them are refused
    named = [(e.name, word) for e in model.elements.values() for word in e.coordinate_name
             if word != "angle" or not points & {e.i, e.j}]
    for k, (name, word) in enumerate(named):
        model.add(da.Motor(f"probe {k}", f"{name}.{word}", 0.0))
    w = workspace(model.compile())
    s, rng = w.system, case.rng()
    shift(w, 0.05 * rng.standard_normal(s.nv))
    w.set(0.3, w.q, rng.standard_normal(s.nv))
    w.run("project")
    q, v = w.q.copy(), w.v.copy()
    for k, (name, word) in enumerate(named):
        def value(h, name=name, word=word):
            w.set(0.3, q, v)
            shift(w, h * v)
            return coordinate(word, s, w.q, *s.markers[name])

        found = slope(value)
        w.set(0.3, q, v)
        w.run("rows")
        assert_near(found, w.measured[3 * s.primary[f"probe {k}"] + 1], 1e-7)


def test_kinks():
    """Where an element says so its force has a kink: its slopes to both sides differ; elsewhere they do not."""
    with_kinks = [name for name, cls in ELEMENTS.items() if cls.kinks is not da.Revolute.kinks]
    assert with_kinks == ["Limit"]
    m = da.Model("stop", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=1.0))
    m.add(da.Prismatic("rail", "ground", "a", at=(0, 0), axis=(1, 0)))
    m.add(da.Limit("stop", "rail", lower=-0.2, upper=0.3, stiffness=50.0))
    kinks = [end for _, end in m["stop"].kinks()]
    assert kinks == [-0.2, 0.3]
    w = workspace(m.compile())

    def force(x):
        w.set(0.0, [x, 0.0, 0.0], np.zeros(3))
        return alone(w, "stop")[0]

    for x in (-0.4, -0.2, 0.0, 0.3, 0.5):
        left, right = (force(x) - force(x - 1e-4)) / 1e-4, (force(x + 1e-4) - force(x)) / 1e-4
        assert (abs(left - right) > 25.0) == (x in kinks)


@pytest.mark.parametrize("name", ELEMENTS)
def test_marks_are_known(name):
    """Everyone's mark is one that pictures have, or none on purpose; every element is in the schema and has a public name."""
    cls = ELEMENTS[name]
    assert cls.drawn_as == "" or cls.drawn_as in MARKS
    assert getattr(da, name) is cls
    assert cls.law_names[0] == "t"


def test_the_schema_has_all():
    """But one whose only content is a Python function, which files cannot hold."""
    assert [n for n, cls in ELEMENTS.items() if f"{cls.kind}.{type_name(cls)}" not in schema()["$defs"]] == ["UserForce"]


def seen(model, state):
    scene = scene_of(state, forces=False, channels=False)
    return sum(p.role in ("joint", "ground") for p in scene.parts) + len(scene.ties)


def test_what_is_drawn_appears(case, monkeypatch):
    """An element with a mark and two markers adds parts or ties to the scene; without its mark they are gone."""
    model = case.scene()
    system = model.compile()
    state = _state(model, system)
    for name in system.markers:
        e = model.elements.get(name)
        if e is None or not e.drawn_as:
            continue
        if e.drawn_as == "wheel" and system.dim == 3:
            continue  # the floor under it is drawn
        with_mark = seen(model, state)
        with monkeypatch.context() as patch:
            patch.setattr(type(e), "drawn_as", "")
            assert seen(model, state) < with_mark, e.title


def _state(model, system):
    return State(model, system, 0.0, system.q_drawn, system.v_drawn)


def test_an_unknown_mark_is_drawn_as_a_joint(monkeypatch):
    m = da.Model("odd", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=1.0))
    m.add(da.Revolute("A", "ground", "a", at=(0.3, 0.0)))
    state = da.assemble(m)
    usual = seen(m, state)
    monkeypatch.setattr(da.Revolute, "drawn_as", "something new")
    assert seen(m, state) == usual


def test_derive_says_that_central_forces_are_left_out():
    from contract_cases import CASES

    told = {c.name for c in CASES if c.name in ("plane_gear_teeth", "plane_belt", "plane_gear_inside")
            and any(s.title == "Left out" for s in da.derive(c.scene(), "newton-euler").story.sections)}
    acting = {c.name for c in CASES if c.name in ("plane_gear_teeth", "plane_belt", "plane_gear_inside")
              and any(e.slope != 0.0 or e.constant != 0.0 for e in c.system().teeth.values())}
    assert told == acting and "plane_belt" in told
