"""The studio in a real browser: drawn by mouse, forms of every element, undo, the file on the disk, under the page's policy."""

import doctest
import json

import numpy as np

import dalembert as da
from dalembert import catalog
from dalembert.io import toml
from dalembert.io.document import document, sections, type_name
from dalembert.io.reader import Reader
from dalembert.io.schema import needs_code
from dalembert.workshop.drawing import poses
from dalembert.workshop.edits import applied
from dalembert.workshop.paper import Paper


def read(d) -> da.Model:
    """The model that is drawn."""
    return Reader(d.js("studio.doc.plain"), str, "mechanism").model()


def slider_crank() -> da.Model:
    m = da.Model("mechanism", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("link1", (0, 0), (0.1, 0.15), mass=1))
    m.add(da.Body.rod("link2", (0.1, 0.15), (0.6, 0), mass=1))
    m.add(da.Body("block1", mass=1, inertia=0.01, position=(0.6, 0)))
    m.add(da.Revolute("A", "link1", "link2", at=(0.1, 0.15)))
    m.add(da.Revolute("B", "link2", "block1", at=(0.6, 0)))
    m.add(da.Prismatic("guide1", "ground", "block1", at=(0.6, 0), axis=(1, 0)))
    m.add(da.Revolute("C", "ground", "link1", at=(0, 0)))
    m.add(da.Drive("motor1", "C", "2*pi*t"))
    return m


def test_a_slider_crank_from_an_empty_plane(desk, folder):
    d = desk()
    empty = d.js("studio.doc.text")
    for key, *places in (("l", (0, 0), (0.1, 0.15), (0.1, 0.15), (0.6, 0.0)), ("b", (0.6, 0)), ("g", (0, 0)), ("d", (0, 0))):
        d.key(key)
        for p in places:
            d.click(*p)
    assert d.js("[studio.mobility.dof, studio.mobility.drives]") == [0, ["motor1"]]
    d.key("3")  # plots: the drive's torque comes first
    found = d.js("(({head, data}) => ({name: head.plotted, t: Array.from(data.t), y: data.series(0)}))(studio.panels.plots)")
    run = da.simulate(slider_crank(), times=found["t"])
    assert found["name"] == ["motor1.torque"]
    assert np.abs(run["motor1"].torque - found["y"]).max() <= 1e-9 * np.abs(run["motor1"].torque).max()
    with d.page.expect_download() as saved:
        d.page.click("#csv")
    rows = saved.value.path().read_text().splitlines()
    assert rows[0] == "t [s],motor1.torque [N m]" and [float(r.split(",")[1]) for r in rows[1:]] == found["y"]
    d.key("Escape")
    before = d.js("studio.doc.plain")
    d.drag((0.05, 0.075), (-0.05, 0.16), 8)  # the mechanism follows; what is drawn is another pose of the same links
    after = d.js("studio.doc.plain")
    assert after["body"][0]["end"] != before["body"][0]["end"]
    for b in (before, after):
        assert abs(np.hypot(*np.subtract(b["body"][1]["end"], b["body"][1]["start"])) - np.hypot(0.5, 0.15)) < 1e-8
    assert np.allclose(after["body"][1]["end"], after["body"][2]["position"], atol=1e-8)
    assert abs(after["body"][2]["position"][1]) < 1e-9
    d.page.keyboard.down("Shift")
    d.drag(after["body"][0]["end"], (0.1, 0.2), 4)  # and this changes lengths
    d.page.keyboard.up("Shift")
    found = d.js("[studio.doc.plain.body[0].end, studio.doc.plain.body[1].start, studio.doc.plain.joint[0].at]")
    assert found == [[0.1, 0.2]] * 3
    d.page.click("#save-button")
    d.page.fill("#name-text", "drawn.toml")
    d.page.click("#name-form .main")
    d.idle()
    assert d.page.inner_text("#saved") == "saved" and da.check(da.load_model(folder / "drawn.toml")).dof == 0
    d.page.mouse.click(*d.at(0.3, 0.5))
    for _ in range(60):
        if not d.js("studio.doc.undo"):
            break
        d.key("Control+z")
    assert d.js("studio.doc.text") == empty == (folder / "drawn.toml").read_text()
    own = d.started.address.partition("/#")[0]
    assert not d.complaints and all(u.startswith((own, "data:", "blob:", "ws:")) for u in d.requests)


