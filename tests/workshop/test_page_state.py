"""What the page keeps when the document comes again, what it takes back, and that one fault of it does not stop the rest."""

import json

import pytest

PENDULUM = [{"op": "add", "section": s, "entry": e} for s, e in (
    ("body", {"name": "bar", "mass": 2, "start": [0.5, 0.5], "end": [0.8, 0.5]}),
    ("joint", {"type": "revolute", "name": "A", "between": ["ground", "bar"], "at": [0.5, 0.5]}))]


@pytest.fixture
def pendulum(desk):
    d = desk()
    d.page.evaluate("(ops) => studio.edit(ops, 'pendulum')", PENDULUM)
    d.idle()
    return d


def elsewhere(d, **values):
    """The document changes, by somebody else's hand."""
    ops = [{"op": "set", "name": "bar", "key": k, "value": v} for k, v in values.items()]
    d.js(f"studio.change({{do: 'edit', ops: {json.dumps(ops)}, label: 'elsewhere'}})")
    d.idle()


def test_what_is_typed_into_a_form_stays_when_the_document_changes(pendulum):
    d = pendulum
    d.page.click("#tree [data-name=bar]")
    d.page.click(".form summary")
    d.page.fill("#field-radius", "0.01")
    d.page.locator("#field-radius").press("End")
    elsewhere(d, mass=7)
    assert d.page.input_value("#field-mass") == "7" and d.page.input_value("#field-radius") == "0.01"
    assert d.js("[document.activeElement.id, document.activeElement.selectionStart]") == ["field-radius", 4]
    d.page.keyboard.press("Enter")
    d.idle()
    bar = d.js("studio.entry('bar')")
    assert bar["radius"] == 0.01 and bar["mass"] == 7  # and what changed elsewhere is not taken back
    elsewhere(d, radius=0.02)
    assert d.page.input_value("#field-radius") == "0.02"  # applied: it is no longer mine
    d.page.fill("#field-mass", "heavy(")
    d.page.keyboard.press("Enter")
    d.idle()
    assert d.page.get_attribute("#field-mass", "aria-invalid") == "true" and d.page.is_visible("#wrong-mass")
    elsewhere(d, radius=0.03)
    assert d.page.input_value("#field-mass") == "heavy(" and d.page.input_value("#field-radius") == "0.03"
    d.page.keyboard.press("Escape")
    d.key("Escape")
    d.key("+")
    d.page.keyboard.type("spring")
    d.page.keyboard.press("Enter")
    d.page.fill("#field-stiffness", "123")
    elsewhere(d, mass=8)
    assert d.page.input_value("#field-stiffness") == "123"  # a part that is not added yet
    d.page.keyboard.press("Escape")
    d.key("Escape")
    assert d.page.locator("#field-stiffness").count() == 0 and not d.complaints


def test_a_part_may_be_given_another_name_in_its_form(pendulum):
    d = pendulum
    d.page.click("#tree [data-name=bar]")
    d.page.fill("#field-name", "rod")
    d.page.keyboard.press("Enter")
    d.idle()
    assert d.js("[studio.doc.plain.body[0].name, studio.doc.plain.joint[0].between]") == ["rod", ["ground", "rod"]]
    assert d.js("[...studio.selected]") == ["rod"] and d.page.input_value("#field-name") == "rod" and not d.complaints


def test_buttons_are_pressed_by_the_keyboard_and_the_mouse_leaves_the_keys_to_the_drawing(pendulum):
    d = pendulum
    for key in ("Enter", "Space"):
        d.page.focus("#help-button")
        d.page.keyboard.press(key)
        assert d.js("document.getElementById('help').open")
        d.page.keyboard.press("l")  # no key acts behind a dialog
        d.page.keyboard.press("Escape")
        assert not d.js("document.getElementById('help').open") and d.js("studio.tools.name") == "select"
    d.page.focus("#tree [data-name=A]")
    d.key("Enter")
    assert d.js("[...studio.selected]") == ["A"] and not d.js("studio.player.playing")
    elsewhere(d, mass=3)
    assert d.js("document.activeElement.dataset.name") == "A"  # who walks through the list goes on there
    d.page.click("#tree [data-name=bar]")
    d.key("Space")
    assert d.js("studio.player.playing")
    d.key("Space")
    d.page.click("#open-button")
    d.page.keyboard.type("slider-crank")
    d.js("window.confirm = () => true")
    d.page.keyboard.press("Enter")  # the first that is found, and no new model
    d.idle()
    assert d.js("studio.doc.name") == "slider-crank" and d.js("studio.doc.undo") == 0 and not d.complaints


def test_the_vectors_of_a_moment_are_drawn_at_that_moment_only(pendulum):
    d = pendulum
    d.js("studio.edit([{op: 'add', section: 'drive', entry: {name: 'motor', of: 'A', law: '2*t'}}], 'drive')")
    d.js("(({ paper }) => { paper.drawn = []; paper.arrow = (p, v, colour) => paper.drawn.push(colour); })(studio)")
    count = "(studio.paper.drawn.length = 0, studio.draw(), studio.paper.drawn.filter((c) => c === '#1f7a4d').length)"
    d.js("studio.player.seek(0.2, true)")
    d.key("4")
    d.page.click("[data-answer=kinematics]")
    d.idle()
    assert d.js(count) == 1 and d.js("studio.player.time") == pytest.approx(0.2)
    d.js("studio.player.seek(0.3, true)")
    assert d.js(count) == 0
    d.js("studio.player.seek(0.2, true)")
    assert d.js(count) == 1
    d.key("1")  # another tab: nobody asks again when the model changes
    elsewhere(d, mass=5)
    assert d.js(count) == 0 and not d.complaints


