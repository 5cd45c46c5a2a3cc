"""URDF: two robots described for these tests, and what is said about files that cannot be read."""

from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.io.urdf import read_urdf

ROBOTS = Path(__file__).parent / "robots"


def robot(inside, name="r"):
    return f'<robot name="{name}">\n{inside}\n</robot>'


LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
ARM = '<link name="base"/>' + LINK.format("arm")


def hinge(more="", type="revolute", parent="base", child="arm", name="j"):
    return f'<joint name="{name}" type="{type}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'


def test_seven_joint_arm():
    m = da.load_urdf(ROBOTS / "arm7.urdf")
    assert list(m.bodies) == [f"link{k}" for k in range(1, 8)]
    assert [type(m[f"joint{k}"]).__name__ for k in range(1, 8)] == ["Revolute"] * 7
    assert m.limits["joint3"] == {"lower": -2.9, "upper": 2.9, "effort": 210.0, "velocity": 2.0}
    assert m["link7"].mass == pytest.approx(0.6 + 0.4)  # the hand is fixed to it
    assert m.links["tool_point"][0] == "link7"
    np.testing.assert_allclose(m.links["tool_point"][1], (0, 0, 0.16))
    kinds = [type(s).__name__ for s in m["link7"].shapes]
    assert kinds == ["Cylinder"] and any("package://arm7/hand.stl" in n and "is not there" in n for n in m.notes)
    assert m["link1"].shapes[0].material == "#ff8c1a"
    assert [n for n in m.elements if "damping" in n] == [f"joint{k} damping" for k in range(1, 5)]
    assert any("transmission" in n for n in m.notes)
    run = da.simulate(m, 0.3, formulation="recursive")
    assert run.certificate.energy_relative < 1e-4


def test_walker_floats_and_branches():
    m = da.load_urdf(ROBOTS / "walker.urdf", base="floating")
    tree = da.robotics.Tree(m)
    assert len(m.bodies) == 32 and tree.nv == 31 + 6
    assert tree.names[:6] == ["pelvis.x", "pelvis.y", "pelvis.z", "pelvis.wx", "pelvis.wy", "pelvis.wz"]
    total = sum(b.mass for b in m.bodies.values())
    q = np.zeros(tree.nq)
    q[3] = 1.0
    hold = tree.inverse_dynamics(q, np.zeros(37), np.zeros(37))
    assert hold[2] == pytest.approx(9.81 * total)  # standing still, the base carries the weight
    np.testing.assert_allclose(hold[:2], 0, atol=1e-10)
    falling = tree.forward_dynamics(q, np.zeros(37), np.zeros(37))
    np.testing.assert_allclose(falling, [0, 0, -9.81] + [0] * 34, atol=1e-9)  # nothing turns in free fall
    found = da.compare(m, until=0.02, samples=3)
    assert found.worst < 1e-9


