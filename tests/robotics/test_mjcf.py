"""MJCF: what is read as what, against closed forms; what is refused or left out, and said."""

import math
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.io.mjcf import read_mjcf
from dalembert.io.mjcf.writer import write_mjcf

ROBOTS = Path(__file__).parent / "robots"


def world(inside, more="", compiler=""):
    return f"<mujoco><compiler {compiler}/>{more}<worldbody>\n{inside}\n</worldbody></mujoco>"


def body(inside, joint='<joint axis="0 1 0"/>', name="b"):
    return f'<body name="{name}">{joint}{inside}</body>'


BALL = '<geom size="0.1" mass="2" pos="0 0 -0.5"/>'


def test_everything():
    m = da.load_mjcf(ROBOTS / "everything.xml")
    assert list(m.bodies)[:7] == ["base", "arm carrier 1", "arm", "bob", "rod", "crate", "lid"]
    assert m.gravity == (0.1, -0.2, -9.7)
    assert m.links["mast"][0] == "base"  # no joint: part of the body it sits on
    assert m.joints == {"turn": "turn", "arm": "arm joint", "arm roll": "arm roll", "bob ball": "bob ball", "rod": "rod joint",
                        "crate free": "crate free", "lid hinge": "lid hinge"}
    assert m.limits["turn"] == pytest.approx({"lower": math.radians(-105), "upper": math.radians(105)})  # from the drawing
    assert m.limits["rod joint"] == {"lower": -0.1, "upper": 0.3} and m.limits["turn motor"] == {"lower": -2, "upper": 2}
    assert m["turn motor"].law == "30.0*ctrl_turn_motor"
    assert m["hold"].law == "50.0*ctrl_hold + -25.0*coordinate + -0.5*rate"
    assert m["arm joint spring"].stiffness == 4 and m["arm joint spring"].angle == pytest.approx(math.radians(20))
    assert "arm joint armature" not in m and "arm roll armature" in m and "arm roll spring" not in m
    assert m["base"].shapes[0].material == "#cc661a"  # a colour that is said goes before that of the material
    assert [type(s).__name__ for s in m.ground.shapes] == ["Box"]
    said = "\n".join(m.notes)
    for word in ("'adhesion 5' is left out", "<tendon> is left out: fixed cord", "ellipsoid", "'turn' counts from", "carrier",
                 "contacts"):
        assert word in said
    tree = da.robotics.Tree(m)
    assert tree.nv == 5 + 3 + 6
    run = da.simulate(da.load_mjcf(ROBOTS / "everything.xml", carrier=0.01), 0.02)
    assert run.certificate.doubts() == []