FILL = """([about, entry]) => {
  const text = (x) => x === undefined ? '' : typeof x === 'string' ? x : JSON.stringify(x);
  const pair = ([k, y]) => `${JSON.stringify(k)} = ${inline(y)}`;
  const inline = (x) => Array.isArray(x) ? `[${x.map(inline).join(', ')}]`
    : x && typeof x === 'object' ? `{${Object.entries(x).map(pair).join(', ')}}` : JSON.stringify(x);
  for (const f of about.fields) {
    const field = studio.panels.form.fields.find((x) => x.field.key === f.key), v = entry[f.key];
    if (field.many) field.many.forEach((i, k) => { i.value = text(v?.[k]); });
    else field.one.value = v === undefined ? '' : typeof v === 'object' ? inline(v) : String(v);
  }
  studio.panels.form.box.requestSubmit();
}"""


def cases():
    """Every element a file may name: (section, type, the model of its example without it, its entry)."""
    for section, types in sections().items():
        for name, cls in types.items():
            if needs_code(cls):
                continue
            scope: dict = {}
            for example in doctest.DocTestParser().get_examples(cls.__doc__ or ""):
                exec(compile(example.source, "example", "single"), scope)
            plain = document(scope["m"])
            entry = next(e for e in plain[section] if e.get("type", section) == name)
            paper = applied(Paper(toml.dumps(plain)), [{"op": "remove", "name": entry["name"]}])
            yield section, type_name(cls), paper, entry


def test_every_element_has_a_form_that_adds_it(desk, folder):
    d = desk(size=(980, 320))
    d.js("void (studio.draw = () => {})")  # software would draw forty scenes in space
    count = 0
    for section, name, paper, entry in cases():
        (folder / "case.toml").write_text(paper.text)
        d.js("(document.getElementById('kind').value = 'drawing', studio.open({file: 'case.toml'}))")
        d.page.click("#add-button")
        d.page.fill("#add-find", f"{section} {name}")
        d.page.click(f"#add-list [data-type='{section}.{name}']")
        about = d.js(f"studio.forms.find((f) => f.section === '{section}' && f.type === '{name}')")
        assert {f["key"] for f in about["fields"]} >= set(entry) - {"type"}, name
        d.page.evaluate(FILL, [about, entry])
        d.idle()
        plain = d.js("studio.doc.plain")
        wrong = d.js("[...document.querySelectorAll('.wrong')].map((x) => x.textContent).filter(Boolean)")
        assert not wrong, f"{section}.{name}: {wrong}"
        assert json.loads(json.dumps(entry)) in plain[section], f"{section}.{name}: {plain[section]} instead of {entry}"
        count += 1
    assert count == d.js("studio.forms.length") >= 39
    d.js("studio.open({catalogue: 'slider-crank'})")
    d.page.click("#tree [data-name=rod]")
    d.page.fill("#field-mass", "-3")
    d.page.keyboard.press("Enter")
    d.idle()
    assert "must be positive" in d.page.inner_text(".field[data-key=mass] .wrong")  # the error stands under its field
    assert not d.complaints


