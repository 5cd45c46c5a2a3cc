"""Rendering without a display: what is where, light and shadow, speed, videos."""

import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.elements.materials import Material
from dalembert.viewer.meshes.solids import box, sphere
from dalembert.viewer.renderer.frames import Look, Renderer
from dalembert.viewer.renderer.png import encode, encode_few
from dalembert.viewer.scene.scene import Part, Scene

SRC = Path(__file__).resolve().parents[2] / "src"
ONE = np.array([1.0, 0, 0, 0])


def blocks(places, colours, size=0.3, dim=3, mesh=None):
    """Boxes (or another mesh) at places, one colour each."""
    n = len(places)
    scene = Scene("blocks", np.array([0.0, 1.0]), [f"b{k}" for k in range(n)], np.tile(np.array(places, float), (2, 1, 1)),
                  np.tile(ONE, (2, n, 1)), dim, (0.0, 1.0, 0.0) if dim == 2 else (0.0, 0.0, 1.0))
    scene.meshes, scene.materials = [mesh or box()], [Material(c) for c in colours]
    scene.parts = [Part(k, 0, k, np.zeros(3), ONE, np.full(3, size)) for k in range(n)]
    return scene


def where(image, colour):
    """Mean pixel (x, y) of what looks red, green or blue, and how much there is."""
    x = image.astype(int)
    k = "rgb".index(colour)
    mask = x[..., k] > 1.5 * np.delete(x, k, axis=2).max(axis=2)
    rows, columns = np.nonzero(mask)
    return columns.mean(), rows.mean(), mask.sum()


def test_right_is_right_and_up_is_up():
    scene = blocks([(1, 0, 0), (0, 1, 0), (-1, -1, 0)], ["red", "lime", "blue"], dim=2)
    image = Renderer(scene, Look(320, 240)).picture(0)
    (rx, ry, _), (gx, gy, _), (bx, by, _) = (where(image, c) for c in "rgb")
    assert bx < gx < rx and gy < ry < by  # seen from +z: x to the right, y up
    scene = blocks([(1, 0, 0), (0, 0, 1), (0, 1.5, 0)], ["red", "lime", "blue"])
    front = Renderer(scene, Look(320, 240), camera="front").picture(0)  # seen along +y
    (rx, ry, _), (gx, gy, _) = (where(front, c) for c in "rg")
    assert gx < rx and gy < ry
    top = Renderer(scene, Look(320, 240), camera="top").picture(0)
    (rx, _, _), (bx, _, _) = (where(top, c) for c in "rb")
    assert rx != pytest.approx(bx, abs=5)


def test_nearer_hides_farther_and_size_follows_distance():
    scene = blocks([(0, 0, 0), (0, 1, 0)], ["red", "blue"])
    image = Renderer(scene, Look(160, 120), camera="front").picture(0)
    assert where(image, "r")[2] > 500 and not (image[..., 2] > 1.5 * image[..., :2].max(axis=2)).any()
    scene = blocks([(-0.5, 0, 0), (0.5, 4, 0)], ["red", "blue"])
    image = Renderer(scene, Look(320, 240), camera=(0.0, -1.0, 0.15)).picture(0)  # in perspective
    assert where(image, "r")[2] > 1.3 * where(image, "b")[2]


def test_edges_are_smooth_and_a_ball_is_round():
    scene = blocks([(0, 0, 0)], ["red"], size=1.0, mesh=sphere())
    look = Look(240, 240, grid=False)
    image = Renderer(scene, look, camera="front").picture(0).astype(int)
    red = image[..., 0] - image[..., 2]
    inside = red > 60
    area = np.pi / 4 * (np.ptp(np.nonzero(inside.any(axis=0))[0]) + 1) ** 2
    assert inside.sum() == pytest.approx(area, rel=0.02)
    row = red[120]
    edge = np.flatnonzero(np.diff(np.sign(row - 60)))[0]
    assert len({int(v) for v in row[edge - 2:edge + 4]}) >= 3  # steps in between: antialiased
    shades = image[inside]
    assert shades[:, 0].max() - shades[:, 0].min() > 80  # lit from one side


