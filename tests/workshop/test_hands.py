"""Drags and sliders that are let go before the server has answered: in their turn, with what is pressed after them."""

import numpy as np
import pytest

TWO = [{"op": "add", "section": s, "entry": e} for s, e in (
    ("body", {"name": "left", "mass": 1, "start": [0.2, 0.4], "end": [0.2, 0.1]}),
    ("body", {"name": "right", "mass": 1, "start": [0.8, 0.4], "end": [0.8, 0.1]}),
    ("joint", {"type": "revolute", "name": "L", "between": ["ground", "left"], "at": [0.2, 0.4]}),
    ("joint", {"type": "revolute", "name": "R", "between": ["ground", "right"], "at": [0.8, 0.4]}))]


def carry(d, start, end, steps=4):
    """A drag; nobody waits for anything."""
    p, q = d.at(*start), d.at(*end)
    d.page.mouse.move(*p)
    d.page.mouse.down()
    for k in range(1, steps + 1):
        d.page.mouse.move(*(a + (b - a) * k / steps for a, b in zip(p, q, strict=True)))
    d.page.mouse.up()


@pytest.fixture
def pendulums(desk):
    d = desk()
    d.page.evaluate("(ops) => studio.edit(ops, 'two pendulums')", TWO)
    d.js("studio.select(null)")
    d.idle()
    return d


def end(d, name):
    return d.js(f"studio.entry('{name}').end")


def test_undo_that_is_pressed_after_a_drag_undoes_the_drag(pendulums):
    d = pendulums
    before = d.js("studio.doc.text")
    d.hold()
    carry(d, (0.2, 0.2), (0.3, 0.2))
    d.page.keyboard.press("Control+z")
    d.let()
    assert d.js("[studio.doc.undo_label, studio.doc.redo_label]") == ["two pendulums", "move"]
    assert d.js("studio.doc.text") == before and not d.page.is_visible("#toast")
    d.key("Control+Shift+z")
    assert end(d, "left")[0] > 0.3 and np.hypot(*np.subtract(end(d, "right"), [0.8, 0.1])) < 1e-6 and not d.complaints


def test_the_last_place_of_a_drag_counts_and_a_second_body_is_grabbed_for_itself(pendulums):
    d = pendulums
    d.hold()
    carry(d, (0.2, 0.2), (0.35, 0.2))
    carry(d, (0.8, 0.2), (0.65, 0.2))
    d.let()
    for name, pin, to in (("left", (0.2, 0.4), (0.35, 0.2)), ("right", (0.8, 0.4), (0.65, 0.2))):
        arm, aim = np.subtract(end(d, name), pin), np.subtract(to, pin)
        assert abs(np.hypot(*arm) - 0.3) < 1e-8
        assert arm @ aim / np.hypot(*arm) / np.hypot(*aim) > 0.9995, name  # it points to where the mouse was let go
    assert d.js("studio.doc.undo") == 3 and d.js("studio.hands.grabbed") == -1 and d.js("studio.dragged") is None
    assert not d.page.is_visible("#toast") and not d.complaints


def test_a_stroke_after_a_drag_meets_the_end_where_it_was_put(pendulums):
    d = pendulums
    d.drag((0.2, 0.15), (0.5, 0.4))  # once at leisure: where it comes to
    there = end(d, "left")
    d.key("Control+z")
    ends = [d.at(*there), d.at(0.5, 0.1)]
    d.hold()
    carry(d, (0.2, 0.15), (0.5, 0.4))
    d.page.keyboard.press("l")
    for x, y in ends:
        d.page.mouse.move(x, y)
        d.page.mouse.down()
        d.page.mouse.up()
    d.let()
    assert d.js("studio.doc.plain.joint.at(-1).between") == ["left", "link1"]
    assert d.js("studio.entry('link1').start") == pytest.approx(end(d, "left"), abs=1e-8)
    assert not d.complaints


def test_a_drag_that_is_left_is_shown_no_more_and_leaves_no_pose(pendulums):
    d = pendulums
    text = d.js("studio.doc.text")
    p, q = d.at(0.2, 0.2), d.at(0.35, 0.2)
    d.hold()
    d.page.mouse.move(*p)
    d.page.mouse.down()
    d.page.mouse.move(*q)
    d.page.keyboard.press("Escape")
    d.let()
    d.page.mouse.up()
    d.idle()
    assert d.js("studio.dragged") is None and d.js("studio.doc.text") == text and not d.complaints


