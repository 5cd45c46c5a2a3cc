"""The page in a real browser: it opens from a file, asks for nothing, and what it draws is the result."""

import importlib.util
import io
import re
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import rotate

PICTURES = Path(__file__).parent / "pictures"
_spec = importlib.util.spec_from_file_location("boxes", Path(__file__).with_name("boxes.py"))
boxes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(boxes)


def expected(scene, k, index):
    """Matrix (3×4) of part k at a whole frame number, from the result's own numbers."""
    part = scene.parts[k]
    columns = rotate(part.quaternion, np.diag(part.scale))  # rows are the scaled axes of the part
    if part.body >= 0:
        q = scene.quaternion[index, part.body]
        columns = rotate(q, columns)
        place = scene.position[index, part.body] + rotate(q, part.position)
    else:
        place = part.position
    return np.column_stack([columns.T, place])


def drawn(page, k):
    return np.array(page.js(f"dalembert.matrix({k})")).reshape(4, 4).T[:3]


@pytest.mark.parametrize("name, theme", [("four_bar", "light"), ("bricard", "dark")])
def test_page_shows_the_result(show, request, name, theme):
    run = request.getfixturevalue(name)
    scene = scene_of(run)
    page = show(run, theme=theme)
    assert page.js("document.title") == run.model.name
    size = np.ptp(scene.position, axis=(0, 1)).max()
    for value in (0, 333, 1000):  # scrub as a person would
        page.js(f"(() => "
                f"{{ const s = document.getElementById('scrub'); s.value = {value}; s.dispatchEvent(new Event('input')); }})()")
        page.settle()
        index = page.js("dalembert.index")
        assert index == pytest.approx(value / 1000 * (scene.frames - 1), abs=1e-6)
        page.js(f"dalembert.frame({round(index)})")
        page.settle()
        for k in range(0, len(scene.parts), 2):
            assert np.allclose(drawn(page, k), expected(scene, k, round(index)), atol=5e-5 * size), (value, k)
    assert page.js("document.documentElement.dataset.theme") == theme
    assert page.complaints == [] and page.fetched == []


def test_play_pause_speed_and_loop(show, four_bar):
    page = show(four_bar)
    before = page.js("dalembert.index")
    page.page.click("#play")
    page.page.wait_for_function(f"dalembert.index > {before} + 3")
    page.page.click("#play")
    stopped = page.js("dalembert.index")
    page.settle()  # frames that a motion would have moved on in
    assert page.js("dalembert.index") == stopped
    page.page.select_option("#speed", "5")
    assert page.js("dalembert.rate") == 5
    page.js("dalembert.frame(dalembert.poses.frames - 2); dalembert.toggle(true)")
    page.page.wait_for_function("dalembert.index < 150")  # it loops
    page.js("dalembert.setLoop(false); dalembert.frame(dalembert.poses.frames - 2)")
    page.page.wait_for_function("!dalembert.playing")  # and stops at the end when told so
    assert page.js("dalembert.index") == len(four_bar.t) - 1


def test_keyboard(show, four_bar):
    page = show(four_bar)
    key = page.page.keyboard.press
    key("End")
    assert page.js("dalembert.index") == len(four_bar.t) - 1
    key("ArrowLeft")
    assert page.js("dalembert.index") == len(four_bar.t) - 2
    key("Home")
    key("ArrowRight")
    assert page.js("dalembert.index") == 1
    key("Shift+ArrowRight")
    assert page.js("dalembert.index") == 1 + round(len(four_bar.t) / 10)
    key("Space")
    assert page.js("dalembert.playing") is True
    key("Space")
    assert page.js("dalembert.playing") is False
    dark = page.js("dalembert.dark")
    key("d")
    assert page.js("dalembert.dark") is not dark
    key("g")
    assert page.js("dalembert.world.floor.visible") is False
    key("1")
    assert page.js("dalembert.eye.name") == "iso"
    key("p")
    assert page.js("getComputedStyle(document.getElementById('panel')).display") == "none"
    key("?")
    assert page.js("document.getElementById('help').open") is True
    assert page.complaints == []


