"""Free-body diagrams: what the SVG says, added up, is m a and dH/dt; labels do not overlap."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.viewer.diagrams import lettering

SVG = "{http://www.w3.org/2000/svg}"
SMALL = [n for n, e in catalog.CATALOG.items() if e.make().compile().nb <= 12]
TEXTS = {
    "rod-on-block": lambda: (da.simulate(catalog.make("rod-on-block"), 0.3), 0.3),
    "two-link-arm-driven": lambda: (da.inverse_dynamics(catalog.make("two-link-arm-driven"), 0.5, step=0.05), 0.4),
    "four-bar-driven": lambda: (da.kinematics(catalog.make("four-bar-driven"), 0.3, step=0.05), 0.2),
    "slider-crank": lambda: (da.simulate(catalog.make("slider-crank"), 0.2), 0.1),
    "rod-and-disc": lambda: (da.accelerations(catalog.make("rod-and-disc", moments=(2.0, -1.0), rates=(1.0, 4.0))), 0.0),
    "driven-bar": lambda: (da.inverse_dynamics(catalog.make("driven-bar"), 0.5, step=0.05), 0.3),
}


def numbers(g, name):
    return np.array([float(x) for x in g.attrib[f"data-{name}"].split()])


def groups(svg, kind):
    return [g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.attrib.get("class") == kind]


def sums(g, about, inertia):
    """Force and moment about a point of all arrows in a group, without (or with) those of inertia."""
    dim = len(about)
    F, M = np.zeros(dim), np.zeros(1 if dim == 2 else 3)
    for a in g.iter(f"{SVG}g"):
        if a.attrib.get("class") != "arrow" or (a.attrib["data-kind"] == "inertia" and not inertia):
            continue
        if "data-force" in a.attrib:
            f = numbers(a, "force")
            F, M = F + f, M + np.atleast_1d(np.cross(*np.pad([numbers(a, "at") - about, f], ((0, 0), (0, 3 - dim))))[3 - len(M):])
        else:
            M = M + numbers(a, "moment")
    return F, M


def expected(result, name, t=0.0):
    """m a, dH/dt and the centre of mass at the sample nearest to t, from the body's view alone."""
    k = int(np.argmin(np.abs(np.atleast_1d(result.t) - t)))
    row, view = result.system.tables.bodies[result.system.bodies.index(name)], result[name]

    def at(x):
        return np.asarray(x) if result.single else np.asarray(x)[k]

    a, centre = at(view.point_acceleration(row["com"])), at(view.point(row["com"]))
    if result.system.dim == 2:
        return row["mass"] * a, np.atleast_1d(row["inertia"] * at(view.angular_acceleration)), centre
    J, A, w = np.reshape(row["inertia"], (3, 3)), at(view.rotation), at(view.omega)  # ω and ω̇ in body axes
    return row["mass"] * a, A @ (J @ at(view.angular_acceleration) + np.cross(w, J @ w)), centre


def close(a, b, scale):
    return np.abs(np.asarray(a) - b).max() <= 3e-9 * scale


@pytest.mark.parametrize("name", SMALL)
def test_arrows_add_up(name):
    state = da.accelerations(catalog.CATALOG[name].make())
    svg = da.fbd(state).svg
    arrows = groups(svg, "arrow")
    scale = max([1e-9, *(np.abs(numbers(a, "force")).max() for a in arrows if "data-force" in a.attrib)])
    size = 1.0 + max([0.0, *(np.abs(numbers(a, "at")).max() for a in arrows)])
    turning = max([scale * size, *(np.abs(numbers(a, "moment")).max() for a in arrows if "data-moment" in a.attrib)])
    for g in groups(svg, "free-body"):
        (body,) = json.loads(g.attrib["data-bodies"])
        force, spin, centre = expected(state, body)
        F, M = sums(g, centre, inertia=False)
        assert close(F, force, scale) and close(M, spin, turning), body
        F, M = sums(g, centre, inertia=True)
        assert close(F, 0.0, scale) and close(M, 0.0, turning), body
        (own,) = (b for b in g.iter(f"{SVG}g") if b.attrib.get("class") == "body")
        assert close(numbers(own, "momentum-rate"), force, scale) and close(numbers(own, "spin-rate"), spin, turning)