def test_armature_is_the_energy_of_a_rotor():
    """A pendulum of inertia J about its hinge with armature a: (J + a) θ̈ = −m g l sin θ, simulated and in joint coordinates."""
    text = world(body(BALL, '<joint axis="0 1 0" armature="0.7" pos="0 0 0"/>'), compiler='angle="radian"')
    m = read_mjcf(text)
    J = 2 * (0.4 * 0.1**2 + 0.5**2)
    assert da.robotics.Tree(m).mass_matrix([0.3])[0, 0] == pytest.approx(J + 0.7, rel=1e-14)
    m.initial("b hinge", coordinate=0.3)
    a = da.accelerations(m)
    alpha = -2 * 9.81 * 0.5 * math.sin(0.3) / (J + 0.7)
    np.testing.assert_allclose(a["b"].angular_acceleration, (0, alpha, 0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(da.robotics.Tree(m).forward_dynamics([0.3], [0.0], [0.0]), alpha, rtol=1e-13)
    many = da.robotics.Tree(m).forward_dynamics(np.full((3, 1), 0.3), np.zeros((3, 1)), np.zeros((3, 1)))
    np.testing.assert_allclose(many, alpha, rtol=1e-13)


@pytest.mark.parametrize(("geom", "mass", "moments"), [
    ('type="sphere" size="0.2"', 4 / 3 * math.pi * 0.008, [0.4 * 0.04] * 3),
    ('type="box" size="0.1 0.2 0.3"', 8 * 0.006, [(0.04 + 0.09) / 3, (0.01 + 0.09) / 3, (0.01 + 0.04) / 3]),
    ('type="cylinder" size="0.1 0.3"', math.pi * 0.01 * 0.6, [0.01 / 4 + 0.36 / 12] * 2 + [0.005]),
    ('type="ellipsoid" size="0.1 0.2 0.3"', 4 / 3 * math.pi * 0.006, [(0.04 + 0.09) / 5, (0.01 + 0.09) / 5, (0.01 + 0.04) / 5]),
])
def test_geoms_weigh(geom, mass, moments):
    m = read_mjcf(world(body(f'<geom {geom} density="500"/>')))
    assert m["b"].mass == pytest.approx(500 * mass, rel=1e-12)
    np.testing.assert_allclose(m["b"].inertia, 500 * mass * np.diag(moments), rtol=1e-12, atol=1e-12)


def test_orientations_mean_the_same():
    """A quarter turn about x said in five ways, and Euler angles about fixed and turned axes."""
    ways = ('quat="1 1 0 0"', 'axisangle="2 0 0 90"', 'euler="90 0 0"', 'xyaxes="1 0 0 0 0 1"', 'zaxis="0 -1 0"')
    for way in ways:
        A = np.array(read_mjcf(world(f'<body name="b" {way}><joint/>{BALL}</body>'))["b"].rotation)
        np.testing.assert_allclose(A, [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-15)
    turned, fixed = (np.array(read_mjcf(world(f'<body name="b" euler="{e}"><joint/>{BALL}</body>', compiler=f'eulerseq="{s}"'))
                              ["b"].rotation) for s, e in (("xyz", "10 20 30"), ("ZYX", "30 20 10")))
    np.testing.assert_allclose(turned, fixed, atol=1e-15)  # about turned axes = about fixed axes in the opposite order


def test_mass_of_the_compiler():
    both = '<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>' + BALL
    masses = {c: read_mjcf(world(body(both), compiler=c))["b"].mass for c in (
        'inertiafromgeom="auto"', 'inertiafromgeom="true"', 'settotalmass="10"', 'boundmass="7"')}
    assert list(masses.values()) == [3.0, 2.0, 10.0, 7.0]
    assert read_mjcf(world(body(BALL + '<geom size="0.1" group="3"/>'), compiler='inertiagrouprange="0 2"'))["b"].mass == 2.0


def test_loops_and_couplings():
    """connect: a four-bar from two open chains has one freedom; joint: y = a₀ + a₁ x + a₂ x²."""
    def bar(name, at, way, inner="", axis='axis="0 1 0"'):
        return (f'<body name="{name}" pos="{at}"><joint name="{name} pin" {axis}/>'
                f'<geom type="capsule" fromto="0 0 0 {way}" size="0.02"/>{inner}</body>')
    text = world(bar("crank", "0 0 0", "0 0 0.3", bar("coupler", "0 0 0.3", "0.8 0 0.2")) + bar("rocker", "0.8 0 0", "0 0 0.5"),
                 '<equality><connect name="C" body1="coupler" body2="rocker" anchor="0.8 0 0.2"/></equality>')
    m = read_mjcf(text)
    assert da.check(m).dof == 1 and type(m["C"]).__name__ == "Spherical"
    coupled = read_mjcf(world(bar("a", "0 0 0", "0 0 1") + bar("b", "1 0 0", "0 0 1"), '<equality><joint name="E" joint1="b pin" '
                              'joint2="a pin" polycoef="0.1 2 0.5"/></equality>'))
    coupled.initial("a pin", coordinate=0.2, rate=1.0)
    s = da.assemble(coupled)
    assert s["b pin"].coordinate == pytest.approx(0.1 + 2 * 0.2 + 0.5 * 0.04) and s["b pin"].rate == pytest.approx(2 + 0.2)
    text, left = write_mjcf(coupled)
    assert left == [] and read_mjcf(text)["E"].expression == coupled["E"].expression
    held = read_mjcf(text.replace("<joint name=\"E\"", "<joint active=\"false\" name=\"E\""))
    assert "E" not in held and any("not active" in n for n in held.notes)


def test_included_files_and_meshes_stay_in_the_folder(tmp_path):
    home = tmp_path / "home"
    (home / "m").mkdir(parents=True)
    (home / "part.xml").write_text(f"<mujoco>{body(BALL)}</mujoco>")
    (home / "m" / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    (tmp_path / "out.xml").write_text("<mujoco/>")
    main = home / "main.xml"

    def read(text):
        main.write_text(text)
        return da.load_model(main)

    assert list(read(world('<include file="part.xml"/>')).bodies) == ["b"]
    mesh = '<asset><mesh name="a" file="{}" scale="2 2 2"/></asset>'
    m = read(world(body('<geom type="mesh" mesh="a"/>'), mesh.format("a.obj"), 'meshdir="m"'))
    assert m["b"].mass == pytest.approx(1000 * 8 / 6) and m["b"].com == pytest.approx((0.5, 0.5, 0.5))
    for text, says in ((world('<include file="../out.xml"/>'), "must lie in the main file's folder"),
                       (world('<include file="main.xml"/>'), "includes itself"),
                       (world(body('<geom type="mesh" mesh="a"/>'), mesh.format("../../out.stl")), "outside the folders")):
        with pytest.raises(da.FileError, match=says):
            read(text)


@pytest.mark.parametrize(("text", "message"), [
    ("<mujoco", "line 1: not well-formed XML"),
    ("<model/>", "the root element is <model>; MJCF has <mujoco>"),
    ("<mujoco/>", "nothing in it can move"),
    (world(body("")), "line 2: body 'b' moves but has no mass"),
    (world(body(BALL, '<joint type="hing"/>')), "known are hinge, slide, ball, free: did you mean 'hinge'"),
    (world(body(BALL, '<joint axis="0 0 0"/>')), "the axis of joint '' is zero"),
    (world(body(BALL, '<joint class="x"/>')), "there is no default class 'x'"),
    (world(body('<geom size="1 2 3 4"/>')), "must be 1 to 3 numbers"),
    (world(body('<geom size="0"/>')), "the sphere has the size 0"),
    (world(body('<geom type="capsule" size="0.1" fromto="1 1 1 1 1 1"/>')), "both ends are the same point"),
    (world(body('<geom type="mesh" mesh="none"/>')), "there is no mesh 'none'"),
    (world(body(BALL) + body(BALL)), "body 'b' is there twice"),
    (world(body(BALL, '<freejoint/><joint/>')), "a free joint stands alone"),
    (world(body(BALL), compiler='coordinate="global"'), "is not read"),
    (world(body(BALL), compiler='eulerseq="abc"'), "three letters"),
    (world(body(BALL) + '<replicate count="3"/>'), "makes bodies by rule"),
    (world(body(BALL), '<equality><connect body1="c" anchor="0 0 0"/></equality>'), "there is no such body"),
    (world(body(BALL), '<actuator><motor joint="x"/></actuator>'), "there is no such joint"),
    ('<!DOCTYPE r [<!ENTITY a "x">]><mujoco/>', "declares a DOCTYPE"),
    (world("<body>" * 250 + "</body>" * 250), "nested deeper than"),
    (world(body('<inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/>')), "triangle inequality"),
])
def test_messages_say_what_and_where(text, message):
    with pytest.raises(da.FileError) as caught:
        read_mjcf(text)
    assert message in str(caught.value)


def test_forces_count_from_the_reference():
    """Springs and actuators of MuJoCo see q + ref: −k (q + ref − springref), and with gear g p = g (kp u − kp g (q + ref))."""
    m = read_mjcf("""<mujoco><compiler angle="radian"/><worldbody>
      <body name="a"><joint name="h" axis="0 1 0" ref="0.5" springref="0.2" stiffness="3"/><geom size="0.1" pos="0.3 0 0"/></body>
      <body name="b" pos="0 1 0"><joint name="s" type="slide" axis="1 0 0" ref="0.4" springref="0.1" stiffness="5"/>
      <geom size="0.1"/></body></worldbody><actuator><position name="p" joint="h" kp="7" gear="2"/></actuator></mujoco>""")
    m.parameters["ctrl_p"] = 0.25
    m.initial("h", coordinate=0.3)
    m.initial("s", coordinate=-0.6)
    state = da.assemble(m)
    assert float(state["h spring"].torque) == pytest.approx(-3 * (0.3 + 0.5 - 0.2))
    assert float(state["s spring"].force) == pytest.approx(-5 * (-0.6 + 0.4 - 0.1))
    assert float(state["p"].torque) == pytest.approx(2 * (7 * 0.25 - 7 * 2 * (0.3 + 0.5)))