def test_arrows_are_the_forces(show, squeezer):
    page = show(squeezer)
    scene = scene_of(squeezer)
    assert {a.kind for a in scene.arrows} == {"force", "torque", "reaction"}
    for name in ("show-force", "show-torque", "show-reaction"):
        page.page.check(f"#{name}")
    page.js("dalembert.frame(120)")
    page.settle()
    for k, arrow in enumerate(scene.arrows):
        shown = page.js(f"Array.from(dalembert.world.arrows.at({k}, 120))")
        assert np.allclose(shown, arrow.vectors[120], atol=1e-4 * np.abs(arrow.vectors).max())
        group = page.js(f"(g => [g.members.indexOf({k}), g.meshes.map(m => Array.from(m.instanceMatrix.array))])"
                        f"(dalembert.world.arrows.groups['{arrow.kind}'])")
        last = np.array(group[1][-1][16 * group[0] : 16 * group[0] + 16]).reshape(4, 4)  # the tip, or the ring, by columns
        along, place = arrow.vectors[120], scene.points(arrow.body, arrow.local)[120]
        size = np.linalg.norm(along) * np.linalg.norm(last[2])
        assert np.linalg.det(last[:3, :3]) > 0 and last[2, :3] @ along > (1 - 1e-6) * size
        if arrow.unit == "N":
            long = np.linalg.norm(along) * page.js("dalembert.world.arrows.per.N")
            assert np.allclose(last[3, :3] + last[2, :3], place + long * along / np.linalg.norm(along), atol=1e-3 * long)
    # rings go round by the right hand: three quarters about z from x on, the cone where they end
    corners = np.array(page.js("Array.from(dalembert.world.arrows.groups.torque.meshes[0].geometry.attributes.position.array)"))
    x, y, _ = corners.reshape(-1, 3).T
    assert not ((x > 0.5) & (y < -0.1) & (y > -0.75)).any() and x[y < -0.99].max() > 0.4
    visible = page.js("Object.values(dalembert.world.arrows.groups).map(g => g.meshes[0].visible)")
    assert visible == [True, True, True]
    note = page.js("document.querySelector('#show .slider small').textContent")
    said = re.fullmatch(r"([\d.]+) m ≙ ([\d.]+) N, ([\d.]+) N m", note)
    for unit, value in zip(("N", "N m"), said.groups()[1:], strict=True):  # what that length is worth
        assert float(value) == pytest.approx(float(said[1]) / page.js(f"dalembert.world.arrows.per['{unit}']"), rel=6e-3)
    length = """(() => { const g = dalembert.world.arrows.groups.reaction.meshes[0].instanceMatrix.array;
        return Math.hypot(g[8], g[9], g[10]); })()"""
    long = page.js(length)
    page.js("(() => { const s = document.getElementById('arrow-scale'); s.value = 0.5; s.dispatchEvent(new Event('input')); })()")
    page.settle()
    assert page.js(length) > 1.5 * long
    page.page.uncheck("#show-reaction")
    assert page.js("dalembert.world.arrows.groups.reaction.meshes[0].visible") is False
    assert page.complaints == []


def test_plots_follow_time(show, four_bar):
    page = show(four_bar, plot=("B.force", "crank.angle"))
    names = page.js("dalembert.chart.chosen.map(k => dalembert.head.channels[k].name)")
    assert names == ["B.force.x", "B.force.y", "crank.angle"]
    k = page.js("dalembert.head.channels.findIndex(c => c.name === 'B.force.y')")
    shown = np.array(page.js(f"dalembert.chart.series({k})"))
    assert np.allclose(shown, four_bar["B"].force[:, 1], rtol=1e-6, atol=1e-5)
    page.js("dalembert.frame(100)")
    page.settle()
    assert page.js("dalembert.chart.now") == pytest.approx(four_bar.t[100])
    reading = page.js(f"dalembert.chart.readings.get({k}).textContent")
    assert reading.endswith(" N") and float(reading.split()[0]) == pytest.approx(four_bar["B"].force[100, 1], rel=1e-3)
    assert page.page.locator("#chart .u-over").count() == 2  # newtons and radians
    box = page.page.locator("#chart .u-over").first.bounding_box()
    page.page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 20)
    assert page.js("dalembert.time") == pytest.approx(0.25 * four_bar.t[-1], rel=0.05)
    page.page.fill("#filter", "energy kin")
    assert page.page.locator("#channels label").count() == 1
    page.page.check("#channels input")
    assert page.js("dalembert.chart.chosen.length") == 4
    assert page.complaints == []