def test_shadows_fall_on_the_floor():
    scene = blocks([(0, 0, 1)], ["white"])
    scene.parts.append(Part(0, 0, 0, np.array([0, 0, -1.0]), ONE, np.full(3, 0.01)))  # the floor stays below
    lit, dark = (Renderer(scene, Look(320, 240, shadows=s), camera="top", zoom=0.3).picture(0).astype(int) for s in (False, True))
    darker = (lit - dark).max(axis=2) > 25
    assert 200 < darker.sum() < 0.2 * darker.size
    same = np.abs(lit - dark).max(axis=2) == 0
    assert same.mean() > 0.7  # elsewhere nothing changes


def test_behind_the_camera_and_transparent():
    scene = blocks([(0, 0, 0), (0, 0, 0)], ["red", "blue"], size=1.0)
    scene.parts[0].scale = np.array([40.0, 40.0, 0.1])  # reaches far behind the camera
    image = Renderer(scene, Look(160, 120, grid=False), camera="iso", zoom=12.0).picture(0)
    assert where(image, "r")[2] + where(image, "b")[2] > 0.5 * 160 * 120
    glass = blocks([(0, 0, 0), (0, 1, 0)], ["red", "blue"], size=0.6)
    glass.materials[0] = Material("red", opacity=0.5)
    image = Renderer(glass, Look(160, 120, grid=False), camera="front").picture(0)
    middle = image[60, 80].astype(int)
    assert middle[0] > 60 and middle[2] > 60  # both are seen


def test_following_and_orbiting_cameras(four_bar):
    from dalembert.viewer.scene.from_results import scene_of

    scene = scene_of(four_bar)
    renderer = Renderer(scene, Look(320, 240), camera="follow crank")
    for frame in (0, 40, 90):
        camera = renderer.shots.at(frame)
        offset = (scene.position[frame, 0] - camera.eye) @ camera.axes.T
        assert np.allclose(offset[:2], 0, atol=1e-9)  # the crank stays in the middle
    turning = Renderer(scene, Look(320, 240), camera="orbit").shots
    assert turning.at(0).axes[2] @ turning.at(100).axes[2] < 0.9
    for wrong, says in (("folow", "no view 'folow'"), ("follow crnk", "no body 'crnk'"), ((0, 0), "three components"),
                        ({"vew": "iso"}, "vew is not known")):
        with pytest.raises(da.AnalysisError, match=says):
            Renderer(scene, Look(64, 64), camera=wrong)


def test_a_following_camera_sees_what_travels_by_its_own_size():
    from dalembert.viewer.scene.from_results import scene_of

    scene = scene_of(da.simulate(catalog.make("whipple"), 2.0))
    size = np.linalg.norm(scene.position[0] - scene.position[0, 0], axis=1).max()
    camera = Renderer(scene, Look(320, 240), camera="follow rear frame").shots.at(50)
    height = camera.height * np.linalg.norm(camera.eye - scene.position[50, 0])
    assert 3.9 * size < height < 4.1 * size  # the picture's height, where the bicycle is


def test_speed_of_a_thousand_boxes():
    rng = np.random.default_rng(1)
    n = 1011
    scene = blocks(rng.uniform([-13, -13, 0], [13, 13, 8], size=(n, 3)), ["steelblue"] * n, size=0.9)
    q = rng.normal(size=(2, n, 4))
    scene.quaternion = q / np.linalg.norm(q, axis=-1, keepdims=True)
    renderer = Renderer(scene, Look(1280, 720))
    work = renderer._work()
    renderer.picture(0, work)
    best = np.inf
    for _ in range(3):
        begin = time.thread_time()
        renderer.picture(1, work)
        best = min(best, time.thread_time() - begin)
    assert best < 0.5, f"{best:.3f} CPU s per frame; two cores then make {2 / best:.1f} frames per second"


def test_video_of_five_seconds(tmp_path, four_bar):
    av = pytest.importorskip("av")
    run = da.simulate(four_bar.model, 5.0)
    run.render(tmp_path / "warm.png", size=(64, 48))  # loads the kernels
    begin = time.process_time()
    shares = []
    run.render(tmp_path / "x.mp4", traces=True, progress=shares.append)
    seconds = (time.process_time() - begin) / 2
    assert seconds < 15, f"{seconds:.1f} s on two cores"
    with av.open(str(tmp_path / "x.mp4")) as file:
        stream = file.streams.video[0]
        pictures = [frame.to_ndarray(format="rgb24") for frame in file.decode(stream)]
        assert (stream.width, stream.height, float(stream.average_rate)) == (1280, 720, 30.0)
    assert len(pictures) == 150 == len(shares) and shares[-1] == 1.0
    run.render(tmp_path / "x.png", at=2.0, traces=True)
    one = _png(tmp_path / "x.png").astype(float)
    assert np.abs(pictures[60] - one).mean() < 3 < np.abs(pictures[0] - one).mean() + 2  # frame 60 is at two seconds
    assert list(tmp_path.glob(".x*")) == []