def test_a_click_selects_a_body_at_the_moment_that_is_shown(pendulums):
    d = pendulums
    d.js("studio.player.seek(studio.player.end / 2, true)")
    t = d.js("studio.player.time")
    d.click(*d.js("studio.paper.ground(1, studio.drawing.bodies[1].com)"))
    assert d.js("[...studio.selected]") == ["right"] and t > 0 and d.js("studio.player.time") == t


def test_delete_takes_what_the_stroke_before_it_made(desk):
    d = desk()
    d.key("l")
    for p in ((0.1, 0.1), (0.3, 0.1)):
        d.click(*p)
    ends = [d.at(0.6, 0.1), d.at(0.9, 0.1)]
    d.hold()
    for x, y in ends:
        d.page.mouse.move(x, y)
        d.page.mouse.down()
        d.page.mouse.up()
    d.page.keyboard.press("Delete")
    d.let()
    assert d.js("studio.doc.plain.body.map((b) => b.name)") == ["link1"]
    assert d.js("[studio.doc.undo_label, studio.doc.redo]") == ["delete link2", 0] and not d.complaints


def test_strokes_that_wait_belong_to_the_document_they_were_made_on(desk):
    d = desk()
    places = [d.at(*p) for p in ((0.1, 0.1), (0.3, 0.1), (0.6, 0.1), (0.9, 0.1))]
    d.key("l")
    d.hold()
    for x, y in places:
        d.page.mouse.move(x, y)
        d.page.mouse.down()
        d.page.mouse.up()
    d.js("void studio.open({catalogue: 'four-bar'})")
    d.let()
    assert [n for n in d.js("studio.names.all()") if n.startswith("link")] == [] and d.js("studio.doc.undo") == 0
    assert d.js("studio.doc.name") == "four-bar" and not d.complaints


def test_undo_after_a_slider_undoes_the_slider(desk):
    d = desk("four-bar")
    d.js("studio.edit([{op: 'parameter', name: 'extra', value: 1}], 'extra')")
    d.key("2")
    d.hold()
    d.js("""(() => { const s = document.querySelector('[data-parameter=l2]');
      for (const v of [0.26, 0.25]) { s.value = v; s.dispatchEvent(new Event('input')); }
      s.dispatchEvent(new Event('change')); })()""")
    d.page.keyboard.press("Control+z")
    d.let()
    assert d.js("[studio.doc.plain.parameters.l2, studio.doc.redo_label, studio.doc.undo_label]") == [0.3, "set l2", "extra"]
    assert not d.complaints


def test_a_slider_stays_in_the_hand_when_the_number_of_another_is_written(desk):
    d = desk("four-bar")
    d.key("2")
    before = d.js("[studio.doc.plain.parameters.l2, studio.doc.plain.parameters.l3]")
    first, second = (d.page.locator(f"[data-parameter={n}]").bounding_box() for n in ("l2", "l3"))
    middle = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in (first, second)]
    d.hold()
    d.page.mouse.move(*middle[0])
    d.page.mouse.down()
    d.page.mouse.move(middle[0][0] - 10, middle[0][1])
    d.page.mouse.up()
    d.page.mouse.move(*middle[1])
    d.page.mouse.down()
    d.page.mouse.move(middle[1][0] + 10, middle[1][1])
    d.let()  # the document with the first one's number comes, and the second is held still
    d.page.mouse.up()
    d.idle()
    l2, l3 = d.js("[studio.doc.plain.parameters.l2, studio.doc.plain.parameters.l3]")
    assert l2 < before[0] and l3 > before[1] and d.js("studio.hands.values") is None
    assert d.js("+document.querySelector('[data-parameter=l3]').value") == pytest.approx(l3, rel=1e-3) and not d.complaints


def test_a_slider_obeys_every_press_of_an_arrow_key(desk):
    d = desk("four-bar")
    d.key("2")
    d.page.locator("[data-parameter=l2]").focus()
    values = []
    for _ in range(4):
        d.key("ArrowRight")
        values.append(d.js("studio.doc.plain.parameters.l2"))
    assert np.all(np.diff([0.3, *values]) > 0) and d.js("studio.player.index") == 0
    assert d.js("document.activeElement.dataset.parameter") == "l2" and not d.complaints


def test_real_time_that_is_ended_before_it_has_begun_does_not_begin(pendulums):
    d = pendulums
    d.hold()
    d.page.keyboard.press("t")
    d.page.keyboard.press("Home")
    d.let()
    assert d.js("studio.player.real") is None and d.page.get_attribute("#real", "aria-pressed") == "false"
    d.page.keyboard.press("t")
    d.js("(async () => { while (!(studio.player.real?.t > 0)) await new Promise((r) => requestAnimationFrame(r)); })()")
    d.key("t")
    assert d.js("studio.player.real") is None and not d.complaints