def test_axis_labels_are_not_rounded_into_each_other(show, four_bar):
    page = show(da.simulate(four_bar.model, 4e-4))
    labels = page.js("dalembert.chart.plot.axes[0]._values")
    assert [float(s) for s in labels] == pytest.approx(page.js("dalembert.chart.plot.axes[0]._splits")) and labels[1] == "1e-4"
    for values, step, texts in (([-2.5e5, 0, 2.5e5], 2.5e5, ["-2.5e5", "0", "2.5e5"]), ([1.2e5, 1.4e5], 2e4, ["1.2e5", "1.4e5"]),
                                ([0, 0.1, 0.1 + 0.2], 0.1, ["0", "0.1", "0.3"]),
                                ([1837.0002, 1837.0004], 2e-4, ["1837.0002", "1837.0004"])):
        assert page.js(f"dalembert.chart.plot.axes[1].values(null, {values}, 1, 50, {step})") == texts


def test_the_camera_goes_with_what_travels(show, four_bar):
    run = da.simulate(catalog.make("whipple"), 2.0)
    page = show(run)
    view = "[...dalembert.eye.controls.target.toArray(), ...dalembert.eye.camera.position.toArray()]"
    far = np.array(page.js(view))
    page.page.check("#follow")
    for k in (0, 150):
        page.js(f"dalembert.frame({k})")
        page.settle()
        target, eye = np.array(page.js(view)).reshape(2, 3)
        assert np.allclose(target, run["rear frame"].position[k], atol=1e-3)
        assert np.linalg.norm(eye - target) < 0.6 * np.linalg.norm(far[3:] - far[:3])
    page.page.keyboard.press("c")
    assert page.page.is_checked("#follow") is False and np.allclose(page.js(view), far)
    page = show(four_bar)
    page.page.check("#follow")  # also in the plane
    page.settle()
    assert np.allclose(page.js(view)[:2], four_bar["crank"].position[0], atol=1e-3) and page.complaints == []


def test_resizing_and_phone_keep_the_picture_right(show, four_bar):
    page = show(four_bar)
    inside = """(() => { const c = dalembert.eye.camera, w = dalembert.head.stage.cloud; let m = 0; c.updateMatrixWorld();
        for (let k = 0; k < w.length; k += 3) { const p = dalembert.eye.controls.target.clone().set(w[k], w[k+1],
                                                                                                    w[k+2]).project(c);
        m = Math.max(m, Math.abs(p.x), Math.abs(p.y)); } return m; })()"""
    for size in ((1000, 640), (700, 900), (390, 780)):
        page.page.set_viewport_size({"width": size[0], "height": size[1]})
        page.settle()
        canvas, view = (page.js(f"[document.getElementById('{n}')].map(e => [e.clientWidth, e.clientHeight])[0]")
                        for n in ("canvas", "view"))
        assert canvas == view and min(view) > 200
        pixels = page.js("(() => { const c = document.getElementById('canvas'); return c.width / c.height; })()")
        assert pixels == pytest.approx(view[0] / view[1], rel=0.01)  # nothing is stretched
        assert 0.6 < page.js(inside) < 1.0  # all of it is seen, and it fills the view
        assert page.js("document.documentElement.scrollWidth") <= size[0]
    phone = show(four_bar, size=(390, 780))
    assert phone.js("getComputedStyle(document.getElementById('panel')).display") == "none"
    phone.page.click("#panel-button")
    assert phone.js("document.getElementById('panel').getBoundingClientRect().width") == 390
    assert page.complaints == [] and phone.complaints == []