def _png(path):
    image = pytest.importorskip("PIL.Image", reason="pillow reads PNG files here")
    return np.asarray(image.open(path))


def test_pictures_in_a_folder(tmp_path, bricard):
    bricard.render(tmp_path / "frames", size=(96, 64), fps=1, arrows=True, theme="dark", camera="orbit")
    files = sorted((tmp_path / "frames").glob("[!.]*"))
    assert [f.name for f in files] == [f"frame{k:04d}.png" for k in range(10)]
    images = [_png(f) for f in files]
    assert images[0].shape == (64, 96, 3)
    assert all(np.abs(a.astype(int) - b).mean() > 1 for a, b in itertools.pairwise(images))


def test_png_is_lossless(tmp_path):
    image = np.random.default_rng(0).integers(0, 256, (37, 53, 3), dtype=np.uint8)
    (tmp_path / "x.png").write_bytes(encode(image))
    assert np.array_equal(_png(tmp_path / "x.png"), image)


def test_png_of_few_colours(tmp_path):
    image = pytest.importorskip("PIL.Image")
    colours = np.random.default_rng(1).integers(0, 256, (40, 3), dtype=np.uint8)
    picture = colours[np.random.default_rng(2).integers(0, 40, (37, 53))]
    (tmp_path / "x.png").write_bytes(encode_few(picture, 64))
    assert np.array_equal(np.asarray(image.open(tmp_path / "x.png").convert("RGB")), picture)  # as many as there are: exact
    smooth = (np.add.outer(np.arange(90), np.arange(120))[..., None] * np.array([1.2, 0.8, 0.4])).astype(np.uint8)
    (tmp_path / "x.png").write_bytes(encode_few(smooth, 64))
    seen = np.asarray(image.open(tmp_path / "x.png").convert("RGB"), float)
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) == 64 and np.abs(seen - smooth).max() < 8
    (tmp_path / "x.png").write_bytes(encode_few(np.full((4, 5, 3), 200), 64))
    assert (np.asarray(image.open(tmp_path / "x.png").convert("RGB")) == 200).all()


@pytest.mark.parametrize("options, says", [
    ({"size": (1, 1)}, "whole number 16"), ({"fps": 0}, "fps is a positive number"), ({"speed": -1}, "speed is a positive"),
    ({"theme": "pink"}, "theme is light or dark"), ({"at": 99.0, "path": "x.png"}, "outside the result"),
    ({"path": "x.gif"}, "neither a video"),
    ({"arrows": "wind", "path": "x.png"}, "not 'wind'"), ({"path": "none/x.mp4"}, "folder .* does not exist"),
    ({"fps": 1e7}, "too many"),
    ({"size": (101, 100)}, "even width"), ({"size": 5}, "size is"), ({"zoom": 0.0, "camera": {"zoom": -1}}, "zoom is a positive"),
])
def test_what_cannot_be_rendered(tmp_path, four_bar, options, says):
    options = dict(options)
    path = tmp_path / options.pop("path", "x.mp4")
    with pytest.raises((da.AnalysisError, da.FileError), match=says):
        four_bar.render(path, **options)
    assert not path.exists()


CHILD = """
import json, sys, numpy as np
sys.path.insert(0, {folder!r})
import test_render as t
from dalembert.viewer.renderer.frames import Look, Renderer
scene = t.blocks([(0, 0, 0), (0.4, 0.3, 0.5)], ["red", "steelblue"], size=0.5)
image = Renderer(scene, Look(24, 18, shadows=False), camera="iso").picture(0)
print(json.dumps(image.ravel().tolist()))
"""


def test_kernels_give_the_same_picture_as_plain_python():
    code = CHILD.format(folder=str(Path(__file__).parent))
    images = []
    for mode in ("0", "1"):
        done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(SRC), "DALEMBERT_JIT": mode},
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        images.append(np.array(json.loads(done.stdout)))
    off = np.abs(images[0] - images[1])
    assert (off > 1).mean() < 0.02 and images[0].std() > 10  # a sample on an edge may fall to the other side
