"""Hands quicker than the studio: replies that come late, notes that come between, pictures that are left out.

Time is not waited for but made: the page hears nothing of the server until all strokes are made, on slow machines as on quick
ones.
"""

import time

from dalembert.workshop.live import Stopped


def press(d, *places):
    for x, y in places:
        d.page.mouse.move(x, y)
        d.page.mouse.down()
        d.page.mouse.up()


def between(d):
    return [j["between"] for j in d.js("studio.doc.plain.joint")]


def test_all_strokes_that_wait_for_one_reply_see_what_those_before_them_drew(desk):
    d = desk()
    ends = [d.at(*p) for p in ((0, 0), (0.2, 0.3), (0.2, 0.3), (0.8, 0.3), (0.8, 0.3), (0.8, 0))]
    supports = [d.at(0, 0), d.at(0.8, 0)]
    d.key("l")
    d.hold()
    press(d, *ends)
    d.page.keyboard.press("g")  # the strokes before it are drawn by the tool they were made with
    press(d, *supports)
    d.page.keyboard.press("d")
    press(d, supports[0])
    d.let()
    assert between(d) == [["link1", "link2"], ["link2", "link3"], ["ground", "link1"], ["ground", "link3"]]
    assert d.js("[studio.mobility.dof, studio.doc.plain.drive[0].of]") == [0, "C"]
    last = [ends[-1], d.at(1, 0.1)]
    d.hold()
    for key in ("Control+z", "Control+z", "Control+z", "Control+z"):  # each its own stroke, however quick
        d.page.keyboard.press(key)
    d.page.keyboard.press("l")
    press(d, *last)
    d.let()
    assert between(d) == [["link1", "link2"]]  # the drive, two supports, and the third link with its pin are undone
    assert d.js("studio.doc.plain.body.map((b) => b.name)") == ["link1", "link2", "link3"]
    assert not d.complaints


def test_plates_blocks_and_keys_in_their_order(desk):
    d = desk()
    corners = [d.at(*p) for p in ((0.2, 0), (0.6, 0), (0.4, 0.3))]
    ends, start, end = [d.at(0.6, 0), d.at(0.9, 0.2)], d.at(0.9, 0.2), d.at(1.0, 0.3)
    d.key("a")
    d.hold()
    press(d, *corners)
    d.page.keyboard.press("Enter")
    d.page.keyboard.press("l")
    press(d, *ends)
    d.page.keyboard.press("b")
    d.page.mouse.move(*start)
    d.page.mouse.down()
    d.page.mouse.move(*end)
    d.page.mouse.up()
    d.page.keyboard.press("Escape")
    d.let()
    plain = d.js("studio.doc.plain")
    assert [b["name"] for b in plain["body"]] == ["plate1", "link1", "block1"]
    assert [j["between"] for j in plain["joint"]] == [["plate1", "link1"], ["link1", "block1"], ["ground", "block1"]]
    assert abs(plain["joint"][2]["axis"][0] - 0.5**0.5) < 1e-9 and plain["body"][2]["position"] == [0.9, 0.2]
    d.hold()
    d.page.keyboard.press("w")  # a reply that comes between press and release
    arm = {"op": "add", "section": "body", "entry": {"name": "arm", "mass": 1, "start": [0, 0.6], "end": [0.3, 0.6]}}
    d.page.evaluate("(op) => void studio.edit([op], 'arm')", arm)
    start, end = d.at(0.3, 0.6), d.at(0.4, 0.6)
    d.page.mouse.move(*start)
    d.page.mouse.down()
    d.page.mouse.move(*end)
    d.let()
    d.page.mouse.up()
    d.idle()
    assert d.js("studio.doc.plain.joint.at(-1).between") == ["arm", "wheel1"]
    d.hold()
    d.page.keyboard.press("Control+z")  # wheel and arm
    d.page.keyboard.press("Control+z")
    d.page.keyboard.press("Control+z")  # both before the first reply: the block, then the link
    d.page.keyboard.press("Control+z")
    d.let()
    assert d.js("studio.doc.plain.body.map((b) => b.name)") == ["plate1"] and not d.complaints


def test_what_is_begun_with_a_tool_is_left_with_it(desk):
    d = desk()
    for away in ("Escape", "l", "k"):
        d.key("l")
        d.click(0.9, 0.5)  # one end
        d.key(away)
    d.key("l")
    d.click(0.2, 0.1)
    d.click(0.6, 0.4)
    d.key("Escape")
    assert [(b["start"], b["end"]) for b in d.js("studio.doc.plain.body")] == [([0.2, 0.1], [0.6, 0.4])]
    assert "force" not in d.js("studio.doc.plain")
    more = [d.at(*p) for p in ((0.8, 0.1), (0.9, 0.1), (0.8, 0.5), (0.9, 0.5))]
    d.key("l")
    d.hold()
    press(d, *more)
    d.page.keyboard.press("Control+z")  # undoes the stroke before it, which waits
    d.let()
    assert [b["start"] for b in d.js("studio.doc.plain.body")] == [[0.2, 0.1], [0.8, 0.1]] and not d.complaints