def test_several_runs_overlaid(show, four_bar):
    other = da.simulate(four_bar.model, 2.0, rtol=1e-3)
    page = show({"fine": four_bar, "coarse": other})
    assert page.js("dalembert.head.runs") == ["fine", "coarse"]
    assert page.js("dalembert.head.names.length") == 6
    page.page.uncheck("#run-1")
    assert page.js("Array.from(dalembert.world.hidden)") == [0, 0, 0, 1, 1, 1]
    assert page.complaints == []


def test_equations_and_certificate(show, four_bar):
    page = show(four_bar, equations="<math><mi>M</mi><mover><mi>v</mi><mo>˙</mo></mover><mo>=</mo><mi>Q</mi></math>")
    assert page.js("document.querySelector('#equations math mi').textContent") == "M"
    assert "energy residual" in page.js("document.querySelector('#certificate pre').textContent")
    assert page.js("document.getElementById('verdict').textContent") == "good"
    assert page.complaints == []


def test_derivation_in_the_panel(show, four_bar, tmp_path):
    """Sections one below the other, the title whole, no formula wider than the panel; and the page that stands alone."""
    import dalembert as da

    eqs = da.derive(four_bar.model, "virtual-work")
    page = show(four_bar, equations=eqs)
    page.page.set_viewport_size({"width": 1280, "height": 900})
    page.js("document.getElementById('equations').open = true")
    places = page.js("[...document.querySelectorAll('#equations section')].map(s => s.getBoundingClientRect())"
                     ".map(r => [r.left, r.top])")
    assert len(places) >= 6 and len({x for x, _ in places}) == 1 and [y for _, y in places] == sorted(y for _, y in places)
    assert page.js("document.querySelector('#equations h3').textContent") == "Principle of virtual work of 'four-bar'"
    wide = "[...document.querySelectorAll('.formula')].filter(f => f.scrollWidth > f.clientWidth + 1).length"
    assert page.js(wide) == 0 and page.complaints == []
    page.page.screenshot(path=str(tmp_path / "panel.png"))
    eqs.html(tmp_path / "page.html")
    page.page.goto((tmp_path / "page.html").as_uri())
    assert page.js(wide) == 0 and page.js("document.documentElement.scrollWidth <= innerWidth")
    brackets = page.js("[...document.querySelectorAll('mo')].filter(m => '[]'.includes(m.textContent))"
                       ".map(m => m.getBoundingClientRect().height)")
    assert brackets and max(brackets) > 30  # they stretch with the matrix


