"""The course's frame files, both ways."""

import numpy as np
import pytest

import dalembert as da
from dalembert.viewer.files import course_reader

# The sample of the text, as printed: fixed objects carry five zeros, the first line a remark.
SAMPLE = """1, 20, -0.25, 0, 0, 0, 0, 0, 0,      [#, x, y, z, e0, e1, e2, e3]
2, 0, 2.5, 0, 0, 0, 0, 0, 0,
3, -33.775, 25, 0, 0.965926, 0, 0, -0.258819,
4, 5.08655, 1.47155, -6.50457, -0.543056, -0.465413, -0.105751, -0.690878,
"""
CONF = "pos .dat\n{frames} 1\n4 2\n2 Cube.mesh 40 .5 80 Material1\n2  Sphere.mesh  .5 .5 .5  Material1\n"
MATERIAL = """material Material1
{
    technique
    {
        pass
        {
            ambient 0.000000 0.000000 0.000000 1.000000
            diffuse 1.00000 0.50000 0.25000 1.000000
            specular 0.500000 0.500000 0.500000 1.000000 12.500000
            emissive 0.000000 0.000000 0.000000 1.000000
        }
    }
}
"""


def folder(path, frames=2, text=SAMPLE):
    (path / "resources").mkdir(parents=True, exist_ok=True)
    (path / "resources" / "materials.material").write_text(MATERIAL)
    (path / "conf.txt").write_text(CONF.format(frames=frames))
    for k in range(frames):
        (path / f"pos{k:03d}.dat").write_text(text)
    return path


def test_the_texts_sample_is_read(tmp_path):
    clip = da.read_frames(folder(tmp_path) / "conf.txt")
    assert clip.position.shape == (2, 4, 3) and np.allclose(clip.position[0, 3], [5.08655, 1.47155, -6.50457])
    scene = clip.scene()
    assert np.allclose(scene.quaternion[0, 0], [1, 0, 0, 0])  # all zeros: no rotation
    assert np.allclose(scene.quaternion[0, 2], [0.965926, 0, 0, -0.258819], atol=1e-6)
    assert np.allclose(scene.parts[0].scale, [40, 0.5, 80]) and scene.up == (0, 1, 0)
    m = scene.materials[0]
    assert m.diffuse == (1, 0.5, 0.25) and m.shininess == 12.5 and m.ambient == m.diffuse
    assert np.ptp(scene.meshes[1].vertices, axis=0) == pytest.approx([1, 1, 1], abs=0.01)  # a sphere of diameter one
    assert clip.view(tmp_path / "x.html").stat().st_size > 5e5
    assert "4 objects, 2 frames" in repr(clip)


def test_more_than_999_frames_are_in_order(tmp_path):
    folder(tmp_path, 1)
    (tmp_path / "conf.txt").write_text("pos .dat\n1002 1\n1 1\n1 Cube.mesh 1 1 1 Material1\n")
    for k in range(1002):
        (tmp_path / f"pos{k:03d}.dat").write_text(f"1, {k}, 0, 0, 1, 0, 0, 0\n")
    clip = da.read_frames(tmp_path, fps=100)
    assert np.array_equal(clip.position[:, 0, 0], np.arange(1002)) and clip.t[-1] == pytest.approx(10.01)


@pytest.mark.parametrize("line", ["1 1 2 3 1 0 0 0", "1,1,2,3,1,0,0,0,", "  1 ,1, 2,3 ,1,0,0,0",
                                  "1, 1., 2e0, +3, 1, 0, 0, 0, \r"])
def test_ways_to_write_a_line(tmp_path, line):
    (tmp_path / "p.dat").write_text(line + "\n\n")
    assert np.array_equal(course_reader.read_frame(tmp_path / "p.dat", 1), [[1, 2, 3, 1, 0, 0, 0]])


def test_objects_are_sorted_by_their_numbers(tmp_path):
    (tmp_path / "p.dat").write_text("2, 20, 0, 0, 1, 0, 0, 0,\n1, 10, 0, 0, 1, 0, 0, 0,\n")
    assert course_reader.read_frame(tmp_path / "p.dat", 2)[:, 0].tolist() == [10, 20]


@pytest.mark.parametrize("fixture", ["four_bar", "bricard"])
def test_round_trip(request, tmp_path, fixture):
    run = request.getfixturevalue(fixture)
    run.frames(tmp_path / "f", digits=12)
    clip = da.read_frames(tmp_path / "f")
    nb, dim = run.system.nb, run.system.dim
    assert clip.names == [*run.system.bodies, "ground"] and np.array_equal(clip.t, run.t)
    place = np.stack([run[b].position for b in run.system.bodies], axis=1)
    assert np.allclose(clip.position[:, :nb, :dim], place, rtol=1e-11, atol=1e-11)
    if dim == 3:
        turn = np.stack([run[b].quaternion for b in run.system.bodies], axis=1)
        assert np.allclose(clip.quaternion[:, :nb], turn, atol=1e-11)
    (tmp_path / "g").mkdir()
    files = sorted((tmp_path / "f").glob("pos*.dat"))
    assert len(files) == len(run.t)
    again = [course_reader.read_frame(f, nb + 1) for f in files[:3]]  # printed again: the same text
    for f, rows in zip(files, again, strict=False):
        lines = [f"{k + 1}, " + ", ".join(f"{x:.12g}" for x in row) + ",\n" for k, row in enumerate(rows)]
        assert "".join(lines) == f.read_text()
    scene = clip.scene()
    assert len(scene.parts) == nb + 1 and scene.notes == []
    assert scene.up == pytest.approx((0, 1, 0))


