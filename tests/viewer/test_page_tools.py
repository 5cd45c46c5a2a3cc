"""The page's Render button, its free-body diagrams, and white parts told apart."""

import io
import zipfile

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.elements.materials import Material
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.daylight import bright, linear, sharp_edges, toned
from dalembert.viewer.scene.from_results import scene_of

WHITE = """pos .dat
1 1
3 2
1 Cube.mesh 10 .5 10 white
2 Cube.mesh 1 1 1 white
"""
PLACES = "1, 0, -0.25, 0, 1, 0, 0, 0\n2, 1, .5, 1, 1, 0, 0, 0\n3, -2, .5, 0, .92, 0, .38, 0\n"


@pytest.fixture
def white(tmp_path):
    (tmp_path / "conf.txt").write_text(WHITE)
    (tmp_path / "pos000.dat").write_text(PLACES)
    return da.read_frames(tmp_path)


def pixels(data):
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(io.BytesIO(data)).convert("L"), float)


def test_render_saves_every_frame(show, four_bar):
    page = show(four_bar)
    page.page.click("#render-button")
    page.page.select_option("#render select[name=kind]", "png")
    page.page.fill("#render input[name=fps]", "2")
    page.page.select_option("#render select[name=size]", "view")
    page.page.evaluate("dalembert.setSpeed(1)")
    with page.page.expect_download() as waiting:
        page.page.click("#render button[name=go]")
    assert waiting.value.suggested_filename == "four-bar-render.zip"
    archive = zipfile.ZipFile(waiting.value.path())
    assert archive.testzip() is None and archive.namelist() == [f"render/frame{k:04d}.png" for k in range(5)]
    first, last = (pixels(archive.read(n)) for n in ("render/frame0000.png", "render/frame0003.png"))
    assert first.shape == last.shape == (page.js("2 * Math.floor(document.getElementById('view').clientHeight / 2)"), 660)
    assert np.abs(first - last).max() > 60 and first.min() > 0  # they differ, on a background
    page.page.wait_for_function("document.querySelector('#render output').textContent.startsWith('saved')")
    page.page.click("#render button[name=shut]")
    page.settle()
    canvas, view = (page.js(f"document.getElementById('{n}').clientWidth") for n in ("canvas", "view"))
    assert canvas == view and page.js("dalembert.index") == 0 and page.complaints == []  # as it was before


def test_render_to_video_has_exact_times(show, four_bar):
    av = pytest.importorskip("av")
    page = show(four_bar)
    if not page.js("typeof VideoEncoder === 'function'"):
        pytest.skip("this browser has no encoder")
    made = page.js("dalembert.setSpeed(2), dalembert.render({ kind: 'webm', width: 320, height: 180, fps: 5 })"
                   ".then(b => b.arrayBuffer()).then(b => Array.from(new Uint8Array(b)))")
    with av.open(io.BytesIO(bytes(made))) as film:
        times = [f.time for f in film.decode(video=0)]
    assert np.allclose(times, np.arange(6) / 5, atol=1e-3)
    assert page.js("dalembert.render({ fps: 1e6 }).catch(e => e.message)").endswith("or a higher speed.")


def test_free_bodies_follow_the_time_line(show, four_bar):
    page = show(four_bar, diagrams=3)
    page.page.click("#diagrams summary")
    page.settle()
    for k in (0, len(four_bar.t) // 2, len(four_bar.t) - 1):
        page.js(f"dalembert.frame({k})")
        page.settle()
        assert page.js("+document.querySelector('#diagrams svg').dataset.t") == pytest.approx(four_bar.t[k])
    assert page.page.locator("#diagrams svg g.arrow").count() == len(four_bar.fbd(sample=-1).svg.split('class="arrow"')) - 1
    page.page.click("#diagram-large")
    assert page.js("document.getElementById('diagram').open") is True
    clash = """(() => { const t = [...document.querySelectorAll('#diagram .free-body text')].map(e => e.getBoundingClientRect());
        let n = 0; for (let i = 0; i < t.length; i++) for (let j = 0; j < i; j++)
        if (Math.min(t[i].right, t[j].right) - Math.max(t[i].left, t[j].left) > 2
            && Math.min(t[i].bottom, t[j].bottom) - Math.max(t[i].top, t[j].top) > 4) n++; return n; })()"""
    assert page.js(clash) == 0  # as the browser sets them, no label lies over another
    assert page.complaints == [] and page.fetched == []


def test_which_results_bring_diagrams(four_bar, white):
    from dalembert.viewer.diagrams.along import along

    assert len(along(four_bar)) == 5 and along(four_bar, 0) == [] and along(white) == []
    assert [round(t, 6) for t, _ in along(four_bar, [0.5])] == [round(float(four_bar.t[np.argmin(abs(four_bar.t - 0.5))]), 6)]
    assert along(da.accelerations(catalog.make("chain"))) == []
    for wrong, says in ((-1, "0 … 200"), ("x", "how many, or a list"), ([99.0], "outside the result")):
        with pytest.raises(da.AnalysisError, match=says):
            along(four_bar, wrong)


def test_white_is_toned_and_colours_stay():
    snow = toned(Material("white", specular="white"))
    assert linear(snow.diffuse) == pytest.approx([0.6975] * 3) and linear(snow.specular).max() < 0.25
    for name in ("red", "#4a8ad4", "#ee8434", "gray"):
        assert toned(Material(name)) == Material(name) and not bright(Material(name))
    assert bright(Material("white")) and len(sharp_edges(solids.box())) == 12
    assert len(sharp_edges(solids.cylinder())) == 2 * solids.ROUND  # its two rims
    assert len(sharp_edges(solids.sphere())) == 0


def told_apart(image):
    """How many of the pixels are neither clipped nor alike their neighbours: edges between faces that are all white."""
    return (np.abs(np.diff(image, axis=1)) > 12).sum()


def test_white_cubes_on_a_white_tray_are_seen(white, tmp_path, monkeypatch):
    white.render(tmp_path / "a.png", size=(320, 200), grid=False, shadows=False)
    picture = pixels((tmp_path / "a.png").read_bytes())
    inner = picture[60:160, 60:260]
    assert inner.max() < 252  # nothing is blown out
    from dalembert.viewer.renderer import frames

    monkeypatch.setattr(frames, "toned", lambda m: m)
    monkeypatch.setattr(frames, "bright", lambda m: False)
    white.render(tmp_path / "b.png", size=(320, 200), grid=False, shadows=False)
    before = pixels((tmp_path / "b.png").read_bytes())
    assert before[60:160, 60:260].max() >= 254 and told_apart(picture) > 1.3 * told_apart(before)


def test_the_page_draws_their_edges(show, white):
    page = show(white)
    assert page.js("dalembert.world.batches.map(b => b.children.length)") == [1]
    assert page.js("dalembert.world.batches[0].children[0].geometry.attributes.position.count") == 24
    assert scene_of(white).materials[0].diffuse == (1, 1, 1)  # the scene itself keeps its colours
    assert page.complaints == []