def test_plates_slots_springs_loads_mirror_and_the_guide(desk):
    d = desk()
    for key, *places in (("l", (0, 0.25), (0.1, 0.25), (0, 0), (0.2, 0.5)), ("g", (0, 0.25), (0, 0)), ("o", (0.1, 0.25)),
                         ("d", (0, 0.25))):
        d.key(key)
        for p in places:
            d.click(*p)
    slot = d.js("studio.doc.plain.joint.find((j) => j.type === 'pin_in_slot')")
    assert slot["between"] == ["link2", "link1"] and np.allclose(slot["axis"], np.array([2, 5]) / np.sqrt(29))
    assert d.js("studio.mobility.dof") == 0
    d.js("studio.open({new: 2})")  # a planet on a fixed sun, and a block that is driven along its slide
    for start, end in (((0, 0), (0.1, 0)), ((0.15, 0), (0.2, 0))):
        d.key("w")
        d.drag(start, end)
    for key, *places in (("l", (0, 0), (0.15, 0)), ("y", (-0.06, 0.03), (0.17, 0.03)), ("b", (0.5, 0.3)), ("d", (0.5, 0.3))):
        d.key(key)
        for p in places:
            d.click(*p)
    assert d.js("studio.doc.plain.constraint") == [{"type": "gear_on_carrier", "name": "mesh1", "between": ["wheel1", "wheel2"],
                                                    "carrier": "link1", "radii": [0.1, 0.05]}]
    assert d.js("studio.doc.plain.drive") == [{"name": "motor1", "of": "guide1", "law": "0.1*sin(2*pi*t)"}]
    d.js("studio.open({new: 2})")
    for key, *places in (("a", (0.2, 0), (0.6, 0), (0.4, 0.3), (0.2, 0)), ("l", (0.2, 0), (0.2, -0.2), (0.6, 0), (0.7, -0.2)),
                         ("g", (0.2, -0.2), (0.7, -0.2)), ("k", (0.4, 0.3), (0.8, 0.4))):
        d.key(key)
        for p in places:
            d.click(*p)
    d.key("f")
    d.drag((0.4, 0.3), (0.4, 0.1))
    d.key("w")
    d.drag((0.9, 0), (1.0, 0))
    plain = d.js("studio.doc.plain")
    assert [b["name"] for b in plain["body"]] == ["plate1", "link1", "link2", "wheel1"] and plain["body"][3]["inertia"] == 0.005
    loads = {(f.get("type", "force"), tuple(f.get("components", ()))) for f in plain["force"]}
    assert loads == {("spring", ()), ("force", (0, -10))}
    assert d.js("studio.mobility.dof") == 1 + 3  # a four-bar, and a wheel that lies loose
    d.key("Escape")
    d.page.click("#tree [data-name=link1]")
    d.page.locator("#paper").focus()
    d.key("m")
    assert len(d.js("studio.doc.plain.body")) == 5 and d.js("studio.doc.plain.joint.length") == 5  # with its support
    d.key("Delete")
    assert len(d.js("studio.doc.plain.body")) == 4 and d.js("studio.doc.plain.joint.length") == 4
    d.page.once("dialog", lambda box: box.accept())  # the drawing is not saved: leave it
    d.page.click("#help-button")
    d.page.click("#guide-button")
    d.idle()
    assert d.page.inner_text("#guide-count") == "1 / 7"
    for key, *places in (("l", (0, 0), (0, 0.2), (0, 0.2), (0.6, 0.4), (0.6, 0.4), (0.6, 0)), ("g", (0, 0), (0.6, 0)),
                         ("d", (0, 0))):
        d.key(key)
        for p in places:
            d.click(*p)
    assert d.page.inner_text("#guide-count") == "6 / 7"
    d.key("Escape")
    d.key("Space")
    d.key("Space")
    d.key("r")
    assert d.page.inner_text("#guide-count") == "✓" and d.js("studio.scene.arrows.length") >= 4
    assert not d.complaints