def test_frames_at_a_rate_and_over_old_ones(four_bar, tmp_path):
    four_bar.frames(tmp_path)
    four_bar.frames(tmp_path, fps=10)
    clip = da.read_frames(tmp_path)
    assert len(clip.t) == 20 and clip.t[1] == pytest.approx(0.1) and not list(tmp_path.glob("pos020.dat"))
    assert clip.frames(tmp_path / "copy").is_dir()  # and a clip writes itself
    assert np.allclose(da.read_frames(tmp_path / "copy").position, clip.position)


def test_missing_frames_are_told(tmp_path):
    folder(tmp_path, 3)
    (tmp_path / "pos001.dat").unlink()
    clip = da.read_frames(tmp_path, fps=1)
    assert clip.t.tolist() == [0, 2] and "2 of the 3 frames" in clip.scene().notes[0]


WRONG_LINES = [
    ("1, 2, 3\n", r"pos000.dat, line 1: expected eight numbers \(#, x, y, z, e0, e1, e2, e3\), found 3: '1, 2, 3'"),
    (SAMPLE.replace(" 25,", " twenty,"), r"pos000.dat, line 3: expected eight numbers .*twenty"),
    (SAMPLE.replace(" 25,", " nan,"), r"pos000.dat, line 3: expected finite numbers"),
    (SAMPLE.replace("1.47155", "1.5, 7"), r"pos000.dat, line 4: expected eight numbers .*found 9"),
    (SAMPLE + "5, 0, 0, 0, 1, 0, 0, 0,\n", "5 objects, but conf.txt announces 4"),
    ("", "0 objects, but conf.txt announces 4"),
]


@pytest.mark.parametrize("text, says", WRONG_LINES)
def test_malformed_frames_give_file_and_line(tmp_path, text, says):
    with pytest.raises(da.FileError, match=says):
        da.read_frames(folder(tmp_path, 1, text))


GOOD = CONF.format(frames=1)
WRONG_CONF = [
    ("", "at least three lines"),
    (GOOD.replace("pos .dat", "pos"), "line 1: expected the prefix and suffix"),
    (GOOD.replace("1 1\n", "one 1\n", 1), "line 2: expected the number of frames"),
    (GOOD.replace("4 2", "5 2"), "line 3: 5 objects announced, but the groups hold 4"),
    (GOOD.replace("4 2", "4 3"), "line 3: 3 groups announced, but 2"),
    (GOOD.replace("40 .5 80", "40 .5"), "line 4: expected a group"),
    (GOOD.replace("1 1\n4 2", "1 1\n0 0"), "line 3: there must be at least one object"),
    (GOOD.replace("1 1\n4", "0 1\n4"), "line 2: there must be at least one frame"),
    (GOOD.replace("pos .dat", "nix .dat"), "no frame files 'nix000.dat'"),
    (GOOD.replace("Sphere.mesh", "Ship.mesh"), "mesh 'Ship.mesh' is missing"),
]


@pytest.mark.parametrize("text, says", WRONG_CONF)
def test_malformed_conf_gives_the_line(tmp_path, text, says):
    folder(tmp_path, 1)
    (tmp_path / "conf.txt").write_text(text)
    with pytest.raises(da.FileError, match=says):
        da.read_frames(tmp_path).scene()


def test_materials(tmp_path):
    folder(tmp_path)
    text = CONF.format(frames=1).replace(".5 80 Material1", ".5 80 tomato").replace(".5  Material1", ".5 Nix")
    (tmp_path / "conf.txt").write_text(text)
    scene = da.read_frames(tmp_path).scene()
    assert scene.materials[0].diffuse == pytest.approx((1.0, 0x63 / 255, 0x47 / 255)) and "'Nix'" in scene.notes[0]
    (tmp_path / "resources" / "materials.material").write_text(MATERIAL.replace("12.500000", "shiny"))
    with pytest.raises(da.FileError, match="line 9: expected 'specular' and three or more numbers"):
        da.read_frames(tmp_path)
    (tmp_path / "resources" / "materials.material").write_text(MATERIAL.rstrip().rstrip("}"))
    with pytest.raises(da.FileError, match="1 closing brace missing"):
        da.read_frames(tmp_path)


def test_arguments(tmp_path):
    folder(tmp_path)
    with pytest.raises(da.FileError, match="up is 'x', 'y', 'z'"):
        da.read_frames(tmp_path, up="w")
    with pytest.raises(da.FileError, match="fps is a positive number"):
        da.read_frames(tmp_path, fps=0)
    with pytest.raises(da.FileError, match="cannot read"):
        da.read_frames(tmp_path / "none.txt")
    with pytest.raises(da.AnalysisError, match="no channels"):
        da.read_frames(tmp_path).plot("x.y")
