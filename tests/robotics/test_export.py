"""URDF and MJCF written: back to the same model; what a format cannot hold is refused by name."""

from pathlib import Path

import numpy as np
import pytest
from peers import gymnasium_models

import dalembert as da
from dalembert import catalog
from dalembert.io.document import document
from dalembert.io.mjcf import read_mjcf
from dalembert.io.mjcf.writer import write_mjcf
from dalembert.io.urdf import read_urdf
from dalembert.io.urdf_writer import write_urdf

ROBOTS = Path(__file__).parent / "robots"
FILES = [ROBOTS / "everything.xml", ROBOTS / "arm7.urdf", *gymnasium_models()]


def flat(x, path=()):
    """Numbers and words of a document by their place; elements by their names."""
    if isinstance(x, dict):
        for key, value in x.items():
            yield from flat(value, (*path, key))
    elif isinstance(x, list):
        named = bool(x) and all(isinstance(v, dict) and "name" in v for v in x)
        for k, value in enumerate(x):
            yield from flat(value, (*path, value["name"] if named else k))
    else:
        yield path, x


def differences(one, two, within=1e-12):
    a, b = (dict(flat(document(m))) for m in (one, two))
    both = [(k, a.get(k), b.get(k)) for k in sorted(a.keys() | b.keys(), key=str)]
    return [x for x in both if not (x[1] == x[2] or (isinstance(x[1], (int, float)) and isinstance(x[2], (int, float))
                                                     and abs(x[1] - x[2]) <= within * max(1.0, abs(x[1]))))]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_mjcf_comes_back(file):
    m = da.load_model(file)
    text, left = write_mjcf(m)
    again = read_mjcf(text)
    assert left == [] and differences(m, again) == []
    assert again.limits.keys() == m.limits.keys()
    assert all(again.limits[k] == pytest.approx({s: v[s] for s in ("lower", "upper")}) for k, v in m.limits.items())
    assert again.carriers == m.carriers


def test_urdf_comes_back(tmp_path):
    for name, base in (("arm7", "fixed"), ("walker", "floating")):
        m = da.load_urdf(ROBOTS / f"{name}.urdf", base=base)
        da.save_urdf(m, tmp_path / "x.urdf")
        again = da.load_urdf(tmp_path / "x.urdf", base=base)
        assert differences(m, again, 1e-11) == []
        assert again.limits == m.limits


def test_any_tree_that_is_closed_can_be_written(tmp_path):
    """Body frames away from their joints, a joint from its second body to its first, a slide, a weld; the same accelerations."""
    m = da.Model("tree", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("a", mass=2, inertia=(0.1, 0.2, 0.25), position=(0.3, 0.1, 0), rotation=("xyz", (0.1, 0.2, 0.3)),
                  com=(0.05, 0, 0)))
    m.add(da.Body("b", mass=1, inertia=(0.1, 0.1, 0.1), position=(0.9, 0, 0.2)))
    m.add(da.Body("c", mass=1.5, inertia=(0.1, 0.1, 0.1), position=(0.9, 0.4, 0.2)))
    m.add(da.Revolute("one", "ground", "a", at=(0, 0, 0.1), axis=(0, 1, 0.5)))
    m.add(da.Revolute("two", "b", "a", at=(0.6, 0.05, 0.1), axis=(1, 0, 1)))
    m.add(da.Prismatic("three", "b", "c", axis=(0, 1, 0)))
    tree = da.robotics.Tree(m)
    q, v, tau = np.array([0.2, -0.4, 0.1]), np.array([1.0, 2.0, -1.0]), np.array([0.3, 0.1, 0.7])
    for ending in ("urdf", "xml"):
        m.save(tmp_path / f"m.{ending}")
        other = da.robotics.load(tmp_path / f"m.{ending}")
        assert other.names == tree.names
        np.testing.assert_allclose(other.forward_dynamics(q, v, tau), tree.forward_dynamics(q, v, tau), rtol=1e-11)


def test_loops_go_into_mjcf_and_not_into_urdf():
    m = catalog.make("spatial-four-bar")
    text, left = write_mjcf(m)
    again = read_mjcf(text)
    assert left == [] and da.check(again).dof == da.check(m).dof == 1
    m.initials.clear()  # MJCF holds no start
    for name in m.bodies:
        np.testing.assert_allclose(da.accelerations(again)[name].acceleration, da.accelerations(m)[name].acceleration, atol=1e-9)
    with pytest.raises(da.FileError, match=r"URDF cannot hold Revolute '\w'; save_urdf\(..., skip=True\)"):
        write_urdf(m)
    text, left = write_urdf(m, skip=True)
    assert len(left) == 1 and f"left out: {left[0]}" in text
    assert len(read_urdf(text).bodies) == 3