def test_planets_cylinders_mirror_images_and_quick_hands(desk):
    d = desk()
    for start, end in (((0.6, 0.3), (0.7, 0.3)), ((0.75, 0.3), (0.8, 0.3)), ((0.6, 0.3), (0.8, 0.3))):
        d.key("w")
        d.drag(start, end)  # sun, planet, ring: sun and ring about one centre
    d.key("y")
    d.click(0.52, 0.3)
    d.click(0.77, 0.31)
    assert "not held" in d.page.inner_text("#toast") and "constraint" not in d.js("studio.doc.plain")
    for key, *places in (("l", (0.6, 0.3), (0.75, 0.3)), ("g", (0.6, 0.3)), ("d", (0.6, 0.3)),
                         ("y", (0.52, 0.3), (0.77, 0.31), (0.77, 0.31), (0.6, 0.495))):
        d.key(key)
        for p in places:
            d.click(*p)
    assert [c["type"] for c in d.js("studio.doc.plain.constraint")] == ["gear_on_carrier"] * 2
    d.key("Escape")
    d.click(0.6, 0.495)  # the ring has a hole: its rim is pressed
    d.page.click("[aria-label='Hold it fast']")
    d.idle()
    weld = {"type": "weld", "name": "weld1", "between": ["ground", "wheel3"], "at": [0.6, 0.3]}
    assert d.js("studio.doc.plain.joint.at(-1)") == weld
    assert d.js("studio.mobility.dof") == 0
    run = da.kinematics(read(d), times=[0.0, 0.1])
    assert np.isclose(run["link1"].omega[1] / run["wheel1"].omega[1], 0.1 / (0.1 + 0.2))  # Willis: the ring stands still
    d.js("studio.open({new: 2})")
    d.key("h")
    d.click(0, 0)
    d.click(0.4, 0.3)  # both ends on the paper: on the ground
    slide = d.js("studio.doc.plain.joint[0]")
    assert slide["between"] == ["barrel1", "rod1"] and np.allclose(slide["axis"], (0.8, 0.6)) and slide["at"] == [0.2, 0.15]
    d.key("d")
    d.click(0.2, 0.15)
    assert d.js("studio.doc.plain.drive") == [{"name": "motor1", "of": "cylinder1", "law": "0.025*(1 - cos(2*pi*t))"}]
    d.js("studio.open({new: 2})")
    d.key("a")
    for p in ((0.2, 0.2), (0.5, 0.2), (0.2, 0.4), (0.2, 0.2)):
        d.click(*p)
    d.key("f")
    d.drag((0.2, 0.4), (0.4, 0.4))
    d.key("g")
    d.click(0.5, 0.2)
    d.key("Escape")
    d.page.click("#tree [data-name=plate1]")
    d.page.locator("#paper").focus()
    d.key("m")
    plain = d.js("studio.doc.plain")
    one, two = (np.add(b["shape"]["points"], b["position"]) for b in plain["body"])
    line = (plain["joint"][0]["at"][0] + plain["joint"][1]["at"][0]) / 2
    image = np.array([(2 * line - x, y) for x, y in one])
    assert np.allclose(sorted(two.tolist()), sorted(image.tolist())) and plain["force"][1]["components"] == [-10, 0]
    d.js("studio.open({new: 2})")
    d.key("l")
    for p in ((0, 0), (0.2, 0.3), (0.2, 0.3), (0.8, 0.3), (0.8, 0.3), (0.8, 0)):  # quicker than the replies
        d.page.mouse.move(*d.at(*p))
        d.page.mouse.down()
        d.page.mouse.up()
    d.idle()
    assert [j["between"] for j in d.js("studio.doc.plain.joint")] == [["link1", "link2"], ["link2", "link3"]]
    assert not d.complaints