def test_arrows_of_reactions_and_bodies_that_are_turned_lie_where_they_act(pendulum):
    d = pendulum
    d.key("r")
    d.js("studio.player.seek(0.15, true)")
    found = d.js("""(() => { const list = [], { paper, scene, player } = studio; paper.arrow = (p, v) => list.push([p, v]);
      player.index = Math.round(player.index); studio.draw();
      const k = scene.arrows.findIndex((a) => a.kind === 'reaction'), n = scene.arrows.length, a = scene.arrows[k];
      const at = 3 * (player.index * n + k), [x, y] = scene.block.arrows.slice(at, at + 2), scale = a.per * paper.scale;
      const from = paper.toScreen([0.5, 0.5]);
      return [list.map(([p, v]) => [p[0] - from[0], p[1] - from[1], v[0] / scale, v[1] / scale]), [x, y]]; })()""")
    x, y = found[1]
    assert y > 1 and any(max(abs(a - b) for a, b in zip(drawn, (0, 0, x, -y), strict=True)) < 1e-6 for drawn in found[0])
    place = d.js("(({ paper }) => [paper.poses[0][2], ...paper.local(0, paper.ground(0, [0.1, 0.02]))])(studio)")
    assert abs(place[0]) > 0.1 and place[1:] == pytest.approx([0.1, 0.02], abs=1e-12)
    d.js("studio.player.seek(studio.player.end, true)")
    last = d.js("studio.scene.frames") - 1
    d.key("ArrowRight")
    assert d.js("studio.player.index") == last
    d.key("ArrowLeft")
    assert d.js("studio.player.index") == last - 1
    d.key("Home")
    d.key("ArrowLeft")
    assert d.js("studio.player.index") == 0 and not d.complaints


def test_a_fault_of_the_page_is_told_and_stops_neither_line_nor_streams_nor_replies(pendulum):
    d = pendulum
    assert d.js("""(async () => { const { turns, hands } = studio, seen = [];
      turns.take(() => { throw new Error('planted one'); });
      turns.take(async () => { throw new Error('planted two'); });
      await turns.take(() => seen.push('next'));
      hands.push('wish', {do: 'wish', plotted: []}, false, () => { throw new Error('planted three'); });
      await hands.stream('wish').busy;
      await hands.push('wish', {do: 'wish', plotted: []}, false, () => seen.push('stream'));
      return [...seen, turns.waiting]; })()""") == ["next", "stream", 0]
    d.js("void (studio.takeScene = () => { delete studio.takeScene; throw new Error('planted four'); })")
    elsewhere(d, mass=9)
    d.key("Control+z")
    assert d.js("studio.entry('bar').mass") == 2 and d.js("studio.settled")
    assert len(d.complaints) == 4 and all(f"planted {w}" in " ".join(d.complaints) for w in ("one", "two", "three", "four"))


def test_a_browser_without_webgl_says_so_and_goes_on(desk):
    d = desk()
    d.js("""(({ prototype: canvas }) => { const get = canvas.getContext;
      canvas.getContext = function (kind, ...more) { return kind === '2d' ? get.call(this, kind, ...more) : null; };
    })(HTMLCanvasElement)""")
    d.js("studio.open({new: 3})")
    assert "no WebGL" in d.page.inner_text("#notes")
    d.page.evaluate("(ops) => studio.edit(ops, 'bar')", [{"op": "add", "section": "body", "entry": {
        "name": "bar", "mass": 1, "start": [0, 0, 0], "end": [1, 0, 0]}}])
    assert d.js("studio.doc.plain.body.length") == 1
    d.js("studio.open({new: 2})")
    d.key("l")
    d.click(0.2, 0.1)
    d.click(0.6, 0.4)
    assert d.js("studio.doc.plain.body.length") == 1 and d.page.is_hidden("#notes")


def test_what_is_told_after_a_long_wait_stays_and_so_does_the_end_of_the_studio(pendulum):
    d = pendulum
    d.hold()
    d.js("void studio.edit([{op: 'remove', name: 'nobody'}], 'refused')")
    d.page.locator("#toast", has_text="Computing").wait_for()
    d.let()
    d.js("(async () => { while (studio.link.late) await new Promise((r) => setTimeout(r, 20)); })()")
    assert "nobody" in d.page.inner_text("#toast") and d.page.is_visible("#toast")
    d.hold()
    d.js("void (globalThis.told = studio.edit([{op: 'remove', name: 'nobody'}], 'never answered'))")
    d.key = d.page.keyboard.press
    d.key("Control+z")  # waits for it
    d.js("studio.link.ws.close()")
    late = "new Promise((r) => setTimeout(() => r({text: 'nobody is told'}), 5000))"  # waited for only where it fails
    assert d.js(f"Promise.race([told, {late}]).then((r) => r.text)").startswith("The studio has stopped")
    d.js("studio.turns.last")
    assert d.js("[studio.settled, studio.turns.waiting, studio.link.waiting.size]") == [True, 0, 0]
    assert "The studio has stopped" in d.page.inner_text("#toast") and d.page.inner_text("#saved") == "not connected"


def test_the_page_is_settled_by_the_last_of_several_changes(pendulum):
    d = pendulum
    assert d.js("""(async () => { const set = (value) => studio.edit([{op: 'set', name: 'bar', key: 'mass', value}], 'mass');
      const first = set(3), second = set(4), waits = () => Boolean(studio.editing), found = [waits()];
      await first; found.push(waits()); await second; return [...found, waits()]; })()""") == [True, True, False]
    assert d.js("studio.entry('bar').mass") == 4 and not d.complaints