@pytest.mark.parametrize("name", TEXTS)
def test_text_examples(name):
    result, t = TEXTS[name]()
    diagram = result.fbd(t=t)
    state_of = {b: expected(result, b, t) for b in result.system.bodies}
    for g in groups(diagram.svg, "free-body"):
        (body,) = json.loads(g.attrib["data-bodies"])
        F, M = sums(g, state_of[body][2], inertia=False)
        assert close(F, state_of[body][0], 100.0) and close(M, state_of[body][1], 100.0)
    for free in diagram.cuts:
        boxes = [x.box for x in free[1]]
        for i, a in enumerate(boxes):
            for b in boxes[i + 1:]:
                assert (np.minimum(a[2:], b[2:]) <= np.maximum(a[:2], b[:2])).any(), f"labels of {free[0].body.names} overlap"


def test_action_and_reaction_carry_the_lectures_symbols():
    svg = da.fbd(catalog.make("four-bar")).svg
    joints = [a for a in groups(svg, "arrow") if a.attrib["data-kind"] == "joint"]
    found = {(a.attrib["data-element"], a.attrib["data-body"]): a for a in joints}
    for joint, first, second, symbol in (("B", "crank", "coupler", "F^{23}"), ("C", "coupler", "rocker", "F^{34}")):
        one, other = found[joint, first], found[joint, second]
        assert (one.attrib["data-symbol"], other.attrib["data-symbol"]) == (f"-{symbol}", symbol)
        assert np.allclose(numbers(one, "force"), -numbers(other, "force"), rtol=1e-11)
    assert found["A", "crank"].attrib["data-symbol"] == "F^{12}"
    named = da.Model("numbers", dim=2, gravity=(0, -9.81))
    for n, x in (("2", 0), ("3", 1)):
        named.add(da.Body.rod(n, (x, 0), (x + 1, 0), mass=1.0))
    named.add(da.Revolute("O", named.ground, "2", at=(0, 0)))
    named.add(da.Revolute("A", "2", "3", at=(1, 0)))
    assert "F^{23}" in da.fbd(named).svg  # bodies that are called by numbers keep them


def test_together_internal_forces_vanish():
    state = da.accelerations(catalog.make("slider-crank"))
    svg = state.fbd(["rod", "piston"], together=True).svg
    (g,) = groups(svg, "free-body")
    assert json.loads(g.attrib["data-bodies"]) == ["rod", "piston"]
    assert {a.attrib["data-element"] for a in groups(svg, "arrow")} == {"A", "guide", "gravity", "inertia"}
    F, M = sums(g, np.zeros(2), inertia=False)
    parts = [expected(state, n) for n in ("rod", "piston")]
    assert close(F, sum(p[0] for p in parts), 100.0)
    assert close(M, sum(p[1] + np.cross(np.append(p[2], 0), np.append(p[0], 0))[2:] for p in parts), 100.0)
    whole = groups(state.fbd(together=True, bodies=["crank", "rod", "piston"]).svg, "arrow")
    assert {a.attrib["data-element"] for a in whole} == {"O", "guide", "gravity", "inertia"}


def test_components_and_leaving_inertia_out():
    state = da.accelerations(catalog.make("four-bar"))
    arrows = groups(state.fbd("coupler", components=True, inertia=False).svg, "arrow")
    assert {a.attrib["data-symbol"] for a in arrows} == {"F_{x}^{23}", "F_{y}^{23}", "-F_{x}^{34}", "-F_{y}^{34}", "m^{3}g"}
    total = sum(numbers(a, "force") for a in arrows)
    assert close(total, expected(state, "coupler")[0], 100.0)


