"""Reading a page: pointing, selecting, labels, values at the cursor, tables and pictures; names and contrast of its controls."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.viewer.scene.from_results import scene_of

ACCESSIBLE = Path(__file__).with_name("accessible.js").read_text(encoding="utf-8")
ON_SCREEN = """(p => { const r = document.getElementById('canvas').getBoundingClientRect();
    const v = dalembert.eye.controls.target.clone().set(...p).project(dalembert.eye.camera);
    return [r.left + (v.x + 1) / 2 * r.width, r.top + (1 - v.y) / 2 * r.height]; })"""


@pytest.fixture(scope="module")
def crank():
    return da.simulate(catalog.make("slider-crank"), 0.5)


def test_labels_and_facts_without_a_browser(crank):
    scene = scene_of(crank)
    assert [(x.name, x.kind) for x in scene.labels] == [("crank", "body"), ("rod", "body"), ("piston", "body"), ("O", "joint"),
                                                        ("A", "joint"), ("B", "joint"), ("guide", "joint")]
    at = {x.name: scene.points(x.body, x.local)[:, :2] for x in scene.labels}
    assert np.allclose(at["A"], crank.point("rod", (-0.175, 0)), atol=1e-9) and np.allclose(at["rod"], crank["rod"].position)
    assert scene.facts["rod"][:2] == [("kind", "body"), ("mass", "1.5 kg")]
    assert scene.facts["A"] == [("kind", "Revolute"), ("between", "crank and rod")]
    assert {p.owner for p in scene.parts if p.role == "joint"} == {"O", "A", "B"}
    space = scene_of(da.simulate(catalog.make("lagrange-top"), 0.1))
    assert any(term == "Izz" for term, _ in space.facts[space.names[0]])


def test_a_model_is_drawn_without_simulating(tmp_path, crank, show):
    file = crank.model.view(tmp_path / "model.html")
    assert da.view(crank.model, tmp_path / "same.html").stat().st_size == file.stat().st_size
    page = show(file)
    assert page.js("dalembert.poses.frames") == 1
    assert "degrees of freedom" in page.js("document.querySelector('#check pre').textContent")
    torn = catalog.make("slider-crank")
    torn.add(da.Revolute("P", torn.ground, "piston", on_i=(3, 0), on_j=(0, 0)))
    scene = scene_of(torn)
    assert any(n.startswith("Shown as drawn:") for n in scene.notes)  # what cannot be assembled is shown all the same
    assert np.allclose(scene.position[0, 0, :2], [0.15 / 2 * np.cos(np.pi / 4)] * 2)


def point_at(page, place, begins):
    """Move the mouse there as a hand does, a little at a time, until the tip says so: the view may still be settling."""
    for k in range(60):
        x, y = page.js(f"{ON_SCREEN}({[float(c) for c in place]})")
        page.page.mouse.move(x + 0.2 * (k % 2), y)
        page.page.wait_for_timeout(100)
        if page.js("document.getElementById('tip').textContent").startswith(begins):
            return
    found = page.js("document.getElementById('tip').textContent")
    raise AssertionError(f"no tip '{begins}', but '{found}'")


def test_pointing_and_selecting_show_the_numbers(show, crank):
    page = show(crank)
    page.js("dalembert.frame(60)")
    page.page.check("#show-reaction")
    page.settle()
    scene = scene_of(crank)
    where = page.js(f"{ON_SCREEN}({[float(x) for x in crank.point('rod', (0.05, 0))[60]] + [0.0]})")
    page.page.mouse.move(*where)
    page.page.wait_for_function("!document.getElementById('tip').hidden")
    assert page.js("document.getElementById('tip').textContent") == "rod  ({}, {}) m".format(
        *(float(f"{x:.4g}") for x in crank["rod"].position[60]))
    page.page.mouse.click(*where)
    assert page.js("document.querySelector('#selected summary span').textContent") == "rod"
    terms, values = (page.js(f"[...document.querySelectorAll('#selected {tag}')].map(e => e.textContent)")
                     for tag in ("dt", "dd"))
    told = dict(zip(terms, values, strict=True))
    assert told["mass"] == "1.5 kg"
    for name, value in (("omega", crank["rod"].omega[60]), ("velocity.x", crank["rod"].velocity[60, 0]),
                        ("acceleration.y", crank["rod"].acceleration[60, 1])):
        assert float(told[name].split()[0]) == pytest.approx(value, rel=1e-3), name
    assert told["omega"].endswith(" rad/s")
    k = next(i for i, a in enumerate(scene.arrows) if a.name == "A")
    middle = scene.points(scene.arrows[k].body, scene.arrows[k].local)[60] + 0.3 * scene.arrows[k].vectors[60] * page.js(
        "dalembert.world.arrows.per.N")
    point_at(page, middle, "A: reaction")
    force = crank["A"].on("rod").force[60]
    assert page.js("document.getElementById('tip').textContent") == "A: reaction {:.4g} N  ({:.4g}, {:.4g})".format(
        np.linalg.norm(force), *force)
    page.page.uncheck("#show-reaction")
    point_at(page, [*crank.point("rod", (-0.175, 0))[60], 0.0], "A, ")
    assert page.js("document.getElementById('tip').textContent") == f"A, Revolute  {np.linalg.norm(force):.4g} N"
    page.page.keyboard.press("Escape")
    assert page.js("document.getElementById('selected').hidden") is True and page.complaints == []


def test_arrows_cast_no_shadow_and_are_seen_through_bodies(show, crank):
    page = show(crank)
    page.page.check("#show-reaction")
    flags = page.js("Object.values(dalembert.world.arrows.groups).flatMap(g => g.meshes).map(m => [m.castShadow,"
                    "m.children[0].material.depthFunc, m.children[0].instanceMatrix === m.instanceMatrix])")
    assert flags and all(f == [False, 6, True] for f in flags)  # 6: drawn where something is nearer
    length = """(() => { const a = dalembert.world.arrows.groups.reaction.meshes[1].instanceMatrix.array;
        return Math.hypot(a[8], a[9], a[10]) / dalembert.eye.tall(); })()"""
    page.settle()
    before = page.js(length)
    page.page.check("#follow")
    for _ in range(3):
        page.page.keyboard.press("+")
    page.settle()
    assert page.js("dalembert.world.arrows.near") < 0.9 and page.js(length) == pytest.approx(before, rel=1e-6)


def test_what_is_selected_in_a_list_is_brought_into_sight(show, crank):
    page = show(crank, diagrams=0)
    page.js("for (const id of ['bodies', 'joints', 'check']) document.getElementById(id).open = true")
    page.page.get_by_role("button", name="Numbers of guide").click()
    top, bottom = page.js("(r => [r.top, r.bottom])(document.getElementById('selected').getBoundingClientRect())")
    assert top >= page.js("document.getElementById('panel').getBoundingClientRect().top") - 1 and bottom > top + 50
    assert top < page.js("innerHeight") - 100
    was = page.js("document.getElementById('panel').scrollTop = 200")
    page.js("dalembert.picker.select(dalembert.settings.selected)")  # what a slider does: nothing jumps
    assert page.js("document.getElementById('panel').scrollTop") == was


def test_labels_triad_and_scale(show, crank):
    page = show(crank)
    page.page.keyboard.press("n")
    page.js("dalembert.frame(60)")
    page.settle()
    x, y = page.js(f"{ON_SCREEN}({[float(v) for v in crank.point('rod', (-0.175, 0))[60]] + [0.0]})")
    box = page.page.locator("#labels .joint", has_text="A").bounding_box()
    assert abs(box["x"] - x) < 25 and abs(box["y"] - y) < 25
    metre = page.js("document.getElementById('view').clientHeight / dalembert.eye.tall()")
    shown = page.js("document.getElementById('scale').textContent")
    value = float(shown.split()[0]) * {"m": 1.0, "mm": 1e-3}[shown.split()[1]]
    assert page.js("document.getElementById('scale').offsetWidth") == pytest.approx(value * metre, abs=2)
    axes = "[...document.querySelectorAll('#triad line')].filter(l => l.style.display !== 'none').length"
    assert page.js(axes) == 2
    page.page.keyboard.press("1")
    page.settle()
    assert page.js(axes) == 3


def test_zoom_goes_to_the_cursor(show, crank):
    page = show(crank)
    at = [float(x) for x in crank["piston"].position[0]] + [0.0]
    x, y = page.js(f"{ON_SCREEN}({at})")
    page.page.mouse.move(x, y)
    page.page.mouse.wheel(0, -400)
    page.settle()
    later = page.js(f"{ON_SCREEN}({at})")
    assert page.js("dalembert.eye.camera.zoom") > 1.2 and np.hypot(later[0] - x, later[1] - y) < 2


def test_plots_by_unit_with_values_at_the_cursor_and_a_table(show, crank):
    page = show(crank, plot=("piston.x", "A.force.norm"))
    boxes = page.page.locator("#chart .u-over")
    assert boxes.count() == 2
    box = boxes.first.bounding_box()
    page.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30)
    page.page.wait_for_function("dalembert.chart.cursor !== null")
    k = page.js("dalembert.chart.cursor")
    said = page.js("[...document.querySelectorAll('#chart .legend')].map(e => e.textContent)")
    assert float(said[0].split()[1]) == pytest.approx(crank["piston"].position[k, 0], rel=1e-3) and " m" in said[0]
    assert float(said[1].split()[1]) == pytest.approx(np.linalg.norm(crank["A"].force[k]), rel=1e-3) and " N" in said[1]
    with page.page.expect_download() as waiting:
        page.page.click("#csv")
    rows = list(csv.reader(Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()))
    assert waiting.value.suggested_filename == "slider-crank.csv" and rows[0] == ["t [s]", "piston.x [m]", "A.force.norm [N]"]
    table = np.array(rows[1:], float)
    force = np.linalg.norm(crank["A"].force, axis=1)
    assert np.allclose(table[:, 0], crank.t) and np.allclose(table[:, 1], crank["piston"].position[:, 0], atol=1e-7)
    assert np.allclose(table[:, 2], force, atol=1e-6 * force.max()) and page.complaints == []


def test_the_saved_picture_is_what_is_shown(show, crank):
    image = pytest.importorskip("PIL.Image")
    page = show(crank)
    page.js("dalembert.frame(60)")
    page.settle()
    with page.page.expect_download() as waiting:
        page.page.keyboard.press("s")
    saved = np.asarray(image.open(waiting.value.path()).convert("RGB"), float)
    page.js("['triad', 'scale'].forEach(id => { document.getElementById(id).style.display = 'none'; })")
    page.settle()
    shown = np.asarray(image.open(io.BytesIO(page.page.locator("#view").screenshot())).convert("RGB"), float)
    assert saved.shape == shown.shape and np.abs(saved - shown).mean() < 1.0
    assert waiting.value.suggested_filename == "slider-crank.png"
    page.page.keyboard.press("n")  # and with names
    page.settle()
    with page.page.expect_download() as waiting:
        page.page.keyboard.press("s")
    named, plain = np.asarray(image.open(waiting.value.path()).convert("RGB"), float), saved
    shown = np.asarray(image.open(io.BytesIO(page.page.locator("#view").screenshot())).convert("RGB"), float)
    names = np.abs(shown - plain).max(axis=2) > 30  # where they stand
    assert names.sum() > 300 and np.abs(named - shown)[names].mean() < 0.3 * np.abs(plain - shown)[names].mean()
    assert np.abs(named - shown).mean() < 1.0


@pytest.mark.parametrize("theme, size", [("light", (1100, 760)), ("dark", (390, 844))])
def test_names_contrast_and_width(show, crank, theme, size):
    page = show(crank, size=size, theme=theme, sliders={"l2": [0.1]}, diagrams=0)
    page.js("dalembert.setPanel(true); dalembert.picker.select('rod')")
    page.js("for (const d of document.querySelectorAll('details')) d.open = true")
    page.settle()
    assert page.page.evaluate(ACCESSIBLE) == {"unnamed": [], "twice": [], "faint": []}
    wide = page.js("[document.documentElement.scrollWidth <= innerWidth, document.getElementById('panel').scrollWidth <= "
                   "document.getElementById('panel').clientWidth, [...document.querySelectorAll('header button')].every(b => "
                   "b.getBoundingClientRect().right <= innerWidth)]")
    assert wide == [True, True, True] and page.complaints == []


def test_dots_over_letters_are_drawn(show, crank):
    page = show(crank)
    page.js("document.getElementById('certificate').open = true")
    dots = page.js("[...document.querySelectorAll('#certificate .one-dot, #certificate .two-dots')]"
                   ".map(e => [e.textContent, e.className, getComputedStyle(e, '::before').content])")
    assert dots == [["Φ", "one-dot", '"·"'], ["Φ", "two-dots", '"··"']]


def test_runs_compared_have_colours_and_a_legend(show, crank):
    other = da.simulate(catalog.make("slider-crank", speed=14.0), 0.5)
    page = show({"slow": crank, "fast": other}, plot="piston.x")
    assert page.js("[...document.querySelectorAll('#runs label')].map(l => l.textContent)") == ["slow", "fast"]
    dots = page.js("[...document.querySelectorAll('#runs i.dot')].map(i => i.style.background)")
    assert len(set(dots)) == 2
    colours = page.js("(({ parts, materials }) => [0, 3].map(b => materials[parts.material[parts.body.indexOf(b)]]"
                      ".diffuse.map(x => Math.round(255 * x))))(dalembert.head)")
    assert [f"rgb({', '.join(map(str, c))})" for c in colours] == dots
    assert page.js("dalembert.chart.chosen.map(k => dalembert.chart.colour(k))") == ["#4a8ad4", "#ee8434"]
