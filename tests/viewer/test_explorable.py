"""Sliders of a page: variants are what Python computes for them, with and without a browser."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.viewer.page.explored import explored
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import rotate

SLIDERS = {"l2": [0.1, 0.2], "l3": [0.1, 0.5], "omega2": [5.0, 20.0]}


def variant_of(run, **values):
    model = run.model.copy()
    for name, value in values.items():
        model.parameters[name] = value
    return da.simulate(model, float(run.t[-1]))


@pytest.fixture(scope="module")
def crank():
    return da.simulate(catalog.make("slider-crank"), 0.5)


@pytest.fixture(scope="module")
def page_file(crank, tmp_path_factory):
    return crank.view(tmp_path_factory.mktemp("page") / "x.html", sliders=SLIDERS, units={"l2": "m"}, diagrams=0,
                      plot=("piston.x", "A.force.norm"))


def chunks(text):
    """Header and data of every variant, as page/src/data.js reads them."""
    for stored in re.findall(r'class="variant">(.*?)</script>', text):
        raw = gzip.decompress(base64.b64decode(stored))
        n = int.from_bytes(raw[:4], "little")
        yield json.loads(raw[4 : 4 + n]), raw[4 + n :]


def test_each_slider_alone_and_all_combined(crank):
    alone = explored(crank, {"l2": [0.1, 0.2], "m4": [1.0, 2.0, 3.0]})
    assert [a.values for a in alone.axes] == [(0.1, 0.15, 0.2), (1.0, 2.0, 3.0)] and [a.base for a in alone.axes] == [1, 1]
    assert alone.rows == [(0, 1), (2, 1), (1, 0), (1, 2)]  # the run's own values stand for the others
    both = explored(crank, {"l2": [0.1], "m4": [1.0]}, combined=True)
    assert sorted(both.rows) == [(0, 0), (0, 1), (1, 0)]
    other = variant_of(crank, l2=0.1, m4=1.0)
    assert np.array_equal(both.results[both.rows.index((0, 0))].q, other.q)


def test_variants_are_computed_as_the_run_was():
    run = da.simulate(catalog.make("slider-crank"), 0.2, rtol=1e-3, atol=1e-4, integrator="rk8")
    model = catalog.make("slider-crank")
    model.parameters["l2"] = 0.1
    same, finer = da.simulate(model, 0.2, rtol=1e-3, atol=1e-4, integrator="rk8"), da.simulate(model, 0.2)
    found = explored(run, {"l2": [0.1]}).results[0]
    assert np.array_equal(found.q, same.q) and not np.array_equal(found.q, finer.q)


def test_a_variant_says_only_what_is_other(page_file):
    text = page_file.read_text(encoding="utf-8")
    found = list(chunks(text))
    assert len(found) == 6
    heads = [h for h, _ in found]
    assert "It follows from l2 = 0.15" in heads[2]["failed"]  # l3 < l2 sin θ: the rod does not reach
    assert {"vertices", "parts", "poses"} <= set(heads[0]["blocks"])  # another length: other shapes
    fast = heads[5]  # another speed: same shapes (but for the length of the rail)
    assert "vertices" not in fast["blocks"] and {"poses", "channels"} <= set(fast["blocks"])
    assert "names" not in fast and "check" not in fast and "certificate" in fast
    assert not any({"arrow_scale", "stage"} & set(h) for h in heads)  # a newton is as long, a metre as large, in all of them
    base = json.loads(re.search(r'id="scene">(.*?)</script>', text, re.DOTALL)[1])
    assert base["sliders"]["axes"][0] == {"name": "l2", "unit": "m", "values": [0.1, 0.15, 0.2], "base": 1}


def test_what_cannot_have_sliders_is_told(crank):
    for sliders, says in (({"l9": [1]}, "no parameter 'l9'"), ({"l2": ["x"]}, "are numbers"), ([1], "is a dict"),
                          ({"l2": [np.inf]}, "finite"), ({"l2": np.linspace(0.1, 0.2, 600)}, "600 variants|601 variants")):
        with pytest.raises(da.AnalysisError, match=says):
            explored(crank, sliders)
    with pytest.raises(da.AnalysisError, match="leave combined=True away"):
        explored(crank, {p: np.linspace(0.1, 0.2, 20) for p in ("l2", "l3", "m2")}, combined=True)
    with pytest.raises(da.AnalysisError, match="one result of simulate"):
        explored(da.assemble(crank.model), {"l2": [0.1]})
    later = da.simulate(crank.model, 0.9, start=crank.t[-1], state=crank.state())
    with pytest.raises(da.AnalysisError, match="a state of its own"):
        explored(later, {"l2": [0.1]})


def test_texts_and_units_of_nothing_are_told(crank, tmp_path):
    with pytest.raises(da.AnalysisError, match="are numbers, got '12'"):
        explored(crank, {"l2": "12"})
    with pytest.raises(da.AnalysisError, match="units: there is no slider 'l3'"):
        explored(crank, {"l2": [0.1]}, units={"l3": "m"})
    with pytest.raises(da.AnalysisError, match="give sliders too"):
        crank.view(tmp_path / "x.html", units={"l2": "m"})


def test_driven_motions_have_sliders_too(tmp_path):
    motion = da.kinematics(catalog.make("slider-crank-driven"), 0.3)
    found = explored(motion, {"l3": [0.5]})
    model = motion.model.copy()
    model.parameters["l3"] = 0.5
    assert np.allclose(found.results[0]["piston"].position, da.kinematics(model, 0.3)["piston"].position, atol=1e-12)


def drawn_as(scene, k, frame):
    part = scene.parts[k]
    columns, place = rotate(part.quaternion, np.diag(part.scale)), part.position
    if part.body >= 0:
        q = scene.quaternion[frame, part.body]
        columns, place = rotate(q, columns), scene.position[frame, part.body] + rotate(q, part.position)
    return np.column_stack([columns.T, place])


def test_sliders_move_everything(show, crank, page_file):
    page = show(page_file)
    assert page.js("dalembert.unpacking.chunks") == 6
    for k, value, parameters in ((0, 0, {"l2": 0.1}), (2, 2, {"omega2": 20.0}), (1, 2, {"l3": 0.5})):
        page.js(f"(() => {{ const s = document.getElementById('slider-{k}'); s.value = {value};"
                "s.dispatchEvent(new Event('input')); })()")
        page.page.wait_for_function(f"dalembert.explorer.at[{k}] === {value} && dalembert.head !== dalembert.base.head")
        page.settle()
        other = variant_of(crank, **parameters)
        scene = scene_of(other)
        size = np.ptp(scene.position, axis=(0, 1)).max()
        for frame in (0, 77, 200):
            page.js(f"dalembert.frame({frame})")
            page.settle()
            for part in range(len(scene.parts)):
                shown = np.array(page.js(f"dalembert.matrix({part})")).reshape(4, 4).T[:3]
                assert np.abs(shown - drawn_as(scene, part, frame)).max() < 1e-6 * size, (parameters, frame, part)
            arrow = [a.name for a in scene.arrows].index("A")
            vectors = scene.arrows[arrow].vectors
            assert np.allclose(page.js(f"Array.from(dalembert.world.arrows.at({arrow}, {frame}))"), vectors[frame],
                               atol=1e-6 * np.abs(vectors).max())
        shown = page.js("dalembert.chart.plots[0].data.map(x => Array.from(x))")  # t, the variant's, and dashed the run's own
        for series, of in ((shown[1], other), (shown[2], crank)):
            assert np.allclose(series, of["piston"].position[:, 0], atol=1e-7)
        column = page.js("dalembert.chart.series(dalembert.head.channels.findIndex(c => c.name === 'piston.position.x'))")
        assert np.allclose(column, other["piston"].position[:, 0], atol=1e-7)
        assert page.js("document.querySelector('#certificate pre').textContent").split() != crank.certificate.__str__().split()
        assert page.js("[...dalembert.world.paths[0].line.geometry.attributes.position.array.slice(0, 2)]") == pytest.approx(
            list(scene.points(scene.traces[0].body, scene.traces[0].local)[0, :2]), abs=1e-6)
    assert page.js("dalembert.explorer.at") == [1, 2, 1]  # the others went back
    with page.page.expect_download() as waiting:
        page.page.click("#csv")
    assert waiting.value.suggested_filename == "slider-crank-l3-0.5.csv"  # a table says whose numbers it has
    table = np.loadtxt(waiting.value.path(), delimiter=",", skiprows=1)
    assert np.allclose(table[:, 1], other["piston"].position[:, 0], atol=1e-7)
    page.js("dalembert.explorer.move(1, 0)")
    page.page.wait_for_function("!document.getElementById('failed').hidden")
    page.page.click("#sliders-back")
    page.page.wait_for_function("dalembert.head === dalembert.base.head && document.getElementById('failed').hidden")
    assert page.complaints == [] and page.fetched == []


def test_the_keyboard_moves_a_slider_and_links_keep_it(show, page_file):
    page = show(page_file)
    page.page.focus("#slider-0")
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_function("dalembert.explorer.at[0] === 2")
    assert page.js("document.getElementById('slider-0').getAttribute('aria-valuetext')") == "0.2 m"
    assert page.js("dalembert.index") == 0  # the arrow was the slider's
    page.js("dalembert.seek(0.25)")
    page.page.locator("#canvas").focus()
    for key in ("1", "+", "Alt+ArrowLeft"):
        page.page.keyboard.press(key)
    page.settle()
    camera = "[...dalembert.eye.camera.position.toArray(), ...dalembert.eye.controls.target.toArray(), dalembert.eye.tall()]"
    seen, link = page.js(camera), page.js("dalembert.link")
    assert "set=2,1,1" in link and "t=0.25" in link
    page.page.goto("about:blank")
    page.page.goto(link)
    page.js("dalembert.ready")
    assert page.js("dalembert.explorer.at") == [2, 1, 1] and page.js("dalembert.time") == pytest.approx(0.25)
    page.settle()
    assert page.js(camera) == pytest.approx(seen, rel=1e-4, abs=1e-4)