def test_strokes_keep_their_order_where_another_change_comes_between(desk):
    """The first stroke waits for one reply, the second for another that comes later: waking has no order of its own."""
    d = desk()
    ends = [d.at(0.2, 0.1), d.at(0.6, 0.4)]
    d.key("l")
    d.hold()
    for name, place in zip(("one", "two"), ends, strict=True):
        body = {"op": "add", "section": "body", "entry": {"name": name, "mass": 1, "inertia": 1, "position": [1, 0.5]}}
        d.page.evaluate("(op) => void studio.edit([op], 'a form')", body)
        press(d, place)
    d.let()
    link = d.js("studio.doc.plain.body.at(-1)")
    assert (link["start"], link["end"]) == ([0.2, 0.1], [0.6, 0.4]) and not d.complaints


def test_a_note_leaves_the_drawing_under_the_mouse_and_strokes_where_they_were(desk):
    d = desk()
    d.key("l")
    d.click(0.2, 0.1)
    d.click(0.6, 0.4)
    mouse = d.at(0.6, 0.4)
    where = f"((r) => studio.paper.toPaper({mouse[0]} - r.left, {mouse[1]} - r.top))" \
            "(document.getElementById('paper').getBoundingClientRect())"
    text = "'one line\\nanother line\\nand a third'"
    for note in (text, "''", text):
        tall = d.js(f"(studio.notes({note}), document.getElementById('paper').clientHeight)")
        assert max(abs(a - b) for a, b in zip(d.js(where), (0.6, 0.4), strict=True)) < 1e-9  # also before it is drawn again
        d.idle()
        assert d.at(0.6, 0.4) == mouse and d.js("document.getElementById('paper').clientHeight") == tall
    d.js("studio.notes('')")
    d.idle()
    more = d.at(0.9, 0.1), d.at(1.0, 0.5)
    d.hold()
    press(d, mouse, more[0], more[0], more[1])  # while they wait the note comes
    d.js(f"studio.notes({text})")
    d.let()
    assert between(d) == [["link1", "link2"], ["link2", "link3"]]
    assert d.js("[studio.doc.plain.body[1].start, studio.doc.plain.body[2].start]") == [[0.6, 0.4], [0.9, 0.1]]
    assert not d.complaints


def test_a_window_of_another_size_keeps_what_was_in_its_middle_or_fits(desk):
    d = desk()
    d.key("l")
    d.click(0.2, 0.1)
    d.click(0.6, 0.4)
    middle = "studio.paper.toPaper(studio.paper.width / 2, studio.paper.height / 2)"
    for touched in (True, False):
        d.js(f"void (studio.tools.use('select'), studio.paper.touched = {str(touched).lower()}, studio.paper.origin[0] += 50)")
        before, scale = d.js(middle), d.js("studio.paper.scale")
        wide = d.js("innerWidth")
        d.page.set_viewport_size({"width": wide - 240, "height": 600})
        assert wide > d.js("(async () => { const rest = () => new Promise((r) => setTimeout(r, 25));"
                           f" for (let k = 0; k < 400 && innerWidth === {wide}; k++) await rest();"
                           " for (let k = 0; k < 3; k++) await new Promise((r) => requestAnimationFrame(r));"
                           " return innerWidth; })()")
        if touched:
            assert max(abs(a - b) for a, b in zip(d.js(middle), before, strict=True)) < 1e-9
            assert d.js("studio.paper.scale") == scale
        else:  # as if it were fitted now
            found = d.js("[...studio.paper.origin, studio.paper.scale]")
            assert found == d.js("(studio.paper.fit(), [...studio.paper.origin, studio.paper.scale])") and found[2] != scale
    assert not d.complaints


def test_a_stroke_waits_for_the_picture_that_was_left_out(desk):
    """An edit whose picture is left out for a newer change, which is then refused: the picture comes after the refusal."""
    d = desk()
    session, given = d.started.session, []
    real = session.scene

    def scene(wish=None, newer=lambda: False):
        if not given:
            given.append(True)
            for _ in range(4000):  # the newer change is there, so this one's picture comes after its refusal
                if newer():
                    raise Stopped
                time.sleep(0.005)
        return real(wish, newer)

    session.scene = scene
    d.key("l")
    ends = [d.at(*p) for p in ((0, 0), (0.2, 0.3), (0.2, 0.3), (0.8, 0.3))]
    d.hold()
    press(d, *ends[:2])
    d.js("void studio.edit([{op: 'remove', name: 'nobody'}], 'refused')")
    press(d, *ends[2:])
    d.let()
    assert given and between(d) == [["link1", "link2"]] and not d.complaints