def test_merged_inertia_is_that_of_the_parts():
    """Two links fixed together move as one: against the same two bodies welded."""
    inertial = '<inertial><origin xyz="0.1 0.2 -0.1" rpy="0.3 -0.4 0.5"/><mass value="2"/>'
    inertial += '<inertia ixx="0.3" ixy="0.02" ixz="-0.01" iyy="0.4" iyz="0.03" izz="0.5"/></inertial>'
    text = robot('<link name="base"/><link name="a">' + inertial + '</link><link name="b">' + inertial + "</link>"
                 + hinge('<origin xyz="0 0 1" rpy="0.2 0.1 0"/><axis xyz="0 1 1"/>', child="a")
                 + hinge('<origin xyz="0.4 -0.1 0.2" rpy="1 0.5 -0.3"/>', "fixed", "a", "b", "glue"))
    merged = read_urdf(text)
    loose = read_urdf(text.replace('type="fixed"', 'type="revolute"'))
    loose.add(da.Drive("hold", "glue", 0.0))
    a, b = da.accelerations(merged), da.accelerations(loose)
    np.testing.assert_allclose(a["a"].angular_acceleration, b["a"].angular_acceleration, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(a["j"].force, b["j"].force, rtol=1e-9, atol=1e-9)


def test_mimic_becomes_a_gear():
    m = read_urdf(robot(ARM + LINK.format("other") + hinge() + hinge('<mimic joint="j" multiplier="-2"/>', child="other",
            name="k")))
    m.initial("j", rate=1.0)
    assert da.assemble(m)["k"].rate == pytest.approx(-2.0)


@pytest.mark.parametrize(("text", "message"), [
    ("<robot", "line 1: not well-formed XML"),
    ("<model/>", "line 1: the root element is <model>"),
    (robot(""), "there is no <link>"),
    (robot(ARM + hinge(type="screw")), "line 2: joint 'j' has type 'screw'; known are revolute"),
    (robot(ARM + hinge(child="amr")), "joint 'j': there is no link 'amr': did you mean 'arm'"),
    (robot(ARM + hinge() + hinge(name="k")), "link 'arm' has two parents, by joints 'j' and 'k'"),
    (robot(ARM), "the links base, arm have no parent"),
    (robot('<link name="base"/><link name="arm"/>' + hinge()), "link 'arm' moves but has no mass"),
    ('<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><link name="${a}"/></robot>', "this is xacro"),
    ('<robot name="r"><xacro:include filename="x"/></robot>', "run 'xacro URDF > robot.urdf'"),
    (robot(ARM + hinge('<origin xyz="1 2"/>')), 'xyz="1 2" of <origin> must be 3 numbers'),
    (robot(ARM + hinge('<axis xyz="0 0 0"/>')), "the axis of joint 'j' is zero"),
    (robot(ARM + hinge('<mimic joint="j" offset="1"/>')), "only offset 0 is supported"),
    (robot('<link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9"/></inertial></link>'
           + hinge()), "triangle inequality"),
    ('<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]><robot name="&b;"/>', "line 1: the document declares a DOCTYPE"),
    (robot(ARM + ARM + hinge()), "link 'base' is there twice"),
])
def test_messages_say_what_and_where(text, message):
    with pytest.raises(da.FileError) as caught:
        read_urdf(text)
    assert message in str(caught.value)


def test_missing_files():
    with pytest.raises(da.FileError, match=r"cannot read 'nowhere.urdf'"):
        da.load_urdf("nowhere.urdf")


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def test_meshes_by_package_and_fallbacks(tmp_path):
    """package://name/path below any folder that is read; a mesh that is not there gives way to the collision shape."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "a.obj").write_text(TETRAHEDRON)
    mesh = '<{0}><geometry><mesh filename="package://robot/meshes/{1}"/></geometry></{0}>'
    box = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    (tmp_path / "r.urdf").write_text(robot(
        f'<link name="base">{mesh.format("visual", "a.obj")}</link>'
        f'<link name="arm">{inertial}{mesh.format("visual", "a.obj")}</link>'
        f'<link name="tip">{inertial}{mesh.format("visual", "b.dae")}{box}</link>'
        + hinge() + hinge(parent="arm", child="tip", name="k")))
    m = da.load_urdf(tmp_path / "r.urdf")
    assert m["arm"].shapes[0].file == str(tmp_path / "meshes" / "a.obj")
    assert [type(s).__name__ for s in m.ground.shapes] == ["Mesh"]  # the base's visuals stand on the ground
    assert [type(s).__name__ for s in m["tip"].shapes] == ["Box"]
    assert any("b.dae" in n for n in m.notes) and any("collision" in n for n in m.notes)
    m.save(tmp_path / "m.toml")
    again = da.load_model(tmp_path / "m.toml")
    assert again.ground.shapes[0].position == tuple(m.ground.shapes[0].position)
    from dalembert.viewer.scene.from_results import scene_of

    assert sum(p.body == -1 and p.role == "body" for p in scene_of(da.simulate(m, 0.01)).parts) == 1


def test_links_without_mass_between_joints():
    """A dummy link between two hinges takes a share of the next one's mass; in joint coordinates it has none."""
    text = robot('<link name="base"/><link name="dummy"/>' + LINK.format("arm") + hinge('<axis xyz="0 0 1"/>', child="dummy")
                 + hinge('<origin xyz="0.3 0 0.1"/><axis xyz="0 1 0"/>', parent="dummy", child="arm", name="k"))
    m = read_urdf(text)
    assert m["dummy"].mass + m["arm"].mass == pytest.approx(1.0, rel=1e-15)
    assert any("'dummy' has no mass" in n for n in m.notes)
    H = da.robotics.Tree(m).mass_matrix([0.2, 0.4])
    np.testing.assert_allclose(H, np.diag([1.0 + 0.09, 1.0]), atol=1e-14)  # arm: J = 1, its centre 0.3 from the first axis


def test_a_copy_has_its_own_notes():
    """What the importer knew goes with a copy, and is not shared; a model of one's own has none."""
    m = da.load_urdf(ROBOTS / "arm7.urdf")
    other = m.copy()
    assert other.limits == m.limits and other.links.keys() == m.links.keys() and set(m.joints.values()) <= set(m.elements)
    first = next(iter(m.limits))
    other.limits[first]["upper"] = 99.0
    other.notes.append("mine")
    assert m.limits[first]["upper"] != 99.0 and "mine" not in m.notes
    own = da.Model("own")
    assert (own.notes, own.limits, own.joints, own.links) == ([], {}, {}, {})