def test_what_cannot_be_written_is_said():
    with pytest.raises(da.FileError, match="lies in the plane"):
        write_mjcf(catalog.make("four-bar"))
    with pytest.raises(da.FileError, match=r"RollingDisc 'contact'|RollingDisc"):
        write_mjcf(catalog.make("rolling-disc"))
    m = catalog.make("lagrange-top")
    with pytest.raises(da.FileError, match=r"URDF cannot hold Spherical 'tip' \(its joints are hinge, .*skip=True\)"):
        write_urdf(m)


@pytest.mark.parametrize(("joint", "write", "read"), [
    (da.Spherical, write_urdf, read_urdf), (da.Universal, write_urdf, read_urdf), (da.Universal, write_mjcf, read_mjcf)])
def test_a_joint_the_format_has_not_can_be_left_out(joint, write, read):
    """What is written moves as the model without that joint does: its body, and all that hangs on it, are free."""
    def chain(whole):
        m, before = da.Model("m", dim=3, gravity=(0, 0, -9.81)), "ground"
        for k in range(3):
            m.add(da.Body(f"b{k}", mass=1.0 + k, inertia=(0.1, 0.2, 0.25), position=(0.5 + k, 0.1 * k, 0)))
            kind, more = (joint, {} if joint is da.Spherical else {"axis_i": (1, 0, 0), "axis_j": (0, 1, 0)}) if k == 1 else (
                da.Revolute, {"axis": (0, 1, 0.2)})
            if whole or k != 1:
                m.add(kind(f"j{k}", before, f"b{k}", at=(k, 0, 0), **more))
            before = f"b{k}"
        return m

    with pytest.raises(da.FileError, match=f"cannot hold .*{joint.__name__} 'j1'"):
        write(chain(True))
    text, left = write(chain(True), skip=True)
    assert left == [f"{joint.__name__} 'j1'"]
    again, torn = read(text), chain(False)
    again.gravity = torn.gravity
    for name in ("b0", "b1", "b2"):
        np.testing.assert_allclose(da.accelerations(again)[name].angular_acceleration,
                                   da.accelerations(torn)[name].angular_acceleration, atol=1e-9)
    assert da.check(again).dof == da.check(torn).dof == 8


def test_a_hinge_that_closes_a_loop_stays_one():
    """MJCF ties hinges at two points of their axis.  Six hinges in a ring are rigid; one point would leave two freedoms."""
    m, rng, before = da.Model("ring", dim=3), np.random.default_rng(3), "ground"
    for k in range(5):
        m.add(da.Body(f"b{k}", mass=1.0, inertia=(0.2, 0.2, 0.2), position=rng.normal(size=3).tolist()))
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=rng.normal(size=3).tolist(), axis=rng.normal(size=3).tolist()))
        before = f"b{k}"
    m.add(da.Revolute("last", before, "ground", at=rng.normal(size=3).tolist(), axis=rng.normal(size=3).tolist()))
    text, _ = write_mjcf(m)
    assert text.count("<connect") == 2 and da.check(read_mjcf(text)).dof == da.check(m).dof == 0


def test_shapes_stay_where_they_are(tmp_path):
    """A URDF link sits at its joint, a body here need not: what is drawn is drawn at the same place."""
    m = da.Model("m", dim=3)
    shape = da.Box((0.1, 0.2, 0.3), position=(0.1, 0.02, 0.03))
    m.add(da.Body("b", mass=1.0, inertia=(0.1, 0.2, 0.2), position=(0.5, 0.4, 0.3), rotation=("xyz", (0.3, 0.2, 0.1)),
                  shapes=[shape]))
    m.add(da.Revolute("pin", m.ground, "b", at=(0.1, 0.2, 0), axis=(0, 1, 0.5)))

    def drawn(model):
        body = da.assemble(model)["b"]
        (found,) = model["b"].shapes
        return body.position + body.rotation @ np.array(found.position, float)

    da.save_urdf(m, tmp_path / "x.urdf")
    da.save_mjcf(m, tmp_path / "x.xml")
    for file in ("x.urdf", "x.xml"):
        np.testing.assert_allclose(drawn(da.load_model(tmp_path / file)), drawn(m), atol=1e-12)