def test_a_slider_writes_its_number_and_a_wrong_file_leaves_the_page_whole(desk, folder):
    (folder / "bar.toml").write_text(toml.dumps(document(catalog.make("four-bar"))))
    d = desk(folder / "bar.toml", size=(980, 420))
    d.key("2")
    move = """(v) => { const s = document.querySelector('[data-parameter=l2]');
                       s.value = v; s.dispatchEvent(new Event('input')); }"""
    before = d.js("Array.from(studio.scene.block.poses)")
    d.page.evaluate(move, 0.25)
    d.idle()
    assert d.js("studio.doc.plain.parameters.l2") == 0.3 and d.js("Array.from(studio.scene.block.poses)") != before
    d.js("document.querySelector('[data-parameter=l2]').dispatchEvent(new Event('change'))")
    d.idle()
    d.idle()
    assert d.js("studio.hands.values") is None  # the next slider sends its own number, not this one again
    m = catalog.make("four-bar")
    m.parameters["l2"] = d.js("studio.doc.plain.parameters.l2")
    assert abs(m.parameters["l2"] - 0.25) < 1e-3 and da.load_model(folder / "bar.toml").parameters["l2"] == m.parameters["l2"]
    run = da.simulate(m, times=d.js("Array.from(studio.scene.block.t)"))
    assert np.abs(poses(run).ravel() - d.js("Array.from(studio.scene.block.poses)")).max() < 1e-12
    text = (folder / "bar.toml").read_text()
    (folder / "bar.toml").write_text(text + "[[bod")
    d.page.locator("#notes p").wait_for()
    assert "not TOML" in d.page.inner_text("#notes") and d.page.inner_text("#saved") == "not saved"
    assert d.js("document.querySelectorAll('#parameters .param').length") == len(m.parameters)
    assert d.js("document.getElementById('text').value") == text and not d.complaints


def test_bodies_in_space_are_picked_moved_and_grabbed(desk):
    d = desk(size=(980, 420))
    d.js("studio.open({new: 3})")
    box = {"name": "box", "mass": 1, "inertia": [0.1, 0.1, 0.1], "shapes": [{"type": "box", "size": [0.3, 0.2, 0.1]}]}
    bar = {"name": "bar", "mass": 1, "start": [0.5, 0, 0], "end": [1, 0, 0], "radius": 0.02}
    ball = {"type": "spherical", "name": "S", "between": ["ground", "box"], "at": [0, 0, 0.2]}
    d.page.evaluate("(ops) => studio.edit(ops, 'three')", [{"op": "add", "section": s, "entry": e} for s, e in (
        ("body", box), ("body", bar), ("joint", ball))])
    d.js("studio.fit()")
    d.idle()
    place = """(p) => { const c = document.getElementById('space').getBoundingClientRect(), e = studio.space.eye.camera;
      e.updateMatrixWorld(); const v = studio.space.gizmo.handle.position.clone().set(...p).project(e);
      return [c.left + (v.x + 1) / 2 * c.width, c.top + (1 - v.y) / 2 * c.height]; }"""
    d.page.mouse.click(*d.page.evaluate(place, [0, 0, 0]))
    d.idle()
    assert d.js("[...studio.selected]") == ["box"]
    d.js("(() => { studio.select('bar'); studio.draw(); const g = studio.space.gizmo, h = g.handle;"
         " g.start = {p: h.position.clone(), q: h.quaternion.clone()}; h.position.z += 0.25; g.commit(); })()")
    d.idle()
    assert d.js("studio.doc.plain.body[1]") == {**bar, "start": [0.5, 0, 0.25], "end": [1, 0, 0.25]}
    d.js("(studio.space.eye.go('iso'), studio.draw())")
    p = d.page.evaluate(place, [0, 0, 0])
    d.page.keyboard.down("Control")
    d.page.mouse.move(*p)
    d.page.mouse.down()
    for k in range(1, 5):
        d.page.mouse.move(p[0] + 12 * k, p[1])
    d.page.mouse.up()
    d.page.keyboard.up("Control")
    d.idle()
    now = d.js("Array.from(studio.space.now.slice(0, 3))")  # it swings about the ball joint: 0.2 from its point
    assert np.linalg.norm(now) > 0.01 and abs(np.linalg.norm(np.subtract(now, [0, 0, 0.2])) - 0.2) < 1e-9
    assert not d.complaints