def test_a_wheel_is_pushed_where_it_touches_and_teeth_where_they_meet():
    arrows = groups(da.fbd(catalog.make("rolling-disc")).svg, "arrow")
    (contact,) = (a for a in arrows if a.attrib["data-element"] == "contact")
    assert abs(numbers(contact, "at")[2]) < 1e-9 and "data-moment" not in contact.attrib
    teeth = [a for a in groups(da.fbd(catalog.make("gear-pair")).svg, "arrow") if a.attrib["data-element"] == "mesh"]
    assert [a.attrib["data-symbol"] for a in teeth] == ["-F^{23}", "F^{23}"]
    assert np.allclose(numbers(teeth[0], "at"), numbers(teeth[1], "at"))


def test_what_turns_two_bodies_against_each_other_needs_no_joint():
    """A couple on each: named by the two bodies, as Motor, Limit and TorsionSpring allow."""
    m = da.Model("pair", dim=2)
    for n, x in (("one", 0.0), ("two", 1.0)):
        m.add(da.Body(n, mass=1.0, inertia=1.0, position=(x, 0), angle=x))
    m.add(da.TorsionSpring("coil", ("one", "two"), stiffness=8.0, angle=0.5))
    m.add(da.Motor("motor", ["one", "two"], 3.0))
    m.add(da.Limit("stop", ("one", "two"), lower=0.25, stiffness=4.0))
    arrows = [a for a in groups(da.fbd(m).svg, "arrow") if "data-moment" in a.attrib]
    found = {(a.attrib["data-element"], a.attrib["data-body"]): numbers(a, "moment")[0] for a in arrows}
    for name, torque in (("coil", 4.0), ("motor", 3.0), ("stop", 1.0)):
        assert found[name, "one"] == pytest.approx(-torque) and found[name, "two"] == pytest.approx(torque), name


def test_files(tmp_path):
    state = da.accelerations(catalog.make("rod-and-disc"))
    assert state.fbd("rod", tmp_path / "rod.svg") == tmp_path / "rod.svg"
    text = (tmp_path / "rod.svg").read_text(encoding="utf-8")
    assert text == state.fbd("rod").svg == state.fbd("rod")._repr_svg_() and text.count("http") == 1
    pytest.importorskip("matplotlib")
    assert state.fbd(None, tmp_path / "all.png").read_bytes()[:4] == b"\x89PNG"
    assert state.fbd(None, tmp_path / "all.pdf").read_bytes()[:4] == b"%PDF"
    with pytest.raises(da.FileError, match=r"\.svg, \.png or \.pdf"):
        state.fbd("rod", tmp_path / "rod.jpg")


def test_names_are_escaped():
    m = da.Model('<script>alert("x")</script>', dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a<b>&\"", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O_{x}$\\", m.ground, "a<b>&\"", at=(0, 0)))
    diagram = da.fbd(m)
    ET.fromstring(diagram.svg)
    assert "<script" not in diagram.svg


@pytest.mark.parametrize("call, says", [
    (lambda r: r.fbd("rods"), "no body 'rods'.*did you mean.*rod"), (lambda r: r.fbd("ground"), "ground cannot be cut free"),
    (lambda r: r.fbd(["rod", "rod"]), "named twice"), (lambda r: r.fbd([]), "at least one body"),
    (lambda r: r.fbd("rod", t=9.0), "outside the result"), (lambda r: r.fbd("rod", sample=10**6), "sample= as a whole number"),
    (lambda r: da.fbd(3), "takes a result, a state or a model"),
])
def test_what_is_wrong_is_said(call, says):
    with pytest.raises(da.AnalysisError, match=says):
        call(da.accelerations(catalog.make("slider-crank")))


def test_boxes_go_apart():
    boxes = [np.array([-50.0, -20.0, 50.0, 20.0])] * 5
    places = lettering.apart(boxes, [np.zeros(2)] * 5)
    for i, p in enumerate(places):
        for q in places[i + 1:]:
            assert (np.abs(p - q) >= [100.0, 40.0]).any()
