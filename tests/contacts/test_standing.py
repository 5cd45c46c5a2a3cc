"""What stands still: the ground's shapes and fixtures are one thing, for contacts, pictures and files."""

import numpy as np
import pytest

import dalembert as da
from dalembert.viewer.scene.from_results import scene_of


def model(how, dim=3, **plane):
    m = da.Model("still", dim=dim, gravity=(0, 0, -9.81)[3 - dim:])
    floor = da.HalfSpace((0, 0, 1)[3 - dim:], **plane)
    if how == "ground":
        m.ground.shapes = [floor]
    else:
        m.add(da.Fixture("floor", shapes=floor))
    m.add(da.Body.from_shape("box", da.Box((0.2,) * dim), density=500.0, position=(0.1, 0, 0.1)[3 - dim:]))
    m.add(da.Contact("c", "ground", "box", friction=0.5))
    return m


@pytest.mark.parametrize("dim", [2, 3])
def test_the_grounds_shapes_touch_as_a_fixture_does(tmp_path, dim):
    runs = [da.simulate(model(how, dim), 0.2, step=0.1) for how in ("ground", "fixture")]
    assert np.array_equal(runs[0].q, runs[1].q)
    assert np.abs(runs[0]["c"].force[-1]).max() == pytest.approx(500 * 0.2**dim * 9.81, rel=1e-9)
    m = model("ground", dim)
    m.add(da.Contact("every", "all", "all", friction=0.5))
    assert da.simulate(m, 0.1)["every"].force[-1][-1] > 0.0
    m.save(tmp_path / "m.toml")
    assert np.array_equal(da.simulate(da.load_model(tmp_path / "m.toml"), 0.2, step=0.1).q, da.simulate(m, 0.2, step=0.1).q)


def test_both_are_seen():
    for how in ("ground", "fixture"):
        scene = scene_of(model(how))
        assert len(scene.parts) == 2
        assert (("floor" in scene.names), scene.parts[-1].body) == ((True, 1) if how == "fixture" else (False, -1))


@pytest.mark.parametrize("dim", [2, 3])
def test_a_half_space_is_turned_where_it_touches_and_where_it_is_seen(dim):
    """A turn by 20° about −y (plane: z) is a normal that leans."""
    a = np.radians(20)
    turn = {"rotation": ("y", [a])} if dim == 3 else {"rotation": -a}
    m = model("ground", dim, **turn)
    m.bodies["box"] = da.Body.from_shape("box", da.Sphere(0.1), density=500.0, position=(0, 0, 0.4)[3 - dim:])
    run = da.simulate(m, 0.6, step=0.01)
    n = -run["c"].points(-1)["normal"][0]  # from the ground to the ball
    assert n[[0, -1]] == pytest.approx([np.sin(a), np.cos(a)], abs=1e-12)
    part = scene_of(run).parts[-1]
    top = scene_of(run).points(-1, part.position)[0]
    assert abs(top[0] * n[0] + top[dim - 1] * n[-1] + part.scale[2] / 2) < 1e-9


def test_a_copy_has_its_own_ground():
    m = model("ground")
    other = m.copy()
    other.ground.shapes = []
    assert len(m.ground.shapes) == 1
    with pytest.raises(da.ModelError, match="shapes of the ground"):
        m.ground.shapes = ["floor"]


def test_files_of_other_programs_hold_what_stands_still_and_say_what_they_leave_out(tmp_path):
    m = da.Model("arm", gravity=(0, 0, -9.81))
    m.add(da.Fixture("table", shapes=da.Box((1, 1, 0.1)), position=(0, 0, -0.5)))
    m.add(da.Fixture("floor", shapes=da.HalfSpace((0, 0, 1), position=(0, 0, -1))))
    m.add(da.Body.from_shape("arm", da.Box((1, 0.1, 0.1)), density=100.0, position=(0.5, 0, 0)))
    m.add(da.Revolute("hinge", "ground", "arm", at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Contact("c", "ground", "arm", friction=0.5))
    for save in (da.save_mjcf, da.save_urdf):
        with pytest.raises(da.FileError, match="cannot hold Contact 'c'"):
            save(m, tmp_path / "m.xml")
    da.save_mjcf(m, tmp_path / "m.xml", skip=True)
    text = (tmp_path / "m.xml").read_text()
    assert 'type="plane"' in text
    assert "0.0 0.0 -0.5" in text
    with pytest.raises(da.FileError, match="a HalfSpace of 'floor'"):
        da.save_urdf(m, tmp_path / "m.urdf")
    da.save_urdf(m, tmp_path / "m.urdf", skip=True)
    assert "0.0 0.0 -0.5" in (tmp_path / "m.urdf").read_text()