def test_notebook_shows_it_inline_and_offline(browser, tmp_path, four_bar):
    cell = four_bar._repr_html_()
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><meta charset='utf-8'><body>{cell}</body>", encoding="utf-8")
    page = browser.new_page(bypass_csp=True)
    log = []
    page.on("pageerror", lambda e: log.append(str(e)))
    page.on("request", lambda r: log.append(r.url) if r.url.startswith("http") else None)
    page.goto(file.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("window.dalembert && dalembert.first")
    assert frame.evaluate("dalembert.poses.frames") == len(four_bar.t)
    assert log == []
    page.close()


def test_without_webgl_there_is_a_message(show, four_bar):
    page = show(four_bar, before="HTMLCanvasElement.prototype.getContext = () => null;")
    text = page.js("document.getElementById('message').textContent")
    assert "WebGL" in text and page.js("document.getElementById('message').offsetHeight") > 100


def difference(a, b):
    image = pytest.importorskip("PIL.Image")
    first, second = (np.asarray(image.open(io.BytesIO(x)).convert("RGB"), float) for x in (a, b))
    assert first.shape == second.shape
    # blurred: edges may fall a pixel to the side on another machine
    first, second = (sum(np.roll(x, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) / 9 for x in (first, second))
    off = np.abs(first - second)
    return off.mean(), np.quantile(off, 0.999)


@pytest.mark.parametrize("name, theme, size", [("four_bar", "light", (640, 460)), ("bricard", "dark", (640, 460)),
                                               ("squeezer", "light", (640, 460)), ("four_bar", "dark", (390, 844))])
def test_picture_is_the_stored_one(show, request, name, theme, size):
    """After a wanted change of the look: delete the stored picture, run again, look at the new one, commit it."""
    run = request.getfixturevalue(name)
    page = show(run, size=size, theme=theme)
    page.js("dalembert.setPanel(false); dalembert.frame(60); document.getElementById('show-reaction').click()")
    page.js("['triad', 'scale'].forEach(id => { document.getElementById(id).style.display = 'none'; })")
    page.settle()
    # the canvas alone, over its background: no fonts, which differ between machines
    image = page.page.locator("#view").screenshot()
    file = PICTURES / f"{name}-{theme}.png"
    if not file.exists():
        PICTURES.mkdir(exist_ok=True)
        file.write_bytes(image)
        pytest.fail(f"there was no stored picture; {file.name} was written: look at it, and commit it if it is right")
    mean, worst = difference(image, file.read_bytes())
    assert mean < 1.5 and worst < 60, f"{file.name}: differs by {mean:.2f} of 255 in the mean, {worst:.0f} at worst"


@pytest.mark.parametrize("theme, size", [("light", (1280, 800)), ("dark", (1280, 800)), ("light", (390, 844))])
def test_panels_are_the_stored_ones(show, theme, size):
    """The whole page, bars and panels too, its text set in boxes; the canvas is compared above.  Renewed like those pictures."""
    pytest.importorskip("fontTools")
    run = da.simulate(catalog.make("slider-crank"), 0.5)
    page = show(run, size=size, theme=theme, sliders={"l2": [0.1, 0.15, 0.2]}, units={"l2": "m"})
    page.page.add_style_tag(content=boxes.style() + "canvas { visibility: hidden; }")
    page.js("document.fonts.load('12px Boxes').then(() => document.fonts.ready).then(() => 0)")
    page.js("dalembert.setPanel(true); dalembert.frame(30); for (const id of ['check', 'certificate'])"
            "document.getElementById(id).open = true")
    page.js("document.querySelector('#certificate pre').textContent = 'one\\ntwo '.repeat(4)")  # it tells CPU times
    page.settle()
    page.settle()
    whole = page.page.screenshot()
    page.js("document.getElementById('check').scrollIntoView()")
    page.settle()
    for part, image in (("top", whole), ("check", page.page.screenshot())):
        file = PICTURES / f"panels-{theme}-{size[0]}-{part}.png"
        if not file.exists():
            file.write_bytes(image)
            pytest.fail(f"there was no stored picture; {file.name} was written: look at it, and commit it if it is right")
        mean, worst = difference(image, file.read_bytes())
        assert mean < 1.5 and worst < 60, f"{file.name}: differs by {mean:.2f} of 255 in the mean, {worst:.0f} at worst"
    assert page.complaints == []


def test_rendered_pictures_look_like_the_page(show, bricard, tmp_path):
    page = show(bricard, size=(640, 480), theme="light", traces=[])
    page.js("dalembert.setPanel(false); dalembert.frame(60)")
    page.settle()
    box = page.page.locator("#view").bounding_box()
    size = (int(box["width"]), int(box["height"]))
    image = page.page.locator("#view").screenshot()
    da.render(bricard, tmp_path / "x.png", size=size, at=bricard.t[60])
    mean, _ = difference(image, (tmp_path / "x.png").read_bytes())
    assert mean < 4.0


def test_a_single_state_and_awkward_names(show):
    m = da.Model("a & b <i>", dim=2)
    m.add(da.Body("</script><b>'\"&amp;", mass=1, inertia=1, shapes=da.Box((1, 1))))
    page = show(da.assemble(m))
    assert page.js("dalembert.head.names") == ["</script><b>'\"&amp;"] and page.js("document.title") == "a & b <i>"
    assert page.js("document.querySelector('#bodies .list label span').textContent") == "</script><b>'\"&amp;"
    assert page.js("document.querySelector('footer').hidden") is True  # no time runs in a state
    page.page.keyboard.press("Space")
    assert page.js("dalembert.index") == 0 and page.complaints == []


def test_hundreds_of_links(show):
    from dalembert import catalog

    run = da.simulate(catalog.make("chain", n=300), 0.05)
    page = show(run)
    assert page.js("dalembert.head.names.length") == 300
    assert "more than 200 bodies" in page.js("document.getElementById('notes').textContent")
    assert page.complaints == []
